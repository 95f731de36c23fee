//! What combines the elements along axes.

use jarrah_base::{DType, ElementKind, Error, Location};
use jarrah_hlo::ops::{ElementwiseKind, Reduce, Reducer};

use crate::array::Array;
use crate::custom::stop_gradient;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::numpy::{IntoAxes, check_positions, resolve, resolve_all};
use crate::operators::binary;
use crate::trace::apply_one;

impl Array {
    #[track_caller]
    fn reduce(&self, op: &str, reducer: Reducer, axes: impl IntoAxes) -> Array {
        let axes = resolve_all(op, self, axes);
        if axes.is_empty() {
            return self.clone();
        }
        apply_one(Reduce { reducer, axes: axes.into() }, &[self])
    }

    fn all_axes(&self) -> Vec<isize> {
        (0..self.rank() as isize).collect()
    }

    /// `reduced` with axes of extent one where `axes` of this array were.
    #[track_caller]
    fn kept(&self, reduced: &Array, axes: impl IntoAxes) -> Array {
        let axes = resolve_all("keepdims", self, axes);
        let shape: Vec<isize> = self
            .shape()
            .into_iter()
            .enumerate()
            .map(|(i, d)| if axes.contains(&i) { 1 } else { d as isize })
            .collect();
        reduced.reshape(&shape)
    }

    /// As [`Array::reduce`] by something that has no value for no element.
    #[track_caller]
    fn extreme(&self, op: &str, reducer: Reducer, axes: impl IntoAxes) -> Array {
        let axes = axes.into_axes();
        for axis in resolve_all(op, self, &axes[..]) {
            if self.shape()[axis] == 0 {
                let error = Error::program(format!("axis {axis} of {} has no element", self.ty()));
                fail(with_context(error.op(op).at(Location::caller())));
            }
        }
        self.reduce(op, reducer, &axes[..])
    }

    /// Integers and truth values in the widest type of their kind, so that their sum does not overflow soon.
    #[track_caller]
    fn summand(&self) -> Array {
        match self.dtype().kind() {
            ElementKind::Bool | ElementKind::Signed => self.astype(DType::I64),
            ElementKind::Unsigned => self.astype(DType::U64),
            ElementKind::Float | ElementKind::Complex => self.clone(),
        }
    }

    /// The sum along axes, of signed integers and truth values as `i64`, of unsigned integers as `u64`.
    #[track_caller]
    pub fn sum(&self, axes: impl IntoAxes) -> Array {
        self.summand().reduce("sum", Reducer::Add, axes)
    }

    /// The sum of all elements.
    #[track_caller]
    pub fn sum_all(&self) -> Array {
        self.sum(&self.all_axes()[..])
    }

    /// The mean along axes. Floats narrower than `f32` are added and divided in `f32`.
    #[track_caller]
    pub fn mean(&self, axes: impl IntoAxes) -> Array {
        let axes = axes.into_axes();
        let mut count = 1.0;
        for axis in resolve_all("mean", self, &axes[..]) {
            count *= self.shape()[axis] as f64;
        }
        let x = self.inexact();
        let total = x.astype(x.dtype().accumulator()).sum(&axes[..]);
        (total / count).astype(x.dtype())
    }

    /// The mean of all elements.
    #[track_caller]
    pub fn mean_all(&self) -> Array {
        self.mean(&self.all_axes()[..])
    }

    /// The variance along axes, `mean(|x - mean(x)|^2)`. Floats narrower than `f32` are computed with in `f32`.
    #[track_caller]
    pub fn var(&self, axes: impl IntoAxes) -> Array {
        let axes = axes.into_axes();
        let x = self.inexact();
        let wide = x.astype(x.dtype().accumulator());
        let centred = &wide - wide.kept(&wide.mean(&axes[..]), &axes[..]);
        let squares = match x.dtype().is_complex() {
            true => centred.real().square() + centred.imag().square(),
            false => centred.square(),
        };
        squares.mean(&axes[..]).astype(x.dtype().real())
    }

    /// The largest along axes, which must have elements; NaN wins.
    #[track_caller]
    pub fn max(&self, axes: impl IntoAxes) -> Array {
        self.extreme("max", Reducer::Max, axes)
    }

