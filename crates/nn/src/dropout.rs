use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, fail, where_};

use crate::axes::resolved;
use crate::{Context, Module, StaticFloat};

/// Zeroes each element with probability `rate` and divides the others by `1 - rate`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Dropout, Module};
/// let dropout = Dropout::new(0.5);
/// let x = Array::ones(&[8]);
/// assert_eq!(dropout.forward(&x).to_vec::<f32>()?, [1.0; 8]);
/// assert!(dropout.apply(&x, &Key::new(0)).to_vec::<f32>()?.iter().all(|&y| y == 0.0 || y == 2.0));
/// // Whole rows.
/// let y = Dropout::new(0.5).with_broadcast_axes(&[-1]).apply(&Array::ones(&[4, 2]), &Key::new(0));
/// assert!(y.to_vec::<f32>()?.chunks(2).all(|row| row[0] == row[1]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Srivastava et al., Dropout (2014).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Tree)]
pub struct Dropout {
    /// The probability of a zero.
    #[tree(static)]
    pub rate: StaticFloat,
    /// The axes along which elements are dropped or kept together; negative ones from the end.
    #[tree(static)]
    pub broadcast_axes: Vec<isize>,
}

impl Dropout {
    /// Dropout with a rate in `[0, 1]`; any other rate is a program error.
    #[track_caller]
    pub fn new(rate: f64) -> Self {
        if !(0.0..=1.0).contains(&rate) {
            let error = Error::program(format!("a rate of {rate}")).op("dropout");
            fail(error.help("give the probability of a zero, from 0 to 1"));
        }
        Dropout { rate: rate.into(), broadcast_axes: Vec::new() }
    }

    /// Dropout of all elements along these axes together.
    #[must_use]
    pub fn with_broadcast_axes(self, axes: &[isize]) -> Self {
        Dropout { broadcast_axes: axes.to_vec(), ..self }
    }

    /// `x` with the elements dropped that `key` draws, as [`call`](Module::call) does in a pass that trains.
    #[track_caller]
    pub fn apply(&self, x: &Array, key: &Key) -> Array {
        let rate = self.rate.get();
        if rate <= 0.0 {
            return x.clone();
        }
        if rate >= 1.0 {
            return x.zeros_like();
        }
        let mut shape = x.shape().to_vec();
        for axis in resolved("dropout", &self.broadcast_axes, shape.len()) {
            shape[axis] = 1;
        }
        let kept = key.bernoulli(1.0 - rate, &shape).broadcast_to(&x.shape());
        where_(&kept, x / (1.0 - rate), 0.0)
    }
}

/// With a key of the stream `dropout`, in a pass that trains.
impl Module for Dropout {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let key = if cx.is_training() { cx.key("dropout") } else { None };
        key.map_or_else(|| x.clone(), |key| self.apply(x, &key))
    }
}
