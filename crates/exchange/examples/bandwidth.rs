//! The speed of all-reduces between processes, beside that of a copy.
//!
//! `cargo run --release -p jarrah-exchange --example bandwidth -- [PROCESSES [MEGABYTES]]`

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use jarrah_base::Result;
use jarrah_exchange::{CollectiveCall, Combine, Exchange, Launch, Tag, from_env};

fn add(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0) {
        *a = (f32::from_le_bytes(*a) + f32::from_le_bytes(*b)).to_le_bytes();
    }
}

/// The shortest and the median time of a call, among those of `count`, and the mean time that this thread spent on a core for it: the
/// last hardly depends on the other work of the machine.
fn times(count: usize, mut call: impl FnMut(u64) -> Result<()>) -> Result<[Duration; 3]> {
    let (mut times, start) = (Vec::new(), on_core()?);
    for turn in 0..count {
        let start = Instant::now();
        call(turn as u64)?;
        times.push(start.elapsed());
    }
    let core = (on_core()? - start) / count as u32;
    times.sort();
    Ok([times[0], times[times.len() / 2], core])
}

/// The time that this thread has spent on a core.
fn on_core() -> Result<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(Duration::from_nanos(text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)))
}

fn measure(exchange: &dyn Exchange, megabytes: usize) -> Result<()> {
    let size = exchange.size();
    let group: Vec<usize> = (0..size).collect();
    let sum = Combine { element: 4, function: &add };
    let named = |step, turn| CollectiveCall::new("all_reduce", Tag { step, turn, ..Tag::default() });
    let mut bytes = vec![0; megabytes << 20];
    let mut copy = bytes.clone();
    exchange.barrier(&named(0, 0), &group)?;
    let [_, copied, copied_core] = times(20, |_| {
        black_box(&mut copy).copy_from_slice(black_box(&bytes));
        Ok(())
    })?;
    exchange.barrier(&named(0, 1), &group)?;
    let [_, alone, _] = match exchange.rank() {
        0 => times(20, |_| {
            black_box(&mut copy).copy_from_slice(black_box(&bytes));
            Ok(())
        })?,
        _ => Default::default(),
    };
    exchange.barrier(&named(0, 2), &group)?;
    let [_, large, large_core] =
        times(20, |turn| exchange.all_reduce(&named(1, turn), &group, &mut bytes, sum))?;
    let mut small = vec![0; 4 << 10];
    let [least, little, _] =
        times(5000, |turn| exchange.all_reduce(&named(2, turn), &group, &mut small, sum))?;
    if exchange.rank() == 0 {
        let rate = |time: Duration, bytes: f64| bytes / time.as_secs_f64() / 1e9;
        let all = (megabytes << 20) as f64;
        let moved = 2.0 * (size as f64 - 1.0) / size as f64 * all;
        println!("copy of {megabytes} MB by one process: {:.2} GB/s", rate(alone, all));
        println!("copy of {megabytes} MB by {size} at once: {:.2} GB/s each", rate(copied, all));
        println!(
            "all_reduce of {megabytes} MB over {size}: {:.1} ms, {:.2} GB/s sent by each, {:.2} of its copies at once",
            large.as_secs_f64() * 1e3,
            rate(large, moved),
            rate(large, moved) / rate(copied, all)
        );
        println!(
            "on cores of their own, without waiting: copies {:.2} GB/s, all_reduce {:.2} GB/s sent by each, {:.2} of copies",
            rate(copied_core, all),
            rate(large_core, moved),
            rate(large_core, moved) / rate(copied_core, all)
        );
        println!(
            "all_reduce of 4 KB over {size}: median {:.1} us, least {:.1} us",
            little.as_secs_f64() * 1e6,
            least.as_secs_f64() * 1e6
        );
    }
    exchange.close()
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default| arguments.get(i).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (size, megabytes) = (number(1, 4), number(2, 64));
    if let Some(exchange) = from_env()? {
        return measure(&*exchange, megabytes);
    }
    let program = std::env::current_exe()?;
    let mut launch = Launch::new(size, |_| {
        let mut command = Command::new(&program);
        command.args([size.to_string(), megabytes.to_string()]);
        command
    });
    launch.prefix = false;
    let ended = launch.run()?;
    match ended.iter().find(|process| !process.status.success()) {
        Some(failed) => {
            Err(jarrah_base::Error::environment(format!("rank {}: {}", failed.rank, failed.status)))
        }
        None => Ok(()),
    }
}
