//! Limits of requests: constraints that others write are checked before they are compiled, so that no schema, grammar or
//! regular expression takes much time, memory or stack.

use jarrah_base::{Error, Result};
use llguidance::api::ParserLimits;

/// The bytes of a schema as JSON, of a grammar or of all choices.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// The bytes of a regular expression.
pub(crate) const MOST_PATTERN: usize = 1 << 16;
/// How deep schemas, groups of a grammar and groups of a regular expression nest.
pub(crate) const MOST_DEPTH: usize = 64;
/// The largest count of a repetition, `{1,100000}`, `maxLength` or `maxItems`.
pub(crate) const MOST_REPEATS: u64 = 100_000;
/// The properties of an object, named or required, or the items of a list that have schemas of their own, and the squares of their numbers for all objects of a schema: the time of the compiler grows with
/// them, to about two seconds.
pub(crate) const MOST_PROPERTIES: usize = 2000;
/// The patterns and formats that one text has to match at once: the time to know whether any text does grows with the power of their number.
pub(crate) const MOST_PATTERNS: usize = 8;
/// The largest divisor of `multipleOf`, without its decimal point: there is a state for each remainder.
pub(crate) const MOST_MULTIPLE: u32 = 10_000;
/// The most decimal places of a divisor.
pub(crate) const MOST_PLACES: u32 = 9;
/// The bytes of stack for the compiler, of which a constraint that is written to nest touches as many as it has rules.
pub(crate) const STACK: usize = 256 << 20;
/// Pairs of alternatives of a `oneOf` that are compared with each other.
pub(crate) const MOST_PAIRS: usize = 100_000;

/// The limits of the parser of tokens: a third of a second to compile, some tens of milliseconds for a mask.
pub(crate) fn parser() -> ParserLimits {
    ParserLimits {
        verbose_errors: false,
        // Each property that may be left out is four items where the next one begins.
        max_items_in_row: 5 * MOST_PROPERTIES,
        // A state takes one or two kilobytes.
        max_lexer_states: 50_000,
        ..ParserLimits::default()
    }
}

/// Refuses `what` if it has more than `most` bytes.
pub(crate) fn size(what: &str, bytes: usize, most: usize) -> Result<()> {
    match bytes <= most {
        true => Ok(()),
        false => Err(Error::input(format!("{what} has {bytes} bytes; at most {most} are allowed"))),
    }
}
