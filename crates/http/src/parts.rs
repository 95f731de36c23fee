//! The parts of a chat's answer: reasoning, content, and calls of tools.

use jarrah_serve::Reasoning;
use jarrah_structured::{
    Beginning, Constraint, Delta, OutputParser, ReasoningFormat, ToolChoice, ToolFormat,
};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::constraint::Wanted;

/// How the texts that answer a chat are divided.
pub struct Division {
    calls: Option<ToolFormat>,
    reasoning: Option<(ReasoningFormat, Beginning)>,
}

impl Division {
    /// As the server reads texts, behind a prompt.
    pub fn of(app: &App, wanted: &Wanted, prompt: &str) -> Division {
        Division {
            calls: app.options.tools.filter(|_| wanted.choice != ToolChoice::None),
            reasoning: app.options.reasoning.map(|format| (format, format.beginning(prompt))),
        }
    }

    /// Whether marks divide the texts, which are special tokens.
    pub fn has_marks(&self) -> bool {
        self.calls.is_some() || self.reasoning.is_some()
    }

    /// What divides one text.
    pub fn parts(&self, app: &App, wanted: &Wanted) -> Parts {
        Parts::new(self.reasoning, self.calls, wanted, app.word())
    }

    /// The reasoning before what a constraint keeps to its form, of so many tokens at most.
    pub fn reasoning(&self, constraint: Option<&Constraint>, budget: Option<usize>) -> Option<Reasoning> {
        // The grammar of calls has the reasoning of Harmony in it.
        let has_it = matches!(constraint, Some(Constraint::ToolCalls { .. }));
        let reasoning =
            self.reasoning.filter(|(format, _)| !(has_it && *format == ReasoningFormat::OpenAiGptOss));
        reasoning.map(|(format, beginning)| Reasoning { format, beginning, budget })
    }
}

/// Divides the text of one choice.
pub struct Parts {
    parser: Option<OutputParser>,
    /// Whether there may be more than one call.
    parallel: bool,
    calls: bool,
}

impl Parts {
    /// By formats, if there are any; the `seed` makes the ids of the calls.
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

    /// Whether something of the text may be apart.
    pub fn is_divided(&self) -> bool {
        self.parser.is_some()
    }

    /// What a piece of text, the last one or not, is, in the order of the text; but for calls beyond the first, where there may be one.
    pub fn divide(&mut self, text: &str, is_last: bool) -> Vec<Delta> {
        let mut deltas = match &mut self.parser {
            Some(parser) => parser.push(text),
            None => vec![Delta::Content(text.to_owned())],
        };
        if let Some(parser) = self.parser.as_mut().filter(|_| is_last) {
            deltas.extend(parser.finish());
        }
        // Where a model decides by itself what it calls, it may call more than it was allowed to.
        deltas.retain(|delta| match delta {
            Delta::Call { index, .. } | Delta::Arguments { index, .. } => self.parallel || *index == 0,
            Delta::Content(_) | Delta::Reasoning(_) => true,
        });
        deltas
    }

    /// What a piece of text, the last one or not, adds to a message: `content`, `reasoning` and `tool_calls`, as far as there is something of them.
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

    /// Why the choice ended, where its text ended by itself behind calls.
    pub fn reason(&self, reason: &'static str) -> &'static str {
        if self.calls && reason == "stop" { "tool_calls" } else { reason }
    }
}
