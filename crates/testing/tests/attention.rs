//! Attention in every variant, and its gradients: against the plain formula in f64, against central differences on the reference evaluator,
//! and no further from the truth than JAX's own results in the same type.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::{Array, DType, Device, Literal, Tree, TreeExt, jit, try_trace, vjp, with_default_device};
use jarrah_reference::ReferenceClient;
use jarrah_testing::{golden_tensors, golden_text, rms_error, unit, word};
use serde_json::Value as Json;

/// The operands that have gradients.
#[derive(Clone, Tree)]
struct Operands {
    q: Array,
    k: Array,
    v: Array,
    bias: Option<Array>,
    sinks: Option<Array>,
}

/// A variant of `oracle/attention.py`, which says what its numbers are.
struct Variant(Json);

impl Variant {
    fn name(&self) -> &str {
        self.0["name"].as_str().unwrap()
    }

    fn extent(&self, name: &str) -> usize {
        self.0[name].as_u64().unwrap() as usize
    }

    fn number(&self, name: &str) -> Option<f64> {
        if self.0[name] == "-inf" { Some(f64::NEG_INFINITY) } else { self.0[name].as_f64() }
    }

    fn shape(&self, name: &str) -> Option<Vec<usize>> {
        let [b, t, s, h, g, d, e] =
            ["batch", "queries", "keys", "heads", "groups", "width", "value_width"].map(|n| self.extent(n));
        match name {
            "q" => Some(vec![b, t, h, d]),
            "k" => Some(vec![b, s, g, d]),
            "v" => Some(vec![b, s, g, e]),
            "ct" => Some(vec![b, t, h, e]),
            other => {
                let extents = self.0[other].as_array()?;
                Some(extents.iter().map(|n| n.as_u64().unwrap() as usize).collect())
            }
        }
    }

    fn integers(&self, name: &str) -> Option<Array> {
        let values: Vec<i32> = self.0[name].as_array()?.iter().map(|n| n.as_i64().unwrap() as i32).collect();
        Some(Array::from_slice(&values))
    }

    fn operand(&self, name: &str, stream: u64, dtype: DType) -> Option<Array> {
        let shape = self.shape(name)?;
        let values: Vec<f64> =
            (0..shape.iter().product()).map(|i| 4.0 * f64::from(unit(stream, i))).collect();
        Some(Array::new(&values, &shape).astype(dtype))
    }

    fn operands(&self, dtype: DType) -> Operands {
        Operands {
            q: self.operand("q", 50, dtype).unwrap(),
            k: self.operand("k", 51, dtype).unwrap(),
            v: self.operand("v", 52, dtype).unwrap(),
            bias: self.operand("bias", 54, dtype),
            sinks: self.operand("sinks", 55, dtype),
        }
    }

    /// What the variant is besides operands with gradients.
    fn options(&self, dtype: DType) -> AttentionOptions {
        let (batch, queries, keys) = (self.extent("batch"), self.extent("queries"), self.extent("keys"));
        let segments = |count: usize| {
            let each: Vec<i32> = (0..count as i32).map(|i| i / 16).collect();
            Array::from_slice(&each).broadcast_to(&[batch, count])
        };
        let mask = self.shape("mask").map(|shape| {
            let seen: Vec<bool> =
                (0..shape.iter().product()).map(|i| !word(60, i).is_multiple_of(3)).collect();
            Array::new(&seen, &shape)
        });
        let multiplier = self.shape("multiplier").map(|shape| {
            let kept = |i| if word(61, i).is_multiple_of(4) { 0.0 } else { 1.0 / 0.75 };
            let kept: Vec<f64> = (0..shape.iter().product()).map(kept).collect();
            Array::new(&kept, &shape).astype(if dtype == DType::F64 { DType::F64 } else { DType::F32 })
        });
        let bound = |name: &str| self.0[name].as_u64().map(|n| n as usize);
        let window = (bound("before"), bound("after"));
        AttentionOptions {
            scale: self.number("scale"),
            causal: self.0["causal"] == true,
            window: (window != (None, None))
                .then(|| (window.0.unwrap_or(usize::MAX), window.1.unwrap_or(usize::MAX))),
            offset: self.integers("offset"),
            key_lengths: self.integers("lengths"),
            segments: (self.0["segments"] == true).then(|| (segments(queries), segments(keys))),
            mask,
            softcap: self.number("softcap"),
            multiplier,
            hidden: self.number("hidden"),
            ..AttentionOptions::default()
        }
    }

