//! The page to chat with the model and to see what the engine does.

use axum::response::Response;
use hyper::StatusCode;
use jarrah_http::{Asked, File, SHARED_FILES, page_file};
use serde_json::json;

use crate::app::App;
use crate::refusal::{Result, json_response};

static CHAT: [File; 9] = [
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("../page/chat.html") },
    page_file!("api.js", "text/javascript; charset=utf-8"),
    page_file!("chat.css", "text/css; charset=utf-8"),
    page_file!("chat.js", "text/javascript; charset=utf-8"),
    page_file!("controls.js", "text/javascript; charset=utf-8"),
    page_file!("engine.js", "text/javascript; charset=utf-8"),
    page_file!("markdown.js", "text/javascript; charset=utf-8"),
    page_file!("messages.js", "text/javascript; charset=utf-8"),
    page_file!("store.js", "text/javascript; charset=utf-8"),
];

/// The files of the page.
pub fn files() -> impl Iterator<Item = &'static File> {
    SHARED_FILES.iter().chain(&CHAT)
}

/// The server's abilities and the defaults of its sampling parameters, as JSON for the chat page.
pub fn about(app: &App, _: &Asked) -> Result<Response> {
    let (options, engine) = (&app.options, &app.engine);
    let usual = engine.defaults();
    Ok(json_response(
        StatusCode::OK,
        &json!({
            "version": env!("CARGO_PKG_VERSION"),
            "generates": !engine.is_encoder(),
            "tokenizer": engine.tokenizer().is_some(),
            "chat": !engine.is_encoder() && engine.tokenizer().is_some() && engine.templates().is_some(),
            "tools": options.tools.is_some(),
            "reasoning": options.reasoning.is_some(),
            "most_logprobs": options.most_logprobs,
            "most_tokens": engine.max_length(),
            "vocabulary": engine.vocabulary(),
            "defaults": {
                "temperature": usual.temperature, "top_p": usual.top_p, "top_k": usual.top_k, "min_p": usual.min_p,
                "presence_penalty": usual.presence_penalty, "frequency_penalty": usual.frequency_penalty,
                "repetition_penalty": usual.repetition_penalty, "max_tokens": usual.max_tokens, "seed": usual.seed,
            },
        }),
    ))
}
