//! The text of an output, divided into reasoning, content and calls.

use crate::reasoning::{Beginning, ReasoningFormat, Side, Splitter};
use crate::tools::parse::{self, Out, Parse};
use crate::tools::{Tool, ToolFormat};

/// A piece of a message, as a stream gives it to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// More of the reasoning.
    Reasoning(String),
    /// More of the content.
    Content(String),
    /// A call begins.
    Call {
        /// Its place among the calls of the message.
        index: usize,
        /// The id by which the tool's answer refers to the call: the model's own where its format has ids.
        id: String,
        /// The name of the tool.
        name: String,
    },
    /// More of the arguments of a call, as JSON.
    Arguments {
        /// The place of the call.
        index: usize,
        /// The piece.
        text: String,
    },
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// The id by which the tool's answer refers to the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments: a JSON object as the model wrote it, which may be cut off where the output is.
    pub arguments: String,
}

/// A whole message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The reasoning; empty if there is none.
    pub reasoning: String,
    /// The content; empty if there is none.
    pub content: String,
    /// The calls, in their order.
    pub calls: Vec<ToolCall>,
}

impl Message {
    /// Adds a piece.
    pub fn add(&mut self, delta: &Delta) {
        match delta {
            Delta::Reasoning(text) => self.reasoning.push_str(text),
            Delta::Content(text) => self.content.push_str(text),
            Delta::Call { index, id, name } => {
                debug_assert_eq!(*index, self.calls.len(), "calls begin in their order");
                self.calls.push(ToolCall { id: id.clone(), name: name.clone(), arguments: String::new() });
            }
            Delta::Arguments { index, text } => {
                if let Some(call) = self.calls.get_mut(*index) {
                    call.arguments.push_str(text);
                }
            }
        }
    }
}

/// Divides the text of an output that arrives in pieces.
///
/// The pieces that it gives, joined, are the same wherever the text is cut: what may be the beginning of a mark is held back until it is known. What
/// looks like a call and turns out to be none is content. A call that is cut off behind its name has as much of its arguments as came; before, it is
/// content if it is the first. Marks, and white space that has nothing but calls around it, are in no piece.
///
/// The text must have the names of special tokens: decode with `skip_special` off, without the end token.
///
/// ```
/// use jarrah_structured::{Beginning, OutputParser, ReasoningFormat, ToolFormat};
/// let text = "<think>\nEasy.\n</think>\n<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>";
/// let reasoning = Some((ReasoningFormat::Qwen3, Beginning::Before));
/// let message = OutputParser::new(reasoning, Some(ToolFormat::Hermes), &[], 1).parse(text);
/// assert_eq!((message.reasoning.trim(), message.content.as_str()), ("Easy.", ""));
/// assert_eq!((message.calls[0].name.as_str(), message.calls[0].arguments.as_str()), ("now", "{}"));
/// ```
pub struct OutputParser {
    splitter: Splitter,
    tools: Box<dyn Parse>,
    out: Out,
}

impl OutputParser {
    /// A parser of outputs with reasoning in a format, if any, and where the output begins in it ([`ReasoningFormat::beginning`]); and of calls in a format, if any, of `tools`, whose schemas some formats need to tell a text from a
    /// number. The `seed` makes the ids of the calls: use another one for each output.
    ///
    /// Harmony ([`ReasoningFormat::OpenAiGptOss`], [`ToolFormat::OpenAi`]) has channels for everything: naming it in one place is enough.
    pub fn new(
        reasoning: Option<(ReasoningFormat, Beginning)>,
        format: Option<ToolFormat>,
        tools: &[Tool],
        seed: u64,
    ) -> OutputParser {
        let harmony = matches!(reasoning, Some((ReasoningFormat::OpenAiGptOss, _)))
            || format == Some(ToolFormat::OpenAi);
        let (reasoning, format) =
            if harmony { (None, Some(ToolFormat::OpenAi)) } else { (reasoning, format) };
        OutputParser {
            splitter: Splitter::new(reasoning),
            tools: parse::parser(format, tools),
            out: Out::new(format, seed),
        }
    }

    /// Takes the next piece of the text, and returns the deltas that are now certain.
    pub fn push(&mut self, text: &str) -> Vec<Delta> {
        for c in text.chars() {
            self.splitter.push(c, &mut |side, c| match side {
                Side::Reasoning => self.out.reasoning(c),
                Side::Content => self.tools.push(c, &mut self.out),
            });
        }
        self.out.take()
    }

    /// The rest, where the output ends.
    pub fn finish(&mut self) -> Vec<Delta> {
        self.splitter.finish(&mut |side, c| match side {
            Side::Reasoning => self.out.reasoning(c),
            Side::Content => self.tools.push(c, &mut self.out),
        });
        self.tools.finish(&mut self.out);
        self.out.finish();
        self.out.take()
    }

    /// The message of a whole text.
    pub fn parse(mut self, text: &str) -> Message {
        let mut message = Message::default();
        for delta in self.push(text).iter().chain(&self.finish()) {
            message.add(delta);
        }
        message
    }
}
