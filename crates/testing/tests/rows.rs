//! Where a program is said to keep rows apart, rows behind do not reach those in front: by evaluator and compiled code.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_base::{DType, Dims, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Example, Op, Program, RowGrowth, Value, is_prefix};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions};
use jarrah_testing::programs::{Rng, random_literal};
use jarrah_transforms::{batch, rows};

/// Both ways to run a program.
struct Backends {
    client: CpuClient,
    rng: Rng,
}

impl Backends {
    fn new() -> Self {
        Backends { client: CpuClient::with_threads(2), rng: Rng::new(7) }
    }

    fn run(&self, program: &Program, arguments: &[Literal]) -> Option<[Vec<Literal>; 2]> {
        let evaluated = evaluate(program, arguments).ok()?;
        let executable = self.client.compile(program, &CompileOptions::default()).unwrap();
        let buffers = arguments.iter().map(|a| self.client.upload(a).unwrap()).collect();
        let compiled = executable.run(buffers).unwrap().iter().map(|b| b.read().unwrap()).collect();
        Some([evaluated, compiled])
    }

    /// A tensor that has `rows` in front, and behind them whatever.
    fn extended(&mut self, rows: &Literal, ty: Type, growth: RowGrowth) -> Literal {
        let nan = self.rng.below(2) == 0 && ty.dtype().is_differentiable();
        let rest = if nan { Literal::full(ty, f64::NAN) } else { random_literal(ty, &mut self.rng) };
        let mut whole = rest.unwrap();
        let outer: usize = rows.dims()[..growth.axis].iter().product();
        let (long, short) = (whole.bytes().len() / outer.max(1), rows.bytes().len() / outer.max(1));
        for i in 0..outer {
            whole.bytes_mut()[i * long..][..short].copy_from_slice(&rows.bytes()[i * short..][..short]);
        }
        whole
    }

    /// Checks what `rows` says of two programs; whether it says that rows are kept apart.
    fn check(
        &mut self,
        name: &str,
        [more, fewer]: [&Program; 2],
        ends: [usize; 2],
        given: &[Literal],
    ) -> bool {
        let Ok(growths) = rows(more, fewer, ends) else { return false };
        let params = more.param_types();
        let mut extended = Vec::new();
        for (literal, &ty) in given.iter().zip(&params) {
            extended.push(match RowGrowth::of([ty, literal.ty()], ends).unwrap() {
                Some(growth) => self.extended(literal, ty, growth),
                None => literal.clone(),
            });
        }
        let Some(short) = self.run(fewer, given) else { return false };
        let Some(long) = self.run(more, &extended) else { return false };
        for (backend, (long, short)) in ["the evaluator", "compiled code"].iter().zip(long.iter().zip(&short))
        {
            for (i, growth) in growths.iter().enumerate() {
                assert!(
                    is_prefix(&long[i], &short[i], *growth),
                    "{name} by {backend}: result {i}, {growth:?}, rows {ends:?}\n{more:?}\n{:?}\n{:?}",
                    long[i],
                    short[i]
                );
            }
        }
        true
    }
}

fn program(op: &Op, types: &[Type]) -> Option<Program> {
    let mut b = Builder::new("one");
    let operands: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
    let results = b.push(op.clone(), &operands).ok()?;
    b.finish(&results).ok()
}

/// The op with an extent that it holds multiplied by `more / fewer`, in each place.
fn grown(op: &Op, [more, fewer]: [usize; 2]) -> Vec<Op> {
    let mut all = vec![op.clone()];
    let scaled = |dims: &Dims| -> Vec<Dims> {
        let place = |axis: usize| {
            let mut dims = dims.clone();
            (dims[axis] > 0 && dims[axis].is_multiple_of(fewer)).then(|| {
                dims[axis] = dims[axis] / fewer * more;
                dims
            })
        };
        (0..dims.len()).filter_map(place).collect()
    };
    match op {
        Op::Reshape(op) => all.extend(scaled(&op.dims).into_iter().map(|dims| Reshape { dims }.into())),
        Op::BroadcastInDim(op) => {
            let axes = &op.axes;
            all.extend(
                scaled(&op.dims).into_iter().map(|dims| BroadcastInDim { dims, axes: axes.clone() }.into()),
            );
        }
        Op::Iota(op) => {
            let ty = |dims: Dims| op.ty.with_dims(dims);
            all.extend(scaled(&op.ty.dims()).into_iter().map(|dims| Iota { ty: ty(dims), ..**op }.into()));
        }
        Op::Slice(op) => {
            all.extend(
                scaled(&op.limits).into_iter().map(|limits| Slice { limits, ..(**op).clone() }.into()),
            );
        }
        Op::DynamicSlice(op) => {
            all.extend(scaled(&op.sizes).into_iter().map(|sizes| DynamicSlice { sizes }.into()))
        }
        Op::Gather(op) => {
            all.extend(scaled(&op.sizes).into_iter().map(|sizes| Gather { sizes, ..(**op).clone() }.into()));
        }
        Op::Pad(op) => {
            for axis in 0..op.high.len() {
                for by in 1..=2 * (more - fewer) {
                    let mut pad = (**op).clone();
                    pad.high[axis] += by as i64;
                    all.push(pad.into());
                }
            }
        }
        Op::Scan(op) if op.length.is_multiple_of(fewer) => {
            all.push(Scan { length: op.length / fewer * more, ..(**op).clone() }.into());
        }
        Op::RngBitGenerator(op) => {
            let ty = |dims: Dims| op.ty.with_dims(dims);
            let all_types = scaled(&op.ty.dims()).into_iter().map(ty);
            all.extend(all_types.map(|ty| RngBitGenerator { ty, ..(**op).clone() }.into()));
        }
        _ => {}
    }
    all
}

