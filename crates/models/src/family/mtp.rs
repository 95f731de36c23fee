//! Modules that predict further tokens, in files: as DeepSeek V3 has them, numbered behind the layers.

use jarrah_array::Result;
use jarrah_formats::Tensors;

use super::names::Row;
use crate::{DecoderConfig, MtpConfig};

/// The tensors of a module besides those of its layer. Modules are named like layers here: see [`row_path`].
pub const NAMES: &[Row] = &[
    Row::same("model.layers.{}.embed_tokens.weight", "blocks.{}.mtp.embed.table"),
    Row::same("model.layers.{}.enorm.weight", "blocks.{}.mtp.embed_norm.scale"),
    Row::same("model.layers.{}.enorm.bias", "blocks.{}.mtp.embed_norm.bias"),
    Row::same("model.layers.{}.hnorm.weight", "blocks.{}.mtp.hidden_norm.scale"),
    Row::same("model.layers.{}.hnorm.bias", "blocks.{}.mtp.hidden_norm.bias"),
    Row::same("model.layers.{}.eh_proj.weight", "blocks.{}.mtp.projection.weight"),
    Row::same("model.layers.{}.shared_head.norm.weight", "blocks.{}.mtp.norm.scale"),
    Row::same("model.layers.{}.shared_head.norm.bias", "blocks.{}.mtp.norm.bias"),
    Row::same("model.layers.{}.shared_head.head.weight", "blocks.{}.mtp.head.weight"),
];

/// The path by which rows know a parameter of a module: the path of a layer behind the model's layers, where parameters that
/// only modules have stand below `mtp`.
pub fn row_path(config: &DecoderConfig, path: &str) -> Option<String> {
    let (module, rest) = path.strip_prefix("mtp.")?.split_once('.')?;
    let layer = config.layers.len() + module.parse::<usize>().ok()?;
    Some(match rest.strip_prefix("block.") {
        Some(rest) => format!("blocks.{layer}.{rest}"),
        None => format!("blocks.{layer}.mtp.{rest}"),
    })
}

/// The names of the tensors of each module that repeat a tensor of the model, and of the tensors that they repeat.
pub fn copies(config: &DecoderConfig) -> Vec<(String, String)> {
    let head = if config.tied { "model.embed_tokens.weight" } else { "lm_head.weight" };
    let modules = (config.layers.len()..).zip(&config.mtp);
    let each = modules.flat_map(|(layer, module)| {
        let prefix = format!("model.layers.{layer}");
        [
            (!module.own_embed, format!("{prefix}.embed_tokens.weight"), "model.embed_tokens.weight"),
            (!module.own_head, format!("{prefix}.shared_head.head.weight"), head),
        ]
    });
    each.filter(|(shared, ..)| *shared).map(|(_, copy, of)| (copy, of.to_owned())).collect()
}

/// Keeps the modules of a configuration that the file has, with embeddings and output layers of their own where these differ
/// from the model's. Returns the tensors of the file that repeat tensors of the model.
pub fn fit(config: &mut DecoderConfig, files: &Tensors) -> Result<Vec<(String, String)>> {
    let layers = config.layers.len();
    let there = |i: usize| files.find(&format!("model.layers.{}.eh_proj.weight", layers + i)).is_some();
    config.mtp.truncate((0..config.mtp.len()).take_while(|i| there(*i)).count());
    let mut found = Vec::new();
    for (copy, of) in copies(config) {
        let Some(copied) = files.find(&copy) else { continue };
        let same = match files.find(&of) {
            Some(original) if original.encoding() == copied.encoding() => {
                original.literal()?.bytes() == copied.literal()?.bytes()
            }
            _ => false,
        };
        if same {
            found.push((copy, of));
            continue;
        }
        for (layer, module) in (layers..).zip(&mut config.mtp) {
            let MtpConfig { own_embed, own_head, .. } = module;
            *own_embed |= copy == format!("model.layers.{layer}.embed_tokens.weight");
            *own_head |= copy == format!("model.layers.{layer}.shared_head.head.weight");
        }
    }
    Ok(found)
}
