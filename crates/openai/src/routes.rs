//! The routes of the server, and the checks that stand before them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION,
    CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use hyper::{Method, StatusCode, Uri};
use jarrah_base::ErrorKind;
use jarrah_serve::Sleep;
use jarrah_tokenizer::chat::Value as Asked;
use serde_json::{Value, json};

use crate::app::{App, is_name};
use crate::body::{lend, with_json};
use crate::calls::{Begin, Begun, CALLS, Caller, ready};
use crate::record::Record;
use crate::refusal::{Refusal, Result, json_response, refused};
use crate::{batches, files, metrics, page};
use jarrah_tokenizer::chat::fields::{Fields, list, text};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest `x-request-id` that is taken over from a client.
const LONGEST_ID: usize = 256;
/// The paths that need no key: monitors that poll them have none.
const OPEN: [&str; 6] = ["/health", "/ping", "/ready", "/readyz", "/version", "/metrics"];

type Shared = State<Arc<App>>;

/// A function that answers a request without a body.
type Told = fn(&App) -> Response;

/// The routes of GET.
const ASKED: [(&str, Told); 8] = [
    ("/v1/models", models),
    ("/health", nothing),
    ("/ping", nothing),
    ("/ready", nothing),
    ("/readyz", nothing),
    ("/version", version),
    ("/metrics", measured),
    ("/load", load),
];
/// The routes of GET that exist with [`Options::dev`](crate::Options::dev) only.
const ASKED_IN_DEVELOPMENT: [(&str, Told); 3] =
    [("/is_paused", is_paused), ("/is_sleeping", is_sleeping), ("/server_info", server_info)];
/// The routes of POST without a body that exist with [`Options::dev`](crate::Options::dev) only.
const DONE_IN_DEVELOPMENT: [(&str, Told); 3] =
    [("/pause", pause), ("/resume", resume), ("/reset_prefix_cache", reset_prefix_cache)];
/// The route that puts the engine to sleep, by POST with a query; it exists with [`Options::dev`](crate::Options::dev) only.
const SLEEP: &str = "/sleep";
/// The route that wakes the engine up, by POST, answered when the engine is awake; it exists with
/// [`Options::dev`](crate::Options::dev) only.
const WAKE_UP: &str = "/wake_up";
/// The routes of POST with a JSON body that exist with [`Options::dev`](crate::Options::dev) only.
const CALLS_IN_DEVELOPMENT: [(&str, Begin); 4] = [
    ("/abort_requests", abort_requests),
    ("/update_weights", update_weights),
    ("/v1/load_lora_adapter", load_adapter),
    ("/v1/unload_lora_adapter", unload_adapter),
];

/// All routes, behind the checks of `Host`, request ids, keys and origins.
pub fn router(app: Arc<App>) -> Router {
    let told = |told: Told| move |State(app): Shared| async move { told(&app) };
    let call = |begin: Begin| {
        move |State(app): Shared, request: Request| async move {
            let begun: Begun = with_json(app, request, begin).await?;
            begun.await
        }
    };
    let mut router = Router::new()
        .route("/v1/responses/{id}", get(no_response).delete(no_response))
        .route("/v1/responses/{id}/cancel", post(no_response))
        .route("/v1/models/{*name}", get(model))
        .route("/v1/files", get(files).post(upload))
        .route("/v1/files/{id}", get(file).delete(delete_file))
        .route("/v1/files/{id}/content", get(file_content))
        .route("/v1/batches", get(batches).post(call(batches::create)))
        .route("/v1/batches/{id}", get(batch))
        .route("/v1/batches/{id}/cancel", post(cancel_batch))
        .route("/ping", post(async || ()));
    for (path, begin) in CALLS {
        router = router.route(path, post(call(begin)));
    }
    for (path, tell) in ASKED {
        router = router.route(path, get(told(tell)));
    }
    if app.options.page {
        router = router.merge(page::chat()).route(page::ABOUT, get(page::about));
    }
    if app.options.dev {
        router = router.route(SLEEP, post(sleep)).route(WAKE_UP, post(wake_up));
        for (path, tell) in ASKED_IN_DEVELOPMENT {
            router = router.route(path, get(told(tell)));
        }
        for (path, tell) in DONE_IN_DEVELOPMENT {
            router = router.route(path, post(told(tell)));
        }
        for (path, begin) in CALLS_IN_DEVELOPMENT {
            router = router.route(path, post(call(begin)));
        }
    }
    router
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(app.clone(), front))
        .with_state(app)
}

