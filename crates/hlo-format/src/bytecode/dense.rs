use jarrah_base::{DType, Literal, Result, Type};

use super::wire::Cursor;
use crate::ir::{Dense, ElementTy, TensorTy};

/// The dtype in which a literal holds elements.
pub fn stored(element: &ElementTy) -> Option<DType> {
    match element {
        ElementTy::Number(dtype) => Some(*dtype),
        ElementTy::Index => Some(DType::I64),
        ElementTy::Quantized(quantized) => Some(quantized.storage),
        ElementTy::Tf32 | ElementTy::Opaque(_) => None,
    }
}

/// The tensor of type `ty` with the elements `data`, which may be one for all.
pub fn read(ty: TensorTy, data: Cursor<'_>) -> Result<Dense> {
    let count = ty.dims.as_ref().and_then(|dims| dims.iter().try_fold(1u64, |n, d| n.checked_mul((*d)?)));
    let count = count.ok_or_else(|| data.error("a constant has a shape that is not known or too large"))?;
    let dtype = stored(&ty.element).ok_or_else(|| data.error("a constant of a type without elements"))?;
    let bytes = data.rest();
    let value = match dtype {
        DType::Bool => booleans(bytes, count).map(|bits| build(&ty, dtype, count, &bits)),
        _ => {
            let size = dtype.size() as u64;
            let splat = bytes.len() as u64 == size && count != 0;
            let full = count.checked_mul(size) == Some(bytes.len() as u64);
            (splat || full || count == 0).then(|| {
                if dtype.bits() < 8 {
                    let mask = (1u8 << dtype.bits()) - 1;
                    build(&ty, dtype, count, &bytes.iter().map(|b| b & mask).collect::<Vec<_>>())
                } else {
                    build(&ty, dtype, count, bytes)
                }
            })
        }
    };
    let value = value
        .ok_or_else(|| data.error(format!("{count} elements of {dtype} in {} bytes", bytes.len())))??;
    Ok(Dense { ty, value })
}

/// The literal; one element makes a scalar.
fn build(ty: &TensorTy, dtype: DType, count: u64, bytes: &[u8]) -> Result<Literal> {
    let dims = ty.dims.iter().flatten().map(|d| d.unwrap_or(0) as usize);
    match count {
        0 => Literal::from_bytes(Type::tensor(dtype, dims), &[]),
        _ if bytes.len() == dtype.size() => Literal::from_bytes(Type::scalar(dtype), bytes),
        _ => Literal::from_bytes(Type::tensor(dtype, dims), bytes),
    }
}

/// Truth values as bytes: stored as bytes, as bits, or one for all.
fn booleans(bytes: &[u8], count: u64) -> Option<Vec<u8>> {
    let size = bytes.len() as u64;
    if count == 0 {
        return Some(Vec::new());
    }
    if size == 1 && (count == 1 || bytes[0] == 0xFF) {
        return Some(vec![u8::from(bytes[0] & 1 == 1)]);
    }
    if size == count {
        return Some(bytes.iter().map(|&b| u8::from(b != 0)).collect());
    }
    if size == count.div_ceil(8) {
        return Some((0..count as usize).map(|i| bytes[i / 8] >> (i % 8) & 1).collect());
    }
    (size == 1).then(|| vec![u8::from(bytes[0] != 0)])
}
