//! Grammars in `llguidance`'s dialect of Lark.

use jarrah_base::{Error, Result};
use serde_json::Value;

use super::ebnf::quoted;
use super::numbers::Numbers;
use super::pattern::{is_too_often, too_often};
use crate::limits;
use crate::vocabulary::MaskVocabulary;

/// A grammar that is being written: rules so far, and the names of tokens that it may use.
pub(crate) struct Lark<'a> {
    vocabulary: &'a MaskVocabulary,
    rules: String,
    count: usize,
    python: bool,
    work: super::Work,
}

/// The literals of Python.
const PYTHON: &str = r#"
PY_STRING: /"([^"\\\x00-\x1F\x7F]|\\["\\nrt'])*"/
PY_INTEGER: /-?(0|[1-9][0-9]{0,17})/
PY_NUMBER: /-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][+\-]?[0-9]{1,2})?/
py_boolean: "True" | "False"
py_null: "None"
py_array: "[" (py_any (", " py_any)*)? "]"
py_object: "{" (PY_STRING ": " py_any (", " PY_STRING ": " py_any)*)? "}"
py_any: PY_STRING | PY_NUMBER | py_boolean | py_null | py_array | py_object
"#;

impl<'a> Lark<'a> {
    pub fn new(vocabulary: &'a MaskVocabulary) -> Lark<'a> {
        Lark {
            vocabulary,
            rules: "TEXT: /(.|\\n)*/\n".to_owned(),
            count: 0,
            python: false,
            work: super::Work::default(),
        }
    }

    pub fn vocabulary(&self) -> &MaskVocabulary {
        self.vocabulary
    }

    /// The grammar whose outputs are `body`, and the numbers of its schemas.
    pub fn finish(self, body: &str) -> (String, Numbers) {
        let text = format!("start: {body}\n{}{}", self.rules, if self.python { PYTHON } else { "" });
        (text, self.work.numbers)
    }

    /// The name of a new rule.
    pub fn rule(&mut self, body: &str) -> String {
        self.with("", body)
    }

    /// The name of a new rule with options, `[lazy]` say.
    pub fn with(&mut self, options: &str, body: &str) -> String {
        let name = format!("r{}", self.count);
        self.count += 1;
        self.rules.push_str(&format!("{name}{options}: {body}\n"));
        name
    }

    /// The name of a rule for a body that may be empty; nothing for one that always is.
    pub fn optional(&mut self, body: &str) -> String {
        if body.trim().is_empty() { String::new() } else { self.rule(body) }
    }

    /// The name of the rule of Python's literals of a type of JSON schemas; of all for another.
    pub fn python(&mut self, kind: &str) -> String {
        self.python = true;
        let known = match kind {
            "string" => "PY_STRING",
            "integer" => "PY_INTEGER",
            "number" => "PY_NUMBER",
            "boolean" => "py_boolean",
            "null" => "py_null",
            "array" => "py_array",
            "object" => "py_object",
            _ => "py_any",
        };
        known.to_owned()
    }

    /// The name of a new terminal, which is a regular expression.
    pub fn terminal(&mut self, body: &str) -> String {
        let name = format!("T{}", self.count);
        self.count += 1;
        self.rules.push_str(&format!("{name}: {body}\n"));
        name
    }

    /// The name of the first rule of a grammar in EBNF, whose rules are added under names of their own.
    pub fn ebnf(&mut self, text: &str) -> Result<String> {
        let prefix = format!("e{}_", self.count);
        self.count += 1;
        let (root, rules) = super::ebnf(text, &prefix)?;
        self.rules.push_str(&rules);
        Ok(root)
    }

    /// A text, in which names of special tokens are these tokens.
    pub fn text(&self, text: &str) -> String {
        let mut parts = Vec::new();
        let (mut start, mut at) = (0, 0);
        while at < text.len() {
            match self.vocabulary.special_at(&text[at..]) {
                Some((id, length)) => {
                    parts.extend((start < at).then(|| quoted(&text[start..at])));
                    parts.push(format!("<[{id}]>"));
                    at += length;
                    start = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        parts.extend((start < at).then(|| quoted(&text[start..at])));
        parts.join(" ")
    }

    /// Any text up to the first place where `end` stands, and `end`.
    pub fn until(&mut self, end: &str) -> String {
        match self.vocabulary.special_at(end) {
            // No text has the bytes of a special token.
            Some(_) => format!("TEXT {}", self.text(end)),
            None => {
                // A token within `end` cannot be a part of a lexeme: the text ends where the part before it stands.
                let special = (1..end.len())
                    .find(|&at| end.is_char_boundary(at) && self.vocabulary.special_at(&end[at..]).is_some());
                let (first, rest) = end.split_at(special.unwrap_or(end.len()));
                let lazy = self.with("[lazy]", &format!("TEXT {}", quoted(first)));
                format!("{lazy} {}", self.text(rest))
            }
        }
    }

    /// A value of a JSON schema.
    pub fn json(&mut self, schema: &Value) -> Result<String> {
        let schema = super::schema(schema, &mut self.work)?;
        Ok(self.rule(&format!("%json {schema}")))
    }
}

/// The grammar of one of these texts.
pub(crate) fn choice(choices: &[String]) -> Result<String> {
    if choices.is_empty() {
        return Err(Error::input("there are no choices").help("give at least one text"));
    }
    let all: Vec<String> = choices.iter().filter(|text| !text.is_empty()).map(|text| quoted(text)).collect();
    Ok(match (all.len(), all.len() < choices.len()) {
        (0, _) => "start: \"\"\n".to_owned(),
        (_, false) => format!("start: CHOICE\nCHOICE: {}\n", all.join(" | ")),
        (_, true) => format!("start: CHOICE?\nCHOICE: {}\n", all.join(" | ")),
    })
}

/// Checks a grammar in Lark that somebody wrote: how deep its groups nest, and its counts of repetitions.
pub(crate) fn lark(text: &str) -> Result<String> {
    let wrong = |line: usize, what: String| Error::input(format!("line {line} of the grammar {what}"));
    let (mut depth, mut string) = (0usize, None);
    let (mut line, mut at) = (1, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let byte = bytes[at];
        line += usize::from(byte == b'\n');
        match (string, byte) {
            (_, b'\\') => at += 1,
            (Some(end), byte) if byte == end || byte == b'\n' => string = None,
            (None, b'"') => string = Some(byte),
            (None, b'/') if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                continue;
            }
            (None, b'#') => {
                at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                continue;
            }
            // Groups within a regular expression have bounds of their own.
            (None, b'/') => string = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits::MOST_DEPTH {
            return Err(wrong(line, format!("has more than {} groups in each other", limits::MOST_DEPTH)));
        }
        let digits = |at: usize| {
            let rest = text.get(at..).unwrap_or_default().trim_start_matches(' ');
            let end = rest.bytes().take_while(u8::is_ascii_digit).count();
            Some(&rest[..end]).filter(|digits| !digits.is_empty() && is_too_often(digits))
        };
        let count = match byte {
            b'{' if string != Some(b'"') => too_often(&bytes[at + 1..]),
            b'~' if string.is_none() => digits(at + 1),
            b'.' if string.is_none() && bytes[..at].ends_with(b".") => digits(at + 1),
            _ => None,
        };
        if let Some(count) = count {
            let most = limits::MOST_REPEATS;
            return Err(wrong(line, format!("repeats {count} times; at most {most} are allowed")));
        }
        at += 1;
    }
    Ok(text.to_owned())
}
