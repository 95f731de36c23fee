//! Programs over complex numbers, against the reference evaluator, bit by bit.

use jarrah_base::{DType, Literal, Type, c128};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{
    Axes, Clamp, Comparison, Complex, ConvAxes, Convolution, DotGeneral, ElementwiseKind, Gather, Imag, Pad,
    Real, Reduce, ReduceWindow, Reducer, Reverse, RngAlgorithm, RngBitGenerator, Scatter, Sort, SortOrder,
    Update, Window,
};
use jarrah_hlo::{Builder, Op, Program, ProgramRef, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions, Way};

use super::random::Draw;
use super::{program, run};

const DTYPES: [DType; 7] =
    [DType::C64, DType::C64, DType::C128, DType::F32, DType::F64, DType::I32, DType::F16];

/// Numbers among which there are NaN, infinities, zeros of both signs, and equal ones.
pub fn special(dtype: DType, dims: &[usize], seed: u64) -> Literal {
    let mut r = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let ty = Type::tensor(dtype, dims.iter().copied());
    let mut part = || match r.below(14) {
        0 => -0.0,
        1 => 0.0,
        2 => 1.0,
        3 if r.below(8) == 0 => f64::INFINITY,
        4 if r.below(8) == 0 => f64::NEG_INFINITY,
        5 if r.below(8) == 0 => f64::NAN,
        6 => 3e38,
        7 => 1e-40,
        _ => r.below(4000) as f64 / 1000.0 - 2.0,
    };
    let values: Vec<c128> = (0..ty.elements().unwrap()).map(|_| c128::new(part(), part())).collect();
    let real = || values.iter().map(|z| if z.re.abs() > 9.0 { 5.0 } else { z.re }).collect::<Vec<f64>>();
    match dtype {
        DType::C64 | DType::C128 | DType::F32 | DType::F64 => Literal::from_c128s(ty, &values).unwrap(),
        _ => Literal::from_f64s(ty, &real()).unwrap(),
    }
}

/// Equal bits; a NaN equals every other.
pub fn same(name: &str, found: &Literal, expected: &Literal) {
    assert_eq!(found.ty(), expected.ty(), "{name}");
    if !found.dtype().is_differentiable() {
        assert_eq!(found, expected, "{name}");
        return;
    }
    let equal = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    for (i, (f, e)) in found.to_c128_vec().iter().zip(&expected.to_c128_vec()).enumerate() {
        assert!(equal(f.re, e.re) && equal(f.im, e.im), "{name}: element {i} is {f}, not {e}");
    }
}

/// Runs with one and three threads, and compares with the reference evaluator.
pub fn check(name: &str, program: &Program, args: &[Literal]) {
    program.verify().unwrap();
    let expected = evaluate(program, args).unwrap();
    for threads in [1, 3] {
        let results = run(&CpuClient::with_threads(threads), program, args);
        for (i, (found, expected)) in results.iter().zip(&expected).enumerate() {
            same(&format!("{name}, {threads} threads, result {i}\n{program:?}"), found, expected);
        }
    }
}

/// Whether a step of the program runs on the evaluator.
pub fn evaluates(program: &Program) -> bool {
    let executable = CpuClient::with_threads(1).compile(program, &CompileOptions::default()).unwrap();
    executable.steps().iter().any(|step| step.way == Way::Evaluator)
}

