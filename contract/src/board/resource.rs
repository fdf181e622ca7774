//! Resources that items touch: which sets get in each other's way, groups that do not, and what is held right now.
//!
//! Resources are typed ids such as `file:src/a.rs` or `symbol:src/a.rs::main`. A whole file and any symbol in it
//! conflict, two symbols of one file do not; everything else conflicts with its like. A prefix `inferred:` tells where
//! a resource came from and is ignored. Nothing here locks anything: claims do.

use std::collections::{HashMap, HashSet};

use super::{Board, Item, Status};
use crate::text::json::sha256_hex;

const RETRY_AFTER_SECONDS: u32 = 60;

/// Whether work on `a` and work on `b` must not run side by side. No resources, no conflict.
pub fn conflicts(a: &[String], b: &[String]) -> bool {
    let avoided: HashSet<Mark<'_>> = a
        .iter()
        .flat_map(|resource| marks(resource))
        .map(Mark::opponent)
        .collect();
    b.iter()
        .flat_map(|resource| marks(resource))
        .any(|mark| avoided.contains(&mark))
}

/// Groups whose items do not conflict, greedily: each item joins the first group that it fits into, in the order
/// given. An item without resources could touch anything, so it is a group of its own.
pub fn parallel_groups<'a>(items: &[&'a Item]) -> Vec<Vec<&'a Item>> {
    let mut groups: Vec<Vec<&Item>> = Vec::new();
    // Positions in `groups` of those that can be joined; the sets of `holders` count along this list.
    let mut joinable: Vec<usize> = Vec::new();
    let mut holders: HashMap<Mark<'_>, NumberSet> = HashMap::new();
    for &item in items {
        if !item.declares_resources() {
            groups.push(vec![item]);
            continue;
        }
        let marks: Vec<Mark<'_>> = item
            .touches_resources
            .iter()
            .flat_map(|resource| marks(resource))
            .collect();
        let number = first_without_conflict(&marks, &holders);
        if number == joinable.len() {
            joinable.push(groups.len());
            groups.push(Vec::new());
        }
        groups[joinable[number]].push(item);
        for mark in marks {
            holders.entry(mark).or_default().insert(number);
        }
    }
    groups
}

fn first_without_conflict(marks: &[Mark<'_>], holders: &HashMap<Mark<'_>, NumberSet>) -> usize {
    let mut taken = NumberSet::default();
    for groups in marks
        .iter()
        .filter_map(|mark| holders.get(&mark.opponent()))
    {
        taken.extend(groups);
    }
    taken.first_absent()
}

/// An item that is ready but for a resource that somebody else is working on.
#[derive(Debug, Clone, PartialEq)]
pub struct Contention {
    pub item_id: String,
    /// As the waiting item declares it.
    pub resource: String,
    /// Who claimed the item that touches it; empty when nobody is named.
    pub holder: String,
    pub retry_after_seconds: u32,
}

/// The resources of `ready` that conflict with what an in_progress item of the board touches, in the order of `ready`
/// and of each item's resources.
pub fn contention(board: &Board, ready: &[&Item]) -> Vec<Contention> {
    let held = Held::of(board);
    let mut waiting = Vec::new();
    for item in ready {
        for resource in &item.touches_resources {
            if let Some(holder) = held.holder(resource) {
                waiting.push(Contention {
                    item_id: item.item_id.clone(),
                    resource: resource.clone(),
                    holder: holder.claimed_by.clone().unwrap_or_default(),
                    retry_after_seconds: RETRY_AFTER_SECONDS,
                });
            }
        }
    }
    waiting
}

/// A digest that changes whenever an item is claimed, released or finished, or a held resource changes hands: the
/// first 16 hex characters of SHA-256 over one line an eligible or running item, sorted and joined by line feeds.
pub fn plan_generation(board: &Board, eligible: &[&Item]) -> String {
    let held = Held::of(board);
    let mut lines: Vec<String> = eligible
        .iter()
        .map(|item| plan_line(item, &held.listed(item)))
        .collect();
    lines.extend(running(board).map(|item| plan_line(item, "")));
    lines.sort_unstable();
    let mut digest = sha256_hex(lines.join("\n").as_bytes());
    digest.truncate(16);
    digest
}

fn plan_line(item: &Item, resources: &str) -> String {
    let claimed_at = item
        .claimed_at
        .map(|instant| instant.to_string())
        .unwrap_or_default();
    [
        item.item_id.as_str(),
        item.status.as_str(),
        &claimed_at,
        resources,
    ]
    .join("|")
}

fn running(board: &Board) -> impl Iterator<Item = &Item> {
    board
        .items()
        .iter()
        .filter(|item| item.status == Status::InProgress)
}

/// What the in_progress items of a board touch; of several that touch the same the first in listing order counts.
struct Held<'a>(HashMap<Mark<'a>, &'a Item>);

impl<'a> Held<'a> {
    fn of(board: &'a Board) -> Self {
        let mut held = HashMap::new();
        for item in running(board) {
            for mark in item
                .touches_resources
                .iter()
                .flat_map(|resource| marks(resource))
            {
                held.entry(mark).or_insert(item);
            }
        }
        Self(held)
    }

    fn holder(&self, resource: &str) -> Option<&'a Item> {
        marks(resource).find_map(|mark| self.0.get(&mark.opponent()).copied())
    }

    /// The item's resources as sorted `resource=holder`, joined by commas; free ones have an empty holder.
    fn listed(&self, item: &Item) -> String {
        let holder = |resource| {
            self.holder(resource)
                .and_then(|item| item.claimed_by.as_deref())
                .unwrap_or_default()
        };
        let mut listed: Vec<String> = item
            .touches_resources
            .iter()
            .map(|resource| [resource, holder(resource)].join("="))
            .collect();
        listed.sort_unstable();
        listed.join(",")
    }
}

