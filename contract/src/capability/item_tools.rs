//! Which tools an item names: the one it is pinned to, and its requirements.

use serde_json::Value;

use crate::board::Item;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Required,
    Preferred,
}

/// The tool that alone may do the item.
pub fn pinned(item: &Item) -> Option<&str> {
    let tool = item.required_tool.as_deref()?.trim();
    (!tool.is_empty()).then_some(tool)
}

/// Names of the item's requirements of one kind, in their order. A requirement is `{name, required_or_preferred}` or
/// a bare name; one that does not say `preferred` is required. What has no name is passed over.
pub fn of_need(item: &Item, need: Need) -> Vec<&str> {
    item.tool_requirements
        .as_array()
        .into_iter()
        .flatten()
        .filter(|requirement| need_of(requirement) == need)
        .filter_map(name_of)
        .collect()
}

fn need_of(requirement: &Value) -> Need {
    match requirement["required_or_preferred"].as_str() {
        Some("preferred") => Need::Preferred,
        _ => Need::Required,
    }
}

fn name_of(requirement: &Value) -> Option<&str> {
    let name = requirement
        .as_str()
        .or_else(|| requirement["name"].as_str())?
        .trim();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requirements_are_required_unless_they_say_otherwise() {
        let item = Item {
            required_tool: Some(" cargo ".into()),
            tool_requirements: json!([
                {"name": "a", "required_or_preferred": "required"},
                {"name": "b", "required_or_preferred": "preferred"},
                {"name": "c"}, "d", "", 7, null, {"name": " "}, ["e"],
            ]),
            ..Item::new("i", "i")
        };
        assert_eq!(pinned(&item), Some("cargo"));
        assert_eq!(of_need(&item, Need::Required), ["a", "c", "d"]);
        assert_eq!(of_need(&item, Need::Preferred), ["b"]);
    }

    #[test]
    fn an_item_may_name_none() {
        for stored in [json!(null), json!("[]"), json!({}), json!([])] {
            let item = Item {
                required_tool: Some(" ".into()),
                tool_requirements: stored,
                ..Item::new("i", "i")
            };
            assert_eq!(pinned(&item), None);
            assert!(of_need(&item, Need::Required).is_empty());
        }
    }
}
