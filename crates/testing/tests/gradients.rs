//! The GPT's loss, logits and gradients: against JAX, and against central finite differences.

use std::collections::BTreeMap;
use std::fs;

use jarrah_array::{Array, DType, Literal, TreeExt, jit, value_and_grad};
use jarrah_formats::Tensor;
use jarrah_models::{Decoder, Pretrained};
use jarrah_nn::{Context, Module};
use jarrah_testing::{golden_tensors, golden_text, unit, word};
use serde_json::{Value, json};

use crate::gpt::mean_loss;

/// The largest absolute difference over the largest absolute value, per tensor.
const TOLERANCE: f64 = 1e-4;

fn integers(stream: u64, shape: [usize; 2], n: usize) -> Array {
    let count = shape[0] * shape[1];
    let values: Vec<i32> = (0..count).map(|i| (word(stream, i) % n as u64) as i32).collect();
    Array::new(&values, &shape)
}

/// The name of the tensor of a GPT-2's files that a golden calls `name`.
fn in_files(name: &str) -> String {
    const PARTS: [(&str, &str); 6] = [
        ("blocks.", "h."),
        ("attn.qkv", "attn.c_attn"),
        ("attn.proj", "attn.c_proj"),
        ("mlp.up", "mlp.c_fc"),
        ("mlp.down", "mlp.c_proj"),
        (".scale", ".weight"),
    ];
    let end = if name.contains('.') { "" } else { ".weight" };
    PARTS.iter().fold(format!("transformer.{name}{end}"), |name, (ours, theirs)| name.replace(ours, theirs))
}

struct Case {
    described: Value,
    name: String,
}

impl Case {
    fn read(name: &str) -> Self {
        let all: Value = serde_json::from_str(&golden_text("gpt_grads.json").unwrap()).unwrap();
        let models = all["models"].as_array().unwrap();
        let described = models.iter().find(|m| m["name"] == name).unwrap().clone();
        Case { described, name: name.to_owned() }
    }

    fn number(&self, name: &str) -> usize {
        self.described[name].as_u64().unwrap() as usize
    }

    /// The model with the parameters of the formula `unit(index, i) * scale + offset`, from the files of a GPT-2.
    fn model(&self) -> Pretrained {
        let json = json!({
            "model_type": "gpt2", "vocab_size": self.number("vocabulary"), "n_positions": self.number("context"),
            "n_layer": self.number("layers"), "n_head": self.number("heads"), "n_embd": self.number("width"),
        });
        let tensor = |p: &Value| {
            let (scale, offset) = (p["scale"].as_f64().unwrap() as f32, p["offset"].as_f64().unwrap() as f32);
            let stream = p["index"].as_u64().unwrap();
            let dims: Vec<usize> =
                p["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
            let values = (0..dims.iter().product()).map(|i| unit(stream, i) * scale + offset);
            let values = Literal::from_slice(&dims, &values.collect::<Vec<f32>>()).unwrap();
            (in_files(p["name"].as_str().unwrap()), values)
        };
        let tensors: Vec<(String, Literal)> = self.parameters().iter().map(tensor).collect();
        let tensors: Vec<Tensor<'_>> = tensors.iter().map(|(name, value)| Tensor::of(name, value)).collect();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.json"), json.to_string()).unwrap();
        jarrah_formats::save(folder.path(), &tensors, &Default::default()).unwrap();
        Pretrained::load(folder.path(), None).unwrap()
    }

    fn parameters(&self) -> &[Value] {
        self.described["parameters"].as_array().unwrap()
    }

    fn tokens(&self) -> (Array, Array) {
        let shape = [self.number("batch"), self.number("context")];
        let n = self.number("vocabulary");
        (integers(1000, shape, n), integers(1001, shape, n))
    }

    /// How far a tensor is from its golden, over the largest absolute value of the golden.
    fn error(&self, key: &str, found: &Literal, facts: &Value, golden: &Literal, stream: u64) -> f64 {
        let (values, picked) = (found.to_f64_vec(), golden.to_f64_vec());
        let stride = facts["stride"].as_u64().unwrap() as usize;
        let largest = facts["max_abs"].as_f64().unwrap();
        assert_eq!(values.len().div_ceil(stride), picked.len(), "{key}");
        let samples = values.iter().step_by(stride).zip(&picked);
        let elements = samples.fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs())) / largest;
        // The samples do not meet every element; the norm and the projection do.
        let l2 = values.iter().map(|v| v * v).sum::<f64>().sqrt();
        let expected = facts["l2"].as_f64().unwrap();
        let projection: f64 = values.iter().enumerate().map(|(i, v)| v * f64::from(unit(stream, i))).sum();
        let projected = (projection - facts["projection"].as_f64().unwrap()).abs();
        elements.max((l2 - expected).abs() / expected).max(projected / expected)
    }

    fn check(&self) {
        let tensors = golden_tensors("gpt_grads.safetensors").unwrap();
        let files = self.model();
        let (x, y) = self.tokens();
        let step = jit(|(model, x, y): &(Decoder, Array, Array)| {
            let (loss, slope) = value_and_grad(|m: &Decoder| mean_loss(m, x, y))(model);
            (loss, slope, model.call(x, &mut Context::eval()))
        });
        let (loss, slope, logits) = step.call((files.model.clone(), x, y)).unwrap();
        let expected = self.described["loss"].as_f64().unwrap();
        let off = (loss.to_f64().unwrap() - expected).abs() / expected;
        assert!(off <= 1e-6, "{}: the loss is off by {off:.1e}", self.name);

        let key = format!("{}/logits", self.name);
        let found = logits.to_literal().unwrap();
        let mut worst = self.error(&key, &found, &self.described["logits"], &tensors[&key], 3000);
        assert!(worst <= TOLERANCE, "{key} are off by {worst:.1e}");

        let slope: BTreeMap<String, Literal> = files.with(slope).tensors().unwrap().into_iter().collect();
        assert_eq!(slope.len(), self.parameters().len());
        for facts in self.parameters() {
            let name = facts["name"].as_str().unwrap();
            let key = format!("{}/grad/{name}", self.name);
            let stream = 2000 + facts["index"].as_u64().unwrap();
            let off = self.error(&key, &slope[&in_files(name)], facts, &tensors[&key], stream);
            assert!(off <= TOLERANCE, "{name} is off by {off:.1e}");
            worst = worst.max(off);
        }
        println!("{}: off by at most {worst:.1e}", self.name);
    }
}

