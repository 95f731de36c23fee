//! Server-sent events.
//!
//! Source: the HTML standard, section 9.2, <https://html.spec.whatwg.org/multipage/server-sent-events.html>.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::Frame;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};

/// The most bytes of events that are sent together as one frame, when so many are ready.
const TOGETHER: usize = 1 << 14;

/// A source of server-sent events. It is polled by the connection, and dropped when the client goes away.
pub trait Events: Send + Unpin + 'static {
    /// Appends the next events to `out`, if there are any. Returns whether more may follow; the stream ends otherwise.
    fn poll_next(&mut self, cx: &mut Context<'_>, out: &mut String) -> Poll<bool>;
}

/// The body of a response that is a stream of events.
struct Stream<T> {
    events: T,
    has_ended: bool,
}

impl<T: Events> http_body::Body for Stream<T> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = self.get_mut();
        let mut out = String::new();
        while !this.has_ended && out.len() < TOGETHER {
            match this.events.poll_next(cx, &mut out) {
                Poll::Pending if out.is_empty() => return Poll::Pending,
                Poll::Pending => break,
                Poll::Ready(goes_on) => this.has_ended = !goes_on,
            }
        }
        Poll::Ready((!out.is_empty()).then(|| Ok(Frame::data(Bytes::from(out)))))
    }
}

/// The response that streams events.
pub fn event_stream(events: impl Events) -> Response {
    let mut response = Response::new(Body::new(Stream { events, has_ended: false }));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Appends an event without a name, whose data is one line.
pub fn event(out: &mut String, data: &str) {
    *out += "data: ";
    *out += data;
    *out += "\n\n";
}
