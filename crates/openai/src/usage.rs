use serde_json::{Value, json};

use crate::refusal::{Refusal, Result};
use jarrah_tokenizer::chat::fields::{Fault, Fields, object};

/// The number of tokens that a request took.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    pub prompt: usize,
    pub completion: usize,
    /// The prompt tokens that were found in the prefix cache.
    pub cached: usize,
}

impl Usage {
    pub fn json(self) -> Value {
        let Usage { prompt, completion, cached } = self;
        json!({
            "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": cached},
        })
    }
}

/// Whether an answer is streamed, and whether its events report usage.
#[derive(Clone, Copy, Default)]
pub struct Streaming {
    pub on: bool,
    /// Whether a last event reports the usage.
    pub usage: bool,
    /// Whether every other event reports the usage so far, too.
    pub continuous: bool,
}

impl Streaming {
    /// The fields `stream` and `stream_options`.
    pub fn read(fields: &Fields<'_>) -> Result<Streaming> {
        let on = fields.flag("stream")?;
        let options = |f: &Fields<'_>| {
            // OpenAI pads the pieces of streams against listeners; here nothing is padded.
            f.known(&["include_obfuscation"]);
            let usage = f.read("include_usage", jarrah_tokenizer::chat::fields::flag)?.unwrap_or(true);
            let continuous = f.flag("continuous_usage_stats")?;
            Ok::<_, Fault>((usage, usage && continuous))
        };
        let options = fields.read("stream_options", object(options))?;
        if options.is_some() && !on {
            let message = "`stream_options` needs \"stream\": true";
            return Err(Refusal::field(fields.path("stream_options"), message));
        }
        let (usage, continuous) = options.unwrap_or_default();
        Ok(Streaming { on, usage, continuous })
    }
}
