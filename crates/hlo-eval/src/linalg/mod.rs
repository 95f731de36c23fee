//! Decompositions and triangular systems, in doubles, a stack of matrices at a time.

mod eig;
mod eigh;
mod field;
mod householder;
mod lu;
mod matrix;
mod schur;
mod svd;
#[cfg(test)]
mod tests;
mod triangular;

use jarrah_base::{Element, Error, Literal, Result, Type, with_element};
use jarrah_hlo::Op;
use jarrah_hlo::ops::MatrixTranspose;

use field::{C, Field};
use matrix::Matrix;
use schur::HasSchur;
use triangular::Apply;

/// A field that tensors can be read in.
trait Number: HasSchur {
    fn read(x: &Literal) -> Vec<Self>;
}

impl Number for f64 {
    fn read(x: &Literal) -> Vec<f64> {
        x.to_f64_vec()
    }
}

impl Number for C {
    fn read(x: &Literal) -> Vec<C> {
        x.to_c128_vec()
    }
}

/// The results of an op of this family.
pub fn linalg(op: &Op, operands: &[Literal], results: &[Type]) -> Result<Vec<Literal>> {
    if operands[0].dtype().is_complex() {
        apply::<C>(op, operands, results)
    } else {
        apply::<f64>(op, operands, results)
    }
}

// A table: a row for each op.
fn apply<T: Number>(op: &Op, operands: &[Literal], results: &[Type]) -> Result<Vec<Literal>> {
    let a = Stack::<T>::read(&operands[0]);
    let mut out = Results::new(results);
    match op {
        Op::Cholesky(op) => {
            for a in a.matrices() {
                let factor = if op.lower {
                    triangular::cholesky(&a)
                } else {
                    triangular::cholesky(&a.adjoint()).adjoint()
                };
                out.push(0, &factor.data);
            }
        }
        Op::TriangularSolve(op) => {
            let apply = match op.transpose_a {
                MatrixTranspose::None => Apply::Plain,
                MatrixTranspose::Transpose => Apply::Transposed,
                MatrixTranspose::Adjoint => Apply::Adjoint,
            };
            for (a, b) in a.matrices().zip(Stack::<T>::read(&operands[1]).matrices()) {
                let x = if op.left_side {
                    triangular::solve(&a, &b, op.lower, op.unit_diagonal, apply)
                } else {
                    // X op(A) = B says op(A)^T X^T = B^T.
                    let (a, apply) = match apply {
                        Apply::Plain => (a, Apply::Transposed),
                        Apply::Transposed => (a, Apply::Plain),
                        Apply::Adjoint => {
                            (Matrix::from_fn(a.rows, a.cols, |i, j| a[(i, j)].conj()), Apply::Plain)
                        }
                    };
                    triangular::solve(&a, &b.transpose(), op.lower, op.unit_diagonal, apply).transpose()
                };
                out.push(0, &x.data);
            }
        }
        Op::Lu(_) => {
            for a in a.matrices() {
                let (factors, pivots, permutation) = lu::lu(&a);
                out.push(0, &factors.data);
                out.push_indices(1, &pivots);
                out.push_indices(2, &permutation);
            }
        }
        Op::Geqrf(_) => {
            for a in a.matrices() {
                let (packed, taus) = householder::geqrf(&a);
                out.push(0, &packed.data);
                out.push(1, &taus);
            }
        }
        Op::HouseholderProduct(_) => {
            let taus = Stack::<T>::read_vectors(&operands[1]);
            for (a, taus) in a.matrices().zip(taus.vectors()) {
                out.push(0, &householder::product(&a, taus).data);
            }
        }
        Op::Qr(_) => {
            let columns = results[0].dim(results[0].rank() - 1);
            for a in a.matrices() {
                let (q, r) = qr(&a, columns);
                out.push(0, &q.data);
                out.push(1, &r.data);
            }
        }
        Op::Eigh(op) => {
            for a in a.matrices() {
                let (vectors, values) = eigh::eigh(&a, op.lower);
                out.push(0, &vectors.data);
                out.push(1, &values);
            }
        }
        Op::Svd(op) => {
            for a in a.matrices() {
                let svd::Svd { u, s, vt } = svd::svd(&a, op.full_matrices && op.compute_uv);
                out.push(0, &s);
                if op.compute_uv {
                    out.push(1, &u.data);
                    out.push(2, &vt.data);
                }
            }
        }
        Op::Eig(op) => {
            for a in a.matrices() {
                let eig::Eig { values, left, right } = eig::eig(&a);
                out.push(0, &values);
                if op.left {
                    out.push(1, &left.data);
                }
                if op.right {
                    out.push(1 + usize::from(op.left), &right.data);
                }
            }
        }
        Op::Schur(op) => {
            for a in a.matrices() {
                let nan = || Matrix::filled(a.rows, a.rows, T::from_parts(f64::NAN, f64::NAN));
                let (t, z) = schur::schur(&a).unwrap_or_else(|| (nan(), nan()));
                out.push(0, &t.data);
                if op.compute_vectors {
                    out.push(1, &z.data);
                }
            }
        }
        Op::Hessenberg(_) => {
            for a in a.matrices() {
                let (packed, taus) = householder::hessenberg(&a);
                out.push(0, &packed.data);
                out.push(1, &taus);
            }
        }
        Op::Tridiagonal(op) => {
            for a in a.matrices() {
                let (packed, diagonal, beside, taus) = householder::tridiagonal(&a, op.lower);
                out.push(0, &packed.data);
                out.push(1, &diagonal);
                out.push(2, &beside);
                out.push(3, &taus);
            }
        }
        Op::TridiagonalSolve(_) => {
            let [below, diagonal, above] = [0, 1, 2].map(|i| Stack::<T>::read_vectors(&operands[i]));
            let bands = below.vectors().zip(diagonal.vectors()).zip(above.vectors());
            for (((below, diagonal), above), b) in bands.zip(Stack::<T>::read(&operands[3]).matrices()) {
                out.push(0, &lu::solve_tridiagonal(below, diagonal, above, &b).data);
            }
        }
        op => return Err(Error::internal(format!("{} is no decomposition", op.name()))),
    }
    out.finish()
}

