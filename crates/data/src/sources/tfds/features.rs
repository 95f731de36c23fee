//! `features.json`: the features of the records of a folder.

use jarrah_base::{DType, Error, Result};
use serde_json::Value;

/// The greatest number of dimensions of a tensor.
const RANKS: usize = 32;

/// The way in which a tensor's elements are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// A value for each element.
    Values,
    /// The bytes of the elements.
    Bytes,
    /// The bytes of the elements, compressed by zlib.
    Zlib,
}

/// A feature, and those within it.
#[derive(Clone, Debug)]
pub(super) enum Feature {
    Dict(Vec<(String, Feature)>),
    Sequence(Box<Feature>),
    Text { shape: Vec<Option<usize>>, is_optional: bool },
    Tensor { dtype: DType, shape: Vec<Option<usize>>, encoding: Encoding, is_optional: bool },
    Image { dtype: DType, shape: Vec<Option<usize>> },
}

pub(super) fn join(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_owned() } else { format!("{key}/{name}") }
}

pub(super) fn wrong(key: &str, text: &str) -> Error {
    Error::input(format!("the feature `{key}`: {text}"))
}

/// An entry that has a name of protocol buffers in JSON, or that of Python.
fn entry<'a>(content: &'a Value, names: [&str; 2]) -> &'a Value {
    names.into_iter().find_map(|name| content.get(name)).unwrap_or(&Value::Null)
}

impl Feature {
    /// The feature that JSON describes; `key` is its place among others.
    ///
    /// # Errors
    /// The feature is of a kind that is not read, or is not described as it should be (`Input`).
    pub(super) fn parse(value: &Value, key: &str) -> Result<Self> {
        let class = entry(value, ["pythonClassName", "type"]).as_str().unwrap_or_default();
        let kind = class.rsplit('.').next().unwrap_or_default();
        // Files of before 2022 have the content by that name, newer ones by that of the kind.
        let content = |field: &str| value.get("content").or_else(|| value.get(field)).unwrap_or(&Value::Null);
        let text = || Feature::Text { shape: Vec::new(), is_optional: false };
        Ok(match kind {
            "FeaturesDict" => {
                // The oldest files have the features themselves as content.
                let is_plain = value.get("content").is_some()
                    && value.get("proto_cls").and_then(Value::as_str).unwrap_or_default().is_empty();
                let content = content("featuresDict");
                let features = if is_plain { Some(content) } else { content.get("features") };
                let parsed = features
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .map(|(name, value)| Ok((name.clone(), Feature::parse(value, &join(key, name))?)));
                Feature::Dict(parsed.collect::<Result<_>>()?)
            }
            "Sequence" | "Dataset" => {
                let inner = Feature::parse(content("sequence").get("feature").unwrap_or(&Value::Null), key)?;
                Feature::sequence(inner, key)?
            }
            "Video" => {
                let content = content("video");
                let shape = shape(content.get("shape"), key)?;
                let Some((_, image)) = shape.split_first() else {
                    return Err(wrong(key, "a video has no shape"));
                };
                Feature::sequence(Feature::image(content, image.to_vec(), key)?, key)?
            }
            "Text" if value.get("content").is_none_or(|content| content.get("use_encoder").is_none()) => {
                text()
            }
            "Translation" => {
                let languages = content("translation").get("languages").and_then(Value::as_array);
                let names = languages.into_iter().flatten().filter_map(Value::as_str);
                Feature::Dict(names.map(|name| (name.to_owned(), text())).collect())
            }
            "TranslationVariableLanguages" => Feature::Sequence(Box::new(Feature::Dict(
                ["language", "translation"].map(|name| (name.to_owned(), text())).into(),
            ))),
            "ClassLabel" => Feature::tensor(DType::I64, Vec::new()),
            "BBoxFeature" => Feature::tensor(DType::F32, vec![Some(4)]),
            "Tensor" | "Scalar" => Feature::parse_tensor(content("tensor"), key)?,
            "Audio" => {
                let content = content("audio");
                if entry(content, ["lazyDecode", "lazy_decode"]).as_bool() == Some(true) {
                    return Err(wrong(key, "audio that is stored as a file is not read"));
                }
                Feature::parse_tensor(content, key)?
            }
            "Image" | "LabeledImage" => {
                let content = content("image");
                Feature::image(content, shape(content.get("shape"), key)?, key)?
            }
            _ => {
                return Err(wrong(key, &format!("the kind `{class}` is not read")).help(
                    "convert the records as they are, to ArrayRecord, Bagz or TFRecord, and read their Examples",
                ));
            }
        })
    }

