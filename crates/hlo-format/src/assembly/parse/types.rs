use std::sync::Arc;

use jarrah_base::{DType, Error, Result};
use smallvec::SmallVec;

use super::Parser;
use super::aliases::Is;
use crate::assembly::lexer::Token;
use crate::assembly::{element, normal};
use crate::ir::{ElementTy, Quantized, TensorTy, Ty};

/// No tensor has more axes.
const MAX_RANK: usize = 1 << 10;

impl<'t> Parser<'t> {
    /// A type.
    pub(super) fn ty(&mut self) -> Result<Ty> {
        self.nested(|p| match p.token {
            Token::Word("tensor") => Ok(Ty::Tensor(p.tensor()?)),
            Token::Word("memref") => Ok(Ty::Buffer(p.tensor()?)),
            Token::Word("tuple") => {
                p.advance()?;
                Ok(Ty::Tuple(p.enclosed('<', '>', Self::ty)?))
            }
            Token::Word("none") => {
                p.advance()?;
                Ok(Ty::None)
            }
            Token::Word("vector") => Ok(Ty::Opaque(p.opaque("vector")?)),
            Token::Bang("stablehlo.token" | "mhlo.token") => {
                p.advance()?;
                Ok(Ty::Token)
            }
            Token::Bang("stablehlo.future") => {
                p.advance()?;
                Ok(Ty::Future(p.enclosed('<', '>', Self::ty)?))
            }
            Token::Sign('(') => {
                let (inputs, outputs) = p.function_type()?;
                Ok(Ty::Function(Arc::new((inputs, outputs))))
            }
            Token::Bang(name) if !name.starts_with("quant.") => {
                if let Some(meaning) = p.alias()? {
                    return match meaning.is {
                        Is::Type(ty) => Ok(ty),
                        _ => Err(p.fail("a type")),
                    };
                }
                Ok(Ty::Opaque(p.foreign('!', name)?))
            }
            Token::Word(_) | Token::Bang(_) => Ok(Ty::Scalar(p.element()?)),
            _ => Err(p.fail("a type")),
        })
    }

    /// `(a, b) -> c` or `(a, b) -> (c, d)`.
    pub(super) fn function_type(&mut self) -> Result<(Vec<Ty>, Vec<Ty>)> {
        let inputs = self.enclosed('(', ')', Self::ty)?;
        self.expect_arrow()?;
        let outputs = if self.is('(') { self.result_types()? } else { vec![self.ty()?] };
        Ok((inputs, outputs))
    }

    /// `(a, b)`, or `((a) -> b)`, where a parenthesis opens a list.
    fn result_types(&mut self) -> Result<Vec<Ty>> {
        self.enclosed('(', ')', Self::ty)
    }

    /// `a, b`.
    pub(super) fn types(&mut self) -> Result<Vec<Ty>> {
        let mut types = vec![self.ty()?];
        while self.eat(',')? {
            types.push(self.ty()?);
        }
        Ok(types)
    }

    /// `tensor<8x?xf32, #encoding>`, or the same with another word.
    pub(super) fn tensor(&mut self) -> Result<TensorTy> {
        self.advance()?;
        if !self.is('<') {
            return Err(self.fail("`<`"));
        }
        let dims = self.extents()?;
        let element = self.element()?;
        let encoding = if self.eat(',')? { Some(Box::new(self.attribute()?)) } else { None };
        self.expect('>')?;
        Ok(TensorTy { dims, element, encoding })
    }

    /// `8x?x` from behind the `<` that comes next, or `*x`.
    fn extents(&mut self) -> Result<Option<SmallVec<[Option<u64>; 6]>>> {
        let mut dims = SmallVec::new();
        // Tokens do not fit here: `8x4xf32` is a number and a word to them.
        let mut lexer = self.lexer;
        loop {
            lexer.skip_space();
            let at = lexer.at;
            let extent = match lexer.byte(0) {
                b'*' if dims.is_empty() && lexer.byte(1) == b'x' => {
                    self.jump(at + 2)?;
                    return Ok(None);
                }
                b'?' => {
                    lexer.at += 1;
                    None
                }
                b'0'..=b'9' => {
                    let extent = lexer.digits().parse().ok().filter(|&n: &u64| n <= i64::MAX as u64);
                    Some(extent.ok_or_else(|| self.error(at, "the extent is too large"))?)
                }
                _ => break,
            };
            lexer.skip_space();
            if lexer.byte(0) != b'x' {
                return Err(self.error(lexer.at, "expected `x` and the rest of the shape"));
            }
            if dims.len() == MAX_RANK {
                return Err(self.error(at, format!("more than {MAX_RANK} axes")));
            }
            lexer.at += 1;
            dims.push(extent);
        }
        self.jump(lexer.at)?;
        Ok(Some(dims))
    }

    /// `f32`.
    fn element(&mut self) -> Result<ElementTy> {
        let at = self.start;
        match self.token {
            Token::Word("complex") => {
                self.advance()?;
                self.expect('<')?;
                let part = self.nested(Self::element)?;
                self.expect('>')?;
                match part {
                    ElementTy::Number(DType::F32) => Ok(ElementTy::Number(DType::C64)),
                    ElementTy::Number(DType::F64) => Ok(ElementTy::Number(DType::C128)),
                    _ => Err(self.error(at, "complex numbers have parts of type f32 or f64")),
                }
            }
            Token::Word(name) => {
                let element = named(name).ok_or_else(|| self.unknown_type(name))?;
                self.advance()?;
                Ok(element)
            }
            Token::Bang(name) if name.starts_with("quant.") => self.quantized(name),
            Token::Bang(name) => {
                if let Some(meaning) = self.alias()? {
                    return match meaning.is {
                        Is::Type(Ty::Scalar(element)) => Ok(element),
                        Is::Type(Ty::Opaque(text)) => Ok(ElementTy::Opaque(text)),
                        _ => Err(self.error(at, "expected an element type")),
                    };
                }
                Ok(ElementTy::Opaque(self.foreign('!', name)?))
            }
            _ => Err(self.fail("an extent or an element type")),
        }
    }

