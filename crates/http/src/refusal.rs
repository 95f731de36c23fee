//! The transport's refusals, and the headers that the response of any refusal has.

use axum::body::Body;
use axum::response::Response;
use hyper::StatusCode;
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

/// The header `Retry-After` of responses that refuse for lack of room, in seconds.
const PATIENCE: HeaderValue = HeaderValue::from_static("1");

/// The longest message of a refusal, in bytes: it may repeat text of the client.
const LONGEST: usize = 1000;

/// The reason why the transport refuses a request. An API gives it its form.
#[derive(Debug)]
pub struct Refusal {
    /// The status of the response.
    pub status: StatusCode,
    /// The reason in words.
    pub message: String,
    /// A word by which programs tell refusals apart.
    pub code: Option<&'static str>,
}

/// Makes an API's response of a transport's refusal.
pub type Form = fn(Refusal) -> Response;

/// The result of the transport's work for a request.
pub type Answered<T> = std::result::Result<T, Refusal>;

impl Refusal {
    /// A refusal without a code.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: shortened(message.into()), code: None }
    }

    /// A refusal with status 400: the request is wrong.
    pub fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// A refusal with status 503: the server has no room now.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// This refusal with a code.
    pub fn code(self, code: &'static str) -> Refusal {
        Refusal { code: Some(code), ..self }
    }
}

/// The text if it has at most a thousand bytes, or else its beginning and its end.
pub fn shortened(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let first = &text[..text.floor_char_boundary(LONGEST / 2)];
    let last = &text[text.ceil_char_boundary(text.len() - LONGEST / 2)..];
    format!("{first}…{last}")
}

/// The message of a refusal, attached to its response for the access log.
#[derive(Clone)]
struct Refused(String);

/// The message of a response that is a refusal.
pub fn refused(response: &Response) -> Option<&str> {
    response.extensions().get::<Refused>().map(|refused| refused.0.as_str())
}

/// The response of a refusal with the headers that its status asks for, and with the message for the access log.
pub fn refuse(mut response: Response, message: String) -> Response {
    response.extensions_mut().insert(Refused(message));
    match response.status() {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            response.headers_mut().insert(RETRY_AFTER, PATIENCE);
        }
        // The connection is closed, since the unread rest of the body would be taken for the next request.
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

/// A response whose body is this text of JSON.
pub fn json_response(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
