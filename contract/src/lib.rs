//! Meridian's handoff contract as pure functions.
//!
//! Nothing here knows of PostgreSQL, reads a clock, draws a random number or does I/O: the rows of a board, the
//! present time and the token's bytes come in as arguments, so every rule can be tested to the byte. The extension
//! crate loads a [`handoff::Snapshot`], asks this crate to decide and render, and stores what comes back.

pub mod board;
pub mod capability;
pub mod error;
pub mod goal;
pub mod handoff;
pub mod receive;
pub mod text;
pub mod time;

pub use error::{ContractError, ErrorCode};
pub use time::Timestamp;
