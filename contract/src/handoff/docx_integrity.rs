//! What checks found on the Word documents of a handoff, and whether one of them keeps it from being executed.
//!
//! Nothing is opened here: a document is as sound as the newest check of each name that was recorded for its path.
//! Only what a check confirmed stands in the way, and only for an item that wants its artifacts strictly checked;
//! a check that could not be made says nothing. Since rows cost little, all of them are judged, and caps limit only
//! what is listed.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields".

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};

use super::ArtifactCheck;
use crate::Timestamp;
use crate::board::{Board, Item, Pointer};
use crate::text::clip;

/// How many documents are listed; those that stand in the way come first.
const LISTED: usize = 8;
const FINDINGS: usize = 20;
/// In code points.
const REASON: usize = 200;

/// The checks that count, by the names under which they are recorded.
const RENDER: &str = "render";
const EQUATION_AUDIT: &str = "equation_audit";
const PROVENANCE_MANIFEST: &str = "provenance_manifest";

#[derive(Debug, Clone, Copy)]
pub struct DocxInput<'a> {
    pub project_id: &'a str,
    pub board: &'a Board,
    /// Of several of one item, path and name, the newest last.
    pub checks: &'a [ArtifactCheck],
    /// The items of the scope, in the order in which their documents are listed.
    pub items: &'a [&'a Item],
    pub generated_at: Timestamp,
}

/// The `docx_integrity` of the response; `None` when no item of the scope points to a Word document or has a check.
pub fn of(input: &DocxInput<'_>) -> Option<Value> {
    let in_scope: HashSet<&str> = input
        .items
        .iter()
        .map(|item| item.item_id.as_str())
        .collect();
    let has_check = |check: &ArtifactCheck| {
        check
            .item_id
            .as_deref()
            .is_some_and(|id| in_scope.contains(id))
    };
    let candidates = candidates(input);
    if candidates.is_empty() && !input.checks.iter().any(has_check) {
        return None;
    }
    let checks = Checks::of(input.checks);
    let mut artifacts: Vec<Artifact<'_>> = candidates
        .into_iter()
        .map(|candidate| Artifact::of(candidate, &checks))
        .collect();
    artifacts.sort_by_key(Artifact::is_ready);
    Some(report(input, &artifacts))
}

fn report(input: &DocxInput<'_>, artifacts: &[Artifact<'_>]) -> Value {
    let listed: Vec<Value> = artifacts
        .iter()
        .take(LISTED)
        .map(Artifact::to_json)
        .collect();
    let reasons: Vec<String> = artifacts
        .iter()
        .filter(|artifact| !artifact.is_ready())
        .map(|artifact| {
            format!(
                "docx_integrity_unresolved:{}",
                artifact.candidate.named_by()
            )
        })
        .collect();
    json!({
        "schema_version": 1,
        "project_id": input.project_id,
        "available": artifacts.iter().any(Artifact::was_checked),
        "items_scanned": input.items.len(),
        "checked_artifacts": listed,
        "candidate_count": artifacts.len(),
        "skipped_candidates": artifacts.len() - listed.len(),
        "unresolved_required_count": reasons.len(),
        "executable": reasons.is_empty(),
        "executable_reasons": reasons,
        "generated_at": input.generated_at,
    })
}

/// A document that an item of the scope points to, or that a check of it speaks of.
#[derive(Debug, Clone, PartialEq)]
struct Candidate<'a> {
    path: &'a str,
    source: &'static str,
    item_id: &'a str,
    label: Option<&'a str>,
    required: bool,
}

impl<'a> Candidate<'a> {
    /// The same document again: the first mention stays, and the stricter item decides.
    fn merge(&mut self, again: &Self) {
        self.label = self.label.or(again.label);
        self.required |= again.required;
    }

    /// What a reason calls it.
    fn named_by(&self) -> &'a str {
        if self.item_id.is_empty() {
            self.path
        } else {
            self.item_id
        }
    }
}

