//! A product in groups becomes one step: groups of neighbours along K have a sum each, and the result is the sum of these, each times the scale of its
//! group and column.
//!
//! `p = dot(x, w), by groups; y = dot(p, broadcast(s))  =  y = contract { p = dot(x, w); dot(p, broadcast(s)) }(x, w, s)`
//!
//! `y[m, n] = sum over g of s[g, n] (sum over k of x[m, g, k] w[g, k, n])`: how weights in few bits are multiplied, whose codes are exact in a narrow float
//! and share scales. The step is a kernel of the form `Contract`, whose body is the two products, so its bits are theirs; the sums of groups, which
//! are many times the result, lie nowhere. The pass comes before fusion, which would make loops of what it looks for, and takes what the target
//! [contracts](Target::contracts); the pass `contract` puts loops that make the operands before the products, and the one that follows behind.

use std::sync::Arc;

use jarrah_base::{Result, Type, work};
use jarrah_hlo::ops::{Axes, BlockSpec, BroadcastInDim, DotGeneral, Kernel, KernelForm};
use jarrah_hlo::{Builder, Instr, Op, Operands, Program, ProgramRef, Results, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::dce;
use crate::rebuild::{Memo, is_fused};
use crate::target::Target;

pub fn run(program: &Program, target: &dyn Target) -> Result<Program> {
    // Most programs have none, and stay as they are.
    match may_have_groups(program, &mut FxHashSet::default()) {
        true => pass(program, target, &mut Memo::default()),
        false => Ok(program.clone()),
    }
}

/// Whether `program`, or one within it that is not among those seen, has a product that may be the sum of groups.
fn may_have_groups(program: &Program, seen: &mut FxHashSet<*const Program>) -> bool {
    program.instrs().iter().any(|instr| match &instr.op {
        Op::DotGeneral(over) => is_sum(over, program.ty(instr.operands[0]).rank()),
        op if is_fused(op) => false,
        op => op
            .programs()
            .into_iter()
            .any(|inner| seen.insert(Arc::as_ptr(inner)) && may_have_groups(inner, seen)),
    })
}

/// Whether a product of operands of this rank is the sum of products over the first axis of both.
pub(crate) fn is_sum(over: &DotGeneral, rank: usize) -> bool {
    let others = |axes: &Axes| axes.iter().copied().eq(1..rank);
    over.lhs_contract[..] == [0]
        && over.rhs_contract[..] == [0]
        && others(&over.lhs_batch)
        && others(&over.rhs_batch)
}

fn pass(program: &Program, target: &dyn Target, memo: &mut Memo) -> Result<Program> {
    let (definitions, uses) = (program.definitions(), program.use_counts());
    let mut b = Builder::like(program);
    let mut map: Vec<Value> = program.param_values().collect();
    let mut found = false;
    for instr in program.instrs() {
        work::step(1 + instr.operands.len());
        b.set_source(instr.source);
        let results: Results = match Groups::of(program, instr, &definitions, &uses)? {
            Some(groups) if target.contracts(&groups.kernel, &groups.types) => {
                found = true;
                let [lhs, rhs, scales] = groups.operands.map(|v| map[v.index()]);
                let scales = match b.ty(scales) == groups.types[2] {
                    true => scales,
                    false => b.reshape(scales, &groups.types[2].dims())?,
                };
                b.push(groups.kernel, &[lhs, rhs, scales])?
            }
            _ => {
                let operands: Operands = instr.operands.iter().map(|v| map[v.index()]).collect();
                match memo.apply_inside(&instr.op, |program, memo| pass(program, target, memo))? {
                    Some(op) => b.push(op, &operands)?,
                    None => b.copy(program, instr, &operands),
                }
            }
        };
        map.extend(results);
    }
    let results: Vec<Value> = program.results().iter().map(|v| map[v.index()]).collect();
    let rebuilt = b.finish(&results)?;
    // The sums of groups, and the scales of each of them, are read no more.
    if found { dce::run(&rebuilt) } else { Ok(rebuilt) }
}

/// A product in groups.
struct Groups {
    kernel: Kernel,
    /// The left operand, the right one, and the scales, some of whose axes may have the extent one more.
    operands: [Value; 3],
    /// The types that the kernel takes.
    types: [Type; 3],
}

impl Groups {
    /// The product in groups whose last instruction is `instr`, if `instr` sums the sums of groups, each times a scale.
    fn of(
        program: &Program,
        instr: &Instr,
        definitions: &[Option<usize>],
        uses: &[u32],
    ) -> Result<Option<Groups>> {
        let made = |v: Value| definitions[v.index()].map(|at| &program.instrs()[at]);
        let Op::DotGeneral(over) = &instr.op else { return Ok(None) };
        let [sums, scales] = [instr.operands[0], instr.operands[1]];
        let Some(product) = made(sums) else { return Ok(None) };
        let Op::DotGeneral(dot) = &product.op else { return Ok(None) };
        let ty = program.ty(sums);
        let whole = is_sum(over, ty.rank()) && over.out == ty.dtype() && ty == program.ty(scales);
        let (lhs, rhs) = (program.ty(product.operands[0]), program.ty(product.operands[1]));
        // The columns are one axis, or two: panels and those of a panel.
        let free = dot.rhs_free(rhs.rank()).len();
        let by_groups = dot.lhs_batch.len() == 1 && [1, 2].contains(&free);
        if !whole || !by_groups || uses[sums.index()] != 1 {
            return Ok(None);
        }
        let of_columns = || ty.rank() - free..ty.rank();
        let (groups, columns) = (ty.dim(0), of_columns().map(|axis| ty.dim(axis)).product::<usize>());
        let axes: Axes = std::iter::once(0).chain(of_columns()).collect();
        let spread = made(scales).map(|instr| (&instr.op, &instr.operands));
        let scales = match spread {
            Some((Op::BroadcastInDim(op), of)) if op.axes == axes => of[0],
            // Of one row there is a scale for each sum, however many axes say so.
            _ if ty.elements()? == groups * columns => scales,
            _ => return Ok(None),
        };
        let types = [lhs, rhs, ty.with_dims(axes.iter().map(|&axis| ty.dim(axis)))];
        if program.ty(scales).elements()? != groups * columns {
            return Ok(None);
        }
        let mut b = Builder::new("groups");
        let [x, w, s] = types.map(|ty| b.param(ty, ""));
        b.set_source(product.source);
        let sums = b.one(DotGeneral::clone(dot), &[x, w])?;
        b.set_source(instr.source);
        let spread = b.one(BroadcastInDim { dims: ty.extents().collect(), axes }, &[s])?;
        let result = b.one(DotGeneral::clone(over), &[sums, spread])?;
        let whole = |ty: &Type| BlockSpec::whole(ty.rank());
        let output = b.ty(result);
        let body = ProgramRef::new(b.finish(&[result])?);
        let inputs = types.iter().map(whole).collect();
        let outputs = [(output, whole(&output))].into_iter().collect();
        let kernel =
            Kernel { form: KernelForm::Contract, ..Kernel::new(SmallVec::new(), inputs, outputs, body) };
        Ok(Some(Groups { kernel, operands: [product.operands[0], product.operands[1], scales], types }))
    }
}
