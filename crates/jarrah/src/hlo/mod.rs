//! Programs in StableHLO: run, checked, printed, compared, converted.

mod check;
mod compile;
mod convert;
mod diff;
mod inputs;
mod load;
mod opt;
mod print;
mod profile;
mod random;
mod run;
mod stats;
mod tensors;

use std::path::Path;
use std::sync::Arc;

use jarrah::{Error, Result};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_reference::ReferenceClient;
use jarrah_runtime::Client;

use crate::cli::{Backend, Hlo};

pub fn hlo(action: Hlo) -> Result<()> {
    match action {
        Hlo::Run(arguments) => run::run(&arguments),
        Hlo::Compile(arguments) => compile::compile(&arguments),
        Hlo::Check(arguments) => check::check(&arguments),
        Hlo::Print(arguments) => print::print(&arguments),
        Hlo::Opt(arguments) => opt::opt(&arguments),
        Hlo::Profile(arguments) => profile::profile(&arguments),
        Hlo::Stats(arguments) => stats::stats(&arguments),
        Hlo::Diff(arguments) => diff::diff(&arguments),
        Hlo::Convert(arguments) => convert::convert(&arguments),
    }
}

/// The client behind a name, on `threads` threads, or as the environment wishes if that is 0.
fn client(backend: Backend, threads: usize, devices: usize) -> Result<Arc<dyn Client>> {
    if let Some(exchange) = launched()? {
        let processes = exchange.size();
        if backend != Backend::Cpu {
            return Err(Error::input("the reference evaluator is no device of several processes")
                .help("leave out --backend"));
        }
        if !devices.is_multiple_of(processes) {
            return Err(Error::input(format!(
                "{devices} devices cannot be shared out among {processes} processes"
            ))
            .help(format!("--devices is a multiple of {processes}")));
        }
        let from_env = CpuOptions::from_env();
        let threads = if threads == 0 { from_env.threads.div_ceil(processes) } else { threads };
        let options = CpuOptions { threads, devices: devices / processes, ..from_env };
        return Ok(Arc::new(CpuClient::join(options, exchange)?));
    }
    Ok(match (backend, threads, devices) {
        (Backend::Cpu, 0, 1) => Arc::new(CpuClient::new()),
        (Backend::Cpu, ..) => {
            let from_env = CpuOptions::from_env();
            let threads = if threads == 0 { from_env.threads } else { threads };
            Arc::new(CpuClient::with_options(CpuOptions { threads, devices, ..from_env }))
        }
        (Backend::Reference, _, 1) => Arc::new(ReferenceClient::new()),
        (Backend::Reference, ..) => {
            return Err(Error::input("the reference evaluator is one device")
                .help("leave out --devices or --backend"));
        }
    })
}

/// The exchange with the other processes of a launcher, if one started this process.
fn launched() -> Result<Option<Arc<dyn jarrah_exchange::Exchange>>> {
    #[cfg(target_os = "linux")]
    return jarrah_exchange::from_env();
    #[cfg(not(target_os = "linux"))]
    Ok(None)
}

/// Whether both paths lead to one file.
fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// `12.3 ms` of 0.0123 seconds.
pub fn time(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    match units.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", seconds / unit),
        None if seconds == 0.0 => "0 ns".to_owned(),
        None => format!("{:.1} ns", seconds * 1e9),
    }
}

/// `1 file`, `2 files`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
