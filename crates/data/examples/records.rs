//! Measures files of records: `cargo run --release -p jarrah-data --example records [RECORDS] [THREADS]`.

use std::path::Path;
use std::time::Instant;

use jarrah_base::Result;
use jarrah_data::{
    ArrayRecord, ArrayRecordWriter, InOrder, IterDataset, MapDataset, RandomAccess, ReadOptions, RecordBytes,
    RecordWriter,
};

fn written(path: &Path, options: &str, count: usize, size: usize) -> Result<()> {
    let mut record: Vec<u8> = (0..size).map(|i| ((i * 7) >> 2) as u8).collect();
    ArrayRecordWriter::write_file(path, &options.parse()?, &mut |writer: &mut dyn RecordWriter| {
        (0..count).try_for_each(|i| {
            record[..8].copy_from_slice(&i.to_le_bytes());
            writer.write(&record)
        })
    })
}

fn timed(name: &str, records: u64, bytes: u64, run: impl FnOnce() -> Result<u64>) -> Result<()> {
    let begun = Instant::now();
    let delivered = run()?;
    assert_eq!(delivered, records, "each record is delivered once");
    let seconds = begun.elapsed().as_secs_f64();
    let (rate, speed) = (records as f64 / seconds / 1e6, bytes as f64 / seconds / 1e9);
    println!("{name:60} {rate:8.3} M records/s {speed:8.3} GB/s");
    Ok(())
}

/// Every record from the first to the last; the hash of each is checked.
fn in_order(path: &Path, size: u64) -> Result<()> {
    let files = ArrayRecord::open(&[path])?;
    let len = files.len();
    let dataset = IterDataset::records(InOrder::of(files));
    timed(&format!("in order, {size} bytes each"), len, len * size, || {
        let mut count = 0;
        for record in dataset.iter()? {
            count += u64::from(record?.len() as u64 == size);
        }
        Ok(count)
    })
}

fn changed(record: RecordBytes) -> [u8; 128] {
    let mut changed = [0; 128];
    for (to, from) in changed.iter_mut().zip(&*record) {
        *to = from.wrapping_mul(3) ^ 0x55;
    }
    changed
}

fn shuffled(path: &Path, name: &str, threads: usize) -> Result<()> {
    let files = ArrayRecord::open(&[path])?;
    let len = files.len();
    let batches = MapDataset::source(files).shuffle(42).map(changed).batch(128);
    let batches = batches.to_iter_with(ReadOptions { threads, buffer: 64 });
    timed(&format!("shuffle + map + batch, {name}, {threads} threads"), len, len * 128, || {
        let mut rows = 0;
        for batch in batches.iter()? {
            rows += batch?.dims()[0] as u64;
        }
        Ok(rows)
    })
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<usize>().expect("a number"));
    let count = arguments.next().unwrap_or(1_000_000);
    let threads = arguments.next().unwrap_or(2);
    let path = std::env::temp_dir().join(format!("jarrah-records-{}.array_record", std::process::id()));
    for (size, most) in [(128, count), (4096, 250_000), (65_536, 20_000), (1 << 20, 1000)] {
        written(&path, "group_size:1,uncompressed", most, size)?;
        for _ in 0..3 {
            in_order(&path, size as u64)?;
        }
    }
    for options in [
        "group_size:1,uncompressed",
        "group_size:64,uncompressed",
        "group_size:64,zstd:3",
        "group_size:1,zstd:3",
    ] {
        written(&path, options, count, 128)?;
        for _ in 0..3 {
            shuffled(&path, options, threads)?;
        }
    }
    std::fs::remove_file(&path).expect("it was written");
    Ok(())
}
