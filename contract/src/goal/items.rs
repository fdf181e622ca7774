//! Which items the block hands over, and in which order they may be taken.
//!
//! Source: The Handoff Contract, "The item list".

use serde_json::Value;

use super::calls;
use super::capped::Capped;
use super::directive::ExecutionPolicy;
use super::executor_config::ExecutorConfig;
use crate::board::dependency;
use crate::board::resource;
use crate::board::{Batch, Board, Item, Pointer};
use crate::text::clip;
use crate::text::xml::Element;

const TITLE_LIMIT: usize = 60;
const LOCATIONS_PER_ITEM: usize = 5;

/// Every claimable id, joined by commas, which no id can hold. Never cut.
pub fn executor_item_ids(batch: &Batch<'_>) -> Element {
    let element = Element::new("executor_item_ids").attr("count", batch.claimable.len());
    if batch.claimable.is_empty() {
        element
    } else {
        element.text(join(&batch.claimable, ","))
    }
}

/// The items as prose, followed by one line an item that says where its code lies.
pub fn sprint_items(
    batch: &Batch<'_>,
    board: &Board,
    config: &ExecutorConfig,
    policy: &ExecutionPolicy,
    pointers: Option<PointerLines<'_>>,
) -> Element {
    let element = Element::new("sprint_items").text(prose(batch, board, config, policy));
    let lines = pointers
        .map(|lines| lines.write(batch, board))
        .unwrap_or_default();
    lines
        .into_iter()
        .fold(element, |element, line| element.line().text(line))
}

/// Concurrent batches where that helps and is allowed, else waves or dependency order, else the plain list.
fn prose(
    batch: &Batch<'_>,
    board: &Board,
    config: &ExecutorConfig,
    policy: &ExecutionPolicy,
) -> String {
    let first_wave = batch.waves.first().map_or(&[][..], Vec::as_slice);
    let groups = resource::parallel_groups(first_wave);
    let worth_batching = groups.len() > 1 && groups.iter().any(|group| group.len() > 1);
    if worth_batching && policy.is_autonomous() {
        return format!("{}{}", batches(&groups), waiting(batch, board));
    }
    match batch.waves.len() {
        0 | 1 => format!("Complete sprint items: {}.", join(&batch.claimable, ", ")),
        _ if config.group_by_wave => format!("Complete sprint items: {}.", wave_list(batch)),
        _ => format!(
            "Complete sprint items: {}. They stand in dependency order: start one only when all that it waits for is \
             finished.",
            in_wave_order(batch)
        ),
    }
}

fn batches(groups: &[Vec<&Item>]) -> String {
    let list: Vec<String> = groups
        .iter()
        .enumerate()
        .map(|(at, group)| format!("batch {}: {}", at + 1, join(group, ", ")))
        .collect();
    format!(
        "Complete sprint items: {}. Dispatch all batches concurrently: their numbers are labels and no barriers. Items \
         of one batch touch nothing in common. Retry only a claim that was refused, not its whole batch.",
        list.join("; ")
    )
}

/// Items of later waves, each with what it waits for; empty for a flat batch.
fn waiting(batch: &Batch<'_>, board: &Board) -> String {
    let waiting: Vec<String> = batch
        .waves
        .iter()
        .skip(1)
        .flatten()
        .map(|item| format!("{} (blocked on {})", item.item_id, blockers(item, board)))
        .collect();
    if waiting.is_empty() {
        String::new()
    } else {
        format!(" Do not dispatch yet: {}.", waiting.join("; "))
    }
}

fn blockers(item: &Item, board: &Board) -> String {
    let blockers: Vec<String> = dependency::blockers(item, board)
        .into_iter()
        .map(|blocker| format!("{}, status: {}", blocker.id, blocker.status))
        .collect();
    blockers.join("; ")
}

fn wave_list(batch: &Batch<'_>) -> String {
    let waves: Vec<String> = batch
        .waves
        .iter()
        .enumerate()
        .map(|(at, wave)| format!("Wave {}: {}", at + 1, join(wave, ", ")))
        .collect();
    waves.join("; ")
}

fn in_wave_order(batch: &Batch<'_>) -> String {
    let items: Vec<&Item> = batch.waves.iter().flatten().copied().collect();
    join(&items, ", ")
}

