use std::ops::ControlFlow;
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, Jit, Prepared, PreparedJit, TreeExt, jit};
use jarrah_base::{Error, Result};
use jarrah_formats::Folder;
use jarrah_models::{Decoder, LanguageModel, Pretrained};
use jarrah_nn::Sequences;
use jarrah_tokenizer::Tokenizer;
use serde_json::Value;

use crate::sampling::Sampling;
use crate::text::Text;
use crate::{folder, load};

/// How many tokens of a prompt go through the model at once.
pub const CHUNK: usize = 64;

/// Caches have room for a multiple of so many tokens.
const ROOM: usize = 256;

/// What to generate.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The text to go on from; empty, the start of a document.
    pub prompt: String,
    /// Whether the prompt is a chat as its template writes it: special tokens in it are meant as such.
    pub chat: bool,
    /// The most tokens to generate.
    pub max_tokens: usize,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// The seed of the choice; the same request gives the same text.
    pub seed: u64,
    /// Strings that end the text; they are not part of it.
    pub stop: Vec<String>,
}

/// Why a text ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Finish {
    /// It has as many tokens as were asked for.
    MaxTokens,
    /// The model ended the document.
    EndOfText,
    /// This stop string came.
    Stop(String),
    /// The receiver wanted no more.
    Cancelled,
}

/// A generated text.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The text without the prompt.
    pub text: String,
    /// The tokens that were drawn.
    pub tokens: Vec<u32>,
    /// The number of tokens of the prompt.
    pub prompt_tokens: usize,
    /// How many of the tokens were drawn past the model's context, each from the tokens of the last context alone.
    pub past_context: usize,
    /// Why it ended.
    pub finish: Finish,
}

type Cache<M> = <M as LanguageModel>::Cache;
type DecodeArgs<M> = (M, Cache<M>, Feed);
type Decode<M> = PreparedJit<DecodeArgs<M>, M, (Cache<M>, Array), fn(&DecodeArgs<M>) -> (Cache<M>, Array)>;
/// Tokens `i32[B,T]`, the position of the first of each sequence, and which of them the logits are wanted of, both `i32[B]`.
type Feed = (Array, Array, Array);
type Draw = Jit<(Array, Array), Array, Box<dyn Fn(&(Array, Array)) -> Array>>;

/// A model ready to generate: for each number of texts two compiled shapes, one for the chunks of prompts and one for single tokens.
///
/// Every token's logits have the bits that the training form of the model gives at that place, whatever is generated beside it.
pub struct Generator<M: LanguageModel = Decoder> {
    /// In the forms in which the compiled functions read them.
    weights: Prepared<M>,
    tokenizer: Tokenizer,
    /// The tokens that end a text.
    ends: Vec<u32>,
    decode: Decode<M>,
    draw: Draw,
}

impl Generator<Decoder> {
    /// The model and tokenizer of the run at `path`, at its latest checkpoint or at `step`.
    ///
    /// # Errors
    /// `path` is no run, there is no such checkpoint, or it is damaged (`Input`).
    pub fn load(path: &Path, step: Option<u64>) -> Result<Self> {
        let (model, tokenizer, spec) = load::load(path, step)?;
        let mut generator = Self::new(model, tokenizer)?;
        let own = Folder::generation_in(&folder::resolve(path)?)?;
        generator.end_at(own.as_ref(), &spec.config);
        Ok(generator)
    }

    /// The model and tokenizer of a folder of Hugging Face or of a GGUF file; with the folder of an adapter of PEFT, that is added to the weights.
    ///
    /// # Errors
    /// A file is missing, damaged, or not of a family that is known (`Input`).
    pub fn pretrained(folder: &Path, adapter: Option<&Path>) -> Result<Self> {
        let mut loaded = Pretrained::load(folder, None)?;
        let tokenizer = match (&loaded.folder, folder.is_dir()) {
            (Some(files), false) => Tokenizer::from_files(|name| files.file(name))?,
            _ => Tokenizer::load(folder)?,
        };
        if let Some(adapter) = adapter {
            loaded.adapt(adapter)?;
            loaded.merge_adapters();
        }
        let generation = loaded.folder.as_ref().and_then(|folder| folder.generation_config()).cloned();
        let mut generator = Self::new(loaded.model, tokenizer)?;
        generator.end_at(generation.as_ref(), &loaded.json);
        Ok(generator)
    }