async fn no_route(request: Request) -> Refusal {
    let path = request.uri().path();
    // With `dev`, these routes exist, and their paths do not come here.
    let is_of_development = [SLEEP, WAKE_UP].contains(&path)
        || ASKED_IN_DEVELOPMENT.iter().any(|(known, _)| *known == path)
        || DONE_IN_DEVELOPMENT.iter().any(|(known, _)| *known == path)
        || CALLS_IN_DEVELOPMENT.iter().any(|(known, _)| *known == path);
    if is_of_development {
        let message = format!(
            "there is no route {path} here: it changes or shows the engine, which a server lets clients do that is started with --dev-mode"
        );
        return Refusal::new(StatusCode::NOT_FOUND, message);
    }
    // A hint for clients whose base address lacks `/v1`, or has it twice.
    let whole = path.trim_end_matches('/');
    let meant = match whole.strip_prefix("/v1") {
        Some(rest) if rest.starts_with("/v1/") => rest.to_owned(),
        Some(_) => whole.to_owned(),
        None => format!("/v1{whole}"),
    };
    let is_known =
        CALLS.iter().any(|(known, _)| *known == meant) || ASKED.iter().any(|(known, _)| *known == meant);
    let hint = if is_known {
        format!(", but {meant}: the base URL of a client ends in /v1, and paths in no slash")
    } else {
        String::new()
    };
    Refusal::new(StatusCode::NOT_FOUND, format!("there is no route {path} here{hint}"))
}