/// One more value, computed from some of `values`.
fn extend(b: &mut Builder, r: &mut Draw, values: &[Value]) -> Option<Value> {
    use ElementwiseKind::*;
    let x = values[r.below(values.len())];
    let ty = b.ty(x);
    let (extents, rank) = (ty.dims().to_vec(), ty.rank());
    let alike: Vec<Value> = values.iter().copied().filter(|&v| b.ty(v) == ty).collect();
    let (y, z) = (alike[r.below(alike.len())], alike[r.below(alike.len())]);
    let axis = r.below(rank);
    let is_bool = ty.dtype() == DType::Bool;
    Some(match r.below(18) {
        0..=3 if !is_bool => {
            b.binary([Add, Subtract, Multiply, Multiply, Maximum, Minimum][r.below(6)], x, y).unwrap()
        }
        4 if ty.dtype().is_differentiable() => b.unary([Negate, Conj, Square][r.below(3)], x).unwrap(),
        5 => {
            let p = b.compare(Comparison::ALL[r.below(6)], x, y).unwrap();
            b.select(p, y, z).unwrap()
        }
        6 => b.compare(Comparison::ALL[r.below(6)], x, y).unwrap(),
        7 | 8 => b.convert(x, DTYPES[r.below(DTYPES.len())]).unwrap(),
        9 if matches!(ty.dtype(), DType::F32 | DType::F64) => b.one(Complex, &[x, y]).unwrap(),
        10 if ty.dtype().is_differentiable() => match r.below(2) {
            0 => b.one(Real, &[x]).unwrap(),
            _ => b.one(Imag, &[x]).unwrap(),
        },
        11 if rank < 3 => {
            let mut wide = extents;
            let at = r.below(rank + 1);
            wide.insert(at, 1 + r.below(5));
            let axes: Vec<usize> = (0..=rank).filter(|&a| a != at).collect();
            b.broadcast_in_dim(x, &wide, &axes).unwrap()
        }
        12 if !is_bool => {
            let axes: Vec<usize> = (0..rank).filter(|_| r.below(2) == 0).collect();
            let sum = b.reduce(Reducer::Add, x, &axes).unwrap();
            let kept: Vec<usize> = (0..rank).filter(|a| !axes.contains(a)).collect();
            match r.below(2) {
                0 => sum,
                _ => b.broadcast_in_dim(sum, &extents, &kept).unwrap(),
            }
        }
        13 => {
            let mut order: Vec<usize> = (0..rank).collect();
            order.rotate_left(axis);
            b.transpose(x, &order).unwrap()
        }
        14 if rank > 0 => {
            let starts: Vec<usize> = extents.iter().map(|&d| r.below(d)).collect();
            b.slice(x, &starts, &extents).unwrap()
        }
        15 if rank > 0 => match r.below(3) {
            0 => b.concatenate(&[x, y], axis).unwrap(),
            1 => b.one(Reverse { axes: [axis].into_iter().collect() }, &[x]).unwrap(),
            _ => {
                let value = b.full(Type::scalar(ty.dtype()), 1.0).unwrap();
                let low = extents.iter().map(|_| r.below(3) as i64).collect();
                let high = extents.iter().map(|_| r.below(3) as i64).collect();
                b.one(Pad { low, high, interior: extents.iter().map(|_| 0).collect() }, &[x, value]).unwrap()
            }
        },
        16 if !is_bool => b.one(Clamp, &[x, y, z]).unwrap(),
        17 if rank > 0 && !is_bool => {
            let index = b.iota(ty, axis).unwrap();
            b.add(x, index).unwrap()
        }
        _ => return None,
    })
}

fn draw(seed: u64) -> (Program, Vec<Literal>) {
    let mut r = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut b = Builder::new(format!("program {seed}"));
    let columns = [1, 2, 15, 16, 17, 33, 70][r.below(7)];
    let shapes = [vec![columns], vec![3, columns], vec![columns, 4], vec![2, 5, columns]];
    let (mut values, mut args) = (Vec::new(), Vec::new());
    for i in 0..5 {
        let (dims, dtype) = (&shapes[r.below(4)], DTYPES[r.below(5)]);
        values.push(b.param(Type::tensor(dtype, dims.iter().copied()), ""));
        args.push(special(dtype, dims, seed * 7 + i as u64 + 1));
    }
    for _ in 0..25 {
        if let Some(v) = extend(&mut b, &mut r, &values)
            && b.ty(v).elements().unwrap() < 20_000
        {
            values.push(v);
        }
    }
    let results: Vec<Value> = (0..4).map(|_| values[values.len() / 2 + r.below(values.len() / 2)]).collect();
    (b.finish(&results).unwrap(), args)
}

#[test]
fn random_programs_over_complex_numbers() {
    for seed in 0..300 {
        let (program, args) = draw(seed);
        check(&format!("seed {seed}"), &program, &args);
    }
}

#[test]
fn elementwise_chains_of_complex_numbers_are_one_loop() {
    for dtype in [DType::C64, DType::C128] {
        for columns in [0, 1, 15, 16, 17, 100, 5000] {
            let ty = Type::tensor(dtype, [3, columns]);
            let mut b = Builder::new("chain");
            let [x, y] = [0, 1].map(|_| b.param(ty, ""));
            let z = b.mul(x, y).unwrap();
            let z = b.unary(ElementwiseKind::Conj, z).unwrap();
            let z = b.sub(z, y).unwrap();
            let first = b.compare(Comparison::Ne, z, x).unwrap();
            let z = b.select(first, z, y).unwrap();
            let program = b.finish(&[z]).unwrap();
            let executable =
                CpuClient::with_threads(1).compile(&program, &CompileOptions::default()).unwrap();
            assert!(executable.steps().len() <= 1, "{:?}", executable.steps());
            assert!(!evaluates(&program));
            check("chain", &program, &[special(dtype, &[3, columns], 3), special(dtype, &[3, columns], 4)]);
        }
    }
}

