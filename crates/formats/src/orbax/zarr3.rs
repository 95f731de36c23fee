//! Descriptions of arrays of zarr 3, `zarr.json`.
//!
//! Source: the specification of zarr 3, "Array metadata" and the codecs registered with it.

use jarrah_base::Result;
use serde_json::{Value, json};

use super::array::{ZarrArray, extents};
use super::chunk::{Codecs, Index, Layout};
use super::codecs::{ByteCodec, little_endian};
use super::element::dtype_of;
use super::wrong;

pub(super) const FILE: &str = "zarr.json";

/// How deep shards may lie in shards.
const DEPTH: usize = 4;

pub(super) fn read(description: &Value) -> Result<ZarrArray> {
    if description.get("zarr_format").and_then(Value::as_u64) != Some(3) {
        return Err(wrong("an array in `zarr.json` is not of zarr 3"));
    }
    if description.get("node_type").and_then(Value::as_str) != Some("array") {
        return Err(wrong("`zarr.json` describes no array"));
    }
    let dims = extents(description.get("shape"), "shape", 0)?;
    let grid = named(description, "chunk_grid")?;
    if grid.0 != "regular" {
        return Err(wrong(format!("an array has the grid of chunks {:?}, which is not read here", grid.0)));
    }
    let chunk = extents(grid.1.get("chunk_shape"), "chunk_shape", 0)?;
    let (encoding, configuration) = named(description, "chunk_key_encoding")?;
    let (prefix, usual) = match encoding {
        "default" => ("c", '/'),
        "v2" => ("", '.'),
        _ => return Err(wrong(format!("the keys of chunks are encoded as {encoding:?}"))),
    };
    let separator = match configuration.get("separator").and_then(Value::as_str) {
        None => usual,
        Some("/") => '/',
        Some(".") => '.',
        Some(other) => return Err(wrong(format!("the separator of the keys of chunks is {other:?}"))),
    };
    let type_name = match description.get("data_type") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => other.to_string(),
        None => return Err(wrong("the description of an array has no `data_type`")),
    };
    let dtype = dtype_of(&type_name);
    let fill = description.get("fill_value").cloned().unwrap_or(Value::Null);
    let codecs = codecs(description, &chunk, DEPTH)?;
    ZarrArray { dims, chunk, type_name, dtype, fill, codecs, prefix, separator }.checked()
}

/// The description of an array whose elements lie in row-major order.
pub(super) fn print(array: &ZarrArray) -> Value {
    json!({
        "chunk_grid": { "configuration": { "chunk_shape": array.chunk }, "name": "regular" },
        "chunk_key_encoding": { "configuration": { "separator": array.separator }, "name": if array.prefix == "c" { "default" } else { "v2" } },
        "codecs": printed(&array.codecs),
        "data_type": array.type_name,
        "fill_value": array.fill,
        "node_type": "array",
        "shape": array.dims,
        "zarr_format": 3,
    })
}

fn printed(codecs: &Codecs) -> Value {
    let endian = |is_little: bool| if is_little { "little" } else { "big" };
    let bytes =
        |is_little: bool| json!({ "configuration": { "endian": endian(is_little) }, "name": "bytes" });
    let layout = match &codecs.layout {
        Layout::Elements { little_endian } => bytes(*little_endian),
        Layout::Shards { shape, codecs, index } => {
            let checksum = index.has_checksum.then(|| json!({ "name": ByteCodec::Crc32c.name() }));
            let index_codecs: Vec<Value> =
                [Some(bytes(index.little_endian)), checksum].into_iter().flatten().collect();
            json!({
                "configuration": {
                    "chunk_shape": shape,
                    "codecs": printed(codecs),
                    "index_codecs": index_codecs,
                    "index_location": if index.is_at_end { "end" } else { "start" },
                },
                "name": "sharding_indexed",
            })
        }
    };
    let encoded = codecs.bytes.iter().map(|codec| match codec.level() {
        Some(level) => json!({ "configuration": { "level": level }, "name": codec.name() }),
        None => json!({ "name": codec.name() }),
    });
    std::iter::once(layout).chain(encoded).collect()
}

/// The name and the configuration of an extension of zarr 3.
fn extension(value: &Value) -> Option<(&str, &Value)> {
    match value {
        Value::String(name) => Some((name, &Value::Null)),
        _ => Some((value.get("name")?.as_str()?, value.get("configuration").unwrap_or(&Value::Null))),
    }
}

