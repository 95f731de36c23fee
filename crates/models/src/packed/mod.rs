//! Parameters that files have in few bits: in MXFP4, two tensors each, of blocks and of scales; in floats of 8 bits, with scales of blocks beside them.

use std::collections::BTreeMap;

use jarrah_array::{Array, DType, Error, Literal, Result, TreeExt, Type};
use jarrah_formats::Tensors;
use jarrah_nn::{Variable, edit, parts};
use jarrah_quant::{Mxfp4Weight, QuantizedTensor, Scheme};
use serde_json::Value;

use crate::Architecture;

/// The numbers that share a scale.
const BLOCK: usize = 32;

/// What `config.json` says of weights in few bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantization {
    /// Weights are numbers as they are.
    None,
    /// Experts are in MXFP4.
    Mxfp4,
    /// Matrices are in floats of 8 bits, with a scale for each block of so many rows and columns.
    Fp8([usize; 2]),
}

impl Quantization {
    /// What `config.json` says.
    ///
    /// # Errors
    /// Weights are quantized in another way (`Input`).
    pub fn of(json: &Value) -> Result<Self> {
        let Some(entries) = json.get("quantization_config").filter(|value| !value.is_null()) else {
            return Ok(Quantization::None);
        };
        let block = |axis: usize| {
            let extent = entries.get("weight_block_size")?.get(axis)?.as_u64()?;
            usize::try_from(extent).ok().filter(|extent| *extent > 0)
        };
        match entries.get("quant_method").and_then(Value::as_str) {
            Some("mxfp4") => Ok(Quantization::Mxfp4),
            Some("fp8") => match (block(0), block(1)) {
                (Some(rows), Some(columns)) => Ok(Quantization::Fp8([rows, columns])),
                _ => Err(Error::input("`weight_block_size` of config.json must be two numbers above 0")),
            },
            other => {
                let error = format!("weights are quantized by `{}`, says config.json", other.unwrap_or("?"));
                Err(Error::input(error)
                    .help("dequantize them first; what is read in few bits is mxfp4 and fp8"))
            }
        }
    }
}

/// The tensor `name` of a file in `dtype`, or its own; one in floats of 8 bits times the scales of its blocks, in `bf16` if no other is asked for.
pub fn literal(
    files: &Tensors,
    name: &str,
    dtype: Option<DType>,
    quantization: Quantization,
) -> Result<Literal> {
    let tensor = files.get(name)?;
    let (Quantization::Fp8([rows, columns]), Some(scales)) =
        (quantization, files.find(&format!("{name}_scale_inv")))
    else {
        return match dtype {
            Some(dtype) => tensor.to(dtype)?.literal(),
            None => tensor.literal(),
        };
    };
    let wide = |x: Literal| Array::from_literal(x).astype(DType::F32);
    let (weight, scales) = (wide(tensor.literal()?), wide(scales.literal()?));
    let (extent, found) = (weight.shape().to_vec(), scales.shape().to_vec());
    let wanted = match extent[..] {
        [a, b] => vec![a.div_ceil(rows), b.div_ceil(columns)],
        _ => Vec::new(),
    };
    if wanted != found {
        return Err(Error::input(format!(
            "{name} of {extent:?} has scales of {found:?}, for blocks of {rows} by {columns}"
        )));
    }
    let spread = scales.repeat(rows, 0).slice(0, 0..extent[0]).repeat(columns, 1).slice(1, 0..extent[1]);
    (weight * spread).astype(dtype.unwrap_or(DType::BF16)).to_literal()
}

/// The names and types of the two tensors of a stack of matrices `[experts, inputs, outputs]` that a file has as `name`.
pub fn types(name: &str, dims: &[usize]) -> [(String, Type); 2] {
    let [experts, inputs, outputs] = [0, 1, 2].map(|axis| dims.get(axis).copied().unwrap_or(1));
    let of = |part: &str, dims: &[usize]| (format!("{name}_{part}"), Type::tensor(DType::U8, dims.to_vec()));
    let blocks = inputs.div_ceil(BLOCK);
    [of("blocks", &[experts, outputs, blocks, BLOCK / 2]), of("scales", &[experts, outputs, blocks])]
}

/// Whether a file has the tensor `name` in MXFP4.
pub fn is_in(files: &Tensors, name: &str) -> bool {
    files.find(name).is_none() && files.find(&format!("{name}_blocks")).is_some()
}

/// The weight that a file has as `name` in MXFP4.
pub fn read(files: &Tensors, name: &str, dims: &[usize]) -> Result<QuantizedTensor> {
    if !dims.get(1).is_some_and(|inputs| inputs.is_multiple_of(BLOCK)) {
        return Err(Error::input(format!(
            "{name} of {dims:?} is in MXFP4, and its rows are no whole blocks of 32"
        )));
    }
    let array = |(name, _): &(String, Type)| Ok(Array::from_literal(files.get(name)?.literal()?));
    let [blocks, scales] = types(name, dims);
    let weight = Mxfp4Weight { blocks: array(&blocks)?, scales: array(&scales)? };
    let read = QuantizedTensor::from_mxfp4(&weight);
    // What the file had is let go before the next weight is read.
    for leaf in TreeExt::<Array>::leaves(&read) {
        leaf.block_until_ready()?;
    }
    Ok(read)
}

/// Puts weights in MXFP4 in the place of parameters, by their paths.
pub fn put<M: Architecture>(model: &mut M, mut weights: BTreeMap<String, QuantizedTensor>) {
    if weights.is_empty() {
        return;
    }
    edit(model, .., |path, variable: &mut Variable| {
        if let Some(weight) = weights.remove(path) {
            *variable = variable.replaced(weight);
        }
    });
}

/// The parameters of a model that are in MXFP4, by their paths.
pub fn of<M: Architecture>(model: &M) -> BTreeMap<String, QuantizedTensor> {
    let weights = parts::<_, Variable>(model, ..).into_iter();
    let packed = |variable: &Variable| {
        variable.value::<QuantizedTensor>().filter(|weight| weight.scheme == Scheme::MXFP4).cloned()
    };
    weights.filter_map(|(path, variable)| Some((path, packed(&variable)?))).collect()
}

/// The two tensors of a weight, by their names.
pub fn tensors(name: &str, weight: &QuantizedTensor) -> Result<[(String, Literal); 2]> {
    let Mxfp4Weight { blocks, scales } = weight.to_mxfp4();
    Ok([(format!("{name}_blocks"), blocks.to_literal()?), (format!("{name}_scales"), scales.to_literal()?)])
}