    fn unknown_type(&self, name: &str) -> Error {
        let names = DType::ALL.into_iter().map(element::name);
        let names: Vec<String> = names.chain(["tensor".into(), "index".into(), "tuple".into()]).collect();
        let error = self.error(self.start, format!("expected a type, found `{name}`"));
        match jarrah_base::nearest(name, names.iter().map(|n| &n[..])) {
            Some(near) => error.help(format!("did you mean {near}?")),
            None => error,
        }
    }

    /// `!quant.uniform<i8<-128:127>:f32:0, {0.1:-30, 0.5:0}>`.
    fn quantized(&mut self, name: &'t str) -> Result<ElementTy> {
        let (begin, here) = (self.start, self.lexer);
        self.advance()?;
        if !self.is('<') {
            return Err(self.fail("`<`"));
        }
        if name != "quant.uniform" {
            return Ok(ElementTy::Opaque(self.foreign_rest('!', name)?));
        }
        self.advance()?;
        let storage = self.storage()?;
        let range = if self.eat('<')? {
            let low = self.integer()?;
            self.expect(':')?;
            let high = self.integer()?;
            self.expect('>')?;
            (low, high)
        } else {
            Quantized::full_range(storage)
        };
        self.expect(':')?;
        let at = self.start;
        let ElementTy::Number(expressed) = self.nested(Self::element)? else {
            return Err(self.error(at, "expected a float type"));
        };
        let mut axis = None;
        if self.eat(':')? {
            if self.is('{') {
                // Scales in blocks of several axes: no op here knows what they mean.
                self.lexer = here;
                self.start = begin;
                self.advance()?;
                return Ok(ElementTy::Opaque(self.foreign_rest('!', name)?));
            }
            let at = self.start;
            axis = Some(u32::try_from(self.integer()?).map_err(|_| self.error(at, "expected an axis"))?);
        }
        self.expect(',')?;
        let points = if axis.is_some() { self.enclosed('{', '}', Self::scale)? } else { vec![self.scale()?] };
        self.expect('>')?;
        let (scales, zero_points) = points.into_iter().unzip();
        Ok(ElementTy::Quantized(Arc::new(Quantized { storage, range, expressed, axis, scales, zero_points })))
    }

    fn storage(&mut self) -> Result<DType> {
        let at = self.start;
        let Token::Word(name) = self.token else { return Err(self.fail("an integer type")) };
        // `u8` is what the quantized dialect calls `ui8`.
        let full = if name.starts_with('u') && !name.starts_with("ui") {
            name.replacen('u', "ui", 1)
        } else {
            name.into()
        };
        let storage = element::dtype(&full).filter(|d| d.is_integer() && d.bits() <= 32);
        self.advance()?;
        storage.ok_or_else(|| self.error(at, "expected an integer type of at most 32 bits"))
    }

    /// `0.1:-30`.
    fn scale(&mut self) -> Result<(f64, i64)> {
        let Token::Number(digits) = self.token else { return Err(self.fail("a scale")) };
        let scale = digits.parse().ok().filter(|x: &f64| x.is_finite());
        let scale = scale.ok_or_else(|| self.fail("a scale"))?;
        self.advance()?;
        let zero_point = if self.eat(':')? { self.integer()? } else { 0 };
        Ok((scale, zero_point))
    }

    /// The rest of a type or attribute of another dialect, of which the word `!name` or `#name` comes next.
    pub(super) fn foreign(&mut self, sign: char, name: &str) -> Result<Arc<str>> {
        self.advance()?;
        self.foreign_rest(sign, name)
    }

    fn foreign_rest(&mut self, sign: char, name: &str) -> Result<Arc<str>> {
        let rest = if self.is('<') && self.last_end == self.start { self.balanced()? } else { "" };
        let rest = self.spaced(rest)?;
        Ok(format!("{sign}{name}{rest}").into())
    }

    /// `word` and the brackets behind it, of which the word comes next.
    pub(super) fn opaque(&mut self, word: &str) -> Result<Arc<str>> {
        self.advance()?;
        let rest = self.balanced()?;
        let rest = self.spaced(rest)?;
        Ok(format!("{word}{rest}").into())
    }

    /// Another dialect's text as MLIR spaces it, aliases replaced by what they stand for.
    pub(super) fn spaced(&mut self, text: &'t str) -> Result<String> {
        let mut failed = None;
        let mut added = 0;
        let spaced = normal::spacing(text, |name| match self.meaning(name) {
            Ok(meaning) => {
                let (from, to) = meaning?.text;
                let text = self.body.get(from..to)?.trim();
                added += text.len();
                Some(text.to_owned())
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        self.enter(0, added / 4, crate::MAX_DEPTH)?;
        failed.map_or(Ok(spaced), Err)
    }
}

fn named(name: &str) -> Option<ElementTy> {
    if let Some(dtype) = element::dtype(name) {
        return Some(ElementTy::Number(dtype));
    }
    match name {
        "index" => return Some(ElementTy::Index),
        "tf32" => return Some(ElementTy::Tf32),
        "none" | "f80" | "f128" => return Some(ElementTy::Opaque(name.into())),
        _ => {}
    }
    let digits = ["i", "si", "ui"].iter().find_map(|p| name.strip_prefix(p))?;
    let bits: u32 = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
    (1..1 << 24).contains(&bits).then(|| ElementTy::Opaque(name.into()))
}
