//! Matrices with a structure, built from fewer numbers: Toeplitz, Hankel, companion matrices and others.

use std::cmp::Ordering;

use jarrah_base::DType;

use super::refuse;
use crate::array::Array;
use crate::operators::promote_types;
use crate::signal::Mode;
use crate::{concatenate, lax};

/// A matrix whose element `(i, j)` is the element at index `place(i, j)` along the last axis of `numbers`.
#[track_caller]
fn placed(numbers: &Array, [m, n]: [usize; 2], place: impl Fn(Array, Array) -> Array) -> Array {
    let places = place(lax::iota(DType::I32, &[m, n], 0), lax::iota(DType::I32, &[m, n], 1));
    lax::take(numbers, &places, numbers.rank() - 1)
}

/// The number of elements along the last axis.
#[track_caller]
fn length(op: &str, x: &Array) -> usize {
    match x.shape().last() {
        Some(&extent) if extent > 0 => extent,
        _ => refuse(
            op,
            format!("{} has no elements along a last axis", x.ty()),
            "it is a vector, or a stack of them",
        ),
    }
}

/// The matrix with constant diagonals whose first column is `column` and whose first row is `row`, of which the first element
/// is not read; stacks have the same leading axes.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (column, row) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[0i32, 3, 4]));
/// assert_eq!(linalg::toeplitz(&column, &row).to_vec::<i32>()?, [1, 3, 4, 2, 1, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn toeplitz(column: &Array, row: &Array) -> Array {
    let (m, n) = (length("toeplitz", column), length("toeplitz", row));
    let numbers = concatenate(&[&column.flip(-1), &row.slice(-1, 1..)], -1);
    placed(&numbers, [m, n], |i, j| j - i + (m as i64 - 1))
}

/// The matrix with constant anti-diagonals whose first column is `column` and whose last row is `row`, of which the first
/// element is not read.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (column, row) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[0i32, 3, 4]));
/// assert_eq!(linalg::hankel(&column, &row).to_vec::<i32>()?, [1, 2, 3, 2, 3, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hankel(column: &Array, row: &Array) -> Array {
    let (m, n) = (length("hankel", column), length("hankel", row));
    placed(&concatenate(&[column, &row.slice(-1, 1..)], -1), [m, n], |i, j| i + j)
}

/// The circulant matrix: each column is `column`, rotated by one place more than in the column before it.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let c = linalg::circulant(&Array::from_slice(&[1i32, 2, 3]));
/// assert_eq!(c.to_vec::<i32>()?, [1, 3, 2, 2, 1, 3, 3, 2, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn circulant(column: &Array) -> Array {
    let n = length("circulant", column);
    placed(column, [n, n], |i, j| (i - j) % n as i64)
}

/// The matrices one after another along the diagonal, zeros elsewhere.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let b = linalg::block_diag(&[&Array::ones(&[1, 2]), &Array::ones(&[1, 1])]);
/// assert_eq!(b.to_vec::<f32>()?, [1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn block_diag(blocks: &[&Array]) -> Array {
    let columns: usize = blocks.iter().filter_map(|b| b.shape().get(1).copied()).sum();
    let dtype = blocks.iter().map(|b| b.dtype()).reduce(promote_types).unwrap_or(DType::F32);
    let (mut rows, mut before) = (vec![Array::full(&[0, columns], 0, dtype)], 0);
    for block in blocks {
        let &[_, n] = &block.shape()[..] else {
            refuse("block_diag", format!("{} is no matrix", block.ty()), "reshape vectors to one row")
        };
        let after = (columns - before - n) as i64;
        let zero = Array::full(&[], 0, dtype);
        rows.push(lax::pad(&block.astype(dtype), &zero, &[0, before as i64], &[0, after]));
        before += n;
    }
    concatenate(&rows.iter().collect::<Vec<_>>(), 0)
}

/// The Hadamard matrix of `n` rows, a power of two: ones and minus ones whose rows are orthogonal (Sylvester's
/// construction).
///
/// ```
/// use jarrah_array::{DType, linalg};
/// assert_eq!(linalg::hadamard(2, DType::I32).to_vec::<i32>()?, [1, 1, 1, -1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hadamard(n: usize, dtype: DType) -> Array {
    if !n.is_power_of_two() {
        refuse("hadamard", format!("{n} rows are no power of two"), "use the next power of two");
    }
    let mut h = Array::full(&[1, 1], 1, dtype);
    while h.shape()[0] < n {
        let top = concatenate(&[&h, &h], 1);
        h = concatenate(&[&top, &concatenate(&[&h, &-&h], 1)], 0);
    }
    h
}

/// The matrix whose product with a vector is its Fourier transform: `e^(-2 pi i j k / n)`, `c64`.
///
/// ```
/// use jarrah_array::linalg;
/// assert_eq!(linalg::dft(2).real().to_vec::<f32>()?, [1.0, 1.0, 1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dft(n: usize) -> Array {
    crate::fft::fft(&Array::eye_in(n, n, 0, DType::F32))
}

