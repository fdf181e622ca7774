//! How the proposal scope is printed: its digest and executability as attributes, and a body for people.
//!
//! Source: The Handoff Contract, "Executability as a first-class signal".

use std::collections::BTreeMap;

use serde_json::json;

use super::capped::Capped;
use super::hitl::{GATE_CAP, QUESTION_LIMIT};
use super::proposal_scope::ProposalScope;
use crate::board::Item;
use crate::handoff::HitlGate;
use crate::text::clip;
use crate::text::json::canonical_ascii;
use crate::text::xml::Element;

/// How many left-out items are listed.
const OMITTED_CAP: usize = 20;

impl ProposalScope {
    /// Counts on one line, then one line for each item left out, as far as the cap goes.
    pub fn compact_element(&self) -> Element {
        let counts = format!(
            "In scope: {} items. Left out: {}. Open questions to a human: {}.",
            self.item_count,
            self.omitted.len(),
            self.open_gates
        );
        lines(self.tag().text(counts), self.omitted_lines())
    }

    /// Each count with what it counts: wave labels with their items as JSON, open questions, items left out. `items`
    /// and `gates` are those that the scope was built from.
    pub fn full_element(&self, items: &[&Item], gates: &[&HitlGate]) -> Element {
        let mut body = vec![
            format!("waves: {}", waves(items)),
            format!("hitl_gates: {}", gates.len()),
        ];
        body.extend(gate_lines(gates));
        body.push(format!("omitted_items: {}", self.omitted.len()));
        body.extend(self.omitted_lines());
        lines(
            self.tag()
                .text(format!("items_in_scope: {}", self.item_count)),
            body,
        )
    }

    fn tag(&self) -> Element {
        let reasons = match self.executable_reasons.as_slice() {
            [] => "none".to_owned(),
            reasons => reasons.join(", "),
        };
        Element::new("proposal_scope")
            .attr("proposal_id", self.proposal_id())
            .attr("content_hash", &self.content_hash)
            .attr("executable", self.executable)
            .attr("degraded", self.degraded)
            .attr("truncated", self.truncated)
            .attr("executable_reasons", reasons)
    }

    fn omitted_lines(&self) -> Vec<String> {
        let omitted = Capped::new(&self.omitted, Some(OMITTED_CAP));
        let shown = omitted
            .shown
            .iter()
            .map(|exclusion| format!("- {} ({})", exclusion.item_id, exclusion.reason.as_str()));
        shown.chain(more(&omitted)).collect()
    }
}

/// `{label: [ids]}` of the items that have a wave label, ids in listing order.
fn waves(items: &[&Item]) -> String {
    let mut waves: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in items {
        if let Some(label) = item.wave.as_deref() {
            waves.entry(label).or_default().push(&item.item_id);
        }
    }
    canonical_ascii(&json!(waves))
}

/// `- [urgency] item: question` for each, the item only where there is one.
fn gate_lines(gates: &[&HitlGate]) -> Vec<String> {
    let gates = Capped::new(gates, Some(GATE_CAP));
    let shown = gates.shown.iter().map(|gate| {
        let item = gate.item_id.as_ref().map(|id| format!("{id}: "));
        format!(
            "- [{}] {}{}",
            gate.urgency,
            item.unwrap_or_default(),
            clip::clip_body(&gate.question, QUESTION_LIMIT)
        )
    });
    shown.chain(more(&gates)).collect()
}

fn more<T>(list: &Capped<'_, T>) -> Option<String> {
    list.is_truncated()
        .then(|| format!("- {} more, {} in all", list.omitted.len(), list.total()))
}

fn lines(element: Element, lines: Vec<String>) -> Element {
    lines
        .into_iter()
        .fold(element, |element, line| element.line().text(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::board::{Exclusion, ExclusionReason};
    use crate::goal::proposal_scope::ScopeInput;

    fn scope(items: &[&Item], omitted: usize, open_gates: usize) -> ProposalScope {
        let omitted: Vec<Exclusion> = (10..10 + omitted)
            .map(|n| Exclusion {
                item_id: format!("m{n}"),
                reason: ExclusionReason::Manual,
            })
            .collect();
        ProposalScope::build(&ScopeInput {
            project_id: "p1",
            version: None,
            items,
            omitted: &omitted,
            failed_capabilities: &[],
            contract_reasons: &[],
            open_gates,
            truncated: false,
        })
    }

    fn gate(item_id: Option<&str>, question: &str) -> HitlGate {
        HitlGate {
            gate_id: "g".into(),
            item_id: item_id.map(str::to_owned),
            question: question.into(),
            urgency: "urgent".into(),
            created_at: Timestamp(0),
        }
    }

    #[test]
    fn omitted_items_are_listed_and_counted() {
        let tag = scope(&[], 25, 0).compact_element().to_string();
        assert!(tag.contains(
            "In scope: 0 items. Left out: 25. Open questions to a human: 0.\n- m10 (manual)\n"
        ));
        assert!(
            tag.ends_with("\n- m29 (manual)\n- 5 more, 25 in all</proposal_scope>"),
            "{tag}"
        );
    }

    #[test]
    fn the_full_form_names_waves_and_questions() {
        let in_wave = |id: &str, wave: Option<&str>| Item {
            wave: wave.map(str::to_owned),
            ..Item::new(id, id)
        };
        let items = [
            in_wave("b", Some("W2")),
            in_wave("a", Some("W1")),
            in_wave("c", Some("W2")),
            in_wave("d", None),
        ];
        let items: Vec<&Item> = items.iter().collect();
        let gates = [gate(Some("a"), "Why <x>?\nNow?"), gate(None, "How?")];
        let gates: Vec<&HitlGate> = gates.iter().collect();
        let tag = scope(&items, 1, 2).full_element(&items, &gates).to_string();
        assert!(
            tag.ends_with(
                ">items_in_scope: 4\nwaves: {\"W1\":[\"a\"],\"W2\":[\"b\",\"c\"]}\nhitl_gates: 2\n\
                 - [urgent] a: Why &lt;x&gt;?&#10;Now?\n- [urgent] How?\nomitted_items: 1\n- m10 (manual)</proposal_scope>"
            ),
            "{tag}"
        );
    }

    #[test]
    fn many_questions_are_counted() {
        let gate = gate(None, &"x".repeat(201));
        let tag = scope(&[], 0, 21)
            .full_element(&[], &[&gate; 21])
            .to_string();
        assert_eq!(tag.matches("x… (+1 more chars)").count(), 20);
        assert!(
            tag.contains("\n- 1 more, 21 in all\nomitted_items: 0</proposal_scope>"),
            "{tag}"
        );
    }
}
