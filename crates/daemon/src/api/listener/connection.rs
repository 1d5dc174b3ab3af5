//! A connection that may not keep us waiting: to send a question there is one spell of patience, to take the answer another.
//!
//! For: slow and silent clients. Bytes that trickle in do not buy time; only the other side's turn does. A connection kept
//! alive without questions ends in the same way.
//!
//! Not for: how long an answer takes us (`middleware`).
//!
//! Source: the attack known as slow loris; hyper's own limit on reading headers needs a timer that `axum::serve` does not
//! give it (0.8).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep, sleep};

use super::quota::QuotaShare;
use super::tls::Encrypted;

/// What a connection holds until it ends.
type Held = (OwnedSemaphorePermit, Option<QuotaShare>);

/// Any kind of stream.
pub(super) enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
    Tls(Encrypted),
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Theirs,
    Ours,
}

/// A connection with a deadline for every turn.
pub struct Connection {
    stream: Stream,
    patience: Duration,
    turn: Turn,
    deadline: Pin<Box<Sleep>>,
    _held: Held,
}

impl Connection {
    pub(super) fn new(stream: Stream, patience: Duration, held: Held) -> Self {
        Self { stream, patience, turn: Turn::Theirs, deadline: Box::pin(sleep(patience)), _held: held }
    }

    /// The turn goes over with the first byte in the other direction.
    fn begin(&mut self, turn: Turn) {
        if self.turn != turn {
            self.turn = turn;
            self.deadline.as_mut().reset(Instant::now() + self.patience);
        }
    }

    /// Nothing moves: either it will, or the deadline comes first.
    fn or_too_late<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_pending() && self.deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        polled
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = match &mut self.stream {
            Stream::Unix(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if buffer.filled().len() > before {
            self.begin(Turn::Theirs);
            // A trickle is ready every time it is looked at, and would never be asked for its time.
            if self.deadline.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        self.or_too_late(context, polled)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.begin(Turn::Ours);
        let polled = match &mut self.stream {
            Stream::Unix(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        self.or_too_late(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.begin(Turn::Ours);
        let polled = match &mut self.stream {
            Stream::Unix(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Stream::Tcp(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        };
        self.or_too_late(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Unix(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Unix(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
