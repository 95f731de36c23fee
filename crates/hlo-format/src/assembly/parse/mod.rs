//! From text to tree.

mod aliases;
mod attributes;
mod computations;
mod control;
mod cursor;
mod dense;
mod dimensions;
mod directives;
mod function;
mod locations;
mod numbers;
mod operation;
mod pieces;
mod resources;
mod scopes;
mod structures;
mod types;

use std::ops::Range;
use std::sync::Arc;

use jarrah_base::Result;
use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token};
use crate::ir::{Attributes, IrModule, IrOp, OriginFile, Region};
use aliases::Aliases;
use scopes::Scopes;

pub(super) use control::COMMUTATIVE;

/// Reads a text.
struct Parser<'t> {
    /// The text up to where the part that is read ends.
    body: &'t str,
    origin: Arc<OriginFile>,
    lexer: Lexer<'t>,
    /// The next token, and where it starts.
    token: Token<'t>,
    start: usize,
    /// Where the token before ended.
    last_end: usize,
    depth: usize,
    /// The greatest depth so far of the alias that is being read.
    deepest: usize,
    /// How much there is in the tree so far, what aliases stand for included.
    weight: usize,
    module: IrModule,
    scopes: Scopes<'t>,
    aliases: Aliases<'t>,
    /// The digits of resources by name, and where they start.
    resources: FxHashMap<String, (&'t str, usize)>,
    /// Names that occur more than once are stored once.
    names: FxHashMap<&'t str, Arc<str>>,
}

pub(super) fn module(name: &str, text: &str) -> Result<IrModule> {
    let origin = Arc::new(OriginFile::text(name, text));
    part(&origin, text, 0..text.len())
}

pub(super) fn modules(name: &str, text: &str) -> Result<Vec<IrModule>> {
    let origin = Arc::new(OriginFile::text(name, text));
    let lines = origin.line_starts(0..text.len()).iter().copied();
    let splits = lines.filter(|&at| text[at..].starts_with(SPLIT)).chain([text.len()]);
    let mut modules = Vec::new();
    let mut start = 0;
    for end in splits {
        let module = part(&origin, text, start..end)?;
        let is_last = end == text.len();
        // Nothing between two separators is no part, but a file has one.
        if !module.ops().is_empty()
            || module.op.attributes != Attributes::default()
            || is_last && modules.is_empty()
        {
            modules.push(module);
        }
        start = end;
    }
    Ok(modules)
}

/// The beginning of a line that separates modules in a text; the rest of the line is a comment.
const SPLIT: &str = "// -----";

/// The part of the text in `range`.
fn part(origin: &Arc<OriginFile>, text: &str, range: Range<usize>) -> Result<IrModule> {
    let body = &text[..range.end];
    let mut parser = Parser {
        body,
        origin: origin.clone(),
        lexer: Lexer::new(body, range.start),
        token: Token::End,
        start: range.start,
        last_end: range.start,
        depth: 0,
        deepest: 0,
        weight: 0,
        module: IrModule::new(origin.clone()),
        scopes: Scopes::default(),
        aliases: Aliases::find(body, origin.line_starts(range.clone())),
        resources: FxHashMap::default(),
        names: FxHashMap::default(),
    };
    parser.find_resources(range.clone())?;
    parser.advance()?;
    let ops = parser.top_level()?;
    let mut module = parser.module;
    module.op = outermost(ops, range.start);
    Ok(module)
}

/// The one module of the text, or one for all ops.
fn outermost(mut ops: Vec<IrOp>, at: usize) -> IrOp {
    if let [only] = &ops[..]
        && only.name() == "builtin.module"
        && let Some(only) = ops.pop()
    {
        return only;
    }
    let mut op = IrModule::new(Arc::default()).op;
    op.at = at;
    op.regions = vec![Region { args: Vec::new(), ops }];
    op
}

impl Parser<'_> {
    /// Everything up to the end of the text.
    fn top_level(&mut self) -> Result<Vec<IrOp>> {
        let mut ops = Vec::new();
        loop {
            match self.token {
                Token::End => return Ok(ops),
                Token::Hash(_) | Token::Bang(_) => self.skip_alias()?,
                Token::Sign('{') => self.skip_resources()?,
                _ => ops.push(self.operation()?),
            }
        }
    }
}
