//! Methods of Python's texts and lists that `minijinja-contrib` lacks, and Jinja's tests and filters where they are not
//! `minijinja`'s.

use std::fmt;
use std::sync::Arc;

use minijinja::value::{Kwargs, Object, ObjectRepr, Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value};
use minijinja_contrib::{globals, pycompat};

use super::arguments::arguments;
use super::filters::lines;
use super::float::float_of;
use super::source::{ATTRIBUTE, PERCENT};
use super::text::{WIDEST, form, text, texts};
use super::value::wide;
use super::weight;

pub fn add_to(environment: &mut Environment<'_>) {
    environment.set_unknown_method_callback(|state, value, method, given| {
        if let Some(name) = method.strip_prefix(ATTRIBUTE) {
            return attribute(value, name);
        }
        let arguments = match (value.as_str(), method, given) {
            (Some(text), "format", _) => return form(state, text, given).map(Value::from),
            (Some(_), "join", [values]) => vec![texts(state, values.clone())?],
            (Some(text), _, [first, bounds @ ..]) if SEARCHES.contains(&method) && !bounds.is_empty() => {
                return within(state, text, method, first, bounds);
            }
            (Some(_), ..) => positional(method, given)?,
            _ => given.to_vec(),
        };
        let arguments = &arguments[..];
        let answer = match value.kind() {
            ValueKind::String => of_text(value.as_str().unwrap_or_default(), method, arguments),
            ValueKind::Number if method == "is_integer" && arguments.is_empty() => {
                float_of(value).map(|x| Ok(Value::from(x.fract() == 0.0)))
            }
            ValueKind::Seq if matches!(method, "index" | "count") => {
                // Nobody else counts the elements that are looked at.
                match weight::consume(state, value) {
                    Ok(()) if method == "index" => Some(index(value, arguments)),
                    Ok(()) => None,
                    Err(e) => Some(Err(e)),
                }
            }
            // Values do not change, so that a copy is the value.
            ValueKind::Seq | ValueKind::Map if method == "copy" && arguments.is_empty() => {
                Some(Ok(value.clone()))
            }
            ValueKind::Map if matches!(method, "items" | "values") => {
                let all = pycompat::unknown_method_callback(state, value, method, arguments);
                Some(all.and_then(|all| weight::held(state, all)))
            }
            _ => None,
        };
        answer.unwrap_or_else(|| pycompat::unknown_method_callback(state, value, method, arguments))
    });
    // Jinja has neither filter, and their results would not be counted.
    environment.remove_filter("chain");
    environment.remove_filter("zip");
    // Python's texts and maps have lengths and items; what is undefined is an empty list.
    use ValueKind::{Iterable, Map, Seq, String, Undefined};
    for name in ["sequence", "iterable"] {
        environment.add_test(name, |value: &Value| {
            matches!(value.kind(), String | Seq | Map | Iterable | Undefined)
        });
    }
    environment.add_filter("wordcount", |state: &State, value: Value| {
        let text = text(state, &value)?;
        let text = text.as_str().unwrap_or_default();
        Ok::<_, Error>(
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).count(),
        )
    });
    environment.add_filter(PERCENT, percent);
    environment.add_filter("truncate", truncate);
    environment.add_filter("filesizeformat", |given: Rest<ValueOrKwargs>| {
        let (bytes, [binary]) = arguments(["binary"], given)?;
        f64::try_from(bytes).map(|bytes| sized(bytes, binary.is_some_and(|binary| binary.is_true())))
    });
    environment.add_filter("forceescape", |state: &State, value: Value| {
        Ok::<_, Error>(escaped(&text(state, &value)?.to_string()))
    });
    for name in ["escape", "e"] {
        environment.add_filter(name, |state: &State, value: Value| match value.is_safe() {
            true => Ok(value),
            false => text(state, &value).map(|text| Value::from_safe_string(escaped(&text.to_string()))),
        });
    }
    environment.add_filter("striptags", |state: &State, value: Value| {
        Ok::<_, Error>(stripped(&text(state, &value)?.to_string()))
    });
    environment.add_filter("xmlattr", attributes);
    environment.add_filter("wordwrap", wrapped);
    environment.add_function("joiner", globals::joiner);
    environment.add_function("cycler", |items: Rest<Value>| globals::cycler(items.0));
    environment.add_test("callable", |value: &Value| {
        let kind = value.as_object().map(|object| object.type_name()).unwrap_or_default();
        match value.kind() {
            // As Jinja2 has it: what is not there can be called, and fails then.
            ValueKind::Undefined => true,
            ValueKind::Plain => wide(value).is_none() && !kind.ends_with("::Cycler"),
            _ => kind.ends_with("::Macro"),
        }
    });
    environment.add_filter("center", |state: &State, given: Rest<ValueOrKwargs>| {
        let (value, [width]) = arguments(["width"], given)?;
        let (text, width) = (text(state, &value)?, width.map_or(Ok(80), usize::try_from)?);
        fill(text.as_str().unwrap_or_default(), width, ' ', Side::Both)
    });
}