/// `columns` columns of `Q`, and as many rows of `R`.
fn qr<T: Field>(a: &Matrix<T>, columns: usize) -> (Matrix<T>, Matrix<T>) {
    let (packed, taus) = householder::geqrf(a);
    let at = |i: usize, j: usize| if j < a.cols { packed[(i, j)] } else { T::ZERO };
    let q = householder::product(&Matrix::from_fn(a.rows, columns, at), &taus);
    let r = Matrix::from_fn(columns, a.cols, |i, j| if i <= j { packed[(i, j)] } else { T::ZERO });
    (q, r)
}

/// The matrices in the last axes of a tensor.
struct Stack<T> {
    count: usize,
    rows: usize,
    cols: usize,
    data: Vec<T>,
}

impl<T: Number> Stack<T> {
    fn read(x: &Literal) -> Self {
        let dims = x.dims();
        match dims[..] {
            [ref batch @ .., rows, cols] => {
                Stack { count: batch.iter().product(), rows, cols, data: T::read(x) }
            }
            _ => Stack::read_vectors(x),
        }
    }

    /// Only the last axis belongs to an element of the stack.
    fn read_vectors(x: &Literal) -> Self {
        let dims = x.dims();
        let (last, batch) = dims.split_last().map_or((1, &[][..]), |(&last, batch)| (last, batch));
        Stack { count: batch.iter().product(), rows: 1, cols: last, data: T::read(x) }
    }

    fn vectors(&self) -> impl Iterator<Item = &[T]> {
        let size = self.rows * self.cols;
        (0..self.count).map(move |k| &self.data[k * size..(k + 1) * size])
    }

    fn matrices(&self) -> impl Iterator<Item = Matrix<T>> {
        self.vectors().map(|data| Matrix { rows: self.rows, cols: self.cols, data: data.to_vec() })
    }
}

/// Results that are filled matrix by matrix, rounded to their element types.
struct Results<'a> {
    types: &'a [Type],
    bytes: Vec<Vec<u8>>,
}

impl<'a> Results<'a> {
    fn new(types: &'a [Type]) -> Self {
        Results { types, bytes: vec![Vec::new(); types.len()] }
    }

    fn push<T: Field>(&mut self, index: usize, values: &[T]) {
        let out = &mut self.bytes[index];
        with_element!(self.types[index].dtype(), E => {
            for x in values {
                out.extend_from_slice(bytemuck::bytes_of(&<E as Element>::from_c128(C::new(x.re(), x.im()))));
            }
        });
    }

    fn push_indices(&mut self, index: usize, values: &[i32]) {
        self.bytes[index].extend_from_slice(bytemuck::cast_slice(values));
    }

    fn finish(self) -> Result<Vec<Literal>> {
        self.types.iter().zip(self.bytes).map(|(&ty, bytes)| Literal::from_bytes(ty, &bytes)).collect()
    }
}
