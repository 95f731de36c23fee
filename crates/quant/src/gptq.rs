//! Rounding that makes up for its errors.

use jarrah_array::lax::linalg::Triangle;
use jarrah_array::{Array, DType, lax, linalg, scan, where_};

use crate::check::{require, require_type};
use crate::codes::{decode, pack};
use crate::quantize::{Found, check, find_codes, find_scales};
use crate::scales::Scales;
use crate::scheme::{ScaleBlock, Scheme};
use crate::tensor::QuantizedTensor;

/// How [`gptq`] rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GptqOptions {
    /// The damping: this share of the mean of the diagonal of the second moments is added to the diagonal.
    pub damp: f64,
    /// Whether rows are taken in the order of their inputs' power, the largest first. Groups stay those of neighbours, and their scales are found from `w`.
    pub order: bool,
}

impl Default for GptqOptions {
    fn default() -> Self {
        GptqOptions { damp: 0.01, order: false }
    }
}

/// The rows that are rounded before the others make up for them.
const BLOCK: usize = 128;

/// The matrix `w: [K, N]` quantized by `scheme`, where each row makes up for the errors of those before it.
///
/// With second moments `H = sum x x^T` of the inputs, the result is near the least `sum |x (W - Q)|^2`, not the least `|W - Q|`:
///
/// ```text
/// H' = H + damp mean(diag H) I,   U upper with U^T U = H'^-1
/// for k = 0, 1, ...:   Q[k] = round(W[k]),   W[j] -= U[k, j] (W[k] - Q[k]) / U[k, k]   for j > k
/// ```
///
/// Scales of groups are found when their first row is reached, from what the rows are by then; those of columns and tensors, and in another order of rows all, from
/// `w`. Inputs that are
/// always zero have weights of zero.
///
/// * `second`: `H`, `f32[K, K]`, as [`Moments`](crate::Moments) has it
///
/// # Errors
/// The errors of [`quantize`](crate::quantize), a stack of matrices, and moments of another shape: program errors. Moments that are no such sums give NaNs.
///
/// ```
/// use jarrah_array::{Array, DType, random::Key};
/// use jarrah_quant::{GptqOptions, Moments, Scheme, gptq, quantize};
/// let (a, b) = Key::new(0).pair();
/// // Inputs that are much alike.
/// let x = a.normal(&[256, 1]) + b.normal(&[256, 32]) * 0.3;
/// let (w, scheme) = (a.normal(&[32, 8]), Scheme::INT4.groups_of(32));
/// let error = |q: Array| (x.matmul(&w) - x.matmul(&q)).square().sum(..).item::<f32>();
/// let rounded = error(quantize(&w, scheme).dequantize(DType::F32))?;
/// let second = Moments::zeros(32).with(&x).second;
/// assert!(error(gptq(&w, &second, scheme, &GptqOptions::default()).dequantize(DType::F32))? < 0.7 * rounded);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Frantar, Ashkboos, Hoefler, Alistarh, GPTQ: accurate post-training quantization for generative pre-trained transformers (2022), algorithm 1.
#[track_caller]
pub fn gptq(w: &Array, second: &Array, scheme: Scheme, options: &GptqOptions) -> QuantizedTensor {
    let op = "gptq";
    let (_, rows, columns, size) = check(op, w, scheme);
    require(op, w.rank() == 2, || format!("{} is no matrix: quantize each of a stack by itself", w.ty()));
    require_type(op, "the second moments", second, DType::F32, &[rows, rows]);
    let power = second.diagonal(0, 0, 1);
    let dead = power.eq(0.0);
    let mut w = where_(&dead.expand_dims(1), 0.0f32, w.astype(DType::F32));
    let damp = power.mean(..) * options.damp as f32 + dead.astype(DType::F32);
    let mut moments = second + Array::eye(rows) * damp;
    let order = options.order.then(|| (-&power).argsort(0isize).astype(DType::I32));
    // Scales that are found before any row is rounded, `[groups, N]`, and the group of each row.
    let fixed = (order.is_some() || !matches!(scheme.block, ScaleBlock::Group(_))).then(|| {
        let groups = if rows == 0 { 0 } else { rows / size };
        let all = match scheme.block {
            ScaleBlock::Tensor => w.reshape(&[1, rows * columns, 1]),
            _ => w.reshape(&[groups, size, columns]),
        };
        let wide = |x: &Array| x.squeeze(1).broadcast_to(&[groups, columns]);
        let all = find_scales(&all, scheme).map(&wide);
        let group = lax::iota(DType::I32, &[rows], 0).floor_divide(size as i32);
        (all, order.as_ref().map_or_else(|| group.clone(), |order| group.take(order, 0)))
    });
    if let Some(order) = &order {
        w = w.take(order, 0);
        moments = moments.take(order, 0).take(order, 1);
    }
    let largest = |most: usize| (1..=most.min(rows)).rev().find(|n| rows.is_multiple_of(*n)).unwrap_or(1);
    let block = if fixed.is_some() { largest(BLOCK) } else { size };
    let blocks = rows / block.max(1);
    let upper = inverse_factor(&moments);
    // Of each block of rows the columns of the factor, above and within the block: [blocks, K, block].
    let factors = upper.reshape(&[rows, blocks, block]).swapaxes(0, 1);
    let starts = lax::iota(DType::I32, &[blocks], 0) * block as i32;
    let step = |errors: &Array, (start, part, factor): &(Array, Array, Array)| {
        // What the errors of the rows before come to.
        let part = part - lax::dot_general(factor, errors, (&[0], &[0]), (&[], &[]));
        let found = match &fixed {
            Some((all, _)) => all.clone(),
            None => find_scales(&part.expand_dims(0), scheme).map(&|x| x.squeeze(1)),
        };
        let own = lax::dynamic_slice_in_dim(factor, start, block, 0);
        let row = |part: &Array, (at, factor): &(Array, Array)| {
            let row = lax::dynamic_slice_in_dim(part, at, 1, 0);
            let of_row = match &fixed {
                Some((_, group)) => {
                    let group = lax::dynamic_slice_in_dim(group, &(start + at), 1, 0).squeeze(0);
                    found.map(&|x| lax::dynamic_slice_in_dim(x, &group, 1, 0))
                }
                None => found.clone(),
            };
            let (codes, values) = round(&of_row, &row, scheme);
            let error = (&row - values) / lax::dynamic_slice_in_dim(factor, at, 1, 0);
            (part - factor.expand_dims(1) * &error, (codes, error))
        };
        let (_, (codes, made)) = scan(row, &part, &(lax::iota(DType::I32, &[block], 0), own));
        let errors = lax::dynamic_update_slice_in_dim(errors, &made.reshape(&[block, columns]), start, 0);
        (errors, (codes.reshape(&[block, columns]), found.stored, found.zeros))
    };
    let parts = (starts, w.reshape(&[blocks, block, columns]), factors);
    let (_, (codes, stored, zeros)) = scan(step, &Array::zeros(&[rows, columns]), &parts);
    let codes = codes.reshape(&[rows, columns]);
    let codes = order.as_ref().map_or_else(|| codes.clone(), |order| codes.take(&order.argsort(0isize), 0));
    let (stored, zeros) = match &fixed {
        Some((all, _)) => (all.stored.clone(), all.zeros.clone()),
        None => {
            let flat = |x: &Array| x.reshape(&[blocks, columns]);
            (flat(&stored), zeros.as_ref().map(flat))
        }
    };
    let of_tensor = |x: Array| if scheme.block == ScaleBlock::Tensor { x.slice(1, ..1) } else { x };
    QuantizedTensor {
        codes: if scheme.values.row().bits == 4 { pack(&codes) } else { codes },
        scales: Scales::Plain(of_tensor(stored)),
        zeros: zeros.map(|zeros| of_tensor(zeros.astype(DType::U8))),
        order: None,
        scheme,
    }
}

