use std::collections::VecDeque;

use jarrah_base::Result;
use jarrah_tokenizer::{DecodeStream, Tokenizer};

use super::{Beginning, ReasoningFormat, Splitter};
use crate::tools::parse::Watch;

/// Where a sequence of tokens stands in its reasoning: whether it goes on, and whether it has to end because its budget is spent.
///
/// While [`is_thinking`](Thinking::is_thinking), a constraint on the answer does not apply yet; where the model [may
/// begin](Thinking::may_begin) to reason, that token may come beside those that the constraint allows. A budget counts the tokens of reasoning; when they
/// are spent, [`forced`](Thinking::forced) names the tokens of the mark that ends it, one by one.
///
/// ```
/// use jarrah_structured::{Beginning, ReasoningFormat, Thinking};
/// use jarrah_tokenizer::{TrainOptions, train};
/// let tokenizer = train(&["a"], &TrainOptions::new(257))?;
/// let mut thinking = Thinking::new(&tokenizer, ReasoningFormat::Qwen3, Beginning::Inside, Some(3))?;
/// let mut text = Vec::new();
/// while thinking.is_thinking() {
///     let token = thinking.forced().unwrap_or(tokenizer.encode("m")?[0]);
///     thinking.push(token)?;
///     text.push(token);
/// }
/// assert_eq!(tokenizer.decode(&text, false)?, "mmm</think>");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Thinking {
    stream: DecodeStream,
    state: State,
    budget: Option<usize>,
    spent: usize,
    // The tokens of the mark that begins the reasoning.
    begin: Vec<u32>,
    // The tokens of the mark that ends the reasoning, and the tokens of it that are still forced.
    end: Vec<u32>,
    forced: VecDeque<u32>,
}

enum State {
    Marked(Splitter),
    // Harmony: until the message of the final channel begins.
    Harmony { watch: Watch, analysis: bool },
    Over,
}

/// The marks of Harmony that matter here.
const HARMONY: [&str; 3] = ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|end|>"];

impl Thinking {
    /// The state at the beginning of an output.
    ///
    /// # Errors
    /// The tokenizer cannot write the mark that ends the reasoning (`Input`).
    pub fn new(
        tokenizer: &Tokenizer,
        format: ReasoningFormat,
        beginning: Beginning,
        budget: Option<usize>,
    ) -> Result<Thinking> {
        let state = match format {
            ReasoningFormat::OpenAiGptOss => {
                State::Harmony { watch: Watch::new(&HARMONY), analysis: beginning == Beginning::Inside }
            }
            _ => State::Marked(Splitter::new(Some((format, beginning)))),
        };
        Ok(Thinking {
            stream: tokenizer.decode_stream(false),
            state,
            budget,
            spent: 0,
            begin: tokenizer.encode_chat(format.begins()[0])?,
            end: tokenizer.encode_chat(format.ends()[0])?,
            forced: VecDeque::new(),
        })
    }

    /// Whether the answer has not begun.
    pub fn is_thinking(&self) -> bool {
        match &self.state {
            State::Marked(splitter) => splitter.is_open(),
            State::Harmony { .. } => true,
            State::Over => false,
        }
    }

    /// The token that would open the reasoning here, where nothing has been written and the mark is one token.
    pub fn may_begin(&self) -> Option<u32> {
        match (&self.state, &self.begin[..]) {
            (State::Marked(splitter @ Splitter::Start { .. }), [mark]) if !splitter.is_open() => Some(*mark),
            _ => None,
        }
    }

    /// The mark that may begin the reasoning here, where it is several tokens: one by one they may be the beginning of an answer, too.
    pub fn may_begin_by(&self) -> Option<&[u32]> {
        let begins =
            matches!(&self.state, State::Marked(splitter @ Splitter::Start { .. }) if !splitter.is_open());
        Some(&self.begin[..]).filter(|mark| begins && mark.len() > 1)
    }

    /// The tokens of reasoning so far, marks among them.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// The token that has to come next, because the budget is spent.
    pub fn forced(&self) -> Option<u32> {
        self.forced.front().copied()
    }

    /// Takes the next token of the output.
    ///
    /// # Errors
    /// The token is not in the vocabulary (`Input`).
    pub fn push(&mut self, token: u32) -> Result<()> {
        if matches!(self.state, State::Over) {
            return Ok(());
        }
        let text = self.stream.push(token)?;
        for c in text.chars() {
            match &mut self.state {
                State::Marked(splitter) => splitter.push(c, &mut |_, _| {}),
                State::Harmony { watch, analysis } => match watch.push(c).1 {
                    Some(0) => *analysis = true,
                    Some(1) => self.state = State::Over,
                    Some(_) => *analysis = false,
                    None => {}
                },
                State::Over => {}
            }
        }
        if let State::Marked(Splitter::After) = self.state {
            self.state = State::Over;
        }
        let open = match &self.state {
            State::Marked(splitter) => splitter.is_open(),
            State::Harmony { analysis, .. } => *analysis,
            State::Over => false,
        };
        if !open {
            self.forced.clear();
            return Ok(());
        }
        self.spent += 1;
        match self.forced.front() {
            // The mark goes on; where another token came instead, it begins again.
            Some(&next) if next == token => {
                self.forced.pop_front();
                if self.forced.is_empty() {
                    self.forced.extend(&self.end);
                }
            }
            _ => {
                self.forced.clear();
                if self.budget.is_some_and(|budget| self.spent >= budget) {
                    self.forced.extend(&self.end);
                }
            }
        }
        Ok(())
    }
}
