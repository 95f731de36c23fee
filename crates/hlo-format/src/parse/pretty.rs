use jarrah_base::Result;

use super::Parser;
use crate::ast::{Attribute, Op, Param, Region, Signature, Use};
use crate::lexer::{Token, unescape};

impl<'t> Parser<'t> {
    /// An op in its own syntax, of which the name comes next.
    pub(super) fn pretty_op(&mut self, name: &'t str) -> Result<Op<'t>> {
        self.check_known(name)?;
        let mut op = self.empty_op(name);
        self.advance()?;
        match name {
            "stablehlo.while" => self.while_op(&mut op)?,
            "stablehlo.reduce" => self.reduce_op(&mut op)?,
            "call" | "func.call" => {
                let callee = self.symbol()?;
                op.attributes.push(("callee", Attribute::Symbol(callee)));
                self.items(&mut op)?;
            }
            "stablehlo.constant" => {
                if self.is('{') {
                    op.attributes = self.dictionary()?;
                }
                let value = self.attribute()?;
                op.attributes.push(("value", value));
            }
            _ => self.items(&mut op)?,
        }
        Ok(op)
    }

    /// Operands, `name = value` pairs, words and ranges in any order, and the signature.
    fn items(&mut self, op: &mut Op<'t>) -> Result<()> {
        let mut parentheses = 0;
        loop {
            match self.token {
                Token::Value(..) => {
                    let operand = self.operand()?;
                    op.operands.push(operand);
                }
                Token::Text(text) => {
                    self.advance()?;
                    op.attributes.push(("name", Attribute::Text(unescape(text))));
                }
                Token::Word("loc") => return Ok(()),
                Token::Word(word) if is_enumerator(word) => {
                    self.advance()?;
                    op.words.push(word);
                }
                Token::Word(word) => {
                    self.advance()?;
                    self.expect('=')?;
                    let value = self.paired_attribute()?;
                    op.attributes.push((word, value));
                }
                Token::Sign(',') => {
                    self.advance()?;
                }
                Token::Sign('(') => {
                    self.advance()?;
                    parentheses += 1;
                }
                Token::Sign(')') if parentheses > 0 => {
                    self.advance()?;
                    parentheses -= 1;
                }
                Token::Sign('[') => self.ranges(op)?,
                Token::Sign('{') => {
                    let attributes = self.dictionary()?;
                    op.attributes.extend(attributes);
                }
                Token::Sign('<') if op.name.starts_with("sdy.") => self.skip_balanced()?,
                Token::Sign(':') => {
                    self.advance()?;
                    op.signature = self.signature()?;
                    return Ok(());
                }
                // A `return` of nothing ends its block.
                Token::Sign('}') if op.operands.is_empty() => return Ok(()),
                _ => return Err(self.fail("an operand, an attribute, or `:` and a type")),
            }
        }
    }

    /// An attribute, or two with `x` between them.
    fn paired_attribute(&mut self) -> Result<Attribute<'t>> {
        if let Token::Number(number) = self.token {
            // The colon behind it is that of the op's type.
            self.advance()?;
            return Ok(Attribute::Number(number));
        }
        let first = self.attribute()?;
        if !self.eat_word("x")? {
            return Ok(first);
        }
        let second = self.attribute()?;
        Ok(Attribute::Pair(Box::new((first, second))))
    }

    /// `[0:4, 2:8:2]`, the ranges of a slice.
    fn ranges(&mut self, op: &mut Op<'t>) -> Result<()> {
        self.advance()?;
        let ranges = self.list(']', |p| {
            let start = p.range_number()?;
            p.expect(':')?;
            let limit = p.range_number()?;
            let stride = if p.eat(':')? { p.range_number()? } else { "1" };
            Ok([start, limit, stride])
        })?;
        for (i, name) in ["start_indices", "limit_indices", "strides"].into_iter().enumerate() {
            let numbers = ranges.iter().map(|r| Attribute::Number(r[i])).collect();
            op.attributes.push((name, Attribute::List(numbers)));
        }
        Ok(())
    }

