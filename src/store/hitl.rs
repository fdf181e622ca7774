//! Questions to a human, open until somebody answers.

use handoff_contract::Timestamp;
use handoff_contract::handoff::HitlGate;

use super::spi::{Statement, TEXT, Visibility, optional_text, text};
use crate::error::{Error, Result};

static OPEN: Statement = Statement::new(
    "SELECT g.gate_id, g.item_id, g.question, g.urgency, g.created_at FROM meridian.hitl_gates g
     WHERE g.project_id OPERATOR(pg_catalog.=) $1 AND g.status OPERATOR(pg_catalog.=) 'open'
     ORDER BY g.created_at, g.gate_id COLLATE pg_catalog.\"C\"",
    &[TEXT],
);

static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.hitl_gates (project_id, question, item_id, urgency, session_id)
     VALUES ($1, $2, $3, $4, $5) RETURNING gate_id",
    &[TEXT, TEXT, TEXT, TEXT, TEXT],
);

static LOCK: Statement = Statement::new(
    "SELECT g.status, g.item_id FROM meridian.hitl_gates g
     WHERE g.project_id OPERATOR(pg_catalog.=) $1 AND g.gate_id OPERATOR(pg_catalog.=) $2 FOR NO KEY UPDATE",
    &[TEXT, TEXT],
);

static ANSWER: Statement = Statement::new(
    "UPDATE meridian.hitl_gates SET status = 'answered', answer = $3, answered_at = pg_catalog.clock_timestamp()
     WHERE project_id OPERATOR(pg_catalog.=) $1 AND gate_id OPERATOR(pg_catalog.=) $2",
    &[TEXT, TEXT, TEXT],
);

/// The project's open gates, oldest first.
pub fn open(project_id: &str) -> Result<Vec<HitlGate>> {
    let rows = OPEN.run(Visibility::CallerSnapshot, &[text(project_id)])?;
    rows.iter()
        .map(|row| {
            Ok(HitlGate {
                gate_id: row.required_text(1)?,
                item_id: row.text(2)?,
                question: row.required_text(3)?,
                urgency: row.required_text(4)?,
                created_at: row.timestamp(5).unwrap_or(Timestamp::NEG_INFINITY),
            })
        })
        .collect()
}

/// Asks, and gives the id of the gate.
pub fn insert(
    project_id: &str,
    question: &str,
    item_id: Option<&str>,
    urgency: &str,
    session_id: Option<&str>,
) -> Result<String> {
    let row = INSERT.row(
        Visibility::Fresh,
        &[
            text(project_id),
            text(question),
            optional_text(item_id),
            text(urgency),
            optional_text(session_id),
        ],
    )?;
    row.ok_or_else(|| Error::internal("INSERT gave no gate"))?
        .get()
        .required_text(1)
}

/// Status and item of a gate, locked until the transaction ends.
pub fn lock(project_id: &str, gate_id: &str) -> Result<Option<(String, Option<String>)>> {
    match LOCK.row(Visibility::Fresh, &[text(project_id), text(gate_id)])? {
        Some(row) => Ok(Some((row.get().required_text(1)?, row.get().text(2)?))),
        None => Ok(None),
    }
}

pub fn answer(project_id: &str, gate_id: &str, answer: &str) -> Result<()> {
    ANSWER.run(
        Visibility::Fresh,
        &[text(project_id), text(gate_id), text(answer)],
    )?;
    Ok(())
}
