//! From text to tree.

mod attributes;
mod dense;
mod function;
mod locations;
mod operation;
mod pretty;
mod types;

use jarrah_base::{Error, Result};

use crate::MAX_DEPTH;
use crate::ast::Module;
use crate::lexer::{Lexer, Token};
use crate::text::Text;

/// The tree of a text.
pub(crate) fn module<'t>(text: &'t Text<'t>) -> Result<Module<'t>> {
    let mut parser = Parser::new(text)?;
    parser.module()
}

/// A position in the text, one token ahead.
struct Parser<'t> {
    text: &'t Text<'t>,
    lexer: Lexer<'t>,
    /// The token that comes next.
    token: Token<'t>,
    /// Where it starts.
    start: usize,
    depth: usize,
    /// How many bytes of tensors that are a single value in the text may still be filled in.
    splat_budget: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t Text<'t>) -> Result<Self> {
        let mut lexer = Lexer::new(text, 0);
        let (token, start) = lexer.next()?;
        let splat_budget = text.body.len().saturating_mul(16).max(1 << 20);
        Ok(Parser { text, lexer, token, start, depth: 0, splat_budget })
    }

    fn fail(&self, expected: &str) -> Error {
        self.text.error(self.start, format!("expected {expected}, found {}", self.token))
    }

    fn advance(&mut self) -> Result<Token<'t>> {
        let (next, start) = self.lexer.next()?;
        self.start = start;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Continues at the offset `at`.
    fn jump(&mut self, at: usize) -> Result<()> {
        self.lexer.at = at;
        self.advance()?;
        Ok(())
    }

    fn is(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    /// Takes the character if it comes next.
    fn eat(&mut self, sign: char) -> Result<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn eat_word(&mut self, word: &str) -> Result<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        if self.eat(sign)? { Ok(()) } else { Err(self.fail(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word)? { Ok(()) } else { Err(self.fail(&format!("`{word}`"))) }
    }

    fn expect_arrow(&mut self) -> Result<()> {
        if self.token != Token::Arrow {
            return Err(self.fail("`->`"));
        }
        self.advance()?;
        Ok(())
    }

    fn symbol(&mut self) -> Result<&'t str> {
        match self.token {
            Token::Symbol(name) => {
                self.advance()?;
                Ok(name)
            }
            _ => Err(self.fail("a symbol such as `@main`")),
        }
    }

    /// The items between `open`, which has been taken, and `close`, with commas between them.
    fn list<T>(&mut self, close: char, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close)? {
                return Ok(items);
            }
            if !self.eat(',')? {
                return Err(self.fail(&format!("`,` or `{close}`")));
            }
        }
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.text.error(self.start, format!("nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Passes over `<...>`, `(...)`, `[...]` or `{...}`, whichever comes next, and all it holds.
    fn skip_balanced(&mut self) -> Result<()> {
        let open = self.start;
        let mut closing = Vec::new();
        loop {
            match self.token {
                Token::Sign('<') => closing.push('>'),
                Token::Sign('(') => closing.push(')'),
                Token::Sign('[') => closing.push(']'),
                Token::Sign('{') => closing.push('}'),
                Token::Sign(c @ ('>' | ')' | ']' | '}')) if closing.pop() != Some(c) => {
                    return Err(self.text.error(self.start, format!("`{c}` closes nothing")));
                }
                Token::End => {
                    return Err(self.text.error(open, format!("`{}` is never closed", self.char_at(open))));
                }
                _ => {}
            }
            self.advance()?;
            if closing.is_empty() {
                return Ok(());
            }
        }
    }

    fn char_at(&self, at: usize) -> char {
        self.text.body[at..].chars().next().unwrap_or(' ')
    }
}
