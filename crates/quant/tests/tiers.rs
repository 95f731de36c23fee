//! `JARRAH_CPU` changes no bit of products with quantized and prepared weights, whether codes are looked up, streamed or packed.

use std::process::Command;

use jarrah_array::{Array, DType, Literal, Prepared, jit};
use jarrah_quant::{QuantizedTensor, Scheme, dynamic_matmul, quantize};

use crate::hostile::of_integers;
use crate::numbers;
use crate::products::in_groups;

/// What lines of a child begin with.
const MARK: &str = "bits of";

/// A hash of the bits of `x`, of which all NaNs are one.
fn hash(x: &Array) -> u64 {
    let literal: Literal = x.to_literal().unwrap();
    let fold = |hash: u64, x: f64| {
        let bits = if x.is_nan() { 1 } else { x.to_bits() };
        (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3)
    };
    literal.to_f64_vec().into_iter().fold(0xcbf2_9ce4_8422_2325, fold)
}

/// A line for each product: its name and the bits of what it gives.
fn lines() -> Vec<String> {
    let apply = |(w, x): &(QuantizedTensor, Array)| w.apply(x);
    let plain = |(w, x): &(Array, Array)| x.matmul(w);
    let mut lines = Vec::new();
    for dtype in [DType::F32, DType::BF16, DType::F16, DType::F64] {
        for rows in [1, 8, 20] {
            for &(k, n) in &[(256, 320), (384, 33)] {
                let x = numbers(2, &[rows, k]).astype(dtype);
                for &scheme in
                    &[Scheme::ALL, &[Scheme::INT8.per_tensor(), Scheme::INT4.per_channel()]].concat()
                {
                    let w = quantize(&numbers(1, &[k, n]), scheme);
                    let mut line = format!("{dtype} {rows} {k} {n} {}", scheme.name);
                    line += &format!(" {:x}", hash(&jit(apply).call((w.clone(), x.clone())).unwrap()));
                    if rows == 8 && dtype == DType::F32 && of_integers(scheme) {
                        line += &format!(" {:x}", hash(&dynamic_matmul(&x, &w)));
                    }
                    let ready = jit(apply).prepared(&Prepared::new(w));
                    line += &format!(" {:x}", hash(&ready.call((x.clone(),)).unwrap()));
                    lines.push(line);
                }
                let w = numbers(1, &[k, n]).astype(dtype);
                let product = hash(&jit(plain).call((w.clone(), x.clone())).unwrap());
                let ready = jit(plain).prepared(&Prepared::new(w));
                lines.push(format!(
                    "{dtype} {rows} {k} {n} {product:x} {:x}",
                    hash(&ready.call((x,)).unwrap())
                ));
            }
        }
    }
    for dtype in [DType::F32, DType::BF16, DType::F16] {
        for scheme in Scheme::ALL {
            for transposed in [false, true] {
                let sizes = Array::from_slice(&[1i32, 0, 2, 5, 0, 30]);
                let w = quantize(&numbers(1, &[6, 256, 320]), *scheme);
                let x = numbers(2, &[40, if transposed { 320 } else { 256 }]).astype(dtype);
                let product = jit(move |args: &_| in_groups(args, transposed));
                let bits = hash(&product.call((x, w, sizes)).unwrap());
                lines.push(format!(
                    "{dtype} in groups of rows, transposed {transposed}, {} {bits:x}",
                    scheme.name
                ));
            }
        }
    }
    lines
}

#[test]
fn instruction_sets_change_no_bit() {
    if std::env::var_os("JARRAH_TIERS_CHILD").is_some() {
        lines().iter().for_each(|line| println!("{MARK} {line}"));
        return;
    }
    let here = lines();
    for tier in ["avx512", "avx2", "portable"] {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "tiers::instruction_sets_change_no_bit", "--nocapture"]);
        let done = child.env("JARRAH_TIERS_CHILD", "1").env("JARRAH_CPU", tier).output().unwrap();
        let [out, said] = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        if said.contains("does not have") {
            continue;
        }
        assert!(done.status.success(), "{tier}: {said}");
        let found = out.lines().filter_map(|line| Some(line.split_once(MARK)?.1.trim()));
        let found: Vec<&str> = found.collect();
        assert_eq!(found.len(), here.len(), "{tier}");
        for (found, here) in found.into_iter().zip(&here) {
            assert_eq!(found, here, "{tier}");
        }
    }
}
