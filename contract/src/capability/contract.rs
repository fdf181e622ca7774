//! The capability contract of a handoff: what is asked for, what there is, and whether work can start.
//!
//! A receiver reads `executable` before it does anything; the reasons name what is in the way, in a fixed order. The
//! lists of items are there to be read and take no part in the answer. Long lists are cut for display only: the answer
//! and every hash are those of the whole contract.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Receiver behavior"; The Handoff Contract, "Executability as a
//! first-class signal".

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::availability::{self, Assessment, Bucket, Reported, Reports, Status};
use super::item_tools::{self, Need};
use super::manifest::{Manifest, Policy};
use super::secret;
use crate::Timestamp;
use crate::board::Item;
use crate::goal::capped::Capped;
use crate::text::json::{canonical_ascii, sha256_hex};

/// Nothing is merged onto a manifest: what is in effect is what the project declares.
const SOURCE: &str = "raw_manifest";
/// Both the source and the reason of a contract that must not show what it is made of.
const REDACTED: &str = "redacted_secret_shaped_value";
/// Stands for a list that nobody could fill.
const UNKNOWN: &str = "unknown";

/// What a contract is built from.
#[derive(Debug, Clone, Copy)]
pub struct ContractInput<'a> {
    pub project_id: &'a str,
    pub manifest: Option<&'a Manifest>,
    pub reported: &'a [Reported],
    /// The items of the scope, in the order in which they are to be listed.
    pub items: &'a [&'a Item],
    pub clauses: ItemClauses<'a>,
    /// Whether the board is known to be incomplete, as in a handoff that ran out of time.
    pub board_stale: bool,
    pub generated_at: Timestamp,
}

/// The per-item clauses of the goal block, whole: `{item_id, …}` each, sorted by item id.
#[derive(Debug, Clone, Copy, Default)]
pub struct ItemClauses<'a> {
    pub tool_requirements: &'a [Value],
    pub sprint_item_pointers: &'a [Value],
    pub artifact_pointer_findings: &'a [Value],
}

/// How many entries each kind of list shows.
#[derive(Debug, Clone, Copy)]
struct Caps {
    capabilities: Option<usize>,
    executor_contracts: Option<usize>,
    items: Option<usize>,
}

impl Caps {
    const DISPLAY: Self = Self {
        capabilities: Some(50),
        executor_contracts: Some(25),
        items: Some(200),
    };
    const NONE: Self = Self {
        capabilities: None,
        executor_contracts: None,
        items: None,
    };
}

/// The `capability_contract` of the response. Every list has a companion `<list>_truncated` of `{truncated,
/// total_candidates, included}`. `contract_hash` covers all but itself and `generated_at`, lists whole; an uncut
/// contract can so be checked by whoever holds it.
pub fn build(input: &ContractInput<'_>) -> Value {
    let facts = Facts::of(input);
    let hash = hash_of(&Value::Object(facts.lay_out(input, Caps::NONE)));
    let mut contract = facts.lay_out(input, Caps::DISPLAY);
    contract.insert("generated_at".into(), json!(input.generated_at));
    contract.insert("contract_hash".into(), json!(hash));
    Value::Object(contract)
}

/// What is found out before anything is laid out.
struct Facts {
    /// The entries of the manifest; empty when redacted.
    capabilities: Vec<Value>,
    source: &'static str,
    manifest_hash: String,
    availability: Value,
    executor_contracts: Vec<Value>,
    routing: Vec<Value>,
    executable_reasons: Vec<String>,
}

impl Facts {
    fn of(input: &ContractInput<'_>) -> Self {
        let none = Manifest::default();
        let manifest = input.manifest.unwrap_or(&none);
        let reports = Reports::of(input.reported);
        let assessments = availability::assess(manifest, &reports);
        let capabilities = manifest.capabilities_json();
        let availability = availability_json(&assessments, &reports);

        let redacted =
            holds_secret(manifest, &capabilities) || secret::find_in(&availability).is_some();
        let executable_reasons =
            executable_reasons(&assessments, &reports, input.board_stale, redacted);
        Self {
            capabilities: if redacted { Vec::new() } else { capabilities },
            source: if redacted { REDACTED } else { SOURCE },
            manifest_hash: manifest.hash(),
            availability: if redacted {
                no_availability()
            } else {
                availability
            },
            executor_contracts: executor_contracts(input.items, &reports),
            routing: routing_summary(input.items),
            executable_reasons,
        }
    }

