-- What each column holds: its shape, its values, and what NULL means where that is not plain.

COMMENT ON COLUMN meridian.projects.project_id IS 'Key of the project, not empty; chosen by whoever inserts the row.';
COMMENT ON COLUMN meridian.projects.name IS 'Name for people, printed in handoffs.';
COMMENT ON COLUMN meridian.projects.tenant_id IS 'Tenant whose workspace decisions, notes and settings apply; NULL: a project without a tenant.';
COMMENT ON COLUMN meridian.projects.north_star IS 'The lasting aim of the project; NULL: none set.';
COMMENT ON COLUMN meridian.projects.version_goal IS 'What the present version is to reach; NULL: none set.';
COMMENT ON COLUMN meridian.projects.sprint_focus IS 'What the present sprint is about; NULL: none set.';
COMMENT ON COLUMN meridian.projects.sprint_focus_updated_at IS 'When sprint_focus was last set, kept by whoever writes it; NULL: not recorded.';
COMMENT ON COLUMN meridian.projects.execution_mode IS 'autonomous: executors start at once; interactive: they plan and confirm first.';
COMMENT ON COLUMN meridian.projects.agent_instructions IS 'Standing instructions to every agent of the project; NULL: none.';
COMMENT ON COLUMN meridian.projects.settings IS 'JSON object; keys executor_config (object), blocker_policy, history (boolean, true if absent), handoff_template. An absent key takes its default.';
COMMENT ON COLUMN meridian.projects.created_at IS 'When the row was added.';

COMMENT ON COLUMN meridian.sprint_items.project_id IS 'Project whose board the item is on.';
COMMENT ON COLUMN meridian.sprint_items.item_id IS 'Id within the project; not empty, without commas, control characters and outer spaces. A random UUID if not given.';
COMMENT ON COLUMN meridian.sprint_items.title IS 'Title, untrusted text; one that starts with MANUAL in any case marks work for a human.';
COMMENT ON COLUMN meridian.sprint_items.notes IS 'Free text about the work, untrusted; NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.status IS 'pending and todo (the same: open), in_progress (claimed), provisional_complete and indeterminate (open to a claim again), or ended as done, failed, skipped or pushed.';
COMMENT ON COLUMN meridian.sprint_items.priority IS 'urgent, high, normal or low: the first key of the listing order.';
COMMENT ON COLUMN meridian.sprint_items.version IS 'Sprint version, compared exactly; NULL: in none, so only listed where no version is asked for.';
COMMENT ON COLUMN meridian.sprint_items.depends_on IS 'Ids of items of the same project that must all have ended before this one can be claimed; empty: none. A missing one blocks.';
COMMENT ON COLUMN meridian.sprint_items.failure_mode IS 'What a failed predecessor does to this item: continue lets it go on, stop keeps it blocked.';
COMMENT ON COLUMN meridian.sprint_items.item_group IS 'Free label that clusters items; NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.milestone_type IS 'task: ordinary work; milestone: a point to reach; human: for a person, never in a batch for executors.';
COMMENT ON COLUMN meridian.sprint_items.human_id IS 'Person it is assigned to; NULL: nobody. Alone it makes nothing manual.';
COMMENT ON COLUMN meridian.sprint_items.blocker_kind IS 'manual: left out of batches but claimable by id; superseded, systemic_invalidated_run: cannot be claimed at all; NULL: not blocked.';
COMMENT ON COLUMN meridian.sprint_items.wave IS 'Label that wave gates compare, a prefix and a number such as W2; NULL or another shape: no gate holds the item.';
COMMENT ON COLUMN meridian.sprint_items.track IS 'Free label; backburner, in any case, parks the item. NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.deferred_until IS 'Until then the item is parked and cannot be claimed; NULL or past: not deferred.';
COMMENT ON COLUMN meridian.sprint_items.touches_resources IS 'JSON array of typed ids such as file:src/a.rs or symbol:src/a.rs::main that the work changes; empty: none declared.';
COMMENT ON COLUMN meridian.sprint_items.tool_requirements IS 'JSON array of {name, server_or_namespace, required_or_preferred, purpose, ...}: the tools that the work calls for; empty: none.';
COMMENT ON COLUMN meridian.sprint_items.required_tool IS 'A tool that the executor is advised to use, as text; gates no claim. NULL: any.';
COMMENT ON COLUMN meridian.sprint_items.prospect_bypass IS 'true: a human lets the item be claimed although no pointer backs up its resources.';
COMMENT ON COLUMN meridian.sprint_items.artifact_policy IS 'JSON; artifact_pointer_check is warn or strict, where strict makes findings on its artifacts count. NULL: no policy.';
COMMENT ON COLUMN meridian.sprint_items.parent_id IS 'Item of the project that this one is a part of; NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.merged_into IS 'Item that has taken this one in; NULL: not merged.';
COMMENT ON COLUMN meridian.sprint_items.require_verification IS 'true: the planner wants the result verified; claiming and completing do not look at it.';
COMMENT ON COLUMN meridian.sprint_items.claimed_by IS 'Session that claimed it last, or the role that did so without one; it stays when the item ends. NULL: unclaimed.';
COMMENT ON COLUMN meridian.sprint_items.claimed_at IS 'When it was claimed; NULL: unclaimed.';
COMMENT ON COLUMN meridian.sprint_items.added_at IS 'When it came onto the board: the second key of the listing order.';
COMMENT ON COLUMN meridian.sprint_items.completed_at IS 'When it was completed with whatever ending; NULL: not by complete_sprint_item yet.';
COMMENT ON COLUMN meridian.sprint_items.completion_note IS 'What the one who completed it had to say; NULL: nothing.';
COMMENT ON COLUMN meridian.sprint_items.updated_at IS 'When the functions last changed the row; plain SQL sets it itself. Alone it makes no history.';

