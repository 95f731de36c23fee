//! Web pages for people, whose files are compiled into the program.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use hyper::StatusCode;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use serde_json::json;

use crate::app::App;
use crate::refusal::json_response;

/// The content security policy: a page loads its own files and sends requests to its own origin. It runs no script, style or
/// picture of another origin, no inline script, and cannot be framed by another page.
///
/// Source: <https://www.w3.org/TR/CSP3>.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// A file of a page.
struct File {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

/// A file of the crate's folder `page`.
macro_rules! file {
    ($name:literal, $kind:literal) => {
        File { path: concat!("/page/", $name), kind: $kind, text: include_str!(concat!("../page/", $name)) }
    };
}

/// The files that all pages share.
const SHARED: [File; 3] = [
    file!("page.css", "text/css; charset=utf-8"),
    file!("dom.js", "text/javascript; charset=utf-8"),
    file!("icon.svg", "image/svg+xml; charset=utf-8"),
];

const CHAT: [File; 9] = [
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("../page/chat.html") },
    file!("api.js", "text/javascript; charset=utf-8"),
    file!("chat.css", "text/css; charset=utf-8"),
    file!("chat.js", "text/javascript; charset=utf-8"),
    file!("controls.js", "text/javascript; charset=utf-8"),
    file!("engine.js", "text/javascript; charset=utf-8"),
    file!("markdown.js", "text/javascript; charset=utf-8"),
    file!("messages.js", "text/javascript; charset=utf-8"),
    file!("store.js", "text/javascript; charset=utf-8"),
];

const DASHBOARD: [File; 4] = [
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("../page/dashboard.html") },
    file!("dashboard.css", "text/css; charset=utf-8"),
    file!("dashboard.js", "text/javascript; charset=utf-8"),
    file!("plot.js", "text/javascript; charset=utf-8"),
];

/// The route that tells the page about the server.
pub const ABOUT: &str = "/page/about.json";

/// The routes of the chat page.
pub fn chat<S: Clone + Send + Sync + 'static>() -> Router<S> {
    routes(&CHAT)
}

/// The routes of the dashboard of training runs.
pub fn dashboard<S: Clone + Send + Sync + 'static>() -> Router<S> {
    routes(&DASHBOARD)
}

/// Whether `path` is a file of the chat page.
pub fn is_file(path: &str) -> bool {
    SHARED.iter().chain(&CHAT).any(|file| file.path == path)
}

fn routes<S: Clone + Send + Sync + 'static>(files: &'static [File]) -> Router<S> {
    let add = |router: Router<S>, file: &'static File| {
        router.route(file.path, get(move || std::future::ready(answer(file))))
    };
    SHARED.iter().chain(files).fold(Router::new(), add)
}

fn answer(file: &File) -> Response {
    let mut response = Response::new(Body::from(file.text));
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, file.kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        // Browsers ask again each time: another version of the program has other files.
        (CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The server's abilities and the defaults of its sampling parameters, as JSON for the chat page.
pub async fn about(State(app): State<Arc<App>>) -> Response {
    let (options, engine) = (&app.options, &app.engine);
    let usual = engine.defaults();
    json_response(
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
    )
}
