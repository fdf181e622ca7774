//! One row of a board as an item, in whichever words and forms its relation keeps it.
//!
//! Every source selects the same columns in the same order; see [`COLUMNS`].

use handoff_contract::Timestamp;
use handoff_contract::board::{
    BlockerKind, FailureMode, Item, MilestoneType, Priority, StatusMap, dependency,
};
use serde_json::Value;

use crate::error::Result;
use crate::store::spi::{Row, Rows};

/// The columns that make an item, in the order in which every source selects them.
pub const COLUMNS: [&str; 26] = [
    "item_id",
    "title",
    "notes",
    "status",
    "priority",
    "version",
    "depends_on",
    "failure_mode",
    "item_group",
    "milestone_type",
    "human_id",
    "blocker_kind",
    "wave",
    "track",
    "deferred_until",
    "touches_resources",
    "tool_requirements",
    "required_tool",
    "prospect_bypass",
    "artifact_policy",
    "parent_id",
    "merged_into",
    "claimed_by",
    "claimed_at",
    "added_at",
    "completed_at",
];

/// How a source selects `depends_on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependsOn {
    /// As `text[]`.
    Array,
    /// As the text of a JSON value.
    Json,
    /// As text: one id, or a JSON array of ids.
    Text,
}

impl DependsOn {
    /// How the form is written down when a relation is attached.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Json => "json",
            Self::Text => "text",
        }
    }

    /// The predecessors in a column, without repetitions.
    pub fn read(self, row: Row<'_>, column: i32) -> Result<Vec<String>> {
        Ok(match self {
            Self::Array => {
                let mut ids = row.texts(column).unwrap_or_default();
                // As in the other forms, the empty string names nobody.
                ids.retain(|id| !id.is_empty());
                dependency::deduplicated(ids)
            }
            Self::Json => row
                .json(column)?
                .as_ref()
                .map(dependency::parse_json)
                .unwrap_or_default(),
            Self::Text => dependency::parse_text(row.str(column)?),
        })
    }
}

/// Reads the rows of one source.
pub struct ItemReader<'a> {
    pub depends_on: DependsOn,
    pub statuses: &'a StatusMap,
}

impl ItemReader<'_> {
    pub fn all(&self, rows: &Rows) -> Result<Vec<Item>> {
        rows.iter().map(|row| self.item(row)).collect()
    }

    pub fn item(&self, row: Row<'_>) -> Result<Item> {
        let item_id = row.text(1)?.unwrap_or_default();
        Ok(Item {
            title: row.text(2)?.unwrap_or_else(|| item_id.clone()),
            item_id,
            notes: row.text(3)?,
            status: self.statuses.read(row.str(4)?),
            priority: Priority::parse(row.str(5)?),
            version: row.text(6)?,
            depends_on: self.depends_on.read(row, 7)?,
            failure_mode: FailureMode::parse(row.str(8)?),
            item_group: row.text(9)?,
            milestone_type: MilestoneType::parse(row.str(10)?),
            human_id: row.text(11)?,
            blocker_kind: BlockerKind::parse(row.str(12)?),
            wave: row.text(13)?,
            track: row.text(14)?,
            deferred_until: row.timestamp(15),
            touches_resources: strings(row.str(16)?),
            tool_requirements: row.json(17)?.unwrap_or_else(|| Value::Array(Vec::new())),
            required_tool: row.text(18)?,
            prospect_bypass: row.bool(19).unwrap_or_default(),
            artifact_policy: row.json(20)?,
            parent_id: row.text(21)?,
            merged_into: row.text(22)?,
            claimed_by: row.text(23)?,
            claimed_at: row.timestamp(24),
            added_at: row.timestamp(25).unwrap_or(Timestamp::NEG_INFINITY),
            completed_at: row.timestamp(26),
        })
    }
}

/// The strings of a JSON array; anything else in it names no resource.
fn strings(json: Option<&str>) -> Vec<String> {
    match json {
        None | Some("[]") => Vec::new(),
        Some(json) => match serde_json::from_str(json) {
            Ok(Value::Array(values)) => values
                .into_iter()
                .filter_map(|value| match value {
                    Value::String(text) => Some(text),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        },
    }
}
