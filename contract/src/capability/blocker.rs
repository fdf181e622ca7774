//! The blocker policy: which items something keeps from being done, what waits for them, and whether the run goes on.
//!
//! What a text says never blocks an item; only columns and explicit [`Signals`] do. The batch of a goal has filters of
//! its own, in [`crate::board::exclusion`]: this is the triage that a receiver reads beside it, and it changes no item.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Receiver behavior".

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde_json::{Value, json};

use super::availability::{Assessment, Reports, Status};
use super::item_tools::{self, Need};
use crate::board::{BlockerKind, Board, Item, MilestoneType, dependency, exclusion};
use crate::goal::capped::Capped;
use crate::text::clip;
use crate::{ContractError, ErrorCode};

/// Why an item is blocked, in the order in which the reasons are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    RunGlobalBlocker,
    VerifiedSecurity,
    IntegrityCorruption,
    HumanAction,
    DependencyBlocked,
    OptionalToolUnavailable,
    NeedsScope,
    NeedsProspecting,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RunGlobalBlocker => "run_global_blocker",
            Self::VerifiedSecurity => "verified_security",
            Self::IntegrityCorruption => "integrity_corruption",
            Self::HumanAction => "human_action",
            Self::DependencyBlocked => "dependency_blocked",
            Self::OptionalToolUnavailable => "optional_tool_unavailable",
            Self::NeedsScope => "needs_scope",
            Self::NeedsProspecting => "needs_prospecting",
        }
    }

    /// Whether one item of this kind stops the run under every policy.
    pub fn fails_closed(self) -> bool {
        matches!(
            self,
            Self::RunGlobalBlocker | Self::VerifiedSecurity | Self::IntegrityCorruption
        )
    }
}

/// What a project wants done about blocked items. The first three differ in what an executor does with a blocked
/// item: set it aside, look for what it lacks, or stop at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    #[default]
    QuarantineContinue,
    AutoProspect,
    ItemStop,
    RunStop,
}

impl Policy {
    pub const KNOWN: [Self; 4] = [
        Self::QuarantineContinue,
        Self::AutoProspect,
        Self::ItemStop,
        Self::RunStop,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::QuarantineContinue => "quarantine_continue",
            Self::AutoProspect => "auto_prospect",
            Self::ItemStop => "item_stop",
            Self::RunStop => "run_stop",
        }
    }

    /// Case and surrounding space do not matter; `None` is the default. Errors: 22023 for any other text.
    pub fn parse(text: Option<&str>) -> Result<Self, ContractError> {
        let Some(text) = text else {
            return Ok(Self::default());
        };
        let wanted = text.trim().to_ascii_lowercase();
        Self::KNOWN
            .into_iter()
            .find(|policy| policy.as_str() == wanted)
            .ok_or_else(|| {
                let known = Self::KNOWN.map(Self::as_str).join(", ");
                ContractError::new(
                    ErrorCode::InvalidValue,
                    format!("unknown blocker policy {text:?}"),
                    format!("Set blocker_policy in the project's settings to one of: {known}."),
                )
            })
    }
}

/// What is known of one item besides its own columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signals {
    pub run_global: bool,
    pub verified_security: bool,
    pub integrity_corruption: bool,
    pub require_human_review: bool,
    pub dependency_blocked: bool,
    pub tool_unavailable: bool,
    /// Nobody said otherwise: there is one.
    pub has_approved_fallback: Option<bool>,
    /// `None`: nobody looked.
    pub prospected: Option<bool>,
}

impl Signals {
    /// What the rows of a board and the reports about tools say of an item; the three kinds that fail closed are in
    /// no row and are left to callers.
    ///
    /// - A human's, by the column `blocker_kind`; a title makes nothing manual here.
    /// - Blocked by a dependency that cannot be satisfied by waiting: a missing predecessor, or a failed one after
    ///   which the item must not run. One that is merely not done yet blocks nothing.
    /// - A tool that it cannot do without was reported missing. A fallback is approved if a capability that requires
    ///   the tool has a working one.
    /// - Not prospected: the batch would exclude it for that.
    pub fn of_rows(
        item: &Item,
        board: &Board,
        reports: &Reports<'_>,
        assessments: &[Assessment<'_>],
    ) -> Self {
        let missing = missing_tools(item, reports);
        let is_rescued = |tool: &&str| {
            assessments.iter().any(|one| {
                one.fallback_used.is_some()
                    && one
                        .capability
                        .required_tools
                        .iter()
                        .any(|name| name == tool)
            })
        };
        Self {
            require_human_review: item.blocker_kind == Some(BlockerKind::Manual),
            dependency_blocked: dependency::blockers(item, board)
                .iter()
                .any(|blocker| matches!(blocker.status.as_str(), "missing" | "failed")),
            tool_unavailable: !missing.is_empty(),
            has_approved_fallback: Some(missing.iter().all(is_rescued)),
            prospected: Some(!exclusion::is_unprospected(item, board, false)),
            ..Self::default()
        }
    }
}

fn missing_tools<'a>(item: &'a Item, reports: &Reports<'_>) -> Vec<&'a str> {
    item_tools::pinned(item)
        .into_iter()
        .chain(item_tools::of_need(item, Need::Required))
        .filter(|tool| reports.status(tool) == Status::Missing)
        .collect()
}

/// What an item says about its scope. Its title and priority say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Evidence {
    has_notes: bool,
    has_resources: bool,
    /// Requirements or a pinned tool.
    has_tool_requirements: bool,
}

