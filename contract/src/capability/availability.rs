//! Which capabilities a project has, from what was reported about its tools.
//!
//! A tool is as available as the newest report about it says, and `unknown` without one. What is missing is decided
//! here; whether that keeps a handoff from being executed, in [`super::contract`]. Whoever reaches a tool only in a
//! way that cannot be confirmed reports `unknown`: it then counts as degraded where the manifest says that this will
//! do, and as missing elsewhere.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::manifest::{Capability, Manifest, Policy};
use super::secret;
use crate::{ContractError, ErrorCode, Timestamp};

/// In order of severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Available,
    Degraded,
    Unknown,
    Missing,
}

impl Status {
    pub const KNOWN: [Self; 4] = [
        Self::Available,
        Self::Degraded,
        Self::Unknown,
        Self::Missing,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Degraded => "degraded",
            Self::Unknown => "unknown",
            Self::Missing => "missing",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::KNOWN
            .into_iter()
            .find(|status| status.as_str() == text)
    }

    fn is_usable(self) -> bool {
        self <= Self::Degraded
    }
}

/// What somebody found out about one tool: a builtin, `stdio:<name>`, a plugin, or one tool of a plugin as
/// `plugin__tool`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    pub tool: String,
    pub status: Status,
    pub detail: Option<String>,
    pub reported_at: Timestamp,
}

impl Reported {
    /// A report as a caller makes it. Refused (22023): a blank name or one with a space at an end, an unknown status,
    /// and a name or detail that holds a credential or a path of one machine. No error repeats the detail.
    pub fn checked(
        tool: &str,
        status: &str,
        detail: Option<&str>,
        reported_at: Timestamp,
    ) -> Result<Self, ContractError> {
        if tool.is_empty() || tool.trim() != tool {
            return Err(refused(
                "tool must not be blank, nor begin or end with a space".into(),
                "Name the tool as the manifest does.",
            ));
        }
        let findings = [
            ("tool", secret::find(tool)),
            ("detail", detail.and_then(secret::find)),
        ];
        if let Some((argument, finding)) = findings
            .into_iter()
            .find_map(|(name, found)| Some((name, found?)))
        {
            return Err(refused(
                format!("{argument} is refused: {}", finding.describe()),
                "Report the tool again without it.",
            ));
        }
        let Some(status) = Status::parse(status) else {
            let known = Status::KNOWN.map(Status::as_str).join(", ");
            return Err(refused(
                format!("unknown availability status {status:?}"),
                &format!("Pass one of: {known}."),
            ));
        };
        Ok(Self {
            tool: tool.to_owned(),
            status,
            detail: detail.map(str::to_owned),
            reported_at,
        })
    }
}

fn refused(reason: String, hint: &str) -> ContractError {
    ContractError::new(ErrorCode::InvalidValue, reason, hint)
}

/// How many levels of a name are looked up: a tool, its plugin, the plugin's host and so on.
const NAME_LEVELS: usize = 8;

/// The reports of a project by tool.
#[derive(Debug, Default)]
pub struct Reports<'a>(HashMap<&'a str, &'a Reported>);

impl<'a> Reports<'a> {
    /// Of several reports about one tool the newest counts, of equally old ones the last.
    pub fn of(reported: &'a [Reported]) -> Self {
        let mut reports: HashMap<&str, &Reported> = HashMap::new();
        for report in reported {
            let newest = reports.entry(&report.tool).or_insert(report);
            if report.reported_at >= newest.reported_at {
                *newest = report;
            }
        }
        Self(reports)
    }

    /// Whether anybody has looked at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn status(&self, tool: &str) -> Status {
        self.about(tool)
            .map_or(Status::Unknown, |report| report.status)
    }

    /// The report about the tool itself, or else about the plugin that it belongs to.
    fn about(&self, tool: &str) -> Option<&'a Reported> {
        std::iter::successors(Some(tool), |name| Some(name.rsplit_once("__")?.0))
            .take(NAME_LEVELS)
            .find_map(|name| self.0.get(name).copied())
    }
}

/// How it stands with one capability of a manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment<'a> {
    pub capability: &'a Capability,
    pub status: Status,
    pub fallback_used: Option<FallbackUsed>,
}

/// A fallback that stands in for a required tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FallbackUsed {
    pub capability_id: String,
    pub policy: Policy,
    pub failed_tool: String,
    pub failed_status: Status,
    pub failed_detail: Option<String>,
    pub fallback_tool: String,
    pub fallback_status: Status,
    /// When the fallback was last seen to work.
    pub recorded_at: Timestamp,
}