COMMENT ON COLUMN meridian.sprint_item_pointers.project_id IS 'Project of the item.';
COMMENT ON COLUMN meridian.sprint_item_pointers.item_id IS 'Item that the pointer belongs to.';
COMMENT ON COLUMN meridian.sprint_item_pointers.pointer_id IS 'Running number; pointers are read in its order.';
COMMENT ON COLUMN meridian.sprint_item_pointers.source_type IS 'What kind of source it leads to, free text; code unless said otherwise.';
COMMENT ON COLUMN meridian.sprint_item_pointers.targets IS 'JSON array of {uri, selector, subSelector?, target_kind}; target_kind is existing or planned_new.';
COMMENT ON COLUMN meridian.sprint_item_pointers.label IS 'Name for people; NULL: none.';
COMMENT ON COLUMN meridian.sprint_item_pointers.target_resolved IS 'Whether the target was found when somebody looked; NULL: nobody has looked.';
COMMENT ON COLUMN meridian.sprint_item_pointers.created_at IS 'When the pointer was added.';

COMMENT ON COLUMN meridian.wave_gates.project_id IS 'Project whose items the gate holds back.';
COMMENT ON COLUMN meridian.wave_gates.gate_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.wave_gates.version IS 'Holds back items of this sprint version only; NULL: of every version.';
COMMENT ON COLUMN meridian.wave_gates.wave_start IS 'Label of the first wave in front of the gate, such as W1.';
COMMENT ON COLUMN meridian.wave_gates.wave_end IS 'Label of the last one: later waves of the same prefix wait behind the gate. wave_start if not given.';
COMMENT ON COLUMN meridian.wave_gates.actions IS 'What passing takes, at least one of push_dev, push_main, deploy, wait, run_verification.';
COMMENT ON COLUMN meridian.wave_gates.passed_at IS 'When the gate was passed; setting it passes the gate and freezes the row. NULL: closed.';
COMMENT ON COLUMN meridian.wave_gates.verification IS 'Evidence for passing, as JSON of any shape; NULL: none given.';