#[test]
fn tiny_model_s_gradients_are_jax_s() {
    Case::read("tiny").check();
}

#[test]
fn default_model_s_gradients_are_jax_s() {
    Case::read("default").check();
}

#[test]
fn char_model_s_gradients_are_jax_s() {
    Case::read("char").check();
}

#[test]
fn tiny_model_s_gradients_are_central_differences() {
    check_central_differences("tiny");
}

#[test]
fn default_model_s_gradients_are_central_differences() {
    check_central_differences("default");
}

/// `(f(x + h d) - f(x - h d)) / 2h` along a random direction `d` of each parameter, in f64.
fn check_central_differences(name: &str) {
    let case = Case::read(name);
    let model = case.model().model.map_leaves(|a: &Array| a.astype(DType::F64));
    let (x, y) = case.tokens();
    let value_and_slope = jit(|(model, x, y): &(Decoder, Array, Array)| {
        value_and_grad(|m: &Decoder| mean_loss(m, x, y))(model)
    });
    let loss = jit(|(model, x, y): &(Decoder, Array, Array)| mean_loss(model, x, y));
    let (_, slope) = value_and_slope.call((model.clone(), x.clone(), y.clone())).unwrap();
    let leaves: Vec<(String, &Array)> = slope.leaves_with_paths();
    let h = 1e-4;
    for (at, (path, slope)) in leaves.iter().enumerate() {
        let direction: Vec<f64> = (0..slope.size()).map(|i| f64::from(unit(4000 + at as u64, i))).collect();
        let values = slope.to_vec::<f64>().unwrap();
        let expected: f64 = values.iter().zip(&direction).map(|(g, d)| g * d).sum();
        let direction = Array::new(&direction, &slope.shape());
        let moved = |step: f64| {
            let mut position = 0;
            let moved = model.map_leaves(|a: &Array| {
                position += 1;
                if position - 1 == at { a + &direction * step } else { a.clone() }
            });
            loss.call((moved, x.clone(), y.clone())).unwrap().to_f64().unwrap()
        };
        let found = (moved(h) - moved(-h)) / (2.0 * h);
        // A bias of keys adds the same number to all scores of a query: its gradient is 0, and the difference of losses their rounding.
        let scale = values.iter().map(|v| v * v).sum::<f64>().sqrt().max(1e-5);
        let off = (found - expected).abs() / scale;
        assert!(off <= 1e-5, "{path}: {found} along a direction, the gradient says {expected}");
    }
}
