//! A thousand random chains of transformations, up to four deep, and fourth derivatives of every base: they give JAX's numbers.
//!
//! The expected numbers are of f64, so that in f32 the error is the distance from the truth.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jarrah_array::{Array, DType, jit, try_trace};
use jarrah_base::{Literal, Result};
use jarrah_testing::{golden_tensors, golden_text};

use super::shells::chain;

/// One line of the golden file.
struct Line {
    text: String,
    number: usize,
    expected: Vec<f64>,
}

impl Line {
    fn words(&self) -> Vec<&str> {
        self.text.split(' ').collect()
    }

    fn shape(&self) -> Vec<usize> {
        self.words()[0].split(',').map(|extent| extent.parse().unwrap()).collect()
    }

    /// The arguments `x` and `w`, whose numbers `oracle/common.py` defines.
    fn arguments(&self, dtype: DType) -> (Array, Array) {
        let argument = |stream: usize| {
            let numbers: Vec<f64> =
                (0..self.expected.len()).map(|i| 2.0 * unit(stream as u64, i as u64)).collect();
            Array::new(&numbers, &self.shape()).astype(dtype)
        };
        (argument(7000 + 2 * self.number), argument(7001 + 2 * self.number))
    }

    /// The largest error over the largest of the expected numbers, which is at least 1e-3, or why there is no result. A panic counts as an
    /// error, so that the others still run.
    fn error(&self, dtype: DType, compiled: bool) -> std::result::Result<f64, String> {
        let words = self.words();
        let run = || -> Result<Literal> {
            let f = |(x, w): &(Array, Array)| chain(&words[1..], x, w);
            let arguments = self.arguments(dtype);
            let result = if compiled { jit(f).call(arguments)? } else { f(&arguments) };
            result.to_literal()
        };
        let caught = catch_unwind(AssertUnwindSafe(|| try_trace(run).and_then(|result| result)));
        let found = match caught {
            Ok(result) => result.map_err(|error| error.to_string())?,
            Err(_) => return Err("panicked".to_owned()),
        };
        if found.dtype() != dtype || found.ty().dims()[..] != self.shape()[..] {
            return Err(format!("is {}", found.ty()));
        }
        let largest = self.expected.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let scale = largest.max(1e-3);
        let differences = found.to_f64_vec().into_iter().zip(&self.expected).map(|(a, b)| (a - b).abs());
        // A NaN is larger than any bound.
        Ok(differences.fold(0.0f64, |m, d| if d <= m { m } else { d }) / scale)
    }
}

/// `unit` of `oracle/common.py`.
fn unit(stream: u64, index: u64) -> f64 {
    let mut z = ((stream << 32) | index).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 40) as f64 * f64::powi(2.0, -24) - 0.5
}

/// The chains, and the fourth derivatives.
fn lines() -> (Vec<Line>, Vec<Line>) {
    let numbers = golden_tensors("nested.safetensors").unwrap()["results"].to_f64_vec();
    let mut rest = &numbers[..];
    let (mut chains, mut fourth, mut after) = (Vec::new(), Vec::new(), false);
    for text in golden_text("nested.txt").unwrap().lines() {
        if text == "fourth" {
            after = true;
            continue;
        }
        let mut line =
            Line { text: text.to_owned(), number: chains.len() + fourth.len(), expected: Vec::new() };
        let (first, others) = rest.split_at(line.shape().iter().product());
        line.expected = first.to_vec();
        rest = others;
        if after { fourth.push(line) } else { chains.push(line) }
    }
    assert!(rest.is_empty());
    (chains, fourth)
}

fn check(lines: &[Line], dtype: DType, compiled: bool, bound: f64) {
    let mut worst = 0.0f64;
    let mut failures = Vec::new();
    for line in lines {
        match line.error(dtype, compiled) {
            Ok(error) if error <= bound => worst = worst.max(error),
            Ok(error) => failures.push(format!("{}: off by {error:.1e}", line.text)),
            Err(message) => {
                let first = message.lines().next().unwrap_or("");
                failures.push(format!("{}: {first}", line.text));
            }
        }
    }
    println!("{} programs in {dtype}: largest error {worst:.1e}", lines.len());
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), lines.len(), failures.join("\n"));
}

#[test]
fn chains_agree_with_jax_in_f32_compiled() {
    let (chains, _) = lines();
    assert!(chains.len() >= 1000);
    check(&chains, DType::F32, true, 1e-5);
}

#[test]
fn chains_agree_with_jax_in_f64_eagerly() {
    let (chains, _) = lines();
    check(&chains, DType::F64, false, 1e-10);
}

#[test]
fn fourth_derivatives_agree_with_jax() {
    let (_, fourth) = lines();
    let bases: BTreeSet<&str> = fourth.iter().map(|line| line.words()[line.words().len() - 1]).collect();
    assert!(bases.len() >= 40);
    check(&fourth, DType::F64, true, 1e-6);
}
