//! The grammars that constraints are compiled to: schemas as `llguidance` reads them, and its dialect of Lark.

mod ebnf;
mod lark;
mod merge;
mod numbers;
mod overlap;
mod pattern;
mod ranges;
mod schema;
mod tags;

pub(crate) use ebnf::{ebnf, is_ebnf, quoted};
pub(crate) use lark::{Lark, choice, lark};
pub(crate) use numbers::Numbers;
pub(crate) use pattern::{Dialect, pattern};
pub(crate) use ranges::text as number_text;
pub(crate) use schema::{Work, formats, schema, shallow};
pub(crate) use tags::tags;
