use std::path::Path;
use std::time::Instant;

use jarrah::{Error, Result};
use jarrah_base::files;
use jarrah_pjrt::PluginClient;
use jarrah_pjrt::client::{CompiledExecutable, Plugin, PluginTopology};
use jarrah_runtime::CompileOptions;
use serde_json::{Value, json};

use super::{load, same_file, time};
use crate::cli::Compile;
use crate::devices::attribute;
use crate::output::{show, show_bytes};

/// Compiles a program with a plugin, for a topology or for the devices there are, and shows what the plugin says of it.
pub fn compile(arguments: &Compile) -> Result<()> {
    let stream = arguments.outputs.as_deref() == Some(Path::new("-"));
    if arguments.json && stream {
        return Err(Error::input("both the program and the report are to go to the standard output"));
    }
    let program = load::file(&arguments.file)?.program(arguments.types.as_deref())?;
    if let Some(path) = arguments.outputs.as_ref().filter(|path| same_file(path, &arguments.file)) {
        return Err(Error::input(format!("what is compiled would replace the program {}", path.display()))
            .help("give another file as --outputs"));
    }
    let plugin = Plugin::load(&arguments.plugin)?;
    let begun = Instant::now();
    match &arguments.topology {
        Some(name) => {
            let compiled = PluginTopology::new(plugin, name, Vec::new())?.compile(&program)?;
            report(arguments, &compiled, begun.elapsed().as_secs_f64())
        }
        None => {
            let client = PluginClient::new(plugin, Vec::new())?;
            let begun = Instant::now();
            let executable = client.compile(&program, &CompileOptions::default())?;
            report(arguments, executable.compiled(), begun.elapsed().as_secs_f64())
        }
    }
}

fn report(arguments: &Compile, compiled: &CompiledExecutable, compile_s: f64) -> Result<()> {
    let stored = match &arguments.outputs {
        Some(path) => {
            let program = compiled.optimized()?;
            match path == Path::new("-") {
                true => return show_bytes(&program.code),
                false => files::replace(path, &program.code)?,
            }
            Some((path, program))
        }
        None => None,
    };
    let (cost, memory) = (compiled.cost(), compiled.memory());
    if arguments.json {
        let cost = cost.map(|cost| {
            let one = |(name, value): (String, _)| (name, attribute(&value));
            Value::Object(cost.into_iter().map(one).collect())
        });
        let memory = memory.ok();
        let report = json!({
            "compile_s": compile_s,
            "cost": cost.ok(),
            "argument_bytes": memory.map(|memory| memory.arguments),
            "result_bytes": memory.map(|memory| memory.results),
            "temporary_bytes": memory.map(|memory| memory.temporaries),
            "format": stored.map(|(_, program)| program.format),
        });
        return show(&format!("{report}\n"));
    }
    show(&format!("compiled in {}\n", time(compile_s)))?;
    match cost {
        Ok(cost) => {
            for (name, value) in cost {
                show(&format!("{name}: {}\n", attribute(&value)))?;
            }
        }
        Err(error) => show(&format!("cost: not known: {}\n", error.message()))?,
    }
    match memory {
        Ok(memory) => {
            let parts = [
                ("arguments", memory.arguments),
                ("results", memory.results),
                ("temporaries", memory.temporaries),
            ];
            for (name, bytes) in parts {
                show(&format!("{name}: {}\n", jarrah::train::size(bytes)))?;
            }
        }
        Err(error) => show(&format!("memory: not known: {}\n", error.message()))?,
    }
    match stored {
        Some((path, program)) => {
            show(&format!("wrote the program, as {}, to {}\n", program.format, path.display()))
        }
        None => Ok(()),
    }
}
