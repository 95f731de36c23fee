use std::sync::Arc;

use jarrah_base::Result;

use super::Parser;
use super::aliases::Is;
use crate::MAX_DEPTH;
use crate::assembly::lexer::Token;
use crate::ir::Loc;

/// The deepest nesting of locations, counted with the ops around them: a chain of calls may be long.
pub(super) const MAX_LOCATION_DEPTH: usize = 5 * MAX_DEPTH;

impl Parser<'_> {
    /// `loc(...)`, if it comes next.
    pub(super) fn trailing_location(&mut self) -> Result<Option<Loc>> {
        if !self.eat_word("loc")? {
            return Ok(None);
        }
        self.expect('(')?;
        let location = self.location()?;
        self.expect(')')?;
        Ok(Some(location))
    }

    /// The location between the parentheses of `loc(...)`.
    pub(super) fn location(&mut self) -> Result<Loc> {
        self.nested_within(MAX_LOCATION_DEPTH, |p| match p.token {
            Token::Hash(_) => {
                let at = p.start;
                match p.alias()?.map(|m| m.is) {
                    Some(Is::Loc(loc)) => Ok(loc),
                    Some(_) => Err(p.error(at, "this alias is no location")),
                    None => Err(p.error(at, format!("there is no location {}", p.token))),
                }
            }
            Token::Word("unknown") => {
                p.advance()?;
                Ok(Loc::Unknown)
            }
            Token::Word("callsite") => {
                p.advance()?;
                p.expect('(')?;
                let callee = p.location()?;
                p.expect_word("at")?;
                let caller = p.location()?;
                p.expect(')')?;
                Ok(Loc::CallSite(Arc::new((callee, caller))))
            }
            Token::Word("fused") => {
                p.advance()?;
                if p.is('<') {
                    p.balanced()?;
                }
                Ok(Loc::Fused(p.enclosed('[', ']', Self::location)?.into()))
            }
            Token::Text(text) => {
                p.advance()?;
                let text = p.text(text);
                match p.token {
                    Token::Sign(':') => p.file_position(text),
                    Token::Sign('(') => {
                        p.advance()?;
                        let inner = p.location()?;
                        p.expect(')')?;
                        Ok(Loc::Name(text, Arc::new(inner)))
                    }
                    _ => Ok(Loc::Name(text, Arc::new(Loc::Unknown))),
                }
            }
            _ => Err(p.fail("a location")),
        })
    }

    /// `:3:7` behind a file's name, and the end of a range: `to 4:1`, `to :9`.
    fn file_position(&mut self, file: Arc<str>) -> Result<Loc> {
        self.expect(':')?;
        let line = self.position()?;
        self.expect(':')?;
        let column = self.position()?;
        if !self.eat_word("to")? {
            return Ok(Loc::File(file, line, column));
        }
        let last_line = if self.is(':') { line } else { self.position()? };
        self.expect(':')?;
        let last_column = self.position()?;
        Ok(Loc::Range(file, [line, column, last_line, last_column]))
    }

    fn position(&mut self) -> Result<u32> {
        match self.token {
            Token::Number(digits) => {
                let count = digits.parse().map_err(|_| self.fail("a line or column number"))?;
                self.advance()?;
                Ok(count)
            }
            _ => Err(self.fail("a line or column number")),
        }
    }
}
