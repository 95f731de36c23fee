use std::sync::Arc;

use jarrah_base::{DType, Error, Result, Type};
use jarrah_hlo::ops::{CustomRule, Rule};
use jarrah_hlo::{Builder, Instr, Op, Operands, Precision, Program, ProgramRef, Value};
use rustc_hash::FxHashMap;

use crate::engine::explain;
use crate::grad::vjp;
use crate::partial::ResidualPolicy;

/// The program with its products, convolutions and attention in the narrower float `compute`; everything else, parameters and
/// results included, keeps its types.
///
/// ```text
/// dot(x, w)  ->  dot(round x, round w)                                      sums in f32
/// cotangents:    dot(round ct, round w^T),  dot(round x^T, round ct)         sums in f32, and not rounded
/// ```
///
/// Ops say by [`jarrah_hlo::Rules::precision`] what they do. Only operands of type `f32` are rounded. A program that is differentiated
/// afterwards has the products of its derivative in `compute` too, and gradients that have not been rounded to it.
///
/// # Errors
/// `compute` is not a float of 16 bits. As [`Builder::push`].
///
/// Source: Micikevicius et al., Mixed precision training (2018); the lists of `torch.autocast`.
pub fn autocast(program: &Program, compute: DType) -> Result<Program> {
    check_compute(compute)?;
    program.check_expansion()?;
    let mut cast = Autocast { compute, inside: FxHashMap::default(), products: FxHashMap::default() };
    match cast.rewritten(program, true)? {
        Some(rewritten) => Ok(rewritten),
        None => Ok(program.clone()),
    }
}

/// Checks that `compute` is a float that products can compute in instead of `f32`.
///
/// # Errors
/// It is another type.
pub fn check_compute(compute: DType) -> Result<()> {
    if matches!(compute, DType::BF16 | DType::F16) {
        return Ok(());
    }
    let error = Error::program(format!("{compute} is no type to compute in instead of f32"));
    Err(error.op("autocast").help("take bf16, or f16 with a loss scale"))
}

/// The type whose values are rounded.
const WIDE: DType = DType::F32;

struct Autocast {
    compute: DType,
    /// For each sub-program, by its address, the sub-program kept alive and its narrower version, so that shared sub-programs stay shared.
    inside: FxHashMap<*const Program, (ProgramRef, ProgramRef)>,
    /// The products with their derivatives, by op and types of the operands.
    products: FxHashMap<(Op, Vec<Type>), Op>,
}

impl Autocast {
    /// The program in the narrower float; `None` if nothing in it changes. With `derive`, products get the derivative that sums in
    /// the type they had; without, they stand as they are.
    fn rewritten(&mut self, program: &Program, derive: bool) -> Result<Option<Program>> {
        let mut b = Builder::like(program);
        let mut values: Vec<Value> = program.param_values().collect();
        let mut changed = false;
        for instr in program.instrs() {
            b.set_source(instr.source);
            let operands: Operands = instr.operands.iter().map(|v| values[v.index()]).collect();
            let results = self
                .instr(&mut b, program, instr, &operands, derive)
                .map_err(|error| explain(error, instr, "lowering the precision of", program))?;
            match results {
                Some(results) => {
                    changed = true;
                    values.extend(results);
                }
                None => values.extend(b.copy(program, instr, &operands)),
            }
        }
        let results: Vec<Value> = program.results().iter().map(|v| values[v.index()]).collect();
        if changed { b.finish(&results).map(Some) } else { Ok(None) }
    }

    /// The results of an instruction in the narrower float; `None` if it stays as it is.
    fn instr(
        &mut self,
        b: &mut Builder,
        program: &Program,
        instr: &Instr,
        operands: &[Value],
        derive: bool,
    ) -> Result<Option<Vec<Value>>> {
        let wide = |b: &Builder, i: usize| b.ty(operands[i]).dtype() == WIDE;
        match instr.op.precision() {
            Precision::Keep => Ok(None),
            Precision::Inside => {
                let programs = instr.op.programs();
                let mut inside = Vec::with_capacity(programs.len());
                for &inner in &programs {
                    inside.push(self.inside(inner)?);
                }
                if programs.iter().zip(&inside).all(|(a, b)| Arc::ptr_eq(a, b)) {
                    return Ok(None);
                }
                Ok(Some(b.push(instr.op.with_programs(&inside), operands)?.to_vec()))
            }
            Precision::Accumulate if !(wide(b, 0) && wide(b, 1)) => Ok(None),
            Precision::Accumulate if derive => {
                let op = self.product(&instr.op, &b.types(operands))?;
                Ok(Some(b.push(op, operands)?.to_vec()))
            }
            Precision::Accumulate => self.rounded(b, program, instr, operands, &[0, 1]).map(Some),
            Precision::Compute(narrow) if !wide(b, 0) || narrow.is_empty() => Ok(None),
            Precision::Compute(narrow) => self.rounded(b, program, instr, operands, &narrow).map(Some),
        }
    }

    /// The instruction over operands of which those in `narrow` are rounded.
    fn rounded(
        &self,
        b: &mut Builder,
        program: &Program,
        instr: &Instr,
        operands: &[Value],
        narrow: &[usize],
    ) -> Result<Vec<Value>> {
        let mut operands = Operands::from_slice(operands);
        for &i in narrow {
            if b.ty(operands[i]).dtype() == WIDE {
                operands[i] = b.convert(operands[i], self.compute)?;
            }
        }
        let results = b.push(instr.op.clone(), &operands)?;
        let results = results.into_iter().zip(instr.results());
        results.map(|(result, before)| b.convert(result, program.ty(before).dtype())).collect()
    }

    fn inside(&mut self, program: &ProgramRef) -> Result<ProgramRef> {
        let key = std::ptr::from_ref::<Program>(program);
        if let Some((_, made)) = self.inside.get(&key) {
            return Ok(made.clone());
        }
        let made = match self.rewritten(program, true)? {
            Some(rewritten) => rewritten.into(),
            None => program.clone(),
        };
        self.inside.insert(key, (program.clone(), made.clone()));
        Ok(made)
    }

    /// The product of rounded operands of these types, with its derivative as the rule. Derived by itself, the product would multiply
    /// cotangents as wide as its sums are by operands that are widened again, and round the result.
    fn product(&mut self, op: &Op, types: &[Type]) -> Result<Op> {
        let key = (op.clone(), types.to_vec());
        if let Some(known) = self.products.get(&key) {
            return Ok(known.clone());
        }
        let mut b = Builder::new(op.name());
        let params: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
        let results = b.push(op.clone(), &params)?;
        let wide = b.finish(&results)?;
        let active: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
        let derived = vjp(&wide, &active, ResidualPolicy::SaveAll)?;
        let mut narrowed = |program: Program| -> Result<ProgramRef> {
            Ok(self.rewritten(&program, false)?.unwrap_or(program).into())
        };
        let rule = Rule::Vjp { forward: narrowed(derived.forward)?, backward: narrowed(derived.backward)? };
        let product: Op = CustomRule::new(narrowed(wide)?, rule).into();
        self.products.insert(key, product.clone());
        Ok(product)
    }
}
