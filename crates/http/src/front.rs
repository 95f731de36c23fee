//! The checks that stand before all routes of an API: request ids, keys, origins, and whether the server takes more work.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap,
    HeaderName, HeaderValue, ORIGIN, VARY,
};
use hyper::{Method, StatusCode};

use crate::body::lend;
use crate::record::RequestRecord;
use crate::refusal::{Form, Refusal, refused};
use crate::shared::TransportState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest `x-request-id` that is taken over from a client.
const LONGEST_ID: usize = 256;

/// The facts of an API and of the transport that the checks need.
pub struct Front {
    pub shared: Arc<TransportState>,
    /// The paths that need no key.
    pub open: Vec<&'static str>,
    /// The paths whose requests of POST are recorded.
    pub recorded: Vec<&'static str>,
    pub form: Form,
    pub no_more_work: &'static str,
}

/// Gives every answer an `x-request-id`, and refuses requests without a key.
pub async fn check(State(front): State<Arc<Front>>, request: Request, next: Next) -> Response {
    let (shared, options) = (&front.shared, &front.shared.options);
    let (mut request, left) = lend(request);
    let named = request.headers().get(&REQUEST_ID);
    let named = named.filter(|id| (1..=LONGEST_ID).contains(&id.len()) && id.to_str().is_ok()).cloned();
    let made = || HeaderValue::from_str(&shared.id()).unwrap_or(HeaderValue::from_static("request"));
    let id = named.unwrap_or_else(made);
    let path = request.uri().path();
    let is_recorded = request.method() == Method::POST && front.recorded.contains(&path);
    let log = options.log.as_ref().filter(|_| is_recorded);
    let record = RequestRecord::begin(log, path, id.to_str().unwrap_or_default());
    if let Some(record) = &record {
        request.extensions_mut().insert(record.clone());
    }
    let is_allowed = |origin: &HeaderValue| {
        options.origins.iter().any(|allowed| allowed == "*" || allowed.as_bytes() == origin.as_bytes())
    };
    let origin = request.headers_mut().remove(ORIGIN).filter(is_allowed);
    let told = match &origin {
        Some(_) if is_preflight(&request) => Some(preflight(request.headers())),
        _ if !shared.has_key(request.headers()) && !front.open.contains(&request.uri().path()) => {
            let message = "the request has no key that this server knows: send `Authorization: Bearer KEY`";
            Some((front.form)(Refusal::new(StatusCode::UNAUTHORIZED, message).code("invalid_api_key")))
        }
        _ if shared.is_ending() && request.method() != Method::GET => {
            Some((front.form)(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, front.no_more_work)))
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
    if !options.origins.is_empty() {
        headers.append(VARY, HeaderValue::from_static("origin"));
    }
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
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
