//! Products with the loops that run on their parts.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Axes, DotGeneral, ElementwiseKind, GroupMatrices, RaggedDot, RaggedKind, Reducer};
use jarrah_hlo::{Alias, Builder, Program, Value};
use jarrah_runtime::{Arg, Client, CompileOptions, ExecuteOptions, StepLabel, Way};

use super::{check, numbers};

const F32: DType = DType::F32;

/// The program of `body` over parameters of these extents.
fn program(
    dtype: DType,
    params: &[&[usize]],
    body: impl Fn(&mut Builder, &[Value]) -> Vec<Value>,
) -> Program {
    let mut b = Builder::new("contraction");
    let x: Vec<Value> =
        params.iter().map(|dims| b.param(Type::tensor(dtype, dims.iter().copied()), "")).collect();
    let results = body(&mut b, &x);
    b.finish(&results).unwrap()
}

fn arguments(program: &Program) -> Vec<Literal> {
    let types = program.param_types().into_iter().enumerate();
    types.map(|(i, ty)| numbers(ty.dtype(), &ty.dims(), i as u64 + 1)).collect()
}

fn steps(program: &Program) -> Vec<StepLabel> {
    CpuClient::with_threads(2).compile(program, &CompileOptions::default()).unwrap().steps()
}

/// Checks the results, which are those of the evaluator within `ulps`, and that so many steps are contractions, of so many in
/// all.
fn contracts(name: &str, program: &Program, ulps: f64, contractions: usize, all: usize) {
    check(name, program, &arguments(program), ulps);
    let steps = steps(program);
    for label in steps.iter().filter(|label| label.kind == "dot_general + kernel") {
        assert!(label.what.contains("dot_general") && label.way == Way::Product, "{label:?}");
    }
    let kinds: Vec<&str> = steps.iter().map(|label| label.kind).collect();
    let found = kinds.iter().filter(|kind| **kind == "dot_general + kernel").count();
    assert_eq!((found, kinds.len()), (contractions, all), "{name}: {kinds:?}");
}

fn dot(b: &mut Builder, x: Value, y: Value) -> Value {
    let dtype = b.ty(x).dtype();
    b.one(DotGeneral::matmul(0, dtype), &[x, y]).unwrap()
}

fn bias(b: &mut Builder, x: Value, bias: Value) -> Value {
    let dims = b.ty(x).dims();
    let wide = b.broadcast_in_dim(bias, &dims, &[dims.len() - 1]).unwrap();
    b.add(x, wide).unwrap()
}

#[test]
fn biases_functions_and_residuals_join_their_products() {
    for dtype in [F32, DType::F64, DType::BF16, DType::F16] {
        for (m, n, k) in [(5, 7, 3), (1, 40, 20), (130, 260, 70), (64, 2, 1)] {
            let block = program(dtype, &[&[m, k], &[k, n], &[n], &[n, k]], |b, x| {
                let p = dot(b, x[0], x[1]);
                let h = bias(b, p, x[2]);
                let zero = b.zeros_like(h).unwrap();
                let h = b.binary(ElementwiseKind::Maximum, h, zero).unwrap();
                let q = dot(b, h, x[3]);
                vec![b.add(q, x[0]).unwrap()]
            });
            // A product with one column runs as that of the transposes, by itself.
            let (contractions, all) = if k == 1 { (1, 3) } else { (2, 2) };
            contracts(&format!("{dtype} {m} {n} {k}"), &block, 0.0, contractions, all);
        }
    }
}

#[test]
fn a_product_that_others_read_is_a_result_too() {
    let kept = program(F32, &[&[70, 30], &[30, 50], &[50]], |b, x| {
        let p = dot(b, x[0], x[1]);
        let h = bias(b, p, x[2]);
        let h = b.exp(h).unwrap();
        let turned = b.transpose(p, &[1, 0]).unwrap();
        vec![h, turned, p]
    });
    contracts("kept", &kept, 4.0, 1, 2);
    // Rounded sums are of another size than the products.
    let rounded = program(F32, &[&[70, 30], &[30, 50]], |b, x| {
        let p = dot(b, x[0], x[1]);
        vec![b.convert(p, DType::BF16).unwrap(), b.convert(p, DType::F64).unwrap()]
    });
    contracts("rounded", &rounded, 0.0, 1, 1);
}

