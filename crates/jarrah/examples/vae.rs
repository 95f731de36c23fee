//! A variational autoencoder learns to draw digits from a code of eight numbers.
//!
//! Randomness is explicit: the loss takes a key, and a step folds its number into the key. The bound per image is compared with
//! what a model reaches that knows how often each pixel is lit, and nothing else.
//!
//! Source: Kingma, Welling, Auto-encoding variational Bayes (2014).

mod digits;

use digits::digits;
use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, Tree, jit, special, value_and_grad};
use jarrah::nn::{Linear, Module, relu, softplus};
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

const SIDE: usize = 8;
const CODE: usize = 8;
const WIDTH: usize = 64;

#[derive(Clone, Tree)]
struct Vae {
    encode: Linear,
    mean: Linear,
    log_variance: Linear,
    decode: Linear,
    pixels: Linear,
}

impl Vae {
    fn new(key: &Key) -> Self {
        let keys = key.split(5);
        Vae {
            encode: Linear::new(&keys[0], SIDE * SIDE, WIDTH),
            mean: Linear::new(&keys[1], WIDTH, CODE),
            log_variance: Linear::new(&keys[2], WIDTH, CODE),
            decode: Linear::new(&keys[3], CODE, WIDTH),
            pixels: Linear::new(&keys[4], WIDTH, SIDE * SIDE),
        }
    }

    /// The logits of the pixels, `[batch, pixels]`.
    fn draw(&self, code: &Array) -> Array {
        self.pixels.forward(&relu(&self.decode.forward(code)))
    }

    /// The negative evidence lower bound in nats per image: `E[-log p(x|z)] + KL(q(z|x) || p(z))`.
    fn loss(&self, x: &Array, key: &Key) -> Array {
        let hidden = relu(&self.encode.forward(x));
        let (mean, log_variance) = (self.mean.forward(&hidden), self.log_variance.forward(&hidden));
        let code = &mean + (0.5 * &log_variance).exp() * key.normal(&mean.shape());
        let logits = self.draw(&code);
        let surprise = (softplus(&logits) - x * &logits).sum(-1);
        let divergence = 0.5 * (log_variance.exp() + mean.square() - 1.0 - &log_variance).sum(-1);
        (surprise + divergence).mean(..)
    }
}

fn images(key: &Key, count: usize) -> Array {
    digits(key, count, SIDE, 0.0).0.reshape((-1, SIDE * SIDE))
}

/// What a learned model is compared with, in nats per image.
pub struct Bounds {
    /// The entropy of the pixels, each by itself.
    pub pixels: f32,
    /// The bound before learning.
    pub before: f32,
    /// The bound after learning.
    pub after: f32,
}

/// The bounds on unseen digits, with `steps` steps of learning; also the drawing of a random code.
pub fn learn(steps: u32) -> Result<(Bounds, Array)> {
    let keys = Key::new(3).split(5);
    let unseen = images(&keys[0], 500);
    let lit = unseen.mean(0);
    let pixels = (special::entr(&lit) + special::entr(&(1.0 - &lit))).sum(..).item()?;
    let noise = keys[1].clone();
    let bound = jit(move |model: &Vae| model.loss(&unseen, &noise));

    let optimizer = adam(3e-3, Adam::default());
    let model = Vae::new(&keys[2]);
    let before = bound.call(model.clone())?.item()?;
    let mut state = (model.clone(), optimizer.init(&model));
    let step = jit(move |((model, opt), key): &((Vae, Leaves), Key)| {
        let (data, noise) = key.pair();
        let batch = images(&data, 64);
        let (value, slopes) = value_and_grad(|model: &Vae| model.loss(&batch, &noise))(model);
        let (updates, opt) = optimizer.update(&slopes, opt, model);
        ((apply_updates(model, &updates), opt), value)
    });
    for i in 0..steps {
        let value: Array;
        (state, value) = step.call((state, keys[3].fold_in(i)))?;
        if i % 200 == 0 {
            println!("step {i}: bound {:.2}", value.item::<f32>()?);
        }
    }
    let drawing = state.0.draw(&keys[4].normal(&[1, CODE])).sigmoid().reshape((SIDE, -1));
    Ok((Bounds { pixels, before, after: bound.call(state.0)?.item()? }, drawing))
}

fn main() -> Result<()> {
    let (Bounds { pixels, before, after }, drawing) = learn(1000)?;
    println!("nats per unseen image: {after:.2}, {before:.2} before, {pixels:.2} for independent pixels");
    for row in drawing.to_vec::<f32>()?.chunks(SIDE) {
        println!("{}", row.iter().map(|&x| [" .", " +", " #"][(x * 2.99) as usize]).collect::<String>());
    }
    Ok(())
}
