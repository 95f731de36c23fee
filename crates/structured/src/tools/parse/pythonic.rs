use jarrah_formats::json::{NUMBER, is_number, unmarked};
use serde_json::{Map, Number, Value, json};

use super::Out;
use super::marked::{Inside, Step};
use crate::grammar::number_text;

/// How deep the values of an argument nest.
const MOST_DEPTH: usize = 64;

/// Calls in a list, `[name(key=value, ..), ..]`, as Python writes them. Each is given as a whole, when it is known to be one; one that is cut off with the
/// arguments that are whole.
pub(super) struct Pythonic {
    end: &'static str,
    // Whether no mark says that calls follow.
    bare: bool,
    raw: String,
    place: Place,
}

enum Place {
    /// The list must come.
    Before,
    /// A name and the bracket behind it, which begin at this byte of `raw`.
    Name(usize),
    /// Arguments: the brackets that are open, and the quote of the text that is read.
    Arguments { start: usize, depth: usize, quote: Option<char>, escape: bool },
    /// A call is over.
    After,
    /// The list is over; the mark at the end may come.
    End,
}

impl Pythonic {
    pub fn new(begin: &str, end: &'static str) -> Pythonic {
        Pythonic { end, bare: begin.is_empty(), raw: begin.to_owned(), place: Place::Before }
    }

    fn content(&mut self) -> Step {
        Step::Content(std::mem::take(&mut self.raw))
    }
}

impl Inside for Pythonic {
    fn push(&mut self, c: char, out: &mut Out) -> Step {
        self.raw.push(c);
        match &mut self.place {
            Place::Before => match c {
                '[' => self.place = Place::Name(self.raw.len()),
                c if c.is_whitespace() => {}
                _ => return self.content(),
            },
            Place::Name(start) => {
                let name = self.raw[*start..].trim_start();
                match c {
                    '(' if name.len() > 1 => {
                        let start = *start;
                        self.place = Place::Arguments { start, depth: 1, quote: None, escape: false };
                    }
                    c if c.is_alphabetic() || c == '_' => {}
                    c if name.len() > 1 && (c.is_ascii_digit() || matches!(c, '.' | '-')) => {}
                    c if c.is_whitespace() && name.is_empty() => {}
                    _ => return self.content(),
                }
            }
            Place::Arguments { start, depth, quote, escape } => match (&quote, c) {
                (Some(_), _) if *escape => *escape = false,
                (Some(_), '\\') => *escape = true,
                (Some(own), c) if *own == c => *quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => *quote = Some(c),
                (None, '(' | '[' | '{') => *depth += 1,
                (None, ')' | ']' | '}') => {
                    *depth -= 1;
                    if *depth == 0 {
                        let text = self.raw[*start..].trim();
                        let Some((name, arguments)) = call(text) else { return self.content() };
                        out.call(&name, None);
                        out.arguments(&unmarked(&Value::Object(arguments).to_string()));
                        self.raw.clear();
                        self.place = Place::After;
                    }
                }
                _ => {}
            },
            Place::After => match c {
                ',' => self.place = Place::Name(self.raw.len()),
                ']' => {
                    self.raw.clear();
                    self.place = Place::End;
                }
                c if c.is_whitespace() => {}
                _ => return self.content(),
            },
            Place::End => {
                let begun = self.raw.trim_start();
                if !begun.is_empty() && begun == self.end {
                    return Step::Done(String::new());
                }
                if !self.end.starts_with(begun) {
                    return Step::Done(std::mem::take(&mut self.raw));
                }
            }
        }
        Step::More
    }

    fn finish(&mut self, out: &mut Out) -> String {
        if let Place::Arguments { start, .. } = self.place {
            let (name, arguments) = begun(&self.raw[start..]);
            // Without a mark, a word and a bracket may be anything.
            if !self.bare || !arguments.is_empty() {
                out.call(name, None);
                let whole = unmarked(&Value::Object(arguments).to_string()).into_owned();
                out.arguments(&whole[..whole.len() - 1]);
                return String::new();
            }
        }
        match self.place {
            Place::End => String::new(),
            _ => std::mem::take(&mut self.raw),
        }
    }
}

/// The name of a call that is cut off, and the arguments that are whole.
fn begun(text: &str) -> (&str, Map<String, Value>) {
    let (name, rest) = text.split_once('(').unwrap_or((text, ""));
    let (mut reader, mut arguments) = (Reader { rest, depth: 0 }, Map::new());
    while let Some((key, value)) = reader.argument() {
        // A number or a word without a comma behind it may be incomplete.
        if !reader.takes(',') {
            break;
        }
        arguments.insert(key, value);
    }
    (name.trim(), arguments)
}

