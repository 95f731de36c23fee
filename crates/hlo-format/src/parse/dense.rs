use jarrah_base::{DType, Element, ElementKind, Literal, Result, Type, with_element};

use super::Parser;
use crate::ast::{Attribute, Dense};
use crate::lexer::{Lexer, Token};

impl<'t> Parser<'t> {
    /// `dense<...> : type`, of which the word comes next.
    pub(super) fn dense(&mut self) -> Result<Attribute<'t>> {
        self.advance()?;
        if !self.is('<') {
            return Err(self.fail("`<`"));
        }
        // The elements mean nothing before their type is known, which stands behind them.
        let open = self.start;
        let body = self.lexer.at;
        self.skip_balanced()?;
        self.expect(':')?;
        if self.is_word("vector") {
            return Err(self.fail("a tensor type"));
        }
        if !matches!(self.token, Token::Word("tensor")) {
            return Err(self.fail("a tensor type"));
        }
        let ty = match self.dense_type()? {
            Some(ty) => ty,
            None => return Ok(Attribute::Opaque),
        };
        if ty.dims().iter().any(|d| d.constant().is_none()) {
            return Err(self.text.error(open, format!("a constant cannot have the type {ty}")));
        }
        let mut reader = Elements { parser: self, lexer: Lexer::new(self.text, body), ty };
        let (count, bytes) = reader.read(open)?;
        let elements = ty.elements()?;
        let dense = if count == Count::Splat && elements != 1 {
            let value = Literal::from_bytes(Type::scalar(ty.dtype()), &bytes)?;
            let size = elements.saturating_mul(ty.dtype().size());
            if size <= self.splat_budget {
                self.splat_budget -= size;
                let repeated = bytes.repeat(elements);
                Dense::Literal(Literal::from_bytes(ty, &repeated)?)
            } else {
                Dense::Splat(value, ty)
            }
        } else {
            Dense::Literal(Literal::from_bytes(ty, &bytes)?)
        };
        Ok(Attribute::Dense(Box::new(dense)))
    }

    /// The type behind a dense attribute; `None` for tensors of `index`, which only layouts have.
    fn dense_type(&mut self) -> Result<Option<Type>> {
        let before = (self.lexer, self.token, self.start);
        match self.ty() {
            Ok(ty) => Ok(Some(ty)),
            Err(error) => {
                (self.lexer, self.token, self.start) = before;
                self.advance()?;
                let open = self.start;
                if self.is('<') {
                    self.skip_balanced()?;
                    if self.text.body[open..self.start].trim_end().ends_with("index>") {
                        return Ok(None);
                    }
                }
                Err(error)
            }
        }
    }
}

#[derive(PartialEq)]
enum Count {
    Splat,
    All,
}

/// Reads the elements of a tensor of a known type.
struct Elements<'p, 't> {
    parser: &'p Parser<'t>,
    lexer: Lexer<'t>,
    ty: Type,
}