    /// Ends texts at the tokens that `generation_config.json` names, or else `config.json`.
    fn end_at(&mut self, generation: Option<&Value>, config: &Value) {
        let named = |json: &Value| json.get("eos_token_id").filter(|id| !id.is_null()).cloned();
        let one = |id: &Value| id.as_u64().and_then(|id| u32::try_from(id).ok());
        match generation.and_then(named).or_else(|| named(config)) {
            Some(Value::Array(ids)) => self.ends.extend(ids.iter().filter_map(one)),
            Some(id) => self.ends.extend(one(&id)),
            None => {}
        }
    }
}

impl<M: LanguageModel> Generator<M> {
    /// This model with this tokenizer.
    ///
    /// # Errors
    /// The tokenizer has more tokens than the model (`Input`).
    pub fn new(model: M, tokenizer: Tokenizer) -> Result<Self> {
        let (known, vocabulary) = (model.vocabulary(), tokenizer.vocab_size());
        if vocabulary > known {
            return Err(Error::input(format!(
                "the tokenizer has {vocabulary} tokens, but the model knows {known}"
            ))
            .help("use the tokenizer that the model was trained with"));
        }
        let weights = Prepared::new(model);
        let decode: fn(&DecodeArgs<M>) -> _ = |(model, cache, (tokens, positions, wanted))| {
            let (logits, cache) = model.next_logits(tokens, cache, &Sequences::at(positions), wanted);
            let logits = logits.astype(jarrah_array::DType::F32);
            (cache, logits)
        };
        let decode = jit(decode).donate(1).prepared(&weights);
        let draw: Box<dyn Fn(&(Array, Array)) -> Array> = Box::new(|(words, position)| {
            Key::from_words(words.clone()).fold_in_array(position).uniform(&[1])
        });
        let ends = tokenizer.eos_id().ok().into_iter().collect();
        Ok(Generator { weights, tokenizer, ends, decode, draw: jit(draw) })
    }

    /// The longest sequence of the model.
    pub fn context(&self) -> usize {
        self.weights.shapes().context()
    }

