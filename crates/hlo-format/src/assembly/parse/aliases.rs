use jarrah_base::Result;
use rustc_hash::FxHashMap;

use super::Parser;
use super::locations::MAX_LOCATION_DEPTH;
use crate::MAX_DEPTH;
use crate::assembly::lexer::{Lexer, Token};
use crate::ir::{Attr, Loc, Ty};

/// The aliases of a text: `#map = ...`, `!type = ...`. They may be used before their line, as locations are.
#[derive(Default)]
pub(super) struct Aliases<'t> {
    lines: FxHashMap<&'t str, Alias>,
}

struct Alias {
    /// Where its definition starts, behind the `=`.
    at: usize,
    state: State,
}

enum State {
    Unread,
    InProgress,
    Read(Box<Meaning>),
}

/// The meaning of an alias: its attribute, type or location, how deep that nests, how large it is, and where the alias's line
/// ends.
#[derive(Clone)]
pub(super) struct Meaning {
    pub is: Is,
    pub depth: usize,
    pub weight: usize,
    pub text: (usize, usize),
}

#[derive(Clone)]
pub(super) enum Is {
    Attr(Attr),
    Type(Ty),
    Loc(Loc),
}

impl<'t> Aliases<'t> {
    /// All lines that define one.
    pub fn find(body: &'t str, lines: &[usize]) -> Aliases<'t> {
        let mut aliases = Aliases::default();
        for &at in lines {
            if let Some((name, at)) = header(body, at) {
                aliases.lines.entry(name).or_insert(Alias { at, state: State::Unread });
            }
        }
        aliases
    }
}

/// The name of the alias that is defined at `at`, with its sign, and where its definition starts.
fn header(body: &str, at: usize) -> Option<(&str, usize)> {
    if !matches!(body.as_bytes().get(at), Some(b'#' | b'!')) {
        return None;
    }
    let mut lexer = Lexer::new(body, at + 1);
    lexer.word();
    let name = &body[at..lexer.at];
    lexer.skip_space();
    let defines = name.len() > 1 && lexer.byte(0) == b'=';
    defines.then_some((name, lexer.at + 1))
}

impl<'t> Parser<'t> {
    /// The meaning of the alias whose name, with its sign, is the next token; `None` if no alias has that name.
    pub(super) fn alias(&mut self) -> Result<Option<Meaning>> {
        let end = self.lexer.at;
        let name = &self.body[self.start..end];
        let Some(meaning) = self.meaning(name)? else { return Ok(None) };
        let limit = if matches!(meaning.is, Is::Loc(_)) { MAX_LOCATION_DEPTH } else { MAX_DEPTH };
        self.enter(meaning.depth, meaning.weight, limit)?;
        self.advance()?;
        Ok(Some(meaning))
    }

    /// The meaning of the alias `name`; `None` if no alias has that name.
    pub(super) fn meaning(&mut self, name: &str) -> Result<Option<Meaning>> {
        let Some(alias) = self.aliases.lines.get_mut(name) else { return Ok(None) };
        match &alias.state {
            State::Read(meaning) => return Ok(Some(Meaning::clone(meaning))),
            State::InProgress => {
                return Err(self.error(self.start, format!("`{name}` is defined by itself")));
            }
            State::Unread => alias.state = State::InProgress,
        }
        let at = alias.at;
        let here = (self.lexer, self.token, self.start, self.last_end);
        let (depth, deepest, weight) = (self.depth, self.deepest, self.weight);
        self.deepest = depth;
        self.jump(at)?;
        let is = self.nested_within(MAX_LOCATION_DEPTH, |p| match p.token {
            _ if name.starts_with('!') => Ok(Is::Type(p.ty()?)),
            Token::Word("loc") => {
                p.advance()?;
                p.expect('(')?;
                let loc = p.location()?;
                p.expect(')')?;
                Ok(Is::Loc(loc))
            }
            _ => Ok(Is::Attr(p.attribute()?)),
        })?;
        let meaning = Meaning {
            is,
            depth: self.deepest - depth,
            weight: self.weight - weight,
            text: (at, self.last_end),
        };
        (self.lexer, self.token, self.start, self.last_end) = here;
        self.deepest = self.deepest.max(deepest);
        if let Some(alias) = self.aliases.lines.get_mut(name) {
            alias.state = State::Read(Box::new(meaning.clone()));
        }
        Ok(Some(meaning))
    }

    /// Moves past the line that defines an alias.
    pub(super) fn skip_alias(&mut self) -> Result<()> {
        let Some((name, at)) = header(self.body, self.start) else {
            return Err(self.fail("an op or the definition of an alias"));
        };
        if self.aliases.lines.get(name).is_none_or(|a| a.at != at) {
            return Err(self.error(self.start, format!("`{name}` is not the first of its name on a line")));
        }
        let end = self.meaning(name)?.map_or(at, |m| m.text.1);
        self.jump(end)
    }
}
