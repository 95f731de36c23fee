//! Matrices as compressed-tensors has them: read, and written.

use std::collections::BTreeMap;
use std::sync::Arc;

use jarrah_array::{Array, DType, Error, Literal, Result, Type};
use jarrah_formats::Tensors;
use jarrah_quant::{Activations, CompressedWeight, QuantizedTensor, ScaleBlock, Scheme, Values};
use serde_json::{Map, Value, json};

use super::bitsandbytes;
use super::method::{Method, Wanted};

#[derive(Debug)]
struct Compressed {
    /// Whether integers of 8 bits multiply integers.
    integers: bool,
    /// The rows of a block that share a scale.
    block: Option<usize>,
}

pub fn method(entries: &Value) -> Result<Arc<dyn Method>> {
    let groups = entries.get("config_groups").and_then(Value::as_object);
    let groups: Vec<&Value> = groups.into_iter().flat_map(Map::values).collect();
    let formats = groups.iter().filter_map(|group| group.get("format")).chain(entries.get("format"));
    for format in formats.filter_map(Value::as_str) {
        if !FORMATS.contains(&format) {
            let error =
                format!("weights of compressed-tensors are in the format `{format}`, says config.json");
            return Err(Error::input(error).help(format!("read are {}", FORMATS.join(", "))));
        }
    }
    let sparse =
        entries.get("sparsity_config").and_then(|sparsity| sparsity.get("format")).and_then(Value::as_str);
    if let Some(format) = sparse.filter(|format| *format != "dense") {
        let error =
            format!("weights of compressed-tensors are sparse, in the format `{format}`, says config.json");
        return Err(Error::input(error).help("write the model without a sparse format"));
    }
    let number = |args: &Value, name: &str| args.get(name).and_then(Value::as_u64);
    for weights in groups.iter().filter_map(|group| group.get("weights")) {
        let bits = number(weights, "num_bits").unwrap_or(8);
        if bits != 4 && bits != 8 {
            return Err(Error::input(format!(
                "weights of compressed-tensors have {bits} bits, says config.json"
            ))
            .help("4 and 8 bits are read"));
        }
    }
    let integers = groups.iter().filter_map(|group| group.get("input_activations")).any(|inputs| {
        number(inputs, "num_bits") == Some(8) && inputs.get("type").is_none_or(|kind| kind == "int")
    });
    let blocks =
        groups.iter().filter_map(|group| group.get("weights")?.get("block_structure")?.get(0)?.as_u64());
    let block = blocks.min().and_then(|rows| usize::try_from(rows).ok()).filter(|rows| *rows > 0);
    Ok(Arc::new(Compressed { integers, block }))
}

/// The formats that are read, and that of files with several.
const FORMATS: &[&str] = &[
    "pack-quantized",
    "int-quantized",
    "float-quantized",
    "naive-quantized",
    "mxfp4-pack-quantized",
    "mixed-precision",
    "dense",
];

impl Method for Compressed {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        let stem = of.stem()?;
        let [outputs, inputs] = of.extents();
        let packed = format!("{stem}.weight_packed");
        if let Some(tensor) = files.find(&packed) {
            let ty = match tensor.encoding().dtype() {
                Some(DType::U8) => Type::tensor(DType::U8, [outputs, inputs.div_ceil(2)]),
                _ => {
                    let words = |bits: usize| (inputs * bits).div_ceil(32);
                    let is_eight = tensor.dims().last() == Some(&words(8));
                    Type::tensor(DType::I32, [outputs, words(if is_eight { 8 } else { 4 })])
                }
            };
            return Some((packed, ty));
        }
        files.find(&format!("{stem}.weight_scale"))?;
        Some((of.name.to_owned(), Type::tensor(DType::I8, [outputs, inputs])))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let codes = match of.part(files, "weight_packed")? {
            Some(codes) => codes,
            None => of.needed(files, "weight")?,
        };
        let is_integer = codes.dtype() == DType::I8;
        let mut scales = of.needed(files, "weight_scale")?;
        let [outputs, _] = of.extents();
        // Of blocks the scale of each row.
        if let (Some(block), &[rows, _]) = (self.block, &scales.shape()[..])
            && rows == outputs.div_ceil(block)
        {
            scales = scales.repeat(block, 0).slice(0, ..outputs);
        }
        let weight = CompressedWeight {
            codes,
            scales,
            zeros: of.part(files, "weight_zero_point")?,
            g_idx: of.part(files, "weight_g_idx")?.map(|groups| groups.astype(DType::I32)),
        };
        let read = of.made(|| QuantizedTensor::from_compressed(&weight, of.extents()))?;
        let activations = if self.integers && is_integer { Activations::Int8 } else { Activations::Plain };
        let name = if activations == Activations::Int8 && read.zeros.is_none() {
            Scheme::W8A8.name
        } else {
            read.scheme.name
        };
        Ok(QuantizedTensor { scheme: Scheme { activations, name, ..read.scheme }, ..read })
    }
}

