//! Which request is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION,
    CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use crate::app::App;
use crate::body::with_json;
use crate::fields::{Fields, text};
use crate::refusal::{Refusal, Result, json_response};
use crate::{chat, completions, metrics, page, pooling, responses, tokens};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest id that is taken from a client.
const LONGEST_ID: usize = 256;
/// What needs no key: who asks whether the server lives has none.
const OPEN: [&str; 6] = ["/health", "/ping", "/ready", "/readyz", "/version", "/metrics"];

type Shared = State<Arc<App>>;

/// All routes, behind ids, keys and origins.
pub fn router(app: Arc<App>) -> Router {
    let mut router = Router::new()
        .route("/v1/chat/completions", post(chat_completions))
        .route("/v1/completions", post(create_completion))
        .route("/v1/responses", post(create_response))
        .route("/v1/responses/{id}", get(no_response).delete(no_response))
        .route("/v1/responses/{id}/cancel", post(no_response))
        .route("/v1/embeddings", post(embeddings))
        .route("/pooling", post(pool))
        .route("/score", post(score))
        .route("/v1/score", post(score))
        .route("/rerank", post(rerank))
        .route("/v1/rerank", post(rerank))
        .route("/v2/rerank", post(rerank))
        .route("/v1/models", get(models))
        .route("/v1/models/{*name}", get(model))
        .route("/tokenize", post(tokenize))
        .route("/detokenize", post(detokenize))
        .route("/health", empty())
        .route("/ping", empty().post(nothing))
        .route("/ready", empty())
        .route("/readyz", empty())
        .route("/version", get(version))
        .route("/metrics", get(measured))
        .route("/load", get(load));
    if app.options.page {
        router = router.merge(page::chat()).route(page::ABOUT, get(page::about));
    }
    if app.options.dev {
        router = router
            .route("/pause", post(pause))
            .route("/resume", post(resume))
            .route("/is_paused", get(is_paused))
            .route("/reset_prefix_cache", post(reset_prefix_cache))
            .route("/server_info", get(server_info))
            .route("/v1/load_lora_adapter", post(load_adapter))
            .route("/v1/unload_lora_adapter", post(unload_adapter));
    }
    router
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(app.clone(), front))
        .with_state(app)
}

fn empty() -> MethodRouter<Arc<App>> {
    get(nothing)
}

async fn nothing() {}

async fn no_route(request: Request) -> Refusal {
    let message = format!("there is no route {} here", request.uri().path());
    Refusal::new(StatusCode::NOT_FOUND, message)
}

async fn no_method(request: Request) -> Refusal {
    let message = format!("{} does not take {}", request.uri().path(), request.method());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// Gives every answer an id, and refuses who has no key.
async fn front(State(app): Shared, mut request: Request, next: Next) -> Response {
    let named = request.headers().get(&REQUEST_ID);
    let named = named.filter(|id| (1..=LONGEST_ID).contains(&id.len()) && id.to_str().is_ok()).cloned();
    let made = || HeaderValue::from_str(&app.id()).unwrap_or(HeaderValue::from_static("request"));
    let id = named.unwrap_or_else(made);
    let origin = request.headers_mut().remove(ORIGIN).filter(|origin| is_allowed(&app, origin));
    let mut response = match &origin {
        Some(_) if is_preflight(&request) => preflight(request.headers()),
        _ if !has_key(&app, request.headers()) && !is_open(request.uri().path()) => {
            let message = "the request has no key that this server knows: send `Authorization: Bearer KEY`";
            Refusal::new(StatusCode::UNAUTHORIZED, message).code("invalid_api_key").into_response()
        }
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    if !app.options.origins.is_empty() {
        headers.append(VARY, HeaderValue::from_static("origin"));
    }
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}

/// Whether one of the keys is there; how long that takes does not depend on how much of it is right.
fn has_key(app: &App, headers: &HeaderMap) -> bool {
    let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
    let (scheme, key) = given.split_at_checked(7).unwrap_or_default();
    let key = blake3::hash(key);
    // A comparison of hashes takes the same time whatever they are.
    let known = app.keys.iter().fold(false, |known, own| known | (*own == key));
    app.keys.is_empty() || (known && scheme.eq_ignore_ascii_case(b"bearer "))
}

fn is_open(path: &str) -> bool {
    OPEN.contains(&path) || page::is_file(path)
}

fn is_allowed(app: &App, origin: &HeaderValue) -> bool {
    app.options.origins.iter().any(|allowed| allowed == "*" || allowed.as_bytes() == origin.as_bytes())
}

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// What a browser asks before it lets a page ask.
fn preflight(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    if let Some(names) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    response
}

async fn chat_completions(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, form) = with_json(app, request, chat::begin).await?;
    chat::respond(answers, form).await
}

async fn create_completion(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, form) = with_json(app, request, completions::begin).await?;
    completions::respond(answers, form).await
}

