use std::ops::Range;

use jarrah_base::Result;

use super::Parser;
use crate::assembly::lexer::{Token, unescape};

const OPEN: &str = "{-#";
const CLOSE: &str = "#-}";

impl<'t> Parser<'t> {
    /// Reads the resources at the end of the text, which `dense_resource<...>` refers to.
    ///
    /// `{-# dialect_resources: { builtin: { name: "0x04000000..." } } #-}`
    pub(super) fn find_resources(&mut self, range: Range<usize>) -> Result<()> {
        let body = self.body;
        let opens = |at: &usize| body[*at..].starts_with(OPEN);
        let Some(at) = self.origin.line_starts(range).iter().copied().rfind(opens) else { return Ok(()) };
        let here = (self.lexer, self.token, self.start, self.last_end);
        self.jump(at + OPEN.len())?;
        while !matches!(self.token, Token::Hash("") | Token::End) {
            let section = self.resource_name()?;
            self.expect(':')?;
            self.expect('{')?;
            while !self.eat('}')? {
                self.resource_name()?;
                self.expect(':')?;
                if section == "dialect_resources" {
                    self.blobs()?;
                } else {
                    self.balanced()?;
                }
                self.eat(',')?;
            }
            self.eat(',')?;
        }
        (self.lexer, self.token, self.start, self.last_end) = here;
        Ok(())
    }

    fn resource_name(&mut self) -> Result<String> {
        match self.token {
            Token::Word(name) | Token::Text(name) => {
                self.advance()?;
                Ok(unescape(name))
            }
            _ => Err(self.fail("the name of a resource")),
        }
    }

    fn blobs(&mut self) -> Result<()> {
        self.expect('{')?;
        while !self.eat('}')? {
            let name = self.resource_name()?;
            self.expect(':')?;
            match self.token {
                Token::Text(digits) => {
                    self.resources.insert(name, (digits, self.start));
                    self.advance()?;
                }
                _ => return Err(self.fail("a string of hexadecimal digits")),
            }
            self.eat(',')?;
        }
        Ok(())
    }

    /// Moves past the resources.
    pub(super) fn skip_resources(&mut self) -> Result<()> {
        let rest = &self.body[self.start..];
        let end = rest.starts_with(OPEN).then(|| rest.rfind(CLOSE)).flatten();
        let Some(end) = end else { return Err(self.fail("an op")) };
        self.jump(self.start + end + CLOSE.len())
    }
}
