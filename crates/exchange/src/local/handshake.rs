//! The handshake of two processes: each proves to the other that it knows the secret, before anything else is said.
//!
//! The one that connects says who it is and whom it means, with a random challenge. The one that accepts answers with a challenge and
//! its proof; the first then gives its proof with its memory, the second its memory. A proof is the hash, keyed with the
//! secret, of all that was said and of the part of the one that proves, so that no proof can be said again, or back.

use std::io::{IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};

use super::secret::random;

const MAGIC: [u8; 8] = *b"jarrah/2";
const HELLO: usize = 8 + 3 * 4 + 32;
/// The files that each side gives: the memory that it writes for the other, and its bell.
pub(super) const FILES: usize = 2;

/// The reason for which a handshake ended.
pub(super) enum Refused {
    /// The other side does not know the secret, or means another run.
    Stranger,
    /// The connection broke, or took too long.
    Broken(std::io::Error),
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        Refused::Broken(error)
    }
}

/// This process's part in handshakes.
#[derive(Clone, Copy)]
pub(super) struct Party<'a> {
    pub secret: &'a [u8; 32],
    pub rank: usize,
    pub size: usize,
    /// The time that one handshake may take.
    pub limit: Duration,
}

/// The two sides of a handshake.
#[derive(Clone, Copy)]
enum Side {
    Connects,
    Accepts,
}

impl Party<'_> {
    fn proof(&self, side: Side, hello: &[u8], challenge: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(self.secret);
        hasher.update(match side {
            Side::Connects => b"connects",
            Side::Accepts => b"accepts.",
        });
        hasher.update(hello);
        hasher.update(challenge);
        hasher.finalize()
    }

    /// The handshake of the side that connects to `peer`: the peer's files.
    pub(super) fn connect(
        &self,
        mut socket: &UnixStream,
        peer: usize,
        files: [BorrowedFd<'_>; FILES],
    ) -> Result<[OwnedFd; FILES], Refused> {
        let deadline = Instant::now() + self.limit;
        let nonce = random().map_err(|e| Refused::Broken(std::io::Error::other(e.to_string())))?;
        let mut hello = Vec::with_capacity(HELLO);
        hello.extend_from_slice(&MAGIC);
        for number in [self.rank, peer, self.size] {
            hello.extend_from_slice(&(number as u32).to_le_bytes());
        }
        hello.extend_from_slice(&nonce);
        socket.set_write_timeout(Some(self.limit))?;
        socket.write_all(&hello)?;
        let mut answer = [0; 64];
        read(socket, &mut answer, deadline)?;
        let (challenge, proof) = answer.split_at(32);
        // The comparison of hashes takes the same time for all.
        if !blake3::Hash::from_slice(proof).is_ok_and(|p| p == self.proof(Side::Accepts, &hello, challenge)) {
            return Err(Refused::Stranger);
        }
        give(socket, self.proof(Side::Connects, &hello, challenge).as_bytes(), files)?;
        let (_, theirs) = take(socket, deadline)?;
        Ok(theirs)
    }

    /// The handshake of the side that accepts: the rank that connected, and its files. `files` are those for a rank.
    pub(super) fn accept<'f>(
        &self,
        mut socket: &UnixStream,
        files: impl FnOnce(usize) -> Option<[BorrowedFd<'f>; FILES]>,
    ) -> Result<(usize, [OwnedFd; FILES]), Refused> {
        let deadline = Instant::now() + self.limit;
        let mut hello = [0; HELLO];
        read(socket, &mut hello, deadline)?;
        let number =
            |i: usize| u32::from_le_bytes(std::array::from_fn(|k| hello[MAGIC.len() + 4 * i + k])) as usize;
        let (rank, meant, size) = (number(0), number(1), number(2));
        if hello[..8] != MAGIC || meant != self.rank || size != self.size || rank <= self.rank || rank >= size
        {
            return Err(Refused::Stranger);
        }
        let challenge = random().map_err(|e| Refused::Broken(std::io::Error::other(e.to_string())))?;
        let mut answer = challenge.to_vec();
        answer.extend_from_slice(self.proof(Side::Accepts, &hello, &challenge).as_bytes());
        socket.set_write_timeout(Some(self.limit))?;
        socket.write_all(&answer)?;
        let (proof, theirs) = take(socket, deadline)?;
        if self.proof(Side::Connects, &hello, &challenge) != proof {
            return Err(Refused::Stranger);
        }
        let files = files(rank).ok_or(Refused::Stranger)?;
        give(socket, &[0; 32], files)?;
        Ok((rank, theirs))
    }
}

/// Sets the time that the next read may take.
fn wait_until(socket: &UnixStream, deadline: Instant) -> std::io::Result<()> {
    match deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        Some(left) => socket.set_read_timeout(Some(left)),
        None => Err(std::io::ErrorKind::TimedOut.into()),
    }
}

fn read(mut socket: &UnixStream, into: &mut [u8], deadline: Instant) -> std::io::Result<()> {
    let mut at = 0;
    while at < into.len() {
        wait_until(socket, deadline)?;
        match socket.read(&mut into[at..])? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            n => at += n,
        }
    }
    Ok(())
}

/// Sends 32 bytes with files.
fn give(socket: &UnixStream, bytes: &[u8; 32], files: [BorrowedFd<'_>; FILES]) -> std::io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&files));
    let sent =
        rustix::net::sendmsg(socket.as_fd(), &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)?;
    match sent == bytes.len() {
        true => Ok(()),
        false => Err(std::io::ErrorKind::WriteZero.into()),
    }
}

/// Receives 32 bytes with files.
fn take(socket: &UnixStream, deadline: Instant) -> std::io::Result<([u8; 32], [OwnedFd; FILES])> {
    wait_until(socket, deadline)?;
    let mut bytes = [0; 32];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = rustix::net::recvmsg(
        socket.as_fd(),
        &mut [IoSliceMut::new(&mut bytes)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    let files: Vec<OwnedFd> = control
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(files) => Some(files),
            _ => None,
        })
        .flatten()
        .collect();
    match files.try_into() {
        Ok(files) if received.bytes == bytes.len() => Ok((bytes, files)),
        _ => Err(std::io::ErrorKind::InvalidData.into()),
    }
}
