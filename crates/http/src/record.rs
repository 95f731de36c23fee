//! The access log: a line for each request, where the operator asks for one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use hyper::StatusCode;

/// The function that takes the lines of a log.
pub type LogSink = Arc<dyn Fn(&str) + Send + Sync>;

/// The log record of one request. Its line is written when the record is dropped: the request is answered then, or its client has
/// gone.
pub struct RequestRecord {
    log: LogSink,
    route: String,
    /// The id of the request, from the client's header or made by the server.
    request: String,
    begun: Instant,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The id of the answer, if the engine was asked for one.
    id: Option<String>,
    prompt: usize,
    cached: usize,
    tokens: usize,
    /// The number of choices, how many of them have ended, and the reasons for which those that are texts did.
    choices: usize,
    ended: usize,
    ends: Vec<&'static str>,
    /// Seconds to the first token.
    first: Option<f64>,
    status: Option<StatusCode>,
    refusal: Option<String>,
}

impl RequestRecord {
    /// The record of a request to a route, if there is a log.
    pub fn begin(log: Option<&LogSink>, route: &str, request: &str) -> Option<Arc<RequestRecord>> {
        let (log, route, request) = (log?.clone(), route.to_owned(), request.to_owned());
        Some(Arc::new(RequestRecord { log, route, request, begun: Instant::now(), known: Mutex::default() }))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the answer of this id was begun, to a prompt of so many tokens, with so many choices.
    pub fn ask(&self, id: &str, prompt: usize, choices: usize) {
        let mut known = self.lock();
        known.id = Some(id.to_owned());
        (known.prompt, known.choices) = (prompt, choices);
    }

    /// Notes a piece of the answer: its tokens, and tokens of the prompt that were found in the prefix cache.
    pub fn take(&self, tokens: usize, cached: usize) {
        let mut known = self.lock();
        if tokens > 0 {
            known.first.get_or_insert_with(|| self.begun.elapsed().as_secs_f64());
        }
        known.tokens += tokens;
        known.cached += cached;
    }

    /// Notes that a choice has ended, and for which reason; a vector has no reason.
    pub fn end(&self, reason: Option<&'static str>) {
        let mut known = self.lock();
        known.ended += 1;
        known.ends.extend(reason);
    }

    /// Notes the status of the response, which is being sent, and its message if it is a refusal.
    pub fn answer(&self, status: StatusCode, refusal: Option<&str>) {
        let mut known = self.lock();
        (known.status, known.refusal) = (Some(status), refusal.map(str::to_owned));
    }
}

impl Drop for RequestRecord {
    fn drop(&mut self) {
        let RequestRecord { route, request, begun, known, log } = self;
        let known = known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let seconds = |s: f64| format!("{s:.3}");
        let finish = match known {
            Known { refusal: Some(_), status: Some(status), .. } if status.is_client_error() => {
                "refused".to_owned()
            }
            Known { refusal: Some(_), .. } => "error".to_owned(),
            Known { status: None, .. } => "disconnected".to_owned(),
            Known { choices, ended, ends, .. } if *ended < *choices && !ends.contains(&"error") => {
                "disconnected".to_owned()
            }
            Known { ends, .. } if ends.is_empty() => "-".to_owned(),
            Known { ends, .. } => ends.join(","),
        };
        let mut line = format!(
            "request id={} request_id={} route={route} status={} prompt_tokens={} cached_tokens={} answer_tokens={} finish={finish} first_s={} whole_s={}",
            or_dash(known.id.as_deref().map(word)),
            word(request),
            or_dash(known.status.map(|status| status.as_u16().to_string())),
            known.prompt,
            known.cached,
            known.tokens,
            or_dash(known.first.map(seconds)),
            seconds(begun.elapsed().as_secs_f64()),
        );
        if let Some(refusal) = &known.refusal {
            line += &format!(" error={refusal:?}");
        }
        log(&line);
    }
}

/// A text as the value of a field: it is quoted if a client could use it to forge other fields or lines.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"=\\".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("{text:?}") }
}
