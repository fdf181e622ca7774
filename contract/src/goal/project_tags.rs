//! The tags that say which project a block belongs to and what it starts with.
//!
//! Source: The Handoff Contract, "Project bootstrap".

use serde_json::{Value, json};

use super::executor_config::ExecutorConfig;
use crate::handoff::Project;
use crate::text::xml::Element;

/// Printed for a setting that the project does not have.
pub const UNSET: &str = "unset";
/// Printed for the version of a handoff over all versions.
pub const UNSCOPED: &str = "unscoped";

/// The key of a profile without layers: the digest of `[]`.
const PROFILE_GENERATION: &str =
    "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";

pub fn profile_generation() -> Element {
    Element::new("profile_generation")
        .attr("key", PROFILE_GENERATION)
        .attr("restart_required", false)
}

/// The `profile_binding` of the response, in step with [`profile_generation`]: no layer, so nothing to restart.
pub fn profile_binding() -> Value {
    json!({
        "generation_key": PROFILE_GENERATION,
        "executable": true,
        "degraded": false,
        "restart_required": false,
        "restart_report": {"tunnel": "none", "connector": "none", "capability": "none", "general": "none"},
    })
}

pub fn project_start_config(
    project: &Project,
    version: Option<&str>,
    config: &ExecutorConfig,
) -> Element {
    let name = Some(project.name.as_str()).filter(|name| !name.trim().is_empty());
    Element::new("project_start_config")
        .attr("project_id", &project.project_id)
        .attr("project_name", name.unwrap_or(UNSET))
        .attr("version", version.unwrap_or(UNSCOPED))
        .attr("repo_path", config.repo_path.as_deref().unwrap_or(UNSET))
        .attr("test_cmd", config.test_cmd.as_deref().unwrap_or(UNSET))
        .attr("shell", config.shell_type.as_deref().unwrap_or(UNSET))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(name: &str, settings: Value) -> Project {
        Project {
            settings,
            ..Project::new("p1", name)
        }
    }

    #[test]
    fn missing_settings_are_unset() {
        let project = project(" ", Value::Null);
        assert_eq!(
            project_start_config(&project, None, &ExecutorConfig::read(&project.settings))
                .to_string(),
            r#"<project_start_config project_id="p1" project_name="unset" version="unscoped" repo_path="unset" test_cmd="unset" shell="unset" />"#
        );
    }

    #[test]
    fn settings_are_escaped_attributes() {
        let settings = json!({"executor_config": {"repo_path": "repo", "test_cmd": "t \"x\"", "shell_type": "bash"}});
        let project = project("A & B", settings);
        assert_eq!(
            project_start_config(
                &project,
                Some("v1"),
                &ExecutorConfig::read(&project.settings)
            )
            .to_string(),
            r#"<project_start_config project_id="p1" project_name="A &amp; B" version="v1" repo_path="repo" test_cmd="t &quot;x&quot;" shell="bash" />"#
        );
    }

    #[test]
    fn tag_and_binding_name_the_same_generation() {
        assert!(
            profile_generation()
                .to_string()
                .contains(profile_binding()["generation_key"].as_str().unwrap())
        );
    }
}
