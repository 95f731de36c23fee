//! Refusals of requests, in OpenAI's form of an error.

use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use jarrah_base::{Error, ErrorKind};
use jarrah_http::{refuse, shortened};
use jarrah_tokenizer::chat::fields::Fault;
use jarrah_tokenizer::chat::unmarked;
use serde_json::{Value, json};

/// The reason why a request is refused, as OpenAI's error object: `{"error": {"message", "type", "param", "code"}}`.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    message: String,
    param: Option<String>,
    code: Option<&'static str>,
}

/// The result of handling a request, whose error is sent as the response.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

impl Refusal {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: shortened(message.into()), param: None, code: None }
    }

    /// A refusal with status 400: the request is wrong.
    pub fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// A refusal with status 400: the field at `path` is wrong.
    pub fn field(path: impl Into<String>, message: impl Into<String>) -> Refusal {
        Refusal { param: Some(shortened(path.into())), ..Refusal::bad(message) }
    }

    /// A refusal with status 500: the server failed.
    pub fn internal(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// A refusal with status 503: the server has no room now.
    pub fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// This refusal with another status, and without a code.
    pub fn status(self, status: StatusCode) -> Refusal {
        Refusal { status, code: None, ..self }
    }

    /// This refusal with a code, by which programs tell refusals apart.
    pub fn code(self, code: &'static str) -> Refusal {
        Refusal { code: Some(code), ..self }
    }

    /// Names the field that is wrong, unless one is named already.
    pub fn at(mut self, path: &str) -> Refusal {
        self.param.get_or_insert_with(|| path.to_owned());
        self
    }

    /// This refusal with the number of the file's line, counted from 1 on, before the message.
    pub fn in_line(self, number: usize) -> Refusal {
        Refusal { message: format!("line {number}: {}", self.message), ..self }
    }

    fn kind(&self) -> &'static str {
        match self.status {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        }
    }

    /// The error object: `{"error": ...}`.
    pub fn json(&self) -> Value {
        let (param, code) = (&self.param, self.code);
        json!({"error": {"message": self.message, "type": self.kind(), "param": param, "code": code}})
    }
}

impl From<Fault> for Refusal {
    /// Status 400, with the path of the field.
    fn from(Fault { path, message }: Fault) -> Refusal {
        match path.is_empty() {
            true => Refusal::bad(message),
            false => Refusal::field(path, message),
        }
    }
}

impl From<Error> for Refusal {
    /// Status 400 for `Input`, the client's fault; status 429 for `Environment`, by which the engine says that its queue is full.
    fn from(error: Error) -> Refusal {
        let message = match error.advice() {
            Some(advice) => format!("{}: {advice}", error.message()),
            None => error.message().to_owned(),
        };
        match error.kind() {
            ErrorKind::Input => Refusal::bad(message),
            ErrorKind::Environment => {
                Refusal::new(StatusCode::TOO_MANY_REQUESTS, message).code("rate_limit_exceeded")
            }
            ErrorKind::Memory | ErrorKind::Program | ErrorKind::Internal => Refusal::internal(message),
        }
    }
}

impl From<jarrah_http::Refusal> for Refusal {
    fn from(refusal: jarrah_http::Refusal) -> Refusal {
        Refusal { code: refusal.code, ..Refusal::new(refusal.status, refusal.message) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        refuse(json_response(self.status, &self.json()), self.message)
    }
}

/// OpenAI's form of the transport's refusals.
pub fn form(refusal: jarrah_http::Refusal) -> Response {
    Refusal::from(refusal).into_response()
}

/// A response with a JSON body.
pub fn json_response(status: StatusCode, value: &Value) -> Response {
    jarrah_http::json_response(status, unmarked(&value.to_string()).into_owned())
}

/// A response with status 200 and a JSON body.
pub fn tell(value: &Value) -> Response {
    json_response(StatusCode::OK, value)
}
