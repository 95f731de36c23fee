//! A page that shows training runs.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use axum::routing::get;
use hyper::StatusCode;
use serde_json::Value;

use crate::page;
use crate::refusal::{Refusal, Result, json_response};

/// The most points of a curve in an answer.
const MOST_POINTS: usize = 4096;

/// The training runs that a dashboard shows. A run keeps its number.
pub trait Runs: Send + Sync + 'static {
    /// The runs as JSON: `[{"id", "name", "version", ..}]`. The version changes whenever the run's curves do.
    fn list(&self) -> Value;

    /// The curves of a run within a window: `{"curves": [{"name", "steps", "mean", "min", "max"}]}`; nothing if there is no run
    /// of this number.
    fn curves(&self, run: usize, window: Window) -> Option<Value>;

    /// The settings of a run, its model, and the samples of text that it wrote.
    fn details(&self, run: usize) -> Option<Value>;
}

/// The range of steps, and the resolution, that a page asks curves for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first step.
    pub from: u64,
    /// The last step.
    pub to: u64,
    /// The most points of each curve.
    pub points: usize,
}

/// The routes of a dashboard.
pub fn router(runs: Arc<dyn Runs>) -> Router {
    Router::new()
        .route("/runs", get(list))
        .route("/runs/{id}", get(details))
        .route("/runs/{id}/curves", get(curves))
        .merge(page::dashboard())
        .fallback(no_route)
        .with_state(runs)
}

type Shared = State<Arc<dyn Runs>>;

async fn no_route(request: Request) -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, format!("there is no {} here", request.uri().path()))
}

/// Calls the runs on a thread that may block, since they read files.
async fn ask(
    runs: Arc<dyn Runs>,
    what: impl FnOnce(&dyn Runs) -> Option<Value> + Send + 'static,
) -> Result<Response> {
    let answer = tokio::task::spawn_blocking(move || what(&*runs)).await;
    let answer = answer.map_err(|_| Refusal::internal("the server failed to read the runs"))?;
    let none = || Refusal::new(StatusCode::NOT_FOUND, "there is no such run");
    Ok(json_response(StatusCode::OK, &answer.ok_or_else(none)?))
}

async fn list(State(runs): Shared) -> Result<Response> {
    ask(runs, |runs| Some(runs.list())).await
}

async fn details(State(runs): Shared, Path(id): Path<String>) -> Result<Response> {
    let id = number(&id)?;
    ask(runs, move |runs| runs.details(id)).await
}

async fn curves(State(runs): Shared, Path(id): Path<String>, request: Request) -> Result<Response> {
    let id = number(&id)?;
    let window = window(request.uri().query().unwrap_or_default())?;
    ask(runs, move |runs| runs.curves(id, window)).await
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| Refusal::bad(format!("`{text}` is no whole number, 0 or more")))
}

/// Reads a query such as `from=0&to=100&points=500`; each field may be left out.
fn window(query: &str) -> Result<Window> {
    let mut window = Window { from: 0, to: u64::MAX, points: 500 };
    for (name, value) in query.split('&').filter_map(|field| field.split_once('=')) {
        match name {
            "from" => window.from = number(value)?,
            "to" => window.to = number(value)?,
            "points" => window.points = number::<usize>(value)?.clamp(1, MOST_POINTS),
            _ => {}
        }
    }
    Ok(window)
}
