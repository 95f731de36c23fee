//! Logprobs in the shapes of completions and of chats.

use jarrah_tokenizer::Tokenizer;
use serde_json::{Map, Value, json};

use crate::app::App;
use jarrah_serve::{Logprob, TokenLogprobs};

/// What stands for minus infinity, which JSON lacks.
const LEAST: f32 = -9999.0;

/// How tokens are written.
pub struct Names<'a> {
    tokenizer: Option<&'a Tokenizer>,
}

impl Names<'_> {
    /// As texts, or, without a tokenizer or where ids were asked for, as `token_id:7`.
    pub fn of(app: &App, ids: bool) -> Names<'_> {
        Names { tokenizer: app.engine.tokenizer().filter(|_| !ids) }
    }

    fn name(&self, token: u32) -> String {
        let text = self.tokenizer.and_then(|tokenizer| tokenizer.decode(&[token], false).ok());
        text.unwrap_or_else(|| format!("token_id:{token}"))
    }

    /// `logprobs` of a completion; `offset` is where in the text the first token begins, in characters.
    pub fn completion(&self, tokens: &[u32], logprobs: &[Option<TokenLogprobs>], mut offset: usize) -> Value {
        let (mut names, mut offsets, mut values, mut tops) = (vec![], vec![], vec![], vec![]);
        for (i, &token) in tokens.iter().enumerate() {
            let name = self.name(token);
            let found = logprobs.get(i).and_then(Option::as_ref);
            offsets.push(offset);
            offset += name.chars().count();
            names.push(name);
            values.push(found.map(|l| l.chosen.logprob.max(LEAST)));
            tops.push(found.map(|l| {
                let all = l.top.iter().chain([&l.chosen]);
                all.map(|l| (self.name(l.token), l.logprob.max(LEAST).into())).collect::<Map<_, Value>>()
            }));
        }
        json!({"text_offset": offsets, "token_logprobs": values, "tokens": names, "top_logprobs": tops})
    }

    /// `logprobs.content` of a chat.
    pub fn chat(&self, logprobs: &[TokenLogprobs]) -> Value {
        let entry = |l: &Logprob| {
            let name = self.name(l.token);
            json!({"bytes": name.as_bytes(), "logprob": l.logprob.max(LEAST), "token": name})
        };
        let content = logprobs.iter().map(|l| {
            let mut own = entry(&l.chosen);
            own["top_logprobs"] = l.top.iter().map(entry).collect();
            own
        });
        content.collect()
    }

    /// `prompt_logprobs`: for each token of the prompt an object from tokens to what is known of them, nothing for the first.
    pub fn prompt(&self, logprobs: &[Option<TokenLogprobs>]) -> Value {
        let position = |l: &TokenLogprobs| -> Value {
            let entry = |l: &Logprob| {
                let name = self.name(l.token);
                (
                    l.token.to_string(),
                    json!({"decoded_token": name, "logprob": l.logprob.max(LEAST), "rank": l.rank}),
                )
            };
            l.top.iter().chain([&l.chosen]).map(entry).collect::<Map<_, _>>().into()
        };
        logprobs.iter().map(|l| l.as_ref().map_or(Value::Null, position)).collect()
    }
}
