//! `jarrah model`: what a model is made of, in other files, and against another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

use jarrah::array::{Array, DType, Device, TreeExt, jit, with_default_device};
use jarrah::formats::{Format, SaveOptions, Store, Tensor, Tensors, save_file};
use jarrah::models::{
    AnyConfig, Architecture, DecoderConfig, Family, MlpConfig, Pretrained, PretrainedModel,
};
use jarrah::nn::{Context, Layer, State};
use jarrah::runtime::ReferenceClient;
use jarrah::train::size;
use jarrah::{Error, Result};
use serde_json::{Value, json};

use crate::cli::{Backend, Input, ModelCommand, ModelFormat, Stored};
use crate::output::show;

pub fn model(command: ModelCommand) -> Result<()> {
    match command {
        ModelCommand::Info { model, length, json } => info(&model, length, json),
        ModelCommand::Tree { model, json } => tree(&model, json),
        ModelCommand::Params { model, json } => params(&model, json),
        ModelCommand::Convert { from, to, format, dtype, adapter } => {
            convert(&from, &to, format, dtype, adapter.as_deref())
        }
        ModelCommand::Logits { model, input, out, backend, dtype } => {
            logits(&model, &input, &out, backend, dtype)
        }
        ModelCommand::Diff { first, second, input, tolerance } => diff(&first, &second, &input, tolerance),
    }
}

/// A model without its numbers: of a folder, a GGUF file, a `config.json`, or a published shape.
struct Shapes {
    json: Value,
    config: AnyConfig,
    model: Layer,
    dtype: DType,
}

/// What a command looks at: a model, or weights of which nothing says what model they are.
enum Source {
    Model(Box<Shapes>),
    Weights(Tensors),
}

fn source(name: &str) -> Result<Source> {
    let path = Path::new(name);
    let described = path.join("config.json").is_file() || path.extension().is_some_and(|e| e == "json");
    if path.exists() && !described {
        let tensors = Tensors::open(path)?;
        if tensors.format() != Format::Gguf {
            return Ok(Source::Weights(tensors));
        }
    }
    shapes(name).map(Box::new).map(Source::Model)
}

fn shapes(source: &str) -> Result<Shapes> {
    let path = Path::new(source);
    let json = match path {
        _ if path.is_file() && path.extension().is_some_and(|e| e == "json") => {
            let text = std::fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
            serde_json::from_str(&text).map_err(|e| Error::input(format!("{source} is no JSON: {e}")))?
        }
        _ if path.exists() => Pretrained::files(path)?.config().clone(),
        _ => Pretrained::preset(source)
            .map_err(|e| e.context(format!("there is no folder {source} either")))?,
    };
    let said = json.get("dtype").or_else(|| json.get("torch_dtype")).and_then(Value::as_str);
    let dtype = match said {
        Some("bfloat16") => DType::BF16,
        Some("float16") => DType::F16,
        _ => DType::F32,
    };
    Ok(Shapes { model: AnyModel::shapes(&json)?, config: Layer::config(&json)?, json, dtype })
}

/// A model of any kind.
type AnyModel = PretrainedModel<Layer>;

fn info(name: &str, length: usize, as_json: bool) -> Result<()> {
    match source(name)? {
        Source::Weights(tensors) => info_of_weights(&tensors, as_json),
        Source::Model(shapes) => match &shapes.config {
            AnyConfig::Decoder(config) => info_of_decoder(&shapes, config, length, as_json),
            AnyConfig::Bert(config) => {
                let DecoderConfig { layers, width, vocabulary, context, .. } = &config.layers;
                let about = [
                    ("layers", layers.len()),
                    ("width", *width),
                    ("vocabulary", *vocabulary),
                    ("context", *context),
                ];
                info_of_others(&shapes, &about, as_json)
            }
            AnyConfig::T5(config) => {
                let [encoder, decoder] = config.layers;
                let about = [
                    ("layers", encoder),
                    ("decoder_layers", decoder),
                    ("width", config.width),
                    ("vocabulary", config.vocabulary),
                ];
                info_of_others(&shapes, &about, as_json)
            }
            AnyConfig::Vit(config) => {
                let about = [
                    ("layers", config.layers.layers.len()),
                    ("width", config.layers.width),
                    ("height", config.size[0]),
                    ("patch", config.patch[0]),
                    ("channels", config.channels),
                    ("classes", config.classes.unwrap_or(0)),
                ];
                info_of_others(&shapes, &about, as_json)
            }
            AnyConfig::ResNet(config) => {
                let about = [
                    ("stages", config.stages.len()),
                    ("blocks", config.stages.iter().map(|(_, depth)| depth).sum()),
                    ("features", config.stages.last().map_or(0, |(width, _)| *width)),
                    ("channels", config.channels),
                    ("classes", config.classes.unwrap_or(0)),
                ];
                info_of_others(&shapes, &about, as_json)
            }
        },
    }
}

