//! Reductions, which combine the elements along axes.

use jarrah_base::{DType, ElementKind, Error, Location};
use jarrah_hlo::ops::{ElementwiseKind, Reduce, Reducer};

use crate::along::{Along, Choice};
use crate::array::Array;
use crate::custom::stop_gradient;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::number::Number;
use crate::numpy::{check_positions, elements_along};
use crate::operators::{IntoOperand, Operand, binary, true_divide};
use crate::trace::apply_one;

/// The options accepted by sums and products, by extremes, and by reductions that only take a mask.
const FOLD: &[Choice] = &[Choice::Mask, Choice::Initial, Choice::Dtype];
const EXTREME: &[Choice] = &[Choice::Mask, Choice::Initial];
const MASK: &[Choice] = &[Choice::Mask];

// Where the argument is missing, the compiler shows the line of the signature with its comment.
impl Array {
    /// One op, without options.
    #[track_caller]
    pub(crate) fn reduce(&self, reducer: Reducer, axes: &[usize]) -> Array {
        if axes.is_empty() {
            return self.clone();
        }
        apply_one(Reduce { reducer, axes: axes.into() }, &[self])
    }

    /// `reduced`, with axes of extent one in place of `axes` if the option says so.
    #[track_caller]
    pub(crate) fn kept(&self, reduced: Array, axes: &[usize], along: &Along) -> Array {
        if !along.keeps() {
            return reduced;
        }
        let extent = |(i, d): (usize, usize)| if axes.contains(&i) { 1 } else { d as isize };
        let shape: Vec<isize> = self.shape().into_iter().enumerate().map(extent).collect();
        reduced.reshape(&shape)
    }

    /// The elements where the mask is true, elsewhere `identity`.
    #[track_caller]
    fn where_masked(&self, along: &Along, identity: impl Into<Number>) -> Array {
        match along.masked() {
            Some(mask) => where_(mask, self, Array::constant(identity.into().fit("mask", self.dtype()))),
            None => self.clone(),
        }
    }

    /// A reduction by an associative function that has an identity, with all options.
    #[track_caller]
    fn fold(
        &self,
        reducer: Reducer,
        kind: ElementwiseKind,
        identity: i32,
        along: &Along,
        axes: &[usize],
    ) -> Array {
        let reduced = self.where_masked(along, identity).reduce(reducer, axes);
        let reduced = match along.begins() {
            Some(number) => binary(kind, reduced, number),
            None => reduced,
        };
        self.kept(reduced, axes, along)
    }

    /// Integers and truth values in the widest type of their kind, so that their sum does not overflow soon; or in the dtype
    /// that was asked for.
    #[track_caller]
    pub(crate) fn summand(&self, dtype: Option<DType>) -> Array {
        match (dtype, self.dtype().kind()) {
            (Some(dtype), _) => self.astype(dtype),
            (None, ElementKind::Bool | ElementKind::Signed) => self.astype(DType::I64),
            (None, ElementKind::Unsigned) => self.astype(DType::U64),
            (None, ElementKind::Float | ElementKind::Complex) => self.clone(),
        }
    }

