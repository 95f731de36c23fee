//! The prompts of conversations, for `oracle/chat_templates.py` to compare: on standard input a line of JSON for each, a template, the text
//! of a conversation's JSON and the time; out goes a line of JSON with `text` or `error`.

use std::io::{BufRead, Write};

use jarrah_tokenizer::chat::{Chat, Template};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in std::io::stdin().lock().lines() {
        let (template, chat, now): (String, String, i64) = serde_json::from_str(&line?)?;
        let render = || Template::new(&template)?.render(&Chat { now: Some(now), ..Chat::parse(&chat)? });
        let answer = match render() {
            Ok(text) => serde_json::json!({ "text": text }),
            Err(error) => serde_json::json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(out.flush()?)
}
