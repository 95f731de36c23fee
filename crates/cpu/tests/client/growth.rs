//! Preparing and running a program takes work in proportion to it: counted in steps, not in time.

use jarrah_base::work::counted;
use jarrah_base::{DType, Dims, Literal, Type};
use jarrah_cpu::buffers::BufferPool;
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel};
use jarrah_hlo::{Builder, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions};

#[path = "../../../compiler/tests/shapes.rs"]
mod shapes;

/// The steps of work of compiling a program, of its first run and of its second.
fn steps(program: &Program) -> [(&'static str, u64); 3] {
    // Work is counted on the thread that does it, which is to be this one.
    let options = CpuOptions { threads: 1, asynchronous: false, ..CpuOptions::default() };
    let client = CpuClient::with_options(options);
    let (compile, executable) = counted(|| client.compile(program, &CompileOptions::default()).unwrap());
    let types = program.param_types();
    let args: Vec<_> =
        types.iter().map(|&ty| client.upload(&Literal::full(ty, 0.0).unwrap()).unwrap()).collect();
    let (first, results) = counted(|| executable.run(args.clone()).unwrap());
    drop(results);
    let (second, _) = counted(|| executable.run(args).unwrap());
    [("compile", compile), ("run", first), ("run again", second)]
}

#[test]
fn work_grows_in_proportion_to_programs() {
    let mut wrong = String::new();
    for (shape, make) in shapes::SHAPES {
        // The stack has no room for as many calls within each other as a program has instructions.
        let on_a_small_stack = |n: usize| {
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            thread.spawn(move || steps(&make(n).unwrap())).unwrap().join().unwrap()
        };
        let [small, large] = [1000, 2000].map(on_a_small_stack);
        for ((name, small), (_, large)) in small.into_iter().zip(large) {
            if large as f64 > 2.2 * small as f64 + 1000.0 {
                wrong += &format!("{shape}, {name}: {small} steps, then {large}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_kernel_may_have_more_constants_than_a_loop_numbers() {
    let ty = Type::tensor(DType::F32, [4]);
    let mut body = Builder::new("body");
    let mut x = body.param(ty, "x");
    for i in 0..70_000 {
        let c = body.full(ty, f64::from(i) * 0.25).unwrap();
        x = body.sub(c, x).unwrap();
    }
    let whole = || BlockSpec::new([BlockIndex::Whole]);
    let body = body.finish(&[x]).unwrap().into();
    let kernel = Kernel::new(Dims::new(), vec![whole()], vec![(ty, whole())], body);
    let mut b = Builder::new("constants");
    let x = b.param(ty, "x");
    let y = b.one(kernel, &[x]).unwrap();
    let program = b.finish(&[y]).unwrap();
    let args = [Literal::from_slice(&[4], &[0.5f32, 1.0, -3.0, 7.0]).unwrap()];
    let client = CpuClient::with_options(CpuOptions { threads: 1, ..CpuOptions::default() });
    let executable = client.compile(&program, &CompileOptions::default()).unwrap();
    let results = executable.run(vec![client.upload(&args[0]).unwrap()]).unwrap();
    assert_eq!(results[0].read().unwrap(), evaluate(&program, &args).unwrap()[0]);
}

#[test]
fn the_smallest_block_that_fits_is_reused_and_the_oldest_is_dropped() {
    let pool = BufferPool::new(64 * 9);
    let blocks = [128, 64, 64, 192].map(|len| pool.take(len).unwrap());
    let [large, old, new, _] = blocks.each_ref().map(|block| block.as_ptr());
    blocks.into_iter().for_each(drop);
    assert_eq!(pool.free_bytes(), 448);
    let taken = [64, 1, 65].map(|len| pool.take(len).unwrap());
    assert_eq!(taken.each_ref().map(|block| block.as_ptr()), [new, old, large]);
    // Nothing as small as a byte takes a block of a megabyte.
    let pool = BufferPool::new(1 << 21);
    drop(pool.take(1 << 20).unwrap());
    drop(pool.take(1).unwrap());
    assert_eq!(pool.free_bytes(), (1 << 20) + 64);
    // The megabyte is the oldest, and has to go.
    drop(pool.take(1 << 21).unwrap());
    assert_eq!(pool.free_bytes(), 1 << 21);
}
