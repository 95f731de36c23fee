use jarrah_base::{DType, Error, Location};
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::autodiff::jvp;
use crate::error::fail_at;
use crate::function::Function;

/// The derivatives of `f` along a curve: the value of `f(x(t))` at `t = 0` and its derivatives by `t` of orders 1 to `n`, where
/// `series` are the derivatives of `x` of these orders.
///
/// `x(t) = x + series[0] t + series[1] t^2 / 2! + .. + series[n - 1] t^n / n!`
///
/// Each order differentiates the orders below it by forward mode once more, so the cost doubles with each order.
///
/// ```
/// use jarrah_array::{Array, DType, jet};
/// let (one, zero) = (Array::scalar_in(1.0, DType::F64), Array::scalar_in(0.0, DType::F64));
/// // The derivatives of t^3 at t = 2.
/// let (y, series) = jet(|x: &Array| x * x * x, &Array::scalar_in(2.0, DType::F64), &[one, zero.clone(), zero]);
/// assert_eq!(y.item::<f64>()?, 8.0);
/// assert_eq!((series[0].item::<f64>()?, series[1].item::<f64>()?, series[2].item::<f64>()?), (12.0, 12.0, 6.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.jet`.
#[track_caller]
pub fn jet<P: Tree<Array>, R: Tree<Array>>(
    f: impl Function<P, Output = R>,
    x: &P,
    series: &[P],
) -> (R, Vec<R>) {
    let made = Location::caller();
    let wide = x.leaves().iter().any(|leaf| matches!(leaf.dtype(), DType::F64 | DType::C128));
    let start = Array::full(&[], 0, if wide { DType::F64 } else { DType::F32 });
    let along = |t: &Array| {
        let mut moved = x.map_leaves(Array::clone);
        let mut power = t.clone();
        for (order, direction) in (1..).zip(series) {
            let added = moved.zip_map([direction], |x: &Array, [d]: [&Array; 1]| {
                if x.dtype().is_differentiable() { x + d * power.astype(x.dtype()) } else { x.clone() }
            });
            moved = added.unwrap_or_else(|error| {
                let help = "give each order of the series the structure of x";
                fail_at(made, Error::program(error.message()).op("jet").help(help))
            });
            power = power * t / (order + 1);
        }
        vec![f.apply(&moved)]
    };
    let mut orders = derivatives(&along, &start, series.len());
    let rest = orders.split_off(1);
    let value = orders.pop().expect("invariant: the derivative of order zero is always there");
    (value, rest)
}

/// The derivatives of `f` at `t` of orders 0 to `order`.
#[track_caller]
fn derivatives<R: Tree<Array>>(f: &dyn Fn(&Array) -> Vec<R>, t: &Array, order: usize) -> Vec<R> {
    if order == 0 {
        return f(t);
    }
    let below = |t: &Array| derivatives(f, t, order - 1);
    let (mut values, mut slopes) = jvp(below, t, &t.ones_like());
    values.extend(slopes.pop());
    values
}
