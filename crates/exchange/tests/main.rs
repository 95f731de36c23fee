//! The tests of this crate. Tests of processes start this binary again, as `child`.

mod collectives;
#[cfg(target_os = "linux")]
mod environment;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(feature = "mpi")]
mod mpi;
mod order;
#[cfg(target_os = "linux")]
mod processes;
mod random;
mod scenario;
#[cfg(target_os = "linux")]
mod standing;
#[cfg(target_os = "linux")]
mod strangers;