/// `1 / (i + j + 1)`, `f32`: the Hilbert matrix.
///
/// ```
/// use jarrah_array::linalg;
/// assert_eq!(linalg::hilbert(2).to_vec::<f32>()?, [1.0, 1.0 / 2.0, 1.0 / 2.0, 1.0 / 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hilbert(n: usize) -> Array {
    let place = Array::arange(n);
    1.0 / (place.expand_dims(1) + place + 1).astype(DType::F32)
}

/// The absolute differences of all elements of vectors, `|x_i - x_j|`: the Fiedler matrix.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let f = linalg::fiedler(&Array::from_slice(&[1i32, 4, 9]));
/// assert_eq!(f.to_vec::<i32>()?, [0, 3, 8, 3, 0, 5, 8, 5, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fiedler(x: &Array) -> Array {
    length("fiedler", x);
    (x.expand_dims(-1) - x.expand_dims(-2)).abs()
}

/// The matrix of a population model: `fecundity`, `[.., n]`, in the first row and `survival`, `[.., n - 1]`, below the
/// diagonal.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (f, s) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[3i32]));
/// assert_eq!(linalg::leslie(&f, &s).to_vec::<i32>()?, [1, 2, 3, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn leslie(fecundity: &Array, survival: &Array) -> Array {
    let (n, m) = (length("leslie", fecundity), length("leslie", survival));
    if m + 1 != n {
        let message = format!("fecundities are {}, survivals {}", fecundity.ty(), survival.ty());
        refuse("leslie", message, "the second has one element less than the first");
    }
    let dtype = promote_types(fecundity.dtype(), survival.dtype());
    bordered(&fecundity.astype(dtype), &survival.astype(dtype))
}

/// The square matrix with this first row and these elements just below the diagonal, zeros elsewhere.
#[track_caller]
fn bordered(row: &Array, below: &Array) -> Array {
    let n = row.shape()[row.rank() - 1];
    let first = lax::iota(DType::I32, &[n, 1], 0).eq(0).astype(row.dtype());
    subdiagonal(below) + row.expand_dims(-2) * first
}

/// The square matrix with these elements just below the diagonal, zeros elsewhere.
#[track_caller]
pub(super) fn subdiagonal(below: &Array) -> Array {
    let rank = below.rank() + 1;
    let n = below.shape()[rank - 2];
    let square = below.expand_dims(-1) * Array::eye_in(n, n, 0, below.dtype());
    let (mut low, mut high) = (vec![0; rank], vec![0; rank]);
    (low[rank - 2], high[rank - 1]) = (1, 1);
    lax::pad(&square, &Array::full(&[], 0, below.dtype()), &low, &high)
}

/// The matrix whose eigenvalues are the roots of a polynomial with `coefficients`, the highest power first.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let c = linalg::companion(&Array::from_slice(&[2.0f32, 4.0, 6.0]));
/// assert_eq!(c.to_vec::<f32>()?, [-2.0, -3.0, 1.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn companion(coefficients: &Array) -> Array {
    let a = coefficients.inexact();
    if length("companion", &a) < 2 {
        refuse(
            "companion",
            format!("{} is no polynomial with roots", a.ty()),
            "give two coefficients or more",
        );
    }
    let first = -(a.slice(-1, 1..) / a.slice(-1, ..1));
    bordered(&first, &first.slice(-1, 1..).ones_like())
}

/// A matrix with five diagonals whose eigenvalues are the roots of a polynomial with `coefficients`, the highest power first
/// (Fiedler, A note on companion matrices, 2003).
///
/// ```
/// use jarrah_array::{Array, linalg};
/// // x^2 - 3 x + 2 = (x - 1) (x - 2).
/// let c = linalg::fiedler_companion(&Array::from_slice(&[1.0f32, -3.0, 2.0]));
/// assert_eq!(c.to_vec::<f32>()?, [3.0, -2.0, 1.0, 0.0]);
/// let roots = linalg::eigvals(&c).real().sort(0);
/// assert_eq!(roots.round_to(4).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fiedler_companion(coefficients: &Array) -> Array {
    let a = coefficients.inexact();
    let n = length("fiedler_companion", &a) - 1;
    let rest = -(a.slice(-1, 1..) / a.slice(-1, ..1));
    // Index 0 holds the number 0, index 1 the number 1, and index `k + 1` coefficient `k`.
    let first = a.slice(-1, ..1);
    let numbers = concatenate(&[&first.zeros_like(), &first.ones_like(), &rest], -1);
    let place = |i: usize, j: usize| match (i % 2, j as isize - i as isize) {
        _ if (i, j) == (0, 0) => 2,
        _ if (i, j) == (1, 0) => 1,
        (0, 1) => i + 3,
        (0, -1) => i + 2,
        (0, 2) | (1, -2) => 1,
        _ => 0,
    };
    let places: Vec<i32> = (0..n * n).map(|k| place(k / n, k % n) as i32).collect();
    lax::take(&numbers, &Array::new(&places, &[n, n]), numbers.rank() - 1)
}

