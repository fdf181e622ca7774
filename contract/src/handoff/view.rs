//! Which items and questions of the scope a narrative speaks of.
//!
//! The batch answers what can be worked on; this is the rest of the picture: what runs, what is finished, what waits
//! for a human. A selection narrows it to the selected items, what they need, and what those directly build on, so
//! that a handoff about two items doesn't tell of the whole backlog.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use super::{HitlGate, Snapshot};
use crate::Timestamp;
use crate::board::{Board, Item, Status};

#[derive(Debug, Clone, Default)]
pub struct View<'a> {
    /// In listing order.
    pub running: Vec<&'a Item>,
    /// Terminal ones, last finished first; those without a time come last, in listing order.
    pub finished: Vec<&'a Item>,
    /// Every status that an item has, live ones first, with the number of its items.
    pub by_status: Vec<(&'a str, usize)>,
    /// Open questions on these items or on the project, oldest first.
    pub gates: Vec<&'a HitlGate>,
}

impl<'a> View<'a> {
    pub fn of(
        snapshot: &'a Snapshot,
        version: Option<&str>,
        closure: Option<&BTreeSet<String>>,
    ) -> Self {
        let board = &snapshot.board;
        let narrowed = closure.map(|closure| with_predecessors(board, closure));
        let shows = |id: &str| narrowed.as_ref().is_none_or(|ids| ids.contains(id));
        let items: Vec<&Item> = board
            .items()
            .iter()
            .filter(|item| item.in_version(version) && shows(&item.item_id))
            .collect();

        let of_items: HashSet<&str> = items.iter().map(|item| item.item_id.as_str()).collect();
        let concerns = |gate: &&HitlGate| {
            let item_id = gate.item_id.as_deref();
            item_id.is_none_or(|id| of_items.contains(id))
        };
        Self {
            running: having(&items, |status| *status == Status::InProgress),
            finished: finished(&items),
            by_status: by_status(&items),
            gates: snapshot.hitl_gates.iter().filter(concerns).collect(),
        }
    }

    /// What was finished after `since`, and how many finished items nobody can date. Without `since`, everything.
    pub fn finished_since(&self, since: Option<Timestamp>) -> (Vec<&'a Item>, usize) {
        let Some(since) = since else {
            return (self.finished.clone(), 0);
        };
        let undated = self
            .finished
            .iter()
            .filter(|item| item.completed_at.is_none());
        let news = self
            .finished
            .iter()
            .filter(|item| item.completed_at.is_some_and(|at| at > since));
        (news.copied().collect(), undated.count())
    }
}

fn with_predecessors<'a>(board: &'a Board, closure: &'a BTreeSet<String>) -> HashSet<&'a str> {
    let predecessors = closure
        .iter()
        .filter_map(|id| board.get(id))
        .flat_map(|item| &item.depends_on);
    closure
        .iter()
        .chain(predecessors)
        .map(String::as_str)
        .collect()
}

fn having<'a>(items: &[&'a Item], is: impl Fn(&Status) -> bool) -> Vec<&'a Item> {
    items
        .iter()
        .copied()
        .filter(|item| is(&item.status))
        .collect()
}

fn finished<'a>(items: &[&'a Item]) -> Vec<&'a Item> {
    let mut finished = having(items, Status::is_terminal);
    // `None` is the smallest, and the sort is stable.
    finished.sort_by_key(|item| Reverse(item.completed_at));
    finished
}

fn by_status<'a>(items: &[&'a Item]) -> Vec<(&'a str, usize)> {
    let mut statuses: Vec<&Status> = items.iter().map(|item| &item.status).collect();
    let rank = |status: &Status| {
        Status::KNOWN
            .iter()
            .position(|known| known == status)
            .unwrap_or(usize::MAX)
    };
    statuses.sort_by_key(|status| (rank(status), status.as_str()));
    statuses
        .chunk_by(|a, b| a == b)
        .map(|group| (group[0].as_str(), group.len()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::Project;

    fn item(id: &str, status: Status, completed_at: Option<i64>) -> Item {
        Item {
            status,
            completed_at: completed_at.map(Timestamp),
            ..Item::new(id, id)
        }
    }

    fn gate(item_id: Option<&str>) -> HitlGate {
        HitlGate {
            gate_id: item_id.unwrap_or("project").into(),
            item_id: item_id.map(str::to_owned),
            question: "?".into(),
            urgency: "normal".into(),
            created_at: Timestamp(0),
        }
    }

    fn board() -> Snapshot {
        let mut pending = item("p", Status::Todo, None);
        pending.depends_on = vec!["d1".into()];
        let items = vec![
            item("d1", Status::Done, Some(10)),
            item("d2", Status::Failed, Some(20)),
            item("d3", Status::Done, None),
            item("r", Status::InProgress, None),
            item("x", Status::Unknown("odd".into()), None),
            pending,
        ];
        Snapshot {
            board: Board::new(items, Vec::new(), Vec::new()),
            hitl_gates: vec![gate(Some("r")), gate(None), gate(Some("elsewhere"))],
            ..Snapshot::new(Project::new("p1", "Demo"), Timestamp(0))
        }
    }

    fn ids(items: &[&Item]) -> Vec<String> {
        items.iter().map(|item| item.item_id.clone()).collect()
    }

    #[test]
    fn shows_all_of_the_scope() {
        let snapshot = board();
        let view = View::of(&snapshot, None, None);
        assert_eq!(ids(&view.running), ["r"]);
        assert_eq!(ids(&view.finished), ["d2", "d1", "d3"]);
        assert_eq!(
            view.by_status,
            [
                ("todo", 1),
                ("in_progress", 1),
                ("done", 2),
                ("failed", 1),
                ("odd", 1)
            ]
        );
        let gates: Vec<&str> = view
            .gates
            .iter()
            .map(|gate| gate.gate_id.as_str())
            .collect();
        assert_eq!(gates, ["r", "project"]);
        let elsewhere = View::of(&snapshot, Some("v1"), None);
        assert!(elsewhere.running.is_empty() && elsewhere.by_status.is_empty());
    }

    #[test]
    fn a_selection_narrows_it_to_what_the_items_build_on() {
        let snapshot = board();
        let view = View::of(&snapshot, None, Some(&BTreeSet::from(["p".to_owned()])));
        assert!(view.running.is_empty());
        assert_eq!(ids(&view.finished), ["d1"]);
        assert_eq!(view.gates.len(), 1);
    }

    #[test]
    fn news_is_what_came_after() {
        let snapshot = board();
        let view = View::of(&snapshot, None, None);
        let since = |at: Option<i64>| {
            let (news, undated) = view.finished_since(at.map(Timestamp));
            (ids(&news), undated)
        };
        assert_eq!(
            since(None),
            (vec!["d2".into(), "d1".into(), "d3".into()], 0)
        );
        assert_eq!(since(Some(10)), (vec!["d2".into()], 1));
        assert_eq!(since(Some(20)), (vec![], 1));
    }
}
