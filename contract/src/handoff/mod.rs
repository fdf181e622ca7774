//! A handoff: which mode, over which rows, within which budget, and what the answer to the caller holds.

pub mod budget;
pub mod context;
pub mod continuation;
pub mod continuation_manifest;
pub mod docx_integrity;
pub mod envelope;
pub mod evidence_status;
pub mod fallback;
pub mod generate;
pub mod generated;
pub mod mode;
pub mod needs;
pub mod readiness;
pub mod receiver;
mod refusal;
pub mod render;
pub mod request;
pub mod snapshot;
pub mod timeline;
pub mod view;
pub mod wire;

pub use context::Context;
pub use mode::Mode;
pub use needs::Needs;
pub use request::Request;
pub use snapshot::{ArtifactCheck, HitlGate, Project, Session, Snapshot};
