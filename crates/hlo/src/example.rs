use jarrah_base::{DType, Literal, Type};

use crate::op::Op;

/// A concrete use of an op: by these the op enters the law tests, the documentation and the refusal table.
///
/// Float operands stand where the op is smooth, so that finite differences apply.
#[derive(Clone, Debug)]
pub struct Example {
    /// The distinguishing feature of the example: `two batch axes`.
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

/// A tensor of complex numbers with varied parts in `[low, high]`.
pub(crate) fn varied_complex(dims: &[usize], low: f64, high: f64) -> Literal {
    let parts = varied(&[dims, &[2]].concat(), low, high);
    let ty = Type::tensor(DType::C64, dims.iter().copied());
    Literal::from_bytes(ty, parts.bytes()).expect("invariant: two parts an element")
}

/// A stack of `n` x `n` symmetric positive definite matrices with distinct eigenvalues.
pub(crate) fn positive_definite(batch: &[usize], n: usize) -> Literal {
    let dims = [batch, &[n, n]].concat();
    let mut x = varied(&dims, -0.5, 0.5);
    let values = x.to_f64_vec();
    let entries: Vec<f32> = (0..values.len())
        .map(|at| {
            let (block, i, j) = (at - at % (n * n), at / n % n, at % n);
            let both = values[block + i * n + j] + values[block + j * n + i];
            (both / 2.0 + if i == j { 2.0 + i as f64 } else { 0.0 }) as f32
        })
        .collect();
    x.as_mut_slice::<f32>().expect("invariant: made of f32").copy_from_slice(&entries);
    x
}

/// A stack of matrices with a heavy diagonal, whose elements differ: far from singular, with distinct singular values
/// and, if square, distinct real eigenvalues.
pub(crate) fn well_conditioned(dims: &[usize]) -> Literal {
    let mut x = varied(dims, -0.5, 0.5);
    let (m, n) = (dims[dims.len() - 2], dims[dims.len() - 1]);
    let entries = x.as_mut_slice::<f32>().expect("invariant: made of f32");
    for (at, entry) in entries.iter_mut().enumerate() {
        let (i, j) = (at / n % m, at % n);
        if i == j {
            *entry += 2.0 + i as f32;
        }
    }
    x
}