    fn tensor(dtype: DType, shape: Vec<Option<usize>>) -> Self {
        Feature::Tensor { dtype, shape, encoding: Encoding::Values, is_optional: false }
    }

    fn parse_tensor(content: &Value, key: &str) -> Result<Self> {
        let shape = shape(content.get("shape"), key)?;
        let is_optional = content.get("optional").and_then(Value::as_bool) == Some(true);
        let encoding = content.get("encoding").and_then(Value::as_str).unwrap_or("none").to_ascii_lowercase();
        let encoding = match &*encoding {
            "none" | "" => Encoding::Values,
            "bytes" => Encoding::Bytes,
            "zlib" => Encoding::Zlib,
            other => return Err(wrong(key, &format!("the encoding `{other}` is not read"))),
        };
        let name = content.get("dtype").and_then(Value::as_str).unwrap_or_default();
        if matches!(name, "string" | "object" | "str") {
            return Ok(Feature::Text { shape, is_optional });
        }
        Ok(Feature::Tensor { dtype: dtype(name, key)?, shape, encoding, is_optional })
    }

    fn image(content: &Value, shape: Vec<Option<usize>>, key: &str) -> Result<Self> {
        let shape = if shape.is_empty() { vec![None, None, Some(3)] } else { shape };
        let dtype = match content.get("dtype").and_then(Value::as_str) {
            None | Some("uint8" | "") => DType::U8,
            Some("float32") => DType::F32,
            Some(other) => return Err(wrong(key, &format!("images of {other} are not read"))),
        };
        let is_read = match shape[..] {
            [_, _, channels] if dtype == DType::F32 => channels == Some(1),
            [_, _, channels] => matches!(channels, None | Some(0 | 1 | 3 | 4)),
            _ => false,
        };
        match is_read {
            true => Ok(Feature::Image { dtype, shape }),
            false => Err(wrong(key, "images are read with height, width, and 1, 3 or 4 channels")),
        }
    }

    /// A sequence of a feature, whose tensors must be of one size where they are stored value by value.
    fn sequence(inner: Feature, key: &str) -> Result<Self> {
        match inner.is_even() {
            true => Ok(Feature::Sequence(Box::new(inner))),
            false => Err(wrong(key, "a sequence of tensors whose sizes are not known is not read")),
        }
    }

    fn is_even(&self) -> bool {
        match self {
            Feature::Dict(features) => features.iter().all(|(_, feature)| feature.is_even()),
            Feature::Sequence(inner) => inner.is_even(),
            Feature::Tensor { shape, encoding: Encoding::Values, .. } | Feature::Text { shape, .. } => {
                shape.iter().all(Option::is_some)
            }
            Feature::Tensor { .. } | Feature::Image { .. } => true,
        }
    }
}

fn dtype(name: &str, key: &str) -> Result<DType> {
    Ok(match name {
        "bool" => DType::Bool,
        "int8" => DType::I8,
        "int16" => DType::I16,
        "int32" => DType::I32,
        "int64" => DType::I64,
        "uint8" => DType::U8,
        "uint16" => DType::U16,
        "uint32" => DType::U32,
        "uint64" => DType::U64,
        "float16" => DType::F16,
        "bfloat16" => DType::BF16,
        "float32" => DType::F32,
        "float64" => DType::F64,
        other => return Err(wrong(key, &format!("tensors of `{other}` are not read"))),
    })
}

/// A shape: a list, or `dimensions` of numbers or texts. A dimension that is not known is null or -1.
fn shape(value: Option<&Value>, key: &str) -> Result<Vec<Option<usize>>> {
    let dims = value.and_then(|value| value.as_array().or_else(|| value.get("dimensions")?.as_array()));
    let dim = |dim: &Value| match dim {
        Value::Null => Some(None),
        Value::String(text) => text.parse::<i64>().ok().map(|dim| usize::try_from(dim).ok()),
        Value::Number(number) => number.as_i64().map(|dim| usize::try_from(dim).ok()),
        _ => None,
    };
    let dims: Option<Vec<Option<usize>>> = dims.into_iter().flatten().map(dim).collect();
    let dims =
        dims.filter(|dims| dims.len() <= RANKS).ok_or_else(|| wrong(key, "its shape cannot be read"))?;
    let known = dims.iter().flatten().try_fold(1_usize, |product, &dim| product.checked_mul(dim));
    match known {
        Some(_) => Ok(dims),
        None => Err(wrong(key, "a tensor of its shape exceeds the address space")),
    }
}
