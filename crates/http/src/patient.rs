use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A connection whose writes fail where the reader takes nothing for too long.
pub struct Patient<S> {
    stream: S,
    most: Duration,
    /// Whether a write waits and `until` runs.
    waits: bool,
    until: Pin<Box<Sleep>>,
}

impl<S> Patient<S> {
    pub fn new(stream: S, most: Duration) -> Patient<S> {
        Patient { stream, most, waits: false, until: Box::pin(sleep(most)) }
    }
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    fn write<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let outcome = write(Pin::new(&mut self.stream), cx);
        if outcome.is_ready() {
            self.waits = false;
            return outcome;
        }
        if !self.waits {
            self.waits = true;
            self.until.as_mut().reset(Instant::now() + self.most);
        }
        self.until.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().write(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().write(cx, |stream, cx| stream.poll_write_vectored(cx, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().write(cx, |stream, cx| stream.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().write(cx, |stream, cx| stream.poll_shutdown(cx))
    }
}
