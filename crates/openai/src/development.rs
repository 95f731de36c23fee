//! The routes that change or show the engine, which a server has with [`ApiOptions::dev`](crate::ApiOptions::dev) alone.

use std::path::Path;

use axum::response::{IntoResponse, Response};
use jarrah_base::{Error, ErrorKind};
use jarrah_http::Asked;
use jarrah_serve::Sleep;
use jarrah_tokenizer::chat::ChatValue;
use serde_json::json;

use crate::app::{App, Begun, Caller, is_name, ready};
use crate::refusal::{Refusal, Result, tell};
use jarrah_tokenizer::chat::fields::{Fields, list, text};

/// Pauses the engine.
pub fn pause(app: &App, _: &Asked) -> Result<Response> {
    app.engine.pause();
    Ok(tell(&json!({"status": "paused"})))
}

/// Resumes a paused engine.
pub fn resume(app: &App, _: &Asked) -> Result<Response> {
    app.engine.resume();
    Ok(tell(&json!({"status": "resumed"})))
}

/// Tells whether the engine is paused.
pub fn is_paused(app: &App, _: &Asked) -> Result<Response> {
    Ok(tell(&json!({"is_paused": app.engine.is_paused()})))
}

/// Pauses the engine and empties the prefix cache; level 1 also frees the memory of keys and values, level 2 that of the weights
/// too.
pub fn sleep(app: &App, asked: &Asked) -> Result<Response> {
    let depth = match asked.query("level").as_deref().unwrap_or("1") {
        "0" => None,
        "1" => Some(Sleep::Pages),
        "2" => Some(Sleep::Weights),
        _ => return Err(Refusal::field("level", "`level` must be 0, 1 or 2")),
    };
    match depth {
        Some(depth) => app.engine.sleep(depth).map_err(|e| Refusal::from(e).at("level"))?,
        None => {
            app.engine.pause();
            app.engine.forget_prefixes();
            app.set_dozing(true);
        }
    }
    Ok(().into_response())
}

/// Wakes the engine up; the answer comes when it is awake.
pub fn wake_up(app: &App, _: &Asked) -> Result<Response> {
    app.engine.wake()?;
    app.set_dozing(false);
    Ok(().into_response())
}

/// Tells whether the engine was put to sleep.
pub fn is_sleeping(app: &App, _: &Asked) -> Result<Response> {
    Ok(tell(&json!({"is_sleeping": app.is_asleep()})))
}

/// Empties the prefix cache.
pub fn reset_prefix_cache(app: &App, _: &Asked) -> Result<Response> {
    app.engine.forget_prefixes();
    Ok(().into_response())
}

/// Aborts the requests of `request_ids`, which are the ids of their answers; without the field, all requests.
pub fn abort_requests(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let ids = fields.read("request_ids", list(text))?;
    fields.all_known()?;
    Ok(ready(json!({"aborted": app.aborts.end(ids.as_deref())})))
}

/// Replaces the model's weights with those of another folder.
pub fn update_weights(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let path = fields.need("path", text)?;
    fields.all_known()?;
    let loaded = app.engine.load_weights(Path::new(&path), &app.options.load);
    loaded.map_err(|e| match e.kind() {
        // A folder that cannot be read is the client's mistake: sending the request again later will not help.
        ErrorKind::Environment if !app.engine.is_closing() => Refusal::field("path", e.message()),
        _ => Refusal::from(e).at("path"),
    })?;
    Ok(ready(json!({"status": "updated", "path": path})))
}

/// Loads an adapter from a folder, under a name.
pub fn load_adapter(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let (name, path) = (fields.need("lora_name", text)?, fields.need("lora_path", text)?);
    // vLLM numbers adapters, and names the model that one is for.
    fields.known(&["lora_int_id", "base_model_name"]);
    fields.all_known()?;
    if app.options.names.contains(&name) {
        return Err(Refusal::field("lora_name", format!("`{name}` is the model itself")));
    }
    if !is_name(&name) {
        return Err(Refusal::field("lora_name", "it is no name: requests give it as their model"));
    }
    let is_taken = name == app.engine.name() || app.engine.adapters().contains(&name);
    let of = if is_taken { "lora_name" } else { "lora_path" };
    // A folder that cannot be read is the request's fault here, not a lack of room.
    let refused = |e: Error| match e.kind() {
        ErrorKind::Environment => Refusal::field(of, e.message()),
        _ => Refusal::from(e).at(of),
    };
    app.engine.load_adapter(&name, Path::new(&path)).map_err(refused)?;
    Ok(ready(json!({"status": "loaded", "lora_name": name})))
}

/// Forgets an adapter.
pub fn unload_adapter(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let name = fields.need("lora_name", text)?;
    fields.known(&["lora_int_id"]);
    fields.all_known()?;
    app.engine.unload_adapter(&name).map_err(|e| Refusal::from(e).at("lora_name"))?;
    Ok(ready(json!({"status": "unloaded", "lora_name": name})))
}

/// Tells of the server and its model.
pub fn server_info(app: &App, _: &Asked) -> Result<Response> {
    let (options, transport) = (&app.options, &app.shared.options);
    Ok(tell(&json!({
        "models": options.names, "max_model_len": app.engine.max_length(), "vocabulary": app.engine.vocabulary(),
        "max_logprobs": options.most_logprobs, "max_body": transport.most_body, "max_connections": transport.most_connections,
        "has_tokenizer": app.engine.tokenizer().is_some(),
        "has_chat_template": app.engine.templates().is_some(),
    })))
}