/// Names and values in two columns.
fn columns(lines: &[(&str, String)]) -> String {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect()
}

fn info_of_weights(tensors: &Tensors, as_json: bool) -> Result<()> {
    let format = match tensors.format() {
        Format::Safetensors => "safetensors",
        Format::Pickle => "pickle",
        Format::Gguf => "gguf",
    };
    let numbers: usize = tensors.iter().map(|tensor| tensor.dims().iter().product::<usize>()).sum();
    if as_json {
        let all = json!({"format": format, "tensors": tensors.len(), "numbers": numbers});
        return show(&format!("{all}\n"));
    }
    show(&columns(&[
        ("format", format.to_owned()),
        ("tensors", tensors.len().to_string()),
        ("numbers", format!("{numbers} ({})", short(numbers as f64))),
        ("model", "unknown: there is no config.json".to_owned()),
    ]))
}

/// What is known of a model that is no decoder: its extents, and its parameters, statistics included.
fn info_of_others(shapes: &Shapes, about: &[(&str, usize)], as_json: bool) -> Result<()> {
    let parameters: usize = shapes.model.leaves().into_iter().map(|leaf: &Array| leaf.size()).sum();
    let family = shapes.json["model_type"].as_str().unwrap_or_default();
    let class = shapes.json["architectures"][0].as_str().unwrap_or_default();
    if as_json {
        let mut all = json!({
            "family": family, "class": class, "parameters": parameters, "dtype": shapes.dtype.to_string(),
            "bytes": parameters * shapes.dtype.size(),
        });
        for (name, value) in about {
            all[*name] = json!(value);
        }
        return show(&format!("{all}\n"));
    }
    let mut lines = vec![("family", format!("{family} ({class})"))];
    lines.extend(about.iter().map(|(name, value)| (*name, value.to_string())));
    lines.extend([
        ("parameters", format!("{parameters} ({})", short(parameters as f64))),
        ("weights", format!("{} in {}", size(parameters * shapes.dtype.size()), shapes.dtype)),
        ("AdamW in f32", size(16 * parameters)),
    ]);
    show(&columns(&lines))
}

fn info_of_decoder(shapes: &Shapes, config: &DecoderConfig, length: usize, as_json: bool) -> Result<()> {
    let Shapes { json, model, dtype, .. } = shapes;
    let family = Family::of(json)?;
    let parameters = model.leaves().into_iter().map(|leaf: &Array| leaf.size()).sum::<usize>();
    let active = active(config, parameters);
    let first = &config.layers[0].attention;
    let cached: usize =
        config.layers.iter().map(|layer| 2 * layer.attention.groups * layer.attention.head_width).sum();
    let flops = config.training_flops_per_token(length);
    let (bytes, cache) = (parameters * dtype.size(), cached * dtype.size());
    if as_json {
        let all = json!({
            "family": family.model_type(), "layers": config.layers.len(), "width": config.width, "heads": first.heads,
            "kv_heads": first.groups, "head_width": first.head_width, "vocabulary": config.vocabulary, "context": config.context,
            "parameters": parameters, "active_parameters": active, "dtype": dtype.to_string(), "bytes": bytes,
            "cache_bytes_per_token": cache, "training_flops_per_token": flops, "length": length,
        });
        return show(&format!("{all}\n"));
    }
    let windows = config.layers.iter().filter(|layer| layer.attention.window.is_some()).count();
    let mixtures =
        config.layers.iter().filter(|layer| matches!(layer.mlp, MlpConfig::Experts { .. })).count();
    let mut lines = vec![
        ("family", format!("{} ({})", family.model_type(), family.class())),
        ("layers", config.layers.len().to_string()),
        ("width", config.width.to_string()),
        ("heads", format!("{} of {}, {} of keys and values", first.heads, first.head_width, first.groups)),
        ("vocabulary", format!("{}{}", config.vocabulary, if config.tied { ", tied" } else { "" })),
        ("context", config.context.to_string()),
        ("parameters", format!("{parameters} ({})", short(parameters as f64))),
    ];
    if active != parameters {
        lines.push(("of each token", format!("{active} ({})", short(active as f64))));
    }
    if windows > 0 {
        lines.push(("windows", format!("in {windows} of {} layers", config.layers.len())));
    }
    if mixtures > 0 {
        lines.push(("experts", format!("in {mixtures} of {} layers", config.layers.len())));
    }
    lines.extend([
        ("weights", format!("{} in {dtype}", size(bytes))),
        ("cache", format!("{} a token in {dtype}", size(cache))),
        ("AdamW in f32", size(16 * parameters)),
        ("training", format!("{}FLOP a token of {length}", short(flops))),
    ]);
    show(&columns(&lines))
}

