//! Ways in which files have weights in few bits, and the tensors that are wanted of them.

use std::fmt::Debug;

use jarrah_array::{Array, DType, Error, Literal, Result, TreeExt, Type, try_trace};
use jarrah_formats::Tensors;
use jarrah_quant::{QuantizedTensor, Scales, Values};
use serde_json::Value;

use crate::family::Tensor;

/// A way in which a file has a weight in few bits in the place of a tensor.
pub trait Method: Debug + Send + Sync {
    /// The tensor of the file that holds the codes, and its type; none where the file has numbers as they are.
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)>;

    /// The weight, `[inputs, outputs]`.
    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor>;

    /// The type of the bytes that [`of_bytes`](Self::of_bytes) takes, where the weight is made of one array of bytes.
    fn bytes(&self, _: &Tensors, _: &Wanted<'_>) -> Option<Type> {
        None
    }

    /// The weight that these bytes are, so that its types can be told without the file's.
    fn of_bytes(&self, _: &Tensors, _: &Wanted<'_>, _bytes: &Array) -> Option<QuantizedTensor> {
        None
    }

    /// Whether a weight is kept in few bits where nothing is said.
    fn keeps(&self) -> bool {
        true
    }

    /// Whether [`read`](Self::read) can make it a weight in few bits.
    fn fits(&self, _: &Wanted<'_>) -> bool {
        true
    }

    /// The dequantized weight, as the tensor that is wanted, in `dtype` or the dtype of its scales.
    fn dense(&self, files: &Tensors, of: &Wanted<'_>, dtype: Option<DType>) -> Result<Literal> {
        let weight = self.read(files, of)?;
        let own = match &weight.scales {
            Scales::Plain(scales) if scales.dtype().bits() >= 16 => scales.dtype(),
            _ => DType::BF16,
        };
        let numbers = weight.dequantize(dtype.unwrap_or(own));
        let turned = if of.inputs_first { numbers } else { numbers.swapaxes(-2, -1) };
        turned.to_literal()
    }
}

/// A tensor that is wanted of a file.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The name of the tensor in the file.
    pub name: &'a str,
    /// The extents of the tensor as numbers.
    pub dims: &'a [usize],
    /// Whether it is `[.., inputs, outputs]`, not `[outputs, inputs]`.
    pub inputs_first: bool,
    /// Whether it is a stack of experts, as gpt-oss has them.
    pub is_stack: bool,
}

impl<'a> Wanted<'a> {
    /// The tensor of this name.
    pub fn of(name: &'a str, tensor: &'a Tensor) -> Self {
        let swapped = tensor.pieces.iter().any(|piece| piece.swapped);
        Wanted { name, dims: &tensor.dims, inputs_first: swapped || tensor.packs, is_stack: tensor.packs }
    }

    /// The name of a matrix without its ending `.weight`.
    pub(super) fn stem(&self) -> Option<&'a str> {
        self.name.strip_suffix(".weight").filter(|_| self.dims.len() == 2)
    }

    /// The outputs and the inputs of a matrix.
    pub(super) fn extents(&self) -> [usize; 2] {
        match (self.dims, self.inputs_first) {
            (&[outputs, inputs], false) | (&[inputs, outputs], true) => [outputs, inputs],
            _ => [0, 0],
        }
    }

    /// The tensor of the file whose name has `part` in the place of `weight`, if the file has it.
    pub(super) fn part(&self, files: &Tensors, part: &str) -> Result<Option<Array>> {
        let Some(stem) = self.stem() else { return Ok(None) };
        let found = files.find(&format!("{stem}.{part}"));
        found.map(|tensor| Ok(Array::from_literal(tensor.literal()?))).transpose()
    }

    /// The tensor [`part`](Self::part), which has to be there.
    pub(super) fn needed(&self, files: &Tensors, part: &str) -> Result<Array> {
        self.part(files, part)?.ok_or_else(|| {
            let stem = self.stem().unwrap_or(self.name);
            Error::input(format!("the file has no {stem}.{part}, which belongs to {}", self.name))
        })
    }

    /// The weight that `make` builds from arrays of a file, which may not fit together.
    pub(super) fn made(&self, make: impl FnOnce() -> QuantizedTensor) -> Result<QuantizedTensor> {
        let made = try_trace(make).map_err(|error| {
            Error::input(format!(
                "{} of {:?} is not what config.json says of it: {}",
                self.name,
                self.dims,
                error.message()
            ))
        })?;
        if let Some(zeros) = &made.zeros {
            let wrong = |what: String| Error::input(format!("{} of {:?} has {what}", self.name, self.dims));
            let scales = made.scales.values().shape();
            if zeros.shape() != scales {
                return Err(wrong(format!("zero points {} and scales {scales:?}", zeros.ty())));
            }
            // Beyond, codes of four bits less their zero point are not what products take them for.
            let is_narrow = made.scheme.values == Values::UInt4 && zeros.dtype() == DType::U8;
            if is_narrow && zeros.max(..).astype(DType::I32).item::<i32>()? > 16 {
                return Err(wrong(
                    "a zero point that is no code of 4 bits, nor the one behind them".to_owned(),
                ));
            }
        }
        // The bytes of the file are freed before the next weight is read.
        for leaf in TreeExt::<Array>::leaves(&made) {
            leaf.block_until_ready()?;
        }
        Ok(made)
    }
}

/// A number of `quantization_config`.
pub(super) fn number(entries: &Value, name: &str) -> Result<i64> {
    entries.get(name).and_then(Value::as_i64).ok_or_else(|| {
        Error::input(format!("`{name}` of quantization_config in config.json is no whole number"))
    })
}
