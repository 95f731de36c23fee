//! Parsers of calls, character by character: results do not depend on where the text is cut.

mod harmony;
mod json;
mod marked;
mod named;
mod objects;
mod out;
mod pythonic;
mod watch;
mod xml;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::{Tool, ToolFormat};
use marked::{Inside, Marked};
use named::{Mistral, Named};
use objects::Objects;
pub(crate) use out::Out;
use pythonic::Pythonic;
pub(crate) use watch::Watch;
use xml::Xml;

/// A parser of the text behind the reasoning.
pub(crate) trait Parse: Send {
    /// Takes the next character.
    fn push(&mut self, c: char, out: &mut Out);
    /// The text ends.
    fn finish(&mut self, out: &mut Out);
}

/// A parser that finds no calls.
struct Plain;

impl Parse for Plain {
    fn push(&mut self, c: char, out: &mut Out) {
        out.plain(c);
    }

    fn finish(&mut self, _: &mut Out) {}
}

/// The parser of a format.
pub(crate) fn parser(format: Option<ToolFormat>, tools: &[Tool]) -> Box<dyn Parse> {
    let Some(format) = format else { return Box::new(Plain) };
    match format {
        ToolFormat::OpenAi => Box::new(harmony::Harmony::new()),
        ToolFormat::Hermes => objects(&["<tool_call>"], "</tool_call>"),
        ToolFormat::Longcat => objects(&["<longcat_tool_call>"], "</longcat_tool_call>"),
        ToolFormat::Jamba => objects(&["<tool_calls>"], "</tool_calls>"),
        ToolFormat::Phi4MiniJson => objects(&["functools"], ""),
        ToolFormat::Granite => {
            let marks = ["<|tool_call|>", "<tool_call>"];
            let new = move |mark| Objects::new(marks[mark], ["", "</tool_call>"][mark], "");
            Marked::new(&marks, new, None)
        }
        ToolFormat::Llama3Json => {
            let first: Box<dyn Inside> = Box::new(Objects::new("", "", ";"));
            Marked::new(&["<|python_tag|>"], |_| Objects::new("<|python_tag|>", "", ";"), Some(('{', first)))
        }
        ToolFormat::Pythonic | ToolFormat::Llama4Pythonic => python("<|python_start|>", "<|python_end|>"),
        ToolFormat::Lfm2 => python("<|tool_call_start|>", "<|tool_call_end|>"),
        ToolFormat::Mistral => Marked::new(&["[TOOL_CALLS]"], |_| Mistral::new(), None),
        ToolFormat::DeepSeekV3 => named(&named::DEEPSEEK_V3),
        ToolFormat::DeepSeekV31 => named(&named::DEEPSEEK_V31),
        ToolFormat::KimiK2 => named(&named::KIMI_K2),
        ToolFormat::Qwen3Coder => {
            let schema = |tool: &Tool| (tool.name.clone(), tool.parameters.clone());
            let schemas: Arc<HashMap<String, Value>> = Arc::new(tools.iter().map(schema).collect());
            Marked::new(
                &["<tool_call>", "<function="],
                move |mark| Xml::new(mark == 1, schemas.clone()),
                None,
            )
        }
    }
}

/// JSON objects behind one of some marks.
fn objects(marks: &'static [&'static str], end: &'static str) -> Box<dyn Parse> {
    Marked::new(marks, move |mark| Objects::new(marks[mark], end, ""), None)
}

/// Calls as Python writes them, in a list at the beginning or behind a mark.
fn python(mark: &'static str, end: &'static str) -> Box<dyn Parse> {
    let first: Box<dyn Inside> = Box::new(Pythonic::new("", end));
    Marked::new(&[mark], move |_| Pythonic::new(mark, end), Some(('[', first)))
}

/// A name and a JSON object, between marks.
fn named(form: &'static named::Form) -> Box<dyn Parse> {
    Marked::new(form.marks, move |mark| Named::new(form, mark), None)
}
