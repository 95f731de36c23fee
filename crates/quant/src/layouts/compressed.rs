//! The layouts of compressed-tensors, which vLLM and transformers read.

use jarrah_array::{Array, DType, Error, Tree, fail, lax};

use super::gptq::group_order;
use super::{ascending, from_words, to_words, turned};
use crate::check::{require, require_type};
use crate::codes::{pack, unpack};
use crate::layouts::Mxfp4Weight;
use crate::scales::Scales;
use crate::scheme::{Activations, ScaleBlock, Scheme, Values};
use crate::tensor::QuantizedTensor;

/// The arrays of a weight `[N, K]`, `[outputs, inputs]`, as compressed-tensors stores it.
#[derive(Clone, Debug, Tree)]
pub struct CompressedWeight {
    /// `weight_packed`: integers of 4 or 8 bits plus 8 or 128, along `K` in words of 32 bits, the first lowest, `i32[N, words]`; floats of 4 bits, two to a
    /// byte, `u8[N, K / 2]`. Or `weight`: integers or floats of 8 bits, `[N, K]`.
    pub codes: Array,
    /// `weight_scale`: floats `[N, groups]`, or one for all, `[1]` or a scalar; of floats of 4 bits exponents plus 127, `u8[N, K / 32]`.
    pub scales: Array,
    /// `weight_zero_point`: integers as codes are, `i8[N, groups]`, or in words along `N`, `i32[words, groups]`.
    pub zeros: Option<Array>,
    /// `weight_g_idx`: `i32[K]`, the group of each input.
    pub g_idx: Option<Array>,
}

/// The name of [`QuantizedTensor::from_compressed`] in errors.
const FROM: &str = "from_compressed";

/// The scales of a weight as rows of `outputs`, one for each group: `[groups, outputs]`, or `[1, 1]`.
#[track_caller]
fn turned_scales(scales: &Array, outputs: usize) -> Array {
    match scales.shape()[..] {
        [] | [1] => scales.reshape(&[1, 1]),
        [all] if all == outputs => scales.reshape(&[1, outputs]),
        [1, 1] if outputs > 1 => scales.clone(),
        [all, _] if all == outputs => turned(scales),
        ref shape => fail(
            Error::program(format!("scales are of shape {shape:?}, none for each of {outputs} outputs"))
                .op(FROM),
        ),
    }
}

/// The zero points of codes of so many bits, as `u8` of the shape of `scales`, `[groups, outputs]`.
#[track_caller]
fn turned_zeros(zeros: &Array, bits: u32, scales: &Array, outputs: usize) -> Array {
    let shape = scales.shape();
    if zeros.dtype() == DType::I32 {
        let words = (outputs * bits as usize).div_ceil(32);
        require_type(FROM, "zero points", zeros, DType::I32, &[words, shape[0]]);
        let unpacked = from_words(&turned(zeros), bits, &ascending(bits));
        return unpacked.reshape(&[shape[0] as isize, -1]).slice(1, ..outputs);
    }
    let zeros = match zeros.size() {
        1 => zeros.reshape(&[1, 1]).broadcast_to(&shape),
        _ => turned(&zeros.reshape(&[shape[1], shape[0]])),
    };
    (zeros.astype(DType::I32) + (1i32 << (bits - 1))).astype(DType::U8)
}

