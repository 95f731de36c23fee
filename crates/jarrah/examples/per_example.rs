//! Learning from digits so that no single one matters much: each example's gradient is clipped before they are averaged, and
//! noise is added.
//!
//! `vmap(grad(loss))` gives the gradient of every example at once, as a model whose arrays have one more axis.
//!
//! Source: Abadi et al., Deep learning with differential privacy (2016), algorithm 1.

mod digits;

use digits::digits;
use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, TreeExt, grad, jit, vmap};
use jarrah::nn::{Linear, Module, relu, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::transforms::global_norm;
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

const SIDE: usize = 8;
const BATCH: usize = 128;
/// The longest that the gradient of an example may be, and the deviation of the noise as a share of it.
const CLIP: f64 = 1.0;
const NOISE: f64 = 0.5;

#[derive(Clone, Tree)]
struct Model {
    hidden: Linear,
    out: Linear,
}

impl Model {
    fn new(key: &Key) -> Self {
        let (first, second) = key.pair();
        Model { hidden: Linear::new(&first, SIDE * SIDE, 64), out: Linear::new(&second, 64, 10) }
    }

    /// `[.., SIDE, SIDE]` to logits `[.., 10]`.
    fn forward(&self, images: &Array) -> Array {
        let shape = images.shape();
        let lead = &shape[..shape.len() - 2];
        let pixels = images.reshape(&[lead, &[SIDE * SIDE]].concat());
        self.out.forward(&relu(&self.hidden.forward(&pixels)))
    }

    fn loss(&self, images: &Array, labels: &Array) -> Array {
        softmax_cross_entropy_with_integer_labels(&self.forward(images), labels).mean(..)
    }
}

/// The gradients of all examples, each made no longer than `clip`.
fn clipped_gradients(model: &Model, batch: &(Array, Array), clip: f64) -> Model {
    vmap(|(image, label): &(Array, Array)| {
        let slopes = grad(|model: &Model| model.loss(image, label))(model);
        let scale = (clip / global_norm(&slopes)).minimum(1.0);
        slopes.map_leaves(|slope: &Array| slope * &scale)
    })(batch)
}

/// The gradient of a step: the mean of the clipped gradients, with noise.
fn private_gradient(model: &Model, batch: &(Array, Array), key: &Key) -> Model {
    let mut number = 0;
    clipped_gradients(model, batch, CLIP).map_leaves(|slopes: &Array| {
        let mean = slopes.mean(0);
        number += 1;
        let noise = key.fold_in(number).normal(&mean.shape());
        mean + noise * (NOISE * CLIP / BATCH as f64)
    })
}

/// What was learned.
pub struct Learned {
    /// How far the mean of the examples' gradients, not clipped, is from the gradient of their mean loss.
    pub difference: f32,
    /// The share of unseen digits that are read right, before and after.
    pub accuracy: [f32; 2],
}

/// Learns for `steps` steps.
pub fn learn(steps: u32) -> Result<Learned> {
    let keys = Key::new(4).split(4);
    let model = Model::new(&keys[0]);
    let batch = digits(&keys[1], BATCH, SIDE, 0.2);
    let each = clipped_gradients(&model, &batch, f64::INFINITY);
    let whole = grad(|model: &Model| model.loss(&batch.0, &batch.1))(&model);
    let difference = each.zip_map([&whole], |each, [whole]| each.mean(0) - whole)?;
    let difference = global_norm(&difference).item()?;

    let accuracy =
        jit(move |model: &Model| model.forward(&batch.0).argmax(-1).eq(&batch.1).astype(DType::F32).mean(..));
    let before = accuracy.call(model.clone())?.item()?;
    let optimizer = adam(5e-3, Adam::default());
    let mut state = (model.clone(), optimizer.init(&model));
    let step = jit(move |((model, opt), key): &((Model, Leaves), Key)| {
        let (data, noise) = key.pair();
        let slopes = private_gradient(model, &digits(&data, BATCH, SIDE, 0.2), &noise);
        let (updates, opt) = optimizer.update(&slopes, opt, model);
        (apply_updates(model, &updates), opt)
    });
    for i in 0..steps {
        state = step.call((state, keys[2].fold_in(i)))?;
    }
    Ok(Learned { difference, accuracy: [before, accuracy.call(state.0)?.item()?] })
}

fn main() -> Result<()> {
    let Learned { difference, accuracy: [before, after] } = learn(300)?;
    println!("the mean of {BATCH} gradients is the gradient of the mean within {difference:.1e}");
    println!(
        "with clipping and noise {:.0} % of unseen digits are read, {:.0} % before",
        100.0 * after,
        100.0 * before
    );
    Ok(())
}
