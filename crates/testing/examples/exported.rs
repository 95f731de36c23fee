//! Writes artifacts of `jax.export` into a folder, for JAX to load, run at several sizes and compare with its own functions:
//! `python/jarrah-pjrt/tests/test_exported.py`.

#[allow(dead_code, reason = "the training step is for other programs")]
mod gpt;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_array::export::{ArgSpecs, Exported, export, symbolic_args_specs};
use jarrah_array::lax::{self, ConvOptions, Padding, WindowOptions};
use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::random::Key;
use jarrah_array::{
    Array, DType, Result, Tree, along, cond, remat, scan, special, value_and_grad, while_loop,
};
use jarrah_models::Decoder;
use jarrah_nn::{Context, Module};

/// A layer with fields in another order than Python sorts them in.
#[derive(Clone, Tree)]
#[tree(crate = jarrah_array::tree)]
struct Layer {
    weight: Array,
    bias: Option<Array>,
}

fn zeros(shape: &[usize]) -> Array {
    Array::zeros(shape)
}

fn forward((layers, x): &(Vec<Layer>, Array)) -> Array {
    layers.iter().fold(x.clone(), |x, layer| {
        let y = x.matmul(&layer.weight);
        match &layer.bias {
            Some(bias) => (y + bias).tanh(),
            None => y,
        }
    })
}

/// A step of gradient descent on the cross-entropy: parameters by name, and the loss.
fn step((params, x, labels): &(BTreeMap<String, Array>, Array, Array)) -> (BTreeMap<String, Array>, Array) {
    let loss = |params: &BTreeMap<String, Array>| {
        let logits = x.matmul(&params["w"]) + &params["b"];
        let picked = labels.one_hot(logits.shape()[1], DType::F32) * logits.log_softmax(-1);
        -picked.sum(-1).mean(..)
    };
    let (loss, slopes) = value_and_grad(loss)(params);
    let moved = params.iter().map(|(name, w)| (name.clone(), w - &slopes[name] * 0.5)).collect();
    (moved, loss)
}

fn attention((q, k, v): &(Array, Array, Array)) -> Array {
    dot_product_attention(q, k, v, &AttentionOptions::causal())
}

/// Functions of the sizes themselves: reshapes, means, positions, pieces.
fn shapes(x: &Array) -> (Array, Array, Array, Array, Array, Array) {
    let (b, n) = (x.shape()[0], x.shape()[1]);
    let scaled = x * (1.0 / ((b * n) as f64).sqrt());
    let positions = Array::arange(n as i32);
    let ends = x.slice(1, 1..n) - x.slice(1, 0..n - 1);
    (x.reshape(&[-1, 3]), x.var(along([0, 1])), scaled, positions, ends, x.flip(0).argmax(1))
}

fn recurrence((c, xs): &(Array, Array)) -> (Array, Array) {
    scan(|c: &Array, x: &Array| ((c + x).tanh(), c * x), c, xs)
}

/// Uniform numbers, as many as the argument has, from a key's words.
fn noise((words, x): &(Array, Array)) -> Array {
    x + Key::from_words(words.clone()).uniform(&x.shape())
}

/// Functions that StableHLO proper lacks, and orders.
fn functions(x: &Array) -> (Array, Array, Array, Array) {
    (special::erf(x), special::gammaln(&(x.abs() + 0.5)), x.sinh(), x.sort(0))
}

/// A convolution over images of any number and size, and the mean of windows of it.
fn convolution((x, kernel): &(Array, Array)) -> Array {
    let window = WindowOptions { padding: Padding::Same, ..WindowOptions::default() };
    let options = ConvOptions { window, ..ConvOptions::default() };
    let y = lax::conv_general_dilated(x, kernel, &options).tanh();
    lax::reduce_window(&y, lax::Monoid::Add, &[1, 1, 2, 2], &WindowOptions::default()) / 4.0
}

/// Branches and loops over arrays whose extents are symbols, in memory that is recomputed for the derivative.
fn control((x, n): &(Array, Array)) -> (Array, Array) {
    let doubled = remat(|x: &Array| (x.sin() * 2.0).exp())(x);
    let chosen = cond(&x.sum(..).gt(0.0), || &doubled + x, || x * x.mean(..));
    let step = |(i, y): &(Array, Array)| (i + 1, y * 0.5 + &doubled);
    let (_, looped) = while_loop(|(i, _): &(Array, Array)| i.lt(n), step, &(Array::scalar(0i32), x.clone()));
    (chosen, looped)
}

