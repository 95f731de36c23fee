//! OpenAI's API as the transport serves it.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use jarrah_base::Error;
use jarrah_http::traces::Parent;
use jarrah_http::{
    Answer, Api, Asked, HttpRequest, OutlivingWork, RequestRecord, Route, TransportState, Whole, file_route,
};
use jarrah_serve::Engine;
use jarrah_tokenizer::chat::parse;

use crate::app::{App, Begin, Caller};
use crate::options::ApiOptions;
use crate::page;
use crate::refusal::{Refusal, Result, form};
use crate::routes::{Handler, OPEN, ROUTES, Row, When, calls, no_route};

/// OpenAI's API over an engine, for [`jarrah_http::Server::bind`].
///
/// # Errors
/// The returned function fails if a name of the model is not allowed, or if a tool or reasoning parser reads marks that the model
/// does not write (`Input`).
pub fn api(
    engine: Engine,
    options: ApiOptions,
) -> impl FnOnce(Arc<TransportState>) -> jarrah_base::Result<Api> {
    |shared| {
        let app = Arc::new(App::new(engine, options, shared, calls())?);
        let has = |row: &&Row| match row.when {
            When::Always => true,
            When::Development => app.options.dev,
            When::Page => app.options.page,
        };
        let mut routes: Vec<Route> = ROUTES.iter().filter(has).map(|row| route(&app, row)).collect();
        if app.options.page {
            routes.extend(page::files().map(file_route));
        }
        Ok(Api {
            routes,
            open: OPEN.into_iter().chain(page::files().map(|file| file.path)).collect(),
            form,
            no_route,
            no_more_work: "the server is shutting down: it waits for batches and for who reads their files alone",
            work: Some(app),
        })
    }
}

/// A row of the table, for requests to this server.
fn route(app: &Arc<App>, row: &Row) -> Route {
    let (app, handler) = (app.clone(), row.handler);
    let answer: Answer = Arc::new(move |asked| Box::pin(answer(app.clone(), handler, asked)));
    let is_recorded = matches!(handler, Handler::Call(_));
    Route { method: row.method, path: row.path, is_recorded, answer }
}

async fn answer(app: Arc<App>, handler: Handler, asked: Asked) -> Response {
    let answer = match handler {
        Handler::Call(begin) | Handler::Json(begin) => json(app, asked.request, begin).await,
        Handler::Tell(tell) => tell(&app, &asked),
        Handler::Work(work) => {
            let ended = tokio::task::spawn_blocking(move || work(&app, &asked)).await;
            ended.unwrap_or_else(|_| Err(Refusal::internal("the thread of a request ended by a panic")))
        }
        Handler::Upload(upload) => upload(app, asked.request).await,
    };
    answer.unwrap_or_else(IntoResponse::into_response)
}

/// Reads a body of JSON, and begins its answer on a thread that may block.
async fn json(app: Arc<App>, request: HttpRequest, begin: Begin) -> Result<Response> {
    let parent = Parent::of(request.headers());
    let record = request.extensions().get::<Arc<RequestRecord>>().cloned();
    let body = Whole::json(&app.shared, request).await?;
    let caller = Caller { app, parent, record };
    let begun = tokio::task::spawn_blocking(move || {
        let value =
            parse(&body.bytes).map_err(|e| Refusal::bad(e.message().replacen("it ", "the body ", 1)))?;
        let begun = begin(&caller, &value);
        drop(body);
        begun
    });
    let begun =
        begun.await.unwrap_or_else(|_| Err(Refusal::internal("the server failed to read the request")));
    begun?.await
}

impl OutlivingWork for App {
    fn stop(&self) {
        // No client can resume a paused engine or wake a sleeping one any more: resume it, or abort its requests.
        match self.engine.asleep() {
            None => self.engine.resume(),
            Some(_) => self.aborts.shut(),
        }
    }

    fn lost(&self) -> Vec<String> {
        self.batches.all().iter().filter_map(|batch| batch.lost(&self.files)).collect()
    }

    fn waits(&self, lost: &[String]) -> String {
        format!("[waiting until batches are answered, and their files read: {}]", lost.join(", "))
    }

    fn error(&self, lost: &[String]) -> Error {
        let error = format!("the server ended, and with it what it had of {}", lost.join(", "));
        Error::environment(error)
            .help("give more time by --shutdown-timeout; `jarrah run-batch` keeps its answers in a file")
    }
}