/// The parameters that a token meets: of experts, those that it goes through.
fn active(config: &DecoderConfig, parameters: usize) -> usize {
    let idle = config.layers.iter().map(|layer| match &layer.mlp {
        MlpConfig::Experts { count, hidden, routing, .. } => {
            3 * config.width * hidden * (count - routing.active)
        }
        MlpConfig::Plain { .. } | MlpConfig::Gated { .. } => 0,
    });
    let idle: usize = idle.sum();
    parameters - idle
}

/// A number with a letter for its thousands: `8.03 B`.
fn short(x: f64) -> String {
    let steps = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match steps.iter().find(|(step, _)| x >= *step) {
        Some((step, letter)) => format!("{:.3} {letter}", x / step),
        None => format!("{x:.0} "),
    }
}

/// The leaves of a model by path, or the tensors of weights by name, each with its extents.
fn leaves(name: &str) -> Result<Vec<(String, Vec<usize>)>> {
    Ok(match source(name)? {
        Source::Weights(tensors) => {
            tensors.iter().map(|tensor| (tensor.name().to_owned(), tensor.dims().to_vec())).collect()
        }
        Source::Model(shapes) => {
            let leaves = shapes.model.leaves_with_paths().into_iter();
            leaves.map(|(path, array): (String, &Array)| (path, array.shape().to_vec())).collect()
        }
    })
}

fn params(source: &str, as_json: bool) -> Result<()> {
    let all = leaves(source)?;
    if as_json {
        let rows: Vec<Value> = all
            .iter()
            .map(|(path, dims)| json!({"path": path, "shape": dims, "parameters": elements(dims)}))
            .collect();
        return show(&format!("{}\n", Value::Array(rows)));
    }
    let width = all.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let rows: String = all
        .iter()
        .map(|(path, dims)| format!("{path:width$}  {:>20}  {:>14}\n", extents(dims), elements(dims)))
        .collect();
    let total: usize = all.iter().map(|(_, dims)| elements(dims)).sum();
    show(&format!("{rows}{:width$}  {:>20}  {total:>14}\n", "all", ""))
}

fn elements(dims: &[usize]) -> usize {
    dims.iter().product()
}

