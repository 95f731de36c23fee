//! The `jarrah` command.

// They panic where the output is closed: see `output`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod chat;
mod checkpoint;
mod cli;
mod config;
mod dashboard;
mod devices;
mod eval;
mod generate;
mod hlo;
mod machine;
mod model;
mod others;
mod output;
mod run_batch;
mod serve;
mod source;
mod train;
mod whole;

use std::process::ExitCode;

use clap::Parser;
use jarrah::{Error, ErrorKind, Result};
use jarrah_cpu::CpuOptions;

use cli::{Cli, Command};
use output::note;

fn main() -> ExitCode {
    let parsed = config::expand(std::env::args_os().collect());
    let parsed = parsed.map(|arguments| Cli::parse_from(arguments).command);
    match parsed.and_then(|command| CpuOptions::check_env().and_then(|()| run(command))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = error.to_string();
            // Which part of the program said it, tells users nothing.
            note(&format!("error: {}", text.strip_prefix("[engine] ").unwrap_or(&text)));
            exit_code(&error)
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Train(arguments) => train::train(arguments),
        Command::Generate(arguments) => generate::generate(arguments),
        Command::Serve(arguments) => serve::serve(*arguments),
        Command::RunBatch(arguments) => run_batch::run_batch(*arguments),
        Command::Chat(arguments) => chat::chat(*arguments),
        Command::Dashboard(arguments) => dashboard::dashboard(arguments),
        Command::Eval(arguments) => eval::eval(arguments),
        Command::Checkpoint(action) => checkpoint::checkpoint(action),
        Command::Model(command) => model::model(command),
        Command::Devices(arguments) => devices::devices(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Hlo(action) => hlo::hlo(action),
    }
}

/// 2 for what the user gave, 1 for what the machine did or we did wrong.
fn exit_code(error: &Error) -> ExitCode {
    match error.kind() {
        ErrorKind::Input | ErrorKind::Memory => ExitCode::from(2),
        ErrorKind::Program | ErrorKind::Environment | ErrorKind::Internal => ExitCode::FAILURE,
    }
}
