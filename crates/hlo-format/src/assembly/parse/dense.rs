use jarrah_base::{DType, Literal, Result, Type};
use smallvec::SmallVec;

use super::Parser;
use crate::assembly::element;
use crate::assembly::lexer::Token;
use crate::ir::{Dense, Element, TensorTy};

/// No constant has more bytes.
const MAX_BYTES: u64 = 1 << 46;

impl<'t> Parser<'t> {
    /// `dense<...> : type`, of which the word comes next.
    pub(super) fn dense(&mut self) -> Result<Dense> {
        self.advance()?;
        if !self.is('<') {
            return Err(self.fail("`<`"));
        }
        // The elements mean nothing before their type is known, which stands behind them.
        let open = self.start;
        let begin = self.lexer.at;
        self.lexer.skip_space();
        if self.lexer.byte(0) == b'"' {
            let begin = self.lexer.at;
            self.advance()?;
            let Token::Text(digits) = self.token else { return Err(self.fail("a string")) };
            self.advance()?;
            self.expect('>')?;
            let shape = self.shape(open)?;
            return self.blob(shape, digits, begin);
        }
        let end = self.end_of_elements(begin)?;
        self.jump(end + 1)?;
        let shape = self.shape(open)?;
        let text = &self.body[..end];
        let value =
            Elements { parser: self, text: text.as_bytes(), at: begin, dtype: shape.dtype }.read(&shape)?;
        Ok(Dense { ty: shape.ty, value })
    }

    /// Where the `>` is that ends the elements which start at `begin`.
    fn end_of_elements(&self, begin: usize) -> Result<usize> {
        let rest = &self.body[begin..];
        let missing = || self.error(begin, "the elements have no end");
        let end = rest.find('>').ok_or_else(missing)?;
        if !rest[..end].contains("//") {
            return Ok(begin + end);
        }
        let mut lexer = self.lexer;
        loop {
            match lexer.next() {
                Ok((Token::Sign('>'), at)) => return Ok(at),
                Ok((Token::End, _)) => return Err(missing()),
                Ok(_) => {}
                Err((at, message)) => return Err(self.error(at, message)),
            }
        }
    }

    /// `dense_resource<name> : type`, of which the word comes next.
    pub(super) fn dense_resource(&mut self) -> Result<Dense> {
        self.advance()?;
        self.expect('<')?;
        let at = self.start;
        let name = match self.token {
            Token::Word(name) | Token::Text(name) => {
                self.advance()?;
                crate::assembly::lexer::unescape(name)
            }
            _ => return Err(self.fail("the name of a resource")),
        };
        self.expect('>')?;
        let shape = self.shape(at)?;
        let Some(&(digits, start)) = self.resources.get(&name) else {
            let error = self.error(at, format!("the text has no resource {name}"));
            return Err(if name == "__elided__" {
                error.help("this text was printed without its large constants")
            } else {
                error
            });
        };
        // The first four bytes say how the rest is aligned.
        let body = digits.strip_prefix("0x").and_then(|d| d.get(8..));
        let body = body.ok_or_else(|| self.error(start, "a resource has at least four bytes"))?;
        let mut value = Literal::zeros(shape.literal(shape.dims.iter().copied()))?;
        self.decode(body, start + 11, shape.dtype, value.bytes_mut())?;
        Ok(Dense { ty: shape.ty, value })
    }

    /// `: tensor<...>` behind a constant.
    fn shape(&mut self, open: usize) -> Result<Shape> {
        self.expect(':')?;
        let at = self.start;
        if !self.is_word("tensor") {
            return Err(self.fail("a tensor type"));
        }
        let ty = self.tensor()?;
        let dtype = match &ty.element {
            Element::Number(dtype) => *dtype,
            Element::Index => DType::I64,
            Element::Quantized(q) => q.storage,
            Element::Tf32 | Element::Opaque(_) => {
                return Err(self.error(at, "constants of this element type are not supported"));
            }
        };
        let dims: Option<SmallVec<[usize; 6]>> =
            ty.dims.as_ref().and_then(|d| d.iter().map(|d| usize::try_from((*d)?).ok()).collect());
        let Some(dims) = dims else {
            return Err(self.error(open, "the extents of a constant are known"));
        };
        // Zero extents do not excuse huge ones: products of some of them may be taken.
        let size = dims.iter().fold(dtype.size() as u64, |n, &d| n.saturating_mul(d.max(1) as u64));
        if size > MAX_BYTES {
            return Err(self.error(at, "the tensor has too many elements"));
        }
        let count = dims.iter().product();
        Ok(Shape { ty, dtype, dims, count })
    }