/// The Helmert matrix of `n` rows without the first, `f32`: orthonormal rows of which row `k` compares element `k` with the
/// mean of those before it.
///
/// ```
/// use jarrah_array::linalg;
/// let h = linalg::helmert(3);
/// assert_eq!((h * 6.0).square().round().to_vec::<f32>()?, [18.0, 18.0, 0.0, 6.0, 6.0, 24.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn helmert(n: usize) -> Array {
    if n == 0 {
        refuse("helmert", "the matrix would have no columns".to_owned(), "give one column or more");
    }
    numbers(n - 1, n, |i, j| {
        let k = i as f64 + 1.0;
        let size = (k * (k + 1.0)).sqrt();
        match j.cmp(&(i + 1)) {
            Ordering::Less => 1.0 / size,
            Ordering::Equal => -k / size,
            Ordering::Greater => 0.0,
        }
    })
}

/// The symmetric Pascal matrix, `binomial(i + j, i)`, `f32`.
///
/// ```
/// use jarrah_array::linalg;
/// assert_eq!(linalg::pascal(3).to_vec::<f32>()?, [1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 1.0, 3.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pascal(n: usize) -> Array {
    numbers(n, n, |i, j| binomial(i + j, i))
}

/// The lower triangular Pascal matrix, `binomial(i, j)`, `f32`; its transpose is the upper one.
///
/// ```
/// use jarrah_array::linalg;
/// let lower = linalg::pascal_lower(3);
/// assert_eq!(lower.to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 1.0]);
/// assert_eq!(lower.matmul(&lower.t()).to_vec::<f32>()?, linalg::pascal(3).to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pascal_lower(n: usize) -> Array {
    numbers(n, n, binomial)
}

/// The inverse of [`pascal`], `f32`.
///
/// ```
/// use jarrah_array::linalg;
/// assert_eq!(linalg::invpascal(2).to_vec::<f32>()?, [2.0, -1.0, -1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn invpascal(n: usize) -> Array {
    numbers(n, n, |i, j| {
        let sum: f64 = (i.max(j)..n).map(|k| binomial(k, i) * binomial(k, j)).sum();
        alternating(i + j) * sum
    })
}

/// The inverse of [`hilbert`], `f32`.
///
/// ```
/// use jarrah_array::linalg;
/// assert_eq!(linalg::invhilbert(2).to_vec::<f32>()?, [4.0, -6.0, -6.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn invhilbert(n: usize) -> Array {
    numbers(n, n, |i, j| {
        let middle = binomial(i + j, i);
        let sides = binomial(n + i, n - j - 1) * binomial(n + j, n - i - 1);
        alternating(i + j) * (i + j + 1) as f64 * sides * middle * middle
    })
}

/// The matrix whose product with a vector of `n` elements is the vector's convolution with `x`, a vector: `mode` selects the part
/// of the convolution.
///
/// ```
/// use jarrah_array::signal::Mode;
/// use jarrah_array::{Array, linalg};
/// let c = linalg::convolution_matrix(&Array::from_slice(&[1i32, 2]), 2, Mode::Full);
/// assert_eq!(c.to_vec::<i32>()?, [1, 0, 2, 1, 0, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn convolution_matrix(x: &Array, n: usize, mode: Mode) -> Array {
    let m = length("convolution_matrix", x);
    if n == 0 {
        refuse(
            "convolution_matrix",
            "the matrix would have no columns".to_owned(),
            "give one column or more",
        );
    }
    let zeros = vec![0; x.rank()];
    let mut around = zeros.clone();
    around[x.rank() - 1] = n as i64 - 1;
    let numbers = lax::pad(x, &Array::full(&[], 0, x.dtype()), &around, &around);
    let trimmed = match mode {
        Mode::Full => 0,
        Mode::Same => m.min(n) - 1,
        Mode::Valid => 2 * (m.min(n) - 1),
    };
    let first = (trimmed / 2 + n - 1) as i64;
    placed(&numbers, [m + n - 1 - trimmed, n], |i, j| i - j + first)
}

/// A matrix of `f32` by the numbers of its rows and columns.
#[track_caller]
fn numbers(m: usize, n: usize, element: impl Fn(usize, usize) -> f64) -> Array {
    let elements: Vec<f32> = (0..m * n).map(|k| element(k / n, k % n) as f32).collect();
    Array::new(&elements, &[m, n])
}

/// `n! / (k! (n - k)!)`, 0 for `k` above `n`.
fn binomial(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    // Each partial product is a binomial coefficient itself, so nothing is rounded below 2^53.
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// `(-1)^n`.
fn alternating(n: usize) -> f64 {
    if n.is_multiple_of(2) { 1.0 } else { -1.0 }
}
