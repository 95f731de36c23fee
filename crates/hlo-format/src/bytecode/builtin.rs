use std::sync::Arc;

use jarrah_base::{DType, ElementKind, Literal, Result, Type};

use super::decoder::{Decoder, Value};
use super::wire::Cursor;
use super::{dense, scalars};
use crate::ir::{Attr, Dense, ElementTy, Loc, TensorTy, Ty};

/// An integer of a width that its type sets: a byte for up to 8 bits, else a signed integer.
pub fn integer(at: &mut Cursor<'_>, element: &ElementTy) -> Result<i128> {
    let (bits, signed) = match element {
        ElementTy::Index => (64, true),
        ElementTy::Number(dtype) if !dtype.is_float() => (dtype.bits(), dtype.kind() == ElementKind::Signed),
        ElementTy::Opaque(text) => match text.trim_start_matches(['s', 'u', 'i']).parse::<u32>() {
            Ok(bits) if (1..=64).contains(&bits) => (bits, !text.starts_with('u')),
            _ => return Err(at.error(format!("an integer of type {text}"))),
        },
        _ => return Err(at.error("an integer of a type that is none of integers")),
    };
    let word = if bits <= 8 { u64::from(at.byte()?) } else { at.signed()? as u64 };
    let shift = 64 - bits;
    Ok(match signed {
        true => i128::from((word << shift) as i64 >> shift),
        false => i128::from((word << shift) >> shift),
    })
}

/// A float of a type, by its bits.
pub fn float(at: &mut Cursor<'_>, element: &ElementTy) -> Result<f64> {
    let ElementTy::Number(dtype) = *element else {
        return Err(at.error("a float of a type that is none of floats"));
    };
    if !dtype.is_float() {
        return Err(at.error(format!("a float of type {dtype}")));
    }
    let word = if dtype.bits() <= 8 { u64::from(at.byte()?) } else { at.signed()? as u64 };
    let bytes = &word.to_le_bytes()[..dtype.size()];
    Ok(Literal::from_bytes(Type::scalar(dtype), bytes)?.get_f64(0))
}

/// The tensor type `ty`.
fn shaped(ty: Ty, at: &Cursor<'_>) -> Result<TensorTy> {
    match ty {
        Ty::Tensor(ty) => Ok(ty),
        _ => Err(at.error("a constant of a type that is no tensor")),
    }
}

fn symbol(text: Arc<str>) -> Attr {
    Attr::Symbol(vec![text])
}

/// A position in a file is kept in 32 bits.
fn position(at: &mut Cursor<'_>) -> Result<u32> {
    Ok(u32::try_from(at.varint()?).unwrap_or(u32::MAX))
}