impl Evidence {
    fn of(item: &Item) -> Self {
        Self {
            has_notes: item
                .notes
                .as_deref()
                .is_some_and(|notes| !notes.trim().is_empty()),
            has_resources: item.declares_resources(),
            has_tool_requirements: says_something(&item.tool_requirements)
                || item_tools::pinned(item).is_some(),
        }
    }

    fn has_scope(self) -> bool {
        self.has_notes || self.has_resources || self.has_tool_requirements
    }

    fn to_json(self) -> Value {
        json!({
            "has_notes": self.has_notes,
            "has_resources": self.has_resources,
            "has_tool_requirements": self.has_tool_requirements,
            "has_scope_evidence": self.has_scope(),
        })
    }
}

/// A text column may hold the JSON of nothing.
fn says_something(stored: &Value) -> bool {
    match stored {
        Value::Null => false,
        Value::String(text) => !matches!(text.trim(), "" | "[]" | "null"),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// `None`: nothing keeps the item from being done.
fn classify(item: &Item, signals: &Signals, evidence: Evidence) -> Option<Kind> {
    let lacks_tool = signals.tool_unavailable && signals.has_approved_fallback == Some(false);
    let for_human = signals.require_human_review || item.milestone_type == MilestoneType::Human;
    let unprospected = evidence.has_resources && signals.prospected == Some(false);
    [
        (Kind::RunGlobalBlocker, signals.run_global),
        (Kind::VerifiedSecurity, signals.verified_security),
        (Kind::IntegrityCorruption, signals.integrity_corruption),
        (Kind::HumanAction, for_human),
        (Kind::DependencyBlocked, signals.dependency_blocked),
        (Kind::OptionalToolUnavailable, lacks_tool),
        (Kind::NeedsScope, !evidence.has_scope()),
        (Kind::NeedsProspecting, unprospected),
    ]
    .into_iter()
    .find_map(|(kind, hit)| hit.then_some(kind))
}

/// The triage of one board.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub policy: Policy,
    /// Blocked items only.
    pub kinds: BTreeMap<String, Kind>,
    /// What waits for a blocked item, directly or not, and is not blocked itself.
    pub paused: BTreeSet<String>,
    /// Sorted; none when the run stops.
    pub eligible: Vec<String>,
    pub run_stop_reason: Option<String>,
    skipped_dependents: Skipped,
    evidence: BTreeMap<String, Evidence>,
}

/// Sorts the items into blocked, paused and eligible ones. `signals` need not know every item, and items without an
/// id are passed over. Time is linear in items and dependencies.
///
/// Errors: 22023 for a policy that does not exist.
pub fn decide(
    items: &[&Item],
    policy: Option<&str>,
    signals: &HashMap<&str, Signals>,
) -> Result<Decision, ContractError> {
    let policy = Policy::parse(policy)?;
    let items: Vec<&Item> = items
        .iter()
        .copied()
        .filter(|item| !item.item_id.is_empty())
        .collect();
    let nothing_known = Signals::default();
    let mut kinds = BTreeMap::new();
    let mut evidence = BTreeMap::new();
    for item in &items {
        let signals = signals.get(item.item_id.as_str()).unwrap_or(&nothing_known);
        let of_item = Evidence::of(item);
        if let Some(kind) = classify(item, signals, of_item) {
            kinds.insert(item.item_id.clone(), kind);
        }
        evidence.insert(item.item_id.clone(), of_item);
    }

    let skipped_dependents = Skipped::of(&Waiting::on(&items, &kinds));
    let paused = skipped_dependents.paused();
    let run_stop_reason = run_stop_reason(policy, &kinds);
    let eligible = match run_stop_reason {
        Some(_) => Vec::new(),
        None => evidence
            .keys()
            .filter(|id| !kinds.contains_key(*id) && !paused.contains(*id))
            .cloned()
            .collect(),
    };
    Ok(Decision {
        policy,
        kinds,
        paused,
        eligible,
        run_stop_reason,
        skipped_dependents,
        evidence,
    })
}

/// A kind that fails closed stops the run under every policy, any blocked item under `run_stop`.
fn run_stop_reason(policy: Policy, kinds: &BTreeMap<String, Kind>) -> Option<String> {
    let failing: Vec<(&str, &str)> = kinds
        .iter()
        .filter(|(_, kind)| kind.fails_closed())
        .map(|(id, kind)| (id.as_str(), kind.as_str()))
        .collect();
    if !failing.is_empty() {
        let names: BTreeSet<&str> = failing.iter().map(|&(_, kind)| kind).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let ids: Vec<&str> = failing.iter().map(|&(id, _)| id).collect();
        return Some(format!(
            "fail_closed_blocker:{};items:{}",
            names.join(","),
            ids.join(",")
        ));
    }
    (policy == Policy::RunStop && !kinds.is_empty())
        .then(|| "explicit_project_run_stop_policy".to_owned())
}

/// What waits for each blocked item. An item can wait for several: it is listed under every one of them, unless that
/// would make far more entries than the board has items; then under the nearest alone, of equally near ones the first.
#[derive(Debug, Clone, PartialEq)]
struct Skipped {
    listed_under: &'static str,
    by_blocked: BTreeMap<String, Vec<String>>,
}

impl Skipped {
    fn of(waiting: &Waiting<'_>) -> Self {
        let (listed_under, lists) = match waiting.on_every_blocker() {
            Some(lists) => ("every_blocker", lists),
            None => ("nearest_blocker", waiting.on_nearest_blocker()),
        };
        let owned = |number: usize| waiting.ids[number].to_owned();
        Self {
            listed_under,
            by_blocked: waiting
                .blocked
                .iter()
                .zip(lists)
                .map(|(&blocked, list)| (owned(blocked), list.into_iter().map(owned).collect()))
                .collect(),
        }
    }

    fn paused(&self) -> BTreeSet<String> {
        self.by_blocked.values().flatten().cloned().collect()
    }
}

/// Steps that the lists for every blocked item may take, for each step that one walk over the board takes.
const WALKS: usize = 32;

/// Who waits for whom, as far as nothing blocks the one who waits: a blocked item is not walked through, what waits
/// for it stands under its own name.
struct Waiting<'a> {
    /// Sorted; an item's number is its place here.
    ids: Vec<&'a str>,
    blocked: Vec<usize>,
    /// By number: those that directly wait for the item and are not blocked.
    dependents: Vec<Vec<usize>>,
}

