//! The run timeline: the newest events of a project or a session, named and dated, without what they were about.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields" (lineage).

use serde_json::{Value, json};

use super::Snapshot;
use super::context::Event;
use crate::text::json::{canonical_ascii, sha256_hex};

/// How many events a timeline shows at most.
pub const EVENT_CAP: usize = 25;
/// The event of a handoff that was made.
pub const GENERATED: &str = "handoff_generated";

/// The whole log: `{schema_version, project_id, session_id, correlation_id, event_count, events}`, oldest event first;
/// `None` without any event. Of more events than the cap the newest stay.
pub fn of(snapshot: &Snapshot) -> Option<Value> {
    shown(snapshot, |_| true)
}

/// The same without the handoffs themselves, for their own content: making one is no work, and would make the next
/// one differ.
pub fn of_work(snapshot: &Snapshot) -> Option<Value> {
    shown(snapshot, |event| event.event_type != GENERATED)
}

fn shown(snapshot: &Snapshot, is_shown: impl Fn(&Event) -> bool) -> Option<Value> {
    let events = snapshot.context.events.iter();
    let events: Vec<&Event> = events.filter(|event| is_shown(event)).collect();
    let newest = &events[events.len().saturating_sub(EVENT_CAP)..];
    let events: Vec<Value> = newest.iter().copied().map(entry).collect();
    (!events.is_empty()).then(|| {
        json!({
            "schema_version": 1,
            "project_id": snapshot.project.project_id,
            "session_id": snapshot.session.as_ref().map(|session| &session.session_id),
            "correlation_id": null,
            "event_count": events.len(),
            "events": events,
        })
    })
}

/// One event with the digest of everything else in it. What belongs to one handoff has its id in common.
fn entry(event: &Event) -> Value {
    let mut entry = json!({
        "event_type": event.event_type,
        "occurred_at": event.occurred_at,
        "actor_kind": actor_kind(event),
        "actor_id": event.actor,
        "source": "meridian.events",
        "correlation_id": event.handoff_id.map(|id| id.to_string()),
        "parent_event_id": null,
        "item_id": event.item_id,
        "outcome": event.outcome,
    });
    entry["event_hash"] = sha256_hex(canonical_ascii(&entry).as_bytes()).into();
    entry
}

fn actor_kind(event: &Event) -> &'static str {
    match &event.actor {
        None => "system",
        actor if *actor == event.session_id => "session",
        Some(_) => "role",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::handoff::Project;

    fn event(at: i64, actor: Option<&str>) -> Event {
        Event {
            event_type: "item_claimed".into(),
            session_id: Some("s1".into()),
            actor: actor.map(str::to_owned),
            item_id: Some("a".into()),
            handoff_id: Some(7),
            outcome: None,
            occurred_at: Timestamp(at),
        }
    }

    fn timeline(events: Vec<Event>) -> Option<Value> {
        let mut snapshot = Snapshot::new(Project::new("p1", "Demo"), Timestamp(0));
        snapshot.context.events = events;
        of(&snapshot)
    }

    #[test]
    fn nothing_happened_is_no_timeline() {
        assert_eq!(timeline(Vec::new()), None);
    }

    #[test]
    fn the_newest_stay() {
        let seconds = |n: i64| event(n * 1_000_000, Some("s1"));
        let timeline = timeline((0..30).map(seconds).collect()).unwrap();
        assert_eq!(timeline["event_count"], 25);
        assert_eq!(timeline["events"][0]["occurred_at"], "1970-01-01T00:00:05Z");
        assert_eq!(
            timeline["events"][24]["occurred_at"],
            "1970-01-01T00:00:29Z"
        );
    }

    #[test]
    fn handoffs_are_no_work() {
        let mut snapshot = Snapshot::new(Project::new("p1", "Demo"), Timestamp(0));
        let generated = Event {
            event_type: GENERATED.into(),
            ..event(2, None)
        };
        snapshot.context.events = vec![generated.clone()];
        assert_eq!(of_work(&snapshot), None);
        snapshot.context.events = vec![event(1, None), generated];
        assert_eq!(of(&snapshot).unwrap()["event_count"], 2);
        let work = of_work(&snapshot).unwrap();
        assert_eq!(work["event_count"], 1);
        assert_eq!(work["events"][0]["event_type"], "item_claimed");
    }

    #[test]
    fn actors_are_told_apart_and_hashes_cover_the_entry() {
        let timeline = timeline(vec![
            event(1, Some("s1")),
            event(1, Some("app")),
            event(1, None),
        ]);
        let events = timeline.unwrap()["events"].as_array().unwrap().clone();
        let kinds: Vec<&str> = events
            .iter()
            .map(|event| event["actor_kind"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["session", "role", "system"]);
        assert_eq!(events[0]["correlation_id"], "7");
        assert_ne!(events[0]["event_hash"], events[1]["event_hash"]);
        assert_eq!(events[0]["event_hash"].as_str().unwrap().len(), 64);
    }
}