    fn range_number(&mut self) -> Result<&'t str> {
        match self.token {
            Token::Number(number) => {
                self.advance()?;
                Ok(number)
            }
            _ => Err(self.fail("a number")),
        }
    }

    /// `(%a = %0, %b = %1) : types cond {...} do {...}`.
    fn while_op(&mut self, op: &mut Op<'t>) -> Result<()> {
        self.expect('(')?;
        let pairs = self.list(')', |p| {
            let name = p.operand()?;
            p.expect('=')?;
            Ok((name.name, p.operand()?))
        })?;
        op.operands = pairs.iter().map(|p| p.1).collect();
        let mut types = Vec::new();
        if self.eat(':')? {
            match self.signature()? {
                Signature::List(list) => types = list,
                _ => return Err(self.fail("the types of the carry")),
            }
        }
        if types.len() != pairs.len() {
            return Err(self.text.error(op.at, format!("{} values with {} types", pairs.len(), types.len())));
        }
        if self.eat_word("attributes")? {
            op.attributes = self.dictionary()?;
        }
        for word in ["cond", "do"] {
            self.expect_word(word)?;
            let mut region = self.region()?;
            let named = pairs.iter().zip(&types);
            region.params = named.map(|(&(name, _), &ty)| Param { name, ty, path: String::new() }).collect();
            op.regions.push(region);
        }
        op.signature = Signature::List(types);
        Ok(())
    }

    /// `(%x init: %a), (%y init: %b) applies name across dimensions = [0] : type`, or a region instead of the name.
    fn reduce_op(&mut self, op: &mut Op<'t>) -> Result<()> {
        let mut inits: Vec<Use<'t>> = Vec::new();
        loop {
            self.expect('(')?;
            op.operands.push(self.operand()?);
            self.expect_word("init")?;
            self.expect(':')?;
            inits.push(self.operand()?);
            self.expect(')')?;
            if !self.eat(',')? {
                break;
            }
        }
        op.operands.extend(inits);
        let named = self.eat_word("applies")?;
        if named {
            let Token::Word(reducer) = self.token else {
                return Err(self.fail("the name of an op"));
            };
            op.attributes.push(("applies", Attribute::Word(reducer)));
            self.advance()?;
        }
        self.expect_word("across")?;
        self.expect_word("dimensions")?;
        self.expect('=')?;
        let dimensions = self.attribute()?;
        op.attributes.push(("dimensions", dimensions));
        if self.is('{') {
            let attributes = self.dictionary()?;
            op.attributes.extend(attributes);
        }
        self.expect(':')?;
        op.signature = self.signature()?;
        if !named {
            // MLIR puts the location in front of the region here.
            op.location = self.trailing_location()?;
            op.regions.push(self.reducer()?);
        }
        Ok(())
    }

    /// `reducer(%acc0: type, %x0: type) (%acc1: type, %x1: type) {...}`: the parameters are pairs in the text, and
    /// all accumulators before all elements in the program.
    fn reducer(&mut self) -> Result<Region<'t>> {
        self.expect_word("reducer")?;
        let (mut accumulators, mut elements) = (Vec::new(), Vec::new());
        while self.eat('(')? {
            let at = self.start;
            let pair = self.list(')', |p| {
                let name = p.operand()?;
                p.expect(':')?;
                let ty = p.ty()?;
                p.trailing_location()?;
                Ok(Param { name: name.name, ty, path: String::new() })
            })?;
            let [accumulator, element] = <[Param<'t>; 2]>::try_from(pair)
                .map_err(|_| self.text.error(at, "expected an accumulator and an element"))?;
            accumulators.push(accumulator);
            elements.push(element);
        }
        let mut region = self.region()?;
        accumulators.append(&mut elements);
        region.params = accumulators;
        Ok(region)
    }
}

/// `LT`, `FLOAT`.
fn is_enumerator(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_uppercase())
}
