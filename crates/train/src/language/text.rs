use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Result, quoted};
use jarrah_data::{Corpus, Documents, Manifest, MapDataset, Packed, TokenBatch, TokenStream};
use jarrah_formats::tokenizers::tokenizer_among;
use jarrah_run::RunFolder;
use jarrah_run::names::{TEMPLATE, is_of_texts};
use jarrah_tokenizer::chat::{Record, Template, Templates};
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

use super::chats;
use super::piped::{Piped, PipedBatches};
use super::plan::Source;
use crate::chatml::CHATML;
use crate::recipe::{Recipe, Task};
use crate::trainer::{Console, grouped};

const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
/// The tokenizer and the list of files of a run's text. The text itself, an [`Origin`], is held no longer than until it is tokens.
pub struct Text {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Whether the recipe names none.
    pub is_learned: bool,
    /// The list of the text's files.
    manifest: Manifest,
    /// The files that the folder of the run keeps of it beside the list of files, the tokenizer last; nothing, where the folder has it.
    files: Vec<(String, Vec<u8>)>,
    /// How chats are written, where the run learns them.
    pub templates: Option<Templates>,
    /// The hash of the list of source files.
    pub manifest_hash: String,
    /// The hash of the tokenizer.
    pub tokenizer_hash: String,
}

/// The text of a run.
pub enum Origin {
    /// Documents.
    Corpus(Corpus),
    /// A pipeline that a file describes.
    Pipeline(Piped),
}

impl Origin {
    fn manifest(&self) -> &Manifest {
        match self {
            Origin::Corpus(corpus) => &corpus.manifest,
            Origin::Pipeline(piped) => &piped.manifest,
        }
    }

    fn told(&self) -> String {
        match self {
            Origin::Corpus(corpus) => format!("text: {}", corpus.summary),
            Origin::Pipeline(piped) => format!("text: the pipeline {}", piped.name()),
        }
    }
}

/// The text that is trained on.
pub enum TrainedOn {
    /// Windows, in memory.
    Windows(Arc<Packed>),
    /// The batches of a pipeline.
    Pipeline(PipedBatches),
}

impl TrainedOn {
    /// The number of tokens that are in memory.
    pub fn tokens(&self) -> usize {
        match self {
            TrainedOn::Windows(packed) => packed.tokens(),
            TrainedOn::Pipeline(_) => 0,
        }
    }
}

/// The text of a run as batches.
pub struct Batches {
    /// The text to train on.
    pub train: TrainedOn,
    /// The batches to evaluate on; none if too little text is held out.
    pub held_out: Vec<TokenBatch>,
    /// The prompt of samples: the beginning of a text of the run, or a question.
    pub prompt: String,
    /// The prompt as a user writes it.
    pub opening: String,
}

fn kind(recipe: &Recipe) -> Documents {
    match recipe.task {
        Task::Pretrain => Documents::Texts,
        Task::Sft => Documents::Records,
    }
}

impl Text {
    /// The text that the recipe names and its documents, with the tokenizer, which is learned if the recipe names none. Nothing is written.
    ///
    /// # Errors
    /// There is no text, no tokenizer or no template of chats, or one of them is damaged (`Input`).
    pub fn find(recipe: &Recipe, source: &Source, console: &mut Console) -> Result<(Self, Origin)> {
        let (origin, tokenizer) = find(recipe, source, console)?;
        let mut files = vec![];
        if recipe.task == Task::Sft {
            files.extend(template(recipe, source)?.map(|text| (TEMPLATE.to_owned(), text.into_bytes())));
        }
        files.extend(files_of(recipe, source, &tokenizer)?);
        let read = |name: &str| files.iter().find(|(file, _)| file == name).map(|(_, bytes)| &bytes[..]);
        let templates = match recipe.task {
            Task::Pretrain => None,
            Task::Sft => Some(Templates::from_files(read)?),
        };
        let vocabulary = tokenizer_among(files.iter().map(|(name, _)| name.as_str())).and_then(read);
        let bytes = vocabulary.map(|bytes| Ok(bytes.to_vec()));
        let text = Self::of(recipe, &origin, tokenizer, templates, || bytes.unwrap_or_else(lost))?;
        Ok((Text { files, ..text }, origin))
    }

    /// Writes into the folder of a run what it needs to find the text again: the list of its files, the tokenizer, and the template of chats.
    ///
    /// # Errors
    /// The folder cannot be written (`Input`).
    pub fn place(&self, run: &RunFolder) -> Result<()> {
        run.place("data.json", |path| self.manifest.save(path))?;
        // The tokenizer is written last: if it and the list exist, the run is prepared.
        self.files.iter().try_for_each(|(name, bytes)| run.write(name, bytes))
    }