    /// The sum along axes, of signed integers and truth values as `i64`, of unsigned integers as `u64`. Options: mask,
    /// initial, dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::arange(6).reshape(&[2, 3]);
    /// assert_eq!(x.sum(1).to_vec::<i64>()?, [3, 12]);
    /// assert_eq!(x.sum(along(..).mask(&x.gt(3))).item::<i64>()?, 9);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn sum(&self, /* all axes: `sum(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("sum", self, FOLD);
        self.summand(along.wanted()).fold(Reducer::Add, ElementwiseKind::Add, 0, &along, &axes)
    }

    /// The product along axes, of signed integers and truth values as `i64`, of unsigned integers as `u64`. Options: mask,
    /// initial, dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::arange(1..7).reshape(&[2, 3]);
    /// assert_eq!(x.prod(1).to_vec::<i64>()?, [6, 120]);
    /// assert_eq!(x.prod(along(..).mask(&x.le(4)).initial(10)).item::<i64>()?, 240);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn prod(&self, /* all axes: `prod(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("prod", self, FOLD);
        self.summand(along.wanted()).fold(Reducer::Mul, ElementwiseKind::Multiply, 1, &along, &axes)
    }

    /// How many elements along axes are counted, less `ddof`: a number, or an array like the reduced one.
    #[track_caller]
    fn counted(&self, along: &Along, axes: &[usize], ddof: f64) -> Operand {
        match along.masked() {
            Some(mask) => {
                let mask = mask.astype(DType::Bool).broadcast_to(&self.shape()).astype(self.dtype().real());
                (self.kept(mask.reduce(Reducer::Add, axes), axes, along) - ddof).into_operand()
            }
            None => (elements_along(&self.shape(), axes) as f64 - ddof).into_operand(),
        }
    }

    /// The mean along axes. Floats narrower than `f32` are added and divided in `f32`. Options: mask, dtype.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(4).mean(..).item::<f32>()?, 1.5);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn mean(&self, /* all axes: `mean(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("mean", self, &[Choice::Mask, Choice::Dtype]);
        let x = match along.wanted() {
            Some(dtype) => self.astype(dtype),
            None => self.inexact(),
        };
        x.mean_of(&along, &axes)
    }

    /// The mean of floats or complex numbers.
    #[track_caller]
    fn mean_of(&self, along: &Along, axes: &[usize]) -> Array {
        let wide = self.astype(self.dtype().accumulator());
        let total = wide.fold(Reducer::Add, ElementwiseKind::Add, 0, &without_initial(along), axes);
        true_divide(total.into_operand(), wide.counted(along, axes, 0.0)).astype(self.dtype())
    }

    /// The variance along axes, `mean(|x - mean(x)|^2)`, times `n / (n - ddof)`. Floats narrower than `f32` are computed with
    /// in `f32`. Options: mask, dtype, ddof.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]);
    /// assert_eq!(x.var(0).item::<f32>()?, 1.25);
    /// assert_eq!(x.var(along(0).ddof(1)).item::<f32>()?, 5.0 / 3.0);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn var(&self, /* all axes: `var(..)` */ along: impl Into<Along>) -> Array {
        let (variance, dtype) = self.wide_variance("var", &along.into());
        variance.astype(dtype)
    }

    /// The variance in a dtype wide enough to compute it, and the dtype that the result is to have.
    #[track_caller]
    fn wide_variance(&self, op: &str, along: &Along) -> (Array, DType) {
        let axes = along.resolve(op, self, &[Choice::Mask, Choice::Dtype, Choice::Ddof]);
        let x = match along.wanted() {
            Some(dtype) => self.astype(dtype),
            None => self.inexact(),
        };
        let wide = x.astype(x.dtype().accumulator());
        let centre = wide.mean_of(&along.clone().keepdims(), &axes);
        let centred = &wide - centre;
        let squares = match x.dtype().is_complex() {
            true => centred.real().square() + centred.imag().square(),
            false => centred.square(),
        };
        let total = squares.fold(Reducer::Add, ElementwiseKind::Add, 0, along, &axes);
        // With as many degrees of freedom as elements, or more, the result is NaN.
        let count = match wide.counted(along, &axes, along.degrees()) {
            Operand::Array(count) => where_(&count.gt(0), &count, f64::NAN).into_operand(),
            Operand::Number(count) if count.float() <= 0.0 => f64::NAN.into_operand(),
            count => count,
        };
        (true_divide(total.into_operand(), count), x.dtype().real())
    }

    /// The standard deviation along axes, the root of [`Array::var`], rounded once. Options: mask, dtype, ddof.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[1.0f32, 5.0]);
    /// assert_eq!(x.std(0).item::<f32>()?, 2.0);
    /// assert_eq!(x.std(along(0).ddof(1)).item::<f32>()?, 8f32.sqrt());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn std(&self, /* all axes: `std(..)` */ along: impl Into<Along>) -> Array {
        let (variance, dtype) = self.wide_variance("std", &along.into());
        variance.sqrt().astype(dtype)
    }

    /// A reduction that has no value for no element, unless it begins with a number.
    #[track_caller]
    fn extreme(&self, op: &str, reducer: Reducer, kind: ElementwiseKind, along: Along) -> Array {
        let axes = along.resolve(op, self, EXTREME);
        if along.begins().is_none() {
            self.check_elements(op, &axes);
            if along.masked().is_some() {
                let error = Error::program(format!("the mask may leave no element of {}", self.ty()));
                let error = error.op(op).at(Location::caller());
                fail(with_context(error.help("give the value for no element with initial")));
            }
        }
        // Where the mask does not hold stands the number that it begins with: it changes nothing.
        let identity = along.begins().unwrap_or(Number::Integer(0));
        let reduced = self.where_masked(&along, identity).reduce(reducer, &axes);
        let reduced = match along.begins() {
            Some(number) => binary(kind, reduced, number),
            None => reduced,
        };
        self.kept(reduced, &axes, &along)
    }

    /// Fails where an axis has no element.
    #[track_caller]
    pub(crate) fn check_elements(&self, op: &str, axes: &[usize]) {
        for &axis in axes {
            if self.shape()[axis] == 0 {
                let error = Error::program(format!("axis {axis} of {} has no element", self.ty()));
                fail(with_context(
                    error.op(op).help("check the extents, or reduce another axis").at(Location::caller()),
                ));
            }
        }
    }

    /// The largest along axes; NaN wins. Options: mask and initial.
    ///
    /// # Errors
    ///
    /// A program error without an initial value if there may be no element: an axis is empty, or there is a mask.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[3i32, 7, 5, 1]).reshape(&[2, 2]);
    /// assert_eq!(x.max(1).to_vec::<i32>()?, [7, 5]);
    /// assert_eq!(x.max(along(..).mask(&x.lt(4)).initial(0)).item::<i32>()?, 3);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn max(&self, /* all axes: `max(..)` */ along: impl Into<Along>) -> Array {
        self.extreme("max", Reducer::Max, ElementwiseKind::Maximum, along.into())
    }

    /// The smallest along axes; NaN wins. Options and errors are those of [`Array::max`].
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[3i32, 7, 5, 1]).reshape(&[2, 2]);
    /// assert_eq!(x.min(0).to_vec::<i32>()?, [3, 1]);
    /// assert_eq!(x.min(along(..).mask(&x.gt(9)).initial(100)).item::<i32>()?, 100);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn min(&self, /* all axes: `min(..)` */ along: impl Into<Along>) -> Array {
        self.extreme("min", Reducer::Min, ElementwiseKind::Minimum, along.into())
    }

    /// The largest less the smallest along axes, which must have elements.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 7, 5]).ptp(..).item::<i32>()?, 4);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ptp(&self, /* all axes: `ptp(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        self.max(along.clone()) - self.min(along)
    }

    /// Whether all elements along axes are true; every number but 0 counts as true, and the result for no elements is true.
    /// Option: mask.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 2, 0, 3]).reshape(&[2, 2]);
    /// assert_eq!(x.all(1).to_vec::<bool>()?, [true, false]);
    /// assert!(Array::zeros(&[0]).all(..).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn all(&self, /* all axes: `all(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("all", self, MASK);
        self.astype(DType::Bool).fold(Reducer::And, ElementwiseKind::And, 1, &along, &axes)
    }

    /// Whether any element along axes is true; every number but 0 counts as true, and the result for no elements is false.
    /// Option: mask.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0i32, 0, 0, 3]).reshape(&[2, 2]);
    /// assert_eq!(x.any(1).to_vec::<bool>()?, [false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn any(&self, /* all axes: `any(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("any", self, MASK);
        self.astype(DType::Bool).fold(Reducer::Or, ElementwiseKind::Or, 0, &along, &axes)
    }

    /// How many elements along axes are not 0, as `i32`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[0.0f32, 3.0, f32::NAN]).count_nonzero(..).item::<i32>()?, 2);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn count_nonzero(&self, /* all axes: `count_nonzero(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("count_nonzero", self, &[]);
        self.ne(0).astype(DType::I32).fold(Reducer::Add, ElementwiseKind::Add, 0, &along, &axes)
    }

    /// The position of the first largest along an axis, or in row-major order along `..`, as `i32`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1.0f32, 5.0, 7.0, 2.0], &[2, 2]);
    /// assert_eq!(x.argmax(1).to_vec::<i32>()?, [1, 0]);
    /// assert_eq!(x.argmax(..).item::<i32>()?, 2);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn argmax(&self, /* all axes: `argmax(..)` */ along: impl Into<Along>) -> Array {
        self.arg("argmax", Reducer::ArgMax(DType::I32), along.into())
    }

    /// The position of the first smallest along an axis, or in row-major order along `..`, as `i32`.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::new(&[1.0f32, 5.0, 7.0, 1.0], &[2, 2]);
    /// assert_eq!(x.argmin(1).to_vec::<i32>()?, [0, 1]);
    /// assert_eq!(x.argmin(..).item::<i32>()?, 0);
    /// assert_eq!(x.argmin(along(1).keepdims()).shape(), [2, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn argmin(&self, /* all axes: `argmin(..)` */ along: impl Into<Along>) -> Array {
        self.arg("argmin", Reducer::ArgMin(DType::I32), along.into())
    }

    #[track_caller]
    fn arg(&self, op: &str, reducer: Reducer, along: Along) -> Array {
        let axes = along.resolve(op, self, &[]);
        let (x, axis) = match along.single(op, self) {
            Some(axis) => (self.clone(), axis),
            None => (self.ravel(), 0),
        };
        check_positions(op, &x.shape(), axis);
        x.check_elements(op, &[axis]);
        self.kept(x.reduce(reducer, &[axis]), &axes, &along)
    }

    /// The largest real part along axes, which are kept with extent one; negative infinity where there are no elements. The
    /// result counts as a constant in derivatives.
    #[track_caller]
    fn peak(&self, along: &Along, axes: &[usize]) -> Array {
        let max = self.real().where_masked(along, f64::NEG_INFINITY).reduce(Reducer::Max, axes);
        stop_gradient(&self.kept(max, axes, &along.plain().keepdims()))
    }

    /// As [`Array::peak`], with 0 in place of infinities.
    #[track_caller]
    pub(crate) fn finite_peak(&self, along: &Along, axes: &[usize]) -> Array {
        let peak = self.peak(along, axes);
        where_(&peak.isfinite(), &peak, 0)
    }

    /// `e^(x - peak)` where the mask is true, elsewhere 0.
    #[track_caller]
    fn exp_below(&self, peak: &Array, along: &Along) -> Array {
        // The difference is masked too: an overflow in a masked element would make its gradient NaN.
        (self - peak).where_masked(along, 0).exp().where_masked(along, 0)
    }

    /// `ln(sum(e^x))` along axes, without overflow. Option: mask.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1000.0f32, 1000.0]).logsumexp(0).item::<f32>()?, 1000.0 + 2f32.ln());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn logsumexp(&self, /* all axes: `logsumexp(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into();
        let axes = along.resolve("logsumexp", self, MASK);
        let x = self.inexact();
        let peak = x.finite_peak(&along, &axes);
        let total = x.kept(x.exp_below(&peak, &along).reduce(Reducer::Add, &axes), &axes, &along);
        total.log() + peak.reshape(&total.shape())
    }

    /// `e^x / sum(e^x)` along axes, which are kept, without overflow; 0 where the mask is false. Option: mask.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[1000.0f32, 1000.0, 0.0, 1000.0]);
    /// let mask = Array::from_slice(&[true, true, true, false]);
    /// assert_eq!(x.softmax(along(0).mask(&mask)).to_vec::<f32>()?, [0.5, 0.5, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn softmax(&self, /* all axes: `softmax(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into().keepdims();
        let axes = along.resolve("softmax", self, MASK);
        let x = self.inexact();
        let e = x.exp_below(&x.peak(&along, &axes), &along);
        let total = x.kept(e.reduce(Reducer::Add, &axes), &axes, &along);
        // A mask may hold nowhere.
        if along.masked().is_some() { e / where_(&total.eq(0), 1, &total) } else { e / total }
    }

    /// `x - ln(sum(e^x))` along axes, which are kept, without overflow; minus infinity where the mask is false. Option: mask.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let y = Array::from_slice(&[1000.0f32, 1000.0, 0.0]).log_softmax(0);
    /// assert_eq!(y.to_vec::<f32>()?, [-(2f32.ln()), -(2f32.ln()), -1000.0 - 2f32.ln()]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn log_softmax(&self, /* all axes: `log_softmax(..)` */ along: impl Into<Along>) -> Array {
        let along = along.into().keepdims();
        let axes = along.resolve("log_softmax", self, MASK);
        let x = self.inexact();
        let peak = x.peak(&along, &axes);
        let total = x.kept(x.exp_below(&peak, &along).reduce(Reducer::Add, &axes), &axes, &along);
        (&x - peak - total.log()).where_masked(&along, f64::NEG_INFINITY)
    }
}

/// The options of `along` without an initial value, for reductions that divide by a count.
fn without_initial(along: &Along) -> Along {
    match along.masked() {
        Some(mask) => along.plain().mask(mask),
        None => along.plain(),
    }
}