/// Runs an op of these operands, of which no step is the evaluator's where machine code is made.
fn check_op(name: &str, op: impl Into<Op>, args: &[Literal], always: bool) {
    let types: Vec<Type> = args.iter().map(Literal::ty).collect();
    let program = program(op, &types);
    let tier = std::env::var("JARRAH_CPU").unwrap_or_default();
    let compiled = cfg!(all(target_arch = "x86_64", unix, not(jarrah_portable))) && tier != "portable";
    if always || compiled {
        assert!(!evaluates(&program), "{name}: on the evaluator");
    }
    check(name, &program, args);
}

fn axes(all: &[usize]) -> Axes {
    all.iter().copied().collect()
}

#[test]
fn products_of_complex_numbers_are_real_products() {
    for dtype in [DType::C64, DType::C128] {
        for (m, k, n) in [(0, 3, 2), (2, 0, 3), (1, 1, 1), (3, 5, 7), (17, 16, 15), (4, 70, 33), (2, 200, 5)]
        {
            let sides = [special(dtype, &[m, k], 1), special(dtype, &[k, n], 2)];
            check_op("matrices", DotGeneral::matmul(0, dtype), &sides, true);
            let turned = DotGeneral {
                lhs_contract: axes(&[0]),
                rhs_contract: axes(&[1]),
                ..DotGeneral::matmul(0, dtype)
            };
            check_op("turned", turned, &[special(dtype, &[k, m], 3), special(dtype, &[n, k], 4)], true);
            let sides = [special(dtype, &[3, m, k], 5), special(dtype, &[3, k, n], 6)];
            check_op("stacks", DotGeneral::matmul(1, dtype), &sides, true);
            let inner = DotGeneral {
                lhs_contract: axes(&[0]),
                rhs_contract: axes(&[0]),
                ..DotGeneral::matmul(0, dtype)
            };
            check_op("vectors", inner.clone(), &[special(dtype, &[k], 7), special(dtype, &[k], 8)], true);
            let outer = DotGeneral { lhs_contract: axes(&[]), rhs_contract: axes(&[]), ..inner };
            check_op("outer", outer, &[special(dtype, &[m], 7), special(dtype, &[n], 8)], true);
            let both = DotGeneral {
                lhs_batch: axes(&[1]),
                rhs_batch: axes(&[2]),
                lhs_contract: axes(&[3, 0]),
                rhs_contract: axes(&[0, 3]),
                out: DType::C128,
            };
            check_op(
                "axes",
                both,
                &[special(dtype, &[k, 2, m, 3], 9), special(dtype, &[3, n, 2, k], 10)],
                true,
            );
        }
    }
}

#[test]
fn convolutions_of_complex_numbers() {
    for dtype in [DType::C64, DType::C128] {
        let images = special(dtype, &[2, 5, 6, 4], 1);
        check_op(
            "dense",
            Convolution::new(2, dtype),
            &[images.clone(), special(dtype, &[2, 3, 4, 3], 2)],
            true,
        );
        let grouped = Convolution {
            feature_groups: 2,
            low: [1, 0].into_iter().collect(),
            high: [0, 2].into_iter().collect(),
            reversed: [true, false].into_iter().collect(),
            ..Convolution::new(2, dtype)
        };
        check_op("grouped", grouped, &[images.clone(), special(dtype, &[2, 3, 2, 6], 3)], true);
        let of_batch = Convolution { batch_groups: 2, ..Convolution::new(2, dtype) };
        check_op("groups of the batch", of_batch, &[images, special(dtype, &[2, 3, 4, 6], 4)], true);
        let first = Convolution {
            lhs_axes: ConvAxes::channels_first(1),
            rhs_axes: ConvAxes { batch: 0, feature: 1, spatial: axes(&[2]) },
            out_axes: ConvAxes::channels_first(1),
            ..Convolution::new(1, dtype)
        };
        check_op(
            "channels first",
            first,
            &[special(dtype, &[2, 3, 9], 5), special(dtype, &[5, 3, 2], 6)],
            true,
        );
    }
}

/// A program over complex scalars that is no reducer of a name: the sum of one and the square of the other.
fn mixture(dtype: DType) -> ProgramRef {
    let mut b = Builder::new("mixture");
    let [z, w] = [0, 1].map(|_| b.param(Type::scalar(dtype), ""));
    let square = b.unary(ElementwiseKind::Square, w).unwrap();
    let sum = b.add(z, square).unwrap();
    b.finish(&[sum]).unwrap().into()
}

