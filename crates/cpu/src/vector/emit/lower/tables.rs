//! Values that are computed of four bits and constants: one of sixteen each, which is looked up. So are weights of four bits,
//! whatever their codes stand for.

use jarrah_base::DType;
use jarrah_tile::{Binary, Class, Inst, LoopKernel, Map, Reg, Scalar, Store};
use rustc_hash::FxHashMap;

use super::super::values::kind;
use super::Task;
use crate::vector::BoxPlan;

/// A value that is looked up.
pub(super) struct Table {
    /// The value whose last four bits name the element.
    pub index: usize,
    pub scalars: [Scalar; 16],
}

/// What an instruction is computed of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Constants,
    /// Constants and the last four bits that this instruction leaves of its operand.
    FourBits(usize),
    More,
}

/// What of a task is looked up, by instruction; `None` where a table has no plan.
pub(super) fn of(task: &Task<'_>) -> Option<FxHashMap<usize, Table>> {
    let LoopKernel { body, stores, .. } = task.kernel;
    let mut all: Vec<Of> = Vec::with_capacity(body.len());
    for (i, inst) in body.iter().enumerate() {
        let of = match inst {
            _ if task.given[i].is_some() => Of::More,
            Inst::Const(_) => Of::Constants,
            Inst::Unary(..)
            | Inst::Binary(..)
            | Inst::Compare { .. }
            | Inst::Select { .. }
            | Inst::Clamp { .. }
            | Inst::Convert(..)
            | Inst::Bitcast(..) => {
                let of = inst.operands().iter().map(|r| all[r.index()]).fold(Of::Constants, join);
                let starts =
                    of == Of::More && task.types[i].1 == Class::Full && four_bits(body, inst).is_some();
                if starts { Of::FourBits(i) } else { of }
            }
            _ => Of::More,
        };
        all.push(of);
    }
    let mut read = vec![false; body.len()];
    for (i, inst) in body.iter().enumerate() {
        inst.operands().iter().filter(|r| all[r.index()] != all[i]).for_each(|r| read[r.index()] = true);
    }
    stores.iter().for_each(|store| read[store.value.index()] = true);
    let mut known: FxHashMap<LoopKernel, [Scalar; 16]> = FxHashMap::default();
    let mut tables = FxHashMap::default();
    for (i, &of) in all.iter().enumerate().filter(|&(i, _)| read[i]) {
        let Of::FourBits(root) = of else { continue };
        let lanes =
            kind(task.types[i].0).is_some_and(|kind| !kind.is_wide() && task.types[i].0 != DType::Bool);
        if i == root || !lanes {
            continue;
        }
        let kernel = from_codes(task, root, i);
        // A conversion of integers is no more than that.
        if kernel.body.len() <= 2 && !task.types[i].0.is_float() {
            continue;
        }
        let scalars = match known.get(&kernel) {
            Some(&scalars) => scalars,
            None => {
                let scalars = sixteen(&kernel)?;
                known.insert(kernel, scalars);
                scalars
            }
        };
        let index = match four_bits(body, &body[root]) {
            Some((x, 15)) => x.index(),
            _ => root,
        };
        tables.insert(i, Table { index, scalars });
    }
    Some(tables)
}

fn join(a: Of, b: Of) -> Of {
    match (a, b) {
        (Of::Constants, of) | (of, Of::Constants) => of,
        (a, b) if a == b => a,
        _ => Of::More,
    }
}

/// The operand of which the instruction leaves some of the last four bits, and which.
fn four_bits(body: &[Inst], inst: &Inst) -> Option<(Reg, u64)> {
    let &Inst::Binary(Binary::And, x, y) = inst else { return None };
    [(x, y), (y, x)].into_iter().find_map(|(x, mask)| match body[mask.index()] {
        Inst::Const(s) if s.dtype.size() <= 4 && s.dtype != DType::Bool && s.bits < 16 => Some((x, s.bits)),
        _ => None,
    })
}

/// The loop that computes instruction `i` of the sixteen values that instruction `root` may have.
fn from_codes(task: &Task<'_>, root: usize, i: usize) -> LoopKernel {
    let all = &task.kernel.body;
    let mut needed = vec![false; i + 1];
    needed[i] = true;
    for j in (root + 1..=i).rev().filter(|&j| j != root) {
        if needed[j] {
            all[j].operands().iter().for_each(|r| needed[r.index()] = true);
        }
    }
    // Constants may stand before the codes.
    let map = || Map { offset: 0, rows: vec![0], col: 1 };
    let mut body = vec![Inst::Load { input: 0, map: map(), class: Class::Full }];
    let mut regs = vec![Reg(0); i + 1];
    for j in (0..=i).filter(|&j| j != root && needed[j]) {
        body.push(all[j].map_operands(|r| regs[r.index()]));
        regs[j] = Reg(body.len() as u32 - 1);
    }
    LoopKernel {
        outer: vec![1],
        reduce: vec![],
        cols: 16,
        inputs: vec![task.types[root].0],
        outputs: vec![task.types[i].0],
        body,
        stores: vec![Store { output: 0, map: map(), value: regs[i] }],
    }
}

/// What the loop makes of the numbers from 0 to 15.
fn sixteen(kernel: &LoopKernel) -> Option<[Scalar; 16]> {
    let (from, to) = (kernel.inputs[0], kernel.outputs[0]);
    let plan = BoxPlan::interpreted(kernel.clone()).ok()??;
    let (mut codes, mut made) = ([0u64; 16], [0u64; 16]);
    // SAFETY: both have room for sixteen elements of any type, and every bit of them is an element.
    unsafe {
        let bytes = codes.as_mut_ptr().cast::<u8>();
        (0..16).for_each(|code| bytes.add(code * from.size()).write(code as u8));
        plan.run(0..1, 0..16, &[codes.as_ptr().cast()], &[made.as_mut_ptr().cast()]);
        let element = |i: usize| {
            let mut bits = [0; 8];
            made.as_ptr().cast::<u8>().add(i * to.size()).copy_to(bits.as_mut_ptr(), to.size());
            Scalar { dtype: to, bits: u64::from_le_bytes(bits) }
        };
        Some(std::array::from_fn(element))
    }
}
