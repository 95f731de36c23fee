//! Reading the body of a request, within bounds of size and time.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use http_body::{Body as _, Frame, SizeHint};
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, EXPECT};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::refusal::{Answered, Refusal};
use crate::shared::TransportState;

/// The most bytes that are read of a body that is refused as too large.
const MOST_REFUSED: usize = 64 << 20;

/// The most bytes, and the longest time, spent on reading a body that its handler left unread.
const MOST_LEFT: usize = 64 << 10;
const LONGEST_LEFT: Duration = Duration::from_secs(1);
/// How long a server that shuts down waits for more of a body.
const PATIENCE: Duration = Duration::from_secs(1);

/// A body that is sent back through a channel when its handler drops it.
struct Lent {
    body: Body,
    back: Option<oneshot::Sender<Body>>,
}

impl http_body::Body for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(back) = self.back.take() {
            // Sending fails where the request has ended, and then nobody needs the rest of the body.
            let _ = back.send(std::mem::take(&mut self.body));
        }
    }
}

/// The receiver of a body that its handler did not read to the end.
pub struct Left(oneshot::Receiver<Body>);

/// The request with a body that, once dropped, is returned through the second result to read the rest. A request without a body
/// has no second result, nor has one with `Expect`: its client sends nothing until it is asked to.
pub fn lend(request: Request) -> (Request, Option<Left>) {
    if request.body().is_end_stream() || request.headers().contains_key(EXPECT) {
        return (request, None);
    }
    let (back, left) = oneshot::channel();
    let request = request.map(|body| Body::new(Lent { body, back: Some(back) }));
    (request, Some(Left(left)))
}

impl Left {
    /// Reads the rest of the body, within bounds of size and time: the connection's next request stands behind it. Where the rest
    /// is longer, the connection is closed.
    pub async fn read(mut self) {
        // Where the handler still holds the body, the handler reads it.
        let Ok(mut body) = self.0.try_recv() else { return };
        let (deadline, mut left) = (Instant::now() + LONGEST_LEFT, MOST_LEFT);
        while left > 0
            && let Ok(Some(Ok(frame))) = timeout_at(deadline, next(&mut body)).await
        {
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
        }
    }
}

/// A body in memory, and its permits out of the limit for all bodies that are being read.
pub struct Whole {
    /// The bytes of the body.
    pub bytes: Vec<u8>,
    room: Option<OwnedSemaphorePermit>,
}

impl Whole {
    /// Reads a body of JSON, of at most [`ServerOptions::most_body`](crate::ServerOptions::most_body) bytes.
    ///
    /// # Errors
    /// The body is empty, of another type, too large, too slow, or ends early; or the permits for all bodies are used up.
    pub async fn json(shared: &TransportState, request: Request) -> Answered<Whole> {
        let is_empty = || {
            Refusal::bad(
                "the request has no body: send an object of JSON, with `Content-Type: application/json`",
            )
        };
        if request.body().is_end_stream() {
            return Err(is_empty());
        }
        let kind =
            request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind != "application/json" {
            let message = format!("the body must be of type application/json, but is of type `{kind}`");
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let body = Whole::read(shared, request, shared.options.most_body).await?;
        if body.bytes.trim_ascii().is_empty() { Err(is_empty()) } else { Ok(body) }
    }

    /// Reads a body of at most `most` bytes. The rest of a body that is refused is read, within a bound, while the answer is sent: a
    /// client that still sends when the server closes the connection sees a broken connection, and no answer.
    ///
    /// # Errors
    /// The body is too large, too slow, or ends early; or the permits for all bodies are used up.
    pub async fn read(shared: &TransportState, request: Request, most: usize) -> Answered<Whole> {
        let deadline = Instant::now() + shared.options.body_time;
        // A client that sends `Expect` waits for a go-ahead, so it sends nothing of a body that is refused.
        let waits =
            request.headers().contains_key(EXPECT) && request.body().size_hint().lower() > most as u64;
        let mut body = request.into_body();
        let read = read(shared, &mut body, most, deadline).await;
        if let Err(Refusal {
            status: StatusCode::PAYLOAD_TOO_LARGE | StatusCode::SERVICE_UNAVAILABLE, ..
        }) = read
            && !waits
            && !shared.is_ending()
        {
            tokio::spawn(async move {
                let mut left = MOST_REFUSED;
                while left > 0
                    && let Ok(Some(Ok(frame))) = timeout_at(deadline, next(&mut body)).await
                {
                    left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
                }
            });
        }
        read
    }

    /// Takes permits for `by` more bytes.
    fn grow(&mut self, all: &Arc<Semaphore>, by: usize) -> Answered<()> {
        let held = self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let needed = (self.bytes.len() + by).div_ceil(1024).saturating_sub(held);
        if needed == 0 {
            return Ok(());
        }
        let full = || Refusal::busy("the server is reading too many requests: try again");
        let needed = u32::try_from(needed).map_err(|_| full())?;
        let more = all.clone().try_acquire_many_owned(needed).map_err(|_| full())?;
        match &mut self.room {
            Some(room) => room.merge(more),
            None => self.room = Some(more),
        }
        Ok(())
    }
}

async fn next(body: &mut Body) -> Option<std::result::Result<Frame<Bytes>, axum::Error>> {
    poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await
}

async fn read(shared: &TransportState, body: &mut Body, most: usize, deadline: Instant) -> Answered<Whole> {
    let too_large = || {
        let message =
            format!("the body is larger than {most} bytes, which is the most that this server takes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let mut whole = Whole { bytes: Vec::new(), room: None };
    loop {
        let frame = match timeout_at(deadline.min(Instant::now() + PATIENCE), next(body)).await {
            Ok(frame) => frame,
            Err(_) if Instant::now() >= deadline => {
                let message = format!("the body did not arrive within {:?}", shared.options.body_time);
                return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, message));
            }
            // A server that shuts down does not wait for bodies that have not come.
            Err(_) if shared.is_ending() => {
                let message = "the server is shutting down, and the body of the request has not come";
                return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
            }
            Err(_) => continue,
        };
        let Some(frame) = frame else { return Ok(whole) };
        let frame = frame.map_err(|e| Refusal::bad(format!("the body ended early: {e}")))?;
        let Some(data) = frame.data_ref() else { continue };
        if whole.bytes.len() + data.len() > most {
            return Err(too_large());
        }
        whole.grow(&shared.bodies, data.len())?;
        whole.bytes.extend_from_slice(data);
    }
}
