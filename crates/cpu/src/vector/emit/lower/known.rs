//! Static facts about the values of a task: integers within bounds, floats that fit in `bf16`, and whether code that flushes
//! subnormal numbers computes the value unchanged.

use jarrah_base::DType;
use jarrah_tile::{Binary, Inst, Unary};

use super::Task;

/// The static facts about one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The least and the greatest value, if the value is always an integer, whatever its type.
    integer: Option<[f64; 2]>,
    /// Whether the value fits in `bf16`.
    pub narrow: bool,
    /// Whether every instruction from the loads to the value either ignores the flushing mode or never meets a subnormal number.
    pub steady: bool,
}

const NOTHING: Known = Known { integer: None, narrow: false, steady: false };

/// The static facts about each value of a task.
pub(super) fn of(task: &Task<'_>) -> Vec<Known> {
    let mut all: Vec<Known> = Vec::with_capacity(task.kernel.body.len());
    for (i, inst) in task.kernel.body.iter().enumerate() {
        let known = if task.given[i].is_some() { NOTHING } else { one(inst, task.types[i].0, &all, task) };
        all.push(known);
    }
    all
}

/// The integers of a type of up to 32 bits.
fn range(dtype: DType) -> Option<[f64; 2]> {
    let bits = 8 * dtype.size() as i32;
    Some(match dtype {
        DType::Bool => [0.0, 1.0],
        DType::U8 | DType::U16 | DType::U32 => [0.0, f64::from(bits).exp2() - 1.0],
        DType::I8 | DType::I16 | DType::I32 => {
            [-f64::from(bits - 1).exp2(), f64::from(bits - 1).exp2() - 1.0]
        }
        _ => return None,
    })
}

/// The greatest power of two up to which a float type holds all integers.
fn most(dtype: DType) -> f64 {
    match dtype {
        DType::F32 => 16_777_216.0,
        DType::F16 => 2048.0,
        DType::BF16 => 256.0,
        _ => 0.0,
    }
}

fn one(inst: &Inst, dtype: DType, all: &[Known], task: &Task<'_>) -> Known {
    let operands: Vec<Known> = inst.operands().iter().map(|r| all[r.index()]).collect();
    let steady = operands.iter().all(|known| known.steady);
    let of = |i: usize| task.types[inst.operands()[i].index()].0;
    let ints = || operands.iter().map(|known| known.integer).collect::<Option<Vec<_>>>();
    let within = |[low, high]: [f64; 2], most: f64| -low <= most && high <= most;
    // A value that is an integer within these bounds; out of the range of its type, it wraps.
    let integer = |bounds: Option<[f64; 2]>, steady: bool| {
        let bounds = match (bounds, range(dtype)) {
            (Some([low, high]), Some(all)) if low >= all[0] && high <= all[1] => Some([low, high]),
            (_, Some(all)) => Some(all),
            (Some(bounds), None) if within(bounds, most(dtype)) => Some(bounds),
            _ => None,
        };
        let narrow = bounds.is_some_and(|bounds| within(bounds, most(DType::BF16)));
        Known { integer: bounds, narrow, steady }
    };
    let is_integer = dtype.is_integer() && dtype.size() <= 4;
    match inst {
        Inst::Load { .. } if dtype == DType::BF16 => Known { integer: None, narrow: true, steady: true },
        Inst::Load { .. } | Inst::Iota { .. } => integer(None, true),
        Inst::Const(scalar) => {
            let x = scalar.to_f64();
            if x.fract() == 0.0 {
                return integer(Some([x, x]), true);
            }
            let narrow = x.is_finite() && (x as f32).to_bits() & 0xffff == 0 && f64::from(x as f32) == x;
            Known { integer: None, narrow, steady: true }
        }
        Inst::Convert(to, _) => {
            let from = of(0);
            let known = operands[0];
            // A conversion from `f64` goes through `f32`, which may be flushed.
            let single = from.size() <= 4;
            let integers = from == DType::Bool || from.is_integer() && from.size() <= 4;
            match (integers, to.is_float(), from.is_float()) {
                // Integers, rounded or not, are never subnormal.
                (true, true, _) => integer(known.integer, steady && to.size() <= 4),
                (true, false, _) => integer(known.integer, steady),
                (_, true, true) if known.integer.is_some() => {
                    integer(known.integer, steady && to.size() <= 4)
                }
                // Conversions to and from `bf16` only use integer instructions.
                (_, true, true) if *to == DType::BF16 => {
                    Known { integer: None, narrow: true, steady: steady && single }
                }
                (_, true, true) if *to == DType::F32 => {
                    Known { integer: None, narrow: known.narrow, steady: steady && single }
                }
                _ => NOTHING,
            }
        }
        Inst::Bitcast(..) if is_integer => integer(None, steady),
        Inst::Unary(Unary::Negate, _) if dtype.is_float() => match operands[0].integer {
            Some([low, high]) => integer(Some([-high, -low]), steady),
            None => Known { steady, ..operands[0] },
        },
        Inst::Unary(..) | Inst::Clamp { .. } if is_integer => integer(None, steady),
        Inst::Binary(f, ..) => {
            let bounds = ints().and_then(|of| bounds(*f, of[0], of[1]));
            let met = bounds.is_some_and(|bounds| within(bounds, most(dtype)));
            match () {
                () if is_integer => integer(bounds, steady),
                () if met && dtype.is_float() => integer(bounds, steady),
                () => NOTHING,
            }
        }
        Inst::Compare { .. } if of(0).is_integer() || ints().is_some() => integer(None, steady),
        Inst::Select { .. } => {
            let (yes, no) = (operands[1], operands[2]);
            let joined = yes.integer.zip(no.integer).map(|(x, y)| [x[0].min(y[0]), x[1].max(y[1])]);
            match joined {
                Some(bounds) => integer(Some(bounds), steady),
                None => Known { integer: None, narrow: yes.narrow && no.narrow, steady },
            }
        }
        _ => NOTHING,
    }
}

/// The bounds of a function of integers within bounds.
fn bounds(f: Binary, x: [f64; 2], y: [f64; 2]) -> Option<[f64; 2]> {
    Some(match f {
        Binary::Add => [x[0] + y[0], x[1] + y[1]],
        Binary::Subtract => [x[0] - y[1], x[1] - y[0]],
        Binary::And if x[0] >= 0.0 && y[0] >= 0.0 => [0.0, x[1].min(y[1])],
        Binary::ShiftRightLogical if x[0] >= 0.0 => [0.0, x[1]],
        _ => return None,
    })
}