    /// `"0x..."`: the bytes of all elements, or of one.
    fn blob(&self, shape: Shape, digits: &'t str, at: usize) -> Result<Dense> {
        let digits = digits.strip_prefix("0x");
        let digits = digits.ok_or_else(|| self.error(at, "expected a string that starts with 0x"))?;
        let at = at + 3;
        let (given, size) = (digits.len() / 2, shape.dtype.size());
        if shape.dtype == DType::Bool && shape.count > 1 && given == shape.count.div_ceil(8) {
            let mut packed = vec![0; given];
            self.decode(digits, at, DType::U8, &mut packed)?;
            let bits = (0..shape.count).map(|i| packed[i / 8] >> (i % 8) & 1);
            let mut value = Literal::zeros(shape.literal(shape.dims.iter().copied()))?;
            value.bytes_mut().iter_mut().zip(bits).for_each(|(to, bit)| *to = bit);
            return Ok(Dense { value: splat(value, &shape)?, ty: shape.ty });
        }
        if given == shape.count * size && shape.count != 1 {
            let mut value = Literal::zeros(shape.literal(shape.dims.iter().copied()))?;
            self.decode(digits, at, shape.dtype, value.bytes_mut())?;
            return Ok(Dense { value: splat(value, &shape)?, ty: shape.ty });
        }
        if given != size {
            let message = format!("{given} bytes for {} elements of {size} each", shape.count);
            return Err(self.error(at, message));
        }
        let mut value = Literal::zeros(shape.literal([]))?;
        self.decode(digits, at, shape.dtype, value.bytes_mut())?;
        Ok(Dense { value, ty: shape.ty })
    }

    /// The bytes that pairs of hexadecimal digits stand for.
    fn decode(&self, digits: &str, at: usize, dtype: DType, to: &mut [u8]) -> Result<()> {
        if digits.len() != 2 * to.len() {
            return Err(self.error(at, format!("{} digits for {} bytes", digits.len(), to.len())));
        }
        let mut wrong = 0;
        for (pair, to) in digits.as_bytes().chunks_exact(2).zip(to.iter_mut()) {
            let (high, low) = (DIGITS[usize::from(pair[0])], DIGITS[usize::from(pair[1])]);
            wrong |= high | low;
            *to = high << 4 | low & 15;
        }
        if wrong > 15 {
            return Err(self.error(at, "expected hexadecimal digits"));
        }
        match dtype.bits() {
            1 => to.iter_mut().for_each(|b| *b = u8::from(*b != 0)),
            // Equal values have equal bytes.
            bits @ 2..8 => to.iter_mut().for_each(|b| *b &= 0xff >> (8 - bits)),
            _ => {}
        }
        Ok(())
    }
}

/// The values of hexadecimal digits; 255 for other characters.
const DIGITS: [u8; 256] = {
    let mut table = [255; 256];
    let mut i = 0;
    while i < 10 {
        table[b'0' as usize + i] = i as u8;
        i += 1;
    }
    let mut i = 0;
    while i < 6 {
        table[b'a' as usize + i] = 10 + i as u8;
        table[b'A' as usize + i] = 10 + i as u8;
        i += 1;
    }
    table
};

/// The type of a constant.
struct Shape {
    ty: TensorTy,
    dtype: DType,
    dims: SmallVec<[usize; 6]>,
    count: usize,
}

impl Shape {
    fn literal(&self, dims: impl IntoIterator<Item = usize>) -> Type {
        Type::tensor(self.dtype, dims)
    }
}

/// A scalar if all elements are equal.
fn splat(value: Literal, shape: &Shape) -> Result<Literal> {
    let size = shape.dtype.size();
    let bytes = value.bytes();
    if bytes.len() < size || bytes[size..] != bytes[..bytes.len() - size] {
        return Ok(value);
    }
    Literal::from_bytes(shape.literal([]), &bytes[..size])
}

/// Reads elements of a known type.
struct Elements<'p, 't> {
    parser: &'p Parser<'t>,
    /// The text up to the `>` behind the elements.
    text: &'p [u8],
    at: usize,
    dtype: DType,
}

impl Elements<'_, '_> {
    fn read(&mut self, shape: &Shape) -> Result<Literal> {
        let begin = self.at;
        match self.peek() {
            Some(b'[') => self.lists(shape),
            None if shape.count == 0 => Literal::zeros(shape.literal(shape.dims.iter().copied())),
            None => Err(self.parser.error(begin, "no elements for a tensor that has some")),
            Some(_) => {
                let mut value = Literal::zeros(shape.literal([]))?;
                self.element(value.bytes_mut())?;
                if self.peek().is_some() {
                    return Err(self.parser.error(self.at, "expected `>`"));
                }
                Ok(value)
            }
        }
    }