/// The types with extents of some axes, at most one of each, multiplied by `more / fewer`.
fn taller(types: &[Type], [more, fewer]: [usize; 2]) -> Vec<Vec<Type>> {
    let mut all = vec![Vec::new()];
    for ty in types {
        let mut choices = vec![*ty];
        for axis in (0..ty.rank()).filter(|&axis| ty.dim(axis) > 0 && ty.dim(axis).is_multiple_of(fewer)) {
            let mut dims = ty.dims();
            dims[axis] = dims[axis] / fewer * more;
            choices.push(ty.with_dims(dims));
        }
        let longer =
            |types: &Vec<Type>| choices.iter().map(|&ty| [&types[..], &[ty]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).take(3000).collect();
    }
    all
}

/// Ops that are never said to keep rows apart.
const REFUSED: [&str; 2] = ["jarrah.assert", "jarrah.custom_tangent"];

#[test]
fn rows_behind_do_not_reach_those_in_front() {
    let mut backends = Backends::new();
    let (mut kept, mut names) = (BTreeMap::<&str, usize>::new(), BTreeSet::new());
    for Example { name, op, operands } in Op::examples() {
        names.insert(op.name());
        let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
        let Some(fewer) = program(&op, &types) else { continue };
        let label = format!("{}, {name}", op.name());
        // Rows along the axes that there are.
        for few in [2, 3, 4, 5] {
            let ends = [few + 2, few];
            for op in grown(&op, ends) {
                for types in taller(&types, ends) {
                    let Some(more) = program(&op, &types) else { continue };
                    if more.param_types() == fewer.param_types()
                        && more.result_types() == fewer.result_types()
                    {
                        continue;
                    }
                    let apart = backends.check(&label, [&more, &fewer], ends, &operands);
                    *kept.entry(op.name()).or_default() += usize::from(apart);
                }
            }
        }
        // Rows along a new axis, for each operand by itself and for all.
        let count = operands.len();
        let ends = [5, 3];
        for i in 0..=count {
            let batched: Vec<bool> = (0..count).map(|k| i == count || i == k).collect();
            let force = vec![false; fewer.results().len()];
            let over = |size: usize| batch(&fewer, size, &batched, &force).map(|(program, _)| program);
            let (Ok(more), Ok(few)) = (over(ends[0]), over(ends[1])) else { continue };
            let stacked = |(literal, &batched): (&Literal, &bool)| {
                let ty = if batched { literal.ty().with_leading(ends[1]) } else { literal.ty() };
                Literal::from_bytes(ty, &literal.bytes().repeat(if batched { ends[1] } else { 1 })).unwrap()
            };
            let given: Vec<Literal> = operands.iter().zip(&batched).map(stacked).collect();
            let apart = backends.check(&format!("a batch of {label}"), [&more, &few], ends, &given);
            *kept.entry(op.name()).or_default() += usize::from(apart);
        }
    }
    let without: Vec<&str> =
        names.into_iter().filter(|name| kept.get(name).is_none_or(|&n| n == 0)).collect();
    assert_eq!(without, REFUSED);
}

#[test]
fn windows_that_cover_half_of_the_rows_are_refused() {
    let scatter = |rows: usize, part: usize| {
        let mut b = Builder::new("scatter");
        let operand = b.param(Type::tensor(DType::F32, [3, 2 * rows]), "");
        let positions = b.param(Type::tensor(DType::I32, [4]), "");
        let updates = b.param(Type::tensor(DType::F32, [4, part * rows]), "");
        let (whole, at) = (b.ty(operand), b.ty(positions));
        let scatter = Scatter::rows(whole, at, Update::Reduce(Reducer::Add));
        let result = b.one(scatter, &[operand, positions, updates]).unwrap();
        b.finish(&[result]).unwrap()
    };
    assert!(rows(&scatter(8, 2), &scatter(5, 2), [8, 5]).is_ok());
    let error = rows(&scatter(8, 1), &scatter(5, 1), [8, 5]).unwrap_err();
    assert!(error.message().contains("it writes rows by their position"), "{error}");
}

/// An extent of a random program: a number, or a multiple of the number of rows.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Extent {
    times: usize,
    rows: bool,
}

