//! Blocks of llama.cpp's files.

use jarrah_array::{Array, DType, Error, concatenate, fail, lax};

use super::turned;
use crate::check::{require, require_type, with};
use crate::codes::{pack, unpack};
use crate::scales::Scales;
use crate::scheme::{Scheme, Values};
use crate::tensor::QuantizedTensor;

/// The codes of a block.
const BLOCK: usize = 32;

/// The bytes of codes in a block.
#[track_caller]
fn code_bytes(op: &str, scheme: Scheme) -> usize {
    match scheme {
        Scheme::Q4_0 => BLOCK / 2,
        Scheme::Q8_0 => BLOCK,
        _ => fail(
            Error::program(format!(
                "{} is no layout of GGUF that is known here: use `Q4_0` or `Q8_0`",
                scheme.name
            ))
            .op(op),
        ),
    }
}

impl QuantizedTensor {
    /// The weight whose blocks are `bytes`, `u8` of `[N, bytes of a row]`, as files of llama.cpp have them: `[outputs, inputs]`, blocks of 32
    /// inputs. `scheme` is [`Scheme::Q4_0`] or [`Scheme::Q8_0`].
    ///
    /// A block is the scale as `f16`, then codes: for `Q8_0` 32 signed bytes, for `Q4_0` 16 bytes, of which byte `i` has code `i` in its low half
    /// and code `i + 16` in its high half.
    ///
    /// # Errors
    /// Bytes of another dtype, or rows that are no whole blocks, are program errors.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{QuantizedTensor, Scheme};
    /// // One block of Q8_0: the scale 0.5, and codes 0, 1, 2, ...
    /// let bytes: Vec<u8> = [0x00, 0x38].into_iter().chain(0..32).collect();
    /// let w = QuantizedTensor::from_gguf(&Array::from_slice(&bytes).reshape(&[1, 34]), Scheme::Q8_0);
    /// assert_eq!(w.dequantize(DType::F32).slice(0, ..3).ravel().to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    /// assert_eq!(w.to_gguf().ravel().to_vec::<u8>()?, bytes);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `ggml/src/ggml-common.h` of llama.cpp, `block_q4_0` and `block_q8_0`.
    #[track_caller]
    pub fn from_gguf(bytes: &Array, scheme: Scheme) -> QuantizedTensor {
        let op = "from_gguf";
        let codes = code_bytes(op, scheme);
        let rows = *bytes.shape().first().unwrap_or(&0);
        let blocks = bytes.shape().get(1).unwrap_or(&0) / (codes + 2);
        require_type(op, "the array of blocks", bytes, DType::U8, &[rows, blocks * (codes + 2)]);
        let bytes = bytes.reshape(&[rows, blocks, codes + 2]);
        let byte = |i: usize| bytes.slice(-1, i..i + 1).reshape(&[rows, blocks]).astype(DType::U16);
        let scales = turned(&(byte(0) | byte(1).shift_left(8)).bitcast(DType::F16));
        let codes = bytes.slice(-1, 2..);
        let codes = match scheme.values {
            Values::Int8 => turned(&codes.bitcast(DType::I8).reshape(&[rows, blocks * BLOCK])),
            _ => {
                let halves = codes.reshape(&[rows, blocks, 1, BLOCK / 2]);
                let codes = halves.shift_right(lax::iota(DType::U8, &[2, 1], 0).shift_left(2)) & 15u8;
                pack(&turned(&codes.reshape(&[rows, blocks * BLOCK])))
            }
        };
        QuantizedTensor { codes, scales: Scales::Plain(scales), zeros: None, order: None, scheme }
    }

    /// The blocks of the weight as [`from_gguf`](Self::from_gguf) takes them.
    ///
    /// # Errors
    /// A weight of a scheme other than [`Scheme::Q4_0`] and [`Scheme::Q8_0`] is a program error.
    #[track_caller]
    pub fn to_gguf(&self) -> Array {
        let op = "to_gguf";
        code_bytes(op, self.scheme);
        let shape = self.shape();
        require(op, shape.len() == 2, || {
            format!("the weight has the shape {shape:?}: a stack is written matrix by matrix")
        });
        let (inputs, rows) = (shape[0], shape[1]);
        let blocks = inputs / BLOCK;
        let bits =
            turned(&self.scales.values().astype(DType::F16)).bitcast(DType::U16).reshape(&[rows, blocks, 1]);
        let low = (&bits & 255u16).astype(DType::U8);
        let high = bits.shift_right(8).astype(DType::U8);
        let codes = match self.scheme.values {
            Values::Int8 => turned(&self.codes).bitcast(DType::U8).reshape(&[rows, blocks, BLOCK]),
            _ => {
                let codes = turned(&unpack(&self.codes)).reshape(&[rows, blocks, 2, BLOCK / 2]);
                let half = |i: usize| codes.slice(2, i..i + 1).reshape(&[rows, blocks, BLOCK / 2]);
                half(0) | half(1).shift_left(4)
            }
        };
        let blocks = concatenate(&[&low, &high, &codes], -1);
        let width: usize = blocks.shape()[1..].iter().product();
        blocks.reshape(&with(&[rows], &[width])[..])
    }
}
