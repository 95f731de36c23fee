use jarrah_base::Result;

use super::Parser;
use crate::ast::Loc;
use crate::lexer::Token;

impl<'t> Parser<'t> {
    /// `loc(...)`, if it comes next.
    pub(super) fn trailing_location(&mut self) -> Result<Option<Loc<'t>>> {
        if !self.eat_word("loc")? {
            return Ok(None);
        }
        self.expect('(')?;
        let location = self.location()?;
        self.expect(')')?;
        Ok(Some(location))
    }

    /// What stands between the parentheses of `loc(...)`.
    pub(super) fn location(&mut self) -> Result<Loc<'t>> {
        self.nested(|p| match p.token {
            Token::Hash(name) => {
                p.advance()?;
                Ok(Loc::Alias(name))
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
                Ok(Loc::Several(vec![callee, caller]))
            }
            Token::Word("fused") => {
                p.advance()?;
                if p.is('<') {
                    p.skip_balanced()?;
                }
                p.expect('[')?;
                Ok(Loc::Several(p.list(']', Self::location)?))
            }
            Token::Text(text) => {
                p.advance()?;
                match p.token {
                    Token::Sign(':') => p.file_position(text),
                    Token::Sign('(') => {
                        p.advance()?;
                        let inner = p.location()?;
                        p.expect(')')?;
                        Ok(Loc::Name(text, Some(Box::new(inner))))
                    }
                    _ => Ok(Loc::Name(text, None)),
                }
            }
            _ => Err(p.fail("a location")),
        })
    }

    /// `:3:7` behind a file's name, and the end of a range: `to 4:1`, `to :9`.
    fn file_position(&mut self, file: &'t str) -> Result<Loc<'t>> {
        self.expect(':')?;
        let line = self.count()?;
        self.expect(':')?;
        let column = self.count()?;
        if self.eat_word("to")? {
            if !self.is(':') {
                self.count()?;
            }
            self.expect(':')?;
            self.count()?;
        }
        Ok(Loc::File(file, line, column))
    }

    fn count(&mut self) -> Result<u32> {
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
