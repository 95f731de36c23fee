use std::fs;
use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Result, quoted};
use jarrah_data::{Batch, Batched, Corpus, Manifest, Packed, Shuffle, Tokens};
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

use super::console::Console;
use super::folder::RunFolder;
use crate::recipe::Recipe;

const TOKENIZER_CONFIG: &str = "tokenizer_config.json";

/// The tokenized text of a run.
pub struct Text {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// The training windows.
    pub train: Arc<Packed>,
    /// The batches to evaluate on; none if too little text is held out.
    pub held_out: Vec<Batch>,
    /// The hash of the list of source files.
    pub manifest_hash: String,
    /// The hash of the tokenizer.
    pub tokenizer_hash: String,
    /// How a text of this kind begins, short enough for the model to go on from.
    pub opening: String,
}

impl Text {
    /// The text that the recipe names. The run's folder keeps the list of its files and the tokenizer; if both
    /// exist already, they are used.
    ///
    /// # Errors
    /// There is no text, too little of it, or it changed since the run began (`Input`).
    pub fn prepare(run: &RunFolder, recipe: &Recipe, console: &mut Console) -> Result<Self> {
        let known = run.tokenizer().exists() && run.manifest().exists();
        let (corpus, tokenizer) = if known { reopen(run)? } else { find(run, recipe, console)? };
        if known {
            console.line(&format!("text: {}", corpus.summary));
        }
        let manifest_hash = corpus.manifest.hash();
        let tokenizer_hash = blake3::hash(tokenizer.to_json()?.as_bytes()).to_hex().to_string();

        let opening = opening(&corpus.train, &tokenizer, recipe.model.context / 2)?;
        let eos = tokenizer.eos_id()?;
        let encode = |text: &str| tokenizer.encode(text);
        let tokens = |documents: &[String]| Tokens::encode(documents, eos, tokenizer.vocab_size(), &encode);
        let train_tokens = tokens(&corpus.train)?;
        let per_byte = corpus.summary.train_bytes as f64 / train_tokens.len().max(1) as f64;
        let train = Arc::new(Packed::new(train_tokens, recipe.model.context, "training")?);
        let held_out = held_out_batches(tokens(&corpus.held_out)?, recipe, console)?;
        let epoch = train.tokens() as f64 / (recipe.batch * recipe.model.context) as f64;
        console.line(&format!(
            "tokens: {} to train on, {per_byte:.2} bytes each; {} steps read {:.2} of it",
            grouped(train.tokens() as u64),
            grouped(recipe.steps),
            recipe.steps as f64 / epoch,
        ));
        Ok(Text { tokenizer, train, held_out, manifest_hash, tokenizer_hash, opening })
    }
}

fn reopen(run: &RunFolder) -> Result<(Corpus, Tokenizer)> {
    // Both are made again where one is missing, and must then agree with the checkpoint.
    let made_again =
        |path: &Path| format!("if it is damaged, remove {}: it is made again", quoted(path.display()));
    let (manifest, tokenizer) = (run.manifest(), run.tokenizer());
    let listed = Manifest::load(&manifest).map_err(|e| e.with_help(made_again(&manifest)))?;
    let corpus = Corpus::reopen(&listed)?;
    Ok((corpus, Tokenizer::load(&tokenizer).map_err(|e| e.with_help(made_again(&tokenizer)))?))
}

fn find(run: &RunFolder, recipe: &Recipe, console: &mut Console) -> Result<(Corpus, Tokenizer)> {
    let data = &recipe.data;
    let corpus = match data.paths.as_slice() {
        [] => Corpus::rust_sources((data.max_mb * 1e6) as u64)?,
        paths => Corpus::open(paths)?,
    };
    console.line(&format!("text: {}", corpus.summary));
    let tokenizer = match &recipe.tokenizer.file {
        Some(file) => Tokenizer::load(file.as_ref())?,
        None => {
            console.transient("tokenizer: learning the vocabulary ...");
            let mut options = TrainOptions::new(recipe.tokenizer.vocab_size);
            options.max_bytes = (recipe.tokenizer.max_mb * 1e6) as usize;
            train(&corpus.train, &options)?
        }
    };
    let origin = if recipe.tokenizer.file.is_some() { "read" } else { "learned from the text" };
    console.line(&format!("tokenizer: {} tokens, {origin}", grouped(tokenizer.vocab_size() as u64)));
    tokenizer.eos_id()?;
    // The tokenizer is written last: if both files exist, the run is prepared.
    run.place("data.json", |path| corpus.manifest.save(path))?;
    // A tokenizer's config may name its end-of-text token.
    let config = recipe.tokenizer.file.as_ref().map(|file| Path::new(file).with_file_name(TOKENIZER_CONFIG));
    if let Some(config) = config.filter(|config| config.is_file()) {
        let text = fs::read(&config).map_err(|e| Error::io("read", &config, &e))?;
        run.write(TOKENIZER_CONFIG, &text)?;
    }
    run.place("tokenizer.json", |path| tokenizer.save(path))?;
    Ok((corpus, tokenizer))
}

/// The first words of the first line with any, in at most so many tokens and characters that a command shows well.
fn opening(documents: &[String], tokenizer: &Tokenizer, tokens: usize) -> Result<String> {
    const CHARACTERS: usize = 30;
    let worded = |line: &&str| line.contains(char::is_alphanumeric) && !line.contains(char::is_control);
    let Some(line) = documents.iter().flat_map(|text| text.lines()).map(str::trim).find(worded) else {
        return Ok(String::new());
    };
    let ends = line.match_indices(' ').map(|(end, _)| end).chain([line.len()]);
    let mut opening = "";
    for words in ends.map(|end| &line[..end]) {
        if words.chars().count() > CHARACTERS || tokenizer.encode_prompt(words)?.len() > tokens {
            break;
        }
        opening = words;
    }
    Ok(opening.to_owned())
}

/// The batches of every evaluation, drawn from all over the held-out text.
fn held_out_batches(tokens: Tokens, recipe: &Recipe, console: &mut Console) -> Result<Vec<Batch>> {
    let context = recipe.model.context;
    if tokens.len() <= context {
        console.line(&format!(
            "held-out text: {} tokens, less than a sequence of {context}; nothing is evaluated",
            tokens.len()
        ));
        return Ok(Vec::new());
    }
    let packed = Packed::new(tokens, context, "held-out")?;
    let batches = Batched::new(Shuffle::new(packed, 0), recipe.batch)?;
    batches.epoch().take(recipe.eval.batches).collect()
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Text {
    /// Checks the hashes that a checkpoint recorded against this text.
    ///
    /// # Errors
    /// A hash differs (`Input`).
    pub fn agree(&self, recorded: &serde_json::Value) -> Result<()> {
        let parts = [("tokenizer", &self.tokenizer_hash), ("source_files", &self.manifest_hash)];
        for (part, now) in parts {
            let was = recorded[part].as_str().unwrap_or_default();
            if was != now {
                return Err(Error::input(format!(
                    "the run's {} changed: the checkpoint was made with blake3 {was}, this is {now}",
                    part.replace('_', " ")
                ))
                .help("put the file back as it was, or start a new run"));
            }
        }
        Ok(())
    }
}
