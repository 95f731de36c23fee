//! Kernels whose points run steps, bit for bit as the evaluator and their definitions have them, on any number of threads.

use std::sync::{Arc, Mutex};

use jarrah_base::{DType, Dims, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::host::NamedHandler;
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Effects, Op, ProgramRef, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Arg, Client, CompileOptions, ExecuteOptions};
use jarrah_testing::kernels::random_kernel;
use jarrah_testing::programs::Rng;

use super::{numbers, program, run};

use BlockIndex::{Block, Point, Whole};

fn f32s(dims: &[usize]) -> Type {
    Type::tensor(DType::F32, dims.iter().copied())
}

fn spec(axes: &[BlockIndex]) -> BlockSpec {
    BlockSpec::new(axes.iter().copied())
}

fn output(ty: Type, axes: &[BlockIndex], start: Start) -> KernelOutput {
    KernelOutput { ty, block: spec(axes), start }
}

fn nothing() -> ProgramRef {
    Builder::new("").finish(&[]).unwrap().into()
}

fn empty(grid: &[usize]) -> Kernel {
    Kernel::new(Dims::from_slice(grid), Vec::new(), Vec::new(), nothing())
}

/// A program over parameters of these types.
fn body(params: &[Type], make: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>) -> ProgramRef {
    let mut b = Builder::new("body");
    let params: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    let results = make(&mut b, &params);
    b.finish(&results).unwrap().into()
}

/// The kernel with the body that `make` writes.
fn with_body(
    kernel: Kernel,
    operands: &[Type],
    make: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
) -> Kernel {
    let body = body(&kernel.body_params(operands).unwrap(), make);
    Kernel { body, ..kernel }
}

/// The bits of the evaluator, which are those of the definition and of one, two and seven threads.
fn same(name: &str, kernel: &Kernel, args: &[Literal]) -> Vec<Literal> {
    let types: Vec<Type> = args.iter().map(Literal::ty).collect();
    let one = program(kernel.clone(), &types);
    one.verify().unwrap();
    let expected = evaluate(&one, args).unwrap();
    let definition = kernel.definition(&types).unwrap();
    assert_eq!(evaluate(&definition, args).unwrap(), expected, "{name}: the definition\n{kernel:?}");
    for threads in [1, 2, 7] {
        let client = CpuClient::with_threads(threads);
        assert_eq!(run(&client, &one, args), expected, "{name}: {threads} threads\n{kernel:?}");
    }
    assert_eq!(run(&CpuClient::with_threads(2), &definition, args), expected, "{name}: the definition");
    expected
}

/// A matrix product in blocks, added up along the last axis of the grid: in the result itself, or in a scratch array.
fn blocked_product(m: usize, n: usize, k: usize, size: usize, in_scratch: bool) -> (Kernel, Vec<Type>) {
    let steps = |extent: usize| extent.div_ceil(size);
    let (rows, columns, depth) = (Block { size, grid: 0 }, Block { size, grid: 1 }, Block { size, grid: 2 });
    let types = vec![f32s(&[m, k]), f32s(&[k, n])];
    let mut kernel = empty(&[steps(m), steps(n), steps(k)]);
    kernel.arbitrary[2] = true;
    kernel.inputs = vec![spec(&[rows, depth]), spec(&[depth, columns])];
    let start = if in_scratch { Start::Fresh } else { Start::Zeros };
    kernel.outputs = vec![output(f32s(&[m, n]), &[rows, columns], start)];
    kernel.scratch = if in_scratch { vec![f32s(&[size, size])] } else { Vec::new() };
    let kernel = with_body(kernel, &types, |b, p| {
        let part = b.one(DotGeneral::matmul(0, DType::F32), &p[3..5]).unwrap();
        let sum = b.add(p[5], part).unwrap();
        if in_scratch { vec![sum, sum] } else { vec![sum] }
    });
    (kernel, types)
}

#[test]
fn products_are_added_up_along_an_arbitrary_axis() {
    for in_scratch in [false, true] {
        for (m, n, k, size) in [(64, 64, 64, 16), (37, 50, 41, 16), (8, 8, 100, 8), (5, 3, 2, 8)] {
            let (kernel, types) = blocked_product(m, n, k, size, in_scratch);
            let args: Vec<Literal> = types
                .iter()
                .enumerate()
                .map(|(i, ty)| numbers(DType::F32, &ty.dims(), i as u64 + 5))
                .collect();
            let found = same("product", &kernel, &args);
            let plain = program(DotGeneral::matmul(0, DType::F32), &types);
            super::compare("product", &found[0], &evaluate(&plain, &args).unwrap()[0], 1e4);
        }
    }
}