impl FallbackUsed {
    pub fn to_json(&self) -> Value {
        json!({
            "capability_id": self.capability_id,
            "policy": self.policy.as_str(),
            "failed_tool": self.failed_tool,
            "failed_status": self.failed_status.as_str(),
            "failed_detail": self.failed_detail,
            "fallback_tool": self.fallback_tool,
            "fallback_status": self.fallback_status.as_str(),
            "recorded_at": self.recorded_at,
        })
    }
}

/// Where a capability stands in a contract, which knows no `unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bucket {
    Available,
    Degraded,
    Missing,
}

impl Assessment<'_> {
    pub fn bucket(&self) -> Bucket {
        match self.status {
            Status::Available => Bucket::Available,
            Status::Degraded => Bucket::Degraded,
            Status::Unknown if self.capability.policy == Policy::DegradedOk => Bucket::Degraded,
            Status::Unknown | Status::Missing => Bucket::Missing,
        }
    }
}

/// Every capability, in the order of the manifest.
pub fn assess<'a>(manifest: &'a Manifest, reports: &Reports<'_>) -> Vec<Assessment<'a>> {
    manifest
        .capabilities
        .iter()
        .map(|capability| assess_one(capability, reports))
        .collect()
}

/// As good as its worst required tool. If that one is not available, the first usable fallback makes it degraded.
fn assess_one<'a>(capability: &'a Capability, reports: &Reports<'_>) -> Assessment<'a> {
    let (worst_tool, worst) = worst(&capability.required_tools, reports);
    let fallback_used = match worst {
        Status::Available => None,
        _ => fallback(capability, worst_tool, worst, reports),
    };
    Assessment {
        capability,
        status: if fallback_used.is_some() {
            Status::Degraded
        } else {
            worst
        },
        fallback_used,
    }
}

/// The first of the worst; no tool at all is as good as an unknown one.
fn worst<'a>(tools: &'a [String], reports: &Reports<'_>) -> (&'a str, Status) {
    let mut statuses = tools
        .iter()
        .map(|tool| (tool.as_str(), reports.status(tool)));
    let Some(first) = statuses.next() else {
        return ("", Status::Unknown);
    };
    statuses.fold(
        first,
        |worst, next| if next.1 > worst.1 { next } else { worst },
    )
}

