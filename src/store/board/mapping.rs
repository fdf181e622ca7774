//! How the columns of a relation of the user's become those of a board: SQL expressions in fixed forms, built from
//! names and types that the catalog gives, never from text of a caller's.

use std::collections::BTreeMap;

use handoff_contract::{ContractError, ErrorCode};
use pgrx::IntoDatum;
use pgrx::pg_sys::{self, Oid};
use serde_json::{Map, Value, json};

use super::row::{COLUMNS, DependsOn};
use crate::access::invalid;
use crate::error::{Error, Result};
use crate::store::spi::{Statement, TEXT, Visibility, text};

const OID: Oid = pg_sys::OIDOID;

static RELATION: Statement = Statement::new(
    "SELECT pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', pg_catalog.quote_ident(c.relname)),
            c.relkind::pg_catalog.text,
            (pg_catalog.pg_relation_is_updatable(c.oid, true) OPERATOR(pg_catalog.&) 4) OPERATOR(pg_catalog.=) 4,
            (SELECT o.option_value::pg_catalog.bool FROM pg_catalog.pg_options_to_table(c.reloptions) o
             WHERE o.option_name OPERATOR(pg_catalog.=) 'security_invoker')
     FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
     WHERE c.oid OPERATOR(pg_catalog.=) $1",
    &[OID],
);

static ATTRIBUTES: Statement = Statement::new(
    "WITH RECURSIVE domain (declared, base) AS (
         SELECT a.atttypid, a.atttypid FROM pg_catalog.pg_attribute a WHERE a.attrelid OPERATOR(pg_catalog.=) $1
         UNION
         SELECT d.declared, t.typbasetype FROM domain d
         JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) d.base WHERE t.typtype OPERATOR(pg_catalog.=) 'd'
     )
     SELECT a.attname::pg_catalog.text,
            b.oid,
            pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', pg_catalog.quote_ident(t.typname)),
            b.typelem OPERATOR(pg_catalog.<>) 0::pg_catalog.oid AND b.typlen OPERATOR(pg_catalog.=) (-1)::pg_catalog.int2
     FROM pg_catalog.pg_attribute a
     JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
     JOIN domain d ON d.declared OPERATOR(pg_catalog.=) a.atttypid
     JOIN pg_catalog.pg_type b
       ON b.oid OPERATOR(pg_catalog.=) d.base AND b.typtype OPERATOR(pg_catalog.<>) 'd'
     JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
     WHERE a.attrelid OPERATOR(pg_catalog.=) $1 AND a.attnum OPERATOR(pg_catalog.>) 0::pg_catalog.int2
       AND NOT a.attisdropped",
    &[OID],
);

/// Columns that a board is written with besides those that make an item.
const WRITTEN: [&str; 2] = ["completion_note", "updated_at"];

/// Beside the columns, what is remembered of the one that can be read in several ways: another type would not fail but
/// mean something else.
const FORM: &str = "depends_on_form";

/// The form that one of our columns is read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Predecessors,
    Time,
    Json,
    Boolean,
}

fn form(column: &str) -> Form {
    match column {
        "depends_on" => Form::Predecessors,
        "deferred_until" | "claimed_at" | "added_at" | "completed_at" | "updated_at" => Form::Time,
        "touches_resources" | "tool_requirements" | "artifact_policy" => Form::Json,
        "prospect_bypass" => Form::Boolean,
        _ => Form::Text,
    }
}

/// A column of the relation.
#[derive(Debug, Clone)]
struct Column {
    /// Quoted.
    name: String,
    base_type: Oid,
    /// Qualified and quoted.
    type_name: String,
    is_array: bool,
}

/// A relation read as a board.
pub struct Mapping {
    /// Qualified and quoted.
    pub name: String,
    /// As in `pg_class.relkind`.
    pub kind: char,
    pub updatable: bool,
    /// A view that reads with its owner's rights rather than the caller's.
    pub lends_rights: bool,
    columns: BTreeMap<&'static str, Column>,
    project: Option<Column>,
}

impl Mapping {
    /// For attaching: what `columns` names, and whatever else the relation has under our names.
    pub fn propose(relation: Oid, columns: &Value) -> Result<Self> {
        let named = names(columns)?;
        Self::read(relation, |column, exists| match named.get(column) {
            Some(Value::String(name)) => Ok(Some(name.clone())),
            Some(_) => Ok(None),
            None if exists(column) => Ok(Some(column.to_owned())),
            None => Ok(None),
        })
        .and_then(|mapping| mapping.require_essentials(&named))
    }

