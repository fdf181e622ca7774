//! The board: what an item is, which items can be worked on now, and how a board is told from a later one.
//!
//! Everything here is a function of the rows of one project; what a handoff prints of them is decided in
//! [`crate::goal`] and [`crate::handoff`].

pub mod batch;
pub mod claim;
pub mod dependency;
pub mod exclusion;
pub mod gate;
pub mod item;
pub mod mermaid;
pub mod resource;
pub mod revision;
pub mod selection;
pub mod stale;
pub mod status_map;
pub mod waves;

use std::collections::HashMap;

pub use batch::{Batch, BatchRequest};
pub use exclusion::{Exclusion, ExclusionReason};
pub use gate::WaveGate;
pub use item::{BlockerKind, FailureMode, Item, MilestoneType, Pointer, Priority, Status};
pub use status_map::StatusMap;

/// Every item of one project, of every status and version, with what claims and batches ask of it.
#[derive(Debug, Clone, Default)]
pub struct Board {
    items: Vec<Item>,
    index: HashMap<String, usize>,
    pointers: HashMap<String, Vec<Pointer>>,
    gates: Vec<WaveGate>,
}

impl Board {
    /// Items may come in any order; they are kept in listing order: priority, `added_at`, id by code point.
    /// Pointers of an item are kept in the order given (their id's).
    pub fn new(mut items: Vec<Item>, pointers: Vec<Pointer>, gates: Vec<WaveGate>) -> Self {
        items.sort_by(Item::listing_order);
        let index = items
            .iter()
            .enumerate()
            .map(|(at, item)| (item.item_id.clone(), at))
            .collect();
        let mut by_item: HashMap<String, Vec<Pointer>> = HashMap::new();
        for pointer in pointers {
            by_item
                .entry(pointer.item_id.clone())
                .or_default()
                .push(pointer);
        }
        Self {
            items,
            index,
            pointers: by_item,
            gates,
        }
    }

    /// In listing order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// In listing order; `None` means every version.
    pub fn scoped<'a>(&'a self, version: Option<&'a str>) -> impl Iterator<Item = &'a Item> {
        self.items
            .iter()
            .filter(move |item| item.in_version(version))
    }

    pub fn get(&self, item_id: &str) -> Option<&Item> {
        self.index.get(item_id).map(|&at| &self.items[at])
    }

    pub fn pointers(&self, item_id: &str) -> &[Pointer] {
        self.pointers.get(item_id).map_or(&[], Vec::as_slice)
    }

    pub fn gates(&self) -> &[WaveGate] {
        &self.gates
    }
}
