//! An image classifier with a `Trainer`: digits again, with checkpoints, a loss curve and a dashboard for nothing.
//!
//! The loss and its metrics are all that a program says of its training; a run that is killed goes on from its folder. Look at it with
//! `jarrah dashboard FOLDER`.

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

#[derive(Clone, Tree)]
struct Mlp {
    hidden: Linear,
    out: Linear,
}

struct Digits;

impl Loss for Digits {
    type Model = Mlp;
    type Fixed = ();
    type Batch = (Array, Array);

    fn begin(&self, key: &Key) -> Result<(Mlp, ())> {
        let (first, second) = key.pair();
        let hidden = Linear::new(&first, SIDE * SIDE, 128);
        Ok((Mlp { hidden, out: Linear::new(&second, 128, 10) }, ()))
    }

    fn loss(
        &self,
        model: &Mlp,
        _: &(),
        (images, labels): &(Array, Array),
        _: &mut Context,
    ) -> (Array, Metrics) {
        let pixels = images.reshape((-1, SIDE * SIDE));
        let logits = model.out.forward(&relu(&model.hidden.forward(&pixels)));
        let loss = softmax_cross_entropy_with_integer_labels(&logits, labels).mean(..);
        let accuracy = logits.argmax(-1).eq(labels).astype(DType::F32).mean(..);
        (loss, Metrics::from([("accuracy", accuracy)]))
    }
}

/// Trains in a folder, or goes on there. Gives the share of unseen digits that the model reads then.
pub fn learn(folder: &Path, steps: u64) -> Result<f64> {
    let batches = by_number(|number| Ok(digits(&Key::new(1).fold_in(number as u32), 64, SIDE, 0.2)));
    let options = TrainerOptions { steps, evaluate_every: 100, ..TrainerOptions::default() };
    Trainer::new(Minimize::new(Digits, adam(3e-3, Adam::default())), batches, options)
        .evaluate_on(vec![digits(&Key::new(2), 500, SIDE, 0.2)])
        .train(folder, &Stop::default(), &mut Console::to(std::io::stdout()))?;
    let lines = jarrah::train::metrics::JsonLines::read(&folder.join("metrics.jsonl"))?;
    Ok(lines.iter().filter_map(|line| line.get("val_accuracy")).next_back().unwrap_or(0.0))
}

fn main() -> Result<()> {
    let right = learn(Path::new("runs/digits"), 600)?;
    println!("of 500 unseen digits {:.0} % are read right", 100.0 * right);
    Ok(())
}
