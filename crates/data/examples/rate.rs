//! Measures pipelines over records in memory: `cargo run --release -p jarrah-data --example rate [RECORDS] [THREADS]`.

use std::time::Instant;

use jarrah_base::{Literal, Result};
use jarrah_data::{IterDataset, MapDataset, RandomAccess, ReadOptions};

/// Records of 128 bytes, one behind the other.
struct Records(Vec<u8>);

impl RandomAccess for Records {
    type Item = [u8; 128];

    fn len(&self) -> u64 {
        (self.0.len() / 128) as u64
    }

    fn get(&self, index: u64) -> Result<[u8; 128]> {
        let start = index as usize * 128;
        let mut record = [0; 128];
        record.copy_from_slice(&self.0[start..start + 128]);
        Ok(record)
    }
}

fn changed(mut record: [u8; 128]) -> [u8; 128] {
    for byte in &mut record {
        *byte = byte.wrapping_mul(3) ^ 0x55;
    }
    record
}

fn rate(name: &str, records: u64, batches: &IterDataset<Literal>) -> Result<()> {
    let begun = Instant::now();
    let (mut rows, mut sum) = (0, 0_u64);
    for batch in batches.iter()? {
        let batch = batch?;
        rows += batch.dims()[0];
        sum += u64::from(batch.bytes()[0]);
    }
    assert_eq!(rows as u64, records, "each record is delivered once");
    let seconds = begun.elapsed().as_secs_f64();
    println!("{name:40} {:8.2} M records/s  (check {sum})", records as f64 / seconds / 1e6);
    Ok(())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<usize>().expect("a number"));
    let count = arguments.next().unwrap_or(1_000_000);
    let threads = arguments.next().unwrap_or(2);
    let bytes = (0..count * 128).map(|i| (i * 7 + i / 128) as u8).collect();
    let records = MapDataset::source(Records(bytes));
    let options = ReadOptions { threads, buffer: 64 };
    let shuffled = records.shuffle(42).map(changed);
    let n = count as u64;
    for _ in 0..3 {
        rate("in order, batch 128", n, &records.batch(128).to_iter())?;
        rate("shuffle, map, batch 128", n, &shuffled.batch(128).to_iter())?;
        rate(&format!("the same on {threads} threads"), n, &shuffled.batch(128).to_iter_with(options))?;
        let single = ReadOptions { threads, buffer: 2048 };
        rate(&format!("batch behind {threads} threads"), n, &shuffled.to_iter_with(single).batch(128))?;
        let lanes = shuffled.lanes(4, |lane| {
            lane.to_iter().filter(|r| r[0] != r[1] || r[2] == r[3] || r[0] < 255).batch(128)
        });
        rate(&format!("filter in 4 lanes on {threads} threads"), n, &lanes.to_iter(options))?;
    }
    Ok(())
}
