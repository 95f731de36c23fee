//! Values as texts: `str` and `repr` of Python, of which `minijinja` writes floats, alone and in lists, another way.

use std::fmt::{self, Write};

use minijinja::formatting::{self, FormatStyle};
use minijinja::value::{Kwargs, Rest, ValueIter, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

use super::arguments::{arguments, in_order};
use super::float::{float, float_of};
use super::source::TEXT;
use super::weight::{BYTES, bytes_left, listed};

/// Makes all that turns values into texts write them as Python does: the output, the operator `~`, and filters.
pub fn add_to(environment: &mut Environment<'_>) {
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(text) => out.write_str(text).map_err(Error::from),
        // A list may hold another many times over: it is written as far as there is work left.
        None => {
            let left = bytes_left(state);
            write(&mut Bounded { out, left }, value).map_err(|_| ErrorKind::OutOfFuel.into())
        }
    });
    environment.add_filter(TEXT, |state: &State, value: Value| text(state, &value));
    let of_texts = [
        ("string", Value::from_function(filters::string)),
        ("safe", Value::from_function(filters::safe)),
        ("upper", Value::from_function(filters::upper)),
        ("lower", Value::from_function(filters::lower)),
        ("capitalize", Value::from_function(filters::capitalize)),
        ("trim", Value::from_function(in_order(["chars"], Value::from_function(filters::trim)))),
    ];
    for (name, filter) in of_texts {
        environment.add_filter(name, of_text(filter));
    }
    environment.add_filter("title", |state: &State, value: Value| {
        Ok::<_, Error>(titled(&text(state, &value)?.to_string()))
    });
    environment.add_filter("pprint", pretty);
    environment.add_filter("replace", replace);
    let joined = Value::from_function(filters::join);
    environment.add_filter("join", move |state: &mut State<'_, '_>, given: Rest<ValueOrKwargs>| {
        join(state, &joined, given)
    });
    let filled = Value::from_function(filters::format);
    environment.add_filter("format", move |state: &mut State<'_, '_>, given: Rest<ValueOrKwargs>| {
        format(state, &filled, given.into_values())
    });
}

/// The text of a value; a text is itself.
///
/// # Errors
/// There is not so much work left (`OutOfFuel`).
pub fn text(state: &State, value: &Value) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::String => Ok(value.clone()),
        ValueKind::Invalid => Err(wrong(value.to_string())),
        _ => made(state, value, write),
    }
}

/// The value as it is written in the language.
fn quoted(state: &State, value: &Value) -> Result<Value, Error> {
    made(state, value, |out, value| write_quoted(out, value, false))
}

/// `value|pprint`: the value as it is written in the language, with the keys of maps in their order.
///
/// # Errors
/// It is longer than a line of 80 characters, which Python breaks.
fn pretty(state: &State, value: Value) -> Result<Value, Error> {
    let text = made(state, &value, |out, value| write_quoted(out, value, true))?;
    match text.len().unwrap_or_default() {
        ..=80 => Ok(text),
        length => {
            Err(wrong(format!("pprint writes values on one line of 80 characters, and this has {length}")))
        }
    }
}

/// The text that `write` makes, after its work.
fn made(
    state: &State,
    value: &Value,
    write: fn(&mut dyn Write, &Value) -> fmt::Result,
) -> Result<Value, Error> {
    let (mut text, most) = (String::new(), bytes_left(state));
    let mut out = Bounded { out: &mut text, left: most };
    write(&mut out, value).map_err(|_| Error::from(ErrorKind::OutOfFuel))?;
    if value.as_object().is_some() {
        state.consume_fuel((text.len() / BYTES) as u64)?;
    }
    Ok(text.into())
}

/// The widest that a text is filled up to.
pub const WIDEST: usize = 1 << 16;
/// Writes so many bytes and no more.
struct Bounded<'o, W> {
    out: &'o mut W,
    left: usize,
}

impl<W: Write> Write for Bounded<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.left = self.left.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.out.write_str(text)
    }
}

/// Writes a value as `str` does.
fn write(out: &mut dyn Write, value: &Value) -> fmt::Result {
    match value.kind() {
        ValueKind::Undefined => Ok(()),
        ValueKind::String => out.write_str(value.as_str().unwrap_or_default()),
        _ => write_quoted(out, value, false),
    }
}

