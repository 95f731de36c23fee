//! Computation on parameters that stay the same, once instead of at each run.
//!
//! `f(w, x) = rest(recipe(w), x)`: a value that depends on prepared parameters alone, and takes no more memory than they do, is a recipe's. The
//! right operand of a product is made in the panels that the device asks for, so that no run packs it.

use std::collections::hash_map::Entry;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::{BitcastConvert, DotGeneral};
use jarrah_hlo::{Builder, Op, Operands, Panels, Param, Program, ProgramRef, Value};
use rustc_hash::FxHashMap;

use crate::rebuild::rebuild;
use crate::split::{self, Columns, Of, is_back};
use crate::{cse, dce, inline, simplify};

/// A program in two parts.
#[derive(Debug)]
pub struct Parts {
    /// The values that are computed ahead, one program each.
    pub recipes: Vec<PreparedValue>,
    /// The rest of the program: it takes the parameters that are not prepared, and then a value for each recipe.
    pub rest: Program,
}

/// A value of prepared parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PreparedValue {
    /// The parameters that it is made of.
    pub params: Vec<usize>,
    /// The program from these parameters to the value. Two programs with one computation in common have equal recipes for it.
    pub program: ProgramRef,
}

impl PreparedValue {
    /// Whether it is a parameter as it is.
    pub fn is_param(&self) -> bool {
        self.program.instrs().is_empty()
    }

    /// The program that makes the parameter of the value, if the value has all elements of its one parameter, in another order or beside others.
    ///
    /// # Errors
    /// None that a program that verifies has.
    pub fn inverse(&self) -> Result<Option<Program>> {
        let program = &self.program;
        let mut b = Builder::new("unprepared");
        let mut value = b.param(program.ty(program.results()[0]), "");
        let mut at = program.results()[0];
        for instr in program.instrs().iter().rev() {
            if matches!(instr.op, Op::Constant(_)) {
                continue;
            }
            if self.params.len() != 1 || instr.results().len() != 1 || instr.result() != at {
                return Ok(None);
            }
            let before = program.ty(instr.operands[0]);
            value = match &instr.op {
                Op::Reshape(_) => b.reshape(value, &before.dims())?,
                Op::TransposeAxes(op) => {
                    let mut back = op.permutation.clone();
                    for (to, &from) in op.permutation.iter().enumerate() {
                        back[from] = to;
                    }
                    b.transpose(value, &back)?
                }
                Op::BitcastConvert(_) => b.one(BitcastConvert { to: before.dtype() }, &[value])?,
                Op::Pad(pad)
                    if pad.low.iter().chain(&pad.high).all(|&n| n >= 0)
                        && pad.interior.iter().all(|&n| n == 0) =>
                {
                    let starts: Vec<usize> = pad.low.iter().map(|&n| n as usize).collect();
                    let limits: Vec<usize> =
                        starts.iter().zip(before.extents()).map(|(s, n)| s + n).collect();
                    b.slice(value, &starts, &limits)?
                }
                _ => return Ok(None),
            };
            at = instr.operands[0];
        }
        if self.params.len() != 1 || at != program.param(0) {
            return Ok(None);
        }
        b.finish(&[value]).map(Some)
    }
}

/// The panels in which a device reads right operands of products faster.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The panels for the right operand of a product of these operands, if the device reads any faster.
    pub panels: &'a dyn Fn(&DotGeneral, [Type; 2]) -> Option<Panels>,
    /// The columns of a panel of what a loop makes the right operand of.
    pub columns: Columns<'a>,
}

/// Parts `program`, whose first `prepared` parameters are prepared, for a device that reads the right operands of products in the panels `wanted`.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::{Wanted, prepare};
/// use jarrah_hlo::Builder;
///
/// let mut b = Builder::new("f");
/// let w = b.param(Type::tensor(DType::F32, [8]), "w");
/// let x = b.param(Type::tensor(DType::F32, [8]), "x");
/// let e = b.exp(w)?;
/// let y = b.mul(x, e)?;
/// let parts = prepare(&b.finish(&[y])?, 1, Wanted { panels: &|_, _| None, columns: &|_, _| None })?;
/// assert_eq!(parts.recipes[0].program.instrs().len(), 1);
/// assert_eq!((parts.rest.params().len(), parts.rest.instrs().len()), (2, 1));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// As [`compile`](crate::compile).
pub fn prepare(program: &Program, prepared: usize, wanted: Wanted<'_>) -> Result<Parts> {
    let simplified = dce::run(&cse::run(&simplify::run(&inline::run(program)?)?)?)?;
    let packed = packed(&simplified, prepared, wanted.panels)?;
    let program = dce::run(&split::run(&packed, &dependence(&packed, prepared), wanted.columns)?)?;
    let of = dependence(&program, prepared);
    let is_prepared = |v: Value| matches!(of[v.index()], Of::Prepared(_));
    let mut b = Builder::new(program.name());
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    for (index, param) in program.params().iter().enumerate().skip(prepared) {
        map.insert(program.param(index), b.param_at(Param::clone(param)));
    }
    // The prepared values that the rest reads, in the order in which it does.
    let rest = || program.instrs().iter().filter(|i| !i.results().any(is_prepared));
    let read = rest().flat_map(|instr| instr.operands.iter()).chain(program.results());
    let mut recipes = Vec::new();
    for &value in read {
        let Of::Prepared(_) = &of[value.index()] else { continue };
        if let Entry::Vacant(place) = map.entry(value) {
            let recipe = recipe(&program, value, &of)?;
            let path =
                recipe.params.iter().map(|&i| program.params()[i].path.path()).collect::<Vec<_>>().join("+");
            place.insert(b.param(program.ty(value), &path));
            recipes.push(recipe);
        }
    }
    let missing = || Error::internal("a value is read before it is computed");
    for instr in rest() {
        let operands: Option<Operands> = instr.operands.iter().map(|v| map.get(v).copied()).collect();
        b.set_source(instr.source);
        let results = b.copy(&program, instr, &operands.ok_or_else(missing)?);
        map.extend(instr.results().zip(results));
    }
    let results: Option<Vec<Value>> = program.results().iter().map(|v| map.get(v).copied()).collect();
    Ok(Parts { recipes, rest: b.finish(&results.ok_or_else(missing)?)? })
}

