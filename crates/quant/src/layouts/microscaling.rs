//! MXFP4 as checkpoints hold it.

use jarrah_array::{Array, DType, Error, Tree, fail, lax};

use super::turned;
use crate::check::{require_type, with};
use crate::codes::{pack, unpack};
use crate::scales::Scales;
use crate::scheme::Scheme;
use crate::tensor::QuantizedTensor;

/// The arrays of a weight, or a stack of them, in MXFP4, as gpt-oss stores them.
#[derive(Clone, Debug, Tree)]
pub struct Mxfp4Weight {
    /// `u8`, `[.., N, K / 32, 16]`: the first of two codes is in the low half of a byte.
    pub blocks: Array,
    /// `u8`, `[.., N, K / 32]`: exponents plus 127; 255 makes the block NaNs.
    pub scales: Array,
}

impl QuantizedTensor {
    /// The weight `[.., N, K]`, `[outputs, inputs]`, of MXFP4 blocks and scales.
    ///
    /// # Errors
    /// Arrays that do not fit together are program errors.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{Mxfp4Weight, QuantizedTensor};
    /// // One output of 32 inputs: 0.5 and 6 by turns, times 2.
    /// let weight = Mxfp4Weight { blocks: Array::full(&[1, 1, 16], 0x71, DType::U8), scales: Array::full(&[1, 1], 128, DType::U8) };
    /// let w = QuantizedTensor::from_mxfp4(&weight).dequantize(DType::F32);
    /// assert_eq!(w.slice(0, ..4).ravel().to_vec::<f32>()?, [1.0, 12.0, 1.0, 12.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: OCP Microscaling Formats (MX) 1.0, section 5.
    #[track_caller]
    pub fn from_mxfp4(weight: &Mxfp4Weight) -> QuantizedTensor {
        let op = "from_mxfp4";
        let shape = weight.scales.shape();
        let [ref lead @ .., outputs, groups] = *shape else {
            fail(
                Error::program(format!(
                    "`scales` is {}: it needs axes of outputs and groups",
                    weight.scales.ty()
                ))
                .op(op),
            );
        };
        require_type(op, "`scales`", &weight.scales, DType::U8, &shape);
        require_type(op, "`blocks`", &weight.blocks, DType::U8, &with(&shape, &[16]));
        let halves = weight.blocks.reshape(&with(&weight.blocks.shape(), &[1])[..]);
        let codes = halves.shift_right(lax::iota(DType::U8, &[2], 0).shift_left(2)) & 15u8;
        QuantizedTensor {
            codes: pack(&turned(&codes.reshape(&with(lead, &[outputs, groups * 32])[..]))),
            scales: Scales::Plain(turned(&weight.scales).bitcast(DType::F8E8M0FNU)),
            zeros: None,
            order: None,
            scheme: Scheme::MXFP4,
        }
    }

    /// The arrays of the weight as [`from_mxfp4`](Self::from_mxfp4) takes them.
    ///
    /// # Errors
    /// A weight of another scheme is a program error.
    #[track_caller]
    pub fn to_mxfp4(&self) -> Mxfp4Weight {
        let scales = match &self.scales {
            Scales::Plain(scales) if self.scheme == Scheme::MXFP4 => scales,
            _ => fail(
                Error::program(format!("the weight is {}: the layout holds `mxfp4` alone", self.scheme.name))
                    .op("to_mxfp4"),
            ),
        };
        let scales = turned(&scales.bitcast(DType::U8));
        let shape = with(&scales.shape(), &[16, 2]);
        let codes = turned(&unpack(&self.codes)).reshape(&shape[..]);
        let half = |i: usize| codes.slice(-1, i..i + 1).reshape(&shape[..shape.len() - 1]);
        Mxfp4Weight { blocks: half(0) | half(1).shift_left(4), scales }
    }
}
