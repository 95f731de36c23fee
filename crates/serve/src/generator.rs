use std::ops::ControlFlow;
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, Jit, TreeExt, jit, lax};
use jarrah_base::{Error, Result};
use jarrah_models::Gpt;
use jarrah_nn::KvCache;
use jarrah_tokenizer::Tokenizer;

use crate::load;
use crate::sampling::Sampling;
use crate::stop::StopStrings;

/// How many tokens of a prompt go through the model at once.
pub const CHUNK: usize = 64;

/// What to generate.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The text to go on from; empty, the start of a document.
    pub prompt: String,
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

type GptCache = Vec<KvCache>;
type Decode = Jit<(GptCache, Feed), (GptCache, Array), Box<dyn Fn(&(GptCache, Feed)) -> (GptCache, Array)>>;
/// Tokens `i32[1,T]`, the position of the first, and which of them the logits are wanted of.
type Feed = (Array, Array, Array);
type Draw = Jit<(Array, Array), Array, Box<dyn Fn(&(Array, Array)) -> Array>>;

/// A model ready to generate: two compiled shapes, one for the chunks of a prompt and one for a single token.
///
/// Every token's logits have the bits that the training form of the model gives at that place.
pub struct Generator {
    model: Gpt,
    tokenizer: Tokenizer,
    decode: Decode,
    draw: Draw,
}

impl Generator {
    /// The model and tokenizer of the run at `path`, at its latest checkpoint or at `step`.
    ///
    /// # Errors
    /// `path` is no run, there is no such checkpoint, or it is damaged (`Input`).
    pub fn load(path: &Path, step: Option<u64>) -> Result<Self> {
        let (model, tokenizer) = load::load(path, step)?;
        Self::new(model, tokenizer)
    }

    /// This model with this tokenizer.
    ///
    /// # Errors
    /// The tokenizer has more tokens than the model (`Input`).
    pub fn new(model: Gpt, tokenizer: Tokenizer) -> Result<Self> {
        let (known, vocabulary) = (model.config.vocabulary, tokenizer.vocab_size());
        if vocabulary > known {
            return Err(Error::input(format!(
                "the tokenizer has {vocabulary} tokens, but the model knows {known}"
            ))
            .help("use the tokenizer that the model was trained with"));
        }
        let own = model.clone().for_decoding();
        let decode: Box<dyn Fn(&(GptCache, Feed)) -> _> =
            Box::new(move |(cache, (tokens, position, wanted))| {
                let (logits, cache) = own.decode(tokens, cache, position);
                let zero = wanted.zeros_like();
                let size = [1, 1, logits.shape()[2]];
                (
                    cache,
                    lax::dynamic_slice(&logits, &[zero.clone(), wanted.clone(), zero], &size).reshape(&[-1]),
                )
            });
        let draw: Box<dyn Fn(&(Array, Array)) -> Array> = Box::new(|(words, position)| {
            Key::from_words(words.clone()).fold_in_array(position).uniform(&[1])
        });
        Ok(Generator { model, tokenizer, decode: jit(decode).donate(0), draw: jit(draw) })
    }

    /// The model.
    pub fn model(&self) -> &Gpt {
        &self.model
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
        request.sampling.check()?;
        let mut output = Output {
            stop: StopStrings::new(&request.stop)?,
            stream: self.tokenizer.decode_stream(true),
            text: String::new(),
            show,
        };
        let eos = self.tokenizer.eos_id().ok();
        let prompt = self.encode(&request.prompt)?;
        let context = self.model.config.context;
        let key = Key::new(request.seed).words().clone();
        let mut tokens: Vec<u32> = Vec::new();
        let mut past_context = 0;
        let mut session: Option<(GptCache, Vec<f32>)> = None;
        let finish = loop {
            if tokens.len() == request.max_tokens {
                break Finish::MaxTokens;
            }
            let place = prompt.len() + tokens.len();
            let (cache, logits) = match (session.take(), tokens.last()) {
                (Some((cache, _)), Some(&last)) if place <= context => {
                    self.feed(cache, &[last], place - 1, 1)?
                }
                (session, _) => {
                    past_context += usize::from(place > context);
                    let sequence: Vec<u32> = prompt.iter().chain(&tokens).copied().collect();
                    // Whole chunks of room, so that a padded chunk at the end of the context fits.
                    let cache = match session {
                        Some((cache, _)) => cache,
                        None => self.cache(context.next_multiple_of(CHUNK)),
                    };
                    self.prefill(cache, &sequence[place.saturating_sub(context)..])?
                }
            };
            let position = Array::scalar(place as u32);
            let uniform = match request.sampling.temperature {
                0.0 => 0.0,
                _ => f64::from(self.draw.call((key.clone(), position))?.to_vec::<f32>()?[0]),
            };
            // A model may have room for more tokens than there are.
            let token = request.sampling.pick(&logits[..self.tokenizer.vocab_size()], uniform)?;
            tokens.push(token);
            session = Some((cache, logits));
            if Some(token) == eos {
                break Finish::EndOfText;
            }
            if let Some(finish) = output.push(token)? {
                break finish;
            }
        };
        let text = output.finish(&finish)?;
        Ok(Completion { text, tokens, prompt_tokens: prompt.len(), past_context, finish })
    }

