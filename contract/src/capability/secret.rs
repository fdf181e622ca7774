//! Text that must not be stored where every reader of a handoff sees it: credentials, and paths of one machine.
//!
//! The patterns ask for a shape that ordinary names and sentences do not have, so they cannot find everything: a
//! random text without a label looks like a digest and passes. What to do about a finding is decided by the caller,
//! who must not repeat the text.
//!
//! Taken for a credential:
//! - a PEM private key;
//! - a key with the prefix of a known issuer and at least 16 more characters;
//! - a JSON Web Token;
//! - `scheme://user:password@host`;
//! - `Bearer` and a token with digits in it, `Basic` and the base64 of `user:password`;
//! - a value assigned to a name that ends in `password`, `secret`, `token`, `api_key` and the like: any after `=`, one
//!   of mixed characters after `: ` or after a `--flag`. References such as `$TOKEN`, `<token>` or `TOKEN_NAME` are no
//!   values.
//!
//! Taken for a local path: `file://`, `~/x`, `C:\x`, `\\server\share`, and a path below one of the directories that
//! stand at the root of a file system, which tells it from a route such as `/api/items`. `/dev/null` and its
//! neighbours are the same everywhere, so they pass.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// What was found. It never carries the text itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    Secret,
    LocalPath,
}

impl Finding {
    /// The code under which it is reported.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret_shaped_value",
            Self::LocalPath => "absolute_local_path",
        }
    }

    /// For people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Secret => "it looks like a credential, which every reader of a handoff would see",
            Self::LocalPath => "it holds an absolute path, which means nothing on another machine",
        }
    }
}

/// Time is linear in the length of the text.
pub fn find(text: &str) -> Option<Finding> {
    if holds_secret(text) {
        Some(Finding::Secret)
    } else if holds_local_path(text) {
        Some(Finding::LocalPath)
    } else {
        None
    }
}

/// Looks at every string and member name of a JSON value of any depth; a string under a name such as `password` is
/// a credential unless it is short or only refers to one.
pub fn find_in(value: &Value) -> Option<Finding> {
    // A list of what is left to see instead of recursion: the depth is the caller's.
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        let found = match value {
            Value::String(text) => find(text),
            Value::Array(elements) => {
                left.extend(elements);
                None
            }
            Value::Object(members) => {
                left.extend(members.values());
                members
                    .iter()
                    .find_map(|(name, member)| find_member(name, member))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn find_member(name: &str, member: &Value) -> Option<Finding> {
    let assigned = member.as_str().is_some_and(is_assigned_secret);
    (assigned && names_secret(name))
        .then_some(Finding::Secret)
        .or_else(|| find(name))
}

fn holds_secret(text: &str) -> bool {
    holds_private_key(text)
        || text.split(|c| !is_token_char(c)).any(is_issued_token)
        || holds_url_password(text)
        || holds_authorization(text)
        || holds_assignment(text)
}

fn holds_private_key(text: &str) -> bool {
    text.split_once("-----BEGIN ")
        .is_some_and(|(_, rest)| rest.contains("PRIVATE KEY"))
}

/// Prefixes that nothing but a key begins with.
const ISSUERS: [&str; 20] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "glpat-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AIza",
    "dckr_pat_",
    "shpat_",
    "AGE-SECRET-KEY-",
];
/// Prefixes that a name can begin with, too (`npm_install_all`), so the rest has to look like a key.
const WORDLIKE_ISSUERS: [&str; 5] = ["sk-", "npm_", "hf_", "pypi-", "github_pat_"];
const KEY_LENGTH: usize = 16;

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// `word` consists of token characters.
fn is_issued_token(word: &str) -> bool {
    is_json_web_token(word)
        || word.split('.').any(|part| {
            is_aws_key_id(part)
                || tail_after(part, &ISSUERS).is_some()
                || tail_after(part, &WORDLIKE_ISSUERS).is_some_and(looks_random)
        })
}

fn tail_after<'a>(word: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))
        .filter(|tail| tail.len() >= KEY_LENGTH)
}

fn is_aws_key_id(word: &str) -> bool {
    ["AKIA", "ASIA"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))
        .is_some_and(|tail| {
            tail.len() == KEY_LENGTH
                && tail
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        })
}

/// Two JSON objects in base64url and a signature, perhaps an empty one.
fn is_json_web_token(word: &str) -> bool {
    let mut parts = word.split('.');
    let is_object = |part: Option<&str>| part.is_some_and(|part| part.starts_with("eyJ"));
    is_object(parts.next()) && is_object(parts.next()) && parts.next().is_some()
}

