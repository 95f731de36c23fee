//! The HTTP transport of APIs: it listens, checks requests, and hands them to an API's table of routes.
//!
//! [`Server::bind`] listens, [`Server::run`] serves until a [`Stopper`] stops it, [`ServerOptions`] configure it. An [`Api`] is data: rows
//! of [`Route`], and functions that give refusals and messages their form. The transport knows no API: it has connections and
//! HTTPS, the names of hosts, keys and origins, bodies within bounds of size and time ([`Whole`]), event streams
//! ([`event_stream`]), the access log ([`RequestRecord`]), spans ([`Tracer`]) and the format of metrics ([`MetricsPage`]).
//! [`Server::dashboard`] shows training runs instead; [`HttpClient`] asks other servers. This is the one crate that opens sockets.
//!
//! A request passes the check of `Host` (`hosts.rs`), then those of ids, keys and origins (`front.rs`), then reaches its row of the
//! table (`router.rs`). A client that disconnects, or reads nothing for too long, ends its requests: the future of a response, or
//! the body of an event stream, is dropped; no task or queue lies between.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::sync::Arc;
//!
//! use jarrah_http::{Address, Api, Asked, MethodFilter, ServerOptions, Refusal, Response, Route, Server, StatusCode};
//! use jarrah_http::{json_response, refuse};
//!
//! fn form(refusal: Refusal) -> Response {
//!     refuse(json_response(refusal.status, format!("{:?}", refusal.message)), refusal.message)
//! }
//!
//! let hello = Route {
//!     method: MethodFilter::GET,
//!     path: "/hello/{name}",
//!     is_recorded: false,
//!     answer: Arc::new(|asked: Asked| {
//!         Box::pin(async move { json_response(StatusCode::OK, format!("\"hello {}\"", asked.variable)) })
//!     }),
//! };
//! let api = Api {
//!     routes: vec![hello],
//!     open: Vec::new(),
//!     form,
//!     no_route: |path| format!("there is no {path}"),
//!     no_more_work: "the server is shutting down",
//!     work: None,
//! };
//! let options = ServerOptions { address: Address::Tcp([127, 0, 0, 1].into(), 0), ..ServerOptions::default() };
//! let server = Server::bind(options, |_| Ok(api))?;
//! let (at, stopper) = (server.address().to_owned(), server.stopper());
//! let running = std::thread::spawn(|| server.run());
//!
//! let mut stream = std::net::TcpStream::connect(at.trim_start_matches("http://")).unwrap();
//! write!(stream, "GET /hello/you HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
//! let mut answer = String::new();
//! stream.read_to_string(&mut answer).unwrap();
//! assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("\"hello you\""));
//! stopper.stop();
//! running.join().unwrap()?;
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod api;
mod body;
mod client;
mod dashboard;
mod events;
mod front;
mod hosts;
mod metrics;
mod options;
mod page;
mod patient;
mod record;
mod refusal;
mod router;
mod server;
mod shared;
mod tls;
pub mod traces;

pub use api::{Answer, Answering, Api, Asked, OutlivingWork, Route};
pub use axum::extract::Request as HttpRequest;
pub use axum::response::Response;
pub use axum::routing::MethodFilter;
pub use body::Whole;
pub use client::{ClientAnswer, HttpClient};
pub use dashboard::{CurveWindow, Runs};
pub use events::{Events, event, event_stream};
pub use hyper::StatusCode;
pub use metrics::MetricsPage;
pub use options::{Address, ServerOptions};
pub use page::{File, SHARED_FILES, file_route};
pub use record::{LogSink, RequestRecord};
pub use refusal::{Answered, Form, Refusal, json_response, refuse, refused, shortened};
pub use server::{Server, Stopper};
pub use shared::TransportState;
pub use traces::Tracer;
