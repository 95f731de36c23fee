use std::fmt;

use jarrah_base::{Literal, c128};

/// Numbers about the elements of an array, computed in f64. Of a complex element, its magnitude counts.
///
/// `mean = sum(x) / n` and `std = sqrt(sum((x - mean)^2) / n)` are over the `n` finite elements.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_checkpoint::Statistics;
/// let x = Literal::from_slice(&[5], &[1.0f32, 3.0, 0.0, f32::NAN, f32::INFINITY])?;
/// let of = Statistics::of(&x);
/// assert_eq!((of.least, of.largest, of.zeros, of.nans, of.infinite), (Some(0.0), Some(3.0), 1, 1, 1));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    /// The number of elements.
    pub count: usize,
    /// The least finite element; none if there is no finite one.
    pub least: Option<f64>,
    /// The largest finite element.
    pub largest: Option<f64>,
    /// The mean of the finite elements.
    pub mean: Option<f64>,
    /// The standard deviation of the finite elements.
    pub std: Option<f64>,
    /// The number of zeros.
    pub zeros: usize,
    /// The number of elements that are not a number.
    pub nans: usize,
    /// The number of infinite elements.
    pub infinite: usize,
}

/// An element as a number: the magnitude of a complex one.
pub(super) fn number(x: &Literal, i: usize) -> f64 {
    match x.dtype().is_complex() {
        true => magnitude(x.get_c128(i)),
        false => x.get_f64(i),
    }
}

/// `|z|`.
pub(super) fn magnitude(z: c128) -> f64 {
    z.re.hypot(z.im)
}

impl Statistics {
    /// The statistics of an array.
    pub fn of(x: &Literal) -> Statistics {
        let count = x.len();
        let value = |i: usize| number(x, i);
        let (mut least, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut finite, mut zeros, mut nans, mut sum) = (0, 0, 0, 0.0);
        for value in (0..count).map(value) {
            zeros += usize::from(value == 0.0);
            nans += usize::from(value.is_nan());
            if value.is_finite() {
                finite += 1;
                sum += value;
                (least, largest) = (least.min(value), largest.max(value));
            }
        }
        let mean = (finite > 0).then(|| sum / finite as f64);
        let std = mean.map(|mean| {
            let squares = (0..count).map(value).filter(|value| value.is_finite()).map(|x| (x - mean).powi(2));
            (squares.sum::<f64>() / finite as f64).sqrt()
        });
        Statistics {
            count,
            least: mean.and(Some(least)),
            largest: mean.and(Some(largest)),
            mean,
            std,
            zeros,
            nans,
            infinite: count - finite - nans,
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(least), Some(largest), Some(mean), Some(std)) =
            (self.least, self.largest, self.mean, self.std)
        {
            write!(f, "{} to {}, mean {}, std {}", short(least), short(largest), short(mean), short(std))?;
        } else {
            f.write_str(if self.count == 0 { "no elements" } else { "no finite element" })?;
        }
        for (count, kind) in [(self.zeros, "zero"), (self.nans, "NaN"), (self.infinite, "infinite")] {
            if count > 0 {
                write!(f, ", {count} {kind}")?;
            }
        }
        Ok(())
    }
}

/// A number in five digits.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e6).contains(&size) => {
            let digits = (4 - size.log10().floor() as i32).clamp(0, 8) as usize;
            let text = format!("{x:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
        _ => format!("{x:.3e}"),
    }
}
