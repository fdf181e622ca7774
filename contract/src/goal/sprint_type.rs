//! What kind of sprint a batch is, told from its size, its waves, and the groups and titles of its items.

use crate::board::Batch;
use crate::text::xml::Element;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprintType {
    General,
    Orchestrator,
    Megasprint,
    Research,
    Refactor,
    Ops,
    Hotfix,
    Feature,
}

impl SprintType {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Orchestrator => "orchestrator",
            Self::Megasprint => "megasprint",
            Self::Research => "research",
            Self::Refactor => "refactor",
            Self::Ops => "ops",
            Self::Hotfix => "hotfix",
            Self::Feature => "feature",
        }
    }

    /// What the kind asks of an executor, in one sentence.
    fn advice(self) -> &'static str {
        match self {
            Self::General => "No particular kind of work: go by what each item says.",
            Self::Orchestrator => "Items build on one another: hold to the waves.",
            Self::Megasprint => "Many items: record each as soon as it is finished.",
            Self::Research => "Findings count: keep the source of every claim.",
            Self::Refactor => "Behaviour stays as it is: the tests pass before and after.",
            Self::Ops => "Live systems: know the way back before each step.",
            Self::Hotfix => "Make the smallest change that cures the fault.",
            Self::Feature => "New behaviour comes with tests of its own.",
        }
    }

    pub fn element(self) -> Element {
        Element::new("sprint_type")
            .attr("value", self.as_str())
            .text(self.advice())
    }

    /// The first rule that holds.
    pub fn of(batch: &Batch<'_>) -> Self {
        let n = batch.claimable.len();
        let traits = Traits(batch);
        match n {
            0 => Self::General,
            4.. if batch.waves.len() > 1 => Self::Orchestrator,
            12.. => Self::Megasprint,
            _ if traits.mostly(|group, _| matches!(group, "research" | "paper")) => Self::Research,
            _ if traits.mostly(|_, title| title.contains("refactor")) => Self::Refactor,
            _ if traits
                .mostly(|group, _| matches!(group, "ops" | "infra" | "release" | "deploy")) =>
            {
                Self::Ops
            }
            ..=3 if traits.mostly(|_, title| {
                ["hotfix", "bug", "fix:"]
                    .iter()
                    .any(|word| title.contains(word))
            }) =>
            {
                Self::Hotfix
            }
            _ if traits.mostly(|group, _| matches!(group, "feature" | "feat")) => Self::Feature,
            _ if traits.mostly(|_, title| title.contains("feat")) => Self::Feature,
            _ => Self::General,
        }
    }
}

struct Traits<'b, 'a>(&'b Batch<'a>);

impl Traits<'_, '_> {
    /// Whether at least half of the items hold, by group and title in lower case.
    fn mostly(&self, holds: impl Fn(&str, &str) -> bool) -> bool {
        let items = &self.0.claimable;
        let hits = items
            .iter()
            .filter(|item| {
                let group = item
                    .item_group
                    .as_deref()
                    .unwrap_or("")
                    .trim()
                    .to_lowercase();
                holds(&group, &item.title.to_lowercase())
            })
            .count();
        hits * 2 >= items.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::Timestamp;
    use crate::board::{BatchRequest, Board, Item};

    /// Items as (group, title); with two waves, the second item waits for the first.
    fn infer(items: &[(&str, &str)], waves: usize) -> SprintType {
        let mut items: Vec<Item> = items
            .iter()
            .enumerate()
            .map(|(at, (group, title))| {
                let mut item = Item::new(format!("i{at}"), *title);
                item.item_group = Some((*group).to_owned());
                item
            })
            .collect();
        if waves == 2 {
            items[1].depends_on = vec!["i0".to_owned()];
        }
        let board = Board::new(items, Vec::new(), Vec::new());
        let batch = Batch::plan(
            &board,
            &BatchRequest {
                version: None,
                closure: None,
                force_include: &BTreeSet::new(),
                now: Timestamp(0),
                strict_pointer_evidence: false,
            },
        );
        assert_eq!(batch.waves.len(), waves);
        SprintType::of(&batch)
    }

    #[test]
    fn size_and_waves_come_first() {
        assert_eq!(infer(&[], 0), SprintType::General);
        assert_eq!(infer(&[("research", "x"); 4], 2), SprintType::Orchestrator);
        assert_eq!(infer(&[("research", "x"); 3], 2), SprintType::Research);
        assert_eq!(infer(&[("research", "x"); 12], 1), SprintType::Megasprint);
        assert_eq!(infer(&[("research", "x"); 11], 1), SprintType::Research);
    }

    #[test]
    fn half_of_the_items_decide() {
        assert_eq!(infer(&[("Paper", "x"), ("", "y")], 1), SprintType::Research);
        assert_eq!(
            infer(&[("paper", "x"), ("", "y"), ("", "z")], 1),
            SprintType::General
        );
        assert_eq!(
            infer(&[("", "Refactor the parser")], 1),
            SprintType::Refactor
        );
        assert_eq!(
            infer(&[("infra", "x"), ("deploy", "y")], 1),
            SprintType::Ops
        );
        assert_eq!(infer(&[("feat", "x")], 1), SprintType::Feature);
        assert_eq!(infer(&[("", "feat: x")], 1), SprintType::Feature);
    }

    #[test]
    fn a_hotfix_is_small() {
        assert_eq!(
            infer(&[("", "fix: crash"), ("", "a bug"), ("", "x")], 1),
            SprintType::Hotfix
        );
        assert_eq!(infer(&[("", "a bug"); 4], 1), SprintType::General);
    }
}