fn write(folder: &Path, name: &str, order: usize, exported: &Exported) -> Result<()> {
    let path = folder.join(format!("{name}.jax_export"));
    std::fs::write(&path, exported.serialize(order)?)
        .map_err(|error| jarrah_array::Error::io("write", &path, &error))
}

fn symbolic<'a, A: Tree<Array>>(args: &'a A, shapes: &[&str], at_least: &[&str]) -> Result<ArgSpecs<'a, A>> {
    symbolic_args_specs(args, shapes, at_least)
}

fn main() -> Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(jarrah_array::Error::input("give the folder to write to"));
    };
    let layers = vec![
        Layer { weight: zeros(&[3, 8]), bias: Some(zeros(&[8])) },
        Layer { weight: zeros(&[8, 2]), bias: None },
    ];
    let args = (layers, zeros(&[4, 3]));
    write(&folder, "static", 1, &export(&forward, &args)?)?;
    let mlp = export(&forward, symbolic(&args, &["...", "b, _"], &[])?)?;
    write(&folder, "mlp", 1, &mlp)?;
    write(&folder, "platforms", 0, &mlp.for_platforms(&["cpu", "cuda", "tpu"])?)?;

    let params = BTreeMap::from([("w".to_owned(), zeros(&[3, 5])), ("b".to_owned(), zeros(&[5]))]);
    let args = (params, zeros(&[4, 3]), zeros(&[4]).astype(DType::I32));
    write(&folder, "step", 0, &export(&step, symbolic(&args, &["...", "b, _", "b"], &["b >= 2"])?)?)?;

    let x = zeros(&[2, 6, 4, 8]);
    let specs = (x.clone(), zeros(&[2, 6, 2, 8]), zeros(&[2, 6, 2, 8]));
    write(&folder, "attention", 1, &export(&attention, symbolic(&specs, &["b, n, _, _"], &[])?)?)?;

    write(&folder, "shapes", 1, &export(&shapes, symbolic(&zeros(&[4, 6, 3]), &["b, n, _"], &["n >= 2"])?)?)?;

    let args = (zeros(&[3]), zeros(&[5, 3]));
    write(&folder, "recurrence", 1, &export(&recurrence, symbolic(&args, &["d", "n, d"], &[])?)?)?;

    let args = (zeros(&[2]).astype(DType::U32), zeros(&[4, 2]));
    write(&folder, "noise", 0, &export(&noise, symbolic(&args, &["_", "b, 2*n"], &[])?)?)?;

    let args = (zeros(&[2, 3, 9, 10]), zeros(&[4, 3, 3, 3]));
    let specs = symbolic(&args, &["b, _, h, w", "..."], &["h >= 3", "w >= 3"])?;
    write(&folder, "convolution", 0, &export(&convolution, specs)?)?;

    let args = (zeros(&[4, 2]), zeros(&[]).astype(DType::I32));
    write(&folder, "control", 0, &export(&control, symbolic(&args, &["b, _", ""], &[])?)?)?;

    write(&folder, "functions", 1, &export(&functions, symbolic(&zeros(&[4, 2]), &["b, _"], &[])?)?)?;

    let model = Decoder::new(&gpt::config([2, 2, 8], 64, 11), &Key::new(0));
    let args = (model, zeros(&[2, 9]).astype(DType::I32));
    let logits = |(model, tokens): &(Decoder, Array)| model.call(tokens, &mut Context::eval());
    let exported = export(&logits, symbolic(&args, &["...", "b, n"], &["n <= 64"])?)?;
    write(&folder, "gpt", 1, &exported)?;
    // What the function here gives, for JAX to compare with.
    let tokens = Array::arange(14i32).reshape(&[2, 7]) % 11;
    jarrah_array::save(
        folder.join("gpt.safetensors"),
        &(args.0.clone(), vec![tokens.clone(), logits(&(args.0, tokens))]),
    )
}
