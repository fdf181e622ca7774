//! The claimable batch: which items are in it, in which waves, and why the others are not.

use std::collections::BTreeSet;

use handoff_contract::Timestamp;
use handoff_contract::board::dependency::blockers;
use handoff_contract::board::{
    Batch, BatchRequest, BlockerKind, Board, ExclusionReason, FailureMode, Item, Status,
};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp(0);

fn item(item_id: &str, depends_on: &[&str]) -> Item {
    Item {
        version: Some("v1".into()),
        depends_on: depends_on.iter().map(|&id| id.to_owned()).collect(),
        ..Item::new(item_id, item_id)
    }
}

fn with(status: Status, item: Item) -> Item {
    Item { status, ..item }
}

fn board(items: Vec<Item>) -> Board {
    Board::new(items, vec![], vec![])
}

fn request<'a>(version: Option<&'a str>, force_include: &'a BTreeSet<String>) -> BatchRequest<'a> {
    BatchRequest {
        version,
        closure: None,
        force_include,
        now: NOW,
        strict_pointer_evidence: false,
    }
}

fn plan(board: &Board) -> Batch<'_> {
    Batch::plan(board, &request(Some("v1"), &BTreeSet::new()))
}

fn ids<'a>(items: &[&'a Item]) -> Vec<&'a str> {
    items.iter().map(|item| item.item_id.as_str()).collect()
}

fn waves<'a>(batch: &Batch<'a>) -> Vec<Vec<&'a str>> {
    batch.waves.iter().map(|wave| ids(wave)).collect()
}

fn excluded<'a>(batch: &'a Batch<'_>) -> Vec<(&'a str, &'static str)> {
    batch
        .excluded
        .iter()
        .map(|exclusion| (exclusion.item_id.as_str(), exclusion.reason.as_str()))
        .collect()
}

#[test]
fn pending_items_of_the_version_come_in_waves() {
    let board = board(vec![
        item("c", &["b", "a", "finished"]),
        item("a", &[]),
        with(Status::Pending, item("b", &["a"])),
        with(Status::Done, item("finished", &[])),
        with(Status::InProgress, item("running", &[])),
        with(Status::Indeterminate, item("unclear", &[])),
        Item {
            version: Some("v2".into()),
            ..item("later", &[])
        },
        Item {
            version: None,
            ..item("unversioned", &[])
        },
    ]);
    let batch = plan(&board);
    assert_eq!(ids(&batch.candidates), ["a", "b", "c"]);
    assert_eq!(ids(&batch.claimable), ["a", "b", "c"]);
    assert_eq!(waves(&batch), [vec!["a"], vec!["b"], vec!["c"]]);
    assert_eq!(excluded(&batch), []);
    let c = board.get("c").unwrap();
    assert_eq!(batch.blocked_on(c), ["a", "b"]);
    assert!(batch.contains("c") && !batch.contains("finished"));

    let every_version = Batch::plan(&board, &request(None, &BTreeSet::new()));
    assert_eq!(
        ids(&every_version.claimable),
        ["a", "b", "c", "later", "unversioned"]
    );
}

#[test]
fn a_predecessor_that_the_batch_will_not_finish_blocks_all_that_follow() {
    let board = board(vec![
        item("a1", &["running"]),
        item("a2", &["a1", "free"]),
        item("b", &["elsewhere"]),
        item("c", &["gone"]),
        item("d1", &["human"]),
        item("d2", &["d1"]),
        Item {
            failure_mode: FailureMode::Stop,
            ..item("e", &["failed"])
        },
        item("free", &["failed"]),
        Item {
            title: "Manual check".into(),
            ..item("human", &[])
        },
        with(Status::Failed, item("failed", &[])),
        with(Status::InProgress, item("running", &[])),
        Item {
            version: Some("v2".into()),
            ..item("elsewhere", &[])
        },
    ]);
    let batch = plan(&board);
    assert_eq!(ids(&batch.claimable), ["free"]);
    let blocked = ["a1", "a2", "b", "c", "d1", "d2", "e"];
    assert_eq!(
        batch.excluded_for(ExclusionReason::DependencyNotSatisfied),
        blocked
    );
    assert_eq!(batch.excluded_for(ExclusionReason::Manual), ["human"]);
    assert_eq!(
        batch.excluded_for(ExclusionReason::Backburner),
        Vec::<&str>::new()
    );
}

#[test]
fn cycles_leave_with_whatever_waits_for_them() {
    let board = board(vec![
        item("behind", &["x", "free"]),
        item("free", &[]),
        item("itself", &["itself"]),
        item("x", &["y"]),
        item("y", &["x"]),
    ]);
    let batch = plan(&board);
    assert_eq!(waves(&batch), [["free"]]);
    assert_eq!(
        batch.excluded_for(ExclusionReason::DependencyNotSatisfied),
        ["behind", "itself", "x", "y"]
    );
}