COMMENT ON COLUMN meridian.decisions.project_id IS 'Project that decided.';
COMMENT ON COLUMN meridian.decisions.decision_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.decisions.title IS 'The decision in a line.';
COMMENT ON COLUMN meridian.decisions.body IS 'The decision at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.decisions.category IS 'Free label; NULL: none.';
COMMENT ON COLUMN meridian.decisions.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.decisions.status IS 'active: in force; superseded: a later decision has replaced it.';
COMMENT ON COLUMN meridian.decisions.pinned IS 'true: belongs to the core of narrative handoffs.';
COMMENT ON COLUMN meridian.decisions.created_at IS 'When the decision was recorded.';

COMMENT ON COLUMN meridian.notes.project_id IS 'Project that the note is about.';
COMMENT ON COLUMN meridian.notes.note_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.notes.title IS 'The note in a line.';
COMMENT ON COLUMN meridian.notes.body IS 'The note at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.notes.tags IS 'Free labels; empty: none.';
COMMENT ON COLUMN meridian.notes.kind IS 'What sort of note it is, free text; note unless said otherwise.';
COMMENT ON COLUMN meridian.notes.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.notes.created_at IS 'When the note was written.';

COMMENT ON COLUMN meridian.tasks.project_id IS 'Project that the entry is about.';
COMMENT ON COLUMN meridian.tasks.task_id IS 'Running number of the entry.';
COMMENT ON COLUMN meridian.tasks.kind IS 'progress: on the way; done: finished; blocked: stuck; found: noticed on the side.';
COMMENT ON COLUMN meridian.tasks.description IS 'What happened, untrusted text.';
COMMENT ON COLUMN meridian.tasks.session_id IS 'Session that reports it; NULL: written outside any session.';
COMMENT ON COLUMN meridian.tasks.created_at IS 'When the entry was written.';

COMMENT ON COLUMN meridian.hitl_gates.project_id IS 'Project that the question is about.';
COMMENT ON COLUMN meridian.hitl_gates.gate_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.hitl_gates.item_id IS 'Item that waits for the answer; NULL: the question is about the project.';
COMMENT ON COLUMN meridian.hitl_gates.question IS 'The question to a human, not empty.';
COMMENT ON COLUMN meridian.hitl_gates.urgency IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.hitl_gates.status IS 'open: waits for an answer; answered: has one; withdrawn: needs none any more.';
COMMENT ON COLUMN meridian.hitl_gates.answer IS 'The human''s answer; never NULL once answered.';
COMMENT ON COLUMN meridian.hitl_gates.session_id IS 'Session that asks; NULL: asked outside any session.';
COMMENT ON COLUMN meridian.hitl_gates.created_at IS 'When it was asked.';
COMMENT ON COLUMN meridian.hitl_gates.answered_at IS 'When it was answered; never NULL once answered.';

COMMENT ON COLUMN meridian.sprint_versions.project_id IS 'Project that the version belongs to.';
COMMENT ON COLUMN meridian.sprint_versions.version IS 'Name of the version as items carry it; empty: the row of the whole project.';
COMMENT ON COLUMN meridian.sprint_versions.description IS 'What the version is about, or, for the empty version, when the project counts as complete; NULL: not said.';

COMMENT ON COLUMN meridian.workspace_decisions.tenant_id IS 'Tenant whose projects it binds; NULL: the projects without a tenant.';
COMMENT ON COLUMN meridian.workspace_decisions.decision_id IS 'Id, unique over all tenants; a random UUID if not given.';
COMMENT ON COLUMN meridian.workspace_decisions.title IS 'The decision in a line.';
COMMENT ON COLUMN meridian.workspace_decisions.body IS 'The decision at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.workspace_decisions.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.workspace_decisions.status IS 'active: in force; superseded: a later decision has replaced it.';
COMMENT ON COLUMN meridian.workspace_decisions.created_at IS 'When the decision was recorded.';

