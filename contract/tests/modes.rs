//! What each mode holds, as a whole and class by class, and that it is the same each time and verifies.

mod goal_support;
mod mode_support;

use goal_support::*;
use handoff_contract::goal::token;
use handoff_contract::handoff::Mode;
use handoff_contract::receive::verify::{Reason, TokenRow, verify};
use mode_support::*;

fn rendered(mode: Mode) -> String {
    run(&rich(), &rich_request(mode)).unwrap().content
}

#[test]
fn a_rich_goal() {
    insta::assert_snapshot!(rendered(Mode::Goal));
}

#[test]
fn a_rich_starter() {
    insta::assert_snapshot!(rendered(Mode::Starter));
}

#[test]
fn a_rich_delta() {
    insta::assert_snapshot!(rendered(Mode::Delta));
}

#[test]
fn a_rich_full() {
    insta::assert_snapshot!(rendered(Mode::Full));
}

#[test]
fn a_rich_planner() {
    insta::assert_snapshot!(rendered(Mode::Planner));
}

#[test]
fn a_fallback() {
    let snapshot = rich();
    insta::assert_snapshot!(fallback(&snapshot).content);
}

/// A row a mode: workspace text, the three layers, the call that opens a session, a block.
#[test]
fn context_classes() {
    for (mode, workspace, layers, bootstrap, block) in [
        (Mode::Full, true, true, false, true),
        (Mode::Delta, false, false, false, true),
        (Mode::Planner, false, true, false, false),
        (Mode::Starter, false, false, true, true),
        (Mode::Compact, false, false, true, true),
        (Mode::Goal, false, false, true, true),
    ] {
        let generated = run(&rich(), &rich_request(mode)).unwrap();
        let content = &generated.content;
        let holds_any = |texts: &[&str]| texts.iter().any(|text| content.contains(text));
        let holds_all = |texts: &[&str]| texts.iter().all(|text| content.contains(text));
        let workspace_texts = ["House style", "House note", "applies to all projects"];
        let headings = [
            "\n## L0 · Core\n",
            "\n## L1 · Current state\n",
            "\n## L2 · History\n",
        ];
        let own_texts = ["50 ms", "One binary", "Small commits", "Slow disk"];
        let name = mode.as_str();
        assert_eq!(holds_any(&workspace_texts), workspace, "{name}");
        assert_eq!(holds_all(&workspace_texts), workspace, "{name}");
        assert_eq!(holds_any(&headings), layers, "{name}");
        assert_eq!(holds_all(&headings), layers, "{name}");
        assert_eq!(holds_any(&own_texts), layers, "{name}");
        assert_eq!(holds_all(&own_texts), layers, "{name}");
        assert_eq!(content.contains("start_session"), bootstrap, "{name}");
        assert_eq!(generated.block.is_some(), block, "{name}");
        assert_eq!(token::count_blocks(content), usize::from(block), "{name}");
        assert_eq!(mode.needs().workspace > 0, workspace, "{name}");
    }
}

#[test]
fn full_is_never_chosen() {
    for resumed in [false, true] {
        for role in [None, Some("planner"), Some("executor"), Some("full")] {
            assert_ne!(Mode::resolve(None, resumed, role), Ok(Mode::Full));
        }
    }
}

#[test]
fn two_renderings_are_the_same() {
    for mode in Mode::ALL {
        let (first, second) = (rendered(mode), rendered(mode));
        assert_eq!(first, second, "{}", mode.as_str());
    }
}

#[test]
fn every_embedded_block_verifies_from_the_whole_content() {
    for mode in WITH_BLOCK {
        let generated = run(&rich(), &rich_request(mode)).unwrap();
        let row = TokenRow {
            project_id: "p1".into(),
            body_hash: Some(token::digest(generated.block.as_deref().unwrap())),
            expires_at: NOW.plus_seconds(300),
            consumed: false,
            superseded: false,
        };
        let outcome = |text: &str| verify("p1", Some(TOKEN), Some(text), Some(&row), NOW).reason;
        let presented = generated.with_token(TOKEN);
        assert_eq!(outcome(&presented), Reason::Ok, "{}", mode.as_str());
        assert_eq!(
            outcome(&presented.replace("docs", "dogs")),
            Reason::BodyMismatch
        );
    }
}

#[test]
fn needs_name_what_is_read() {
    for mode in Mode::ALL {
        let needs = mode.needs();
        let narrative = matches!(mode, Mode::Full | Mode::Planner);
        assert_eq!(
            needs.decisions > 0 && needs.notes > 0 && needs.sessions > 0,
            narrative
        );
        assert_eq!(needs.tasks > 0, mode != Mode::Goal);
        assert_eq!(
            (needs.since, needs.revision_counter),
            (mode == Mode::Delta, mode == Mode::Delta)
        );
        assert_eq!(needs.template, mode == Mode::Full);
        assert_eq!(needs.events, 25);
    }
}

/// What a mode does not need changes nothing in it.
#[test]
fn nothing_is_printed_that_is_not_needed() {
    for mode in Mode::ALL {
        let needs = mode.needs();
        let mut loaded = rich();
        let context = &mut loaded.context;
        fn unless<T>(needed: bool, rows: &mut T)
        where
            T: Default,
        {
            if !needed {
                *rows = T::default();
            }
        }
        unless(needs.decisions > 0, &mut context.decisions);
        unless(needs.notes > 0, &mut context.notes);
        unless(needs.tasks > 0, &mut context.tasks);
        unless(needs.sessions > 0, &mut context.sessions);
        unless(needs.workspace > 0, &mut context.workspace_decisions);
        unless(needs.workspace > 0, &mut context.workspace_notes);
        unless(needs.since, &mut context.since);
        unless(needs.activity.is_some(), &mut context.activity);
        unless(needs.revision_counter, &mut context.revision_counter);
        assert_eq!(
            content(&loaded, mode),
            content(&rich(), mode),
            "{}",
            mode.as_str()
        );
    }
}
