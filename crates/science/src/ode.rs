//! Ordinary differential equations.

use jarrah_array::library::with_context;
use jarrah_array::numpy::concatenate;
use jarrah_array::{Array, custom_vjp, fail, ravel, scan, scan_reverse, vjp, vmap, where_, while_loop};
use jarrah_base::{Error, Location};
use jarrah_tree::{Tree, TreeExt};

use crate::relay;

/// The error allowed, and the most steps.
#[derive(Clone, Copy, Debug)]
pub struct OdeOptions {
    /// The error allowed in a step, relative to the state.
    pub rtol: f64,
    /// The error allowed in a step, absolute.
    pub atol: f64,
    /// The most steps between two times; any number if not given.
    pub mxstep: Option<usize>,
    /// The longest step.
    pub hmax: f64,
}

impl Default for OdeOptions {
    fn default() -> Self {
        OdeOptions { rtol: 1.4e-8, atol: 1.4e-8, mxstep: None, hmax: f64::INFINITY }
    }
}

/// The states `y` at `times` of the system `dy/dt = f(y, t, args)` that starts with `y0` at the first time: a tree like `y0`, whose
/// leaves have a first axis for the times.
///
/// Steps of the pair of Dormand and Prince of orders 5 and 4 adapt to the error; between them a polynomial of degree 4 gives the
/// states. Times increase strictly. Reverse mode solves the adjoint system backwards in time, with derivatives by `y0`, `times` and
/// `args`; what `f` captures must not be differentiated.
///
/// # Errors
///
/// A program error if `times` are not a vector of floats, or the state is not of floats.
///
/// ```
/// use jarrah_array::{Array, DType, grad};
/// use jarrah_science::ode;
/// let times = Array::from_slice(&[0.0f64, 0.5, 1.0]);
/// let decay = |rate: &Array| {
///     let f = |y: &Array, _: &Array, rate: &Array| -(y * rate);
///     ode::odeint(f, &Array::scalar_in(1.0, DType::F64), &times, rate, &Default::default()).index(-1)
/// };
/// let rate = Array::scalar_in(2.0, DType::F64);
/// assert!((decay(&rate).item::<f64>()? - (-2.0f64).exp()).abs() < 1e-7);
/// assert!((grad(decay)(&rate).item::<f64>()? + (-2.0f64).exp()).abs() < 1e-7);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dormand and Prince, A family of embedded Runge-Kutta formulae (1980); Hairer, Norsett and Wanner, Solving ordinary
/// differential equations I, II.4; Shampine, Some practical Runge-Kutta formulas (1986), for the error and the middle
/// of a step.
#[track_caller]
pub fn odeint<Y: Tree<Array>, A: Tree<Array>>(
    f: impl Fn(&Y, &Array, &A) -> Y,
    y0: &Y,
    times: &Array,
    args: &A,
    options: &OdeOptions,
) -> Y {
    let (start, unravel) = ravel(y0);
    for (array, name) in [(&start, "the state is"), (times, "the times are")] {
        if !array.dtype().is_differentiable() || array.rank() != 1 {
            let error = Error::program(format!("{name} {}", array.ty())).op("odeint");
            let help = "the state is of floats, and the times are a vector of floats";
            fail(with_context(error.at(Location::caller()).help(help)));
        }
    }
    let field = |y: &Array, t: &Array, args: &A| ravel(&f(&unravel(y), t, args)).0.astype(y.dtype());
    let solve = |(y0, times, args): &(Array, Array, A)| {
        integrate(&|y: &Array, t: &Array| field(y, t, args), y0, times, options)
    };
    let forward = |inputs: &(Array, Array, A)| {
        let states = solve(inputs);
        let kept = (states.clone(), inputs.1.clone(), inputs.2.map_leaves(Array::clone));
        (states, kept)
    };
    let backward = |(states, times, args): &(Array, Array, A), ct: &Array| {
        adjoint(&field, states, times, args, ct, options)
    };
    let inputs = (start.clone(), times.clone(), args.map_leaves(Array::clone));
    relay(Location::caller(), || {
        let states = custom_vjp(solve, forward, backward)(&inputs);
        vmap(|state: &Array| unravel(state))(&states)
    })
}

/// A system over one vector.
type Field<'a> = &'a dyn Fn(&Array, &Array) -> Array;

