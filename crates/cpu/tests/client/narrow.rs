//! Narrow elements, which loops hold as codes, and functions that loops write in other instructions: on every tier the
//! bits of the reference evaluator, those of NaNs aside.

use jarrah_base::{DType, Element, FloatLayout, Literal, Type, with_element};
use jarrah_cpu::CpuClient;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_hlo::ops::{
    BitcastConvert, BlockSpec, Clamp, Compare, Comparison, Concatenate, Convert, Elementwise,
    ElementwiseKind, Iota, Kernel, Pad, Reduce, ReducePrecision, Reducer, Reverse, Select,
};
use jarrah_hlo::{Builder, Op, Program, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions, Way};
use jarrah_tile::{DTYPES, LoopKernel};
use smallvec::{SmallVec, smallvec};

use super::random::Draw;
use super::{numbers, program, run};

pub(super) fn narrow() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|dtype| !DTYPES.contains(dtype) && !dtype.is_complex())
}

fn real() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|dtype| !dtype.is_complex())
}

/// Equal bits, but for those of NaN.
fn same(found: &Literal, expected: &Literal) -> bool {
    let nans = |x: &Literal| match x.dtype().is_float() {
        true => x.to_f64_vec().into_iter().map(f64::is_nan).collect(),
        false => vec![false; x.len()],
    };
    let size = expected.dtype().size();
    let elements = |x: &Literal| x.bytes()[..x.len() * size].chunks_exact(size).map(<[u8]>::to_vec).collect();
    let (a, b): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (elements(found), elements(expected));
    let (of_a, of_b) = (nans(found), nans(expected));
    found.ty() == expected.ty() && (0..a.len()).all(|i| if of_b[i] { of_a[i] } else { a[i] == b[i] })
}

/// What each tier gives for a kernel's loops, one after another.
fn tiers(loops: &[LoopKernel], args: &[Literal], results: &[Type]) -> Vec<(String, Vec<Literal>)> {
    let pool = ThreadPool::new(1);
    let mut all = Vec::new();
    for &isa in Isa::available() {
        for &tier in Tier::available(isa) {
            let mut out: Vec<Literal> = results.iter().map(|&ty| Literal::zeros(ty).unwrap()).collect();
            let inputs: Vec<*const u8> = args.iter().map(|x| x.bytes().as_ptr()).collect();
            let outputs: Vec<*mut u8> = out.iter_mut().map(|x| x.bytes_mut().as_mut_ptr()).collect();
            for loops in loops {
                let plan = Plan::with(loops, isa, tier, 2048).unwrap();
                assert!(tier != Tier::Native || plan.is_native(), "{isa:?}: no code for\n{loops}");
                // SAFETY: the loops were made for operands and results of these types.
                unsafe { plan.run(&pool, &inputs, &outputs) };
            }
            all.push((format!("{isa:?}, {tier:?}"), out));
        }
    }
    all
}

/// Runs a program as one kernel on every tier.
fn check(name: &str, program: &Program, args: &[Literal]) {
    let types: Vec<Type> = args.iter().map(Literal::ty).collect();
    let whole = |ty: &Type| BlockSpec::whole(ty.rank());
    let results: Vec<Type> = program.results().iter().map(|&v| program.ty(v)).collect();
    let kernel = Kernel::new(
        SmallVec::new(),
        types.iter().map(whole).collect(),
        results.iter().map(|ty| (*ty, whole(ty))).collect(),
        program.clone().into(),
    );
    let loops = jarrah_tile::lower(&kernel, &types).unwrap_or_else(|| panic!("{name} is no loop"));
    let expected = evaluate(program, args).unwrap();
    for (tier, found) in tiers(&loops, args, &results) {
        for (found, expected) in found.iter().zip(&expected) {
            if !same(found, expected) {
                let of = |x: &Literal, i: usize| {
                    let size = x.dtype().size();
                    format!("{:x?}", &x.bytes()[i * size..][..size])
                };
                let wrong: Vec<String> = (0..expected.len())
                    .filter(|&i| of(found, i) != of(expected, i))
                    .take(12)
                    .map(|i| {
                        let args: Vec<String> =
                            args.iter().filter(|x| x.len() == expected.len()).map(|x| of(x, i)).collect();
                        format!("{}: {} instead of {}", args.join(" "), of(found, i), of(expected, i))
                    })
                    .collect();
                panic!("{name}, {tier}: {wrong:#?}\n{}", loops[0]);
            }
        }
    }
}

