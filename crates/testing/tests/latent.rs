//! Latent attention and its gradients against the plain formula, which makes the keys and values of every head.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, jit, vjp};
use jarrah_nn::{Context, LatentAttention, LatentConfig, Module, Pairing, Rope};
use jarrah_testing::{golden_tensors, golden_text, rms_error, unit};
use serde_json::Value as Json;

fn config(described: &Json) -> LatentConfig {
    let extent = |name: &str| described[name].as_u64().map(|n| n as usize);
    LatentConfig {
        heads: extent("heads").unwrap(),
        latent: extent("latent").unwrap(),
        query_latent: extent("query_latent"),
        nope: extent("nope").unwrap(),
        value: extent("value").unwrap(),
        rope: Rope::new(extent("rope").unwrap(), described["base"].as_f64().unwrap())
            .paired(Pairing::Neighbours),
        bias: false,
        scale: None,
    }
}

/// The layer whose parameters are `unit(index, i) * scale + offset`.
fn layer(described: &Json, dtype: DType) -> LatentAttention {
    let table = described["parameters"].as_array().unwrap();
    let width = described["width"].as_u64().unwrap() as usize;
    let layer = LatentAttention::new(&Key::new(0), width, &config(described));
    assert_eq!(layer.leaves().iter().map(|_: &&Array| 1).sum::<usize>(), table.len());
    let filled = layer.try_map_with_paths(|path, array: &Array| {
        let stream = table.iter().position(|p| p["name"] == path).unwrap();
        let (scale, offset) =
            (table[stream]["scale"].as_f64().unwrap(), table[stream]["offset"].as_f64().unwrap());
        let value = |i| unit(stream as u64, i) * scale as f32 + offset as f32;
        let values: Vec<f32> = (0..array.size()).map(value).collect();
        Ok(Array::new(&values, &array.shape()).astype(dtype))
    });
    filled.unwrap()
}

/// Every result's name, error and JAX's error in `f32`.
fn errors(dtype: DType) -> Vec<(String, f64, f64)> {
    let all: Json = serde_json::from_str(&golden_text("latent.json").unwrap()).unwrap();
    let goldens = golden_tensors("latent.safetensors").unwrap();
    let mut errors = Vec::new();
    for (number, described) in all["layers"].as_array().unwrap().iter().enumerate() {
        let shape = ["batch", "time", "width"].map(|name| described[name].as_u64().unwrap() as usize);
        let numbers = |stream: u64, factor: f32| {
            let values: Vec<f32> = (0..shape.iter().product()).map(|i| unit(stream, i) * factor).collect();
            Array::new(&values, &shape).astype(dtype)
        };
        let ct = numbers(91, 1.0);
        let both = jit(move |arguments: &(LatentAttention, Array)| {
            let (y, pull) =
                vjp(|(layer, x): &(LatentAttention, Array)| layer.call(x, &mut Context::eval()), arguments);
            (y, pull(&ct))
        });
        let (y, (slopes, dx)) = both.call((layer(described, dtype), numbers(90, 4.0))).unwrap();
        let mut found = vec![("y".to_owned(), y), ("dx".to_owned(), dx)];
        found.extend(
            slopes
                .leaves_with_paths()
                .into_iter()
                .map(|(path, x): (String, &Array)| (format!("d{path}"), x.clone())),
        );
        assert_eq!(found.len(), described["results"].as_object().unwrap().len());
        for (name, array) in found {
            let facts = &described["results"][&name];
            let truth = &goldens[&format!("{number}/{name}")];
            let stride = facts["stride"].as_u64().unwrap() as usize;
            let off = rms_error(&array.to_literal().unwrap(), truth, stride);
            errors.push((format!("{number} {name}"), off, facts["jax_f32"].as_f64().unwrap()));
        }
    }
    errors
}

#[test]
fn the_absorbed_form_and_its_gradients_are_the_plain_formula_s() {
    for (name, off, _) in errors(DType::F64) {
        assert!(off < 1e-13, "{name} is off by {off:.1e}");
    }
}

/// The absorbed form is another order of products than the plain one.
#[test]
fn in_f32_it_is_nearly_as_close_as_jax_s_plain_form() {
    let errors = errors(DType::F32);
    for (name, off, jax) in &errors {
        println!("{name} is off by {off:.1e}, JAX's by {jax:.1e}");
    }
    let mean = errors.iter().map(|(_, off, jax)| (off / jax).ln()).sum::<f64>() / errors.len() as f64;
    println!("LATENT {:.2} times the error of JAX", mean.exp());
    assert!(mean.exp() < 1.3, "{:.2} times the error of JAX", mean.exp());
}