/// Longer without a separator than words are, or changing between lower case, upper case and digits as they do not.
fn looks_random(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|run| run.len() >= KEY_LENGTH)
        || class_changes(text) >= 4
}

/// How often the text changes between lower case, upper case and digits; other characters do not count.
fn class_changes(text: &str) -> usize {
    let classes: Vec<u8> = text
        .bytes()
        .filter_map(|byte| match byte {
            b'a'..=b'z' => Some(0),
            b'A'..=b'Z' => Some(1),
            b'0'..=b'9' => Some(2),
            _ => None,
        })
        .collect();
    classes.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

fn holds_url_password(text: &str) -> bool {
    text.split("://").skip(1).any(|rest| {
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'');
        let authority = rest.split(ends).next().unwrap_or_default();
        authority
            .rsplit_once('@')
            .and_then(|(user_info, _)| user_info.split_once(':'))
            .is_some_and(|(_, password)| !password.is_empty() && !is_reference(password))
    })
}

fn holds_authorization(text: &str) -> bool {
    let words = text.split_whitespace();
    let pairs = words.clone().zip(words.skip(1));
    pairs.into_iter().any(|(scheme, token)| {
        let scheme = scheme.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let token = token.trim_matches(['"', '\'', ',', '.', ')']);
        (scheme.eq_ignore_ascii_case("bearer") && is_bearer_token(token))
            || (scheme.eq_ignore_ascii_case("basic") && is_user_and_password(token))
    })
}

fn is_bearer_token(text: &str) -> bool {
    text.len() >= KEY_LENGTH
        && !is_reference(text)
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && looks_random(text)
}

/// `user:password` in base64. Less would take a class name behind the word "basic" for one.
fn is_user_and_password(text: &str) -> bool {
    STANDARD
        .decode(text)
        .is_ok_and(|bytes| bytes.contains(&b':'))
}

/// How names of credentials end once `_`, `-` and case are gone.
const SECRET_NAMES: [&str; 13] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "signingkey",
    "credential",
    "credentials",
];

fn names_secret(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    SECRET_NAMES.iter().any(|ending| plain.ends_with(ending))
}

fn holds_assignment(text: &str) -> bool {
    let breaks = |&(_, c): &(usize, char)| c == '=' || c == ':' || c == ' ';
    text.char_indices().filter(breaks).any(|(at, sign)| {
        let name = name_before(&text[..at]);
        let rest = &text[at + sign.len_utf8()..];
        names_secret(name)
            && match sign {
                '=' => is_assigned_secret(value_at(rest)),
                ':' => is_stated_secret(value_at(rest)),
                _ => name.starts_with("--") && is_stated_secret(value_at(rest)),
            }
    })
}

/// The name that ends the text, perhaps quoted; empty where there is none.
fn name_before(text: &str) -> &str {
    let text = text.strip_suffix(['"', '\'']).unwrap_or(text);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    &text[text.trim_end_matches(is_name).len()..]
}

/// As much of a value as it takes to judge it, so that a chain of assignments costs no more than its length.
const VALUE_GLANCE: usize = 64;

fn value_at(text: &str) -> &str {
    let text = crate::text::clip::head(text, VALUE_GLANCE);
    let text = text.trim_start_matches(' ');
    let text = text.strip_prefix(['"', '\'']).unwrap_or(text);
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '&');
    text.split(ends).next().unwrap_or_default()
}

/// What stands behind an equals sign.
fn is_assigned_secret(value: &str) -> bool {
    value.chars().count() >= 6 && !is_reference(value)
}

/// What stands behind a colon or a flag, where in a sentence a plain word would stand.
fn is_stated_secret(value: &str) -> bool {
    value.chars().count() >= 8
        && !is_reference(value)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && class_changes(value) >= 3
}

/// Where a value is to be found instead of the value: a variable, a placeholder (`your_key`), a call, the name of a
/// variable. Also the rest of an operator (`==`, `=>`, `::`, `://`).
fn is_reference(value: &str) -> bool {
    let names_variable = value.starts_with(|c: char| c.is_ascii_uppercase())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    value.starts_with(['$', '<', '{', '%', '*', '[', '=', '>', ':'])
        || value.starts_with("//")
        || value.contains('(')
        || value
            .get(..4)
            .is_some_and(|head| head.eq_ignore_ascii_case("your"))
        || names_variable
}

