//! The environment by which a launcher tells a process its part in a run.

use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Result};

use crate::exchange::Exchange;
use crate::local::{Patience, join};

/// The variable with the folder of the [`Rendezvous`](crate::Rendezvous).
pub const ADDRESS: &str = "JARRAH_EXCHANGE_ADDRESS";
/// The variable with the rank of the process.
pub const RANK: &str = "JARRAH_RANK";
/// The variable with the number of processes.
pub const WORLD_SIZE: &str = "JARRAH_WORLD_SIZE";

/// The exchange that this process was launched for, or `None` if no launcher started it.
///
/// ```
/// assert!(jarrah_exchange::from_env()?.is_none());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// A variable is missing or no number, or [`join`] fails.
pub fn from_env() -> Result<Option<Arc<dyn Exchange>>> {
    let Some(address) = std::env::var_os(ADDRESS) else { return Ok(None) };
    let number = |name: &str| {
        let text =
            std::env::var(name).map_err(|_| Error::input(format!("{ADDRESS} is set, but not {name}")))?;
        text.parse().map_err(|_| Error::input(format!("{name} is no number: {text}")))
    };
    join(Path::new(&address), number(RANK)?, number(WORLD_SIZE)?, &Patience::default()).map(Some)
}