/// A part of a value that is still to be written.
enum Part {
    Value(Value),
    Text(&'static str),
    /// The rest of a list, a tuple, or a map, of which the iterator gives the keys.
    Items {
        items: ValueIter,
        map: Option<Value>,
        is_first: bool,
        end: &'static str,
    },
}

/// Writes a value as `repr` does, without a call for each level; the keys of maps `sorted`, or in the order in which they were put there.
fn write_quoted(out: &mut dyn Write, value: &Value, sorted: bool) -> fmt::Result {
    let mut parts = vec![Part::Value(value.clone())];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(text) => out.write_str(text)?,
            Part::Value(value) => match (float_of(&value), brackets(&value)) {
                (Some(x), _) => out.write_str(&float(x))?,
                (None, Some([start, end])) => {
                    out.write_str(start)?;
                    let mut items = value.try_iter().map_err(|_| fmt::Error)?;
                    if sorted && value.kind() == ValueKind::Map {
                        let mut keys: Vec<Value> = items.collect();
                        keys.sort();
                        items = Value::from(keys).try_iter().map_err(|_| fmt::Error)?;
                    }
                    let map = (value.kind() == ValueKind::Map).then_some(value);
                    parts.push(Part::Items { items, map, is_first: true, end });
                }
                (None, None) if value.is_undefined() => out.write_str("Undefined")?,
                (None, None) if value.as_str().is_some() => {
                    write_text(out, value.as_str().unwrap_or_default())?;
                }
                (None, None) => write!(out, "{value:?}")?,
            },
            Part::Items { mut items, map, is_first, end } => {
                let Some(item) = items.next() else {
                    out.write_str(end)?;
                    continue;
                };
                if !is_first {
                    out.write_str(", ")?;
                }
                let entry = map.as_ref().map(|map| map.get_item(&item).unwrap_or_default());
                parts.push(Part::Items { items, map, is_first: false, end });
                if let Some(entry) = entry {
                    parts.extend([Part::Value(entry), Part::Text(": ")]);
                }
                parts.push(Part::Value(item));
            }
        }
    }
    Ok(())
}

/// Writes a text as `repr` does: characters that are not printed are escapes.
fn write_text(out: &mut dyn Write, text: &str) -> fmt::Result {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.write_char(quote)?;
    for c in text.chars() {
        match c {
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            c if c == quote || c == '\\' => write!(out, "\\{c}")?,
            c if is_printed(c) => out.write_char(c)?,
            c => match u32::from(c) {
                code @ ..=0xff => write!(out, "\\x{code:02x}")?,
                code @ ..=0xffff => write!(out, "\\u{code:04x}")?,
                code => write!(out, "\\U{code:08x}")?,
            },
        }
    }
    out.write_char(quote)
}

/// Whether Python prints a character as it is. Rust has the same list, to which it adds marks at the beginning of a text.
fn is_printed(c: char) -> bool {
    matches!(c, ' '..='~') || !c.is_ascii() && format!("a{c}").escape_debug().count() == 2
}

/// The brackets around the items of a value; `None` if the value is written as a whole.
fn brackets(value: &Value) -> Option<[&'static str; 2]> {
    let name = value.as_object().map(|object| object.type_name()).unwrap_or_default();
    let is = |names: &[&str]| names.iter().any(|own| name.ends_with(own));
    match value.kind() {
        ValueKind::Seq if value.is_tuple() && value.len() == Some(1) => Some(["(", ",)"]),
        ValueKind::Seq if value.is_tuple() || is(&["::GroupTuple"]) => Some(["(", ")"]),
        ValueKind::Seq => Some(["[", "]"]),
        // Of other iterators nobody knows whether they end.
        ValueKind::Iterable => value.len().map(|_| ["[", "]"]),
        ValueKind::Map if !is(&["::Macro", "::Loop", "::Module"]) => Some(["{", "}"]),
        _ => None,
    }
}

/// A filter that is given the text of a value.
fn of_text(
    filter: Value,
) -> impl Fn(&mut State<'_, '_>, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + 'static {
    move |state, given| {
        let mut given = given.into_values();
        if let Some(value) = given.first_mut() {
            *value = text(state, value)?;
        }
        filter.call(state, &given)
    }
}

