//! Open questions to a human that stand on the items of a block, or on the project as a whole.

use std::collections::{BTreeSet, HashSet};

use super::calls;
use super::capped::Capped;
use crate::board::Item;
use crate::handoff::HitlGate;
use crate::text::clip;
use crate::text::xml::{Comment, Element};

/// How many questions a block quotes, a small one and any other. The ids of all gated items are listed beside them.
const SMALL_CAP: usize = 10;
pub(crate) const GATE_CAP: usize = 20;
/// Code points of a question.
pub(crate) const QUESTION_LIMIT: usize = 200;

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
/// `item_cap` tells a small block, which quotes fewer questions.
pub fn lines(gates: &[&HitlGate], project_id: &str, item_cap: Option<usize>) -> Vec<String> {
    if gates.is_empty() {
        return Vec::new();
    }
    let item_ids: BTreeSet<&str> = gates
        .iter()
        .filter_map(|gate| gate.item_id.as_deref())
        .collect();
    let item_ids: Vec<&str> = item_ids.into_iter().collect();
    let cap = item_cap.map_or(GATE_CAP, |_| SMALL_CAP);
    let capped = Capped::new(gates, Some(cap));
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
        .text(clip::clip_body(&gate.question, QUESTION_LIMIT))
}
