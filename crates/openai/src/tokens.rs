//! `POST /tokenize` and `POST /detokenize`.

use jarrah_tokenizer::chat::ChatValue;
use serde_json::json;

use crate::app::{Begun, Caller, ready};
use crate::chat::conversation;
use crate::prompt::{Prompt, add_special};
use crate::refusal::{Refusal, Result};
use jarrah_tokenizer::chat::fields::{Fields, id, list, text};

/// Answers with the tokens of a prompt, or of a chat as its template writes it.
pub fn tokenize(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    app.adapter(&fields)?;
    let prompt = fields.read("prompt", text)?;
    let special = add_special(&fields, prompt.is_some())?;
    let names = fields.flag("return_token_strs")?;
    let chat = match prompt.is_none() && fields.get("messages").is_some() {
        true => Some(conversation(app, &fields)?),
        false => None,
    };
    fields.all_known()?;
    let text = match (prompt, chat) {
        (Some(prompt), _) => prompt,
        (None, Some(chat)) => app.render(&chat)?,
        (None, None) => {
            return Err(Refusal::field("prompt", "`prompt` is missing: give it, or `messages`"));
        }
    };
    let tokens = Prompt::Text(text).tokens(app, special)?;
    let names = names.then(|| {
        let name = |&token: &u32| app.engine.tokenizer().and_then(|tokenizer| tokenizer.token(token));
        tokens.iter().map(name).collect::<Vec<_>>()
    });
    Ok(ready(json!({
        "count": tokens.len(), "max_model_len": app.engine.max_length(), "tokens": tokens, "token_strs": names,
    })))
}

/// Answers with the text of tokens, special ones included.
pub fn detokenize(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    app.adapter(&fields)?;
    let tokens = fields.need("tokens", list(id(app.engine.vocabulary())))?;
    fields.all_known()?;
    let text = app.tokenizer()?.decode(&tokens, false).map_err(|e| Refusal::from(e).at("tokens"))?;
    Ok(ready(json!({"prompt": text})))
}
