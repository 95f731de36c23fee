//! The GPT's loss, logits and gradients: against JAX, and against central finite differences.

use jarrah_array::{Array, DType, Literal, TreeExt, jit, random::Key, value_and_grad};
use jarrah_models::{Gpt, GptConfig};
use jarrah_testing::{golden_tensors, golden_text, unit, word};
use serde_json::Value;

/// The largest absolute difference over the largest absolute value, per tensor.
const TOLERANCE: f64 = 1e-4;

fn integers(stream: u64, shape: [usize; 2], n: usize) -> Array {
    let count = shape[0] * shape[1];
    let values: Vec<i32> = (0..count).map(|i| (word(stream, i) % n as u64) as i32).collect();
    Array::new(&values, &shape)
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

    fn config(&self) -> GptConfig {
        GptConfig {
            vocabulary: self.number("vocabulary"),
            context: self.number("context"),
            layers: self.number("layers"),
            heads: self.number("heads"),
            width: self.number("width"),
            ..GptConfig::default()
        }
    }

    /// What is said about the parameter with this path.
    fn parameter(&self, path: &str) -> &Value {
        let name = path.replace("attention", "attn").replace(".table", "");
        let parameters = self.described["parameters"].as_array().unwrap();
        parameters
            .iter()
            .find(|p| p["name"] == name.as_str())
            .unwrap_or_else(|| panic!("no parameter {name}"))
    }

    /// The model with the parameters of the formula `unit(index, i) * scale + offset`.
    fn model(&self) -> Gpt {
        let model = Gpt::init(self.config(), &Key::new(0));
        let filled = model.try_map_with_paths(|path, array: &Array| {
            let p = self.parameter(path);
            let (scale, offset) = (p["scale"].as_f64().unwrap() as f32, p["offset"].as_f64().unwrap() as f32);
            let stream = p["index"].as_u64().unwrap();
            let values: Vec<f32> = (0..array.size()).map(|i| unit(stream, i) * scale + offset).collect();
            Ok(Array::new(&values, &array.shape()))
        });
        filled.unwrap()
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
        let model = self.model();
        let (x, y) = self.tokens();
        let step = jit(|(model, x, y): &(Gpt, Array, Array)| {
            let (loss, slope) = value_and_grad(|m: &Gpt| m.loss(x, y, None))(model);
            (loss, slope, model.logits(x, None))
        });
        let (loss, slope, logits) = step.call((model, x, y)).unwrap();
        let expected = self.described["loss"].as_f64().unwrap();
        let off = (loss.to_f64().unwrap() - expected).abs() / expected;
        assert!(off <= 1e-6, "{}: the loss is off by {off:.1e}", self.name);

        let key = format!("{}/logits", self.name);
        let found = logits.to_literal().unwrap();
        let mut worst = self.error(&key, &found, &self.described["logits"], &tensors[&key], 3000);
        assert!(worst <= TOLERANCE, "{key} are off by {worst:.1e}");

        let leaves: Vec<(String, &Array)> = slope.leaves_with_paths();
        assert_eq!(leaves.len(), self.described["parameters"].as_array().unwrap().len());
        for (path, found) in leaves {
            let facts = self.parameter(&path);
            let key = format!("{}/grad/{}", self.name, facts["name"].as_str().unwrap());
            let stream = 2000 + facts["index"].as_u64().unwrap();
            let off = self.error(&key, &found.to_literal().unwrap(), facts, &tensors[&key], stream);
            assert!(off <= TOLERANCE, "{path} is off by {off:.1e}");
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
    let model = case.model().map_leaves(|a: &Array| a.astype(DType::F64));
    let (x, y) = case.tokens();
    let value_and_slope =
        jit(|(model, x, y): &(Gpt, Array, Array)| value_and_grad(|m: &Gpt| m.loss(x, y, None))(model));
    let loss = jit(|(model, x, y): &(Gpt, Array, Array)| model.loss(x, y, None));
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
        let scale = values.iter().map(|v| v * v).sum::<f64>().sqrt();
        let off = (found - expected).abs() / scale;
        assert!(off <= 1e-5, "{path}: {found} along a direction, the gradient says {expected}");
    }
}
