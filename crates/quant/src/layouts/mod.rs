//! The layouts that others store quantized weights in. They keep the axis that a product contracts last, or pack codes along the
//! other; each is repacked once, when it is loaded.

mod awq;
mod bitsandbytes;
mod compressed;
mod gguf;
mod gptq;
mod microscaling;

pub use awq::AwqWeight;
pub use bitsandbytes::Nf4Weight;
pub use compressed::CompressedWeight;
pub use gptq::{GptqWeight, ZeroPoints};
use jarrah_array::{Array, DType, lax};
pub use microscaling::Mxfp4Weight;

use crate::check::with;

/// The last two axes in the other order.
#[track_caller]
fn turned(x: &Array) -> Array {
    let mut order: Vec<usize> = (0..x.rank()).collect();
    let last = x.rank().saturating_sub(2);
    order[last..].reverse();
    lax::transpose(x, &order)
}

/// The codes of 32-bit words, `u8` of `[.., count]`, where the one at position `i` begins at bit `shifts[i]`.
#[track_caller]
fn from_words(words: &Array, bits: u32, shifts: &[u32]) -> Array {
    let words = words.bitcast(DType::U32).reshape(&with(&words.shape(), &[1])[..]);
    (words.shift_right(Array::from_slice(shifts)) & ((1u32 << bits) - 1)).astype(DType::U8)
}

/// The 32-bit words `i32` of codes `[.., count]`, where the one at position `i` begins at bit `shifts[i]`.
#[track_caller]
fn to_words(codes: &Array, shifts: &[u32]) -> Array {
    let placed = codes.astype(DType::U32).shift_left(Array::from_slice(shifts));
    placed.sum(-1).astype(DType::U32).bitcast(DType::I32)
}

/// The bits at which codes begin in a word, the first lowest.
fn ascending(bits: u32) -> Vec<u32> {
    (0..32).step_by(bits as usize).collect()
}
