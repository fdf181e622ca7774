//! Rows: the statements of the extension and what they read and write, one file a family of tables. All SQL text of
//! the crate is here and in `sql/`; what a row means is decided in `handoff_contract`.

pub mod access;
pub mod attached_history;
pub mod board;
pub mod board_trigger;
pub mod capability;
pub mod context;
pub mod deadline;
pub mod event;
pub mod guard;
pub mod handoff;
pub mod history;
pub mod hitl;
pub mod project;
pub mod session;
pub mod snapshot;
pub mod spi;
pub mod token;
