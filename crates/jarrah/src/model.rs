//! `jarrah model`: what a model is made of, in other files, and against another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

use jarrah::array::{Array, DType, Device, TreeExt, Type, jit, with_default_device};
use jarrah::formats::{Folder, SaveOptions, Tensor, save_file};
use jarrah::models::{Decoder, DecoderConfig, Family, Pretrained};
use jarrah::nn::{Context, Module, State};
use jarrah::runtime::ReferenceClient;
use jarrah::train::size;
use jarrah::{Error, Result};
use serde_json::{Value, json};

use crate::cli::{Backend, ModelCommand, ModelFormat};
use crate::output::show;

pub fn model(command: ModelCommand) -> Result<()> {
    match command {
        ModelCommand::Info { model, length, json } => info(&model, length, json),
        ModelCommand::Tree { model, json } => tree(&model, json),
        ModelCommand::Params { model, json } => params(&model, json),
        ModelCommand::Convert { from, to, format, dtype, adapter } => {
            convert(&from, &to, format, dtype, adapter.as_deref())
        }
        ModelCommand::Logits { model, tokens, out, backend, dtype } => {
            logits(&model, &tokens, &out, backend, dtype)
        }
        ModelCommand::Diff { first, second, tokens, tolerance } => diff(&first, &second, &tokens, tolerance),
    }
}

/// A model without its numbers: of a folder, of a `config.json`, or a published shape.
struct Shapes {
    json: Value,
    config: DecoderConfig,
    model: Decoder,
    dtype: DType,
}

fn shapes(source: &str) -> Result<Shapes> {
    let path = Path::new(source);
    let json = match path {
        _ if path.is_dir() => Folder::open(path)?.config().clone(),
        _ if path.is_file() => {
            let text = std::fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
            serde_json::from_str(&text).map_err(|e| Error::input(format!("{source} is no JSON: {e}")))?
        }
        _ => Pretrained::preset(source)
            .map_err(|e| e.context(format!("there is no folder {source} either")))?,
    };
    let json = Family::text(json);
    let config = Family::of(&json)?.config(&json)?;
    let said = json.get("dtype").or_else(|| json.get("torch_dtype")).and_then(Value::as_str);
    let dtype = match said {
        Some("bfloat16") => DType::BF16,
        Some("float16") => DType::F16,
        _ => DType::F32,
    };
    Ok(Shapes { model: Decoder::shapes(&config), json, config, dtype })
}

