use std::sync::Arc;

use jarrah_base::{DType, Result};

use super::Parser;
use super::aliases::Is;
use crate::assembly::lexer::Token;
use crate::ir::{Attr, AttrKind, Attributes, ElementTy, StructureAttr, Ty};

impl<'t> Parser<'t> {
    /// Any attribute.
    pub(super) fn attribute(&mut self) -> Result<Attr> {
        self.nested(|p| match p.token {
            Token::Text(raw) => {
                p.advance()?;
                Ok(Attr::String(p.text(raw)))
            }
            Token::Number(_) => p.number(),
            Token::Symbol(_) => p.symbol(),
            Token::Sign('[') => Ok(Attr::Array(p.enclosed('[', ']', Self::attribute)?)),
            Token::Sign('{') => Ok(Attr::Dictionary(p.dictionary()?)),
            Token::Hash(name) => p.hash(name),
            Token::Word(word @ ("true" | "false")) => {
                p.advance()?;
                Ok(Attr::Bool(word == "true"))
            }
            Token::Word("unit") => {
                p.advance()?;
                Ok(Attr::Unit)
            }
            Token::Word("array") => p.array(),
            Token::Word("dense") => Ok(Attr::Dense(p.dense()?)),
            Token::Word("dense_resource") => Ok(Attr::Dense(p.dense_resource()?)),
            Token::Word(word @ ("affine_map" | "affine_set" | "strided" | "sparse" | "distinct")) => {
                Ok(Attr::Opaque(p.opaque(word)?))
            }
            _ => Ok(Attr::Type(p.ty()?)),
        })
    }

    /// `{a = 1, b}`.
    pub(super) fn dictionary(&mut self) -> Result<Attributes> {
        let mut attributes = Attributes::default();
        self.enclosed('{', '}', |p| p.entry(&mut attributes))?;
        Ok(attributes)
    }

    /// `a = 1` or `b`.
    fn entry(&mut self, attributes: &mut Attributes) -> Result<()> {
        let at = self.start;
        let name = match self.token {
            Token::Word(raw) | Token::Text(raw) => {
                self.advance()?;
                self.text(raw)
            }
            _ => return Err(self.fail("the name of an attribute")),
        };
        if attributes.get(&name).is_some() {
            return Err(self.error(at, format!("there are two attributes {name}")));
        }
        let attr = if self.eat('=')? { self.attribute()? } else { Attr::Unit };
        attributes.set(name, attr);
        Ok(())
    }

    /// `{...}` if it comes next, added to `attributes`.
    pub(super) fn optional_dictionary(&mut self, attributes: &mut Attributes) -> Result<()> {
        if self.is('{') {
            self.enclosed('{', '}', |p| p.entry(attributes))?;
        }
        Ok(())
    }

    /// `attributes {...}` if it comes next, added to `attributes`.
    pub(super) fn keyword_dictionary(&mut self, attributes: &mut Attributes) -> Result<()> {
        if self.eat_word("attributes")? {
            self.enclosed('{', '}', |p| p.entry(attributes))?;
        }
        Ok(())
    }

    /// `@a::@b`.
    pub(super) fn symbol(&mut self) -> Result<Attr> {
        let mut path = vec![self.symbol_name()?];
        while self.is(':') && self.lexer.byte(0) == b':' {
            self.advance()?;
            self.advance()?;
            path.push(self.symbol_name()?);
        }
        Ok(Attr::Symbol(path))
    }

    /// `@a`.
    pub(super) fn symbol_name(&mut self) -> Result<Arc<str>> {
        match self.token {
            Token::Symbol(raw) => {
                self.advance()?;
                Ok(self.text(raw))
            }
            _ => Err(self.fail("a symbol: `@` and a name")),
        }
    }

    /// `array<i64: 1, 2>`.
    fn array(&mut self) -> Result<Attr> {
        self.advance()?;
        self.expect('<')?;
        let at = self.start;
        let Ty::Scalar(element) = self.ty()? else {
            return Err(self.error(at, "the elements of an array are numbers"));
        };
        let items = if self.eat(':')? {
            self.list('>', |p| match p.token {
                Token::Word(word @ ("true" | "false")) => {
                    p.advance()?;
                    Ok(Attr::Bool(word == "true"))
                }
                Token::Number(digits) => {
                    let at = p.start;
                    p.advance()?;
                    p.number_of(digits, element.clone(), at)
                }
                _ => Err(p.fail("a number")),
            })?
        } else {
            self.expect('>')?;
            Vec::new()
        };
        if matches!(element, ElementTy::Number(d) if d.is_float()) {
            let floats = items.iter().filter_map(|a| if let Attr::Float(x, _) = a { Some(*x) } else { None });
            return Ok(Attr::Floats(element, floats.collect()));
        }
        let integers: Option<Vec<i64>> = items.iter().map(Attr::integer).collect();
        let integers = integers.ok_or_else(|| self.error(at, "an array has integers of at most 64 bits"))?;
        Ok(Attr::Integers(element, integers))
    }