fn check_op(op: impl Into<Op>, args: &[Literal]) {
    let op = op.into();
    let types: Vec<Type> = args.iter().map(Literal::ty).collect();
    check(&format!("{op:?} of {types:?}"), &program(op, &types), args);
}

/// Elements with these bits.
fn of_bits(dtype: DType, bits: impl IntoIterator<Item = u64>) -> Literal {
    let size = dtype.size();
    let bytes: Vec<u8> = bits.into_iter().flat_map(|x| x.to_le_bytes()[..size].to_vec()).collect();
    Literal::from_bytes(Type::tensor(dtype, [bytes.len() / size]), &bytes).unwrap()
}

/// Every element of a type of at most 16 bits.
fn every(dtype: DType) -> Literal {
    of_bits(dtype, 0..1 << dtype.bits())
}

/// Every pair of elements of a narrow type.
fn pairs(dtype: DType) -> [Literal; 2] {
    let count = 1u64 << dtype.bits();
    let all = move || (0..count).flat_map(move |x| (0..count).map(move |y| [x, y]));
    [of_bits(dtype, all().map(|[x, _]| x)), of_bits(dtype, all().map(|[_, y]| y))]
}

/// Elements of a wide type: the numbers of a narrow one, those between two of them, what is next to these, extremes,
/// and numbers drawn at random.
fn around(dtype: DType, to: DType) -> Literal {
    let mut known = every(to).to_f64_vec();
    known.extend([
        0.0,
        -0.0,
        f64::INFINITY,
        -f64::INFINITY,
        f64::NAN,
        -f64::NAN,
        1e-300,
        -1e-40,
        1e300,
        1e20,
    ]);
    known.extend((0..1000).map(|i| f64::from(i) - 500.0));
    known.extend((-160..160).flat_map(|n| [1.0, -1.5, 1.25, 1.75].map(|x| x * 2f64.powi(n))));
    known.sort_by(f64::total_cmp);
    let between: Vec<f64> = known.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    known.extend(between);
    let mut random = Draw(u64::from(to.bits()) * 77 + 5);
    let mut word = || {
        (random.below(1 << 31) as u64) << 33
            ^ (random.below(1 << 31) as u64) << 16
            ^ random.below(1 << 20) as u64
    };
    let mut bits: Vec<u64> = Vec::new();
    for x in known {
        let near = Literal::from_f64s(Type::tensor(dtype, [1]), &[x]).unwrap();
        let mut bytes = [0; 8];
        bytes[..dtype.size()].copy_from_slice(near.bytes());
        let near = u64::from_le_bytes(bytes);
        bits.extend([near, near.wrapping_add(1), near.wrapping_sub(1)]);
    }
    bits.extend((0..4000).map(|_| word()));
    // Integers of every size, and floats of few bits.
    bits.extend((0..4000).map(|i| word() >> (i % 64)));
    bits.extend((0..2000).map(|i| word() << (i % 64)));
    of_bits(dtype, bits)
}

#[test]
fn every_conversion() {
    for from in narrow() {
        for to in real() {
            check_op(Convert { to }, &[every(from)]);
        }
    }
    for from in DTYPES {
        let short = (from.bits() <= 16).then(|| every(from));
        for to in narrow() {
            check_op(Convert { to }, &[short.clone().unwrap_or_else(|| around(from, to))]);
        }
    }
    for from in narrow().chain([DType::I8, DType::U8]) {
        for to in narrow().chain([DType::I8, DType::U8]).filter(|to| to.bits() == from.bits()) {
            check_op(BitcastConvert { to }, &[every(from)]);
        }
    }
}

fn takes(op: &Op, args: &[Literal]) -> bool {
    let types: Vec<Type> = args.iter().map(Literal::ty).collect();
    op.infer(&types).is_ok()
}

fn elementwise() -> impl Iterator<Item = Op> {
    let kinds = ElementwiseKind::ALL.iter().filter(|&&kind| jarrah_tile::has_loop(kind));
    kinds.map(|&kind| Op::from(Elementwise { kind }))
}

#[test]
fn functions_of_every_element() {
    for dtype in narrow() {
        let x = [every(dtype)];
        for op in elementwise().filter(|op| takes(op, &x)) {
            check_op(op, &x);
        }
        if dtype.is_float() {
            for (exponent_bits, mantissa_bits) in [(1, 0), (2, 1), (3, 2), (4, 3), (5, 1), (8, 0), (8, 23)] {
                check_op(ReducePrecision { exponent_bits, mantissa_bits }, &x);
            }
        }
    }
}