    /// The result and the cotangents of the operands, by name.
    fn results(&self, dtype: DType) -> BTreeMap<String, Literal> {
        let (options, ct) = (self.options(dtype), self.operand("ct", 53, dtype).unwrap());
        let both = jit(move |operands: &Operands| {
            let (o, pull) = vjp(|x: &Operands| attend(x, &options), operands);
            (o, pull(&ct))
        });
        let (o, slopes) = both.call(self.operands(dtype)).unwrap();
        let slopes = slopes.leaves_with_paths().into_iter();
        let named =
            slopes.map(|(path, slope): (String, &Array)| (format!("d{path}"), slope.to_literal().unwrap()));
        named.chain([("o".to_owned(), o.to_literal().unwrap())]).collect()
    }
}

fn attend(x: &Operands, options: &AttentionOptions) -> Array {
    let options = AttentionOptions { bias: x.bias.clone(), sinks: x.sinks.clone(), ..options.clone() };
    dot_product_attention(&x.q, &x.k, &x.v, &options)
}

fn variants() -> Vec<Variant> {
    let all: Json = serde_json::from_str(&golden_text("attention.json").unwrap()).unwrap();
    all["variants"].as_array().unwrap().iter().cloned().map(Variant).collect()
}

/// How far a result is from the truth.
struct Off {
    /// The variant and the result.
    name: String,
    /// The root mean square error, over that of the truth.
    ours: f64,
    /// The same of JAX.
    jax: f64,
    /// Over how many elements.
    elements: usize,
}

/// The errors of all results in `dtype`; `suffix` is that of the goldens' names, and `jax` names JAX's errors.
fn errors(dtype: DType, suffix: &str, jax: &str) -> Vec<Off> {
    let goldens = golden_tensors("attention.safetensors").unwrap();
    let mut all = Vec::new();
    for (number, variant) in variants().iter().enumerate() {
        let found = variant.results(dtype);
        let described = variant.0["results"].as_object().unwrap();
        assert_eq!(found.len(), described.len(), "{}", variant.name());
        for (name, facts) in described {
            let truth = &goldens[&format!("{number}/{name}{suffix}")];
            let ours = rms_error(&found[name], truth, facts["stride"].as_u64().unwrap() as usize);
            let name = format!("{}: {name}", variant.name());
            all.push(Off {
                name,
                ours,
                jax: facts[jax].as_f64().unwrap(),
                elements: truth.to_f64_vec().len(),
            });
        }
    }
    all
}

#[test]
fn every_variant_and_its_gradients_are_the_plain_formula_s() {
    for Off { name, ours, .. } in errors(DType::F64, "", "jax_f32") {
        assert!(ours < 1e-13, "{name} is off by {ours:.1e}");
    }
}

/// Of heads as wide as models have them.
fn wide(off: &Off) -> bool {
    off.name.starts_with("wide")
}

#[test]
fn f32_results_are_as_close_to_the_truth_as_jax_s() {
    let (wide, _): (Vec<Off>, Vec<Off>) = errors(DType::F32, "", "jax_f32").into_iter().partition(wide);
    compare(&wide, &[("o", 1.0), ("dq", 1.0), ("dk", 1.0), ("dv", 1.0), ("dbias", 1.0)], 1.5, 2e-5);
}

/// Where a score is a sum of 8 products, what the end of an online softmax rounds is seen: o is divided once, where JAX divides weights,
/// whose roundings are many and cancel.
#[test]
fn f32_results_of_narrow_heads_are_nearly_as_close_to_the_truth_as_jax_s() {
    let (_, narrow): (Vec<Off>, Vec<Off>) = errors(DType::F32, "", "jax_f32").into_iter().partition(wide);
    compare(&narrow, &[("o", 1.2), ("dq", 1.1), ("dk", 1.0), ("dv", 1.0), ("dbias", 1.15)], 5.0, 2e-5);
}

#[test]
fn bf16_results_are_as_close_to_the_truth_as_jax_s() {
    let errors = errors(DType::BF16, "/bf16", "jax_bf16");
    compare(&errors, &[("o", 1.0), ("dq", 1.0), ("dk", 1.0), ("dv", 1.0), ("dbias", 1.0)], 5.0, 0.3);
}

