//! `jarrah model info`: a model's extents, parameters, memory and operations.

use std::path::Path;

use jarrah::Result;
use jarrah::array::{Array, TreeExt};
use jarrah::formats::{FileFormat, Tensors};
use jarrah::models::{AnyConfig, DecoderConfig, ModelFamily};
use jarrah::train::size;
use serde_json::json;

use super::held::FewBits;
use super::{Shapes, Source, source};
use crate::output::show;
use crate::source::trained_length;

pub fn info(name: &str, length: usize, as_json: bool) -> Result<()> {
    match source(name)? {
        Source::Weights(tensors) => info_of_weights(&tensors, as_json),
        Source::Model(shapes) => {
            info_of_model(&shapes, FewBits::of(&shapes).as_ref(), Learned::of(name)?, length, as_json)
        }
    }
}

/// The training data of a run of a published shape.
#[derive(Clone, Copy)]
struct Learned {
    /// The longest of its sequences, in tokens.
    length: usize,
    /// Whether its weights began at random, and know no longer ones.
    alone: bool,
}

impl Learned {
    /// None, where there is no run.
    fn of(name: &str) -> Result<Option<Learned>> {
        let path = Path::new(name);
        let Some(length) = trained_length(path) else { return Ok(None) };
        Ok(Some(Learned { length, alone: jarrah::run::spec(path)?.base.is_none() }))
    }
}

fn info_of_model(
    shapes: &Shapes,
    few: Option<&FewBits>,
    learned: Option<Learned>,
    length: usize,
    as_json: bool,
) -> Result<()> {
    match &shapes.config {
        AnyConfig::Decoder(config) => info_of_decoder(shapes, config, few, learned, length, as_json),
        AnyConfig::Bert(config) => {
            let DecoderConfig { layers, width, vocabulary, context, .. } = &config.layers;
            let about = [
                ("layers", layers.len()),
                ("width", *width),
                ("vocabulary", *vocabulary),
                ("context", *context),
            ];
            info_of_others(shapes, &about, few, as_json)
        }
        AnyConfig::T5(config) => {
            let [encoder, decoder] = config.layers;
            let about = [
                ("layers", encoder),
                ("decoder_layers", decoder),
                ("width", config.width),
                ("vocabulary", config.vocabulary),
            ];
            info_of_others(shapes, &about, few, as_json)
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
            info_of_others(shapes, &about, few, as_json)
        }
        AnyConfig::ResNet(config) => {
            let about = [
                ("stages", config.stages.len()),
                ("blocks", config.stages.iter().map(|(_, depth)| depth).sum()),
                ("features", config.stages.last().map_or(0, |(width, _)| *width)),
                ("channels", config.channels),
                ("classes", config.classes.unwrap_or(0)),
            ];
            info_of_others(shapes, &about, few, as_json)
        }
    }
}

/// Names and values in two columns.
fn columns(lines: &[(&str, String)]) -> String {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect()
}

fn info_of_weights(tensors: &Tensors, as_json: bool) -> Result<()> {
    let format = match tensors.format() {
        FileFormat::Safetensors => "safetensors",
        FileFormat::Pickle => "pickle",
        FileFormat::Gguf => "gguf",
        FileFormat::TorchDistributed => "torch-distributed",
        FileFormat::Memory => "memory",
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

/// Shows a model that is no decoder: its extents, and its parameters, statistics included.
fn info_of_others(
    shapes: &Shapes,
    about: &[(&str, usize)],
    few: Option<&FewBits>,
    as_json: bool,
) -> Result<()> {
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
        if let Some(few) = few {
            few.describe(&mut all);
        }
        return show(&format!("{all}\n"));
    }
    let mut lines = vec![("family", format!("{family} ({class})"))];
    lines.extend(about.iter().map(|(name, value)| (*name, value.to_string())));
    lines.push(("parameters", format!("{parameters} ({})", short(parameters as f64))));
    match few {
        Some(few) => lines.extend(few.lines()),
        None => {
            lines.push(("weights", format!("{} in {}", size(parameters * shapes.dtype.size()), shapes.dtype)))
        }
    }
    lines.push(("AdamW in f32", size(16 * parameters)));
    show(&columns(&lines))
}

fn info_of_decoder(
    shapes: &Shapes,
    config: &DecoderConfig,
    few: Option<&FewBits>,
    learned: Option<Learned>,
    length: usize,
    as_json: bool,
) -> Result<()> {
    let Shapes { json, model, dtype, .. } = shapes;
    let learned = learned.filter(|learned| learned.length < config.context);
    let (context, why) = match learned {
        None => (config.context, String::new()),
        Some(Learned { length, alone: true }) => {
            (length, format!(", as it was trained: its shape has {}", config.context))
        }
        Some(Learned { length, alone: false }) => {
            (config.context, format!(", of which it was trained here with {length}"))
        }
    };
    let family = ModelFamily::of(json)?;
    // Modules that predict further tokens are told apart: what generates text does without them.
    let (mut parameters, mut further) = (0, 0);
    for (path, leaf) in model.leaves_with_paths() {
        let leaf: &Array = leaf;
        *(if path.starts_with("mtp.") { &mut further } else { &mut parameters }) += leaf.size();
    }
    let active = active(config, parameters);
    let first = &config.layers[0].attention;
    let cached: usize = config.layers.iter().map(|layer| layer.attention.cached()).sum();
    let flops = DecoderConfig { mtp: Vec::new(), ..config.clone() }.training_flops_per_token(length);
    let (bytes, cache) = (parameters * dtype.size(), cached * dtype.size());
    if as_json {
        let mut all = json!({
            "family": family.model_type(), "layers": config.layers.len(), "width": config.width, "heads": first.heads(),
            "kv_heads": first.groups(), "head_width": first.head_width(), "vocabulary": config.vocabulary, "context": context,
            "parameters": parameters, "active_parameters": active, "dtype": dtype.to_string(), "bytes": bytes,
            "cache_bytes_per_token": cache, "training_flops_per_token": flops, "length": length,
        });
        if context < config.context {
            all["shape_context"] = config.context.into();
        }
        if further > 0 {
            all["mtp_modules"] = config.mtp.len().into();
            all["mtp_parameters"] = further.into();
        }
        if let Some(few) = few {
            few.describe(&mut all);
        }
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
        ("context", format!("{context}{why}")),
        ("parameters", format!("{parameters} ({})", short(parameters as f64))),
    ];
    if active != parameters {
        lines.push(("of each token", format!("{active} ({})", short(active as f64))));
    }
    if further > 0 {
        let modules = config.mtp.len();
        lines.push(("further tokens", format!("{further} ({}) more, for {modules}", short(further as f64))));
    }
    if windows > 0 {
        lines.push(("windows", format!("in {windows} of {} layers", config.layers.len())));
    }
    if mixtures > 0 {
        lines.push(("experts", format!("in {mixtures} of {} layers", config.layers.len())));
    }
    match few {
        Some(few) => lines.extend(few.lines()),
        None => lines.push(("weights", format!("{} in {dtype}", size(bytes)))),
    }
    lines.extend([
        ("cache", format!("{} a token in {dtype}", size(cache))),
        ("AdamW in f32", size(16 * parameters)),
        ("training", format!("{}FLOP a token of {length}", short(flops))),
    ]);
    show(&columns(&lines))
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
