use jarrah_base::{DType, ElementKind};

use crate::ir::{ElementTy, Ty};

/// MLIR's names of the floats, where they are not ours in capitals.
const FLOATS: &[&str] = &[
    "bf16",
    "f16",
    "f32",
    "f64",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E3M4",
    "f8E4M3",
    "f8E4M3B11FNUZ",
    "f8E4M3FN",
    "f8E4M3FNUZ",
    "f8E5M2",
    "f8E5M2FNUZ",
    "f8E8M0FNU",
];

/// The element type that MLIR calls `name`.
pub fn from_name(name: &str) -> ElementTy {
    let ours = match name {
        "index" => return ElementTy::Index,
        "tf32" => return ElementTy::Tf32,
        "i1" => Some(DType::Bool),
        _ if FLOATS.contains(&name) => DType::from_name(&name.to_ascii_lowercase()),
        _ => match name.strip_prefix("ui") {
            Some(bits) => DType::from_name(&format!("u{bits}")),
            None => name.strip_prefix('i').and_then(|_| DType::from_name(name)),
        },
    };
    match ours {
        Some(dtype) => ElementTy::Number(dtype),
        None => ElementTy::Opaque(name.into()),
    }
}

/// MLIR's name of a number type that is not complex.
pub fn name(dtype: DType) -> String {
    match dtype.kind() {
        ElementKind::Bool => "i1".to_owned(),
        ElementKind::Unsigned => format!("ui{}", &dtype.name()[1..]),
        ElementKind::Signed => dtype.name().to_owned(),
        _ => {
            let float = FLOATS.iter().find(|f| f.eq_ignore_ascii_case(dtype.name()));
            float.map_or_else(|| dtype.name().to_owned(), |f| (*f).to_owned())
        }
    }
}

/// The element type that a type of its own stands for.
pub fn element(ty: &Ty) -> Option<ElementTy> {
    match ty {
        Ty::Scalar(element) => Some(element.clone()),
        Ty::None => Some(ElementTy::Opaque("none".into())),
        Ty::Opaque(text) => Some(ElementTy::Opaque(text.clone())),
        _ => None,
    }
}

/// The type of complex numbers whose parts are of the type `part`.
pub fn complex(part: &ElementTy) -> Option<ElementTy> {
    match part {
        ElementTy::Number(part) => part.complex().map(ElementTy::Number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_type_has_a_name_that_is_read_back() {
        for dtype in DType::ALL {
            if !dtype.is_complex() {
                assert_eq!(from_name(&name(dtype)), ElementTy::Number(dtype), "{dtype}");
            }
        }
    }
}
