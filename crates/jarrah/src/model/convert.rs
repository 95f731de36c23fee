//! `jarrah model convert`: a model in other files.

use std::path::Path;

use jarrah::array::{Array, DType, TreeExt};
use jarrah::checkpoint::write_orbax_item;
use jarrah::formats::{GgufStore, SaveOptions, Tensor, TensorEncoding, Tensors, save_file};
use jarrah::models::{AnyConfig, Architecture, Pretrained, PretrainedModel};
use jarrah::{Error, Result};

use super::{AnyModel, load, next};
use crate::cli::{ConvertModel, ModelFormat, Stored};
use crate::jax::JaxSource;
use crate::output::{apart, note, show};
use crate::source::{pretrained, tell};
use crate::whole::Whole;

/// Writes a model in other files.
pub fn convert(arguments: &ConvertModel) -> Result<()> {
    let ConvertModel { from, to, format, dtype: stored, adapter, config, rename } = arguments;
    let (format, stored) = (format.unwrap_or_else(|| ModelFormat::of(to)), *stored);
    apart(from, to)?;
    let dtype = match stored {
        Some(Stored::Plain(dtype)) => Some(dtype),
        Some(Stored::Blocks(_)) if format != ModelFormat::Gguf => {
            return Err(Error::input("blocks of few bits are a form of GGUF").help("add --format gguf"));
        }
        Some(Stored::Blocks(_)) | None => None,
    };
    let folder = (format == ModelFormat::Hf).then(|| Whole::begin(to)).transpose()?;
    let target = folder.as_ref().map_or(to.as_path(), Whole::path);
    let jax = JaxSource::find(from, config.as_deref(), rename.as_deref())?;
    let decoder = || match &jax {
        Some(source) => source.load(dtype),
        None => pretrained(from, dtype),
    };
    let (parameters, is_served) = match (format, adapter) {
        (ModelFormat::Gguf, _) | (_, Some(_)) => {
            let mut model = decoder()?;
            if let Some(adapter) = adapter {
                model.adapt(adapter)?;
                model.merge_adapters();
            }
            match format {
                ModelFormat::Gguf => {
                    let store = store(stored, &model)?;
                    tell(&model.save_gguf(to, store)?);
                    let written = Tensors::open(to)?;
                    if matches!(store, GgufStore::Q8_0 | GgufStore::Q4_0) {
                        note_wide(&written, store);
                    }
                    if written.fields().get("tokenizer.ggml.tokens").is_none() {
                        note(
                            "[the file has no tokenizer: GGUF has byte-level BPE and SentencePiece models of merges]",
                        );
                    }
                }
                _ => write(&model, target, format)?,
            }
            (model.config.parameters(), format != ModelFormat::Safetensors)
        }
        (ModelFormat::Hf | ModelFormat::Safetensors | ModelFormat::Maxtext, None) => {
            let model: AnyModel = match &jax {
                Some(source) => source.load(dtype)?,
                None => load(from, dtype)?,
            };
            write(&model, target, format)?;
            let is_text = matches!(model.config, AnyConfig::Decoder(_) | AnyConfig::Bert(_));
            let parameters = model.model.leaves().into_iter().map(|leaf: &Array| leaf.size()).sum();
            (parameters, is_text && format != ModelFormat::Safetensors)
        }
    };
    folder.map_or(Ok(()), Whole::finish)?;
    show(&format!("{parameters} parameters in {}\n", to.display()))?;
    if is_served { show(&next(to)) } else { Ok(()) }
}

/// Notes the matrices that a file in blocks stores as plain numbers, because their rows are no whole number of blocks.
fn note_wide(written: &Tensors, store: GgufStore) {
    let is_wide = |tensor: &Tensor<'_>| tensor.encoding() == TensorEncoding::Plain(DType::F16);
    let wide: Vec<Tensor<'_>> = written.iter().filter(is_wide).collect();
    if let Some(first) = wide.first() {
        let few = wide.len();
        note(&format!(
            "[{few} matrices are stored as F16, not {store:?}: their rows are no multiple of 32 numbers, such as {first}]"
        ));
    }
}

/// How a model is stored in a GGUF file: as is asked for, or by the dtype that it has.
fn store(stored: Option<Stored>, model: &Pretrained) -> Result<GgufStore> {
    let dtype = match stored {
        Some(Stored::Blocks(store)) => return Ok(store),
        Some(Stored::Plain(dtype)) => dtype,
        None => model.model.embed.table.dtype(),
    };
    match dtype {
        DType::F32 => Ok(GgufStore::F32),
        DType::F16 => Ok(GgufStore::F16),
        DType::BF16 => Ok(GgufStore::BF16),
        other => Err(Error::input(format!("matrices of a GGUF file are not {other} here"))
            .help("known are f16, bf16, f32, q8_0 and q4_0")),
    }
}

fn write<M: Architecture>(model: &PretrainedModel<M>, to: &Path, format: ModelFormat) -> Result<()> {
    match format {
        ModelFormat::Hf => return model.save(to),
        ModelFormat::Maxtext => return write_maxtext(model, to),
        ModelFormat::Safetensors | ModelFormat::Gguf => {}
    }
    let tensors = model.tensors()?;
    let tensors: Vec<Tensor<'_>> =
        tensors.iter().map(|(name, value)| Tensor::of(name.as_str(), value)).collect();
    save_file(to, &tensors, &SaveOptions::default().metadata)
}

/// The item of a checkpoint in which MaxText has its state.
const ITEMS: &str = "items";

/// Writes a model as MaxText has it, with the small files of its folder beside the item, so that it is a folder that commands here take.
fn write_maxtext<M: Architecture>(model: &PretrainedModel<M>, to: &Path) -> Result<()> {
    let tree = model.maxtext()?;
    let arrays: Vec<_> = tree.leaves().map(|(name, ty)| (name.to_owned(), ty)).collect();
    let folder = model.small_files(to)?;
    let files = folder.files().filter_map(|name| Some((name, folder.file(name)?)));
    write_orbax_item(to, ITEMS, &arrays, &files.collect::<Vec<_>>(), &mut |name| tree.literal(name))
}
