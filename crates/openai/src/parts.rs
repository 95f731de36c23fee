//! Divides the text of a chat's answer into reasoning, content and tool calls.

use jarrah_serve::Reasoning;
use jarrah_structured::{
    Beginning, Constraint, Delta, OutputParser, ReasoningFormat, ToolChoice, ToolFormat,
};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::constraint::Wanted;

/// The formats by which the answers to a chat are divided.
pub struct Division {
    calls: Option<ToolFormat>,
    reasoning: Option<(ReasoningFormat, Beginning)>,
}

impl Division {
    /// The division by the server's options, of texts that follow `prompt`.
    pub fn of(app: &App, wanted: &Wanted, prompt: &str) -> Division {
        Division {
            calls: app.options.tools.filter(|_| wanted.choice != ToolChoice::None),
            reasoning: app.options.reasoning.map(|format| (format, format.beginning(prompt))),
        }
    }

    /// Whether the text is divided by marks, which are special tokens.
    pub fn has_marks(&self) -> bool {
        self.calls.is_some() || self.reasoning.is_some()
    }

    /// The parser for the text of one choice.
    pub fn parts(&self, app: &App, wanted: &Wanted) -> Parts {
        Parts::new(self.reasoning, self.calls, wanted, app.shared.word())
    }

    /// The reasoning that precedes a constrained text, of at most `budget` tokens.
    pub fn reasoning(&self, constraint: Option<&Constraint>, budget: Option<usize>) -> Option<Reasoning> {
        // The grammar of tool calls in Harmony includes the reasoning.
        let has_it = matches!(constraint, Some(Constraint::ToolCalls { .. }));
        let reasoning =
            self.reasoning.filter(|(format, _)| !(has_it && *format == ReasoningFormat::OpenAiGptOss));
        reasoning.map(|(format, beginning)| Reasoning { format, beginning, budget })
    }
}

/// The parser of one choice's text.
pub struct Parts {
    parser: Option<OutputParser>,
    /// Whether the answer may have more than one call.
    parallel: bool,
    calls: bool,
}

impl Parts {
    /// A parser by these formats; without any, the text is all content. The `seed` makes the ids of the calls.
    fn new(
        reasoning: Option<(ReasoningFormat, Beginning)>,
        format: Option<ToolFormat>,
        wanted: &Wanted,
        seed: u64,
    ) -> Parts {
        let is_divided = reasoning.is_some() || format.is_some();
        let parser = is_divided.then(|| OutputParser::new(reasoning, format, &wanted.tools, seed));
        Parts { parser, parallel: wanted.parallel, calls: false }
    }

    /// Whether reasoning or calls may have to be separated from the content.
    pub fn is_divided(&self) -> bool {
        self.parser.is_some()
    }

    /// Parses the next piece of text, the last one or not, into deltas in the order of the text. Without parallel calls, calls
    /// after the first are dropped.
    pub fn divide(&mut self, text: &str, is_last: bool) -> Vec<Delta> {
        let mut deltas = match &mut self.parser {
            Some(parser) => parser.push(text),
            None => vec![Delta::Content(text.to_owned())],
        };
        if let Some(parser) = self.parser.as_mut().filter(|_| is_last) {
            deltas.extend(parser.finish());
        }
        // Unless it is constrained, a model may write more calls than it was allowed to.
        deltas.retain(|delta| match delta {
            Delta::Call { index, .. } | Delta::Arguments { index, .. } => self.parallel || *index == 0,
            Delta::Content(_) | Delta::Reasoning(_) => true,
        });
        deltas
    }

    /// Parses the next piece of text, the last one or not, into the fields that it adds to a message: `content`, `reasoning` and
    /// `tool_calls`, as far as the piece has any.
    pub fn push(&mut self, text: &str, is_last: bool) -> Map<String, Value> {
        let (mut reasoning, mut content) = (String::new(), String::new());
        let mut calls: Vec<Value> = Vec::new();
        for delta in self.divide(text, is_last) {
            match delta {
                Delta::Reasoning(text) => reasoning += &text,
                Delta::Content(text) => content += &text,
                Delta::Call { index, id, name } => calls.push(json!({
                    "index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""},
                })),
                Delta::Arguments { index, text } => {
                    match calls.iter_mut().find(|call| call["index"] == index) {
                        Some(call) => {
                            let before = call["function"]["arguments"].as_str().unwrap_or_default();
                            call["function"]["arguments"] = format!("{before}{text}").into();
                        }
                        None => calls.push(json!({"index": index, "function": {"arguments": text}})),
                    }
                }
            }
        }
        self.calls |= !calls.is_empty();
        let mut parts = Map::new();
        for (name, text) in [("reasoning", reasoning), ("content", content)] {
            if !text.is_empty() {
                parts.insert(name.to_owned(), text.into());
            }
        }
        if !calls.is_empty() {
            parts.insert("tool_calls".to_owned(), calls.into());
        }
        parts
    }

    /// The `finish_reason` of the choice: `tool_calls` instead of `stop` if the text has calls.
    pub fn reason(&self, reason: &'static str) -> &'static str {
        if self.calls && reason == "stop" { "tool_calls" } else { reason }
    }
}