COMMENT ON COLUMN meridian.workspace_notes.tenant_id IS 'Tenant whose projects it concerns; NULL: the projects without a tenant.';
COMMENT ON COLUMN meridian.workspace_notes.note_id IS 'Id, unique over all tenants; a random UUID if not given.';
COMMENT ON COLUMN meridian.workspace_notes.title IS 'The note in a line.';
COMMENT ON COLUMN meridian.workspace_notes.body IS 'The note at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.workspace_notes.tags IS 'Free labels; empty: none.';
COMMENT ON COLUMN meridian.workspace_notes.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.workspace_notes.status IS 'active: still holds; superseded: a later note has replaced it.';
COMMENT ON COLUMN meridian.workspace_notes.created_at IS 'When the note was written.';

COMMENT ON COLUMN meridian.workspace_settings.tenant_id IS 'Tenant, at most one row each; NULL: the projects without a tenant.';
COMMENT ON COLUMN meridian.workspace_settings.settings IS 'JSON object; keys loop_enabled_default and handoff_template. An absent key takes its default.';

COMMENT ON COLUMN meridian.artifact_checks.project_id IS 'Project that the artifact belongs to.';
COMMENT ON COLUMN meridian.artifact_checks.item_id IS 'Item that the artifact is of; NULL: of none in particular.';
COMMENT ON COLUMN meridian.artifact_checks.path IS 'Path of the artifact that was checked.';
COMMENT ON COLUMN meridian.artifact_checks.check_name IS 'Name of the check, chosen by whoever ran it.';
COMMENT ON COLUMN meridian.artifact_checks.status IS 'passed, failed, or unavailable: the check could not be run, which says nothing about the artifact.';
COMMENT ON COLUMN meridian.artifact_checks.detail IS 'Findings as JSON of any shape; NULL: none given.';
COMMENT ON COLUMN meridian.artifact_checks.checked_at IS 'When the check ran.';

COMMENT ON COLUMN meridian.sessions.session_id IS 'Id of the session, a random UUID, unique over all projects.';
COMMENT ON COLUMN meridian.sessions.project_id IS 'Project that it works on.';
COMMENT ON COLUMN meridian.sessions.name IS 'Name that it gave itself; NULL: none.';
COMMENT ON COLUMN meridian.sessions.role IS 'What it works as, such as executor or planner, free text and no database role; NULL: not said.';
COMMENT ON COLUMN meridian.sessions.human_id IS 'Person it works for; NULL: not said.';
COMMENT ON COLUMN meridian.sessions.version IS 'Sprint version that its handoffs cover unless they name one; NULL: all.';
COMMENT ON COLUMN meridian.sessions.worktree IS 'Directory that it works in; NULL: not said.';
COMMENT ON COLUMN meridian.sessions.status IS 'active: may claim; ended: over for good, and its claims may be retaken.';
COMMENT ON COLUMN meridian.sessions.created_at IS 'When it began.';
COMMENT ON COLUMN meridian.sessions.last_seen IS 'When the functions last recorded a sign of it.';
COMMENT ON COLUMN meridian.sessions.ended_at IS 'When it ended; NULL: still active.';

COMMENT ON COLUMN meridian.handoff_tokens.token_digest IS 'SHA-256 of the token, 32 bytes.';
COMMENT ON COLUMN meridian.handoff_tokens.project_id IS 'Project that the token was minted for; it is good for no other.';
COMMENT ON COLUMN meridian.handoff_tokens.body_hash IS 'SHA-256 of the text that the token vouches for, 32 bytes; NULL: minted without a text, so none can be checked.';
COMMENT ON COLUMN meridian.handoff_tokens.handoff_id IS 'Stored handoff that it goes with; NULL: none was stored.';
COMMENT ON COLUMN meridian.handoff_tokens.minted_at IS 'When it was minted.';
COMMENT ON COLUMN meridian.handoff_tokens.expires_at IS 'From then on it is refused.';
COMMENT ON COLUMN meridian.handoff_tokens.consumed_at IS 'When it was spent; NULL: unspent.';
COMMENT ON COLUMN meridian.handoff_tokens.superseded_at IS 'When a newer generation took the place of its handoff, which ends it early; NULL: not replaced.';

