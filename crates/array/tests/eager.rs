//! Operations outside of every trace: the modes agree, what is recorded is bounded, and nothing compiles again and again.
//! `JARRAH_OPERATIONS=10000000` asks for more operations, and a tenth as many calls.

use std::process::Command;
use std::sync::Arc;

use jarrah_array::eager::{self, EagerLimits, EagerMode};
use jarrah_array::*;
use jarrah_base::memory::{held, size};
use jarrah_cpu::CpuClient;

/// Calls `f` on a device of which no other test compiles anything.
pub(crate) fn alone<R>(f: impl FnOnce() -> R) -> R {
    let device = Device::all(Arc::new(CpuClient::with_threads(1))).swap_remove(0);
    with_default_device(&device, f)
}

/// A generator of numbers: splitmix64.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn array(&mut self, dtype: DType) -> Array {
        let shape = [1 + self.below(3), 1 + self.below(4)];
        let values: Vec<f32> = (0..shape[0] * shape[1]).map(|_| self.below(41) as f32 / 4.0 - 4.0).collect();
        Array::new(&values, &shape).astype(dtype)
    }
}

/// Makes arrays of arrays at random, drops some on the way, reads some, and returns the bytes of those that are left.
fn random_arrays(seed: u64) -> Vec<Vec<u8>> {
    const DTYPES: [DType; 7] =
        [DType::F32, DType::BF16, DType::F64, DType::F16, DType::I32, DType::U8, DType::Bool];
    let mut rng = Rng(seed);
    let mut all: Vec<Array> = DTYPES.iter().map(|&dtype| rng.array(dtype)).collect();
    for _ in 0..40 {
        let (i, j) = (rng.below(all.len()), rng.below(all.len()));
        let (x, y) = (all[i].clone(), all[j].clone());
        let fits = broadcast_shapes(&x.shape(), &y.shape()).is_some();
        let y = if fits { y } else { y.sum(..) };
        let row = x.reshape(&[-1]);
        let number = rng.below(9) as f64 / 2.0;
        all.push(match rng.below(16) {
            0 => &x + &y,
            1 => &x * &y,
            2 => &x - number,
            3 => x.maximum(&y),
            4 => where_(&x.gt(&y), &x, 1),
            5 => x.astype(DTYPES[rng.below(DTYPES.len())]),
            6 => row,
            7 => x.sum(..),
            8 => (&x * 0.25).tanh() / 3,
            9 => x.exp() + &y,
            10 => x.sin() * number,
            11 => concatenate(&[&row, &row], 0),
            12 => Array::full(&x.shape(), number, x.dtype()) + &x,
            13 => grad(|x: &Array| (x.sin() * 2).sum(..))(&x.astype(DType::F32)),
            14 => x.max(..) / (y.abs() + 1),
            15 if x.rank() == 2 => x.t(),
            _ => row * -1,
        });
        if all.last().is_some_and(|x| x.size() > 500 || x.rank() == 0 && rng.below(2) == 0) {
            all.pop();
        }
        match rng.below(6) {
            0 => drop(all.remove(rng.below(all.len()))),
            1 => drop(all[rng.below(all.len())].to_literal().unwrap()),
            _ => {}
        }
    }
    all.iter().map(|x| x.to_literal().unwrap().bytes().to_vec()).collect()
}

#[test]
fn modes_differ_in_no_bit() {
    for seed in 0..60 {
        let [fused, strict, debug] = [EagerMode::Fused, EagerMode::Strict, EagerMode::Debug]
            .map(|mode| eager::mode(mode, || random_arrays(seed)));
        assert!(fused == strict, "seed {seed}: strict is not fused");
        assert!(fused == debug, "seed {seed}: debug is not fused");
        // Runs that are cut anywhere else.
        let limits = EagerLimits { operations: 1 + seed as usize % 7, bytes: 1 << 30 };
        assert!(fused == eager::limits(limits, || random_arrays(seed)), "seed {seed}: {limits:?}");
    }
}

#[test]
fn what_is_recorded_is_bounded_by_count() {
    let limits = EagerLimits { operations: 100, bytes: usize::MAX / 4 };
    let x = Array::from_slice(&[1.0f32, 2.0]);
    for keep in [false, true] {
        let mut all = Vec::new();
        let mut most = 0;
        eager::limits(limits, || {
            for i in 0..5_000 {
                let y = &x * &x;
                if keep || i % 50 == 0 {
                    all.push(y);
                }
                most = most.max(eager::pending().operations);
            }
        });
        // The line is the same each time, so no recording goes on beyond the limit.
        assert_eq!(most, 100, "keep = {keep}");
        assert_eq!(all[all.len() - 1].to_vec::<f32>().unwrap(), [1.0, 4.0]);
    }
    // A function that calls itself records ever new lines first.
    let most = eager::limits(limits, || {
        let mut x = &x + 1;
        let mut most = 0;
        for _ in 0..3_000 {
            x = &x * 1.5;
            most = most.max(eager::pending().operations);
        }
        most
    });
    assert_eq!(most, 800);
}

