//! Logprobs in the JSON shapes of completions and of chats.

use std::fmt::Write;

use jarrah_tokenizer::Tokenizer;
use serde_json::{Map, Value, json};

use crate::app::App;
use jarrah_serve::{AnswerPlace, Logprob, TokenLogprobs};

/// The number written for a logprob of minus infinity, which JSON lacks.
const LEAST: f32 = -9999.0;

/// How tokens are named in answers.
pub struct Names<'a> {
    tokenizer: Option<&'a Tokenizer>,
    ids: bool,
}

/// Counts the characters of a text that comes token by token as bytes, where bytes that are no UTF-8 are written as `\u{fffd}`.
#[derive(Clone, Default)]
pub struct Offset {
    /// The characters that are complete.
    whole: usize,
    /// The bytes of a character that is not.
    open: Vec<u8>,
}

impl Offset {
    /// The characters that begin in the tokens so far.
    fn characters(&self) -> usize {
        self.whole + usize::from(!self.open.is_empty())
    }

    fn push(&mut self, bytes: &[u8]) {
        self.open.extend(bytes);
        let mut rest = self.open.as_slice();
        loop {
            let (valid, wrong) = match std::str::from_utf8(rest) {
                Ok(text) => (text.len(), None),
                Err(error) => (error.valid_up_to(), error.error_len()),
            };
            self.whole += rest[..valid].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
            rest = &rest[valid..];
            let Some(wrong) = wrong else { break };
            self.whole += 1;
            rest = &rest[wrong..];
        }
        self.open = rest.to_vec();
    }
}

impl Names<'_> {
    /// Names tokens by their texts; without a tokenizer, or if `ids`, as `token_id:7`.
    pub fn of(app: &App, ids: bool) -> Names<'_> {
        Names { tokenizer: app.engine.tokenizer(), ids }
    }

    /// The bytes that a token adds to a text; of a special token, those of its name. `place` is the place of the token that was
    /// chosen at this position. Nothing if the tokenizer does not know the token.
    fn bytes(&self, token: u32, place: AnswerPlace) -> Option<Vec<u8>> {
        let tokenizer = self.tokenizer?;
        match place {
            AnswerPlace::Begins => tokenizer.first_bytes(token),
            AnswerPlace::Within | AnswerPlace::Outside => tokenizer.token_bytes(token),
        }
    }

    /// The name of a token: its text; for a part of a character its bytes as OpenAI writes them, `bytes:\xe2\x82`.
    fn name(&self, token: u32, place: AnswerPlace) -> String {
        match self.bytes(token, place).filter(|_| !self.ids).map(String::from_utf8) {
            Some(Ok(text)) => text,
            Some(Err(part)) => part.as_bytes().iter().fold("bytes:".to_owned(), |mut name, byte| {
                // Writing to a string does not fail.
                let _ = write!(name, "\\x{byte:02x}");
                name
            }),
            None => format!("token_id:{token}"),
        }
    }

    /// The object `logprobs` of a completion, whose tokens follow those that `offset` has counted.
    pub fn completion(
        &self,
        tokens: &[u32],
        logprobs: &[Option<TokenLogprobs>],
        offset: &mut Offset,
    ) -> Value {
        let (mut names, mut offsets, mut values, mut tops) = (vec![], vec![], vec![], vec![]);
        for (i, &token) in tokens.iter().enumerate() {
            let found = logprobs.get(i).and_then(Option::as_ref);
            let place = found.map_or(AnswerPlace::Within, |found| found.place);
            let name = self.name(token, place);
            offsets.push(offset.characters());
            match self.bytes(token, place) {
                _ if place == AnswerPlace::Outside => {}
                Some(bytes) => offset.push(&bytes),
                None => offset.push(name.as_bytes()),
            }
            names.push(name);
            values.push(found.map(|l| l.chosen.logprob.max(LEAST)));
            tops.push(found.map(|l| {
                let all = l.top.iter().chain([&l.chosen]);
                let all = all.map(|l| (self.name(l.token, place), l.logprob.max(LEAST).into()));
                all.collect::<Map<_, Value>>()
            }));
        }
        json!({"text_offset": offsets, "token_logprobs": values, "tokens": names, "top_logprobs": tops})
    }

    /// The list `logprobs.content` of a chat. The bytes of the chosen tokens, concatenated, are those of the text: a token that
    /// is no part of the text has none.
    pub fn chat(&self, logprobs: &[TokenLogprobs]) -> Value {
        let entry = |l: &Logprob, place: AnswerPlace| {
            let bytes = self.bytes(l.token, place);
            json!({"bytes": bytes, "logprob": l.logprob.max(LEAST), "token": self.name(l.token, place)})
        };
        let content = logprobs.iter().map(|l| {
            let mut own = entry(&l.chosen, l.place);
            if l.place == AnswerPlace::Outside {
                own["bytes"] = json!([]);
            }
            own["top_logprobs"] = l.top.iter().map(|top| entry(top, l.place)).collect();
            own
        });
        content.collect()
    }

    /// The list `prompt_logprobs`: for each token of the prompt an object from token ids to their logprobs and ranks, null for
    /// the first token.
    pub fn prompt(&self, logprobs: &[Option<TokenLogprobs>]) -> Value {
        let position = |l: &TokenLogprobs| -> Value {
            let entry = |l: &Logprob| {
                let name = self.name(l.token, AnswerPlace::Within);
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