    /// The next byte that is neither space nor comment.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.get(self.at)? {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.text.get(self.at + 1) == Some(&b'/') => {
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                &b => return Some(b),
            }
        }
    }

    /// Lists whose lengths are the extents.
    fn lists(&mut self, shape: &Shape) -> Result<Literal> {
        let first = self.at;
        let rank = shape.dims.len();
        if rank == 0 {
            return Err(self.parser.error(first, "a list for a scalar"));
        }
        // An element is at least a character and a comma.
        if shape.count > self.text.len() - first {
            return Err(self
                .parser
                .error(first, format!("too few elements: there should be {}", shape.count)));
        }
        let mut value = Literal::zeros(shape.literal(shape.dims.iter().copied()))?;
        let size = self.dtype.size();
        let mut slots = value.bytes_mut().chunks_exact_mut(size);
        // How many items each open list has so far.
        let mut open: SmallVec<[usize; 8]> = SmallVec::new();
        loop {
            let Some(next) = self.peek() else {
                return Err(self.parser.error(self.at, "expected `]`"));
            };
            let may_start = match open.last() {
                None => true,
                Some(&0) => true,
                Some(_) if next == b',' => {
                    self.at += 1;
                    self.peek();
                    true
                }
                Some(_) => false,
            };
            match self.peek() {
                Some(b'[') if may_start && open.len() < rank => {
                    self.at += 1;
                    open.push(0);
                }
                Some(b']') => {
                    let extent = shape.dims[open.len() - 1];
                    let count = open.pop().unwrap_or(0);
                    if count != extent {
                        let axis = open.len();
                        let message = format!("{count} items along axis {axis}, which has extent {extent}");
                        return Err(self.parser.error(self.at, message));
                    }
                    self.at += 1;
                    match open.last_mut() {
                        Some(outer) => *outer += 1,
                        None => break,
                    }
                }
                Some(_) if may_start && open.len() == rank => {
                    let Some(slot) = slots.next() else {
                        return Err(self
                            .parser
                            .error(self.at, format!("more than {} elements", shape.count)));
                    };
                    self.element(slot)?;
                    if let Some(inner) = open.last_mut() {
                        *inner += 1;
                    }
                }
                _ if may_start => {
                    return Err(self.parser.error(self.at, format!("expected {rank} nested lists")));
                }
                _ => return Err(self.parser.error(self.at, "expected `,` or `]`")),
            }
        }
        if self.peek().is_some() {
            return Err(self.parser.error(self.at, "expected `>`"));
        }
        if slots.next().is_some() {
            return Err(self
                .parser
                .error(first, format!("too few elements: there should be {}", shape.count)));
        }
        splat(value, shape)
    }

    /// One element, whose bytes are `to`.
    fn element(&mut self, to: &mut [u8]) -> Result<()> {
        if self.dtype.is_complex() {
            let half = to.len() / 2;
            let (re, im) = to.split_at_mut(half);
            self.sign(b'(')?;
            self.real(self.dtype.real(), re)?;
            self.sign(b',')?;
            self.real(self.dtype.real(), im)?;
            return self.sign(b')');
        }
        self.real(self.dtype, to)
    }

    fn sign(&mut self, sign: u8) -> Result<()> {
        if self.peek() != Some(sign) {
            return Err(self.parser.error(self.at, format!("expected `{}`", char::from(sign))));
        }
        self.at += 1;
        Ok(())
    }

    fn real(&mut self, dtype: DType, to: &mut [u8]) -> Result<()> {
        self.peek();
        let start = self.at;
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+');
        let rest = &self.text[start..];
        let length = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
        self.at += length;
        let word = std::str::from_utf8(&rest[..length]).unwrap_or("");
        let read = match word {
            "true" if dtype == DType::Bool => element::put_integer(1, false, dtype, to),
            "false" if dtype == DType::Bool => element::put_integer(0, false, dtype, to),
            _ if !word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => None,
            _ if dtype.is_float() => element::put_float(word, dtype, to),
            _ => small(word).map(i128::from).or_else(|| element::integer(word)).and_then(|value| {
                let hexadecimal = word.starts_with("0x");
                element::put_integer(value, hexadecimal, dtype, to)
            }),
        };
        read.ok_or_else(|| {
            let name = element::name(dtype);
            let shown: String = word.chars().take(40).collect();
            self.parser.error(start, format!("expected an element of type {name}, found `{shown}`"))
        })
    }
}

/// A decimal integer of few digits, fast.
fn small(word: &str) -> Option<i64> {
    let (digits, negative) = match word.as_bytes() {
        [b'-', digits @ ..] => (digits, true),
        digits => (digits, false),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0i64;
    for b in digits {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = 10 * value + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}
