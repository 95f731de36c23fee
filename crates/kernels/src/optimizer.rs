//! Steps of optimizers in one pass over the parameters: the results begin as the operands, and take their memory where those die.

use jarrah_array::kernel::{Block, kernel_of};
use jarrah_array::{Array, Ref};

use crate::shape::require;

/// The elements in a block.
const BLOCK: usize = 4096;

/// The new values of the first `states` of the arrays: `f` of blocks of all, with numbers that a step depends on.
#[track_caller]
fn step<const N: usize>(
    op: &str,
    xs: &[&Array],
    numbers: &[&Array],
    f: impl Fn(&[Array], &[Array]) -> [Array; N],
) -> [Array; N] {
    let (shape, size) = (xs[0].shape(), xs[0].size());
    require(op, xs.iter().all(|x| x.ty() == xs[0].ty()), || {
        "parameters, gradients and moments have one type".to_owned()
    });
    require(op, numbers.iter().all(|x| x.rank() == 0), || "the numbers of a step are scalars".to_owned());
    let block = size.clamp(1, BLOCK);
    let count = xs.len();
    let body = |refs: &[Ref]| {
        let values: Vec<Array> = refs[..numbers.len() + count].iter().map(Ref::get).collect();
        let (numbers, values) = values.split_at(numbers.len());
        for (y, new) in refs[numbers.len() + count..].iter().zip(f(values, numbers)) {
            y.set(new);
        }
    };
    let part = || Block::new([block], |[i]| [i]);
    let mut run = kernel_of(body).name(op).grid(&[size.div_ceil(block)]).prefetch(numbers.len());
    for _ in xs {
        run = run.input(part());
    }
    for (i, x) in xs.iter().enumerate().take(N) {
        run = run.output(x.ty().with_dims([size]), part()).alias(numbers.len() + i, i);
    }
    let flat: Vec<Array> = xs.iter().map(|x| x.reshape(&[size])).collect();
    let operands: Vec<&Array> = numbers.iter().copied().chain(&flat).collect();
    let mut results = run.call(&operands).into_iter().map(|x| x.reshape(&shape[..]));
    std::array::from_fn(|_| match results.next() {
        Some(result) => result,
        None => unreachable!("invariant: a result for each state"),
    })
}

/// A step of Adam at time `time`, a scalar from 1 on: with `m' = b1 m + (1 - b1) g`, `v' = b2 v + (1 - b2) g^2` the parameters become
/// `w - rate (m' / (1 - b1^t)) / (sqrt(v' / (1 - b2^t)) + epsilon)`. Gives the parameters and both moments; `b1 = 0.9`, `b2 = 0.999`
/// and `epsilon = 1e-8`.
///
/// ```
/// use jarrah_array::Array;
/// let (w, zero) = (Array::ones(&[2]), Array::zeros(&[2]));
/// let [w, ..] = jarrah_kernels::adam_update(&w, &zero, &zero, &Array::ones(&[2]), &Array::scalar(1.0), 0.1);
/// assert!((w.index(0).item::<f32>()? - 0.9).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam (2014).
#[track_caller]
pub fn adam_update(w: &Array, m: &Array, v: &Array, g: &Array, time: &Array, rate: f64) -> [Array; 3] {
    let (b1, b2) = (0.9f64, 0.999f64);
    step("adam_update", &[w, m, v, g], &[time], |xs, numbers| {
        let (w, m, v, g, time) = (&xs[0], &xs[1], &xs[2], &xs[3], &numbers[0]);
        let m = m * b1 + g * (1.0 - b1);
        let v = v * b2 + g.square() * (1.0 - b2);
        let whole = |b: f64| 1.0 - (time * b.ln()).exp();
        let step = (&m / whole(b1)) / ((&v / whole(b2)).sqrt() + 1e-8);
        [w - step * rate, m, v]
    })
}

/// A step of Lion: the parameters become `w - rate sign(b1 m + (1 - b1) g)`, the moment `b2 m + (1 - b2) g`, with `b1 = 0.9` and
/// `b2 = 0.99`.
///
/// ```
/// use jarrah_array::Array;
/// let (w, zero) = (Array::ones(&[2]), Array::zeros(&[2]));
/// let [w, _] = jarrah_kernels::lion_update(&w, &zero, &Array::from_slice(&[3.0f32, -1.0]), 0.5);
/// assert_eq!(w.to_vec::<f32>()?, [0.5, 1.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Chen and others, Symbolic discovery of optimization algorithms (2023).
#[track_caller]
pub fn lion_update(w: &Array, m: &Array, g: &Array, rate: f64) -> [Array; 2] {
    step("lion_update", &[w, m, g], &[], |xs, _| {
        let (w, m, g) = (&xs[0], &xs[1], &xs[2]);
        [w - (m * 0.9 + g * 0.1).sign() * rate, m * 0.99 + g * 0.01]
    })
}
