//! Filters of Jinja that `minijinja` lacks, or of which it knows fewer arguments.

use minijinja::value::{Kwargs, Rest, ValueKind, ValueOrKwargs, from_args};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

use super::text::text;
use super::value::{as_f64, number, wide};

pub fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("dictsort", dictsort);
    environment.add_filter("sort", sort);
    environment.add_filter("int", int);
    environment.add_filter("indent", indent);
    environment.add_filter("urlencode", urlencode);
}

/// `map|dictsort(case_sensitive, by, reverse)`.
fn dictsort(state: &State, given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    type Given = (Value, Option<Value>, Option<Value>, Option<Value>, Kwargs);
    let given = given.into_values();
    let (map, case_sensitive, by, reverse, named): Given = from_args(&given)?;
    let mut all = Vec::new();
    for (name, value) in [("case_sensitive", case_sensitive), ("by", by), ("reverse", reverse)] {
        if let Some(value) = value.or(named.get(name)?) {
            all.push((name, value));
        }
    }
    named.assert_all_used()?;
    // Comparisons, each of which is an instruction.
    let length = map.len().unwrap_or_default();
    state.consume_fuel((length * length.max(1).ilog2() as usize) as u64)?;
    filters::dictsort(&map, all.into_iter().collect())
}

/// `values|sort(reverse, case_sensitive, attribute)`.
fn sort(state: &State, given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    type Given = (Value, Option<Value>, Option<Value>, Option<Value>, Kwargs);
    let given = given.into_values();
    let (values, reverse, case_sensitive, attribute, named): Given = from_args(&given)?;
    let mut all = Vec::new();
    for (name, value) in [("reverse", reverse), ("case_sensitive", case_sensitive), ("attribute", attribute)]
    {
        if let Some(value) = value.or(named.get(name)?) {
            all.push((name, value));
        }
    }
    named.assert_all_used()?;
    filters::sort(state, values, all.into_iter().collect())
}

/// `value|int(default, base)`: the integer that Python makes of a value, or of the float that it makes of the value.
fn int(value: Value, given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let given = given.into_values();
    let (default, base, named): (Option<Value>, Option<Value>, Kwargs) = from_args(&given)?;
    let (default, base) = (default.or(named.get("default")?), base.or(named.get("base")?));
    named.assert_all_used()?;
    let default = default.unwrap_or_else(|| Value::from(0));
    let base = base.map_or(Ok(10), |base| u32::try_from(base).map_err(|_| wrong("int wants a base")))?;
    let of_float = |x: Option<f64>| match x.filter(|x| x.is_finite()) {
        Some(x) => number(format!("{:.0}", x.trunc())),
        None => default.clone(),
    };
    Ok(match value.kind() {
        ValueKind::Undefined => return Err(wrong("int of an undefined value")),
        ValueKind::Bool => Value::from(i32::from(value.is_true())),
        ValueKind::Number if value.is_integer() => value,
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default().trim();
            if let Some(c) = text.chars().find(|c| !c.is_ascii() && c.is_numeric()) {
                return Err(wrong(&format!("int does not know {c:?}")));
            }
            match integer(text, base) {
                Some(integer) => integer,
                None => of_float(without_lines(text).and_then(|text| text.parse().ok())),
            }
        }
        _ if wide(&value).is_some_and(|digits| !digits.contains(['.', 'e', 'E'])) => value,
        _ => of_float(as_f64(&value)),
    })
}

/// The integer that a text is in a base, as Python's `int` reads it.
fn integer(text: &str, base: u32) -> Option<Value> {
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (&text[..1], digits),
        None => ("", text),
    };
    let prefix = match base {
        2 => ["0b", "0B"],
        8 => ["0o", "0O"],
        16 => ["0x", "0X"],
        _ => ["", ""],
    };
    let bare = prefix.iter().find_map(|prefix| digits.strip_prefix(prefix)).unwrap_or(digits);
    let bare = if bare.len() < digits.len() { bare.strip_prefix('_').unwrap_or(bare) } else { bare };
    let bare = without_lines(bare).filter(|bare| bare.chars().all(|c| c.is_digit(base.clamp(2, 36))))?;
    match i128::from_str_radix(&format!("{sign}{bare}"), base.clamp(2, 36)) {
        Ok(integer) => Some(integer.into()),
        Err(_) if base == 10 && !bare.is_empty() => {
            Some(number(format!("{}{}", sign.trim_start_matches('+'), bare.trim_start_matches('0'))))
        }
        Err(_) => None,
    }
}

