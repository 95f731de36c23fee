//! Quantized tensors: their values and codes beside those of reference implementations, products beside exact sums, one step for a product.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod calibrated;
mod gradients;
mod hostile;
mod imported;
mod layouts;
mod nonfinite;
mod products;
mod schemes;
mod tiers;
mod trees;
mod wrong;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Literal, Type};
use safetensors::{Dtype, SafeTensors};

/// A tensor of the goldens, which `oracle/quant.py` makes.
fn golden(name: &str) -> Array {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/quant.safetensors");
    let bytes = std::fs::read(path).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let view = tensors.tensor(name).unwrap();
    let dtype = match view.dtype() {
        Dtype::U8 => DType::U8,
        Dtype::I8 => DType::I8,
        Dtype::I32 => DType::I32,
        Dtype::F16 => DType::F16,
        Dtype::F32 => DType::F32,
        other => panic!("{name} is {other:?}"),
    };
    let ty = Type::tensor(dtype, view.shape().iter().copied());
    Array::from_literal(Literal::from_bytes(ty, view.data()).unwrap())
}

/// The bits are the same, those of NaNs aside.
#[track_caller]
fn same(what: &str, found: &Array, wanted: &Array) {
    assert_eq!(found.ty().to_string(), wanted.ty().to_string(), "{what}");
    if !found.dtype().is_float() {
        assert_eq!(found.to_literal().unwrap(), wanted.to_literal().unwrap(), "{what}");
        return;
    }
    let numbers = |x: &Array| x.astype(DType::F32).to_vec::<f32>().unwrap();
    for (i, (f, w)) in numbers(found).into_iter().zip(numbers(wanted)).enumerate() {
        assert!(f.to_bits() == w.to_bits() || f.is_nan() && w.is_nan(), "{what}: {f:e} at {i}, not {w:e}");
    }
}

/// Numbers of which a few are far from the others.
fn numbers(seed: u64, shape: &[usize]) -> Array {
    let x = Key::new(seed).normal(shape);
    &x * (&x * &x * 0.3).exp()
}
