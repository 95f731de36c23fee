//! Elements and slices at positions given by arrays.

use jarrah_base::{DType, ElementKind, Error, Location};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::numpy::resolve;

/// The element that is taken at a position that an axis does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakeMode {
    /// Negative positions count from the end. Positions outside of the array give a fill value: NaN, the smallest signed integer,
    /// the largest unsigned integer, or `true`.
    Fill,
    /// The nearest element: the first for all negative positions.
    Clip,
    /// The element at the position modulo the extent.
    Wrap,
}

impl Array {
    /// The slices along `axis` at integer positions, with [`TakeMode::Fill`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    /// let taken = x.take(&Array::from_slice(&[0i32, -1, 3]), 0).to_vec::<f32>()?;
    /// assert_eq!(taken[..2], [1.0, 3.0]);
    /// assert!(taken[2].is_nan());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn take(&self, indices: &Array, axis: isize) -> Array {
        self.take_with(indices, axis, TakeMode::Fill)
    }

    /// The slices along `axis` at integer positions; the axis is replaced by the axes of `indices`. Indices that are no integers
    /// are a program error.
    ///
    /// ```
    /// # use jarrah_array::{Array, TakeMode};
    /// let (x, at) = (Array::from_slice(&[1i32, 2, 3]), Array::from_slice(&[-1i32, 4]));
    /// assert_eq!(x.take_with(&at, 0, TakeMode::Fill).to_vec::<i32>()?, [3, i32::MIN]);
    /// assert_eq!(x.take_with(&at, 0, TakeMode::Clip).to_vec::<i32>()?, [1, 3]);
    /// assert_eq!(x.take_with(&at, 0, TakeMode::Wrap).to_vec::<i32>()?, [3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn take_with(&self, indices: &Array, axis: isize, mode: TakeMode) -> Array {
        let at = resolve("take", self, axis, self.rank());
        if self.shape()[at] == 0 && indices.size() == 0 {
            let shape = self.shape();
            return Array::zeros_of(
                self.ty().with_dims([&shape[..at], &indices.shape(), &shape[at + 1..]].concat()),
            );
        }
        let (indices, inside) = self.places("take", indices, at, mode);
        let taken = lax::take(self, &indices, at);
        let along: Vec<usize> = (at..at + indices.rank()).collect();
        match inside {
            Some(inside) => {
                let inside = lax::broadcast_in_dim(&inside, &taken.shape(), &along);
                where_(&inside, &taken, taken.missing())
            }
            None => taken,
        }
    }

    /// The elements along `axis` at integer positions, with separate positions for each index of the other axes, with
    /// [`TakeMode::Fill`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[3i32, 1, 5, 9]).reshape(&[2, 2]);
    /// assert_eq!(x.take_along_axis(&x.argsort(1), 1).to_vec::<i32>()?, [1, 3, 5, 9]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn take_along_axis(&self, indices: &Array, axis: isize) -> Array {
        self.take_along_axis_with(indices, axis, TakeMode::Fill)
    }

    /// The elements along `axis` at integer positions, with separate positions for each index of the other axes.
    ///
    /// # Errors
    ///
    /// A program error if other axes of `indices` are not those of this array, or indices are no integers.
    ///
    /// ```
    /// # use jarrah_array::{Array, TakeMode};
    /// let x = Array::from_slice(&[1i32, 2, 3, 4]).reshape(&[2, 2]);
    /// let at = Array::from_slice(&[2i32, 3]).reshape(&[2, 1]);
    /// assert_eq!(x.take_along_axis_with(&at, 1, TakeMode::Wrap).to_vec::<i32>()?, [1, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn take_along_axis_with(&self, indices: &Array, axis: isize, mode: TakeMode) -> Array {
        let at = resolve("take_along_axis", self, axis, self.rank());
        let agree = |a: usize| a == at || indices.shape()[a] == self.shape()[a];
        if indices.rank() != self.rank() || !(0..self.rank()).all(agree) {
            let message = format!(
                "indices must have the extents of the array except along axis {at}: the array is {}, indices {}",
                self.ty(),
                indices.ty()
            );
            fail(with_context(
                Error::program(message)
                    .op("take_along_axis")
                    .help("add axes to the indices, or broadcast them")
                    .at(Location::caller()),
            ));
        }
        if self.shape()[at] == 0 && indices.size() == 0 {
            return Array::zeros_of(indices.ty().with_dtype(self.dtype()));
        }
        let (indices, inside) = self.places("take_along_axis", indices, at, mode);
        let taken = lax::take_along_axis(self, &indices, at);
        match inside {
            Some(inside) => where_(&inside, &taken, taken.missing()),
            None => taken,
        }
    }

    /// The positions to take along `axis`. With a mode that does not move positions into the array, also whether each lies
    /// inside.
    #[track_caller]
    fn places(&self, op: &str, indices: &Array, axis: usize, mode: TakeMode) -> (Array, Option<Array>) {
        let extent = self.shape()[axis];
        let wrong = match (indices.dtype().is_integer(), extent) {
            (false, _) => Some(format!("indices must be integers, they are {}", indices.ty())),
            (true, 0) if indices.size() > 0 => {
                Some(format!("axis {axis} of {} has no element to take", self.ty()))
            }
            (true, _) => None,
        };
        if let Some(message) = wrong {
            let error = Error::program(message).op(op).at(Location::caller());
            fail(with_context(match indices.dtype() {
                DType::Bool => error.help("a mask goes into where_"),
                _ => error,
            }));
        }
        match mode {
            TakeMode::Fill => {
                let place = lax::normalize_index(indices, extent);
                let inside = place.ge(0) & place.lt(extent);
                (place, Some(inside))
            }
            TakeMode::Clip => (lax::wide_index(indices, extent), None),
            // Positions beyond `i64::MAX` wrap before they become `i64`.
            TakeMode::Wrap if indices.dtype() == DType::U64 => {
                (lax::wide_index(&(indices % extent as i64), extent), None)
            }
            TakeMode::Wrap => (lax::wide_index(indices, extent) % extent as i64, None),
        }
    }

    /// The value of a missing element: NaN, the smallest signed or largest unsigned integer, or `true`.
    #[track_caller]
    pub(crate) fn missing(&self) -> Array {
        let number = match (self.dtype().kind(), self.dtype().integer_range()) {
            (ElementKind::Signed, Some((lowest, _))) => Number::Integer(lowest),
            (ElementKind::Bool | ElementKind::Unsigned, Some((_, highest))) => Number::Integer(highest),
            (_, Some(_) | None) => Number::Float(f64::NAN),
        };
        Array::constant(number.fit("take", self.dtype()))
    }
}
