use jarrah_base::Result;

use super::Parser;
use crate::ast::{Op, Signature, Use};
use crate::lexer::Token;
use crate::names;

impl<'t> Parser<'t> {
    /// One op with its results, and its location.
    pub(super) fn operation(&mut self) -> Result<Op<'t>> {
        let at = self.start;
        let mut results = Vec::new();
        if let Token::Value(..) = self.token {
            loop {
                results.push(self.result_name()?);
                if !self.eat(',')? {
                    break;
                }
            }
            self.expect('=')?;
        }
        let mut op = match self.token {
            Token::Text(_) => self.generic_op()?,
            Token::Word(name) => self.pretty_op(name)?,
            _ => return Err(self.fail("an op")),
        };
        op.at = at;
        op.results = results;
        if op.location.is_none() {
            op.location = self.trailing_location()?;
        }
        Ok(op)
    }

    /// `%0` or `%0:2`.
    fn result_name(&mut self) -> Result<(&'t str, u32)> {
        let Token::Value(name, 0) = self.token else {
            return Err(self.fail("the name of a result"));
        };
        self.advance()?;
        if !self.eat(':')? {
            return Ok((name, 1));
        }
        let Token::Number(digits) = self.token else {
            return Err(self.fail("the number of results"));
        };
        // More results than bytes in the text cannot all have a type.
        let count = digits.parse().ok().filter(|&n: &u32| n as usize <= self.text.body.len());
        let count = count.ok_or_else(|| self.fail("the number of results"))?;
        self.advance()?;
        Ok((name, count))
    }

    pub(super) fn empty_op(&self, name: &'t str) -> Op<'t> {
        Op {
            name,
            at: self.start,
            results: Vec::new(),
            operands: Vec::new(),
            words: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            signature: Signature::None,
            location: None,
        }
    }

    /// `"name"(operands) <{properties}> ({regions}) {attributes} : type`, of which the name comes next.
    pub(super) fn generic_op(&mut self) -> Result<Op<'t>> {
        let Token::Text(name) = self.token else {
            return Err(self.fail("the name of an op"));
        };
        let mut op = self.empty_op(name);
        if !matches!(name, "builtin.module" | "func.func" | "sdy.mesh") {
            self.check_known(name)?;
        }
        self.advance()?;
        self.expect('(')?;
        op.operands = self.list(')', Self::operand)?;
        if self.eat('<')? {
            self.expect('{')?;
            op.attributes = self.fields('}')?;
            self.expect('>')?;
        }
        if self.eat('(')? {
            op.regions = self.list(')', Self::region)?;
        }
        if self.is('{') {
            op.attributes.extend(self.dictionary()?);
        }
        self.expect(':')?;
        op.signature = self.signature()?;
        op.location = self.trailing_location()?;
        Ok(op)
    }

    pub(super) fn operand(&mut self) -> Result<Use<'t>> {
        match self.token {
            Token::Value(name, index) => {
                self.advance()?;
                Ok(Use { name, index })
            }
            _ => Err(self.fail("a value such as `%0`")),
        }
    }

    /// Fails for an op that programs do not have.
    pub(super) fn check_known(&self, name: &str) -> Result<()> {
        if names::is_known(name) {
            return Ok(());
        }
        if name == "stablehlo.custom_call" {
            return Err(self.custom_call());
        }
        Err(self.text.error(self.start, format!("the op {name} is not supported")))
    }

    /// The error for a custom call, which names its target.
    fn custom_call(&self) -> jarrah_base::Error {
        let mut lexer = self.lexer;
        let mut target = None;
        let mut named = false;
        // The target is a symbol right behind the name, or an attribute.
        while let Ok((token, _)) = lexer.next() {
            match token {
                Token::Symbol(name) => target = Some(name),
                Token::Text(name) if named => target = Some(name),
                Token::Word("call_target_name") => named = true,
                Token::End | Token::Arrow => break,
                _ => {}
            }
            if target.is_some() {
                break;
            }
        }
        let target = target.unwrap_or("without a target");
        self.text.error(self.start, format!("the custom call {target} is not supported"))
    }
}