#[test]
fn reductions_of_complex_numbers() {
    use Reducer::*;
    for dtype in [DType::C64, DType::C128] {
        for dims in [vec![0, 3], vec![3, 0], vec![1], vec![5, 1], vec![17, 15], vec![3, 16, 4], vec![2, 5000]]
        {
            let x = special(dtype, &dims, dims.len() as u64);
            for wanted in [axes(&[0]), axes(&[dims.len() - 1]), (0..dims.len()).collect()] {
                let named = [Add, Mul, Max, Min];
                for reducer in named.into_iter().chain([ArgMax(DType::I32), ArgMin(DType::I64)]) {
                    let positions = matches!(reducer, ArgMax(_) | ArgMin(_));
                    if positions && (wanted.len() > 1 || dims[wanted[0]] == 0) {
                        continue;
                    }
                    let name = format!("{reducer:?} of {dtype}{dims:?} over {wanted:?}");
                    check_op(
                        &name,
                        Reduce { reducer, axes: wanted.clone() },
                        std::slice::from_ref(&x),
                        false,
                    );
                }
                let general = Reduce { reducer: General(mixture(dtype)), axes: wanted.clone() };
                check_op("by a program", general, &[x.clone(), special(dtype, &[], 5)], false);
            }
        }
        for reducer in [Add, Mul, Max, Min] {
            let window = Window::new(&[2, 3]).strided(&[1, 2]);
            let name = format!("windows, {reducer:?}");
            check_op(
                &name,
                ReduceWindow { reducer: reducer.clone(), window },
                &[special(dtype, &[5, 9], 6)],
                false,
            );
            let mut window = Window::new(&[1, 9]);
            window.low[1] = 8;
            let growing = ReduceWindow { reducer, window };
            check_op("growing windows", growing.clone(), &[special(dtype, &[3, 9], 7)], false);
            // Windows that grow from the end, that are the whole line, and with padding around.
            for (size, low, high) in [(9, 0, 8), (9, 0, 0), (3, 1, 2), (9, 3, 8)] {
                let ReduceWindow { reducer, mut window } = growing.clone();
                (window.sizes[1], window.low[1], window.high[1]) = (size, low, high);
                let op = ReduceWindow { reducer, window };
                let x = special(dtype, &[3, 9], 9);
                check(&format!("{op:?}"), &program(op, &[x.ty()]), &[x]);
            }
        }
        let general = ReduceWindow { reducer: General(mixture(dtype)), window: Window::new(&[2, 2]) };
        check_op("windows", general, &[special(dtype, &[3, 9], 7), special(dtype, &[], 8)], false);
    }
}

#[test]
fn sorts_and_scatters_of_complex_numbers() {
    for dtype in [DType::C64, DType::C128] {
        for count in [0, 1, 15, 16, 17, 300] {
            let x = special(dtype, &[2, count], 3);
            let along = super::numbers(DType::I32, &[2, count], 4);
            for keys in [1, 2] {
                for order in [SortOrder::Ascending { keys }, SortOrder::Descending { keys }] {
                    let sort = |axis| Sort { axis, stable: true, order: order.clone() };
                    check_op("sort", sort(1), &[x.clone(), along.clone()], true);
                    check_op("sort", sort(0), &[along.clone(), x.clone()], true);
                }
            }
            let mut b = Builder::new("by_imaginary_part");
            let [z, w] = [0, 1].map(|_| b.param(Type::scalar(dtype), ""));
            let [z, w] = [z, w].map(|z| b.one(Imag, &[z]).unwrap());
            let before = b.compare(Comparison::Gt, z, w).unwrap();
            let order = SortOrder::General(b.finish(&[before]).unwrap().into());
            check_op("sort", Sort { axis: 1, stable: true, order }, &[x], false);
        }
        let table = special(dtype, &[7, 5], 5);
        let indices = Literal::from_slice(&[6], &[0i32, 3, -1, 3, 9, 6]).unwrap();
        let updates = special(dtype, &[6, 5], 6);
        use Reducer::*;
        let reducers = [Add, Mul, Max, Min, General(mixture(dtype))].map(Update::Reduce);
        for update in reducers.into_iter().chain([Update::Assign]) {
            let name = format!("scatter of {dtype}, {update:?}");
            let scatter = Scatter::rows(table.ty(), indices.ty(), update);
            check_op(&name, scatter, &[table.clone(), indices.clone(), updates.clone()], false);
        }
        let gather = Gather::rows(table.ty(), indices.ty()).unwrap();
        check_op("gather", gather, &[table, indices], true);
    }
}

