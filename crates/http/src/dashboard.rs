//! A page that shows training runs.

use std::sync::Arc;

use axum::response::Response;
use axum::routing::MethodFilter;
use hyper::StatusCode;
use serde_json::{Value, json};

use crate::api::{Asked, Route};
use crate::page::{File, SHARED_FILES, file_route};
use crate::page_file;
use crate::refusal::{Answered, Refusal, json_response, refuse};

/// The most points of a curve in an answer.
const MOST_POINTS: usize = 4096;

/// The training runs that a dashboard shows. A run keeps its number.
pub trait Runs: Send + Sync + 'static {
    /// The runs as JSON: `[{"id", "name", "version", ..}]`. The version changes whenever the run's curves do.
    fn list(&self) -> Value;

    /// The curves of a run within a window: `{"curves": [{"name", "steps", "mean", "min", "max"}]}`; nothing if there is no run
    /// of this number.
    fn curves(&self, run: usize, window: CurveWindow) -> Option<Value>;

    /// The settings of a run, its model, and the samples of text that it wrote.
    fn details(&self, run: usize) -> Option<Value>;
}

/// The range of steps, and the resolution, that a page asks curves for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveWindow {
    /// The first step.
    pub from: u64,
    /// The last step.
    pub to: u64,
    /// The most points of each curve.
    pub points: usize,
}

/// The files of the page.
static FILES: [File; 4] = [
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("../page/dashboard.html") },
    page_file!("dashboard.css", "text/css; charset=utf-8"),
    page_file!("dashboard.js", "text/javascript; charset=utf-8"),
    page_file!("plot.js", "text/javascript; charset=utf-8"),
];

/// A function that answers a request; it may block, since the runs read files.
type Tell = fn(&dyn Runs, &Asked) -> Answered<Option<Value>>;

/// The routes that tell of runs.
const ROUTES: [(&str, Tell); 3] = [
    ("/runs", |runs, _| Ok(Some(runs.list()))),
    ("/runs/{id}", |runs, asked| Ok(runs.details(number(&asked.variable)?))),
    ("/runs/{id}/curves", |runs, asked| {
        let id = number(&asked.variable)?;
        Ok(runs.curves(id, window(asked)?))
    }),
];

/// The routes of a dashboard.
pub fn routes(runs: Arc<dyn Runs>) -> Vec<Route> {
    let told = ROUTES.into_iter().map(|(path, tell)| {
        let runs = runs.clone();
        let answer = Arc::new(move |asked| Box::pin(ask(runs.clone(), tell, asked)) as _);
        Route { method: MethodFilter::GET, path, is_recorded: false, answer }
    });
    told.chain(SHARED_FILES.iter().chain(&FILES).map(file_route)).collect()
}

/// The message to a request whose path has no route.
pub fn no_route(path: &str) -> String {
    format!("there is no {path} here")
}

/// The response of a refusal: `{"error": {"message", "type", "param", "code"}}`.
pub fn form(refusal: Refusal) -> Response {
    let kind = if refusal.status.is_server_error() { "server_error" } else { "invalid_request_error" };
    let (message, code) = (&refusal.message, refusal.code);
    let error = json!({"error": {"message": message, "type": kind, "param": null, "code": code}});
    refuse(json_response(refusal.status, error.to_string()), refusal.message)
}

async fn ask(runs: Arc<dyn Runs>, tell: Tell, asked: Asked) -> Response {
    let answer = tokio::task::spawn_blocking(move || tell(&*runs, &asked)).await;
    let failed =
        |_| Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed to read the runs"));
    let none = || Refusal::new(StatusCode::NOT_FOUND, "there is no such run");
    match answer.unwrap_or_else(failed).and_then(|answer| answer.ok_or_else(none)) {
        Ok(answer) => json_response(StatusCode::OK, answer.to_string()),
        Err(refusal) => form(refusal),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Answered<T> {
    text.parse().map_err(|_| Refusal::bad(format!("`{text}` is no whole number, 0 or more")))
}

/// Reads a query such as `from=0&to=100&points=500`; each field may be left out.
fn window(asked: &Asked) -> Answered<CurveWindow> {
    let field = |name: &str, otherwise: u64| asked.query(name).map_or(Ok(otherwise), |value| number(&value));
    let points = field("points", 500)?.clamp(1, MOST_POINTS as u64) as usize;
    Ok(CurveWindow { from: field("from", 0)?, to: field("to", u64::MAX)?, points })
}
