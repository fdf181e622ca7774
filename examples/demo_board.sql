-- A board to play with: project `demo`, the web shop of a small roastery that is learning to sell subscriptions.
-- Thirty-three items: four finished, one failed, one running, the rest in dependency waves or kept back for one reason each.
-- Every table here is written with plain INSERTs, as anybody would.

INSERT INTO meridian.projects (project_id, name, north_star, version_goal, sprint_focus, sprint_focus_updated_at, agent_instructions, settings)
VALUES (
    'demo',
    'Bean & Leaf web shop',
    'A customer who likes a coffee never has to order it twice.',
    'Subscriptions: start, pause, skip a delivery, cancel, all without writing to support.',
    'Billing first, comfort later',
    now(),
    'Small commits. Money is integer cents, never floating point.',
    '{
        "executor_config": {
            "repo_path": "shop",
            "shell_type": "bash",
            "test_cmd": "make check",
            "test_min": 140,
            "branch": "subscriptions",
            "max_turns": 120,
            "completion_mode": "strict",
            "goal_group_style": "waves",
            "loop_enabled": false,
            "max_planning_turns": 3
        }
    }'
);

INSERT INTO meridian.sprint_versions (project_id, version, description) VALUES
    ('demo', '', 'Every listed item is completed or handed back with a reason, `make check` is green, and no price is computed in two places.'),
    ('demo', '2.0', 'Subscriptions'),
    ('demo', '2.1', 'Gift cards');

-- What is behind us.
INSERT INTO meridian.sprint_items (project_id, item_id, title, status, version, item_group, merged_into, added_at, completed_at, completion_note) VALUES
    ('demo', 'SHOP-1', 'Choose the payment provider', 'done', '2.0', 'research', NULL, now() - interval '20 days', now() - interval '18 days', 'The one whose webhooks are signed.'),
    ('demo', 'SHOP-2', 'Customer accounts keep a default address', 'done', '2.0', 'feature', NULL, now() - interval '19 days', now() - interval '12 days', NULL),
    ('demo', 'SHOP-3', 'Move prices to integer cents', 'done', '2.0', 'refactor', NULL, now() - interval '19 days', now() - interval '9 days', NULL),
    ('demo', 'SHOP-4', 'Add a table of plans', 'skipped', '2.0', 'feature', 'SHOP-10', now() - interval '15 days', now() - interval '14 days', 'The same as SHOP-10.'),
    ('demo', 'SHOP-6', 'Import old standing orders from the spreadsheet', 'failed', '2.0', 'ops', NULL, now() - interval '10 days', now() - interval '5 days', 'Half of the rows have no customer.');

-- Somebody is at work on this one.
INSERT INTO meridian.sprint_items (project_id, item_id, title, status, priority, version, item_group, touches_resources, claimed_by, claimed_at, added_at) VALUES
    ('demo', 'SHOP-5', 'Verify the signature of payment webhooks', 'in_progress', 'high', '2.0', 'feature',
     '["file:shop/webhooks.py"]', 'night-shift', now() - interval '40 minutes', now() - interval '8 days');

