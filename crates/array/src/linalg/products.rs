//! Powers, products of many matrices, and tensors as matrices.

use super::{check_square, extents, inv, matrices, refuse, solve};
use crate::array::Array;

/// Matrices `[.., n, n]` to an integer power, by repeated squaring; a negative one is that of the inverse.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[1i32, 1, 1, 0], &[2, 2]);
/// assert_eq!(linalg::matrix_power(&a, 5).to_vec::<i32>()?, [8, 5, 5, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn matrix_power(a: &Array, exponent: i32) -> Array {
    matrices("matrix_power", a);
    check_square("matrix_power", a);
    let mut square = if exponent < 0 { inv(a) } else { a.clone() };
    let mut power: Option<Array> = None;
    let mut rest = exponent.unsigned_abs();
    while rest > 0 {
        if rest % 2 == 1 {
            power = Some(match power {
                Some(power) => power.matmul(&square),
                None => square.clone(),
            });
        }
        rest /= 2;
        if rest > 0 {
            square = square.matmul(&square);
        }
    }
    power.unwrap_or_else(|| Array::eye_in(extents(a).0, extents(a).0, 0, a.dtype()).broadcast_to(&a.shape()))
}

/// The product of matrices in the order of fewest multiplications; the first and the last may be vectors.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (a, b, c) = (Array::ones(&[2, 3]), Array::ones(&[3, 4]), Array::ones(&[4]));
/// assert_eq!(linalg::multi_dot(&[&a, &b, &c]).to_vec::<f32>()?, [12.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn multi_dot(arrays: &[&Array]) -> Array {
    let help = "it takes two arrays or more, matrices but for the first and the last, which may be vectors";
    let last = arrays.len().saturating_sub(1);
    if last == 0 {
        refuse("multi_dot", format!("{} arrays are given", arrays.len()), help);
    }
    let mut factors = Vec::with_capacity(arrays.len());
    for (i, array) in arrays.iter().enumerate() {
        factors.push(match (array.rank(), i) {
            (1, 0) => array.expand_dims(0),
            (1, i) if i == last => array.expand_dims(1),
            (2, _) => (*array).clone(),
            _ => refuse("multi_dot", format!("array {i} is {}", array.ty()), help),
        });
    }
    let mut sides: Vec<usize> = factors.iter().map(|f| f.shape()[0]).collect();
    sides.push(factors[last].shape()[1]);
    let splits = best_splits(&sides);
    let product = chain(&factors, &splits, 0, last);
    let product = if arrays[0].rank() == 1 { product.squeeze(0) } else { product };
    if arrays[last].rank() == 1 { product.squeeze(-1) } else { product }
}

/// `splits[i][j]`: after which factor the product of the factors `i..=j` is best cut in two (Cormen, Leiserson, Rivest,
/// Stein, Introduction to algorithms, matrix-chain multiplication). Factor `i` has `sides[i]` rows.
fn best_splits(sides: &[usize]) -> Vec<Vec<usize>> {
    let n = sides.len() - 1;
    let mut cost = vec![vec![0.0f64; n]; n];
    let mut splits = vec![vec![0; n]; n];
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            cost[i][j] = f64::INFINITY;
            for k in i..j {
                let product = sides[i] as f64 * sides[k + 1] as f64 * sides[j + 1] as f64;
                let total = cost[i][k] + cost[k + 1][j] + product;
                if total < cost[i][j] {
                    (cost[i][j], splits[i][j]) = (total, k);
                }
            }
        }
    }
    splits
}

#[track_caller]
fn chain(factors: &[Array], splits: &[Vec<usize>], i: usize, j: usize) -> Array {
    if i == j {
        return factors[i].clone();
    }
    let k = splits[i][j];
    chain(factors, splits, i, k).matmul(&chain(factors, splits, k + 1, j))
}

/// The tensor `y` with `tensordot(y, a, n)` the identity, where `n = axes` is the number of leading axes of `a` that count as
/// the rows of a matrix; its shape is the last extents of `a` followed by the first.
///
/// # Errors
///
/// A program error unless the first `axes` extents have the same product as the others.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = (Array::eye(4) * 2.0).reshape(&[2, 2, 4]);
/// let y = linalg::tensorinv(&a, 2);
/// assert_eq!(y.shape(), [4, 2, 2]);
/// assert_eq!(y.index(1).to_vec::<f32>()?, [0.0, 0.5, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn tensorinv(a: &Array, axes: usize) -> Array {
    let shape = a.shape();
    let axes = axes.min(a.rank());
    let (rows, columns): (usize, usize) = (shape[..axes].iter().product(), shape[axes..].iter().product());
    if rows != columns {
        let message = format!("the first {axes} axes of {} have not as many elements as the others", a.ty());
        refuse("tensorinv", message, "both together are the rows and columns of a square matrix");
    }
    inv(&a.reshape(&[rows, columns][..])).reshape(&[&shape[axes..], &shape[..axes]].concat())
}

/// The tensor `x` with `tensordot(a, x, n) = b`, where `n` is the number of axes of `x`; its shape is what follows that of
/// `b` in the shape of `a`.
///
/// # Errors
///
/// A program error unless the shape of `a` is that of `b` followed by extents of the same product.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = (Array::eye(4) * 2.0).reshape(&[4, 2, 2]);
/// let x = linalg::tensorsolve(&a, &Array::from_slice(&[2.0f32, 4.0, 6.0, 8.0]));
/// assert_eq!(x.to_string(), "f32[2,2]\n[[1.0, 2.0],\n [3.0, 4.0]]");
/// ```
#[track_caller]
pub fn tensorsolve(a: &Array, b: &Array) -> Array {
    let (shape, n) = (a.shape(), b.size());
    let rest = &shape[b.rank().min(shape.len())..];
    if !shape.starts_with(&b.shape()) || rest.iter().product::<usize>() != n {
        let message = format!("{} does not map a tensor to {}", a.ty(), b.ty());
        let help = "its shape is that of the right-hand side, followed by extents of as many elements";
        refuse("tensorsolve", message, help);
    }
    solve(&a.reshape(&[n, n][..]), &b.reshape(&[n][..])).reshape(rest)
}
