use jarrah_base::{DType, Literal, Result, Type};
use smallvec::SmallVec;

use super::Parser;
use crate::assembly::element;
use crate::assembly::lexer::Token;
use crate::ir::{Dense, ElementTy, TensorTy};

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
        let value = Elements::new(self, text, begin, shape.dtype).read(&shape)?;
        Ok(Dense { ty: shape.ty, value })
    }

    /// Where the `>` is that ends the elements which start at `begin`.
    fn end_of_elements(&self, begin: usize) -> Result<usize> {
        let rest = &self.body[begin..];
        let missing = || self.error(begin, "the elements have no end");
        let end = rest.find('>').ok_or_else(missing)?;
        if !rest[..end].contains('/') {
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
        if body.len() / 2 != shape.count * shape.dtype.size() {
            let message = format!("{} bytes for {} elements of {}", body.len() / 2, shape.count, shape.dtype);
            return Err(self.error(start, message));
        }
        let mut value = Literal::zeros(shape.literal(shape.dims.iter().copied()))?;
        self.decode(body, start + 11, shape.dtype, value.bytes_mut())?;
        Ok(Dense { value: splat(value, &shape)?, ty: shape.ty })
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
            ElementTy::Number(dtype) => *dtype,
            ElementTy::Index => DType::I64,
            ElementTy::Quantized(q) => q.storage,
            ElementTy::Tf32 | ElementTy::Opaque(_) => {
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
    body: &'p str,
    text: &'p [u8],
    at: usize,
    dtype: DType,
    /// The range of integers that fit into 64 bits with a sign; empty for other types.
    range: (i64, i64),
}

impl<'p, 't> Elements<'p, 't> {
    fn new(parser: &'p Parser<'t>, body: &'p str, at: usize, dtype: DType) -> Self {
        let range = match dtype.integer_range() {
            Some((low, high)) if dtype.bits() >= 8 => {
                let unsigned = if low < 0 { 2 * high + 1 } else { high };
                (low as i64, i64::try_from(unsigned).unwrap_or(i64::MAX))
            }
            _ => (0, -1),
        };
        Elements { parser, body, text: body.as_bytes(), at, dtype, range }
    }

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
        if self.small_integer(to) {
            return Ok(());
        }
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|b| !IS_PART[usize::from(*b)]).unwrap_or(rest.len());
        self.at += length;
        let word = &self.body[start..self.at];
        let read = match word {
            "true" if dtype == DType::Bool => element::put_integer(1, dtype, to),
            "false" if dtype == DType::Bool => element::put_integer(0, dtype, to),
            _ if !word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => None,
            _ if dtype.is_float() => element::put_float(word, dtype, to),
            _ => element::integer(word).and_then(|value| element::put_integer(value, dtype, to)),
        };
        read.ok_or_else(|| {
            let name = element::name(dtype);
            let shown: String = word.chars().take(40).collect();
            self.parser.error(start, format!("expected an element of type {name}, found `{shown}`"))
        })
    }

    /// Takes a decimal integer of few digits, if that is what comes next, fast.
    fn small_integer(&mut self, to: &mut [u8]) -> bool {
        let (low, high) = self.range;
        if low > high {
            return false;
        }
        let negative = self.text.get(self.at) == Some(&b'-');
        let start = self.at + usize::from(negative);
        let mut end = start;
        let mut value = 0i64;
        while let Some(digit) = self.text.get(end).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
            if end - start == 18 {
                return false;
            }
            value = 10 * value + i64::from(digit);
            end += 1;
        }
        if end == start || self.text.get(end).is_some_and(|b| IS_PART[usize::from(*b)]) {
            return false;
        }
        let value = if negative { -value } else { value };
        if value < low || value > high {
            return false;
        }
        let bytes = value.to_le_bytes();
        match to.len() {
            1 => to[0] = bytes[0],
            2 => to.copy_from_slice(&bytes[..2]),
            4 => to.copy_from_slice(&bytes[..4]),
            _ => to.copy_from_slice(&bytes),
        }
        self.at = end;
        true
    }
}

/// For each byte, whether a number or word can contain it.
const IS_PART: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i as u8).is_ascii_alphanumeric() || matches!(i as u8, b'.' | b'-' | b'+');
        i += 1;
    }
    table
};