/// A random program over `rows` rows: the same for the same seed, whatever the rows.
struct Random {
    b: Builder,
    rng: Rng,
    rows: usize,
    pool: Vec<(Value, Vec<Extent>)>,
}

impl Random {
    fn program(seed: u64, rows: usize) -> Program {
        let mut b = Builder::new("random");
        let (fixed, row) = (|times| Extent { times, rows: false }, Extent { times: 1, rows: true });
        let params =
            [vec![row, fixed(4)], vec![fixed(2), Extent { times: 2, ..row }], vec![fixed(4), fixed(2)]];
        let mut pool = Vec::new();
        for dims in params {
            let ty = Type::tensor(DType::F32, Self::extents(&dims, rows));
            pool.push((b.param(ty, ""), dims));
        }
        let mut random = Random { b, rng: Rng::new(seed), rows, pool };
        let positions = random.b.param(Type::tensor(DType::I32, [rows]), "");
        for _ in 0..5 {
            let (value, dims) = random.pool[random.rng.below(random.pool.len())].clone();
            let made = random.step(value, dims, positions);
            random.pool.extend(made);
        }
        let last = random.pool[random.pool.len() - 1].0;
        random.b.finish(&[last]).unwrap()
    }

    fn extents(dims: &[Extent], rows: usize) -> Dims {
        dims.iter().map(|e| e.times * if e.rows { rows } else { 1 }).collect()
    }

    fn step(&mut self, x: Value, mut dims: Vec<Extent>, positions: Value) -> Option<(Value, Vec<Extent>)> {
        let (rank, rows) = (dims.len(), self.rows);
        let axis = self.rng.below(rank.max(1));
        let (which, pick) = (self.rng.below(17), self.rng.below(4));
        let b = &mut self.b;
        if rank == 0 && !matches!(which, 0 | 6) {
            return None;
        }
        let all: Axes = (0..rank).collect();
        let extent = b.ty(x).extents().nth(axis).unwrap_or(1);
        let made = match which {
            0 => b.unary(ElementwiseKind::Tanh, x),
            1 => {
                let alike: Vec<Value> =
                    self.pool.iter().filter(|(_, d)| *d == dims).map(|(v, _)| *v).collect();
                b.sub(x, alike[self.rng.below(alike.len())])
            }
            2 => {
                dims.remove(axis);
                b.reduce([Reducer::Add, Reducer::Max][pick % 2].clone(), x, &[axis])
            }
            3 => {
                let order: Vec<usize> = (0..rank).map(|i| (i + 1) % rank).collect();
                dims.rotate_left(1);
                b.transpose(x, &order)
            }
            4 if axis + 1 < rank && !(dims[axis].rows && dims[axis + 1].rows) => {
                let next = dims.remove(axis + 1);
                dims[axis] =
                    Extent { times: dims[axis].times * next.times, rows: dims[axis].rows || next.rows };
                b.reshape(x, &Self::extents(&dims, rows))
            }
            5 if dims[axis].times.is_multiple_of(2) => {
                dims[axis].times /= 2;
                dims.insert(axis + pick % 2, Extent { times: 2, rows: false });
                b.reshape(x, &Self::extents(&dims, rows))
            }
            6 => {
                let at = pick.min(rank);
                dims.insert(at, Extent { times: 1 + pick % 2, rows: pick < 2 });
                let axes: Vec<usize> = (0..=rank).filter(|&a| a != at).collect();
                b.broadcast_in_dim(x, &Self::extents(&dims, rows), &axes)
            }
            7 => {
                let (mut starts, mut strides) = (Dims::from_elem(0, rank), Dims::from_elem(1, rank));
                let mut limits = Self::extents(&dims, rows);
                match pick {
                    0 => (limits[axis], dims[axis]) = (1, Extent { times: 1, rows: false }),
                    1 if extent > 0 => {
                        (starts[axis], dims[axis]) = (extent - 1, Extent { times: 1, rows: false });
                    }
                    2 if dims[axis].times.is_multiple_of(2) => {
                        (strides[axis], dims[axis].times) = (2, dims[axis].times / 2)
                    }
                    _ if dims[axis].times.is_multiple_of(2) => {
                        (limits[axis], dims[axis].times) = (extent / 2, dims[axis].times / 2)
                    }
                    _ => return None,
                }
                b.one(Slice { starts, limits, strides }, &[x])
            }
            8 => {
                dims[axis].times *= 2;
                b.concatenate(&[x, x], axis)
            }
            9 => b.one(Sort { axis, stable: true, order: SortOrder::Ascending { keys: 1 } }, &[x]),
            10 => b.iota(b.ty(x), axis),
            11 => b.one(Reverse { axes: Axes::from_slice(&[axis]) }, &[x]),
            12 => {
                let (other, others) = self.pool[self.rng.below(self.pool.len())].clone();
                let to = others.iter().position(|e| *e == dims[axis])?;
                let dot = DotGeneral {
                    lhs_batch: Axes::new(),
                    rhs_batch: Axes::new(),
                    lhs_contract: Axes::from_slice(&[axis]),
                    rhs_contract: Axes::from_slice(&[to]),
                    out: DType::F32,
                };
                dims.remove(axis);
                dims.extend(others.iter().enumerate().filter(|(i, _)| *i != to).map(|(_, e)| *e));
                b.one(dot, &[x, other])
            }
            13 => {
                let gather = Gather::rows(b.ty(x), b.ty(positions)).ok()?;
                dims[0] = Extent { times: 1, rows: true };
                b.one(gather, &[x, positions])
            }
            14 => {
                let by = b.full(b.ty(x), if pick == 0 { rows as f64 } else { 3.0 }).ok()?;
                b.mul(x, by)
            }
            15 if pick == 0 => {
                let ones: Dims = all.iter().map(|&a| if a == axis { 2 } else { 1 }).collect();
                let low = all.iter().map(|&a| i64::from(a == axis)).collect();
                let window = Window {
                    strides: Dims::from_elem(1, rank),
                    low,
                    high: all.iter().map(|_| 0).collect(),
                    base_dilations: Dims::from_elem(1, rank),
                    dilations: Dims::from_elem(1, rank),
                    sizes: ones,
                };
                b.one(ReduceWindow { reducer: Reducer::Add, window }, &[x])
            }
            16 => {
                let scatter = Scatter::rows(b.ty(x), b.ty(positions), Update::Reduce(Reducer::Add));
                let mut updates = dims.clone();
                updates[0] = Extent { times: 1, rows: true };
                let updates = b.zeros(Type::tensor(DType::F32, Self::extents(&updates, rows))).ok()?;
                b.one(scatter, &[x, positions, updates])
            }
            _ => return None,
        };
        made.ok().map(|value| (value, dims))
    }
}

