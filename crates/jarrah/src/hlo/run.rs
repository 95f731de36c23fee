use std::path::PathBuf;
use std::time::Instant;

use jarrah::{Error, Result};
use jarrah_base::Literal;
use jarrah_runtime::{Buffer, CompileOptions};

use super::{client, load, tensors};
use crate::cli::Run;

pub fn run(arguments: &Run) -> Result<()> {
    let begun = Instant::now();
    let file = load::file(&arguments.file)?;
    let inputs = arguments.inputs.as_deref().map(tensors::read).transpose()?;
    let program = match &inputs {
        Some(inputs) => file.entry_for(&inputs.types()?)?,
        None => file.entry()?,
    };
    let parsed = begun.elapsed();

    let types = program.param_types();
    let literals = match &inputs {
        Some(inputs) => inputs.literals(&types)?,
        None if types.is_empty() => Vec::new(),
        None => {
            let list = types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(Error::input(format!("the program takes {} arguments: {list}", types.len()))
                .help("give them with --inputs FILE.safetensors, named \"0\", \"1\", ..."));
        }
    };

    let begun = Instant::now();
    let client = client(arguments.backend, arguments.threads);
    let executable = client.compile(&program, &CompileOptions::default())?;
    let compiled = begun.elapsed();

    let buffers: Vec<Buffer> = literals.iter().map(|l| client.upload(l)).collect::<Result<_>>()?;
    let once = || -> Result<(f64, Vec<Literal>)> {
        let begun = Instant::now();
        let results = executable.execute(buffers.clone())?;
        let elapsed = begun.elapsed().as_secs_f64();
        Ok((elapsed, results.iter().map(Buffer::read).collect::<Result<_>>()?))
    };
    let (mut first, results) = once()?;
    let mut times = Vec::new();
    for _ in 0..arguments.repeat {
        times.push(once()?.0);
    }
    times.sort_by(f64::total_cmp);
    if !times.is_empty() {
        first = times[times.len() / 2];
    }

    let mut stored = Vec::new();
    if let Some(path) = &arguments.outputs {
        tensors::write(path, &results)?;
        stored.push(path.clone());
    }
    let report = Report {
        parse_s: parsed.as_secs_f64(),
        compile_s: compiled.as_secs_f64(),
        run_s: first,
        peak_bytes: executable.memory().total(),
    };
    if arguments.json {
        println!("{}", report.json(&results));
    } else {
        report.show(&results, &stored);
    }
    Ok(())
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

    fn show(&self, results: &[Literal], stored: &[PathBuf]) {
        if stored.is_empty() {
            for (i, result) in results.iter().enumerate() {
                println!("{i}: {result:?}");
            }
        }
        for path in stored {
            println!("wrote {} results to {}", results.len(), path.display());
        }
        eprintln!(
            "[parse {:.1} ms; compile {:.1} ms; run {:.3} ms; peak {}]",
            self.parse_s * 1e3,
            self.compile_s * 1e3,
            self.run_s * 1e3,
            jarrah::train::size(self.peak_bytes)
        );
    }
}
