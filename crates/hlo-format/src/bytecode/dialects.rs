use std::sync::Arc;

use jarrah_base::{DType, Result};

use super::builtin::{float, tensor_element};
use super::decoder::Decoder;
use super::enums::{self, Cases};
use super::wire::{Buffer, Cursor};
use crate::ir::{Attr, Attributes, ElementTy, Quantized, StructureAttr, StructureField, Ty};

const F64: ElementTy = ElementTy::Number(DType::F64);

/// The enumerations of StableHLO, with their codes.
const STABLEHLO_ENUMS: &[(u64, Cases)] = &[
    (2, enums::COMPARISON_DIRECTION),
    (3, enums::COMPARISON_TYPE),
    (6, enums::FFT_TYPE),
    (8, enums::PRECISION),
    (9, enums::RNG_ALGORITHM),
    (10, enums::RNG_DISTRIBUTION),
    (12, enums::TRANSPOSE),
    (16, enums::RESULT_ACCURACY_MODE),
];

const CHLO_ENUMS: &[(u64, Cases)] =
    &[(0, enums::CHLO_COMPARISON_DIRECTION), (1, enums::CHLO_COMPARISON_TYPE)];

/// Structured attributes that are integers and lists of them, in the order of their fields, with their codes.
const STRUCTS: &[(u64, &str)] = &[
    (1, "stablehlo.channel_handle"),
    (4, "stablehlo.conv"),
    (5, "stablehlo.dot"),
    (7, "stablehlo.gather"),
    (11, "stablehlo.scatter"),
    (13, "stablehlo.bounds"),
    (14, "stablehlo.output_operand_alias"),
    (19, "stablehlo.sub_axis_info"),
];

