//! What stands between ready items and their resources: a digest of the plan, and what running items still hold.

use super::calls;
use super::capped::Capped;
use crate::board::resource::{self, Contention};
use crate::board::{Batch, Board};
use crate::text::clip;
use crate::text::xml::{Comment, Element};

/// Enough of a session's id to tell sessions apart.
const HOLDER_LIMIT: usize = 8;
/// One running item must not make the whole board look blocked.
const MEANING: &str = "Running items hold these resources for now. Only the items named here wait: try them again after \
    retry_after seconds and go on with others meanwhile.";

pub fn plan_generation(batch: &Batch<'_>, board: &Board) -> Element {
    Element::new("plan_generation")
        .attr("value", resource::plan_generation(board, &batch.claimable))
}

/// Items that nothing but a running item's resources holds back. Nothing where there are none.
pub fn contention_lines(
    batch: &Batch<'_>,
    board: &Board,
    project_id: &str,
    cap: Option<usize>,
) -> Vec<String> {
    let ready = batch.waves.first().map_or(&[][..], Vec::as_slice);
    let contentions = resource::contention(board, ready);
    if contentions.is_empty() {
        return Vec::new();
    }
    let capped = Capped::new(&contentions, cap);
    let element = Element::new("resource_contention").children(capped.shown.iter().map(element));
    let mut lines = vec![element.to_string(), Comment(MEANING).to_string()];
    lines.extend(capped.marker(
        "resource_contention_truncated",
        &format!("What is running: {}", calls::read_board(project_id)),
    ));
    lines
}

fn element(contention: &Contention) -> Element {
    Element::new("contention")
        .attr("item_id", &contention.item_id)
        .attr("resource", &contention.resource)
        .attr("holder", clip::head(&contention.holder, HOLDER_LIMIT))
        .attr("retry_after", contention.retry_after_seconds)
}