#[test]
fn what_is_recorded_is_bounded_by_bytes() {
    let limits = EagerLimits { operations: usize::MAX, bytes: 1 << 20 };
    let row = Array::full(&[1 << 12], 1.0, DType::F32);
    row.to_buffer().unwrap();
    let mut held = Vec::new();
    let mut most = 0;
    eager::limits(limits, || {
        for i in 0..500 {
            held.push(&row + i);
            most = most.max(eager::pending().bytes);
        }
    });
    assert!(most < 2 << 20, "{most} bytes of results");
    assert!(most > 1 << 19, "{most} bytes: nothing is recorded");
    // Operands that only recorded operations hold.
    let mut most = 0;
    eager::limits(limits, || {
        let mut sum = Array::scalar(0.0f32);
        for i in 0..500 {
            let values = vec![i as f32; 1 << 12];
            sum += Array::from_slice(&values).sum(..);
            most = most.max(eager::pending().bytes);
        }
        assert_eq!(sum.item::<f32>().unwrap(), 4096.0 * (499.0 * 500.0 / 2.0));
    });
    assert!(most < 2 << 20, "{most} bytes of operands");
}

/// How many programs each round compiles.
fn compiled_by_round(rounds: usize, mut round: impl FnMut(usize)) -> Vec<u64> {
    alone(|| {
        let count = |i| {
            let before = compiled_programs();
            round(i);
            compiled_programs() - before
        };
        (0..rounds).map(count).collect()
    })
}

#[test]
fn which_arrays_are_alive_compiles_nothing_again_and_again() {
    let mut rng = Rng(1);
    let x = Array::from_slice(&[0.5f32, 1.5]);
    let mut last = 0.0;
    let counts = compiled_by_round(40, |_| {
        let mut kept = Vec::new();
        let mut y = x.clone();
        for _ in 0..20 {
            y = (&y * &x).sin() + &x;
            if rng.below(3) == 0 {
                kept.push(y.clone());
            }
        }
        let sum = y.sum(..).item::<f32>().unwrap();
        assert!(last == 0.0 || sum == last);
        last = sum;
        kept.iter().for_each(|y| assert_eq!(y.shape(), [2]));
    });
    assert!(counts.iter().sum::<u64>() <= 4, "{counts:?}");
    assert_eq!(counts[0], 1, "{counts:?}");
}

#[test]
fn numbers_that_change_compile_nothing_again_and_again() {
    let mut x = Array::from_slice(&[0.5f32, 1.5]);
    let counts = compiled_by_round(12, |step| {
        let rate = 0.1 / (1.0 + step as f64);
        let before = x.to_vec::<f32>().unwrap();
        x = &x - (&x * 2.0 + 1.0) * rate;
        let rate = rate as f32;
        let expected: Vec<f32> = before.iter().map(|x| x - (x * 2.0 + 1.0) * rate).collect();
        assert_eq!(x.to_vec::<f32>().unwrap(), expected);
    });
    assert_eq!(counts[3..], [0; 9], "{counts:?}");
}

#[test]
fn a_loop_that_reads_nothing_compiles_little() {
    for length in [3, 7, 37, 90] {
        let x = Array::from_slice(&[0.5f32, 1.5]);
        let mut y = x.clone();
        let counts = compiled_by_round(40, |_| {
            for _ in 0..100 {
                let z = y.sin();
                y = (0..length).fold(z, |z, _| z * &x);
            }
        });
        assert!(counts.iter().sum::<u64>() <= 8, "{length}: {counts:?}");
        assert_eq!(counts[20..].iter().sum::<u64>(), 0, "{length}: {counts:?}");
    }
}

