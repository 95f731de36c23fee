//! A run that is fed by a pipeline of a file.

use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use jarrah_data::{Features, IterDataset, Manifest, TokenBatch};
use jarrah_formats::tokenizers::{CHAT_TEMPLATE, tokenizer_among};

use crate::pipeline::{Pipeline, PipelineFile};
use crate::recipe::Recipe;

/// The pipeline of a run, and the list with its file, by which the run knows it again.
pub struct Piped {
    file: PipelineFile,
    pub manifest: Manifest,
}

/// The batches of a pipeline.
pub struct PipedBatches {
    pub dataset: IterDataset<Features>,
    /// Whether batches have weights and segments.
    pub is_marked: bool,
    /// The number of targets of the first batch that count.
    pub first_counted: usize,
}

/// Says in a recipe the tokenizer and the template that its pipeline names: those of the run.
///
/// # Errors
/// The pipeline cannot be read, it names no tokenizer or several, or the recipe names another one (`Input`).
pub fn settle(recipe: &mut Recipe) -> Result<()> {
    let Some(path) = &recipe.data.pipeline else { return Ok(()) };
    let file = PipelineFile::read(path)?;
    let mut named = file.tokenizers();
    named.dedup();
    let own = match &named[..] {
        [one] => Path::new(one),
        [] => {
            return Err(Error::input(format!("the pipeline {path} has no tokens to learn"))
                .help("give it a stage of kind tokenize or chat"));
        }
        several => {
            return Err(Error::input(format!(
                "the pipeline {path} has several tokenizers: {}",
                several.join(", ")
            )));
        }
    };
    let tokenizer = tokenizer_file(own)?;
    if recipe.tokenizer.file.as_ref().is_some_and(|given| Path::new(given) != tokenizer) {
        return Err(Error::input("tokenizer.file is another one than that of data.pipeline")
            .help("leave out tokenizer.file"));
    }
    let beside = tokenizer.with_file_name(CHAT_TEMPLATE);
    let template = file.template().map(str::to_owned);
    let template = template.or_else(|| beside.is_file().then(|| beside.display().to_string()));
    recipe.tokenizer.file = Some(tokenizer.display().to_string());
    if recipe.data.template.is_none() {
        recipe.data.template = template;
    }
    Ok(())
}

/// The file of a tokenizer that a path names, or that lies in the folder that it names.
fn tokenizer_file(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let entries = std::fs::read_dir(path).map_err(|e| Error::io("read", path, &e))?;
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let name = tokenizer_among(names.iter().map(String::as_str));
    name.map(|name| path.join(name))
        .ok_or_else(|| Error::input(format!("there is no tokenizer in {}", path.display())))
}

impl Piped {
    /// The pipeline of a file.
    ///
    /// # Errors
    /// It cannot be read (`Input`).
    pub fn read(path: &str) -> Result<Self> {
        Ok(Piped { file: PipelineFile::read(path)?, manifest: Manifest::of_files(&[path])? })
    }

    /// The pipeline of a run that has begun.
    ///
    /// # Errors
    /// Its file is missing or has changed (`Input`).
    pub fn reopen(manifest: Manifest) -> Result<Self> {
        let files = manifest.read_unchanged()?;
        let (Some(text), Some(listed)) = (files.first(), manifest.files.first()) else {
            return Err(Error::input("the list of source files of the run is empty"));
        };
        let text = String::from_utf8_lossy(text);
        Ok(Piped { file: PipelineFile::from_toml(&text, &listed.path.display().to_string())?, manifest })
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        self.file.name()
    }

    /// The batches, of which the first one is made to look at.
    ///
    /// # Errors
    /// The pipeline does not deliver batches of the run's shape (`Input`), or a stage fails.
    pub fn batches(&self, recipe: &Recipe, context: usize, vocabulary: usize) -> Result<PipedBatches> {
        let Pipeline::Features(dataset) = self.file.open()? else {
            return Err(Error::input(format!(
                "the pipeline {} delivers records, not batches of tokens",
                self.name()
            ))
            .help("give it stages of kind tokenize or chat, pack and batch"));
        };
        let first = dataset.iter()?.next().transpose()?;
        let first =
            first.ok_or_else(|| Error::input(format!("the pipeline {} delivers nothing", self.name())))?;
        let within = |e: Error| e.context(format!("in the first batch of the pipeline {}", self.name()));
        let batch = TokenBatch::of_features(&first).map_err(within)?;
        let shape = batch.inputs.dims();
        if shape != [recipe.batch, context] {
            let [rows, length] = [shape[0], shape[1] + 1];
            return Err(Error::input(format!(
                "the pipeline {} delivers batches of {rows} rows of {length} tokens, but the run needs {} of {}",
                self.name(),
                recipe.batch,
                context + 1
            ))
            .help(format!("set batch={rows} and model.context={}: a row has a token more, the last target", length - 1)));
        }
        batch.check_below(vocabulary).map_err(within)?;
        Ok(PipedBatches { is_marked: batch.marks.is_some(), first_counted: batch.counted()?, dataset })
    }
}
