//! Whether the server lives, which version it is, and how much it has to do.

use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use jarrah_http::Asked;
use serde_json::json;

use crate::app::App;
use crate::refusal::{Refusal, Result, tell};

/// The answer to a health check: empty with status 200 while the engine runs, else a refusal.
pub fn health(app: &App, _: &Asked) -> Result<Response> {
    let why = match () {
        () if app.engine.has_ended() => "the engine has ended",
        () if app.shared.is_ending() => "the server is shutting down",
        () => return Ok(().into_response()),
    };
    Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why))
}

/// The answer to `POST /ping`, by which a platform asks whether the server takes requests: always empty with status 200.
pub fn ping(_: &App, _: &Asked) -> Result<Response> {
    Ok(().into_response())
}

/// Tells the version of the program.
pub fn version(_: &App, _: &Asked) -> Result<Response> {
    Ok(tell(&json!({"version": env!("CARGO_PKG_VERSION")})))
}

/// Tells how many requests are being answered.
pub fn load(app: &App, _: &Asked) -> Result<Response> {
    Ok(tell(&json!({"server_load": app.load()})))
}
