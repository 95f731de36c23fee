use std::sync::Arc;

use jarrah_base::{DType, Result};

use super::builtin::{extents, float, integer, tensor, tensor_element};
use super::decoder::Decoder;
use super::enums::{self, Cases};
use super::scalars;
use super::version::Version;
use super::wire::Cursor;
use super::{dense, dialects};
use crate::ir::{Attr, ElementTy, TensorTy, Ty};

/// The codes of attributes.
pub mod code {
    pub const ARRAY: u64 = 1;
    pub const BOOLEAN: u64 = 2;
    pub const API_VERSION: u64 = 5;
    pub const DICTIONARY: u64 = 6;
    pub const FLOAT: u64 = 8;
    pub const INTEGER: u64 = 9;
    pub const ALIAS: u64 = 10;
    pub const STRING: u64 = 14;
    pub const TENSOR: u64 = 15;
    pub const TYPE: u64 = 17;
    pub const TYPE_EXTENSIONS: u64 = 18;
    pub const RESULT_ACCURACY: u64 = 20;
    pub const SUB_AXIS: u64 = 21;
    pub const AXIS_REF: u64 = 22;
    pub const MESH_AXES: u64 = 23;
    pub const MESH_AXIS: u64 = 24;
    pub const MESH: u64 = 25;
}

/// The enumerations, with their codes.
pub const ENUMS: &[(u64, Cases)] = &[
    (3, enums::COMPARISON_DIRECTION),
    (4, enums::COMPARISON_TYPE),
    (7, enums::FFT_TYPE),
    (11, enums::PRECISION),
    (12, enums::RNG_ALGORITHM),
    (13, enums::RNG_DISTRIBUTION),
    (16, enums::TRANSPOSE),
    (19, enums::RESULT_ACCURACY_MODE),
];

/// The types of elements: MLIR's name, the code, and the version that brought it.
pub const SCALARS: &[(&str, u64, Version)] = &[
    ("i1", 0, Version::MINIMUM),
    ("bf16", 2, Version::MINIMUM),
    ("f16", 3, Version::MINIMUM),
    ("f32", 4, Version::MINIMUM),
    ("f64", 5, Version::MINIMUM),
    ("f8E4M3FN", 6, Version::MINIMUM),
    ("f8E5M2", 7, Version::MINIMUM),
    ("index", 9, Version::MINIMUM),
    ("i4", 10, Version::MINIMUM),
    ("i8", 11, Version::MINIMUM),
    ("i16", 12, Version::MINIMUM),
    ("i32", 13, Version::MINIMUM),
    ("i64", 14, Version::MINIMUM),
    ("ui4", 15, Version::MINIMUM),
    ("ui8", 16, Version::MINIMUM),
    ("ui16", 17, Version::MINIMUM),
    ("ui32", 18, Version::MINIMUM),
    ("ui64", 19, Version::MINIMUM),
    ("f8E4M3FNUZ", 27, Version::new(0, 10)),
    ("f8E5M2FNUZ", 28, Version::new(0, 10)),
    ("f8E4M3B11FNUZ", 29, Version::new(0, 11)),
    ("i2", 31, Version::new(1, 2)),
    ("ui2", 32, Version::new(1, 2)),
    ("tf32", 34, Version::new(1, 6)),
    ("f8E4M3", 35, Version::new(1, 7)),
    ("f8E3M4", 36, Version::new(1, 7)),
    ("f4E2M1FN", 37, Version::new(1, 8)),
    ("f6E2M3FN", 38, Version::new(1, 8)),
    ("f6E3M2FN", 39, Version::new(1, 8)),
    ("f8E8M0FNU", 40, Version::new(1, 8)),
];

pub const COMPLEX: u64 = 1;
pub const FUNCTION: u64 = 8;
pub const TENSOR_TY: u64 = 20;
pub const ENCODED_TENSOR: u64 = 21;
pub const TOKEN: u64 = 22;
pub const TUPLE: u64 = 23;
pub const QUANTIZED: u64 = 24;
pub const UNRANKED: u64 = 25;
pub const WITNESS: u64 = 26;
pub const QUANTIZED_PER_AXIS: u64 = 30;
pub const NONE: u64 = 33;
pub const BUFFER: u64 = 41;
pub const FUTURE: u64 = 42;

