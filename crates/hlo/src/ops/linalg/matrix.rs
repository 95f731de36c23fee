//! Operations on stacks of matrices in the last two axes, in which the rules of decompositions are written.

use jarrah_base::{DType, Error, Result, Type};

use crate::builder::Builder;
use crate::ops::{Axes, Comparison, Complex, DotGeneral, Imag, Real};
use crate::program::Value;

/// The extents of a stack of matrices of numbers with fractions.
pub(super) fn matrices(what: &str, ty: Type) -> Result<(usize, usize)> {
    if !ty.dtype().is_differentiable() {
        return Err(Error::program(format!("works on floats and complex numbers, {what} is {ty}")));
    }
    match *ty.dims() {
        [.., m, n] => Ok((m, n)),
        _ => Err(Error::program(format!("{what} {ty} is no matrix: it needs two axes or more"))),
    }
}

/// The extent of a stack of square matrices.
pub(super) fn square(what: &str, ty: Type) -> Result<usize> {
    let (m, n) = matrices(what, ty)?;
    if m != n {
        return Err(Error::program(format!("{what} {ty} is not square")));
    }
    Ok(n)
}

/// Refuses element types that no decomposition is computed in.
pub(super) fn decomposable(what: &str, ty: Type) -> Result<()> {
    match ty.dtype() {
        DType::F32 | DType::F64 | DType::C64 | DType::C128 => Ok(()),
        _ => Err(Error::program(format!("works on f32, f64, c64 and c128, {what} is {ty}"))),
    }
}

/// `ty` with other extents for its last two axes.
pub(super) fn with_last(ty: Type, last: &[usize]) -> Type {
    let batch = &ty.dims()[..ty.rank() - 2];
    ty.with_dims(batch.iter().chain(last).copied())
}

/// Which elements `(i, j)` of a matrix are kept.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// `i >= j`.
    Lower,
    /// `i > j`.
    StrictlyLower,
    /// `i <= j`.
    Upper,
    /// `i < j`.
    StrictlyUpper,
    /// `i = j`.
    Diagonal,
}

/// Short names over a builder. Each fails as [`Builder::push`] does.
impl Builder {
    pub(super) fn matmul(&mut self, x: Value, y: Value) -> Result<Value> {
        let ty = self.ty(x);
        self.one(DotGeneral::matmul(ty.rank() - 2, ty.dtype()), &[x, y])
    }

    /// The matrices transposed.
    pub(super) fn flip(&mut self, x: Value) -> Result<Value> {
        let rank = self.ty(x).rank();
        self.move_axis(x, rank - 1, rank - 2)
    }

    /// The matrices transposed and conjugated.
    pub(super) fn adjoint(&mut self, x: Value) -> Result<Value> {
        let x = self.conjugate(x)?;
        self.flip(x)
    }

    /// Whether an element belongs to a part of its matrix.
    fn belongs(&mut self, ty: Type, part: Part) -> Result<Value> {
        let ty = ty.with_dtype(DType::I32);
        let i = self.iota(ty, ty.rank() - 2)?;
        let j = self.iota(ty, ty.rank() - 1)?;
        let comparison = match part {
            Part::Lower => Comparison::Ge,
            Part::StrictlyLower => Comparison::Gt,
            Part::Upper => Comparison::Le,
            Part::StrictlyUpper => Comparison::Lt,
            Part::Diagonal => Comparison::Eq,
        };
        self.compare(comparison, i, j)
    }

    /// The elements of a part, zero elsewhere.
    pub(super) fn part(&mut self, x: Value, part: Part) -> Result<Value> {
        let ty = self.ty(x);
        let mask = self.belongs(ty, part)?;
        let zero = self.zeros(ty)?;
        self.select(mask, x, zero)
    }

    /// The identity, in every matrix of a stack of type `ty`.
    pub(super) fn eye(&mut self, ty: Type) -> Result<Value> {
        let one = self.full(ty, 1.0)?;
        self.part(one, Part::Diagonal)
    }

    /// The diagonals of square matrices.
    pub(super) fn diagonal(&mut self, x: Value) -> Result<Value> {
        let rank = self.ty(x).rank();
        let diagonal = self.part(x, Part::Diagonal)?;
        self.sum(diagonal, &[rank - 1])
    }