/// The geometric mean, over all variants, of the errors of a result over JAX's is at most its bound; no ratio is above `worst`.
/// Of results of a few elements, whose ratios are chance, the errors are below `few`.
fn compare(errors: &[Off], bounds: &[(&str, f64)], worst: f64, few: f64) {
    let (many, small): (Vec<&Off>, Vec<&Off>) = errors.iter().partition(|off| off.elements >= 32);
    for Off { name, ours, .. } in small {
        assert!(*ours < few, "{name} is off by {ours:.1e}");
    }
    for &(result, bound) in bounds {
        let mut logarithms = Vec::new();
        for Off { name, ours, jax, .. } in
            many.iter().filter(|off| off.name.ends_with(&format!(": {result}")))
        {
            let ratio = ours / jax;
            assert!(ratio < worst, "{name} is off by {ours:.1e}, {ratio:.2} times as far as JAX's");
            logarithms.push(ratio.max(1e-3).ln());
        }
        let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
        println!("{result}: {mean:.2} times the error of JAX, over {} variants", logarithms.len());
        assert!(mean <= bound, "{result} is off {mean:.2} times as far as JAX's");
    }
}

/// The weighted sum of results changes along a direction of each operand as its gradient says.
#[test]
fn gradients_are_central_differences_on_the_reference_evaluator() {
    let reference = Device::all(Arc::new(ReferenceClient::new())).swap_remove(0);
    for variant in variants() {
        let dtype = DType::F64;
        let slopes = variant.results(dtype);
        // f'''' of scores times this step to the fourth is below the tolerance.
        let h = 1e-3 / (8.0 * variant.number("scale").unwrap()).max(1.0);
        with_default_device(&reference, || {
            let (options, ct) = (variant.options(dtype), variant.operand("ct", 53, dtype).unwrap());
            let value = jit(move |x: &Operands| (attend(x, &options) * &ct).sum(..));
            let operands = variant.operands(dtype);
            let count = operands.leaves().len() as i32;
            for at in 0..count {
                let mut slope = (String::new(), Vec::new());
                let mut direction = Vec::new();
                let mut moved = |step: f64| {
                    let mut position = 0;
                    let x = operands.clone().try_map_with_paths(|path, x: &Array| {
                        position += 1;
                        if position - 1 != at {
                            return Ok(x.clone());
                        }
                        slope = (path.to_owned(), slopes[&format!("d{path}")].to_f64_vec());
                        direction = (0..x.size()).map(|i| f64::from(unit(70 + at as u64, i))).collect();
                        Ok(x + Array::new(&direction, &x.shape()) * step)
                    });
                    value.call(x.unwrap()).unwrap().to_f64().unwrap()
                };
                let (near, far) = (moved(h) - moved(-h), moved(2.0 * h) - moved(-2.0 * h));
                let found = (8.0 * near - far) / (12.0 * h);
                let (path, slope) = slope;
                let expected: f64 = slope.iter().zip(&direction).map(|(g, d)| g * d).sum();
                let norm = slope.iter().map(|g| g * g).sum::<f64>().sqrt();
                let off = (found - expected).abs() / norm;
                assert!(
                    off <= 1e-8,
                    "{}: {path} is {found} along a direction, the gradient says {expected}",
                    variant.name()
                );
            }
        });
    }
}

/// Serving's operands are refused where a derivative is taken, at the line that calls attention.
#[test]
fn attention_for_serving_has_no_gradient_and_says_so() {
    let q = Array::ones(&[1, 2, 2, 8]);
    let scales = Array::ones(&[1, 4, 1]);
    let bytes = Array::zeros(&[1, 4, 1, 8]).astype(DType::I8);
    let pages = Array::new(&[0i32], &[1, 1]);
    let pool = Array::ones(&[1, 4, 1, 8]);
    let cases = [
        (bytes, AttentionOptions { scales: Some((scales.clone(), scales)), ..AttentionOptions::causal() }),
        (pool, AttentionOptions { pages: Some(pages), ..AttentionOptions::causal() }),
    ];
    for (kv, options) in cases {
        let line = Cell::new(0);
        let slope = try_trace(|| {
            jarrah_array::grad(|q: &Array| {
                line.set(line!() + 1);
                let y = dot_product_attention(q, &kv, &kv, &options);
                y.sum(..)
            })(&q)
        });
        let error = slope.unwrap_err();
        let message = "has no derivative: keys and values in pages or with scales are served, not trained";
        assert_eq!(error.message(), message);
        assert!(error.to_string().contains("give them as dense floats"), "{error}");
        let place = format!("{}:{}", file!(), line.get());
        assert!(error.to_string().contains(&place), "{error}\nshould name {place}");
    }
}
