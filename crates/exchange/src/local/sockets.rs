//! The sockets to all peers: what this process says on them, and the thread that listens.

use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::SendFlags;

use super::control::Control;
use crate::failure::{Cause, Failure};
use crate::lock::held;
use crate::mesh::Links;
use crate::ring::Garbage;
use crate::standing::Report;

/// The most bytes that are kept for a peer that does not read.
const UNREAD: usize = 64 << 10;

/// The socket to a peer.
pub(super) struct Socket {
    pub stream: UnixStream,
    sent: Mutex<Sent>,
    /// Whether the peer has said goodbye, as its link knows it.
    pub left: Arc<AtomicBool>,
}

/// The messages sent on a socket.
#[derive(Default)]
struct Sent {
    number: u64,
    /// The bytes for which the socket had no room.
    rest: Vec<u8>,
}

impl Socket {
    pub(super) fn new(stream: UnixStream, left: Arc<AtomicBool>) -> Self {
        Socket { stream, sent: Mutex::default(), left }
    }

    /// Sends a message as far as the socket has room, and keeps the rest for the next time: a peer that does not read is found by its silence, not
    /// by waiting for it here.
    fn say(&self, control: &Control) {
        let sent = &mut *held(&self.sent);
        let waits = match control {
            Control::Goodbye | Control::Abort(_) => true,
            Control::Beat | Control::Question => sent.rest.len() <= UNREAD,
            Control::Standing(_) => sent.rest.is_empty(),
        };
        if waits {
            sent.rest.extend(control.encode(sent.number));
            sent.number += 1;
        }
        self.send(sent);
    }
}

impl Socket {
    /// Sends what waits, as far as the socket has room: whether that was all.
    fn send(&self, sent: &mut Sent) -> bool {
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        let gone = rustix::net::send(self.stream.as_fd(), &sent.rest, flags).unwrap_or(0);
        sent.rest.drain(..gone);
        sent.rest.is_empty()
    }
}

/// The time that peers have to read what was said before this process went.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The sockets of a process, and all that its listening thread needs.
pub(super) struct Sockets {
    pub sockets: Vec<Option<Socket>>,
    pub failure: Arc<Failure>,
    pub links: Arc<Links>,
    /// A peer silent for so long is lost.
    pub silence: Duration,
    /// A peer that has yet to give its first sign of life may still be joining others, and has longer.
    pub first: Duration,
    pub stop: AtomicBool,
}

impl Sockets {
    pub(super) fn tell(&self, control: &Control) {
        self.sockets.iter().flatten().for_each(|socket| socket.say(control));
    }

