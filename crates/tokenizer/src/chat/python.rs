//! What templates find in Python: `json.dumps`, `strftime`, numbers as Python writes them.

use std::fmt::Write;

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, ErrorKind, Value};

/// How deep lists and maps may lie in each other.
const DEPTH: usize = 200;

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// The filter `tojson`, with the options of `json.dumps` that transformers passes on.
pub fn to_json(value: &Value, indent: Option<Value>, options: Kwargs) -> Result<Value, Error> {
    let indent = indent.or(options.get("indent")?).filter(|indent| !indent.is_none());
    let indent = indent.map(|indent| match (indent.as_str(), usize::try_from(indent.clone())) {
        (Some(text), _) => Ok(text.to_owned()),
        (None, Ok(count)) if count <= 64 => Ok(" ".repeat(count)),
        _ => Err(wrong("indent is a number or a text")),
    });
    let indent = indent.transpose()?;
    let separators: Option<Vec<String>> = options.get("separators")?;
    let (comma, colon) = match separators.as_deref() {
        Some([comma, colon]) => (comma.clone(), colon.clone()),
        Some(_) => return Err(wrong("separators are two texts")),
        None => ((if indent.is_some() { "," } else { ", " }).to_owned(), ": ".to_owned()),
    };
    let ascii = options.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false);
    let sort = options.get::<Option<bool>>("sort_keys")?.unwrap_or(false);
    options.assert_all_used()?;
    let writer = Json { indent, comma, colon, ascii, sort };
    let mut out = String::new();
    writer.value(&mut out, value, 0)?;
    Ok(Value::from_safe_string(out))
}

struct Json {
    indent: Option<String>,
    comma: String,
    colon: String,
    ascii: bool,
    sort: bool,
}

