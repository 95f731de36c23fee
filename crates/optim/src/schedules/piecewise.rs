use jarrah_array::{Array, DType, Error, fail, where_};

use super::Schedule;

/// `init`, multiplied by the scale of each boundary that the count has reached, given as `(boundary, scale)` pairs.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::piecewise_constant;
/// assert_eq!(piecewise_constant(1.0, [(3, 0.5)]).at(&Array::scalar(3)).item::<f32>()?, 0.5);
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
/// use jarrah_optim::schedules::{constant, join, linear};
/// let schedule = join([constant(1.0), linear(1.0, 0.0, 4)], [10]);
/// assert_eq!(schedule.at(&Array::scalar(12)).item::<f32>()?, 0.5);
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

/// How [`piecewise_interpolate`] goes from one value to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// In equal steps.
    Linear,
    /// Along half a cosine.
    Cosine,
}

/// From `init` to the values that it has, multiplied by the scale of each boundary, where the count reaches the boundary; after the last
/// one constant.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::{Interpolation, piecewise_interpolate};
/// let schedule = piecewise_interpolate(Interpolation::Linear, 1.0, [(4, 3.0), (8, 0.0)]);
/// assert_eq!(schedule.at(&Array::scalar(2)).item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn piecewise_interpolate(
    interpolation: Interpolation,
    init: f64,
    pieces: impl IntoIterator<Item = (usize, f64)>,
) -> Schedule {
    let mut pieces: Vec<(usize, f64)> = pieces.into_iter().collect();
    pieces.sort_by_key(|(boundary, _)| *boundary);
    Schedule::new(move |count| {
        let (mut from, mut start) = (0, init);
        let mut value = Array::full(&[], init, DType::F32);
        for &(boundary, scale) in &pieces {
            let end = start * scale;
            let part = (count - from as i64).astype(DType::F32) / (boundary - from).max(1) as f64;
            let between = match interpolation {
                Interpolation::Linear => part * (end - start) + start,
                Interpolation::Cosine => {
                    ((part * std::f64::consts::PI).cos() + 1.0) * ((start - end) / 2.0) + end
                }
            };
            value = where_(&count.lt(from), value, between);
            (from, start) = (boundary, end);
        }
        where_(&count.lt(from), value, start)
    })
}

/// One cycle of straight lines: from `peak / div` to `peak` in the first `start` of the steps, back until `end` of them, then to
/// `peak / div / final_div`. Usual are `start = 0.3`, `end = 0.85`, `div = 25`, `final_div = 1e4`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::linear_onecycle;
/// let schedule = linear_onecycle(100, 1.0, 0.3, 0.85, 25.0, 1e4);
/// assert!((schedule.at(&Array::scalar(30)).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Smith and Topin, Super-convergence (2017).
#[track_caller]
pub fn linear_onecycle(steps: usize, peak: f64, start: f64, end: f64, div: f64, final_div: f64) -> Schedule {
    let at = |part: f64| (part * steps as f64) as usize;
    check_cycle(steps, "linear_onecycle");
    let pieces = [(at(start), div), (at(end), 1.0 / div), (steps, 1.0 / final_div)];
    piecewise_interpolate(Interpolation::Linear, peak / div, pieces)
}

/// One cycle of cosines: from `peak / div` to `peak` in the first `start` of the steps, then to `peak / div / (div final_div)`. Usual are
/// `start = 0.3`, `div = 25`, `final_div = 1e4`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::cosine_onecycle;
/// let schedule = cosine_onecycle(100, 1.0, 0.3, 25.0, 1e4);
/// assert!((schedule.at(&Array::scalar(30)).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Smith and Topin, Super-convergence (2017).
#[track_caller]
pub fn cosine_onecycle(steps: usize, peak: f64, start: f64, div: f64, final_div: f64) -> Schedule {
    check_cycle(steps, "cosine_onecycle");
    let pieces = [((start * steps as f64) as usize, div), (steps, 1.0 / (div * final_div))];
    piecewise_interpolate(Interpolation::Cosine, peak / div, pieces)
}

#[track_caller]
fn check_cycle(steps: usize, op: &'static str) {
    if steps == 0 {
        fail(Error::program("a cycle takes at least one step").op(op));
    }
}
