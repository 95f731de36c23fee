//! The span of a request to the model, with the attributes that vLLM gives it.

use std::time::Instant;

use jarrah_http::Tracer;
use jarrah_http::traces::{self, Parent, integer, number, text};
use jarrah_serve::{AnswerDelta, EngineRequest, Finish};

/// The span of a request, which ends when this is dropped.
pub struct Span {
    span: traces::Span,
    begun: Instant,
    /// Seconds to the first token.
    first: Option<f64>,
    tokens: usize,
}

impl Span {
    /// Begins the span of a request; nothing if its caller keeps no spans of the trace.
    pub fn begin(
        tracer: &Tracer,
        parent: Option<Parent>,
        id: &str,
        model: &str,
        requests: &[EngineRequest],
    ) -> Option<Span> {
        let first = &requests.first()?.params;
        let prompt = requests.iter().map(|request| request.prompt.len()).sum();
        let choices = requests.iter().map(|request| request.params.n).sum();
        let attributes = vec![
            text("gen_ai.request.id", id),
            text("gen_ai.response.model", model),
            number("gen_ai.request.temperature", first.temperature),
            number("gen_ai.request.top_p", first.top_p),
            integer("gen_ai.request.max_tokens", first.max_tokens.unwrap_or(1)),
            integer("gen_ai.request.n", first.n),
            integer("gen_ai.usage.num_sequences", choices),
            integer("gen_ai.usage.prompt_tokens", prompt),
        ];
        let span = tracer.begin(parent, "llm_request", attributes)?;
        Some(Span { span, begun: Instant::now(), first: None, tokens: 0 })
    }

    /// Notes a delta of an answer.
    pub fn take(&mut self, delta: &AnswerDelta) {
        if !delta.tokens.is_empty() {
            self.first.get_or_insert_with(|| self.begun.elapsed().as_secs_f64());
        }
        self.tokens += delta.tokens.len();
        if let Some(Finish::Failed(error)) = &delta.finish {
            self.span.fail(error.message());
        }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.span.add(self.first.map(|first| number("gen_ai.latency.time_to_first_token", first)));
        self.span.add([
            number("gen_ai.latency.e2e", self.begun.elapsed().as_secs_f64()),
            integer("gen_ai.usage.completion_tokens", self.tokens),
        ]);
    }
}
