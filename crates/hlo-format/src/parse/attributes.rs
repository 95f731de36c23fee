use jarrah_base::Result;

use super::Parser;
use crate::ast::Attribute;
use crate::lexer::{Token, unescape};

impl<'t> Parser<'t> {
    /// `{name = value, ...}`, of which the brace comes next.
    pub(super) fn dictionary(&mut self) -> Result<Vec<(&'t str, Attribute<'t>)>> {
        self.expect('{')?;
        self.fields('}')
    }

    /// `name = value, ...` up to `close`.
    pub(super) fn fields(&mut self, close: char) -> Result<Vec<(&'t str, Attribute<'t>)>> {
        self.list(close, |p| {
            let name = match p.token {
                Token::Word(name) | Token::Text(name) => name,
                _ => return Err(p.fail("the name of an attribute")),
            };
            p.advance()?;
            let value = if p.eat('=')? { p.attribute()? } else { Attribute::Unit };
            Ok((name, value))
        })
    }

    pub(super) fn attribute(&mut self) -> Result<Attribute<'t>> {
        self.nested(Self::attribute_here)
    }

    fn attribute_here(&mut self) -> Result<Attribute<'t>> {
        match self.token {
            Token::Number(number) => {
                self.advance()?;
                self.skip_type()?;
                Ok(Attribute::Number(number))
            }
            Token::Text(text) => {
                self.advance()?;
                self.skip_type()?;
                Ok(Attribute::Text(unescape(text)))
            }
            Token::Symbol(name) => {
                self.advance()?;
                while self.eat(':')? {
                    if let Token::Symbol(_) = self.token {
                        self.advance()?;
                    }
                }
                Ok(Attribute::Symbol(name))
            }
            Token::Sign('[') => {
                self.advance()?;
                Ok(Attribute::List(self.list(']', Self::attribute)?))
            }
            Token::Sign('{') => Ok(Attribute::Fields(self.dictionary()?)),
            Token::Sign('<') => {
                self.skip_balanced()?;
                Ok(Attribute::Opaque)
            }
            Token::Sign('(') => {
                // A function type.
                self.skip_balanced()?;
                self.expect_arrow()?;
                if self.is('(') {
                    self.skip_balanced()?
                } else {
                    self.skip_type_here()?
                }
                Ok(Attribute::Opaque)
            }
            Token::Hash(name) => {
                self.advance()?;
                self.structured(name)
            }
            Token::Bang(_) => {
                self.skip_type_here()?;
                Ok(Attribute::Opaque)
            }
            Token::Word(word) => self.attribute_word(word),
            _ => Err(self.fail("an attribute")),
        }
    }

    fn attribute_word(&mut self, word: &'t str) -> Result<Attribute<'t>> {
        match word {
            "dense" => self.dense(),
            "array" => self.array(),
            "dense_resource" => {
                let error = self.text.error(self.start, "the tensor is not in the text");
                Err(error.help("print the module with its resources inline"))
            }
            "loc" => {
                self.trailing_location()?;
                Ok(Attribute::Opaque)
            }
            _ => {
                self.advance()?;
                if self.is('<') {
                    self.skip_balanced()?;
                    return Ok(Attribute::Opaque);
                }
                Ok(match word {
                    "true" => Attribute::Bool(true),
                    "false" => Attribute::Bool(false),
                    "unit" => Attribute::Unit,
                    _ => Attribute::Word(word),
                })
            }
        }
    }

    /// What follows the name of a dialect's attribute.
    fn structured(&mut self, name: &'t str) -> Result<Attribute<'t>> {
        if !self.is('<') {
            return Ok(Attribute::Opaque);
        }
        match name {
            "stablehlo.gather" | "stablehlo.scatter" | "stablehlo.dot" => {
                self.advance()?;
                Ok(Attribute::Fields(self.fields('>')?))
            }
            "stablehlo.conv" => {
                self.advance()?;
                self.expect_word("raw")?;
                Ok(Attribute::Fields(self.fields('>')?))
            }
            // `#stablehlo<comparison_direction LT>`
            "stablehlo" | "chlo" => {
                let before = (self.lexer, self.token, self.start);
                self.advance()?;
                if let Token::Word(_) = self.token {
                    self.advance()?;
                    if let Token::Word(word) = self.token {
                        self.advance()?;
                        if self.eat('>')? {
                            return Ok(Attribute::Word(word));
                        }
                    }
                }
                (self.lexer, self.token, self.start) = before;
                self.skip_balanced()?;
                Ok(Attribute::Opaque)
            }
            _ => {
                self.skip_balanced()?;
                Ok(Attribute::Opaque)
            }
        }
    }

    /// `array<i64: 1, 2>`.
    fn array(&mut self) -> Result<Attribute<'t>> {
        self.advance()?;
        self.expect('<')?;
        if !matches!(self.token, Token::Word(_)) {
            return Err(self.fail("an element type"));
        }
        self.advance()?;
        let items = if self.eat(':')? {
            self.list('>', Self::attribute)?
        } else {
            self.expect('>')?;
            Vec::new()
        };
        Ok(Attribute::List(items))
    }

    /// `: type`, if it comes next.
    fn skip_type(&mut self) -> Result<()> {
        if self.eat(':')? { self.skip_type_here() } else { Ok(()) }
    }

    fn skip_type_here(&mut self) -> Result<()> {
        match self.token {
            Token::Word(_) | Token::Bang(_) => {
                self.advance()?;
                if self.is('<') { self.skip_balanced() } else { Ok(()) }
            }
            _ => Err(self.fail("a type")),
        }
    }
}