    /// Sends what still waits, before this process goes.
    pub(super) fn flush(&self) {
        let end = Instant::now() + LAST_WORDS;
        let rest = || self.sockets.iter().flatten().all(|socket| socket.send(&mut held(&socket.sent)));
        while !rest() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn fail(&self, cause: Cause) {
        if self.failure.set(cause.clone()) {
            self.tell(&Control::Abort(cause));
        }
        self.links.bell.ring();
    }

    /// Listens until told to stop by `stop` and a byte on `waker`.
    pub(super) fn listen(&self, waker: &UnixStream) {
        let interval = (self.silence / 10).max(Duration::from_millis(1));
        let now = Instant::now();
        let mut peers: Vec<Peer> = (0..self.sockets.len())
            .filter(|&rank| self.sockets[rank].is_some())
            .map(|rank| Peer { rank, heard: now, number: 0, bytes: Vec::new(), is_open: true })
            .collect();
        let (mut last, mut beat) = (now, None);
        while !self.stop.load(Acquire) {
            let now = Instant::now();
            if beat.is_none_or(|beat| now.duration_since(beat) >= interval) {
                self.beat();
                beat = Some(now);
            }
            self.wait(&peers, waker, interval / 2);
            let now = Instant::now();
            let own_pause = now.duration_since(last) > self.silence / 2;
            last = now;
            for peer in peers.iter_mut().filter(|peer| peer.is_open) {
                self.hear(peer, now);
                if own_pause {
                    // This process itself was stopped, and has yet to see what the peer said meanwhile.
                    peer.heard = now;
                }
                let limit = if peer.number == 0 { self.first } else { self.silence };
                let silent = now.duration_since(peer.heard);
                if peer.is_open && silent > limit {
                    peer.is_open = false;
                    let fault =
                        format!("is lost: it has given no sign of life for {:.1} s", silent.as_secs_f64());
                    self.fail(Cause::new(peer.rank, fault));
                }
            }
        }
    }

    /// Says that this process lives, and where it stands if a process waits for long: one that finds that a run goes on never ends the exchange.
    fn beat(&self) {
        let watch = &self.links.watch;
        let stalled = watch.is_stalled();
        self.tell(if stalled { &Control::Question } else { &Control::Beat });
        if !watch.was_asked() && !stalled {
            return;
        }
        let report = match self.links.report() {
            Ok(Some(report)) => report,
            Ok(None) => return,
            Err(cause) => return self.fail(cause),
        };
        if let Some(bytes) = report.encode() {
            self.tell(&Control::Standing(bytes));
        }
        let own = self.links.rank;
        let verdict = || watch.verdict(own, report, &self.links.left());
        if let Some(cause) = stalled.then(verdict).flatten() {
            self.fail(cause);
        }
    }

    /// Waits for bytes of any peer, or the time of the next sign of life.
    fn wait(&self, peers: &[Peer], waker: &UnixStream, at_most: Duration) {
        let open =
            peers.iter().filter(|peer| peer.is_open).filter_map(|peer| self.sockets[peer.rank].as_ref());
        let mut files: Vec<PollFd<'_>> = open
            .map(|socket| &socket.stream)
            .chain([waker])
            .map(|stream| PollFd::new(stream, PollFlags::IN))
            .collect();
        let limit = rustix::fs::Timespec {
            tv_sec: at_most.as_secs() as i64,
            tv_nsec: i64::from(at_most.subsec_nanos()),
        };
        // An interruption is as good as a message: all sockets are looked at again.
        let _ = poll(&mut files, Some(&limit));
    }

    /// Reads and follows all that a peer has said.
    fn hear(&self, peer: &mut Peer, now: Instant) {
        let Some(socket) = &self.sockets[peer.rank] else { return };
        let mut buffer = [0; 1 << 14];
        while peer.is_open {
            let end = match (&socket.stream).read(&mut buffer) {
                Ok(0) => "its process ended without a goodbye",
                Ok(n) => {
                    peer.bytes.extend_from_slice(&buffer[..n]);
                    match self.follow(peer, socket, now) {
                        Ok(()) => continue,
                        Err(Garbage(sent)) => {
                            peer.is_open = false;
                            return self.fail(Cause::new(peer.rank, format!("is faulty: it wrote {sent}")));
                        }
                    }
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => "its process ended without a goodbye",
            };
            peer.is_open = false;
            if !socket.left.load(Ordering::Acquire) {
                self.fail(Cause::new(peer.rank, format!("is lost: {end}")));
            }
        }
    }

    /// Follows the whole messages among the bytes of a peer.
    fn follow(&self, peer: &mut Peer, socket: &Socket, now: Instant) -> Result<(), Garbage> {
        let mut at = 0;
        while let Some((control, length)) =
            Control::decode(&peer.bytes[at..], peer.number, self.sockets.len())?
        {
            at += length;
            peer.number += 1;
            peer.heard = now;
            match control {
                Control::Beat => {}
                Control::Question => self.links.watch.ask(),
                Control::Standing(report) => {
                    let report = Report::decode(&report, self.sockets.len())
                        .ok_or(Garbage("a report that is none"))?;
                    self.links.watch.heard(peer.rank, report);
                }
                Control::Goodbye => {
                    socket.left.store(true, Release);
                    self.links.bell.ring();
                }
                Control::Abort(cause) => self.fail(Cause { told_by: Some(peer.rank), ..cause }),
            }
        }
        peer.bytes.drain(..at);
        Ok(())
    }
}

/// A peer, as the thread that listens knows it.
struct Peer {
    rank: usize,
    heard: Instant,
    /// The messages heard.
    number: u64,
    /// The bytes behind the last whole message.
    bytes: Vec<u8>,
    is_open: bool,
}