COMMENT ON COLUMN meridian.handoffs.handoff_id IS 'Running number, which is the order of handoffs.';
COMMENT ON COLUMN meridian.handoffs.project_id IS 'Project that is handed on.';
COMMENT ON COLUMN meridian.handoffs.session_id IS 'Session that generated it; NULL: generated outside any session.';
COMMENT ON COLUMN meridian.handoffs.mode IS 'Shape of the handoff: planner, full, delta, starter, compact or goal.';
COMMENT ON COLUMN meridian.handoffs.content IS 'The text as rendered, without its token and security banner.';
COMMENT ON COLUMN meridian.handoffs.content_hash IS 'SHA-256 of content as 64 lower-case hex characters.';
COMMENT ON COLUMN meridian.handoffs.board_revision IS 'Digest of the board that it was rendered from, 64 lower-case hex characters; NULL: none taken.';
COMMENT ON COLUMN meridian.handoffs.selected_item_ids IS 'Items that it was narrowed to; NULL: no selection.';
COMMENT ON COLUMN meridian.handoffs.receiver IS 'Who may pick it up, {session_name?, role?, worktree?}; NULL: any session of the project.';
COMMENT ON COLUMN meridian.handoffs.checkpoint IS 'true: a record on the side, never loaded as the latest handoff and never a pending goal.';
COMMENT ON COLUMN meridian.handoffs.amended_at IS 'When a newer generation for the same receiver last took the row over before anybody picked it up; NULL: as first stored.';
COMMENT ON COLUMN meridian.handoffs.created_at IS 'When it was first generated.';

COMMENT ON COLUMN meridian.pending_goals.project_id IS 'Project; it has one pending goal at most.';
COMMENT ON COLUMN meridian.pending_goals.handoff_id IS 'Handoff that the goal comes from.';
COMMENT ON COLUMN meridian.pending_goals.content IS 'The goal block alone, without its token and security banner.';
COMMENT ON COLUMN meridian.pending_goals.receiver IS 'Who may pick it up, {session_name?, role?, worktree?}; NULL: whoever starts a session first.';
COMMENT ON COLUMN meridian.pending_goals.created_at IS 'When it became pending, which tells whether it is stale.';

COMMENT ON COLUMN meridian.events.event_id IS 'Running number of the event.';
COMMENT ON COLUMN meridian.events.project_id IS 'Project that it happened in.';
COMMENT ON COLUMN meridian.events.event_type IS 'What happened, such as handoff_generated, token_verified or item_claimed.';
COMMENT ON COLUMN meridian.events.session_id IS 'Session that did it; NULL: done outside any session.';
COMMENT ON COLUMN meridian.events.actor IS 'Who did it: the session, else the role; NULL: not recorded.';
COMMENT ON COLUMN meridian.events.item_id IS 'Item concerned; NULL: none.';
COMMENT ON COLUMN meridian.events.handoff_id IS 'Stored handoff concerned; NULL: none.';
COMMENT ON COLUMN meridian.events.outcome IS 'How it came out, in a word of the event''s own: a reason code, a mode, a status; NULL: nothing to tell.';
COMMENT ON COLUMN meridian.events.occurred_at IS 'When it happened, by the wall clock, not the start of the transaction.';