/// The methods of a text that look for another, or count others, between two places.
const SEARCHES: [&str; 7] = ["count", "endswith", "find", "index", "rfind", "rindex", "startswith"];

/// A method of a text that looks for `wanted` between places, which are those of a slice.
fn within(
    state: &mut State,
    text: &str,
    method: &str,
    wanted: &Value,
    bounds: &[Value],
) -> Result<Value, Error> {
    let length = text.chars().count();
    let place = |i: usize, otherwise: usize| -> Result<usize, Error> {
        let Some(bound) = bounds.get(i).filter(|bound| !bound.is_none()) else { return Ok(otherwise) };
        let at = i64::try_from(bound.clone())
            .map_err(|_| wrong(&format!("{method} wants whole numbers for places")))?;
        let from_end = i64::try_from(length).unwrap_or(i64::MAX).saturating_add(at).max(0);
        Ok(usize::try_from(if at < 0 { from_end } else { at }).unwrap_or(usize::MAX))
    };
    if bounds.len() > 2 {
        return Err(wrong(&format!("{method} wants a text and at most two places")));
    }
    let (start, end) = (place(0, 0)?, place(1, length)?.min(length));
    let missing = || match method {
        "find" | "rfind" => Ok(Value::from(-1)),
        "index" | "rindex" => Err(wrong("the text does not contain the other")),
        "count" => Ok(Value::from(0)),
        _ => Ok(Value::from(false)),
    };
    // A place behind the end holds nothing, not even an empty text.
    if start > end {
        return missing();
    }
    let part: String = text.chars().skip(start).take(end - start).collect();
    let found = Value::from(part).call_method(state, method, std::slice::from_ref(wanted))?;
    match i64::try_from(found.clone()) {
        Ok(at) if at >= 0 && !matches!(method, "count" | "startswith" | "endswith") => {
            Ok(Value::from(at + start as i64))
        }
        _ => Ok(found),
    }
}

/// The arguments of a method of a text in their order, of which Python has these names.
fn positional(method: &str, given: &[Value]) -> Result<Vec<Value>, Error> {
    let names: &[&str] = match method {
        "split" | "rsplit" => &["sep", "maxsplit"],
        "splitlines" => &["keepends"],
        "expandtabs" => &["tabsize"],
        _ => &[],
    };
    let Some((named, first)) = given.split_last().filter(|(last, _)| last.is_kwargs()) else {
        return Ok(given.to_vec());
    };
    let named = Kwargs::try_from(named.clone())?;
    let mut all = first.to_vec();
    for name in names.iter().skip(first.len()) {
        all.push(named.get::<Option<Value>>(name)?.unwrap_or_default());
    }
    named.assert_all_used()?;
    while all.last().is_some_and(Value::is_undefined) {
        all.pop();
    }
    Ok(all.into_iter().map(|value| if value.is_undefined() { Value::from(()) } else { value }).collect())
}

/// A method of a map that is not called, but read as an attribute.
#[derive(Debug)]
struct Method {
    map: Value,
    name: String,
}

impl Object for Method {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, arguments: &[Value]) -> Result<Value, Error> {
        self.map.call_method(state, &self.name, arguments)
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in method {} of dict object>", self.name)
    }
}

/// The attribute of a value that is called as a method of maps is: of a map the method, and no value where the method would change the map.
fn attribute(value: &Value, name: &str) -> Result<Value, Error> {
    let kind = value.as_object().map(|object| object.type_name()).unwrap_or_default();
    let is_own = ["::Namespace", "::Loop", "::Macro", "::Module"].iter().any(|own| kind.ends_with(own));
    match name {
        _ if value.kind() != ValueKind::Map || is_own => value.get_attr(name),
        "clear" | "pop" | "popitem" | "setdefault" | "update" => Ok(Value::UNDEFINED),
        name => Ok(Value::from_object(Method { map: value.clone(), name: name.to_owned() })),
    }
}

