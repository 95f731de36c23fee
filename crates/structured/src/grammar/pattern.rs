use jarrah_base::{Error, Result};
use regex_syntax::ast::parse::Parser;

use crate::limits;

/// Checks that a regular expression is one, and small enough to be compiled: its bytes, how deep its groups nest, and its counts of repetitions.
pub(crate) fn pattern(pattern: &str) -> Result<()> {
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
    Parser::new().parse(pattern).map(|_| ()).map_err(|error| {
        let before = pattern.get(..error.span().start.offset).unwrap_or(pattern);
        let (kind, place) = (error.kind(), before.chars().count() + 1);
        wrong(format!("does not parse: {kind}, at character {place}"))
    })
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
