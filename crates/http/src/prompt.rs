//! Prompts: texts, tokens, and what of them fits.

use jarrah_tokenizer::chat::{Value, ValueKind};

use crate::app::App;
use crate::fields::{Fields, at_least, flag, id, integer, items, list, text, wrong};
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
        let side = fields.read("truncation_side", text)?;
        let keeps_first = match side.as_deref() {
            None | Some("left") => false,
            Some("right") => true,
            Some(side) => {
                let path = fields.path("truncation_side");
                let message = format!("`{path}` is `{side}`, but must be `left` or `right`");
                return Err(Refusal::field(path, message));
            }
        };
        let truncate = |value: &Value, path: &str| match integer(value, path)? {
            n if n < -1 => Err(Refusal::field(path, format!("`{path}` is {n}, but must be -1 or more"))),
            n => Ok(n),
        };
        Ok(Room { truncate: fields.read("truncate_prompt_tokens", truncate)?, keeps_first })
    }

    /// The prompt as it is computed, and the most tokens of its answer: `most`, or what the model's defaults say, or all that are left.
    pub fn fit(
        &self,
        mut prompt: Vec<u32>,
        most: Option<usize>,
        app: &App,
        path: &str,
    ) -> Result<(Vec<u32>, usize)> {
        let length = app.engine.max_length();
        let keep = match self.truncate {
            None => prompt.len(),
            Some(-1) => length.saturating_sub(most.unwrap_or(1)),
            Some(n) => n as usize,
        };
        if keep < prompt.len() {
            match self.keeps_first {
                true => prompt.truncate(keep),
                false => drop(prompt.drain(..prompt.len() - keep)),
            }
        }
        if prompt.is_empty() {
            return Err(Refusal::field(path, format!("`{path}` has no tokens: give at least one")));
        }
        let wanted = most.unwrap_or(1);
        if prompt.len().saturating_add(wanted) > length {
            let message = format!(
                "the model's context is {length} tokens, but the prompt has {} and the answer {wanted}{}",
                prompt.len(),
                if most.is_some() { "" } else { " at least" }
            );
            return Err(Refusal::field(path, message).code("context_length_exceeded"));
        }
        let left = length - prompt.len();
        let usual = app.engine.defaults().max_tokens.map_or(left, |usual| usual.min(left));
        Ok((prompt, most.unwrap_or(usual)))
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
