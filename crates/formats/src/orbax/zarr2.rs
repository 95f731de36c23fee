//! Descriptions of arrays of zarr 2, `.zarray`.
//!
//! Source: the specification of zarr 2, "Metadata".

use jarrah_base::Result;
use serde_json::{Value, json};

use super::array::{ZarrArray, extents};
use super::chunk::{Codecs, Layout};
use super::codecs::ByteCodec;
use super::element::numpy_type;
use super::wrong;

pub(super) const FILE: &str = ".zarray";

pub(super) fn read(description: &Value) -> Result<ZarrArray> {
    let text = |field: &str| description.get(field).and_then(Value::as_str);
    if description.get("zarr_format").and_then(Value::as_u64) != Some(2) {
        return Err(wrong("an array in `.zarray` is not of zarr 2"));
    }
    if let Some(filters) =
        description.get("filters").filter(|f| !f.is_null() && **f != Value::Array(Vec::new()))
    {
        return Err(wrong(format!("an array has the filters {filters}, which are not read here")));
    }
    let dims = extents(description.get("shape"), "shape", 0)?;
    let chunk = extents(description.get("chunks"), "chunks", 0)?;
    let axes: Vec<usize> = match text("order") {
        Some("C") => (0..dims.len()).collect(),
        Some("F") => (0..dims.len()).rev().collect(),
        _ => return Err(wrong("the `order` of an array is neither C nor F")),
    };
    let bytes = match description.get("compressor") {
        None | Some(Value::Null) => Vec::new(),
        Some(compressor) => {
            let name = compressor.get("id").and_then(Value::as_str);
            vec![ByteCodec::of(name.ok_or_else(|| wrong("the compressor of an array has no `id`"))?)?]
        }
    };
    let separator = match text("dimension_separator") {
        None | Some(".") => '.',
        Some("/") => '/',
        Some(other) => return Err(wrong(format!("the `dimension_separator` of an array is {other:?}"))),
    };
    let type_name = match description.get("dtype") {
        Some(Value::String(name)) => name.clone(),
        Some(fields) => fields.to_string(),
        None => return Err(wrong("the description of an array has no `dtype`")),
    };
    let (dtype, little_endian) = numpy_type(&type_name);
    let fill = description.get("fill_value").cloned().unwrap_or(Value::Null);
    let codecs = Codecs { axes, layout: Layout::Elements { little_endian }, bytes };
    ZarrArray { dims, chunk, type_name, dtype, fill, codecs, prefix: "", separator }.checked()
}

/// The description of an array whose elements lie in row-major order.
pub(super) fn print(array: &ZarrArray) -> Value {
    let compressor = array.codecs.bytes.first().map(|codec| match codec.level() {
        Some(level) => json!({ "id": codec.name(), "level": level }),
        None => json!({ "id": codec.name() }),
    });
    json!({
        "chunks": array.chunk,
        "compressor": compressor,
        "dimension_separator": array.separator,
        "dtype": array.type_name,
        "fill_value": array.fill,
        "filters": null,
        "order": "C",
        "shape": array.dims,
        "zarr_format": 2,
    })
}
