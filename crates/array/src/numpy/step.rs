use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

/// A range with a step, for [`crate::Array::arange`] and for indices; made by [`StepBy::step`].
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped<T> {
    pub(crate) start: Option<T>,
    pub(crate) stop: Option<T>,
    pub(crate) step: T,
}

/// The numbers from `start` to before `stop`, `step` apart: as `start..stop` with a step, also for ranges that run down.
///
/// ```
/// use jarrah_array::{Array, numpy::steps};
/// assert_eq!(Array::arange(steps(7, 0, -3)).to_vec::<i32>()?, [7, 4, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn steps<T>(start: T, stop: T, step: T) -> Stepped<T> {
    Stepped { start: Some(start), stop: Some(stop), step }
}

/// Ranges that take a step, which may be negative.
///
/// ```
/// use jarrah_array::{Array, StepBy};
/// let x = Array::arange(6);
/// assert_eq!(x.index((..).step(-2)).to_vec::<i32>()?, [5, 3, 1]);
/// assert_eq!(x.index((1..5).step(3)).to_vec::<i32>()?, [1, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub trait StepBy<T> {
    /// Every `step`-th number of this range.
    fn step(self, step: T) -> Stepped<T>;
}

impl<T> StepBy<T> for Range<T> {
    fn step(self, step: T) -> Stepped<T> {
        Stepped { start: Some(self.start), stop: Some(self.end), step }
    }
}
impl<T> StepBy<T> for RangeFrom<T> {
    fn step(self, step: T) -> Stepped<T> {
        Stepped { start: Some(self.start), stop: None, step }
    }
}
impl<T> StepBy<T> for RangeTo<T> {
    fn step(self, step: T) -> Stepped<T> {
        Stepped { start: None, stop: Some(self.end), step }
    }
}
impl<T> StepBy<T> for RangeFull {
    fn step(self, step: T) -> Stepped<T> {
        Stepped { start: None, stop: None, step }
    }
}
