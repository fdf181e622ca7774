//! The table of levels against the catalog and against the documentation that prints it.

use pgrx::prelude::*;

#[pg_schema]
mod tests {
    use pgrx::prelude::*;

    use crate::backend_tests::*;
    use crate::levels::{FUNCTIONS, Level};

    const DOCUMENTATION: &str = include_str!("../docs/access.md");

    /// Names of the extension's functions, trigger functions left out unless `all`.
    fn functions(all: bool) -> Vec<String> {
        let names = text(&format!(
            "SELECT string_agg(DISTINCT p.proname, ' ' ORDER BY p.proname) FROM pg_proc p
             JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
             JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
             WHERE e.extname = 'meridian_handoff' AND p.pronamespace = 'meridian'::regnamespace
               AND ({all} OR p.prorettype <> 'trigger'::regtype)"
        ));
        let names: Vec<String> = names
            .unwrap_or_default()
            .split(' ')
            .map(str::to_owned)
            .collect();
        assert!(names.len() > 30, "too few functions: {names:?}");
        names
    }

    #[pg_test]
    fn every_function_has_a_level_and_every_level_a_function() {
        let listed: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
        let without_level: Vec<String> = functions(false)
            .into_iter()
            .filter(|name| !listed.contains(&name.as_str()))
            .collect();
        assert_eq!(without_level, Vec::<String>::new());
        let existing = functions(true);
        let without_function: Vec<&&str> = listed
            .iter()
            .filter(|name| !existing.contains(&(**name).to_owned()))
            .collect();
        assert_eq!(without_function, Vec::<&&str>::new());
        for level in Level::ALL {
            assert!(FUNCTIONS.iter().any(|(_, lowest)| *lowest == level));
        }
    }

    #[pg_test]
    fn what_reads_only_is_open_to_readers() {
        let reading = text(
            "SELECT string_agg(DISTINCT p.proname, ' ' ORDER BY p.proname) FROM pg_proc p
             WHERE p.pronamespace = 'meridian'::regnamespace AND p.provolatile <> 'v' AND p.proname <> 'list_access'",
        )
        .unwrap_or_default();
        let readers: Vec<&str> = Level::Reader.functions().collect();
        for name in reading.split(' ') {
            assert!(readers.contains(&name), "{name} only reads");
        }
        assert_eq!(reading.split(' ').count(), readers.len());
    }

    #[pg_test]
    fn the_documentation_prints_the_matrix() {
        let rows: Vec<&str> = DOCUMENTATION
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let expected: Vec<String> = FUNCTIONS
            .iter()
            .map(|(name, lowest)| {
                let cells = Level::ALL.map(|level| if *lowest <= level { "x" } else { " " });
                format!("| `{name}` | {} |", cells.join(" | "))
            })
            .collect();
        assert_eq!(rows, expected);
    }
}
