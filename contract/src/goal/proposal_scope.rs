//! What a handoff proposes to do, as one digest, and whether it can be executed at all.
//!
//! The digest covers project, version, items (id, predecessors, wave label) and what was left out for which reason; not status,
//! titles or rendered text. So it stays the same while the proposal is being worked on. How it is printed is up to
//! [`super::scope_tag`].
//!
//! Source: The Handoff Contract, "Executability as a first-class signal".

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::board::{Exclusion, Item, dependency};
use crate::text::json::{canonical_ascii, sha256_hex};

const PROPOSAL_ID_LENGTH: usize = 16;

/// What a scope is built from.
#[derive(Debug, Clone, Copy)]
pub struct ScopeInput<'a> {
    pub project_id: &'a str,
    pub version: Option<&'a str>,
    pub items: &'a [&'a Item],
    pub omitted: &'a [Exclusion],
    /// Ids of required capabilities that failed.
    pub failed_capabilities: &'a [&'a str],
    /// Why the capability contract says that work cannot start.
    pub contract_reasons: &'a [&'a str],
    pub open_gates: usize,
    /// Whether a per-item clause was cut at its cap.
    pub truncated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalScope {
    pub content_hash: String,
    pub executable: bool,
    pub degraded: bool,
    pub truncated: bool,
    pub executable_reasons: Vec<String>,
    pub item_count: usize,
    pub open_gates: usize,
    pub omitted: Vec<Exclusion>,
}

impl ProposalScope {
    /// A cut clause makes the scope degraded and no more: the items are all named and can be fetched. Every other
    /// reason also takes the executability.
    pub fn build(input: &ScopeInput<'_>) -> Self {
        let mut executable_reasons = blocking_reasons(input);
        let executable = executable_reasons.is_empty();
        if input.truncated {
            executable_reasons.push("content_truncated".to_owned());
        }
        Self {
            content_hash: content_hash(input),
            executable,
            degraded: !executable_reasons.is_empty(),
            truncated: input.truncated,
            executable_reasons,
            item_count: input.items.len(),
            open_gates: input.open_gates,
            omitted: input.omitted.to_vec(),
        }
    }

    /// The head of the digest.
    pub fn proposal_id(&self) -> &str {
        &self.content_hash[..PROPOSAL_ID_LENGTH]
    }
}

fn blocking_reasons(input: &ScopeInput<'_>) -> Vec<String> {
    let mut seen = HashSet::new();
    let repeated = input
        .items
        .iter()
        .filter(|item| !seen.insert(item.item_id.as_str()))
        .map(|item| format!("duplicate_item_id:{}", item.item_id));
    let mut reasons: Vec<String> = repeated.collect();

    let omitted: HashSet<&str> = input
        .omitted
        .iter()
        .map(|exclusion| exclusion.item_id.as_str())
        .collect();
    for item in input.items {
        let missing = item
            .depends_on
            .iter()
            .filter(|id| omitted.contains(id.as_str()));
        reasons.extend(missing.map(|id| format!("depends_on_omitted_item:{}->{id}", item.item_id)));
    }
    reasons.extend(
        input
            .failed_capabilities
            .iter()
            .map(|id| format!("required_capability_failed:{id}")),
    );
    reasons.extend(input.contract_reasons.iter().map(|&reason| reason.into()));
    reasons
}

fn content_hash(input: &ScopeInput<'_>) -> String {
    let mut items = input.items.to_vec();
    items.sort_by(|a, b| a.item_id.cmp(&b.item_id));
    let items: Vec<Value> = items
        .into_iter()
        .map(|item| json!({"id": item.item_id, "depends_on": depends_on(item), "wave": item.wave}))
        .collect();
    let mut omitted: Vec<&Exclusion> = input.omitted.iter().collect();
    omitted.sort_by(|a, b| a.item_id.cmp(&b.item_id));
    let omitted: Vec<Value> = omitted
        .into_iter()
        .map(|exclusion| json!({"id": exclusion.item_id, "reason": exclusion.reason.as_str()}))
        .collect();
    let image = json!({"project_id": input.project_id, "version": input.version, "items": items, "omitted": omitted});
    sha256_hex(canonical_ascii(&image).as_bytes())
}