/// Each document once: those of pointers in the order of items and pointers, then those that only checks name.
fn candidates<'a>(input: &DocxInput<'a>) -> Vec<Candidate<'a>> {
    let pointed = input.items.iter().flat_map(|&item| {
        let pointers = input.board.pointers(&item.item_id).iter();
        pointers.flat_map(move |pointer| pointed_documents(item, pointer))
    });
    let items: HashMap<&str, &Item> = input
        .items
        .iter()
        .map(|&item| (item.item_id.as_str(), item))
        .collect();
    let checked = input.checks.iter().filter_map(|check| {
        let item = items.get(check.item_id.as_deref()?)?;
        is_local_docx(&check.path).then(|| candidate(item, &check.path, "artifact_check", None))
    });

    let mut position: HashMap<&str, usize> = HashMap::new();
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    for candidate in pointed.chain(checked) {
        let at = *position.entry(candidate.path).or_insert(candidates.len());
        match candidates.get_mut(at) {
            Some(known) => known.merge(&candidate),
            None => candidates.push(candidate),
        }
    }
    candidates
}

fn pointed_documents<'a>(
    item: &'a Item,
    pointer: &'a Pointer,
) -> impl Iterator<Item = Candidate<'a>> {
    let targets = pointer.targets.as_array().into_iter().flatten();
    targets
        .filter_map(|target| target["uri"].as_str())
        .filter(|uri| is_local_docx(uri))
        .map(move |uri| candidate(item, uri, "sprint_item_pointer", pointer.label.as_deref()))
}

fn candidate<'a>(
    item: &'a Item,
    path: &'a str,
    source: &'static str,
    label: Option<&'a str>,
) -> Candidate<'a> {
    Candidate {
        path,
        source,
        item_id: &item.item_id,
        label,
        required: is_strict(item),
    }
}

fn is_strict(item: &Item) -> bool {
    let policy = item.artifact_policy.as_ref();
    policy.is_some_and(|policy| policy["artifact_pointer_check"] == "strict")
}

fn is_local_docx(uri: &str) -> bool {
    let elsewhere = ["zotero:", "finding:", "doc:", "mailto:"];
    let ending = uri.len().checked_sub(5).and_then(|at| uri.get(at..));
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".docx"))
        && !uri.contains("://")
        && !elsewhere.iter().any(|scheme| uri.starts_with(scheme))
}

/// The checks that count, by path and name.
struct Checks<'a>(HashMap<(&'a str, &'a str), &'a ArtifactCheck>);

impl<'a> Checks<'a> {
    /// The last row of each item; of several items with the same document the one that knows most: a failure, then
    /// a success.
    fn of(rows: &'a [ArtifactCheck]) -> Self {
        let counts = |row: &&ArtifactCheck| {
            [RENDER, EQUATION_AUDIT, PROVENANCE_MANIFEST].contains(&row.check_name.as_str())
        };
        // Sorted by item, so that rows that tie are always settled the same way.
        let mut newest: BTreeMap<(Option<&str>, &str, &str), &ArtifactCheck> = BTreeMap::new();
        for row in rows.iter().filter(counts) {
            newest.insert((row.item_id.as_deref(), &row.path, &row.check_name), row);
        }
        let mut checks: HashMap<(&str, &str), &ArtifactCheck> = HashMap::new();
        for row in newest.into_values() {
            let known = checks.entry((&row.path, &row.check_name)).or_insert(row);
            if weight(row) > weight(known) {
                *known = row;
            }
        }
        Self(checks)
    }

    fn get(&self, path: &str, name: &str) -> Option<&'a ArtifactCheck> {
        self.0.get(&(path, name)).copied()
    }
}

fn weight(check: &ArtifactCheck) -> u8 {
    match check.status.as_str() {
        "failed" => 2,
        "passed" => 1,
        _ => 0,
    }
}

