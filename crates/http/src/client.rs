//! An HTTP client, by which this workspace calls other servers.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use jarrah_base::{Error, Result};
use tokio::net::TcpStream;

/// A server's address, and its idle connections.
#[derive(Clone)]
pub struct HttpClient {
    /// `host:port`.
    authority: String,
    /// The path that is put before each request's path.
    base: String,
    key: Option<HeaderValue>,
    idle: Arc<Mutex<Vec<SendRequest<Body>>>>,
}

impl HttpClient {
    /// Reads a server's address, `http://HOST[:PORT][/PATH][/v1]`. `usual` is an example of an address, for the help of errors.
    ///
    /// # Errors
    /// The address is malformed, or begins with `https://`, which this client does not speak (`Input`).
    pub fn new(url: &str, key: Option<&str>, usual: &str) -> Result<HttpClient> {
        let wrong = |what: &str| Error::input(format!("{url} {what}")).help(format!("write {usual}"));
        if url.starts_with("https://") {
            return Err(wrong("is of HTTPS, which this client does not speak"));
        }
        let rest = url.strip_prefix("http://").ok_or_else(|| wrong("is no address of HTTP"))?;
        let (authority, base) = rest.split_once('/').unwrap_or((rest, ""));
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if authority.is_empty() || authority.contains('@') {
            return Err(wrong("is no address of HTTP"));
        }
        // Base addresses of APIs often end in their version, so `/v1` is removed: routes begin with it.
        let base = base.trim_end_matches('/');
        let base = base.strip_suffix("v1").unwrap_or(base).trim_end_matches('/');
        let key = key.map(|key| HeaderValue::from_str(&format!("Bearer {key}")));
        Ok(HttpClient {
            authority: if has_port { authority.to_owned() } else { format!("{authority}:80") },
            base: if base.is_empty() { String::new() } else { format!("/{base}") },
            key: key.transpose().map_err(|_| Error::input("the key has characters that no header has"))?,
            idle: Arc::default(),
        })
    }

    async fn connect(&self) -> Result<SendRequest<Body>> {
        let stream = TcpStream::connect(&self.authority).await.map_err(|e| self.failed("connect to", &e))?;
        // Requests are small, and each waits for its answer: Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let (sender, connection) =
            handshake(TokioIo::new(stream)).await.map_err(|e| self.failed("connect to", &e))?;
        tokio::spawn(connection);
        Ok(sender)
    }

    fn failed(&self, what: &str, error: &dyn std::error::Error) -> Error {
        Error::environment(format!("cannot {what} {}: {error}", self.authority))
    }

    /// Sends a request: POST with a body of JSON, GET without.
    ///
    /// # Errors
    /// The server cannot be reached, or breaks the connection (`Environment`).
    pub async fn send(&self, path: &str, body: Option<&str>) -> Result<ClientAnswer> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // The server may have closed an idle connection meanwhile.
        let mut sender = match idle.filter(|sender| !sender.is_closed()) {
            Some(sender) => sender,
            None => self.connect().await?,
        };
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::new(Body::from(body.unwrap_or_default().to_owned()));
        *request.method_mut() = method;
        let target = match format!("{}{path}", self.base) {
            target if target.is_empty() => "/".to_owned(),
            target => target,
        };
        *request.uri_mut() = target.parse().map_err(|_| Error::input(format!("{target} is no path")))?;
        let headers = request.headers_mut();
        let host = HeaderValue::from_str(&self.authority).map_err(|_| Error::input("the host is no name"))?;
        headers.insert(HOST, host);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = &self.key {
            headers.insert(AUTHORIZATION, key.clone());
        }
        sender.ready().await.map_err(|e| self.failed("reach", &e))?;
        let response = sender.send_request(request).await.map_err(|e| self.failed("reach", &e))?;
        Ok(ClientAnswer { client: self.clone(), response, sender: Some(sender) })
    }
}

/// A server's response, whose body is read piece by piece.
pub struct ClientAnswer {
    client: HttpClient,
    response: Response<Incoming>,
    sender: Option<SendRequest<Body>>,
}

impl ClientAnswer {
    /// The status of the response.
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// The next piece of the body; nothing at its end.
    ///
    /// # Errors
    /// The server breaks the connection (`Environment`).
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            let body = self.response.body_mut();
            let Some(frame) = poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await else {
                let idle = self.sender.take();
                self.client.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(idle);
                return Ok(None);
            };
            let frame = frame.map_err(|e| self.client.failed("read from", &e))?;
            if let Ok(data) = frame.into_data() {
                return Ok(Some(data));
            }
        }
    }

    /// The whole body.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn text(mut self) -> Result<String> {
        let mut bytes = Vec::new();
        while let Some(part) = self.next().await? {
            bytes.extend(part);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
