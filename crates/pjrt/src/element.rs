//! Element types, and how elements narrower than a byte lie in host memory.

use jarrah_base::{DType, ElementKind};

use crate::abi::PJRT_Buffer_Type;

/// The element types that both sides know.
const TYPES: [(PJRT_Buffer_Type, DType); 30] = [
    (PJRT_Buffer_Type::PRED, DType::Bool),
    (PJRT_Buffer_Type::S2, DType::I2),
    (PJRT_Buffer_Type::S4, DType::I4),
    (PJRT_Buffer_Type::S8, DType::I8),
    (PJRT_Buffer_Type::S16, DType::I16),
    (PJRT_Buffer_Type::S32, DType::I32),
    (PJRT_Buffer_Type::S64, DType::I64),
    (PJRT_Buffer_Type::U2, DType::U2),
    (PJRT_Buffer_Type::U4, DType::U4),
    (PJRT_Buffer_Type::U8, DType::U8),
    (PJRT_Buffer_Type::U16, DType::U16),
    (PJRT_Buffer_Type::U32, DType::U32),
    (PJRT_Buffer_Type::U64, DType::U64),
    (PJRT_Buffer_Type::F4E2M1FN, DType::F4E2M1FN),
    (PJRT_Buffer_Type::F6E2M3FN, DType::F6E2M3FN),
    (PJRT_Buffer_Type::F6E3M2FN, DType::F6E3M2FN),
    (PJRT_Buffer_Type::F8E3M4, DType::F8E3M4),
    (PJRT_Buffer_Type::F8E4M3, DType::F8E4M3),
    (PJRT_Buffer_Type::F8E4M3B11FNUZ, DType::F8E4M3B11FNUZ),
    (PJRT_Buffer_Type::F8E4M3FN, DType::F8E4M3FN),
    (PJRT_Buffer_Type::F8E4M3FNUZ, DType::F8E4M3FNUZ),
    (PJRT_Buffer_Type::F8E5M2, DType::F8E5M2),
    (PJRT_Buffer_Type::F8E5M2FNUZ, DType::F8E5M2FNUZ),
    (PJRT_Buffer_Type::F8E8M0FNU, DType::F8E8M0FNU),
    (PJRT_Buffer_Type::BF16, DType::BF16),
    (PJRT_Buffer_Type::F16, DType::F16),
    (PJRT_Buffer_Type::F32, DType::F32),
    (PJRT_Buffer_Type::F64, DType::F64),
    (PJRT_Buffer_Type::C64, DType::C64),
    (PJRT_Buffer_Type::C128, DType::C128),
];

/// The element type as C numbers it; `INVALID` if C has no such type.
pub fn number_of(dtype: DType) -> PJRT_Buffer_Type {
    let found = TYPES.iter().find(|(_, known)| *known == dtype);
    found.map_or(PJRT_Buffer_Type::INVALID, |(number, _)| *number)
}

/// The element type of a number, if this library has tensors of it.
pub fn dtype_of(number: PJRT_Buffer_Type) -> Option<DType> {
    TYPES.iter().find(|(known, _)| *known == number).map(|(_, dtype)| *dtype)
}

/// Whether the bytes of C's elements may differ from ours: an element narrower than a byte has any bits above it there, such as
/// its sign, and zeros here.
pub fn narrow(dtype: DType) -> bool {
    dtype.bits() < 8 && dtype.kind() != ElementKind::Bool
}

/// Turns elements as C holds them into ours.
pub fn from_host(dtype: DType, elements: &mut [u8]) {
    if narrow(dtype) {
        let mask = (1u8 << dtype.bits()) - 1;
        elements.iter_mut().for_each(|byte| *byte &= mask);
    }
}
