//! Tokenizers from the files that they come in.

use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use jarrah_formats::json;
use jarrah_formats::tokenizers::{PAIR, RANKS, TOKENIZERS, VOCABULARIES, tokenizer_among};
use serde_json::Value;

use crate::encoding::Encoding;
use crate::engine::Engine;
use crate::library::Library;
use crate::pairs::{MERGES, Pairs, token_name};
use crate::ranks::Ranks;
use crate::sentencepiece;
use crate::special::Special;
use crate::tokenizer::Tokenizer;

const CONFIG: &str = "tokenizer_config.json";

impl Tokenizer {
    /// Reads a tokenizer: a `tokenizer.json`, a SentencePiece model (`tokenizer.model`), ranks as tiktoken has them
    /// (`*.tiktoken`), a `vocab.json` with its `merges.txt` beside it, or the one in the folder `path`. What kind a file is shows in its content.
    ///
    /// A `tokenizer_config.json` beside it says which token ends a text, which others there are, and, of a SentencePiece
    /// model, whether prompts begin and end with tokens; without it, they begin with one if the model has one. Otherwise the
    /// end-of-text token is the first that bears one of the usual names.
    ///
    /// # Errors
    /// The file is missing, or is no tokenizer that is known here (`Input`, naming the file).
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = if path.is_dir() { in_folder(path)? } else { path.to_owned() };
        let bytes = fs::read(&file).map_err(|e| Error::io("read tokenizer", &file, &e))?;
        let beside = |name: &str| fs::read(file.with_file_name(name)).ok();
        Self::of_files(&bytes, &file, &beside)
    }

    /// Reads the tokenizer among the small files of a model, which `files` gives by name: as [`load`](Self::load) does of a folder.
    ///
    /// # Errors
    /// There is no tokenizer among them, or none that is known here (`Input`).
    pub fn from_files<'a>(files: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Self> {
        let pair = PAIR[..1].iter().filter(|_| PAIR.iter().all(|part| files(part).is_some()));
        let found = TOKENIZERS.iter().chain(pair).find_map(|name| Some((files(name)?, Path::new(name))));
        let (bytes, file) = found.ok_or_else(|| {
            Error::input("the model has no tokenizer, or one of a kind that is not known here").help(format!(
                "a tokenizer is looked for as {} or {}",
                TOKENIZERS.join(", "),
                PAIR.join(" with ")
            ))
        })?;
        Self::of_files(bytes, file, &|name| files(name).map(<[u8]>::to_vec))
    }

    /// Whether the folder `path` has a tokenizer, or the vocabulary of one that [`load`](Self::load) refuses.
    pub fn is_in(path: &Path) -> bool {
        VOCABULARIES.iter().any(|name| path.join(name).is_file()) || in_folder(path).is_ok()
    }

    /// Whether there is a tokenizer among the small files of a model, or the vocabulary of one that [`from_files`](Self::from_files) refuses.
    pub fn is_among<'a>(files: impl Fn(&str) -> Option<&'a [u8]>) -> bool {
        TOKENIZERS.iter().chain(&VOCABULARIES).any(|name| files(name).is_some())
    }

    /// The tokenizer of a file with these bytes, beside which `beside` finds others by name.
    fn of_files(bytes: &[u8], file: &Path, beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Self> {
        let read = |name: &str| {
            beside(name).map_or(Ok(Value::Null), |text| parse(&text, &file.with_file_name(name)))
        };
        let config = read(CONFIG)?;
        if file.file_name().is_some_and(|name| name == PAIR[0]) {
            let context = |e: Error| e.context(format!("while reading {}", file.display()));
            let merges = beside(MERGES).ok_or_else(|| {
                Error::input(format!("there is {} without {MERGES}", file.display()))
                    .help("the two are a tokenizer together")
            })?;
            let merges = String::from_utf8(merges)
                .map_err(|_| context(Error::input(format!("{MERGES} is not UTF-8 text"))))?;
            let vocab = parse(bytes, file)?;
            let vocab = vocab
                .as_object()
                .ok_or_else(|| Error::input(format!("{} is no object from tokens to ids", file.display())))?;
            let (special, added) = (read("special_tokens_map.json")?, read("added_tokens.json")?);
            let pairs = Pairs { vocab, merges: &merges, config: &config, special: &special, added: &added };
            let whole = pairs.json().map_err(context)?;
            let library = Library::parse(whole.to_string().as_bytes(), file)?;
            let eos = [&config["eos_token"], &special["eos_token"]].into_iter().find_map(token_name);
            return Self::of(Engine::Library(Box::new(library)), eos);
        }
        let config = &config;
        let eos = token_name(&config["eos_token"]);
        let json =
            file.extension().is_some_and(|e| e == "json") || bytes.trim_ascii_start().starts_with(b"{");
        let tokenizer = if json {
            Self::of(Engine::Library(Box::new(Library::parse(bytes, file)?)), eos)
        } else if let Some(text) = looks_like_ranks(bytes) {
            Self::of_ranks(text, None, config)
        } else {
            Self::of_pieces(bytes, config)
        };
        tokenizer.map_err(|e| e.context(format!("while reading {}", file.display())))
    }

    /// Reads the text of a `tokenizer.json`.
    ///
    /// # Errors
    /// It is not JSON, or not a tokenizer this library knows (`Input`).
    pub fn from_json(json: &str) -> Result<Self> {
        Self::of(Engine::Library(Box::new(Library::parse(json.as_bytes(), Path::new(TOKENIZERS[0]))?)), None)
    }

    /// Reads the bytes of a SentencePiece model: unigram or BPE, with its rules of normalization and its bytes for what it
    /// does not know. Ids are those of the `sentencepiece` library.
    ///
    /// # Errors
    /// The bytes are no such model, or a model of words or characters (`Input`).
    ///
    /// Source: Kudo and Richardson, *SentencePiece* (2018), and the library's C++.
    pub fn from_sentencepiece(bytes: &[u8]) -> Result<Self> {
        Self::of_pieces(bytes, &Value::Null)
    }

    /// Reads ranks as tiktoken has them: lines of a token in base 64 and its rank. The encoding says how texts are divided
    /// and what the special tokens are; without one, the number of ranks does.
    ///
    /// # Errors
    /// A line is wrong, a byte has no token, or so many ranks are of no known encoding (`Input`).
    ///
    /// ```
    /// use jarrah_tokenizer::{Encoding, Tokenizer};
    /// // The 256 bytes, and a token of two.
    /// let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    /// let line = |b: usize| format!("{}{}== {b}\n", digits[b >> 2] as char, digits[(b & 3) << 4] as char);
    /// let ranks: String = (0..256).map(line).collect::<String>() + "YWI= 256\n";
    /// let tokenizer = Tokenizer::from_tiktoken(&ranks, Some(Encoding::Gpt2))?;
    /// assert_eq!(tokenizer.encode("abc")?, [256, 99]);
    /// assert_eq!(tokenizer.encode_prompt("c<|endoftext|>")?, [99, 257]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn from_tiktoken(ranks: &str, encoding: Option<Encoding>) -> Result<Self> {
        Self::of_ranks(ranks, encoding, &Value::Null)
    }

    fn of_ranks(text: &str, encoding: Option<Encoding>, config: &Value) -> Result<Self> {
        let (ranks, mut names) = Ranks::parse(text, encoding)?;
        add_tokens(&mut names, config)?;
        let special = Special::new(names)?;
        let begin = special.id("<|begin_of_text|>");
        Self::of(Engine::Ranks { ranks, special, begin }, token_name(&config["eos_token"]))
    }

    fn of_pieces(bytes: &[u8], config: &Value) -> Result<Self> {
        let model = Box::new(sentencepiece::Model::parse(bytes)?);
        let mut names: Vec<(String, u32)> =
            model.controls().map(|(name, id)| (name.to_owned(), id)).collect();
        add_tokens(&mut names, config)?;
        let special = Special::new(names)?;
        let around = |key: &str, otherwise: bool, id: Option<u32>| {
            id.filter(|_| config[key].as_bool().unwrap_or(otherwise))
        };
        let begin = around("add_bos_token", true, model.begin);
        let end = around("add_eos_token", false, model.end);
        Self::of(Engine::Pieces { model, special, begin, end }, token_name(&config["eos_token"]))
    }
}

