//! A multilayer perceptron learns to read digits.
//!
//! A model is a struct that derives `Tree`; a training step is a compiled function from the state to the next state, which is
//! given up (donated) so that its memory is used again.

mod digits;

use digits::digits;
use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, jit, value_and_grad};
use jarrah::nn::{Linear, Module, relu, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

const SIDE: usize = 10;
const BATCH: usize = 64;

#[derive(Clone, Tree)]
struct Mlp {
    hidden: Linear,
    out: Linear,
}

impl Mlp {
    fn new(key: &Key) -> Self {
        let (first, second) = key.pair();
        Mlp { hidden: Linear::new(&first, SIDE * SIDE, 128), out: Linear::new(&second, 128, 10) }
    }

    /// Logits `[batch, 10]`.
    fn forward(&self, images: &Array) -> Array {
        let pixels = images.reshape((-1, SIDE * SIDE));
        self.out.forward(&relu(&self.hidden.forward(&pixels)))
    }

    fn loss(&self, images: &Array, labels: &Array) -> Array {
        softmax_cross_entropy_with_integer_labels(&self.forward(images), labels).mean(..)
    }

    fn accuracy(&self, images: &Array, labels: &Array) -> Array {
        self.forward(images).argmax(-1).eq(labels).astype(DType::F32).mean(..)
    }
}

#[derive(Clone, Tree)]
struct State {
    model: Mlp,
    optimizer: Leaves,
}

/// The share of unseen digits that the model reads before and after `steps` steps.
pub fn learn(steps: u32) -> Result<[f32; 2]> {
    let keys = Key::new(0).split(3);
    let (images, labels) = digits(&keys[0], 500, SIDE, 0.2);
    let accuracy = jit(move |model: &Mlp| model.accuracy(&images, &labels));

    let optimizer = adam(3e-3, Adam::default());
    let model = Mlp::new(&keys[1]);
    let before = accuracy.call(model.clone())?.item()?;
    let mut state = State { optimizer: optimizer.init(&model), model };

    let step = jit(move |(state, key): &(State, Key)| {
        let (images, labels) = digits(key, BATCH, SIDE, 0.2);
        let (loss, slopes) = value_and_grad(|model: &Mlp| model.loss(&images, &labels))(&state.model);
        let (updates, optimizer) = optimizer.update(&slopes, &state.optimizer, &state.model);
        (State { model: apply_updates(&state.model, &updates), optimizer }, loss)
    })
    .donate(0);
    for i in 0..steps {
        let loss: Array;
        (state, loss) = step.call((state, keys[2].fold_in(i)))?;
        if i % 100 == 0 {
            println!("step {i}: loss {:.3}", loss.item::<f32>()?);
        }
    }
    Ok([before, accuracy.call(state.model)?.item()?])
}

fn main() -> Result<()> {
    let [before, after] = learn(600)?;
    println!("of 500 unseen digits {:.0} % are read right, {:.0} % before", 100.0 * after, 100.0 * before);
    Ok(())
}
