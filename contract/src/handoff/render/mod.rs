//! A renderer a mode, over one decided generation and one goal block. A renderer lays out and decides nothing.
//!
//! Text that people wrote goes through [`prose`] or the XML writer, so that wherever it stands it can open no tag and
//! start no line of its own.

pub mod delta;
pub mod full;
pub mod goal;
pub mod header;
pub mod l0;
pub mod narrative;
pub mod planner;
pub mod prose;
pub mod starter;
pub mod template;
pub mod workspace;

use super::Snapshot;
use super::generate::Prepared;
use super::needs::Needs;
use crate::goal::block::Layout;

/// What tells a mode from the others.
#[derive(Debug)]
pub struct Spec {
    pub name: &'static str,
    /// Stored for `load_handoff`; the others are made to be pasted or read at once.
    pub retrievable: bool,
    /// Bytes of content that go over the wire where the caller names no number.
    pub budget: i32,
    /// Shows a bounded number of items a clause.
    pub small: bool,
    /// Tells whether work remains, and can be refused over it.
    pub reports_continuation: bool,
    pub needs: Needs,
    /// Of the goal block in it; `None` for a mode without one.
    pub layout: Option<Layout>,
    /// The whole content, without a token.
    pub render: fn(&Page<'_>) -> String,
}

/// What a renderer lays out.
#[derive(Debug, Clone, Copy)]
pub struct Page<'p> {
    pub prepared: &'p Prepared<'p>,
    /// Empty for a mode without one.
    pub block: &'p str,
}

impl<'p> Page<'p> {
    pub fn snapshot(&self) -> &'p Snapshot {
        self.prepared.snapshot()
    }

    /// How many rows of each kind this mode shows.
    pub fn needs(&self) -> Needs {
        self.prepared.mode.needs()
    }
}
