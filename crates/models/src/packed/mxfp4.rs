//! Stacks of experts in MXFP4, two tensors each, of blocks and of scales, as gpt-oss has them.

use std::sync::Arc;

use jarrah_array::{Array, DType, Error, Literal, Result, Type};
use jarrah_formats::Tensors;
use jarrah_quant::{Mxfp4Weight, QuantizedTensor};
use serde_json::{Value, json};

use super::method::{Method, Wanted};

/// The numbers that share a scale.
const BLOCK: usize = 32;

#[derive(Debug)]
struct Mxfp4;

pub fn method(_: &Value) -> Result<Arc<dyn Method>> {
    Ok(Arc::new(Mxfp4))
}

impl Method for Mxfp4 {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        let name = format!("{}_blocks", of.name);
        let is_there = of.is_stack && files.find(of.name).is_none() && files.find(&name).is_some();
        let [experts, inputs, outputs] = [0, 1, 2].map(|axis| of.dims.get(axis).copied().unwrap_or(1));
        let dims = [experts, outputs, inputs.div_ceil(BLOCK), BLOCK / 2];
        is_there.then(|| (name, Type::tensor(DType::U8, dims)))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let Wanted { name, dims, .. } = *of;
        if !dims.get(1).is_some_and(|inputs| inputs.is_multiple_of(BLOCK)) {
            return Err(Error::input(format!(
                "{name} of {dims:?} is in MXFP4, and its rows are no whole blocks of 32"
            )));
        }
        let array = |part: &str| -> Result<Array> {
            Ok(Array::from_literal(files.get(&format!("{name}_{part}"))?.literal()?))
        };
        let weight = Mxfp4Weight { blocks: array("blocks")?, scales: array("scales")? };
        of.made(|| QuantizedTensor::from_mxfp4(&weight))
    }

    fn dense(&self, files: &Tensors, of: &Wanted<'_>, dtype: Option<DType>) -> Result<Literal> {
        self.read(files, of)?.dequantize(dtype.unwrap_or(DType::BF16)).to_literal()
    }
}

/// The `quantization_config` of stacks in MXFP4 beside these tensors, which are numbers.
pub fn of_stacks(others: &[String]) -> Value {
    let module = |name: &String| name.strip_suffix(".weight").unwrap_or(name).to_owned();
    let others: Vec<String> = others.iter().map(module).collect();
    json!({"quant_method": "mxfp4", "modules_to_not_convert": others})
}

/// The two tensors of a weight, by their names.
pub fn tensors(name: &str, weight: &QuantizedTensor) -> Result<Vec<(String, Literal)>> {
    let Mxfp4Weight { blocks, scales } = weight.to_mxfp4();
    Ok(vec![
        (format!("{name}_blocks"), blocks.to_literal()?),
        (format!("{name}_scales"), scales.to_literal()?),
    ])
}
