use jarrah_array::{Array, DType, Error, fail, where_};

use super::{Schedule, constant, join};
use crate::options::options;

/// `(init - end) (1 - c / transition_steps)^power + end`, where `c` is the count since `transition_begin`, clamped to
/// `[0, transition_steps]`. Without steps: `init`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::polynomial;
/// assert_eq!(polynomial(1.0, 0.0, 2.0, 4, 0).at(&Array::scalar(2)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn polynomial(
    init: f64,
    end: f64,
    power: f64,
    transition_steps: usize,
    transition_begin: usize,
) -> Schedule {
    if transition_steps == 0 {
        return constant(init);
    }
    Schedule::new(move |count| {
        let count = (count - transition_begin as i64).maximum(0).minimum(transition_steps);
        let rest = 1.0 - count.astype(DType::F32) / transition_steps as f64;
        let rest = if power == 1.0 { rest } else { rest.pow(power) };
        rest * (init - end) + end
    })
}

/// From `init` to `end` in `transition_steps` equal steps, then `end`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::linear;
/// assert_eq!(linear(0.0, 1.0, 4).at(&Array::scalar(1)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn linear(init: f64, end: f64, transition_steps: usize) -> Schedule {
    polynomial(init, end, 1.0, transition_steps, 0)
}

/// `init ((1 - alpha) (1/2 (1 + cos(pi c / decay_steps)))^exponent + alpha)`, `c = min(count, decay_steps)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::cosine_decay;
/// assert_eq!(cosine_decay(0.5, 10, 0.1, 1.0).at(&Array::scalar(0)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Loshchilov and Hutter, SGDR (2016).
#[track_caller]
pub fn cosine_decay(init: f64, decay_steps: usize, alpha: f64, exponent: f64) -> Schedule {
    if decay_steps == 0 {
        fail(Error::program("a decay takes at least one step").op("cosine_decay"));
    }
    Schedule::new(move |count| {
        let count = count.minimum(decay_steps).astype(DType::F32);
        let wave = ((count * std::f64::consts::PI / decay_steps as f64).cos() + 1.0) * 0.5;
        let wave = if exponent == 1.0 { wave } else { wave.pow(exponent) };
        (wave * (1.0 - alpha) + alpha) * init
    })
}

/// From `init` to `peak` in `warmup_steps` equal steps, then constant.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::warmup_constant;
/// assert_eq!(warmup_constant(0.0, 1.0, 2).at(&Array::scalar(7)).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn warmup_constant(init: f64, peak: f64, warmup_steps: usize) -> Schedule {
    linear(init, peak, warmup_steps)
}

/// From `init` to `peak` in `warmup_steps` equal steps, then along a cosine to `end` at `decay_steps`, which counts the
/// warmup too.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::warmup_cosine_decay;
/// let rate = warmup_cosine_decay(0.0, 0.5, 10, 100, 0.05);
/// assert_eq!(rate.at(&Array::scalar(10)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Goyal et al., Accurate, large minibatch SGD (2017); Loshchilov and Hutter, SGDR (2016).
#[track_caller]
pub fn warmup_cosine_decay(
    init: f64,
    peak: f64,
    warmup_steps: usize,
    decay_steps: usize,
    end: f64,
) -> Schedule {
    if decay_steps <= warmup_steps {
        let error =
            Error::program(format!("{decay_steps} steps leave no decay after {warmup_steps} of warmup"));
        fail(error.op("warmup_cosine_decay").help("decay_steps counts the warmup: make it larger"));
    }
    warmup_cosine_decay_with(Warmup { init, peak, warmup_steps, decay_steps, end, exponent: 1.0 })
}

/// The numbers of [`warmup_cosine_decay_with`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Warmup {
    /// The first value.
    pub init: f64,
    /// The value after the warmup.
    pub peak: f64,
    /// The steps of the warmup.
    pub warmup_steps: usize,
    /// All steps, the warmup among them.
    pub decay_steps: usize,
    /// The last value.
    pub end: f64,
    /// The power of the cosine.
    pub exponent: f64,
}

