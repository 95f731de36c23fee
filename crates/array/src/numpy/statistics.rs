//! Statistics: means, variances, quantiles, histograms and the like.

use jarrah_base::{DType, Error, Location};

use crate::along::{Along, along};
use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::numpy::{Side, concatenate, elements_along, resolve};
use crate::operators::{IntoOperand, align_inexact};

/// The value of a quantile that falls between two elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantile {
    /// On the line between them.
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// The nearer one; of two equally near ones the lower.
    Nearest,
    /// Half way between them.
    Midpoint,
}

impl Array {
    /// The mean along axes, each element weighted: `sum(w x) / sum(w)`. A vector of weights weighs the slices along the one
    /// axis that is given; others broadcast to the array.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 5.0]);
    /// let weights = Array::from_slice(&[3.0f32, 1.0]);
    /// assert_eq!(x.average(&weights, ..).item::<f32>()?, 2.0);
    /// let rows = Array::new(&[1.0f32, 2.0, 5.0, 6.0], &[2, 2]);
    /// assert_eq!(rows.average(&weights, 0).to_vec::<f32>()?, [2.0, 3.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn average(&self, weights: &Array, along: impl Into<Along>) -> Array {
        let along = along.into();
        let weights = match along.axes_of("average", self)[..] {
            [axis] if weights.rank() == 1 => {
                let others: Vec<isize> =
                    (0..self.rank()).filter(|a| *a != axis).map(|a| a as isize).collect();
                weights.expand_dims(&others[..])
            }
            _ => weights.clone(),
        };
        let (x, weights) = align_inexact("average", self.into_operand(), weights.into_operand());
        (x * &weights).sum(along.clone()) / weights.sum(along)
    }

    /// The median along axes: the middle element in order, or the mean of the two in the middle. NaN wins.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 1, 10, 2]).median(..).item::<f32>()?, 2.5);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn median(&self, /* all axes: `median(..)` */ along: impl Into<Along>) -> Array {
        self.quantile(0.5, along, Quantile::Linear)
    }

    /// The quantile `q` of the elements along axes, `q` from 0 to 1: number `q (n - 1)` of the `n` sorted elements, counted from
    /// 0; between two elements `method` decides. NaN wins. The axes of `q` come first.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Quantile};
    /// let x = Array::from_slice(&[40i32, 10, 30, 20]);
    /// assert_eq!(x.quantile(0.5, .., Quantile::Linear).item::<f32>()?, 25.0);
    /// assert_eq!(x.quantile(0.5, .., Quantile::Lower).item::<f32>()?, 20.0);
    /// let rows = Array::zeros(&[2, 5]);
    /// assert_eq!(rows.quantile(Array::from_slice(&[0.0f32, 0.5, 1.0]), 1, Quantile::Linear).shape(), [3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn quantile(&self, q: impl IntoOperand, along: impl Into<Along>, method: Quantile) -> Array {
        self.quantiles("quantile", q.into_operand().beside(&self.inexact()), along.into(), method, true)
    }

    /// [`Array::quantile`] of hundredths: `q` from 0 to 100.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Quantile};
    /// let x = Array::arange(11);
    /// assert_eq!(x.percentile(90, .., Quantile::Nearest).item::<f32>()?, 9.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn percentile(&self, q: impl IntoOperand, along: impl Into<Along>, method: Quantile) -> Array {
        let q = q.into_operand().beside(&self.inexact()) / 100.0;
        self.quantiles("percentile", q, along.into(), method, true)
    }

    /// [`Array::quantile`] of the elements that are not NaN.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Quantile};
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, 3.0, 5.0]);
    /// assert_eq!(x.nanquantile(0.5, .., Quantile::Linear).item::<f32>()?, 3.0);
    /// assert!(x.quantile(0.5, .., Quantile::Linear).item::<f32>()?.is_nan());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanquantile(&self, q: impl IntoOperand, along: impl Into<Along>, method: Quantile) -> Array {
        self.quantiles("nanquantile", q.into_operand().beside(&self.inexact()), along.into(), method, false)
    }

    /// [`Array::percentile`] of the elements that are not NaN.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Quantile};
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, 3.0, 5.0]);
    /// assert_eq!(x.nanpercentile(25, .., Quantile::Linear).item::<f32>()?, 2.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanpercentile(&self, q: impl IntoOperand, along: impl Into<Along>, method: Quantile) -> Array {
        let q = q.into_operand().beside(&self.inexact()) / 100.0;
        self.quantiles("nanpercentile", q, along.into(), method, false)
    }

    /// [`Array::median`] of the elements that are not NaN.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1.0f32, f32::NAN, 3.0, 4.0], &[2, 2]);
    /// assert_eq!(x.nanmedian(1).to_vec::<f32>()?, [1.0, 3.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanmedian(&self, /* all axes: `nanmedian(..)` */ along: impl Into<Along>) -> Array {
        self.nanquantile(0.5, along, Quantile::Linear)
    }

    #[track_caller]
    fn quantiles(&self, op: &str, q: Array, along: Along, method: Quantile, nan_wins: bool) -> Array {
        let x = self.inexact();
        if x.dtype().is_complex() || q.dtype().is_complex() {
            let error = Error::program(format!("complex numbers have no order: {}", self.ty()));
            fail(with_context(error.op(op).at(Location::caller())));
        }
        let axes = along.resolve(op, self, &[]);
        x.check_elements(op, &axes);
        // The reduced axes as the last one.
        let kept: Vec<usize> = (0..x.rank()).filter(|axis| !axes.contains(axis)).collect();
        let order: Vec<usize> = kept.iter().chain(&axes).copied().collect();
        let lead: Vec<usize> = kept.iter().map(|&axis| x.shape()[axis]).collect();
        let count = elements_along(&x.shape(), &axes);
        let rows: Vec<usize> = lead.iter().copied().chain([count]).collect();
        let rows = lax::transpose(&x, &order).reshaped(&rows);
        let sorted = rows.sort(-1);
        let nan = rows.isnan();
        let valid = match nan_wins {
            true => Array::full(&lead, count, x.dtype()),
            false => (!&nan).astype(x.dtype()).sum(-1),
        };
        let mut results = Vec::with_capacity(q.size());
        for q in q.astype(x.dtype()).ravel().unstack(0) {
            let at = q * (&valid - 1.0).maximum(0);
            let low = at.floor();
            let high = at.ceil();
            let element = |at: &Array| {
                let at = at.clip(0, count as i64 - 1).astype(DType::I32).expand_dims(-1);
                lax::take_along_axis(&sorted, &at, lead.len()).squeeze(-1)
            };
            let result = match method {
                Quantile::Lower => element(&low),
                Quantile::Higher => element(&high),
                Quantile::Nearest => element(&(&at - 0.5).ceil()),
                Quantile::Midpoint => (element(&low) + element(&high)) * 0.5,
                Quantile::Linear => {
                    let share = &at - &low;
                    element(&low) * (1.0 - &share) + element(&high) * share
                }
            };
            let bad = if nan_wins { nan.any(-1) } else { nan.all(-1) };
            results.push(self.kept(where_(&bad, f64::NAN, result), &axes, &along));
        }
        let stacked = crate::stack(&results.iter().collect::<Vec<_>>(), 0);
        let shape: Vec<usize> = q.shape().iter().chain(&stacked.shape()[1..]).copied().collect();
        stacked.reshaped(&shape)
    }

    /// The lowest or the highest number of the dtype, the neutral element of `maximum` or `minimum`.
    #[track_caller]
    pub(crate) fn extreme_number(&self, op: &str, highest: bool) -> Number {
        let pick = |(low, high): (i128, i128)| Number::Integer(if highest { high } else { low });
        match self.dtype().integer_range() {
            Some(range) => pick(range),
            None if self.dtype().is_complex() => {
                let error = Error::program(format!("complex numbers have no order: {}", self.ty()));
                fail(with_context(error.op(op).at(Location::caller())))
            }
            None => Number::Float(if highest { f64::INFINITY } else { f64::NEG_INFINITY }),
        }
    }

    /// The sum along axes with NaN as 0.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, f32::NAN, 2.0]).nansum(..).item::<f32>()?, 3.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nansum(&self, /* all axes: `nansum(..)` */ along: impl Into<Along>) -> Array {
        self.nan_as(0).sum(along)
    }

    /// The product along axes with NaN as 1.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3.0f32, f32::NAN, 2.0]).nanprod(..).item::<f32>()?, 6.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanprod(&self, /* all axes: `nanprod(..)` */ along: impl Into<Along>) -> Array {
        self.nan_as(1).prod(along)
    }

    /// The largest along axes of the elements that are not NaN; NaN where there is none.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1.0f32, f32::NAN, f32::NAN, f32::NAN], &[2, 2]);
    /// assert_eq!(x.nanmax(1).to_string(), "f32[2] [1.0, NaN]");
    /// ```
    #[track_caller]
    pub fn nanmax(&self, /* all axes: `nanmax(..)` */ along: impl Into<Along>) -> Array {
        self.without_nan(f64::NEG_INFINITY, f64::NAN, along.into(), |x, along| x.max(along))
    }

    /// The smallest along axes of the elements that are not NaN; NaN where there is none.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, f32::NAN, -2.0]).nanmin(..).item::<f32>()?, -2.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanmin(&self, /* all axes: `nanmin(..)` */ along: impl Into<Along>) -> Array {
        self.without_nan(f64::INFINITY, f64::NAN, along.into(), |x, along| x.min(along))
    }

    /// The reduction `f` with each NaN replaced by `identity`; `missing` where all elements are NaN.
    #[track_caller]
    fn without_nan(
        &self,
        identity: f64,
        missing: impl IntoOperand,
        along: Along,
        f: impl Fn(&Array, Along) -> Array,
    ) -> Array {
        if !self.dtype().is_differentiable() {
            return f(self, along);
        }
        let reduced = f(&self.nan_as(identity), along.clone());
        where_(&self.isnan().all(along), missing, reduced)
    }

    /// The mean along axes of the elements that are not NaN; NaN where there is none.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1.0f32, f32::NAN, 3.0, 4.0], &[2, 2]);
    /// assert_eq!(x.nanmean(1).to_vec::<f32>()?, [1.0, 3.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanmean(&self, /* all axes: `nanmean(..)` */ along: impl Into<Along>) -> Array {
        self.mean(along.into().mask(&!self.isnan()))
    }

    /// The variance along axes of the elements that are not NaN; option ddof.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::from_slice(&[1.0f32, f32::NAN, 5.0]);
    /// assert_eq!(x.nanvar(..).item::<f32>()?, 4.0);
    /// assert_eq!(x.nanvar(along(..).ddof(1)).item::<f32>()?, 8.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanvar(&self, /* all axes: `nanvar(..)` */ along: impl Into<Along>) -> Array {
        self.nan_as(0).var(along.into().mask(&!self.isnan()))
    }

    /// The standard deviation along axes of the elements that are not NaN; option ddof.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, f32::NAN, 5.0]).nanstd(..).item::<f32>()?, 2.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanstd(&self, /* all axes: `nanstd(..)` */ along: impl Into<Along>) -> Array {
        self.nanvar(along).sqrt()
    }

    /// The position of the first largest along an axis of the elements that are not NaN; -1 where there is none.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[f32::NAN, 5.0, f32::NAN, f32::NAN], &[2, 2]);
    /// assert_eq!(x.nanargmax(1).to_vec::<i32>()?, [1, -1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanargmax(&self, /* all axes: `nanargmax(..)` */ along: impl Into<Along>) -> Array {
        self.without_nan(f64::NEG_INFINITY, -1, along.into(), |x, along| x.argmax(along))
    }

    /// The position of the first smallest along an axis of the elements that are not NaN; -1 where there is none.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[f32::NAN, 5.0, 3.0]).nanargmin(0).item::<i32>()?, 2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nanargmin(&self, /* all axes: `nanargmin(..)` */ along: impl Into<Along>) -> Array {
        self.without_nan(f64::INFINITY, -1, along.into(), |x, along| x.argmin(along))
    }

    /// The covariance of the rows of a matrix, each a variable with its `n` observations along the columns:
    /// `sum_k (x[i, k] - mean_i) conj(x[j, k] - mean_j) / (n - ddof)`. A vector is one variable, and its covariance a scalar.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1.0f32, 2.0, 3.0, 6.0, 4.0, 2.0], &[2, 3]);
    /// assert_eq!(x.cov(1.0).to_vec::<f32>()?, [1.0, -2.0, -2.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cov(&self, ddof: f64) -> Array {
        let x = self.inexact().atleast_2d();
        let centred = &x - x.mean(along(1).keepdims());
        let product = centred.matmul(&centred.conj().t()) / (x.shape()[1] as f64 - ddof);
        if self.rank() < 2 { product.reshaped(&[]) } else { product }
    }

    /// The correlation coefficients of the rows of a matrix: the covariance over the deviations of both rows,
    /// `c[i, j] / sqrt(c[i, i] c[j, j])`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1.0f32, 2.0, 3.0, 6.0, 4.0, 2.0], &[2, 3]);
    /// assert_eq!(x.corrcoef().to_vec::<f32>()?, [1.0, -1.0, -1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn corrcoef(&self) -> Array {
        let c = self.cov(1.0);
        if c.rank() == 0 {
            // The correlation of a single variable with itself is 1, or NaN if its variance is zero.
            return where_(&c.eq(0), f64::NAN, c.ones_like());
        }
        let deviation = c.diagonal(0, 0, 1).real().sqrt();
        let scaled =
            &c / deviation.expand_dims(-1).astype(c.dtype()) / deviation.expand_dims(0).astype(c.dtype());
        match scaled.dtype().is_complex() {
            true => lax::complex(&scaled.real().clip(-1, 1), &scaled.imag().clip(-1, 1)),
            false => scaled.clip(-1, 1),
        }
    }

    /// The number of elements in each bin between neighbouring `edges`, which ascend. The last bin includes its upper edge, and
    /// elements outside are not counted.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0.5f32, 1.0, 1.5, 2.0, 7.0]);
    /// let edges = Array::from_slice(&[0.0f32, 1.0, 2.0]);
    /// assert_eq!(x.histogram(&edges).to_vec::<f32>()?, [1.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn histogram(&self, edges: &Array) -> Array {
        self.histogram_weighted(&self.inexact().real().ones_like(), edges)
    }

    /// The sum of the weights of the elements between neighbouring `edges`, which ascend; the last bin has its upper edge too.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0.5f32, 1.0, 1.5]);
    /// let weights = Array::from_slice(&[10.0f32, 1.0, 2.0]);
    /// assert_eq!(x.histogram_weighted(&weights, &Array::from_slice(&[0.0f32, 1.0, 2.0])).to_vec::<f32>()?, [10.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn histogram_weighted(&self, weights: &Array, edges: &Array) -> Array {
        let bins = edges.size().saturating_sub(1);
        let x = self.ravel();
        let last = edges.index(-1);
        let bin = edges.searchsorted(&x, Side::Right) - 1;
        let bin = where_(&x.eq(&last), bins as i64 - 1, bin);
        bin.bincount_weighted(weights, bins)
    }

    /// The edges of `bins` bins of equal width, from the smallest element to the largest, or over `range`; half below and half
    /// above where both are equal.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 5.0, 2.0]);
    /// assert_eq!(x.histogram_bin_edges(2, None).to_vec::<f32>()?, [1.0, 3.0, 5.0]);
    /// assert_eq!(x.histogram_bin_edges(2, Some((0.0, 1.0))).to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn histogram_bin_edges(&self, bins: usize, range: Option<(f64, f64)>) -> Array {
        let x = self.inexact();
        let (low, high) = match range {
            Some((low, high)) => (Number::Float(low).like(&x), Number::Float(high).like(&x)),
            None => (x.min(..), x.max(..)),
        };
        let same = low.eq(&high);
        Array::spaced([where_(&same, &low - 0.5, &low), where_(&same, &high + 0.5, &high)], bins + 1, true)
    }

    /// The differences of neighbours along an axis, `x[i + 1] - x[i]`, taken `order` times; of truth values whether they differ.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 4, 9]).diff(1, 0).to_vec::<i32>()?, [3, 5]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn diff(&self, order: usize, axis: isize) -> Array {
        let at = resolve("diff", self, axis, self.rank());
        let mut x = self.clone();
        for _ in 0..order {
            let extent = x.shape()[at];
            let (before, after) = (x.slice(axis, ..extent.saturating_sub(1)), x.slice(axis, 1.min(extent)..));
            x = if x.dtype() == DType::Bool { after.ne(&before) } else { after - before };
        }
        x
    }

    /// The differences of neighbours in row-major order.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::new(&[1i32, 4, 9, 16], &[2, 2]).ediff1d().to_vec::<i32>()?, [3, 5, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ediff1d(&self) -> Array {
        self.ravel().diff(1, 0)
    }

    /// The slope along an axis, where neighbours are `spacing` apart: `(x[i + 1] - x[i - 1]) / (2 spacing)`, at the ends the
    /// difference to the only neighbour.
    ///
    /// # Errors
    ///
    /// A program error if the axis has fewer than two elements.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0.0f32, 1.0, 4.0, 9.0]);
    /// assert_eq!(x.gradient(1.0, 0).to_vec::<f32>()?, [1.0, 2.0, 4.0, 5.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn gradient(&self, spacing: f64, axis: isize) -> Array {
        let x = self.inexact();
        let at = resolve("gradient", &x, axis, x.rank());
        let n = x.shape()[at];
        if n < 2 {
            let error = Error::program(format!("axis {at} of {} has fewer than two elements", self.ty()));
            fail(with_context(error.op("gradient").at(Location::caller())));
        }
        let inner = (x.slice(axis, 2.min(n)..) - x.slice(axis, ..n - 2)) * 0.5;
        let first = x.slice(axis, 1..2) - x.slice(axis, ..1);
        let last = x.slice(axis, n - 1..) - x.slice(axis, n - 2..n - 1);
        concatenate(&[&first, &inner, &last], axis) / spacing
    }

    /// The integral along an axis by the trapezoidal rule, where neighbours are `spacing` apart:
    /// `spacing sum_i (x[i] + x[i + 1]) / 2`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[0.0f32, 2.0, 4.0]).trapezoid(0.5, 0).item::<f32>()?, 2.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn trapezoid(&self, spacing: f64, axis: isize) -> Array {
        let x = self.inexact();
        let extent = x.shape()[resolve("trapezoid", &x, axis, x.rank())];
        let sums = x.slice(axis, 1.min(extent)..) + x.slice(axis, ..extent.saturating_sub(1));
        sums.sum(axis) * (0.5 * spacing)
    }

    /// The integral along the last axis by the trapezoidal rule, `sum_i (p[i + 1] - p[i]) (x[i] + x[i + 1]) / 2`, at points `p`
    /// that broadcast to the array.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, points) = (Array::from_slice(&[0.0f32, 2.0, 8.0]), Array::from_slice(&[0.0f32, 1.0, 4.0]));
    /// assert_eq!(x.trapezoid_at(&points).item::<f32>()?, 16.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn trapezoid_at(&self, points: &Array) -> Array {
        let (y, x) = align_inexact("trapezoid", self.into_operand(), points.into_operand());
        let n = y.shape().last().copied().unwrap_or(0);
        let sums = y.slice(-1, 1.min(n)..) + y.slice(-1, ..n.saturating_sub(1));
        (sums * x.diff(1, -1)).sum(-1) * 0.5
    }

    /// Linear interpolation: for each element the value of the line through the points `(xs, ys)`, whose `xs` ascend; outside of
    /// these the value of the nearest point.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (xs, ys) = (Array::from_slice(&[0.0f32, 2.0]), Array::from_slice(&[1.0f32, 5.0]));
    /// assert_eq!(Array::from_slice(&[0.5f32, 9.0]).interp(&xs, &ys).to_vec::<f32>()?, [2.0, 5.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn interp(&self, xs: &Array, ys: &Array) -> Array {
        let (x, xs) = (self.inexact(), xs.inexact());
        let n = xs.size();
        let i = xs.searchsorted(&x, Side::Right).clip(1, n as i64 - 1);
        let before = &i - 1;
        let at = |v: &Array, i: &Array| lax::take(v, i, 0);
        let ys = ys.inexact();
        let (x0, x1, y0, y1) = (at(&xs, &before), at(&xs, &i), at(&ys, &before), at(&ys, &i));
        let width = &x1 - &x0;
        let flat = width.eq(0);
        let inside = &y0 + (&x - &x0) / where_(&flat, 1, &width) * (&y1 - &y0);
        let line = where_(&flat, &y0, inside);
        let line = where_(&x.lt(xs.index(0)), ys.index(0), line);
        where_(&x.gt(xs.index(-1)), ys.index(-1), line)
    }

    /// The value at each element of the polynomial with these `n` coefficients, `sum_i c[i] x^(n - 1 - i)`, by Horner's rule.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[2.0f32]);
    /// assert_eq!(x.polyval(&Array::from_slice(&[1.0f32, 0.0, 3.0])).to_vec::<f32>()?, [7.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn polyval(&self, coefficients: &Array) -> Array {
        let mut value = self.zeros_like().astype(crate::promote_types(self.dtype(), coefficients.dtype()));
        for c in coefficients.unstack(0) {
            value = value * self + c;
        }
        value
    }

    /// The coefficients of the polynomial of a degree, the highest power first, with the least sum of squared distances to `values`
    /// at these points. Columns are scaled to length 1 before the least squares are solved.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0.0f64, 1.0, 2.0]);
    /// let line = x.polyfit(&Array::from_slice(&[1.0f64, 3.0, 5.0]), 1).to_vec::<f64>()?;
    /// assert!((line[0] - 2.0).abs() < 1e-12 && (line[1] - 1.0).abs() < 1e-12);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn polyfit(&self, values: &Array, degree: usize) -> Array {
        let powers = self.inexact().vander(degree + 1);
        let lengths = powers.square().sum(0).sqrt();
        crate::linalg::lstsq(&(&powers / &lengths), &values.inexact()).0 / lengths
    }

    /// The angles with multiples of a whole turn added, so that neighbours along an axis are at most half a turn apart.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let turns = Array::from_slice(&[0.0f32, 0.4, 0.8, 0.2]);
    /// let angles = (&turns * std::f64::consts::TAU).unwrap(0) / std::f64::consts::TAU;
    /// assert!(angles.allclose(Array::from_slice(&[0.0f32, 0.4, 0.8, 1.2]), 1e-5, 0.0).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn unwrap(&self, axis: isize) -> Array {
        let x = self.inexact();
        let turn = std::f64::consts::TAU;
        let step = x.diff(1, axis);
        let wrapped = (&step + turn / 2.0) % turn - turn / 2.0;
        let wrapped = where_(&(wrapped.eq(-turn / 2.0) & step.gt(0)), turn / 2.0, wrapped);
        let shift = where_(&step.abs().lt(turn / 2.0), 0, wrapped - &step);
        let extent = x.shape()[resolve("unwrap", &x, axis, x.rank())];
        if extent < 2 {
            return x;
        }
        concatenate(&[&x.slice(axis, ..1), &(x.slice(axis, 1..) + shift.cumsum(axis))], axis)
    }
}