impl Found {
    #[track_caller]
    fn map(&self, f: &dyn Fn(&Array) -> Array) -> Found {
        Found { scale: f(&self.scale), stored: f(&self.stored), zeros: self.zeros.as_ref().map(f) }
    }
}

/// The codes of a row `[1, N]` by its scales, and what they stand for.
#[track_caller]
fn round(found: &Found, row: &Array, scheme: Scheme) -> (Array, Array) {
    let codes = find_codes(row, &found.scale, &found.stored, found.zeros.as_ref(), scheme);
    let mut values = decode(&codes, scheme.values);
    if let Some(zeros) = &found.zeros {
        values -= zeros;
    }
    (codes, values * found.stored.astype(DType::F32))
}

/// The upper triangular `U` with `U^T U = A^-1`, of a positive definite `A`.
///
/// With the rows and columns of `A` in the opposite order its lower factor is `L`; in that order again it is an upper `V` with `A = V V^T`, and `U = V^-1`.
#[track_caller]
fn inverse_factor(a: &Array) -> Array {
    let turned = |x: &Array| x.flip(&[0isize, 1][..]);
    let upper = turned(&linalg::cholesky(&turned(a)));
    linalg::solve_triangular(&upper, &Array::eye(a.shape()[0]), Triangle::Upper)
}
