-- What is there before an upgrade: rows in every family of tables, a level, a row policy of the user's.
CREATE ROLE upgrade_reader;
INSERT INTO meridian.projects (project_id, name, tenant_id) VALUES ('kept', 'Kept', 'us'), ('hidden', 'Hidden', 'them');
INSERT INTO meridian.sprint_items (project_id, item_id, title, depends_on) VALUES ('kept', 'a', 'A', '{}'), ('kept', 'b', 'B', '{a}'), ('hidden', 'h', 'H', '{}');
INSERT INTO meridian.notes (project_id, title) VALUES ('kept', 'N');
SELECT meridian.start_session('kept', 'before') ->> 'session_id' AS session \gset
SELECT meridian.claim_sprint_item('kept', 'a', :'session');
SELECT meridian.generate_handoff('kept', 'goal', :'session');
SELECT meridian.grant_access('upgrade_reader', 'reader');
ALTER TABLE meridian.projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON meridian.projects USING (tenant_id = 'us');