/// `text % values`, as Python fills values into a text; of numbers the remainder, which has the sign of the divisor.
fn percent(state: &mut State, left: &Value, right: &Value) -> Result<Value, Error> {
    if left.as_str().is_some() {
        let mut values = vec![left.clone()];
        match right.is_tuple() {
            true => values.extend(right.try_iter()?),
            false => values.push(right.clone()),
        }
        return state.apply_filter("format", &values);
    }
    let zero = || wrong("a remainder of a division by zero");
    let whole = |value: &Value| i128::try_from(value.clone()).ok().filter(|_| value.is_integer());
    if let (Some(a), Some(b)) = (whole(left), whole(right)) {
        let rest = a.checked_rem(b).ok_or_else(zero)?;
        return Ok(Value::from(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }));
    }
    let number = |value: &Value| {
        let number = f64::try_from(value.clone()).ok().filter(|_| value.kind() == ValueKind::Number);
        number.ok_or_else(|| wrong(&format!("a remainder of {} by {}", left.kind(), right.kind())))
    };
    let (a, b) = (number(left)?, number(right)?);
    if b == 0.0 {
        return Err(zero());
    }
    let rest = a % b;
    Ok(Value::from(match rest != 0.0 {
        true if (rest < 0.0) != (b < 0.0) => rest + b,
        true => rest,
        false => rest.copysign(b),
    }))
}

/// `text|truncate(length, killwords, end, leeway)`: the words that fit, with `end` behind them.
fn truncate(given: Rest<ValueOrKwargs>) -> Result<String, Error> {
    let names = ["length", "killwords", "end", "leeway"];
    let (text, [length, killwords, end, leeway]) = arguments(names, given)?;
    let text = text.to_string();
    let count = |value: Option<Value>, other: usize| match value.filter(|value| !value.is_none()) {
        None => Ok(other),
        Some(value) => {
            usize::try_from(value).map_err(|_| wrong("truncate wants numbers that are not below zero"))
        }
    };
    let (length, leeway) = (count(length, 255)?, count(leeway, 5)?);
    let killwords = killwords.is_some_and(|value| value.is_true());
    let end = end.map_or_else(|| "...".to_owned(), |end| end.to_string());
    let room = length.checked_sub(end.chars().count());
    let room = room.ok_or_else(|| wrong("truncate wants a length that its end has room in"))?;
    if text.chars().count() <= length.saturating_add(leeway) {
        return Ok(text);
    }
    let head: String = text.chars().take(room).collect();
    let kept =
        if killwords { &head[..] } else { head.rsplit_once(' ').map_or(&head[..], |(before, _)| before) };
    Ok(format!("{kept}{end}"))
}

/// Bytes in words.
fn sized(bytes: f64, binary: bool) -> String {
    let (base, units) = match binary {
        true => (1024f64, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]),
        false => (1000f64, ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]),
    };
    if bytes == 1.0 {
        return "1 Byte".to_owned();
    }
    if bytes < base {
        return format!("{} Bytes", bytes.trunc());
    }
    let last = units.len() - 1;
    let at = (0..last).find(|i| bytes < base.powi(*i as i32 + 2)).unwrap_or(last);
    format!("{:.1} {}", bytes / base.powi(at as i32 + 1), units[at])
}

/// The text with the characters of HTML written by names.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The text without tags of HTML, its words with one space between them.
fn stripped(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let end = if tag.starts_with("!--") { "-->" } else { ">" };
        match tag.split_once(end) {
            Some((_, behind)) => rest = behind,
            None => {
                rest = &rest[before.len()..];
                break;
            }
        }
    }
    out.push_str(rest);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    words
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// The entries of a map as attributes of a tag of HTML.
fn attributes(state: &State, given: Rest<ValueOrKwargs>) -> Result<String, Error> {
    let (map, [space]) = arguments(["autospace"], given)?;
    let mut out = Vec::new();
    for key in map.try_iter()? {
        let value = map.get_item(&key)?;
        if value.is_none() || value.is_undefined() {
            continue;
        }
        let name = key.to_string();
        if name.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=')) {
            return Err(wrong(&format!("xmlattr has the name {name:?} of an attribute")));
        }
        out.push(format!("{}=\"{}\"", escaped(&name), escaped(&text(state, &value)?.to_string())));
    }
    let all = out.join(" ");
    Ok(if space.is_none_or(|space| space.is_true()) && !all.is_empty() { format!(" {all}") } else { all })
}

