//! `/v1/models`: the names that the model is served by, and those of adapters.

use axum::response::Response;
use jarrah_http::Asked;
use serde_json::{Value, json};

use crate::app::App;
use crate::refusal::{Result, tell};

/// A model as a JSON object of OpenAI's API; `root` is the place that it was loaded from.
fn card(app: &App, name: &str, is_adapter: bool) -> Value {
    let parent = is_adapter.then_some(app.name());
    let folder = app.engine.adapter_folder(name).filter(|_| is_adapter);
    let root = folder.map_or_else(|| app.engine.name().to_owned(), |folder| folder.display().to_string());
    json!({
        "id": name, "object": "model", "created": app.created, "owned_by": "jarrah", "root": root,
        "parent": parent, "max_model_len": app.engine.max_length(),
    })
}

/// Lists the models.
pub fn list(app: &App, _: &Asked) -> Result<Response> {
    let own = app.options.names.iter().map(|name| card(app, name, false));
    let cards: Vec<Value> =
        own.chain(app.engine.adapters().iter().map(|name| card(app, name, true))).collect();
    Ok(tell(&json!({"object": "list", "data": cards})))
}

/// Tells of a model.
pub fn get(app: &App, asked: &Asked) -> Result<Response> {
    let name = &asked.variable;
    let is_adapter = app.model(name.clone())?.is_some();
    Ok(tell(&card(app, name, is_adapter)))
}
