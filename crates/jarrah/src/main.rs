//! The `jarrah` command.

// They panic where the output is closed: see `output`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod chat;
mod checkpoint;
mod cli;
mod config;
mod dashboard;
mod data;
mod devices;
mod eval;
mod generate;
mod hlo;
mod jax;
mod launch;
mod machine;
mod model;
mod orbax;
mod others;
mod output;
mod pipeline;
mod pipeline_figures;
mod pipeline_page;
mod prune;
mod run_batch;
mod serve;
mod signals;
mod source;
mod statistics;
mod steps;
mod stored;
mod train;
mod whole;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use jarrah::{Error, ErrorKind, Result};
use jarrah_cpu::CpuOptions;

use cli::{Cli, Command};
use output::note;

fn main() -> ExitCode {
    let parsed = config::expand(std::env::args_os().collect());
    let parsed = parsed.map(|arguments| parse(arguments).command);
    match parsed.and_then(|command| CpuOptions::check_env().and_then(|()| run(command))) {
        Ok(code) => code,
        Err(error) => {
            let text = error.to_string();
            // Which part of the program said it, tells users nothing.
            note(&format!("error: {}", text.strip_prefix("[engine] ").unwrap_or(&text)));
            exit_code(&error)
        }
    }
}

fn parse(arguments: Vec<OsString>) -> Cli {
    Cli::try_parse_from(arguments).unwrap_or_else(|mut error| {
        // `--lora-modules a=DIR MODEL`: a flag of several values takes the model, too.
        let flag = match (error.kind(), error.get(ContextKind::InvalidArg)) {
            (clap::error::ErrorKind::ValueValidation, Some(ContextValue::String(flag))) => {
                flag.strip_suffix(">...")
            }
            _ => None,
        };
        if let Some(flag) = flag.and_then(|flag| flag.split(' ').next()) {
            let tip = format!("{flag} takes all that follow it: name what is none of them before it");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        error.exit()
    })
}

fn run(command: Command) -> Result<ExitCode> {
    let ran = match command {
        Command::Launch(arguments) => return launch::launch(&arguments),
        Command::Checkpoint(action) => return checkpoint::checkpoint(action),
        Command::Train(arguments) => train::train(arguments),
        Command::Generate(arguments) => generate::generate(arguments),
        Command::Serve(arguments) => serve::serve(*arguments),
        Command::RunBatch(arguments) => run_batch::run_batch(*arguments),
        Command::Chat(arguments) => chat::chat(*arguments),
        Command::Dashboard(arguments) => dashboard::dashboard(arguments),
        Command::Eval(arguments) => eval::eval(arguments),
        Command::Model(command) => model::model(command),
        Command::Data(command) => data::data(command),
        Command::Devices(arguments) => devices::devices(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Hlo(action) => hlo::hlo(action),
    };
    ran.map(|()| ExitCode::SUCCESS)
}

/// 2 for what the user gave, 1 for what the machine did or we did wrong.
fn exit_code(error: &Error) -> ExitCode {
    match error.kind() {
        ErrorKind::Input | ErrorKind::Memory => ExitCode::from(2),
        ErrorKind::Program | ErrorKind::Environment | ErrorKind::Internal => ExitCode::FAILURE,
    }
}