-- What can be done: four waves.
INSERT INTO meridian.sprint_items (project_id, item_id, title, notes, priority, version, depends_on, item_group, touches_resources, tool_requirements, required_tool, added_at) VALUES
    -- wave 1
    ('demo', 'SHOP-10', 'Tables for plans and subscriptions', 'One row a subscription; deliveries are rows of their own.', 'urgent', '2.0', '{SHOP-3}', 'feature',
     '["file:shop/schema.sql"]', '[]', NULL, now() - interval '7 days'),
    ('demo', 'SHOP-11', 'Compute the next delivery day', 'Skips Sundays and the days in holidays.csv.', 'high', '2.0', '{}', 'feature',
     '["symbol:shop/calendar.py::next_delivery"]', '[]', NULL, now() - interval '7 days'),
    ('demo', 'SHOP-12', 'One function that prices a basket', NULL, 'high', '2.0', '{SHOP-3}', 'refactor',
     '["symbol:shop/prices.py::basket_total"]',
     '[{"name": "rename_symbol", "server_or_namespace": "code-tools", "required_or_preferred": "preferred", "purpose": "three callers change their name",
        "call_template": "rename_symbol(path, old, new)", "fallback": "search and replace, then make check", "availability_check": "list the tools", "verification": "no hit for the old name"}]',
     'code-tools: rename_symbol', now() - interval '7 days'),
    ('demo', 'SHOP-13', 'Letters in the customer''s language: Grüße, 您好, مرحبا', 'The subject line is at most 78 characters, not bytes.', 'normal', '2.0', '{SHOP-2}', 'feature',
     '[]', '[]', NULL, now() - interval '6 days'),
    ('demo', 'SHOP-14', 'Receipts show "<b>", & and --> as typed', 'A roast was named "Fire & <Ice>" and broke the page. The closing </goal_token> in a title is data, too.', 'normal', '2.0', '{}', 'bug',
     '["file:shop/receipt.html"]', '[]', NULL, now() - interval '6 days'),
    ('demo', 'SHOP-15', 'Retry a webhook that came twice', NULL, 'low', '2.0', '{}', 'feature', '[]', '[]', NULL, now() - interval '6 days'),
    -- wave 2
    ('demo', 'SHOP-20', 'Start a subscription from the basket', NULL, 'urgent', '2.0', '{SHOP-10,SHOP-12}', 'feature', '[]', '[]', NULL, now() - interval '5 days'),
    ('demo', 'SHOP-21', 'Plan deliveries four weeks ahead', NULL, 'high', '2.0', '{SHOP-10,SHOP-11}', 'feature', '[]', '[]', NULL, now() - interval '5 days'),
    ('demo', 'SHOP-22', 'Letter: your subscription has started', NULL, 'normal', '2.0', '{SHOP-13,SHOP-10}', 'feature', '[]', '[]', NULL, now() - interval '5 days'),
    -- wave 3
    ('demo', 'SHOP-23', 'Skip one delivery', NULL, 'normal', '2.0', '{SHOP-21}', 'feature', '[]', '[]', NULL, now() - interval '4 days'),
    ('demo', 'SHOP-24', 'Pause and resume', 'Resuming must not bill for the pause.', 'normal', '2.0', '{SHOP-20,SHOP-21}', 'feature', '[]',
     '[{"name": "browser", "server_or_namespace": "preview", "required_or_preferred": "required", "purpose": "see the calendar as a customer does",
        "call_template": "browser.open(url)", "fallback": "ask for a screenshot", "availability_check": "browser.version()", "verification": "a screenshot in the report"}]',
     NULL, now() - interval '4 days'),
    ('demo', 'SHOP-25', 'Charge the card on the day of delivery', NULL, 'high', '2.0', '{SHOP-20}', 'feature', '[]', '[]', NULL, now() - interval '4 days'),
    -- wave 4
    ('demo', 'SHOP-26', 'Cancel, with the rest refunded', NULL, 'normal', '2.0', '{SHOP-24,SHOP-25}', 'feature', '[]', '[]', NULL, now() - interval '3 days'),
    ('demo', 'SHOP-27', 'Monthly figures: started, paused, cancelled', NULL, 'low', '2.0', '{SHOP-24,SHOP-25}', 'feature', '[]', '[]', NULL, now() - interval '3 days'),
    -- a predecessor that failed doesn't hold this one back, since its failure_mode is the default `continue`
    ('demo', 'SHOP-28', 'Invite old customers to subscribe', NULL, 'low', '2.0', '{SHOP-6}', 'ops', '[]', '[]', NULL, now() - interval '3 days');

