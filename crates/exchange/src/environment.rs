//! The environment by which a launcher tells a process its part in a run.

use std::sync::Arc;

use jarrah_base::Result;

use crate::exchange::Exchange;

/// The variable with the folder of the [`Rendezvous`](crate::Rendezvous).
pub const ADDRESS: &str = "JARRAH_EXCHANGE_ADDRESS";
/// The variable with the rank of the process.
pub const RANK: &str = "JARRAH_RANK";
/// The variable with the number of processes.
pub const WORLD_SIZE: &str = "JARRAH_WORLD_SIZE";

/// The exchange that this process was launched for, or `None` if no launcher started it: one of this machine's form, or with the feature
/// `mpi`, where `mpirun` or `srun` started it, one of MPI.
///
/// ```
/// assert!(jarrah_exchange::from_env()?.is_none());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// A variable is missing or no number, or joining fails.
pub fn from_env() -> Result<Option<Arc<dyn Exchange>>> {
    #[cfg(target_os = "linux")]
    if let Some(exchange) = local()? {
        return Ok(Some(exchange));
    }
    #[cfg(feature = "mpi")]
    if crate::mpi::is_launched() {
        return crate::mpi::mpi(&crate::Patience::default()).map(Some);
    }
    Ok(None)
}

/// The exchange of a launcher of this machine.
#[cfg(target_os = "linux")]
fn local() -> Result<Option<Arc<dyn Exchange>>> {
    use jarrah_base::Error;

    let Some(address) = std::env::var_os(ADDRESS) else { return Ok(None) };
    let number = |name: &str| {
        let text =
            std::env::var(name).map_err(|_| Error::input(format!("{ADDRESS} is set, but not {name}")))?;
        text.parse().map_err(|_| Error::input(format!("{name} is no number: {text}")))
    };
    let patience = crate::Patience::default();
    crate::local::join(address.as_ref(), number(RANK)?, number(WORLD_SIZE)?, &patience).map(Some)
}
