//! The names of element types in descriptions of arrays.

use jarrah_base::DType;

/// Element types: TensorStore's name, which zarr 3 has too; NumPy's kind and size, which zarr 2 has where NumPy has the type; whether TensorStore
/// 0.1.86 stores them.
const TYPES: [(DType, &str, Option<&str>, bool); 30] = [
    (DType::Bool, "bool", Some("b1"), true),
    (DType::I2, "int2", None, true),
    (DType::I4, "int4", None, true),
    (DType::I8, "int8", Some("i1"), true),
    (DType::I16, "int16", Some("i2"), true),
    (DType::I32, "int32", Some("i4"), true),
    (DType::I64, "int64", Some("i8"), true),
    (DType::U2, "uint2", None, false),
    (DType::U4, "uint4", None, false),
    (DType::U8, "uint8", Some("u1"), true),
    (DType::U16, "uint16", Some("u2"), true),
    (DType::U32, "uint32", Some("u4"), true),
    (DType::U64, "uint64", Some("u8"), true),
    (DType::F4E2M1FN, "float4_e2m1fn", None, true),
    (DType::F6E2M3FN, "float6_e2m3fn", None, false),
    (DType::F6E3M2FN, "float6_e3m2fn", None, false),
    (DType::F8E3M4, "float8_e3m4", None, true),
    (DType::F8E4M3, "float8_e4m3", None, false),
    (DType::F8E4M3B11FNUZ, "float8_e4m3b11fnuz", None, true),
    (DType::F8E4M3FN, "float8_e4m3fn", None, true),
    (DType::F8E4M3FNUZ, "float8_e4m3fnuz", None, true),
    (DType::F8E5M2, "float8_e5m2", None, true),
    (DType::F8E5M2FNUZ, "float8_e5m2fnuz", None, true),
    (DType::F8E8M0FNU, "float8_e8m0fnu", None, false),
    (DType::BF16, "bfloat16", None, true),
    (DType::F16, "float16", Some("f2"), true),
    (DType::F32, "float32", Some("f4"), true),
    (DType::F64, "float64", Some("f8"), true),
    (DType::C64, "complex64", Some("c8"), true),
    (DType::C128, "complex128", Some("c16"), true),
];

/// The element type that zarr 3 and TensorStore call `name`.
pub(super) fn dtype_of(name: &str) -> Option<DType> {
    TYPES.iter().find(|row| row.1 == name).map(|row| row.0)
}

/// The element type of a name of zarr 2 such as `<f4`, and whether its bytes begin with the lowest one.
pub(super) fn numpy_type(name: &str) -> (Option<DType>, bool) {
    let (order, kind) = name.split_at(usize::from(name.starts_with(['<', '>', '|', '='])));
    let dtype = match order {
        "" => dtype_of(name),
        _ => TYPES.iter().find(|row| row.2 == Some(kind)).map(|row| row.0),
    };
    (dtype, order != ">")
}

/// The name of an element type that TensorStore stores, in the low bytes first: of zarr 3 or of zarr 2.
pub(super) fn stored_name(dtype: DType, is_zarr3: bool) -> Option<String> {
    let row = TYPES.iter().find(|row| row.0 == dtype && row.3)?;
    Some(match row.2.filter(|_| !is_zarr3) {
        Some(kind) => format!("{}{kind}", if dtype.size() == 1 { '|' } else { '<' }),
        None => row.1.to_owned(),
    })
}