/// The tokenizer of a folder.
fn in_folder(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).map_err(|e| Error::io("read", folder, &e))?;
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let found = tokenizer_among(names.iter().map(String::as_str));
    found.map(|name| folder.join(name)).ok_or_else(|| {
        let whole = folder.join(TOKENIZERS[0]);
        let part = VOCABULARIES.iter().find(|part| names.iter().any(|name| name == *part));
        let why = part.map_or("there is none".to_owned(), |part| format!("there is {part} alone"));
        let help = format!(
            "a tokenizer is looked for as {}, *{RANKS} or {}",
            TOKENIZERS.join(", "),
            PAIR.join(" with ")
        );
        let help = match part {
            Some(_) => format!("{help}; `AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)` of transformers writes tokenizer.json"),
            None => help,
        };
        Error::input(format!("cannot read tokenizer {}: {why}", whole.display())).help(help)
    })
}

fn parse(bytes: &[u8], path: &Path) -> Result<Value> {
    json::value(bytes).map_err(|e| Error::input(format!("{} is not JSON: {e}", path.display())))
}

/// Adds the tokens that a configuration lists by id, in the place of those with the same name.
fn add_tokens(names: &mut Vec<(String, u32)>, config: &Value) -> Result<()> {
    for (id, token) in config["added_tokens_decoder"].as_object().into_iter().flatten() {
        let id = id.parse().ok().filter(|&id: &u32| id < 1 << 24);
        let (Some(id), Some(name)) = (id, token_name(token).filter(|name| !name.is_empty())) else {
            return Err(Error::input(format!(
                "{CONFIG} lists an added token without a name or an id below 2^24"
            )));
        };
        names.retain(|(known, number)| known != name && *number != id);
        names.push((name.to_owned(), id));
    }
    Ok(())
}

/// The text of a file whose first line is a token in base 64 and a rank.
fn looks_like_ranks(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (token, rank) = text.lines().find(|line| !line.trim().is_empty())?.split_once(' ')?;
    let base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b);
    (token.bytes().all(base64) && rank.trim().parse::<u32>().is_ok()).then_some(text)
}
