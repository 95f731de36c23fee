//! Pieces for tests of many crates: golden tensors from the reference implementations, and how close is close.
//!
//! The goldens are made by the scripts under `oracle/`, which pin the versions of what they run.

pub mod client;
pub mod exhaustive;
pub mod kernels;
pub mod mutants;
pub mod programs;
mod tolerance;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_formats::safetensors::element;
use safetensors::SafeTensors;

pub use tolerance::Tolerance;

/// The word of a stream of numbers, as `oracle/common.py` defines it: numbers that are not stored are made of these.
pub fn word(stream: u64, index: usize) -> u64 {
    let z = ((stream << 32) | index as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number in [-0.5, 0.5) of a stream, as `oracle/common.py` defines it.
pub fn unit(stream: u64, index: usize) -> f32 {
    (word(stream, index) >> 40) as f32 * 2f32.powi(-24) - 0.5
}

/// The root mean square of the differences of every `stride`th element of `found` from `truth`, over that of `truth`, which holds these
/// elements alone.
pub fn rms_error(found: &Literal, truth: &Literal, stride: usize) -> f64 {
    let (found, truth) = (found.to_f64_vec(), truth.to_f64_vec());
    assert_eq!(found.len().div_ceil(stride), truth.len());
    let square = found.iter().step_by(stride).zip(&truth).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    (square / truth.iter().map(|x| x * x).sum::<f64>()).sqrt()
}

/// The golden file `name`.
pub fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// The text of the golden file `name`.
///
/// # Errors
/// It cannot be read.
pub fn golden_text(name: &str) -> Result<String> {
    let path = golden_path(name);
    std::fs::read_to_string(&path).map_err(|e| Error::io("read", &path, &e))
}

/// The tensors of a golden safetensors file, by name.
///
/// # Errors
/// As [`tensors`].
pub fn golden_tensors(name: &str) -> Result<BTreeMap<String, Literal>> {
    tensors(&golden_path(name))
}

/// The tensors of a safetensors file, by name.
///
/// # Errors
/// It cannot be read, or holds a dtype that the library lacks.
pub fn tensors(path: &Path) -> Result<BTreeMap<String, Literal>> {
    let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, &e))?;
    let file = SafeTensors::deserialize(&bytes)
        .map_err(|e| Error::input(format!("{} is no safetensors file: {e}", path.display())))?;
    file.iter()
        .map(|(name, view)| {
            let dtype = element(view.dtype())
                .ok_or_else(|| Error::input(format!("{:?} is no dtype of this library", view.dtype())))?;
            let ty = Type::tensor(dtype, view.shape().iter().copied());
            Ok((name.to_owned(), Literal::from_bytes(ty, view.data())?))
        })
        .collect()
}

/// The largest absolute difference over the largest absolute value of `expected`; NaN matches NaN, and infinities
/// their own sign. Infinite where the types differ or where one is finite and the other is not.
pub fn relative_error(found: &Literal, expected: &Literal) -> f64 {
    if found.ty() != expected.ty() {
        return f64::INFINITY;
    }
    let (found, expected) = (found.to_f64_vec(), expected.to_f64_vec());
    let largest = expected.iter().filter(|x| x.is_finite()).fold(0.0f64, |m, x| m.max(x.abs()));
    let mut worst = 0.0f64;
    for (a, b) in found.iter().zip(&expected) {
        if a == b || (a.is_nan() && b.is_nan()) {
            continue;
        }
        let difference = (a - b).abs();
        worst = worst.max(if difference.is_finite() { difference } else { f64::INFINITY });
    }
    if worst == 0.0 { 0.0 } else { worst / largest }
}
