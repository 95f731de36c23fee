//! GPTQ's layout.

use jarrah_array::{Array, DType, Error, Tree, fail};

use super::{ascending, from_words, to_words};
use crate::check::{matrices, require, require_type};
use crate::codes::{pack, unpack};
use crate::scales::Scales;
use crate::scheme::{ScaleBlock, Scheme, Values};
use crate::tensor::QuantizedTensor;

/// How zero points are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZeroPoints {
    /// One less than they are (files in the format `gptq`).
    LessOne,
    /// As they are (files in the format `gptq_v2`).
    Whole,
}

/// The arrays of a layer quantized by GPTQ, by their names in files.
#[derive(Clone, Debug, Tree)]
pub struct GptqWeight {
    /// `i32`, `[K / p, N]`, with `p` codes along `K` in a word, the first in the lowest bits.
    pub qweight: Array,
    /// `i32`, `[groups, N / p]`, with `p` zero points along `N` in a word.
    pub qzeros: Array,
    /// Floats, `[groups, N]`.
    pub scales: Array,
    /// `i32`, `[K]`: the group of each row.
    pub g_idx: Option<Array>,
}

impl QuantizedTensor {
    /// The weight of a layer quantized by GPTQ with codes of 4 or 8 bits.
    ///
    /// `w[k, n] = (code[k, n] - zero[g_idx[k], n]) scales[g_idx[k], n]`. Where `g_idx` mixes rows (activation order), the rows of codes are brought into the
    /// order of their groups, once; [`apply`](Self::apply) then takes the columns of its operand in that order.
    ///
    /// # Errors
    /// Arrays that do not fit together, codes of other than 4 or 8 bits, a `g_idx` whose values are not known (it is traced) or in which
    /// groups have different sizes: program errors.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{GptqWeight, QuantizedTensor, ZeroPoints};
    /// let word = |x: u32| Array::full(&[1, 1], x as i32, DType::I32);
    /// // Eight rows and columns of one: codes 0, 1, ..., 7 in the first word, of which eight are alike.
    /// let layer = GptqWeight {
    ///     qweight: word(0x7654_3210).broadcast_to(&[1, 8]),
    ///     qzeros: word(0x3333_3333),
    ///     scales: Array::full(&[1, 8], 0.5, DType::F16),
    ///     g_idx: None,
    /// };
    /// let w = QuantizedTensor::from_gptq(&layer, 4, ZeroPoints::LessOne).dequantize(DType::F32);
    /// assert_eq!(w.slice(1, ..1).ravel().to_vec::<f32>()?, [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Frantar et al., GPTQ; the layout is that of AutoGPTQ's and Transformers' files.
    #[track_caller]
    pub fn from_gptq(layer: &GptqWeight, bits: u32, zeros: ZeroPoints) -> QuantizedTensor {
        let op = "from_gptq";
        require(op, bits == 4 || bits == 8, || format!("codes of {bits} bits are not known: use 4 or 8"));
        let each = 32 / bits as usize;
        let (_, words, columns) = matrices(op, "`qweight`", &layer.qweight);
        let (_, groups, _) = matrices(op, "`scales`", &layer.scales);
        let rows = words * each;
        require_type(op, "`qweight`", &layer.qweight, DType::I32, &[words, columns]);
        require_type(op, "`qzeros`", &layer.qzeros, DType::I32, &[groups, columns / each]);
        require_type(op, "`scales`", &layer.scales, layer.scales.dtype(), &[groups, columns]);
        require(op, groups > 0 && rows.is_multiple_of(groups) && columns.is_multiple_of(each), || {
            format!(
                "{rows} rows are no {groups} groups of one size, or {columns} columns no whole words of {each}"
            )
        });
        let size = rows / groups;
        let shifts = ascending(bits);
        let codes = from_words(&super::turned(&layer.qweight), bits, &shifts);
        let mut codes = super::turned(&codes.reshape(&[columns, rows]));
        let order = layer.g_idx.as_ref().and_then(|g_idx| group_order(op, g_idx, groups, size));
        if let Some(order) = &order {
            codes = codes.take(order, 0);
        }
        let stored = from_words(&layer.qzeros, bits, &shifts).reshape(&[groups, columns]);
        let zeros = match zeros {
            // A zero point may be 16, or 256, which no code is.
            ZeroPoints::LessOne if bits == 8 => stored.astype(DType::U16) + 1u16,
            ZeroPoints::LessOne => stored + 1u8,
            ZeroPoints::Whole => stored,
        };
        let (values, name) = if bits == 4 { (Values::UInt4, "gptq4") } else { (Values::UInt8, "gptq8") };
        QuantizedTensor {
            codes: if bits == 4 { pack(&codes) } else { codes },
            scales: Scales::Plain(layer.scales.clone()),
            zeros: Some(zeros),
            order,
            scheme: Scheme {
                name,
                values,
                block: ScaleBlock::Group(size),
                scale: layer.scales.dtype(),
                ..Scheme::UINT4
            },
        }
    }

