//! Quantized tensors.
//!
//! A [`QuantizedTensor`] is a tree of ordinary arrays: codes, scales and, where a [`Scheme`] has them, zero points. What it
//! stands for is computed by ordinary operations, so every transformation and device takes it, and a compiled product makes the
//! numbers as it reads them: the weight never lies in memory as floats.
//!
//! ```
//! use jarrah_array::{Array, jit, random::Key};
//! use jarrah_quant::{QuantizedTensor, Scheme, quantize};
//!
//! let weight = Key::new(0).normal(&[64, 16]);
//! let packed = quantize(&weight, Scheme::INT4.groups_of(32));
//! assert_eq!(packed.codes.ty().to_string(), "u8[32,16]");
//!
//! let product = jit(|(x, w): &(Array, QuantizedTensor)| w.apply(x));
//! let x = Array::ones(&[2, 64]);
//! let y = product.call((x.clone(), packed))?;
//! assert!((y - x.matmul(&weight)).abs().max(..).item::<f32>()? < 2.0);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! Values of few bits are stored in one way: two codes of four bits in a `u8`, in ordinary arrays. A buffer of `i4`, `u4` or
//! `f4e2m1fn` has a byte for each element, so every element has an address, and strides, views, aliases and kernels know nothing
//! of half bytes; where memory matters, the shifts and masks stand in the program, in the loop that runs while the product packs
//! its operand. Byte `[i, n]` holds rows `2 i` and `2 i + 1` of a column (rows are contracted). Groups and the rows of a byte are
//! axes, `[groups, g / 2, 2, columns]`, so one loop without divisions decodes them and a free reshape follows. Layouts that pack
//! along another axis are repacked when they are loaded (`layouts/`).

mod awq;
mod check;
mod codes;
mod dynamic;
mod fake;
mod gptq;
mod layouts;
mod moments;
mod pieces;
mod quantize;
mod scales;
mod scheme;
mod tensor;

pub use awq::awq_factors;
pub use dynamic::dynamic_matmul;
pub use fake::fake_quant;
pub use gptq::{GptqOptions, gptq};
pub use layouts::{AwqWeight, CompressedWeight, GptqWeight, Mxfp4Weight, Nf4Weight, ZeroPoints};
pub use moments::Moments;
pub use quantize::quantize;
pub use scales::{NestedScales, Scales};
pub use scheme::{Activations, Rounding, ScaleBlock, ScaleRule, Scheme, Values};
pub use tensor::QuantizedTensor;