/// A document with what is known of it.
struct Artifact<'a> {
    candidate: Candidate<'a>,
    render: Option<&'a ArtifactCheck>,
    equations: Option<&'a ArtifactCheck>,
    provenance: Option<&'a ArtifactCheck>,
    unresolved_reasons: Vec<String>,
}

impl<'a> Artifact<'a> {
    fn of(candidate: Candidate<'a>, checks: &Checks<'a>) -> Self {
        let [render, equations, provenance] = [RENDER, EQUATION_AUDIT, PROVENANCE_MANIFEST]
            .map(|name| checks.get(candidate.path, name));
        let failed = |check: &&ArtifactCheck| check.status == "failed";
        let not_rendered = render.filter(failed).map(|check| {
            let reason = reason(check).unwrap_or_else(|| "unknown".into());
            format!("render_failed:{reason}")
        });
        let findings = equations
            .filter(failed)
            .map(|check| format!("equation_style_findings:{}", finding_count(check)));
        Self {
            candidate,
            render,
            equations,
            provenance,
            unresolved_reasons: not_rendered.into_iter().chain(findings).collect(),
        }
    }

    fn is_ready(&self) -> bool {
        !self.candidate.required || self.unresolved_reasons.is_empty()
    }

    /// Whether any check could be made.
    fn was_checked(&self) -> bool {
        let checks = [self.render, self.equations, self.provenance];
        checks.into_iter().flatten().any(|check| weight(check) > 0)
    }

    fn to_json(&self) -> Value {
        json!({
            "docx_path": self.candidate.path,
            "source": self.candidate.source,
            "item_id": self.candidate.item_id,
            "proposal_id": null,
            "label": self.candidate.label,
            "required": self.candidate.required,
            // A database does not look at the disk of its callers.
            "exists_on_disk": null,
            "render_status": self.render.map(render_status),
            "render_reason": self.render.and_then(reason),
            "render_backend": self.render.map(|check| member(check, "backend")),
            "equation_audit": self.equations.and_then(equation_audit),
            "provenance_manifest": self.provenance.and_then(provenance_manifest),
            "unresolved": !self.unresolved_reasons.is_empty(),
            "unresolved_reasons": self.unresolved_reasons,
            "ready": self.is_ready(),
        })
    }
}

fn render_status(check: &ArtifactCheck) -> &'static str {
    match check.status.as_str() {
        "passed" => "rendered",
        "failed" => "failed",
        _ => "unavailable-with-reason",
    }
}

/// The detail's `reason`, or the detail itself where it is a text.
fn reason(check: &ArtifactCheck) -> Option<String> {
    let detail = check.detail.as_ref()?;
    let text = detail.as_str().or_else(|| detail["reason"].as_str())?;
    Some(clip::head(text, REASON).to_owned())
}

fn member(check: &ArtifactCheck, name: &str) -> Value {
    let detail = check.detail.as_ref();
    detail.map_or(Value::Null, |detail| detail[name].clone())
}

fn findings(check: &ArtifactCheck) -> &[Value] {
    let detail = check.detail.as_ref();
    let listed = detail.and_then(|detail| detail["findings"].as_array());
    listed.map_or(&[], Vec::as_slice)
}

/// As stated or as listed, whichever is more. A failed audit has at least one, told or not.
fn finding_count(check: &ArtifactCheck) -> u64 {
    let stated = member(check, "finding_count").as_u64().unwrap_or_default();
    let listed = findings(check).len() as u64;
    let least = u64::from(check.status == "failed");
    stated.max(listed).max(least)
}

/// `None` when the audit could not be made.
fn equation_audit(check: &ArtifactCheck) -> Option<Value> {
    if weight(check) == 0 {
        return None;
    }
    let findings = findings(check);
    let mut by_type: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        let kind = finding["type"].as_str().unwrap_or("unknown");
        *by_type.entry(kind).or_default() += 1;
    }
    let shown = &findings[..findings.len().min(FINDINGS)];
    let total = finding_count(check);
    Some(json!({
        "equation_count": member(check, "equation_count"),
        "finding_count": total,
        "findings_by_type": by_type,
        "findings": shown,
        "findings_capped": total > shown.len() as u64,
    }))
}

