//! The table of JSON requests: which function answers which path, over a socket or in a batch.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::response::Response;
use hyper::StatusCode;
use jarrah_tokenizer::chat::Value as Body;
use serde_json::Value;

use crate::app::App;
use crate::record::Record;
use crate::refusal::{Result, json_response};
use crate::traces::Parent;
use crate::{chat, completions, pooling, responses, tokens};

/// The future of the answer to a request that was read and accepted.
pub type Begun = Pin<Box<dyn Future<Output = Result<Response>> + Send>>;
/// A function that reads a request and begins its answer; it may block.
pub type Begin = fn(&Caller, &Body) -> Result<Begun>;

/// The context of a request: the server, the caller's trace and the log record.
pub struct Caller {
    pub app: Arc<App>,
    /// The span of the caller, if the request is part of a trace.
    pub parent: Option<Parent>,
    /// The log record of the request, if requests are logged.
    pub record: Option<Arc<Record>>,
}

/// The function that begins the answer, by path.
pub const CALLS: [(&str, Begin); 13] = [
    ("/v1/chat/completions", chat::begin),
    ("/v1/completions", completions::begin),
    ("/v1/responses", responses::begin),
    ("/v1/embeddings", pooling::embeddings),
    ("/pooling", pooling::pooling),
    ("/classify", pooling::classify),
    ("/score", pooling::score),
    ("/v1/score", pooling::score),
    ("/rerank", pooling::rerank),
    ("/v1/rerank", pooling::rerank),
    ("/v2/rerank", pooling::rerank),
    ("/tokenize", tokens::tokenize),
    ("/detokenize", tokens::detokenize),
];

/// A future that gives `value` as its response at once.
pub fn ready(value: Value) -> Begun {
    Box::pin(async move { Ok(json_response(StatusCode::OK, &value)) })
}
