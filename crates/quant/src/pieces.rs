//! Parts of weights, and weights put together of parts.

use std::ops::Range;

use jarrah_array::{Array, concatenate, stack};

use crate::check::{require, with};
use crate::scales::Scales;
use crate::tensor::QuantizedTensor;

impl QuantizedTensor {
    /// The weight with what `f` makes of each array that has columns: codes, scales and zero points.
    #[track_caller]
    fn by_columns(&self, f: &dyn Fn(&Array) -> Array) -> QuantizedTensor {
        QuantizedTensor {
            codes: f(&self.codes),
            scales: Scales::Plain(f(&self.wide_scales())),
            zeros: self.zeros.as_ref().map(f),
            ..self.clone()
        }
    }

    /// The scales, one for each column.
    #[track_caller]
    fn wide_scales(&self) -> Array {
        let scales = match &self.scales {
            Scales::Plain(scales) => scales.clone(),
            Scales::Nested(_) => self.scales.values(),
        };
        let mut shape = scales.shape().to_vec();
        let last = shape.len() - 1;
        shape[last] = self.codes.shape()[last];
        scales.broadcast_to(&shape)
    }

    /// The columns in `range`, a part of what a product gives. Scales that are quantized in turn become plain ones.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_quant::{QuantizedTensor, Scheme, quantize};
    /// let w = quantize(&Array::arange(8.0).reshape(&[2, 4]), Scheme::INT8);
    /// let halves = [w.columns(0..2), w.columns(2..4)];
    /// assert_eq!(halves[1].shape(), [2, 2]);
    /// let whole = QuantizedTensor::beside(&halves).dequantize(DType::F32);
    /// assert_eq!(whole.to_vec::<f32>()?, w.dequantize(DType::F32).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn columns(&self, range: Range<usize>) -> QuantizedTensor {
        self.by_columns(&|x| x.slice(-1, range.clone()))
    }

    /// The columns at `places`, integers of one axis, in this order.
    #[track_caller]
    pub fn take_columns(&self, places: &Array) -> QuantizedTensor {
        self.by_columns(&|x| x.take(places, -1))
    }

    /// Whether the codes of both mean the same: they can be put together.
    pub fn is_like(&self, other: &QuantizedTensor) -> bool {
        let shapes = (self.scales.shape(), other.scales.shape());
        let groups = shapes.0[shapes.0.len() - 2] == shapes.1[shapes.1.len() - 2];
        let plain = |w: &QuantizedTensor| match &w.scales {
            Scales::Plain(scales) => Some(scales.dtype()),
            Scales::Nested(_) => None,
        };
        self.scheme == other.scheme
            && self.order.is_none()
            && other.order.is_none()
            && groups
            && plain(self) == plain(other)
            && self.zeros.as_ref().map(Array::dtype) == other.zeros.as_ref().map(Array::dtype)
            && self.shape()[..self.shape().len() - 1] == other.shape()[..other.shape().len() - 1]
    }

    #[track_caller]
    fn check_alike(op: &str, parts: &[QuantizedTensor]) {
        let all =
            parts.split_first().is_some_and(|(first, rest)| rest.iter().all(|part| first.is_like(part)));
        require(op, all, || {
            let names: Vec<String> =
                parts.iter().map(|part| format!("{} {:?}", part.scheme, part.shape())).collect();
            format!(
                "{} are not alike: schemes, rows and groups must be the same, in the order of the rows",
                names.join(", ")
            )
        });
    }

    /// One weight with the columns of all parts.
    ///
    /// # Errors
    /// No parts, or parts that are not [alike](Self::is_like), are a program error.
    #[track_caller]
    pub fn beside(parts: &[QuantizedTensor]) -> QuantizedTensor {
        QuantizedTensor::joined("beside", parts, &|arrays| concatenate(arrays, -1))
    }

    /// A stack of matrices.
    ///
    /// # Errors
    /// As [`beside`](Self::beside), or parts with different numbers of columns.
    #[track_caller]
    pub fn stacked(parts: &[QuantizedTensor]) -> QuantizedTensor {
        QuantizedTensor::joined("stacked", parts, &|arrays| stack(arrays, 0))
    }

    #[track_caller]
    fn joined(op: &str, parts: &[QuantizedTensor], f: &dyn Fn(&[&Array]) -> Array) -> QuantizedTensor {
        if let [one] = parts
            && op == "beside"
        {
            return one.clone();
        }
        QuantizedTensor::check_alike(op, parts);
        let of = |each: &dyn Fn(&QuantizedTensor) -> Array| {
            let arrays: Vec<Array> = parts.iter().map(each).collect();
            f(&arrays.iter().collect::<Vec<&Array>>())
        };
        let has_zeros = parts[0].zeros.is_some();
        QuantizedTensor {
            codes: of(&|part| part.codes.clone()),
            scales: Scales::Plain(of(&|part| part.wide_scales())),
            zeros: has_zeros.then(|| of(&|part| part.zeros.clone().unwrap_or_else(|| part.codes.clone()))),
            ..parts[0].clone()
        }
    }

    /// The matrix at place `at` of a stack.
    ///
    /// # Errors
    /// A weight that is no stack, or has no such matrix, is a program error.
    #[track_caller]
    pub fn matrix(&self, at: usize) -> QuantizedTensor {
        let shape = self.shape();
        require("matrix", shape.len() == 3 && at < shape[0], || {
            format!("the weight has the shape {shape:?}: there is no matrix {at} in it")
        });
        let f = |x: &Array| {
            let shape = x.shape();
            x.slice(0, at..at + 1).reshape(&with(&[], &shape[1..])[..])
        };
        self.by_columns(&f)
    }
}