impl<'a> Waiting<'a> {
    fn on(items: &[&'a Item], kinds: &BTreeMap<String, Kind>) -> Self {
        let mut ids: Vec<&str> = items.iter().map(|item| item.item_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        let number_of: HashMap<&str, usize> = ids
            .iter()
            .enumerate()
            .map(|(number, &id)| (id, number))
            .collect();
        let mut dependents = vec![Vec::new(); ids.len()];
        for item in items
            .iter()
            .filter(|item| !kinds.contains_key(&item.item_id))
        {
            let known = item
                .depends_on
                .iter()
                .filter_map(|id| number_of.get(id.as_str()));
            for &predecessor in known {
                dependents[predecessor].push(number_of[item.item_id.as_str()]);
            }
        }
        let blocked = (0..ids.len())
            .filter(|&number| kinds.contains_key(ids[number]))
            .collect();
        Self {
            ids,
            blocked,
            dependents,
        }
    }

    /// A list for each of `blocked`, from one walk that starts at all of them at once.
    fn on_nearest_blocker(&self) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.blocked.len()];
        let mut reached = vec![false; self.ids.len()];
        let mut queue: VecDeque<(usize, usize)> =
            self.blocked.iter().copied().enumerate().collect();
        while let Some((list, number)) = queue.pop_front() {
            for &dependent in &self.dependents[number] {
                if !std::mem::replace(&mut reached[dependent], true) {
                    lists[list].push(dependent);
                    queue.push_back((list, dependent));
                }
            }
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        lists
    }

    /// A list for each of `blocked`, from a walk of its own. `None` when they take too many steps together.
    fn on_every_blocker(&self) -> Option<Vec<Vec<usize>>> {
        let one_walk = self.ids.len() + self.dependents.iter().map(Vec::len).sum::<usize>();
        let mut steps_left = one_walk.saturating_mul(WALKS);
        // The start of the walk that reached an item last.
        let mut reached_from = vec![None; self.ids.len()];
        let mut lists = Vec::with_capacity(self.blocked.len());
        for &start in &self.blocked {
            let mut list: Vec<usize> = Vec::new();
            let mut left = vec![start];
            while let Some(number) = left.pop() {
                let dependents = &self.dependents[number];
                steps_left = steps_left.checked_sub(dependents.len())?;
                for &dependent in dependents {
                    if reached_from[dependent].replace(start) != Some(start) {
                        list.push(dependent);
                        left.push(dependent);
                    }
                }
            }
            list.sort_unstable();
            lists.push(list);
        }
        Some(lists)
    }
}

/// Caps of [`Decision::summary`].
const SUMMARY_IDS: usize = 20;
const SUMMARY_DETAILS: usize = 5;
const SUMMARY_RATIONALE: usize = 400;

impl Decision {
    pub fn run_stop(&self) -> bool {
        self.run_stop_reason.is_some()
    }

