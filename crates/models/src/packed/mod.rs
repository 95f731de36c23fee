//! Weights that files have in few bits.
//!
//! How a folder has them says `quantization_config` of its `config.json`: each way is a [`Method`], a row of [`METHODS`].

mod awq;
mod bitsandbytes;
mod compressed;
mod fp8;
mod gguf;
mod gptq;
mod mxfp4;
mod parts;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use jarrah_array::{Array, DType, Error, Literal, Result, TreeExt, Type, try_trace};
use jarrah_formats::Tensors;
use jarrah_nn::{Transposed, Variable, edit, parts as parts_of};
use jarrah_quant::{QuantizedTensor, Scales, Scheme, Values};
use serde_json::Value;

use crate::Architecture;
use crate::family::Tensor;

pub use self::compressed::{check_methods, described};
pub use self::gguf::Gguf;
pub use self::mxfp4::of_stacks;
pub use self::parts::{assembled, written};

/// A way in which a file has a weight in few bits in the place of a tensor.
pub trait Method: Debug + Send + Sync {
    /// The tensor of the file that holds the codes, and its type; none where the file has numbers as they are.
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)>;

    /// The weight, `[inputs, outputs]`.
    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor>;

    /// The type of the bytes that [`of_bytes`](Self::of_bytes) takes, where the weight is made of one array of bytes.
    fn bytes(&self, _: &Tensors, _: &Wanted<'_>) -> Option<Type> {
        None
    }

    /// The weight that these bytes are, so that its types can be told without the file's.
    fn of_bytes(&self, _: &Tensors, _: &Wanted<'_>, _bytes: &Array) -> Option<QuantizedTensor> {
        None
    }

    /// Whether a weight is kept in few bits where nothing is said.
    fn keeps(&self) -> bool {
        true
    }

    /// Whether [`read`](Self::read) can make it a weight in few bits.
    fn fits(&self, _: &Wanted<'_>) -> bool {
        true
    }

    /// The dequantized weight, as the tensor that is wanted, in `dtype` or the dtype of its scales.
    fn dense(&self, files: &Tensors, of: &Wanted<'_>, dtype: Option<DType>) -> Result<Literal> {
        let weight = self.read(files, of)?;
        let own = match &weight.scales {
            Scales::Plain(scales) if scales.dtype().bits() >= 16 => scales.dtype(),
            _ => DType::BF16,
        };
        let numbers = weight.dequantize(dtype.unwrap_or(own));
        let turned = if of.inputs_first { numbers } else { numbers.swapaxes(-2, -1) };
        turned.to_literal()
    }
}

/// A tensor that is wanted of a file.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The name of the tensor in the file.
    pub name: &'a str,
    /// The extents of the tensor as numbers.
    pub dims: &'a [usize],
    /// Whether it is `[.., inputs, outputs]`, not `[outputs, inputs]`.
    pub inputs_first: bool,
    /// Whether it is a stack of experts, as gpt-oss has them.
    pub is_stack: bool,
}

impl<'a> Wanted<'a> {
    /// The tensor of this name.
    pub fn of(name: &'a str, tensor: &'a Tensor) -> Self {
        let swapped = tensor.pieces.iter().any(|piece| piece.swapped);
        Wanted { name, dims: &tensor.dims, inputs_first: swapped || tensor.packs, is_stack: tensor.packs }
    }

