use jarrah_base::Literal;

use crate::op::Op;

/// A concrete use of an op: by these the op enters the law tests, the documentation and the refusal table.
///
/// Float operands stand where the op is smooth, so that finite differences apply.
#[derive(Clone, Debug)]
pub struct Example {
    /// What is particular about it: `two batch axes`.
    pub name: &'static str,
    /// The op.
    pub op: Op,
    /// Its operands.
    pub operands: Vec<Literal>,
}

impl Example {
    /// The example called `name`.
    pub fn new(name: &'static str, op: impl Into<Op>, operands: Vec<Literal>) -> Self {
        Example { name, op: op.into(), operands }
    }
}

/// A tensor of `dims` with varied values in `[low, high]`, no two alike in the first few hundred.
pub(crate) fn varied(dims: &[usize], low: f64, high: f64) -> Literal {
    let count: usize = dims.iter().product();
    // The golden ratio's multiples modulo one are spread evenly and never repeat.
    let values: Vec<f32> = (0..count)
        .map(|i| {
            let fraction = (0.37 + i as f64 * 0.618_033_988_749_894_9).fract();
            (low + (high - low) * fraction) as f32
        })
        .collect();
    Literal::from_slice(dims, &values).expect("invariant: as many values as elements")
}

/// A tensor of integers.
pub(crate) fn ints(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).expect("invariant: examples are well-formed")
}
