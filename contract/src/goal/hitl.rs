//! Open questions to a human that stand on the items of a block, or on the project as a whole.

use std::collections::{BTreeSet, HashSet};

use super::calls;
use super::capped::Capped;
use crate::board::Item;
use crate::handoff::HitlGate;
use crate::text::clip;
use crate::text::xml::{Comment, Element};

/// How many questions a small block quotes. The ids of all gated items are listed beside them.
const GATE_CAP: usize = 10;
const QUESTION_LIMIT: usize = 200;

/// The gates that concern a scope, those on its items before those on no item, each oldest first.
pub fn in_scope<'a>(gates: &'a [HitlGate], candidates: &[&Item]) -> Vec<&'a HitlGate> {
    let listed: HashSet<&str> = candidates
        .iter()
        .map(|item| item.item_id.as_str())
        .collect();
    let on_item = |gate: &&HitlGate| {
        gate.item_id
            .as_deref()
            .is_some_and(|id| listed.contains(id))
    };
    let on_project = |gate: &&HitlGate| gate.item_id.is_none();
    gates
        .iter()
        .filter(on_item)
        .chain(gates.iter().filter(on_project))
        .collect()
}

/// `<hitl_gates total included item_ids>` with a `<gate>` each, and a comment on what they mean. Nothing without gates.
pub fn lines(gates: &[&HitlGate], project_id: &str) -> Vec<String> {
    if gates.is_empty() {
        return Vec::new();
    }
    let item_ids: BTreeSet<&str> = gates
        .iter()
        .filter_map(|gate| gate.item_id.as_deref())
        .collect();
    let item_ids: Vec<&str> = item_ids.into_iter().collect();
    let capped = Capped::new(gates, Some(GATE_CAP));
    let element = Element::new("hitl_gates")
        .attr("total", capped.total())
        .attr("included", capped.shown.len())
        .attr("item_ids", item_ids.join(", "))
        .children(capped.shown.iter().map(|gate| element(gate)));
    let note = format!(
        "A human was asked and has not answered yet. Do not answer for them: leave the items named here until they \
         did, and take others meanwhile. The board: {}",
        calls::read_board(project_id)
    );
    vec![element.to_string(), Comment(&note).to_string()]
}

fn element(gate: &HitlGate) -> Element {
    let element = Element::new("gate").attr("id", &gate.gate_id);
    let element = match &gate.item_id {
        Some(item_id) => element.attr("item_id", item_id),
        None => element,
    };
    element
        .attr("urgency", &gate.urgency)
        .text(question(&gate.question))
}

fn question(question: &str) -> String {
    let head = clip::head(question, QUESTION_LIMIT);
    let more = question[head.len()..].chars().count();
    if more == 0 {
        head.to_owned()
    } else {
        format!("{head}… (+{more} more chars)")
    }
}
