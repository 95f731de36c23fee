use std::fmt;
use std::sync::Arc;

use jarrah_array::{Array, DType, Error, fail, where_};

/// A number that depends on the step: a function from the count of updates so far, an `i32` scalar, to an `f32`
/// scalar.
///
/// A plain number is a schedule too.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Schedule;
/// let halves = Schedule::new(|count| 1.0 / (count.astype(jarrah_array::DType::F32) + 1.0));
/// assert_eq!(halves.at(&Array::scalar(3i32)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone)]
pub struct Schedule {
    value: Option<f64>,
    f: Arc<dyn Fn(&Array) -> Array + Send + Sync>,
}

impl Schedule {
    /// The schedule that `f` computes.
    pub fn new(f: impl Fn(&Array) -> Array + Send + Sync + 'static) -> Self {
        Schedule { value: None, f: Arc::new(f) }
    }

    /// The value after `count` updates.
    #[track_caller]
    pub fn at(&self, count: &Array) -> Array {
        (self.f)(count)
    }

    /// The constant value, if the schedule is constant.
    pub fn value(&self) -> Option<f64> {
        self.value
    }
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        constant(value)
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => fmt::Debug::fmt(&value, f),
            None => f.write_str("Schedule"),
        }
    }
}

/// The same value at every step.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_optim::constant(0.5).at(&Array::scalar(9i32)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn constant(value: f64) -> Schedule {
    Schedule { value: Some(value), f: Arc::new(move |_| Array::full(&[], value, DType::F32)) }
}

/// `(init - end) (1 - c / transition_steps)^power + end`, where `c` is the count since `transition_begin`, clamped to
/// `[0, transition_steps]`. Without steps: `init`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::polynomial;
/// assert_eq!(polynomial(1.0, 0.0, 2.0, 4, 0).at(&Array::scalar(2i32)).item::<f32>()?, 0.25);
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
/// use jarrah_optim::linear;
/// assert_eq!(linear(0.0, 1.0, 4).at(&Array::scalar(1i32)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn linear(init: f64, end: f64, transition_steps: usize) -> Schedule {
    polynomial(init, end, 1.0, transition_steps, 0)
}

/// `init ((1 - alpha) (1/2 (1 + cos(pi c / decay_steps)))^exponent + alpha)`, `c = min(count, decay_steps)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::cosine_decay;
/// assert_eq!(cosine_decay(0.5, 10, 0.1, 1.0).at(&Array::scalar(0i32)).item::<f32>()?, 0.5);
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
/// use jarrah_optim::warmup_constant;
/// assert_eq!(warmup_constant(0.0, 1.0, 2).at(&Array::scalar(7i32)).item::<f32>()?, 1.0);
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
/// use jarrah_optim::warmup_cosine_decay;
/// let rate = warmup_cosine_decay(0.0, 0.5, 10, 100, 0.05);
/// assert_eq!(rate.at(&Array::scalar(10i32)).item::<f32>()?, 0.5);
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
    let alpha = if peak == 0.0 { 0.0 } else { end / peak };
    let decay = cosine_decay(peak, decay_steps - warmup_steps, alpha, 1.0);
    join([linear(init, peak, warmup_steps), decay], [warmup_steps])
}

/// `init decay_rate^(count / transition_steps)`; with `staircase`, the exponent is rounded down. Without steps:
/// `init`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::exponential_decay;
/// assert_eq!(exponential_decay(1.0, 2, 0.5, true).at(&Array::scalar(5i32)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn exponential_decay(init: f64, transition_steps: usize, decay_rate: f64, staircase: bool) -> Schedule {
    if transition_steps == 0 || decay_rate == 0.0 {
        return constant(init);
    }
    Schedule::new(move |count| {
        let exponent = count.astype(DType::F32) / transition_steps as f64;
        let exponent = if staircase { exponent.floor() } else { exponent };
        let decayed = Array::full(&[], decay_rate, DType::F32).pow(exponent) * init;
        where_(&count.le(0), init, decayed)
    })
}

/// `init`, multiplied by the scale of each boundary that the count has reached, given as `(boundary, scale)` pairs.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::piecewise_constant;
/// assert_eq!(piecewise_constant(1.0, [(3, 0.5)]).at(&Array::scalar(3i32)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn piecewise_constant(init: f64, pieces: impl IntoIterator<Item = (usize, f64)>) -> Schedule {
    let mut pieces: Vec<(usize, f64)> = pieces.into_iter().collect();
    pieces.sort_by_key(|(boundary, _)| *boundary);
    Schedule::new(move |count| {
        pieces.iter().fold(Array::full(&[], init, DType::F32), |value, &(boundary, scale)| {
            where_(&count.lt(boundary), &value, &value * scale)
        })
    })
}

/// The first schedule until the first boundary, then the second, and so on; each counts from the boundary where it
/// starts.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{constant, join, linear};
/// let schedule = join([constant(1.0), linear(1.0, 0.0, 4)], [10]);
/// assert_eq!(schedule.at(&Array::scalar(12i32)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn join(
    schedules: impl IntoIterator<Item = Schedule>,
    boundaries: impl IntoIterator<Item = usize>,
) -> Schedule {
    let mut schedules = schedules.into_iter();
    let Some(first) = schedules.next() else { fail(Error::program("there is no schedule").op("join")) };
    let (rest, boundaries): (Vec<Schedule>, Vec<usize>) =
        (schedules.collect(), boundaries.into_iter().collect());
    if rest.len() != boundaries.len() {
        let error =
            Error::program(format!("{} boundaries for {} schedules", boundaries.len(), rest.len() + 1));
        fail(error.op("join").help("give one boundary between each schedule and the next"));
    }
    Schedule::new(move |count| {
        let pairs = boundaries.iter().zip(&rest);
        pairs.fold(first.at(count), |before, (&boundary, next)| {
            where_(&count.lt(boundary), before, next.at(&(count - boundary as i64)))
        })
    })
}