    /// The text that a run has begun with and its documents; none, where its list of files or its tokenizer is missing.
    ///
    /// # Errors
    /// It changed since the run began (`Input`).
    pub fn reopen(run: &RunFolder, recipe: &Recipe, console: &mut Console) -> Result<Option<(Self, Origin)>> {
        let Some(file) = run.tokenizer().filter(|_| run.manifest().exists()) else { return Ok(None) };
        let (origin, tokenizer) = reopen(run, recipe)?;
        console.line(&origin.told());
        let templates = match recipe.task {
            Task::Pretrain => None,
            Task::Sft => Some(Templates::load(run.path())?),
        };
        let bytes = || fs::read(&file).map_err(|e| Error::io("read", &file, &e));
        let text = Self::of(recipe, &origin, tokenizer, templates, bytes)?;
        Ok(Some((text, origin)))
    }

    fn of(
        recipe: &Recipe,
        origin: &Origin,
        tokenizer: Tokenizer,
        templates: Option<Templates>,
        vocabulary: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Self> {
        let tokenizer_hash = match tokenizer.to_json() {
            Ok(json) => blake3::hash(json.as_bytes()),
            Err(_) => blake3::hash(&vocabulary()?),
        };
        Ok(Text {
            manifest_hash: origin.manifest().hash(),
            tokenizer_hash: tokenizer_hash.to_hex().to_string(),
            tokenizer,
            is_learned: recipe.tokenizer.file.is_none(),
            manifest: origin.manifest().clone(),
            templates,
            files: Vec::new(),
        })
    }

    /// The batches of sequences of `context` tokens of the documents, which are given up.
    ///
    /// # Errors
    /// There is too little text, or a record is no chat (`Input`).
    pub fn batches(
        &self,
        origin: Origin,
        recipe: &Recipe,
        context: usize,
        console: &mut Console,
    ) -> Result<Batches> {
        let step = recipe.batch * context;
        let corpus = match origin {
            Origin::Corpus(corpus) => corpus,
            Origin::Pipeline(piped) => {
                let _first = console.working("tokens: the first batch of the pipeline");
                let batches = piped.batches(recipe, context, self.tokenizer.vocab_size())?;
                if batches.first_counted == 0 {
                    console.warn(
                        "the first batch of the pipeline has no token to learn: its rows may be too short for the answers",
                    );
                }
                let train = TrainedOn::Pipeline(batches);
                console.line("a pipeline holds out no text; nothing is evaluated");
                let (held_out, prompt, opening) = Default::default();
                return Ok(Batches { train, held_out, prompt, opening });
            }
        };
        let _encoding = console.working("tokens: encoding the text");
        match &self.templates {
            None => self.texts(&corpus, recipe, context, step, console),
            Some(templates) => self.chats(&corpus, templates, recipe, context, step, console),
        }
    }

    fn texts(
        &self,
        corpus: &Corpus,
        recipe: &Recipe,
        context: usize,
        step: usize,
        console: &mut Console,
    ) -> Result<Batches> {
        let tokenizer = &self.tokenizer;
        let opening = opening(&corpus.train, tokenizer, context / 2)?;
        let eos = tokenizer.eos_id()?;
        let encode = |text: &str| tokenizer.encode(text);
        let tokens =
            |documents: &[String]| TokenStream::encode(documents, eos, tokenizer.vocab_size(), &encode);
        let train_tokens = tokens(&corpus.train)?;
        let per_byte = corpus.summary.train_bytes as f64 / train_tokens.len().max(1) as f64;
        let train = Arc::new(Packed::new(train_tokens, context, "training")?);
        let held_out = tokens(&corpus.held_out)?;
        let held_out = match held_out.len() > context {
            true => drawn(Packed::new(held_out, context, "held-out")?, recipe)?,
            false => {
                console.line(&format!(
                    "held-out text: {} tokens, less than a sequence of {context}; nothing is evaluated",
                    held_out.len()
                ));
                Vec::new()
            }
        };
        console.line(&format!(
            "tokens: {} to train on, {per_byte:.2} bytes each; {}",
            grouped(train.tokens() as u64),
            read_by(recipe, train.tokens(), step)
        ));
        Ok(Batches { train: TrainedOn::Windows(train), held_out, prompt: opening.clone(), opening })
    }

    fn chats(
        &self,
        corpus: &Corpus,
        templates: &Templates,
        recipe: &Recipe,
        context: usize,
        step: usize,
        console: &mut Console,
    ) -> Result<Batches> {
        let tokenizer = &self.tokenizer;
        let eos = tokenizer.eos_id()?;
        let all = chats::learned(&corpus.train, &corpus.train_places, tokenizer, templates)?.taken()?;
        let learned = all.examples.learned();
        if learned == 0 {
            return Err(Error::input("the chats have no answer to learn")
                .help("answers are the messages of the role assistant"));
        }
        // Held-out chats may all be refused: they are few, and their number is no fault of who gives them.
        let held = chats::learned(&corpus.held_out, &corpus.held_out_places, tokenizer, templates)?;
        for refusal in all.refusal().into_iter().chain(held.refusal()) {
            console.warn(&refusal);
        }
        [&all, &held].iter().filter_map(|some| some.unanswered()).for_each(|note| console.warn(&note));
        console.line(&format!(
            "tokens: {} of {} chats, {} of them answers to learn; {}",
            grouped(all.tokens.len() as u64),
            grouped(corpus.train.len() as u64),
            grouped(learned as u64),
            read_by(recipe, all.tokens.len(), step)
        ));
        let train = Arc::new(Packed::examples(all.tokens, all.examples, context, eos)?);
        let held_out = match held.examples.learned() > 0 {
            true => drawn(Packed::examples(held.tokens, held.examples, context, eos)?, recipe)?,
            false => {
                console.line(match corpus.held_out.is_empty() {
                    true => "no chats are held out: there are too few; nothing is evaluated",
                    false => "the chats that are held out have no answer to learn; nothing is evaluated",
                });
                Vec::new()
            }
        };
        let mut shown = corpus.held_out.iter().chain(&corpus.train);
        let question = |record: &String| chats::question(&Record::parse(record).ok()?, templates).ok()?;
        let (prompt, words) = shown.find_map(question).unwrap_or_default();
        let opening = opening(&[words], tokenizer, context / 2)?;
        Ok(Batches { train: TrainedOn::Windows(train), held_out, prompt, opening })
    }
}

/// How often the steps of a run read so many tokens.
fn read_by(recipe: &Recipe, tokens: usize, step: usize) -> String {
    let epoch = tokens as f64 / step as f64;
    format!("{} steps read {:.2} of it", grouped(recipe.steps), recipe.steps as f64 / epoch)
}

fn reopen(run: &RunFolder, recipe: &Recipe) -> Result<(Origin, Tokenizer)> {
    // Both are made again where one is missing, and must then agree with the checkpoint.
    let made_again =
        |path: &Path| format!("if it is damaged, remove {}: it is made again", quoted(path.display()));
    let manifest = run.manifest();
    let tokenizer: PathBuf = run.tokenizer().unwrap_or_default();
    let listed = Manifest::load(&manifest).map_err(|e| e.with_help(made_again(&manifest)))?;
    let origin = match recipe.data.pipeline {
        Some(_) => Origin::Pipeline(Piped::reopen(listed)?),
        None => Origin::Corpus(Corpus::reopen(&listed, kind(recipe))?),
    };
    Ok((origin, Tokenizer::load(&tokenizer).map_err(|e| e.with_help(made_again(&tokenizer)))?))
}

/// The error of a tokenizer without a file, which none is that was found.
fn lost() -> Result<Vec<u8>> {
    Err(Error::internal("a run has a tokenizer"))
}

fn find(recipe: &Recipe, source: &Source, console: &mut Console) -> Result<(Origin, Tokenizer)> {
    let data = &recipe.data;
    let reading = console.working("text: reading");
    let origin = match (&data.pipeline, data.paths.as_slice()) {
        (Some(file), _) => Origin::Pipeline(Piped::read(file)?),
        (None, []) if recipe.task == Task::Sft => {
            return Err(Error::input("there are no chats to learn").help("pass them: --data chats.jsonl"));
        }
        (None, []) => Origin::Corpus(Corpus::rust_sources((data.max_mb * 1e6) as u64)?),
        (None, paths) => Origin::Corpus(Corpus::open_as(paths, kind(recipe))?),
    };
    drop(reading);
    console.line(&origin.told());
    let (tokenizer, told) = match (&recipe.tokenizer.file, &source.folder, &origin) {
        (Some(file), ..) => (Tokenizer::load(file)?, "read"),
        (None, Some(folder), _) => {
            let path = Path::new(recipe.model.name.as_deref().unwrap_or_default());
            let tokenizer = match path.is_dir() {
                true => Tokenizer::load(path),
                false => Tokenizer::from_files(|name| folder.file(name)),
            };
            (tokenizer.map_err(|e| e.help("give a tokenizer: tokenizer.file=PATH"))?, "the model's")
        }
        (None, None, Origin::Corpus(corpus)) => {
            let _learning = console.working("tokenizer: learning the vocabulary");
            let mut options = TrainOptions::new(recipe.tokenizer.vocab_size);
            options.max_bytes = (recipe.tokenizer.max_mb * 1e6) as usize;
            (train(&corpus.train, &options)?, "learned from the text")
        }
        (None, None, Origin::Pipeline(_)) => {
            return Err(Error::internal("a run that a pipeline feeds has its tokenizer"));
        }
    };
    console.line(&format!("tokenizer: {} tokens, {told}", grouped(tokenizer.vocab_size() as u64)));
    tokenizer.eos_id()?;
    Ok((origin, tokenizer))
}

/// The files by which a run knows its tokenizer again, the vocabulary last.
fn files_of(recipe: &Recipe, source: &Source, tokenizer: &Tokenizer) -> Result<Vec<(String, Vec<u8>)>> {
    let eos = tokenizer.token(tokenizer.eos_id()?);
    let named = serde_json::json!({ "eos_token": eos }).to_string().into_bytes();
    let config = |text| (TOKENIZER_CONFIG.to_owned(), text);
    if let (None, Some(folder)) = (&recipe.tokenizer.file, &source.folder) {
        let mut files = Vec::new();
        if folder.file(TOKENIZER_CONFIG).is_none() {
            files.push(config(named));
        }
        let mut names: Vec<&str> = folder.files().filter(|name| !name.contains('/')).collect();
        // The template of a run that learns chats is the recipe's, or else this one, and is there already.
        names.retain(|name| is_of_texts(name) && (recipe.task != Task::Sft || *name != TEMPLATE));
        let whole = tokenizer_among(names.iter().copied());
        names.sort_by_key(|name| (Some(*name) == whole, !name.contains("config")));
        let content = |name: &str| folder.file(name).unwrap_or_default().to_vec();
        files.extend(names.into_iter().map(|name| (name.to_owned(), content(name))));
        return Ok(files);
    }
    let file = recipe.tokenizer.file.as_ref().map(Path::new);
    // A tokenizer's config may name its end-of-text token.
    let beside = file.map(|file| file.with_file_name(TOKENIZER_CONFIG)).filter(|config| config.is_file());
    let read = |path: &Path| fs::read(path).map_err(|e| Error::io("read", path, &e));
    let text = beside.map_or(Ok(named), |path| read(&path))?;
    let vocabulary = match (tokenizer.to_json(), file) {
        (Ok(json), _) => ("tokenizer.json".to_owned(), json.into_bytes()),
        (Err(_), Some(file)) => ("tokenizer.model".to_owned(), read(file)?),
        (Err(error), None) => return Err(error),
    };
    Ok(vec![config(text), vocabulary])
}

/// The template of chats that the recipe names, or else the model's, if that is a file of its own.
fn template(recipe: &Recipe, source: &Source) -> Result<Option<String>> {
    let text = match recipe.data.template.as_deref() {
        Some("chatml") => CHATML.to_owned(),
        Some(file) => {
            fs::read_to_string(file).map_err(|e| Error::io("read the template", Path::new(file), &e))?
        }
        None => {
            let help = "give one: data.template=chatml, or a file in Jinja";
            let Some(folder) = &source.folder else {
                // The template of a pipeline may lie in the configuration of its tokenizer, which the run keeps.
                if recipe.data.pipeline.is_some() {
                    return Ok(None);
                }
                return Err(Error::input("the model has no chat template").help(help));
            };
            // Its files are copied with the tokenizer, but for a template that is a file of its own.
            Templates::from_files(|name| folder.file(name)).map_err(|e| e.with_help(help))?;
            match folder.file(TEMPLATE) {
                Some(own) => String::from_utf8_lossy(own).into_owned(),
                None => return Ok(None),
            }
        }
    };
    Template::new(&text)?;
    Ok(Some(text))
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
fn drawn(packed: Packed, recipe: &Recipe) -> Result<Vec<TokenBatch>> {
    let windows = MapDataset::source(packed).permute(0);
    TokenBatch::epoch(&windows, recipe.batch)?.to_iter().limit(recipe.eval.batches as u64).iter()?.collect()
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
