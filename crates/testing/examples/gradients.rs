//! Gradients of GPT-2 in `f32`, for `oracle/accuracy.py` to compare with the truth.
//!
//! `cargo run --release -p jarrah-testing --example gradients FOLDER` reads `parameters.safetensors` in the folder, the
//! model's parameters by path and the integers `tokens` and `targets`, and writes `ours.safetensors`.

use std::path::Path;

use jarrah_array::{Array, Error, Result, TreeExt, jit, random::Key, value_and_grad};
use jarrah_models::{Gpt, GptConfig};
use jarrah_testing::tensors;
use safetensors::{Dtype, serialize_to_file, tensor::TensorView};

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).ok_or_else(|| Error::input("name a folder"))?;
    let folder = Path::new(&folder);
    let given = tensors(&folder.join("parameters.safetensors"))?;
    let given = |name: &str| {
        let literal = given.get(name).ok_or_else(|| Error::input(format!("there is no {name}")))?;
        Ok(Array::from_literal(literal.clone()))
    };
    let layers = (0..).take_while(|i| given(&format!("blocks.{i}.ln_1.scale")).is_ok()).count();
    let model = Gpt::init(GptConfig { layers, ..GptConfig::default() }, &Key::new(0));
    let model = model.try_map_with_paths(|path, _: &Array| given(path))?;
    let step = jit(|(model, x, y): &(Gpt, Array, Array)| {
        let (loss, slope) = value_and_grad(|m: &Gpt| m.loss(x, y, None))(model);
        (loss, slope)
    });
    let (loss, slope) = step.call((model, given("tokens")?, given("targets")?))?;
    println!("loss {:.9}", loss.to_f64()?);

    let mut found = Vec::new();
    for (path, slope) in TreeExt::<Array>::leaves_with_paths(&slope) {
        found.push((path, slope.shape(), slope.to_literal()?));
    }
    let view = |shape: &[usize], bytes| {
        TensorView::new(Dtype::F32, shape.to_vec(), bytes).map_err(|e| Error::input(e.to_string()))
    };
    let views = found.iter().map(|(path, shape, slope)| Ok((path, view(shape, slope.bytes())?)));
    let views = views.collect::<Result<Vec<_>>>()?;
    serialize_to_file(views, None, &folder.join("ours.safetensors")).map_err(|e| Error::input(e.to_string()))
}
