//! What steps allocate is counted, and its lack is an error.

use jarrah_base::{DType, Dims, Literal, Type};
use jarrah_cpu::{CpuClient, peak, threads};
use jarrah_hlo::ops::{BlockSpec, Kernel, Slice, Sort, SortOrder};
use jarrah_hlo::{Builder, Program};
use jarrah_runtime::{Client, CompileOptions};

use super::{check, numbers, program};

fn sort(keys: usize, descending: bool) -> Sort {
    let order = if descending { SortOrder::Descending { keys } } else { SortOrder::Ascending { keys } };
    Sort { axis: 0, stable: true, order }
}

fn sort_of(dtypes: &[DType], keys: usize, count: usize) -> Program {
    let types: Vec<Type> = dtypes.iter().map(|&dtype| Type::tensor(dtype, [count])).collect();
    program(sort(keys, false), &types)
}

fn temporaries(program: &Program, threads: usize) -> usize {
    let client = CpuClient::with_threads(threads);
    client.compile(program, &CompileOptions::default()).unwrap().memory().temporaries
}

#[test]
fn the_scratch_of_a_sort_is_counted() {
    const COUNT: usize = 1 << 20;
    let bytes = |dtypes: &[DType], keys| temporaries(&sort_of(dtypes, keys, COUNT), 2);
    // One key with its position in a word, or in a pair of words; several keys in a word each, then the position.
    assert_eq!(bytes(&[DType::I32], 1), 8 * COUNT);
    assert_eq!(bytes(&[DType::BF16, DType::F64], 1), 8 * COUNT);
    assert_eq!(bytes(&[DType::F64], 1), 16 * COUNT);
    assert_eq!(bytes(&[DType::I32, DType::F32], 2), 20 * COUNT);
    // Each thread has its own, but no more than there are lines.
    let lines = program(Sort { axis: 1, ..sort(1, false) }, &[Type::tensor(DType::F32, [3, COUNT])]);
    let each = [1, 2, 4].map(|threads| temporaries(&lines, threads));
    assert_eq!(each, [8 * COUNT, 16 * COUNT, 24 * COUNT]);
    // Of a sort of which little is read, only what may be read is held.
    let mut b = Builder::new("first");
    let x = b.param(Type::tensor(DType::F32, [COUNT]), "x");
    let sorted = b.one(sort(1, false), &[x]).unwrap();
    let few = |n: usize| [n].into_iter().collect();
    let first = b.one(Slice { starts: few(0), limits: few(100), strides: few(1) }, &[sorted]).unwrap();
    let first = b.finish(&[first]).unwrap();
    assert_eq!(temporaries(&first, 2), 4 * COUNT + 16 * 200);
}