#[test]
fn functions_of_every_pair() {
    for dtype in narrow() {
        let pair = pairs(dtype);
        for op in elementwise().filter(|op| takes(op, &pair)) {
            check_op(op, &pair);
        }
        for comparison in
            [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge]
        {
            for total_order in [false, true].into_iter().filter(|total| !total || dtype.is_float()) {
                check_op(Compare { comparison, total_order }, &pair);
            }
        }
        let [x, y] = pair;
        let z = of_bits(
            dtype,
            x.bytes().iter().rev().map(|&x| u64::from(x.rotate_left(3)) & ((1 << dtype.bits()) - 1)),
        );
        let chosen = of_bits(DType::Bool, (0..x.len() as u64).map(|i| i / 3 % 2));
        check_op(Select, &[chosen, x.clone(), y.clone()]);
        check_op(Clamp, &[x, z, y]);
    }
}

#[test]
fn functions_in_other_instructions() {
    let precisions = [(1, 0), (2, 3), (4, 3), (5, 2), (5, 10), (8, 7), (8, 0), (8, 23), (11, 4), (20, 60)];
    for dtype in [DType::BF16, DType::F16, DType::F32, DType::F64] {
        let x = if dtype.bits() == 16 { every(dtype) } else { around(dtype, DType::F8E5M2) };
        for (exponent_bits, mantissa_bits) in precisions {
            check_op(ReducePrecision { exponent_bits, mantissa_bits }, std::slice::from_ref(&x));
        }
        let size = dtype.size();
        let turned = |by: usize| {
            let mut bytes = x.bytes().to_vec();
            bytes.rotate_left(by * size);
            Literal::from_bytes(x.ty(), &bytes).unwrap()
        };
        for other in [x.clone(), turned(1), turned(x.len() - 1), turned(x.len() / 2), turned(x.len() / 3)] {
            check_op(Elementwise { kind: ElementwiseKind::NextAfter }, &[x.clone(), other]);
        }
    }
    for dtype in DTYPES.into_iter().filter(|dtype| dtype.is_integer()) {
        let x = if dtype.bits() == 16 { every(dtype) } else { around(dtype, DType::F8E4M3) };
        let mut bytes = x.bytes().to_vec();
        bytes.reverse();
        let y = Literal::from_bytes(x.ty(), &bytes).unwrap();
        check_op(Elementwise { kind: ElementwiseKind::Mulhi }, &[x, y]);
    }
}

/// Numbers of which few are infinite or no number.
fn mixed(dtype: DType, dims: &[usize], seed: u64) -> Literal {
    let mut x = numbers(dtype, dims, seed);
    let mut random = Draw(seed * 31 + 7);
    let ones = ((1u32 << dtype.bits()) - 1) as u8;
    if !x.is_empty() && dtype.size() == 1 && dtype != DType::Bool {
        for _ in 0..1 + x.len() / 40 {
            let at = random.below(x.len());
            x.bytes_mut()[at] = random.below(256) as u8 & ones;
        }
    }
    x
}

#[test]
fn reductions() {
    for dtype in narrow() {
        let positions =
            [Reducer::ArgMax(DType::I32), Reducer::ArgMin(DType::I64), Reducer::ArgMax(DType::U4)];
        let named =
            [Reducer::Add, Reducer::Mul, Reducer::Max, Reducer::Min, Reducer::And, Reducer::Or, Reducer::Xor];
        for reducer in named.into_iter().chain(positions) {
            for extents in [[3, 0], [2, 1], [3, 15], [1, 16], [3, 17], [33, 20], [5000, 17], [2, 5000]] {
                for axes in [smallvec![1], smallvec![0]] {
                    let op = Op::from(Reduce { reducer: reducer.clone(), axes });
                    let seed = extents[1] as u64;
                    let x = [mixed(dtype, &extents, seed)];
                    if takes(&op, &x) && !op.infer(&[x[0].ty()]).unwrap()[0].elements().is_ok_and(|n| n == 0)
                    {
                        check_op(op, &x);
                    }
                }
            }
        }
    }
}

