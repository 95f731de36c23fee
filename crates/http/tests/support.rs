//! A server with a small API, which echoes.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use jarrah_base::{Error, Result};
use jarrah_http::{
    Address, Api, Asked, Events, HttpRequest, MethodFilter, OutlivingWork, Refusal, Response, Route, Server,
    ServerOptions, StatusCode, Stopper, TransportState, Whole, event, event_stream, json_response, refuse,
};
use serde_json::json;

/// A refusal is `{"error": {"message", "code"}}`.
pub fn form(refusal: Refusal) -> Response {
    let error = json!({"error": {"message": refusal.message, "code": refusal.code}});
    refuse(json_response(refusal.status, error.to_string()), refusal.message)
}

/// So many events, each with its number.
struct Numbers(usize, usize);

impl Events for Numbers {
    fn poll_next(&mut self, _: &mut Context<'_>, out: &mut String) -> Poll<bool> {
        let Numbers(now, end) = self;
        if now < end {
            event(out, &now.to_string());
            *now += 1;
        }
        Poll::Ready(now < end)
    }
}

async fn echo(shared: Arc<TransportState>, request: HttpRequest) -> Response {
    match Whole::json(&shared, request).await {
        Ok(body) => json_response(StatusCode::OK, String::from_utf8_lossy(&body.bytes).into_owned()),
        Err(refusal) => form(refusal),
    }
}

fn get(path: &'static str, tell: fn(&str) -> Response) -> Route {
    let answer = Arc::new(move |asked: Asked| Box::pin(std::future::ready(tell(&asked.variable))) as _);
    Route { method: MethodFilter::GET, path, is_recorded: false, answer }
}

fn api(shared: Arc<TransportState>, work: Option<Arc<dyn OutlivingWork>>) -> Result<Api> {
    let echoes = Route {
        method: MethodFilter::POST,
        path: "/echo",
        is_recorded: true,
        answer: Arc::new(move |asked| Box::pin(echo(shared.clone(), asked.request)) as _),
    };
    Ok(Api {
        routes: vec![
            get("/health", |_| Response::default()),
            get("/things", |_| json_response(StatusCode::OK, "[]".to_owned())),
            get("/things/{name}", |name| json_response(StatusCode::OK, json!(name).to_string())),
            get("/numbers/{count}", |count| event_stream(Numbers(0, count.parse().unwrap()))),
            echoes,
        ],
        open: vec!["/health"],
        form,
        no_route: |path| format!("no {path}"),
        no_more_work: "the server is shutting down",
        work,
    })
}

/// A server that runs until it is dropped.
pub struct Running {
    pub address: String,
    pub stopper: Stopper,
    pub done: Option<JoinHandle<Result<()>>>,
}

impl Running {
    pub fn new(change: impl FnOnce(&mut ServerOptions)) -> Running {
        Running::with_work(None, change)
    }

    /// A server whose API has work that may outlive its requests.
    pub fn with_work(
        work: Option<Arc<dyn OutlivingWork>>,
        change: impl FnOnce(&mut ServerOptions),
    ) -> Running {
        let mut options =
            ServerOptions { address: Address::Tcp([127, 0, 0, 1].into(), 0), ..ServerOptions::default() };
        change(&mut options);
        Running::of(Server::bind(options, |shared| api(shared, work)).unwrap())
    }

    pub fn of(server: Server) -> Running {
        let (address, stopper) = (server.address().to_owned(), server.stopper());
        Running { address, stopper, done: Some(std::thread::spawn(|| server.run())) }
    }
}

/// The error of a server that these options make none of.
pub fn refusal(options: ServerOptions) -> Error {
    Server::bind(options, |shared| api(shared, None)).err().unwrap()
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
        self.stopper.stop();
        if let Some(done) = self.done.take() {
            let _ = done.join().unwrap();
        }
    }
}
