//! A report of the environment in which this library runs, as text.

use std::fmt::Write;

use crate::device::{default_device, devices};

/// The facts to put into a bug report, a line each: the version, the system, the devices and their memory, the settings in the
/// environment.
///
/// ```
/// let text = jarrah_array::environment_info();
/// assert!(text.starts_with("jarrah ") && text.contains("\ndevice cpu:0"));
/// ```
pub fn environment_info() -> String {
    let mut text = format!("jarrah {}\n", env!("CARGO_PKG_VERSION"));
    let mut line = |name: &str, value: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name} {value}");
    };
    line("system", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    line("cores", std::thread::available_parallelism().map_or_else(|e| e.to_string(), |n| n.to_string()));
    let client = default_device().client().clone();
    line("client", format!("{}, {}", client.platform(), client.version()));
    for (device, about) in devices().iter().zip(client.devices()) {
        let memory = device.memory_stats().ok();
        let limit = memory.and_then(|memory| memory.limit).map(|limit| format!(" of {limit}"));
        let used =
            memory.map(|memory| format!(", {}{} bytes in use", memory.in_use, limit.unwrap_or_default()));
        line("device", format!("{device}: {}{}", about.kind, used.unwrap_or_default()));
    }
    let mut settings: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, _)| name.starts_with("JARRAH_"))
        .collect();
    settings.sort();
    settings.into_iter().for_each(|(name, value)| line("setting", format!("{name}={value}")));
    text
}
