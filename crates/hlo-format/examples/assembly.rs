//! Parses files and prints them again: `assembly [--generic] [--out DIR] FILE...`.
//!
//! Every file has to print the same after it is parsed from what was printed. With `--out` the texts are written there.
//! With `--parse` they are parsed only, which shows time and memory.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program for the terminal")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use jarrah_hlo_format::assembly::{PrintOptions, parse_split, print};

fn main() -> ExitCode {
    let mut options = PrintOptions::default();
    let mut out: Option<PathBuf> = None;
    let mut parse_only = false;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &arg[..] {
            "--generic" => options.generic = true,
            "--locations" => options.locations = true,
            "--parse" => parse_only = true,
            "--out" => out = args.next().map(PathBuf::from),
            _ => files.push(PathBuf::from(arg)),
        }
    }
    let (mut failed, mut bytes, mut parsing, mut printing) = (0, 0, Duration::ZERO, Duration::ZERO);
    for path in &files {
        let name = path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{name}: {error}");
                failed += 1;
                continue;
            }
        };
        bytes += text.len();
        if parse_only {
            let start = Instant::now();
            let result = parse_split(&name, &text);
            parsing += start.elapsed();
            if let Err(error) = result {
                eprintln!("{error}");
                failed += 1;
            }
            continue;
        }
        let result = check(&name, &text, &options, &mut parsing, &mut printing);
        match result {
            Ok(printed) => {
                if let (Some(out), Some(file)) = (&out, path.file_name())
                    && let Err(error) = std::fs::write(out.join(file), printed)
                {
                    eprintln!("{name}: {error}");
                    failed += 1;
                }
            }
            Err(message) => {
                eprintln!("{message}");
                failed += 1;
            }
        }
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!("{} files, {failed} failed, {:.1} MB", files.len(), bytes as f64 / 1e6);
    println!("parsed at {:.0} MB/s, printed at {:.0} MB/s of source", rate(parsing), rate(printing));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(
    name: &str,
    text: &str,
    options: &PrintOptions,
    parsing: &mut Duration,
    printing: &mut Duration,
) -> Result<String, String> {
    let start = Instant::now();
    let modules = parse_split(name, text).map_err(|e| e.to_string())?;
    *parsing += start.elapsed();
    for module in &modules {
        module.verify().map_err(|e| e.to_string())?;
    }
    let start = Instant::now();
    let mut printed = Vec::new();
    for module in &modules {
        printed.push(print(module, options));
    }
    *printing += start.elapsed();
    let printed = printed.join("\n// -----\n\n");
    let again = parse_split(name, &printed).map_err(|e| format!("what was printed: {e}"))?;
    if again.len() != modules.len() {
        return Err(format!("{name}: {} parts, then {}", modules.len(), again.len()));
    }
    for (module, again) in modules.iter().zip(&again) {
        if !module.same(again) {
            return Err(format!("{name}: another module is parsed from what was printed"));
        }
    }
    let twice: Vec<String> = again.iter().map(|m| print(m, options)).collect();
    if twice.join("\n// -----\n\n") != printed {
        return Err(format!("{name}: printed otherwise the second time"));
    }
    Ok(printed)
}