    /// The name of a matrix without its ending `.weight`.
    fn stem(&self) -> Option<&'a str> {
        self.name.strip_suffix(".weight").filter(|_| self.dims.len() == 2)
    }

    /// The outputs and the inputs of a matrix.
    fn extents(&self) -> [usize; 2] {
        match (self.dims, self.inputs_first) {
            (&[outputs, inputs], false) | (&[inputs, outputs], true) => [outputs, inputs],
            _ => [0, 0],
        }
    }

    /// The tensor of the file whose name has `part` in the place of `weight`, if the file has it.
    fn part(&self, files: &Tensors, part: &str) -> Result<Option<Array>> {
        let Some(stem) = self.stem() else { return Ok(None) };
        let found = files.find(&format!("{stem}.{part}"));
        found.map(|tensor| Ok(Array::from_literal(tensor.literal()?))).transpose()
    }

    /// The tensor [`part`](Self::part), which has to be there.
    fn needed(&self, files: &Tensors, part: &str) -> Result<Array> {
        self.part(files, part)?.ok_or_else(|| {
            let stem = self.stem().unwrap_or(self.name);
            Error::input(format!("the file has no {stem}.{part}, which belongs to {}", self.name))
        })
    }

    /// The weight that `make` builds from arrays of a file, which may not fit together.
    fn made(&self, make: impl FnOnce() -> QuantizedTensor) -> Result<QuantizedTensor> {
        let made = try_trace(make).map_err(|error| {
            Error::input(format!(
                "{} of {:?} is not what config.json says of it: {}",
                self.name,
                self.dims,
                error.message()
            ))
        })?;
        if let Some(zeros) = &made.zeros {
            let wrong = |what: String| Error::input(format!("{} of {:?} has {what}", self.name, self.dims));
            let scales = made.scales.values().shape();
            if zeros.shape() != scales {
                return Err(wrong(format!("zero points {} and scales {scales:?}", zeros.ty())));
            }
            // Beyond, codes of four bits less their zero point are not what products take them for.
            let is_narrow = made.scheme.values == Values::UInt4 && zeros.dtype() == DType::U8;
            if is_narrow && zeros.max(..).astype(DType::I32).item::<i32>()? > 16 {
                return Err(wrong(
                    "a zero point that is no code of 4 bits, nor the one behind them".to_owned(),
                ));
            }
        }
        // The bytes of the file are freed before the next weight is read.
        for leaf in TreeExt::<Array>::leaves(&made) {
            leaf.block_until_ready()?;
        }
        Ok(made)
    }
}

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

/// A number of `quantization_config`.
fn number(entries: &Value, name: &str) -> Result<i64> {
    entries.get(name).and_then(Value::as_i64).ok_or_else(|| {
        Error::input(format!("`{name}` of quantization_config in config.json is no whole number"))
    })
}

/// The tensors that store the quantized weight `name` in a file; `dtype` is the dtype of the file's numbers.
pub fn tensors(
    name: &str,
    weight: &QuantizedTensor,
    tensor: &Tensor,
    dtype: &str,
) -> Result<Vec<(String, Literal)>> {
    form(name, tensor, weight.scheme)?;
    match tensor.packs {
        true => mxfp4::tensors(name, weight),
        false => compressed::tensors(name, weight, dtype),
    }
}

/// Checks that files have a form for the tensor `name` in few bits by `scheme`.
///
/// A matrix that its family stores as `[inputs, outputs]`, such as those of GPT-2, is stored with its outputs first when it is
/// quantized, as all others are.
///
/// # Errors
/// The tensor is a stack of matrices that files do not store in this form (`Input`).
fn form(name: &str, tensor: &Tensor, scheme: Scheme) -> Result<()> {
    let is_written = match tensor.packs {
        true => scheme == Scheme::MXFP4,
        false => tensor.dims.len() == 2 && name.ends_with(".weight"),
    };
    if is_written {
        return Ok(());
    }
    let error = format!(
        "{name} is a stack of matrices in the files of its family, which have no form for it in {scheme}"
    );
    let ours = tensor.pieces.first().map_or(name, |piece| &piece.ours);
    let steps: Vec<&str> =
        ours.split('.').map(|step| if step.parse::<usize>().is_ok() { "*" } else { step }).collect();
    let or = if tensor.packs { ", or give it mxfp4 and leave all others" } else { "" };
    Err(Error::input(error).help(format!("leave it: `{}=leave` is a rule that does{or}", steps.join("."))))
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
        form(name, tensor, scheme)?;
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
