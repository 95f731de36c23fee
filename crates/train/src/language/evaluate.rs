//! Measuring a model that is there.

use jarrah_array::{Array, jit};
use jarrah_base::{Error, Result};
use jarrah_data::{
    Corpus, Documents, Examples, MapDataset, Packed, RandomAccess, TokenBatch, TokenStream as Stream,
};
use jarrah_models::Decoder;
use jarrah_nn::Context;
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::Templates;

use super::chats;
use super::objective::{Feed, summed_losses};

/// The text to measure a model on, and the sizes of its batches.
pub struct Measure<'a> {
    /// Files, folders or globs, as for training.
    pub data: &'a [String],
    /// For chats, how they are written: their answers alone count.
    pub templates: Option<&'a Templates>,
    /// The length of sequences.
    pub context: usize,
    /// Sequences at once.
    pub batch: usize,
    /// Told what is left out: chats that the template refuses.
    pub note: Option<&'a dyn Fn(&str)>,
    /// Told how many sequences are done, and of how many, before the first one and behind each batch.
    pub progress: Option<&'a dyn Fn(u64, u64)>,
}

/// How well a model foretells a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The mean cross-entropy of a token, in nats.
    pub loss: f64,
    /// The tokens that counted.
    pub tokens: f64,
}

impl Measured {
    /// `exp(loss)`.
    pub fn perplexity(&self) -> f64 {
        self.loss.exp()
    }
}

/// The mean cross-entropy of the tokens of documents, each foretold from those before it in its document, and in a sequence.
///
/// # Errors
/// There is no text, a record is no chat, or the template refuses all of them (`Input`); the device failed.
pub fn measure(model: &Decoder, tokenizer: &Tokenizer, of: &Measure<'_>) -> Result<Measured> {
    let kind = if of.templates.is_some() { Documents::Records } else { Documents::Texts };
    let corpus = Corpus::open_as(of.data, kind)?;
    let mut train = corpus.train;
    train.extend(corpus.held_out);
    let eos = tokenizer.eos_id()?;
    let (tokens, examples) = match of.templates {
        Some(templates) => {
            let places = [corpus.train_places, corpus.held_out_places].concat();
            let learned = chats::learned(&train, &places, tokenizer, templates)?.taken()?;
            if let (Some(note), Some(refusal)) = (of.note, learned.refusal()) {
                note(&refusal);
            }
            (learned.tokens, learned.examples)
        }
        None => {
            let (mut ids, mut examples) = (Vec::new(), Examples::default());
            for text in &train {
                let mut own = tokenizer.encode(text)?;
                own.push(eos);
                examples.push(own.iter().map(|_| true));
                ids.extend(own);
            }
            (Stream::new(ids, tokenizer.vocab_size())?, examples)
        }
    };
    losses(model, Packed::examples(tokens, examples, of.context, eos)?, of.batch, of.progress)
}

/// The tokens of documents, one after another, each with the end token behind it.
///
/// * `data`: files, folders or globs, as for training
///
/// # Errors
/// There is no text (`Input`).
pub fn tokens_of(data: &[String], tokenizer: &Tokenizer) -> Result<Vec<u32>> {
    let Corpus { mut train, held_out, .. } = Corpus::open_as(data, Documents::Texts)?;
    train.extend(held_out);
    let eos = tokenizer.eos_id()?;
    let mut ids = Vec::new();
    for text in &train {
        ids.extend(tokenizer.encode(text)?);
        ids.push(eos);
    }
    Ok(ids)
}

/// As [`measure`], of one document that is tokens already.
///
/// * `context`, `batch`: the length of sequences, and how many there are at once
///
/// # Errors
/// There are no tokens (`Input`); the device failed.
pub fn measure_tokens(
    model: &Decoder,
    ids: Vec<u32>,
    eos: u32,
    context: usize,
    batch: usize,
) -> Result<Measured> {
    let mut examples = Examples::default();
    examples.push(ids.iter().map(|_| true));
    let tokens = Stream::new(ids, model.vocabulary())?;
    losses(model, Packed::examples(tokens, examples, context, eos)?, batch, None)
}

/// The mean cross-entropy of the tokens of windows.
fn losses(
    model: &Decoder,
    packed: Packed,
    batch: usize,
    progress: Option<&dyn Fn(u64, u64)>,
) -> Result<Measured> {
    let tell = |done, of| {
        if let Some(progress) = progress {
            progress(done, of);
        }
    };
    let run = jit(|(model, feed): &(Decoder, Feed)| summed_losses(model, feed, &mut Context::eval()));
    let (mut loss, mut counted) = (0.0, 0.0);
    // Windows behind the last one are those from the first on, whose targets do not count again.
    let count = packed.len();
    let endless = MapDataset::source(packed).repeat(None).to_iter();
    let mut batches = endless.batch_with(batch, true, |windows| TokenBatch::stack(&windows)).iter()?;
    let mut start = 0;
    tell(0, count);
    while start < count {
        let Some(tokens) = batches.next().transpose()? else { break };
        let mut feed = Feed::of(tokens);
        let left = (count - start).min(batch as u64) as usize;
        if left < batch {
            let first = Array::arange(batch).lt(left).expand_dims(1);
            feed.weights = feed.weights.map(|weights| weights * first.astype(jarrah_base::DType::F32));
        }
        let (sum, number) = run.call((model.clone(), feed))?;
        loss += sum.to_f64()?;
        counted += number.to_f64()?;
        start += batch as u64;
        tell(start.min(count), count);
    }
    match counted > 0.0 {
        true => Ok(Measured { loss: loss / counted, tokens: counted }),
        false => Err(Error::input("the text has no token to foretell")),
    }
}
