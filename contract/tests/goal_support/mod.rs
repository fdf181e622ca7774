//! Snapshots to generate from, and a reader for what comes out that knows nothing of how it was written.

#![allow(dead_code)] // each test binary uses its own part

use std::collections::BTreeSet;

use handoff_contract::board::{Board, Item, Pointer, WaveGate};
use handoff_contract::handoff::generate::generate;
use handoff_contract::handoff::generated::Generated;
use handoff_contract::handoff::{Project, Request, Session, Snapshot};
use handoff_contract::{ContractError, Timestamp};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

/// 2026-12-01T02:10:42Z.
pub const NOW: Timestamp = Timestamp(1_796_091_042_000_000);

pub fn snapshot(items: Vec<Item>) -> Snapshot {
    snapshot_of(Board::new(items, Vec::new(), Vec::new()))
}

pub fn snapshot_of(board: Board) -> Snapshot {
    Snapshot {
        board,
        ..Snapshot::new(Project::new("p1", "Demo"), NOW)
    }
}

pub fn session(version: Option<&str>) -> Session {
    Session {
        session_id: "s1".into(),
        name: None,
        role: Some("executor".into()),
        human_id: None,
        version: version.map(str::to_owned),
        worktree: None,
        resumed: false,
    }
}

pub fn item(id: &str) -> Item {
    Item::new(id, format!("Title of {id}"))
}

pub fn after(id: &str, predecessors: &[&str]) -> Item {
    let mut item = item(id);
    item.depends_on = predecessors.iter().map(|id| (*id).to_owned()).collect();
    item
}

pub fn with(mut item: Item, change: impl FnOnce(&mut Item)) -> Item {
    change(&mut item);
    item
}

pub fn pointer(item_id: &str, pointer_id: i64, targets: Value) -> Pointer {
    Pointer {
        item_id: item_id.into(),
        pointer_id,
        source_type: "code".into(),
        targets,
        label: None,
        target_resolved: Some(true),
    }
}

pub fn gate(wave_end: &str) -> WaveGate {
    WaveGate {
        gate_id: "g1".into(),
        version: None,
        wave_start: wave_end.into(),
        wave_end: wave_end.into(),
        actions: vec!["push_dev".into()],
        passed: false,
    }
}

pub fn run(snapshot: &Snapshot, request: &Request) -> Result<Generated, ContractError> {
    generate(snapshot, request, &BTreeSet::new())
}

/// The goal of a snapshot with nothing special asked for.
pub fn goal(snapshot: &Snapshot) -> Generated {
    run(snapshot, &Request::default()).expect("a goal")
}

pub fn select(ids: &[&str]) -> Request {
    Request {
        selected_item_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        ..Request::default()
    }
}

/// A top-level element of a block: name, attributes, and its text with all references resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub text: String,
}

impl Tag {
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map_or_else(
                || panic!("{} has no attribute {name}", self.name),
                |(_, value)| value,
            )
    }
}

/// Reads a block as XML. Fails on anything that is not well-formed.
pub fn tags(block: &str) -> Result<Vec<Tag>, String> {
    let document = format!("<block>{block}</block>");
    let mut reader = Reader::from_str(&document);
    reader.config_mut().check_comments = true;
    let (mut depth, mut tags) = (0, Vec::<Tag>::new());
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => {
                let tag = tag(&start)?;
                if depth == 1 {
                    tags.push(tag);
                }
                depth += 1;
            }
            Event::Empty(start) => {
                let tag = tag(&start)?;
                if depth == 1 {
                    tags.push(tag);
                }
            }
            Event::End(_) => depth -= 1,
            Event::Text(text) if depth > 1 => {
                last(&mut tags)?.text.push_str(&text.xml10_content());
            }
            Event::GeneralRef(reference) if depth > 1 => {
                let text = resolved(&format!("&{};", &*reference))?;
                last(&mut tags)?.text.push_str(&text);
            }
            Event::Text(_) | Event::GeneralRef(_) | Event::Comment(_) => {}
            Event::Eof => return Ok(tags),
            other => return Err(format!("a block holds no {other:?}")),
        }
    }
}

fn last(tags: &mut [Tag]) -> Result<&mut Tag, String> {
    tags.last_mut()
        .ok_or_else(|| "text before any tag".to_owned())
}

fn resolved(text: &str) -> Result<String, String> {
    quick_xml::escape::unescape(text)
        .map(String::from)
        .map_err(|error| error.to_string())
}

fn tag(start: &BytesStart<'_>) -> Result<Tag, String> {
    let attributes = start
        .attributes()
        .map(|attribute| {
            let attribute = attribute.map_err(|error| error.to_string())?;
            if attribute.value.contains('<') {
                return Err(format!("a raw < in {}", attribute.value));
            }
            Ok((
                attribute.key.as_ref().to_owned(),
                resolved(&attribute.value)?,
            ))
        })
        .collect::<Result<_, String>>()?;
    Ok(Tag {
        name: start.name().as_ref().to_owned(),
        attributes,
        text: String::new(),
    })
}

pub fn names(block: &str) -> Vec<String> {
    tags(block)
        .expect("well-formed")
        .into_iter()
        .map(|tag| tag.name)
        .collect()
}

/// The first top-level tag of a name.
pub fn find(block: &str, name: &str) -> Option<Tag> {
    tags(block)
        .expect("well-formed")
        .into_iter()
        .find(|tag| tag.name == name)
}
