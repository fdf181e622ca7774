//! What a project needs in order to be worked on, what of it there is, and what stands in the way.
//!
//! [`manifest`] holds what the project declares, [`availability`] what its sessions reported about the tools,
//! [`contract`] sets one against the other, [`blocker`] sorts the items that something keeps from being done.
//! Nothing here starts a tool or looks for one: callers report what they found.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Receiver behavior".

pub mod availability;
pub mod blocker;
pub mod contract;
pub mod item_tools;
pub mod manifest;
pub mod secret;

pub use availability::Reported;
pub use manifest::Manifest;
