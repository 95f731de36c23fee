use jarrah_base::Result;

use super::Parser;
use super::operation::Draft;
use crate::assembly::format::Piece;
use crate::assembly::lexer::Token;

impl<'t> Parser<'t> {
    /// An op in its own syntax, behind its name.
    pub(super) fn pieces(&mut self, pieces: &[Piece], draft: &mut Draft) -> Result<()> {
        for piece in pieces {
            match piece {
                Piece::Literal(literal) => self.literal(literal)?,
                Piece::Tight => {}
                Piece::Operand(_, false) => draft.op.operands.push(self.operand()?),
                Piece::Operand(_, true) | Piece::Operands => {
                    let operands = self.operands()?;
                    draft.op.operands.extend(operands);
                }
                Piece::Attribute(name, kind) => {
                    let attr = self.attribute_of(*kind)?;
                    draft.op.attributes.set(*name, attr);
                }
                Piece::Dictionary => self.optional_dictionary(&mut draft.op.attributes)?,
                Piece::Directive(directive) => self.directive(*directive, draft)?,
                Piece::Types(names) => {
                    for (i, name) in names.iter().enumerate() {
                        if i > 0 {
                            self.expect(',')?;
                        }
                        let at = self.start;
                        let ty = self.ty()?;
                        let range = draft.op.definition.signature().range(&draft.op, name);
                        let Some(index) = range.map(|r| r.start).filter(|&i| i < draft.op.operands.len())
                        else {
                            return Err(self.error(at, format!("there is no operand {name}")));
                        };
                        self.check_operand(&draft.op, draft.op.operands[index], index, &ty, at)?;
                    }
                }
                Piece::Group(inner) => {
                    if let Some(Piece::Literal(first)) = inner.first()
                        && self.is_literal(first)
                    {
                        self.pieces(inner, draft)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_literal(&self, literal: &str) -> bool {
        match self.token {
            Token::Word(word) => word == literal,
            Token::Arrow => literal == "->",
            Token::Sign(c) => literal.len() == c.len_utf8() && literal.starts_with(c),
            _ => false,
        }
    }

    fn literal(&mut self, literal: &str) -> Result<()> {
        if !self.is_literal(literal) {
            return Err(self.fail(&format!("`{literal}`")));
        }
        self.advance()?;
        Ok(())
    }
}
