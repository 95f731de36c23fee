use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, fail, where_};

use crate::axes::resolved;
use crate::{Context, Module, StaticFloat};

/// Zeroes each element with probability `rate` and divides the others by `1 - rate`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::Dropout;
/// let dropout = Dropout::new(0.5);
/// let x = Array::ones(&[8]);
/// assert_eq!(dropout.forward(&x, None).to_vec::<f32>()?, [1.0; 8]);
/// assert!(dropout.forward(&x, Some(&Key::new(0))).to_vec::<f32>()?.iter().all(|&y| y == 0.0 || y == 2.0));
/// // Whole rows.
/// let y = Dropout::new(0.5).with_broadcast_axes(&[-1]).forward(&Array::ones(&[4, 2]), Some(&Key::new(0)));
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

    /// `x` with random elements dropped; without a key, as in evaluation, `x` itself.
    #[track_caller]
    pub fn forward(&self, x: &Array, key: Option<&Key>) -> Array {
        let rate = self.rate.get();
        match key {
            _ if rate <= 0.0 => x.clone(),
            None => x.clone(),
            Some(_) if rate >= 1.0 => x.zeros_like(),
            Some(key) => {
                let mut shape = x.shape().to_vec();
                for axis in resolved("dropout", &self.broadcast_axes, shape.len()) {
                    shape[axis] = 1;
                }
                let kept = key.bernoulli(1.0 - rate, &shape).broadcast_to(&x.shape());
                where_(&kept, x / (1.0 - rate), 0.0)
            }
        }
    }
}

/// With a key of the stream `dropout`, in a pass that trains.
impl Module for Dropout {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let key = if cx.is_training() { cx.key("dropout") } else { None };
        self.forward(x, key.as_ref())
    }
}
