//! Methods of Python's texts and lists that `minijinja-contrib` lacks, and Jinja's tests and filters where they are not
//! `minijinja`'s.

use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, State, Value};
use minijinja_contrib::pycompat;

use super::weight;

/// The widest that a text is filled up to.
const WIDEST: usize = 1 << 16;

pub fn add_to(environment: &mut Environment<'_>) {
    environment.set_unknown_method_callback(|state, value, method, arguments| {
        let answer = match value.kind() {
            ValueKind::String => of_text(value.as_str().unwrap_or_default(), method, arguments),
            ValueKind::Seq if matches!(method, "index" | "count") => {
                // Nobody else counts the elements that are looked at.
                match weight::consume(state, value) {
                    Ok(()) if method == "index" => Some(index(value, arguments)),
                    Ok(()) => None,
                    Err(e) => Some(Err(e)),
                }
            }
            ValueKind::Map if matches!(method, "items" | "values") => {
                let all = pycompat::unknown_method_callback(state, value, method, arguments);
                Some(all.and_then(|all| weight::held(state, all)))
            }
            _ => None,
        };
        answer.unwrap_or_else(|| pycompat::unknown_method_callback(state, value, method, arguments))
    });
    // Jinja has neither, and nothing counts what they make.
    environment.remove_filter("chain");
    environment.remove_filter("zip");
    // Python's texts and maps have lengths and items; what is undefined is an empty list.
    use ValueKind::{Iterable, Map, Seq, String, Undefined};
    environment.add_test("sequence", |value: &Value| matches!(value.kind(), String | Seq | Map | Undefined));
    environment.add_test("iterable", |value: &Value| {
        matches!(value.kind(), String | Seq | Map | Iterable | Undefined)
    });
    environment.add_filter("wordcount", |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).count()
    });
    environment.add_filter("center", |_: &State, text: &str, width: Option<usize>| {
        fill(text, width.unwrap_or(80), ' ', Side::Both)
    });
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
        "index" => argument(0).and_then(|by| match text.find(by) {
            Some(at) => Ok(Value::from(text[..at].chars().count())),
            None => Err(wrong("the text does not contain the other")),
        }),
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
        "format" if text.split(|c: char| !c.is_ascii_digit()).any(is_wider) => {
            Err(wrong(&format!("a text of more than {WIDEST} characters is too wide")))
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

/// Whether these digits are a number beyond [`WIDEST`].
fn is_wider(digits: &str) -> bool {
    !digits.is_empty() && digits.parse().map_or(true, |width: usize| width > WIDEST)
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
