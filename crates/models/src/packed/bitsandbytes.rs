//! Matrices in NF4, as bitsandbytes has them.

use std::sync::Arc;

use jarrah_array::{Array, DType, Error, Literal, Result, Type};
use jarrah_formats::Tensors;
use jarrah_quant::{Nf4Weight, QuantizedTensor, ScaleBlock};
use serde_json::{Value, json};

use super::method::{Method, Wanted};

/// The end of the name of the tensor that tells how a matrix is made of its codes.
const STATE: &str = "weight.quant_state.bitsandbytes__nf4";

#[derive(Debug)]
struct Nf4;

pub fn method(entries: &Value) -> Result<Arc<dyn Method>> {
    let is = |name: &str| entries.get(name).and_then(Value::as_bool).unwrap_or(false);
    let kind = entries.get("bnb_4bit_quant_type").and_then(Value::as_str).unwrap_or("fp4");
    if is("load_in_8bit") || is("_load_in_8bit") {
        let error = "weights are quantized by bitsandbytes to integers of 8 bits, says config.json";
        return Err(Error::input(error).help("nf4 is read; quantize the first weights by --quantize int8"));
    }
    if kind != "nf4" {
        let error = format!("weights are quantized by bitsandbytes as `{kind}`, says config.json");
        return Err(Error::input(error).help("nf4 is read"));
    }
    Ok(Arc::new(Nf4))
}

impl Method for Nf4 {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        files.find(&format!("{}.weight.absmax", of.stem()?))?;
        let [outputs, inputs] = of.extents();
        Some((of.name.to_owned(), Type::tensor(DType::U8, [(outputs * inputs).div_ceil(2), 1])))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let wrong = |what: &str| Error::input(format!("{STATE} of {} is no good: {what}", of.name));
        let state = of.needed(files, STATE)?.to_vec::<u8>()?;
        let state: Value = serde_json::from_slice(&state).map_err(|error| wrong(&error.to_string()))?;
        let nested = match of.part(files, "weight.nested_absmax")? {
            None => None,
            Some(maxima) => {
                let offset = state.get("nested_offset").and_then(Value::as_f64);
                let offset = offset.ok_or_else(|| wrong("it has no `nested_offset`"))?;
                Some((of.needed(files, "weight.nested_quant_map")?, maxima, Array::scalar(offset as f32)))
            }
        };
        let weight = Nf4Weight {
            packed: of.needed(files, "weight")?,
            absmax: of.needed(files, "weight.absmax")?,
            nested,
        };
        of.made(|| QuantizedTensor::from_nf4(&weight, of.extents()))
    }

    fn dense(&self, files: &Tensors, of: &Wanted<'_>, dtype: Option<DType>) -> Result<Literal> {
        let numbers = self.read(files, of)?.dequantize(dtype.unwrap_or(DType::BF16));
        if of.inputs_first { numbers.to_literal() } else { numbers.t().to_literal() }
    }
}

/// The tensors of a matrix in NF4, by the names of a file in which it is `name`.
pub fn tensors(name: &str, weight: &QuantizedTensor, dtype: &str) -> Result<Vec<(String, Literal)>> {
    let shape = weight.shape();
    let size = match weight.scheme.block {
        ScaleBlock::Group(size) => size,
        ScaleBlock::Channel | ScaleBlock::Tensor => shape[0],
    };
    let Nf4Weight { packed, absmax, nested } = weight.to_nf4();
    let mut state =
        json!({"quant_type": "nf4", "blocksize": size, "dtype": dtype, "shape": [shape[1], shape[0]]});
    let table = QuantizedTensor::nf4_values();
    let count = packed.size();
    let mut made = vec![
        (name.to_owned(), packed.reshape(&[count, 1])),
        (format!("{name}.absmax"), absmax),
        (format!("{name}.quant_map"), table),
    ];
    if let Some((table, maxima, offset)) = nested {
        for (entry, value) in [
            ("nested_blocksize", json!(256)),
            ("nested_dtype", json!("float32")),
            ("nested_offset", json!(offset.to_f64()?)),
        ] {
            state[entry] = value;
        }
        made.extend([(format!("{name}.nested_quant_map"), table), (format!("{name}.nested_absmax"), maxima)]);
    }
    made.push((
        format!("{name}.quant_state.bitsandbytes__nf4"),
        Array::from_slice(state.to_string().as_bytes()),
    ));
    made.into_iter().map(|(name, array)| Ok((name, array.to_literal()?))).collect()
}
