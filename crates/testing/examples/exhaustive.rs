//! The table of `NUMERICS.md` about functions of floats: `exhaustive [STRIDE]`, by default over every float.

use std::time::Instant;

use jarrah_base::{DType, Error, Result};
use jarrah_cpu::CpuClient;
use jarrah_testing::exhaustive::{FUNCTIONS, TYPES, Worst, bound, worst};

fn main() -> Result<()> {
    let stride: u64 = match std::env::args().nth(1) {
        Some(stride) => match stride.parse() {
            Ok(stride) if stride > 0 => stride,
            _ => return Err(Error::input(format!("the stride is a whole number above 0, not {stride:?}"))),
        },
        None => 1,
    };
    let client = CpuClient::new();
    let names: Vec<String> = TYPES.iter().map(DType::to_string).collect();
    println!(
        "| function | stated | {} | furthest in f32 |\n|---|---|{}---|",
        names.join(" | "),
        "---|".repeat(3)
    );
    let mut outside = Vec::new();
    let mut least = u64::MAX;
    for &(kind, stated) in FUNCTIONS {
        let begun = Instant::now();
        let mut found: Vec<Worst> = Vec::new();
        for dtype in TYPES {
            let stride = if dtype == DType::F32 { stride } else { 1 };
            let worst = worst(&client, kind, dtype, stride)?;
            if worst.ulps > bound(dtype, stated) {
                outside.push(format!("{} of {dtype}: {worst:?}", kind.name()));
            }
            found.push(worst);
        }
        eprintln!("{}: {:.0?}", kind.name(), begun.elapsed());
        least = least.min(found[0].count);
        let ulps: Vec<String> = found.iter().map(|worst| format!("{:.3}", worst.ulps)).collect();
        println!("| `{}` | {stated} | {} | {:e} |", kind.name(), ulps.join(" | "), found[0].at);
    }
    println!("\n{least} floats of `f32` and all of `bf16` and `f16` were looked at for each.");
    match outside[..] {
        [] => Ok(()),
        _ => Err(Error::program(format!("outside of what is stated:\n{}", outside.join("\n")))),
    }
}
