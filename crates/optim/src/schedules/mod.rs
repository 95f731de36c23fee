//! Numbers that change with the count of steps, such as learning rates: constant, decaying, warmed up, in pieces.

mod decay;
mod piecewise;

use std::fmt;
use std::ops::{Mul, Neg};
use std::sync::Arc;

use jarrah_array::{Array, DType};

pub use decay::{
    ExponentialDecay, Warmup, cosine_decay, exponential_decay, exponential_decay_with, linear, polynomial,
    sgdr, warmup_constant, warmup_cosine_decay, warmup_cosine_decay_with, warmup_exponential_decay,
};
pub use piecewise::{
    Interpolation, cosine_onecycle, join, linear_onecycle, piecewise_constant, piecewise_interpolate,
};

/// A number that depends on the step: a function from the count of updates so far, an `i32` scalar, to a float scalar.
///
/// A plain number and an array, such as a hyper-parameter that a state holds, are schedules too. Schedules are negated, multiplied by
/// numbers, and composed with [`Schedule::map`].
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_optim::Schedule;
/// let halves = Schedule::new(|count| 1.0 / (count.astype(jarrah_array::DType::F32) + 1.0));
/// assert_eq!(halves.at(&Array::scalar(3)).item::<f32>()?, 0.25);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone)]
pub struct Schedule(Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Constant(f64),
    Array(Array),
    Function(Arc<dyn Fn(&Array) -> Array + Send + Sync>),
}

/// The value of a schedule at a step.
#[derive(Clone, Debug)]
pub(crate) enum Rate {
    Number(f64),
    Array(Array),
}

impl Rate {
    /// `x` times the value, in the dtype of `x`.
    pub(crate) fn times(&self, x: &Array) -> Array {
        match self {
            Rate::Number(value) => x * *value,
            Rate::Array(value) => x * value.astype(x.dtype()),
        }
    }
}

impl Schedule {
    /// The schedule that `f` computes.
    pub fn new(f: impl Fn(&Array) -> Array + Send + Sync + 'static) -> Self {
        Schedule(Kind::Function(Arc::new(f)))
    }

    /// The value after `count` updates.
    #[track_caller]
    pub fn at(&self, count: &Array) -> Array {
        match &self.0 {
            Kind::Constant(value) => Array::full(&[], *value, DType::F32),
            Kind::Array(array) => array.clone(),
            Kind::Function(f) => f(count),
        }
    }

    /// The constant value, if the schedule is a number.
    pub fn value(&self) -> Option<f64> {
        match self.0 {
            Kind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The value of the schedule after `count` updates, as a number if it is constant.
    pub(crate) fn rate(&self, count: &Array) -> Rate {
        match self.0 {
            Kind::Constant(value) => Rate::Number(value),
            _ => Rate::Array(self.at(count)),
        }
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.0
    }

    /// `f` of the value: of a number where the schedule is a number, else of an array.
    ///
    /// ```
    /// use jarrah_optim::Schedule;
    /// use jarrah_optim::schedules::constant;
    /// let square = |s: Schedule| s.map(|x| x * x, |x| x.square());
    /// assert_eq!(square(constant(3.0)).value(), Some(9.0));
    /// ```
    pub fn map(
        self,
        number: impl Fn(f64) -> f64,
        array: impl Fn(&Array) -> Array + Send + Sync + 'static,
    ) -> Self {
        Schedule(match self.0 {
            Kind::Constant(value) => Kind::Constant(number(value)),
            Kind::Array(value) => Kind::Array(array(&value)),
            Kind::Function(f) => Kind::Function(Arc::new(move |count| array(&f(count)))),
        })
    }
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        constant(value)
    }
}

impl From<Array> for Schedule {
    fn from(value: Array) -> Self {
        Schedule(Kind::Array(value))
    }
}

impl From<&Array> for Schedule {
    fn from(value: &Array) -> Self {
        value.clone().into()
    }
}

impl Neg for Schedule {
    type Output = Schedule;

    fn neg(self) -> Schedule {
        self.map(|x| -x, |x| -x)
    }
}

impl Mul<f64> for Schedule {
    type Output = Schedule;

    fn mul(self, by: f64) -> Schedule {
        self.map(|x| x * by, move |x| x * by)
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Constant(value) => fmt::Debug::fmt(value, f),
            Kind::Array(array) => fmt::Debug::fmt(array, f),
            Kind::Function(_) => f.write_str("Schedule"),
        }
    }
}

/// A constant schedule: `value` at every step.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_optim::schedules::constant(0.5).at(&Array::scalar(9)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn constant(value: f64) -> Schedule {
    Schedule(Kind::Constant(value))
}
