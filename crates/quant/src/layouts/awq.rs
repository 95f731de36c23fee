//! AWQ's layout.

use jarrah_array::{Array, DType, Tree};

use super::gptq::integers;
use super::{from_words, to_words};
use crate::check::{matrices, require, require_type};
use crate::codes::pack;
use crate::scales::Scales;
use crate::scheme::{ScaleBlock, Scheme, Values};
use crate::tensor::QuantizedTensor;

/// The arrays of a layer quantized by AWQ, by their names in files.
#[derive(Clone, Debug, Tree)]
pub struct AwqWeight {
    /// `i32`, `[K, N / 8]`: codes of eight columns in a word; columns 0, 2, 4, 6, 1, 3, 5, 7 from the lowest bits on.
    pub qweight: Array,
    /// `i32`, `[groups, N / 8]`, in the same order.
    pub qzeros: Array,
    /// Floats, `[groups, N]`.
    pub scales: Array,
}

/// The bit at which each of eight columns begins.
const SHIFTS: [u32; 8] = [0, 16, 4, 20, 8, 24, 12, 28];

impl QuantizedTensor {
    /// The weight of a layer quantized by AWQ: `w[k, n] = (code[k, n] - zero[k / g, n]) scales[k / g, n]`.
    ///
    /// # Errors
    /// Arrays that do not fit together are program errors.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{AwqWeight, QuantizedTensor};
    /// let layer = AwqWeight {
    ///     qweight: Array::full(&[2, 1], 0x7531_6420, DType::I32),
    ///     qzeros: Array::zeros(&[1, 1]).astype(DType::I32),
    ///     scales: Array::ones(&[1, 8]).astype(DType::F16),
    /// };
    /// let w = QuantizedTensor::from_awq(&layer).dequantize(DType::F32);
    /// assert_eq!(w.slice(0, ..1).ravel().to_vec::<f32>()?, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Lin et al., AWQ; the layout is that of AutoAWQ's `gemm` files.
    #[track_caller]
    pub fn from_awq(layer: &AwqWeight) -> QuantizedTensor {
        let op = "from_awq";
        let (_, rows, words) = matrices(op, "`qweight`", &layer.qweight);
        let (_, groups, columns) = matrices(op, "`scales`", &layer.scales);
        require_type(op, "`qweight`", &layer.qweight, DType::I32, &[rows, columns / 8]);
        require_type(op, "`qzeros`", &layer.qzeros, DType::I32, &[groups, words]);
        require_type(op, "`scales`", &layer.scales, layer.scales.dtype(), &[groups, columns]);
        require(op, groups > 0 && rows.is_multiple_of(2 * groups) && columns == 8 * words, || {
            format!(
                "{rows} rows are no {groups} groups of one even size, or {columns} columns no whole words of 8"
            )
        });
        let codes = from_words(&layer.qweight, 4, &SHIFTS).reshape(&[rows, columns]);
        let zeros = from_words(&layer.qzeros, 4, &SHIFTS).reshape(&[groups, columns]);
        let (name, block, scale) = ("awq", ScaleBlock::Group(rows / groups), layer.scales.dtype());
        QuantizedTensor {
            codes: pack(&codes),
            scales: Scales::Plain(layer.scales.clone()),
            zeros: Some(zeros),
            order: None,
            scheme: Scheme { name, block, scale, ..Scheme::UINT4 },
        }
    }

    /// The arrays of the weight as [`from_awq`](Self::from_awq) takes them.
    ///
    /// # Errors
    /// A weight that is not of four-bit unsigned integers with zero points, with rows in their own order and whole words of columns: program
    /// errors.
    #[track_caller]
    pub fn to_awq(&self) -> AwqWeight {
        let op = "to_awq";
        let (codes, scales, zeros, [rows, columns]) = integers(op, self);
        require(
            op,
            self.scheme.values == Values::UInt4 && self.order.is_none() && columns.is_multiple_of(8),
            || {
                format!(
                    "the layout holds codes of 4 bits in whole words of 8 columns, with no order of rows; the weight is {} with {columns}",
                    self.scheme.name
                )
            },
        );
        let groups = scales.shape()[0];
        AwqWeight {
            qweight: to_words(&codes.reshape(&[rows, columns / 8, 8]), &SHIFTS),
            qzeros: to_words(&zeros.reshape(&[groups, columns / 8, 8]), &SHIFTS),
            scales,
        }
    }
}
