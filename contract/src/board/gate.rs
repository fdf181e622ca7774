//! Wave gates: a gate that has not passed holds back the later waves of its own series.
//!
//! A wave label is a prefix and a trailing number (`W2`, `p1-3`); labels of different prefixes are different series
//! and never hold each other back. Passing a gate, and who may do it, is the store's business.

use super::Item;

#[derive(Debug, Clone, PartialEq)]
pub struct WaveGate {
    pub gate_id: String,
    /// `None` holds for every version.
    pub version: Option<String>,
    pub wave_start: String,
    /// The last wave in front of the gate; blank stands for `wave_start`.
    pub wave_end: String,
    /// What must be done to pass, such as `push_dev` or `run_verification`.
    pub actions: Vec<String>,
    pub passed: bool,
}

/// The lowest gate that holds the item back; of equal ones the first given. An item without a wave, or with a label
/// that ends in no number, is never held back.
pub fn blocking_gate<'a>(item: &Item, gates: &'a [WaveGate]) -> Option<&'a WaveGate> {
    let wave = Label::parse(item.wave.as_deref()?)?;
    gates
        .iter()
        .filter(|gate| !gate.passed && gate.applies_to(item))
        .filter_map(|gate| Some((Label::parse(gate.last_wave())?, gate)))
        .filter(|(end, _)| end.prefix == wave.prefix && end.number < wave.number)
        .min_by_key(|(end, _)| end.number)
        .map(|(_, gate)| gate)
}

impl WaveGate {
    /// The label of the last wave that the gate lets through.
    pub fn last_wave(&self) -> &str {
        let end = self.wave_end.trim();
        if end.is_empty() {
            self.wave_start.trim()
        } else {
            end
        }
    }

    fn applies_to(&self, item: &Item) -> bool {
        self.version.is_none() || self.version == item.version
    }
}

#[derive(Clone, Copy)]
struct Label<'a> {
    prefix: &'a str,
    number: Number<'a>,
}

impl<'a> Label<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let prefix = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &text[prefix.len()..];
        (!digits.is_empty()).then(|| Self {
            prefix,
            number: Number::of(digits),
        })
    }
}

/// A decimal of any length, compared by value: without leading zeros the longer one is greater, and of equal length
/// digits compare as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Number<'a> {
    length: usize,
    digits: &'a str,
}

impl<'a> Number<'a> {
    fn of(digits: &'a str) -> Self {
        let digits = digits.trim_start_matches('0');
        Self {
            length: digits.len(),
            digits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(gate_id: &str, end: &str) -> WaveGate {
        WaveGate {
            gate_id: gate_id.into(),
            version: None,
            wave_start: "W1".into(),
            wave_end: end.into(),
            actions: vec!["push_dev".into()],
            passed: false,
        }
    }

    fn at(wave: &str) -> Item {
        Item {
            wave: Some(wave.into()),
            ..Item::new("i", "i")
        }
    }

    fn blocks(wave: &str, end: &str) -> bool {
        blocking_gate(&at(wave), &[gate("g", end)]).is_some()
    }

    #[test]
    fn holds_back_later_waves_of_its_prefix_only() {
        assert!(blocks("W3", "W2"));
        assert!(!blocks("W2", "W2") && !blocks("W1", "W2"));
        assert!(!blocks("P3", "W2") && !blocks("p2-3", "p1-2"));
        assert!(blocks("p1-3", "p1-2"));
        assert!(blocks(" W10 ", "W9") && blocks("W010", "W9"));
        assert!(blocks(
            "W100000000000000000000000000000000000000000",
            "W99999999999999999999999999999999999999999"
        ));
    }

    #[test]
    fn labels_without_a_number_are_never_held() {
        assert!(!blocks("later", "W1") && !blocks("", "W1") && !blocks("W2", "end"));
        assert!(blocking_gate(&Item::new("i", "i"), &[gate("g", "W1")]).is_none());
    }

    #[test]
    fn blank_end_is_the_start() {
        assert!(blocks("W2", " ") && !blocks("W1", ""));
    }

    #[test]
    fn lowest_open_gate_of_the_version_is_named() {
        let gates = [
            WaveGate {
                passed: true,
                ..gate("passed", "W1")
            },
            WaveGate {
                version: Some("v2".into()),
                ..gate("other version", "W2")
            },
            gate("high", "W4"),
            gate("low", "W3"),
            gate("low again", "W3"),
        ];
        let named = |item: &Item| blocking_gate(item, &gates).map(|gate| gate.gate_id.clone());
        assert_eq!(named(&at("W9")).as_deref(), Some("low"));
        let item = Item {
            version: Some("v2".into()),
            ..at("W9")
        };
        assert_eq!(named(&item).as_deref(), Some("other version"));
        assert_eq!(named(&at("W3")), None);
    }
}