#[test]
fn kernels_run_inside_kernels_and_loops() {
    // Each row of the outer grid is a blocked product.
    let (inner, _) = blocked_product(20, 20, 20, 8, false);
    let types = [f32s(&[6, 20, 20]), f32s(&[6, 20, 20])];
    let row = spec(&[Point { grid: 0 }, Whole, Whole]);
    let mut outer = empty(&[6]);
    outer.inputs = vec![row.clone(); 2];
    outer.outputs = vec![KernelOutput::fresh(types[0], row)];
    let outer = with_body(outer, &types, |b, p| b.push(inner, &p[1..]).unwrap().to_vec());
    let args = [3, 4].map(|seed| numbers(DType::F32, &[6, 20, 20], seed));
    same("a kernel in a kernel", &outer, &args);

    let scan = Scan {
        body: body(&[types[1], types[0]], |b, p| b.push(outer, &[p[1], p[0]]).unwrap().to_vec()),
        consts: 1,
        carry: 1,
        length: 3,
        reverse: false,
    };
    let one = program(scan, &types);
    let args = [numbers(DType::F32, &[6, 20, 20], 3), numbers(DType::F32, &[6, 20, 20], 9)];
    let expected = evaluate(&one, &args).unwrap();
    for threads in [1, 3] {
        assert_eq!(run(&CpuClient::with_threads(threads), &one, &args), expected);
    }
}

#[test]
fn a_loop_runs_in_a_body() {
    // The square roots by Newton's method, eight steps for each block.
    let ty = f32s(&[4096]);
    let axes = [Block { size: 100, grid: 0 }];
    let mut kernel = empty(&[41]);
    kernel.inputs = vec![spec(&axes)];
    kernel.outputs = vec![output(ty, &axes, Start::Fresh)];
    let kernel = with_body(kernel, &[ty], |b, p| {
        let block = b.ty(p[1]);
        let x = b.mul(p[1], p[1]).unwrap();
        let one = b.full(block, 1.0).unwrap();
        let x = b.add(x, one).unwrap();
        let step = body(&[block, block], |b, p| {
            let part = b.div(p[0], p[1]).unwrap();
            let sum = b.add(p[1], part).unwrap();
            vec![b.scale(sum, 0.5).unwrap()]
        });
        let scan = Scan { body: step, consts: 1, carry: 1, length: 8, reverse: false };
        b.push(scan, &[x, x]).unwrap().to_vec()
    });
    same("Newton's method", &kernel, &[numbers(DType::F32, &[4096], 2)]);
}

#[test]
fn results_that_begin_as_an_operand_lie_in_its_memory() {
    let ty = f32s(&[64, 64]);
    let axes = [Block { size: 16, grid: 0 }, Whole];
    for read in [false, true] {
        let mut kernel = empty(&[4]);
        kernel.inputs = vec![spec(&axes), spec(&axes)];
        kernel.outputs = vec![output(ty, &axes, Start::Operand(0))];
        let kernel = with_body(kernel, &[ty, ty], |b, p| {
            let sorted =
                b.one(Sort { axis: 0, stable: true, order: SortOrder::Ascending { keys: 1 } }, &[p[3]]);
            let sum = b.add(sorted.unwrap(), p[2]).unwrap();
            vec![if read { b.mul(sum, p[1]).unwrap() } else { sum }]
        });
        let args = [numbers(DType::F32, &[64, 64], 1), numbers(DType::F32, &[64, 64], 2)];
        let expected = same("in place", &kernel, &args);
        let one = program(kernel, &[ty, ty]);
        let client = CpuClient::with_threads(3);
        let options = CompileOptions {
            aliases: vec![jarrah_hlo::Alias { parameter: 0, result: Some(0), must: true }],
            ..CompileOptions::default()
        };
        let executable = client.compile(&one, &options).unwrap();
        let [x, y] = [0, 1].map(|i: usize| client.upload(&args[i]).unwrap());
        let ran = executable
            .execute(vec![vec![Arg::Donate(x), Arg::Borrow(y)]], &ExecuteOptions::default())
            .unwrap();
        assert_eq!(ran.results[0][0].read().unwrap(), expected[0], "{read}");
    }
}