    /// For reading: exactly what was resolved when it was attached.
    pub fn restore(relation: Oid, resolved: &Value) -> Result<Self> {
        let mapping = Self::read(relation, |column, _| match resolved.get(column) {
            Some(Value::String(name)) => Ok(Some(name.clone())),
            _ => Ok(None),
        })?;
        let form = mapping.depends_on().as_str();
        if resolved.get(FORM).is_some_and(|attached| attached != form) {
            return Err(board_invalid(
                &mapping.name,
                "mistyped_column",
                format!(
                    "the column of {} that depends_on is read from was {} when it was attached, and is {form} now",
                    mapping.name, resolved[FORM]
                ),
                "Detach the board and attach it anew.",
            ));
        }
        Ok(mapping)
    }

    /// What [`Mapping::restore`] takes.
    pub fn resolved(&self) -> Value {
        let unquoted =
            |column: &Column| column.name[1..column.name.len() - 1].replace("\"\"", "\"");
        let mut resolved = Map::new();
        resolved.insert(
            "project_id".to_owned(),
            json!(self.project.as_ref().map(unquoted)),
        );
        for (ours, column) in &self.columns {
            resolved.insert((*ours).to_owned(), json!(unquoted(column)));
        }
        resolved.insert(FORM.to_owned(), self.depends_on().as_str().into());
        Value::Object(resolved)
    }

    fn read(
        relation: Oid,
        choose: impl Fn(&str, &dyn Fn(&str) -> bool) -> Result<Option<String>>,
    ) -> Result<Self> {
        let row = RELATION.row(Visibility::CallerSnapshot, &[relation.into_datum()])?;
        let row = row.ok_or_else(|| {
            board_invalid(
                &relation.to_u32().to_string(),
                "dropped_relation",
                "the relation that holds this board is gone".to_owned(),
                "Detach it with meridian.detach_board, or restore the relation and attach it anew.",
            )
        })?;
        let row = row.get();
        let kind = row.required_text(2)?.chars().next().unwrap_or_default();
        let mut mapping = Self {
            name: row.required_text(1)?,
            kind,
            updatable: row.bool(3).unwrap_or_default(),
            lends_rights: kind == 'v' && !row.bool(4).unwrap_or_default(),
            columns: BTreeMap::new(),
            project: None,
        };
        let attributes = attributes(relation)?;
        let exists = |name: &str| attributes.contains_key(name);
        let find = |ours: &str| -> Result<Option<Column>> {
            let Some(theirs) = choose(ours, &exists)? else {
                return Ok(None);
            };
            match attributes.get(&theirs) {
                Some(column) => Ok(Some(column.clone())),
                None => Err(mapping.missing_column(ours, &theirs)),
            }
        };
        let project = find("project_id")?;
        let mut columns = BTreeMap::new();
        for ours in COLUMNS.into_iter().chain(WRITTEN) {
            if let Some(column) = find(ours)? {
                require_form(&mapping.name, ours, &column)?;
                columns.insert(ours, column);
            }
        }
        mapping.project = project;
        mapping.columns = columns;
        Ok(mapping)
    }

    /// `item_id` and `status` must be there; so must `project_id`, unless it was mapped to null.
    fn require_essentials(self, named: &Map<String, Value>) -> Result<Self> {
        for ours in ["item_id", "status"] {
            if !self.columns.contains_key(ours) {
                return Err(self.missing_column(ours, ours));
            }
        }
        if self.project.is_none() && !named.contains_key("project_id") {
            return Err(board_invalid(
                &self.name,
                "missing_column",
                format!("{} has no column project_id", self.name),
                "Map project_id to the column that names the project, or to null if the relation holds one project.",
            ));
        }
        Ok(self)
    }

    fn missing_column(&self, ours: &str, theirs: &str) -> Error {
        let mut error = board_invalid_error(
            &self.name,
            "missing_column",
            format!(
                "{} has no column \"{theirs}\", which {ours} is read from",
                self.name
            ),
            "Attach the relation anew with the columns it has now.",
        );
        if let Some(detail) = error.detail.as_mut() {
            detail["column"] = json!(theirs);
        }
        error.into()
    }

    pub fn has(&self, ours: &str) -> bool {
        self.columns.contains_key(ours)
    }