/// `x - r (a b)` in the memory of `x`, which the product is not written over; nor does the product read what the loop writes.
#[test]
fn a_loop_may_write_over_its_own_operand_only() {
    let step = program(F32, &[&[60, 60], &[60, 60], &[60, 60]], |b, x| {
        let p = dot(b, x[1], x[2]);
        vec![b.sub(x[0], p).unwrap()]
    });
    contracts("updates", &step, 0.0, 1, 1);
    let itself = program(F32, &[&[60, 60]], |b, x| {
        let p = dot(b, x[0], x[0]);
        vec![b.add(x[0], p).unwrap()]
    });
    contracts("a square", &itself, 0.0, 1, 1);
    for program in [&step, &itself] {
        let client = CpuClient::with_threads(2);
        let expected = jarrah_hlo_eval::evaluate(program, &arguments(program)).unwrap();
        for must in [false, true] {
            let aliases = vec![Alias { parameter: 0, result: Some(0), must }];
            let compiled = client.compile(program, &CompileOptions { aliases, ..CompileOptions::default() });
            let mut args = arguments(program).into_iter().map(|a| client.upload(&a).unwrap());
            let first = Arg::Donate(args.next().unwrap());
            let args = std::iter::once(first).chain(args.map(Arg::Borrow)).collect();
            let ran = compiled.unwrap().execute(vec![args], &ExecuteOptions::default()).unwrap();
            assert_eq!(ran.results[0][0].read().unwrap(), expected[0], "alias that must: {must}");
        }
    }
}

/// A loop that also reads the product in another order than its elements have runs when all of it is there.
#[test]
fn a_loop_over_two_orders_of_a_product_waits_for_it() {
    for heads in [4, 16] {
        let both = program(F32, &[&[16 * heads, 24], &[24, 32]], |b, x| {
            let p = dot(b, x[0], x[1]);
            let p = b.reshape(p, &[16, heads, 32]).unwrap();
            let turned = b.transpose(p, &[1, 0, 2]).unwrap();
            let turned = b.reshape(turned, &[16, heads, 32]).unwrap();
            vec![b.add(p, turned).unwrap()]
        });
        let args = arguments(&both);
        check("two orders", &both, &args, 0.0);
        assert!(steps(&both).iter().all(|label| label.kind != "dot_general + kernel"));
    }
}

#[test]
fn loops_with_reductions_do_not_join() {
    let rows = program(F32, &[&[40, 24], &[24, 32]], |b, x| {
        let p = dot(b, x[0], x[1]);
        vec![b.reduce(Reducer::Max, p, &[1]).unwrap()]
    });
    contracts("rows", &rows, 0.0, 0, 2);
    let turned = program(F32, &[&[24, 40], &[24, 32]], |b, x| {
        let transposed = DotGeneral {
            lhs_contract: Axes::from_slice(&[0]),
            rhs_contract: Axes::from_slice(&[0]),
            ..DotGeneral::matmul(0, F32)
        };
        let p = b.one(transposed, x).unwrap();
        vec![b.exp(p).unwrap()]
    });
    contracts("transposed", &turned, 4.0, 1, 1);
}

/// Products of narrow floats are those of the same numbers as singles; large operands are never singles in memory.
#[test]
fn products_of_narrow_floats_have_loops_before_and_behind_them() {
    for dtype in [DType::F8E4M3FN, DType::F8E5M2, DType::F8E8M0FNU, DType::F4E2M1FN] {
        for ([m, n, k], all) in [([4, 16, 32], 3), ([5, 301, 300], 2)] {
            let mut b = Builder::new("narrow");
            let [x, w] = [[m, k], [k, n]].map(|dims| b.param(Type::tensor(dtype, dims), ""));
            let p = b.one(DotGeneral::matmul(0, F32), &[x, w]).unwrap();
            let y = b.neg(p).unwrap();
            let program = b.finish(&[y]).unwrap();
            contracts(&format!("{dtype} {m} {n} {k}"), &program, 0.0, 1, all);
        }
    }
}

