//! Looks at the order of pipelines of data, and into files of records.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jarrah::data::{
    OnDamage, RecordBytes, RecordConversion, RecordFormat, RecordInspection, RecordOrder, ShardOptions,
};
use jarrah::{Error, Result};
use serde_json::json;

use crate::output::{note, show};
use crate::pipeline::{self, PipelineBench, PipelineShow};

#[derive(Subcommand)]
pub enum DataCommand {
    /// Shows the order in which records are delivered, an index a line: that of Grain for equal numbers.
    Order(DataOrder),
    /// Looks into files of records: their format, which is found by what they hold, the number and the kind of their records, the first ones, and all damage.
    ///
    /// Formats: array_record, bagz, tf_record, jsonl, text, csv, web_dataset (tar), parquet, arrow, and folders: image_folder, tfds and hugging_face; all but array_record, bagz, parquet and arrow also compressed by gzip, tf_record by
    /// zlib, the others by zstd.
    Inspect(DataInspect),
    /// Writes the records of files to a file of another format, one file behind the other.
    Convert(DataConvert),
    /// Shows the stages of a pipeline that a file describes: what each delivers, its time, and an element behind it.
    ///
    /// own is the time of a stage without that of the stages before it, on all threads together; waited the time that it waited for its threads; held the most that it kept in
    /// memory at a time.
    Show(PipelineShow),
    /// Measures how fast a pipeline that a file describes delivers, and where its time goes.
    Bench(PipelineBench),
}

#[derive(Args)]
pub struct DataInspect {
    /// The files, or folders of data sets.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The split of folders of data sets, such as train or train[:10%] [default: each of them].
    #[arg(long, value_name = "SPLIT")]
    pub split: Option<String>,
    /// The format of the files [default: what they show].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<RecordFormat>,
    /// Show this many of the first records.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub first: usize,
    /// Print a list in JSON, an entry for each file.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct DataConvert {
    /// The files to read, and the file to write.
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    pub files: Vec<PathBuf>,
    /// The format of the files to read [default: what they show].
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<RecordFormat>,
    /// The split of folders of data sets, such as train or train[:10%] [default: the only one].
    #[arg(long, value_name = "SPLIT")]
    pub split: Option<String>,
    /// The format of the file to write [default: by the ending of its name].
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<RecordFormat>,
    /// Options of the format to write, such as group_size:64,zstd:3 of array_record, zstd:3,limits:separate of bagz, gzip of tf_record.
    #[arg(long, value_name = "OPTIONS")]
    pub options: Option<String>,
    /// Leave damaged records out, and say how many.
    #[arg(long)]
    pub skip_damaged: bool,
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
        DataCommand::Inspect(arguments) => inspect(&arguments),
        DataCommand::Convert(arguments) => convert(arguments),
        DataCommand::Show(arguments) => pipeline::show(&arguments),
        DataCommand::Bench(arguments) => pipeline::bench(&arguments),
    }
}

/// The places of damage of a file that are listed.
const SHOWN_DAMAGE: usize = 20;

/// The files, with each split of those that have splits.
fn with_splits(arguments: &DataInspect) -> Result<Vec<(&Path, Option<String>)>> {
    let mut listed = Vec::new();
    for path in &arguments.files {
        let splits = match &arguments.split {
            Some(split) => vec![split.clone()],
            None => arguments.format.map_or_else(|| RecordFormat::of_file(path), Ok)?.splits(path)?,
        };
        match splits.is_empty() {
            true => listed.push((&**path, None)),
            false => listed.extend(splits.into_iter().map(|split| (&**path, Some(split)))),
        }
    }
    Ok(listed)
}

/// Shows what files of records hold. Damage is shown, and is an error at the end.
fn inspect(arguments: &DataInspect) -> Result<()> {
    let (mut listed, mut damaged) = (Vec::new(), 0);
    for (path, split) in with_splits(arguments)? {
        let split = split.as_deref();
        let found = RecordInspection::of(path, arguments.format, split, arguments.first)?;
        damaged += usize::from(!found.damage.is_empty());
        let (least, most) = found.schema.sizes;
        if arguments.json {
            let damage = |d: &jarrah::data::RecordDamage| json!({"record": d.record, "offset": d.offset, "text": d.text});
            let fields = found.schema.fields().into_iter().map(|(name, text)| (name.to_owned(), json!(text)));
            listed.push(json!({
                "file": path.display().to_string(),
                "split": split,
                "format": found.format.to_string(),
                "bytes": found.bytes,
                "records": found.records,
                "record_bytes": [least, most],
                "kind": found.schema.kind(),
                "fields": fields.collect::<serde_json::Map<_, _>>(),
                "first": found.first.iter().map(RecordBytes::shortened).collect::<Vec<_>>(),
                "damage": found.damage.iter().map(damage).collect::<Vec<_>>(),
            }));
            continue;
        }
        let mut text = format!(
            "{}{}: {}, {} records in {} bytes\n  schema: {}, {least} to {most} bytes each\n",
            path.display(),
            split.map_or(String::new(), |split| format!(" {split}")),
            found.format,
            found.records,
            found.bytes,
            found.schema
        );
        for (i, record) in found.first.iter().enumerate() {
            text += &format!("  {i}: {}\n", record.shortened());
        }
        for damage in found.damage.iter().take(SHOWN_DAMAGE) {
            text += &format!("  damage: {damage}\n");
        }
        if found.damage.len() > SHOWN_DAMAGE {
            text += &format!(
                "  and damage in {} more places: --json lists all\n",
                found.damage.len() - SHOWN_DAMAGE
            );
        }
        show(&text)?;
    }
    if arguments.json {
        show(&format!("{:#}\n", json!(listed)))?;
    }
    match damaged {
        0 => Ok(()),
        1 => Err(Error::input("a file is damaged")),
        n => Err(Error::input(format!("{n} files are damaged"))),
    }
}

/// Converts files of records.
fn convert(mut arguments: DataConvert) -> Result<()> {
    let Some(out) = arguments.files.pop() else {
        return Err(Error::input("say the files to read, and the file to write"));
    };
    let to = arguments.to.or_else(|| RecordFormat::of_name(&out)).ok_or_else(|| {
        Error::input(format!("the name {} tells no format to write", out.display()))
            .help("say it with --to, such as --to array_record")
    })?;
    let on_damage = if arguments.skip_damaged { OnDamage::Skip } else { OnDamage::Fail };
    let (split, options) = (arguments.split.as_deref(), arguments.options.as_deref());
    let done = RecordConversion::run(&arguments.files, arguments.from, split, &out, to, options, on_damage)?;
    note(&format!("{} records of {} bytes were written to {}", done.records, done.bytes, out.display()));
    if done.skipped > 0 {
        note(&format!("damaged records were left out in {} places", done.skipped));
    }
    Ok(())
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