/// `text|title`: a word begins at the start, and behind white space, hyphens and brackets.
fn titled(text: &str) -> String {
    let (mut out, mut is_first) = (String::with_capacity(text.len()), true);
    for c in text.chars() {
        match is_first {
            true => out.extend(c.to_uppercase()),
            false => out.extend(c.to_lowercase()),
        }
        is_first = c.is_whitespace() || matches!(c, '-' | '(' | '{' | '[' | '<');
    }
    out
}

/// `value|replace(old, new, count)`.
fn replace(state: &State, given: Rest<ValueOrKwargs>) -> Result<String, Error> {
    let (value, [Some(old), Some(new), count]) = arguments(["old", "new", "count"], given)? else {
        return Err(ErrorKind::MissingArgument.into());
    };
    let count = count.and_then(|count| usize::try_from(count).ok());
    let [value, old, new] = [&value, &old, &new].map(|value| text(state, value).map(|text| text.to_string()));
    let (value, old, new) = (value?, old?, new?);
    let count = value.matches(&old).count().min(count.unwrap_or(usize::MAX));
    // The work of a text that grows is counted before it is made.
    state.consume_fuel((count.saturating_mul(new.len().saturating_sub(old.len())) / 64) as u64)?;
    Ok(value.replacen(&old, &new, count))
}

/// `values|join(d, attribute)` by the filter `joined`, which is given texts.
fn join(state: &mut State<'_, '_>, joined: &Value, given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let (mut values, [by, attribute]) = arguments(["d", "attribute"], given)?;
    if let Some(attribute) = attribute.filter(|attribute| !attribute.is_none()) {
        let attribute = Kwargs::from_iter([("attribute", attribute)]);
        values = state.apply_filter("map", &[values, attribute.into()])?;
    }
    let by = by.map_or_else(|| Ok("".into()), |by| text(state, &by))?;
    joined.call(state, &[texts(state, values)?, by])
}

/// The texts of the values of a list; any other value is itself.
pub fn texts(state: &State, values: Value) -> Result<Value, Error> {
    if !matches!(values.kind(), ValueKind::Seq | ValueKind::Iterable | ValueKind::Map) {
        return Ok(values);
    }
    let items = listed(state, values)?.try_iter()?;
    Ok(items.map(|item| text(state, &item)).collect::<Result<Vec<_>, _>>()?.into())
}

/// `text|format(..)` by the filter `filled`: `%s` is given texts, `%r` what is written in the language, and `%d` integers.
fn format(state: &mut State<'_, '_>, filled: &Value, mut given: Vec<Value>) -> Result<Value, Error> {
    let Some((form, values)) = given.split_first_mut() else { return filled.call(state, &given) };
    let Some(whole) = form.as_str().map(str::to_owned) else { return filled.call(state, &given) };
    let (mut made, mut rest, mut next) = (String::new(), &whole[..], 0);
    while let Some(at) = rest.find('%') {
        let end = rest[at + 1..].find(|c: char| !"#0- +.*123456789".contains(c)).map(|end| at + 1 + end);
        let Some(end) = end else { break };
        let (before, kind) = (&rest[..end], rest[end..].chars().next().unwrap_or_default());
        next += before[at..].matches('*').count();
        made.push_str(before);
        made.push(match kind {
            'r' => 's',
            'u' => 'd',
            kind => kind,
        });
        if let Some(value) = values.get_mut(next) {
            *value = match kind {
                'r' => quoted(state, value)?,
                's' => text(state, value)?,
                'd' | 'i' | 'u' => match float_of(value).filter(|x| x.is_finite()) {
                    Some(x) => Value::from(x.trunc() as i128),
                    None => value.clone(),
                },
                _ => value.clone(),
            };
        }
        next += usize::from(kind != '%' && kind != '(');
        rest = &rest[end + kind.len_utf8()..];
    }
    // A single map or list may have more values than the text asks for.
    let is_whole = matches!(&values[..], [one] if matches!(one.kind(), ValueKind::Map | ValueKind::Seq));
    if next < values.len() && !is_whole && !values.last().is_some_and(Value::is_kwargs) {
        return Err(wrong(format!(
            "`%` is given {} values, of which {whole:?} asks for {next}",
            values.len()
        )));
    }
    *form = Value::from(made + rest);
    filled.call(state, &given)
}

