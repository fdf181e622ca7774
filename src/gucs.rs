//! The settings of the extension, all under `meridian.`, which is reserved: a mistyped one is an error.

use std::ffi::CString;

use pgrx::guc::{GucContext, GucFlags, GucRegistry, GucSetting};
use pgrx::pg_sys;

static TOKEN_TTL: GucSetting<i32> = GucSetting::<i32>::new(300);
static TOKEN_RETENTION: GucSetting<i32> = GucSetting::<i32>::new(86_400);
static GENERATION_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(5_000);
static NOTIFY: GucSetting<bool> = GucSetting::<bool>::new(false);
static SESSION_ID: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);
static RESTORING: GucSetting<bool> = GucSetting::<bool>::new(false);

pub fn register() {
    GucRegistry::define_int_guc(
        c"meridian.token_ttl",
        c"Seconds for which a newly minted handoff token can be verified.",
        c"",
        &TOKEN_TTL,
        1,
        3_600,
        GucContext::Suset,
        GucFlags::UNIT_S,
    );
    GucRegistry::define_int_guc(
        c"meridian.token_retention",
        c"Seconds for which a spent or expired token still answers with its state.",
        c"",
        &TOKEN_RETENTION,
        3_600,
        i32::MAX,
        GucContext::Suset,
        GucFlags::UNIT_S,
    );
    GucRegistry::define_int_guc(
        c"meridian.generation_timeout",
        c"Milliseconds that the reads of generate_handoff may take before it answers with what it has.",
        c"0 is no limit.",
        &GENERATION_TIMEOUT,
        0,
        i32::MAX,
        GucContext::Userset,
        GucFlags::UNIT_MS,
    );
    GucRegistry::define_bool_guc(
        c"meridian.notify",
        c"Sends NOTIFY on channel meridian_handoff when a goal becomes pending.",
        c"The payload is the project_id.",
        &NOTIFY,
        GucContext::Suset,
        GucFlags::default(),
    );
    GucRegistry::define_string_guc(
        c"meridian.session_id",
        c"The session that item history names for the writes that follow.",
        c"The functions set it for their own writes.",
        &SESSION_ID,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_bool_guc(
        c"meridian.restoring",
        c"Keeps the history triggers still while a dump is loaded.",
        c"",
        &RESTORING,
        GucContext::Suset,
        GucFlags::default(),
    );
    // SAFETY: called from _PG_init with a string that lives as long as the process.
    unsafe { pg_sys::MarkGUCPrefixReserved(c"meridian".as_ptr()) };
}

/// In seconds.
pub fn token_ttl() -> i64 {
    TOKEN_TTL.get().into()
}

/// In seconds.
pub fn token_retention() -> i64 {
    TOKEN_RETENTION.get().into()
}

/// In milliseconds; 0 is no limit.
pub fn generation_timeout() -> i32 {
    GENERATION_TIMEOUT.get()
}

pub fn notify() -> bool {
    NOTIFY.get()
}

/// `None` where it is unset or empty.
pub fn session_id() -> Option<String> {
    SESSION_ID
        .get()
        .and_then(|value| value.into_string().ok())
        .filter(|value| !value.is_empty())
}

pub fn restoring() -> bool {
    RESTORING.get()
}