#[test]
fn random_bits() {
    use RngAlgorithm::*;
    let states: [&[u64]; 4] =
        [&[7, u64::MAX - 1], &[u64::MAX, 3], &[1, u64::MAX, u64::MAX], &[5, u64::MAX - 2, 9]];
    let dtypes = [
        DType::U8,
        DType::I8,
        DType::U16,
        DType::U32,
        DType::I32,
        DType::U64,
        DType::I64,
        DType::F32,
        DType::F64,
        DType::BF16,
        DType::F16,
    ];
    for algorithm in [Default, Threefry, Philox] {
        for words in states {
            if words.len() == 3 && algorithm == Threefry {
                continue;
            }
            for dtype in dtypes {
                let shapes: [&[usize]; 8] = [&[], &[0], &[1], &[4], &[17], &[3, 5, 7], &[3, 4, 5], &[1000]];
                for dims in shapes {
                    let ty = Type::tensor(dtype, dims.iter().copied());
                    let op = RngBitGenerator { algorithm, ty };
                    let state = Literal::from_slice(&[words.len()], words).unwrap();
                    check_op(&format!("{algorithm:?} {ty}"), op, &[state], true);
                }
            }
        }
    }
}

/// The real and the imaginary part of a value each go to memory that the other one is read from.
#[test]
fn loops_write_over_what_they_read() {
    for dtype in [DType::C64, DType::C128] {
        for count in [1, 16, 17, 1000] {
            let mut b = Builder::new("updates");
            let [x, y] = [0, 1].map(|_| b.param(Type::tensor(dtype, [3, count]), ""));
            let mut z = b.sub(x, x).unwrap();
            for _ in 0..3 {
                z = b.mul(z, x).unwrap();
                let [re, im] = [b.one(Real, &[z]).unwrap(), b.one(Imag, &[z]).unwrap()];
                z = b.one(Complex, &[im, re]).unwrap();
                z = b.unary(ElementwiseKind::Exponential, z).unwrap();
                z = b.binary(ElementwiseKind::Maximum, z, y).unwrap();
            }
            let product = b.mul(z, x).unwrap();
            let product = b.mul(product, y).unwrap();
            let program = b.finish(&[product, z]).unwrap();
            check("updates", &program, &[special(dtype, &[3, count], 1), special(dtype, &[3, count], 2)]);
        }
    }
}

#[test]
fn complex_numbers_are_moved_whole() {
    for dtype in [DType::C64, DType::C128] {
        for count in [1, 15, 16, 17, 300] {
            let mut b = Builder::new("moves");
            let x = b.param(Type::tensor(dtype, [count]), "");
            let y = b.param(Type::tensor(dtype, [3, count]), "");
            let p = b.param(Type::tensor(DType::Bool, [3, count]), "");
            let wide = b.broadcast_in_dim(x, &[3, count], &[1]).unwrap();
            let constant = Literal::full_c128(Type::scalar(dtype), c128::new(-0.0, f64::NAN)).unwrap();
            let constant = b.constant(constant).unwrap();
            let full = b.broadcast_in_dim(constant, &[3, count], &[]).unwrap();
            let chosen = b.select(p, wide, full).unwrap();
            let turned = b.one(Reverse { axes: axes(&[1]) }, &[y]).unwrap();
            let chosen = b.select(p, turned, chosen).unwrap();
            let both = b.concatenate(&[chosen, y], 1).unwrap();
            let program = b.finish(&[wide, full, chosen, both]).unwrap();
            assert!(!evaluates(&program));
            let args = [special(dtype, &[count], 1), special(dtype, &[3, count], 2)];
            let truths = super::numbers(DType::Bool, &[3, count], 3);
            check("moves", &program, &[args.as_slice(), &[truths]].concat());
        }
    }
}

/// One index along both axes of a square is no loop: the points of the kernel run its ops as steps.
#[test]
fn sums_of_a_kernel_that_is_no_loop() {
    let mut b = Builder::new("diagonal");
    let x = b.param(Type::tensor(DType::C64, [4, 4]), "");
    let places = [0, 1].map(|axis| b.iota(Type::tensor(DType::I32, [4, 4]), axis).unwrap());
    let on = b.compare(Comparison::Eq, places[0], places[1]).unwrap();
    let zeros = b.zeros(b.ty(x)).unwrap();
    let chosen = b.select(on, x, zeros).unwrap();
    let sums = b.reduce(Reducer::Add, chosen, &[0]).unwrap();
    let program = b.finish(&[sums]).unwrap();
    check("diagonal", &program, &[special(DType::C64, &[4, 4], 1)]);
}
