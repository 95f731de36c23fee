//! Prompts: texts, tokens, and what of them fits.

use jarrah_tokenizer::chat::{Value, ValueKind};

use crate::app::App;
use crate::fields::{Fields, at_least, flag, id, integer, items, list, one_of, text, wrong};
use crate::refusal::{Refusal, Result};

/// What a text is written after.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// A text.
    Text(String),
    /// Its tokens.
    Tokens(Vec<u32>),
}

/// A text, tokens, a list of texts, or a list of tokens of each prompt.
pub fn prompts(app: &App, value: &Value, path: &str) -> Result<Vec<Prompt>> {
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
        _ => Err(wrong(&format!("{path}[0]"), "a string, a token or a list of tokens", &first)),
    }
}

impl Prompt {
    /// The tokens, of a text with those that the tokenizer puts around it, or without; of an empty one, the end of the document before.
    pub fn tokens(self, app: &App, add_special: bool) -> Result<Vec<u32>> {
        match self {
            Prompt::Tokens(tokens) => Ok(tokens),
            Prompt::Text(text) => Ok(app.engine.prompt(&text, !add_special)?),
        }
    }
}

/// How long a prompt may be.
pub struct Room {
    /// The last so many tokens are taken, or the first; all of them without it.
    truncate: Option<i64>,
    keeps_first: bool,
}

impl Room {
    /// The fields `truncate_prompt_tokens` and `truncation_side`.
    pub fn read(fields: &Fields<'_>) -> Result<Room> {
        let side = fields.read("truncation_side", one_of(&["left", "right"]))?;
        let keeps_first = side.is_some_and(|side| side == "right");
        let truncate = |value: &Value, path: &str| match integer(value, path)? {
            n if n < -1 => Err(Refusal::field(path, format!("`{path}` is {n}, but must be -1 or more"))),
            n => Ok(n),
        };
        Ok(Room { truncate: fields.read("truncate_prompt_tokens", truncate)?, keeps_first })
    }

    /// The last tokens that fit, where nothing else is asked for.
    pub fn or_last(self) -> Room {
        Room { truncate: self.truncate.or(Some(-1)), ..self }
    }

    /// The tokens of a prompt. A text of which it is certain beforehand that it does not fit is not read.
    pub fn tokens(&self, prompt: Prompt, app: &App, add_special: bool, path: &str) -> Result<Vec<u32>> {
        if let Prompt::Text(text) = &prompt {
            self.fits(text, app, path)?;
        }
        prompt.tokens(app, add_special).map_err(|e| e.at(path))
    }

    /// # Errors
    /// The text has more tokens than the model's context, which is certain by its length.
    pub fn fits(&self, text: &str, app: &App, path: &str) -> Result<()> {
        let length = app.engine.max_length();
        let least = app.engine.tokenizer().map_or(0, |tokenizer| tokenizer.fewest_ids(text));
        if self.truncate.is_some() || least <= length {
            return Ok(());
        }
        let message = format!("the model's context is {length} tokens, but the text has {least} at least");
        Err(Refusal::field(path, message).code("context_length_exceeded"))
    }

    /// The tokens that are left of a prompt which an answer of `wanted` follows.
    fn cut(&self, mut prompt: Vec<u32>, wanted: usize, app: &App, path: &str) -> Result<Vec<u32>> {
        let keep = match self.truncate {
            None => prompt.len(),
            // An answer that has room alone leaves one token of the prompt.
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

    /// The tokens of a text of which a vector is wanted, and where its second part begins, if it has one.
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

    /// The prompt as it is computed, and the most tokens of its answer: `most` or what the model's defaults say, and no more than the context has
    /// room for.
    ///
    /// # Errors
    /// The context has no room for a token after the prompt, where one is asked for.
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

/// The field `add_special_tokens`.
pub fn add_special(fields: &Fields<'_>, default: bool) -> Result<bool> {
    Ok(fields.read("add_special_tokens", flag)?.unwrap_or(default))
}

/// The most tokens of an answer.
pub fn most_tokens(fields: &Fields<'_>, name: &str, least: i64) -> Result<Option<usize>> {
    fields.read(name, at_least(least))
}