/// `text|wordwrap(width, break_long_words, wrapstring)`: lines of at most `width` characters, cut at spaces, and within words that are longer.
fn wrapped(given: Rest<ValueOrKwargs>) -> Result<String, Error> {
    let (text, [width, breaks, by]) = arguments(["width", "break_long_words", "wrapstring"], given)?;
    let text = text.to_string();
    let width = width.map_or(Ok(79), usize::try_from)?.max(1);
    let breaks = breaks.is_none_or(|breaks| breaks.is_true());
    let by = by.filter(|by| !by.is_none()).map_or_else(|| "\n".to_owned(), |by| by.to_string());
    let wrap = |line: &str| {
        let (mut lines, mut now) = (Vec::new(), String::new());
        for word in line.split_inclusive(' ') {
            let bare = word.trim_end_matches(' ');
            let length = |text: &str| text.chars().count();
            if !now.trim_end().is_empty() && length(&now) + length(bare) > width {
                lines.push(now.trim_end_matches(' ').to_owned());
                now.clear();
            }
            now.push_str(word);
            while breaks && length(now.trim_end_matches(' ')) > width {
                let rest: String = now.chars().skip(width).collect();
                lines.push(now.chars().take(width).collect());
                now = rest;
            }
        }
        let last = now.trim_end_matches(' ');
        if !last.is_empty() {
            lines.push(last.to_owned());
        }
        lines.join(&by)
    };
    Ok(text.lines().map(wrap).collect::<Vec<_>>().join(&by))
}

fn wrong(message: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.to_owned())
}

/// A method of a text; none where it is not one of these.
fn of_text(text: &str, method: &str, arguments: &[Value]) -> Option<Result<Value, Error>> {
    let argument = |i: usize| {
        let value = arguments.get(i).and_then(Value::as_str);
        value.filter(|value| !value.is_empty()).ok_or_else(|| wrong(&format!("{method} wants a text")))
    };
    let parts = |found: Option<(&str, &str)>, left: bool| -> Result<Value, Error> {
        let by = argument(0)?;
        let [a, b, c] = match (found, left) {
            (Some((before, after)), _) => [before, by, after],
            (None, true) => [text, "", ""],
            (None, false) => ["", "", text],
        };
        Ok(Value::from((a, b, c)))
    };
    let filled = |side: Side| {
        let width = arguments.first().and_then(|width| usize::try_from(width.clone()).ok());
        let with = arguments.get(1).map_or(Some(' '), |c| c.as_str()?.chars().next());
        let (width, with) = width.zip(with).ok_or_else(|| wrong(&format!("{method} wants a width")))?;
        fill(text, width, with, side).map(Value::from)
    };
    Some(match method {
        "partition" => argument(0).and_then(|by| parts(text.split_once(by), true)),
        "rpartition" => argument(0).and_then(|by| parts(text.rsplit_once(by), false)),
        "removeprefix" => argument(0).map(|by| Value::from(text.strip_prefix(by).unwrap_or(text))),
        "removesuffix" => argument(0).map(|by| Value::from(text.strip_suffix(by).unwrap_or(text))),
        "rsplit" => rsplit(text, arguments),
        "index" | "rindex" => argument(0).and_then(|by| {
            let at = if method == "index" { text.find(by) } else { text.rfind(by) };
            at.map(|at| Value::from(text[..at].chars().count()))
                .ok_or_else(|| wrong("the text does not contain the other"))
        }),
        "title" if arguments.is_empty() => Ok(Value::from(titled(text))),
        "splitlines" => {
            let keeps = arguments.first().is_some_and(Value::is_true);
            Ok(Value::from_iter(lines(text, keeps)))
        }
        // Of digits of other scripts nobody here knows which are decimal.
        "isdecimal" if arguments.is_empty() => match text.chars().find(|c| !c.is_ascii() && c.is_numeric()) {
            Some(c) => Err(wrong(&format!("isdecimal does not know {c:?}"))),
            None => Ok(Value::from(!text.is_empty() && text.chars().all(|c| c.is_ascii_digit()))),
        },
        "ljust" => filled(Side::Right),
        "rjust" => filled(Side::Left),
        "center" => filled(Side::Both),
        "zfill" => {
            let sign = usize::from(text.starts_with(['-', '+']));
            let width = arguments.first().and_then(|width| usize::try_from(width.clone()).ok());
            let width = width.ok_or_else(|| wrong("zfill wants a width"));
            let digits = |width: usize| fill(&text[sign..], width.saturating_sub(sign), '0', Side::Left);
            width.and_then(digits).map(|digits| Value::from(format!("{}{digits}", &text[..sign])))
        }
        "casefold" => Ok(Value::from(text.chars().flat_map(folded).collect::<String>())),
        "istitle" => Ok(Value::from(is_title(text))),
        "expandtabs" => {
            let size = arguments.first().map_or(Ok(8), |size| i64::try_from(size.clone()));
            let size = size.map(|size| usize::try_from(size).unwrap_or(0));
            size.and_then(|size| expanded(text, size)).map(Value::from)
        }
        "swapcase" => {
            let swapped = text.chars().flat_map(|c| -> Vec<char> {
                if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
            });
            Ok(Value::from(swapped.collect::<String>()))
        }
        _ => return None,
    })
}