    /// The smallest along axes, which must have elements; NaN wins.
    #[track_caller]
    pub fn min(&self, axes: impl IntoAxes) -> Array {
        self.extreme("min", Reducer::Min, axes)
    }

    /// The product along axes, of signed integers and truth values as `i64`, of unsigned integers as `u64`.
    #[track_caller]
    pub fn prod(&self, axes: impl IntoAxes) -> Array {
        self.summand().reduce("prod", Reducer::Mul, axes)
    }

    /// Whether all hold along axes.
    #[track_caller]
    pub fn all(&self, axes: impl IntoAxes) -> Array {
        self.astype(DType::Bool).reduce("all", Reducer::And, axes)
    }

    /// Whether any holds along axes.
    #[track_caller]
    pub fn any(&self, axes: impl IntoAxes) -> Array {
        self.astype(DType::Bool).reduce("any", Reducer::Or, axes)
    }

    /// The position of the first largest along an axis, as `i32`.
    #[track_caller]
    pub fn argmax(&self, axis: isize) -> Array {
        self.arg("argmax", Reducer::ArgMax(DType::I32), axis)
    }

    /// The position of the first smallest along an axis, as `i32`.
    #[track_caller]
    pub fn argmin(&self, axis: isize) -> Array {
        self.arg("argmin", Reducer::ArgMin(DType::I32), axis)
    }

    #[track_caller]
    fn arg(&self, op: &str, reducer: Reducer, axis: isize) -> Array {
        check_positions(op, &self.shape(), resolve(op, self, axis, self.rank()));
        self.extreme(op, reducer, axis)
    }

    /// The largest real part along an axis, a constant to derivatives; the lowest value where there is no element.
    #[track_caller]
    fn peak(&self, op: &str, axis: isize) -> Array {
        stop_gradient(&self.real().reduce(op, Reducer::Max, axis))
    }

    /// `ln(sum(e^x))` along an axis, without overflow.
    #[track_caller]
    pub fn logsumexp(&self, axis: isize) -> Array {
        let x = self.inexact();
        let max = x.peak("logsumexp", axis);
        let finite = where_(&max.is_finite(), &max, 0.0);
        let shifted = &x - x.kept(&finite, axis);
        shifted.exp().sum(axis).log() + finite
    }

    /// `e^x / sum(e^x)` along an axis.
    #[track_caller]
    pub fn softmax(&self, axis: isize) -> Array {
        let x = self.inexact();
        let e = (&x - x.kept(&x.peak("softmax", axis), axis)).exp();
        let total = x.kept(&e.sum(axis), axis);
        e / total
    }

    /// `x - ln(sum(e^x))` along an axis.
    #[track_caller]
    pub fn log_softmax(&self, axis: isize) -> Array {
        let x = self.inexact();
        let shifted = &x - x.kept(&x.peak("log_softmax", axis), axis);
        let total = x.kept(&shifted.exp().sum(axis), axis);
        shifted - total.log()
    }

    /// The sums of all elements up to each along an axis, as pairwise sums in `log2(n)` rounds; of the same dtype as
    /// [`Array::sum`].
    #[track_caller]
    pub fn cumsum(&self, axis: isize) -> Array {
        self.summand().cumulative("cumsum", ElementwiseKind::Add, Number::Integer(0), axis)
    }

    /// The products of all elements up to each along an axis, as pairwise products in `log2(n)` rounds; of the same dtype
    /// as [`Array::prod`].
    #[track_caller]
    pub fn cumprod(&self, axis: isize) -> Array {
        self.summand().cumulative("cumprod", ElementwiseKind::Multiply, Number::Integer(1), axis)
    }

    #[track_caller]
    fn cumulative(&self, op: &str, kind: ElementwiseKind, identity: Number, axis: isize) -> Array {
        let at = resolve(op, self, axis, self.rank());
        let extent = self.shape()[at];
        let identity = Array::constant(identity.fit(op, self.dtype()));
        let mut x = self.clone();
        let mut shift = 1;
        while shift < extent {
            let (mut low, mut high) = (vec![0; self.rank()], vec![0; self.rank()]);
            (low[at], high[at]) = (shift as i64, -(shift as i64));
            x = binary(kind, lax::pad(&x, &identity, &low, &high), x);
            shift *= 2;
        }
        x
    }
}
