use jarrah_base::{DType, Type};

use crate::lexer::quote;

/// MLIR's name of an element type.
pub(crate) fn element_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "i1",
        DType::U2 => "ui2",
        DType::U4 => "ui4",
        DType::U8 => "ui8",
        DType::U16 => "ui16",
        DType::U32 => "ui32",
        DType::U64 => "ui64",
        DType::F4E2M1FN => "f4E2M1FN",
        DType::F6E2M3FN => "f6E2M3FN",
        DType::F6E3M2FN => "f6E3M2FN",
        DType::F8E3M4 => "f8E3M4",
        DType::F8E4M3 => "f8E4M3",
        DType::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
        DType::F8E4M3FN => "f8E4M3FN",
        DType::F8E4M3FNUZ => "f8E4M3FNUZ",
        DType::F8E5M2 => "f8E5M2",
        DType::F8E5M2FNUZ => "f8E5M2FNUZ",
        DType::F8E8M0FNU => "f8E8M0FNU",
        DType::C64 => "complex<f32>",
        DType::C128 => "complex<f64>",
        DType::I2 | DType::I4 | DType::I8 | DType::I16 | DType::I32 | DType::I64 => dtype.name(),
        DType::BF16 | DType::F16 | DType::F32 | DType::F64 => dtype.name(),
    }
}

/// `tensor<8x4xf32>`; unknown extents are named in the place of an encoding.
pub(super) fn ty(ty: Type) -> String {
    let mut out = String::from(if ty.is_ref() { "!jarrah.ref<" } else { "tensor<" });
    for dim in ty.dims() {
        match dim.constant() {
            Some(n) => out.push_str(&format!("{n}x")),
            None => out.push_str("?x"),
        }
    }
    out.push_str(element_type(ty.dtype()));
    if ty.dims().iter().any(|d| d.constant().is_none()) {
        let names: Vec<String> = ty
            .dims()
            .iter()
            .map(|d| if d.constant().is_some() { d.to_string() } else { quote(&d.to_string()) })
            .collect();
        out.push_str(&format!(", #jarrah.dims<{}>", names.join(", ")));
    }
    out.push('>');
    out
}

/// The types with commas between them.
pub(super) fn list(types: &[Type]) -> String {
    types.iter().map(|&t| ty(t)).collect::<Vec<_>>().join(", ")
}

/// `(a, b) -> c`.
pub(super) fn signature(operands: &[Type], results: &[Type]) -> String {
    match results {
        [result] => format!("({}) -> {}", list(operands), ty(*result)),
        results => format!("({}) -> ({})", list(operands), list(results)),
    }
}