#[test]
fn ties_keep_their_order_whatever_the_keys() {
    let special = |mut x: Literal| {
        if let Ok(values) = x.as_mut_slice::<f32>() {
            let odd = [f32::NAN, -f32::NAN, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1e-45, -1e-45];
            values.iter_mut().step_by(3).zip(odd.iter().cycle()).for_each(|(x, &odd)| *x = odd);
        }
        x
    };
    let of = |dtype: DType, seed| special(numbers(dtype, &[700], seed));
    for dtype in jarrah_tile::DTYPES {
        for descending in [false, true] {
            let (x, y) = (of(dtype, 1), of(DType::F32, 2));
            let i = Literal::from_slice(&[700], &(0..700).collect::<Vec<i32>>()).unwrap();
            for (keys, args) in [(1, vec![x.clone(), i.clone()]), (2, vec![x, y, i])] {
                let types: Vec<Type> = args.iter().map(Literal::ty).collect();
                let sorted = program(sort(keys, descending), &types);
                check(&format!("{keys} keys, {dtype}"), &sorted, &args, 0.0);
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod limited {
    use super::*;

    /// Set in a process that may only take so much memory.
    const CHILD: &str = "JARRAH_TEST_LIMITED";

    /// Runs `body` in a process that may take so many kilobytes, which does nothing but the test `name`.
    fn within(kilobytes: usize, name: &str, body: impl FnOnce()) {
        if std::env::var_os(CHILD).is_some() {
            return body();
        }
        let mut shell = std::process::Command::new("sh");
        let line = format!("ulimit -v {kilobytes}; exec \"$0\" --exact {name} --nocapture");
        let shell = shell.arg("-c").arg(line).arg(std::env::current_exe().unwrap()).env(CHILD, "");
        let done = shell.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success() && out.contains("1 passed"), "{out}{err}");
    }

    #[test]
    fn a_sort_without_memory_for_its_scratch_is_an_error() {
        within(450_000, "client::memory::limited::a_sort_without_memory_for_its_scratch_is_an_error", || {
            let client = CpuClient::with_threads(1);
            let program = sort_of(&[DType::I64], 1, 16 << 20);
            let executable = client.compile(&program, &CompileOptions::default()).unwrap();
            let x = client.upload(&Literal::full(program.param_types()[0], 1.0).unwrap()).unwrap();
            let error = executable.run(vec![x]).unwrap()[0].read().unwrap_err();
            let expected =
                "the system has no 268.4 MB of memory left for the scratch of i64[16777216] in one";
            assert_eq!(error.message(), expected);
            assert!(error.to_string().starts_with("[sort] "), "{error}");
        });
    }

    #[test]
    fn the_scratch_of_a_kernel_without_operands_has_a_name() {
        within(
            450_000,
            "client::memory::limited::the_scratch_of_a_kernel_without_operands_has_a_name",
            || {
                let (ty, scratch) = (Type::tensor(DType::F32, [4]), Type::tensor(DType::F32, [64 << 20]));
                let mut b = Builder::new("body");
                let held = b.param(scratch, "");
                let next = b.exp(held).unwrap();
                let op = Slice {
                    starts: Dims::from_slice(&[0]),
                    limits: Dims::from_slice(&[4]),
                    strides: Dims::from_slice(&[1]),
                };
                let first = b.one(op, &[held]).unwrap();
                let body = b.finish(&[first, next]).unwrap();
                let kernel = Kernel::new(Dims::new(), vec![], vec![(ty, BlockSpec::whole(1))], body.into());
                let program = program(Kernel { scratch: vec![scratch], ..kernel }, &[]);
                let client = CpuClient::with_threads(1);
                let executable = client.compile(&program, &CompileOptions::default()).unwrap();
                let error = executable.run(vec![]).unwrap()[0].read().unwrap_err();
                assert!(error.message().contains("memory left for the scratch of "), "{error}");
                assert!(!error.message().contains("of  in"), "{error}");
            },
        );
    }

    #[test]
    fn the_bandwidth_is_measured_with_what_memory_there_is() {
        let name = "client::memory::limited::the_bandwidth_is_measured_with_what_memory_there_is";
        within(200_000, name, || {
            assert!(peak::read_bandwidth(&threads::ThreadPool::new(1)) > 1e8);
        });
    }
}

/// An argument that is returned as it is shares its memory: it counts once, and fits where the rest does.
#[test]
fn an_argument_that_is_returned_takes_no_memory() {
    let ty = Type::tensor(DType::F32, [1000]);
    let mut b = Builder::new("f");
    let x = b.param(ty, "x");
    let flat = b.reshape(x, &[10, 100]).unwrap();
    let twice = b.add(x, x).unwrap();
    let program = b.finish(&[x, flat, twice]).unwrap();
    let client = CpuClient::with_threads(1);
    let memory = client.compile(&program, &CompileOptions::default()).unwrap().memory();
    assert_eq!((memory.arguments, memory.results, memory.temporaries), (4000, 4000, 0));
    let limit = |bytes| CompileOptions { memory_limit: Some(bytes), ..CompileOptions::default() };
    let executable = client.compile(&program, &limit(memory.total())).unwrap();
    assert!(client.compile(&program, &limit(memory.total() - 1)).is_err());
    let argument = client.upload(&numbers(DType::F32, &[1000], 1)).unwrap();
    let results = executable.run(vec![argument.clone()]).unwrap();
    for same in &results[..2] {
        assert_eq!(same.address().unwrap(), argument.address().unwrap());
    }
    assert_ne!(results[2].address().unwrap(), argument.address().unwrap());
}

/// The bytes of this memory that are in the process's pages.
#[cfg(target_os = "linux")]
fn resident(at: usize) -> usize {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|word| word.split_once('-'));
        let ends = range.map(|(from, to)| [from, to].map(|end| usize::from_str_radix(end, 16)));
        if let Some([Ok(from), Ok(to)]) = ends {
            inside = (from..to).contains(&at);
        } else if inside && line.starts_with("Rss:") {
            let kilobytes = line.split_whitespace().nth(1).unwrap();
            return kilobytes.parse::<usize>().unwrap() << 10;
        }
    }
    0
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_taken_before_it_is_written() {
    const BYTES: usize = 64 << 20;
    let client = CpuClient::with_threads(1);
    let buffer = client.zeros(Type::tensor(DType::U8, [BYTES]), client.devices()[0].id.into()).unwrap();
    let view = buffer.view().unwrap();
    let before = resident(view.bytes().as_ptr().addr());
    buffer.populate(BYTES / 2..BYTES);
    let more = resident(view.bytes().as_ptr().addr()) - before;
    assert!((BYTES / 2..BYTES).contains(&more), "{more} bytes came");
    // What lies beyond the end is no memory of the buffer.
    buffer.populate(BYTES - 4096..2 * BYTES);
    assert!(view.bytes().iter().all(|&byte| byte == 0));
}
