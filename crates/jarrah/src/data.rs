//! Looks at pipelines of data.

use clap::{Args, Subcommand};
use jarrah::data::{RecordOrder, ShardOptions};
use jarrah::{Error, Result};

use crate::output::show;

#[derive(Subcommand)]
pub enum DataCommand {
    /// Shows the order in which records are delivered, an index a line: that of Grain for equal numbers.
    Order(DataOrder),
}

#[derive(Args)]
pub struct DataOrder {
    /// The number of records.
    #[arg(long, value_name = "N", conflicts_with = "lens")]
    pub len: Option<u64>,
    /// The numbers of records of several datasets, which are mixed. Records are counted on from one dataset to the next.
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub lens: Vec<u64>,
    /// The weights of the datasets [default: equal ones].
    #[arg(long, value_name = "W,..", value_delimiter = ',', requires = "lens")]
    pub mix: Vec<f64>,
    /// Shuffle by this seed, the next dataset by the next one [default: no shuffle].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Shuffle within windows of this many records, rather than all of a dataset.
    #[arg(long, value_name = "N", requires = "seed")]
    pub window: Option<u64>,
    /// The number of epochs [default: 1].
    #[arg(long, value_name = "N")]
    pub epochs: Option<u64>,
    /// The records of shard I of N, counted from 0: every N-th one.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<ShardOptions>,
    /// End after this many records.
    #[arg(long, value_name = "N")]
    pub take: Option<u64>,
}

/// `1/4`.
fn shard(text: &str) -> Result<ShardOptions, String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let (index, count) = numbers.ok_or("a shard is a number and the number of all, such as 1/4")?;
    ShardOptions::new(index, count).map_err(|e| e.message().to_owned())
}

/// Runs a command on data.
pub fn data(command: DataCommand) -> Result<()> {
    match command {
        DataCommand::Order(arguments) => order(arguments),
    }
}

/// Shows indices of records in the order in which they are delivered.
fn order(arguments: DataOrder) -> Result<()> {
    let lengths = match (arguments.len, arguments.lens) {
        (Some(len), lens) if lens.is_empty() => vec![len],
        (None, lens) if !lens.is_empty() => lens,
        _ => {
            return Err(Error::input(
                "say the number of records: --len of one dataset, or --lens of several",
            ));
        }
    };
    let weights = (!arguments.mix.is_empty()).then_some(arguments.mix);
    let RecordOrder { epochs, shard, .. } = RecordOrder::of(0);
    let order = RecordOrder {
        lengths,
        weights,
        seed: arguments.seed,
        window: arguments.window,
        epochs: arguments.epochs.unwrap_or(epochs),
        shard: arguments.shard.unwrap_or(shard),
        take: arguments.take,
    };
    order.lines()?.iter()?.try_for_each(|lines| show(&lines?))
}