impl QuantizedTensor {
    /// The weight `[N, K]`, `[outputs, inputs]`, that compressed-tensors stores in one of its formats `pack-quantized`, `int-quantized`, `float-quantized`,
    /// `naive-quantized` and `mxfp4-pack-quantized`, which its arrays tell.
    ///
    /// `w[k, n] = (code[n, k] - zero[n, g]) scale[n, g]` for the group `g` of input `k`.
    ///
    /// # Errors
    /// Arrays that do not fit together, and those of other formats, are program errors.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{CompressedWeight, QuantizedTensor};
    /// // One output of eight inputs: -8, -7, ..., -1, halved.
    /// let weight = CompressedWeight {
    ///     codes: Array::full(&[1, 1], 0x7654_3210, DType::I32),
    ///     scales: Array::full(&[1, 1], 0.5, DType::F32),
    ///     zeros: None,
    ///     g_idx: None,
    /// };
    /// let w = QuantizedTensor::from_compressed(&weight, [1, 8]).dequantize(DType::F32);
    /// assert_eq!(w.ravel().to_vec::<f32>()?, [-4.0, -3.5, -3.0, -2.5, -2.0, -1.5, -1.0, -0.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: the compressors of the package `compressed-tensors`.
    #[track_caller]
    pub fn from_compressed(weight: &CompressedWeight, [outputs, inputs]: [usize; 2]) -> QuantizedTensor {
        let (op, codes) = (FROM, &weight.codes);
        let words = |bits: usize| {
            codes.dtype() == DType::I32 && codes.shape() == [outputs, (inputs * bits).div_ceil(32)]
        };
        if codes.dtype() == DType::U8 && weight.scales.dtype() == DType::U8 {
            require(op, inputs.is_multiple_of(32), || format!("{inputs} inputs are no whole blocks of 32"));
            require_type(op, "codes", codes, DType::U8, &[outputs, inputs / 2]);
            let blocks = codes.reshape(&[outputs, inputs / 32, 16]);
            return QuantizedTensor::from_mxfp4(&Mxfp4Weight { blocks, scales: weight.scales.clone() });
        }
        require(op, weight.scales.dtype().is_float(), || {
            format!("scales are {}, no floats", weight.scales.ty())
        });
        let scales = turned_scales(&weight.scales, outputs);
        let groups = scales.shape()[0];
        let bits = if words(4) { 4 } else { 8 };
        let even = if bits == 4 { 2 } else { 1 };
        require(
            op,
            groups > 0 && inputs.is_multiple_of(groups) && (inputs / groups).is_multiple_of(even),
            || format!("{inputs} inputs are no {groups} groups of one size, even where codes have 4 bits"),
        );
        let size = inputs / groups;
        // What was stored, plus half of the range of codes.
        let unsigned = match codes.dtype() {
            DType::I32 => {
                let packed = words(4) || words(8);
                require(op, packed, || {
                    format!("codes are {}, no words of 4 or 8 bits of [{outputs}, {inputs}]", codes.ty())
                });
                from_words(codes, bits, &ascending(bits)).reshape(&[outputs as isize, -1]).slice(1, ..inputs)
            }
            DType::I8 => codes.bitcast(DType::U8) ^ 128u8,
            _ => codes.clone(),
        };
        require(op, unsigned.shape() == [outputs, inputs], || {
            format!("codes are {}, and the weight is [{outputs}, {inputs}]", codes.ty())
        });
        let values = match (codes.dtype(), weight.zeros.is_some()) {
            (DType::F8E4M3FN, false) => Values::E4M3,
            (DType::F8E5M2, false) => Values::E5M2,
            (DType::I32 | DType::I8, true) if bits == 4 => Values::UInt4,
            (DType::I32 | DType::I8, true) => Values::UInt8,
            (DType::I32, false) if bits == 4 => Values::Int4,
            (DType::I32 | DType::I8, false) => Values::Int8,
            (dtype, _) => fail(
                Error::program(format!("codes are in {dtype}, which no format that is read here has")).op(op),
            ),
        };
        let zeros = weight.zeros.as_ref().map(|zeros| turned_zeros(zeros, bits, &scales, outputs));
        let mut codes = turned(&unsigned);
        let order = weight.g_idx.as_ref().and_then(|g_idx| group_order(op, g_idx, groups, size));
        if let Some(order) = &order {
            codes = codes.take(order, 0);
        }
        let codes = match values {
            Values::Int4 | Values::UInt4 => pack(&codes),
            Values::Int8 => (&codes ^ 128u8).bitcast(DType::I8),
            _ => codes,
        };
        let own = match values {
            Values::Int4 => Scheme::INT4,
            Values::UInt4 => Scheme::UINT4,
            Values::Int8 => Scheme::INT8,
            Values::UInt8 => Scheme::UINT8,
            Values::E4M3 => Scheme::F8E4M3,
            _ => Scheme::F8E5M2,
        };
        let block = match scales.shape()[..] {
            [1, 1] if outputs > 1 => ScaleBlock::Tensor,
            [1, _] => ScaleBlock::Channel,
            _ => ScaleBlock::Group(size),
        };
        let scheme = Scheme { block, scale: scales.dtype(), ..own };
        QuantizedTensor { codes, scales: Scales::Plain(scales), zeros, order, scheme }
    }