COMMENT ON COLUMN meridian.sprint_item_history.history_id IS 'Running number; drawn before the commit, so a lower one can become visible later.';
COMMENT ON COLUMN meridian.sprint_item_history.project_id IS 'Project of the changed item; NULL: its row named none.';
COMMENT ON COLUMN meridian.sprint_item_history.item_id IS 'Changed item; NULL for TRUNCATE, which has one row a project.';
COMMENT ON COLUMN meridian.sprint_item_history.operation IS 'INSERT, UPDATE, DELETE or TRUNCATE; a change of key is a DELETE and an INSERT.';
COMMENT ON COLUMN meridian.sprint_item_history.old_status IS 'Status before; NULL where there was no item, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.new_status IS 'Status after; NULL where the item is gone, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.old_depends_on IS 'Dependencies before; NULL where there was no item, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.new_depends_on IS 'Dependencies after; NULL where the item is gone, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.changed_columns IS 'Names of the columns that an UPDATE gave another value, updated_at left aside; NULL for other operations.';
COMMENT ON COLUMN meridian.sprint_item_history.changed_by IS 'Role that wrote the change.';
COMMENT ON COLUMN meridian.sprint_item_history.session_id IS 'Session that the writer worked in, by its own word (meridian.session_id); NULL: none named.';
COMMENT ON COLUMN meridian.sprint_item_history.transaction_id IS 'Transaction that made the change.';
COMMENT ON COLUMN meridian.sprint_item_history.changed_at IS 'When it was written, by the wall clock; it takes effect with the commit.';
COMMENT ON COLUMN meridian.sprint_item_history.row_count IS 'For TRUNCATE the number of items that the project lost; NULL for other operations.';
COMMENT ON COLUMN meridian.sprint_item_history.next_xid IS 'First transaction id that nobody had when history_id was drawn: who began to write later has higher ids.';

COMMENT ON COLUMN meridian.board_sources.project_id IS 'Project whose board is not in sprint_items.';
COMMENT ON COLUMN meridian.board_sources.relation IS 'Table, view or foreign table that holds its items.';
COMMENT ON COLUMN meridian.board_sources.columns IS 'JSON object from column names of sprint_items to those of the relation; an absent one has the same name there, and project_id as null says that it holds one project only. NULL: all names are the same.';
COMMENT ON COLUMN meridian.board_sources.status_map IS 'JSON object from the relation''s status values to those of sprint_items; NULL: they are the same.';
COMMENT ON COLUMN meridian.board_sources.status_write IS 'JSON object from our status values to the ones to write, where status_map leaves a choice; NULL: nowhere.';
COMMENT ON COLUMN meridian.board_sources.track_history IS 'true: triggers on the relation record its changes in sprint_item_history.';

COMMENT ON COLUMN meridian.capability_manifests.project_id IS 'Project that the manifest is of.';
COMMENT ON COLUMN meridian.capability_manifests.manifest IS 'The capabilities that it needs, as JSON entries with id, purpose, required_tools and how binding each is; NULL: none declared.';
COMMENT ON COLUMN meridian.capability_manifests.manifest_hash IS 'SHA-256 of the manifest in canonical form, in hex; NULL: no manifest.';
COMMENT ON COLUMN meridian.capability_manifests.updated_at IS 'When the manifest was last set.';

COMMENT ON COLUMN meridian.capability_availability.project_id IS 'Project that the report is for.';
COMMENT ON COLUMN meridian.capability_availability.tool IS 'Tool, named as manifests name it.';
COMMENT ON COLUMN meridian.capability_availability.status IS 'available: works; degraded: works in part; missing: not there; unknown: could not be found out.';
COMMENT ON COLUMN meridian.capability_availability.detail IS 'Remark of the one who reported; NULL: none.';
COMMENT ON COLUMN meridian.capability_availability.reported_at IS 'When the tool was last reported on.';