/// Positions in the whole operand, of which those behind the first outer part follow the number of rows.
#[test]
fn positions_across_rows_are_refused() {
    let program = |n: usize, dims: [usize; 3]| {
        let mut b = Builder::new("positions");
        let x = b.param(Type::tensor(DType::F32, dims.map(|d| if d == 0 { n } else { d })), "x");
        let op = WindowArg { select: WindowSelect::Ge, window: Window::new(&[1, 1, 2]), to: DType::I32 };
        let y = b.one(op, &[x]).unwrap();
        b.finish(&[y]).unwrap()
    };
    let look = |dims| rows(&program(20, dims), &program(19, dims), [20, 19]);
    assert!(look([0, 3, 4]).is_ok() && look([1, 0, 4]).is_ok());
    let error = look([2, 0, 4]).unwrap_err();
    assert!(error.to_string().contains("it counts positions across the rows"), "{error}");
}

/// More programs than this are for a person to ask for: `JARRAH_PROGRAMS=100000 cargo test ...`.
const PROGRAMS: u64 = 3000;

#[test]
fn random_programs_that_are_said_to_keep_rows_apart_do() {
    let count = std::env::var("JARRAH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let mut backends = Backends::new();
    let (mut kept, mut refused) = (0, 0);
    for seed in 0..count {
        let most = 8;
        let more = Random::program(seed, most);
        let Ok(growths) = rows(&more, &Random::program(seed, 5), [most, 5]) else {
            refused += 1;
            continue;
        };
        // A program that reads none of its rows says nothing.
        kept += u64::from(growths[0].is_some() && more.instrs().len() > 1);
        for n in [5, 7] {
            let fewer = Random::program(seed, n);
            let mut given = Vec::new();
            for ty in fewer.param_types() {
                given.push(random_literal(ty, &mut backends.rng).unwrap());
            }
            let apart = backends.check(&format!("seed {seed}"), [&more, &fewer], [most, n], &given);
            assert!(apart, "seed {seed}, {n} rows: it is not refused over {most} and 5 rows\n{more:?}");
        }
    }
    println!("{kept} programs keep rows apart, {refused} are refused");
    assert!(kept > count / 8 && refused > count / 8, "{kept} kept, {refused} refused");
}