/// One more value, of the shape that all have.
fn extend(b: &mut Builder, r: &mut Draw, values: &[Value], types: &[DType], dims: &[usize; 2]) -> Value {
    let x = values[r.below(values.len())];
    let dtype = b.ty(x).dtype();
    let alike: Vec<Value> = values.iter().copied().filter(|&v| b.ty(v) == b.ty(x)).collect();
    let y = alike[r.below(alike.len())];
    use ElementwiseKind::*;
    match r.below(12) {
        0 | 1 => b.one(Convert { to: types[r.below(types.len())] }, &[x]).unwrap(),
        2..=4 => b.binary([Add, Multiply, Maximum, Minimum][r.below(4)], x, y).unwrap(),
        5 => {
            let p = b.compare([Comparison::Lt, Comparison::Ne][r.below(2)], x, y).unwrap();
            b.select(p, y, x).unwrap()
        }
        6 => {
            let reducer = [Reducer::Max, Reducer::Min, Reducer::Add][r.below(3)].clone();
            let axis = r.below(2);
            let folded = b.reduce(reducer, x, &[axis]).unwrap();
            b.broadcast_in_dim(folded, dims, &[1 - axis]).unwrap()
        }
        7 => {
            let axis = r.below(2);
            let half = dims[axis] / 2;
            let (mut ends, mut starts) = (*dims, [0, 0]);
            (ends[axis], starts[axis]) = (half, half);
            let (first, last) = (b.slice(x, &[0, 0], &ends).unwrap(), b.slice(y, &starts, dims).unwrap());
            b.one(Concatenate { axis }, &[last, first]).unwrap()
        }
        8 => {
            let part = b.slice(x, &[0, 1], &[dims[0], dims[1] - 1]).unwrap();
            let value = b.full(Type::scalar(dtype), 1.0).unwrap();
            b.one(
                Pad { low: smallvec![0, 1], high: smallvec![0, 1], interior: smallvec![0, 0] },
                &[part, value],
            )
            .unwrap()
        }
        9 => b.one(Reverse { axes: smallvec![r.below(2)] }, &[x]).unwrap(),
        10 => {
            let axis = r.below(2);
            let ty = Type::tensor(types[r.below(types.len())], *dims);
            b.one(Iota { ty, axis }, &[]).unwrap()
        }
        _ if dtype.is_float() => match r.below(3) {
            0 => b.binary(NextAfter, x, y).unwrap(),
            1 => b.one(ReducePrecision { exponent_bits: 4, mantissa_bits: 2 }, &[x]).unwrap(),
            _ => b.unary([Negate, Abs, Sqrt, Floor][r.below(4)], x).unwrap(),
        },
        _ => b.unary(Sign, x).unwrap_or(x),
    }
}

#[test]
fn random_programs_of_narrow_types() {
    let all: Vec<DType> = narrow().collect();
    for seed in 0..150u64 {
        let mut r = Draw((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        r.below(2);
        let wide = [DType::F32, DType::BF16, DType::I8, DType::F16, DType::U8, DType::I32];
        let types = [all[r.below(15)], all[r.below(15)], all[r.below(15)], wide[r.below(6)]];
        let dims = [[2, 16], [5, 15], [17, 17], [3, 100], [40, 2]][r.below(5)];
        let mut b = Builder::new(format!("program {seed}"));
        let (mut values, mut args) = (Vec::new(), Vec::new());
        for (i, &dtype) in types.iter().enumerate() {
            values.push(b.param(Type::tensor(dtype, dims), ""));
            args.push(mixed(dtype, &dims, seed * 5 + i as u64));
        }
        for _ in 0..12 {
            let next = extend(&mut b, &mut r, &values, &types, &dims);
            values.push(next);
        }
        let results: Vec<Value> = (0..3).map(|i| values[values.len() - 1 - 2 * i]).collect();
        let program = b.finish(&results).unwrap();
        let expected = evaluate(&program, &args).unwrap();
        for threads in [1, 2] {
            let client = CpuClient::with_threads(threads);
            let executable = client.compile(&program, &CompileOptions::default()).unwrap();
            let evaluated = executable.steps().iter().filter(|step| step.way == Way::Evaluator).count();
            assert_eq!(evaluated, 0, "program {seed}: {program:?}");
            let found = run(&client, &program, &args);
            let agree = found.iter().zip(&expected).all(|(found, expected)| same(found, expected));
            assert!(agree, "program {seed} with {threads} threads: {program:?}\n{found:?}\n{expected:?}");
        }
    }
}

#[test]
fn layouts_are_those_of_the_types() {
    for dtype in narrow().filter(|dtype| dtype.is_float()) {
        let layout = FloatLayout::of(dtype).unwrap();
        let sign = u32::from(layout.sign != 0);
        assert_eq!(layout.exponent + layout.mantissa + sign, dtype.bits(), "{dtype}");
        let largest = of_bits(dtype, [u64::from(layout.largest)]).get_f64(0);
        let finite = with_element!(dtype, T => T::from_f64(dtype.finite_range().unwrap().1).to_f64());
        assert_eq!(largest, finite, "{dtype}");
    }
}
