//! Vectors of images without labels: two noisy views of one image are to be nearer to each other than to any other (SimCLR).
//!
//! The loss of `n` images is the cross-entropy of finding each second view among all, by the cosines of the vectors over a temperature:
//! `mean_i -log softmax_j(cos(u_i, v_j) / t)[i]`.

mod digits;

use std::path::Path;

use digits::digits;
use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree};
use jarrah::nn::{Context, Linear, Module, relu, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::{Adam, adam};
use jarrah::train::{Console, Loss, Metrics, Minimize, Stop, Trainer, TrainerOptions, by_number};

const SIDE: usize = 10;
const TEMPERATURE: f64 = 0.1;

#[derive(Clone, Tree)]
struct Encoder {
    hidden: Linear,
    out: Linear,
}

impl Encoder {
    /// Vectors of length 1, `[batch, 32]`, of images `[batch, side, side]`.
    fn forward(&self, images: &Array) -> Array {
        let x = self.out.forward(&relu(&self.hidden.forward(&images.reshape((-1, SIDE * SIDE)))));
        let length = x.square().sum(-1).sqrt().maximum(1e-6);
        x / length.expand_dims(-1)
    }
}

struct SimClr;

impl Loss for SimClr {
    type Model = Encoder;
    type Fixed = ();
    type Batch = (Array, Array);

    fn begin(&self, key: &Key) -> Result<(Encoder, ())> {
        let (first, second) = key.pair();
        let hidden = Linear::new(&first, SIDE * SIDE, 128);
        Ok((Encoder { hidden, out: Linear::new(&second, 128, 32) }, ()))
    }

    fn loss(
        &self,
        encoder: &Encoder,
        _: &(),
        (one, other): &(Array, Array),
        _: &mut Context,
    ) -> (Array, Metrics) {
        let cosines = encoder.forward(one).matmul(&encoder.forward(other).t()) / TEMPERATURE;
        let own = Array::arange(cosines.shape()[0]);
        let found = cosines.argmax(-1).eq(&own).astype(DType::F32).mean(..);
        let loss = softmax_cross_entropy_with_integer_labels(&cosines, &own).mean(..);
        (loss, Metrics::from([("found", found)]))
    }
}

/// Two views of the images that a key draws, with other noise.
fn views(key: &Key, count: usize) -> (Array, Array) {
    let (drawn, noise) = key.pair();
    let (images, _) = digits(&drawn, count, SIDE, 0.0);
    let (one, other) = noise.pair();
    let noisy = |key: &Key| &images + key.normal(&[count, SIDE, SIDE]) * 0.5;
    (noisy(&one), noisy(&other))
}

/// Trains in a folder, or goes on there. Gives the share of second views that are found among 64.
pub fn learn(folder: &Path, steps: u64) -> Result<f64> {
    let batches = by_number(|number| Ok(views(&Key::new(1).fold_in(number as u32), 64)));
    let options = TrainerOptions { steps, evaluate_every: 0, ..TrainerOptions::default() };
    Trainer::new(Minimize::new(SimClr, adam(3e-3, Adam::default())), batches, options)
        .evaluate_on((0..4).map(|i| views(&Key::new(2).fold_in(i), 64)).collect())
        .train(folder, &Stop::default(), &mut Console::to(std::io::stdout()))?;
    let lines = jarrah::train::metrics::JsonLines::read(&folder.join("metrics.jsonl"))?;
    Ok(lines.iter().filter_map(|line| line.get("val_found")).next_back().unwrap_or(0.0))
}

fn main() -> Result<()> {
    let found = learn(Path::new("runs/views"), 600)?;
    println!("{:.0} % of second views are found among 64", 100.0 * found);
    Ok(())
}