/// A character for comparisons that ignore case.
fn folded(c: char) -> Vec<char> {
    match c {
        'ı' => vec![c],
        // Of the letters of the Cherokee the large ones are older.
        '\u{13a0}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => c.to_uppercase().collect(),
        c => c.to_uppercase().flat_map(char::to_lowercase).collect(),
    }
}

/// The text with upper case letters behind characters that are no letters, and lower case behind letters.
fn titled(text: &str) -> String {
    let (mut out, mut is_within) = (String::with_capacity(text.len()), false);
    for c in text.chars() {
        match is_within {
            true => out.extend(c.to_lowercase()),
            false => out.extend(c.to_uppercase()),
        }
        is_within = c.is_lowercase() || c.is_uppercase();
    }
    out
}

/// Whether there is a word, and words begin with a large letter and go on with small ones.
fn is_title(text: &str) -> bool {
    let (mut is_within, mut has_word) = (false, false);
    for c in text.chars() {
        let is_large = c.is_uppercase();
        if is_large && is_within || c.is_lowercase() && !is_within {
            return false;
        }
        is_within = is_large || c.is_lowercase();
        has_word |= is_within;
    }
    has_word
}

/// The text with spaces for tabs, up to the next column that `size` divides.
fn expanded(text: &str, size: usize) -> Result<String, Error> {
    let tabs = text.matches('\t').count();
    if tabs.saturating_mul(size) > WIDEST.max(text.len()) {
        return Err(wrong(&format!("a text with {tabs} tabs of {size} spaces is too wide")));
    }
    let (mut out, mut column) = (String::new(), 0);
    for c in text.chars() {
        match c {
            '\t' => {
                let missing = if size == 0 { 0 } else { size - column % size };
                out.extend(std::iter::repeat_n(' ', missing));
                column += missing;
            }
            c => {
                out.push(c);
                column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
            }
        }
    }
    Ok(out)
}

/// `text.rsplit(separator, most)`; without a separator by white space.
fn rsplit(text: &str, arguments: &[Value]) -> Result<Value, Error> {
    let most = arguments.get(1).and_then(|most| i64::try_from(most.clone()).ok()).unwrap_or(-1);
    let most = usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
    let mut parts: Vec<&str> = Vec::new();
    match arguments.first().filter(|by| !by.is_none()) {
        Some(by) => {
            let by = by.as_str().filter(|by| !by.is_empty()).ok_or_else(|| wrong("rsplit wants a text"))?;
            parts.extend(text.rsplitn(most, by));
        }
        None => {
            let mut rest = text.trim_end();
            while !rest.is_empty() {
                let start = match rest.rfind(char::is_whitespace) {
                    Some(at) if parts.len() + 1 < most => {
                        at + rest[at..].chars().next().map_or(1, char::len_utf8)
                    }
                    _ => rest.len() - rest.trim_start().len(),
                };
                parts.push(&rest[start..]);
                rest = if parts.len() < most { rest[..start].trim_end() } else { "" };
            }
        }
    }
    parts.reverse();
    Ok(Value::from_iter(parts))
}

fn index(list: &Value, arguments: &[Value]) -> Result<Value, Error> {
    let item = arguments.first().ok_or_else(|| wrong("index wants a value"))?;
    let at = list.try_iter()?.position(|other| other == *item);
    at.map(Value::from).ok_or_else(|| wrong("the list does not contain the value"))
}

enum Side {
    Left,
    Right,
    Both,
}

/// The text with as many of a character beside it as make it `width` characters long.
fn fill(text: &str, width: usize, with: char, side: Side) -> Result<String, Error> {
    if width > WIDEST {
        return Err(wrong(&format!("a text of {width} characters is too wide")));
    }
    let length = text.chars().count();
    let missing = width.saturating_sub(length);
    let left = match side {
        Side::Left => missing,
        Side::Right => 0,
        // As Python: an odd one stands on the left where the width is odd.
        Side::Both => missing / 2 + (missing & width & 1),
    };
    let of = |count: usize| std::iter::repeat_n(with, count);
    Ok(of(left).chain(text.chars()).chain(of(missing - left)).collect())
}
