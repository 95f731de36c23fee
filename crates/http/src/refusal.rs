use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use jarrah_base::{Error, ErrorKind};
use jarrah_tokenizer::chat::unmarked;
use serde_json::{Value, json};

/// After so many seconds a client may try again where there was no room.
const PATIENCE: HeaderValue = HeaderValue::from_static("1");

/// The longest message, and the longest path of a field, in bytes: both may have in them what a client gave.
const LONGEST: usize = 1000;

/// A text of at most so many bytes: of a longer one the beginning and the end.
fn shortened(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let first = &text[..text.floor_char_boundary(most / 2)];
    let last = &text[text.ceil_char_boundary(text.len() - most / 2)..];
    format!("{first}…{last}")
}

/// Why a request is not answered, in OpenAI's form: `{"error": {"message", "type", "param", "code"}}`.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    message: String,
    param: Option<String>,
    code: Option<&'static str>,
}

/// What a response says that refuses, for those who see it on its way.
#[derive(Clone)]
struct Refused(String);

/// Why a response refuses, if it does.
pub fn refused(response: &Response) -> Option<&str> {
    response.extensions().get::<Refused>().map(|refused| refused.0.as_str())
}

/// What may be refused.
pub type Result<T> = std::result::Result<T, Refusal>;

impl Refusal {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: shortened(message.into(), LONGEST), param: None, code: None }
    }

    /// The request is wrong.
    pub fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// The field at `path` is wrong.
    pub fn field(path: impl Into<String>, message: impl Into<String>) -> Refusal {
        Refusal { param: Some(shortened(path.into(), LONGEST)), ..Refusal::bad(message) }
    }

    /// The server failed.
    pub fn internal(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// There is no room now.
    pub fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The same with another status, and the word of none.
    pub fn status(self, status: StatusCode) -> Refusal {
        Refusal { status, code: None, ..self }
    }

    /// The word for programs that tell refusals apart.
    pub fn code(self, code: &'static str) -> Refusal {
        Refusal { code: Some(code), ..self }
    }

    /// Names the field that is wrong, unless one is named already.
    pub fn at(mut self, path: &str) -> Refusal {
        self.param.get_or_insert_with(|| path.to_owned());
        self
    }

    /// The same of a line of a file, counted from 1 on.
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

    /// `{"error": ...}`.
    pub fn json(&self) -> Value {
        let (param, code) = (&self.param, self.code);
        json!({"error": {"message": self.message, "type": self.kind(), "param": param, "code": code}})
    }
}

impl From<Error> for Refusal {
    /// Input is the client's fault, and the engine says `Environment` where its queue is full.
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

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_response(self.status, &self.json());
        response.extensions_mut().insert(Refused(self.message));
        match self.status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                response.headers_mut().insert(RETRY_AFTER, PATIENCE);
            }
            // What is left of the body is no request.
            StatusCode::PAYLOAD_TOO_LARGE => {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            StatusCode::UNAUTHORIZED => {
                response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}

/// A response that is a value of JSON.
pub fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(unmarked(&value.to_string()).into_owned()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
