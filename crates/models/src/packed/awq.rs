//! Matrices quantized by AWQ, in AutoAWQ's layout `gemm`.

use std::sync::Arc;

use jarrah_array::{DType, Error, Result, Type};
use jarrah_formats::Tensors;
use jarrah_quant::{AwqWeight, QuantizedTensor};
use serde_json::Value;

use super::method::{Method, Wanted, number};

#[derive(Debug)]
struct Awq;

pub fn method(entries: &Value) -> Result<Arc<dyn Method>> {
    // AutoAWQ has had both names.
    let bits = number(entries, "bits").or_else(|_| number(entries, "w_bit"))?;
    let version = entries.get("version").and_then(Value::as_str).unwrap_or("gemm").to_lowercase();
    if bits != 4 || version != "gemm" {
        let error = format!(
            "weights are quantized by awq to {bits} bits in the layout `{version}`, says config.json"
        );
        return Err(Error::input(error).help("4 bits in the layout gemm are read"));
    }
    Ok(Arc::new(Awq))
}

impl Method for Awq {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        let name = format!("{}.qweight", of.stem()?);
        files.find(&name)?;
        let [outputs, inputs] = of.extents();
        Some((name, Type::tensor(DType::I32, [inputs, outputs / 8])))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let layer = AwqWeight {
            qweight: of.needed(files, "qweight")?,
            qzeros: of.needed(files, "qzeros")?,
            scales: of.needed(files, "scales")?,
        };
        of.made(|| QuantizedTensor::from_awq(&layer))
    }
}