/// The program with panels for the right operands of products that depend on prepared parameters alone.
fn packed(
    program: &Program,
    prepared: usize,
    panels: &dyn Fn(&DotGeneral, [Type; 2]) -> Option<Panels>,
) -> Result<Program> {
    let of = dependence(program, prepared);
    rebuild(program, |b, instr, operands| {
        let by_prepared = || {
            let [lhs, rhs] = [0, 1].map(|i| &of[instr.operands[i].index()]);
            matches!((lhs, rhs), (Of::Others, Of::Prepared(_)))
        };
        let dot = match &instr.op {
            Op::DotGeneral(dot) if by_prepared() => Some(DotGeneral::clone(dot)),
            // Scales are of columns, and panels have more.
            Op::RaggedDot(dot) if by_prepared() && operands.len() == 3 => dot.of_matrices(),
            _ => None,
        };
        let wanted = dot.and_then(|dot| {
            let types = [0, 1].map(|i| b.ty(operands[i]));
            let panels = panels(&dot, types).filter(|panels| panels.fit(&dot, types))?;
            Some((dot, panels, types[1]))
        });
        let Some((dot, panels, ty)) = wanted else { return Ok(b.copy(program, instr, operands)) };
        let rhs = panels.pack(b, operands[1], &dot)?;
        let extents: Vec<usize> = ty.extents().collect();
        let product = match &instr.op {
            Op::RaggedDot(_) => panels.ragged_dot(b, &dot, [operands[0], rhs, operands[2]], &extents)?,
            _ => panels.dot(b, &dot, [operands[0], rhs], &extents)?,
        };
        Ok(std::iter::once(product).collect())
    })
}

/// The inputs that each value depends on; a value larger than the prepared parameters it is made of counts as [`Of::Others`].
fn dependence(program: &Program, prepared: usize) -> Vec<Of> {
    let mut of: Vec<Of> = Vec::with_capacity(program.value_count());
    of.extend(
        (0..program.params().len()).map(|i| if i < prepared { Of::Prepared(vec![i]) } else { Of::Others }),
    );
    let bytes = |v: Value| program.ty(v).bytes().unwrap_or(usize::MAX);
    let definitions = program.definitions();
    for instr in program.instrs() {
        let mut params = Vec::new();
        // A function of the host may use what is being prepared.
        let calls =
            matches!(instr.op, Op::CustomCall(_)) || instr.op.programs().iter().any(|p| p.calls_functions());
        // What lies in panels is prepared, and read in its own order.
        let made = |v: Value| definitions[v.index()].map(|at| &program.instrs()[at]);
        let back = instr.operands.first().and_then(|&v| made(v)).is_some_and(|before| is_back(instr, before));
        let mut others = calls || back || !instr.op.effects().is_pure();
        for operand in &instr.operands {
            match &of[operand.index()] {
                Of::Nothing => {}
                Of::Prepared(more) => params.extend(more),
                Of::Others => others = true,
            }
        }
        params.sort_unstable();
        params.dedup();
        let room = params.iter().fold(0usize, |sum, &i| sum.saturating_add(bytes(program.param(i))));
        let made = instr.results().fold(0usize, |sum, v| sum.saturating_add(bytes(v)));
        // An eighth at most is added to fill panels.
        let padded = matches!(instr.op, Op::Pad(_) | Op::Reshape(_) | Op::TransposeAxes(_));
        let room = if padded { room.saturating_add(room / 8) } else { room };
        let kind = match params.is_empty() {
            _ if others => Of::Others,
            true => Of::Nothing,
            false if made <= room => Of::Prepared(params),
            false => Of::Others,
        };
        of.extend(instr.results().map(|_| kind.clone()));
    }
    of
}

/// The recipe of `value`: the slice of the program that computes it.
fn recipe(program: &Program, value: Value, of: &[Of]) -> Result<PreparedValue> {
    let Of::Prepared(params) = &of[value.index()] else {
        return Err(Error::internal("a value that is not prepared"));
    };
    let given: Vec<Value> = params.iter().map(|&i| program.param(i)).collect();
    let slice = program.slice(&given, &[value])?;
    // Names are left out, so that it is equal to the same one of another program.
    let mut b = Builder::new("prepared");
    let mut map: Vec<Value> = slice.params().iter().map(|param| b.param(param.ty, "")).collect();
    for instr in slice.instrs() {
        let operands: Operands = instr.operands.iter().map(|v| map[v.index()]).collect();
        map.extend(b.copy(&slice, instr, &operands));
    }
    let result = map[slice.results()[0].index()];
    Ok(PreparedValue { params: params.clone(), program: ProgramRef::new(b.finish(&[result])?) })
}
