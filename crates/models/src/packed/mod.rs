//! Weights that files have in few bits.
//!
//! How a folder has them says `quantization_config` of its `config.json`: each way is a [`Method`], a row of [`METHODS`].

mod awq;
mod bitsandbytes;
mod compressed;
mod fp8;
mod gguf;
mod gptq;
mod method;
mod mxfp4;
mod parts;

use std::collections::BTreeMap;
use std::sync::Arc;

use jarrah_array::{Error, Literal, Result};
use jarrah_nn::{Transposed, Variable, edit, parts as parts_of};
use jarrah_quant::{QuantizedTensor, Scheme, Values};
use serde_json::Value;

use crate::Architecture;
use crate::family::Tensor;

pub use self::compressed::{check_methods, described};
pub use self::gguf::Gguf;
pub use self::method::{Method, Wanted};
pub use self::mxfp4::of_stacks;
pub use self::parts::{assembled, written};

/// A constructor of a method from `quantization_config`.
type Found = fn(&Value) -> Result<Arc<dyn Method>>;

/// The methods by the names that `quant_method` has for them.
const METHODS: &[(&str, Found)] = &[
    ("mxfp4", mxfp4::method),
    ("fp8", fp8::method),
    ("gptq", gptq::method),
    ("awq", awq::method),
    ("compressed-tensors", compressed::method),
    ("bitsandbytes", bitsandbytes::method),
];

/// How a folder has weights in few bits, by its `config.json`; none: it has numbers as they are.
///
/// # Errors
/// Weights are quantized in another way (`Input`).
pub fn method(json: &Value) -> Result<Option<Arc<dyn Method>>> {
    let Some(entries) = json.get("quantization_config").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let name = method_name(json).unwrap_or("?");
    let known = METHODS.iter().find(|(known, _)| *known == name);
    let Some((_, found)) = known else {
        let names: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
        return Err(Error::input(format!("weights are quantized by `{name}`, says config.json"))
            .help(format!("dequantize them first; what is read in few bits is {}", names.join(", "))));
    };
    found(entries).map(Some)
}

/// How a `config.json` says that weights are quantized, `quant_method`; none: it says that they are not.
///
/// ```
/// use jarrah_models::quantization_method;
/// let json = serde_json::json!({"quantization_config": {"quant_method": "awq", "bits": 4}});
/// assert_eq!(quantization_method(&json), Some("awq"));
/// ```
pub fn method_name(json: &Value) -> Option<&str> {
    let entries = json.get("quantization_config")?;
    match entries.get("quant_method").and_then(Value::as_str) {
        // The first files of compressed-tensors and of bitsandbytes do not say it.
        None if entries.get("config_groups").is_some() => Some("compressed-tensors"),
        None if entries.get("load_in_4bit").is_some() => Some("bitsandbytes"),
        name => name,
    }
}

/// The tensors that store the quantized weight `name` in a file; `dtype` is the dtype of the file's numbers.
pub fn tensors(
    name: &str,
    weight: &QuantizedTensor,
    tensor: &Tensor,
    dtype: &str,
) -> Result<Vec<(String, Literal)>> {
    parts::form(name, tensor, weight.scheme)?;
    match tensor.packs {
        true => mxfp4::tensors(name, weight),
        false => compressed::tensors(name, weight, dtype),
    }
}

/// Checks that files have a form for a model with these weights in few bits, by their paths: before any of them is made.
///
/// # Errors
/// As [`form`]; one tensor of the files has parts that are not quantized alike, or nf4 is beside other schemes (`Input`).
pub fn check(wanted: &[(String, Tensor)], schemes: &BTreeMap<String, Scheme>) -> Result<()> {
    let (mut normal, mut stacks, mut others) = (0, 0, 0);
    for (name, tensor) in wanted {
        let mut found = tensor.pieces.iter().map(|piece| schemes.get(&piece.ours));
        let Some(first) = found.next() else { continue };
        if found.any(|scheme| scheme != first) {
            return Err(parts::no_matrix(name));
        }
        let Some(&scheme) = first else { continue };
        parts::form(name, tensor, scheme)?;
        match scheme.values {
            _ if tensor.packs => stacks += 1,
            Values::Normal4 => normal += 1,
            _ => others += 1,
        }
    }
    compressed::check_methods(normal, stacks, others)
}

/// Puts weights in few bits in the place of parameters, by their paths.
pub fn put<M: Architecture>(model: &mut M, mut weights: BTreeMap<String, QuantizedTensor>) {
    if weights.is_empty() {
        return;
    }
    edit(model, .., |path, variable: &mut Variable| {
        if let Some(weight) = weights.remove(path) {
            *variable = variable.replaced(weight);
        }
    });
}

/// The parameters of a model that are in few bits, by their paths.
pub fn of<M: Architecture>(model: &M) -> BTreeMap<String, QuantizedTensor> {
    let weights = parts_of::<_, Variable>(model, ..).into_iter();
    weights
        .filter_map(|(path, variable)| Some((path, variable.value::<QuantizedTensor>()?.clone())))
        .collect()
}

/// The paths of the parameters of a model that are transposes, in whose place a weight in few bits may stand.
pub fn transposes<M: Architecture>(model: &M) -> std::collections::BTreeSet<String> {
    let weights = parts_of::<_, Variable>(model, ..).into_iter();
    weights.filter_map(|(path, variable)| variable.value::<Transposed>().map(|_| path)).collect()
}