/// How an operand of a product is stored, and made of what is stored.
#[derive(Clone, Copy, Debug)]
enum Stored {
    As(DType),
    /// Integers with a scale for each position of the last axis.
    Scaled(DType),
    /// Integers with a scale for each position of the first axis.
    ScaledRows(DType),
    /// The sum of two arrays.
    Sum,
    /// A part of an array.
    Part,
}

impl Stored {
    fn types(self, dims: &[usize], to: DType) -> Vec<Type> {
        let ty = |dtype, dims: &[usize]| Type::tensor(dtype, dims.iter().copied());
        match self {
            Stored::As(dtype) => vec![ty(dtype, dims)],
            Stored::Scaled(dtype) => vec![ty(dtype, dims), ty(to, &dims[dims.len() - 1..])],
            Stored::ScaledRows(dtype) => vec![ty(dtype, dims), ty(to, &dims[..1])],
            Stored::Sum => vec![ty(to, dims), ty(to, dims)],
            Stored::Part => {
                let wider: Vec<usize> = dims.iter().map(|extent| extent + 3).collect();
                vec![ty(DType::F16, &wider)]
            }
        }
    }

    fn make(self, b: &mut Builder, x: &[Value], to: DType) -> Value {
        let dims = b.ty(x[0]).dims();
        let axis = match self {
            Stored::As(_) => return b.convert(x[0], to).unwrap(),
            Stored::Sum => return b.add(x[0], x[1]).unwrap(),
            Stored::Part => {
                let starts: Vec<usize> = dims.iter().map(|_| 2).collect();
                let limits: Vec<usize> = dims.iter().map(|extent| extent - 1).collect();
                let part = b.slice(x[0], &starts, &limits).unwrap();
                return b.convert(part, to).unwrap();
            }
            Stored::Scaled(_) => dims.len() - 1,
            Stored::ScaledRows(_) => 0,
        };
        let wide = b.convert(x[0], to).unwrap();
        let scale = b.broadcast_in_dim(x[1], &dims, &[axis]).unwrap();
        b.mul(wide, scale).unwrap()
    }
}

/// A product of which one operand is made, with or without a function behind it. `turned` has the made operand's contracted axis
/// where its free one would be.
fn made(
    stored: Stored,
    to: DType,
    [batch, m, n, k]: [usize; 4],
    [left, turned, followed]: [bool; 3],
) -> Program {
    let mut b = Builder::new("made");
    let stack = (batch > 1).then_some(batch);
    let dims = |rows: usize, cols: usize| stack.into_iter().chain([rows, cols]).collect::<Vec<usize>>();
    let (own, other) = match (left, turned) {
        (false, false) => (dims(k, n), dims(m, k)),
        (false, true) => (dims(n, k), dims(m, k)),
        (true, false) => (dims(m, k), dims(k, n)),
        (true, true) => (dims(k, m), dims(k, n)),
    };
    let params: Vec<Value> = stored.types(&own, to).into_iter().map(|ty| b.param(ty, "")).collect();
    let other = b.param(Type::tensor(to, other), "");
    let made = stored.make(&mut b, &params, to);
    let first = usize::from(batch > 1);
    let axes: Axes = (0..first).collect();
    let dot = DotGeneral {
        lhs_batch: axes.clone(),
        rhs_batch: axes,
        lhs_contract: Axes::from_slice(&[if left && turned { first } else { first + 1 }]),
        rhs_contract: Axes::from_slice(&[if !left && turned { first + 1 } else { first }]),
        out: to,
    };
    let p = if left { b.one(dot, &[made, other]) } else { b.one(dot, &[other, made]) }.unwrap();
    let result = if followed { b.neg(p).unwrap() } else { p };
    b.finish(&[result]).unwrap()
}

