//! What a sanitizer costs: steps with `JARRAH_SANITIZE=nan,oob,div` next to the same steps without it, in turn.

use std::time::Instant;

use jarrah::Result;
use jarrah::array::checkify::Categories;
use jarrah::array::random::Key;
use jarrah::array::{Array, Function, Tree, TreeExt, jit, sanitize, value_and_grad};
use jarrah::models::{Gpt, GptConfig};
use jarrah::nn::{Linear, relu, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::{Adam, Leaves, Mask, adamw, apply_updates};

fn main() -> Result<()> {
    let keys = Key::new(0).split(8);
    let layers = [(784, 512), (512, 512), (512, 10)];
    let layers =
        layers.iter().zip(&keys[3..]).map(|(&(m, n), key)| Linear::new(key, m, n)).collect::<Vec<_>>();
    let batch = (keys[0].normal(&[256, 784]), keys[6].randint(&[256], 0, 10));
    training("MLP 784-512-512-10, batch 256", layers, batch, |layers, x, y| {
        let hidden = layers[..2].iter().fold(x.clone(), |x, layer| relu(&layer.forward(&x)));
        softmax_cross_entropy_with_integer_labels(&layers[2].forward(&hidden), y).mean(..)
    })?;

    let config =
        GptConfig { vocabulary: 65, context: 128, layers: 4, heads: 4, width: 128, ..GptConfig::default() };
    let tokens = |key: &Key| key.randint(&[8, 128], 0, 65);
    let batch = (tokens(&keys[0]), tokens(&keys[1]));
    let model = Gpt::init(config, &keys[2]);
    training("char-GPT, 4 x 128, batch 8 x 128", model, batch, |m, x, y| m.loss(x, y, None))?;

    let n = 1 << 20;
    let arguments = (keys[0].normal(&[n]), keys[1].randint(&[n], 0, 1 << 20));
    compare("elementwise chain with gathers, 2^20", arguments, |(x, at): &(Array, Array)| {
        let mut x = x.clone();
        for _ in 0..4 {
            let there = x.index(at);
            x = (&x * 0.5 + there.abs().sqrt() - 0.25).tanh() / (&there * &there + 1.0) - &x * 0.1;
        }
        (x.clone(), x.sum(..))
    })
}

#[derive(Clone, Tree)]
struct State<M> {
    params: M,
    opt: Leaves,
}

/// A training step of `loss`, from one state to the next.
fn training<M: Tree<Array> + Clone + 'static>(
    name: &str,
    model: M,
    batch: (Array, Array),
    loss: impl Fn(&M, &Array, &Array) -> Array + Copy + 'static,
) -> Result<()> {
    let optimizer = adamw(1e-3, Adam::default(), 0.1, Mask::all());
    let state = State { opt: optimizer.init(&model), params: model };
    compare(name, (state, batch), move |(state, (x, y)): &(State<M>, (Array, Array))| {
        let (value, slope) = value_and_grad(|m: &M| loss(m, x, y))(&state.params);
        let (updates, opt) = optimizer.update(&slope, &state.opt, &state.params);
        (State { params: apply_updates(&state.params, &updates), opt }, value)
    })
}

/// The same step with and without a sanitizer, in turn; the median of the ratios.
fn compare<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    arguments: A,
    step: impl Function<A, Output = (R, Array)>,
) -> Result<()> {
    let step = jit(step);
    let arguments = || arguments.map_leaves(Array::clone);
    let (mut off, mut on, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..45 {
        let start = Instant::now();
        let plain = step.call(arguments())?.1.item::<f32>()?;
        let without = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let looked = sanitize(Categories::AUTOMATIC, || step.call(arguments())?.1.item::<f32>())?;
        let with = start.elapsed().as_secs_f64() * 1e3;
        assert_eq!(plain.to_bits(), looked.to_bits(), "a sanitizer changes no bit");
        if round >= 5 {
            off.push(without);
            on.push(with);
            ratios.push(with / without);
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let (off, on, ratio) = (median(&mut off), median(&mut on), median(&mut ratios));
    println!("{name}: {off:.2} ms without, {on:.2} ms with, {ratio:.2} x");
    Ok(())
}
