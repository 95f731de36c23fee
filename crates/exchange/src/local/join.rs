//! How the processes of a run on one machine find each other and become a mesh.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Mutex, Weak, mpsc};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};

use super::control::Control;
use super::door::Doors;
use super::handshake::{FILES, Party, Refused};
use super::secret;
use super::sockets::{Socket, Sockets};
use crate::bell::Bell;
use crate::exchange::Exchange;
use crate::exit::closed_at_exit;
use crate::failure::{Cause, Failure};
use crate::lock::held;
use crate::memory::{Counters, Mapping, Memory};
use crate::mesh::{Link, Links, Mesh, Signals};
use crate::patience::Patience;
use crate::ring::WORDS;
use crate::variables::{ADDRESS, RANK, WORLD_SIZE};

/// The bytes of a bell's memory.
const BELL: usize = 4096;
/// The most connections that have yet to prove that they know the secret; one more ends the oldest.
const UNPROVEN: usize = 32;
/// The time that a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// A process that waits for others looks so often whether one has ended.
const LOOK: Duration = Duration::from_millis(50);
/// A process that has waited so long for others says so.
const SAID: Duration = Duration::from_secs(5);
/// The last step of a handshake takes less than this.
const LAST_STEP: Duration = Duration::from_millis(100);

/// A connection that has proved itself, and the files that came by it.
type Joined = (usize, UnixStream, [OwnedFd; FILES]);

/// Joins the run at `address`, a [`Rendezvous`](crate::Rendezvous), as process `rank` of `size`: returns when all have joined.
///
/// The processes meet at Unix sockets in that folder, which only its owner can enter: memory is shared by handing open files over such
/// sockets, so that it has no name that others could open. Each pair of processes proves to each other that it knows the folder's
/// secret.
///
/// # Errors
/// The folder is missing or open to other users, the rank is taken, the secret differs, the system refuses memory, or not all
/// have joined in time: then the error names those that are missing.
pub fn join(address: &Path, rank: usize, size: usize, patience: &Patience) -> Result<Arc<dyn Exchange>> {
    if rank >= size {
        return Err(Error::input(format!("there is no process {rank} among {size}")));
    }
    let key = secret::read(address)?;
    let party = Party { secret: &key, rank, size, limit: HANDSHAKE.min(patience.join) };
    let system =
        |e: std::io::Error| Error::environment(format!("cannot share memory with other processes: {e}"));
    let (bell, bell_file) = Mapping::create(&format!("jarrah-bell-{rank}"), BELL, false).map_err(system)?;
    let mut mine = Vec::new();
    for peer in 0..size {
        let create = || Mapping::create(&format!("jarrah-{rank}-{peer}"), WORDS * 8, true);
        mine.push((peer != rank).then(create).transpose().map_err(system)?);
    }
    let files = |peer: usize| -> Option<[BorrowedFd<'_>; FILES]> {
        let (_, file) = mine.get(peer)?.as_ref()?;
        Some([file.as_fd(), bell_file.as_fd()])
    };
    let mut joined = meet(address, &party, &files, Instant::now() + patience.join)?;
    let bell = Bell::new(Counters::Mapped(bell));
    let (mut links, mut sockets) = (Vec::new(), Vec::new());
    for (peer, memory) in mine.into_iter().enumerate() {
        let Some((memory, _)) = memory else {
            links.push(None);
            sockets.push(None);
            continue;
        };
        let (stream, [theirs, their_bell]) =
            joined[peer].take().expect("invariant: all processes have joined");
        let theirs = Mapping::open(&theirs, WORDS * 8, false).map_err(system)?;
        let their_bell = Mapping::open(&their_bell, BELL, true).map_err(system)?;
        stream.set_nonblocking(true).map_err(system)?;
        let link = Link::new(
            Arc::new(Memory::Mapped(memory)),
            Arc::new(Memory::Mapped(theirs)),
            Bell::new(Counters::Mapped(their_bell)),
        );
        sockets.push(Some(Socket::new(stream, link.left.clone())));
        links.push(Some(link));
    }
    let folder = launcher(rank, size).unwrap_or_else(|| address.to_owned());
    let failure = Arc::new(Failure::noted(move |cause| {
        if cause.rank != rank {
            secret::note_fault(&folder, rank, cause.rank);
        }
    }));
    let links = Links::new(rank, links, bell);
    let sockets = Arc::new(Sockets {
        sockets,
        failure: failure.clone(),
        links: links.clone(),
        silence: patience.silence,
        first: patience.silence * 2,
        stop: AtomicBool::new(false),
    });
    let signals = Listener::start(sockets).map_err(system)?;
    Ok(closed_at_exit(Arc::new(Mesh::new(links, failure, Box::new(signals)))))
}

