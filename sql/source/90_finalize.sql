-- Last: who owns what, what a dump carries, who may call, and what each object is for.

-- In a trusted install this script runs as the bootstrap superuser; the tables belong to whoever installs.
ALTER TABLE meridian.projects OWNER TO @extowner@;
ALTER TABLE meridian.sprint_items OWNER TO @extowner@;
ALTER TABLE meridian.sprint_item_pointers OWNER TO @extowner@;
ALTER TABLE meridian.wave_gates OWNER TO @extowner@;
ALTER TABLE meridian.decisions OWNER TO @extowner@;
ALTER TABLE meridian.notes OWNER TO @extowner@;
ALTER TABLE meridian.tasks OWNER TO @extowner@;
ALTER TABLE meridian.hitl_gates OWNER TO @extowner@;
ALTER TABLE meridian.sprint_versions OWNER TO @extowner@;
ALTER TABLE meridian.workspace_decisions OWNER TO @extowner@;
ALTER TABLE meridian.workspace_notes OWNER TO @extowner@;
ALTER TABLE meridian.workspace_settings OWNER TO @extowner@;
ALTER TABLE meridian.artifact_checks OWNER TO @extowner@;
ALTER TABLE meridian.sessions OWNER TO @extowner@;
ALTER TABLE meridian.handoff_tokens OWNER TO @extowner@;
ALTER TABLE meridian.handoffs OWNER TO @extowner@;
ALTER TABLE meridian.pending_goals OWNER TO @extowner@;
ALTER TABLE meridian.events OWNER TO @extowner@;
ALTER TABLE meridian.sprint_item_history OWNER TO @extowner@;
ALTER TABLE meridian.board_sources OWNER TO @extowner@;
ALTER TABLE meridian.capability_manifests OWNER TO @extowner@;
ALTER TABLE meridian.capability_availability OWNER TO @extowner@;
ALTER TABLE meridian.release_transactions OWNER TO @extowner@;
ALTER TABLE meridian.release_transaction_states OWNER TO @extowner@;
ALTER TABLE meridian.packets OWNER TO @extowner@;
ALTER TABLE meridian.access_grants OWNER TO @extowner@;
ALTER VIEW meridian.handoff_status OWNER TO @extowner@;

