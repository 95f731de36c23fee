//! Cumulative functions, which combine all elements up to each element along an axis.

use jarrah_base::DType;
use jarrah_hlo::ops::{ElementwiseKind, ReduceWindow, Reducer, Window};

use crate::array::Array;
use crate::elementwise::where_;
use crate::export;
use crate::lax::{self, prefixes_in_order};
use crate::number::Number;
use crate::numpy::{concatenate, resolve};
use crate::operators::binary;
use crate::trace::apply_one;

impl Array {
    /// The cumulative sums along an axis, of the same dtype as [`Array::sum`]; floats are added in `f64`, and each sum is rounded
    /// once.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2, 3]).cumsum(0).to_vec::<i64>()?, [1, 3, 6]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn cumsum(&self, axis: isize) -> Array {
        self.summand(None).running("cumsum", axis, Reducer::Add)
    }

    /// The cumulative products along an axis, of the same dtype as [`Array::prod`]; floats are multiplied in `f64`, and each
    /// product is rounded once.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[2i32, 3, 4]).cumprod(0).to_vec::<i64>()?, [2, 6, 24]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cumprod(&self, axis: isize) -> Array {
        self.summand(None).running("cumprod", axis, Reducer::Mul)
    }

    /// [`Array::cumsum`] with a 0 in front.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2, 3]).cumulative_sum(0).to_vec::<i64>()?, [0, 1, 3, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cumulative_sum(&self, axis: isize) -> Array {
        self.cumsum(axis).after("cumulative_sum", 0, axis)
    }

    /// [`Array::cumprod`] with a 1 in front.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[2i32, 3, 4]).cumulative_prod(0).to_vec::<i64>()?, [1, 2, 6, 24]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cumulative_prod(&self, axis: isize) -> Array {
        self.cumprod(axis).after("cumulative_prod", 1, axis)
    }

    /// `first`, then this array, along an axis.
    #[track_caller]
    fn after(&self, op: &str, first: i32, axis: isize) -> Array {
        let at = resolve(op, self, axis, self.rank());
        let mut shape = self.shape().to_vec();
        shape[at] = 1;
        concatenate(&[&Array::full(&shape, first, self.dtype()), self], axis)
    }

    /// The sums up to each element with NaN as 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, f32::NAN, 2.0]).nancumsum(0).to_vec::<f32>()?, [1.0, 1.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nancumsum(&self, axis: isize) -> Array {
        self.nan_as(0).cumsum(axis)
    }

    /// The products up to each element with NaN as 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3.0f32, f32::NAN, 2.0]).nancumprod(0).to_vec::<f32>()?, [3.0, 3.0, 6.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nancumprod(&self, axis: isize) -> Array {
        self.nan_as(1).cumprod(axis)
    }

    /// The largest of all elements up to each along an axis; NaN wins.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[1.0f32, 3.0, 2.0, f32::NAN, 9.0]).cummax(0);
    /// assert_eq!(y.to_string(), "f32[5] [1.0, 3.0, 3.0, NaN, NaN]");
    /// ```
    #[track_caller]
    pub fn cummax(&self, axis: isize) -> Array {
        let lowest = self.extreme_number("cummax", false);
        self.cumulative("cummax", axis, lowest, ElementwiseKind::Maximum)
    }

    /// The smallest of all elements up to each along an axis; NaN wins.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[5i32, 2, 3, 1]);
    /// assert_eq!(x.cummin(0).to_vec::<i32>()?, [5, 2, 2, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cummin(&self, axis: isize) -> Array {
        let highest = self.extreme_number("cummin", true);
        self.cumulative("cummin", axis, highest, ElementwiseKind::Minimum)
    }

    /// The cumulative `ln(sum(e^x))` along an axis, without overflow; computed in a float of twice the width, if there is one.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1000.0f32, 1000.0]);
    /// assert_eq!(x.cumlogsumexp(0).to_vec::<f32>()?, [1000.0, 1000.0 + 2f32.ln()]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cumlogsumexp(&self, axis: isize) -> Array {
        let x = self.inexact();
        let wide = match x.dtype() {
            DType::F32 => DType::F64,
            DType::C64 => DType::C128,
            narrow => narrow.accumulator(),
        };
        let lowest = Number::Float(f64::NEG_INFINITY);
        x.astype(wide).rounds("cumlogsumexp", axis, lowest, |a, b| b.logaddexp(a)).astype(x.dtype())
    }

    /// The cumulative reduction along an axis: each element is combined with all elements before it.
    #[track_caller]
    fn running(&self, op: &str, axis: isize, reducer: Reducer) -> Array {
        let at = resolve(op, self, axis, self.rank());
        if export::sizes_vary() {
            let (identity, kind) = match reducer {
                Reducer::Add => (0, ElementwiseKind::Add),
                _ => (1, ElementwiseKind::Multiply),
            };
            let wide = match self.dtype() {
                DType::C64 => DType::C128,
                float if float.is_float() => DType::F64,
                other => other,
            };
            let combined = self.astype(wide).cumulative(op, axis, Number::Integer(identity), kind);
            return combined.astype(self.dtype());
        }
        let extent = self.shape()[at];
        if extent == 0 {
            return self.clone();
        }
        let mut window = Window::new(&vec![1; self.rank()]);
        window.sizes[at] = extent;
        window.low[at] = extent as i64 - 1;
        apply_one(ReduceWindow { reducer, window }, &[self])
    }

    #[track_caller]
    fn cumulative(&self, op: &str, axis: isize, identity: Number, kind: ElementwiseKind) -> Array {
        self.rounds(op, axis, identity, |earlier, x| binary(kind, earlier, x))
    }

    /// The cumulative result of `f` along an axis, computed in rounds that combine each element with the one `1, 2, 4, ...`
    /// places before it. With symbolic sizes the elements are combined one after another, so that the program is the same for all
    /// sizes.
    #[track_caller]
    fn rounds(&self, op: &str, axis: isize, identity: Number, f: impl Fn(&Array, &Array) -> Array) -> Array {
        let at = resolve(op, self, axis, self.rank());
        if export::sizes_vary() {
            let combine = |earlier: &[Array], x: &[Array]| vec![f(&earlier[0], &x[0])];
            return prefixes_in_order(&combine, std::slice::from_ref(self), &[at]).swap_remove(0);
        }
        let extent = self.shape()[at];
        let identity = Array::constant(identity.fit(op, self.dtype()));
        let mut x = self.clone();
        let mut shift = 1;
        while shift < extent {
            let (mut low, mut high) = (vec![0; self.rank()], vec![0; self.rank()]);
            (low[at], high[at]) = (shift as i64, -(shift as i64));
            x = f(&lax::pad(&x, &identity, &low, &high), &x);
            shift *= 2;
        }
        x
    }

    /// The array with each NaN replaced by `number`.
    #[track_caller]
    pub(crate) fn nan_as(&self, number: impl Into<Number>) -> Array {
        if self.dtype().is_differentiable() {
            where_(&self.isnan(), number.into(), self)
        } else {
            self.clone()
        }
    }
}
