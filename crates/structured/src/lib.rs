//! Output that keeps to a form, and what is read of it: token masks for schemas, grammars and regular expressions; calls of tools and
//! reasoning in the text of a model, piece by piece.
//!
//! [`Constraint`] says what an output must be, [`Matcher`] which tokens keep it so. [`OutputParser`] divides the text that comes out into
//! reasoning, content and calls, wherever the pieces are cut; [`ToolFormat`] and [`ReasoningFormat`] name the forms that families of models have
//! for them; [`tools::constraint`] makes the grammar of a form, for calls that must come. [`Thinking`] counts the tokens of reasoning.
//!
//! Nothing here knows a model, an array or a socket: the engine asks for masks and hands on pieces of text.
//!
//! ```
//! use jarrah_structured::{Delta, OutputParser, ToolFormat};
//! let mut parser = OutputParser::new(None, Some(ToolFormat::Hermes), &[], 1);
//! let mut deltas = parser.push("Let me look. <tool_call>\n{\"name\": \"weather\", \"argum");
//! deltas.extend(parser.push("ents\": {\"city\": \"Perth\"}}\n</tool_call>"));
//! deltas.extend(parser.finish());
//! assert!(matches!(&deltas[0], Delta::Content(text) if text == "Let me look. "));
//! assert!(matches!(&deltas[1], Delta::Call { index: 0, name, .. } if name == "weather"));
//! assert!(matches!(&deltas[2], Delta::Arguments { index: 0, text } if text == "{\"city\": \"Perth\"}"));
//! ```
//!
//! # What a mask costs
//! MEASURED

mod constraint;
mod grammar;
mod limits;
mod mask;
mod matcher;
mod output;
pub mod reasoning;
pub mod tools;
mod vocabulary;

pub use constraint::Constraint;
pub use mask::Mask;
pub use matcher::Matcher;
pub use output::{Delta, Message, OutputParser, ToolCall};
pub use reasoning::{Beginning, ReasoningFormat, Thinking};
pub use tools::{Tool, ToolChoice, ToolFormat};
pub use vocabulary::Vocabulary;
