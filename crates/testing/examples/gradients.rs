//! Gradients of GPT-2 in `f32`, for `oracle/accuracy.py` to compare with the truth.
//!
//! `cargo run --release -p jarrah-testing --example gradients FOLDER` reads the folder `model` of Hugging Face and the integers
//! `tokens` and `targets` of `batch.safetensors`, and writes `ours.safetensors`, by the names of the folder's tensors.

use std::path::Path;

use jarrah_array::{Array, Error, Result, jit, value_and_grad};
use jarrah_formats::{Tensor, save_file};
use jarrah_models::{Decoder, Pretrained};
use jarrah_nn::Context;
use jarrah_testing::tensors;

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).ok_or_else(|| Error::input("name a folder"))?;
    let folder = Path::new(&folder);
    let given = tensors(&folder.join("batch.safetensors"))?;
    let given = |name: &str| {
        let literal = given.get(name).ok_or_else(|| Error::input(format!("there is no {name}")))?;
        Ok::<_, Error>(Array::from_literal(literal.clone()))
    };
    let files = Pretrained::load(folder.join("model"), None)?;
    let step = jit(|(model, x, y): &(Decoder, Array, Array)| {
        value_and_grad(|m: &Decoder| m.loss(x, y, None, &mut Context::eval()))(model)
    });
    let (loss, slope) = step.call((files.model.clone(), given("tokens")?, given("targets")?))?;
    println!("loss {:.9}", loss.to_f64()?);
    let found = files.with(slope).tensors()?;
    let found: Vec<Tensor<'_>> = found.iter().map(|(name, slope)| Tensor::of(name, slope)).collect();
    save_file(folder.join("ours.safetensors"), &found, &Default::default())
}