/// What a resource leaves behind for others to run into. Two resources conflict exactly when one has a mark whose
/// [`opponent`](Mark::opponent) the other has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Mark<'a> {
    Id(&'a str),
    WholeFile(&'a str),
    SymbolIn(&'a str),
}

impl Mark<'_> {
    fn opponent(self) -> Self {
        match self {
            Self::Id(id) => Self::Id(id),
            Self::WholeFile(path) => Self::SymbolIn(path),
            Self::SymbolIn(path) => Self::WholeFile(path),
        }
    }
}

/// `file:` covers its path, and, since an older form appends `:name` to it, also what stands before the last colon.
fn marks(resource: &str) -> impl Iterator<Item = Mark<'_>> {
    let id = resource.strip_prefix("inferred:").unwrap_or(resource);
    let file = id.strip_prefix("file:");
    let before_colon = file
        .and_then(|path| path.rsplit_once(':'))
        .map(|(path, _)| path);
    let symbol = id
        .strip_prefix("symbol:")
        .and_then(|symbol| symbol.split_once("::"))
        .map(|(path, _)| path);
    [
        Some(Mark::Id(id)),
        file.map(Mark::WholeFile),
        before_colon.map(Mark::WholeFile),
        symbol.map(Mark::SymbolIn),
    ]
    .into_iter()
    .flatten()
}

/// A set of small numbers, one bit each: groups stay cheap to search when thousands of items touch one resource.
#[derive(Default)]
struct NumberSet(Vec<u64>);

