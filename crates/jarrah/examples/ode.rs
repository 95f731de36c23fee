//! The parameters of a differential equation are learned from a trajectory, with gradients by the adjoint equation.
//!
//! Reverse mode through a solver keeps every step. The adjoint integrates another equation backwards instead, and keeps the last
//! state only: a `custom_vjp`, whose backward pass uses `vjp` of the vector field. The example compares both gradients.
//!
//! Source: Chen et al., Neural ordinary differential equations (2018), algorithm 1.

use jarrah::Result;
use jarrah::array::{Array, Tree, TreeExt, custom_vjp, grad, jit, scan_length, value_and_grad, vjp};
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

/// Observations are this far apart in time, with this many steps of the solver between them.
const INTERVAL: f64 = 0.25;
const SUBSTEPS: usize = 10;
const OBSERVATIONS: usize = 32;

/// Predators and prey: `y' = field(y, p)`.
fn field((y, p): &(Array, Array)) -> Array {
    let (prey, hunters) = (y.index(0), y.index(1));
    let growth = (p.index(0) - p.index(1) * &hunters) * &prey;
    let decline = (p.index(2) * &prey - p.index(3)) * &hunters;
    jarrah::array::stack(&[&growth, &decline], 0)
}

/// A tree after `SUBSTEPS` steps of the classical Runge-Kutta method, all `INTERVAL` together.
fn flow<S: Tree<Array>>(f: impl Fn(&S) -> S, start: &S) -> S {
    let h = INTERVAL / SUBSTEPS as f64;
    let moved =
        |y: &S, k: &S, by: f64| y.zip_map([k], |y, [k]| y + k * by).expect("the field keeps the structure");
    let step = |y: &S, (): &()| {
        let k1 = f(y);
        let k2 = f(&moved(y, &k1, h / 2.0));
        let k3 = f(&moved(y, &k2, h / 2.0));
        let k4 = f(&moved(y, &k3, h));
        let sum = moved(&moved(&moved(&k1, &k2, 2.0), &k3, 2.0), &k4, 1.0);
        (moved(y, &sum, h / 6.0), ())
    };
    scan_length(step, start, &(), SUBSTEPS).0
}

/// The state an interval later, differentiated step by step.
fn advance((y, p): &(Array, Array)) -> Array {
    flow(|y: &Array| field(&(y.clone(), p.clone())), y)
}

/// The same, differentiated by the adjoint equation: `y' = f`, `a' = -a df/dy`, `g' = -a df/dp`, all backwards in time.
fn advance_adjoint(args: &(Array, Array)) -> Array {
    let forward = |(y, p): &(Array, Array)| {
        let end = advance(&(y.clone(), p.clone()));
        (end.clone(), (end, p.clone()))
    };
    let backward = |(end, p): &(Array, Array), cotangent: &Array| {
        let reversed = |(y, a, _): &(Array, Array, Array)| {
            let (velocity, pull) = vjp(field, &(y.clone(), p.clone()));
            let (of_state, of_parameters) = pull(a);
            (-velocity, of_state, of_parameters)
        };
        let (_, of_state, of_parameters) = flow(reversed, &(end.clone(), cotangent.clone(), p.zeros_like()));
        (of_state, of_parameters)
    };
    custom_vjp(advance, forward, backward)(args)
}

/// The states at the observations, `[OBSERVATIONS, 2]`.
fn trajectory(advance: impl Fn(&(Array, Array)) -> Array, start: &Array, p: &Array) -> Array {
    let step = |y: &Array, (): &()| {
        let next = advance(&(y.clone(), p.clone()));
        (next.clone(), next)
    };
    scan_length(step, start, &(), OBSERVATIONS).1
}

/// What was learned.
pub struct Fit {
    /// The parameters that the trajectory was made with, and those found.
    pub parameters: [Vec<f32>; 2],
    /// The largest difference of the two gradients at the start, as a share of the largest element.
    pub disagreement: f32,
}

/// Learns the parameters from a trajectory in `steps` steps.
pub fn fit(steps: usize) -> Result<Fit> {
    let truth = Array::from_slice(&[1.1f32, 0.4, 0.1, 0.4]);
    let start = Array::from_slice(&[10.0f32, 2.0]);
    let observed = trajectory(advance, &start, &truth);
    let guess = Array::from_slice(&[0.8f32, 0.3, 0.15, 0.5]);
    let error = |seen: Array| (seen.log() - observed.log()).square().mean(..);

    let by_steps = grad(|p: &Array| error(trajectory(advance, &start, p)))(&guess);
    let by_adjoint = grad(|p: &Array| error(trajectory(advance_adjoint, &start, p)))(&guess);
    let disagreement = (&by_steps - by_adjoint).abs().max(..) / by_steps.abs().max(..);

    let optimizer = adam(0.03, Adam::default());
    let mut state = (guess.clone(), optimizer.init(&guess));
    let (initial, seen) = (start.clone(), observed.clone());
    let step = jit(move |(p, opt): &(Array, Leaves)| {
        let loss =
            |p: &Array| (trajectory(advance_adjoint, &initial, p).log() - seen.log()).square().mean(..);
        let (value, slopes) = value_and_grad(loss)(p);
        let (updates, opt) = optimizer.update(&slopes, opt, p);
        ((apply_updates(p, &updates), opt), value)
    });
    for i in 0..steps {
        let value: Array;
        (state, value) = step.call(state)?;
        if i % 100 == 0 {
            println!("step {i}: error {:.2e}", value.item::<f32>()?);
        }
    }
    Ok(Fit { parameters: [truth.to_vec()?, state.0.to_vec()?], disagreement: disagreement.item()? })
}

fn main() -> Result<()> {
    let Fit { parameters: [truth, found], disagreement } = fit(300)?;
    println!("the parameters are {truth:?}, found are {found:.3?}");
    println!("the two gradients differ by {disagreement:.1e}");
    Ok(())
}
