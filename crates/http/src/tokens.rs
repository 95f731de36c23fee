//! `POST /tokenize` and `POST /detokenize`.

use jarrah_tokenizer::chat::Value as Body;
use serde_json::json;

use crate::calls::{Begun, Caller, ready};
use crate::chat::conversation;
use crate::fields::{Fields, id, list, text};
use crate::prompt::{Prompt, add_special};
use crate::refusal::{Refusal, Result};

/// Answers with the tokens of a prompt, or of a chat as its template writes it.
pub fn tokenize(caller: &Caller, body: &Body) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    app.adapter(&fields)?;
    let tokens = match fields.read("prompt", text)? {
        Some(prompt) => Prompt::Text(prompt).tokens(app, add_special(&fields, true)?)?,
        None if fields.get("messages").is_none() => {
            return Err(Refusal::field("prompt", "`prompt` is missing: give it, or `messages`"));
        }
        None => {
            let rendered = app.render(&conversation(app, &fields)?)?;
            Prompt::Text(rendered).tokens(app, add_special(&fields, false)?)?
        }
    };
    let names = fields.flag("return_token_strs")?.then(|| {
        let name = |&token: &u32| app.engine.tokenizer().and_then(|tokenizer| tokenizer.token(token));
        tokens.iter().map(name).collect::<Vec<_>>()
    });
    Ok(ready(json!({
        "count": tokens.len(), "max_model_len": app.engine.max_length(), "tokens": tokens, "token_strs": names,
    })))
}

/// Answers with the text of tokens, special ones included.
pub fn detokenize(caller: &Caller, body: &Body) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    app.adapter(&fields)?;
    let tokens = fields.need("tokens", list(id(app.engine.vocabulary())))?;
    let text = app.tokenizer()?.decode(&tokens, false).map_err(|e| Refusal::from(e).at("tokens"))?;
    Ok(ready(json!({"prompt": text})))
}