/// The cotangents of the start, the times and the arguments: the adjoint system, solved from each time to the one before it.
#[track_caller]
fn adjoint<A: Tree<Array>>(
    field: &dyn Fn(&Array, &Array, &A) -> Array,
    states: &Array,
    times: &Array,
    args: &A,
    ct: &Array,
    options: &OdeOptions,
) -> (Array, Array, A) {
    let count = times.size();
    let later = |x: &Array| x.slice(0, 1..);
    let earlier = |x: &Array| x.slice(0, ..count - 1);
    let step = |(by_state, by_start, by_args): &(Array, Array, A),
                (state, ct, before, ends): &(Array, Array, Array, Array)| {
        let time = ends.index(0);
        let by_time = (field(state, &-&time, args) * ct).sum(0).real().astype(times.dtype());
        let init = (state.clone(), by_state.clone(), by_start - &by_time, by_args.map_leaves(Array::clone));
        let (flat, unravel) = ravel(&init);
        // Time runs backwards: its negative increases.
        let augmented = |flat: &Array, t: &Array| {
            let (y, by_state, ..) = unravel(flat);
            let inputs = (y, -t, args.map_leaves(Array::clone));
            let (slope, pull) = vjp(|(y, t, args): &(Array, Array, A)| field(y, t, args), &inputs);
            let (by_state, by_time, by_args) = pull(&by_state);
            ravel(&(-slope, by_state, by_time, by_args)).0.astype(flat.dtype())
        };
        let (_, by_state, by_start, by_args) =
            unravel(&integrate(&augmented, &flat, ends, options).index(-1));
        ((by_state + before, by_start, by_args), by_time)
    };
    let ends = jarrah_array::stack(&[&-later(times), &-earlier(times)], 1);
    let init = (ct.index(-1), Array::full(&[], 0, times.dtype()), args.map_leaves(Array::zeros_like));
    let steps = (later(states), later(ct), earlier(ct), ends);
    let ((by_state, by_start, by_args), by_times) = scan_reverse(step, &init, &steps);
    (by_state, concatenate(&[&by_start.reshape(&[1]), &by_times], 0), by_args)
}

/// The last step taken: the state and its slope at the end, the end, the length of the next step, the start, and the
/// coefficients of the polynomial in the share of the step, that of the highest power first.
type Step = (Array, Array, Array, Array, Array, Array);

/// The states at `times`, one in each row.
#[track_caller]
fn integrate(f: Field, y0: &Array, times: &Array, options: &OdeOptions) -> Array {
    let first = times.index(0);
    let slope = f(y0, &first);
    let length = first_length(f, &first, y0, &slope, options).astype(times.dtype()).clip(0, options.hmax);
    let flat = jarrah_array::stack(&[y0, y0, y0, y0, y0], 0);
    let init: Step = (y0.clone(), slope, first.clone(), length, first, flat);
    let until = |last: &Step, target: &Array| {
        let goes_on = |(count, (_, _, t, length, ..)): &(Array, Step)| {
            let goes_on = t.lt(target) & length.gt(0);
            match options.mxstep {
                Some(most) => goes_on & count.lt(most),
                None => goes_on,
            }
        };
        let advance = |(count, step): &(Array, Step)| (count + 1, advance(f, step, options));
        let (_, step) = while_loop(goes_on, advance, &(Array::scalar(0i64), last.clone()));
        let (_, _, end, _, start, coefficients) = &step;
        let share = ((target - start) / (end - start)).astype(y0.dtype());
        let mut y = coefficients.index(0);
        for power in 1..5 {
            y = y * &share + coefficients.index(power);
        }
        (step, y)
    };
    let (_, states) = scan(until, &init, &times.slice(0, 1..));
    concatenate(&[&y0.expand_dims(0), &states], 0)
}

/// Slopes inside a step: the share of the step, and what of the slopes before leads there.
const STAGES: [(f64, &[f64]); 6] = [
    (1.0 / 5.0, &[1.0 / 5.0]),
    (3.0 / 10.0, &[3.0 / 40.0, 9.0 / 40.0]),
    (4.0 / 5.0, &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0]),
    (8.0 / 9.0, &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0]),
    (1.0, &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0]),
    (1.0, &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0]),
];