/// The structured attribute `name` with these fields, without those that say nothing.
pub fn structured(name: &str, fields: impl IntoIterator<Item = (&'static str, Attr)>) -> Attr {
    StructureAttr::find(name).expect("invariant: it is one of the known structures").attr(fields)
}

/// The structured attribute `name` of integers and lists of them.
pub fn numbers(name: &str, at: &mut Cursor<'_>) -> Result<Attr> {
    let structure = StructureAttr::find(name).expect("invariant: it is one of the known structures");
    let mut all = Vec::with_capacity(structure.fields.len());
    for &(part, field) in structure.fields {
        let attr = if field == StructureField::Dims {
            Attr::i64s(at.signed_list()?)
        } else {
            Attr::i64(at.signed()?)
        };
        all.push((part, attr));
    }
    Ok(structure.attr(all))
}

/// Writes a structured attribute of integers and lists of them.
pub fn write_numbers(out: &mut Buffer, name: &str, fields: &Attributes) {
    let structure = StructureAttr::find(name).expect("invariant: it is one of the known structures");
    for &(part, field) in structure.fields {
        let attr = fields.get(part);
        match field {
            StructureField::Dims => out.signed_list(&attr.and_then(Attr::integers).unwrap_or_default()),
            _ => out.signed(attr.and_then(Attr::integer).unwrap_or(0)),
        }
    }
}

/// A case of an enumeration.
pub fn case(cases: Cases, at: &mut Cursor<'_>) -> Result<Attr> {
    let n = at.varint()?;
    let case = cases.case(n).ok_or_else(|| at.error(format!("{} has no case {n}", cases.name)))?;
    Ok(Attr::Enum(cases.name, case))
}

/// How exact an op has to be.
pub fn result_accuracy(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Attr> {
    let (atol, rtol, ulps) = (float(at, &F64)?, float(at, &F64)?, at.signed()?);
    let all = [
        ("atol", Attr::Float(atol, F64)),
        ("rtol", Attr::Float(rtol, F64)),
        ("ulps", Attr::i64(ulps)),
        ("mode", d.attr(at)?),
    ];
    Ok(structured("stablehlo.result_accuracy", all))
}

pub fn axis_ref(name: Attr, sub_axis: Option<Attr>) -> Attr {
    let sub_axis = sub_axis.map(|s| ("sub_axis_info", s));
    structured("stablehlo.axis_ref", [("name", name)].into_iter().chain(sub_axis))
}

pub fn mesh_axis(name: Attr, at: &mut Cursor<'_>) -> Result<Attr> {
    Ok(structured("stablehlo.mesh_axis", [("name", name), ("size", Attr::i64(at.signed()?))]))
}

pub fn mesh(axes: Attr, devices: Option<Attr>) -> Attr {
    let devices = devices.map(|ids| ("device_ids", ids));
    structured("stablehlo.mesh", [("axes", axes)].into_iter().chain(devices))
}

pub fn mesh_axes(mesh: Attr, axes: Attr) -> Attr {
    structured("stablehlo.replica_group_mesh_axes", [("mesh", mesh), ("axes", axes)])
}

/// An attribute of StableHLO itself.
pub fn stablehlo(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Attr> {
    let code = at.varint()?;
    if let Some((_, cases)) = STABLEHLO_ENUMS.iter().find(|e| e.0 == code) {
        return case(*cases, at);
    }
    if let Some((_, name)) = STRUCTS.iter().find(|s| s.0 == code) {
        return numbers(name, at);
    }
    Ok(match code {
        15 => {
            let types = [d.ty(at)?, d.ty(at)?, d.ty(at)?].map(Attr::Type);
            let [lhs, rhs, sum] = types;
            let all = [
                ("lhs_precision_type", lhs),
                ("rhs_precision_type", rhs),
                ("accumulation_type", sum),
                ("lhs_component_count", Attr::i64(at.signed()?)),
                ("rhs_component_count", Attr::i64(at.signed()?)),
                ("num_primitive_operations", Attr::i64(at.signed()?)),
                ("allow_imprecise_accumulation", Attr::Bool(at.byte()? != 0)),
            ];
            structured("stablehlo.dot_algorithm", all)
        }
        17 => result_accuracy(d, at)?,
        18 => {
            let (mesh, axes) = (d.attr(at)?, d.attrs(at)?);
            mesh_axes(mesh, Attr::Array(axes))
        }
        20 => {
            let name = Attr::String(d.string(at)?);
            let there = at.byte()? != 0;
            let sub_axis = if there { Some(d.attr(at)?) } else { None };
            axis_ref(name, sub_axis)
        }
        21 => mesh_axis(Attr::String(d.string(at)?), at)?,
        22 => {
            let axes = d.attr(at)?;
            let there = at.byte()? != 0;
            let devices = if there { Some(d.attr(at)?) } else { None };
            mesh(axes, devices)
        }
        _ => return Err(d.unknown(at, "the StableHLO attribute", code)),
    })
}

/// An attribute of CHLO.
pub fn chlo(at: &mut Cursor<'_>) -> Result<Attr> {
    let code = at.varint()?;
    match CHLO_ENUMS.iter().find(|e| e.0 == code) {
        Some((_, cases)) => case(*cases, at),
        None => {
            Err(at
                .error(format!("the CHLO attribute {code} is not known: the file may be of a newer version")))
        }
    }
}

/// A type of StableHLO itself.
pub fn stablehlo_ty(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Ty> {
    match at.varint()? {
        0 => Ok(Ty::Token),
        1 => Ok(Ty::Future(d.tys(at)?)),
        code => Err(d.unknown(at, "the StableHLO type", code)),
    }
}

/// A quantized type.
pub fn quant_ty(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Ty> {
    match at.varint()? {
        4 => quantized(d, at),
        5 => quantized_per_axis(d, at),
        code => Err(d.unknown(at, "the quantized type", code)),
    }
}

/// The flags, the storage type and the expressed type.
fn quantized_head(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<(DType, DType)> {
    let flags = at.varint()?;
    let (storage, expressed) = (tensor_element(d, at)?, tensor_element(d, at)?);
    match (storage, expressed) {
        (ElementTy::Number(storage), ElementTy::Number(expressed))
            if storage.is_integer() && expressed.is_float() =>
        {
            Ok((unsigned_if(storage, flags & 1 == 0), expressed))
        }
        _ => Err(at.error("a quantized type of an unknown storage or expressed type")),
    }
}

/// MLIR's storage types have no sign of their own: a flag says whether they are signed.
fn unsigned_if(storage: DType, unsigned: bool) -> DType {
    let name = storage.name().replacen('i', "u", 1);
    if unsigned { DType::from_name(&name).unwrap_or(storage) } else { storage }
}

pub fn quantized(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Ty> {
    let (storage, expressed) = quantized_head(d, at)?;
    let (scale, zero_point) = (float(at, &F64)?, at.signed()?);
    let range = (at.signed()?, at.signed()?);
    let ty = Quantized {
        storage,
        range,
        expressed,
        axis: None,
        scales: vec![scale],
        zero_points: vec![zero_point],
    };
    Ok(Ty::Scalar(ElementTy::Quantized(Arc::new(ty))))
}

pub fn quantized_per_axis(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Ty> {
    let (storage, expressed) = quantized_head(d, at)?;
    let axis = u32::try_from(at.varint()?).map_err(|_| at.error("an axis that no tensor has"))?;
    let range = (at.signed()?, at.signed()?);
    let scales = (0..at.count()?).map(|_| float(at, &F64)).collect::<Result<Vec<_>>>()?;
    let zero_points = at.signed_list()?;
    if scales.len() != zero_points.len() {
        return Err(at.error(format!("{} scales, but {} zero points", scales.len(), zero_points.len())));
    }
    let ty = Quantized { storage, range, expressed, axis: Some(axis), scales, zero_points };
    Ok(Ty::Scalar(ElementTy::Quantized(Arc::new(ty))))
}

/// The code and the cases of an enumeration of StableHLO or CHLO.
pub fn enumeration(name: &str) -> Option<(u64, Cases)> {
    STABLEHLO_ENUMS.iter().chain(CHLO_ENUMS).find(|e| e.1.name == name).copied()
}

/// The code of a structured attribute of integers and lists of them.
pub fn structure(name: &str) -> Option<u64> {
    STRUCTS.iter().find(|s| s.1 == name).map(|s| s.0)
}

/// A structured attribute of integers as text.
pub fn struct_text(name: &str, fields: &Attributes) -> Option<String> {
    let field = |(name, attr): (&Arc<str>, &Attr)| match attr {
        Attr::Integer(n, _) => Some(format!("{name} = {n}")),
        Attr::Integers(_, list) => {
            let list: Vec<_> = list.iter().map(i64::to_string).collect();
            Some(format!("{name} = [{}]", list.join(", ")))
        }
        _ => None,
    };
    Some(format!("#{name}<{}>", fields.iter().map(field).collect::<Option<Vec<_>>>()?.join(", ")))
}
