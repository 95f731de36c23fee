//! `jarrah model logits` and `jarrah model diff`: the results of models on tokens and pictures.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use jarrah::array::{Array, DType, Device, jit, with_default_device};
use jarrah::formats::{Tensor, Tensors, save_file};
use jarrah::models::AnyConfig;
use jarrah::nn::{Context, Layer, State};
use jarrah::{Error, Result};
use jarrah_reference::ReferenceClient;
use serde_json::Value;

use super::{load, shapes};
use crate::cli::{Backend, Input};
use crate::output::show;

/// Reads the input of all `models`: tokens in the vocabulary and context that every one of them has, or pictures.
fn read_input(input: &Input, models: &[&AnyConfig]) -> Result<Array> {
    let (mut vocabulary, mut context) = (None, usize::MAX);
    for config in models {
        let (tokens, longest) = match config {
            AnyConfig::Decoder(config) => {
                (Some(config.vocabulary), config.learned_positions.unwrap_or(usize::MAX))
            }
            AnyConfig::T5(config) => (Some(config.vocabulary), usize::MAX),
            AnyConfig::Bert(config) => (Some(config.layers.vocabulary), config.layers.context),
            AnyConfig::Vit(_) | AnyConfig::ResNet(_) => (None, usize::MAX),
        };
        let Some(tokens) = tokens else {
            vocabulary = None;
            break;
        };
        vocabulary = Some(vocabulary.unwrap_or(tokens).min(tokens));
        context = context.min(longest);
    }
    match (&input.tokens, &input.pixels, vocabulary) {
        (Some(path), _, Some(vocabulary)) => {
            let tokens = read_tokens(path, vocabulary)?;
            match tokens.shape()[1] <= context {
                true => Ok(tokens),
                false => Err(Error::input(format!(
                    "{}: {} tokens for a model of {context}",
                    path.display(),
                    tokens.shape()[1]
                ))
                .help(format!("give rows of {context} tokens at most"))),
            }
        }
        (_, Some(path), None) => {
            let file = Tensors::open(path)?;
            let pixels = file.get("pixel_values")?.to(DType::F32)?;
            if pixels.dims().len() != 4 {
                return Err(Error::input(format!("{pixels} of {} are no pictures", path.display()))
                    .help("they are floats [B, channels, height, width]"));
            }
            Ok(Array::from_literal(pixels.literal()?).transpose(&[0, 2, 3, 1]))
        }
        (Some(_), _, None) => {
            Err(Error::input("the model is given pictures, not tokens").help("give them with --pixels"))
        }
        _ => Err(Error::input("the model is given tokens, not pictures").help("give them with --tokens")),
    }
}

/// Tokens of a JSON file: a list of numbers, or a list of lists of one length.
fn read_tokens(path: &Path, vocabulary: usize) -> Result<Array> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
    let wrong = |what: String| {
        Error::input(format!("{}: {what}", path.display())).help("write [[1, 2, 3], [4, 5, 6]]")
    };
    let value: Value = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let rows = match value.as_array() {
        Some(rows) if rows.iter().all(Value::is_array) && !rows.is_empty() => rows.clone(),
        Some(row) if !row.is_empty() => vec![Value::Array(row.clone())],
        _ => return Err(wrong("there are no tokens".to_owned())),
    };
    let mut ids = Vec::new();
    let lengths: Vec<usize> = rows.iter().map(|row| row.as_array().map_or(0, Vec::len)).collect();
    if lengths[0] == 0 || lengths.iter().any(|length| *length != lengths[0]) {
        return Err(wrong(format!(
            "rows of {lengths:?} tokens; all must have the same number, at least one"
        )));
    }
    for id in rows.iter().filter_map(Value::as_array).flatten() {
        match id.as_u64() {
            Some(id) if id < vocabulary as u64 => ids.push(id as i32),
            _ => return Err(wrong(format!("{id} is no token of a model of {vocabulary}"))),
        }
    }
    Ok(Array::new(&ids, &[rows.len(), lengths[0]]))
}

pub fn logits(
    source: &Path,
    input: &Input,
    out: &Path,
    backend: Backend,
    dtype: Option<DType>,
) -> Result<()> {
    let loaded = load(source, Some(dtype.unwrap_or(DType::F32)))?;
    let x = read_input(input, &[&loaded.config])?;
    let forward = jit(|(model, x): &(Layer, Array)| model.call(x, &mut Context::eval()));
    let run = || forward.call((loaded.model.clone(), x.clone()))?.to_literal();
    let logits = match backend {
        Backend::Cpu => run()?,
        Backend::Reference => {
            let devices = Device::all(Arc::new(ReferenceClient::new()));
            with_default_device(&devices[0], run)?
        }
    };
    save_file(out, &[Tensor::of("logits", &logits)], &BTreeMap::new())?;
    show(&format!("{} in {}\n", logits.ty(), out.display()))
}

/// All results of modules of a pass, and their paths in the order in which they came.
fn activations(source: &Path, x: &Array) -> Result<(Vec<String>, State)> {
    let model = load(source, Some(DType::F32))?.model;
    let paths = Mutex::new(Vec::new());
    let pass = |(model, x): &(Layer, Array)| {
        let mut cx = Context::eval().capturing("**");
        model.call(x, &mut cx);
        if let Ok(mut paths) = paths.lock() {
            *paths = cx.captured_paths();
        }
        cx.captured()
    };
    let all = jit(pass).call((model, x.clone()))?;
    Ok((paths.into_inner().unwrap_or_default(), all))
}

pub fn diff(first: &Path, second: &Path, input: &Input, tolerance: f64) -> Result<()> {
    // Their notes are told when they are loaded.
    let [a, b] = [first, second].map(|path| shapes(&path.display().to_string()).map(|shapes| shapes.config));
    let x = read_input(input, &[&a?, &b?])?;
    let ((names, left), (_, right)) = (activations(first, &x)?, activations(second, &x)?);
    let mut differing = 0;
    let mut text = String::new();
    for name in &names {
        let Some((a, b)) = left.array(name).zip(right.array(name)) else {
            text += &format!("{name}  only in {}\n", first.display());
            continue;
        };
        if a.shape() != b.shape() {
            text += &format!("{name}  {} and {}\n", a.ty(), b.ty());
            continue;
        }
        let largest = f64::from(a.abs().max(..).item::<f32>()?);
        let off = f64::from((&a - &b).abs().max(..).item::<f32>()?) / largest.max(f64::MIN_POSITIVE);
        if off.is_nan() || off > tolerance {
            differing += 1;
            text += &format!("{name}  {off:.2e}\n");
        }
    }
    match text.is_empty() {
        true => show(&format!("{} activations within {tolerance:.0e} of the largest\n", names.len())),
        false => {
            show(&text)?;
            Err(Error::input(format!(
                "{differing} of {} activations differ by more than {tolerance:.0e} of the largest",
                names.len()
            )))
        }
    }
}