-- Without these a dump would lose the rows, and a restored identity column would start again at 1.
SELECT pg_catalog.pg_extension_config_dump('meridian.projects', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_items', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_pointers', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.wave_gates', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.decisions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.notes', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.tasks', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.hitl_gates', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_versions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.workspace_decisions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.workspace_notes', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.workspace_settings', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.artifact_checks', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sessions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.handoff_tokens', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.handoffs', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.pending_goals', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.events', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_history', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.board_sources', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.capability_manifests', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.capability_availability', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.release_transactions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.release_transaction_states', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.packets', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.access_grants', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.events_event_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.handoffs_handoff_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.release_transaction_states_sequence_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_history_history_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_pointers_pointer_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.tasks_task_id_seq', '');

-- Freshly installed, only the installing role can call anything, and let others call it: grant_access hands on, as that
-- role, what it has with grant option. A trigger needs no grant to fire; whoever attaches a board puts record_item_history
-- on it, and it records for attached relations alone.
REVOKE ALL ON FUNCTION meridian.get_sprint_items(text, text[], text, boolean, boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.compute_board_revision(jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.verify_board_revision(jsonb, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.board_revision(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.verify_live_board(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.cross_check_items(text, text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.board_changes_since(text, bigint, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.plan_waves(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.plan_waves_mermaid(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.claim_sprint_item(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.claim_next_sprint_item(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.complete_sprint_item(text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.release_sprint_item(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.request_hitl(text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.answer_hitl(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.set_capability_manifest(text, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.report_capability_availability(text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.capability_contract(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.blocker_policy(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.start_session(text, text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.end_session(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.generate_handoff(text, text, text, text, text[], text[], boolean, boolean, boolean, boolean, boolean, jsonb, integer, jsonb, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.resolve_handoff_mode(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.handoff_mode_is_retrievable(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.load_handoff(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.mint_handoff_token(text, text, interval) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.verify_handoff_token(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.strip_goal_token_banner(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.extract_goal_block(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.format_handoff_mcp_content(text, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.purge_handoff_tokens(interval, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.purge_history(interval, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.grant_access(regrole, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.revoke_access(regrole) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.list_access() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.meridian_version() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.attach_board(text, regclass, jsonb, jsonb, boolean, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.detach_board(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.guard_wave_gate() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.record_item_history() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.next_xid() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION meridian.get_sprint_items(text, text[], text, boolean, boolean) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.compute_board_revision(jsonb) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.verify_board_revision(jsonb, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.board_revision(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.verify_live_board(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.cross_check_items(text, text[]) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.board_changes_since(text, bigint, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.plan_waves(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.plan_waves_mermaid(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.claim_sprint_item(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.claim_next_sprint_item(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.complete_sprint_item(text, text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.release_sprint_item(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.request_hitl(text, text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.answer_hitl(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.set_capability_manifest(text, jsonb) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.report_capability_availability(text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.capability_contract(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.blocker_policy(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.start_session(text, text, text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.end_session(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.generate_handoff(text, text, text, text, text[], text[], boolean, boolean, boolean, boolean, boolean, jsonb, integer, jsonb, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.resolve_handoff_mode(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.handoff_mode_is_retrievable(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.load_handoff(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.mint_handoff_token(text, text, interval) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.verify_handoff_token(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.strip_goal_token_banner(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.extract_goal_block(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.format_handoff_mcp_content(text, integer) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.purge_handoff_tokens(interval, integer) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.purge_history(interval, integer) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.grant_access(regrole, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.revoke_access(regrole) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.list_access() TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.detach_board(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.record_item_history() TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.next_xid() TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.attach_board(text, regclass, jsonb, jsonb, boolean, jsonb) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.meridian_version() TO @extowner@ WITH GRANT OPTION;

-- Monitoring sees the status view and what it counts, and nothing else.
GRANT USAGE ON SCHEMA meridian TO pg_monitor;
GRANT SELECT ON meridian.handoff_status TO pg_monitor;
GRANT SELECT (project_id) ON meridian.projects TO pg_monitor;
GRANT SELECT (project_id, status) ON meridian.sprint_items TO pg_monitor;
GRANT SELECT (project_id, expires_at, consumed_at, superseded_at) ON meridian.handoff_tokens TO pg_monitor;
GRANT SELECT (project_id, handoff_id, created_at) ON meridian.pending_goals TO pg_monitor;
GRANT SELECT (project_id, handoff_id, mode, checkpoint, created_at, amended_at) ON meridian.handoffs TO pg_monitor;
GRANT SELECT (project_id, state, updated_at) ON meridian.release_transactions TO pg_monitor;
GRANT SELECT (project_id) ON meridian.board_sources TO pg_monitor;

COMMENT ON SCHEMA meridian IS 'Agent handoffs: boards, goals, tokens, packets and the functions over them.';
COMMENT ON TABLE meridian.projects IS 'The projects; visibility of a row here is visibility of everything the project has.';
COMMENT ON TABLE meridian.sprint_items IS 'The board: one row an item of work.';
COMMENT ON TABLE meridian.sprint_item_pointers IS 'Where the code or artifact of an item lies: targets is [{uri, selector, subSelector?, target_kind}].';
COMMENT ON TABLE meridian.wave_gates IS 'Gates between the waves of a board; setting passed_at passes one.';
COMMENT ON TABLE meridian.decisions IS 'Decisions of a project; pinned ones stand in narrative handoffs.';
COMMENT ON TABLE meridian.notes IS 'Notes of a project: untrusted text for its planners.';
COMMENT ON TABLE meridian.tasks IS 'The log of what was done, found or blocked.';
COMMENT ON TABLE meridian.hitl_gates IS 'Questions to a human; an open one on an item is shown in every handoff that lists the item.';
COMMENT ON TABLE meridian.sprint_versions IS 'Descriptions of sprint versions; the row with version '''' holds the project''s completion criteria.';
COMMENT ON TABLE meridian.workspace_decisions IS 'Decisions of a whole tenant; a NULL tenant stands for the projects without one.';
COMMENT ON TABLE meridian.workspace_notes IS 'Notes of a whole tenant; a NULL tenant stands for the projects without one.';
COMMENT ON TABLE meridian.workspace_settings IS 'Settings of a whole tenant; a NULL tenant stands for the projects without one.';
COMMENT ON TABLE meridian.artifact_checks IS 'What checks found on the artifacts that items point to.';
COMMENT ON TABLE meridian.sessions IS 'Who works on a project. Kept by start_session and end_session.';
COMMENT ON TABLE meridian.handoff_tokens IS 'Digests of minted tokens and whether they are spent; the token itself is stored nowhere.';
COMMENT ON TABLE meridian.handoffs IS 'Every generation that can be loaded again, without its token.';
COMMENT ON TABLE meridian.pending_goals IS 'The goal of a project that nobody has picked up yet.';
COMMENT ON TABLE meridian.events IS 'What the protocol did, by name: never a token, a body, a question or an answer.';
COMMENT ON TABLE meridian.sprint_item_history IS 'What changed on the board: one row a changed item, written by trigger.';
COMMENT ON TABLE meridian.board_sources IS 'Boards that live in a relation of the user''s.';
COMMENT ON TABLE meridian.capability_manifests IS 'What a project needs of its executors'' tools.';
COMMENT ON TABLE meridian.capability_availability IS 'What callers reported of the tools they reach.';
COMMENT ON TABLE meridian.release_transactions IS 'Releases of files in progress, by their present state.';
COMMENT ON TABLE meridian.release_transaction_states IS 'Every state that a release went through; append-only.';
COMMENT ON TABLE meridian.packets IS 'Saved handover packets, by content id.';
COMMENT ON TABLE meridian.access_grants IS 'Which role was granted which level of access.';
COMMENT ON VIEW meridian.handoff_status IS 'One row a project: tokens that can still be spent, the goal that waits, items by status, releases that are stuck, the last handoff. No texts.';
COMMENT ON FUNCTION meridian.get_sprint_items(text, text[], text, boolean, boolean) IS 'Items of a project in listing order; NULL statuses stand for every non-done one.';
COMMENT ON FUNCTION meridian.compute_board_revision(jsonb) IS 'The digest over id, status and depends_on of the given items: 64 hex characters.';
COMMENT ON FUNCTION meridian.verify_board_revision(jsonb, text) IS 'Whether the given items still have this revision.';
COMMENT ON FUNCTION meridian.board_revision(text, text) IS 'The revision of the live board, of one version or of all.';
COMMENT ON FUNCTION meridian.verify_live_board(text, text, text) IS 'Whether the live board still has this revision.';
COMMENT ON FUNCTION meridian.cross_check_items(text, text[]) IS 'Each id against the live board: live, terminal, or suspicious because the project has no such item.';
COMMENT ON FUNCTION meridian.board_changes_since(text, bigint, text) IS 'What happened to the board after a row of its history, oldest first.';
COMMENT ON FUNCTION meridian.plan_waves(text, text) IS 'The claimable batch by dependency wave, with what each item waits for inside it.';
COMMENT ON FUNCTION meridian.plan_waves_mermaid(text, text) IS 'The same as a Mermaid flowchart.';
COMMENT ON FUNCTION meridian.claim_sprint_item(text, text, text) IS 'Claims an item if every gate lets it through; a refusal is an answer with its reason.';
COMMENT ON FUNCTION meridian.claim_next_sprint_item(text, text, text) IS 'Claims the first claimable item that nobody else is claiming.';
COMMENT ON FUNCTION meridian.complete_sprint_item(text, text, text, text, text) IS 'Finishes a claimed item as done, failed, skipped or pushed.';
COMMENT ON FUNCTION meridian.release_sprint_item(text, text, text) IS 'Gives a claimed item back to the board.';
COMMENT ON FUNCTION meridian.request_hitl(text, text, text, text, text) IS 'Puts a question to a human, about an item or the project.';
COMMENT ON FUNCTION meridian.answer_hitl(text, text, text) IS 'Answers an open question.';
COMMENT ON FUNCTION meridian.set_capability_manifest(text, jsonb) IS 'Declares which tools a project needs and what it means when one is missing, in the place of an earlier manifest.';
COMMENT ON FUNCTION meridian.report_capability_availability(text, text, text, text) IS 'Says how it stands with one tool; the newest report counts.';
COMMENT ON FUNCTION meridian.capability_contract(text, text) IS 'What a project needs of tools, what of it there is, and whether work can start, for one version or all.';
COMMENT ON FUNCTION meridian.blocker_policy(text) IS 'Which pending items something keeps from being done, what waits for them, and whether the run goes on.';
COMMENT ON FUNCTION meridian.start_session(text, text, text, text, text, text) IS 'Begins a session and picks up the pending goal, if there is one for it.';
COMMENT ON FUNCTION meridian.end_session(text) IS 'Ends a session; false if it had ended before.';
COMMENT ON FUNCTION meridian.generate_handoff(text, text, text, text, text[], text[], boolean, boolean, boolean, boolean, boolean, jsonb, integer, jsonb, text) IS 'Renders a handoff from the board, stores it, mints its token and answers with the response envelope.';
COMMENT ON FUNCTION meridian.resolve_handoff_mode(text, text) IS 'The mode that an omitted one resolves to; never full.';
COMMENT ON FUNCTION meridian.handoff_mode_is_retrievable(text) IS 'Whether load_handoff can give a handoff of this mode again.';
COMMENT ON FUNCTION meridian.load_handoff(text) IS 'The newest stored handoff over the trusted channel; reads only.';
COMMENT ON FUNCTION meridian.mint_handoff_token(text, text, interval) IS 'Mints a single-use token, bound to the body if one is given. Whoever may call it can vouch for any text.';
COMMENT ON FUNCTION meridian.verify_handoff_token(text, text, text) IS 'Presents a token, with the text it came with, and spends it if it is genuine: one reason and its recovery.';
COMMENT ON FUNCTION meridian.strip_goal_token_banner(text) IS 'The text without its token line and banner: what the token was bound to.';
COMMENT ON FUNCTION meridian.extract_goal_block(text) IS 'The /goal block inside a text of any mode, with its token; NULL if there is none.';
COMMENT ON FUNCTION meridian.format_handoff_mcp_content(text, integer) IS 'Cuts content to a number of bytes without cutting a tag, a character or an executable block, and counts what it left out.';
COMMENT ON FUNCTION meridian.purge_handoff_tokens(interval, integer) IS 'Removes tokens that expired longer ago than the retention; gives the number of rows.';
COMMENT ON FUNCTION meridian.purge_history(interval, integer) IS 'Removes old handoffs, events and item history; the newest handoff of each project and pending goals stay. Gives the number of rows.';
COMMENT ON FUNCTION meridian.grant_access(regrole, text) IS 'Gives a role level reader, executor, planner or admin, in the place of one it had.';
COMMENT ON FUNCTION meridian.revoke_access(regrole) IS 'Takes the level of a role and every right that came with it.';
COMMENT ON FUNCTION meridian.list_access() IS 'Which roles have which level.';
COMMENT ON FUNCTION meridian.meridian_version() IS 'The version of the extension''s library.';
COMMENT ON FUNCTION meridian.attach_board(text, regclass, jsonb, jsonb, boolean, jsonb) IS 'Makes a table or view of the user''s the board of a project; nothing of it is copied.';
COMMENT ON FUNCTION meridian.detach_board(text) IS 'Ends that; the relation stays as it is.';
COMMENT ON FUNCTION meridian.guard_wave_gate() IS 'Trigger: fills wave_end from wave_start and keeps a passed gate as it was.';
COMMENT ON FUNCTION meridian.record_item_history() IS 'Trigger: writes sprint_item_history from the statement''s transition tables.';
COMMENT ON FUNCTION meridian.next_xid() IS 'Default of sprint_item_history.next_xid: the transaction id that is given away next.';
COMMENT ON TRIGGER guard_wave_gate ON meridian.wave_gates IS 'Keeps a passed gate as it was.';
COMMENT ON TRIGGER record_insert ON meridian.sprint_items IS 'Records inserted items.';
COMMENT ON TRIGGER record_update ON meridian.sprint_items IS 'Records changed items.';
COMMENT ON TRIGGER record_delete ON meridian.sprint_items IS 'Records deleted items.';
COMMENT ON TRIGGER record_truncate ON meridian.sprint_items IS 'Records how many items of each project a TRUNCATE removed.';
COMMENT ON INDEX meridian.workspace_settings_tenant IS 'One row a tenant, the NULL one included.';
COMMENT ON INDEX meridian.artifact_checks_project IS 'Checks by project and item.';
COMMENT ON INDEX meridian.sessions_project IS 'Sessions by project.';
COMMENT ON INDEX meridian.handoff_tokens_expiry IS 'For purging; consumption changes no column of it.';
COMMENT ON INDEX meridian.handoff_tokens_handoff IS 'The tokens of a handoff, for retiring them.';
COMMENT ON INDEX meridian.handoffs_project IS 'The newest handoff of a project.';
COMMENT ON INDEX meridian.events_age IS 'For purging.';
COMMENT ON INDEX meridian.events_session IS 'What a session did, the newest last.';
COMMENT ON INDEX meridian.sprint_item_history_project IS 'Changes of a project since a row.';
COMMENT ON INDEX meridian.release_transactions_open IS 'At most one open release a project, change set and path.';
COMMENT ON INDEX meridian.packets_task IS 'The packets of a task by age.';

-- Restored by another role, everything belongs to the owner of the schema again, as it did where the dump was taken.
DO $restored_owner$
DECLARE
    former name;
    member record;
BEGIN
    SELECT pg_catalog.pg_get_userbyid(n.nspowner) INTO former
    FROM pg_catalog.pg_namespace n, pg_catalog.pg_extension e
    WHERE n.nspname OPERATOR(pg_catalog.=) 'meridian' AND e.extname OPERATOR(pg_catalog.=) 'meridian_handoff'
      AND n.nspowner OPERATOR(pg_catalog.<>) e.extowner;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    FOR member IN
        SELECT d.classid, d.objid, c.relkind
        FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_extension e ON e.oid OPERATOR(pg_catalog.=) d.refobjid
        LEFT JOIN pg_catalog.pg_class c
          ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND c.oid OPERATOR(pg_catalog.=) d.objid
        WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
          AND d.deptype OPERATOR(pg_catalog.=) 'e' AND e.extname OPERATOR(pg_catalog.=) 'meridian_handoff'
    LOOP
        IF member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass::pg_catalog.oid THEN
            EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO %I WITH GRANT OPTION',
                member.objid::pg_catalog.regprocedure, former);
        ELSIF member.relkind OPERATOR(pg_catalog.=) 'r' THEN
            EXECUTE pg_catalog.format('ALTER TABLE %s OWNER TO %I', member.objid::pg_catalog.regclass, former);
        ELSIF member.relkind OPERATOR(pg_catalog.=) 'v' THEN
            EXECUTE pg_catalog.format('ALTER VIEW %s OWNER TO %I', member.objid::pg_catalog.regclass, former);
        END IF;
    END LOOP;
END
$restored_owner$;