fn extents(dims: &[usize]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// The containers of the model, each with the parameters below it; layers that are alike are one row.
fn tree(source: &str, as_json: bool) -> Result<()> {
    let mut below: Vec<(String, usize, usize)> = Vec::new();
    for (path, dims) in leaves(source)? {
        let steps: Vec<&str> = path.split('.').collect();
        for depth in 0..steps.len() {
            let above = steps[..depth].join(".");
            match below.iter_mut().find(|(known, ..)| *known == above) {
                Some((_, leaves, parameters)) => {
                    (*leaves, *parameters) = (*leaves + 1, *parameters + elements(&dims))
                }
                None => below.push((above, 1, elements(&dims))),
            }
        }
    }
    if as_json {
        let rows: Vec<Value> = below
            .iter()
            .map(|(path, leaves, parameters)| json!({"path": path, "arrays": leaves, "parameters": parameters}))
            .collect();
        return show(&format!("{}\n", Value::Array(rows)));
    }
    // Of layers that are alike the first is shown, with how many there are.
    let like = |path: &str| {
        let steps: Vec<&str> = path.split('.').collect();
        let at = steps.iter().position(|step| step.parse::<usize>().is_ok())?;
        Some((steps[..at].join("."), steps[at + 1..].join(".")))
    };
    let mut text = String::new();
    let mut shown: BTreeSet<((String, String), usize)> = BTreeSet::new();
    for (path, leaves, parameters) in &below {
        let mut times = String::new();
        if let Some(kind) = like(path) {
            if !shown.insert((kind.clone(), *parameters)) {
                continue;
            }
            let same = below
                .iter()
                .filter(|(other, _, n)| like(other).as_ref() == Some(&kind) && n == parameters)
                .count();
            if kind.1.is_empty() && same > 1 {
                times = format!("  {same} times");
            }
        }
        let steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
        let label = format!("{}{}", "  ".repeat(steps.len()), steps.last().unwrap_or(&"model"));
        text += &format!("{label:32} {leaves:>6} arrays {parameters:>16}{times}\n");
    }
    show(&text)
}

fn convert(
    from: &Path,
    to: &Path,
    format: ModelFormat,
    stored: Option<Stored>,
    adapter: Option<&Path>,
) -> Result<()> {
    let dtype = match stored {
        Some(Stored::Plain(dtype)) => Some(dtype),
        Some(Stored::Blocks(_)) if format != ModelFormat::Gguf => {
            return Err(Error::input("blocks of few bits are a form of GGUF").help("add --format gguf"));
        }
        Some(Stored::Blocks(_)) | None => None,
    };
    let parameters = match (format, adapter) {
        (ModelFormat::Gguf, _) | (_, Some(_)) => {
            let mut model = Pretrained::load(from, dtype)?;
            if let Some(adapter) = adapter {
                model.adapt(adapter)?;
                model.merge_adapters();
            }
            match format {
                ModelFormat::Gguf => model.save_gguf(to, store(stored, &model)?)?,
                _ => write(&model, to, format)?,
            }
            model.config.parameters()
        }
        (ModelFormat::Hf | ModelFormat::Safetensors, None) => {
            let model = AnyModel::load(from, dtype)?;
            write(&model, to, format)?;
            model.model.leaves().into_iter().map(|leaf: &Array| leaf.size()).sum()
        }
    };
    show(&format!("{parameters} parameters in {}\n", to.display()))
}

/// How a model is stored in a GGUF file: as is asked for, or by the dtype that it has.
fn store(stored: Option<Stored>, model: &Pretrained) -> Result<Store> {
    let dtype = match stored {
        Some(Stored::Blocks(store)) => return Ok(store),
        Some(Stored::Plain(dtype)) => dtype,
        None => model.model.embed.table.dtype(),
    };
    match dtype {
        DType::F32 => Ok(Store::F32),
        DType::F16 => Ok(Store::F16),
        DType::BF16 => Ok(Store::BF16),
        other => Err(Error::input(format!("matrices of a GGUF file are not {other} here"))
            .help("known are f16, bf16, f32, q8_0 and q4_0")),
    }
}

fn write<M: Architecture>(model: &PretrainedModel<M>, to: &Path, format: ModelFormat) -> Result<()> {
    if format == ModelFormat::Hf {
        return model.save(to);
    }
    let tensors = model.tensors()?;
    let tensors: Vec<Tensor<'_>> =
        tensors.iter().map(|(name, value)| Tensor::of(name.as_str(), value)).collect();
    save_file(to, &tensors, &SaveOptions::default().metadata)
}

/// What models are given of a file, of a vocabulary and a length that all of them know.
fn read_input(input: &Input, models: &[&AnyConfig]) -> Result<Array> {
    let (mut vocabulary, mut context) = (None, usize::MAX);
    for config in models {
        let (tokens, longest) = match config {
            AnyConfig::Decoder(config) => (Some(config.vocabulary), usize::MAX),
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
                ))),
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

fn logits(source: &Path, input: &Input, out: &Path, backend: Backend, dtype: Option<DType>) -> Result<()> {
    let loaded = AnyModel::load(source, Some(dtype.unwrap_or(DType::F32)))?;
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
    let model = AnyModel::load(source, Some(DType::F32))?.model;
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

fn diff(first: &Path, second: &Path, input: &Input, tolerance: f64) -> Result<()> {
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