fn named<'a>(description: &'a Value, field: &str) -> Result<(&'a str, &'a Value)> {
    let value = description.get(field).and_then(extension);
    value.ok_or_else(|| wrong(format!("the description of an array has no `{field}` with a name")))
}

/// The codecs of chunks of this shape: of `codecs` in a description or in the configuration of shards.
fn codecs(of: &Value, chunk: &[usize], depth: usize) -> Result<Codecs> {
    let list = of.get("codecs").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("the description of an array has no list `codecs`"))?;
    let mut axes: Vec<usize> = (0..chunk.len()).collect();
    let (mut layout, mut bytes) = (None, Vec::new());
    for codec in list {
        let (name, configuration) =
            extension(codec).ok_or_else(|| wrong(format!("the codec {codec} has no name")))?;
        match (name, &layout) {
            ("transpose", None) => axes = transposed(&axes, configuration)?,
            ("bytes", None) => {
                layout = Some(Layout::Elements { little_endian: little_endian(configuration)? })
            }
            ("sharding_indexed", None) => {
                let shape: Vec<usize> = axes.iter().map(|axis| chunk[*axis]).collect();
                layout = Some(shards(configuration, &shape, depth)?);
            }
            ("transpose" | "bytes" | "sharding_indexed", Some(_)) => {
                return Err(wrong(format!("the codec {name} stands behind another that makes bytes")));
            }
            (_, Some(_)) => bytes.push(ByteCodec::of(name)?),
            (_, None) => {
                ByteCodec::of(name)?;
                return Err(wrong(format!("the codec {name} stands before one that makes bytes")));
            }
        }
    }
    let layout = layout.ok_or_else(|| wrong("no codec of an array makes bytes of its elements"))?;
    Ok(Codecs { axes, layout, bytes })
}

/// The axes, seen through a codec `transpose` behind others.
fn transposed(axes: &[usize], configuration: &Value) -> Result<Vec<usize>> {
    let rank = axes.len();
    let order: Vec<usize> = match configuration.get("order") {
        Some(Value::String(order)) if order == "C" => (0..rank).collect(),
        Some(Value::String(order)) if order == "F" => (0..rank).rev().collect(),
        order => extents(order, "order", 0)?,
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    match sorted.into_iter().eq(0..rank) {
        true => Ok(order.into_iter().map(|axis| axes[axis]).collect()),
        false => Err(wrong(format!("the codec transpose has the order {order:?} for {rank} axes"))),
    }
}

fn shards(configuration: &Value, shard: &[usize], depth: usize) -> Result<Layout> {
    let depth = depth.checked_sub(1).ok_or_else(|| wrong("shards lie in shards deeper than 4"))?;
    let shape = extents(configuration.get("chunk_shape"), "chunk_shape", 1)?;
    let divides = |(all, each): (&usize, &usize)| all % each == 0;
    if shape.len() != shard.len() || !shard.iter().zip(&shape).all(divides) {
        return Err(wrong(format!("a shard of shape {shard:?} has chunks of shape {shape:?}")));
    }
    let is_at_end = match configuration.get("index_location").and_then(Value::as_str) {
        None | Some("end") => true,
        Some("start") => false,
        Some(other) => return Err(wrong(format!("the index of shards is at {other:?}"))),
    };
    let list = configuration.get("index_codecs").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("the codec sharding_indexed has no list `index_codecs`"))?;
    let index: Vec<(&str, &Value)> = list.iter().filter_map(extension).collect();
    let index = match index[..] {
        [("bytes", bytes)] => Index { little_endian: little_endian(bytes)?, has_checksum: false, is_at_end },
        [("bytes", bytes), ("crc32c", _)] => {
            Index { little_endian: little_endian(bytes)?, has_checksum: true, is_at_end }
        }
        _ => {
            let names: Vec<&str> = index.iter().map(|codec| codec.0).collect();
            return Err(wrong(format!("the index of shards is encoded by {}", names.join(", ")))
                .help("decoded are `bytes`, and `bytes` with `crc32c`"));
        }
    };
    let codecs = Box::new(codecs(configuration, &shape, depth)?);
    Ok(Layout::Shards { shape, codecs, index })
}