/// The folder of the launcher that has started this process as this one of so many, wherever the processes meet.
fn launcher(rank: usize, size: usize) -> Option<PathBuf> {
    let is = |name: &str, number: usize| std::env::var(name).is_ok_and(|text| text.parse() == Ok(number));
    std::env::var_os(ADDRESS).filter(|_| is(RANK, rank) && is(WORLD_SIZE, size)).map(PathBuf::from)
}

/// Connects to the processes before this one and accepts those behind it.
fn meet<'f>(
    address: &Path,
    party: &Party<'_>,
    files: &(impl Fn(usize) -> Option<[BorrowedFd<'f>; FILES]> + Sync),
    deadline: Instant,
) -> Result<Vec<Option<(UnixStream, [OwnedFd; FILES])>>> {
    let doors = Doors::of(address)?;
    let path = doors.named(party.rank);
    let fail = |e: std::io::Error| match e.kind() {
        ErrorKind::AddrInUse => {
            Error::input(format!("process {} has joined {} already", party.rank, address.display()))
        }
        _ => Error::io("listen at", &path, &e),
    };
    let listener = UnixListener::bind(doors.path(party.rank)).map_err(fail)?;
    let _own = Removed(path.clone());
    secret::note_coming(address, party.rank, party.size);
    listener.set_nonblocking(true).map_err(fail)?;
    let joined = (0..party.size).map(|_| None).collect();
    let (sender, proven) = mpsc::channel::<Joined>();
    let said = Instant::now() + SAID;
    let mut waiting = Waiting { doors, rank: party.rank, deadline, said: Some(said), joined, proven };
    let unproven = Mutex::new(VecDeque::new());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let accept = || {
            while !done.load(Acquire) {
                match listener.accept() {
                    Ok((socket, _)) => admit(scope, party, files, socket, &unproven, sender.clone()),
                    Err(_) => std::thread::sleep(Duration::from_millis(2)),
                }
            }
            // Handshakes that go on are those of strangers.
            held(&unproven).drain(..).for_each(|socket| end(&socket));
        };
        scope.spawn(accept);
        let result = (|| {
            for peer in 0..party.rank {
                waiting.joined[peer] = Some(connect(&mut waiting, party, peer, files)?);
            }
            loop {
                let missing = waiting.missing();
                if missing.is_empty() {
                    return Ok(());
                }
                if Instant::now() >= deadline {
                    return Err(late(&missing));
                }
                waiting.look(LOOK)?;
            }
        })();
        done.store(true, Release);
        result
    })?;
    Ok(waiting.joined)
}

/// A process that waits for the others of its run.
struct Waiting<'a> {
    doors: Doors<'a>,
    rank: usize,
    deadline: Instant,
    /// When it says that it waits, until it has.
    said: Option<Instant>,
    /// The connections to processes that have joined.
    joined: Vec<Option<(UnixStream, [OwnedFd; FILES])>>,
    proven: mpsc::Receiver<Joined>,
}

impl Waiting<'_> {
    /// The processes that have not joined.
    fn missing(&self) -> Vec<usize> {
        let absent = |&peer: &usize| peer != self.rank && self.joined[peer].is_none();
        (0..self.joined.len()).filter(absent).collect()
    }

    /// Waits at most so long for one of the processes behind this one.
    ///
    /// # Errors
    /// A process has ended that has not joined, or knows of another number of processes.
    fn look(&mut self, at_most: Duration) -> Result<()> {
        self.take(at_most.min(self.deadline.saturating_duration_since(Instant::now())));
        let size = self.joined.len();
        if let Some((rank, its)) = secret::other_size(self.doors.address, size) {
            let own = self.rank;
            return Err(Error::input(format!(
                "process {rank} is one of {its} processes, and process {own} one of {size}"
            ))
            .help("all processes of a run are given the same number of processes"));
        }
        if self.said.is_some_and(|said| Instant::now() >= said) {
            self.said = None;
            let (missing, left) = (self.missing(), self.deadline.saturating_duration_since(Instant::now()));
            if !missing.is_empty() {
                let (own, seconds) = (self.rank, left.as_secs());
                eprintln!(
                    "process {own} of {size} waits for processes {missing:?} to join the run, for {seconds} s more"
                );
            }
        }
        if self.lost().is_none() {
            return Ok(());
        }
        // One that has joined, and is soon done, may have ended before it is seen here to have joined.
        while self.take(LAST_STEP) {}
        match self.lost() {
            None => Ok(()),
            Some((rank, status)) => {
                Err(Error::environment(format!("process {rank} ended before it joined the run ({status})"))
                    .help("every process of a launch joins its run"))
            }
        }
    }

    /// Waits at most so long for a process that has proved itself: whether one has.
    fn take(&mut self, at_most: Duration) -> bool {
        let Ok((peer, socket, files)) = self.proven.recv_timeout(at_most) else { return false };
        self.joined[peer] = Some((socket, files));
        true
    }

    /// The first process that has ended and not joined, with its exit status.
    fn lost(&self) -> Option<(usize, String)> {
        let missing = self.missing();
        secret::ended(self.doors.address).into_iter().find(|(rank, _)| missing.contains(rank))
    }
}