    /// Everything but `generated_at` and `contract_hash`.
    fn lay_out(&self, input: &ContractInput<'_>, caps: Caps) -> Map<String, Value> {
        let declared = input.manifest.filter(|_| self.source == SOURCE);
        let mut requested = Map::new();
        insert_list(
            &mut requested,
            "capabilities",
            &self.capabilities,
            caps.capabilities,
        );
        requested.insert(
            "manifest_version".into(),
            json!(declared.map(|manifest| &manifest.version)),
        );
        requested.insert(
            "manifest_hash".into(),
            json!(input.manifest.map(|_| &self.manifest_hash)),
        );
        let mut effective = Map::new();
        insert_list(
            &mut effective,
            "capabilities",
            &self.capabilities,
            caps.capabilities,
        );
        effective.insert("source".into(), json!(self.source));

        let mut contract = Map::new();
        contract.insert("schema_version".into(), json!(1));
        contract.insert("project_id".into(), json!(input.project_id));
        contract.insert("requested".into(), Value::Object(requested));
        contract.insert("effective".into(), Value::Object(effective));
        contract.insert("availability".into(), self.availability.clone());
        contract.insert("manifest_hash".into(), json!(self.manifest_hash));
        let lists = [
            (
                "item_tool_requirements",
                input.clauses.tool_requirements,
                caps.items,
            ),
            (
                "item_sprint_item_pointers",
                input.clauses.sprint_item_pointers,
                caps.items,
            ),
            (
                "item_artifact_pointer_findings",
                input.clauses.artifact_pointer_findings,
                caps.items,
            ),
            (
                "item_executor_contracts",
                &self.executor_contracts,
                caps.executor_contracts,
            ),
            ("item_routing_summary", &self.routing, caps.items),
        ];
        for (key, entries, cap) in lists {
            insert_list(&mut contract, key, entries, cap);
        }
        contract.insert(
            "item_routing_summary_hash".into(),
            json!(hash_of(&Value::Array(self.routing.clone()))),
        );
        contract.insert("board_stale".into(), json!(input.board_stale));
        contract.insert(
            "executable".into(),
            json!(self.executable_reasons.is_empty()),
        );
        contract.insert("executable_reasons".into(), json!(self.executable_reasons));
        contract
    }
}