#[test]
fn operands_are_made_as_products_read_them() {
    use Stored::{As, Part, Scaled, ScaledRows, Sum};
    let half = [As(DType::F16), As(DType::BF16), Sum, Part];
    let whole = [As(DType::I32), Scaled(DType::I8), ScaledRows(DType::U8)];
    let kinds = half.map(|s| (s, F32)).into_iter().chain(whole.map(|s| (s, F32)));
    let kinds = kinds.chain([(As(F32), DType::BF16), (As(F32), DType::F64), (As(DType::I8), DType::F16)]);
    // Few rows, streamed; rows that a task has alone; and many. None a multiple of a panel's.
    let sizes =
        [[1, 1, 1201, 60], [1, 3, 130, 1030], [1, 20, 570, 259], [2, 9, 300, 270], [1, 120, 290, 517]];
    for (number, (stored, to)) in kinds.enumerate() {
        for (which, &[batch, m, n, k]) in sizes.iter().enumerate() {
            let turned = (number + which).is_multiple_of(2);
            let followed = !(number + which).is_multiple_of(3);
            let program = made(stored, to, [batch, m, n, k], [false, turned, followed]);
            let name = format!(
                "{stored:?} as {to}, {batch} x {m} x {n} x {k}, turned {turned}, followed {followed}"
            );
            contracts(&name, &program, 0.0, 1, 1);
        }
    }
}

/// Groups of no, few and many rows, of which the last may be cut off, and rows behind all groups.
const GROUPS: [(usize, &[i32]); 5] = [
    (1, &[0, 0, 1, 0]),
    (9, &[0, 3, 0, 5]),
    (70, &[1, 2, 0, 17, 4, 33, 8]),
    (40, &[16, 0, 3, 30]),
    (5, &[1, -2, 1, 1, 1, 0, 0]),
];

/// The matrices of groups of rows are made group by group, with the bits that they have in memory.
#[test]
fn matrices_of_groups_of_rows_are_made_as_they_are_read() {
    use Stored::{As, Scaled, Sum};
    let kinds = [
        (Scaled(DType::I8), F32),
        (Scaled(DType::I8), DType::BF16),
        (As(F32), DType::BF16),
        (As(DType::F8E4M3FN), DType::F16),
        (Sum, DType::F64),
        (Sum, DType::I8),
    ];
    for (number, (stored, to)) in kinds.into_iter().enumerate() {
        for (which, (rows, sizes)) in GROUPS.into_iter().enumerate() {
            for ([n, k], lie) in [
                ([320, 256], GroupMatrices::Plain),
                ([301, 134], GroupMatrices::Plain),
                ([320, 256], GroupMatrices::Transposed),
                ([301, 135], GroupMatrices::Transposed),
            ] {
                let groups = sizes.len();
                let dims = if lie == GroupMatrices::Plain { [groups, k, n] } else { [groups, n, k] };
                let mut b = Builder::new("made");
                let parts: Vec<Value> =
                    stored.types(&dims, to).into_iter().map(|ty| b.param(ty, "")).collect();
                let x = b.param(Type::tensor(to, [rows, k]), "x");
                let sizes_of = b.param(Type::tensor(DType::I32, [groups]), "sizes");
                let made = stored.make(&mut b, &parts, to);
                let wide = if to == DType::I8 { DType::I32 } else { F32 };
                let out = if (number + which).is_multiple_of(2) || to.size() > 2 { to } else { wide };
                let product = RaggedDot { kind: RaggedKind::Rows(lie), out };
                let y = b.one(product, &[x, made, sizes_of]).unwrap();
                let program = b.finish(&[y]).unwrap();
                let name = format!("{stored:?} as {to}, {lie:?}, {rows} x {n} x {k} in {sizes:?}");
                let mut args = arguments(&program);
                *args.last_mut().unwrap() = Literal::from_slice(&[groups], sizes).unwrap();
                check(&name, &program, &args, 0.0);
                let steps = steps(&program);
                let kinds: Vec<&str> = steps.iter().map(|label| label.kind).collect();
                assert_eq!(kinds, ["jarrah.ragged_dot + kernel"], "{name}");
                assert!(steps[0].what.ends_with("-> jarrah.ragged_dot") && steps[0].way == Way::Product);
            }
        }
    }
}