impl<'t> Elements<'_, 't> {
    fn read(&mut self, open: usize) -> Result<(Count, Vec<u8>)> {
        let text = self.parser.text;
        let (token, start) = self.lexer.next()?;
        match token {
            Token::Sign('[') => Ok((Count::All, self.nested_lists(start)?)),
            Token::Sign('>') if self.ty.elements()? == 0 => Ok((Count::All, Vec::new())),
            Token::Sign('>') => Err(text.error(open, format!("no elements for {}", self.ty))),
            Token::Text(blob) => self.blob(blob, start),
            _ => {
                let mut bytes = Vec::new();
                self.element(token, start, &mut bytes)?;
                let (end, at) = self.lexer.next()?;
                if end != Token::Sign('>') {
                    return Err(text.error(at, format!("expected `>`, found {end}")));
                }
                Ok((Count::Splat, bytes))
            }
        }
    }

    /// The elements of lists whose lengths are the extents; the first bracket has been taken.
    fn nested_lists(&mut self, first: usize) -> Result<Vec<u8>> {
        let text = self.parser.text;
        let dims = self.ty.dims();
        if dims.is_empty() {
            return Err(text.error(first, format!("a list for the scalar type {}", self.ty)));
        }
        let mut bytes = Vec::new();
        // How many items each open list has so far.
        let mut open = vec![0usize];
        while !open.is_empty() {
            let (token, start) = self.lexer.next()?;
            match token {
                Token::Sign(',') => {}
                Token::Sign('[') if open.len() < dims.len() => open.push(0),
                Token::Sign(']') => {
                    let count = open.pop().unwrap_or(0);
                    let extent = dims[open.len()];
                    if Some(count) != extent.constant() {
                        let message =
                            format!("{count} items along axis {} of {}, not {extent}", open.len(), self.ty);
                        return Err(text.error(start, message));
                    }
                    if let Some(outer) = open.last_mut() {
                        *outer += 1;
                    }
                }
                _ if open.len() == dims.len() => {
                    self.element(token, start, &mut bytes)?;
                    if let Some(inner) = open.last_mut() {
                        *inner += 1;
                    }
                }
                _ => return Err(text.error(start, format!("expected `[` for {}, found {token}", self.ty))),
            }
        }
        if bytes.len() != self.ty.bytes()? {
            return Err(text.error(first, format!("the elements do not fill {}", self.ty)));
        }
        Ok(bytes)
    }

    /// `"0x..."`: the bytes of all elements, or of one.
    fn blob(&self, blob: &str, start: usize) -> Result<(Count, Vec<u8>)> {
        let text = self.parser.text;
        let digits = blob
            .strip_prefix("0x")
            .ok_or_else(|| text.error(start, "expected a string that starts with 0x"))?;
        let bytes = digits.as_bytes().chunks(2).map(|pair| {
            let digit = |i: usize| pair.get(i).and_then(|&c| (c as char).to_digit(16));
            Some((digit(0)? * 16 + digit(1)?) as u8)
        });
        let bytes: Option<Vec<u8>> = bytes.collect();
        let mut bytes = bytes.ok_or_else(|| text.error(start, "expected pairs of hexadecimal digits"))?;
        let elements = self.ty.elements()?;
        if self.ty.dtype() == DType::Bool {
            // Truth values are packed, eight in a byte.
            if bytes.len() == elements.div_ceil(8) && elements > 1 {
                bytes = (0..elements).map(|i| bytes[i / 8] >> (i % 8) & 1).collect();
            }
            bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
        }
        if bytes.len() == self.ty.bytes()? {
            Ok((Count::All, bytes))
        } else if bytes.len() == self.ty.dtype().size() {
            Ok((Count::Splat, bytes))
        } else {
            let message = format!("{} bytes for {}, which has {}", bytes.len(), self.ty, self.ty.bytes()?);
            Err(text.error(start, message))
        }
    }

    fn element(&self, token: Token<'t>, start: usize, bytes: &mut Vec<u8>) -> Result<()> {
        let dtype = self.ty.dtype();
        let parsed = match (token, dtype.kind()) {
            (Token::Word("true"), ElementKind::Bool) => {
                bytes.push(1);
                Some(())
            }
            (Token::Word("false"), ElementKind::Bool) => {
                bytes.push(0);
                Some(())
            }
            (Token::Number(number), ElementKind::Float) => float(number, dtype, bytes),
            (Token::Number(number), ElementKind::Signed | ElementKind::Unsigned) => {
                integer(number, dtype, bytes)
            }
            (Token::Number("0"), ElementKind::Bool) => {
                bytes.push(0);
                Some(())
            }
            (Token::Number("1"), ElementKind::Bool) => {
                bytes.push(1);
                Some(())
            }
            _ => None,
        };
        let text = self.parser.text;
        parsed.ok_or_else(|| text.error(start, format!("expected an element of type {dtype}, found {token}")))
    }
}

fn integer(number: &str, dtype: DType, bytes: &mut Vec<u8>) -> Option<()> {
    let (digits, negative) = match number.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (number, false),
    };
    let size: i128 = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    let value = if negative { -size } else { size };
    with_element!(dtype, T => {
        let element = <T as Element>::from_i128(value);
        if element.to_i128() != value {
            return None;
        }
        bytes.extend_from_slice(Literal::scalar(element).bytes());
    });
    Some(())
}

fn float(number: &str, dtype: DType, bytes: &mut Vec<u8>) -> Option<()> {
    if let Some(hex) = number.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).ok()?;
        let bits = bits.to_le_bytes();
        let size = dtype.size();
        if bits[size..].iter().any(|&b| b != 0) {
            return None;
        }
        bytes.extend_from_slice(&bits[..size]);
        return Some(());
    }
    match dtype {
        DType::F32 => bytes.extend_from_slice(&number.parse::<f32>().ok()?.to_le_bytes()),
        _ => {
            let value: f64 = number.parse().ok()?;
            bytes.extend_from_slice(Literal::full(Type::scalar(dtype), value).ok()?.bytes());
        }
    }
    Some(())
}