impl Json {
    fn value(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEPTH {
            return Err(wrong(format!("the value is nested deeper than {DEPTH}")));
        }
        match value.kind() {
            ValueKind::None => out.push_str("null"),
            ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => match float_of(value) {
                Some(x) if x.is_nan() => out.push_str("NaN"),
                Some(x) if x.is_infinite() => out.push_str(if x > 0.0 { "Infinity" } else { "-Infinity" }),
                Some(x) => out.push_str(&float(x)),
                None => out.push_str(&value.to_string()),
            },
            ValueKind::String => self.text(out, value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                self.items(out, ['[', ']'], value.try_iter()?, depth, |out, item| {
                    self.value(out, &item, depth + 1)
                })?;
            }
            ValueKind::Map => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.sort {
                    keys.sort();
                }
                self.items(out, ['{', '}'], keys.into_iter(), depth, |out, key| {
                    match key.kind() {
                        ValueKind::String => self.text(out, key.as_str().unwrap_or_default()),
                        ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                            let mut text = String::new();
                            self.value(&mut text, &key, depth + 1)?;
                            self.text(out, &text);
                        }
                        _ => return Err(wrong("a key of a map is a text or a number")),
                    }
                    out.push_str(&self.colon);
                    self.value(out, &value.get_item(&key)?, depth + 1)
                })?;
            }
            kind => return Err(wrong(format!("{kind} is not written as JSON"))),
        }
        Ok(())
    }

    fn items(
        &self,
        out: &mut String,
        [open, close]: [char; 2],
        items: impl Iterator<Item = Value>,
        depth: usize,
        mut write: impl FnMut(&mut String, Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let line = |out: &mut String, depth: usize| {
            if let Some(indent) = &self.indent {
                out.push('\n');
                (0..depth).for_each(|_| out.push_str(indent));
            }
        };
        out.push(open);
        let mut empty = true;
        for item in items {
            if !empty {
                out.push_str(&self.comma);
            }
            empty = false;
            line(out, depth + 1);
            write(out, item)?;
        }
        if !empty {
            line(out, depth);
        }
        out.push(close);
        Ok(())
    }

    fn text(&self, out: &mut String, text: &str) {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                c if c < ' ' || (self.ascii && c > '~') => {
                    let mut units = [0; 2];
                    c.encode_utf16(&mut units).iter().for_each(|unit| {
                        let _ = write!(out, "\\u{unit:04x}");
                    });
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// The number, where it is a float.
pub fn float_of(value: &Value) -> Option<f64> {
    (value.kind() == ValueKind::Number && !value.is_integer())
        .then(|| f64::try_from(value.clone()).ok())
        .flatten()
}

/// A float as Python's `repr` writes it: the shortest digits, with an exponent below 1e-4 and from 1e16 on.
pub fn float(x: f64) -> String {
    if x.is_nan() || x.is_infinite() {
        return if x.is_nan() { "nan".into() } else { format!("{}inf", if x < 0.0 { "-" } else { "" }) };
    }
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let text = format!("{x}");
        return if text.contains('.') { text } else { text + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// The time `seconds` after the beginning of 1970, by a format of C's `strftime`.
pub fn strftime(format: &str, seconds: i64) -> Result<String, Error> {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let weekday = DAYS[(days + 4).rem_euclid(7) as usize];
    let name = MONTHS[month as usize - 1];
    let first = days - (day - 1) - (1..month).map(|m| length(year, m)).sum::<i64>();
    let of_year = days - first + 1;
    let twelve = (hour + 11) % 12 + 1;
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut directive = chars.next();
        let plain = directive == Some('-');
        if plain {
            directive = chars.next();
        }
        let number = |x: i64, width: usize| if plain { x.to_string() } else { format!("{x:0width$}") };
        out += &match directive.ok_or_else(|| wrong("a format of time ends with %"))? {
            'Y' => year.to_string(),
            'y' => number(year.rem_euclid(100), 2),
            'm' => number(month, 2),
            'd' => number(day, 2),
            'e' => format!("{day:2}"),
            'j' => number(of_year, 3),
            'H' => number(hour, 2),
            'I' => number(twelve, 2),
            'M' => number(minute, 2),
            'S' => number(second, 2),
            'f' => "000000".to_owned(),
            'p' => (if hour < 12 { "AM" } else { "PM" }).to_owned(),
            'B' => name.to_owned(),
            'b' | 'h' => name[..3].to_owned(),
            'A' => weekday.to_owned(),
            'a' => weekday[..3].to_owned(),
            'w' => (days + 4).rem_euclid(7).to_string(),
            'u' => ((days + 3).rem_euclid(7) + 1).to_string(),
            'F' => strftime("%Y-%m-%d", seconds)?,
            'T' => strftime("%H:%M:%S", seconds)?,
            'R' => strftime("%H:%M", seconds)?,
            'D' => strftime("%m/%d/%y", seconds)?,
            's' => seconds.to_string(),
            'z' | 'Z' => String::new(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            '%' => "%".to_owned(),
            other => return Err(wrong(format!("the format of time %{other} is not known here"))),
        };
    }
    Ok(out)
}

fn length(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of a day since the beginning of 1970, by the Gregorian calendar: days are counted from the first of
/// March of the year 0, so that a leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_those_of_python() {
        let pairs = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (-2.5e-7, "-2.5e-07"),
            (123456789.125, "123456789.125"),
            (1e100, "1e+100"),
            (-0.0, "-0.0"),
            (1.5e300, "1.5e+300"),
        ];
        for (x, text) in pairs {
            assert_eq!(float(x), text);
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01 Thursday 001"),
            (951_782_400, "2000-02-29 Tuesday 060"),
            (1_700_000_000, "2023-11-14 Tuesday 318"),
            (-1, "1969-12-31 Wednesday 365"),
            (4_107_542_400, "2100-03-01 Monday 060"),
        ];
        for (seconds, text) in cases {
            assert_eq!(strftime("%Y-%m-%d %A %j", seconds).unwrap(), text);
        }
        assert_eq!(strftime("%-d %b %y, %I:%M %p%%", 1_700_000_000).unwrap(), "14 Nov 23, 10:13 PM%");
        assert!(strftime("%Q", 0).is_err() && strftime("%", 0).is_err());
    }
}
