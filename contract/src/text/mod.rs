//! Text on its way out: XML by type, JSON in canonical form, SQL literals, clipping, and one-line untrusted text.

pub mod clip;
pub mod json;
pub mod line;
pub mod sql;
pub mod xml;
