//! The receiver's side: what a token proves, and whether the ids of a block are on the live board.
pub mod cross_check;
pub mod verify;
