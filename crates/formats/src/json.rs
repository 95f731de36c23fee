//! Numbers of JSON that readers of JSON lose: what Python writes beyond the standard, and digits that no `u64` and no `f64` holds.
//!
//! Such a number is read as a *marked* one, an object `{"$jarrah.number": "NaN"}` with its text, which every reader of JSON takes; who knows of it reads the
//! text, and [`unmarked`] and [`python_unmarked`] write it again as it was.

use std::borrow::Cow;

/// The key of a marked number.
pub const NUMBER: &str = "$jarrah.number";

/// The numbers beyond JSON that Python's `json` writes and reads, the longest first.
const BEYOND: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// The text with marks for `NaN`, `Infinity` and `-Infinity`, which Python's `json` reads and writes, and for numbers beyond the largest `f64`, which it reads.
///
/// ```
/// use jarrah_formats::json::python;
/// assert_eq!(*python(b"[NaN, \"NaN\"]"), *b"[{\"$jarrah.number\":\"NaN\"}, \"NaN\"]");
/// assert_eq!(*python(b"[1e308, 1e309]"), *b"[1e308, {\"$jarrah.number\":\"1e309\"}]");
/// ```
pub fn python(text: &[u8]) -> Cow<'_, [u8]> {
    rewritten(text, |rest| {
        let word = BEYOND.into_iter().find(|word| rest.starts_with(word)).map(<[u8]>::len);
        word.or_else(|| number(rest).filter(|length| is_infinite(&rest[..*length])))
    })
}

/// The text with `\ufffd` in the place of escapes of half a character, which Python's `json` reads, and no text of Unicode has.
///
/// ```
/// use jarrah_formats::json::whole_characters;
/// assert_eq!(*whole_characters(br#"["\ud83d\ude00", "\ud83d", "\\ud83d"]"#), *br#"["\ud83d\ude00", "\ufffd", "\\ud83d"]"#);
/// ```
pub fn whole_characters(text: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(text);
    let unit = |text: &[u8], at: usize| -> Option<u16> {
        let digits = std::str::from_utf8(text.get(at..at + 6)?).ok()?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut at = 0;
    // Escapes stand in texts alone, where a backslash begins one.
    while let Some(next) = text[at..].iter().position(|byte| *byte == b'\\') {
        at += next;
        at += match (unit(&text, at), unit(&text, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                text.to_mut()[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            _ => 2,
        };
        at = at.min(text.len());
    }
    text
}

/// Reads a file of JSON as Python's `json` does: with marked numbers where it reads what JSON lacks, see [`python`], and whole characters, see
/// [`whole_characters`].
///
/// ```
/// let value: serde_json::Value = jarrah_formats::json::value(br#"["\ud83d"]"#)?;
/// assert_eq!(value[0], "\u{fffd}");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// It is not JSON.
pub fn value<T: serde::de::DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    // Most files have nothing beyond JSON, and are read in half the time as they are.
    serde_json::from_slice(text).or_else(|_| serde_json::from_slice(&python(&whole_characters(text))))
}

/// Whether a number of JSON is beyond the largest `f64`.
fn is_infinite(number: &[u8]) -> bool {
    // Fewer characters without an exponent are no such number.
    let may_be = number.len() > 308 || number.iter().any(|byte| matches!(byte, b'e' | b'E'));
    let text = std::str::from_utf8(number).ok().filter(|text| may_be && is_number(text));
    text.and_then(|text| text.parse::<f64>().ok()).is_some_and(f64::is_infinite)
}

/// The text with marks for numbers whose digits are lost where integers are read as 64 bits, and others as `f64`, and for `-0`, an integer that is read as an `f64`.
///
/// ```
/// use jarrah_formats::json::exact;
/// assert_eq!(*exact(b"[18446744073709551615, 0.1]"), *b"[18446744073709551615, 0.1]");
/// assert_eq!(*exact(b"18446744073709551616"), *b"{\"$jarrah.number\":\"18446744073709551616\"}");
/// ```
pub fn exact(text: &[u8]) -> Cow<'_, [u8]> {
    rewritten(text, |rest| {
        let length = number(rest)?;
        let is_lost = |text: &str| is_number(text) && loses(text);
        std::str::from_utf8(&rest[..length]).is_ok_and(is_lost).then_some(length)
    })
}

/// The text with marks around those tokens of whose beginning `marked` says the length; texts in quotes stay as they are.
fn rewritten(text: &[u8], marked: impl Fn(&[u8]) -> Option<usize>) -> Cow<'_, [u8]> {
    let (mut out, mut copied, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        match text[at] {
            b'"' => at = after_string(text, at),
            b'-' | b'0'..=b'9' | b'I' | b'N' => {
                if let Some(length) = marked(&text[at..]) {
                    out.extend_from_slice(&text[copied..at]);
                    out.extend_from_slice(format!("{{\"{NUMBER}\":\"").as_bytes());
                    out.extend_from_slice(&text[at..at + length]);
                    out.extend_from_slice(b"\"}");
                    at += length;
                    copied = at;
                } else {
                    at += number(&text[at..]).unwrap_or(1);
                }
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.extend_from_slice(&text[copied..]);
    Cow::Owned(out)
}

/// Where the string ends that begins at `at`.
fn after_string(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = text.get(end) {
        end += 1;
        match byte {
            b'\\' => end += 1,
            b'"' => break,
            _ => {}
        }
    }
    end
}

/// The bytes of the number that a text begins with.
fn number(text: &[u8]) -> Option<usize> {
    let digits =
        |at: usize| text.get(at..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
    let start = usize::from(text.first() == Some(&b'-'));
    let mut end = start + digits(start);
    if end == start {
        return None;
    }
    if text.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        match digits(end + 1 + sign) {
            0 => {}
            count => end += 1 + sign + count,
        }
    }
    Some(end)
}

/// Whether a text is a number of JSON.
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leads = digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    !leads && number(text.as_bytes()) == Some(text.len())
}

/// Whether 64 bits lose digits of a number, or that it is an integer.
pub fn loses(number: &str) -> bool {
    if number == "-0" {
        return true;
    }
    if !number.contains(['.', 'e', 'E']) {
        return number.parse::<i64>().is_err() && number.parse::<u64>().is_err();
    }
    match number.parse::<f64>() {
        Ok(read) if read.is_finite() => Decimal::of(number) != Decimal::of(&format!("{read:e}")),
        _ => true,
    }
}

/// A number in decimal: `0.digits` times a power of ten, without zeros around the digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Whether it is below zero.
    pub negative: bool,
    /// The digits; empty if the number is zero.
    pub digits: String,
    /// The power of ten.
    pub power: i64,
}

impl Decimal {
    /// The number that a text of JSON is; none where it is no number, or has a power that no number of 64 bits counts.
    ///
    /// ```
    /// use jarrah_formats::json::Decimal;
    /// assert_eq!(Decimal::of("-0.120e2"), Decimal::of("-12"));
    /// ```
    pub fn of(text: &str) -> Option<Decimal> {
        if !is_number(text) {
            return None;
        }
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let power: i64 = power.parse().ok().filter(|power: &i64| power.abs() < 1 << 40)?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let leading = all.len() - all.trim_start_matches('0').len();
        let digits = all.trim_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Decimal { negative: false, digits, power: 0 });
        }
        Some(Decimal { negative, digits, power: power + (whole.len() as i64 - leading as i64) })
    }

    /// The digits before and behind the point; none where there are more than `most`.
    pub fn parts(&self, most: usize) -> Option<(String, String)> {
        let (power, count) = (self.power, self.digits.len() as i64);
        if power.unsigned_abs() > most as u64 || self.digits.len() > most {
            return None;
        }
        let zeros = |count: i64| "0".repeat(count.max(0) as usize);
        let whole = match power {
            ..=0 => "0".to_owned(),
            _ if power >= count => format!("{}{}", self.digits, zeros(power - count)),
            _ => self.digits[..power as usize].to_owned(),
        };
        let whole = if self.digits.is_empty() { "0".to_owned() } else { whole };
        let fraction = match power {
            _ if power >= count => String::new(),
            ..=0 => format!("{}{}", zeros(-power), self.digits),
            _ => self.digits[power as usize..].to_owned(),
        };
        Some((whole, fraction))
    }
}