COMMENT ON COLUMN meridian.release_transactions.project_id IS 'Project that releases.';
COMMENT ON COLUMN meridian.release_transactions.transaction_id IS 'Id within the project, a random UUID; no transaction of the database.';
COMMENT ON COLUMN meridian.release_transactions.change_set_id IS 'Set of changes that the file belongs to, named by the caller.';
COMMENT ON COLUMN meridian.release_transactions.file_path IS 'File that is replaced; at most one open release for it and its change set.';
COMMENT ON COLUMN meridian.release_transactions.session_id IS 'Session that last carried it on; NULL: none named.';
COMMENT ON COLUMN meridian.release_transactions.state IS 'Present state: PREPARED (opened), STAGED (new content lies aside), PROMOTED (in place), VERIFIED (checked there), DB_COMMITTED (the database followed), RELEASED (finished), ABORTED (given up), RECOVERY_REQUIRED (to be decided).';
COMMENT ON COLUMN meridian.release_transactions.base_hash IS 'Hash of the file before, fixed at opening; NULL: not known, so recovery cannot tell that nothing happened.';
COMMENT ON COLUMN meridian.release_transactions.staged_path IS 'Where the new content lies aside; NULL: not staged, or not said.';
COMMENT ON COLUMN meridian.release_transactions.staged_hash IS 'Hash of the new content that lies aside; NULL: not given.';
COMMENT ON COLUMN meridian.release_transactions.post_hash IS 'Hash of the file with the new content in place; NULL: not given, so recovery cannot tell that it is.';
COMMENT ON COLUMN meridian.release_transactions.provenance_registered IS 'true: the caller has recorded where the new content comes from.';
COMMENT ON COLUMN meridian.release_transactions.render_evidence IS 'What rendering the new file showed, as JSON of any shape; NULL: none given.';
COMMENT ON COLUMN meridian.release_transactions.db_commit_ref IS 'The caller''s reference to what the database committed for it; NULL: not given.';
COMMENT ON COLUMN meridian.release_transactions.error IS 'What went wrong, up to the next state that is reached without an error; NULL: nothing.';
COMMENT ON COLUMN meridian.release_transactions.opened_at IS 'When it was opened.';
COMMENT ON COLUMN meridian.release_transactions.updated_at IS 'When it was last carried on.';

COMMENT ON COLUMN meridian.release_transaction_states.project_id IS 'Project that releases.';
COMMENT ON COLUMN meridian.release_transaction_states.transaction_id IS 'Release that went through the state.';
COMMENT ON COLUMN meridian.release_transaction_states.sequence IS 'Running number: the order of the states.';
COMMENT ON COLUMN meridian.release_transaction_states.state IS 'State that it was in from here on; values as in release_transactions.';
COMMENT ON COLUMN meridian.release_transaction_states.error IS 'What went wrong on the way there; NULL: nothing.';
COMMENT ON COLUMN meridian.release_transaction_states.recorded_at IS 'When the state was recorded, by the wall clock.';

COMMENT ON COLUMN meridian.packets.packet_id IS 'Id computed from the packet''s content, 64 lower-case hex characters.';
COMMENT ON COLUMN meridian.packets.project_id IS 'Project that it was saved for; NULL: for none.';
COMMENT ON COLUMN meridian.packets.task IS 'Name that holds the packets of one line of work together; that of the parent, else the first packet''s id, if not given.';
COMMENT ON COLUMN meridian.packets.parent_id IS 'Packet that it carries on; NULL: the first of its line, or not said.';
COMMENT ON COLUMN meridian.packets.version IS 'Version that the packet itself states, from 1; NULL: none, or too large for this column.';
COMMENT ON COLUMN meridian.packets.packet IS 'The packet, character for character as it was saved.';
COMMENT ON COLUMN meridian.packets.created IS 'Time of creation that its provenance states, as text; NULL: none.';
COMMENT ON COLUMN meridian.packets.handed_off_by IS 'Agent that its provenance names; NULL: none.';
COMMENT ON COLUMN meridian.packets.saved_at IS 'When it was saved here.';
COMMENT ON COLUMN meridian.packets.saved_by IS 'Role that saved it.';

COMMENT ON COLUMN meridian.access_grants.grantee IS 'Role that the level was granted to; one level each.';
COMMENT ON COLUMN meridian.access_grants.level IS 'reader, executor, planner or admin; each includes the ones before it.';
