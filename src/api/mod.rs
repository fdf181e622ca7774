//! The SQL functions, one file a family. Each reads its arguments, opens the project's door, loads, asks the contract
//! and answers; nothing is decided here.

pub mod access;
pub mod attach;
pub mod board;
pub mod capability;
pub mod claim;
pub mod handoff;
pub mod hitl;
pub mod retention;
pub mod session;
pub mod text;
pub mod token;
pub mod types;