/// `None` when there is none.
fn provenance_manifest(check: &ArtifactCheck) -> Option<Value> {
    if check.status != "passed" {
        return None;
    }
    let member = |name| member(check, name);
    Some(json!({
        "byte_size": member("byte_size"),
        "paragraph_count": member("paragraph_count"),
        "heading_count": member("heading_count"),
        "xml_part_count": member("xml_part_count"),
        "manifest_hash": member("manifest_hash"),
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(id: &str, strict: bool) -> Item {
        let policy = if strict { "strict" } else { "lenient" };
        Item {
            artifact_policy: Some(json!({ "artifact_pointer_check": policy })),
            ..Item::new(id, id)
        }
    }

    fn pointer(item_id: &str, uris: &[&str], label: Option<&str>) -> Pointer {
        Pointer {
            item_id: item_id.into(),
            pointer_id: 1,
            source_type: "artifact".into(),
            targets: uris.iter().map(|uri| json!({ "uri": uri })).collect(),
            label: label.map(str::to_owned),
            target_resolved: None,
        }
    }

    fn check(
        item_id: Option<&str>,
        path: &str,
        name: &str,
        status: &str,
        detail: Value,
    ) -> ArtifactCheck {
        ArtifactCheck {
            item_id: item_id.map(str::to_owned),
            path: path.into(),
            check_name: name.into(),
            status: status.into(),
            detail: Some(detail).filter(|detail| !detail.is_null()),
        }
    }

    fn of_board(
        items: Vec<Item>,
        pointers: Vec<Pointer>,
        checks: &[ArtifactCheck],
    ) -> Option<Value> {
        let board = Board::new(items, pointers, vec![]);
        let items: Vec<&Item> = board.items().iter().collect();
        of(&DocxInput {
            project_id: "p1",
            board: &board,
            checks,
            items: &items,
            generated_at: Timestamp(0),
        })
    }

    #[test]
    fn nothing_to_say_without_a_document_and_without_a_check() {
        let elsewhere = [
            "report.pdf",
            "docx",
            "é.doc",
            "https://x/a.docx",
            "zotero:a.docx",
            "finding:a.docx",
            "doc:a.docx",
            "mailto:a.docx",
            "a.docx#p",
            "",
        ];
        let pointers = vec![pointer("i", &elsewhere, None)];
        let foreign = [
            check(Some("other"), "a.docx", RENDER, "failed", Value::Null),
            check(None, "b.docx", RENDER, "failed", Value::Null),
        ];
        assert_eq!(of_board(vec![item("i", true)], pointers, &foreign), None);
        assert_eq!(of_board(vec![], vec![], &foreign), None);
    }

    #[test]
    fn any_check_of_an_item_is_enough_to_say_something() {
        let checks = [check(Some("i"), "a.pdf", "spelling", "failed", Value::Null)];
        let answer = of_board(vec![item("i", true)], vec![], &checks).unwrap();
        assert_eq!(
            answer,
            json!({
                "schema_version": 1, "project_id": "p1", "available": false, "items_scanned": 1,
                "checked_artifacts": [], "candidate_count": 0, "skipped_candidates": 0,
                "unresolved_required_count": 0, "executable": true, "executable_reasons": [],
                "generated_at": "1970-01-01T00:00:00Z",
            })
        );
    }

    #[test]
    fn a_document_is_shown_with_all_that_is_known() {
        let checks = [
            check(
                Some("i"),
                "out/A.DOCX",
                RENDER,
                "failed",
                json!({"reason": "no fonts", "backend": "soffice"}),
            ),
            check(
                None,
                "out/A.DOCX",
                EQUATION_AUDIT,
                "failed",
                json!({
                    "equation_count": 7, "findings": [{"type": "italic", "at": 3}, {"type": "italic"}, {"at": 1}],
                }),
            ),
            check(
                Some("i"),
                "out/A.DOCX",
                PROVENANCE_MANIFEST,
                "passed",
                json!({"byte_size": 9, "manifest_hash": "ab"}),
            ),
        ];
        let pointers = vec![pointer("i", &["out/A.DOCX"], Some("Report"))];
        let answer = of_board(vec![item("i", true)], pointers, &checks).unwrap();
        assert_eq!(
            answer["checked_artifacts"],
            json!([{
                "docx_path": "out/A.DOCX", "source": "sprint_item_pointer", "item_id": "i", "proposal_id": null,
                "label": "Report", "required": true, "exists_on_disk": null,
                "render_status": "failed", "render_reason": "no fonts", "render_backend": "soffice",
                "equation_audit": {
                    "equation_count": 7, "finding_count": 3, "findings_by_type": {"italic": 2, "unknown": 1},
                    "findings": [{"type": "italic", "at": 3}, {"type": "italic"}, {"at": 1}], "findings_capped": false,
                },
                "provenance_manifest": {
                    "byte_size": 9, "paragraph_count": null, "heading_count": null, "xml_part_count": null, "manifest_hash": "ab",
                },
                "unresolved": true,
                "unresolved_reasons": ["render_failed:no fonts", "equation_style_findings:3"],
                "ready": false,
            }])
        );
        assert_eq!(answer["available"], true);
        assert_eq!(answer["executable"], false);
        assert_eq!(
            answer["executable_reasons"],
            json!(["docx_integrity_unresolved:i"])
        );
    }

    #[test]
    fn only_a_confirmed_failure_of_a_strict_item_blocks() {
        for (strict, name, status, blocks) in [
            (true, RENDER, "failed", true),
            (true, EQUATION_AUDIT, "failed", true),
            (true, PROVENANCE_MANIFEST, "failed", false),
            (true, "spelling", "failed", false),
            (true, RENDER, "unavailable", false),
            (true, EQUATION_AUDIT, "unavailable", false),
            (true, RENDER, "passed", false),
            (false, RENDER, "failed", false),
        ] {
            let checks = [check(Some("i"), "a.docx", name, status, Value::Null)];
            let pointers = vec![pointer("i", &["a.docx"], None)];
            let answer = of_board(vec![item("i", strict)], pointers, &checks).unwrap();
            assert_eq!(answer["executable"], !blocks, "{strict} {name} {status}");
            assert_eq!(answer["unresolved_required_count"], u64::from(blocks));
        }
        let unchecked = of_board(
            vec![item("i", true)],
            vec![pointer("i", &["a.docx"], None)],
            &[],
        )
        .unwrap();
        assert_eq!(unchecked["executable"], true);
        assert_eq!(unchecked["available"], false);
        assert_eq!(
            unchecked["checked_artifacts"][0]["render_status"],
            Value::Null
        );
    }

    #[test]
    fn reasons_are_told_as_far_as_they_are_known() {
        let reasons = |status: &str, detail: Value| {
            let checks = [check(Some("i"), "a.docx", RENDER, status, detail)];
            let answer = of_board(vec![item("i", true)], vec![], &checks).unwrap();
            let artifact = &answer["checked_artifacts"][0];
            json!([
                artifact["source"],
                artifact["render_status"],
                artifact["render_reason"],
                artifact["unresolved_reasons"]
            ])
        };
        assert_eq!(
            reasons("failed", Value::Null),
            json!(["artifact_check", "failed", null, ["render_failed:unknown"]])
        );
        assert_eq!(
            reasons("unavailable", json!("timeout")),
            json!(["artifact_check", "unavailable-with-reason", "timeout", []])
        );
        let long = reasons("failed", json!("é".repeat(300)));
        assert_eq!(long[2].as_str().map(|text| text.chars().count()), Some(200));
    }

    #[test]
    fn newest_row_counts_and_among_items_the_failure() {
        let rendered = |checks: &[ArtifactCheck]| {
            let pointers = vec![
                pointer("a", &["x.docx"], None),
                pointer("b", &["x.docx"], Some("B")),
            ];
            let answer =
                of_board(vec![item("a", false), item("b", true)], pointers, checks).unwrap();
            assert_eq!(answer["candidate_count"], 1);
            let artifact = &answer["checked_artifacts"][0];
            assert_eq!(
                json!([artifact["item_id"], artifact["label"], artifact["required"]]),
                json!(["a", "B", true])
            );
            artifact["render_status"].clone()
        };
        let row = |item, status| check(item, "x.docx", RENDER, status, Value::Null);
        assert_eq!(
            rendered(&[row(Some("a"), "failed"), row(Some("a"), "passed")]),
            "rendered"
        );
        assert_eq!(
            rendered(&[row(Some("a"), "failed"), row(Some("b"), "passed")]),
            "failed"
        );
        assert_eq!(
            rendered(&[row(Some("b"), "passed"), row(None, "unavailable")]),
            "rendered"
        );
    }

    #[test]
    fn caps_limit_what_is_listed_and_the_blocking_come_first() {
        let items: Vec<Item> = (0..10_000)
            .map(|n| item(&format!("i{n:05}"), n == 9_999))
            .collect();
        let paths: Vec<String> = (0..10_000).map(|n| format!("d{n:05}.docx")).collect();
        let pointers = items
            .iter()
            .zip(&paths)
            .map(|(item, path)| pointer(&item.item_id, &[path], None))
            .collect();
        let findings: Vec<Value> = (0..30).map(|n| json!({ "type": "t", "at": n })).collect();
        let checks: Vec<ArtifactCheck> = items
            .iter()
            .zip(&paths)
            .map(|(item, path)| {
                check(
                    Some(&item.item_id),
                    path,
                    EQUATION_AUDIT,
                    "failed",
                    json!({ "findings": findings }),
                )
            })
            .collect();
        let started = std::time::Instant::now();
        let answer = of_board(items, pointers, &checks).unwrap();
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());

        let listed = answer["checked_artifacts"].as_array().unwrap();
        assert_eq!(
            (
                listed.len(),
                &answer["candidate_count"],
                &answer["skipped_candidates"]
            ),
            (8, &json!(10_000), &json!(9_992))
        );
        assert_eq!(listed[0]["item_id"], "i09999");
        assert_eq!(listed[1]["item_id"], "i00000");
        assert_eq!(
            answer["executable_reasons"],
            json!(["docx_integrity_unresolved:i09999"])
        );
        let audit = &listed[0]["equation_audit"];
        assert_eq!(
            (
                audit["findings"].as_array().unwrap().len(),
                &audit["finding_count"]
            ),
            (20, &json!(30))
        );
        assert_eq!(audit["findings_capped"], true);
        assert_eq!(
            listed[0]["unresolved_reasons"],
            json!(["equation_style_findings:30"])
        );
    }

    fn any_detail() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            let name = prop::sample::select(vec![
                "reason",
                "findings",
                "finding_count",
                "type",
                "uri",
                "backend",
            ]);
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((name, inner), 0..4).prop_map(|members| {
                    members
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_row_is_taken(
            targets in any_detail(), policy in any_detail(), detail in any_detail(), uri in ".{0,9}(\\.docx)?",
            name in prop::sample::select(vec![RENDER, EQUATION_AUDIT, PROVENANCE_MANIFEST, "other"]),
            status in prop::sample::select(vec!["passed", "failed", "unavailable", ""])
        ) {
            let item = Item { artifact_policy: Some(policy), ..Item::new("i", "i") };
            let strange = Pointer { targets, ..pointer("i", &[], None) };
            let checks = [check(Some("i"), &uri, name, status, detail)];
            let answer = of_board(vec![item], vec![strange, pointer("i", &[&uri], None)], &checks);
            let answer = answer.unwrap_or_default();
            prop_assert_eq!(
                answer["executable_reasons"].as_array().map(Vec::is_empty),
                answer["executable"].as_bool()
            );
        }
    }
}
