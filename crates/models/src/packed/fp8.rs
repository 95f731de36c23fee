//! Matrices in floats of 8 bits with a scale for each block of rows and columns, as DeepSeek has them.

use std::sync::Arc;

use jarrah_array::{Array, DType, Error, Literal, Result, Type};
use jarrah_formats::Tensors;
use jarrah_quant::{CompressedWeight, QuantizedTensor};
use serde_json::Value;

use super::method::{Method, Wanted};

/// The rows and the columns that share a scale.
#[derive(Debug)]
struct Fp8([usize; 2]);

pub fn method(entries: &Value) -> Result<Arc<dyn Method>> {
    let block = |axis: usize| {
        let extent = entries.get("weight_block_size")?.get(axis)?.as_u64()?;
        usize::try_from(extent).ok().filter(|extent| *extent > 0)
    };
    match (block(0), block(1)) {
        (Some(rows), Some(columns)) => Ok(Arc::new(Fp8([rows, columns]))),
        _ => Err(Error::input("`weight_block_size` of config.json must be two numbers above 0")),
    }
}

impl Fp8 {
    /// The codes, and the scales of their blocks.
    fn arrays(&self, files: &Tensors, of: &Wanted<'_>) -> Result<(Array, Array)> {
        let [rows, columns] = self.0;
        let array = |name: &str| -> Result<Array> { Ok(Array::from_literal(files.get(name)?.literal()?)) };
        let (codes, scales) = (array(of.name)?, array(&format!("{}_scale_inv", of.name))?);
        let (extent, found) = (codes.shape(), scales.shape());
        let wanted = match extent[..] {
            [a, b] => vec![a.div_ceil(rows), b.div_ceil(columns)],
            _ => Vec::new(),
        };
        if wanted != found[..] {
            return Err(Error::input(format!(
                "{} of {:?} has scales of {:?}, for blocks of {rows} by {columns}",
                of.name,
                &extent[..],
                &found[..]
            )));
        }
        let scales = scales.astype(DType::F32).repeat(rows, 0).slice(0, 0..extent[0]);
        Ok((codes, scales))
    }
}

impl Method for Fp8 {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        files.find(&format!("{}_scale_inv", of.name))?;
        Some((of.name.to_owned(), Type::tensor(DType::F8E4M3FN, of.dims.iter().copied())))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let (codes, scales) = self.arrays(files, of)?;
        let weight = CompressedWeight { codes, scales, zeros: None, g_idx: None };
        of.made(|| QuantizedTensor::from_compressed(&weight, of.extents()))
    }

    fn keeps(&self) -> bool {
        false
    }

    fn fits(&self, of: &Wanted<'_>) -> bool {
        of.extents()[1].is_multiple_of(self.0[1])
    }

    fn dense(&self, files: &Tensors, of: &Wanted<'_>, dtype: Option<DType>) -> Result<Literal> {
        let (codes, scales) = self.arrays(files, of)?;
        let columns = codes.shape()[1];
        let spread = scales.repeat(self.0[1], 1).slice(1, 0..columns);
        (codes.astype(DType::F32) * spread).astype(dtype.unwrap_or(DType::BF16)).to_literal()
    }
}
