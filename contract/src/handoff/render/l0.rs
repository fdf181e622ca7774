//! The emergency rendering, when reading the board took too long: north star and pinned decisions, and nothing that
//! anyone could execute.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Receiver behavior".

use super::narrative::{TEXT_LIMIT, decision_line};
use super::prose::{TITLE_LIMIT, document, present, rows, section, words};
use crate::Timestamp;
use crate::goal::calls;
use crate::handoff::Project;
use crate::handoff::context::{Decision, Rows};

/// How many pinned decisions it shows at most.
pub const DECISION_CAP: usize = 50;

/// `decisions`: `None` where even they could not be read.
pub fn render(project: &Project, decisions: Option<&Rows<Decision>>, now: Timestamp) -> String {
    let north_star = present(project.north_star.as_deref());
    let north_star = north_star.map(|text| format!("> {}", words(text, TEXT_LIMIT)));
    let decisions = match decisions {
        Some(decisions) => rows(decisions, DECISION_CAP, decision_line),
        None => vec!["(not read in time)".to_owned()],
    };
    document([
        vec![
            format!("# Handoff — {}", words(&project.name, TITLE_LIMIT)),
            format!("_Generated at {} · l0_fallback_", now.to_the_second()),
        ],
        vec![
            "The board could not be read in time. This is no complete handoff: it names no items, carries no goal and is \
             not stored."
                .to_owned(),
        ],
        vec!["## L0 · Core".to_owned()],
        section("### North star", vec![north_star.unwrap_or_else(|| "(no north star set)".to_owned())]),
        section("### Pinned decisions", decisions),
        vec![
            "---".to_owned(),
            format!(
                "Generate again once whatever held the read up is gone: {}",
                calls::closing_handoff(&project.project_id)
            ),
        ],
    ])
}
