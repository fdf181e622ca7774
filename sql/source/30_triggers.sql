-- Fills a gate's end from its start, and keeps a passed gate as it was. While a dump is loaded rows pass untouched.
CREATE FUNCTION meridian.guard_wave_gate() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.wave_end := coalesce(NEW.wave_end, NEW.wave_start);
        RETURN NEW;
    END IF;
    IF OLD.passed_at IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'check_violation',
            MESSAGE = format('wave gate %L of project %L was passed at %s and can no longer change', OLD.gate_id, OLD.project_id,
                to_char(OLD.passed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
            HINT = 'Configure a new gate instead.';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$function$;

CREATE TRIGGER guard_wave_gate BEFORE INSERT OR UPDATE OR DELETE ON meridian.wave_gates
    FOR EACH ROW EXECUTE FUNCTION meridian.guard_wave_gate();

-- Written in Rust (store/history.rs): it runs as a trigger only, and records only what happens to this table or to one
-- that is attached as a board, so a row of history cannot be forged by calling it.
CREATE FUNCTION meridian.record_item_history() RETURNS trigger
LANGUAGE c AS 'MODULE_PATHNAME', 'record_item_history';

CREATE TRIGGER record_insert AFTER INSERT ON meridian.sprint_items
    REFERENCING NEW TABLE AS new_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
CREATE TRIGGER record_update AFTER UPDATE ON meridian.sprint_items
    REFERENCING OLD TABLE AS old_items NEW TABLE AS new_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
CREATE TRIGGER record_delete AFTER DELETE ON meridian.sprint_items
    REFERENCING OLD TABLE AS old_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
-- Before, because afterwards there is nothing left to count.
CREATE TRIGGER record_truncate BEFORE TRUNCATE ON meridian.sprint_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
