//! The function `@main` of a module with symbols: it finds the sizes in the extents of its arguments, and checks them.

use std::sync::Arc;

use jarrah_base::{DType, Error, Result};

use super::Polynomial;
use super::generalize::{Generalizer, define};
use crate::ir::{Attr, Attributes, ElementTy, IrOp, Ty, ValueId};

impl<'a> Generalizer<'a> {
    /// The function, and the shapes of its results.
    pub fn main(
        &mut self,
        mains: &[&'a IrOp],
        arguments: &[Vec<Polynomial>],
        platforms: usize,
    ) -> Result<(IrOp, Vec<Vec<Polynomial>>)> {
        let params = mains[0].regions.first().map_or(&[][..], |region| &region.args).to_vec();
        self.solve(&params, arguments)?;
        let regions: Vec<_> = mains.iter().filter_map(|main| main.regions.first()).collect();
        let mut body = self.region(mains, &regions)?;
        for (i, (&param, shape)) in params.iter().zip(arguments).enumerate() {
            if self.shape(param) != &shape[..] {
                return Err(
                    Error::internal(format!("argument {i} was not traced with its shape")).op("export")
                );
            }
        }
        let returned = body.ops.last().map_or(Vec::new(), |op| op.operands.to_vec());
        let results: Vec<Vec<Polynomial>> =
            returned.iter().map(|&value| self.shape(value).to_vec()).collect();
        let mut ops = std::mem::take(&mut self.prelude);
        ops.append(&mut body.ops);
        body.ops = ops;
        let mut inputs: Vec<Ty> = params.iter().map(|&value| self.module.ty(value).clone()).collect();
        let outputs = returned.iter().map(|&value| self.module.ty(value).clone()).collect();
        let mut main = define("func.func");
        main.attributes.set("sym_name", Attr::string("main"));
        main.attributes.set("sym_visibility", Attr::string("public"));
        if platforms > 1 {
            let index = self.module.value(Ty::of(DType::I32, []), Default::default());
            body.args.insert(0, index);
            inputs.insert(0, Ty::of(DType::I32, []));
            let mut attributes = vec![Attr::Dictionary(Attributes::default()); inputs.len()];
            let named = ("jax.global_constant".into(), Attr::string("_platform_index"));
            attributes[0] = Attr::Dictionary([named].into_iter().collect());
            main.attributes.set("arg_attrs", Attr::Array(attributes));
        }
        main.attributes.set("function_type", Attr::Type(Ty::Function(Arc::new((inputs, outputs)))));
        main.regions.push(body);
        Ok((main, results))
    }

    /// Computes each symbol from an extent that is linear in it and in no other that is not yet known.
    fn solve(&mut self, params: &[ValueId], arguments: &[Vec<Polynomial>]) -> Result<()> {
        let scalar = || Ty::of(DType::I32, []);
        let places: Vec<(usize, usize, &Polynomial)> = arguments
            .iter()
            .enumerate()
            .flat_map(|(i, shape)| shape.iter().enumerate().map(move |(axis, extent)| (i, axis, extent)))
            .filter(|(.., extent)| extent.as_constant().is_none())
            .collect();
        let mut stated = Vec::new();
        for &(i, axis, _) in &places {
            let attributes = [("dimension", Attr::i64(axis as i64))];
            stated.push(self.before("stablehlo.get_dimension_size", &[params[i]], &attributes, scalar()));
        }
        let count = self.scope.names().len();
        while let Some(symbol) = (0..count).find(|&i| !self.extents.contains_key(&Polynomial::symbol(i))) {
            let known = |i: usize| self.extents.contains_key(&Polynomial::symbol(i));
            let solvable = places.iter().zip(&stated).find_map(|(&(.., extent), &value)| {
                let mut open = extent.symbols().into_iter().filter(|&i| !known(i));
                let (Some(wanted), None) = (open.next(), open.next()) else { return None };
                let factor = linear(extent, wanted)?;
                Some((wanted, factor, extent, value))
            });
            let Some((wanted, factor, extent, value)) = solvable else {
                let name = &self.scope.names()[symbol];
                let error = Error::program(format!(
                    "the size {name} does not follow from the shapes of the arguments"
                ));
                return Err(error.op("export").help(format!(
                    "an argument needs an extent that is linear in {name}: `{name}` itself, or `2*{name} + 1`"
                )));
            };
            let itself = Polynomial::symbol(wanted);
            let rest = extent.plus(&itself.times(&Polynomial::constant(factor)).negated());
            let mut size = value;
            if rest.as_constant() != Some(0) {
                let rest = self.extent(&rest)?;
                size = self.before("stablehlo.subtract", &[size, rest], &[], scalar());
            }
            if factor != 1 {
                let factor = self.number(factor)?;
                size = self.before("stablehlo.divide", &[size, factor], &[], scalar());
            }
            self.extents.insert(itself, size);
        }
        for symbol in 0..count {
            let name = self.scope.names()[symbol].clone();
            let size = self.extent(&Polynomial::symbol(symbol))?;
            let one = self.number(1)?;
            self.assert("GE", [size, one], &format!("the size {name} is {{0}}, it has to be at least 1"));
        }
        for (&(i, axis, extent), &value) in places.iter().zip(&stated) {
            let expected = self.extent(extent)?;
            if expected != value {
                let text = self.scope.display(extent);
                let message =
                    format!("argument {i} has the extent {{0}} along axis {axis}, where `{text}` is {{1}}");
                self.assert("EQ", [value, expected], &message);
            }
        }
        for (constraint, text) in self.scope.constraints() {
            let value = self.extent(constraint)?;
            let zero = self.number(0)?;
            let left = self.scope.display(constraint);
            self.assert("GE", [value, zero], &format!("`{text}` does not hold: {left} is {{0}}"));
        }
        Ok(())
    }

    /// Adds the assertion that two scalars compare so; `message` has `{0}` and `{1}` where they stand.
    fn assert(&mut self, direction: &'static str, sides: [ValueId; 2], message: &str) {
        let attributes = [
            ("comparison_direction", Attr::Enum("stablehlo.comparison_direction", direction)),
            ("compare_type", Attr::Enum("stablehlo.comparison_type", "SIGNED")),
        ];
        let holds = self.before("stablehlo.compare", &sides, &attributes, Ty::of(DType::Bool, []));
        let mut call = define("stablehlo.custom_call");
        call.operands.extend([holds, sides[0], sides[1]]);
        call.attributes.set("call_target_name", Attr::string("shape_assertion"));
        call.attributes.set("api_version", Attr::Integer(2, ElementTy::Number(DType::I32)));
        call.attributes.set("error_message", Attr::string(message));
        call.attributes.set("has_side_effect", Attr::Bool(true));
        self.prelude.push(call);
    }
}

/// The factor of `symbol` in a polynomial that is linear in it, with integer coefficients.
fn linear(extent: &Polynomial, symbol: usize) -> Option<i64> {
    let with: Vec<_> = extent.terms().filter(|(m, _)| m.get(symbol).is_some_and(|&e| e > 0)).collect();
    let alone = Polynomial::symbol(symbol);
    match with[..] {
        [(monomial, factor)] if extent.divisor() == 1 && alone.terms().all(|(m, _)| m == monomial) => {
            Some(factor)
        }
        _ => None,
    }
}
