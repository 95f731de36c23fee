//! The client behind the interface.

use std::sync::Arc;

use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_runtime::{Client, DeviceAttribute};

use crate::callback;
use crate::failure::{Failure, Outcome};
use crate::processes::{Joined, KeyValues, Place};

/// The platform that frameworks see. It is not the name of the hardware: JAX reserves `cpu` for its own client.
pub const PLATFORM: &str = "jarrah";

/// What is said of the version of the platform.
pub fn version(client: &dyn Client) -> String {
    format!("Jarrah {} ({})", env!("CARGO_PKG_VERSION"), client.platform())
}

/// A client that some options ask for.
struct Wanted {
    options: CpuOptions,
    place: Place,
}

/// Reads options; the environment says the rest.
fn wanted(options: &[(String, DeviceAttribute)]) -> Outcome<Wanted> {
    let mut wanted = CpuOptions::from_env();
    let mut place = Place { process: 0, processes: 1 };
    for (name, value) in options {
        match (name.as_str(), value) {
            // The names by which JAX says which of its processes this is.
            ("num_nodes", DeviceAttribute::Integer(count)) => place.processes = positive(name, *count)?,
            ("node_id", DeviceAttribute::Integer(process)) => {
                place.process = positive(name, *process + 1)? - 1
            }
            ("num_devices", DeviceAttribute::Integer(count)) => wanted.devices = positive(name, *count)?,
            ("num_threads", DeviceAttribute::Integer(count)) => wanted.threads = positive(name, *count)?,
            ("asynchronous", DeviceAttribute::Bool(truth)) => wanted.asynchronous = *truth,
            ("num_devices" | "num_threads" | "asynchronous" | "num_nodes" | "node_id", value) => {
                return Err(Failure::invalid(format!("the option {name} cannot be {value:?}")));
            }
            _ => {
                return Err(Failure::invalid(format!(
                    "there is no option {name} of a client; there are num_devices, num_threads, asynchronous, num_nodes and node_id"
                )));
            }
        }
    }
    if wanted.devices > CpuClient::MOST_DEVICES {
        return Err(Failure::invalid(format!("there are at most {} devices", CpuClient::MOST_DEVICES)));
    }
    if place.process >= place.processes {
        let Place { process, processes } = place;
        return Err(Failure::invalid(format!("there is no process {process} among {processes}")));
    }
    Ok(Wanted { options: wanted, place })
}

fn offered(client: CpuClient) -> Outcome<Arc<dyn Client>> {
    callback::register(client.registry())?;
    Ok(Arc::new(client))
}

/// The client that these options ask for. It may be one of several processes, which meet by a store of keys and values.
pub fn client(
    options: &[(String, DeviceAttribute)],
    store: impl FnOnce() -> Outcome<KeyValues>,
) -> Outcome<(Arc<dyn Client>, Option<Arc<Joined>>)> {
    let Wanted { options, place } = wanted(options)?;
    if place.processes == 1 {
        return Ok((offered(CpuClient::with_options(options))?, None));
    }
    let met = store()?.meet(place)?;
    let client = offered(CpuClient::join(options, met.exchange.clone())?)?;
    Ok((client, Some(Joined::new(met.exchange))))
}

/// A client with so many devices.
pub fn client_of(devices: usize) -> Outcome<Arc<dyn Client>> {
    let Wanted { options, .. } = wanted(&[("num_devices".into(), DeviceAttribute::Integer(devices as i64))])?;
    offered(CpuClient::with_options(options))
}

fn positive(name: &str, count: i64) -> Outcome<usize> {
    let count = usize::try_from(count).ok().filter(|&count| count > 0);
    count.ok_or_else(|| Failure::invalid(format!("the option {name} has to be positive")))
}