/// What keeps work from starting, in this order: required capabilities that are missing, or that nobody looked for;
/// a stale board; something that must not be shown. An id that must not be shown is not named. Degraded capabilities
/// keep nothing from starting.
fn executable_reasons(
    assessments: &[Assessment<'_>],
    reports: &Reports<'_>,
    board_stale: bool,
    redacted: bool,
) -> Vec<String> {
    let required = |wanted: &dyn Fn(&Assessment<'_>) -> bool| -> Option<String> {
        let ids: Vec<&str> = assessments
            .iter()
            .filter(|one| one.capability.policy == Policy::Required && wanted(one))
            .map(|one| one.capability.id.as_str())
            .filter(|id| secret::find(id).is_none())
            .collect();
        (!ids.is_empty()).then(|| ids.join(","))
    };
    let looked = !reports.is_empty();
    let missing = required(&|one| looked && one.bucket() == Bucket::Missing);
    let unverified = required(&|_| !looked);
    [
        missing.map(|ids| format!("missing_required_capabilities:{ids}")),
        unverified.map(|ids| format!("required_capabilities_unverified:{ids}")),
        board_stale.then(|| "stale_board_snapshot".to_owned()),
        redacted.then(|| REDACTED.to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The assessments are in the order of the manifest, so every list of ids is sorted.
fn availability_json(assessments: &[Assessment<'_>], reports: &Reports<'_>) -> Value {
    let ids = |wanted: &dyn Fn(&Assessment<'_>) -> bool| -> Vec<&str> {
        let wanted = assessments.iter().filter(|one| wanted(one));
        wanted.map(|one| one.capability.id.as_str()).collect()
    };
    if reports.is_empty() {
        let unverified = ids(&|one| one.capability.policy == Policy::Required);
        return json!({
            "status": UNKNOWN, "available": UNKNOWN, "missing": UNKNOWN, "degraded": UNKNOWN,
            "unverified": unverified, "fallback_used": [],
        });
    }
    let fallbacks: Vec<Value> = assessments
        .iter()
        .filter_map(|one| Some(one.fallback_used.as_ref()?.to_json()))
        .collect();
    json!({
        "status": "checked",
        "available": ids(&|one| one.bucket() == Bucket::Available),
        "missing": ids(&|one| one.bucket() == Bucket::Missing),
        "degraded": ids(&|one| one.bucket() == Bucket::Degraded),
        "unverified": [],
        "fallback_used": fallbacks,
    })
}

/// In place of one that must not be shown.
fn no_availability() -> Value {
    json!({
        "status": UNKNOWN, "available": UNKNOWN, "missing": UNKNOWN, "degraded": UNKNOWN,
        "unverified": [], "fallback_used": [],
    })
}

fn holds_secret(manifest: &Manifest, capabilities: &[Value]) -> bool {
    let mut parts = std::iter::once(&manifest.version).chain(capabilities);
    parts.any(|part| secret::find_in(part).is_some())
}

/// One entry an item that names tools: `{item_id, required_tool, required_tools, preferred_tools, missing_tools}`,
/// where `missing_tools` are those of the first two that were reported missing.
fn executor_contracts(items: &[&Item], reports: &Reports<'_>) -> Vec<Value> {
    items
        .iter()
        .filter_map(|item| {
            let pinned = item_tools::pinned(item);
            let required = item_tools::of_need(item, Need::Required);
            let preferred = item_tools::of_need(item, Need::Preferred);
            if pinned.is_none() && required.is_empty() && preferred.is_empty() {
                return None;
            }
            let needed = pinned.iter().chain(&required).copied();
            let missing: BTreeSet<&str> = needed
                .filter(|tool| reports.status(tool) == Status::Missing)
                .collect();
            Some(json!({
                "item_id": item.item_id,
                "required_tool": pinned,
                "required_tools": required,
                "preferred_tools": preferred,
                "missing_tools": missing,
            }))
        })
        .collect()
}

/// How many items each pinned tool has to do: `{required_tool, item_count}`, sorted by tool.
fn routing_summary(items: &[&Item]) -> Vec<Value> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in items.iter().filter_map(|item| item_tools::pinned(item)) {
        *counts.entry(tool).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(tool, count)| json!({"required_tool": tool, "item_count": count}))
        .collect()
}

fn insert_list(object: &mut Map<String, Value>, key: &str, entries: &[Value], cap: Option<usize>) {
    let entries = Capped::new(entries, cap);
    object.insert(key.to_owned(), Value::Array(entries.shown.to_vec()));
    object.insert(
        [key, "_truncated"].concat(),
        json!({
            "truncated": entries.is_truncated(),
            "total_candidates": entries.total(),
            "included": entries.shown.len(),
        }),
    );
}

fn hash_of(value: &Value) -> String {
    sha256_hex(canonical_ascii(value).as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::capability::manifest;

    fn manifest_of(entries: Value) -> Manifest {
        manifest::parse(&entries).unwrap()
    }

    fn entry(id: &str, tool: &str, policy: &str) -> Value {
        json!({"id": id, "purpose": "Needed.", "required_tools": [tool], "availability_policy": policy})
    }

    fn reported(tool: &str, status: Status, detail: Option<&str>) -> Reported {
        Reported {
            tool: tool.into(),
            status,
            detail: detail.map(str::to_owned),
            reported_at: Timestamp(0),
        }
    }

    fn input<'a>(manifest: Option<&'a Manifest>, reported: &'a [Reported]) -> ContractInput<'a> {
        ContractInput {
            project_id: "p1",
            manifest,
            reported,
            items: &[],
            clauses: ItemClauses::default(),
            board_stale: false,
            generated_at: Timestamp(0),
        }
    }

    fn whole() -> Value {
        json!({"truncated": false, "total_candidates": 0, "included": 0})
    }

    #[test]
    fn a_project_without_a_manifest_is_executable() {
        let empty = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";
        let mut contract = build(&input(None, &[]));
        let hash = contract["contract_hash"].take();
        assert_eq!(
            contract,
            json!({
                "schema_version": 1,
                "project_id": "p1",
                "requested": {
                    "capabilities": [], "capabilities_truncated": whole(),
                    "manifest_version": null, "manifest_hash": null,
                },
                "effective": {
                    "capabilities": [], "capabilities_truncated": whole(), "source": "raw_manifest",
                },
                "availability": {
                    "status": "unknown", "available": "unknown", "missing": "unknown", "degraded": "unknown",
                    "unverified": [], "fallback_used": [],
                },
                "manifest_hash": empty,
                "item_tool_requirements": [], "item_tool_requirements_truncated": whole(),
                "item_sprint_item_pointers": [], "item_sprint_item_pointers_truncated": whole(),
                "item_artifact_pointer_findings": [], "item_artifact_pointer_findings_truncated": whole(),
                "item_executor_contracts": [], "item_executor_contracts_truncated": whole(),
                "item_routing_summary": [], "item_routing_summary_truncated": whole(),
                "item_routing_summary_hash": empty,
                "board_stale": false,
                "executable": true,
                "executable_reasons": [],
                "generated_at": "1970-01-01T00:00:00Z",
                "contract_hash": null,
            })
        );
        assert_eq!(hash.as_str().map(str::len), Some(64));
    }

    #[test]
    fn capabilities_are_bucketed_and_required_ones_count() {
        let manifest = manifest_of(json!([
            entry("z_gone", "gone", "required"),
            entry("a_never_seen", "never_seen", "required"),
            entry("optional_gone", "gone", "optional"),
            entry("unsure", "never_seen", "degraded_ok"),
            entry("slow", "slow", "required"),
            entry("fine", "fine", "required"),
            {"id": "rescued", "purpose": "Needed.", "required_tools": ["gone"], "fallback_chain": ["fine"]},
        ]));
        let rows = [
            reported("gone", Status::Missing, Some("uninstalled")),
            reported("slow", Status::Degraded, None),
            reported("fine", Status::Available, None),
        ];
        let contract = build(&input(Some(&manifest), &rows));
        let availability = &contract["availability"];
        assert_eq!(availability["status"], "checked");
        assert_eq!(availability["available"], json!(["fine"]));
        assert_eq!(
            availability["degraded"],
            json!(["rescued", "slow", "unsure"])
        );
        assert_eq!(
            availability["missing"],
            json!(["a_never_seen", "optional_gone", "z_gone"])
        );
        assert_eq!(availability["unverified"], json!([]));
        assert_eq!(
            availability["fallback_used"][0]["failed_detail"],
            "uninstalled"
        );
        assert_eq!(contract["executable"], false);
        assert_eq!(
            contract["executable_reasons"],
            json!(["missing_required_capabilities:a_never_seen,z_gone"])
        );
    }

    #[test]
    fn degraded_and_optional_capabilities_keep_nothing_from_starting() {
        let manifest = manifest_of(json!([
            entry("a", "slow", "required"),
            entry("b", "gone", "optional")
        ]));
        let rows = [
            reported("slow", Status::Degraded, None),
            reported("gone", Status::Missing, None),
        ];
        assert_eq!(build(&input(Some(&manifest), &rows))["executable"], true);
    }

    #[test]
    fn reasons_stand_in_their_order() {
        let mut manifest = manifest_of(json!([
            entry("b", "x", "required"),
            entry("a", "x", "required"),
            entry("c", "x", "optional")
        ]));
        let stale = |manifest: &Manifest| {
            build(&ContractInput {
                board_stale: true,
                ..input(Some(manifest), &[])
            })
        };
        let contract = stale(&manifest);
        assert_eq!(
            contract["executable_reasons"],
            json!([
                "required_capabilities_unverified:a,b",
                "stale_board_snapshot"
            ])
        );
        assert_eq!(contract["availability"]["unverified"], json!(["a", "b"]));
        assert_eq!(contract["board_stale"], true);

        manifest.capabilities[0].purpose = "token=abcdefgh".into();
        assert_eq!(
            stale(&manifest)["executable_reasons"],
            json!([
                "required_capabilities_unverified:a,b",
                "stale_board_snapshot",
                "redacted_secret_shaped_value"
            ])
        );
    }

    #[test]
    fn what_must_not_be_shown_is_nowhere_in_the_contract() {
        let key = "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        let clean = manifest_of(json!([{
            "id": "c", "purpose": "Needed.", "required_tools": ["gone"], "fallback_chain": ["fine"],
        }]));
        let with = |change: &dyn Fn(&mut Manifest)| {
            let mut manifest = clean.clone();
            change(&mut manifest);
            manifest
        };
        let fine = reported("fine", Status::Available, None);
        let rows = [reported("gone", Status::Missing, None), fine.clone()];
        let leaky_rows = [reported("gone", Status::Missing, Some(key)), fine];
        let cases = [
            (with(&|manifest| manifest.version = json!(key)), &rows),
            (
                with(&|manifest| manifest.capabilities[0].id = key.into()),
                &rows,
            ),
            (
                with(&|manifest| manifest.capabilities[0].provenance = json!({"by": key})),
                &rows,
            ),
            (clean.clone(), &leaky_rows),
        ];
        for (manifest, rows) in &cases {
            let contract = build(&input(Some(manifest), &rows[..]));
            assert!(!contract.to_string().contains(key), "{contract}");
            assert_eq!(contract["executable"], false);
            assert_eq!(
                contract["executable_reasons"],
                json!(["redacted_secret_shaped_value"])
            );
            assert_eq!(
                contract["effective"]["source"],
                "redacted_secret_shaped_value"
            );
            assert_eq!(contract["effective"]["capabilities"], json!([]));
            assert_eq!(contract["requested"]["capabilities"], json!([]));
            assert_eq!(contract["availability"], no_availability());
        }
        // A detail that the contract does not show is no reason to redact.
        let unused = [reported("gone", Status::Available, Some(key))];
        let contract = build(&input(Some(&clean), &unused));
        assert!(!contract.to_string().contains(key));
        assert_eq!(contract["executable"], true);
    }

    #[test]
    fn items_name_their_tools() {
        let mut pinned = Item::new("a", "a");
        pinned.required_tool = Some("gone".into());
        let mut needs = Item::new("b", "b");
        needs.tool_requirements = json!([
            {"name": "gone", "required_or_preferred": "required"},
            {"name": "linter", "required_or_preferred": "preferred"},
        ]);
        let mut also_pinned = Item::new("c", "c");
        also_pinned.required_tool = Some("gone".into());
        let plain = Item::new("d", "d");
        let items = [&pinned, &needs, &also_pinned, &plain];
        let rows = [reported("gone", Status::Missing, None)];
        let contract = build(&ContractInput {
            items: &items,
            ..input(None, &rows)
        });
        assert_eq!(
            contract["item_executor_contracts"],
            json!([
                {"item_id": "a", "required_tool": "gone", "required_tools": [], "preferred_tools": [], "missing_tools": ["gone"]},
                {"item_id": "b", "required_tool": null, "required_tools": ["gone"], "preferred_tools": ["linter"], "missing_tools": ["gone"]},
                {"item_id": "c", "required_tool": "gone", "required_tools": [], "preferred_tools": [], "missing_tools": ["gone"]},
            ])
        );
        assert_eq!(
            contract["item_routing_summary"],
            json!([{"required_tool": "gone", "item_count": 2}])
        );
        assert_eq!(contract["executable"], true);
    }

    /// The hash as whoever holds an uncut contract computes it.
    fn recomputed_hash(mut contract: Value) -> String {
        let members = contract.as_object_mut().unwrap();
        members.remove("generated_at");
        members.remove("contract_hash");
        hash_of(&contract)
    }

    #[test]
    fn hash_covers_everything_but_the_time() {
        let manifest = manifest_of(json!([entry("a", "x", "required")]));
        let rows = [reported("x", Status::Available, None)];
        let contract = build(&input(Some(&manifest), &rows));
        assert_eq!(contract["contract_hash"], recomputed_hash(contract.clone()));
        let later = build(&ContractInput {
            generated_at: Timestamp(1_000_000),
            ..input(Some(&manifest), &rows)
        });
        assert_eq!(contract["contract_hash"], later["contract_hash"]);
        let stale = build(&ContractInput {
            board_stale: true,
            ..input(Some(&manifest), &rows)
        });
        assert_ne!(contract["contract_hash"], stale["contract_hash"]);
    }

    #[test]
    fn caps_cut_what_is_shown_and_nothing_else() {
        let clause: Vec<Value> = (0..10_000)
            .map(|n| json!({"item_id": format!("i{n:05}")}))
            .collect();
        let items: Vec<Item> = (0..10_000)
            .map(|n| Item {
                required_tool: Some(format!("t{n:05}")),
                ..Item::new(format!("i{n:05}"), "x")
            })
            .collect();
        let items: Vec<&Item> = items.iter().collect();
        let entries: Value = (0..60)
            .map(|n| entry(&format!("c{n:02}"), "t", "required"))
            .collect();
        let manifest = manifest_of(entries);
        let rows = [reported("other", Status::Available, None)];
        let whole = ContractInput {
            items: &items,
            clauses: ItemClauses {
                tool_requirements: &clause,
                sprint_item_pointers: &clause,
                artifact_pointer_findings: &clause,
            },
            ..input(Some(&manifest), &rows)
        };
        let started = std::time::Instant::now();
        let contract = build(&whole);
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());

        let shown = |path: &str, total: usize, included: usize| {
            assert_eq!(
                contract.pointer(path).unwrap().as_array().unwrap().len(),
                included,
                "{path}"
            );
            assert_eq!(
                contract.pointer(&format!("{path}_truncated")).unwrap(),
                &json!({"truncated": true, "total_candidates": total, "included": included}),
            );
        };
        shown("/requested/capabilities", 60, 50);
        shown("/effective/capabilities", 60, 50);
        shown("/item_tool_requirements", 10_000, 200);
        shown("/item_sprint_item_pointers", 10_000, 200);
        shown("/item_artifact_pointer_findings", 10_000, 200);
        shown("/item_executor_contracts", 10_000, 25);
        shown("/item_routing_summary", 10_000, 200);

        assert_eq!(contract["manifest_hash"], manifest.hash());
        let reason = contract["executable_reasons"][0].as_str().unwrap();
        assert!(reason.ends_with(",c58,c59"), "{reason}");
        let last = &clause[..9_999];
        let shorter = build(&ContractInput {
            clauses: ItemClauses {
                tool_requirements: last,
                ..whole.clauses
            },
            ..whole
        });
        assert_ne!(contract["contract_hash"], shorter["contract_hash"]);
    }

    proptest! {
        #[test]
        fn executable_means_no_reason(
            policies in prop::collection::vec(0..3usize, 0..6), statuses in prop::collection::vec(0..4usize, 0..6), board_stale: bool
        ) {
            let entries: Value = policies
                .iter()
                .enumerate()
                .map(|(n, &policy)| entry(&format!("c{n}"), &format!("t{n}"), Policy::KNOWN[policy].as_str()))
                .collect();
            let manifest = manifest_of(entries);
            let rows: Vec<Reported> = statuses
                .iter()
                .enumerate()
                .map(|(n, &status)| reported(&format!("t{n}"), Status::KNOWN[status], None))
                .collect();
            let contract = build(&ContractInput { board_stale, ..input(Some(&manifest), &rows) });
            let required_without = (0..policies.len()).any(|n| {
                policies[n] == 0 && statuses.get(n).is_none_or(|&status| Status::KNOWN[status] > Status::Degraded)
            });
            prop_assert_eq!(&contract["executable"], &json!(!required_without && !board_stale));
            prop_assert_eq!(
                contract["executable_reasons"].as_array().map(Vec::is_empty),
                contract["executable"].as_bool()
            );
        }
    }
}
