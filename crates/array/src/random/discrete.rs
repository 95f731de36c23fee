//! Coins, choices and permutations.

use jarrah_base::{DType, Error, Location, elements};

use super::Key;
use super::continuous::{mantissa, parameter};
use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::numpy::resolve;
use crate::operators::{IntoOperand, Operand};

/// The dtype of a probability: `f32` of a number.
fn probability(p: &Operand) -> DType {
    match p {
        Operand::Array(p) if p.dtype().is_float() => p.dtype(),
        Operand::Array(_) | Operand::Number(_) => DType::F32,
    }
}

/// Discrete distributions.
impl Key {
    /// Truth values that are true with probability `p`, a number or an array that broadcasts to `shape`.
    ///
    /// # Errors
    ///
    /// A program error if the probabilities do not broadcast to `shape`.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, random::Key};
    /// let x = Key::new(0).bernoulli(Array::from_slice(&[0.0f32, 0.25, 1.0]), &[1000, 3]);
    /// let rates = x.astype(DType::F32).mean(0).to_vec::<f32>()?;
    /// assert_eq!((rates[0], rates[2]), (0.0, 1.0));
    /// assert!((rates[1] - 0.25).abs() < 0.05);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn bernoulli(&self, p: impl IntoOperand, shape: &[usize]) -> Array {
        let p = p.into_operand();
        if let Operand::Array(p) = &p
            && crate::operators::broadcast_shapes(&p.shape(), shape).as_deref() != Some(shape)
        {
            let error = Error::program(format!("the probabilities {} do not broadcast to {shape:?}", p.ty()));
            let help =
                "give the shape of the result: that of the probabilities, or one with more axes in front";
            fail(with_context(error.op("bernoulli").at(Location::caller()).help(help)));
        }
        self.unit(shape, probability(&p)).lt(p)
    }

    /// As [`bernoulli`](Self::bernoulli), from twice as many bits, so that small probabilities are met exactly.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, random::Key};
    /// let p = Array::scalar(0.001).astype(DType::BF16);
    /// let rate = |x: Array| x.astype(DType::F32).mean(..).item::<f32>();
    /// // One of 128 numbers u is below 0.001.
    /// assert!(rate(Key::new(0).bernoulli(&p, &[20000]))? > 0.006);
    /// assert!(rate(Key::new(0).bernoulli_fine(&p, &[20000]))? < 0.002);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn bernoulli_fine(&self, p: impl IntoOperand, shape: &[usize]) -> Array {
        let p = p.into_operand();
        let dtype = probability(&p);
        let drawn = self.unit(&[&[2], shape].concat(), dtype);
        let rest = parameter(p, shape, dtype) - drawn.index(0);
        (drawn.index(1) * 2f64.powi(-mantissa(dtype))).lt(rest)
    }

    /// 1 or -1, each with probability one half.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).rademacher_in(&[6], DType::I32);
    /// assert_eq!(x.to_vec::<i32>()?, [-1, -1, 1, 1, -1, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn rademacher_in(&self, shape: &[usize], dtype: DType) -> Array {
        (self.bernoulli(0.5, shape).astype(DType::I32) * 2 - 1).astype(dtype)
    }

    /// The number of coins thrown up to the first that shows a side of probability `p`, `floor(ln(u) / ln(1 - p)) + 1`, as
    /// `i32`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// assert_eq!(Key::new(0).geometric(&[8], 0.5).to_vec::<i32>()?, [1, 1, 2, 2, 1, 3, 2, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn geometric(&self, shape: &[usize], p: impl IntoOperand) -> Array {
        let p = p.into_operand();
        let dtype = probability(&p);
        let u = self.unit(shape, dtype);
        let u = where_(&u.eq(0), 1, u);
        ((u.log() / (-parameter(p, shape, dtype)).log1p()).floor() + 1).astype(DType::I32)
    }

    /// The slices of an array along `axis` in random order.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let x = Key::new(0).shuffle(&Array::arange(4), 0);
    /// assert_eq!(x.sort(0).to_vec::<i32>()?, [0, 1, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn shuffle(&self, x: &Array, axis: isize) -> Array {
        let at = resolve("shuffle", x, axis, x.rank());
        lax::take(x, &self.permutation(x.shape()[at]), at)
    }

    /// The elements of an array along `axis` in random order, an independent one for each index of the other axes.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let x = Key::new(0).shuffle_independently(&Array::arange(8).reshape(&[4, 2]), 0);
    /// // Neighbours in a row part.
    /// assert_eq!(x.to_string(), "i32[4,2]\n[[0, 1],\n [6, 5],\n [4, 3],\n [2, 7]]");
    /// ```
    #[track_caller]
    pub fn shuffle_independently(&self, x: &Array, axis: isize) -> Array {
        let at = resolve("shuffle", x, axis, x.rank());
        self.shuffled(x, at)
    }

    /// `shape` slices of an array along `axis`, drawn with replacement; the axis is replaced by the axes of `shape`.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let x = Array::zeros(&[5, 7]);
    /// assert_eq!(Key::new(0).choice(&x, &[2, 3], 1).shape(), [5, 2, 3]);
    /// ```
    #[track_caller]
    pub fn choice(&self, x: &Array, shape: &[usize], axis: isize) -> Array {
        let at = resolve("choice", x, axis, x.rank());
        let extent = self.choices("choice", x, at, None);
        lax::take(x, &self.randint(shape, 0, extent as i32), at)
    }

    /// As [`choice`](Self::choice), slice `i` with a probability in proportion to `weights[i]`.
    ///
    /// # Errors
    ///
    /// A program error if the axis is empty, or `weights` are not a vector with one weight for each slice.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let (x, weights) = (Array::from_slice(&[10i32, 20, 30]), Array::from_slice(&[0.0f32, 1.0, 3.0]));
    /// let drawn = Key::new(0).choice_weighted(&x, &[8], 0, &weights);
    /// assert_eq!(drawn.to_vec::<i32>()?, [20, 20, 30, 30, 30, 30, 30, 30]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn choice_weighted(&self, x: &Array, shape: &[usize], axis: isize, weights: &Array) -> Array {
        let at = resolve("choice", x, axis, x.rank());
        let extent = self.choices("choice", x, at, Some(weights));
        let sums = weights.inexact().cumsum(0);
        let drawn = sums.index(-1) * (1.0 - self.unit(shape, sums.dtype()));
        // The number of sums below each draw, by bisection.
        let mut place = Array::full(shape, 0, DType::I32);
        let mut step = extent.next_power_of_two();
        while step > 0 {
            let next = &place + step as i64;
            let below = lax::take(&sums, &(&next - 1), 0).lt(&drawn) & next.le(extent);
            place = where_(&below, next, place);
            step /= 2;
        }
        lax::take(x, &place, at)
    }

    /// `shape` different slices of an array along `axis`, which is replaced by the axes of `shape`.
    ///
    /// # Errors
    ///
    /// A program error if there are fewer slices than `shape` has elements.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let x = Key::new(0).choice_distinct(&Array::arange(5), &[3], 0);
    /// assert_eq!(x.to_vec::<i32>()?, [0, 1, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn choice_distinct(&self, x: &Array, shape: &[usize], axis: isize) -> Array {
        let at = resolve("choice", x, axis, x.rank());
        let extent = self.choices("choice", x, at, None);
        self.first(x, &self.permutation(extent), shape, at)
    }

    /// As [`choice_distinct`](Self::choice_distinct), drawn one after another with probabilities in proportion to
    /// `weights`.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let weights = Array::from_slice(&[0.0f32, 1.0, 1.0, 2.0, 0.0]);
    /// let x = Key::new(0).choice_distinct_weighted(&Array::arange(5), &[3], 0, &weights);
    /// assert_eq!(x.to_vec::<i32>()?, [1, 3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Efraimidis and Spirakis, Weighted random sampling with a reservoir (2006), as Gumbel numbers.
    #[track_caller]
    pub fn choice_distinct_weighted(
        &self,
        x: &Array,
        shape: &[usize],
        axis: isize,
        weights: &Array,
    ) -> Array {
        let at = resolve("choice", x, axis, x.rank());
        self.choices("choice", x, at, Some(weights));
        let scores = self.gumbel_in(&weights.shape(), weights.inexact().dtype()) + weights.log();
        self.first(x, &(-scores).argsort(0), shape, at)
    }

    /// Different positions along `axis` of `logits`, as many as `count`, drawn one after another with probabilities in
    /// proportion to `e^logits`, as `i32[count, ..]`.
    ///
    /// # Errors
    ///
    /// A program error if `logits` have fewer than `count` positions along the axis.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let logits = Array::from_slice(&[f32::NEG_INFINITY, 0.0, 0.0]);
    /// let x = Key::new(0).categorical_distinct(&logits, 0, 2);
    /// assert_eq!(x.sort(0).to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn categorical_distinct(&self, logits: &Array, axis: isize, count: usize) -> Array {
        let at = resolve("categorical", logits, axis, logits.rank());
        let scores = lax::move_axis(&(logits + self.gumbel_in(&logits.shape(), logits.dtype())), at, 0);
        if count > scores.shape()[0] {
            let error =
                Error::program(format!("{count} different positions of {} do not exist", logits.ty()));
            fail(with_context(error.op("categorical").at(Location::caller())));
        }
        (-scores).argsort(0).slice(0, ..count)
    }

    /// The slices of `x` at the first of these positions.
    #[track_caller]
    fn first(&self, x: &Array, positions: &Array, shape: &[usize], axis: usize) -> Array {
        let count = elements(shape).unwrap_or(usize::MAX);
        if count > positions.size() {
            let error = Error::program(format!("{count} different slices of {} do not exist", x.ty()));
            fail(with_context(
                error.op("choice").at(Location::caller()).help("draw with replacement: choice"),
            ));
        }
        lax::take(x, &positions.slice(0, ..count).reshape(shape), axis)
    }

    /// The number of slices to choose from, which must agree with their weights.
    #[track_caller]
    fn choices(&self, op: &str, x: &Array, axis: usize, weights: Option<&Array>) -> usize {
        let extent = x.shape()[axis];
        let error = match weights {
            _ if extent == 0 => format!("axis {axis} of {} has no element to choose", x.ty()),
            Some(weights) if weights.shape() != [extent] => {
                format!("axis {axis} of {} has other extents than its weights {}", x.ty(), weights.ty())
            }
            Some(_) | None => return extent,
        };
        fail(with_context(Error::program(error).op(op).at(Location::caller())))
    }
}
