//! Programs that come and go leave nothing behind.

use jarrah_base::memory::held;
use jarrah_base::{DType, Literal, Location, Scope, Source, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::{Builder, Program};
use jarrah_runtime::{Client, CompileOptions};

/// A program that shares no type, name or place with that of another number.
fn unlike(number: usize) -> Program {
    // No two numbers below 97 * 101 give the same extents, and their order has no trend.
    let (m, n) = (1 + number * 7 % 97, 1 + number * 13 % 101);
    let mut b = Builder::new(format!("program_{number}"));
    let location = Some(Location::new(&format!("file_{number}.py"), 1, 1));
    b.set_source(Source { location, scope: Scope::new(&format!("layer_{number}.norm")) });
    let x = b.param(Type::tensor(DType::F32, [m, n]), "x");
    let square = b.mul(x, x).unwrap();
    let sum = b.sum(square, &[0]).unwrap();
    let wide = b.broadcast_in_dim(sum, &[n, m, 3], &[0]).unwrap();
    let result = b.sum(wide, &[1]).unwrap();
    b.finish(&[result]).unwrap()
}

/// Set in a process that runs only this test.
const CHILD: &str = "JARRAH_TEST_FLAT";

#[test]
fn different_programs_leave_memory_flat() {
    if std::env::var_os(CHILD).is_some() {
        return run();
    }
    let name = "client::flat::different_programs_leave_memory_flat";
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    let done = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out.contains("1 passed"), "{out}{err}");
}

fn run() {
    let options = CpuOptions { threads: 1, ..CpuOptions::default() };
    let client = CpuClient::with_options(options);
    let mut before = 0;
    let count = 9_000;
    for number in 0..count {
        let program = unlike(number);
        let executable = client.compile(&program, &CompileOptions::default()).unwrap();
        let x = Literal::full(program.param_types()[0], 0.5).unwrap();
        let results = executable.run(vec![client.upload(&x).unwrap()]).unwrap();
        results[0].read().unwrap();
        if number == 1_500 {
            before = held();
        }
    }
    // Names of files and scopes are kept, some 170 bytes a program, up to a bound; a type that were kept would take as much.
    let each = held().saturating_sub(before) / (count - 1_500);
    assert!(each < 300, "each program leaves {each} bytes behind");
}