/// Directories at the root of Unix file systems, of macOS, and of common containers.
const ROOT_DIRECTORIES: [&str; 31] = [
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "app",
    "bin",
    "boot",
    "builds",
    "data",
    "etc",
    "home",
    "lib",
    "lib64",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "snap",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
    "work",
    "workspace",
];

fn holds_local_path(text: &str) -> bool {
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let starts = match c {
            _ if continues_word(previous) => false,
            '/' => starts_root_path(previous, rest),
            '~' => starts_home_path(rest),
            '\\' => starts_share(rest),
            _ => starts_drive_path(rest) || starts_file_url(rest),
        };
        if starts {
            return true;
        }
        previous = c;
    }
    false
}

/// Whether a path that follows this character is a part of something longer: of a relative path, a URL, a pattern.
fn continues_word(previous: char) -> bool {
    previous.is_alphanumeric()
        || matches!(
            previous,
            '_' | '.' | '-' | '~' | '/' | '\\' | '}' | ')' | '*' | '%'
        )
}

/// `/home/x`, but neither `/home` nor `//host/home` behind the colon of a URL.
fn starts_root_path(previous: char, rest: &str) -> bool {
    let path = rest.trim_start_matches('/');
    let is_authority = previous == ':' && rest.len() - path.len() == 2;
    let Some((first, below)) = path.split_once('/') else {
        return false;
    };
    !is_authority && ROOT_DIRECTORIES.contains(&first) && below.starts_with(is_path_char)
}

/// `~/x` and `~name/x`.
fn starts_home_path(rest: &str) -> bool {
    let is_user = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let user_and_path = &rest[1..];
    let path = user_and_path.trim_start_matches(is_user);
    !user_and_path.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && path
            .strip_prefix(['/', '\\'])
            .is_some_and(|below| below.starts_with(is_path_char))
}

/// `C:\x` and `C:/x`, but not `c://x`.
fn starts_drive_path(rest: &str) -> bool {
    let Some(path) = rest
        .strip_prefix(|c: char| c.is_ascii_alphabetic())
        .and_then(|rest| rest.strip_prefix(':'))
    else {
        return false;
    };
    path.strip_prefix(['\\', '/'])
        .is_some_and(|below| below.starts_with(|c| is_path_char(c) || c == '\\'))
}

/// `\\server\share`. A host of one letter is more likely an escaped pattern such as `\\d\\w`.
fn starts_share(rest: &str) -> bool {
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let Some(host_and_share) = rest.strip_prefix("\\\\") else {
        return false;
    };
    let share = host_and_share.trim_start_matches(is_host);
    host_and_share.len() - share.len() > 1
        && share
            .strip_prefix('\\')
            .is_some_and(|share| share.starts_with(is_path_char))
}

fn starts_file_url(rest: &str) -> bool {
    rest.get(..7)
        .is_some_and(|head| head.eq_ignore_ascii_case("file://"))
}