fn info(source: &str, length: usize, as_json: bool) -> Result<()> {
    let Shapes { json, config, model, dtype } = shapes(source)?;
    let family = Family::of(&json)?;
    let parameters = model.leaves().into_iter().map(|leaf: &Array| leaf.size()).sum::<usize>();
    let active = active(&config, parameters);
    let first = &config.layers[0].attention;
    let cached: usize = config.layers.iter().map(|layer| layer.attention.cached()).sum();
    let flops = config.training_flops_per_token(length);
    let (bytes, cache) = (parameters * dtype.size(), cached * dtype.size());
    if as_json {
        let all = json!({
            "family": family.model_type(), "layers": config.layers.len(), "width": config.width, "heads": first.heads(),
            "kv_heads": first.groups(), "head_width": first.head_width(), "vocabulary": config.vocabulary, "context": config.context,
            "parameters": parameters, "active_parameters": active, "dtype": dtype.to_string(), "bytes": bytes,
            "cache_bytes_per_token": cache, "training_flops_per_token": flops, "length": length,
        });
        return show(&format!("{all}\n"));
    }
    let windows = config.layers.iter().filter(|layer| layer.attention.window().is_some()).count();
    let mixtures = config.layers.iter().filter(|layer| layer.mlp.experts().is_some()).count();
    let mut lines = vec![
        ("family", format!("{} ({})", family.model_type(), family.class())),
        ("layers", config.layers.len().to_string()),
        ("width", config.width.to_string()),
        (
            "heads",
            format!("{} of {}, {} of keys and values", first.heads(), first.head_width(), first.groups()),
        ),
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
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    show(&lines.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect::<String>())
}

/// The parameters that a token meets: of experts, those that it goes through.
fn active(config: &DecoderConfig, parameters: usize) -> usize {
    let experts = config.layers.iter().filter_map(|layer| layer.mlp.experts());
    let idle: usize = experts.map(|experts| experts.idle(config.width)).sum();
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

/// The leaves by path, with their types.
fn leaves(model: &Decoder) -> Vec<(String, Type)> {
    model.leaves_with_paths().into_iter().map(|(path, array): (String, &Array)| (path, array.ty())).collect()
}

fn params(source: &str, as_json: bool) -> Result<()> {
    let shapes = shapes(source)?;
    let all = leaves(&shapes.model);
    if as_json {
        let rows: Vec<Value> = all
            .iter()
            .map(|(path, ty)| json!({"path": path, "shape": ty.dims().to_vec(), "parameters": elements(*ty)}))
            .collect();
        return show(&format!("{}\n", Value::Array(rows)));
    }
    let width = all.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let rows: String = all
        .iter()
        .map(|(path, ty)| format!("{path:width$}  {:>20}  {:>14}\n", extents(*ty), elements(*ty)))
        .collect();
    let total: usize = all.iter().map(|(_, ty)| elements(*ty)).sum();
    show(&format!("{rows}{:width$}  {:>20}  {total:>14}\n", "all", ""))
}

fn elements(ty: Type) -> usize {
    ty.dims().iter().product()
}

fn extents(ty: Type) -> String {
    let dims: Vec<String> = ty.dims().iter().map(ToString::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// The containers of the model, each with the parameters below it; layers that are alike are one row.
fn tree(source: &str, as_json: bool) -> Result<()> {
    let shapes = shapes(source)?;
    let mut below: Vec<(String, usize, usize)> = Vec::new();
    for (path, ty) in leaves(&shapes.model) {
        let steps: Vec<&str> = path.split('.').collect();
        for depth in 0..steps.len() {
            let above = steps[..depth].join(".");
            match below.iter_mut().find(|(known, ..)| *known == above) {
                Some((_, leaves, parameters)) => {
                    (*leaves, *parameters) = (*leaves + 1, *parameters + elements(ty))
                }
                None => below.push((above, 1, elements(ty))),
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
    dtype: Option<DType>,
    adapter: Option<&Path>,
) -> Result<()> {
    let mut model = Pretrained::load(from, dtype)?;
    if let Some(adapter) = adapter {
        model.adapt(adapter)?;
        model.merge_adapters();
    }
    match format {
        ModelFormat::Hf => model.save(to)?,
        ModelFormat::Safetensors => {
            let tensors = model.tensors()?;
            let tensors: Vec<Tensor<'_>> =
                tensors.iter().map(|(name, value)| Tensor::of(name.as_str(), value)).collect();
            save_file(to, &tensors, &SaveOptions::default().metadata)?;
        }
    }
    show(&format!("{} parameters in {}\n", model.config.parameters(), to.display()))
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

fn logits(source: &Path, tokens: &Path, out: &Path, backend: Backend, dtype: Option<DType>) -> Result<()> {
    let loaded = Pretrained::load(source, Some(dtype.unwrap_or(DType::F32)))?;
    let tokens = read_tokens(tokens, loaded.config.vocabulary)?;
    let forward = jit(|(model, tokens): &(Decoder, Array)| model.call(tokens, &mut Context::eval()));
    let run = || forward.call((loaded.model.clone(), tokens.clone()))?.to_literal();
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
fn activations(source: &Path, tokens: &Array) -> Result<(Vec<String>, State)> {
    let model = Pretrained::load(source, Some(DType::F32))?.model;
    let paths = Mutex::new(Vec::new());
    let pass = |(model, tokens): &(Decoder, Array)| {
        let mut cx = Context::eval().capturing("**");
        model.call(tokens, &mut cx);
        if let Ok(mut paths) = paths.lock() {
            *paths = cx.captured_paths();
        }
        cx.captured()
    };
    let all = jit(pass).call((model, tokens.clone()))?;
    Ok((paths.into_inner().unwrap_or_default(), all))
}

fn diff(first: &Path, second: &Path, tokens: &Path, tolerance: f64) -> Result<()> {
    let vocabulary = [first, second]
        .map(|path| shapes(&path.display().to_string()).map(|shapes| shapes.config.vocabulary));
    let [a, b] = vocabulary;
    let tokens = read_tokens(tokens, a?.min(b?))?;
    let ((names, left), (_, right)) = (activations(first, &tokens)?, activations(second, &tokens)?);
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
