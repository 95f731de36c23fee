//! Conversations as the prompts of a model: the templates in Jinja that models come with, rendered as `apply_chat_template` of
//! transformers renders them.
//!
//! ```
//! use jarrah_tokenizer::chat::{Chat, Template};
//! let template = Template::new(
//!     "{% for m in messages %}<{{ m.role }}>{{ m['content'] | trim }}\n{% endfor %}\
//!      {% if add_generation_prompt %}<assistant>{% endif %}",
//! )?;
//! let mut chat = Chat::parse(r#"{"messages": [{"role": "user", "content": " Hello. "}]}"#)?;
//! chat.add_generation_prompt = true;
//! assert_eq!(template.render(&chat)?, "<user>Hello.\n<assistant>");
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod arguments;
mod conversation;
mod example;
pub mod fields;
mod filters;
mod float;
mod folder;
mod json;
mod macros;
mod messages;
mod methods;
mod preference;
mod record;
mod source;
mod template;
mod text;
mod time;
mod value;
mod weight;

pub use conversation::Chat;
pub use example::ChatExample;
pub use folder::Templates;
pub use jarrah_formats::json::unmarked;
pub use messages::{content, message, with};
pub use minijinja::Value as ChatValue;
pub use minijinja::value::ValueKind;
pub use preference::PreferencePair;
pub use record::Record;
pub use template::Template;
pub use time::strftime;
pub use value::{as_f64, of_json, parse, read, read_python, to_json};