/// An attribute of the portable dialect, as the attribute that it stands for where no op says otherwise.
pub fn attribute(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Attr> {
    let code = at.varint()?;
    if let Some((_, cases)) = ENUMS.iter().find(|e| e.0 == code) {
        return dialects::case(*cases, at);
    }
    Ok(match code {
        code::ARRAY => Attr::Array(d.attrs(at)?),
        code::BOOLEAN => Attr::Bool(at.varint()? != 0),
        code::API_VERSION => Attr::Integer(at.varint()?.into(), ElementTy::Number(DType::I32)),
        code::DICTIONARY => Attr::Dictionary(d.named(at)?),
        code::FLOAT => {
            let element = tensor_element(d, at)?;
            Attr::Float(float(at, &element)?, element)
        }
        code::INTEGER => {
            let element = tensor_element(d, at)?;
            Attr::Integer(integer(at, &element)?, element)
        }
        code::ALIAS => dialects::numbers("stablehlo.output_operand_alias", at)?,
        code::STRING => Attr::String(d.string(at)?),
        code::TENSOR => {
            let ty = match d.ty(at)? {
                Ty::Tensor(ty) => ty,
                _ => return Err(at.error("a constant of a type that is no tensor")),
            };
            let size = at.varint()?;
            let data = at.take(size)?;
            Attr::Dense(dense::read(ty, data)?)
        }
        code::TYPE => Attr::Type(d.ty(at)?),
        code::TYPE_EXTENSIONS => dialects::numbers("stablehlo.bounds", at)?,
        code::RESULT_ACCURACY => dialects::result_accuracy(d, at)?,
        code::SUB_AXIS => dialects::numbers("stablehlo.sub_axis_info", at)?,
        code::AXIS_REF => {
            let name = d.attr(at)?;
            let there = at.varint()? != 0;
            let sub_axis = if there { Some(d.attr(at)?) } else { None };
            dialects::axis_ref(name, sub_axis)
        }
        code::MESH_AXES => {
            let mesh = match d.attr(at)? {
                Attr::String(name) => Attr::Symbol(vec![name]),
                mesh => mesh,
            };
            dialects::mesh_axes(mesh, d.attr(at)?)
        }
        code::MESH_AXIS => dialects::mesh_axis(d.attr(at)?, at)?,
        code::MESH => {
            let axes = d.attr(at)?;
            dialects::mesh(axes, d.optional(at)?)
        }
        _ => return Err(d.unknown(at, "the portable attribute", code)),
    })
}

/// A type of the portable dialect, as the type that it stands for.
pub fn ty(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Ty> {
    let code = at.varint()?;
    if let Some((name, ..)) = SCALARS.iter().find(|s| s.1 == code) {
        return Ok(Ty::Scalar(scalars::from_name(name)));
    }
    Ok(match code {
        COMPLEX => {
            let part = tensor_element(d, at)?;
            let complex = scalars::complex(&part);
            Ty::Scalar(complex.ok_or_else(|| at.error("complex numbers of parts that there are not"))?)
        }
        FUNCTION => Ty::Function(Arc::new((d.tys(at)?, d.tys(at)?))),
        TENSOR_TY => Ty::Tensor(tensor(d, at, false)?),
        ENCODED_TENSOR => Ty::Tensor(tensor(d, at, true)?),
        TOKEN => Ty::Token,
        TUPLE => Ty::Tuple(d.tys(at)?),
        QUANTIZED => dialects::quantized(d, at)?,
        UNRANKED => Ty::Tensor(TensorTy { dims: None, element: tensor_element(d, at)?, encoding: None }),
        WITNESS => Ty::Opaque("!shape.witness".into()),
        QUANTIZED_PER_AXIS => dialects::quantized_per_axis(d, at)?,
        NONE => Ty::None,
        BUFFER => {
            let dims = Some(extents(at)?);
            Ty::Buffer(TensorTy { dims, element: tensor_element(d, at)?, encoding: None })
        }
        FUTURE => Ty::Future(d.tys(at)?),
        _ => return Err(d.unknown(at, "the portable type", code)),
    })
}
