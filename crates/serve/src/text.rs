use std::ops::ControlFlow;

use jarrah_base::Result;
use jarrah_tokenizer::DecodeStream;

use crate::generator::{Completion, Finish, Request};
use crate::stop::StopStrings;

/// A text while it is generated: its tokens, which of them the cache has seen, and what of it was shown.
pub struct Text {
    /// The tokens of the prompt, then those that were drawn.
    sequence: Vec<u32>,
    prompt: usize,
    most: usize,
    /// Where in the sequence the window begins that goes through the model, and how many tokens of it the cache has seen.
    start: usize,
    seen: usize,
    finish: Option<Finish>,
    stop: StopStrings,
    stream: DecodeStream,
    shown: String,
    /// How many tokens were drawn past the context.
    pub past_context: usize,
}

impl Text {
    /// What `request` asks for, before its first token.
    pub fn new(request: &Request, prompt: Vec<u32>, stream: DecodeStream) -> Result<Text> {
        Ok(Text {
            prompt: prompt.len(),
            sequence: prompt,
            most: request.max_tokens,
            start: 0,
            seen: 0,
            finish: (request.max_tokens == 0).then_some(Finish::MaxTokens),
            stop: StopStrings::new(&request.stop)?,
            stream,
            shown: String::new(),
            past_context: 0,
        })
    }

    /// The place of the next token in the sequence.
    pub fn place(&self) -> usize {
        self.sequence.len()
    }

    /// How many tokens the model has yet to see before the next is drawn; none if the text is finished.
    ///
    /// Where the sequence is longer than `context`, the window moves with each token: the model sees it anew.
    pub fn pending(&mut self, context: usize) -> usize {
        if self.finish.is_some() {
            return 0;
        }
        let start = self.place().saturating_sub(context);
        if start != self.start {
            (self.start, self.seen) = (start, 0);
        }
        self.place() - self.start - self.seen
    }

    /// The next tokens for the model, at most `size`, and the position of the first; none if the text is finished.
    pub fn feed(&mut self, size: usize) -> (&[u32], usize) {
        let position = self.seen;
        if self.finish.is_some() {
            return (&[], position);
        }
        let from = self.start + position;
        let tokens = &self.sequence[from..self.sequence.len().min(from + size)];
        self.seen += tokens.len();
        (tokens, position)
    }

    /// Goes on by a token, and finishes where this is the last.
    pub fn push(
        &mut self,
        token: u32,
        eos: Option<u32>,
        show: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<()> {
        self.sequence.push(token);
        self.finish = if Some(token) == eos {
            Some(Finish::EndOfText)
        } else {
            let piece = self.stream.push(token)?;
            let (text, stop) = self.stop.push(&piece);
            if self.give(&text, show).is_break() {
                Some(Finish::Cancelled)
            } else if let Some(stop) = stop {
                Some(Finish::Stop(stop))
            } else {
                (self.place() - self.prompt == self.most).then_some(Finish::MaxTokens)
            }
        };
        Ok(())
    }

    fn give(&mut self, text: &str, show: &mut dyn FnMut(&str) -> ControlFlow<()>) -> ControlFlow<()> {
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        self.shown += text;
        show(text)
    }

    /// The finished text. Lets go of what is held back, unless a stop string or the receiver ended it.
    pub fn complete(mut self, show: &mut dyn FnMut(&str) -> ControlFlow<()>) -> Result<Completion> {
        let finish = self.finish.take().unwrap_or(Finish::MaxTokens);
        let mut text = self.shown;
        if !matches!(finish, Finish::Stop(_) | Finish::Cancelled) {
            let (mut rest, found) = self.stop.push(&self.stream.finish()?);
            if found.is_none() {
                rest += &self.stop.finish();
            }
            text += &rest;
            if !rest.is_empty() {
                // Nothing follows that a break could hold back.
                let _ = show(&rest);
            }
        }
        let tokens = self.sequence.split_off(self.prompt);
        Ok(Completion { text, tokens, prompt_tokens: self.prompt, past_context: self.past_context, finish })
    }
}
