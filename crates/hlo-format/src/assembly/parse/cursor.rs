use std::sync::Arc;

use jarrah_base::{Error, Result, work};

use super::Parser;
use crate::MAX_DEPTH;
use crate::assembly::lexer::{Token, unescape};

/// The size that aliases may add to a tree besides a multiple of the text's size.
const SMALL: usize = 1 << 22;

impl<'t> Parser<'t> {
    /// Takes the next token.
    pub(super) fn advance(&mut self) -> Result<Token<'t>> {
        work::step(1);
        let taken = self.token;
        self.last_end = self.lexer.at;
        match self.lexer.next() {
            Ok((token, start)) => (self.token, self.start) = (token, start),
            Err((at, message)) => return Err(self.origin.error(at, message)),
        }
        Ok(taken)
    }

    /// Continues at the offset `at`.
    pub(super) fn jump(&mut self, at: usize) -> Result<()> {
        self.lexer.at = at;
        self.advance()?;
        self.last_end = at;
        Ok(())
    }

    /// The error that something else was expected here.
    pub(super) fn fail(&self, expected: &str) -> Error {
        self.origin.error(self.start, format!("expected {expected}, found {}", self.token))
    }

    /// The error that something is wrong at `at`.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        self.origin.error(at, message)
    }

    pub(super) fn is(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(w) if w == word)
    }

    pub(super) fn eat(&mut self, sign: char) -> Result<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> Result<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<()> {
        if self.eat(sign)? { Ok(()) } else { Err(self.fail(&format!("`{sign}`"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word)? { Ok(()) } else { Err(self.fail(&format!("`{word}`"))) }
    }

    pub(super) fn expect_arrow(&mut self) -> Result<()> {
        if self.token != Token::Arrow {
            return Err(self.fail("`->`"));
        }
        self.advance()?;
        Ok(())
    }

    /// A string.
    pub(super) fn string(&mut self) -> Result<Arc<str>> {
        match self.token {
            Token::Text(raw) => {
                self.advance()?;
                Ok(self.text(raw))
            }
            _ => Err(self.fail("a string")),
        }
    }

    /// The text that a string or name stands for, without escapes; short texts are stored once.
    pub(super) fn text(&mut self, raw: &'t str) -> Arc<str> {
        if raw.len() > 256 {
            return unescape(raw).into();
        }
        self.names.entry(raw).or_insert_with(|| unescape(raw).into()).clone()
    }

    /// Items between commas, up to the sign `close`, which is taken too.
    pub(super) fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(',')? {
                break;
            }
        }
        if !self.is(close) {
            return Err(self.fail(&format!("`,` or `{close}`")));
        }
        self.advance()?;
        Ok(items)
    }

    /// As `list`, with the sign `open` before it.
    pub(super) fn enclosed<T>(
        &mut self,
        open: char,
        close: char,
        item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.expect(open)?;
        self.list(close, item)
    }

    /// Something that may hold more of its kind.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nested_within(MAX_DEPTH, inner)
    }

    /// As `nested`, up to another depth.
    pub(super) fn nested_within<T>(
        &mut self,
        limit: usize,
        inner: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.enter(1, 1, limit)?;
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Counts a part of the tree of this depth and size against the limits.
    pub(super) fn enter(&mut self, depth: usize, weight: usize, limit: usize) -> Result<()> {
        self.deepest = self.deepest.max(self.depth + depth);
        self.weight += weight;
        if self.depth + depth > limit {
            return Err(self.error(self.start, format!("nested more than {limit} deep")));
        }
        if self.weight > SMALL.saturating_add(self.body.len().saturating_mul(8)) {
            return Err(self.error(self.start, "the aliases of this text stand for too much"));
        }
        Ok(())
    }

    /// The text from the bracket that is next through its closing bracket.
    pub(super) fn balanced(&mut self) -> Result<&'t str> {
        let begin = self.start;
        let mut open = Vec::new();
        loop {
            match self.token {
                Token::Sign('(') => open.push(')'),
                Token::Sign('[') => open.push(']'),
                Token::Sign('{') => open.push('}'),
                Token::Sign('<') => open.push('>'),
                Token::Sign(c @ (')' | ']' | '}' | '>')) if open.pop() != Some(c) => {
                    return Err(self.error(self.start, format!("`{c}` closes nothing")));
                }
                Token::End => return Err(self.error(begin, "the bracket is not closed")),
                _ => {}
            }
            let end = self.lexer.at;
            self.advance()?;
            if open.is_empty() {
                return Ok(&self.body[begin..end]);
            }
        }
    }
}
