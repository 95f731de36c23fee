//! Matrices quantized by GPTQ, in the layouts of AutoGPTQ and GPTQModel.

use std::sync::Arc;

use jarrah_array::{DType, Error, Result, Type};
use jarrah_formats::Tensors;
use jarrah_quant::{GptqWeight, QuantizedTensor, ZeroPoints};
use serde_json::Value;

use super::method::{Method, Wanted, number};

#[derive(Debug)]
struct Gptq {
    bits: u32,
    zeros: ZeroPoints,
}

pub fn method(entries: &Value) -> Result<Arc<dyn Method>> {
    let bits = match number(entries, "bits")? {
        bits @ (4 | 8) => bits as u32,
        bits => {
            return Err(Error::input(format!(
                "weights are quantized by gptq to {bits} bits, says config.json"
            ))
            .help("4 and 8 bits are read; dequantize them first"));
        }
    };
    let format = entries.get("checkpoint_format").or_else(|| entries.get("format")).and_then(Value::as_str);
    let zeros = match format {
        None | Some("gptq") => ZeroPoints::LessOne,
        Some("gptq_v2") => ZeroPoints::Whole,
        Some(other) => {
            return Err(Error::input(format!(
                "weights of gptq are in the format `{other}`, says config.json"
            ))
            .help("gptq and gptq_v2 are read"));
        }
    };
    Ok(Arc::new(Gptq { bits, zeros }))
}

impl Method for Gptq {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        let name = format!("{}.qweight", of.stem()?);
        files.find(&name)?;
        let [outputs, inputs] = of.extents();
        Some((name, Type::tensor(DType::I32, [inputs * self.bits as usize / 32, outputs])))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let layer = GptqWeight {
            qweight: of.needed(files, "qweight")?,
            qzeros: of.needed(files, "qzeros")?,
            scales: of.needed(files, "scales")?,
            g_idx: of.part(files, "g_idx")?.map(|groups| groups.astype(DType::I32)),
        };
        of.made(|| QuantizedTensor::from_gptq(&layer, self.bits, self.zeros))
    }
}
