use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use jarrah::{Error, Result};
use jarrah_base::Literal;
use jarrah_pjrt::PluginClient;
use jarrah_runtime::{Arg, Buffer, Client, CompileOptions, DeviceId, ExecuteOptions};

use super::{client, count, inputs, load, same_file, tensors, time};
use crate::cli::Run;
use crate::output::{note, show};

pub fn run(arguments: &Run) -> Result<()> {
    let stream = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if arguments.file == Path::new("-") && stream(&arguments.inputs) {
        return Err(Error::input("both the program and its inputs are to come from the standard input"));
    }
    if arguments.json && stream(&arguments.outputs) {
        return Err(Error::input("both the outputs and the report are to go to the standard output"));
    }
    let inputs = arguments.inputs.as_deref().map(tensors::read).transpose()?;
    let begun = Instant::now();
    let file = load::file(&arguments.file)?;
    let program = match &inputs {
        Some(inputs) => {
            let from = format!("in the types of the tensors in {}", inputs.path());
            file.program_on(Some(&inputs.types(&file)?), arguments.devices).map_err(|e| e.context(from))?
        }
        None => file.program_on(arguments.types.as_deref(), arguments.devices)?,
    };
    // Other devices take StableHLO, as it was written.
    let program =
        if arguments.plugin.is_none() { jarrah_compiler::raise_attention(&program)? } else { program };
    let parsed = begun.elapsed();

    if let Some(path) = arguments.outputs.as_ref().filter(|path| same_file(path, &arguments.file)) {
        return Err(Error::input(format!("the results would replace the program {}", path.display()))
            .help("give another file as --outputs"));
    }

    let begun = Instant::now();
    let client: Arc<dyn Client> = match &arguments.plugin {
        Some(path) => Arc::new(PluginClient::load(path, Vec::new())?),
        None => client(arguments.backend, arguments.threads, arguments.devices)?,
    };
    let devices: Vec<DeviceId> = (0..arguments.devices as u32).map(DeviceId).collect();
    let several = devices.len() > 1;
    let options = match several {
        true => CompileOptions { devices: devices.clone(), partitions: devices.len(), ..Default::default() },
        false => CompileOptions::default(),
    };
    let process = client.process();
    let executable = client.compile(&program, &options)?;
    let compiled = begun.elapsed();

    let mut buffers = vec![inputs::upload(&*client, &program, inputs, arguments.random)?];
    drop(program);
    let own = |device: &DeviceId| client.devices()[device.index()].process == client.process();
    for device in devices.iter().copied().filter(own).skip(1) {
        let copies = buffers[0].iter().map(|buffer| client.copy(buffer, device.into()));
        buffers.push(copies.collect::<Result<_>>()?);
    }
    let once = || -> Result<(f64, Vec<Buffer>)> {
        let begun = Instant::now();
        let results = match several {
            false => executable.run(buffers[0].clone())?,
            true => {
                let given = buffers.iter().map(|all| all.iter().cloned().map(Arg::Borrow).collect());
                executable.execute(given.collect(), &ExecuteOptions::default())?.results.swap_remove(0)
            }
        };
        results.iter().try_for_each(|result| result.ready().wait())?;
        Ok((begun.elapsed().as_secs_f64(), results))
    };
    let (mut run_s, mut results) = once()?;
    let mut times = Vec::new();
    for _ in 0..arguments.repeat {
        // The results of the run before are freed first, so that the peak of memory is that of a single run.
        results.clear();
        let time;
        (time, results) = once()?;
        times.push(time);
    }
    times.sort_by(f64::total_cmp);
    if !times.is_empty() {
        run_s = times[times.len() / 2];
    }
    let peak_bytes = executable.memory().total();
    drop((executable, buffers, client));
    if process != 0 {
        return Ok(());
    }
    let results: Vec<Literal> = results.into_iter().map(|buffer| buffer.read()).collect::<Result<_>>()?;

    let mut stored = Vec::new();
    if let Some(path) = &arguments.outputs {
        tensors::write(path, &results)?;
        stored.push(path.clone());
    }
    let report =
        Report { parse_s: parsed.as_secs_f64(), compile_s: compiled.as_secs_f64(), run_s, peak_bytes };
    if arguments.json {
        return show(&format!("{}\n", report.json(&results)));
    }
    report.show(&results, &stored)
}

struct Report {
    parse_s: f64,
    compile_s: f64,
    run_s: f64,
    peak_bytes: usize,
}

impl Report {
    fn json(&self, results: &[Literal]) -> String {
        let outputs: Vec<serde_json::Value> = results
            .iter()
            .enumerate()
            .map(|(i, r)| {
                serde_json::json!({"name": i.to_string(), "dtype": r.dtype().name(), "shape": r.dims()})
            })
            .collect();
        serde_json::json!({
            "parse_s": self.parse_s,
            "compile_s": self.compile_s,
            "run_s": self.run_s,
            "peak_bytes": self.peak_bytes,
            "outputs": outputs,
        })
        .to_string()
    }

    fn show(&self, results: &[Literal], stored: &[PathBuf]) -> Result<()> {
        if stored.is_empty() {
            for (i, result) in results.iter().enumerate() {
                show(&format!("{i}: {result}\n"))?;
            }
        }
        for path in stored.iter().filter(|path| *path != Path::new("-")) {
            show(&format!("wrote {} to {}\n", count(results.len(), "result"), path.display()))?;
        }
        note(&format!(
            "[parse {}; compile {}; run {}; peak {}]",
            time(self.parse_s),
            time(self.compile_s),
            time(self.run_s),
            jarrah::train::size(self.peak_bytes)
        ));
        Ok(())
    }
}