/// The difference of the solution of order 5 and the one of order 4 that Shampine embeds, by slopes.
const ERROR: [f64; 7] = [
    35.0 / 384.0 - 1951.0 / 21600.0,
    0.0,
    500.0 / 1113.0 - 22642.0 / 50085.0,
    125.0 / 192.0 - 451.0 / 720.0,
    -2187.0 / 6784.0 + 12231.0 / 42400.0,
    11.0 / 84.0 - 649.0 / 6300.0,
    -1.0 / 60.0,
];

/// The state in the middle of a step by slopes.
const MIDDLE: [f64; 7] = [
    6025192743.0 / 30085553152.0 / 2.0,
    0.0,
    51252292925.0 / 65400821598.0 / 2.0,
    -2691868925.0 / 45128329728.0 / 2.0,
    187940372067.0 / 1594534317056.0 / 2.0,
    -1776094331.0 / 19743644256.0 / 2.0,
    11237099.0 / 235043384.0 / 2.0,
];

/// The sum of slopes with weights.
#[track_caller]
fn combine(weights: &[f64], slopes: &[Array]) -> Array {
    let mut sum = &slopes[0] * weights[0];
    for (weight, slope) in weights.iter().zip(slopes).skip(1).filter(|(weight, _)| **weight != 0.0) {
        sum += slope * *weight;
    }
    sum
}

/// One step where its error is allowed; else the same place with a shorter step to try.
#[track_caller]
fn advance(f: Field, last: &Step, options: &OdeOptions) -> Step {
    let (y, slope, t, length, start, coefficients) = last;
    let dt = length.astype(y.dtype());
    let mut slopes = vec![slope.clone()];
    let mut next = y.clone();
    for (share, weights) in STAGES {
        next = y + &dt * combine(weights, &slopes);
        slopes.push(f(&next, &(t + length * share)));
    }
    let end_slope = &slopes[6];
    let error = &dt * combine(&ERROR, &slopes);
    let allowed = y.abs().maximum(next.abs()) * options.rtol + options.atol;
    let ratio = (error.abs() / allowed).square().mean(..).sqrt().astype(length.dtype());
    // The quartic through both ends with their slopes, and through the middle.
    let middle = y + &dt * combine(&MIDDLE, &slopes);
    let (rise, half) = (&next - y, &middle - y);
    let (from, to) = (&dt * slope, &dt * end_slope);
    let quartic = jarrah_array::stack(
        &[
            &((&to - &from) * 2 - &rise * 8 + &half * 16),
            &(&from * 5 - &to * 3 + &rise * 14 - &half * 32),
            &(&to - &from * 4 - &rise * 5 + &half * 16),
            &from,
            y,
        ],
        0,
    );
    let shortest = where_(&ratio.lt(1), 1.0, Array::full(&[], 0.2, ratio.dtype()));
    let still = ratio.eq(0);
    let factor = (where_(&still, 1, &ratio).pow(-0.2) * 0.9).maximum(shortest).minimum(10);
    let proposed = (length * where_(&still, 10, factor)).clip(0, options.hmax);
    let taken = ratio.le(1);
    (
        where_(&taken, next, y),
        where_(&taken, end_slope, slope),
        where_(&taken, t + length, t),
        proposed,
        where_(&taken, t, start),
        where_(&taken, quartic, coefficients),
    )
}

/// A length for the first step.
#[track_caller]
fn first_length(f: Field, t: &Array, y: &Array, slope: &Array, options: &OdeOptions) -> Array {
    let scale = y.abs() * options.rtol + options.atol;
    let size = |x: &Array| (x.abs() / &scale).square().sum(..).sqrt();
    let (d0, d1) = (size(y), size(slope));
    let tiny = d0.lt(1e-5) | d1.lt(1e-5);
    let h0 = where_(&tiny, 1e-6, &d0 * 0.01 / where_(&tiny, 1, &d1));
    let ahead = f(&(y + h0.astype(y.dtype()) * slope), &(t + h0.astype(t.dtype())));
    let d2 = size(&(ahead - slope)) / &h0;
    let largest = d1.maximum(&d2);
    let still = largest.le(1e-15);
    let h1 = (0.01 / where_(&still, 1, &largest)).pow(0.2);
    let h1 = where_(&still, (&h0 * 1e-3).maximum(1e-6), h1);
    (h0 * 100).minimum(h1)
}
