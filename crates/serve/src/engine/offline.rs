//! Generation that waits for whole answers.

use std::collections::VecDeque;

use jarrah_base::{Error, Result};
use jarrah_tokenizer::chat::Chat;

use super::{AnswerDelta, Engine, EngineRequest, Finish, Pooling, Stream};
use crate::params::Params;
use crate::sampler::TokenLogprobs;

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The text without the prompt.
    pub text: String,
    /// The tokens that were generated.
    pub tokens: Vec<u32>,
    /// The logprobs of the tokens, if the request asks for them.
    pub logprobs: Vec<TokenLogprobs>,
    /// The logprobs of the prompt's tokens, if the request asks for them.
    pub prompt_logprobs: Option<Vec<Option<TokenLogprobs>>>,
    /// The number of prompt tokens that were found in the prefix cache.
    pub cached: usize,
    /// The vector, if the request asks for one.
    pub vector: Option<Vec<f32>>,
    /// The reason why the answer ended.
    pub finish: Finish,
}

impl Default for Completion {
    /// An empty answer that was cancelled.
    fn default() -> Completion {
        Completion {
            text: String::new(),
            tokens: Vec::new(),
            logprobs: Vec::new(),
            prompt_logprobs: None,
            cached: 0,
            vector: None,
            finish: Finish::Cancelled,
        }
    }
}

impl Completion {
    /// Appends a delta to the answer.
    pub fn push(&mut self, delta: AnswerDelta) {
        self.text += &delta.text;
        self.tokens.extend(delta.tokens);
        self.logprobs.extend(delta.logprobs);
        self.prompt_logprobs = self.prompt_logprobs.take().or(delta.prompt_logprobs);
        self.cached = delta.cached.unwrap_or(self.cached);
        self.vector = self.vector.take().or(delta.vector);
        if let Some(finish) = delta.finish {
            self.finish = finish;
        }
    }
}

impl Stream {
    /// Waits for all answers to the request.
    ///
    /// # Errors
    /// One of the answers failed.
    pub fn collect(self) -> Result<Vec<Completion>> {
        let mut all = vec![Completion::default(); self.ids.len()];
        for delta in self {
            let choice = delta.choice;
            all[choice].push(delta);
            if let Finish::Failed(error) = &all[choice].finish {
                return Err(error.clone());
            }
        }
        Ok(all)
    }
}

impl Engine {
    /// The tokens of a prompt. An empty text becomes the end-of-document token. `chat` says that a template wrote the text,
    /// special tokens included.
    ///
    /// # Errors
    /// The model has no tokenizer, or the text cannot be encoded (`Input`).
    pub fn prompt(&self, text: &str, chat: bool) -> Result<Vec<u32>> {
        let Some(tokenizer) = self.tokenizer() else {
            let error = format!("{} has no tokenizer, so it takes no text", self.name());
            return Err(Error::input(error).op("engine").help("give the prompt as a list of tokens"));
        };
        let ids = match chat {
            true => tokenizer.encode_chat(text)?,
            false => tokenizer.encode_prompt(text)?,
        };
        // A model needs a token to continue from, and a document begins after the end of the one before.
        if ids.is_empty() { Ok(vec![tokenizer.eos_id()?]) } else { Ok(ids) }
    }

    /// The tokens of a chat, as the model's chat template writes it.
    ///
    /// # Errors
    /// The model has no chat template, or the template refuses the chat (`Input`).
    pub fn chat_prompt(&self, chat: &Chat) -> Result<Vec<u32>> {
        let Some(templates) = self.templates() else {
            let error = format!("{} has no template for chats", self.name());
            return Err(Error::input(error)
                .op("engine")
                .help("give the model's folder a chat_template.jinja"));
        };
        self.prompt(&templates.render(chat)?, true)
    }

