//! A recurrent network learns the adding problem: which two numbers of a sequence are marked, and what their sum is.
//!
//! The sequence is a `scan` over time, traced once whatever its length; its derivative is another scan.
//!
//! Source: Hochreiter, Schmidhuber, Long short-term memory (1997), 5.4; Cho et al., Learning phrase representations (2014).

use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, concatenate, jit, scan, stack, value_and_grad};
use jarrah::nn::{Linear, Module};
use jarrah::optim::transforms::clip_by_global_norm;
use jarrah::optim::{Adam, Leaves, adam, apply_updates, chain};

const LENGTH: usize = 12;
const BATCH: usize = 64;
const WIDTH: usize = 32;

/// A gated recurrent unit, and a number read from its last state.
#[derive(Clone, Tree)]
struct Gru {
    gates: Linear,
    candidate: Linear,
    out: Linear,
}

impl Gru {
    fn new(key: &Key) -> Self {
        let keys = key.split(3);
        Gru {
            gates: Linear::new(&keys[0], WIDTH + 2, 2 * WIDTH),
            candidate: Linear::new(&keys[1], WIDTH + 2, WIDTH),
            out: Linear::new(&keys[2], WIDTH, 1),
        }
    }

    /// The state after `x`, `[batch, 2]`.
    fn step(&self, state: &Array, x: &Array) -> Array {
        let gates = self.gates.forward(&concatenate(&[state, x], -1)).sigmoid();
        let (keep, reset) = (gates.slice(-1, ..WIDTH), gates.slice(-1, WIDTH..));
        let candidate = self.candidate.forward(&concatenate(&[&(reset * state), x], -1)).tanh();
        &keep * state + (1.0 - &keep) * candidate
    }

    /// `xs: [time, batch, 2]` to `[batch]`.
    fn forward(&self, xs: &Array) -> Array {
        let start = Array::zeros(&[xs.shape()[1], WIDTH]);
        let (last, ()) = scan(|state: &Array, x: &Array| (self.step(state, x), ()), &start, xs);
        self.out.forward(&last).squeeze(-1)
    }
}

/// Sequences of a number and a mark at each time, `[time, batch, 2]`, and the sums of the two marked numbers.
fn sequences(key: &Key) -> (Array, Array) {
    let (first, second) = key.pair();
    let numbers = first.uniform(&[LENGTH, BATCH]);
    // The two largest of random numbers are at random places.
    let order = second.uniform(&[LENGTH, BATCH]).argsort(0).argsort(0);
    let marks = order.ge(LENGTH as i32 - 2).astype(DType::F32);
    let sums = (&numbers * &marks).sum(0);
    (stack(&[&numbers, &marks], -1), sums)
}

/// The mean squared error on unseen sequences before and after `steps` steps; always saying 1 has 1/6.
pub fn learn(steps: u32) -> Result<[f32; 2]> {
    let keys = Key::new(2).split(3);
    let loss = |model: &Gru, key: &Key| {
        let (xs, sums) = sequences(key);
        (model.forward(&xs) - sums).square().mean(..)
    };
    let unseen = keys[0].clone();
    let error = jit(move |model: &Gru| loss(model, &unseen));

    let optimizer = chain([clip_by_global_norm(1.0), adam(1e-2, Adam::default())]);
    let model = Gru::new(&keys[1]);
    let before = error.call(model.clone())?.item()?;
    let mut state = (model.clone(), optimizer.init(&model));
    let step = jit(move |((model, opt), key): &((Gru, Leaves), Key)| {
        let (value, slopes) = value_and_grad(|model: &Gru| loss(model, key))(model);
        let (updates, opt) = optimizer.update(&slopes, opt, model);
        ((apply_updates(model, &updates), opt), value)
    });
    for i in 0..steps {
        let value: Array;
        (state, value) = step.call((state, keys[2].fold_in(i)))?;
        if i % 100 == 0 {
            println!("step {i}: squared error {:.4}", value.item::<f32>()?);
        }
    }
    Ok([before, error.call(state.0)?.item()?])
}

fn main() -> Result<()> {
    let [before, after] = learn(300)?;
    println!("squared error on unseen sequences: {after:.4}, {before:.4} before, 0.1667 without looking");
    Ok(())
}
