use jarrah_base::{Error, Result};
use regex_syntax::ast::parse::Parser;

use crate::limits;

/// The language whose regular expressions are read: Python and ECMA differ in their classes of characters.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Dialect {
    /// Python's: a bracket behind the first one is a character of the class.
    Python,
    /// ECMA's, which JSON schemas have: `[]` matches nothing, and `[^]` any character.
    Ecma,
}

/// A regular expression as Rust's `regex` writes it.
///
/// # Errors
/// It is none, or too large to be compiled: its bytes, how deep its groups nest, and its counts of repetitions (`Input`).
pub(crate) fn pattern(pattern: &str, dialect: Dialect) -> Result<String> {
    limits::size("the regular expression", pattern.len(), limits::MOST_PATTERN)?;
    let shown = || pattern.chars().take(60).collect::<String>();
    let wrong = |what: String| Error::input(format!("the regular expression {:?} {what}", shown()));
    let bytes = pattern.as_bytes();
    let (mut depth, mut in_class) = (0usize, false);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => depth += 1,
            b')' if !in_class => depth = depth.saturating_sub(1),
            b'{' if !in_class => {
                if let Some(digits) = too_often(&bytes[at + 1..]) {
                    let most = limits::MOST_REPEATS;
                    return Err(wrong(format!(
                        "repeats {digits} times at byte {at}; at most {most} are allowed"
                    )));
                }
            }
            _ => {}
        }
        if depth > limits::MOST_DEPTH {
            return Err(wrong(format!("has more than {} groups in each other", limits::MOST_DEPTH)));
        }
        at += 1;
    }
    let rewritten = rewritten(pattern, dialect);
    match Parser::new().parse(&rewritten) {
        Ok(_) => Ok(rewritten),
        Err(error) => {
            let before = rewritten.get(..error.span().start.offset).unwrap_or(&rewritten);
            let (kind, place) = (error.kind(), before.chars().count() + 1);
            Err(wrong(format!("does not parse: {kind}, at character {place}")))
        }
    }
}

/// The regular expression with classes for ECMA's empty ones, and with escapes before `&&`, by which Rust's classes meet.
fn rewritten(pattern: &str, dialect: Dialect) -> String {
    let (mut out, mut rest, mut depth) = (String::with_capacity(pattern.len()), pattern, 0usize);
    while let Some(first) = rest.chars().next() {
        let empty = [("[]", r"[^\s\S]"), ("[^]", r"[\s\S]")].into_iter();
        let empty = empty.filter(|_| dialect == Dialect::Ecma).find(|(class, _)| rest.starts_with(class));
        let (length, text) = match (first, empty) {
            ('\\', _) => {
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                (length, &rest[..length])
            }
            ('[', Some((class, text))) if depth == 0 => (class.len(), text),
            ('[', _) => {
                depth += 1;
                let begin = ["[^]", "[]"].into_iter().find(|begin| rest.starts_with(begin)).unwrap_or("[");
                (begin.len(), begin)
            }
            (']', _) => {
                depth = depth.saturating_sub(1);
                (1, "]")
            }
            ('&', _) if depth > 0 && rest.starts_with("&&") => (2, r"\&\&"),
            (c, _) => (c.len_utf8(), &rest[..c.len_utf8()]),
        };
        out.push_str(text);
        rest = &rest[length..];
    }
    out
}

/// The count of a repetition, behind its bracket, that is larger than it may be.
pub(super) fn too_often(behind: &[u8]) -> Option<&str> {
    let inside = &behind[..behind.len().min(64)];
    let end = inside.iter().position(|&byte| byte == b'}').unwrap_or(inside.len());
    let text = std::str::from_utf8(&inside[..end]).ok()?;
    let counts: Vec<&str> = text.split(',').map(str::trim).filter(|count| !count.is_empty()).collect();
    // Anything else between brackets is no repetition.
    let digits = counts.iter().all(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
    counts.into_iter().filter(|_| digits).find(|count| is_too_often(count))
}

/// Whether a count is larger than it may be.
pub(super) fn is_too_often(digits: &str) -> bool {
    digits.parse::<u64>().map_or(true, |count| count > limits::MOST_REPEATS)
}
