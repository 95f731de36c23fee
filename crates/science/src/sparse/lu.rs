//! The LU decomposition of a sparse square matrix on the host, a column at a time.
//!
//! Source: Gilbert and Peierls, Sparse partial pivoting in time proportional to arithmetic operations (1988).

use std::collections::VecDeque;
use std::ops::{Div, Mul, Sub};

/// A number of a matrix: `f64`, or two of them.
pub(super) trait Number:
    Copy
    + Default
    + PartialEq
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + std::ops::AddAssign
{
}

impl<T> Number for T where
    T: Copy + Default + PartialEq + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + std::ops::AddAssign
{
}

/// The elements of a column, each with its row.
type Column<T> = Vec<(usize, T)>;

/// `A = L U`, the rows and the columns of `A` in the order of the steps of elimination.
pub(super) struct Lu<T> {
    /// For each step the elements below the diagonal of `L`, by rows of `A`; the diagonal is one.
    lower: Vec<Column<T>>,
    /// For each step the elements above the diagonal of `U`, by earlier steps.
    upper: Vec<Column<T>>,
    diagonal: Vec<T>,
    /// The row of `A` that each step eliminates with, and its column.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl<T: Number> Lu<T> {
    /// Decomposes the matrix with these columns; `size` is the magnitude of a number. Nothing if the matrix is singular.
    pub(super) fn new(matrix: &[Column<T>], size: impl Fn(T) -> f64) -> Option<Self> {
        let n = matrix.len();
        let columns = bandwidth_order(matrix);
        let mut lu = Lu {
            lower: Vec::with_capacity(n),
            upper: Vec::with_capacity(n),
            diagonal: Vec::with_capacity(n),
            rows: Vec::with_capacity(n),
            columns,
        };
        let mut step_of: Vec<Option<usize>> = vec![None; n];
        let mut x = vec![T::default(); n];
        let mut reach = Reach { seen: vec![usize::MAX; n], order: Vec::new(), open: Vec::new() };
        for step in 0..n {
            let column = lu.columns[step];
            reach.search(step, &matrix[column], &lu.lower, &step_of);
            for &(row, value) in &matrix[column] {
                x[row] += value;
            }
            // The triangular solve, of the rows that it changes only: each after those that it depends on.
            let (mut upper, mut best, mut pivot) = (Vec::new(), 0.0, None);
            for &row in reach.order.iter().rev() {
                let value = x[row];
                if let Some(earlier) = step_of[row] {
                    upper.push((earlier, value));
                    for &(below, factor) in &lu.lower[earlier] {
                        x[below] = x[below] - factor * value;
                    }
                }
            }
            for &row in reach.order.iter().filter(|&&row| step_of[row].is_none()) {
                let magnitude = size(x[row]);
                // Of equal candidates the diagonal, which fills in least.
                if magnitude > best || magnitude == best && best > 0.0 && row == column {
                    (best, pivot) = (magnitude, Some(row));
                }
            }
            let pivot = pivot?;
            let diagonal = x[pivot];
            let open = reach.order.iter().filter(|&&row| row != pivot && step_of[row].is_none());
            lu.lower.push(open.map(|&row| (row, x[row] / diagonal)).collect());
            step_of[pivot] = Some(step);
            lu.upper.push(upper);
            lu.diagonal.push(diagonal);
            lu.rows.push(pivot);
            for &row in &reach.order {
                x[row] = T::default();
            }
        }
        Some(lu)
    }

    /// The solution of `A x = b`.
    pub(super) fn solve(&self, b: &[T]) -> Vec<T> {
        let mut y = b.to_vec();
        for (&row, below) in self.rows.iter().zip(&self.lower) {
            let value = y[row];
            for &(row, factor) in below {
                y[row] = y[row] - factor * value;
            }
        }
        let mut z: Vec<T> = self.rows.iter().map(|&row| y[row]).collect();
        let mut x = vec![T::default(); b.len()];
        for step in (0..z.len()).rev() {
            let value = z[step] / self.diagonal[step];
            for &(earlier, factor) in &self.upper[step] {
                z[earlier] = z[earlier] - factor * value;
            }
            x[self.columns[step]] = value;
        }
        x
    }

    /// The solution of the transposed equation, `x A = b`.
    pub(super) fn solve_transposed(&self, b: &[T]) -> Vec<T> {
        let mut z = Vec::with_capacity(b.len());
        for (step, &column) in self.columns.iter().enumerate() {
            let mut value = b[column];
            for &(earlier, factor) in &self.upper[step] {
                value = value - factor * z[earlier];
            }
            z.push(value / self.diagonal[step]);
        }
        let mut x = vec![T::default(); b.len()];
        for step in (0..z.len()).rev() {
            let mut value = z[step];
            for &(row, factor) in &self.lower[step] {
                value = value - factor * x[row];
            }
            x[self.rows[step]] = value;
        }
        x
    }
}

/// The rows that are not zero in a column once the earlier steps have eliminated.
struct Reach {
    /// The last step that found each row.
    seen: Vec<usize>,
    /// The rows, each before those that it depends on.
    order: Vec<usize>,
    /// Rows that are being searched, and how many of their successors were.
    open: Vec<(usize, usize)>,
}

impl Reach {
    /// Depth first, from the column's rows: a row that was eliminated with leads to the rows that its step changed.
    fn search<T>(&mut self, step: usize, column: &Column<T>, lower: &[Column<T>], step_of: &[Option<usize>]) {
        self.order.clear();
        for &(start, _) in column {
            if self.seen[start] == step {
                continue;
            }
            self.seen[start] = step;
            self.open.push((start, 0));
            while let Some((row, next)) = self.open.pop() {
                let successor = step_of[row].and_then(|step| lower[step].get(next));
                let Some(&(successor, _)) = successor else {
                    self.order.push(row);
                    continue;
                };
                self.open.push((row, next + 1));
                if self.seen[successor] != step {
                    self.seen[successor] = step;
                    self.open.push((successor, 0));
                }
            }
        }
    }
}

/// An order of the columns that keeps neighbours close, so that elimination fills in a narrow band.
///
/// Source: Cuthill and McKee, Reducing the bandwidth of sparse symmetric matrices (1969), reversed, of the pattern of `A + A'`.
fn bandwidth_order<T>(matrix: &[Column<T>]) -> Vec<usize> {
    let n = matrix.len();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (column, elements) in matrix.iter().enumerate() {
        for &(row, _) in elements.iter().filter(|(row, _)| *row != column) {
            neighbours[column].push(row);
            neighbours[row].push(column);
        }
    }
    for all in &mut neighbours {
        all.sort_unstable();
        all.dedup();
    }
    let mut starts: Vec<usize> = (0..n).collect();
    starts.sort_by_key(|&i| neighbours[i].len());
    let (mut order, mut seen, mut queue) = (Vec::with_capacity(n), vec![false; n], VecDeque::new());
    for start in starts {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        queue.push_back(start);
        while let Some(i) = queue.pop_front() {
            order.push(i);
            let mut next: Vec<usize> = neighbours[i].iter().copied().filter(|&j| !seen[j]).collect();
            next.sort_by_key(|&j| neighbours[j].len());
            for j in next {
                seen[j] = true;
                queue.push_back(j);
            }
        }
    }
    order.reverse();
    order
}
