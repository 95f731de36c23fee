//! The table of routes. A route is a function in a file beside this one, and a row here.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use hyper::StatusCode;
use jarrah_http::{Asked, MethodFilter};

use crate::app::{App, Begin, Begun};
use crate::refusal::{Refusal, Result};
use crate::{
    batches, chat, completions, development, files, metrics, models, page, pooling, responses, status, tokens,
};

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Row {
    pub method: MethodFilter,
    pub path: &'static str,
    pub handler: Handler,
    pub when: When,
}

/// A function that answers requests, by the way in which it is called.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Begins the answer to a body of JSON that asks the model: a request of its own, or a line of a batch. It may block.
    Call(Begin),
    /// Begins the answer to any other body of JSON. It may block.
    Json(Begin),
    /// Answers at once, without a body.
    Tell(fn(&App, &Asked) -> Result<Response>),
    /// Answers without a body. It may block.
    Work(fn(&App, &Asked) -> Result<Response>),
    /// Reads the body itself.
    Upload(fn(Arc<App>, Request) -> Begun),
}

/// The servers that have a route.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    Always,
    /// Servers with [`ApiOptions::dev`](crate::ApiOptions::dev).
    Development,
    /// Servers with [`ApiOptions::page`](crate::ApiOptions::page).
    Page,
}

const GET: MethodFilter = MethodFilter::GET;
const POST: MethodFilter = MethodFilter::POST;
const DELETE: MethodFilter = MethodFilter::DELETE;

use Handler::{Call, Json, Tell, Upload, Work};
use When::{Always, Development, Page};

/// All routes but the files of the page.
#[rustfmt::skip]
pub static ROUTES: &[Row] = &[
    row(POST, "/v1/chat/completions", Call(chat::begin), Always),
    row(POST, "/v1/completions", Call(completions::begin), Always),
    row(POST, "/v1/responses", Call(responses::begin), Always),
    row(POST, "/v1/embeddings", Call(pooling::embeddings), Always),
    row(POST, "/pooling", Call(pooling::pooling), Always),
    row(POST, "/classify", Call(pooling::classify), Always),
    row(POST, "/score", Call(pooling::score), Always),
    row(POST, "/v1/score", Call(pooling::score), Always),
    row(POST, "/rerank", Call(pooling::rerank), Always),
    row(POST, "/v1/rerank", Call(pooling::rerank), Always),
    row(POST, "/v2/rerank", Call(pooling::rerank), Always),
    row(POST, "/tokenize", Call(tokens::tokenize), Always),
    row(POST, "/detokenize", Call(tokens::detokenize), Always),

    row(GET, "/v1/responses/{id}", Tell(no_response), Always),
    row(DELETE, "/v1/responses/{id}", Tell(no_response), Always),
    row(POST, "/v1/responses/{id}/cancel", Tell(no_response), Always),
    row(GET, "/v1/models", Tell(models::list), Always),
    row(GET, "/v1/models/{*name}", Tell(models::get), Always),
    row(GET, "/v1/files", Tell(files::list), Always),
    row(POST, "/v1/files", Upload(|app, request| Box::pin(files::upload(app, request))), Always),
    row(GET, "/v1/files/{id}", Tell(files::get), Always),
    row(DELETE, "/v1/files/{id}", Tell(files::delete), Always),
    row(GET, "/v1/files/{id}/content", Tell(files::content), Always),
    row(GET, "/v1/batches", Tell(batches::list), Always),
    row(POST, "/v1/batches", Json(batches::create), Always),
    row(GET, "/v1/batches/{id}", Tell(batches::get), Always),
    row(POST, "/v1/batches/{id}/cancel", Tell(batches::cancel), Always),

    row(GET, "/health", Tell(status::health), Always),
    row(POST, "/ping", Tell(status::ping), Always),
    row(GET, "/ping", Tell(status::health), Always),
    row(GET, "/ready", Tell(status::health), Always),
    row(GET, "/readyz", Tell(status::health), Always),
    row(GET, "/version", Tell(status::version), Always),
    row(GET, "/metrics", Tell(metrics::page), Always),
    row(GET, "/load", Tell(status::load), Always),
    row(GET, "/page/about.json", Tell(page::about), Page),

    row(GET, "/is_paused", Tell(development::is_paused), Development),
    row(GET, "/is_sleeping", Tell(development::is_sleeping), Development),
    row(GET, "/server_info", Tell(development::server_info), Development),
    row(POST, "/pause", Tell(development::pause), Development),
    row(POST, "/resume", Tell(development::resume), Development),
    row(POST, "/reset_prefix_cache", Tell(development::reset_prefix_cache), Development),
    row(POST, "/sleep", Work(development::sleep), Development),
    row(POST, "/wake_up", Work(development::wake_up), Development),
    row(POST, "/abort_requests", Json(development::abort_requests), Development),
    row(POST, "/update_weights", Json(development::update_weights), Development),
    row(POST, "/v1/load_lora_adapter", Json(development::load_adapter), Development),
    row(POST, "/v1/unload_lora_adapter", Json(development::unload_adapter), Development),
];

/// The paths that need no key, beside the files of the page: monitors that poll them have none.
pub static OPEN: [&str; 6] = ["/health", "/ping", "/ready", "/readyz", "/version", "/metrics"];

const fn row(method: MethodFilter, path: &'static str, handler: Handler, when: When) -> Row {
    Row { method, path, handler, when }
}

/// The requests to the model, by path.
pub fn calls() -> Vec<(&'static str, Begin)> {
    let calls = ROUTES.iter().filter_map(|row| match row.handler {
        Call(begin) => Some((row.path, begin)),
        _ => None,
    });
    calls.collect()
}

/// The message to a request whose path has no route.
pub fn no_route(path: &str) -> String {
    if ROUTES.iter().any(|row| row.when == Development && row.path == path) {
        return format!(
            "there is no route {path} here: it changes or shows the engine, which a server lets clients do that is started with --dev-mode"
        );
    }
    // A hint for clients whose base address lacks `/v1`, or has it twice.
    let whole = path.trim_end_matches('/');
    let meant = match whole.strip_prefix("/v1") {
        Some(rest) if rest.starts_with("/v1/") => rest.to_owned(),
        Some(_) => whole.to_owned(),
        None => format!("/v1{whole}"),
    };
    let is_named = |row: &Row| matches!(row.handler, Call(_)) || row.path == "/v1/models";
    let hint = match ROUTES.iter().any(|row| row.path == meant && is_named(row)) {
        true => format!(", but {meant}: the base URL of a client ends in /v1, and paths in no slash"),
        false => String::new(),
    };
    format!("there is no route {path} here{hint}")
}

fn no_response(_: &App, asked: &Asked) -> Result<Response> {
    let message = format!("there is no response `{}`: this server keeps none", asked.variable);
    Err(Refusal::new(StatusCode::NOT_FOUND, message))
}
