use jarrah_base::{Error, Location};

use crate::array::Array;
use crate::control::{scan, scan_reverse};
use crate::error::{fail, with_context};

/// The product `Q C` of the reflections that [`super::linalg::geqrf`] returns as `(a, taus)`, all of their square matrix `Q`, and a
/// matrix; `Q` is never formed.
///
/// # Errors
///
/// A program error unless `a` is a matrix with a column for each of `taus`, and `c` a matrix of as many rows.
///
/// ```
/// use jarrah_array::{Array, lax::linalg};
/// let (packed, taus) = linalg::geqrf(&Array::new(&[3.0f32, 4.0], &[2, 1]));
/// let q = linalg::ormqr(&packed, &taus, &Array::eye(2));
/// assert!((linalg::ormqr_transposed(&packed, &taus, &q) - Array::eye(2)).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ormqr(a: &Array, taus: &Array, c: &Array) -> Array {
    let vectors = reflectors(a, taus, c);
    let reflect = |c: &Array, (v, tau): &(Array, Array)| (reflected(c, v, tau), ());
    scan_reverse(reflect, c, &(vectors, taus.clone())).0
}

/// The product `Q^H C`, of a `Q` and a matrix as in [`ormqr`], and with its errors.
///
/// ```
/// use jarrah_array::{Array, lax::linalg};
/// // Q^H A is R: upper triangular, with the length of the column on the diagonal.
/// let a = Array::new(&[3.0f32, 4.0], &[2, 1]);
/// let (packed, taus) = linalg::geqrf(&a);
/// let r = linalg::ormqr_transposed(&packed, &taus, &a).abs().to_vec::<f32>()?;
/// assert!((r[0] - 5.0).abs() < 1e-6 && r[1] < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ormqr_transposed(a: &Array, taus: &Array, c: &Array) -> Array {
    let vectors = reflectors(a, taus, c);
    let reflect = |c: &Array, (v, tau): &(Array, Array)| (reflected(c, v, &tau.conj()), ());
    scan(reflect, c, &(vectors, taus.clone())).0
}

/// `C - tau v v^H C`
#[track_caller]
fn reflected(c: &Array, v: &Array, tau: &Array) -> Array {
    c - (v * tau).outer(&v.conj().matmul(c))
}

/// The vectors of the reflections, one in each row.
#[track_caller]
fn reflectors(a: &Array, taus: &Array, c: &Array) -> Array {
    let fits = match (&a.shape()[..], &taus.shape()[..], &c.shape()[..]) {
        ([rows, columns], [count], [other, _]) => rows == other && count <= columns && count <= rows,
        _ => false,
    };
    if !fits {
        let error = format!("{} with {} does not multiply {}", a.ty(), taus.ty(), c.ty());
        let help = "a matrix has a column for each reflection, and as many rows as the matrix it multiplies";
        fail(with_context(Error::program(error).op("ormqr").at(Location::caller()).help(help)));
    }
    let (rows, count) = (a.shape()[0], taus.size());
    (a.slice(1, ..count).tril(-1) + Array::eye_in(rows, count, 0, a.dtype())).t()
}
