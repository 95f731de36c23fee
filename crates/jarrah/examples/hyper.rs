//! A regression learns how strongly to shrink each of its weights, by the gradient of the error on other data.
//!
//! The gradient goes through the fit in two ways: through every step of an inner gradient descent, and by the implicit function
//! theorem, for which the fit is a `custom_vjp` that asks its optimum only, not how it was found.
//!
//! Source: Bengio, Gradient-based optimization of hyperparameters (2000).

use jarrah::Result;
use jarrah::array::linalg::solve;
use jarrah::array::random::Key;
use jarrah::array::{Array, custom_vjp, grad, hessian, jit, remat, scan_length, value_and_grad, vjp};
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

const FEATURES: usize = 20;
/// Only so many of the features matter.
const USED: usize = 4;
const SAMPLES: usize = 30;

type Data = (Array, Array);

fn data(key: &Key, samples: usize) -> Data {
    let (first, second) = key.pair();
    let x = first.normal(&[samples, FEATURES]);
    let y = x.slice(1, ..USED).sum(1) + second.normal(&[samples]) * 0.5;
    (x, y)
}

fn error(w: &Array, (x, y): &Data) -> Array {
    (x.matmul(w) - y).square().mean(..)
}

/// What the fit makes small: the error and the weights, each weight with its own penalty, `sigmoid(shrink)`.
fn objective(w: &Array, shrink: &Array, train: &Data) -> Array {
    error(w, train) + (shrink.sigmoid() * w.square()).sum(..)
}

/// The weights after gradient descent, whose steps are computed again in the backward pass instead of kept.
fn descend(shrink: &Array, train: &Data) -> Array {
    let step = remat(|(w, shrink, train): &(Array, Array, Data)| {
        w - 0.15 * grad(|w: &Array| objective(w, shrink, train))(w)
    });
    let body = |w: &Array, (): &()| (step(&(w.clone(), shrink.clone(), train.clone())), ());
    scan_length(body, &Array::zeros(&[FEATURES]), &(), 500).0
}

/// The same weights. With `g(w, s)` the gradient of the objective, `g(w(s), s) = 0` says `dw/ds = -H^-1 dg/ds`.
fn optimum(shrink: &Array, train: &Data) -> Array {
    let fit = |(shrink, train): &(Array, Data)| descend(shrink, train);
    let forward = move |args: &(Array, Data)| {
        let w = fit(args);
        (w.clone(), (w, args.0.clone(), args.1.clone()))
    };
    let backward = |(w, shrink, train): &(Array, Array, Data), cotangent: &Array| {
        let curvature = hessian(|w: &Array| objective(w, shrink, train))(w);
        let direction = solve(&curvature, cotangent);
        let slope = |args: &(Array, Data)| grad(|w: &Array| objective(w, &args.0, &args.1))(w);
        vjp(slope, &(shrink.clone(), train.clone())).1(&-direction)
    };
    custom_vjp(fit, forward, backward)(&(shrink.clone(), train.clone()))
}

/// What was learned.
pub struct Tuned {
    /// The largest difference of the two gradients at the start, as a share of the largest element.
    pub disagreement: f32,
    /// The error on a third set of data, before and after tuning.
    pub errors: [f32; 2],
    /// The mean penalty on weights that matter, and on the others.
    pub penalties: [f32; 2],
}

/// Tunes the penalties in `steps` steps.
pub fn tune(steps: usize) -> Result<Tuned> {
    let keys = Key::new(5).split(3);
    let [train, valid, test] = [0, 1, 2].map(|i| data(&keys[i], SAMPLES * [1, 4, 20][i]));
    let start = Array::full(&[FEATURES], -3.0, jarrah::array::DType::F32);

    let unrolled = grad(|s: &Array| error(&descend(s, &train), &valid))(&start);
    let implicit = grad(|s: &Array| error(&optimum(s, &train), &valid))(&start);
    let disagreement = (&unrolled - implicit).abs().max(..) / unrolled.abs().max(..);

    let tested = {
        let train = train.clone();
        jit(move |shrink: &Array| error(&descend(shrink, &train), &test))
    };
    let before = tested.call(start.clone())?.item()?;
    let optimizer = adam(0.1, Adam::default());
    let mut state = (start.clone(), optimizer.init(&start));
    let step = jit(move |(shrink, opt): &(Array, Leaves)| {
        let (value, slopes) = value_and_grad(|s: &Array| error(&optimum(s, &train), &valid))(shrink);
        let (updates, opt) = optimizer.update(&slopes, opt, shrink);
        ((apply_updates(shrink, &updates), opt), value)
    });
    for i in 0..steps {
        let value: Array;
        (state, value) = step.call(state)?;
        if i % 20 == 0 {
            println!("step {i}: validation error {:.4}", value.item::<f32>()?);
        }
    }
    let penalty = state.0.sigmoid();
    let penalties = [penalty.slice(0, ..USED).mean(..).item()?, penalty.slice(0, USED..).mean(..).item()?];
    let errors = [before, tested.call(state.0)?.item()?];
    Ok(Tuned { disagreement: disagreement.item()?, errors, penalties })
}

fn main() -> Result<()> {
    let Tuned { disagreement, errors: [before, after], penalties: [used, unused] } = tune(60)?;
    println!("the unrolled and the implicit gradient differ by {disagreement:.1e}");
    println!(
        "test error {after:.3}, {before:.3} before; penalty {used:.2} where it matters, {unused:.2} elsewhere"
    );
    Ok(())
}
