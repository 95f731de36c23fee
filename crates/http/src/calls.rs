//! Which requests of JSON are answered by what, whether they come over a socket or stand in a batch.

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

/// The answer to a request that was begun.
pub type Begun = Pin<Box<dyn Future<Output = Result<Response>> + Send>>;
/// Reads a request and begins its answer, which may take its time.
pub type Begin = fn(&Caller, &Body) -> Result<Begun>;

/// Who asks.
pub struct Caller {
    pub app: Arc<App>,
    /// The span of the caller that the request is a part of.
    pub parent: Option<Parent>,
    /// What is told of the request.
    pub record: Option<Arc<Record>>,
}

/// By path.
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

/// The answer that is there already.
pub fn ready(value: Value) -> Begun {
    Box::pin(async move { Ok(json_response(StatusCode::OK, &value)) })
}
