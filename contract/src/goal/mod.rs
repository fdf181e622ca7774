//! The `/goal` block: what it says, in which order, and the token that vouches for it.
//!
//! [`block`] knows the order of the parts; every other module here writes one part, or reads one setting that several
//! parts depend on. Which items a block is about is decided in [`crate::board`] and [`crate::handoff::generate`].

pub mod block;
pub mod calls;
pub mod capped;
pub mod clauses;
pub mod completion;
pub mod directive;
pub mod exclusions;
pub mod executor_config;
pub mod first_step;
pub mod hitl;
pub mod items;
pub mod project_tags;
pub mod proposal_scope;
pub mod resources;
pub mod scope_tag;
pub mod sprint_type;
pub mod token;