/// Sums of parts of the rows of each group's matrix have scales, which lie in memory or are made; in parts of a length for which there are no such sums
/// the matrices do.
#[test]
fn sums_of_parts_of_groups_of_rows_have_scales() {
    use Stored::{As, Scaled};
    let kinds = [(Scaled(DType::I8), DType::BF16), (As(DType::I8), F32), (As(DType::BF16), DType::F16)];
    for (number, (stored, to)) in kinds.into_iter().enumerate() {
        for (which, (rows, sizes)) in GROUPS.into_iter().enumerate() {
            for ([n, k], each) in [([320, 256], 32), ([301, 136], 8), ([64, 512], 128), ([40, 24], 12)] {
                let lie =
                    if (number + which) % 3 == 2 { GroupMatrices::Transposed } else { GroupMatrices::Plain };
                let groups = sizes.len();
                let dims = if lie == GroupMatrices::Plain { [groups, k, n] } else { [groups, n, k] };
                let mut b = Builder::new("scaled");
                let parts: Vec<Value> =
                    stored.types(&dims, to).into_iter().map(|ty| b.param(ty, "")).collect();
                let of_scales = if which % 2 == 0 { F32 } else { DType::BF16 };
                let scales = b.param(Type::tensor(of_scales, [groups, k / each, n]), "scales");
                let x = b.param(Type::tensor(to, [rows, k]), "x");
                let sizes_of = b.param(Type::tensor(DType::I32, [groups]), "sizes");
                let made = stored.make(&mut b, &parts, to);
                let scales = b.convert(scales, F32).unwrap();
                let product = RaggedDot { kind: RaggedKind::Rows(lie), out: F32 };
                let y = b.one(product, &[x, made, sizes_of, scales]).unwrap();
                let program = b.finish(&[y]).unwrap();
                let name = format!("{stored:?} as {to}, {lie:?}, {rows} x {n} x {k} by {each} in {sizes:?}");
                let mut args = arguments(&program);
                *args.last_mut().unwrap() = Literal::from_slice(&[groups], sizes).unwrap();
                check(&name, &program, &args, 0.0);
                if each != 12 && n * k > 1 << 15 {
                    let steps = steps(&program);
                    let kinds: Vec<&str> = steps.iter().map(|label| label.kind).collect();
                    assert_eq!(kinds, ["jarrah.ragged_dot + kernel"], "{name}");
                }
            }
        }
    }
}

/// Nothing of another group enters a product of groups of rows with scales, in parts of any length: no infinity, and no order of sums.
#[test]
fn scales_and_matrices_of_other_groups_do_not_enter() {
    for (dtype, each) in [(F32, 8), (F32, 12), (F32, 256), (DType::F64, 32), (DType::BF16, 24)] {
        let sum = dtype.accumulator();
        let (k, n) = (each * 3, 5);
        let product = |groups: usize, sizes: &[i32]| {
            let mut b = Builder::new("scaled");
            let x = b.param(Type::tensor(dtype, [2, k]), "x");
            let w = b.param(Type::tensor(dtype, [groups, k, n]), "w");
            let sizes_of = b.param(Type::tensor(DType::I32, [groups]), "sizes");
            let scales = b.param(Type::tensor(sum, [groups, 3, n]), "scales");
            let product = RaggedDot { kind: RaggedKind::Rows(GroupMatrices::Plain), out: sum };
            let y = b.one(product, &[x, w, sizes_of, scales]).unwrap();
            let program = b.finish(&[y]).unwrap();
            let part = |of: &Literal, copies: usize, fill: f64| {
                let ty = of.ty().with_dims([of.dims()[0] * copies, of.dims()[1], of.dims()[2]]);
                let other = Literal::from_f64s(of.ty(), &vec![fill; of.len()]).unwrap();
                let mut bytes = other.bytes().repeat(copies);
                let start = (copies - 1) * of.bytes().len();
                bytes[start..].copy_from_slice(of.bytes());
                Literal::from_bytes(ty, &bytes).unwrap()
            };
            let w = numbers(dtype, &[1, k, n], 2);
            let scales = numbers(sum, &[1, 3, n], 3);
            let args = [
                numbers(dtype, &[2, k], 1),
                part(&w, groups, f64::INFINITY),
                Literal::from_slice(&[groups], sizes).unwrap(),
                part(&scales, groups, f64::NAN),
            ];
            check(&format!("{dtype} by {each}, {groups} groups"), &program, &args, 0.0)
        };
        // The last group's rows are the same alone and behind two groups of none.
        assert_eq!(product(1, &[2]), product(3, &[0, 0, 2]), "{dtype} by {each}");
    }
}

