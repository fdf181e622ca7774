//! `settings.executor_config` of a project, read so that no value in it can stop a handoff.
//!
//! A setting of the wrong type counts as absent. What an absent setting prints is decided by the tag that prints it;
//! only the number of turns has its default here, since it is a bound and no text.

use serde_json::Value;

const DEFAULT_MAX_TURNS: i64 = 200;
const MAX_TURNS: i64 = 500;
const MAX_PLANNING_TURNS: i64 = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutorConfig {
    pub loop_enabled: bool,
    pub repo_path: Option<String>,
    pub shell_type: Option<String>,
    pub test_cmd: Option<String>,
    /// The number of tests that must at least pass. None is invented where the project names none.
    pub test_min: Option<i64>,
    pub branch: Option<String>,
    /// 1 to 500.
    pub max_turns: i64,
    /// 1 to 50; `None` leaves it to the execution mode.
    pub max_planning_turns: Option<i64>,
    /// `completion_mode` is `lenient`: the block has no `<not_done_until>`.
    pub lenient: bool,
    /// `goal_group_style` is `waves`: items are listed wave by wave.
    pub group_by_wave: bool,
}

impl ExecutorConfig {
    /// `settings` is the project's whole settings object.
    pub fn read(settings: &Value) -> Self {
        let config = &settings["executor_config"];
        Self {
            loop_enabled: switched_on(&config["loop_enabled"]),
            repo_path: text(&config["repo_path"]),
            shell_type: text(&config["shell_type"]),
            test_cmd: text(&config["test_cmd"]),
            test_min: integer(&config["test_min"]).filter(|&floor| floor > 0),
            branch: text(&config["branch"]),
            max_turns: integer(&config["max_turns"])
                .filter(|&turns| turns > 0)
                .map_or(DEFAULT_MAX_TURNS, |turns| turns.min(MAX_TURNS)),
            max_planning_turns: integer(&config["max_planning_turns"])
                .map(|turns| turns.clamp(1, MAX_PLANNING_TURNS)),
            lenient: text(&config["completion_mode"]).as_deref() == Some("lenient"),
            group_by_wave: text(&config["goal_group_style"]).as_deref() == Some("waves"),
        }
    }
}

/// A JSON true, or one of the words that people write for it.
fn switched_on(value: &Value) -> bool {
    match value {
        Value::Bool(on) => *on,
        Value::String(word) => ["true", "on", "1", "yes"]
            .iter()
            .any(|yes| word.trim().eq_ignore_ascii_case(yes)),
        _ => false,
    }
}

/// Trimmed; a blank text is absent.
fn text(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A whole number, or a text that spells one. Numbers beyond the range of `i64` become its end.
fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_u64() => Some(number.as_i64().unwrap_or(i64::MAX)),
        Value::Number(number) => number.as_i64(),
        Value::String(digits) => digits.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(config: Value) -> ExecutorConfig {
        ExecutorConfig::read(&json!({ "executor_config": config }))
    }

    #[test]
    fn nothing_usable_gives_the_defaults() {
        let defaults = ExecutorConfig::read(&Value::Null);
        assert_eq!(defaults.max_turns, 200);
        assert_eq!((defaults.test_cmd.clone(), defaults.test_min), (None, None));
        assert!(!defaults.loop_enabled && !defaults.lenient && !defaults.group_by_wave);
        let wrong_types = json!({"loop_enabled": 1, "test_cmd": ["x"], "test_min": true, "max_turns": "many",
            "max_planning_turns": null, "branch": " ", "completion_mode": 3, "goal_group_style": {}});
        for config in [json!([1]), json!("x"), wrong_types] {
            assert_eq!(read(config), defaults);
        }
    }

    #[test]
    fn turns_are_clamped() {
        let turns = |value: Value| read(json!({ "max_turns": value })).max_turns;
        assert_eq!(turns(json!(1)), 1);
        assert_eq!(turns(json!("40")), 40);
        assert_eq!(turns(json!(501)), 500);
        assert_eq!(turns(json!(u64::MAX)), 500);
        assert_eq!(turns(json!(0)), 200);
        assert_eq!(turns(json!(-3)), 200);
        let planning =
            |value: Value| read(json!({ "max_planning_turns": value })).max_planning_turns;
        assert_eq!(planning(json!(0)), Some(1));
        assert_eq!(planning(json!(51)), Some(50));
        assert_eq!(planning(json!("x")), None);
    }

    #[test]
    fn switches_and_texts() {
        for on in [json!(true), json!("On"), json!("1"), json!(" yes ")] {
            assert!(read(json!({ "loop_enabled": on })).loop_enabled);
        }
        for off in [json!(false), json!("off"), json!("workspace"), json!(1)] {
            assert!(!read(json!({ "loop_enabled": off })).loop_enabled);
        }
        let config = read(json!({"test_cmd": " make test ", "test_min": "12"}));
        assert_eq!(
            (config.test_cmd.as_deref(), config.test_min),
            (Some("make test"), Some(12))
        );
        assert_eq!(read(json!({"test_min": 0})).test_min, None);
    }
}
