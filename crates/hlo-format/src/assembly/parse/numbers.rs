use jarrah_base::{DType, Result, with_element};

use super::Parser;
use crate::assembly::element;
use crate::assembly::lexer::Token;
use crate::ir::{Attr, ElementTy, Ty};

impl Parser<'_> {
    /// `-3`.
    pub(super) fn integer(&mut self) -> Result<i64> {
        let Token::Number(digits) = self.token else { return Err(self.fail("an integer")) };
        let value = element::integer(digits).and_then(|n| i64::try_from(n).ok());
        let value = value.ok_or_else(|| self.error(self.start, format!("{digits} is no 64-bit integer")))?;
        self.advance()?;
        Ok(value)
    }

    /// `-3`, or `?` for an extent that is not known.
    pub(super) fn extent(&mut self) -> Result<i64> {
        if self.eat('?')? { Ok(i64::MIN) } else { self.integer() }
    }

    /// `[1, 2]`.
    pub(super) fn integers(&mut self) -> Result<Vec<i64>> {
        self.enclosed('[', ']', Self::integer)
    }

    /// `3`, `3 : i32`, `1.5`, `0x7FC00000 : f32`.
    pub(super) fn number(&mut self) -> Result<Attr> {
        let Token::Number(digits) = self.token else { return Err(self.fail("a number")) };
        let at = self.start;
        self.advance()?;
        let is_float = digits.contains('.');
        let default = if is_float { DType::F64 } else { DType::I64 };
        let ty = if self.eat(':')? {
            let at = self.start;
            match self.ty()? {
                Ty::Scalar(ty) => ty,
                _ => return Err(self.error(at, "the type of a number is a number type")),
            }
        } else {
            ElementTy::Number(default)
        };
        self.number_of(digits, ty, at)
    }

    /// The number `digits` of the type `ty`.
    pub(super) fn number_of(&self, digits: &str, ty: ElementTy, at: usize) -> Result<Attr> {
        let wrong = |ty: &str| self.error(at, format!("{digits} is no {ty}"));
        match &ty {
            ElementTy::Number(DType::Bool) => match element::integer(digits) {
                Some(n @ -1..=1) => Ok(Attr::Bool(n != 0)),
                _ => Err(wrong("i1")),
            },
            ElementTy::Number(d) if d.is_float() => {
                if !digits.contains('.') && !digits.starts_with("0x") {
                    return Err(self.error(at, format!("a number of type {d} has a decimal point")));
                }
                let mut bytes = [0u8; 16];
                let bytes = &mut bytes[..d.size()];
                element::put_float(digits, *d, bytes).ok_or_else(|| wrong(d.name()))?;
                let x = with_element!(*d, T => {
                    jarrah_base::Element::to_f64(bytemuck::pod_read_unaligned::<T>(bytes))
                });
                Ok(Attr::Float(x, ty))
            }
            ElementTy::Number(d) => {
                let value = element::integer(digits).and_then(|n| element::in_range(n, *d));
                let value = value.ok_or_else(|| wrong(d.name()))?;
                Ok(Attr::Integer(value, ty))
            }
            ElementTy::Tf32 => {
                let mut bytes = [0u8; 8];
                element::put_float(digits, DType::F64, &mut bytes).ok_or_else(|| wrong("tf32"))?;
                Ok(Attr::Float(f64::from_le_bytes(bytes), ty))
            }
            ElementTy::Index | ElementTy::Opaque(_) => {
                element::integer(digits).map(|n| Attr::Integer(n, ty)).ok_or_else(|| wrong("integer"))
            }
            ElementTy::Quantized(_) => Err(wrong("quantized number")),
        }
    }
}