/// A file that goes with this value.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        // The folder goes later with all that is in it.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Ends the connection, if its handshake goes on.
fn end(socket: &Weak<UnixStream>) {
    if let Some(socket) = socket.upgrade() {
        let _ = socket.shutdown(std::net::Shutdown::Both);
    }
}

/// Begins the handshake of a connection on a thread of its own.
fn admit<'scope, 'f: 'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    party: &'scope Party<'_>,
    files: &'scope (impl Fn(usize) -> Option<[BorrowedFd<'f>; FILES]> + Sync),
    socket: UnixStream,
    unproven: &'scope Mutex<VecDeque<Weak<UnixStream>>>,
    proven: mpsc::Sender<Joined>,
) {
    let user = rustix::net::sockopt::socket_peercred(&socket).map(|peer| peer.uid);
    if user.ok() != Some(rustix::process::geteuid()) || socket.set_nonblocking(false).is_err() {
        return;
    }
    let socket = Arc::new(socket);
    {
        let mut unproven = held(unproven);
        unproven.retain(|socket| socket.strong_count() > 0);
        if unproven.len() >= UNPROVEN
            && let Some(oldest) = unproven.pop_front()
        {
            end(&oldest);
        }
        unproven.push_back(Arc::downgrade(&socket));
    }
    let handshake = move || {
        let me = Arc::downgrade(&socket);
        let proved = |rank| {
            held(unproven).retain(|socket| !socket.ptr_eq(&me));
            files(rank)
        };
        if let Ok((rank, files)) = party.accept(&socket, proved)
            && let Ok(socket) = socket.try_clone()
        {
            let _ = proven.send((rank, socket, files));
        }
    };
    // A connection for which the system gives no thread is closed, and its process tries again.
    let _ = std::thread::Builder::new().spawn_scoped(scope, handshake);
}

/// The error that processes have not joined in time.
fn late(missing: &[usize]) -> Error {
    let processes = match missing {
        [one] => format!("process {one} has"),
        _ => format!("processes {missing:?} have"),
    };
    Error::environment(format!("{processes} not joined in time"))
        .help("start all processes of the run, each with its own rank")
}

/// Connects to a process, which may not be there yet.
fn connect<'f>(
    waiting: &mut Waiting<'_>,
    party: &Party<'_>,
    peer: usize,
    files: &impl Fn(usize) -> Option<[BorrowedFd<'f>; FILES]>,
) -> Result<(UnixStream, [OwnedFd; FILES])> {
    let files = files(peer).expect("invariant: there is memory for every other rank");
    let path = waiting.doors.path(peer);
    let mut pause = Duration::from_millis(1);
    loop {
        let attempt = UnixStream::connect(&path).map_err(Refused::Broken);
        match attempt.and_then(|socket| Ok((party.connect(&socket, peer, files)?, socket))) {
            Ok((theirs, socket)) => return Ok((socket, theirs)),
            Err(Refused::Stranger) => {
                let path = waiting.doors.named(peer);
                return Err(Error::input(format!(
                    "process {peer} at {} knows another secret",
                    path.display()
                ))
                .help("start all processes of a run by one launcher"));
            }
            Err(Refused::Broken(e)) if Instant::now() + pause >= waiting.deadline => {
                return Err(match e.kind() {
                    // Nobody is there.
                    ErrorKind::NotFound | ErrorKind::ConnectionRefused => late(&waiting.missing()),
                    _ => Error::environment(format!("process {peer} has not joined in time: {e}")),
                });
            }
            Err(Refused::Broken(_)) => {
                waiting.look(pause)?;
                pause = (pause * 2).min(LOOK);
            }
        }
    }
}

/// The thread that listens to the sockets, and stops with this value.
struct Listener {
    sockets: Arc<Sockets>,
    waker: UnixStream,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Listener {
    fn start(sockets: Arc<Sockets>) -> std::io::Result<Self> {
        let (waker, woken) = UnixStream::pair()?;
        let listening = sockets.clone();
        let thread = std::thread::Builder::new()
            .name("jarrah-exchange".into())
            .spawn(move || listening.listen(&woken))?;
        Ok(Listener { sockets, waker, thread: Some(thread) })
    }
}

impl Signals for Listener {
    fn abort(&self, cause: &Cause) {
        self.sockets.tell(&Control::Abort(cause.clone()));
    }

    fn goodbye(&self) {
        self.sockets.tell(&Control::Goodbye);
        self.sockets.flush();
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.sockets.stop.store(true, Release);
        let _ = std::io::Write::write(&mut &self.waker, &[0]);
        if let Some(thread) = self.thread.take() {
            // A panic of the listening thread is not passed on: the listener goes away in any case.
            let _ = thread.join();
        }
    }
}