pub fn attribute(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Value> {
    let code = at.varint()?;
    let attr = match code {
        0 => Attr::Array(d.attrs(at)?),
        1 => Attr::Dictionary(d.named(at)?),
        2 => Attr::String(d.string(at)?),
        3 => {
            let text = d.string(at)?;
            d.ty(at)?;
            Attr::String(text)
        }
        4 => symbol(d.text(at)?),
        5 => {
            let mut path = vec![d.text(at)?];
            for nested in d.attrs(at)? {
                match nested {
                    Attr::Symbol(nested) => path.extend(nested),
                    _ => return Err(at.error("a part of a symbol that is no symbol")),
                }
            }
            Attr::Symbol(path)
        }
        6 => Attr::Type(d.ty(at)?),
        7 => Attr::Unit,
        8 => {
            let element = element(d, at)?;
            match integer(at, &element)? {
                n if element == ElementTy::Number(DType::Bool) => Attr::Bool(n != 0),
                n => Attr::Integer(n, element),
            }
        }
        9 => {
            let element = element(d, at)?;
            Attr::Float(float(at, &element)?, element)
        }
        10..=15 | 22 => return location(d, at, code).map(Value::Loc),
        16 => {
            let ty = d.ty(at)?;
            let ty = shaped(ty, at)?;
            let index = at.index(d.file.resources.len(), "resource")?;
            let (key, mut blob) = d.file.resources[index].clone();
            if blob.is_empty() {
                return Err(at.error(format!("the resource `{key}` has no data")));
            }
            let alignment = blob.varint()?;
            let size = blob.varint()?;
            blob.align(alignment)?;
            let data = blob.take(size)?;
            Attr::Dense(dense::read(ty, data)?)
        }
        17 => {
            let element = element(d, at)?;
            let count = at.varint()?;
            let size = at.varint()?;
            let data = at.take(size)?;
            d.charge(size, at)?;
            array(element, count, data)?
        }
        18 => {
            let ty = d.ty(at)?;
            let ty = shaped(ty, at)?;
            let size = at.varint()?;
            let data = at.take(size)?;
            Attr::Dense(dense::read(ty, data)?)
        }
        21 => d.attr(at)?,
        23 => match (at.varint()?, at.is_empty()) {
            // Four times the number of dimensions alone is the identity.
            (n, true) if n & 3 == 0 && n >> 2 <= 64 => {
                let dims: Vec<_> = (0..n >> 2).map(|i| format!("d{i}")).collect();
                let dims = dims.join(", ");
                Attr::Opaque(format!("affine_map<({dims}) -> ({dims})>").into())
            }
            _ => return Err(at.error("layouts of buffers other than the identity are not supported")),
        },
        _ => return Err(d.unknown(at, "the builtin attribute", code)),
    };
    Ok(Value::Attr(attr))
}

fn element(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<ElementTy> {
    let ty = d.ty(at)?;
    scalars::element(&ty).ok_or_else(|| at.error("a number of a type that is no number type"))
}

/// `array<i64: ...>`: its elements take whole bytes.
fn array(element: ElementTy, count: u64, data: Cursor<'_>) -> Result<Attr> {
    let dims = [Some(count)].into_iter().collect();
    let ty = TensorTy { dims: Some(dims), element: element.clone(), encoding: None };
    let Dense { value, .. } = dense::read(ty, data)?;
    if value.len() as u64 != count {
        return Err(data.error(format!("an array of {count} elements holds {}", value.len())));
    }
    Ok(match value.dtype() {
        dtype if dtype.is_float() => Attr::Floats(element, value.to_f64_vec()),
        _ => Attr::Integers(element, (0..value.len()).map(|i| value.get_i128(i) as i64).collect()),
    })
}

fn location(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>, code: u64) -> Result<Loc> {
    Ok(match code {
        10 => Loc::CallSite(Arc::new((d.loc(at)?, d.loc(at)?))),
        11 => Loc::File(d.text(at)?, position(at)?, position(at)?),
        12 | 13 => {
            let parts = (0..at.count()?).map(|_| d.loc(at)).collect::<Result<Vec<_>>>()?;
            if code == 13 {
                d.attr(at)?;
            }
            Loc::Fused(parts.into())
        }
        14 => Loc::Name(d.text(at)?, Arc::new(d.loc(at)?)),
        15 => Loc::Unknown,
        _ => {
            let file = d.text(at)?;
            let count = at.count()?;
            let parts = (0..count).map(|_| position(at)).collect::<Result<Vec<_>>>()?;
            match parts[..] {
                [] => Loc::File(file, 0, 0),
                [line] => Loc::File(file, line, 0),
                [line, column] => Loc::File(file, line, column),
                [line, first, last] => Loc::Range(file, [line, first, line, last]),
                [line, first, end, last] => Loc::Range(file, [line, first, end, last]),
                _ => return Err(at.error("a range of a file has more than four numbers")),
            }
        }
    })
}

/// Extents, of which some are not known.
pub fn extents(at: &mut Cursor<'_>) -> Result<smallvec::SmallVec<[Option<u64>; 6]>> {
    let count = at.count()?;
    (0..count)
        .map(|_| match at.signed()? {
            i64::MIN => Ok(None),
            n => u64::try_from(n).map(Some).map_err(|_| at.error(format!("an extent of {n}"))),
        })
        .collect()
}

/// A tensor type, after its code; `encoded` if an encoding comes first.
pub fn tensor(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>, encoded: bool) -> Result<TensorTy> {
    let encoding = if encoded { Some(Box::new(d.attr(at)?)) } else { None };
    let dims = Some(extents(at)?);
    Ok(TensorTy { dims, element: tensor_element(d, at)?, encoding })
}

/// The element type of a tensor.
pub fn tensor_element(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<ElementTy> {
    let ty = d.ty(at)?;
    scalars::element(&ty).ok_or_else(|| at.error("a tensor of things that are no elements"))
}

/// The floats that have codes from 21 on.
const SMALL_FLOATS: [&str; 12] = [
    "tf32",
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E5M2FNUZ",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E3M4",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E8M0FNU",
];

pub fn ty(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Ty> {
    let code = at.varint()?;
    Ok(match code {
        0 => {
            let n = at.varint()?;
            let prefix = match n & 3 {
                0 => "i",
                1 => "si",
                2 => "ui",
                _ => return Err(at.error("an integer type that is neither signed nor unsigned")),
            };
            if !(1..1 << 24).contains(&(n >> 2)) {
                return Err(at.error(format!("an integer type of {} bits", n >> 2)));
            }
            Ty::Scalar(scalars::from_name(&format!("{prefix}{}", n >> 2)))
        }
        1 => Ty::Scalar(ElementTy::Index),
        2 => Ty::Function(Arc::new((d.tys(at)?, d.tys(at)?))),
        3 => Ty::Scalar(ElementTy::Number(DType::BF16)),
        4 => Ty::Scalar(ElementTy::Number(DType::F16)),
        5 => Ty::Scalar(ElementTy::Number(DType::F32)),
        6 => Ty::Scalar(ElementTy::Number(DType::F64)),
        7 => Ty::Opaque("f80".into()),
        8 => Ty::Opaque("f128".into()),
        9 => {
            let part = tensor_element(d, at)?;
            let complex = scalars::complex(&part);
            Ty::Scalar(complex.ok_or_else(|| at.error("complex numbers of parts that there are not"))?)
        }
        10 => {
            let dims = Some(extents(at)?);
            let element = tensor_element(d, at)?;
            // The layout of a buffer is the compiler's own affair.
            d.attr(at)?;
            Ty::Buffer(TensorTy { dims, element, encoding: None })
        }
        12 => Ty::None,
        13 => Ty::Tensor(tensor(d, at, false)?),
        14 => Ty::Tensor(tensor(d, at, true)?),
        15 => Ty::Tuple(d.tys(at)?),
        18 => Ty::Tensor(TensorTy { dims: None, element: tensor_element(d, at)?, encoding: None }),
        21..=32 => Ty::Scalar(scalars::from_name(SMALL_FLOATS[code as usize - 21])),
        _ => return Err(d.unknown(at, "the builtin type", code)),
    })
}
