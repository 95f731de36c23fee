//! Random numbers against `jax.random`: bit for bit where it is arithmetic, to a few units in the last place where it goes
//! through logarithms and error functions.

use std::collections::BTreeMap;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, lax};
use jarrah_testing::{golden_tensors, golden_text};
use serde_json::Value;

/// Units in the last place. XLA's own `erf_inv` of `f32` is 24 of them off at 0.99956.
const UNITS: f64 = 32.0;

fn dtype(case: &Value) -> DType {
    match case["dtype"].as_str().unwrap() {
        "uint8" => DType::U8,
        "uint16" => DType::U16,
        "uint32" => DType::U32,
        "uint64" => DType::U64,
        "int32" => DType::I32,
        "int64" => DType::I64,
        "float32" => DType::F32,
        "float64" => DType::F64,
        "bfloat16" => DType::BF16,
        "float16" => DType::F16,
        other => panic!("no dtype {other}"),
    }
}

fn draw(case: &Value, tensors: &BTreeMap<String, Literal>) -> Array {
    let words: Vec<u32> =
        case["key"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap() as u32).collect();
    let key = Key::from_words(Array::from_slice(&words));
    let shape: Option<Vec<usize>> = case
        .get("shape")
        .map(|shape| shape.as_array().unwrap().iter().map(|d| d.as_u64().unwrap() as usize).collect());
    let dims = shape.clone().unwrap_or_default();
    let bound = |name: &str| case[name].as_f64().unwrap();
    match case["function"].as_str().unwrap() {
        "key" => Key::new(case["seed"].as_i64().unwrap() as u64).words().clone(),
        "threefry2x32" => {
            let counts = Array::from_literal(tensors[case["counts"].as_str().unwrap()].clone());
            cipher(&key, &counts)
        }
        "split" => {
            let dims = shape.unwrap_or_else(|| vec![case["count"].as_u64().unwrap() as usize]);
            key.split_in(&dims)
        }
        "fold_in" => key.fold_in(case["data"].as_u64().unwrap() as u32).words().clone(),
        "bits" => key.bits(&dims, dtype(case)),
        "uniform" => key.uniform_in(&dims, dtype(case), bound("low"), bound("high")),
        "randint" => {
            let whole = |name: &str| case[name].as_i64().unwrap();
            key.randint_in(&dims, dtype(case), whole("low"), whole("high"))
        }
        "bernoulli" => key.bernoulli(bound("p"), &dims),
        "permutation" => key.permutation(case["count"].as_u64().unwrap() as usize).astype(DType::I64),
        "normal" => key.normal_in(&dims, dtype(case)),
        "gumbel" => key.gumbel_in(&dims, dtype(case)),
        "exponential" => key.exponential_in(&dims, dtype(case)),
        "truncated_normal" => key.truncated_normal_in(&dims, dtype(case), bound("low"), bound("high")),
        "categorical" => {
            let logits = Array::from_literal(tensors[case["logits"].as_str().unwrap()].clone());
            let axis = case["axis"].as_i64().unwrap() as isize;
            let drawn = match shape {
                Some(shape) => key.categorical_in(&logits, axis, &shape),
                None => key.categorical_in(&logits, axis, &without(&logits.shape(), axis as usize)),
            };
            drawn.astype(DType::I64)
        }
        other => panic!("no function {other}"),
    }
}

fn without(shape: &[usize], axis: usize) -> Vec<usize> {
    shape.iter().enumerate().filter(|(i, _)| *i != axis).map(|(_, &d)| d).collect()
}

/// The raw block function: counts halved, an odd length padded by a zero.
fn cipher(key: &Key, counts: &Array) -> Array {
    let n = counts.size();
    let half = n.div_ceil(2);
    let zero = Array::scalar(0u32);
    let padded = lax::pad(counts, &zero, &[0], &[(2 * half - n) as i64]);
    let word = |i: isize| key.words().index(i).broadcast_to(&[half]);
    let [a, b] =
        lax::threefry2x32([&word(0), &word(1)], [&padded.slice(0, 0..half), &padded.slice(0, half..)]);
    jarrah_array::concatenate(&[&a, &b], 0).slice(0, 0..n)
}

/// The largest difference, in units in the last place of the expected number.
fn units_off(found: &Literal, expected: &Literal) -> f64 {
    let mantissa = match expected.dtype() {
        DType::F64 => 52,
        DType::F32 => 23,
        DType::F16 => 10,
        DType::BF16 => 7,
        _ => 0,
    };
    let pairs = found.to_f64_vec().into_iter().zip(expected.to_f64_vec());
    pairs.fold(0.0f64, |worst, (a, b)| {
        if a == b || (a.is_nan() && b.is_nan()) {
            return worst;
        }
        let unit = 2f64.powi(b.abs().log2().floor() as i32 - mantissa);
        let off = (a - b).abs() / unit;
        if off.is_nan() { f64::INFINITY } else { worst.max(off) }
    })
}

#[test]
fn draws_are_jax_s() {
    let tensors = golden_tensors("random.safetensors").unwrap();
    let described: Value = serde_json::from_str(&golden_text("random.json").unwrap()).unwrap();
    let cases = described["cases"].as_array().unwrap();
    assert!(cases.len() > 500);
    let mut failures = Vec::new();
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let (found, expected) = (draw(case, &tensors).to_literal().unwrap(), &tensors[name]);
        let described = format!("{name} {} {:?}", case["function"], case.get("dtype"));
        if found.ty() != expected.ty() {
            failures.push(format!("{described}: {} instead of {}", found.ty(), expected.ty()));
        } else if case["exact"].as_bool().unwrap() {
            if found != *expected {
                failures.push(format!("{described}: {found:?} instead of {expected:?}"));
            }
        } else {
            let off = units_off(&found, expected);
            if off > UNITS {
                failures.push(format!("{described}: off by {off} units, {found:?} instead of {expected:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
