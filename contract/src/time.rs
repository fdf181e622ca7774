//! One instant, and how it is printed: RFC 3339 in UTC, whatever the session's DateStyle or time zone.

use std::fmt;

/// An instant as microseconds since 1970-01-01 00:00 UTC. PostgreSQL's `infinity` and `-infinity` are the two ends
/// of the range, so comparisons need no special case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub const NEG_INFINITY: Self = Self(i64::MIN);
    pub const INFINITY: Self = Self(i64::MAX);

    /// Without its fraction, for a text in which nobody needs one.
    pub fn to_the_second(self) -> Self {
        match self {
            Self::INFINITY | Self::NEG_INFINITY => self,
            Self(micros) => Self(micros.saturating_sub(micros.rem_euclid(1_000_000))),
        }
    }

    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }
}

/// `2026-12-01T02:10:42Z`; fractions appear only when they are not zero. An instant outside the years that RFC 3339
/// can write prints as `infinity` or `-infinity`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => write!(f, "{instant}"),
            Err(_) if self.0 > 0 => f.write_str("infinity"),
            Err(_) => f.write_str("-infinity"),
        }
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_utc_rfc3339() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(
            Timestamp(1_796_091_042_000_000).to_string(),
            "2026-12-01T02:10:42Z"
        );
        assert_eq!(Timestamp(1_500_000).to_string(), "1970-01-01T00:00:01.5Z");
    }

    #[test]
    fn fractions_can_be_left_out() {
        assert_eq!(Timestamp(1_999_999).to_the_second(), Timestamp(1_000_000));
        assert_eq!(Timestamp(-1).to_the_second(), Timestamp(-1_000_000));
        for end in [Timestamp::INFINITY, Timestamp::NEG_INFINITY] {
            assert_eq!(end.to_the_second(), end);
        }
    }

    #[test]
    fn infinities_print_and_compare() {
        assert_eq!(Timestamp::INFINITY.to_string(), "infinity");
        assert_eq!(Timestamp::NEG_INFINITY.to_string(), "-infinity");
        assert!(Timestamp::NEG_INFINITY < Timestamp(0) && Timestamp(0) < Timestamp::INFINITY);
        assert_eq!(Timestamp::INFINITY.plus_seconds(60), Timestamp::INFINITY);
    }
}