    /// The arrays of the weight as [`from_compressed`](Self::from_compressed) takes them: integers in words, those that are multiplied with integers and floats of 8 bits as
    /// they are.
    ///
    /// # Errors
    /// A stack of matrices, a weight of NF4, which compressed-tensors has no format for, and one with rows in another order (GPTQ's activation order), which it
    /// has no longer: program errors. So are zero points of 16 bits, which are not codes.
    #[track_caller]
    pub fn to_compressed(&self) -> CompressedWeight {
        let op = "to_compressed";
        let shape = self.shape();
        let (scales, [inputs, outputs]) = match (&self.scales, &shape[..]) {
            (Scales::Plain(scales), &[inputs, outputs]) if self.scheme.values != Values::Normal4 && self.order.is_none() => {
                (scales.clone(), [inputs, outputs])
            }
            _ => fail(
                Error::program(format!(
                    "the weight is {} of shape {shape:?}: the formats hold a matrix of integers, or of floats of 4 or 8 bits, \
                     with rows in their own order",
                    self.scheme
                ))
                .op(op),
            ),
        };
        if self.scheme.values == Values::E2M1 {
            let is_mxfp4 = scales.dtype() == DType::F8E8M0FNU && scales.shape() == [inputs / 32, outputs];
            require(op, is_mxfp4, || {
                format!("{} has floats of 4 bits with other scales than mxfp4", self.scheme)
            });
            let Mxfp4Weight { blocks, scales } =
                QuantizedTensor { scheme: Scheme::MXFP4, ..self.clone() }.to_mxfp4();
            return CompressedWeight {
                codes: blocks.reshape(&[outputs, inputs / 2]),
                scales,
                zeros: None,
                g_idx: None,
            };
        }
        let groups = scales.shape()[0];
        let (unsigned, bits) = match self.scheme.values {
            Values::Int4 | Values::UInt4 => (unpack(&self.codes), 4),
            Values::Int8 => (self.codes.bitcast(DType::U8) ^ 128u8, 8),
            _ => (self.codes.clone(), 8),
        };
        let plain = !self.scheme.values.is_integer() || self.scheme.activations == Activations::Int8;
        let stored = |codes: &Array| match self.scheme.values.is_integer() {
            true => (codes ^ 128u8).bitcast(DType::I8),
            false => codes.clone(),
        };
        let words = |codes: &Array| {
            let (rows, columns) = (codes.shape()[0], codes.shape()[1]);
            let each = 32 / bits as usize;
            let filled = columns.next_multiple_of(each);
            let none = Array::full(&[], 0, codes.dtype());
            let codes = lax::pad(codes, &none, &[0, 0], &[0, (filled - columns) as i64]);
            to_words(&codes.reshape(&[rows, filled / each, each]), &ascending(bits))
        };
        let codes = if plain { stored(&turned(&unsigned)) } else { words(&turned(&unsigned)) };
        let wide = |x: &Array| x.broadcast_to(&[groups, outputs]);
        let wide_zeros = self.zeros.as_ref().is_some_and(|zeros| zeros.dtype() != DType::U8);
        require(op, !wide_zeros, || "zero points of 16 bits may be no codes of 8".to_owned());
        let zeros = self.zeros.as_ref().map(|zeros| {
            let zeros = wide(&zeros.astype(DType::U8));
            if plain { stored(&turned(&zeros)) } else { turned(&words(&zeros)) }
        });
        let scales = match self.scheme.block {
            ScaleBlock::Tensor => scales.reshape(&[1]),
            _ => turned(&wide(&scales)),
        };
        CompressedWeight { codes, scales, zeros, g_idx: None }
    }
}