    /// The arrays of the weight as [`from_gptq`](Self::from_gptq) takes them.
    ///
    /// # Errors
    /// A weight that is not of unsigned integers with zero points, for each column a scale, or with extents that fill no words:
    /// program errors.
    #[track_caller]
    pub fn to_gptq(&self, zeros: ZeroPoints) -> GptqWeight {
        let op = "to_gptq";
        let (codes, scales, points, [rows, columns]) = integers(op, self);
        let bits = self.scheme.values.row().bits;
        let each = 32 / bits as usize;
        require(op, rows.is_multiple_of(each) && columns.is_multiple_of(each), || {
            format!("{rows} rows and {columns} columns fill no words of {each} codes; pad them")
        });
        let groups = scales.shape()[0];
        let group = jarrah_array::lax::iota(DType::I32, &[rows], 0).floor_divide((rows / groups) as i32);
        let (codes, g_idx) = match &self.order {
            Some(order) => {
                let back = order.argsort(0isize);
                (codes.take(&back, 0), group.take(&back, 0))
            }
            None => (codes, group),
        };
        let shifts = ascending(bits);
        let stored = match zeros {
            ZeroPoints::LessOne => points.astype(DType::I32) - 1,
            ZeroPoints::Whole => points.astype(DType::I32),
        };
        let qweight = to_words(&super::turned(&codes).reshape(&[columns, rows / each, each]), &shifts);
        let qzeros =
            to_words(&(stored & ((1 << bits) - 1)).reshape(&[groups, columns / each, each]), &shifts);
        GptqWeight { qweight: super::turned(&qweight), qzeros, scales, g_idx: Some(g_idx) }
    }
}

/// Codes `[K, N]`, scales and zero points `[groups, N]` of a matrix of unsigned integers.
#[track_caller]
pub(super) fn integers(op: &str, w: &QuantizedTensor) -> (Array, Array, Array, [usize; 2]) {
    let shape = w.shape();
    match (&w.scales, &w.zeros, w.scheme.values, &shape[..]) {
        (Scales::Plain(scales), Some(zeros), Values::UInt4 | Values::UInt8, &[rows, columns])
            if scales.shape()[1] == columns =>
        {
            let codes = if w.scheme.values == Values::UInt4 { unpack(&w.codes) } else { w.codes.clone() };
            (codes, scales.clone(), zeros.clone(), [rows, columns])
        }
        _ => fail(
            Error::program(format!(
                "the weight is {} of shape {shape:?}: the layout holds one matrix of unsigned integers with zero points and a scale for each \
                 column; quantize it by `Scheme::UINT4`",
                w.scheme.name
            ))
            .op(op),
        ),
    }
}

/// The rows in the order of their groups; `None` if that is their own order.
#[track_caller]
pub(super) fn group_order(op: &str, g_idx: &Array, groups: usize, size: usize) -> Option<Array> {
    require_type(op, "`g_idx`", g_idx, DType::I32, &[groups * size]);
    let group: Vec<i32> = match g_idx.to_vec() {
        Ok(values) => values,
        Err(error) => fail(error.context("the groups of rows must be known when a layer is loaded")),
    };
    let mut order: Vec<i32> = (0..group.len() as i32).collect();
    order.sort_by_key(|&row| group[row as usize]);
    let whole = order.iter().enumerate().all(|(place, &row)| group[row as usize] as usize == place / size);
    require(op, whole, || format!("`g_idx` does not have each of {groups} groups {size} times"));
    let is_own = order.iter().enumerate().all(|(place, &row)| place == row as usize);
    (!is_own).then(|| Array::from_slice(&order))
}