#[test]
fn the_values_of_a_gradient_run_only_for_those_who_read_them() {
    let x = Array::from_slice(&[0.5f32, 1.5]);
    let chain = |x: &Array| (0..1_000).fold(x.clone(), |x, _| x.sin() * 1.25).sum(..);
    let counts = compiled_by_round(1, |_| {
        let slope = grad(chain)(&x);
        // The call of the differentiated program, and nothing of the function that was traced.
        assert_eq!(eager::pending().operations, 1);
        assert_eq!(slope.shape(), [2]);
    });
    assert_eq!(counts, [0]);
    let branch = |x: &Array| {
        let y = x.sin();
        let sum = y.sum(..).item::<f32>().unwrap();
        if sum > 0.0 { (y * 2).sum(..) } else { x.sum(..) }
    };
    let slope = grad(branch)(&x).to_vec::<f32>().unwrap();
    assert_eq!(slope, (x.cos() * 2).to_vec::<f32>().unwrap());
    assert_eq!(grad(branch)(&-x).to_vec::<f32>().unwrap(), [1.0, 1.0]);
}

#[test]
fn chains_of_any_length_are_dropped() {
    let x = Array::scalar(1.0f32);
    // Nobody reads what this would be: tracing it is enough.
    drop(grad(|x: &Array| (0..50_000).fold(x.clone(), |x, _| x * 0.5 + 0.5))(&x));
}

#[test]
fn a_failure_is_that_of_its_operation_alone() {
    let x = Array::from_slice(&[1.0f32, 2.0]);
    for mode in [EagerMode::Fused, EagerMode::Strict, EagerMode::Debug] {
        eager::mode(mode, || {
            let fine = &x + 1;
            let line = line!() + 1;
            let much = Array::full(&[1 << 50], 0.5, DType::F32).sin();
            let sum = much.sum(..);
            let also = &fine * 2;
            let error = sum.item::<f32>().unwrap_err();
            let text = error.to_string();
            assert!(text.contains(&format!("eager.rs:{line}")), "{mode:?}: {text}");
            assert_eq!(fine.to_vec::<f32>().unwrap(), [2.0, 3.0]);
            assert_eq!(also.to_vec::<f32>().unwrap(), [4.0, 6.0]);
        });
    }
}

#[test]
fn what_one_thread_records_another_may_read() {
    let x = Array::from_slice(&[1.0f32, 2.0]);
    let y = &x + 1;
    let z = std::thread::scope(|s| {
        let handle = s.spawn(|| {
            let z = &y * &x;
            let sum = z.sum(..).item::<f32>().unwrap();
            (&z + 1, sum)
        });
        handle.join().unwrap()
    });
    assert_eq!(z.1, 8.0);
    assert_eq!((z.0 + y).to_vec::<f32>().unwrap(), [5.0, 10.0]);
}

#[test]
fn what_only_dead_operations_hold_may_be_donated() {
    let x = Array::from_slice(&[1.0f32, 2.0]);
    drop(&x + 1);
    let double = jit(|(x,): &(Array,)| x * 2).donate(0);
    assert_eq!(double.call((x,)).unwrap().to_vec::<f32>().unwrap(), [2.0, 4.0]);
}

/// By so many bytes operations and calls may make the process larger: allocators keep some of what they got.
const GROWTH: usize = 2 << 20;

#[test]
fn operations_and_calls_leave_memory_flat() {
    const ALONE: &str = "JARRAH_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        // In a process that runs no other test.
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "eager::operations_and_calls_leave_memory_flat", "--nocapture"]);
        let done = child.env(ALONE, "1").output().unwrap();
        let [said, wrong] = [done.stdout, done.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
        assert!(done.status.success() && said.contains("1 passed"), "{said}\n{wrong}");
        return println!("{said}");
    }
    let count = std::env::var("JARRAH_OPERATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let x = Array::from_slice(&[0.5f32, 1.5]);
    let next = jit(|x: &Array| x * 0.5 + 1);
    let strict = |y: Array| eager::mode(EagerMode::Strict, || y * &x);
    let (mut before, mut y) = (0, x.clone());
    for i in 0..count {
        if i == count / 5 {
            before = held();
        }
        // Each line is a way to leave something behind: results that are never read, numbers, gradients, calls.
        let _ = &y * 2 + f64::from(i as u32 % 1013);
        y = (&y * 0.5).sin() + &x;
        if i % 10 == 0 {
            y = next.call(strict(y)).unwrap();
        }
        if i % 1000 == 0 {
            y = grad(|y: &Array| (y * y).sum(..))(&y);
            assert!(y.sum(..).item::<f32>().unwrap().is_finite());
        }
    }
    let after = held();
    println!("{} after {}, {} after {count}", size(before), count / 5, size(after));
    assert!(after < before + GROWTH, "memory grew from {} to {}", size(before), size(after));
}