fn fallback(
    capability: &Capability,
    failed_tool: &str,
    failed_status: Status,
    reports: &Reports<'_>,
) -> Option<FallbackUsed> {
    let (fallback_tool, report) = capability.fallback_chain.iter().find_map(|tool| {
        let report = reports.about(tool)?;
        report.status.is_usable().then_some((tool, report))
    })?;
    Some(FallbackUsed {
        capability_id: capability.id.clone(),
        policy: capability.policy,
        failed_tool: failed_tool.to_owned(),
        failed_status,
        failed_detail: reports
            .about(failed_tool)
            .and_then(|report| report.detail.clone()),
        fallback_tool: fallback_tool.clone(),
        fallback_status: report.status,
        recorded_at: report.reported_at,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reported(tool: &str, status: Status) -> Reported {
        Reported {
            tool: tool.into(),
            status,
            detail: Some(format!("about {tool}")),
            reported_at: Timestamp(0),
        }
    }

    fn capability(required: &[&str], fallbacks: &[&str], policy: Policy) -> Capability {
        let owned = |tools: &[&str]| tools.iter().map(|tool| (*tool).to_owned()).collect();
        Capability {
            id: "c".into(),
            purpose: "test".into(),
            required_tools: owned(required),
            fallback_chain: owned(fallbacks),
            policy,
            verification_command: None,
            provenance: Value::Null,
        }
    }

    fn status(required: &[&str], fallbacks: &[&str], reported: &[Reported]) -> Status {
        let capability = capability(required, fallbacks, Policy::Required);
        assess_one(&capability, &Reports::of(reported)).status
    }

    #[test]
    fn a_capability_is_as_good_as_its_worst_tool() {
        use Status::{Available, Degraded, Missing, Unknown};
        let reported = [
            reported("a", Available),
            reported("d", Degraded),
            reported("m", Missing),
        ];
        for (tools, expected) in [
            (&["a"][..], Available),
            (&["a", "d"], Degraded),
            (&["d", "never_reported", "a"], Unknown),
            (&["a", "m", "never_reported"], Missing),
            (&[], Unknown),
        ] {
            assert_eq!(status(tools, &[], &reported), expected, "{tools:?}");
        }
    }

    #[test]
    fn first_usable_fallback_rescues() {
        let mut rows = vec![
            reported("m", Status::Missing),
            reported("m2", Status::Missing),
            reported("d", Status::Degraded),
            reported("a", Status::Available),
        ];
        rows[2].reported_at = Timestamp(1_000_000);
        let capability = capability(&["a", "m"], &["nobody", "m2", "d", "a"], Policy::Optional);
        let assessment = assess_one(&capability, &Reports::of(&rows));
        assert_eq!(assessment.status, Status::Degraded);
        assert_eq!(
            assessment.fallback_used.unwrap().to_json(),
            json!({
                "capability_id": "c", "policy": "optional", "failed_tool": "m", "failed_status": "missing",
                "failed_detail": "about m", "fallback_tool": "d", "fallback_status": "degraded",
                "recorded_at": "1970-01-01T00:00:01Z",
            })
        );
        assert_eq!(status(&["m"], &["m2", "nobody"], &rows), Status::Missing);
        assert_eq!(status(&["nobody"], &[], &rows), Status::Unknown);
        assert_eq!(status(&["nobody"], &["a"], &rows), Status::Degraded);
    }

    #[test]
    fn an_available_capability_uses_no_fallback() {
        let rows = [reported("a", Status::Available)];
        let capability = capability(&["a"], &["a"], Policy::Required);
        assert_eq!(
            assess_one(&capability, &Reports::of(&rows)).fallback_used,
            None
        );
    }

    #[test]
    fn a_report_about_a_plugin_holds_for_its_tools() {
        let rows = [
            reported("mcp__github", Status::Available),
            reported("mcp__github__search", Status::Missing),
        ];
        let reports = Reports::of(&rows);
        assert_eq!(
            reports.status("mcp__github__create_issue"),
            Status::Available
        );
        assert_eq!(reports.status("mcp__github__search"), Status::Missing);
        assert_eq!(reports.status("mcp__gitlab__search"), Status::Unknown);
        assert_eq!(reports.status("mcp__githubber"), Status::Unknown);
        assert_eq!(reports.status(&"__".repeat(10_000)), Status::Unknown);
    }

    #[test]
    fn newest_report_counts() {
        let mut rows = vec![
            reported("a", Status::Missing),
            reported("a", Status::Available),
        ];
        assert_eq!(Reports::of(&rows).status("a"), Status::Available);
        rows[0].reported_at = Timestamp(1);
        assert_eq!(Reports::of(&rows).status("a"), Status::Missing);
    }

    #[test]
    fn unknown_is_degraded_only_where_that_will_do() {
        for (policy, status, bucket) in [
            (Policy::DegradedOk, Status::Unknown, Bucket::Degraded),
            (Policy::Required, Status::Unknown, Bucket::Missing),
            (Policy::Optional, Status::Unknown, Bucket::Missing),
            (Policy::DegradedOk, Status::Missing, Bucket::Missing),
            (Policy::Required, Status::Degraded, Bucket::Degraded),
            (Policy::Required, Status::Available, Bucket::Available),
        ] {
            let capability = capability(&["t"], &[], policy);
            let assessment = Assessment {
                capability: &capability,
                status,
                fallback_used: None,
            };
            assert_eq!(assessment.bucket(), bucket, "{policy:?} {status:?}");
        }
    }

    #[test]
    fn reports_are_checked_at_the_door() {
        let check = |tool, status, detail| Reported::checked(tool, status, detail, Timestamp(0));
        assert!(check("graph_search", "available", Some("12 ms")).is_ok());
        for (tool, status, detail) in [
            ("", "available", None),
            (" a", "available", None),
            ("a", "AVAILABLE", None),
            ("a", "gone", None),
            ("~/bin/a", "available", None),
            ("a", "missing", Some("token=abcdefgh")),
            ("a", "missing", Some("no /usr/bin/a")),
        ] {
            let error = check(tool, status, detail).unwrap_err();
            assert_eq!(error.code.sqlstate(), "22023", "{tool} {status}");
            assert!(!format!("{error:?}").contains("abcdefgh"));
        }
        let hint = check("a", "gone", None).unwrap_err().hint;
        assert_eq!(hint, "Pass one of: available, degraded, unknown, missing.");
    }

    proptest! {
        #[test]
        fn order_of_tools_does_not_change_the_status(
            tools in prop::collection::vec("[a-e]", 1..6).prop_shuffle(), statuses in prop::collection::vec(0..4usize, 5)
        ) {
            let rows: Vec<Reported> = ["a", "b", "c", "d", "e"]
                .into_iter()
                .zip(&statuses)
                .map(|(tool, &at)| reported(tool, Status::KNOWN[at]))
                .collect();
            let reports = Reports::of(&rows);
            let worst_of_all = tools.iter().map(|tool| reports.status(tool)).max();
            prop_assert_eq!(Some(worst(&tools, &reports).1), worst_of_all);
        }
    }
}