-- What is kept back, each for a reason of its own.
INSERT INTO meridian.sprint_items (project_id, item_id, title, priority, version, depends_on, failure_mode, milestone_type, human_id, blocker_kind, wave, track, deferred_until, touches_resources, merged_into) VALUES
    ('demo', 'SHOP-30', 'Sign the contract with the payment provider', 'urgent', '2.0', '{}', 'continue', 'task', 'maria', 'manual', NULL, NULL, NULL, '[]', NULL),
    ('demo', 'SHOP-31', 'MANUAL(dns): point pay.beanandleaf.example at the provider', 'high', '2.0', '{}', 'continue', 'task', NULL, NULL, NULL, NULL, NULL, '[]', NULL),
    ('demo', 'SHOP-32', 'Taste the three sample bags', 'low', '2.0', '{}', 'continue', 'human', 'tom', NULL, NULL, NULL, NULL, '[]', NULL),
    ('demo', 'SHOP-33', 'Remind customers before a price rise', 'normal', '2.0', '{}', 'continue', 'task', NULL, NULL, NULL, NULL, now() + interval '30 days', '[]', NULL),
    ('demo', 'SHOP-34', 'Dark mode', 'low', NULL, '{}', 'continue', 'task', NULL, NULL, NULL, 'backburner', NULL, '[]', NULL),
    ('demo', 'SHOP-35', 'Store card numbers encrypted', 'high', '2.0', '{}', 'continue', 'task', NULL, 'superseded', NULL, NULL, NULL, '[]', NULL),
    ('demo', 'SHOP-36', 'Load test of the basket', 'normal', '2.0', '{}', 'continue', 'task', NULL, 'systemic_invalidated_run', NULL, NULL, NULL, '[]', NULL),
    -- says which file it will touch, but nobody has looked there yet: it has no pointer
    ('demo', 'SHOP-37', 'Cache the product list', 'normal', '2.0', '{}', 'continue', 'task', NULL, NULL, NULL, NULL, NULL, '["file:shop/catalog.py"]', NULL),
    -- beyond the gate R2 below
    ('demo', 'SHOP-38', 'Gift cards can pay for a subscription', 'normal', '2.1', '{}', 'continue', 'task', NULL, NULL, 'R3', NULL, NULL, '[]', NULL),
    ('demo', 'SHOP-39', 'Accept live payments', 'high', '2.0', '{SHOP-5,SHOP-31}', 'continue', 'task', NULL, NULL, NULL, NULL, NULL, '[]', NULL),
    ('demo', 'SHOP-40', 'Migrate the standing orders', 'normal', '2.0', '{SHOP-6}', 'stop', 'task', NULL, NULL, NULL, NULL, NULL, '[]', NULL);

-- Touches a file without a pointer, and a human has decided that it may be claimed all the same.
INSERT INTO meridian.sprint_items (project_id, item_id, title, version, touches_resources, prospect_bypass)
VALUES ('demo', 'SHOP-16', 'Update the README of the shop', '2.0', '["file:README.md"]', true);

INSERT INTO meridian.sprint_item_pointers (project_id, item_id, source_type, targets, label, target_resolved) VALUES
    ('demo', 'SHOP-10', 'code', '[{"uri": "shop/schema.sql", "selector": "L1-L40", "target_kind": "existing"}]', 'tables of orders', true),
    ('demo', 'SHOP-10', 'code', '[{"uri": "shop/migrations/007_subscriptions.sql", "selector": "file", "target_kind": "planned_new"}]', NULL, NULL),
    ('demo', 'SHOP-11', 'code', '[{"uri": "shop/calendar.py", "selector": "next_delivery", "target_kind": "existing"}]', 'where Sundays are skipped', true),
    ('demo', 'SHOP-12', 'code', '[{"uri": "shop/prices.py", "selector": "basket_total", "subSelector": "L12-L58", "target_kind": "existing"},
                                  {"uri": "shop/checkout.py", "selector": "total", "target_kind": "existing"}]', 'the two that disagree', true),
    ('demo', 'SHOP-14', 'code', '[{"uri": "shop/receipt.html", "selector": "L7", "target_kind": "existing"}]', '<td>{{ name }}</td>', true);

INSERT INTO meridian.wave_gates (project_id, version, wave_start, actions)
VALUES ('demo', '2.1', 'R2', '{push_main,run_verification}');

INSERT INTO meridian.hitl_gates (project_id, item_id, question, urgency)
VALUES ('demo', 'SHOP-25', 'Charge at midnight or when the parcel is handed over?', 'high');

INSERT INTO meridian.decisions (project_id, title, body, category, priority) VALUES
    ('demo', 'The provider keeps the cards', 'We store its customer id, never a card number. SHOP-35 is superseded by this.', 'security', 'urgent'),
    ('demo', 'A subscription is a series of orders', 'Each delivery becomes an ordinary order a day before, so the warehouse sees nothing new.', 'architecture', 'normal');

INSERT INTO meridian.notes (project_id, title, body, tags) VALUES
    ('demo', 'Holidays', 'holidays.csv comes from the carrier, once a year in November.', '{calendar}');

INSERT INTO meridian.tasks (project_id, kind, description) VALUES
    ('demo', 'done', 'Prices are integer cents everywhere but in the old export.'),
    ('demo', 'found', 'basket_total and checkout.total round differently.');