#[test]
fn an_unexplained_status_is_the_last_reason() {
    let odd = |item| with(Status::Unknown("parked".into()), item);
    let board = board(vec![
        odd(item("blocked", &["gone"])),
        odd(Item {
            blocker_kind: Some(BlockerKind::Superseded),
            ..item("old", &[])
        }),
        odd(item("plain", &["ready"])),
        item("ready", &[]),
        item("waits", &["plain"]),
    ]);
    let batch = plan(&board);
    assert_eq!(
        ids(&batch.candidates),
        ["blocked", "old", "plain", "ready", "waits"]
    );
    assert_eq!(waves(&batch), [["ready"]]);
    assert_eq!(
        excluded(&batch),
        [
            ("blocked", "dependency_not_satisfied"),
            ("old", "superseded"),
            ("plain", "unknown_status"),
            ("waits", "dependency_not_satisfied"),
        ]
    );
}

#[test]
fn forcing_overrules_being_parked_and_nothing_else() {
    let deferred = |item| Item {
        deferred_until: Some(Timestamp(1)),
        ..item
    };
    let board = board(vec![
        deferred(item("a", &[])),
        deferred(item("b", &[])),
        deferred(Item {
            title: "MANUAL".into(),
            ..item("c", &[])
        }),
        item("d", &["a"]),
    ]);
    let forced = BTreeSet::from(["a".to_owned(), "c".to_owned()]);
    let batch = Batch::plan(&board, &request(None, &forced));
    assert_eq!(waves(&batch), [["a"], ["d"]]);
    assert_eq!(excluded(&batch), [("b", "backburner"), ("c", "manual")]);
    assert_eq!(ids(&plan(&board).claimable), Vec::<&str>::new());
}

#[test]
fn a_closure_narrows_the_batch() {
    let board = board(vec![item("a", &[]), item("b", &["a"]), item("c", &["b"])]);
    let closure = BTreeSet::from(["a".to_owned(), "c".to_owned()]);
    let nothing = BTreeSet::new();
    let batch = Batch::plan(
        &board,
        &BatchRequest {
            closure: Some(&closure),
            ..request(None, &nothing)
        },
    );
    assert_eq!(ids(&batch.candidates), ["a", "c"]);
    assert_eq!(ids(&batch.claimable), ["a"]);
    assert_eq!(excluded(&batch), [("c", "dependency_not_satisfied")]);
}

#[test]
fn a_chain_of_ten_thousand_that_breaks_at_its_root() {
    let chain = (1..10_000).map(|n| item(&format!("n{n}"), &[&format!("n{}", n - 1)]));
    let board = board(chain.collect());
    let batch = plan(&board);
    assert_eq!(
        batch
            .excluded_for(ExclusionReason::DependencyNotSatisfied)
            .len(),
        9_999
    );
    assert!(batch.claimable.is_empty() && batch.waves.is_empty());
}

fn any_item(n: usize) -> impl Strategy<Value = Item> {
    let status = prop_oneof![
        6 => Just(Status::Todo),
        1 => Just(Status::Done),
        1 => Just(Status::Failed),
        1 => Just(Status::InProgress),
        1 => Just(Status::Unknown("odd".into())),
    ];
    let depends_on = prop::collection::btree_set(0..14_usize, 0..3);
    (status, depends_on, any::<bool>(), prop::bool::weighted(0.1)).prop_map(
        move |(status, depends_on, stop, manual)| Item {
            status,
            depends_on: depends_on
                .into_iter()
                .map(|to| format!("n{to:02}"))
                .collect(),
            failure_mode: if stop {
                FailureMode::Stop
            } else {
                FailureMode::Continue
            },
            blocker_kind: manual.then_some(BlockerKind::Manual),
            ..item(&format!("n{n:02}"), &[])
        },
    )
}

/// What can be finished, found by simulation: an item is done once all that blocks it is.
fn finishable(board: &Board) -> Vec<&str> {
    let mut finished: BTreeSet<&str> = BTreeSet::new();
    loop {
        let next = board.items().iter().find(|item| {
            item.status.is_pending()
                && !item.is_manual()
                && !finished.contains(item.item_id.as_str())
                && blockers(item, board)
                    .iter()
                    .all(|blocker| finished.contains(blocker.id.as_str()))
        });
        match next {
            Some(item) => finished.insert(&item.item_id),
            None => return finished.into_iter().collect(),
        };
    }
}

proptest! {
    #[test]
    fn the_batch_is_what_can_be_finished_in_the_order_of_its_waves(
        items in (0..13_usize).prop_flat_map(|count| (0..count).map(any_item).collect::<Vec<_>>()),
    ) {
        let board = board(items);
        let batch = plan(&board);
        prop_assert_eq!(ids(&batch.claimable), finishable(&board));

        let mut parts = ids(&batch.claimable);
        parts.extend(excluded(&batch).iter().map(|(id, _)| *id));
        parts.sort_unstable();
        prop_assert_eq!(parts, ids(&batch.candidates));

        prop_assert!(batch.waves.iter().all(|wave| !wave.is_empty()));
        let mut in_waves: Vec<&str> = waves(&batch).concat();
        in_waves.sort_unstable();
        prop_assert_eq!(in_waves, ids(&batch.claimable));
        let wave_of = |id: &str| batch.waves.iter().position(|wave| ids(wave).contains(&id));
        for item in &batch.claimable {
            for predecessor in batch.blocked_on(item) {
                prop_assert!(wave_of(predecessor) < wave_of(&item.item_id));
            }
        }
    }
}
