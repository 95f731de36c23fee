//! How the time of each compiler pass grows with a program: milliseconds at `n`, `2n` and `4n` instructions.
//!
//! `cargo run --release -p jarrah-compiler --example growth -- [N [NAME]]`; rows that grow faster than the program are
//! marked.

use std::time::Instant;

use jarrah_base::Result;
use jarrah_compiler::{PASSES, PassOptions, Reference};
use jarrah_hlo::Program;
use jarrah_transforms::{ResidualPolicy, batch, jvp, vjp};

#[path = "../tests/shapes.rs"]
mod shapes;

use shapes::SHAPES;

type Row = (String, f64);

fn timed<T>(rows: &mut Vec<Row>, name: &str, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = f();
    rows.push((name.to_owned(), start.elapsed().as_secs_f64() * 1e3));
    result
}

fn measure(make: fn(usize) -> Result<Program>, n: usize) -> Result<Vec<Row>> {
    let rows = &mut Vec::new();
    let target = Reference { attention: true, contracts: true, memory: None };
    let program = timed(rows, "build", || make(n))?;
    let active: Vec<bool> = program.params().iter().map(|p| p.ty.dtype().is_differentiable()).collect();
    timed(rows, "verify", || program.verify())?;
    let text = timed(rows, "print", || jarrah_hlo_format::print(&program));
    timed(rows, "parse", || jarrah_hlo_format::parse(&text))?;
    let none = vec![false; program.results().len()];
    let _ = timed(rows, "jvp", || jvp(&program, &active, &none));
    let _ = timed(rows, "vjp", || vjp(&program, &active, ResidualPolicy::default()));
    let _ = timed(rows, "vmap", || batch(&program, 2, &active, &none));
    let mut current = program.clone();
    for pass in PASSES {
        let next = timed(rows, pass.name, || pass.run(&current, &target, &[]))?;
        if !pass.apart {
            current = next;
        }
    }
    timed(rows, "verify after", || current.verify())?;
    let options = PassOptions { verify: false, ..PassOptions::default() };
    timed(rows, "compile", || jarrah_compiler::compile(&program, &target, options))?;
    let options = PassOptions { verify: true, ..PassOptions::default() };
    timed(rows, "compile, verified", || jarrah_compiler::compile(&program, &target, options))?;
    timed(rows, "drop", || drop((program, current, text)));
    Ok(std::mem::take(rows))
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let n: usize = args.next().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let name = args.next().unwrap_or_default();
    for (shape, make) in SHAPES.iter().filter(|(shape, _)| shape.contains(&name)) {
        println!("{shape}");
        let [a, b, c] = [measure(*make, n)?, measure(*make, 2 * n)?, measure(*make, 4 * n)?];
        for (((name, a), (_, b)), (_, c)) in a.iter().zip(&b).zip(&c) {
            let growth = c / b;
            let mark = if growth > 2.8 && *c > 2.0 { "  <---" } else { "" };
            println!("  {name:20} {a:9.2} {b:9.2} {c:9.2}  x {growth:.2}{mark}");
        }
    }
    Ok(())
}
