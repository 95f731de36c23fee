use std::ops::RangeFull;

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::number::Number;
use crate::numpy::{IntoAxes, resolve_all};

/// The axes that a reduction combines, and its options.
///
/// An axis, an array of axes, or `..` for all axes converts to an `Along` without options; [`along`] makes one on which options
/// can be set.
///
/// ```
/// use jarrah_array::{Array, along};
/// let x = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
/// assert_eq!(x.sum(0).to_vec::<f32>()?, [4.0, 6.0]);
/// assert_eq!(x.sum(..).item::<f32>()?, 10.0);
/// assert_eq!(x.sum(along(1).keepdims()).shape(), [2, 1]);
/// assert_eq!(x.max(along(..).mask(&x.lt(3.5)).initial(0)).item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Along {
    /// The axes to reduce; `None` reduces all of them.
    axes: Option<Vec<isize>>,
    keepdims: bool,
    mask: Option<Array>,
    initial: Option<Number>,
    dtype: Option<DType>,
    ddof: Option<f64>,
}

/// An option of [`Along`] that not every reduction has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Mask,
    Initial,
    Dtype,
    Ddof,
}

/// These axes, to set options of a reduction along them. An option that the reduction does not have is a program error.
///
/// ```
/// use jarrah_array::{Array, along};
/// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]).reshape(&[2, 2]);
/// assert_eq!(x.mean(along([0, 1]).mask(&x.gt(2)).keepdims()).to_string(), "f32[1,1] [[3.5]]");
/// ```
pub fn along(axes: impl Into<Along>) -> Along {
    axes.into()
}

impl Along {
    fn of(axes: Option<Vec<isize>>) -> Along {
        Along { axes, keepdims: false, mask: None, initial: None, dtype: None, ddof: None }
    }

    /// The reduced axes stay, with extent one.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[1.0f32, 3.0, 4.0, 12.0]).reshape(&[2, 2]);
    /// assert_eq!((&x / x.sum(along(1).keepdims())).to_vec::<f32>()?, [0.25, 0.75, 0.25, 0.75]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn keepdims(mut self) -> Along {
        self.keepdims = true;
        self
    }

    /// Includes only the elements where `mask` is true; it broadcasts to the array.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// let columns = Array::from_slice(&[false, true]);
    /// assert_eq!(x.sum(along(1).mask(&columns)).to_vec::<i64>()?, [1, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn mask(mut self, mask: &Array) -> Along {
        self.mask = Some(mask.clone());
        self
    }

    /// The reduction begins with this number.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// assert_eq!(Array::zeros(&[0]).max(along(..).initial(-1)).item::<f32>()?, -1.0);
    /// assert_eq!(Array::ones(&[3]).sum(along(..).initial(10)).item::<f32>()?, 13.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn initial(mut self, number: impl Into<Number>) -> Along {
        self.initial = Some(number.into());
        self
    }

    /// The elements are converted to `dtype` before they are combined.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType, along};
    /// let bytes = Array::from_slice(&[200u8, 100]);
    /// assert_eq!(bytes.sum(along(..).dtype(DType::I32)).item::<i32>()?, 300);
    /// assert_eq!(bytes.sum(along(..).dtype(DType::U8)).item::<u8>()?, 44);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn dtype(mut self, dtype: DType) -> Along {
        self.dtype = Some(dtype);
        self
    }

    /// The number subtracted from the number of elements before a variance is divided by it: 1 for the unbiased estimate.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// assert_eq!(Array::from_slice(&[1.0f32, 5.0]).var(along(..).ddof(1)).item::<f32>()?, 8.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn ddof(mut self, ddof: impl Into<f64>) -> Along {
        self.ddof = Some(ddof.into());
        self
    }

    /// Only the axes and whether they are kept.
    pub(crate) fn plain(&self) -> Along {
        Along { keepdims: self.keepdims, ..Along::of(self.axes.clone()) }
    }

    /// The axes of `x`, in ascending order. An option that is not among `choices` is a program error.
    #[track_caller]
    pub(crate) fn resolve(&self, op: &str, x: &Array, choices: &[Choice]) -> Vec<usize> {
        let given = [
            (Choice::Mask, "mask", self.mask.is_some()),
            (Choice::Initial, "initial", self.initial.is_some()),
            (Choice::Dtype, "dtype", self.dtype.is_some()),
            (Choice::Ddof, "ddof", self.ddof.is_some()),
        ];
        for (choice, name, given) in given {
            if given && !choices.contains(&choice) {
                let error = Error::program(format!("{op} has no option {name}"));
                fail(with_context(error.op(op).at(Location::caller())));
            }
        }
        match &self.axes {
            Some(axes) => resolve_all(op, x, &axes[..]),
            None => (0..x.rank()).collect(),
        }
    }

    /// The axes, whatever the options.
    #[track_caller]
    pub(crate) fn axes_of(&self, op: &str, x: &Array) -> Vec<usize> {
        self.plain().resolve(op, x, &[])
    }

    pub(crate) fn keeps(&self) -> bool {
        self.keepdims
    }

    pub(crate) fn masked(&self) -> Option<&Array> {
        self.mask.as_ref()
    }

    pub(crate) fn begins(&self) -> Option<Number> {
        self.initial
    }

    pub(crate) fn wanted(&self) -> Option<DType> {
        self.dtype
    }

    pub(crate) fn degrees(&self) -> f64 {
        self.ddof.unwrap_or(0.0)
    }

    /// The one axis that is named, or `None` if no axis is named, where the operation runs over all elements as one axis.
    #[track_caller]
    pub(crate) fn single(&self, op: &str, x: &Array) -> Option<usize> {
        let axes = self.resolve(op, x, &[]);
        match (&self.axes, axes.as_slice()) {
            (None, _) => None,
            (Some(_), [axis]) => Some(*axis),
            (Some(_), _) => {
                let error = Error::program(format!("{op} takes one axis or all of them, not {}", axes.len()));
                fail(with_context(error.op(op).at(Location::caller())))
            }
        }
    }
}

impl From<RangeFull> for Along {
    fn from(_: RangeFull) -> Along {
        Along::of(None)
    }
}
macro_rules! from_axes {
    ($($t:ty)*) => {$(
        impl From<$t> for Along {
            fn from(axes: $t) -> Along {
                Along::of(Some(axes.into_axes()))
            }
        }
    )*};
}
from_axes! { isize i32 &[isize] Vec<isize> }
impl<const N: usize> From<[isize; N]> for Along {
    fn from(axes: [isize; N]) -> Along {
        Along::of(Some(axes.into_axes()))
    }
}