/// Null for none, else the same text that the board revision hashes.
fn depends_on(item: &Item) -> Option<String> {
    Some(dependency::normalized(&item.depends_on)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::ExclusionReason;

    fn item(id: &str, depends_on: &[&str], wave: Option<&str>) -> Item {
        let mut item = Item::new(id, "title");
        item.depends_on = depends_on.iter().map(|id| (*id).to_owned()).collect();
        item.wave = wave.map(str::to_owned);
        item
    }

    fn manual(id: &str) -> Exclusion {
        Exclusion {
            item_id: id.into(),
            reason: ExclusionReason::Manual,
        }
    }

    fn input<'a>(
        items: &'a [&'a Item],
        omitted: &'a [Exclusion],
        version: Option<&'a str>,
    ) -> ScopeInput<'a> {
        ScopeInput {
            project_id: "p1",
            version,
            items,
            omitted,
            failed_capabilities: &[],
            contract_reasons: &[],
            open_gates: 0,
            truncated: false,
        }
    }

    #[test]
    fn content_hashes_known_from_elsewhere() {
        let (a, b) = (item("a", &[], None), item("b", &["a"], None));
        let scope = ProposalScope::build(&input(&[&b, &a], &[manual("c")], Some("v1")));
        assert_eq!(
            scope.content_hash,
            "64eead95a3aad9d261dc681953c650c67d6d48d068b5090bd239a6080179138c"
        );
        assert_eq!(scope.proposal_id(), "64eead95a3aad9d2");
        let empty = ProposalScope::build(&input(&[], &[], None));
        assert_eq!(
            empty.content_hash,
            "73a95bab91f5dc87b27a77e23d6262cd3f649d6e516f97d2aed5f4ff72998dd9"
        );
        let accented = item("é", &[], Some("W1"));
        let scope = ProposalScope::build(&input(&[&accented], &[], Some("v1")));
        assert_eq!(
            scope.content_hash,
            "5a255b6135c431d674681bb0b71bd7e61db1665e0276dce1558528c6fad378f3"
        );
    }

    #[test]
    fn reasons_stand_in_order_and_take_the_executability() {
        let (a, b) = (item("a", &[], None), item("b", &["c"], None));
        let (items, omitted) = ([&a, &a, &b], [manual("c")]);
        let mut input = input(&items, &omitted, None);
        input.failed_capabilities = &["search"];
        input.contract_reasons = &["missing_required_capabilities:a,b"];
        input.truncated = true;
        let scope = ProposalScope::build(&input);
        assert_eq!(
            scope.executable_reasons,
            [
                "duplicate_item_id:a",
                "depends_on_omitted_item:b->c",
                "required_capability_failed:search",
                "missing_required_capabilities:a,b",
                "content_truncated"
            ]
        );
        assert!(!scope.executable && scope.degraded && scope.truncated);
        let tag = scope.compact_element().to_string();
        assert!(tag.contains(
            r#"executable="false" degraded="true" truncated="true" executable_reasons="duplicate_item_id:a, depends_on_omitted_item:b-&gt;c, "#
        ));
    }

    #[test]
    fn a_cut_clause_degrades_and_does_not_stop() {
        let a = item("a", &["done-long-ago"], None);
        let items = [&a];
        let whole = ProposalScope::build(&input(&items, &[], None));
        assert!(whole.executable && !whole.degraded && !whole.truncated);
        assert!(
            whole
                .compact_element()
                .to_string()
                .contains(r#"executable_reasons="none""#)
        );
        let cut = ProposalScope::build(&ScopeInput {
            truncated: true,
            ..input(&items, &[], None)
        });
        assert!(cut.executable && cut.degraded && cut.truncated);
        assert_eq!(cut.executable_reasons, ["content_truncated"]);
        assert_eq!(cut.content_hash, whole.content_hash);
    }
}