    /// The logits that follow each token of a sequence, `[tokens, vocabulary]`, through the cache in chunks of `sizes`.
    ///
    /// However the sequence is cut, the bits are the same.
    ///
    /// # Errors
    /// The sequence is longer than the context or than the chunks together, or the device failed.
    pub fn score(&self, tokens: &[u32], sizes: &[usize]) -> Result<Vec<Vec<f32>>> {
        let context = self.model.config.context;
        if tokens.len() > context || sizes.iter().sum::<usize>() < tokens.len() {
            return Err(Error::input(format!(
                "a sequence of {} tokens does not fit a context of {context} in chunks of {sizes:?}",
                tokens.len()
            )));
        }
        let mut rows = Vec::new();
        let mut cache = self.cache(sizes.iter().sum());
        let mut start = 0;
        for &size in sizes {
            let chunk = &tokens[start..tokens.len().min(start + size)];
            // One run a row: only the row asked for leaves the device. The cache is written with the same values again.
            for row in 0..chunk.len() {
                let (next, logits) = self.feed_row(cache, chunk, start, size, row)?;
                cache = next;
                rows.push(logits);
            }
            start += chunk.len();
        }
        Ok(rows)
    }

    fn encode(&self, prompt: &str) -> Result<Vec<u32>> {
        let ids = self.tokenizer.encode_prompt(prompt)?;
        // A model goes on from something: a document begins after the end of the one before.
        if ids.is_empty() { Ok(vec![self.tokenizer.eos_id()?]) } else { Ok(ids) }
    }

    fn cache(&self, capacity: usize) -> GptCache {
        let cache = self.model.init_cache(1, capacity);
        // Each leaf of its own, to be overwritten.
        cache.map_leaves(|zeros: &Array| Array::zeros_of(zeros.ty()))
    }

    /// Runs a sequence from its start through a cache, whatever the cache has seen before.
    fn prefill(&self, cache: GptCache, prompt: &[u32]) -> Result<(GptCache, Vec<f32>)> {
        let mut state = (cache, Vec::new());
        for (i, chunk) in prompt.chunks(CHUNK).enumerate() {
            state = self.feed(state.0, chunk, i * CHUNK, CHUNK)?;
        }
        Ok(state)
    }

    /// Runs tokens that stand at `position`, padded to `size`, and gives the logits after the last of them.
    ///
    /// What the padding leaves in the cache lies behind the last token: it is overwritten before any token sees it.
    fn feed(
        &self,
        cache: GptCache,
        tokens: &[u32],
        position: usize,
        size: usize,
    ) -> Result<(GptCache, Vec<f32>)> {
        self.feed_row(cache, tokens, position, size, tokens.len() - 1)
    }

    fn feed_row(
        &self,
        cache: GptCache,
        tokens: &[u32],
        position: usize,
        size: usize,
        row: usize,
    ) -> Result<(GptCache, Vec<f32>)> {
        let mut ids: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
        ids.resize(size, 0);
        let feed = (Array::new(&ids, &[1, size]), Array::scalar(position as i32), Array::scalar(row as i32));
        let (cache, logits) = self.decode.call((cache, feed))?;
        Ok((cache, logits.to_vec()?))
    }
}

/// Where tokens become text and text goes out.
struct Output<'a> {
    stop: StopStrings,
    stream: jarrah_tokenizer::DecodeStream,
    text: String,
    show: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
}

impl Output<'_> {
    fn push(&mut self, token: u32) -> Result<Option<Finish>> {
        let piece = self.stream.push(token)?;
        Ok(self.pass(&piece))
    }

    fn pass(&mut self, piece: &str) -> Option<Finish> {
        let (text, stop) = self.stop.push(piece);
        if self.give(&text).is_break() {
            return Some(Finish::Cancelled);
        }
        stop.map(Finish::Stop)
    }

    fn give(&mut self, text: &str) -> ControlFlow<()> {
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        self.text += text;
        (self.show)(text)
    }

    /// Lets go of what is held back, unless a stop string or the receiver ended the text.
    fn finish(self, finish: &Finish) -> Result<String> {
        let Output { stop, stream, mut text, show } = self;
        if !matches!(finish, Finish::Stop(_) | Finish::Cancelled) {
            let mut stop = stop;
            let (mut rest, found) = stop.push(&stream.finish()?);
            if found.is_none() {
                rest += &stop.finish();
            }
            text += &rest;
            if !rest.is_empty() {
                // Nothing follows that a break could hold back.
                let _ = show(&rest);
            }
        }
        Ok(text)
    }
}