impl NumberSet {
    fn insert(&mut self, number: usize) {
        self.reach(number / 64 + 1);
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn extend(&mut self, other: &Self) {
        self.reach(other.0.len());
        for (word, added) in self.0.iter_mut().zip(&other.0) {
            *word |= added;
        }
    }

    fn first_absent(&self) -> usize {
        let full = self.0.iter().take_while(|word| **word == u64::MAX).count();
        full * 64
            + self
                .0
                .get(full)
                .map_or(0, |word| word.trailing_ones() as usize)
    }

    fn reach(&mut self, words: usize) {
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Timestamp;

    fn item(item_id: &str, resources: &[&str]) -> Item {
        Item {
            status: Status::Pending,
            touches_resources: resources
                .iter()
                .map(|&resource| resource.to_owned())
                .collect(),
            ..Item::new(item_id, "")
        }
    }

    fn running_item(item_id: &str, claimed_by: Option<&str>, resources: &[&str]) -> Item {
        Item {
            status: Status::InProgress,
            claimed_by: claimed_by.map(str::to_owned),
            ..item(item_id, resources)
        }
    }

    fn conflict(a: &str, b: &str) -> bool {
        let (a, b) = ([a.to_owned()], [b.to_owned()]);
        assert_eq!(conflicts(&a, &b), conflicts(&b, &a));
        conflicts(&a, &b)
    }

    #[test]
    fn a_file_and_its_symbols_conflict_two_symbols_do_not() {
        assert!(conflict("file:a.rs", "file:a.rs"));
        assert!(conflict("file:a.rs", "symbol:a.rs::main"));
        assert!(conflict("file:a.rs:main", "symbol:a.rs::other"));
        assert!(conflict("file:c:/a.rs", "symbol:c:/a.rs::main"));
        assert!(conflict("symbol:a.rs::main", "inferred:symbol:a.rs::main"));
        assert!(conflict("inferred:file:a.rs", "symbol:a.rs::m::inner"));
        assert!(conflict("db:users", "db:users"));
        assert!(!conflict("symbol:a.rs::main", "symbol:a.rs::other"));
        assert!(!conflict("file:a.rs", "file:b.rs"));
        assert!(!conflict("file:a.rs", "symbol:b.rs::main"));
        assert!(!conflict("db:users", "route:users"));
        assert!(!conflicts(&[], &["file:a.rs".to_owned()]));
    }

    fn group_ids(items: &[Item]) -> Vec<Vec<&str>> {
        let groups = parallel_groups(&items.iter().collect::<Vec<_>>());
        groups
            .iter()
            .map(|group| group.iter().map(|item| item.item_id.as_str()).collect())
            .collect()
    }

    #[test]
    fn items_join_the_first_group_they_fit() {
        let items = [
            item("a", &["file:1"]),
            item("b", &["file:1", "file:2"]),
            item("alone", &[]),
            item("c", &["symbol:1::x"]),
            item("d", &["file:3"]),
            item("e", &["symbol:1::y"]),
            item("f", &["file:2"]),
        ];
        assert_eq!(
            group_ids(&items),
            [
                vec!["a", "d", "f"],
                vec!["b"],
                vec!["alone"],
                vec!["c", "e"]
            ]
        );
    }

    #[test]
    fn one_contested_file_makes_one_group_an_item() {
        let items: Vec<Item> = (0..10_000)
            .map(|n| item(&n.to_string(), &["file:a"]))
            .collect();
        let items: Vec<&Item> = items.iter().collect();
        assert_eq!(parallel_groups(&items).len(), 10_000);
    }

    #[test]
    fn waiting_items_name_resource_and_holder() {
        let board = Board::new(
            vec![
                running_item("r1", Some("s1"), &["file:a"]),
                running_item("r2", None, &["db:users", "file:a"]),
            ],
            vec![],
            vec![],
        );
        let waits = item("w", &["file:free", "symbol:a::f", "db:users"]);
        let found: Vec<_> = contention(&board, &[&item("free", &["file:b"]), &waits])
            .into_iter()
            .map(|found| {
                (
                    found.item_id,
                    found.resource,
                    found.holder,
                    found.retry_after_seconds,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (
                    "w".to_owned(),
                    "symbol:a::f".to_owned(),
                    "s1".to_owned(),
                    60
                ),
                ("w".to_owned(), "db:users".to_owned(), String::new(), 60),
            ]
        );
    }

    #[test]
    fn plan_generation_of_known_boards() {
        let empty = Board::default();
        assert_eq!(plan_generation(&empty, &[]), "e3b0c44298fc1c14");
        assert_eq!(
            plan_generation(&empty, &[&item("a", &[])]),
            "91f8f24dc85e356c"
        );

        let running = Item {
            claimed_at: Some(Timestamp(0)),
            ..running_item("r", Some("s1"), &["file:2"])
        };
        let board = Board::new(vec![running], vec![], vec![]);
        let lines = "b|pending||file:1=,file:2=s1\nr|in_progress|1970-01-01T00:00:00Z|";
        let eligible = item("b", &["file:2", "file:1"]);
        assert_eq!(
            plan_generation(&board, &[&eligible]),
            sha256_hex(lines.as_bytes())[..16]
        );
    }

    proptest! {
        #[test]
        fn groups_are_those_of_the_plain_search(
            chosen in prop::collection::vec(prop::collection::vec(0..7_usize, 0..3), 0..90),
        ) {
            let names = ["file:a", "symbol:a::f", "symbol:a::g", "file:a:f", "file:b", "inferred:symbol:b::f", "db:t"];
            let items: Vec<Item> = chosen
                .iter()
                .enumerate()
                .map(|(n, chosen)| item(&n.to_string(), &chosen.iter().map(|&name| names[name]).collect::<Vec<_>>()))
                .collect();

            let mut expected: Vec<Vec<&Item>> = Vec::new();
            for item in &items {
                let fits = |group: &&mut Vec<&Item>| {
                    item.declares_resources()
                        && group.iter().all(|member| {
                            member.declares_resources()
                                && !conflicts(&member.touches_resources, &item.touches_resources)
                        })
                };
                match expected.iter_mut().find(fits) {
                    Some(group) => group.push(item),
                    None => expected.push(vec![item]),
                }
            }
            prop_assert_eq!(parallel_groups(&items.iter().collect::<Vec<_>>()), expected);
        }
    }
}