    /// The Hermitian matrices with this triangle.
    pub(super) fn hermitian(&mut self, x: Value, lower: bool) -> Result<Value> {
        let triangle = self.part(x, if lower { Part::StrictlyLower } else { Part::StrictlyUpper })?;
        let other = self.adjoint(triangle)?;
        let ty = self.ty(x);
        let diagonal = self.part(x, Part::Diagonal)?;
        let diagonal = self.real_part(diagonal)?;
        let diagonal = self.convert(diagonal, ty.dtype())?;
        let both = self.add(triangle, other)?;
        self.add(both, diagonal)
    }

    /// The vectors `v`, `[.., n]`, as rows of matrices of type `ty`: `out[.., i, j] = v[.., j]`.
    pub(super) fn along_rows(&mut self, v: Value, ty: Type) -> Result<Value> {
        let axes: Axes = (0..ty.rank()).filter(|&a| a != ty.rank() - 2).collect();
        self.broadcast_in_dim(v, &ty.dims(), &axes)
    }

    /// The vectors `v`, `[.., m]`, as columns of matrices of type `ty`: `out[.., i, j] = v[.., i]`.
    pub(super) fn along_columns(&mut self, v: Value, ty: Type) -> Result<Value> {
        let axes: Axes = (0..ty.rank() - 1).collect();
        self.broadcast_in_dim(v, &ty.dims(), &axes)
    }

    /// The elements from `start` up to `limit` along an axis counted from the last: 1 is the last.
    pub(super) fn slice_last(
        &mut self,
        x: Value,
        from_end: usize,
        start: usize,
        limit: usize,
    ) -> Result<Value> {
        let axis = self.ty(x).rank() - from_end;
        self.slice_axis(x, axis, start, limit)
    }

    /// The matrices with zeros after their rows and columns, `rows` x `cols` in all.
    pub(super) fn padded(&mut self, x: Value, rows: usize, cols: usize) -> Result<Value> {
        let ty = self.ty(x);
        let mut out = x;
        for (axis, extent) in [(ty.rank() - 2, rows), (ty.rank() - 1, cols)] {
            let mut missing = self.ty(out).dims().to_vec();
            let more = extent - missing[axis];
            if more > 0 {
                missing[axis] = more;
                let zeros = self.zeros(ty.with_dims(missing))?;
                out = self.concatenate(&[out, zeros], axis)?;
            }
        }
        Ok(out)
    }

    /// `1 / (x + on the diagonal 1) - on the diagonal 1`, for `x` with a zero diagonal.
    pub(super) fn reciprocal_off_diagonal(&mut self, x: Value) -> Result<Value> {
        let eye = self.eye(self.ty(x))?;
        let shifted = self.add(x, eye)?;
        let one = self.ones_like(x)?;
        let inverse = self.div(one, shifted)?;
        self.sub(inverse, eye)
    }

    /// The rows (or, of wider axes, slices) of `x` in the order of `permutation`, `[.., m]`.
    pub(super) fn permuted_rows(&mut self, x: Value, permutation: Value) -> Result<Value> {
        let ty = self.ty(x);
        let indices = self.along_columns(permutation, ty.with_dtype(DType::I32))?;
        self.one(crate::ops::Gather::along(ty, ty.rank() - 2), &[x, indices])
    }

    /// `1 / x`, zero where `x` is.
    pub(super) fn inverse_or_zero(&mut self, x: Value) -> Result<Value> {
        let (zero, one) = (self.zeros_like(x)?, self.ones_like(x)?);
        let vanishes = self.compare(Comparison::Eq, x, zero)?;
        let divisor = self.select(vanishes, one, x)?;
        let inverse = self.div(one, divisor)?;
        self.select(vanishes, zero, inverse)
    }

    /// The complex conjugate; a real number itself.
    pub(super) fn conjugate(&mut self, x: Value) -> Result<Value> {
        if !self.ty(x).dtype().is_complex() {
            return Ok(x);
        }
        let (re, im) = (self.one(Real, &[x])?, self.one(Imag, &[x])?);
        let im = self.neg(im)?;
        self.one(Complex, &[re, im])
    }

    /// The real part; a real number itself.
    pub(super) fn real_part(&mut self, x: Value) -> Result<Value> {
        if self.ty(x).dtype().is_complex() { self.one(Real, &[x]) } else { Ok(x) }
    }
}
