//! Values that are computed from four bits and constants take one of sixteen values, which is looked up in a table. Weights of
//! four bits are such values, whatever their codes mean. If a register holds 32 words, tables have 32 entries, for five bits:
//! codes of four bits less a zero point.

use jarrah_base::DType;
use jarrah_tile::{Binary, Class, Inst, LoopKernel, Map, Reg, ScalarBits, Store};
use rustc_hash::FxHashMap;

use super::super::values::kind;
use super::Task;
use crate::vector::BoxPlan;

/// A value that is looked up.
pub(super) struct Table<const N: usize> {
    /// The value whose last bits are the index into the table.
    pub index: usize,
    pub scalars: [ScalarBits; N],
}

/// The values of a task that are looked up, by instruction.
#[derive(Default)]
pub(super) struct Tables {
    /// The values indexed by four bits.
    pub of_16: FxHashMap<usize, Table<16>>,
    /// The values of two bytes, two to a word, indexed by five bits; for other uses they are computed.
    pub of_32: FxHashMap<usize, Table<32>>,
}

/// The inputs that an instruction is computed from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Constants,
    /// Constants, and the last bits of a value, which this instruction masks.
    LastBits(usize),
    More,
}

/// The values of a task that are looked up; `None` if a table cannot be computed. `dots` says whether words of `bf16` have a
/// multiply instruction.
pub(super) fn of(task: &Task<'_>, dots: bool) -> Option<Tables> {
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
                    of == Of::More && task.types[i].1 == Class::Full && last_bits(body, inst).is_some();
                if starts { Of::LastBits(i) } else { of }
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
    let makes_words = dots && task.calls.is_some_and(|calls| calls.words);
    let mut known: FxHashMap<LoopKernel, [ScalarBits; 16]> = FxHashMap::default();
    let mut tables = Tables::default();
    for (i, &of) in all.iter().enumerate().filter(|&(i, _)| read[i]) {
        let Of::LastBits(root) = of else { continue };
        let lanes =
            kind(task.types[i].0).is_some_and(|kind| !kind.is_wide() && task.types[i].0 != DType::Bool);
        if i == root || !lanes {
            continue;
        }
        let Some((operand, mask)) = last_bits(body, &body[root]) else { continue };
        if mask > 15 && !(makes_words && task.types[i].0 == DType::BF16) {
            continue;
        }
        let kernel = from_codes(task, root, i);
        // A mere conversion between integers is not worth a table.
        if kernel.body.len() <= 2 && !task.types[i].0.is_float() {
            continue;
        }
        if mask > 15 {
            let scalars = elements(&LoopKernel { cols: 32, ..kernel })?;
            let index = if mask == 31 { operand.index() } else { root };
            tables.of_32.insert(i, Table { index, scalars });
            continue;
        }
        let scalars = match known.get(&kernel) {
            Some(&scalars) => scalars,
            None => {
                let scalars = elements(&kernel)?;
                known.insert(kernel, scalars);
                scalars
            }
        };
        let index = if mask == 15 { operand.index() } else { root };
        tables.of_16.insert(i, Table { index, scalars });
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

/// The operand whose last five bits, or some of them, the instruction keeps, and these bits.
fn last_bits(body: &[Inst], inst: &Inst) -> Option<(Reg, u64)> {
    let &Inst::Binary(Binary::And, x, y) = inst else { return None };
    [(x, y), (y, x)].into_iter().find_map(|(x, mask)| match body[mask.index()] {
        Inst::Const(s) if s.dtype.size() <= 4 && s.dtype != DType::Bool && s.bits < 32 => Some((x, s.bits)),
        _ => None,
    })
}

/// A loop that computes instruction `i` for the sixteen (or more) values that instruction `root` may have.
fn from_codes(task: &Task<'_>, root: usize, i: usize) -> LoopKernel {
    let all = &task.kernel.body;
    let mut needed = vec![false; i + 1];
    needed[i] = true;
    for j in (root + 1..=i).rev().filter(|&j| j != root) {
        if needed[j] {
            all[j].operands().iter().for_each(|r| needed[r.index()] = true);
        }
    }
    // Constants may be used before the codes, so all needed instructions are kept in order.
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

/// The table: the loop's results for the numbers from 0 on.
fn elements<const N: usize>(kernel: &LoopKernel) -> Option<[ScalarBits; N]> {
    let (from, to) = (kernel.inputs[0], kernel.outputs[0]);
    let plan = BoxPlan::interpreted(kernel.clone()).ok()??;
    let (mut codes, mut made) = ([0u64; N], [0u64; N]);
    // SAFETY: both have room for as many elements of any type, and every bit of them is an element.
    unsafe {
        let bytes = codes.as_mut_ptr().cast::<u8>();
        (0..N).for_each(|code| bytes.add(code * from.size()).write(code as u8));
        plan.run(0..1, 0..N, &[codes.as_ptr().cast()], &[made.as_mut_ptr().cast()]);
        let element = |i: usize| {
            let mut bits = [0; 8];
            made.as_ptr().cast::<u8>().add(i * to.size()).copy_to(bits.as_mut_ptr(), to.size());
            ScalarBits { dtype: to, bits: u64::from_le_bytes(bits) }
        };
        Some(std::array::from_fn(element))
    }
}
