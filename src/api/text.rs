//! Functions of text alone, and the version.

use handoff_contract::goal::token;
use handoff_contract::handoff::{mode, wire};
use pgrx::prelude::*;

use crate::access::required;
use crate::error::answer;

#[pg_extern(immutable, parallel_safe)]
fn strip_goal_token_banner(content: Option<&str>) -> String {
    answer(|| Ok(token::strip(required(content, "content")?)))
}

#[pg_extern(immutable, parallel_safe)]
fn extract_goal_block(content: Option<&str>) -> Option<String> {
    answer(|| Ok(token::extract_block(required(content, "content")?).map(str::to_owned)))
}

#[pg_extern(immutable, parallel_safe)]
fn format_handoff_mcp_content(content: Option<&str>, max_bytes: Option<i32>) -> String {
    answer(|| {
        Ok(wire::format_content(
            required(content, "content")?,
            max_bytes,
        ))
    })
}

#[pg_extern(immutable, parallel_safe)]
fn handoff_mode_is_retrievable(mode: Option<&str>) -> bool {
    answer(|| Ok(mode::is_retrievable(required(mode, "mode")?)))
}

#[pg_extern(immutable, parallel_safe)]
fn meridian_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