    /// Our columns that the relation has and whose change is one of the board's: all but `updated_at`.
    pub fn compared_columns(&self) -> Vec<&'static str> {
        self.columns
            .keys()
            .copied()
            .filter(|ours| *ours != "updated_at")
            .collect()
    }

    /// The 26 expressions that make an item, over the alias `b`.
    pub fn select_list(&self) -> String {
        COLUMNS.map(|ours| self.expression(ours)).join(", ")
    }

    /// One of our columns over the alias `b`; the table's default where the relation has none.
    pub fn expression(&self, ours: &str) -> String {
        let Some(column) = self.columns.get(ours) else {
            return match form(ours) {
                Form::Time => "NULL::pg_catalog.timestamptz".to_owned(),
                Form::Boolean => "false".to_owned(),
                _ => "NULL::pg_catalog.text".to_owned(),
            };
        };
        let name = format!("b.{}", column.name);
        match (form(ours), column.base_type) {
            (Form::Predecessors, _) if column.is_array => format!("{name}::pg_catalog.text[]"),
            (Form::Json, pg_sys::TEXTARRAYOID) => {
                format!("pg_catalog.to_jsonb({name})::pg_catalog.text")
            }
            (Form::Time, _) => format!("{name}::pg_catalog.timestamptz"),
            (Form::Boolean, _) => name,
            _ => format!("{name}::pg_catalog.text"),
        }
    }

    pub fn depends_on(&self) -> DependsOn {
        match self.columns.get("depends_on") {
            Some(column) if column.is_array => DependsOn::Array,
            Some(column) if matches!(column.base_type, pg_sys::JSONOID | pg_sys::JSONBOID) => {
                DependsOn::Json
            }
            _ => DependsOn::Text,
        }
    }

    /// The rows of the project in `$1`.
    pub fn in_project(&self) -> String {
        self.project
            .as_ref()
            .map_or_else(|| "true".to_owned(), |column| column.equals("$1"))
    }

    /// The project of a row, over the alias `b`; `None` where the relation holds one.
    pub fn project_expression(&self) -> Option<String> {
        self.project
            .as_ref()
            .map(|column| format!("b.{}::pg_catalog.text", column.name))
    }

    /// Whether the relation's column can hold the project's id at all.
    pub fn can_hold_project(&self, project_id: &str) -> bool {
        self.project
            .as_ref()
            .is_none_or(|column| column.can_hold(project_id))
    }

    /// Whether the relation's column can hold the id at all: `abc` is no integer.
    pub fn can_hold_item(&self, item_id: &str) -> bool {
        self.columns
            .get("item_id")
            .is_some_and(|column| column.can_hold(item_id))
    }

    /// The row of the item in the parameter.
    pub fn is_item(&self, parameter: &str) -> String {
        self.columns
            .get("item_id")
            .map_or_else(|| "false".to_owned(), |column| column.equals(parameter))
    }

    /// The rows of the items in the array parameter.
    pub fn is_any_item(&self, parameter: &str) -> String {
        self.columns
            .get("item_id")
            .map_or_else(|| "false".to_owned(), |column| column.equals_any(parameter))
    }

    /// The values that the project's rows have as status now, sorted.
    pub fn distinct_statuses(&self, project_id: &str) -> Result<Vec<String>> {
        if !self.can_hold_project(project_id) {
            return Ok(Vec::new());
        }
        let status = self.expression("status");
        let statement = Statement::new(
            format!(
                "SELECT DISTINCT {status} COLLATE pg_catalog.\"C\" FROM {} b WHERE {} AND {status} IS NOT NULL ORDER BY 1",
                self.name,
                self.in_project()
            ),
            &[TEXT],
        );
        let rows = statement.run(Visibility::CallerSnapshot, &[text(project_id)])?;
        rows.iter().map(|row| row.required_text(1)).collect()
    }

    /// `column = value::type` for SET, where the relation has the column.
    pub fn assignment(&self, ours: &str, value: &str) -> Option<String> {
        let column = self.columns.get(ours)?;
        Some(format!("{} = ({value})::{}", column.name, column.type_name))
    }
}

impl Column {
    /// Types whose values print as they were written, so that a text can be cast to them and the column's own index
    /// serves. Every other type is compared by its text.
    fn comparison_type(&self) -> Option<&'static str> {
        Some(match self.base_type {
            pg_sys::INT2OID => "pg_catalog.int2",
            pg_sys::INT4OID => "pg_catalog.int4",
            pg_sys::INT8OID => "pg_catalog.int8",
            pg_sys::UUIDOID => "pg_catalog.uuid",
            pg_sys::NAMEOID => "pg_catalog.name",
            pg_sys::TEXTOID | pg_sys::VARCHAROID => "pg_catalog.text",
            _ => return None,
        })
    }

    fn equals(&self, parameter: &str) -> String {
        match self.comparison_type() {
            Some(own) => format!("b.{} OPERATOR(pg_catalog.=) {parameter}::{own}", self.name),
            None => format!(
                "b.{}::pg_catalog.text OPERATOR(pg_catalog.=) {parameter}",
                self.name
            ),
        }
    }

    fn equals_any(&self, parameter: &str) -> String {
        match self.comparison_type() {
            Some(own) => format!(
                "b.{} OPERATOR(pg_catalog.=) ANY ({parameter}::{own}[])",
                self.name
            ),
            None => format!(
                "b.{}::pg_catalog.text OPERATOR(pg_catalog.=) ANY ({parameter})",
                self.name
            ),
        }
    }

    fn can_hold(&self, text: &str) -> bool {
        match self.base_type {
            pg_sys::INT2OID => text
                .parse::<i16>()
                .is_ok_and(|number| number.to_string() == text),
            pg_sys::INT4OID => text
                .parse::<i32>()
                .is_ok_and(|number| number.to_string() == text),
            pg_sys::INT8OID => text
                .parse::<i64>()
                .is_ok_and(|number| number.to_string() == text),
            pg_sys::UUIDOID => is_uuid(text),
            pg_sys::NAMEOID => text.len() < 64,
            _ => true,
        }
    }
}

