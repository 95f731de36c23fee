//! The client behind the interface.

use std::sync::Arc;

use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_runtime::{Client, DeviceAttribute};

use crate::callback;
use crate::failure::{Failure, Outcome};

/// The platform that frameworks see. It is not the name of the hardware: JAX reserves `cpu` for its own client.
pub const PLATFORM: &str = "jarrah";

/// What is said of the version of the platform.
pub fn version(client: &dyn Client) -> String {
    format!("Jarrah {} ({})", env!("CARGO_PKG_VERSION"), client.platform())
}

/// The client that these options ask for; the environment says the rest.
pub fn client(options: &[(String, DeviceAttribute)]) -> Outcome<Arc<dyn Client>> {
    let mut wanted = CpuOptions::from_env();
    for (name, value) in options {
        match (name.as_str(), value) {
            ("num_devices", DeviceAttribute::Integer(count)) => wanted.devices = positive(name, *count)?,
            ("num_threads", DeviceAttribute::Integer(count)) => wanted.threads = positive(name, *count)?,
            ("asynchronous", DeviceAttribute::Bool(truth)) => wanted.asynchronous = *truth,
            ("num_devices" | "num_threads" | "asynchronous", value) => {
                return Err(Failure::invalid(format!("the option {name} cannot be {value:?}")));
            }
            _ => {
                return Err(Failure::invalid(format!(
                    "there is no option {name} of a client; there are num_devices, num_threads and asynchronous"
                )));
            }
        }
    }
    if wanted.devices > CpuClient::MOST_DEVICES {
        return Err(Failure::invalid(format!("there are at most {} devices", CpuClient::MOST_DEVICES)));
    }
    let client = CpuClient::with_options(wanted);
    callback::register(client.registry())?;
    Ok(Arc::new(client))
}

/// A client with so many devices.
pub fn client_of(devices: usize) -> Outcome<Arc<dyn Client>> {
    client(&[("num_devices".into(), DeviceAttribute::Integer(devices as i64))])
}

fn positive(name: &str, count: i64) -> Outcome<usize> {
    let count = usize::try_from(count).ok().filter(|&count| count > 0);
    count.ok_or_else(|| Failure::invalid(format!("the option {name} has to be positive")))
}