fn is_path_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$' | '@' | '<' | '{')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn credentials_are_found() {
        for text in [
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----",
            "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "use ghs_0123456789abcdef0123, please",
            "glpat-Ab1-Cd2_Ef3-Gh4x",
            "sk-abcdefghijklmnopqrstuvwxyz123456",
            "sk-ant-api03-Ab1-Cd2_Ef3-Gh4",
            "github_pat_11ABCDEFG0123456789abcd",
            "hf_AbCdEfGhIjKlMnOp",
            "xoxb-123456789012-abcdefghijkl",
            "(AKIAIOSFODNN7EXAMPLE)",
            "AIzaSyA1234567890abcdefghijklmnopqrstuv",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
            "psql postgres://app:hunter2@db/prod",
            "https://x:pass@word@host/",
            "Authorization: Bearer 0123456789abcdef0123",
            "basic dXNlcjpwYXNzd29yZA==",
            "PGPASSWORD=hunter2 psql",
            "run --password=swordfish",
            "run --password=12345678",
            "run --api-key Ab3dEf6hI9",
            "{\"api_key\": \"a1b2c3d4e5\"}",
            "client_secret: s3cr3t-value",
            "token='abcdef'",
        ] {
            assert_eq!(find(text), Some(Finding::Secret), "{text}");
        }
    }

    #[test]
    fn local_paths_are_found() {
        for text in [
            "/home/ada/bin/tool",
            "pytest --rootdir=/Users/ada/src",
            "PATH=/usr/bin:/opt/tool",
            "(see '/tmp/x')",
            ">/var/log/tool",
            "stdio:/srv/tool",
            "//home/ada",
            "file:/etc/passwd",
            "file:///etc/passwd",
            "FILE://host/x",
            "~/tool",
            "~ada/tool",
            "C:\\Users\\ada",
            "at D:/tools/x",
            "\\\\server\\share",
        ] {
            assert_eq!(find(text), Some(Finding::LocalPath), "{text}");
        }
    }

    #[test]
    fn ordinary_text_passes() {
        for text in [
            "",
            "graph_search",
            "stdio:uvx",
            "github__create_issue",
            "mcp__github__search_code",
            "npm_install_all_dependencies_of_the_project",
            "sk-learn-pipeline-v2-runner",
            "hf_transformers_v4_loader",
            "github_pat_rotation_reminder_tool",
            "secret-scanner",
            "verify_handoff_token",
            "/goal",
            "/loop /goal",
            "cargo test --workspace -- --nocapture",
            "cargo test > /dev/null 2>&1",
            "curl -f http://localhost:8080/home/ada",
            "https://docs.example.org/var/lib/x",
            "GET /api/v1/items and /issues/12",
            "src/home/a.rs, ./usr/x, ${ROOT}/usr/lib, **/tmp/**",
            "file:src/a.rs",
            "symbol:src/a.rs::token::embed",
            "crate::capability::secret::find_in",
            "Issues a token: base64url of 12 random bytes.",
            "The password: whatever the vault holds.",
            "Asks for --password interactively",
            "Create the basic FinalizationPlanner with basic RunStateManager2Settings, a bearer AuthorizationMiddleware.",
            "export GITHUB_TOKEN=your_token_here",
            "Sends a Bearer token. Basic authentication/authorization only.",
            "GITHUB_TOKEN=$GITHUB_TOKEN gh api user",
            "--token=<token> --secret={secret} password=***",
            "API_KEY=API_KEY_OF_CI",
            "TOKEN=$(gh auth token)",
            "token=read_token()",
            "if token == expected { ok }",
            "postgres://app:${PGPASSWORD}@db/prod and postgres://app@db/prod",
            "and/or, 1/2, ~5/10, I/O: fine, a:b, 12:30",
            "a regular expression \\\\d+\\\\w",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "9b2f1c3e-5a57-4f0e-9f9b-0d5a1f9f7f6a",
            "max_tokens=4096000",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn members_are_seen_at_every_depth() {
        let nested = |leaf: Value| json!([{"a": [{"b": leaf}]}]);
        assert_eq!(find_in(&nested(json!("ops, 2026"))), None);
        assert_eq!(find_in(&nested(json!("~/x"))), Some(Finding::LocalPath));
        assert_eq!(
            find_in(&nested(json!({"dbPassword": "swordfish"}))),
            Some(Finding::Secret)
        );
        assert_eq!(
            find_in(&nested(
                json!({"password": "$PGPASSWORD", "token": 12345678, "secret": "no"})
            )),
            None
        );
        assert_eq!(
            find_in(&nested(json!({"ghp_aaaaaaaaaaaaaaaaaaaa": 1}))),
            Some(Finding::Secret)
        );
    }

    #[test]
    fn depth_costs_no_stack() {
        let mut value = json!("~/x");
        for _ in 0..100_000 {
            value = Value::Array(vec![value]);
        }
        assert_eq!(find_in(&value), Some(Finding::LocalPath));
        // Dropping it would recurse.
        std::mem::forget(value);
    }

    #[test]
    fn time_is_linear_in_hostile_text() {
        let started = std::time::Instant::now();
        for piece in [
            "token=", "://a:", "/home", "~a", "\\\\a", "token: ", "Bearer ", "eyJ.", "/",
        ] {
            find(&piece.repeat(100_000 / piece.len()));
        }
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in any::<String>()) {
            let _ = find(&text);
        }

        #[test]
        fn text_around_a_key_does_not_hide_it(
            before in "[^a-zA-Z0-9_.-]{0,9}", after in "[^a-zA-Z0-9_.-].{0,9}"
        ) {
            let text = [&before, "ghp_aaaaaaaaaaaaaaaaaaaa", &after].concat();
            prop_assert_eq!(find(&text), Some(Finding::Secret));
        }

        #[test]
        fn plain_words_pass(text in "[a-z]{1,15}([ _-][a-z]{1,15}){0,5}") {
            prop_assert_eq!(find(&text), None);
        }
    }
}