    /// An attribute that starts with `#`: an alias, an enumeration, a structure, or an attribute of another dialect.
    fn hash(&mut self, name: &'t str) -> Result<Attr> {
        let at = self.start;
        if let Some(meaning) = self.alias()? {
            return match meaning.is {
                Is::Attr(attr) => Ok(attr),
                Is::Type(ty) => Ok(Attr::Type(ty)),
                Is::Loc(_) => Err(self.error(at, "a location is no attribute here")),
            };
        }
        if let "stablehlo" | "chlo" = name {
            return self.dialect_attribute(name);
        }
        let full = if name == "stablehlo.type_extensions" { "stablehlo.bounds" } else { name };
        if let Some(structure) = StructureAttr::find(full) {
            self.advance()?;
            return self.structure(structure);
        }
        if let Some((kind, _)) = crate::ir::find_enum(name) {
            // `#stablehlo.precision<DEFAULT>` is `#stablehlo<precision DEFAULT>`.
            self.advance()?;
            self.expect('<')?;
            let attr = self.enumeration(kind)?;
            self.expect('>')?;
            return Ok(attr);
        }
        if name.starts_with("stablehlo.") || name.starts_with("chlo.") {
            return Err(self.error(at, format!("there is no attribute #{name}")));
        }
        if !name.contains('.') && self.lexer.byte(0) != b'<' {
            return Err(self.error(at, format!("there is no alias #{name}")));
        }
        Ok(Attr::Opaque(self.foreign('#', name)?))
    }

    /// `#stablehlo<precision DEFAULT>`.
    fn dialect_attribute(&mut self, dialect: &str) -> Result<Attr> {
        self.advance()?;
        self.expect('<')?;
        let at = self.start;
        let Token::Word(word) = self.token else { return Err(self.fail("the name of an attribute")) };
        let name = format!("{dialect}.{word}");
        self.advance()?;
        let attr = if let Some((kind, _)) = crate::ir::find_enum(&name) {
            let angle = self.eat('<')?;
            let attr = self.enumeration(kind)?;
            if angle {
                self.expect('>')?;
            }
            attr
        } else if let Some(structure) = StructureAttr::find(&name) {
            self.structure(structure)?
        } else {
            return Err(self.error(at, format!("there is no attribute #{name}")));
        };
        self.expect('>')?;
        Ok(attr)
    }

    /// A word of an enumeration.
    pub(super) fn enumeration(&mut self, kind: &'static str) -> Result<Attr> {
        let words = crate::ir::find_enum(kind).map_or(&[][..], |(_, words)| words);
        let Token::Word(word) = self.token else {
            return Err(self.fail(&format!("one of {}", words.join(", "))));
        };
        match Attr::enumeration(kind, word) {
            Some(attr) => {
                self.advance()?;
                Ok(attr)
            }
            None => Err(self.fail(&format!("one of {}", words.join(", ")))),
        }
    }

    /// An attribute of this kind as it stands in an op's own syntax, without its type.
    pub(super) fn attribute_of(&mut self, kind: AttrKind) -> Result<Attr> {
        match kind {
            AttrKind::Integer(dtype) | AttrKind::Float(dtype) => {
                let Token::Number(digits) = self.token else { return Err(self.fail("a number")) };
                let at = self.start;
                self.advance()?;
                self.number_of(digits, ElementTy::Number(dtype), at)
            }
            AttrKind::Integers(dtype) if dtype != DType::Bool => {
                Ok(Attr::Integers(ElementTy::Number(dtype), self.integers()?))
            }
            AttrKind::Enum(name) => self.enumeration(name),
            AttrKind::Struct(structure) => self.structure(structure),
            AttrKind::Text(start) => {
                let at = self.start;
                let text = self.balanced()?;
                if !start.contains('<') && !text.starts_with('<') {
                    return Err(self.error(at, "expected `<`"));
                }
                let close = if start.contains('<') { ">" } else { "" };
                let text = self.spaced(text)?;
                Ok(Attr::Opaque(format!("{start}{text}{close}").into()))
            }
            _ => {
                let at = self.start;
                let attr = self.attribute()?;
                if !kind.admits(&attr) {
                    return Err(self.error(at, format!("expected {}", kind.describe())));
                }
                Ok(attr)
            }
        }
    }
}
