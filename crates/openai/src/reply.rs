//! The parts that the answers of chats and of completions have in common.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::answers::End;
use crate::app::App;
use crate::clock::now;
use crate::logprobs::Names;
use crate::refusal::{Refusal, Result};
use crate::usage::{Streaming, Usage};
use jarrah_tokenizer::chat::fields::Fields;

/// The settings by which an answer is written, of a chat or a completion.
pub struct Reply {
    pub app: Arc<App>,
    /// The name of the model in the answer.
    pub model: String,
    pub id: String,
    pub created: u64,
    /// The number of choices of each prompt.
    pub choices: usize,
    pub streaming: Streaming,
    pub logprobs: bool,
    pub prompt_logprobs: bool,
    pub token_ids: bool,
    pub names_are_ids: bool,
}

impl Reply {
    /// Reads the fields that say how the answer is written; its id begins with `kind`.
    pub fn read(app: &Arc<App>, fields: &Fields<'_>, kind: &str, adapter: Option<&str>) -> Result<Reply> {
        let streaming = Streaming::read(fields)?;
        let prompt_logprobs = fields.get("prompt_logprobs").is_some();
        if prompt_logprobs && streaming.on {
            let message = "`prompt_logprobs` are given with the whole answer: leave out `stream`";
            return Err(Refusal::field("prompt_logprobs", message));
        }
        Ok(Reply {
            app: app.clone(),
            model: adapter.unwrap_or_else(|| app.name()).to_owned(),
            id: format!("{kind}-{}", app.id()),
            created: now(),
            choices: 1,
            streaming,
            logprobs: false,
            prompt_logprobs,
            token_ids: fields.flag("return_token_ids")?,
            names_are_ids: fields.flag("return_tokens_as_token_ids")?,
        })
    }

    pub fn names(&self) -> Names<'_> {
        Names::of(&self.app, self.names_are_ids)
    }

    /// The JSON object of a whole answer, or of one piece.
    pub fn object(&self, kind: &str, choices: Vec<Value>, usage: Option<Usage>) -> Value {
        let mut object = json!({
            "id": self.id, "object": kind, "created": self.created, "model": self.model, "choices": choices,
        });
        if let Some(usage) = usage {
            object["usage"] = usage.json();
        }
        object
    }

    /// The usage that every piece carries, if the request asks for it.
    pub fn continuous(&self, usage: Usage) -> Option<Usage> {
        self.streaming.continuous.then_some(usage)
    }

    /// The JSON object of a choice without its text: the reason why it ended, if it did, its logprobs and, if asked for, its
    /// tokens.
    pub fn choice(&self, index: usize, logprobs: Value, end: Option<&End>, tokens: &[u32]) -> Value {
        let (reason, stop) = (end.map(|end| end.reason), end.map(|end| &end.stop));
        let mut choice =
            json!({"index": index, "logprobs": logprobs, "finish_reason": reason, "stop_reason": stop});
        if self.token_ids {
            choice["token_ids"] = tokens.into();
        }
        choice
    }
}
