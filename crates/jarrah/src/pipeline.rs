//! Pipelines of data that files describe: their stages with figures, and their rate.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use jarrah::data::{IterDataset, StageObserver, StageStatistics};
use jarrah::train::pipeline::{Pipeline, PipelineFile, PipelineThreads, stage_help};
use jarrah::{Error, Result};
use jarrah_base::memory::size;
use serde_json::{Value, json};

use crate::output::{note, show as print};
use crate::pipeline_figures::{COLUMNS, Measured, rate, time};
use crate::pipeline_page::page;

#[derive(Args)]
pub struct PipelineShow {
    /// The file that describes the pipeline.
    #[arg(required_unless_present = "keys", value_name = "PIPELINE.toml")]
    pub file: Option<PathBuf>,
    /// Write a page with the graph, too.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Measure until so many elements were delivered.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub elements: u64,
    /// Measure for so many seconds at most.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    pub seconds: f64,
    /// List the kinds of stages with their keys.
    #[arg(long)]
    pub keys: bool,
}

#[derive(Args)]
pub struct PipelineBench {
    /// The file that describes the pipeline.
    #[arg(value_name = "PIPELINE.toml")]
    pub file: PathBuf,
    /// Measure for so many seconds, or to the end of the pipeline.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    pub seconds: f64,
    /// Threads wherever elements are found by number, in the place of those that the file says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Option<u16>,
    /// Print the figures in JSON.
    #[arg(long)]
    pub json: bool,
}

/// A time from a millisecond to a day.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is no number of seconds".to_owned())?;
    match (0.001..=86_400.0).contains(&seconds) {
        true => Ok(seconds),
        false => Err("a time is between 0.001 and 86400 seconds".to_owned()),
    }
}

/// Runs a pipeline until it has delivered so many elements, or the time is over.
fn measured(pipeline: &Pipeline, elements: u64, most: Duration) -> Result<Measured> {
    match pipeline {
        Pipeline::Records(records) => run(records, elements, most),
        Pipeline::Features(features) => run(features, elements, most),
    }
}

fn run<T: Send + 'static>(dataset: &IterDataset<T>, elements: u64, most: Duration) -> Result<Measured> {
    let begun = Instant::now();
    let (mut iterator, observer): (_, StageObserver) = dataset.iter_observed()?;
    let (mut count, mut has_ended) = (0, false);
    while count < elements && begun.elapsed() < most {
        match iterator.next().transpose()? {
            Some(_) => count += 1,
            None => {
                has_ended = true;
                break;
            }
        }
    }
    let elapsed = begun.elapsed();
    // Threads may still be making elements, whose time is not that of those which were delivered.
    let stages = observer.statistics();
    Ok(Measured { elements: count, elapsed, has_ended, stages })
}

/// The rows of a table with columns as wide as their widest cell: words to the left, numbers to the right.
fn aligned(rows: &[[String; COLUMNS]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
            1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Shows the stages of a pipeline with their figures, and an element behind each.
pub fn show(arguments: &PipelineShow) -> Result<()> {
    let Some(path) = arguments.file.as_ref().filter(|_| !arguments.keys) else {
        return print(&stage_help());
    };
    let file = PipelineFile::read(path)?;
    let (sources, stages) = file.forms()?;
    let pipeline = file.open()?;
    let found = measured(&pipeline, arguments.elements, Duration::from_secs_f64(arguments.seconds))?;
    let forms: Vec<_> = sources.iter().flatten().chain(&stages).collect();
    // A stage of the file may be several of the datasets: the element is that behind the last of its name.
    let element = |i: usize| {
        let stage = &found.stages[i].stage;
        let is = |other: &StageStatistics| other.stage.at == stage.at && other.stage.name == stage.name;
        let is_last = !found.stages[i + 1..].iter().any(is);
        let form = forms.iter().find(|form| form.at == stage.at && form.kind == stage.name);
        form.filter(|_| is_last).map(|form| form.element.clone().unwrap_or_else(|| "no element".to_owned()))
    };
    let elements: Vec<Option<String>> = (0..found.stages.len()).map(element).collect();
    let title = format!(
        "{}: {} elements in {}{}",
        path.display(),
        found.elements,
        time(found.elapsed),
        if found.has_ended { ", which are all" } else { "" }
    );
    let lines = aligned(&found.rows());
    let mut text = format!("{title}\n{}\n", lines[0]);
    for (line, element) in lines[1..].iter().zip(&elements) {
        text += &format!("{line}\n");
        text += &element.as_ref().map_or_else(String::new, |element| format!("     {element}\n"));
    }
    text += &format!("{}\n", found.bound());
    print(&text)?;
    if let Some(out) = &arguments.html {
        jarrah_base::files::replace(out, page(&title, &found, &elements).as_bytes())?;
        note(&format!("the graph was written to {}", out.display()));
    }
    Ok(())
}

/// Measures the rate of a pipeline.
pub fn bench(arguments: &PipelineBench) -> Result<()> {
    let file = PipelineFile::read(&arguments.file)?;
    let threads =
        arguments.threads.map_or(PipelineThreads::AsTold, |count| PipelineThreads::Count(count.into()));
    let pipeline = file.open_with(threads)?;
    let found = measured(&pipeline, u64::MAX, Duration::from_secs_f64(arguments.seconds))?;
    if found.elements == 0 {
        return Err(Error::input(format!("the pipeline {} delivers no element", arguments.file.display()))
            .help("`jarrah data show` has the first element behind each stage"));
    }
    let (records, bytes) = found.records();
    if arguments.json {
        return print(&format!("{:#}\n", figures(&found, file.name())));
    }
    let mut text = format!(
        "records:  {}/s ({records} in {})\nbytes:    {}/s\nelements: {}/s ({} delivered)\n",
        rate(found.per_second(records)),
        time(found.elapsed),
        size(found.per_second(bytes) as usize),
        rate(found.per_second(found.elements)),
        found.elements,
    );
    for line in aligned(&found.rows()) {
        text += &format!("{line}\n");
    }
    text += &format!("{}\n", found.bound());
    if found.has_ended {
        text += "the pipeline ended: a stage of kind repeat lets it run longer\n";
    }
    print(&text)
}

/// The figures in JSON; times in seconds.
fn figures(found: &Measured, file: &str) -> Value {
    let (records, bytes) = found.records();
    let stage = |s: &StageStatistics| {
        json!({
            "stage": s.stage.name,
            "line": s.stage.at.line(),
            "inputs": s.stage.inputs,
            "elements_in": s.elements_in,
            "elements_out": s.elements_out,
            "bytes_out": s.bytes_out,
            "own": s.own.as_secs_f64(),
            "waited": s.waited.as_secs_f64(),
            "idle": s.idle.as_secs_f64(),
            "held": s.held,
        })
    };
    json!({
        "file": file,
        "seconds": found.elapsed.as_secs_f64(),
        "has_ended": found.has_ended,
        "records": records,
        "records_per_second": found.per_second(records),
        "bytes_per_second": found.per_second(bytes),
        "elements": found.elements,
        "elements_per_second": found.per_second(found.elements),
        "stages": found.stages.iter().map(stage).collect::<Vec<_>>(),
    })
}
