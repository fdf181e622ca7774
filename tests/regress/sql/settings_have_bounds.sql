-- The settings of the extension: their defaults, bounds, and who may change them; the prefix is reserved.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

-- They are there once the library is.
SELECT meridian_version() <> '' AS loaded;
SELECT name, boot_val, unit, min_val, max_val, context FROM pg_settings WHERE name LIKE 'meridian.%' ORDER BY name;
SELECT statement, error.code
FROM (VALUES
    (1, 'SET meridian.token_ttl = 1'), (2, 'SET meridian.token_ttl = 3600'), (3, 'SET meridian.token_ttl = ''1h'''), (4, 'SET meridian.token_ttl = 0'), (5, 'SET meridian.token_ttl = 3601'), (6, 'SET meridian.token_ttl = ''soon'''),
    (7, 'SET meridian.token_retention = 3600'), (8, 'SET meridian.token_retention = 3599'),
    (9, 'SET meridian.notify = perhaps'),
    (10, 'SET meridian.tokenttl = 1'), (11, 'SET meridian.anything = 1')) AS given (n, statement), pg_temp.error_of(statement) AS error
ORDER BY n;
RESET ALL;
CREATE ROLE regress_meridian_user;
SET ROLE regress_meridian_user;
SET meridian.token_ttl = 10;
SET meridian.token_retention = 7200;
SET meridian.notify = on;
SET meridian.restoring = on;
SET meridian.session_id = 'anybody';
SHOW meridian.session_id;
RESET ROLE;
DROP ROLE regress_meridian_user;
RESET meridian.session_id;
SET search_path = meridian;

-- A goal that becomes pending is announced, if that is asked for.
INSERT INTO projects (project_id, name) VALUES ('settings', 'Settings');
LISTEN meridian_handoff;
SELECT generate_handoff('settings', 'goal') ->> 'mode' AS silent;
SET meridian.notify = on;
BEGIN;
SELECT generate_handoff('settings', 'goal') ->> 'mode' AS rolled_back;
ROLLBACK;
SELECT generate_handoff('settings', 'goal', checkpoint => true) ->> 'mode' AS checkpoint;
\o |sed 's/ received from .*//'
SELECT generate_handoff('settings', 'goal') ->> 'mode' AS announced;
\o
UNLISTEN meridian_handoff;
RESET meridian.notify;

-- What a role set before the library was there to say who may is not kept.
\c -
CREATE ROLE regress_meridian_user;
SET ROLE regress_meridian_user;
SET meridian.token_ttl = 10;
SET meridian.anything = 10;
RESET ROLE;
SELECT meridian.meridian_version() <> '' AS loaded;
SHOW meridian.token_ttl;
SHOW meridian.anything;
DROP ROLE regress_meridian_user;