/// A loop behind a product of groups of rows runs by itself, and so does one that makes the rows or the sizes.
#[test]
fn what_groups_of_rows_are_made_of_stands_before_their_product() {
    let mut b = Builder::new("grouped");
    let types = [(DType::BF16, &[600, 200][..]), (DType::I8, &[3, 200, 300]), (DType::I64, &[3])];
    let [x, w, sizes] = types.map(|(dtype, dims)| b.param(Type::tensor(dtype, dims.iter().copied()), ""));
    let [x, w] = [x, w].map(|v| b.convert(v, F32).unwrap());
    let sizes = b.convert(sizes, DType::I32).unwrap();
    let product = RaggedDot { kind: RaggedKind::Rows(GroupMatrices::Plain), out: F32 };
    let y = b.one(product, &[x, w, sizes]).unwrap();
    let y = b.neg(y).unwrap();
    let program = b.finish(&[y]).unwrap();
    let mut args = arguments(&program);
    args[2] = Literal::from_slice(&[3], &[250i64, 0, 300]).unwrap();
    check("loops around", &program, &args, 0.0);
    let steps = steps(&program);
    let kinds: Vec<&str> = steps.iter().map(|label| label.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "jarrah.ragged_dot + kernel").count(), 1, "{kinds:?}");
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

/// Two numbers of four bits to a byte, in rows next to one another: `(code - 8) scale`, with a scale for each column of every `group` rows.
fn nibbles(to: DType, [batch, m, n, k]: [usize; 4], group: usize) -> Program {
    let mut b = Builder::new("nibbles");
    let stack = (batch > 1).then_some(batch);
    let dims = |rest: &[usize]| stack.into_iter().chain(rest.iter().copied()).collect::<Vec<usize>>();
    let codes = b.param(Type::tensor(DType::U8, dims(&[k / 2, n])), "codes");
    let scales = b.param(Type::tensor(to, dims(&[k / group, n])), "scales");
    let x = b.param(Type::tensor(to, dims(&[m, k])), "x");
    let first = usize::from(batch > 1);
    let axes: Vec<usize> = (0..first).chain([first, first + 2]).collect();
    let pairs = Type::tensor(DType::U8, dims(&[k / 2, 2, n]));
    let codes = b.broadcast_in_dim(codes, &pairs.dims(), &axes).unwrap();
    let (which, four) = (b.iota(pairs, first + 1).unwrap(), b.full(pairs, 4.0).unwrap());
    let by = b.mul(which, four).unwrap();
    let codes = b.binary(ElementwiseKind::ShiftRightLogical, codes, by).unwrap();
    let low = b.full(pairs, 15.0).unwrap();
    let codes = b.binary(ElementwiseKind::And, codes, low).unwrap();
    let codes = b.convert(codes, to).unwrap();
    let eight = b.full(pairs.with_dtype(to), 8.0).unwrap();
    let codes = b.sub(codes, eight).unwrap();
    let groups = dims(&[k / group, group, n]);
    let codes = b.reshape(codes, &groups).unwrap();
    let scales = b.broadcast_in_dim(scales, &groups, &axes).unwrap();
    let w = b.mul(codes, scales).unwrap();
    let w = b.reshape(w, &dims(&[k, n])).unwrap();
    let p = b.one(DotGeneral::matmul(first, to), &[x, w]).unwrap();
    b.finish(&[p]).unwrap()
}

