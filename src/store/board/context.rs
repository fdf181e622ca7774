//! What stands beside the items of a board, wherever those lie: pointers and wave gates.

use handoff_contract::board::{Pointer, WaveGate};
use serde_json::Value;

use crate::error::Result;
use crate::store::spi::{Statement, TEXT, TEXT_ARRAY, Visibility, text, texts};

static POINTERS: Statement = Statement::new(
    "SELECT p.item_id, p.pointer_id, p.source_type, p.targets::pg_catalog.text, p.label, p.target_resolved
     FROM meridian.sprint_item_pointers p
     WHERE p.project_id OPERATOR(pg_catalog.=) $1 AND ($2 IS NULL OR p.item_id OPERATOR(pg_catalog.=) ANY ($2))
     ORDER BY p.pointer_id",
    &[TEXT, TEXT_ARRAY],
);

static GATES: Statement = Statement::new(
    "SELECT g.gate_id, g.version, g.wave_start, g.wave_end, g.actions, g.passed_at IS NOT NULL
     FROM meridian.wave_gates g
     WHERE g.project_id OPERATOR(pg_catalog.=) $1
     ORDER BY g.gate_id COLLATE pg_catalog.\"C\"",
    &[TEXT],
);

/// The pointers of the project's items, or of some of them, by pointer id.
pub fn pointers(
    project_id: &str,
    item_ids: Option<&[String]>,
    visibility: Visibility,
) -> Result<Vec<Pointer>> {
    let rows = POINTERS.run(visibility, &[text(project_id), item_ids.and_then(texts)])?;
    rows.iter()
        .map(|row| {
            Ok(Pointer {
                item_id: row.required_text(1)?,
                pointer_id: row.int8(2).unwrap_or_default(),
                source_type: row.required_text(3)?,
                targets: row.json(4)?.unwrap_or(Value::Null),
                label: row.text(5)?,
                target_resolved: row.bool(6),
            })
        })
        .collect()
}

/// The project's wave gates, passed ones included.
pub fn gates(project_id: &str, visibility: Visibility) -> Result<Vec<WaveGate>> {
    let rows = GATES.run(visibility, &[text(project_id)])?;
    rows.iter()
        .map(|row| {
            Ok(WaveGate {
                gate_id: row.required_text(1)?,
                version: row.text(2)?,
                wave_start: row.required_text(3)?,
                wave_end: row.required_text(4)?,
                actions: row.texts(5).unwrap_or_default(),
                passed: row.bool(6).unwrap_or_default(),
            })
        })
        .collect()
}
