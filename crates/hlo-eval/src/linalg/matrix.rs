use std::ops::{Index, IndexMut};

use super::field::Field;

/// A dense matrix, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    pub rows: usize,
    pub cols: usize,
    pub data: Vec<T>,
}

impl<T: Field> Matrix<T> {
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, data: vec![T::ZERO; rows * cols] }
    }

    pub fn identity(n: usize) -> Self {
        Matrix::eye(n, n)
    }

    pub fn eye(rows: usize, cols: usize) -> Self {
        Matrix::from_fn(rows, cols, |i, j| if i == j { T::ONE } else { T::ZERO })
    }

    pub fn from_fn(rows: usize, cols: usize, f: impl Fn(usize, usize) -> T) -> Self {
        let data = (0..rows * cols).map(|at| f(at / cols, at % cols)).collect();
        Matrix { rows, cols, data }
    }

    pub fn filled(rows: usize, cols: usize, x: T) -> Self {
        Matrix { rows, cols, data: vec![x; rows * cols] }
    }

    pub fn row(&self, i: usize) -> &[T] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// Two different rows, to write.
    pub fn two_rows(&mut self, i: usize, j: usize) -> (&mut [T], &mut [T]) {
        let (low, high) = (i.min(j), i.max(j));
        let (head, tail) = self.data.split_at_mut(high * self.cols);
        let low = &mut head[low * self.cols..(low + 1) * self.cols];
        let high = &mut tail[..self.cols];
        if i < j { (low, high) } else { (high, low) }
    }

    pub fn transpose(&self) -> Self {
        Matrix::from_fn(self.cols, self.rows, |i, j| self[(j, i)])
    }

    /// The conjugate transpose.
    pub fn adjoint(&self) -> Self {
        Matrix::from_fn(self.cols, self.rows, |i, j| self[(j, i)].conj())
    }

    pub fn product(&self, other: &Self) -> Self {
        let mut out = Matrix::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for k in 0..self.cols {
                let x = self[(i, k)];
                for (o, &y) in out.data[i * other.cols..].iter_mut().zip(other.row(k)) {
                    *o += x * y;
                }
            }
        }
        out
    }

    pub fn is_finite(&self) -> bool {
        self.data.iter().all(|x| x.is_finite())
    }

    /// The largest absolute value.
    pub fn largest(&self) -> f64 {
        self.data.iter().fold(0.0, |m, x| x.abs().max(m))
    }

    pub fn scale(&mut self, by: f64) {
        self.data.iter_mut().for_each(|x| *x = x.scale(by));
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.data[i * self.cols + j]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.data[i * self.cols + j]
    }
}