/// As PostgreSQL prints one.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

/// The schema-qualified, quoted name of a relation, or MH012 where it is gone.
pub fn qualified_name(relation: Oid) -> Result<Option<String>> {
    match RELATION.row(Visibility::CallerSnapshot, &[relation.into_datum()])? {
        Some(row) => row.get().text(1),
        None => Ok(None),
    }
}

/// MH012.
pub fn board_invalid(relation: &str, problem: &str, message: String, hint: &str) -> Error {
    board_invalid_error(relation, problem, message, hint).into()
}

fn board_invalid_error(
    relation: &str,
    problem: &str,
    message: String,
    hint: &str,
) -> ContractError {
    ContractError::new(ErrorCode::BoardInvalid, message, hint)
        .with_detail(json!({ "relation": relation, "problem": problem }))
}

/// `columns` as a map of our names; anything else is an error that names it.
fn names(columns: &Value) -> Result<Map<String, Value>> {
    let members = match columns {
        Value::Null => return Ok(Map::new()),
        Value::Object(members) => members,
        _ => {
            return Err(invalid(
                "columns must be a JSON object",
                "For example: {\"item_id\": \"ticket_no\"}.",
            ));
        }
    };
    for (ours, theirs) in members {
        let known = ours == "project_id"
            || COLUMNS.contains(&ours.as_str())
            || WRITTEN.contains(&ours.as_str());
        if !known {
            return Err(invalid(
                format!("columns names \"{ours}\", which is no column of a board"),
                format!(
                    "The columns of a board are project_id, {}, {}.",
                    COLUMNS.join(", "),
                    WRITTEN.join(", ")
                ),
            ));
        }
        if !theirs.is_string() && !theirs.is_null() {
            return Err(invalid(
                format!("columns maps \"{ours}\" to something that is no name"),
                "Map it to the name of a column, or to null for none.",
            ));
        }
    }
    Ok(members.clone())
}

fn attributes(relation: Oid) -> Result<BTreeMap<String, Column>> {
    let rows = ATTRIBUTES.run(Visibility::CallerSnapshot, &[relation.into_datum()])?;
    rows.iter()
        .map(|row| {
            let name = row.required_text(1)?;
            let column = Column {
                name: format!("\"{}\"", name.replace('"', "\"\"")),
                base_type: Oid::from(row.datum(2).map_or(0, |datum| datum.value() as u32)),
                type_name: row.required_text(3)?,
                is_array: row.bool(4).unwrap_or_default(),
            };
            Ok((name, column))
        })
        .collect()
}

/// A column of a type that cannot be read in the form is told by name.
fn require_form(relation: &str, ours: &str, column: &Column) -> Result<()> {
    use pg_sys::*;
    let fits = match form(ours) {
        Form::Text => !column.is_array,
        Form::Predecessors => true,
        Form::Time => matches!(column.base_type, TIMESTAMPTZOID | TIMESTAMPOID | DATEOID),
        Form::Json => matches!(column.base_type, JSONOID | JSONBOID | TEXTARRAYOID),
        Form::Boolean => column.base_type == BOOLOID,
    };
    if fits {
        return Ok(());
    }
    let wanted = match form(ours) {
        Form::Time => "a timestamp or date",
        Form::Json => "json, jsonb or text[]",
        Form::Boolean => "a boolean",
        Form::Text | Form::Predecessors => "a single value",
    };
    Err(board_invalid(
        relation,
        "mistyped_column",
        format!(
            "column {} of {relation} is {}, and {ours} is read from {wanted}",
            column.name, column.type_name
        ),
        "Map it to another column, or to null, or attach a view that converts it.",
    ))
}
