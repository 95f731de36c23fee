//! The environment by which a launcher tells a process its part in a run.

use std::sync::Arc;

use jarrah_base::{Error, Result};

use crate::exchange::Exchange;
use crate::variables::{ADDRESS, RANK, WORLD_SIZE};

/// The variables by which launchers of MPI say how many processes they have started: those of Open MPI, and of MPICH and `srun --mpi=pmi2`.
#[cfg(not(feature = "mpi"))]
const MPI_SIZES: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];

/// The exchange that this process was launched for, or `None` if no launcher started it: one of this machine's form, or with the feature
/// `mpi`, where `mpirun` or `srun` started it, one of MPI.
///
/// Without that feature it is an error that `mpirun` has started several processes, since each would do the work of all. A job of Slurm alone
/// is none: its tasks may well be runs of their own. `JARRAH_WORLD_SIZE=1` says that each process is.
///
/// ```
/// assert!(jarrah_exchange::from_env()?.is_none());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// A variable is missing or no number, joining fails, or this library was built without the form of the launcher.
pub fn from_env() -> Result<Option<Arc<dyn Exchange>>> {
    #[cfg(target_os = "linux")]
    if let Some(exchange) = local()? {
        return Ok(Some(exchange));
    }
    if is_alone()? {
        return Ok(None);
    }
    #[cfg(feature = "mpi")]
    if crate::mpi::is_launched() {
        return crate::mpi::mpi(&crate::Patience::default()).map(Some);
    }
    #[cfg(not(feature = "mpi"))]
    refuse_mpi()?;
    Ok(None)
}

/// Whether the environment says that the process is a run of its own.
///
/// # Errors
/// It says that the process is one of several, and not where they meet.
fn is_alone() -> Result<bool> {
    if std::env::var_os(WORLD_SIZE).is_some_and(|size| size == "1") {
        return Ok(true);
    }
    match [RANK, WORLD_SIZE].into_iter().find(|name| std::env::var_os(name).is_some()) {
        None => Ok(false),
        Some(name) => Err(Error::input(format!("{name} is set, but not {ADDRESS}")).help(format!(
            "`jarrah launch` starts the processes of a run and sets all three; {WORLD_SIZE}=1 says that this one is a run of its own"
        ))),
    }
}

/// Refuses to be one of several processes of MPI.
#[cfg(not(feature = "mpi"))]
fn refuse_mpi() -> Result<()> {
    let size = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    for (name, size) in MPI_SIZES.into_iter().filter_map(|name| Some((name, size(name)?))) {
        if size > 1 {
            return Err(Error::environment(format!(
                "this is one of {size} processes of MPI, by {name}, and this program was built without MPI"
            ))
            .help(format!(
                "build it with `--features mpi`, or set {WORLD_SIZE}=1 if each process is a run of its own"
            )));
        }
    }
    Ok(())
}

/// The exchange of a launcher of this machine.
#[cfg(target_os = "linux")]
fn local() -> Result<Option<Arc<dyn Exchange>>> {
    let Some(address) = std::env::var_os(ADDRESS) else { return Ok(None) };
    let number = |name: &str| {
        let text =
            std::env::var(name).map_err(|_| Error::input(format!("{ADDRESS} is set, but not {name}")))?;
        text.parse().map_err(|_| Error::input(format!("{name} is no number: {text}")))
    };
    let (rank, size) = (number(RANK)?, number(WORLD_SIZE)?);
    let is_there = std::path::Path::new(&address).is_dir();
    // The process is a run of its own, whatever launcher has started it.
    if size == 1 && (rank > 0 || !is_there) {
        return Ok(None);
    }
    if !is_there {
        return Err(Error::input(format!("{ADDRESS} is {}, where no launch is", address.display())).help(
            format!("its launch has ended: unset {ADDRESS}, {RANK} and {WORLD_SIZE}, or start the process by `jarrah launch`"),
        ));
    }
    let patience = crate::Patience::default();
    crate::local::join(address.as_ref(), rank, size, &patience).map(Some)
}
