//! Statistics of a weight's inputs, which calibration collects.

use jarrah_array::{Array, DType, Tree, along, lax};

use crate::check::require;

/// Sums over the inputs of a weight of `K` rows: all that quantizers need to know of the text that a model is calibrated by, however long it is.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_quant::Moments;
/// let seen = Moments::zeros(2).with(&Array::new(&[1.0f32, -2.0, 3.0, 0.0], &[2, 2]));
/// assert_eq!(seen.second.to_vec::<f32>()?, [10.0, -2.0, -2.0, 4.0]);
/// assert_eq!(seen.magnitude.to_vec::<f32>()?, [4.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Moments {
    /// `f32[K, K]`: the sum of `x x^T` over all inputs `x`.
    pub second: Array,
    /// `f32[K]`: the sum of `|x|`.
    pub magnitude: Array,
    /// `f32`: how many inputs there were.
    pub count: Array,
}

impl Moments {
    /// Nothing was seen.
    pub fn zeros(rows: usize) -> Moments {
        Moments {
            second: Array::zeros(&[rows, rows]),
            magnitude: Array::zeros(&[rows]),
            count: Array::zeros(&[]),
        }
    }

    /// The sums with the inputs `x`, `[.., K]`.
    ///
    /// # Errors
    /// Inputs of another width are a program error.
    #[must_use]
    #[track_caller]
    pub fn with(&self, x: &Array) -> Moments {
        let rows = self.magnitude.size();
        require("moments", x.dtype().is_float() && x.shape().last() == Some(&rows), || {
            format!("inputs are {}, they must be floats [.., {rows}]", x.ty())
        });
        let x = x.reshape(&[-1, rows as isize]);
        let second = lax::dot_general_as(&x, &x, (&[0], &[0]), (&[], &[]), DType::F32);
        Moments {
            second: &self.second + second,
            magnitude: &self.magnitude + x.astype(DType::F32).abs().sum(along(0)),
            count: &self.count + x.shape()[0] as f32,
        }
    }
}
