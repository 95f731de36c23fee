//! Programs on the devices of a client, each of which runs the program of its partition.

use std::sync::LazyLock;

use jarrah_base::{Literal, Result};
use jarrah_compiler::partition;
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo_format::lower::LowerOptions;
use jarrah_runtime::{Arg, Client, CompileOptions, DeviceId, ExecuteOptions, HostSource};

use super::lower_with;

static CLIENT: LazyLock<CpuClient> =
    LazyLock::new(|| CpuClient::with_options(CpuOptions { threads: 1, devices: 8, ..CpuOptions::default() }));

/// The results of each device of so many replicas and partitions, given the arguments of each.
///
/// # Errors
/// The text is refused, or the devices wait for each other.
pub fn on_devices(
    text: &str,
    processes: (usize, usize),
    arguments: &[Vec<Literal>],
) -> Result<Vec<Vec<Literal>>> {
    let (replicas, partitions) = processes;
    let entry = lower_with(text, &LowerOptions { processes, ..LowerOptions::default() })?;
    let program = partition(&entry.program, partitions)?.program;
    let devices: Vec<DeviceId> = (0..(replicas * partitions) as u32).map(DeviceId).collect();
    let options = CompileOptions { devices: devices.clone(), partitions, ..CompileOptions::default() };
    let executable = CLIENT.compile(&program, &options)?;
    let mut given = Vec::new();
    for (&device, arguments) in devices.iter().zip(arguments) {
        let upload = |x: &Literal| {
            let source = HostSource::Borrowed(x.bytes());
            Ok(Arg::Borrow(CLIENT.buffer_from_host(x.ty(), source, device.into())?))
        };
        given.push(arguments.iter().map(upload).collect::<Result<_>>()?);
    }
    let ran = executable.execute(given, &ExecuteOptions::default())?;
    ran.results.iter().map(|all| all.iter().map(|x| x.read()).collect()).collect()
}

/// The text of a module for devices whose function `@each` is `each`, and of one that evaluates them all: the results of each device as
/// both give them, which have equal bits.
pub fn both(
    each: &str,
    signature: (&str, &str),
    processes: (usize, usize),
    arguments: &[Vec<Literal>],
) -> Vec<Vec<Literal>> {
    let found =
        on_devices(&format!("module {{\n{}\n}}", each.replace("@each", "@main")), processes, arguments);
    let found = found.unwrap_or_else(|error| panic!("{error}\n{each}"));
    let (replicas, partitions) = processes;
    let (count, width) = (replicas * partitions, arguments[0].len());
    let names: Vec<String> = (0..count * width).map(|n| format!("%x{n}")).collect();
    let types: Vec<&str> = vec![signature.0; count];
    let types = types.join(", ");
    let split: Vec<&str> = types.split(", ").collect();
    let params: Vec<String> = names.iter().zip(split).map(|(name, ty)| format!("{name}: {ty}")).collect();
    let results = vec![signature.1; count].join(", ");
    let row = format!("[{}]", vec!["@each"; partitions].join(", "));
    let returned: Vec<String> =
        (0..count).map(|n| if count == 1 { "%y".into() } else { format!("%y#{n}") }).collect();
    let text = format!(
        "module {{
func.func @main({}) -> ({results}) {{
%y{} = \"interpreter.run_parallel\"({}) {{programs = [{}]}} : ({types}) -> ({results})
return {} : {results}
}}
{}
}}",
        params.join(", "),
        if count == 1 { String::new() } else { format!(":{count}") },
        names.join(", "),
        vec![row; replicas].join(", "),
        returned.join(", "),
        each.replace("func.func @each", "func.func private @each")
    );
    let all: Vec<Literal> = arguments.iter().flatten().cloned().collect();
    let together: Vec<Vec<Literal>> = super::run(&text, &all).into_iter().map(|one| vec![one]).collect();
    assert!(found == together, "{text}");
    found
}