/// `form.format(..)`: a text with values in the place of its fields.
pub fn form(state: &State, form: &str, given: &[Value]) -> Result<String, Error> {
    fields(state, form, given, &mut 0, false)
}

/// As [`form`], of which fields without a name take the argument `next`, and those within a field have no others in them.
fn fields(
    state: &State,
    form: &str,
    given: &[Value],
    next: &mut usize,
    is_within: bool,
) -> Result<String, Error> {
    let (mut out, mut rest) = (String::new(), form);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        if behind.starts_with("{{") || behind.starts_with("}}") {
            out.push_str(&behind[..1]);
            rest = &behind[2..];
            continue;
        }
        let end = end_of_field(behind);
        let end =
            end.ok_or_else(|| wrong(format!("`format` is given a bracket without another in {form:?}")))?;
        let field = &behind[1..end];
        rest = &behind[end + 1..];
        let (name, how) = field.split_at(field.find(['!', ':']).unwrap_or(field.len()));
        let value = field_value(name, given, next)?;
        let (conversion, how) = match how.strip_prefix('!') {
            Some(how) => how.split_at(how.find(':').unwrap_or(how.len())),
            None => ("", how),
        };
        let value = match conversion {
            "r" => quoted(state, &value)?,
            "s" => text(state, &value)?,
            "" if brackets(&value).is_some() => text(state, &value)?,
            "" => value,
            other => return Err(wrong(format!("`format` knows no conversion `!{other}`"))),
        };
        if is_within && how.contains('{') {
            return Err(wrong(format!("`format` is given fields in fields of fields in {form:?}")));
        }
        let how = fields(state, how, given, next, true)?;
        if how.split(|c: char| !c.is_ascii_digit()).any(is_wider) {
            return Err(wrong(format!("`format` is asked for more than {WIDEST} characters in {how:?}")));
        }
        let made = formatting::format(FormatStyle::StrFormat, &format!("{{0{how}}}"), &[value])?;
        // The work of each field: the text may ask for many that are wide.
        state.consume_fuel((made.len() / 64) as u64)?;
        out.push_str(&made);
    }
    out.push_str(rest);
    Ok(out)
}

/// Where the field ends that a text begins with, which may have others in it.
fn end_of_field(text: &str) -> Option<usize> {
    let mut open = 0usize;
    text.bytes()
        .position(|byte| {
            match byte {
                b'{' => open += 1,
                b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            open == 0
        })
        .filter(|end| *end > 0)
}

/// The value of a field: an argument by its number or name, and what it holds under names behind points and in brackets.
fn field_value(name: &str, given: &[Value], next: &mut usize) -> Result<Value, Error> {
    let (named, given) = match given.split_last() {
        Some((named, given)) if named.is_kwargs() => (Some(named), given),
        _ => (None, given),
    };
    let (first, mut path) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
    let at = match first.is_empty() {
        true => Ok(std::mem::replace(next, *next + 1)),
        false => first.parse::<usize>(),
    };
    let value = match at {
        Ok(at) => given.get(at).cloned(),
        Err(_) => named.map(|named| named.get_attr(first)).transpose()?.filter(|value| !value.is_undefined()),
    };
    let mut value = value.ok_or_else(|| wrong(format!("`format` has no argument for the field `{name}`")))?;
    while let Some(inner) = path.get(1..).filter(|inner| !inner.is_empty()) {
        let end =
            inner.find(if path.starts_with('[') { &[']'][..] } else { &['.', '['] }).unwrap_or(inner.len());
        let (key, behind) = inner.split_at(end);
        value = match key.parse::<usize>() {
            Ok(at) if path.starts_with('[') => value.get_item(&Value::from(at))?,
            _ => value.get_item(&Value::from(key))?,
        };
        path = behind.strip_prefix(']').unwrap_or(behind);
    }
    Ok(value)
}

/// Whether these digits are a number beyond [`WIDEST`].
fn is_wider(digits: &str) -> bool {
    !digits.is_empty() && digits.parse().map_or(true, |width: usize| width > WIDEST)
}

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}
