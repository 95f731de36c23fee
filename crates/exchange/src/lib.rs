//! Messages and collectives between the processes of a run.
//!
//! [`Exchange`] is the trait of all forms. [`Threads`] joins threads of one process; [`join`] the processes of one machine, which
//! [`Launch`] starts and [`from_env`] finds. A form for many hosts implements [`Messages`], and has the collectives, with the same
//! bits, from it.
//!
//! ```no_run
//! use jarrah_exchange::{CollectiveCall, Tag, from_env};
//! // In a process that a launcher started:
//! let exchange = from_env()?.expect("a launcher started this process");
//! let everyone: Vec<usize> = (0..exchange.size()).collect();
//! let gather = CollectiveCall::new("all_gather", Tag { step: 1, ..Tag::default() });
//! let names = exchange.all_gather(&gather, &everyone, format!("rank {}", exchange.rank()).as_bytes())?;
//! # let _ = names;
//! exchange.close()?;
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! # How the processes of one machine meet
//! A launcher makes a [`Rendezvous`], a folder that its user alone can enter, with a random secret in it. Each process listens at a Unix
//! socket in the folder and connects to those of lower ranks. Both ends of a connection prove, by keyed hashes of fresh
//! challenges, that they know the secret; then each hands the other two open files: the memory that it writes for that
//! peer, and its bell. Unix sockets rather than TCP, because memory that is handed over has no name by which a stranger could open it.
//! Connections that have yet to prove themselves are few, short-lived, and give way to newer ones. A launcher writes into the folder which
//! processes have ended, so that nobody waits for one that has ended before it joined.
//!
//! # How messages travel
//! Each process writes two rings of frames for each peer, into memory that the peer can only read: one for small messages and control,
//! one for large messages. A frame has a number, a checksum of its header and one of its payload; readers copy it out before they use
//! it and check it on the way. A message of up to 16 KiB is sent at once, as far as the receiver's mailbox has room; any other is
//! offered, and its receiver grants it when it is asked for. Memory is bounded on both sides, and no message that nobody asks
//! for holds up another. The threads that call do all copying, and sleep on their process's bell, a futex, when there is nothing to do.
//!
//! # How failures are found
//! One thread of each process says on every socket, ten times in [`Patience::silence`], that the process lives, whatever its other
//! threads compute. A peer whose socket ends without a goodbye was killed; one that is silent for too long is lost; one that
//! writes bytes that no correct process writes is faulty. The first that finds a cause tells all others, so that all errors name
//! the same rank. Processes that all live may still wait for each other for ever, if their programs take different ways: one that has waited for
//! a second asks where the others stand, and their [reports](Witness) show whether a run can go on.
//!
//! # Many hosts
//! Behind the feature `mpi`, [`from_env`] joins the processes that `mpirun` or `srun` has started, on any number of hosts: clusters have an MPI
//! that knows their network, and no transport of our own leaves a machine. Building it takes the system's MPI and `libclang`. The
//! bits are those of the other forms.
//!
//! # Limits
//! * The form for one machine needs Linux: `memfd`, seals and futexes. [`Threads`] works everywhere.
//! * Checksums find accidents, not forgers: a process that knows the secret is trusted with the values it sends, not with memory.
//! * Processes that wait for each other for ever are told so where a client's witness knows their runs; a process that merely computes for long is
//!   waited for without end.

mod bell;
mod collectives;
mod environment;
mod exchange;
#[cfg(any(target_os = "linux", feature = "mpi"))]
mod exit;
mod failure;
mod frame;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod local;
mod lock;
mod memory;
mod mesh;
mod messages;
#[cfg(feature = "mpi")]
mod mpi;
mod patience;
#[cfg(target_os = "linux")]
mod process;
mod ring;
mod standing;
mod tag;
mod threads;
mod variables;

pub use environment::from_env;
pub use exchange::Exchange;
#[cfg(target_os = "linux")]
pub use launch::{Ended, Launch};
#[cfg(target_os = "linux")]
pub use local::{Rendezvous, join};
pub use messages::{CollectiveCall, Combine, Messages, Receive, ReceiveInto};
#[cfg(feature = "mpi")]
pub use mpi::mpi;
pub use patience::Patience;
pub use standing::{RunStanding, Standing, Witness};
pub use tag::Tag;
pub use threads::Threads;
pub use variables::{ADDRESS, RANK, WORLD_SIZE};
