use jarrah_base::{DType, Result};

use super::Parser;
use crate::assembly::lexer::Token;
use crate::ir::{Attr, ElementTy, StructureAttr, StructureField};

impl Parser<'_> {
    /// The fields of a structured attribute, from its `<` on.
    pub(super) fn structure(&mut self, structure: &'static StructureAttr) -> Result<Attr> {
        match structure.name {
            "stablehlo.bounds" => return self.bounds(structure),
            "stablehlo.conv" => {
                self.expect('<')?;
                if !self.eat_word("raw")? {
                    let attr = self.convolution_dimensions()?;
                    self.expect('>')?;
                    return Ok(attr);
                }
            }
            "stablehlo.sub_axis_info" => {
                self.expect('(')?;
                let pre_size = self.integer()?;
                self.expect(')')?;
                let size = self.integer()?;
                return Ok(structure.attr([("pre_size", Attr::i64(pre_size)), ("size", Attr::i64(size))]));
            }
            _ => self.expect('<')?,
        }
        let mut fields: Vec<(&'static str, Attr)> = Vec::new();
        while !self.eat('>')? {
            let found = structure.fields.iter().find(|(name, _)| self.is_word(name));
            let Some((name, field)) = found else {
                let names: Vec<&str> = structure.fields.iter().map(|(n, _)| *n).collect();
                return Err(self.fail(&format!("one of {}", names.join(", "))));
            };
            if fields.iter().any(|(n, _)| n == name) {
                return Err(self.error(self.start, format!("there are two fields {name}")));
            }
            self.advance()?;
            self.expect('=')?;
            fields.push((name, self.field(*field)?));
            if !self.eat(',')? {
                self.expect('>')?;
                break;
            }
        }
        if structure.name == "stablehlo.conv" {
            for (name, field) in structure.fields {
                if fields.iter().all(|(n, _)| n != name) {
                    let zero = if *field == StructureField::Dims { Attr::i64s([]) } else { Attr::i64(0) };
                    fields.push((name, zero));
                }
            }
        }
        Ok(structure.attr(fields))
    }

    fn field(&mut self, field: StructureField) -> Result<Attr> {
        match field {
            StructureField::Dims => Ok(Attr::i64s(self.enclosed('[', ']', Self::extent)?)),
            StructureField::Integer => Ok(Attr::i64(self.integer()?)),
            StructureField::Float => {
                let Token::Number(digits) = self.token else { return Err(self.fail("a number")) };
                let x = digits.parse().map_err(|_| self.fail("a number"))?;
                self.advance()?;
                Ok(Attr::Float(x, ElementTy::Number(DType::F64)))
            }
            StructureField::Bool => match self.token {
                Token::Word(word @ ("true" | "false")) => {
                    self.advance()?;
                    Ok(Attr::Bool(word == "true"))
                }
                _ => Err(self.fail("`true` or `false`")),
            },
            StructureField::Type => Ok(Attr::Type(self.ty()?)),
            StructureField::String => Ok(Attr::String(self.string()?)),
            StructureField::Attrs => Ok(Attr::Array(self.enclosed('[', ']', Self::attribute)?)),
            StructureField::Attr if self.is('(') => self.nested(|p| {
                let info = StructureAttr::find("stablehlo.sub_axis_info");
                p.structure(info.expect("invariant: the structure is defined"))
            }),
            StructureField::Attr => self.attribute(),
        }
    }

    /// `<3, ?>` or `<bounds = [3, ?]>`.
    fn bounds(&mut self, structure: &'static StructureAttr) -> Result<Attr> {
        self.expect('<')?;
        let bounds = if self.eat_word("bounds")? {
            self.expect('=')?;
            let bounds = self.enclosed('[', ']', Self::extent)?;
            self.expect('>')?;
            bounds
        } else {
            self.list('>', Self::extent)?
        };
        Ok(structure.attr([("bounds", Attr::i64s(bounds))]))
    }
}