/// The tensors of a weight, `[inputs, outputs]`, of a file that has it as `name`.
pub fn tensors(name: &str, weight: &QuantizedTensor, dtype: &str) -> Result<Vec<(String, Literal)>> {
    let stem = name
        .strip_suffix(".weight")
        .ok_or_else(|| Error::internal(format!("{name} is the weight of no module")))?;
    if weight.scheme.values == Values::Normal4 {
        return bitsandbytes::tensors(name, weight, dtype);
    }
    let shape = weight.shape();
    let weight = &with_codes_for_zeros(name, weight)?;
    let made = jarrah_array::try_trace(|| weight.to_compressed()).map_err(|error| {
        Error::input(format!("{name} has no form in files: {}", error.message()))
            .help("dequantize it: read the model with a dtype")
    })?;
    let is_packed = made.codes.dtype() == DType::I32 || weight.scheme.values == Values::E2M1;
    let mut all = vec![
        (if is_packed { "weight_packed" } else { "weight" }, made.codes.clone()),
        ("weight_scale", made.scales),
    ];
    if made.codes.dtype() == DType::I32 {
        all.push(("weight_shape", Array::from_slice(&[shape[1] as i64, shape[0] as i64])));
    }
    all.extend(made.zeros.map(|zeros| ("weight_zero_point", zeros)));
    all.into_iter().map(|(part, array)| Ok((format!("{stem}.{part}"), array.to_literal()?))).collect()
}

/// The weight with zero points that are codes, as those of GPTQ's first format may not be.
fn with_codes_for_zeros(name: &str, weight: &QuantizedTensor) -> Result<QuantizedTensor> {
    let Some(zeros) = &weight.zeros else { return Ok(weight.clone()) };
    let most = if weight.scheme.values == Values::UInt4 { 15 } else { 255 };
    if zeros.size() > 0 && zeros.astype(DType::I32).max(..).item::<i32>()? > most {
        return Err(Error::input(format!(
            "{name} has a zero point of {}, which is no code of compressed-tensors",
            most + 1
        ))
        .help("dequantize it: read the model with a dtype"));
    }
    Ok(QuantizedTensor { zeros: Some(zeros.astype(DType::U8)), ..weight.clone() })
}

