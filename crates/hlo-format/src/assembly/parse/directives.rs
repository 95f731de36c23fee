use std::sync::Arc;

use jarrah_base::{DType, Result};

use super::Parser;
use super::operation::Draft;
use crate::assembly::format::Directive;
use crate::assembly::lexer::Token;
use crate::ir::{Attr, ElementTy, Ty};

impl<'t> Parser<'t> {
    /// A piece of text that has its own code.
    pub(super) fn directive(&mut self, directive: Directive, draft: &mut Draft) -> Result<()> {
        match directive {
            Directive::Signature => self.signature(draft),
            Directive::Same => self.same_type(draft),
            Directive::OperandTypes => {
                let at = self.start;
                let types = self.types()?;
                self.check_operands(&draft.op, &types, at)
            }
            Directive::OperandTypesIfAny => {
                if draft.op.operands.is_empty() {
                    return Ok(());
                }
                self.expect(':')?;
                self.directive(Directive::OperandTypes, draft)
            }
            Directive::ResultTypes => self.result_type_list(draft),
            Directive::TupleType => {
                let at = self.start;
                let ty = self.ty()?;
                let Ty::Tuple(elements) = &ty else { return Err(self.error(at, "expected a tuple type")) };
                self.check_operands(&draft.op, elements, at)?;
                draft.results.push(ty);
                Ok(())
            }
            Directive::SelectType => self.select_type(draft),
            Directive::ComplexType => self.complex_type(draft),
            Directive::OperandsAndComma => {
                while matches!(self.token, Token::Value(..)) {
                    let operand = self.operand()?;
                    draft.op.operands.push(operand);
                    self.expect(',')?;
                }
                Ok(())
            }
            Directive::Barrier => self.barrier(draft),
            Directive::Value => self.constant_value(draft),
            Directive::Constant => self.constant(draft),
            Directive::Slice => self.slice(draft),
            Directive::Precision => self.precision(draft),
            Directive::Algorithm => self.algorithm(draft),
            Directive::DotDimensions => self.dot_dimensions(draft),
            Directive::ConvolutionDimensions => {
                let attr = self.convolution_dimensions()?;
                draft.op.attributes.set("dimension_numbers", attr);
                Ok(())
            }
            Directive::Window => self.window(draft),
            Directive::ExponentMantissa => self.exponent_mantissa(draft),
            Directive::Target => {
                let target = self.symbol_name()?;
                draft.op.attributes.set("call_target_name", Attr::String(target));
                Ok(())
            }
            Directive::SymbolName => {
                let name = self.symbol_name()?;
                draft.op.attributes.set("sym_name", Attr::String(name));
                Ok(())
            }
            Directive::CompositeRegions => {
                if self.is('(') {
                    draft.op.regions = self.enclosed('(', ')', |p| p.region(false, &[]))?;
                }
                Ok(())
            }
            Directive::Module => self.module_op(draft),
            Directive::Function => self.function(draft),
            Directive::Reduce => self.reduce(draft),
            Directive::While => self.while_op(draft),
            Directive::Scan => self.scan(draft),
            Directive::ManualComputation => self.manual_computation(draft),
            Directive::NamedComputation => self.named_computation(draft),
        }
    }

    /// `(a, b) -> c`.
    pub(super) fn signature(&mut self, draft: &mut Draft) -> Result<()> {
        let at = self.start;
        let (operands, results) = self.function_type()?;
        self.check_operands(&draft.op, &operands, at)?;
        draft.results = results;
        Ok(())
    }

    /// Parses one type for all operands and the result, or a function type that gives each of them.
    fn same_type(&mut self, draft: &mut Draft) -> Result<()> {
        let at = self.start;
        match self.ty()? {
            Ty::Function(function) => {
                let (operands, results) = &*function;
                self.check_operands(&draft.op, operands, at)?;
                draft.results = results.clone();
            }
            ty => {
                for (i, &operand) in draft.op.operands.iter().enumerate() {
                    self.check_operand(&draft.op, operand, i, &ty, at)?;
                }
                draft.results.push(ty);
            }
        }
        Ok(())
    }