    /// The `blocker_policy` of the response, complete. `skipped_dependents_listed_under` says whether an item that
    /// waits for several blocked ones stands under `every_blocker` or the `nearest_blocker`.
    pub fn to_json(&self) -> Value {
        let classifications: BTreeMap<&str, &str> = self
            .kinds
            .iter()
            .map(|(id, kind)| (id.as_str(), kind.as_str()))
            .collect();
        let evidence: BTreeMap<&str, Value> = self
            .evidence
            .iter()
            .map(|(id, evidence)| (id.as_str(), evidence.to_json()))
            .collect();
        json!({
            "policy": self.policy.as_str(),
            "blocked_item_ids": self.blocked(),
            "classifications": classifications,
            "evidence_status": evidence,
            "fail_closed_item_ids": self.fail_closed(),
            "skipped_dependents": self.skipped_dependents.by_blocked,
            "skipped_dependents_listed_under": self.skipped_dependents.listed_under,
            "quarantined_item_ids": self.blocked(),
            "eligible_item_ids": self.eligible,
            "run_stop": self.run_stop(),
            "run_stop_reason": self.run_stop_reason,
            "continuation_rationale": self.rationale(),
        })
    }

    /// The same in little, for a continuation manifest: heads of the lists and how long they are, the first blocked
    /// items in detail.
    pub fn summary(&self) -> Value {
        let details: Vec<Value> = self
            .kinds
            .iter()
            .take(SUMMARY_DETAILS)
            .map(|(id, kind)| {
                let waiting = self
                    .skipped_dependents
                    .by_blocked
                    .get(id)
                    .map_or(0, Vec::len);
                json!({"id": id, "kind": kind.as_str(), "skipped_dependent_count": waiting})
            })
            .collect();
        let (blocked, fail_closed) = (self.blocked(), self.fail_closed());
        json!({
            "policy": self.policy.as_str(),
            "run_stop": self.run_stop(),
            "run_stop_reason": self.run_stop_reason.as_deref().map(clipped),
            "blocked_count": blocked.len(),
            "blocked_item_ids": head_of(&blocked),
            "fail_closed_count": fail_closed.len(),
            "fail_closed_item_ids": head_of(&fail_closed),
            "paused_count": self.paused.len(),
            "eligible_count": self.eligible.len(),
            "details": details,
            "truncated": blocked.len() > SUMMARY_DETAILS,
            "continuation_rationale": clipped(&self.rationale()),
        })
    }

    fn blocked(&self) -> Vec<&str> {
        self.kinds.keys().map(String::as_str).collect()
    }

    fn fail_closed(&self) -> Vec<&str> {
        self.kinds
            .iter()
            .filter(|(_, kind)| kind.fails_closed())
            .map(|(id, _)| id.as_str())
            .collect()
    }

    /// For people: what goes on, and why.
    fn rationale(&self) -> String {
        let (blocked, paused) = (self.kinds.len(), self.paused.len());
        if let Some(reason) = &self.run_stop_reason {
            return format!(
                "The run stops ({reason}). Blocked items: {blocked}; waiting for them: {paused}. Nothing is to be \
                 started until a human has cleared this."
            );
        }
        let (policy, eligible) = (self.policy.as_str(), self.eligible.len());
        if blocked == 0 {
            return format!(
                "Nothing is blocked; all {eligible} items are eligible under policy {policy}."
            );
        }
        let pairs: Vec<String> = self
            .kinds
            .iter()
            .map(|(id, kind)| format!("{id}:{}", kind.as_str()))
            .collect();
        format!(
            "Under policy {policy} the run goes on without {blocked} blocked items ({}) and the {paused} that wait \
             for them; eligible: {eligible}.",
            pairs.join(", ")
        )
    }
}

fn head_of<'a>(ids: &[&'a str]) -> Vec<&'a str> {
    Capped::new(ids, Some(SUMMARY_IDS)).shown.to_vec()
}

fn clipped(text: &str) -> String {
    let head = clip::head(text, SUMMARY_RATIONALE);
    if head.len() == text.len() {
        text.to_owned()
    } else {
        format!("{head}...(truncated)")
    }
}
