//! Filters of Jinja that `minijinja` lacks, or of which it knows fewer arguments.

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters, tests};

use super::arguments::{arguments, by_name, in_order};
use super::text::text;
use super::value::{as_f64, number, wide};

pub fn add_to(environment: &mut Environment<'_>) {
    environment
        .add_filter("batch", in_order(["linecount", "fill_with"], Value::from_function(filters::batch)));
    environment.add_filter("slice", in_order(["slices", "fill_with"], Value::from_function(filters::slice)));
    environment.add_filter("round", in_order(["precision", "method"], Value::from_function(filters::round)));
    let sorted = Value::from_function(filters::sort);
    environment.add_filter("sort", by_name(["reverse", "case_sensitive", "attribute"], sorted));
    let unique = Value::from_function(filters::unique);
    environment.add_filter("unique", by_name(["case_sensitive", "attribute"], unique));
    let (least, most) = (Value::from_function(filters::min), Value::from_function(filters::max));
    environment.add_filter("min", by_name(["case_sensitive", "attribute"], least));
    environment.add_filter("max", by_name(["case_sensitive", "attribute"], most));
    environment.add_filter("sum", by_name(["attribute", "start"], Value::from_function(filters::sum)));
    let grouped = counted(Value::from_function(filters::groupby));
    environment.add_filter("groupby", by_name(["attribute", "default", "case_sensitive"], grouped));
    let sorted = counted(Value::from_function(filters::dictsort));
    environment.add_filter("dictsort", by_name(["case_sensitive", "by", "reverse"], sorted));
    for name in ["default", "d"] {
        environment.add_filter(name, default);
    }
    let mapped = Value::from_function(filters::map);
    environment.add_filter("map", move |state: &mut State<'_, '_>, given: Rest<ValueOrKwargs>| {
        map(state, &mapped, given.into_values())
    });
    environment.add_filter("int", int);
    environment.add_filter("float", float);
    environment.add_filter("indent", indent);
    environment.add_filter("urlencode", urlencode);
    environment.add_test("divisibleby", |given: Rest<ValueOrKwargs>| match arguments(["num"], given)? {
        (value, [Some(by)]) if by.is_true() => Ok(tests::is_divisibleby(&value, &by)),
        _ => Err(wrong("divisibleby wants a number that is not 0")),
    });
}

/// `filter`, which sorts without counting comparisons, each of which is an instruction.
fn counted(filter: Value) -> Value {
    Value::from_function(move |state: &mut State<'_, '_>, given: Rest<ValueOrKwargs>| {
        let given = given.into_values();
        let length = given.first().and_then(Value::len).unwrap_or_default();
        state.consume_fuel((length * length.max(1).ilog2() as usize) as u64)?;
        filter.call(state, &given)
    })
}

/// `value|default(default_value, boolean)`.
fn default(given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let (value, [default, boolean]) = arguments(["default_value", "boolean"], given)?;
    let is_missing =
        value.is_undefined() || !value.is_true() && boolean.is_some_and(|boolean| boolean.is_true());
    Ok(if is_missing { default.unwrap_or_else(|| "".into()) } else { value })
}

/// `values|map(filter, ..)`, whose further arguments the filter is given, and by the filter `mapped` `values|map(attribute)`.
fn map(state: &mut State<'_, '_>, mapped: &Value, given: Vec<Value>) -> Result<Value, Error> {
    let [values, arguments @ ..] = &given[..] else { return mapped.call(state, &given) };
    let Some(filter) = arguments.first().and_then(Value::as_str) else { return mapped.call(state, &given) };
    let work = |value: &Value| 1 + value.as_str().map_or(0, |text| text.len() as u64 / 64);
    let (mut arguments, mut made) = (arguments.to_vec(), Vec::new());
    for value in values.try_iter()? {
        state.consume_fuel(work(&value))?;
        arguments[0] = value;
        let value = state.apply_filter(filter, &arguments)?;
        state.consume_fuel(work(&value))?;
        made.push(value);
    }
    Ok(made.into())
}

/// `value|int(default, base)`: the integer that Python makes of a value, or of the float that it makes of the value.
fn int(given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let (value, [default, base]) = arguments(["default", "base"], given)?;
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
            match integer(text, base) {
                Some(integer) => integer,
                None => of_float(float_in(text)?),
            }
        }
        _ if wide(&value).is_some_and(|digits| !digits.contains(['.', 'e', 'E'])) => value,
        _ => of_float(as_f64(&value)),
    })
}

/// `value|float(default)`: the float that Python makes of a value.
fn float(given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let (value, [default]) = arguments(["default"], given)?;
    let float = match value.kind() {
        ValueKind::Undefined => return Err(wrong("float of an undefined value")),
        ValueKind::Bool => Some(f64::from(u8::from(value.is_true()))),
        ValueKind::String => float_in(value.as_str().unwrap_or_default().trim())?,
        _ => as_f64(&value),
    };
    Ok(float.map_or_else(|| default.unwrap_or_else(|| 0.0.into()), Value::from))
}

/// The float that a text is, as Python's `float` reads it.
fn float_in(text: &str) -> Result<Option<f64>, Error> {
    if let Some(c) = text.chars().find(|c| !c.is_ascii() && c.is_numeric()) {
        return Err(wrong(&format!("numbers are not read from {c:?}")));
    }
    Ok(without_lines(text, |c| c.is_ascii_digit()).and_then(|text| text.parse().ok()))
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
    let bare = without_lines(bare, |c| c.is_ascii_alphanumeric())
        .filter(|bare| bare.chars().all(|c| c.is_digit(base.clamp(2, 36))))?;
    match i128::from_str_radix(&format!("{sign}{bare}"), base.clamp(2, 36)) {
        Ok(integer) => Some(integer.into()),
        Err(_) if base == 10 && !bare.is_empty() => {
            Some(number(format!("{}{}", sign.trim_start_matches('+'), bare.trim_start_matches('0'))))
        }
        Err(_) => None,
    }
}

/// Digits without the lines that may stand between two of them.
fn without_lines(text: &str, is_digit: fn(char) -> bool) -> Option<String> {
    let is_between = |at: usize| {
        let (before, after) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
        [before, after].iter().all(|c| c.is_some_and(is_digit))
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
    let (text, [width, first, blank]) = arguments(["width", "first", "blank"], given)?;
    let text = text.as_str().ok_or_else(|| wrong("indent wants a text"))?;
    let width = width.unwrap_or(Value::from(4));
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
