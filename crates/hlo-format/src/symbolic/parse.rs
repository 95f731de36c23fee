//! The notation of symbolic shapes: `b, 2*n + 1, ...`.

use jarrah_base::{Error, Result, quoted};

use super::polynomial::Polynomial;

/// How deep parentheses may nest.
const MAX_DEPTH: usize = 50;
/// The largest exponent.
const MAX_EXPONENT: i64 = 3;

/// One part of a shape between commas.
pub(super) enum Part {
    Extent(Polynomial),
    /// `_`: the extent of the array.
    Placeholder,
    /// `...`: all extents that the other parts do not state.
    Ellipsis,
}

/// A text that is being read; `symbol` gives the number of a name.
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    symbol: &'a mut dyn FnMut(&str) -> usize,
}

/// The parts of a shape, which may stand in parentheses.
pub(super) fn shape(text: &str, symbol: &mut dyn FnMut(&str) -> usize) -> Result<Vec<Part>> {
    let trimmed = text.trim();
    let inner = trimmed.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    // `(a) + (b)` begins and ends with parentheses that do not belong to each other.
    let inner = inner.filter(|inner| encloses(inner)).unwrap_or(trimmed);
    let mut parts = Vec::new();
    let mut parser = Parser { text: inner, at: 0, depth: 0, symbol };
    while parser.peek().is_some() {
        parts.push(if parser.accept("...") {
            Part::Ellipsis
        } else if parser.accept("_") {
            Part::Placeholder
        } else {
            Part::Extent(parser.sum()?)
        });
        if !parser.accept(",") && parser.peek().is_some() {
            return Err(parser.error("a comma is expected"));
        }
    }
    Ok(parts)
}

/// The polynomial that is at least 0 where a constraint `left >= right`, `left <= right` holds.
pub(super) fn constraint(text: &str, symbol: &mut dyn FnMut(&str) -> usize) -> Result<Polynomial> {
    let mut parser = Parser { text, at: 0, depth: 0, symbol };
    let left = parser.sum()?;
    let at_least = parser.accept(">=");
    if !at_least && !parser.accept("<=") {
        let error = parser.error("`>=` or `<=` is expected");
        return Err(error.help("write an equal extent twice instead of `==`"));
    }
    let right = parser.sum()?;
    if parser.peek().is_some() {
        return Err(parser.error("the constraint ends here"));
    }
    let difference = left.plus(&right.negated());
    Ok(if at_least { difference } else { difference.negated() })
}

/// Whether no parenthesis in `inner` closes one outside of it.
fn encloses(inner: &str) -> bool {
    let mut depth = 0i64;
    inner.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    })
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text[self.at..].trim_start()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn accept(&mut self, token: &str) -> bool {
        let rest = self.rest();
        let found = rest.starts_with(token);
        if found {
            self.at = self.text.len() - rest.len() + token.len();
        }
        found
    }

    fn error(&self, what: &str) -> Error {
        let column = self.text.len() - self.rest().len() + 1;
        Error::program(format!("{}, column {column}: {what}", quoted(self.text))).op("symbolic_shape")
    }

    fn sum(&mut self) -> Result<Polynomial> {
        let mut sum = self.product()?;
        loop {
            if self.accept("+") {
                sum = sum.plus(&self.product()?);
            } else if self.accept("-") {
                sum = sum.plus(&self.product()?.negated());
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Polynomial> {
        let mut product = self.power()?;
        while self.accept("*") {
            product = product.times(&self.power()?);
        }
        Ok(product)
    }

    fn power(&mut self) -> Result<Polynomial> {
        if self.accept("-") {
            return Ok(self.nested(Self::power)?.negated());
        }
        let base = self.atom()?;
        if !self.accept("^") {
            return Ok(base);
        }
        match self.number()? {
            Some(exponent @ 0..=MAX_EXPONENT) => {
                Ok((0..exponent).fold(Polynomial::constant(1), |p, _| p.times(&base)))
            }
            _ => Err(self.error(&format!("an exponent from 0 to {MAX_EXPONENT} is expected"))),
        }
    }

    fn atom(&mut self) -> Result<Polynomial> {
        if self.accept("(") {
            let sum = self.nested(Self::sum)?;
            return if self.accept(")") { Ok(sum) } else { Err(self.error("`)` is expected")) };
        }
        if let Some(n) = self.number()? {
            return Ok(Polynomial::constant(n));
        }
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        if name.is_empty() {
            return Err(self.error("a number or a name is expected"));
        }
        let (name, start) = (name.to_owned(), self.text.len() - rest.len());
        if rest[name.len()..].trim_start().starts_with('(') {
            let error = self.error(&format!("an extent is a polynomial: it has no {name}"));
            return Err(error.help("name the quotient instead: an extent `2*n` has the half `n`"));
        }
        self.at = start + name.len();
        Ok(Polynomial::symbol((self.symbol)(&name)))
    }

    fn number(&mut self) -> Result<Option<i64>> {
        let rest = self.rest();
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        if digits.is_empty() {
            return Ok(None);
        }
        let Ok(number) = digits.parse() else { return Err(self.error("the number is too large")) };
        self.at = self.text.len() - rest.len() + digits.len();
        Ok(Some(number))
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Result<Polynomial>) -> Result<Polynomial> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(&format!("parentheses nest more than {MAX_DEPTH} deep")));
        }
        let value = inner(self)?;
        self.depth -= 1;
        Ok(value)
    }
}