/// Rows of results at places in an operand: each named once, so that points may run at the same time, or some several times or
/// outside; blocks that begin at any row overlap.
#[test]
fn results_whose_blocks_a_map_finds() {
    let (rows, x) = (Type::tensor(DType::I32, [16]), f32s(&[128, 64]));
    let operands = [rows, x];
    let once: Vec<i32> = (0..16).map(|i| i * 5 % 16).collect();
    let twice: Vec<i32> = (0..16).map(|i| i * 5 % 12).collect();
    let outside: Vec<i32> = (0..16).map(|i| if i % 3 == 0 { -1 - i } else { 17 - i }).collect();
    let place = |unit: usize| BlockIndex::At { size: 8, unit, result: 0 };
    for (unit, start, in_order) in [
        (8, Start::Zeros, false),
        (8, Start::Fresh, false),
        (8, Start::Zeros, true),
        (3, Start::Zeros, false),
        (8, Start::Operand(1), true),
    ] {
        let map = body(&[Type::scalar(DType::I32), Type::scalar(DType::I32), rows], |b, params| {
            let row = b.one(DynamicSlice { sizes: Dims::from_slice(&[1]) }, &[params[2], params[0]]).unwrap();
            vec![b.reshape(row, &[]).unwrap()]
        });
        let kernel = Kernel {
            prefetch: 1,
            arbitrary: [in_order, false].into_iter().collect(),
            inputs: vec![spec(&[Block { size: 8, grid: 0 }, Block { size: 32, grid: 1 }])],
            outputs: vec![output(x, &[place(unit), Block { size: 32, grid: 1 }], start)],
            map: Some(map),
            ..empty(&[16, 2])
        };
        let kernel = with_body(kernel, &operands, |b, params| {
            let from = b.mul(params[3], params[3]).unwrap();
            vec![match params.get(4) {
                Some(&held) => {
                    let twice = b.add(held, held).unwrap();
                    b.add(twice, from).unwrap()
                }
                None => from,
            }]
        });
        for rows in [&once, &twice, &outside] {
            let args = [Literal::from_slice(&[16], rows).unwrap(), numbers(DType::F32, &[128, 64], 3)];
            same(&format!("{unit}, {start:?}, {in_order}"), &kernel, &args);
        }
    }
}

#[test]
fn effects_come_point_by_point_in_order() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let print = NamedHandler::new("print", move |call: &mut jarrah_hlo::host::HandlerCall<'_>| {
        let x = call.operands[0].literal()?;
        log.lock().unwrap().push(x.get_f64(0));
        Ok(())
    });
    let print =
        CustomCall { effects: Effects::ORDERED, ..CustomCall::new(CallTarget::Function(print), Vec::new()) };
    let ty = f32s(&[64, 64]);
    let axes = [Point { grid: 0 }, Whole];
    let mut kernel = empty(&[64]);
    kernel.inputs = vec![spec(&axes)];
    kernel.outputs = vec![output(ty, &axes, Start::Fresh)];
    let kernel = with_body(kernel, &[ty], |b, p| {
        b.push(print, &p[..1]).unwrap();
        vec![b.exp(p[1]).unwrap()]
    });
    let one = program(kernel, &[ty]);
    let x = [numbers(DType::F32, &[64, 64], 1)];
    run(&CpuClient::with_threads(7), &one, &x);
    let order: Vec<f64> = (0..64).map(f64::from).collect();
    assert_eq!(*seen.lock().unwrap(), order);
}

#[test]
fn the_first_point_that_fails_is_the_one_that_is_named() {
    // Host code that is pure may fail on several threads: the error is that of the first point.
    let fail = NamedHandler::new("fail", |call: &mut jarrah_hlo::host::HandlerCall<'_>| {
        match call.operands[0].literal()?.get_f64(0) {
            at if at % 10.0 == 9.0 => Err(jarrah_base::Error::program(format!("point {at} failed"))),
            _ => Ok(()),
        }
    });
    let ty = f32s(&[64, 64]);
    let axes = [Point { grid: 0 }, Whole];
    let mut kernel = empty(&[64]);
    kernel.outputs = vec![output(ty, &axes, Start::Fresh)];
    let kernel = with_body(kernel, &[], |b, p| {
        b.push(CustomCall::new(CallTarget::Function(fail), vec![f32s(&[64])]), &p[..1]).unwrap().to_vec()
    });
    let one = program(kernel, &[]);
    for threads in [1, 2, 7] {
        let client = CpuClient::with_threads(threads);
        let executable = client.compile(&one, &CompileOptions::default()).unwrap();
        let ran = executable.run(Vec::new()).and_then(|results| results[0].read());
        let error = ran.unwrap_err().to_string();
        assert!(error.contains("point 9 failed"), "{error}");
    }
}

#[test]
fn random_kernels_give_the_bits_of_the_evaluator() {
    let mut as_steps = 0;
    for seed in 1..=250u64 {
        let (kernel, args) = random_kernel(&mut Rng::new(seed)).unwrap();
        same(&format!("seed {seed}"), &kernel, &args);
        let types: Vec<Type> = args.iter().map(Literal::ty).collect();
        as_steps += usize::from(jarrah_tile::lower(&kernel, &types).is_none());
    }
    assert!(as_steps > 100, "{as_steps} kernels ran as steps");
}

#[test]
fn every_example_of_a_kernel_is_what_it_says() {
    for example in Op::examples() {
        let Op::Kernel(kernel) = &example.op else { continue };
        same(example.name, kernel, &example.operands);
    }
}
