//! Prompts of requests: texts or tokens, cut to the room that the model's context has.

use jarrah_tokenizer::chat::{ChatValue, ValueKind};

use crate::app::App;
use crate::refusal::{Refusal, Result};
use jarrah_tokenizer::chat::fields::{Fields, at_least, flag, id, integer, items, list, one_of, text, wrong};

/// A prompt, which the answer continues.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// The prompt as text.
    Text(String),
    /// The prompt as tokens.
    Tokens(Vec<u32>),
}

/// Reads the prompts of a request: a text, a list of tokens, a list of texts, or a list of lists of tokens.
pub fn prompts(app: &App, value: &ChatValue, path: &str) -> Result<Vec<Prompt>> {
    let id = id(app.engine.vocabulary());
    let wanted = "a string, a list of strings, a list of tokens or a list of lists of tokens";
    if let Some(text) = value.as_str() {
        return Ok(vec![Prompt::Text(text.to_owned())]);
    }
    let first = items(value).ok_or_else(|| wrong(path, wanted, value))?.next();
    let first = first.ok_or_else(|| Refusal::field(path, format!("`{path}` is an empty list")))?;
    match first.kind() {
        ValueKind::String => list(|item, path| Ok(Prompt::Text(text(item, path)?)))(value, path),
        ValueKind::Seq => list(|item, path| Ok(Prompt::Tokens(list(id)(item, path)?)))(value, path),
        ValueKind::Number => Ok(vec![Prompt::Tokens(list(id)(value, path)?)]),
        _ => Err(wrong(&format!("{path}[0]"), "a string, a token or a list of tokens", &first).into()),
    }
}

impl Prompt {
    /// The tokens of the prompt; a text is encoded with the special tokens around it if `add_special`. An empty text becomes the
    /// end-of-document token.
    pub fn tokens(self, app: &App, add_special: bool) -> Result<Vec<u32>> {
        match self {
            Prompt::Tokens(tokens) => Ok(tokens),
            Prompt::Text(text) => Ok(app.engine.prompt(&text, !add_special)?),
        }
    }
}

/// How a prompt is truncated to a length.
pub struct Room {
    /// The number of tokens to keep, -1 for as many as the context has room for; all of them without it.
    truncate: Option<i64>,
    keeps_first: bool,
}

impl Room {
    /// Reads the fields `truncate_prompt_tokens` and `truncation_side`.
    pub fn read(fields: &Fields<'_>) -> Result<Room> {
        let side = fields.read("truncation_side", one_of(&["left", "right"]))?;
        let keeps_first = side.is_some_and(|side| side == "right");
        let truncate = |value: &ChatValue, path: &str| match integer(value, path)? {
            n if n < -1 => Err(Refusal::field(path, format!("`{path}` is {n}, but must be -1 or more"))),
            n => Ok(n),
        };
        Ok(Room { truncate: fields.read("truncate_prompt_tokens", truncate)?, keeps_first })
    }

    /// Keeps the last tokens that fit, where the request does not say how to truncate.
    pub fn or_last(self) -> Room {
        Room { truncate: self.truncate.or(Some(-1)), ..self }
    }

    /// The tokens of a prompt, not yet truncated. A text that is certainly too long, by its length, is refused without encoding
    /// it.
    pub fn tokens(&self, prompt: Prompt, app: &App, add_special: bool, path: &str) -> Result<Vec<u32>> {
        if let Prompt::Text(text) = &prompt {
            self.fits(text, app, path)?;
        }
        prompt.tokens(app, add_special).map_err(|e| e.at(path))
    }

    /// # Errors
    /// The text certainly has more tokens than the model's context, by its length, and is not to be truncated.
    pub fn fits(&self, text: &str, app: &App, path: &str) -> Result<()> {
        let length = app.engine.max_length();
        let least = app.engine.tokenizer().map_or(0, |tokenizer| tokenizer.fewest_ids(text));
        if self.truncate.is_some() || least <= length {
            return Ok(());
        }
        let message = format!("the model's context is {length} tokens, but the text has {least} at least");
        Err(Refusal::field(path, message).code("context_length_exceeded"))
    }

    /// Truncates the tokens of a prompt, so that an answer of `wanted` tokens has room if the length is not given.
    fn cut(&self, mut prompt: Vec<u32>, wanted: usize, app: &App, path: &str) -> Result<Vec<u32>> {
        let keep = match self.truncate {
            None => prompt.len(),
            // Where the answer alone fills the context, one token of the prompt is kept.
            Some(-1) => app.engine.max_length().saturating_sub(wanted).max(1),
            Some(n) => n as usize,
        };
        if keep < prompt.len() {
            match self.keeps_first {
                true => prompt.truncate(keep),
                false => drop(prompt.drain(..prompt.len() - keep)),
            }
        }
        match prompt.is_empty() {
            true => Err(Refusal::field(path, format!("`{path}` has no tokens: give at least one"))),
            false => Ok(prompt),
        }
    }

    /// Truncates the tokens of a text whose vector is wanted, and the position where its second text begins, if it has one.
    pub fn fit_whole(
        &self,
        (tokens, second): (Vec<u32>, Option<usize>),
        app: &App,
        path: &str,
    ) -> Result<(Vec<u32>, Option<usize>)> {
        let (length, before) = (app.engine.max_length(), tokens.len());
        let tokens = self.cut(tokens, 0, app, path)?;
        if tokens.len() > length {
            let message =
                format!("the model's context is {length} tokens, but the text has {}", tokens.len());
            return Err(Refusal::field(path, message).code("context_length_exceeded"));
        }
        let gone = if self.keeps_first { 0 } else { before - tokens.len() };
        let second = second.map(|second| second.saturating_sub(gone).min(tokens.len()));
        Ok((tokens, second))
    }

    /// The truncated prompt, and the most tokens of its answer: `most` or the model's default, and no more than the context has
    /// room for.
    ///
    /// # Errors
    /// The context has no room for a token after the prompt, although the request asks for some.
    pub fn fit(
        &self,
        prompt: Vec<u32>,
        most: Option<usize>,
        app: &App,
        path: &str,
    ) -> Result<(Vec<u32>, usize)> {
        let length = app.engine.max_length();
        let prompt = self.cut(prompt, most.unwrap_or(1), app, path)?;
        let least = most.unwrap_or(1).min(1);
        if prompt.len().saturating_add(least) > length {
            let message = format!(
                "the model's context is {length} tokens, but the prompt has {} and the answer {least} at least",
                prompt.len(),
            );
            return Err(Refusal::field(path, message).code("context_length_exceeded"));
        }
        let left = length - prompt.len();
        let most = most.or(app.engine.defaults().max_tokens);
        Ok((prompt, most.map_or(left, |most| most.min(left))))
    }
}

/// Reads the field `add_special_tokens`.
pub fn add_special(fields: &Fields<'_>, default: bool) -> Result<bool> {
    Ok(fields.read("add_special_tokens", flag)?.unwrap_or(default))
}

/// Reads the field `name`, the most tokens of an answer, of at least `least`.
pub fn most_tokens(fields: &Fields<'_>, name: &str, least: i64) -> Result<Option<usize>> {
    Ok(fields.read(name, at_least(least))?)
}