async fn create_response(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, form) = with_json(app, request, responses::begin).await?;
    responses::respond(answers, form).await
}

async fn embeddings(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, vectors) = with_json(app, request, pooling::embeddings).await?;
    pooling::respond(answers, vectors).await
}

async fn pool(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, vectors) = with_json(app, request, pooling::pooling).await?;
    pooling::respond(answers, vectors).await
}

async fn score(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, vectors) = with_json(app, request, pooling::score).await?;
    pooling::respond(answers, vectors).await
}

async fn rerank(State(app): Shared, request: Request) -> Result<Response> {
    let (answers, vectors) = with_json(app, request, pooling::rerank).await?;
    pooling::respond(answers, vectors).await
}

async fn no_response(Path(id): Path<String>) -> Refusal {
    let message = format!("there is no response `{id}`: this server keeps none");
    Refusal::new(StatusCode::NOT_FOUND, message)
}

async fn tokenize(State(app): Shared, request: Request) -> Result<Response> {
    Ok(json_response(StatusCode::OK, &with_json(app, request, tokens::tokenize).await?))
}

async fn detokenize(State(app): Shared, request: Request) -> Result<Response> {
    Ok(json_response(StatusCode::OK, &with_json(app, request, tokens::detokenize).await?))
}

fn card(app: &App, name: &str, is_adapter: bool) -> Value {
    let parent = is_adapter.then_some(app.name());
    json!({
        "id": name, "object": "model", "created": app.created, "owned_by": "jarrah", "root": app.name(),
        "parent": parent, "max_model_len": app.engine.max_length(),
    })
}

async fn models(State(app): Shared) -> Response {
    let own = app.options.names.iter().map(|name| card(&app, name, false));
    let cards: Vec<Value> =
        own.chain(app.engine.adapters().iter().map(|name| card(&app, name, true))).collect();
    json_response(StatusCode::OK, &json!({"object": "list", "data": cards}))
}

async fn model(State(app): Shared, Path(name): Path<String>) -> Result<Response> {
    let is_adapter = app.model(name.clone())?.is_some();
    Ok(json_response(StatusCode::OK, &card(&app, &name, is_adapter)))
}

async fn version() -> Response {
    json_response(StatusCode::OK, &json!({"version": env!("CARGO_PKG_VERSION")}))
}

async fn measured(State(app): Shared) -> Response {
    let mut response = Response::new(Body::from(metrics::page(&app)));
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

async fn load(State(app): Shared) -> Response {
    json_response(StatusCode::OK, &json!({"server_load": app.load()}))
}

async fn pause(State(app): Shared) -> Response {
    app.engine.pause();
    json_response(StatusCode::OK, &json!({"status": "paused"}))
}

async fn resume(State(app): Shared) -> Response {
    app.engine.resume();
    json_response(StatusCode::OK, &json!({"status": "resumed"}))
}

async fn is_paused(State(app): Shared) -> Response {
    json_response(StatusCode::OK, &json!({"is_paused": app.engine.is_paused()}))
}

async fn reset_prefix_cache(State(app): Shared) {
    app.engine.forget_prefixes();
}

async fn load_adapter(State(app): Shared, request: Request) -> Result<Response> {
    let load = |app: &Arc<App>, body: &jarrah_tokenizer::chat::Value| {
        let fields = Fields::body(body)?;
        let (name, path) = (fields.need("lora_name", text)?, fields.need("lora_path", text)?);
        if app.options.names.contains(&name) {
            return Err(Refusal::field("lora_name", format!("`{name}` is the model itself")));
        }
        app.engine
            .load_adapter(&name, std::path::Path::new(&path))
            .map_err(|e| Refusal::from(e).at("lora_path"))?;
        Ok(json!({"status": "loaded", "lora_name": name}))
    };
    Ok(json_response(StatusCode::OK, &with_json(app, request, load).await?))
}

async fn unload_adapter(State(app): Shared, request: Request) -> Result<Response> {
    let unload = |app: &Arc<App>, body: &jarrah_tokenizer::chat::Value| {
        let name = Fields::body(body)?.need("lora_name", text)?;
        app.engine.unload_adapter(&name).map_err(|e| Refusal::from(e).at("lora_name"))?;
        Ok(json!({"status": "unloaded", "lora_name": name}))
    };
    Ok(json_response(StatusCode::OK, &with_json(app, request, unload).await?))
}

async fn server_info(State(app): Shared) -> Response {
    let options = &app.options;
    let info = json!({
        "models": options.names, "max_model_len": app.engine.max_length(), "vocabulary": app.engine.vocabulary(),
        "max_logprobs": options.most_logprobs, "max_body": options.most_body, "max_connections": options.most_connections,
        "has_tokenizer": app.engine.tokenizer().is_some(),
        "has_chat_template": app.engine.templates().is_some(),
    });
    json_response(StatusCode::OK, &info)
}