    fn result_type_list(&mut self, draft: &mut Draft) -> Result<()> {
        draft.results = self.types()?;
        Ok(())
    }

    fn select_type(&mut self, draft: &mut Draft) -> Result<()> {
        let at = self.start;
        let mut types = self.types()?;
        match (types.pop(), types.pop(), types.len()) {
            (Some(Ty::Function(function)), None, 0) => {
                let (operands, results) = &*function;
                self.check_operands(&draft.op, operands, at)?;
                draft.results = results.clone();
            }
            (Some(ty), Some(predicate), 0) => {
                self.check_operands(&draft.op, &[predicate, ty.clone(), ty.clone()], at)?;
                draft.results.push(ty);
            }
            _ => return Err(self.error(at, "expected a function type or two types")),
        }
        Ok(())
    }

    fn complex_type(&mut self, draft: &mut Draft) -> Result<()> {
        let at = self.start;
        let ty = match self.ty()? {
            Ty::Function(function) => {
                let (operands, results) = &*function;
                self.check_operands(&draft.op, operands, at)?;
                draft.results = results.clone();
                return Ok(());
            }
            ty => ty,
        };
        let mut part = ty.clone();
        match &mut part {
            Ty::Tensor(tensor) if matches!(tensor.element, ElementTy::Number(d) if d.is_complex()) => {
                if let ElementTy::Number(dtype) = tensor.element {
                    tensor.element = ElementTy::Number(dtype.real());
                }
            }
            _ => return Err(self.error(at, "expected a tensor of complex numbers")),
        }
        self.check_operands(&draft.op, &[part.clone(), part], at)?;
        draft.results.push(ty);
        Ok(())
    }

    /// `%a, %b : a, b`, or `()`.
    fn barrier(&mut self, draft: &mut Draft) -> Result<()> {
        if self.eat('(')? {
            return self.expect(')');
        }
        draft.op.operands = self.operands()?;
        self.expect(':')?;
        let at = self.start;
        draft.results = self.types()?;
        self.check_operands(&draft.op, &draft.results, at)
    }

    fn constant_value(&mut self, draft: &mut Draft) -> Result<()> {
        let at = self.start;
        let Attr::Dense(dense) = self.attribute()? else {
            return Err(self.error(at, "expected a tensor: `dense<...>`"));
        };
        draft.results.push(Ty::Tensor(dense.ty.clone()));
        draft.op.attributes.set("value", Attr::Dense(dense));
        Ok(())
    }

    /// `{...} dense<...> : a`, or the generic form without quotes.
    fn constant(&mut self, draft: &mut Draft) -> Result<()> {
        if self.is('(') {
            *draft = self.generic(draft.op.definition, draft.op.at)?;
            return Ok(());
        }
        self.optional_dictionary(&mut draft.op.attributes)?;
        self.constant_value(draft)
    }

    /// `e5m2`.
    fn exponent_mantissa(&mut self, draft: &mut Draft) -> Result<()> {
        let Token::Word(word) = self.token else { return Err(self.fail("a format such as `e5m2`")) };
        let bits = word.strip_prefix('e').and_then(|w| w.split_once('m'));
        let bits = bits.and_then(|(e, m)| Some((e.parse::<i32>().ok()?, m.parse::<i32>().ok()?)));
        let (exponent, mantissa) = bits.ok_or_else(|| self.fail("a format such as `e5m2`"))?;
        self.advance()?;
        let i32 = |n: i32| Attr::Integer(n.into(), ElementTy::Number(DType::I32));
        draft.op.attributes.set("exponent_bits", i32(exponent));
        draft.op.attributes.set("mantissa_bits", i32(mantissa));
        Ok(())
    }

    /// `@name` if it comes next.
    pub(super) fn optional_symbol_name(&mut self) -> Result<Option<Arc<str>>> {
        if matches!(self.token, Token::Symbol(_)) { self.symbol_name().map(Some) } else { Ok(None) }
    }
}
