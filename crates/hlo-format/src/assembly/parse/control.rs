use jarrah_base::{DType, Result};

use super::Parser;
use super::operation::{Argument, Draft};
use crate::assembly::lexer::Token;
use crate::ir::{Attr, Definition, ElementTy, IrOp, Loc, Region, TensorTy, Ty};

/// The functions that `applies` may name, in the short form of a reduction.
pub(in crate::assembly) const COMMUTATIVE: &[&str] = &[
    "stablehlo.add",
    "stablehlo.and",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.or",
    "stablehlo.xor",
];

impl<'t> Parser<'t> {
    /// `(%a init: %b), ...` and then `applies stablehlo.add` or a region at the end.
    pub(super) fn reduce(&mut self, draft: &mut Draft) -> Result<()> {
        let mut inits = Vec::new();
        loop {
            self.expect('(')?;
            let input = self.operand()?;
            draft.op.operands.push(input);
            self.expect_word("init")?;
            self.expect(':')?;
            inits.push(self.operand()?);
            self.expect(')')?;
            if !self.eat(',')? {
                break;
            }
        }
        let count = inits.len();
        draft.op.operands.extend(inits);
        let applied = if self.eat_word("applies")? { Some(self.applied()?) } else { None };
        self.expect_word("across")?;
        self.expect_word("dimensions")?;
        self.expect('=')?;
        let dimensions = self.integers()?;
        draft.op.attributes.set("dimensions", Attr::i64s(dimensions));
        self.optional_dictionary(&mut draft.op.attributes)?;
        self.expect(':')?;
        self.signature(draft)?;
        let region = match applied {
            Some(definition) => self.applying(definition, draft)?,
            None => self.reducer(count)?,
        };
        draft.op.regions.push(region);
        Ok(())
    }

    /// The name of the function that a reduction applies.
    fn applied(&mut self) -> Result<&'static Definition> {
        let Token::Word(word) = self.token else { return Err(self.fail("the name of an op")) };
        let definition =
            COMMUTATIVE.iter().find(|name| **name == word).and_then(|name| Definition::find(name));
        let definition =
            definition.ok_or_else(|| self.fail(&format!("one of {}", COMMUTATIVE.join(", "))))?;
        self.advance()?;
        Ok(definition)
    }

    /// The region that applies a function to its two arguments.
    fn applying(&mut self, definition: &'static Definition, draft: &Draft) -> Result<Region> {
        let at = draft.op.at;
        let element = match self.module.ty(draft.op.operands[0]) {
            Ty::Tensor(tensor) => tensor.element.clone(),
            _ => return Err(self.error(at, "a reduction has tensors as operands").op(draft.op.name())),
        };
        let scalar = Ty::Tensor(TensorTy { dims: Some(Default::default()), element, encoding: None });
        let mut value = || self.module.value(scalar.clone(), Loc::Unstated);
        let (lhs, rhs, result) = (value(), value(), value());
        let mut inner = IrOp::new(definition, at);
        inner.operands.extend([lhs, rhs]);
        inner.results.push(result);
        let last = Definition::find("stablehlo.return").expect("invariant: every dialect has its return");
        let mut last = IrOp::new(last, at);
        last.operands.push(result);
        Ok(Region { args: vec![lhs, rhs], ops: vec![inner, last] })
    }

    /// `reducer(%a: t, %b: t) (...) {...}`: the arguments come in pairs of an element and the result so far.
    fn reducer(&mut self, count: usize) -> Result<Region> {
        self.expect_word("reducer")?;
        let at = self.start;
        let (mut args, mut sums) = (Vec::new(), Vec::new());
        while self.eat('(')? {
            args.push(self.typed_argument()?);
            self.expect(',')?;
            sums.push(self.typed_argument()?);
            self.expect(')')?;
        }
        if args.len() != count {
            return Err(self.error(at, format!("{} pairs of arguments for {count} operands", args.len())));
        }
        args.extend(sums);
        self.region(false, &args)
    }

    /// `(%x = %a, ...) : a, ... cond {...} do {...}`.
    pub(super) fn while_op(&mut self, draft: &mut Draft) -> Result<()> {
        let mut names = Vec::new();
        let operands = self.enclosed('(', ')', |p| {
            names.push(p.argument_name()?);
            p.expect('=')?;
            p.operand()
        })?;
        draft.op.operands.extend(operands);
        if !names.is_empty() {
            self.expect(':')?;
            let at = self.start;
            draft.results = self.types()?;
            self.check_operands(&draft.op, &draft.results, at)?;
        }
        let args: Vec<Argument<'t>> = names
            .into_iter()
            .zip(&draft.results)
            .map(|((name, at), ty)| Argument { name, at, ty: ty.clone(), loc: Loc::Unstated })
            .collect();
        self.keyword_dictionary(&mut draft.op.attributes)?;
        self.expect_word("cond")?;
        let condition = self.region(false, &args)?;
        self.expect_word("do")?;
        let body = self.region(false, &args)?;
        draft.op.regions = vec![condition, body];
        Ok(())
    }

    /// `(%a) inits (%b) dimension=0 attributes {...} {...} : (a, b) -> (c, d)`.
    pub(super) fn scan(&mut self, draft: &mut Draft) -> Result<()> {
        let inputs = self.enclosed('(', ')', Self::operand)?;
        self.expect_word("inits")?;
        let inits = self.enclosed('(', ')', Self::operand)?;
        self.expect_word("dimension")?;
        self.expect('=')?;
        let dimension = self.integer()?;
        self.keyword_dictionary(&mut draft.op.attributes)?;
        let (inputs_count, inits_count) = (inputs.len(), inits.len());
        draft.op.operands.extend(inputs.into_iter().chain(inits));
        draft.op.regions.push(self.region(true, &[])?);
        self.expect(':')?;
        let at = self.start;
        self.signature(draft)?;
        let outputs = draft.results.len().checked_sub(inits_count);
        let outputs = outputs.ok_or_else(|| self.error(at, "fewer results than carries"))?;
        let sizes =
            |a: usize, b: usize| Attr::Integers(ElementTy::Number(DType::I32), vec![a as i64, b as i64]);
        let attributes = &mut draft.op.attributes;
        attributes.set("dimension", Attr::i64(dimension));
        attributes.set("operandSegmentSizes", sizes(inputs_count, inits_count));
        attributes.set("resultSegmentSizes", sizes(outputs, inits_count));
        Ok(())
    }
}
