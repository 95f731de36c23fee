use jarrah_array::lax::custom_linear_solve_with;
use jarrah_array::library::with_context;
use jarrah_array::{Array, fail, pure_callback};
use jarrah_base::{Error, Literal, Location, Result, Type, c128};
use jarrah_hlo::ops::VmapMethod;

use super::Bcsr;
use super::lu::{Lu, Number};

impl Bcsr {
    /// The solution of `A x = b` for this square matrix, `b` a vector or the columns of a matrix; NaN if `A` is singular.
    ///
    /// `A` is decomposed on the host, in double precision, a column at a time in an order that narrows its band, with partial
    /// pivoting. Its elements and `b` have derivatives of every order, those of the equation: `dx = A^-1 (db - dA x)`.
    ///
    /// # Errors
    ///
    /// A program error unless `A` is square, of `b`'s dtype, a float or complex, and `b` has as many rows.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let m = Bcsr::from_dense(&Array::new(&[2.0f32, 0.0, 1.0, 4.0], &[2, 2]), 3);
    /// let x = m.solve(&Array::from_slice(&[2.0f32, 9.0]));
    /// assert_eq!(x.to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Gilbert and Peierls, Sparse partial pivoting in time proportional to arithmetic operations (1988).
    #[track_caller]
    pub fn solve(&self, b: &Array) -> Array {
        let [rows, columns] = self.shape();
        let fits = rows == columns
            && matches!(b.rank(), 1 | 2)
            && b.shape()[0] == rows
            && b.dtype() == self.data().dtype()
            && (b.dtype().is_float() || b.dtype().is_complex());
        if !fits {
            let (dtype, b) = (self.data().dtype(), b.ty());
            let error =
                Error::program(format!("{b} is no right side for a {rows} x {columns} matrix of {dtype}"));
            let help = "solve with a square matrix of floats, and a vector or matrix of its dtype and rows";
            fail(with_context(error.op("sparse").at(Location::caller()).help(help)));
        }
        let solver = |transposed: bool| {
            let m = self.clone();
            move |_: &dyn Fn(&Array) -> Array, b: &Array| {
                let run = move |args: &Vec<Array>| on_host(args, transposed);
                let args = vec![m.data().clone(), m.columns().clone(), m.starts().clone(), b.clone()];
                pure_callback(run, b, &args, VmapMethod::Sequential)
            }
        };
        custom_linear_solve_with(|x: &Array| self.matmul(x), b, solver(false), solver(true))
    }
}

/// The solution for the elements, columns and starts of rows of a matrix, and a right side.
fn on_host(args: &[Array], transposed: bool) -> Result<Array> {
    let [data, columns, starts, b] = args else {
        return Err(Error::internal("a matrix of three arrays and a right side"));
    };
    let (columns, starts) = (columns.to_vec::<i32>()?, starts.to_vec::<i32>()?);
    let (data, b) = (data.to_literal()?, b.to_literal()?);
    let ty: Type = b.ty();
    let width = ty.dims().get(1).copied().unwrap_or(1);
    let x = if ty.dtype().is_complex() {
        let nan = c128::new(f64::NAN, f64::NAN);
        let matrix = by_columns(&data.to_c128_vec(), &columns, &starts)?;
        Literal::from_c128s(ty, &solved(&matrix, &b.to_c128_vec(), width, transposed, |x| x.norm(), nan))?
    } else {
        let matrix = by_columns(&data.to_f64_vec(), &columns, &starts)?;
        Literal::from_f64s(ty, &solved(&matrix, &b.to_f64_vec(), width, transposed, f64::abs, f64::NAN))?
    };
    Ok(Array::from_literal(x))
}

/// The columns of a matrix by compressed rows, each element with its row.
fn by_columns<T: Copy>(data: &[T], columns: &[i32], starts: &[i32]) -> Result<Vec<Vec<(usize, T)>>> {
    let n = starts.len() - 1;
    let mut matrix = vec![Vec::new(); n];
    for row in 0..n {
        for at in starts[row].max(0) as usize..(starts[row + 1].max(0) as usize).min(data.len()) {
            let column = usize::try_from(columns[at]).ok().and_then(|column| matrix.get_mut(column));
            let outside = || Error::input(format!("column {} of row {row} is outside of {n}", columns[at]));
            column.ok_or_else(outside)?.push((row, data[at]));
        }
    }
    Ok(matrix)
}

/// The solutions for the columns of `b`, which has `width`.
fn solved<T: Number>(
    matrix: &[Vec<(usize, T)>],
    b: &[T],
    width: usize,
    transposed: bool,
    size: impl Fn(T) -> f64,
    nan: T,
) -> Vec<T> {
    let Some(lu) = Lu::new(matrix, size) else { return vec![nan; b.len()] };
    let mut x = vec![nan; b.len()];
    for column in 0..width {
        let right: Vec<T> = b.iter().skip(column).step_by(width).copied().collect();
        let one = if transposed { lu.solve_transposed(&right) } else { lu.solve(&right) };
        x.iter_mut().skip(column).step_by(width).zip(one).for_each(|(to, value)| *to = value);
    }
    x
}