/// As [`warmup_cosine_decay`], with a power of the cosine.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::{Warmup, warmup_cosine_decay_with};
/// let warmup = Warmup { init: 0.0, peak: 1.0, warmup_steps: 2, decay_steps: 6, end: 0.0, exponent: 2.0 };
/// assert!((warmup_cosine_decay_with(warmup).at(&Array::scalar(4)).item::<f32>()? - 0.25).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn warmup_cosine_decay_with(warmup: Warmup) -> Schedule {
    let Warmup { init, peak, warmup_steps, decay_steps, end, exponent } = warmup;
    let alpha = if peak == 0.0 { 0.0 } else { end / peak };
    let decay = cosine_decay(peak, decay_steps.saturating_sub(warmup_steps), alpha, exponent);
    join([linear(init, peak, warmup_steps), decay], [warmup_steps])
}

/// Cosine decays with a warmup each, one after another (SGDR).
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::{Warmup, sgdr};
/// let period = Warmup { init: 0.0, peak: 1.0, warmup_steps: 2, decay_steps: 10, end: 0.0, exponent: 1.0 };
/// let schedule = sgdr([period, Warmup { peak: 0.5, ..period }]);
/// assert_eq!(schedule.at(&Array::scalar(12)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Loshchilov and Hutter, SGDR: stochastic gradient descent with warm restarts (2016).
#[track_caller]
pub fn sgdr(periods: impl IntoIterator<Item = Warmup>) -> Schedule {
    let (mut schedules, mut boundaries, mut at) = (Vec::new(), Vec::new(), 0);
    for period in periods {
        schedules.push(warmup_cosine_decay_with(period));
        at += period.decay_steps;
        boundaries.push(at);
    }
    boundaries.pop();
    join(schedules, boundaries)
}

/// `init decay_rate^(count / transition_steps)`; with `staircase`, the exponent is rounded down. Without steps:
/// `init`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::exponential_decay;
/// assert_eq!(exponential_decay(1.0, 2, 0.5, true).at(&Array::scalar(5)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn exponential_decay(init: f64, transition_steps: usize, decay_rate: f64, staircase: bool) -> Schedule {
    exponential_decay_with(
        init,
        transition_steps,
        decay_rate,
        ExponentialDecay { staircase, ..ExponentialDecay::default() },
    )
}

options! {
    /// The options of [`exponential_decay_with`].
    pub struct ExponentialDecay {
        /// The step at which the decay begins.
        transition_begin: usize = 0,
        /// Whether the exponent is rounded down.
        staircase: bool = false,
        /// The value at which the decay ends: the least one, or for a rate above one the largest.
        end: Option<f64> = None,
    }
}

/// As [`exponential_decay`], from a step on, and down to a value.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::{ExponentialDecay, exponential_decay_with};
/// let options = ExponentialDecay { transition_begin: 3, end: Some(0.3), ..ExponentialDecay::default() };
/// let schedule = exponential_decay_with(1.0, 1, 0.5, options);
/// let at = |count: i32| schedule.at(&Array::scalar(count)).item::<f32>();
/// assert_eq!((at(3)?, at(4)?, at(9)?), (1.0, 0.5, 0.3));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn exponential_decay_with(
    init: f64,
    transition_steps: usize,
    decay_rate: f64,
    options: ExponentialDecay,
) -> Schedule {
    if transition_steps == 0 || decay_rate == 0.0 {
        return constant(init);
    }
    let ExponentialDecay { transition_begin, staircase, end } = options;
    Schedule::new(move |count| {
        let count = count - transition_begin as i64;
        let exponent = count.astype(DType::F32) / transition_steps as f64;
        let exponent = if staircase { exponent.floor() } else { exponent };
        let decayed = Array::full(&[], decay_rate, DType::F32).pow(exponent) * init;
        let value = where_(&count.le(0), init, decayed);
        match end {
            Some(end) if decay_rate < 1.0 => value.maximum(end),
            Some(end) => value.minimum(end),
            None => value,
        }
    })
}

/// From `init` to `peak` in `warmup_steps` equal steps, then an exponential decay.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::{ExponentialDecay, warmup_exponential_decay};
/// let schedule = warmup_exponential_decay(0.0, 1.0, 2, 1, 0.5, ExponentialDecay::default());
/// assert_eq!(schedule.at(&Array::scalar(3)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn warmup_exponential_decay(
    init: f64,
    peak: f64,
    warmup_steps: usize,
    transition_steps: usize,
    decay_rate: f64,
    options: ExponentialDecay,
) -> Schedule {
    let decay = exponential_decay_with(peak, transition_steps, decay_rate, options);
    join([linear(init, peak, warmup_steps), decay], [warmup_steps])
}
