use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Trains language models and generates text with them.
#[derive(Parser)]
#[command(name = "jarrah", version, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Trains a model; without arguments, a small one on the Rust sources in the local cargo registry.
    Train(Train),
    /// Generates text with the model of a run.
    Generate(Generate),
    /// Looks at the checkpoints of a run.
    #[command(subcommand)]
    Checkpoint(Checkpoint),
}

#[derive(Args)]
pub struct Train {
    /// A recipe (TOML), and keys to change in it: `steps=200 model.layers=6`.
    #[arg(value_name = "RECIPE.toml | key=value")]
    pub arguments: Vec<String>,
    /// Text to learn: files, folders, globs, .jsonl files with a `text` field.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub data: Vec<String>,
    /// The folder of the run [default: the next number in runs/].
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    /// Go on with this run.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["data", "out"])]
    pub resume: Option<PathBuf>,
    /// Show every key of a recipe with its value, and end.
    #[arg(long)]
    pub keys: bool,
}

#[derive(Args)]
pub struct Generate {
    /// The folder of a run: runs/latest.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The text to go on from; `-` reads it from the standard input [default: the start of a document].
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub prompt: String,
    /// The most tokens to generate.
    #[arg(long, default_value_t = 200)]
    pub max_tokens: usize,
    /// 0 takes the likeliest token, 1 samples from the model's distribution.
    #[arg(long, default_value_t = 0.8)]
    pub temperature: f64,
    /// Sample among the k likeliest tokens; 0 among all.
    #[arg(long, default_value_t = 50)]
    pub top_k: usize,
    /// Sample among the likeliest tokens that have this probability together.
    #[arg(long, default_value_t = 0.95)]
    pub top_p: f64,
    /// The same seed gives the same text.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// End before this text; may be given several times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub stop: Vec<String>,
    /// The checkpoint to use [default: the latest].
    #[arg(long)]
    pub step: Option<u64>,
    /// Threads to compute on; 0 takes every core.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

#[derive(Subcommand)]
pub enum Checkpoint {
    /// Lists them.
    List {
        /// The folder of a run.
        run: PathBuf,
    },
    /// Reads every byte of all of them and compares every checksum.
    Verify {
        /// The folder of a run.
        run: PathBuf,
    },
    /// One line over parameters, optimizer state and data position at the latest step.
    Hash {
        /// The folder of a run.
        run: PathBuf,
    },
}