/// A text of JSON with the marked numbers of JSON as they were; marked `NaN`, `Infinity` and `-Infinity`, which JSON has not, stay marked.
///
/// ```
/// use jarrah_formats::json::{exact, unmarked};
/// let text = String::from_utf8(exact(b"[18446744073709551616]").into_owned()).unwrap();
/// assert_eq!(unmarked(&text), "[18446744073709551616]");
/// ```
pub fn unmarked(text: &str) -> Cow<'_, str> {
    without_marks(text, is_number)
}

/// A text as Python's `json` writes it, with all marked numbers as they were.
///
/// ```
/// use jarrah_formats::json::{python, python_unmarked};
/// let text = String::from_utf8(python(b"[-Infinity]").into_owned()).unwrap();
/// assert_eq!(python_unmarked(&text), "[-Infinity]");
/// ```
pub fn python_unmarked(text: &str) -> Cow<'_, str> {
    without_marks(text, |value| is_number(value) || BEYOND.contains(&value.as_bytes()))
}

/// The text with those marked numbers as they were that `is_known` says to be numbers.
fn without_marks(text: &str, is_known: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let key = format!("\"{NUMBER}\"");
    if !text.contains(&key) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(&key) {
        let (before, behind) = (&rest[..at], &rest[at + key.len()..]);
        let open = before.trim_end().strip_suffix('{');
        let value =
            behind.trim_start().strip_prefix(':').map(str::trim_start).and_then(|v| v.strip_prefix('"'));
        let ends = value.and_then(|value| value.split_once('"'));
        let closed = ends.and_then(|(value, rest)| Some((value, rest.trim_start().strip_prefix('}')?)));
        match (open, closed.filter(|(value, _)| is_known(value))) {
            (Some(open), Some((value, behind))) => {
                out.push_str(open);
                out.push_str(value);
                rest = behind;
            }
            _ => {
                out.push_str(&rest[..at + key.len()]);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}
