//! The NF4 weights of bitsandbytes.

use jarrah_array::{Array, DType, Error, Tree, fail};

use super::turned;
use crate::check::{require, require_type};
use crate::codes::{pack, unpack};
use crate::scales::{NESTED, NestedScales, Scales};
use crate::scheme::{NORMAL4, ScaleBlock, Scheme, Values};
use crate::tensor::QuantizedTensor;

/// The arrays of a weight that bitsandbytes stores as NF4.
#[derive(Clone, Debug, Tree)]
pub struct Nf4Weight {
    /// `weight`: `u8`, of `N K / 2` elements. Codes of `[N, K]` in row-major order, the first of two in the high half of a byte.
    pub packed: Array,
    /// `absmax`: the largest magnitude of each block of codes in row-major order, as `f32`, or as `u8` where it is quantized in turn.
    pub absmax: Array,
    /// `nested_quant_map`, `[256]`, `nested_absmax`, one for 256 blocks, and `nested_offset`, a scalar: all `f32`, for an `absmax` of `u8`.
    pub nested: Option<(Array, Array, Array)>,
}

impl QuantizedTensor {
    /// The weight `[N, K]`, `[outputs, inputs]`, that bitsandbytes stores as NF4, with scales as they are or doubly quantized.
    ///
    /// # Errors
    /// Arrays that do not fit together, and blocks that do not divide `K`, are program errors.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{Nf4Weight, QuantizedTensor};
    /// // Two outputs of 64 inputs: all codes are 15, which stands for 1.
    /// let packed = Array::full(&[64, 1], 255, DType::U8);
    /// let weight = Nf4Weight { packed, absmax: Array::from_slice(&[2.0f32, 3.0]), nested: None };
    /// let w = QuantizedTensor::from_nf4(&weight, [2, 64]).dequantize(DType::F32);
    /// assert_eq!(w.slice(0, ..1).ravel().to_vec::<f32>()?, [2.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Dettmers et al., QLoRA; the layout is that of bitsandbytes' `QuantState`.
    #[track_caller]
    pub fn from_nf4(weight: &Nf4Weight, [outputs, inputs]: [usize; 2]) -> QuantizedTensor {
        let op = "from_nf4";
        let (count, blocks) = (outputs * inputs, weight.absmax.size());
        let packed = weight.packed.ravel();
        require_type(op, "`packed`", &packed, DType::U8, &[count / 2]);
        let groups = blocks.checked_div(outputs).unwrap_or(0);
        let fits = groups > 0 && blocks == groups * outputs && inputs.is_multiple_of(2 * groups);
        require(op, fits, || {
            format!(
                "{blocks} blocks do not lie within rows of {inputs} inputs, {outputs} of them: pad the inputs to whole blocks"
            )
        });
        let halves = packed.reshape(&[count / 2, 1]).shift_right(Array::from_slice(&[4u8, 0])) & 15u8;
        let scales = match &weight.nested {
            None => {
                let absmax = weight.absmax.reshape(&[outputs, groups]);
                require_type(op, "`absmax`", &absmax, DType::F32, &[outputs, groups]);
                Scales::Plain(turned(&absmax))
            }
            Some((table, maxima, offset)) => {
                let codes = weight.absmax.reshape(&[outputs, groups]);
                require_type(op, "`absmax` with `nested`", &codes, DType::U8, &[outputs, groups]);
                require_type(op, "the table of `nested`", table, DType::F32, &[256]);
                require_type(op, "the maxima of `nested`", maxima, DType::F32, &[blocks.div_ceil(NESTED)]);
                require_type(op, "the offset of `nested`", offset, DType::F32, &[]);
                let (table, blocks, offset) = (table.clone(), maxima.clone(), offset.clone());
                Scales::Nested(Box::new(NestedScales { codes, table, blocks, offset }))
            }
        };
        QuantizedTensor {
            codes: pack(&turned(&halves.reshape(&[outputs, inputs]))),
            scales,
            zeros: None,
            order: None,
            scheme: Scheme { block: ScaleBlock::Group(inputs / groups), ..Scheme::NF4 },
        }
    }

    /// The sixteen numbers of NF4, `f32[16]`: `quant_map` in files.
    pub fn nf4_values() -> Array {
        Array::from_slice(&NORMAL4)
    }

    /// The arrays of the weight as [`from_nf4`](Self::from_nf4) takes them.
    ///
    /// # Errors
    /// A weight that is no matrix of NF4 is a program error.
    #[track_caller]
    pub fn to_nf4(&self) -> Nf4Weight {
        let shape = self.shape();
        if self.scheme.values != Values::Normal4 || shape.len() != 2 {
            fail(
                Error::program(format!(
                    "the weight is {} of shape {shape:?}: the layout holds a matrix of NF4",
                    self.scheme.name
                ))
                .op("to_nf4"),
            );
        }
        let codes = turned(&unpack(&self.codes)).reshape(&[shape[0] * shape[1] / 2, 2]);
        let half = |i: usize| codes.slice(1, i..i + 1);
        let packed = half(0).shift_left(4) | half(1);
        match &self.scales {
            Scales::Plain(scales) => {
                Nf4Weight { packed, absmax: turned(&scales.astype(DType::F32)).ravel(), nested: None }
            }
            Scales::Nested(nested) => {
                let NestedScales { codes, table, blocks, offset } = (**nested).clone();
                Nf4Weight { packed, absmax: codes.ravel(), nested: Some((table, blocks, offset)) }
            }
        }
    }
}
