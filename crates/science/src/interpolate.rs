//! Functions between the points where they are known, as `jax.scipy.interpolate` has them.

use jarrah_array::library::with_context;
use jarrah_array::numpy::Side;
use jarrah_array::{Array, TakeMode, fail, where_};
use jarrah_base::{DType, Error, Location};
use jarrah_tree::Tree;

/// The values between the points of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GridMethod {
    /// On the line between neighbours along each axis.
    Linear,
    /// The nearest point along each axis; of two equally near ones the lower.
    Nearest,
}

/// A function known on a rectangular grid.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::interpolate::RegularGridInterpolator;
/// let grid = [Array::from_slice(&[1.0f32, 2.0]), Array::from_slice(&[4.0f32, 6.0])];
/// let values = Array::new(&[10.0f32, 20.0, 30.0, 40.0], &[2, 2]);
/// let f = RegularGridInterpolator::new(&grid, &values);
/// assert_eq!(f.at(&Array::from_slice(&[1.5f32, 4.5])).item::<f32>()?, 22.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct RegularGridInterpolator {
    grid: Vec<Array>,
    values: Array,
    fill: Option<Array>,
    #[tree(static)]
    method: GridMethod,
}

impl RegularGridInterpolator {
    /// The function whose value at `(grid[0][i], grid[1][j], ..)` is `values[i, j, ..]`; the points along each axis increase
    /// strictly. Between them it is [`GridMethod::Linear`], outside of the grid NaN.
    ///
    /// # Errors
    ///
    /// A program error unless each vector of the grid has at least two points, as many as `values` along that axis.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::interpolate::RegularGridInterpolator;
    /// let values = Array::from_slice(&[0.0f32, 10.0]);
    /// let f = RegularGridInterpolator::new(&[Array::from_slice(&[0.0f32, 1.0])], &values);
    /// let y = f.at(&Array::from_slice(&[0.25f32, 1.25])).to_vec::<f32>()?;
    /// assert!(y[0] == 2.5 && y[1].is_nan());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(grid: &[Array], values: &Array) -> Self {
        let shape = values.shape();
        let fits = grid.len() <= shape.len()
            && grid.iter().zip(shape.iter()).all(|(points, n)| points.shape() == [*n] && *n > 1);
        if !fits {
            let error = Error::program(format!("the grid does not fit values {}", values.ty()));
            let help =
                "each axis of the grid is a vector of two points or more, as long as that axis of the values";
            fail(with_context(error.op("interpolate").at(Location::caller()).help(help)));
        }
        let values = values.inexact();
        let fill = Some(Array::full(&[], f64::NAN, values.dtype()));
        RegularGridInterpolator { grid: grid.to_vec(), values, fill, method: GridMethod::Linear }
    }

    /// This interpolator with another method.
    pub fn method(mut self, method: GridMethod) -> Self {
        self.method = method;
        self
    }

    /// This interpolator with the value `value` outside of the grid; NaN unless given.
    #[track_caller]
    pub fn fill_value(mut self, value: f64) -> Self {
        self.fill = Some(Array::full(&[], value, self.values.dtype()));
        self
    }

    /// This interpolator with the outermost cells of the grid continued outside of it.
    pub fn extrapolate(mut self) -> Self {
        self.fill = None;
        self
    }

    /// The values at points: the last axis of `points` has an element for each axis of the grid, or the grid has one axis and
    /// `points` are numbers along it in a vector.
    ///
    /// # Errors
    ///
    /// A program error if the last axis of `points` has another extent than there are axes of the grid.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::interpolate::{GridMethod, RegularGridInterpolator};
    /// let grid = [Array::from_slice(&[0.0f32, 1.0, 3.0])];
    /// let f = RegularGridInterpolator::new(&grid, &Array::from_slice(&[0.0f32, 10.0, 50.0]));
    /// let points = Array::from_slice(&[0.4f32, 2.5, 4.0]);
    /// assert_eq!(f.clone().fill_value(-1.0).at(&points).to_vec::<f32>()?, [4.0, 40.0, -1.0]);
    /// assert_eq!(f.clone().extrapolate().at(&points).to_vec::<f32>()?, [4.0, 40.0, 70.0]);
    /// let nearest = f.method(GridMethod::Nearest).extrapolate();
    /// assert_eq!(nearest.at(&points).to_vec::<f32>()?, [0.0, 50.0, 50.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, points: &Array) -> Array {
        let axes = self.grid.len();
        let points = if points.rank() == 1 && axes == 1 { points.expand_dims(-1) } else { points.clone() };
        let shape = points.shape();
        if shape.last() != Some(&axes) {
            let error = Error::program(format!("{} are no points of {axes} axes", points.ty()));
            fail(with_context(error.op("interpolate").at(Location::caller())));
        }
        let points = points.reshape((-1, axes));
        let count = points.shape()[0];
        let mut outside = Array::full(&[count], false, DType::Bool);
        let (mut lower, mut shares) = (Vec::new(), Vec::new());
        for (axis, grid) in self.grid.iter().enumerate() {
            let (x, last) = (points.index((.., axis)), grid.size() - 1);
            outside = outside | x.lt(grid.index(0)) | x.gt(grid.index(-1));
            let cell = (grid.searchsorted(&x, Side::Left) - 1).clip(0, last - 1);
            let from = grid.take_with(&cell, 0, TakeMode::Clip);
            let to = grid.take_with(&(&cell + 1), 0, TakeMode::Clip);
            shares.push((x - &from) / (to - from));
            lower.push(cell);
        }
        let rest = &self.values.shape()[axes..];
        let cells: usize = self.values.shape()[..axes].iter().product();
        let slices = self.values.reshape(&[&[cells], rest].concat());
        // The value at the lower or upper corner of the cell along each axis.
        let corner = |uppers: &[Array]| {
            let mut at = Array::full(&[count], 0, DType::I32);
            for ((cell, upper), grid) in lower.iter().zip(uppers).zip(&self.grid) {
                at = at * grid.size() + cell + upper.astype(DType::I32);
            }
            slices.take_with(&at, 0, TakeMode::Clip)
        };
        let trailing: Vec<isize> = (1..=rest.len() as isize).collect();
        let mut result = match self.method {
            GridMethod::Nearest => corner(&shares.iter().map(|share| share.gt(0.5)).collect::<Vec<_>>()),
            GridMethod::Linear => {
                let mut sum = Array::zeros_of(slices.ty().with_dims([&[count], rest].concat()));
                for bits in 0..1usize << axes {
                    let is_upper = |axis: usize| bits >> (axes - 1 - axis) & 1 == 1;
                    let uppers: Vec<Array> = (0..axes).map(|axis| Array::scalar(is_upper(axis))).collect();
                    let mut weight = Array::full(&[count], 1, self.values.dtype());
                    for (axis, share) in shares.iter().enumerate() {
                        weight *= if is_upper(axis) { share.clone() } else { 1.0 - share };
                    }
                    sum += corner(&uppers) * weight.expand_dims(&trailing[..]);
                }
                sum
            }
        };
        if let Some(fill) = &self.fill {
            result = where_(&outside.expand_dims(&trailing[..]), fill, result);
        }
        result.reshape(&[&shape[..shape.len() - 1], rest].concat())
    }
}