    /// The model, with its weights as they were loaded.
    ///
    /// # Errors
    /// The device failed, or there is no memory for them beside those that are read.
    pub fn model(&self) -> Result<M> {
        self.weights.get()
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Generates, giving each piece of text to `show` as soon as it is certain; a `Break` from it ends the text.
    ///
    /// Token `i` of the sequence is drawn with `uniform(fold_in(Key(seed), i))`: the choice depends on the seed and the
    /// place alone. Where the sequence is longer than the model's context, its last tokens go through the model anew for
    /// each further token, as the first tokens of a sequence.
    ///
    /// # Errors
    /// A number or stop string is no good (`Input`), or the device failed.
    pub fn generate(
        &self,
        request: &Request,
        show: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Completion> {
        let mut done = self.generate_batch(std::slice::from_ref(request), &mut |_, piece| show(piece))?;
        done.pop().ok_or_else(|| Error::internal("a request has a completion"))
    }

    /// Generates several texts together: each is what [`generate`](Self::generate) makes of its request, token for token.
    ///
    /// `show` is given the number of the request beside the piece; a `Break` ends that text. In each round every text goes on by a
    /// token, or by a chunk of what it has not fed yet: prompts of different lengths need not wait for each other.
    ///
    /// # Errors
    /// As for [`generate`](Self::generate).
    pub fn generate_batch(
        &self,
        requests: &[Request],
        show: &mut dyn FnMut(usize, &str) -> ControlFlow<()>,
    ) -> Result<Vec<Completion>> {
        let context = self.context();
        let mut texts = Vec::with_capacity(requests.len());
        for request in requests {
            request.sampling.check()?;
            let stream = self.tokenizer.decode_stream(true);
            texts.push(Text::new(request, self.encode(request)?, stream)?);
        }
        let keys: Vec<Array> = requests.iter().map(|r| Key::new(r.seed).words().clone()).collect();
        // Room for the longest text, in steps, so that texts of many lengths are served by a few compiled shapes.
        let longest = texts
            .iter()
            .zip(requests)
            .map(|(text, request)| text.place() + request.max_tokens)
            .max()
            .unwrap_or(0);
        let length = longest.next_multiple_of(ROOM).min(context);
        let mut cache = self.cache(requests.len(), length);
        loop {
            let pending: Vec<usize> = texts.iter_mut().map(|text| text.pending(context)).collect();
            let size = match pending.iter().max() {
                None | Some(0) => break,
                Some(1) => 1,
                Some(_) => CHUNK,
            };
            let rows: Vec<(&[u32], usize)> = texts.iter_mut().map(|text| text.feed(size)).collect();
            let wanted: Vec<usize> = rows.iter().map(|(tokens, _)| tokens.len().saturating_sub(1)).collect();
            let (after, logits) = self.feed(cache, &rows, size, &wanted)?;
            cache = after;
            for (i, text) in texts.iter_mut().enumerate() {
                if pending[i] == 0 || pending[i] > size {
                    continue;
                }
                text.past_context += usize::from(text.place() > context);
                let sampling = &requests[i].sampling;
                let position = Array::scalar(text.place() as u32);
                let uniform = match sampling.temperature {
                    0.0 => 0.0,
                    _ => f64::from(self.draw.call((keys[i].clone(), position))?.to_vec::<f32>()?[0]),
                };
                // A model may have room for more tokens than there are.
                let token = sampling.pick(&logits[i][..self.tokenizer.vocab_size()], uniform)?;
                let eos = self.ends.contains(&token).then_some(token);
                text.push(token, eos, &mut |piece| show(i, piece))?;
            }
        }
        texts.into_iter().enumerate().map(|(i, text)| text.complete(&mut |piece| show(i, piece))).collect()
    }

    /// The logits that follow each token of a sequence, `[tokens, vocabulary]`, through the cache in chunks of `sizes`.
    ///
    /// However the sequence is cut, the bits are the same.
    ///
    /// # Errors
    /// The sequence is longer than the context or than the chunks together, or the device failed.
    pub fn score(&self, tokens: &[u32], sizes: &[usize]) -> Result<Vec<Vec<f32>>> {
        let context = self.context();
        if tokens.len() > context || sizes.iter().sum::<usize>() < tokens.len() {
            return Err(Error::input(format!(
                "a sequence of {} tokens does not fit a context of {context} in chunks of {sizes:?}",
                tokens.len()
            )));
        }
        let mut rows = Vec::new();
        let mut cache = self.cache(1, sizes.iter().sum());
        let mut start = 0;
        for &size in sizes {
            let chunk = &tokens[start..tokens.len().min(start + size)];
            // One run a row: only the row asked for leaves the device. The cache is written with the same values again.
            for row in 0..chunk.len() {
                let (next, logits) = self.feed(cache, &[(chunk, start)], size, &[row])?;
                cache = next;
                rows.extend(logits);
            }
            start += chunk.len();
        }
        Ok(rows)
    }

    fn encode(&self, request: &Request) -> Result<Vec<u32>> {
        let ids = match request.chat {
            true => self.tokenizer.encode_chat(&request.prompt)?,
            false => self.tokenizer.encode_prompt(&request.prompt)?,
        };
        // A model goes on from something: a document begins after the end of the one before.
        if ids.is_empty() { Ok(vec![self.tokenizer.eos_id()?]) } else { Ok(ids) }
    }

    fn cache(&self, texts: usize, length: usize) -> Cache<M> {
        let cache = self.weights.shapes().empty_cache(texts, length);
        // Each leaf of its own, to be overwritten.
        cache.map_leaves(|empty: &Array| Array::zeros_of(empty.ty()))
    }

    /// Runs the tokens of each text, which stand at its position, padded to `size`, and gives the logits after the wanted one of
    /// each.
    ///
    /// What the padding leaves in the cache lies behind the last token: it is overwritten before any token sees it.
    fn feed(
        &self,
        cache: Cache<M>,
        texts: &[(&[u32], usize)],
        size: usize,
        wanted: &[usize],
    ) -> Result<(Cache<M>, Vec<Vec<f32>>)> {
        let mut ids: Vec<i32> = Vec::with_capacity(texts.len() * size);
        for (i, (tokens, _)) in texts.iter().enumerate() {
            ids.extend(tokens.iter().map(|&id| id as i32));
            ids.resize((i + 1) * size, 0);
        }
        let positions: Vec<i32> = texts.iter().map(|&(_, position)| position as i32).collect();
        let wanted: Vec<i32> = wanted.iter().map(|&row| row as i32).collect();
        let tokens = Array::new(&ids, &[texts.len(), size]);
        let feed = (tokens, Array::from_slice(&positions), Array::from_slice(&wanted));
        let (cache, logits) = self.decode.call((cache, feed))?;
        let logits = logits.to_vec::<f32>()?;
        Ok((cache, logits.chunks(self.weights.shapes().vocabulary()).map(<[f32]>::to_vec).collect()))
    }
}