/// The entry of `config_groups` for weights of a scheme: the weights, the activations and the format.
fn group(weight: &QuantizedTensor) -> Value {
    let Scheme { values, block, activations, .. } = weight.scheme;
    let is_float = matches!(values, Values::E4M3 | Values::E5M2 | Values::E2M1);
    let bits = if matches!(values, Values::Int4 | Values::UInt4 | Values::E2M1) { 4 } else { 8 };
    let kind = if is_float { "float" } else { "int" };
    let (strategy, size) = match block {
        ScaleBlock::Tensor => ("tensor", None),
        ScaleBlock::Channel => ("channel", None),
        ScaleBlock::Group(size) => ("group", Some(size)),
    };
    let mut weights = json!({
        "num_bits": bits, "type": kind, "symmetric": weight.zeros.is_none(), "strategy": strategy, "group_size": size,
        "block_structure": null, "dynamic": false, "actorder": null,
    });
    let mut format = if is_float { "float-quantized" } else { "pack-quantized" };
    if values == Values::E2M1 {
        weights["scale_dtype"] = "torch.uint8".into();
        weights["zp_dtype"] = "torch.uint8".into();
        format = "mxfp4-pack-quantized";
    }
    let mut inputs = Value::Null;
    if activations == Activations::Int8 {
        format = "int-quantized";
        inputs = json!({
            "num_bits": 8, "type": "int", "symmetric": true, "strategy": "token", "group_size": null,
            "block_structure": null, "dynamic": true, "actorder": null,
        });
    }
    json!({"weights": weights, "input_activations": inputs, "output_activations": null, "format": format})
}

/// Checks that one method of files holds so many matrices of NF4, stacks in MXFP4, and matrices of other schemes.
///
/// # Errors
/// There are several kinds: bitsandbytes has the first, files as gpt-oss's the second, compressed-tensors the third (`Input`).
pub fn check_methods(normal: usize, stacks: usize, others: usize) -> Result<()> {
    if stacks > 0 && normal + others > 0 {
        let matrices = normal + others;
        let error = format!(
            "{stacks} stacks of experts are mxfp4 beside {matrices} matrices in few bits, which no file has"
        );
        return Err(Error::input(error).help(
            "hold one kind of them so: `blocks.*.mlp.{gate_up,down}=mxfp4, **=leave` are rules for the stacks alone",
        ));
    }
    if normal == 0 || others == 0 {
        return Ok(());
    }
    let error = format!("{normal} matrices are nf4 and {others} are not, which no file has");
    Err(Error::input(error).help("give all of them nf4, or none"))
}

/// The `quantization_config` of a file with these weights, by the names of their tensors there, beside matrices that are as they were.
///
/// # Errors
/// Some are of NF4, and others not (`Input`).
pub fn described(
    weights: &BTreeMap<String, QuantizedTensor>,
    others: &[String],
    dtype: &str,
) -> Result<Value> {
    let module = |name: &String| name.strip_suffix(".weight").unwrap_or(name).to_owned();
    let others: Vec<String> = others.iter().map(module).collect();
    let normal = weights.values().filter(|weight| weight.scheme.values == Values::Normal4).count();
    check_methods(normal, 0, weights.len() - normal)?;
    if normal > 0 {
        let nested = weights.values().any(|weight| matches!(weight.scales, jarrah_quant::Scales::Nested(_)));
        return Ok(json!({
            "quant_method": "bitsandbytes", "load_in_4bit": true, "load_in_8bit": false, "bnb_4bit_quant_type": "nf4",
            "bnb_4bit_use_double_quant": nested, "bnb_4bit_compute_dtype": dtype, "bnb_4bit_quant_storage": "uint8",
            "llm_int8_skip_modules": others,
        }));
    }
    let mut groups: Vec<(Value, Vec<String>)> = Vec::new();
    for (name, weight) in weights {
        let own = group(weight);
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, names)) => names.push(module(name)),
            None => groups.push((own, vec![module(name)])),
        }
    }
    let formats: std::collections::BTreeSet<String> =
        groups.iter().map(|(group, _)| group["format"].to_string()).collect();
    let format = match (&groups[..], formats.len()) {
        ([(first, _), ..], 1) => first["format"].clone(),
        _ => "mixed-precision".into(),
    };
    let is_one = groups.len() == 1;
    let groups = groups.into_iter().enumerate().map(|(i, (mut group, names))| {
        group["targets"] = if is_one { json!(["Linear"]) } else { json!(names) };
        (format!("group_{i}"), group)
    });
    Ok(json!({
        "quant_method": "compressed-tensors", "format": format, "quantization_status": "compressed",
        "global_compression_ratio": null, "kv_cache_scheme": null, "ignore": others,
        "config_groups": groups.collect::<Map<String, Value>>(),
    }))
}
