use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use crate::record::LogSink;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A TCP port at an IP address of this machine; port 0 takes one that is free.
    Tcp(IpAddr, u16),
    /// A Unix socket at a path of the file system.
    Unix(PathBuf),
}

impl Default for Address {
    /// Port 8000 at 127.0.0.1, which only this machine reaches.
    fn default() -> Address {
        Address::Tcp(Ipv4Addr::LOCALHOST.into(), 8000)
    }
}

/// The options of a server's transport.
///
/// ```
/// use jarrah_http::ServerOptions;
/// let options = ServerOptions { keys: vec!["secret".into()], ..ServerOptions::default() };
/// assert!(options.origins.is_empty() && options.traces.is_none());
/// ```
pub struct ServerOptions {
    /// Where the server listens.
    pub address: Address,
    /// The files of the certificates and of the key by which the server speaks HTTPS, in PEM; only in a build with the feature `tls`.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The API keys, one of which a request must carry as `Authorization: Bearer KEY`; without any, all requests are served.
    /// The API names paths that need no key.
    pub keys: Vec<String>,
    /// The origins whose pages may send requests (CORS), as browsers name them; `*` is all origins.
    pub origins: Vec<String>,
    /// The host names by which requests may reach the server, beside addresses, `localhost` and names that end in `.localhost`:
    /// `chat.example`, `*.chat.example` for all names that end so, `*` for every name. If the list is empty, the name is checked
    /// only by a server at a loopback address without keys and HTTPS: otherwise a page whose name is made to resolve to this
    /// machine could read its answers.
    pub hosts: Vec<String>,
    /// The collector to which spans of requests are sent, by OTLP in JSON over HTTP: `http://127.0.0.1:4318/v1/traces`. Spans
    /// that it does not take in time are dropped.
    pub traces: Option<String>,
    /// The access log: called with a line for each request that is answered, refused or left by its client, `request` and fields
    /// `NAME=VALUE`. These are `id` (of the answer, by which it is aborted), `request_id` (of the header `x-request-id`),
    /// `route`, `status`, `prompt_tokens`, `cached_tokens` (prompt tokens found in the prefix cache), `answer_tokens`, `finish`
    /// (why each choice ended, with commas between; `disconnected` if the client went away before, `refused`, `error`), `first_s`
    /// and `whole_s` (seconds to the first token and to the end), and for a refused request `error`; `-` stands for nothing. The
    /// log has no texts and no tokens.
    pub log: Option<LogSink>,
    /// The log of the server's own events: called with a line, `[..]`, when the collector of [`traces`](Self::traces) begins to
    /// fail, when spans reach it again, and when a server that is stopping waits for work.
    pub notes: Option<LogSink>,
    /// The most bytes of a request's body.
    pub most_body: usize,
    /// The most bytes of all bodies that are being read at a time.
    pub most_bodies: usize,
    /// The most connections at a time; further ones wait until one ends.
    pub most_connections: usize,
    /// How long a connection may take to send the headers of a request before it is closed.
    pub head_time: Duration,
    /// How long the body of a request may take before the request is refused.
    pub body_time: Duration,
    /// How long a client may read nothing of its answer before its connection is closed, which ends its requests.
    pub write_time: Duration,
    /// How long running requests may go on after the server was told to stop.
    pub drain: Duration,
}

impl ServerOptions {
    /// Whether other machines can reach the server without a key.
    ///
    /// ```
    /// use jarrah_http::{Address, ServerOptions};
    /// let all = ServerOptions { address: Address::Tcp([0, 0, 0, 0].into(), 8000), ..ServerOptions::default() };
    /// assert!(all.is_open_to_others() && !ServerOptions::default().is_open_to_others());
    /// assert!(!ServerOptions { keys: vec!["secret".into()], ..all }.is_open_to_others());
    /// ```
    pub fn is_open_to_others(&self) -> bool {
        let is_reached = match &self.address {
            Address::Tcp(ip, _) => !ip.to_canonical().is_loopback(),
            Address::Unix(_) => false,
        };
        is_reached && self.keys.is_empty()
    }
}

impl Default for ServerOptions {
    /// Port 8000 of this machine alone, without keys; bodies of 8 MiB, 1,024 connections; half a minute for headers and for
    /// draining, a minute for a body and for a client that reads nothing.
    fn default() -> ServerOptions {
        ServerOptions {
            address: Address::default(),
            tls: None,
            keys: Vec::new(),
            origins: Vec::new(),
            hosts: Vec::new(),
            traces: None,
            log: None,
            notes: None,
            most_body: 8 << 20,
            most_bodies: 128 << 20,
            most_connections: 1024,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(60),
            write_time: Duration::from_secs(60),
            drain: Duration::from_secs(30),
        }
    }
}