#[test]
fn packed_weights_are_made_for_any_number_of_rows() {
    for to in [F32, DType::BF16, DType::F16] {
        for (which, m) in [1, 2, 5, 8, 13, 16, 17, 40].into_iter().enumerate() {
            let batch = 1 + which % 2;
            // Rows of calls begin where groups do, and in the middle of one; the last size leaves rows over.
            for ([n, k], group) in [([1201, 192], 32), ([330, 520], 4), ([700, 396], 12), ([640, 250], 2)] {
                let program = nibbles(to, [batch, m, n, k], group);
                contracts(&format!("{to}, {batch} x {m} x {n} x {k} by {group}"), &program, 0.0, 1, 1);
            }
        }
    }
}

#[test]
fn operands_on_the_left_are_made_for_many_columns() {
    for (batch, turned) in [(1, false), (1, true), (2, false), (2, true)] {
        for [m, n, k] in [[130, 401, 300], [700, 330, 67]] {
            let program = made(Stored::As(DType::BF16), F32, [batch, m, n, k], [true, turned, true]);
            contracts(&format!("{batch} {m} {n} {k} {turned}"), &program, 0.0, 1, 1);
        }
    }
    // For few columns, making the operand would take longer than the product.
    let few = made(Stored::As(DType::BF16), F32, [1, 700, 30, 67], [true, false, true]);
    contracts("few columns", &few, 0.0, 1, 2);
}

/// One array in two products; on both sides of one; and where something else reads it, so that it is in memory.
#[test]
fn operands_are_made_by_each_product_that_reads_them() {
    let convert = |b: &mut Builder, x: Value| b.convert(x, DType::F64).unwrap();
    let twice = program(F32, &[&[150, 300], &[20, 150], &[20, 300]], |b, x| {
        let w = convert(b, x[0]);
        let [y, z] = [x[1], x[2]].map(|v| convert(b, v));
        let back = DotGeneral { rhs_contract: Axes::from_slice(&[1]), ..DotGeneral::matmul(0, DType::F64) };
        vec![dot(b, y, w), b.one(back, &[z, w]).unwrap()]
    });
    contracts("in two products", &twice, 0.0, 2, 4);
    let square = program(F32, &[&[200, 400]], |b, x| {
        let w = convert(b, x[0]);
        let square = DotGeneral { rhs_contract: Axes::from_slice(&[1]), ..DotGeneral::matmul(0, DType::F64) };
        vec![b.one(square, &[w, w]).unwrap()]
    });
    contracts("on both sides", &square, 0.0, 1, 1);
    let read = program(F32, &[&[150, 300], &[20, 150]], |b, x| {
        let w = convert(b, x[0]);
        let y = convert(b, x[1]);
        vec![dot(b, y, w), w]
    });
    contracts("a result", &read, 0.0, 0, 3);
}

/// A parameter that is given up for a result is read before that is written, not with the product.
#[test]
fn what_is_given_up_is_read_before_the_product() {
    let step = program(F32, &[&[150, 300], &[20, 140], &[150, 8], &[8, 300]], |b, x| {
        let w = b.slice(x[0], &[10, 0], &[150, 300]).unwrap();
        let w = b.convert(w, DType::F64).unwrap();
        let q = dot(b, x[2], x[3]);
        let next = b.add(x[0], q).unwrap();
        let y = b.convert(x[1], DType::F64).unwrap();
        // The product comes after the update: it reads a number of it.
        let first = b.slice(next, &[0, 0], &[20, 140]).unwrap();
        let first = b.convert(first, DType::F64).unwrap();
        let y = b.add(y, first).unwrap();
        vec![next, dot(b, y, w)]
    });
    let client = CpuClient::with_threads(2);
    let aliases = vec![Alias { parameter: 0, result: Some(0), must: true }];
    let compiled = client.compile(&step, &CompileOptions { aliases, ..CompileOptions::default() }).unwrap();
    let mut args = arguments(&step).into_iter().map(|a| client.upload(&a).unwrap());
    let first = Arg::Donate(args.next().unwrap());
    let args = std::iter::once(first).chain(args.map(Arg::Borrow)).collect();
    let ran = compiled.execute(vec![args], &ExecuteOptions::default()).unwrap();
    let expected = jarrah_hlo_eval::evaluate(&step, &arguments(&step)).unwrap();
    for (result, expected) in ran.results[0].iter().zip(expected) {
        assert_eq!(result.read().unwrap(), expected);
    }
}