    /// The vectors of texts, each of length 1 if `normalized`.
    ///
    /// # Errors
    /// A text is empty or too long (`Input`), or the device failed.
    ///
    /// ```
    /// # use jarrah_array::random::Key;
    /// # use jarrah_models::{Decoder, DecoderConfig};
    /// use jarrah_serve::{Engine, EngineOptions, Pooling, Served};
    /// # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
    /// let engine = Engine::start(Served::new("test", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
    /// let vectors = engine.embed(vec![vec![1, 2, 3], vec![4]], Pooling::Mean, true)?;
    /// assert!((vectors[1].iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn embed(&self, texts: Vec<Vec<u32>>, pooling: Pooling, normalized: bool) -> Result<Vec<Vec<f32>>> {
        let request = |prompt| EngineRequest { prompt, pooling: Some(pooling), ..EngineRequest::default() };
        let requests: Vec<EngineRequest> = texts.into_iter().map(request).collect();
        let mut vectors = Vec::with_capacity(requests.len());
        for all in self.generate(&requests)? {
            let vector = all.into_iter().find_map(|completion| completion.vector);
            let mut vector = vector.ok_or_else(|| Error::environment("the engine has ended").op("engine"))?;
            if normalized {
                normalize(&mut vector);
            }
            vectors.push(vector);
        }
        Ok(vectors)
    }

    /// The raw outputs of the model for texts: vectors that are not normalized, or the logits of the classes.
    ///
    /// # Errors
    /// As [`embed`](Self::embed).
    pub fn encode(&self, texts: Vec<Vec<u32>>, pooling: Pooling) -> Result<Vec<Vec<f32>>> {
        self.embed(texts, pooling, false)
    }

    /// The similarity of each of `others` to `text`: of a cross-encoder, a model with one class, its probability; else the cosine
    /// of the angle between the vectors,
    ///
    /// `score = a b / (|a| |b|)`.
    ///
    /// # Errors
    /// The model has no tokenizer, or several classes, or a text is too long (`Input`), or the device failed.
    pub fn score(&self, text: &str, others: &[&str], pooling: Pooling) -> Result<Vec<f64>> {
        let classes = self.classes().len();
        if classes > 1 {
            let error =
                format!("{} has {classes} classes of texts, which say nothing of nearness", self.name());
            return Err(Error::input(error).op("engine").help("`encode` gives what it says of each"));
        }
        if classes == 0 {
            let texts = std::iter::once(&text).chain(others).map(|text| self.prompt(text, false));
            let vectors = self.encode(texts.collect::<Result<_>>()?, pooling)?;
            let (first, others) = vectors.split_at(1);
            return Ok(others.iter().map(|other| nearness(&first[0], other)).collect());
        }
        let Some(tokenizer) = self.tokenizer() else {
            return Err(
                Error::input(format!("{} has no tokenizer, so it takes no text", self.name())).op("engine")
            );
        };
        let pair = |other: &&str| {
            let (prompt, second) = tokenizer.encode_pair(text, other)?;
            let pooling = Some(Pooling::Classes);
            Ok(EngineRequest { prompt, second: Some(second), pooling, ..EngineRequest::default() })
        };
        let answers = self.generate(&others.iter().map(pair).collect::<Result<Vec<_>>>()?)?;
        let logit = |answer: &Vec<Completion>| answer.first()?.vector.as_ref()?.first().copied();
        let ended = || Error::environment("the engine has ended").op("engine");
        answers.iter().map(|answer| Ok(probability(logit(answer).ok_or_else(ended)?))).collect()
    }

    /// The answers to chats, as the model's template writes them, computed together.
    ///
    /// # Errors
    /// As [`chat_prompt`](Self::chat_prompt) and [`generate`](Self::generate).
    pub fn chat(&self, chats: &[Chat], params: &Params) -> Result<Vec<Vec<Completion>>> {
        let request = |chat| {
            Ok(EngineRequest {
                prompt: self.chat_prompt(chat)?,
                params: params.clone(),
                ..EngineRequest::default()
            })
        };
        self.generate(&chats.iter().map(request).collect::<Result<Vec<_>>>()?)
    }

    /// Fits a prompt and a number of tokens to generate into the longest sequence: `wanted` tokens, or fewer if the prompt leaves
    /// less room. A prompt that leaves no room is cut to its last tokens, so that there is room for `wanted` tokens or half a
    /// sequence.
    pub fn fitted(&self, mut prompt: Vec<u32>, wanted: usize) -> (Vec<u32>, usize) {
        let (most, wanted) = (self.max_length(), wanted.max(1));
        if prompt.len() >= most {
            let left = (most - wanted.min(most / 2)).max(1);
            prompt.drain(..prompt.len() - left);
        }
        let room = wanted.min(most - prompt.len());
        (prompt, room)
    }

    /// The answers to all requests, computed together; requests beyond the queue's length are added as others end.
    ///
    /// # Errors
    /// A request is refused, or an answer failed.
    ///
    /// ```
    /// # use jarrah_array::random::Key;
    /// # use jarrah_models::{Decoder, DecoderConfig};
    /// use jarrah_serve::{Engine, EngineOptions, EngineRequest, Params, Served};
    /// # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
    /// let engine = Engine::start(Served::new("test", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
    /// let params = Params { n: 2, max_tokens: Some(3), seed: Some(1), ..Params::default() };
    /// let request = |prompt| EngineRequest { prompt, params: params.clone(), ..EngineRequest::default() };
    /// let answers = engine.generate(&[request(vec![1, 2, 3]), request(vec![4])])?;
    /// assert_eq!(answers[1][0].tokens.len(), 3);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn generate(&self, requests: &[EngineRequest]) -> Result<Vec<Vec<Completion>>> {
        let mut answers = Vec::with_capacity(requests.len());
        let mut open: VecDeque<Stream> = VecDeque::new();
        let mut waiting = 0;
        for request in requests {
            while waiting > 0 && waiting + request.params.n > self.options().waiting {
                let Some(first) = open.pop_front() else { break };
                waiting -= first.ids.len();
                answers.push(first.collect()?);
            }
            open.push_back(self.add(request.clone())?);
            waiting += request.params.n;
        }
        for stream in open {
            answers.push(stream.collect()?);
        }
        Ok(answers)
    }
}

/// The cosine of the angle between two vectors; 0 if one of them is zero.
pub fn nearness(a: &[f32], b: &[f32]) -> f64 {
    let product =
        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum::<f64>();
    let length = (product(a, a) * product(b, b)).sqrt();
    if length > 0.0 { product(a, b) / length } else { 0.0 }
}

/// The probability by the logit of a model's only class, `1 / (1 + exp(-logit))`.
pub fn probability(logit: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(logit)).exp())
}

/// Scales a vector to length 1; a zero vector stays as it is.
pub fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    }
}