async fn no_method(request: Request) -> Refusal {
    let message = format!("{} does not take {}", request.uri().path(), request.method());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// Gives every answer an `x-request-id`, and refuses requests without a key.
async fn front(State(app): Shared, request: Request, next: Next) -> Response {
    let (mut request, left) = lend(request);
    let named = request.headers().get(&REQUEST_ID);
    let named = named.filter(|id| (1..=LONGEST_ID).contains(&id.len()) && id.to_str().is_ok()).cloned();
    let made = || HeaderValue::from_str(&app.id()).unwrap_or(HeaderValue::from_static("request"));
    let id = named.unwrap_or_else(made);
    let path = request.uri().path();
    let is_call = request.method() == Method::POST && CALLS.iter().any(|(known, _)| *known == path);
    let record = app.options.log.as_ref().filter(|_| is_call);
    let record = Record::begin(record, path, id.to_str().unwrap_or_default());
    if let Some(record) = &record {
        request.extensions_mut().insert(record.clone());
    }
    let origin = request.headers_mut().remove(ORIGIN).filter(|origin| is_allowed(&app, origin));
    let told = match &origin {
        Some(_) if is_preflight(&request) => Some(preflight(request.headers())),
        _ if !has_key(&app, request.headers()) && !is_open(request.uri().path()) => {
            let message = "the request has no key that this server knows: send `Authorization: Bearer KEY`";
            Some(Refusal::new(StatusCode::UNAUTHORIZED, message).code("invalid_api_key").into_response())
        }
        _ if app.is_ending() && request.method() != Method::GET => {
            let message =
                "the server is shutting down: it waits for batches and for who reads their files alone";
            Some(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message).into_response())
        }
        _ => None,
    };
    let mut response = match told {
        Some(response) => {
            drop(request);
            response
        }
        None => next.run(request).await,
    };
    if let Some(left) = left.filter(|_| response.status() != StatusCode::REQUEST_TIMEOUT) {
        left.read().await;
    }
    if let Some(record) = record {
        record.answer(response.status(), refused(&response));
    }
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

/// Whether the request carries one of the keys; the time this takes does not reveal how much of a wrong key is right.
fn has_key(app: &App, headers: &HeaderMap) -> bool {
    let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
    let (scheme, key) = given.split_at_checked(7).unwrap_or_default();
    let key = blake3::hash(key);
    // Hashes of BLAKE3 are compared in constant time.
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

/// The answer to a CORS preflight, by which a browser asks whether a page may send a request.
fn preflight(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    if let Some(names) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    response
}

async fn no_response(Path(id): Path<String>) -> Refusal {
    let message = format!("there is no response `{id}`: this server keeps none");
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// A response with `value` as its JSON.
fn tell(value: &Value) -> Response {
    json_response(StatusCode::OK, value)
}

/// The page of a list that the query selects: at most `limit` items after the one whose id is `after`, the newest first, or the
/// oldest first with `order=asc`.
fn part(mut all: Vec<Value>, uri: &Uri) -> Result<Response> {
    let named = |name: &str| {
        let mut parts = uri.query().unwrap_or_default().split('&');
        parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('=')).filter(|value| !value.is_empty())
    };
    match named("order") {
        None | Some("desc") => {}
        Some("asc") => all.reverse(),
        Some(_) => return Err(Refusal::field("order", "`order` must be `asc` or `desc`")),
    }
    if let Some(purpose) = named("purpose") {
        all.retain(|entry| entry["purpose"] == purpose);
    }
    if let Some(after) = named("after") {
        let missing = || Refusal::field("after", format!("`after` is `{after}`, which is not in the list"));
        let at = all.iter().position(|entry| entry["id"] == after).ok_or_else(missing)?;
        all.drain(..=at);
    }
    let limit = named("limit").map(|limit| limit.parse().ok().filter(|&limit| limit > 0));
    let limit = match limit {
        Some(None) => return Err(Refusal::field("limit", "`limit` must be a whole number above 0")),
        Some(Some(limit)) => limit,
        None => usize::MAX,
    };
    let has_more = all.len() > limit;
    all.truncate(limit);
    let id = |entry: Option<&Value>| entry.map_or(Value::Null, |entry| entry["id"].clone());
    let (first, last) = (id(all.first()), id(all.last()));
    Ok(tell(
        &json!({"object": "list", "data": all, "first_id": first, "last_id": last, "has_more": has_more}),
    ))
}

/// The answer to a health check: empty with status 200 while the engine runs, else a refusal.
fn nothing(app: &App) -> Response {
    let why = match () {
        () if app.engine.has_ended() => "the engine has ended",
        () if app.is_ending() => "the server is shutting down",
        () => return ().into_response(),
    };
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why).into_response()
}

async fn files(State(app): Shared, uri: Uri) -> Result<Response> {
    part(app.files.cards(), &uri)
}

async fn upload(State(app): Shared, request: Request) -> Result<Response> {
    Ok(tell(&files::upload(app, request).await?))
}

async fn file(State(app): Shared, Path(id): Path<String>) -> Result<Response> {
    Ok(tell(&app.files.get(&id)?.card()))
}

async fn delete_file(State(app): Shared, Path(id): Path<String>) -> Result<Response> {
    Ok(tell(&app.files.delete(&id)?))
}

async fn file_content(State(app): Shared, Path(id): Path<String>) -> Result<Response> {
    files::content(&app, &id)
}

async fn batches(State(app): Shared, uri: Uri) -> Result<Response> {
    part(app.batches.cards(), &uri)
}

async fn batch(State(app): Shared, Path(id): Path<String>) -> Result<Response> {
    Ok(tell(&app.batches.get(&id)?.card()))
}

async fn cancel_batch(State(app): Shared, Path(id): Path<String>) -> Result<Response> {
    Ok(tell(&app.batches.cancel(&id)?))
}

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

fn models(app: &App) -> Response {
    let own = app.options.names.iter().map(|name| card(app, name, false));
    let cards: Vec<Value> =
        own.chain(app.engine.adapters().iter().map(|name| card(app, name, true))).collect();
    tell(&json!({"object": "list", "data": cards}))
}

async fn model(State(app): Shared, Path(name): Path<String>) -> Result<Response> {
    let is_adapter = app.model(name.clone())?.is_some();
    Ok(tell(&card(&app, &name, is_adapter)))
}

fn version(_: &App) -> Response {
    tell(&json!({"version": env!("CARGO_PKG_VERSION")}))
}

fn measured(app: &App) -> Response {
    let mut response = Response::new(Body::from(metrics::page(app)));
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn load(app: &App) -> Response {
    tell(&json!({"server_load": app.load()}))
}

fn pause(app: &App) -> Response {
    app.engine.pause();
    tell(&json!({"status": "paused"}))
}

fn resume(app: &App) -> Response {
    app.engine.resume();
    tell(&json!({"status": "resumed"}))
}

fn is_paused(app: &App) -> Response {
    tell(&json!({"is_paused": app.engine.is_paused()}))
}

/// Pauses the engine and empties the prefix cache; level 1 also frees the memory of keys and values, level 2 that of the weights
/// too.
async fn sleep(State(app): Shared, uri: Uri) -> Result<Response> {
    let level = uri.query().unwrap_or_default().split('&').find_map(|part| part.strip_prefix("level="));
    let depth = match level.unwrap_or("1") {
        "0" => None,
        "1" => Some(Sleep::Pages),
        "2" => Some(Sleep::Weights),
        _ => return Err(Refusal::field("level", "`level` must be 0, 1 or 2")),
    };
    let slept = on_a_thread(move || {
        match depth {
            Some(depth) => app.engine.sleep(depth)?,
            None => {
                app.engine.pause();
                app.engine.forget_prefixes();
                app.set_dozing(true);
            }
        }
        Ok(())
    });
    slept.await.map_err(|e| Refusal::from(e).at("level"))?;
    Ok(().into_response())
}

async fn wake_up(State(app): Shared) -> Result<Response> {
    let woken = on_a_thread(move || {
        app.engine.wake()?;
        app.set_dozing(false);
        Ok(())
    });
    woken.await?;
    Ok(().into_response())
}

/// Runs a blocking function on a thread apart from those that serve connections.
async fn on_a_thread(
    run: impl FnOnce() -> jarrah_base::Result<()> + Send + 'static,
) -> jarrah_base::Result<()> {
    let ended = tokio::task::spawn_blocking(run).await;
    ended.unwrap_or_else(|_| Err(jarrah_base::Error::internal("the thread of a request ended by a panic")))
}

fn is_sleeping(app: &App) -> Response {
    tell(&json!({"is_sleeping": app.is_asleep()}))
}

fn reset_prefix_cache(app: &App) -> Response {
    app.engine.forget_prefixes();
    ().into_response()
}

/// Aborts the requests of `request_ids`, which are the ids of their answers; without the field, all requests.
fn abort_requests(caller: &Caller, body: &Asked) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let ids = fields.read("request_ids", list(text))?;
    fields.all_known()?;
    Ok(ready(json!({"aborted": app.aborts.end(ids.as_deref())})))
}

/// Replaces the model's weights with those of another folder.
fn update_weights(caller: &Caller, body: &Asked) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let path = fields.need("path", text)?;
    fields.all_known()?;
    let loaded = app.engine.load_weights(std::path::Path::new(&path), &app.options.load);
    loaded.map_err(|e| match e.kind() {
        // A folder that cannot be read is the client's mistake: sending the request again later will not help.
        ErrorKind::Environment if !app.engine.is_closing() => Refusal::field("path", e.message()),
        _ => Refusal::from(e).at("path"),
    })?;
    Ok(ready(json!({"status": "updated", "path": path})))
}

fn load_adapter(caller: &Caller, body: &Asked) -> Result<Begun> {
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
    app.engine.load_adapter(&name, std::path::Path::new(&path)).map_err(|e| Refusal::from(e).at(of))?;
    Ok(ready(json!({"status": "loaded", "lora_name": name})))
}

fn unload_adapter(caller: &Caller, body: &Asked) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let name = fields.need("lora_name", text)?;
    fields.known(&["lora_int_id"]);
    fields.all_known()?;
    app.engine.unload_adapter(&name).map_err(|e| Refusal::from(e).at("lora_name"))?;
    Ok(ready(json!({"status": "unloaded", "lora_name": name})))
}

fn server_info(app: &App) -> Response {
    let options = &app.options;
    let info = json!({
        "models": options.names, "max_model_len": app.engine.max_length(), "vocabulary": app.engine.vocabulary(),
        "max_logprobs": options.most_logprobs, "max_body": options.most_body, "max_connections": options.most_connections,
        "has_tokenizer": app.engine.tokenizer().is_some(),
        "has_chat_template": app.engine.templates().is_some(),
    });
    tell(&info)
}