/// Digits without the lines that may stand between two of them.
fn without_lines(text: &str) -> Option<String> {
    let is_between = |at: usize| {
        let (before, after) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
        [before, after].iter().all(|c| c.is_some_and(|c| c.is_ascii_alphanumeric()))
    };
    text.match_indices('_').all(|(at, _)| is_between(at)).then(|| text.replace('_', ""))
}

/// Lines as Python's `splitlines` has them, with their ends or without.
pub fn lines(text: &str, keeps_ends: bool) -> Vec<&str> {
    let is_end = |c| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let (mut lines, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(is_end) {
        let end = &rest[at..];
        let first = end.chars().next().map_or(0, char::len_utf8);
        let behind = end.strip_prefix("\r\n").unwrap_or(&end[first..]);
        lines.push(&rest[..if keeps_ends { rest.len() - behind.len() } else { at }]);
        rest = behind;
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

/// `text|indent(width, first, blank)`, of which the width may be a text to put before lines.
fn indent(state: &State, given: Rest<ValueOrKwargs>) -> Result<String, Error> {
    type Given<'a> = (&'a str, Option<Value>, Option<Value>, Option<Value>, Kwargs);
    let given = given.into_values();
    let (text, width, first, blank, named): Given<'_> = from_args(&given)?;
    let width = width.or(named.get("width")?).unwrap_or(Value::from(4));
    let (first, blank) = (first.or(named.get("first")?), blank.or(named.get("blank")?));
    named.assert_all_used()?;
    let is_true = |value: Option<Value>| value.is_some_and(|value| value.is_true());
    let (first, blank) = (is_true(first), is_true(blank));
    let text = format!("{text}\n");
    let lines = lines(&text, false);
    let size = match (width.as_str(), i64::try_from(width.clone())) {
        (Some(by), _) => by.len(),
        (None, Ok(count)) => usize::try_from(count).unwrap_or(0),
        _ => return Err(wrong("indent wants a number of spaces, or a text")),
    };
    // The work is counted before the text is made.
    state.consume_fuel((size.saturating_mul(lines.len()) / 64) as u64)?;
    let by = width.as_str().map_or_else(|| " ".repeat(size), str::to_owned);
    let mut out = String::new();
    for (i, line) in lines.into_iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        if if i == 0 { first } else { blank || !line.is_empty() } {
            out.push_str(&by);
        }
        out.push_str(line);
    }
    Ok(out)
}

/// `value|urlencode`: a text, or the entries of a map or a list of pairs, as a part of an address.
fn urlencode(state: &State, value: Value) -> Result<String, Error> {
    let quoted = |value: &Value, kept: &str| -> Result<String, Error> {
        let mut out = String::new();
        for byte in text(state, value)?.to_string().bytes() {
            match char::from(byte) {
                c if c.is_ascii_alphanumeric() || "_.-~".contains(c) || kept.contains(c) => out.push(c),
                c if c == ' ' && kept.is_empty() => out.push('+'),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        Ok(out)
    };
    let pair = |key: &Value, value: &Value| Ok(format!("{}={}", quoted(key, "")?, quoted(value, "")?));
    let pairs: Vec<String> = match value.kind() {
        ValueKind::Map => {
            let keys = value.try_iter()?;
            keys.map(|key| pair(&key, &value.get_item(&key)?)).collect::<Result<_, Error>>()?
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let pairs = value.try_iter()?.map(|item| match item.len() {
                Some(2) => pair(&item.get_item_by_index(0)?, &item.get_item_by_index(1)?),
                _ => Err(wrong("urlencode wants a text, a map, or a list of pairs")),
            });
            pairs.collect::<Result<_, Error>>()?
        }
        _ => return quoted(&value, "/"),
    };
    Ok(pairs.join("&"))
}

fn wrong(message: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.to_owned())
}