fn join(items: &[&Item], separator: &str) -> String {
    let ids: Vec<&str> = items.iter().map(|item| item.item_id.as_str()).collect();
    ids.join(separator)
}

/// Dependency waves, the first claimable, the others waiting for items of this batch. None for a flat batch.
pub fn dependency_waves(batch: &Batch<'_>) -> Option<Element> {
    if batch.waves.len() < 2 {
        return None;
    }
    let waves = batch.waves.iter().enumerate().map(|(at, wave)| {
        let element = Element::new("wave").attr("n", at + 1);
        let element = match at {
            0 => element.attr("status", "claimable"),
            _ => element
                .attr("status", "blocked_until_terminal")
                .attr("blocked_on", blocked_on(batch, wave)),
        };
        element.text(join(wave, ", "))
    });
    Some(
        Element::new("dependency_waves")
            .attr("active_wave", 1)
            .attr("total_waves", batch.waves.len())
            .children(waves),
    )
}

fn blocked_on<'a>(batch: &Batch<'a>, wave: &[&'a Item]) -> String {
    let mut blockers: Vec<&str> = wave
        .iter()
        .flat_map(|item| batch.blocked_on(item))
        .collect();
    blockers.sort_unstable();
    blockers.dedup();
    blockers.join(", ")
}

/// One line for each item whose code is known to lie somewhere.
#[derive(Debug, Clone, Copy)]
pub struct PointerLines<'a> {
    pub project_id: &'a str,
    pub cap: Option<usize>,
}

impl PointerLines<'_> {
    fn write(&self, batch: &Batch<'_>, board: &Board) -> Vec<String> {
        let located: Vec<(&Item, Vec<String>)> = batch
            .claimable
            .iter()
            .map(|item| (*item, locations(board.pointers(&item.item_id))))
            .filter(|(_, locations)| !locations.is_empty())
            .collect();
        let located = Capped::new(&located, self.cap);
        let mut lines: Vec<String> = located
            .shown
            .iter()
            .map(|(item, locations)| {
                format!(
                    "- {} ({}): {}",
                    item.item_id,
                    title(item),
                    first_of(locations)
                )
            })
            .collect();
        if located.is_truncated() {
            let next = located
                .omitted
                .iter()
                .take(located.shown.len())
                .map(|(item, _)| item.item_id.as_str());
            lines.push(format!(
                "- {} more of {} items have pointers. The next ones: {}",
                located.omitted.len(),
                located.total(),
                calls::checkpoint_of(self.project_id, next)
            ));
        }
        lines
    }
}

fn title(item: &Item) -> &str {
    clip::head(item.title.split('.').next().unwrap_or(""), TITLE_LIMIT)
}

fn first_of(locations: &[String]) -> String {
    let capped = Capped::new(locations, Some(LOCATIONS_PER_ITEM));
    let mut text = capped.shown.join("; ");
    if capped.is_truncated() {
        text.push_str(&format!(
            "; {} more of {}",
            capped.omitted.len(),
            capped.total()
        ));
    }
    text
}

/// `[label: ]uri[::selector[::subSelector]]` of every target that is not known to be gone.
fn locations(pointers: &[Pointer]) -> Vec<String> {
    pointers
        .iter()
        .filter(|pointer| pointer.target_resolved != Some(false))
        .flat_map(|pointer| {
            let label = pointer
                .label
                .as_deref()
                .filter(|label| !label.trim().is_empty());
            let targets = pointer.targets.as_array().map_or(&[][..], Vec::as_slice);
            targets
                .iter()
                .filter_map(location)
                .map(move |location| match label {
                    Some(label) => format!("{label}: {location}"),
                    None => location,
                })
        })
        .collect()
}

fn location(target: &Value) -> Option<String> {
    let part = |name: &str| {
        target
            .get(name)
            .and_then(Value::as_str)
            .filter(|part| !part.is_empty())
    };
    let uri = part("uri")?;
    let selectors = [part("selector"), part("subSelector")];
    Some(
        selectors
            .into_iter()
            .flatten()
            .fold(uri.to_owned(), |path, selector| {
                format!("{path}::{selector}")
            }),
    )
}
