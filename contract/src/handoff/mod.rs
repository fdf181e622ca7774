//! A handoff: which mode, over which rows, within which budget, and what the answer to the caller holds.

pub mod budget;
pub mod docx_integrity;
pub mod envelope;
pub mod evidence_status;
pub mod generate;
pub mod mode;
pub mod readiness;
pub mod receiver;
pub mod render;
pub mod request;
pub mod snapshot;
pub mod wire;

pub use mode::Mode;
pub use request::Request;
pub use snapshot::{ArtifactCheck, HitlGate, Project, Session, Snapshot};
