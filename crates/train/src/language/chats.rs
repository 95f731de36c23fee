//! Chats as examples: which tokens of each are the answers to be learned.

use jarrah_base::parallel::{cores, try_map};
use jarrah_base::{Error, Result};
use jarrah_data::{Examples, RecordPlace, TokenStream};
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::{Record, Templates};

/// The examples of records, in their order.
pub struct Learned {
    /// Their tokens.
    pub tokens: TokenStream,
    /// The tokens of them that are answers to learn.
    pub examples: Examples,
    /// How many records there are.
    records: usize,
    /// How many of them the template refused, and the first refusal.
    refused: (usize, Option<Error>),
    /// How many of them have no answer to be learned, and where the first stands.
    unanswered: (usize, Option<RecordPlace>),
}

/// The prompt of the last answer, as the template writes it, and the last words of the user in it.
///
/// # Errors
/// The template refuses the messages (`Input`).
pub fn question(record: &Record, templates: &Templates) -> Result<Option<(String, String)>> {
    let Some(last) = record.answers().last().filter(|&last| last > 0) else { return Ok(None) };
    let user = (0..last).rev().find(|&place| record.role(place) == "user");
    let words = user.and_then(|place| record.text(place)).unwrap_or_default();
    Ok(Some((record.written(templates, last, true)?, words)))
}

impl Learned {
    /// Says how many chats the template refused, and where the first of them stands.
    pub fn refusal(&self) -> Option<String> {
        let (count, error) = (self.refused.0, self.refused.1.as_ref()?);
        let chats = if count == 1 { "1 chat is".to_owned() } else { format!("{count} chats are") };
        Some(format!("{chats} left out, which the template refuses: {error}"))
    }

    /// Says how many chats have no answer, and where the first of them stands.
    pub fn unanswered(&self) -> Option<String> {
        let (count, place) = (self.unanswered.0, self.unanswered.1.as_ref()?);
        let chats = if count == 1 { "1 chat has".to_owned() } else { format!("{count} chats have") };
        Some(format!("{chats} no answer to learn, a message of the role assistant; the first is in {place}"))
    }

    /// These examples, unless the template refuses all records.
    ///
    /// # Errors
    /// The template refuses all records (`Input`, naming the first of them).
    pub fn taken(self) -> Result<Self> {
        match (&self.refused, self.records) {
            ((1, Some(error)), 1) => Err(error.clone().context("the template refuses the only chat")),
            ((refused, Some(error)), all) if *refused == all => {
                Err(error.clone().context(format!("the template refuses all {all} chats")))
            }
            _ => Ok(self),
        }
    }
}

/// The examples of all records.
///
/// * `places`: where each of the records stands
///
/// # Errors
/// A record is no chat (`Input`, naming its file and line).
pub fn learned(
    records: &[String],
    places: &[RecordPlace],
    tokenizer: &Tokenizer,
    templates: &Templates,
) -> Result<Learned> {
    let all: Vec<(&String, &RecordPlace)> = records.iter().zip(places).collect();
    // What is no chat is an error; what a template refuses, such as roles out of turn, is left out.
    let within = |place: &RecordPlace| format!("in {place}");
    let conversations = try_map(cores(), &all, |(record, place)| {
        Record::parse(record).map(|chat| (chat, *place)).map_err(|e| e.context(within(place)))
    })?;
    let each = try_map(cores(), &conversations, |(chat, place)| {
        let examples = chat.examples(tokenizer, templates);
        Ok::<_, Error>(examples.map_err(|e| e.context(within(place))))
    })?;
    let (mut ids, mut examples, mut refused) = (Vec::new(), Examples::default(), (0, None));
    let mut silent = conversations.iter().filter(|(chat, _)| chat.answers().next().is_none());
    let first = silent.next().map(|(_, place)| RecordPlace::clone(place));
    let unanswered = (usize::from(first.is_some()) + silent.count(), first);
    for result in each {
        match result {
            Ok(own) => {
                for example in own {
                    ids.extend(example.ids);
                    examples.push(example.learned);
                }
            }
            Err(error) => {
                refused.0 += 1;
                refused.1.get_or_insert(error);
            }
        }
    }
    let tokens = TokenStream::new(ids, tokenizer.vocab_size())?;
    Ok(Learned { tokens, examples, records: records.len(), refused, unanswered })
}