/// The name and the arguments of a call.
fn call(text: &str) -> Option<(String, Map<String, Value>)> {
    let (name, rest) = text.split_once('(')?;
    let mut reader = Reader { rest, depth: 0 };
    let mut arguments = Map::new();
    while !reader.takes(')') {
        let (key, value) = reader.argument()?;
        if arguments.insert(key, value).is_some() {
            return None;
        }
        if !reader.takes(',') {
            return reader.takes(')').then(|| (name.trim().to_owned(), arguments));
        }
    }
    Some((name.trim().to_owned(), arguments))
}

/// The value of a text that is a literal of Python.
pub(super) fn literal(text: &str) -> Option<Value> {
    // A word ends before another character.
    let text = format!("{text}\n");
    let mut reader = Reader { rest: &text, depth: 0 };
    let value = reader.value()?;
    reader.rest.trim().is_empty().then_some(value)
}

/// Reads literals of Python.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn takes(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        let taken = rest.is_some();
        if taken {
            self.rest = self.rest.trim_start();
        }
        taken
    }

    /// `key=value`.
    fn argument(&mut self) -> Option<(String, Value)> {
        let length = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let (key, rest) = self.rest.split_at(length);
        self.rest = rest;
        if key.is_empty() || !self.takes('=') {
            return None;
        }
        Some((key.to_owned(), self.value()?))
    }

    fn value(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return None;
        }
        self.rest = self.rest.trim_start();
        let value = match self.rest.chars().next()? {
            '"' | '\'' => Value::String(self.text()?),
            '[' => Value::Array(self.items('[', ']')?),
            '(' => Value::Array(self.items('(', ')')?),
            '{' => self.object()?,
            _ => self.word()?,
        };
        self.depth -= 1;
        Some(value)
    }

    fn items(&mut self, open: char, close: char) -> Option<Vec<Value>> {
        self.takes(open);
        let mut items = Vec::new();
        while !self.takes(close) {
            items.push(self.value()?);
            if !self.takes(',') {
                return self.takes(close).then_some(items);
            }
        }
        Some(items)
    }

    fn object(&mut self) -> Option<Value> {
        self.takes('{');
        let mut entries = Map::new();
        while !self.takes('}') {
            let key = match self.value()? {
                Value::String(key) => key,
                Value::Number(key) => key.to_string(),
                key => number_text(&key)?,
            };
            if !self.takes(':') {
                return None;
            }
            let value = self.value()?;
            entries.insert(key, value);
            if !self.takes(',') {
                return self.takes('}').then_some(Value::Object(entries));
            }
        }
        Some(Value::Object(entries))
    }

    fn word(&mut self) -> Option<Value> {
        let end =
            self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '+' | '-' | '_'))?;
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(match word {
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            "None" | "null" => Value::Null,
            word => {
                let digits = word.replace('_', "");
                match digits.parse::<i64>() {
                    Ok(number) => number.into(),
                    // An integer keeps its digits.
                    Err(_) if is_number(&digits) && !digits.contains(['.', 'e', 'E']) => {
                        json!({ NUMBER: digits })
                    }
                    Err(_) => {
                        let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E');
                        let number = digits.parse::<f64>().ok().filter(|_| digits.chars().all(plain))?;
                        Value::Number(Number::from_f64(number)?)
                    }
                }
            }
        })
    }

    fn text(&mut self) -> Option<String> {
        let mut chars = self.rest.chars();
        let quote = chars.next()?;
        let mut text = String::new();
        loop {
            let c = match chars.next()? {
                c if c == quote => break,
                '\\' => match chars.next()? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '\n' => continue,
                    digits @ ('x' | 'u' | 'U') => {
                        let count = match digits {
                            'x' => 2,
                            'u' => 4,
                            _ => 8,
                        };
                        let digits = chars.as_str().get(..count)?;
                        chars = chars.as_str()[count..].chars();
                        let code = u32::from_str_radix(digits, 16).ok()?;
                        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                    }
                    c @ ('\\' | '\'' | '"') => c,
                    // Python keeps the backslash before what it does not know.
                    c => {
                        text.push('\\');
                        c
                    }
                },
                c => c,
            };
            text.push(c);
        }
        self.rest = chars.as_str();
        Some(text)
    }
}
