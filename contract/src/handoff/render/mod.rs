//! A renderer a mode, over one decided subject and one goal block. A renderer lays out and decides nothing.

pub mod goal;
