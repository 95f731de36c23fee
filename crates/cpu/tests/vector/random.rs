//! Random kernels: every tier, instruction set and number of threads gives the interpreter's bits.

use jarrah_base::DType;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_tile::{
    Axis, Binary, Class, Direction, Inst, LoopBuilder, LoopKernel, LoopReducer, Reg, ScalarBits, Unary,
};

use super::{Bytes, canonical, elementwise::samples, outputs};

/// Numbers of a linear congruential generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

const UNARY: &[Unary] = &[
    Unary::Abs,
    Unary::Negate,
    Unary::Sign,
    Unary::Floor,
    Unary::Ceil,
    Unary::RoundNearestEven,
    Unary::RoundNearestAfz,
    Unary::Exponential,
    Unary::ExponentialMinusOne,
    Unary::Log,
    Unary::LogPlusOne,
    Unary::Logistic,
    Unary::Tanh,
    Unary::Sqrt,
    Unary::Rsqrt,
    Unary::Cbrt,
    Unary::Sine,
    Unary::Cosine,
    Unary::Tan,
    Unary::Erf,
    Unary::ErfInv,
    Unary::Not,
    Unary::IsFinite,
    Unary::Popcnt,
    Unary::CountLeadingZeros,
];

const BINARY: &[Binary] = &[
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Maximum,
    Binary::Minimum,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::ShiftLeft,
    Binary::ShiftRightArithmetic,
    Binary::ShiftRightLogical,
    Binary::Remainder,
    Binary::Power,
    Binary::Atan2,
];

/// What the kernel's registers are so far.
struct Writer<'a> {
    random: &'a mut Random,
    kernel: LoopKernel,
    types: Vec<(DType, Class)>,
}

impl Writer<'_> {
    /// Appends an instruction if the kernel stays valid.
    fn try_push(&mut self, inst: Inst) -> Option<Reg> {
        let mut longer = self.kernel.clone();
        longer.body.push(inst);
        let types = longer.verify().ok()?;
        (self.kernel, self.types) = (longer, types);
        Some(Reg(self.kernel.body.len() as u32 - 1))
    }

    fn any(&mut self, accept: impl Fn(DType, Class) -> bool) -> Option<Reg> {
        let found: Vec<usize> =
            (0..self.types.len()).filter(|&i| accept(self.types[i].0, self.types[i].1)).collect();
        // Recent values more often, so that chains grow.
        let n = found.len();
        (n > 0).then(|| {
            let pick = if self.random.below(2) == 0 {
                n - 1 - self.random.below(n.min(3))
            } else {
                self.random.below(n)
            };
            Reg(found[pick] as u32)
        })
    }

    fn step(&mut self, dtypes: &[DType], folds: bool) {
        let dtype = self.random.of(dtypes);
        let x = self.any(|d, _| d == dtype);
        let choice = self.random.below(14);
        let inst = match (choice, x) {
            (0..=2, Some(x)) => Some(Inst::Unary(self.random.of(UNARY), x)),
            (3..=6, Some(x)) => {
                let y = self.any(|d, _| d == dtype);
                let f = self.random.of(BINARY);
                y.map(|y| Inst::Binary(f, x, y))
            }
            (7, Some(x)) => {
                let y = self.any(|d, _| d == dtype);
                // The total order would show the payloads of NaNs.
                let direction = self.random.of(Direction::ALL);
                y.map(|y| Inst::Compare { direction, total: false, x, y })
            }
            (8, Some(x)) => {
                let (pred, y) = (self.any(|d, _| d == DType::Bool), self.any(|d, _| d == dtype));
                pred.zip(y).map(|(pred, y)| Inst::Select { pred, on_true: x, on_false: y })
            }
            (9, Some(x)) => Some(Inst::Convert(self.random.of(dtypes), x)),
            (10, Some(x)) if folds => Some(Inst::Reduce(self.random.of(LoopReducer::ALL), x)),
            (13, Some(x)) if folds => Some(Inst::ArgReduce { max: self.random.below(2) == 0, x }),
            (12, Some(x)) if folds => {
                let index = self.any(|d, c| d == DType::I32 && matches!(c, Class::Row | Class::Scalar));
                index.map(|index| Inst::Pick { x, index })
            }
            (11, _) => {
                let bits = [0x3f00_0000, 0x4040_0000, 0xbf80_0000, 0, 5][self.random.below(5)];
                Some(Inst::Const(match dtype {
                    DType::F32 | DType::I32 | DType::U32 => ScalarBits { dtype, bits },
                    d => ScalarBits::from_f64(d, 2.0),
                }))
            }
            _ => None,
        };
        if let Some(inst) = inst {
            self.try_push(inst);
        }
    }
}

/// A kernel over rows, with its inputs; outputs may be given inputs' maps.
pub fn rows(
    random: &mut Random,
    dtypes: &[DType],
    folds: bool,
    cols: usize,
) -> Option<(LoopKernel, Vec<Bytes>)> {
    let outer = [1, 1, 2, 3, 7, 20][random.below(6)];
    let inputs = 1 + random.below(3);
    let mut b = LoopBuilder::new(&[outer], cols);
    let mut data = Vec::new();
    for i in 0..inputs {
        let dtype = if i == 0 { dtypes[0] } else { random.of(dtypes) };
        let (offset, pitch) = (random.below(3) as i64, cols as i64 + random.below(2) as i64 * 3);
        let input = b.input(dtype);
        match random.below(if i == 0 { 1 } else { 6 }) {
            0 | 1 => b.load(input, offset, &[pitch], 1),
            2 => b.load(input, offset, &[0], 1),
            3 => b.load(input, offset, &[1], 0),
            4 => b.load(input, offset + pitch - 1, &[pitch], -1),
            _ => b.load(input, offset, &[1], outer as i64),
        };
        data.push(samples(dtype, outer * (cols + 3) + 4, random.below(1000) as u64));
    }
    if random.below(4) == 0 {
        b.iota(random.of(&[Axis::Cols, Axis::Row(0)]), random.of(&[DType::I32, DType::F32]));
    }
    let kernel = b.finish().ok()?;
    let types = kernel.verify().ok()?;
    let mut w = Writer { random, kernel, types };
    for _ in 0..3 + w.random.below(22) {
        w.step(dtypes, folds);
    }
    // The last values are stored, so that what leads to them is alive.
    let n = w.kernel.body.len();
    let mut kernel = w.kernel;
    for i in (n.saturating_sub(3)..n).rev() {
        let (dtype, class) = w.types[i];
        if matches!(kernel.body[i], Inst::Const(_)) && !kernel.outputs.is_empty() {
            continue;
        }
        let per_row = matches!(class, Class::Row | Class::Scalar) && w.random.below(2) == 0;
        kernel.outputs.push(dtype);
        let output = kernel.outputs.len() - 1;
        let offset = w.random.below(2) as i64;
        let (outer, last) = (kernel.outer[0] as i64, cols as i64 - 1);
        let (offset, rows, col) = match (per_row, w.random.below(5)) {
            (true, _) => (offset, vec![1], 0),
            (_, 0) => (offset, vec![1], outer),
            (_, 1) => (offset + last, vec![cols as i64], -1),
            _ => (offset, vec![cols as i64], 1),
        };
        kernel.stores.push(jarrah_tile::Store {
            output,
            map: jarrah_tile::Map { offset, rows, col },
            value: Reg(i as u32),
        });
    }
    kernel.verify().ok()?;
    Some((kernel, data))
}

/// Runs with outputs apart from the inputs, or in their places.
fn run(
    plan: &Plan,
    kernel: &LoopKernel,
    inputs: &[Bytes],
    pool: &ThreadPool,
    places: &[Option<usize>],
) -> Vec<Bytes> {
    let mut ins = inputs.to_vec();
    let mut outs = outputs(kernel);
    let in_pointers: Vec<*mut u8> = ins.iter_mut().map(|b| b.as_mut_ptr().cast()).collect();
    let out_pointers: Vec<*mut u8> = (outs.iter_mut().zip(places))
        .map(|(b, place)| place.map_or(b.as_mut_ptr().cast(), |i| in_pointers[i]))
        .collect();
    let reads: Vec<*const u8> = in_pointers.iter().map(|p| p.cast_const()).collect();
    // SAFETY: inputs are sized for their maps, outputs for the stores; an output lies on an input of its own map only.
    unsafe { plan.run(pool, &reads, &out_pointers) };
    for (out, place) in outs.iter_mut().zip(places) {
        if let Some(i) = place {
            let words = out.len();
            out.copy_from_slice(&ins[*i][..words]);
        }
    }
    outs
}

/// For each output the input that it may lie on: of its type and map, and read by that map only.
fn places(kernel: &LoopKernel) -> Vec<Option<usize>> {
    let mut taken = vec![false; kernel.inputs.len()];
    (kernel.stores.iter())
        .map(|s| {
            let loads = |i: usize| {
                kernel.body.iter().filter_map(move |inst| match inst {
                    Inst::Load { input, map, class } if *input == i => Some((map, class)),
                    _ => None,
                })
            };
            let fits = |i: usize| {
                kernel.inputs[i] == kernel.outputs[s.output]
                    && loads(i).all(|(map, class)| *map == s.map && *class == Class::Full)
            };
            let i = (0..kernel.inputs.len()).find(|&i| !taken[i] && fits(i))?;
            taken[i] = true;
            Some(i)
        })
        .collect()
}

fn check(kernel: &LoopKernel, inputs: &[Bytes], what: &str) -> bool {
    let pools = [1, 2, 7].map(ThreadPool::new);
    let apart: Vec<Option<usize>> = vec![None; kernel.outputs.len()];
    let in_place = places(kernel);
    let plan = Plan::with(kernel, Isa::detect(), Tier::Interpreter, 2048).unwrap();
    let mut want = run(&plan, kernel, inputs, &pools[0], &apart);
    canonical(kernel, &mut want);
    let mut native = false;
    for &isa in Isa::available() {
        for &tier in Tier::available(isa) {
            for tile in [64, 2048] {
                let plan = Plan::with(kernel, isa, tier, tile).unwrap();
                native |= plan.assembly().is_some();
                for pool in &pools {
                    for places in [&apart, &in_place] {
                        let mut got = run(&plan, kernel, inputs, pool, places);
                        if places.iter().any(Option::is_some) {
                            // What no store reaches is the input's.
                            for (k, (g, w)) in
                                got.iter_mut().zip(&want).enumerate().filter(|(k, _)| places[*k].is_some())
                            {
                                blank(kernel, k, g, w);
                            }
                        }
                        canonical(kernel, &mut got);
                        assert!(
                            got == want,
                            "{what}: {isa:?} {tier:?}, tiles of {tile}, {} threads differ on\n{kernel}\n{}",
                            pool.threads(),
                            difference(kernel, inputs, &got, &want)
                        );
                    }
                }
            }
        }
    }
    native
}

/// Elements outside of the stores' reach are taken from `like`.
fn blank(kernel: &LoopKernel, output: usize, out: &mut Bytes, like: &Bytes) {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(out);
    let like: &[u8] = bytemuck::cast_slice(like);
    let mut reached = vec![false; bytes.len()];
    for s in kernel.stores.iter().filter(|s| s.output == output) {
        let size = kernel.outputs[s.output].size();
        for r in 0..kernel.outer[0] {
            for c in 0..kernel.cols {
                let at = (s.map.offset + s.map.rows[0] * r as i64 + s.map.col * c as i64) as usize * size;
                if at + size <= reached.len() {
                    reached[at..at + size].fill(true);
                }
            }
        }
    }
    for ((b, l), _) in bytes.iter_mut().zip(like).zip(reached).filter(|(_, r)| !r) {
        *b = *l;
    }
}

fn difference(kernel: &LoopKernel, inputs: &[Bytes], got: &[Bytes], want: &[Bytes]) -> String {
    use super::reference::get;
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        let d = kernel.outputs[k];
        for i in 0..g.len() * 8 / d.size() {
            if super::reference::encode(d, get(g, d, i)) != super::reference::encode(d, get(w, d, i)) {
                let of: Vec<_> = (inputs.iter().zip(&kernel.inputs))
                    .map(|(b, &d)| {
                        if i < b.len() * 8 / d.size() { format!("{:?}", get(b, d, i)) } else { String::new() }
                    })
                    .collect();
                return format!("output {k} at {i}: {:?}, not {:?}, of {of:?}", get(g, d, i), get(w, d, i));
            }
        }
    }
    String::new()
}

fn many(count: usize, seed: u64, dtypes: &[DType], folds: bool, lengths: &[usize]) {
    let mut random = Random(seed);
    let (mut ran, mut native) = (0, 0);
    for n in 0..count {
        let cols = if random.below(3) == 0 { random.of(lengths) } else { 1 + random.below(67) };
        let Some((kernel, inputs)) = rows(&mut random, dtypes, folds, cols) else { continue };
        ran += 1;
        native += usize::from(check(&kernel, &inputs, &format!("kernel {n} of {seed}")));
    }
    assert!(ran * 10 >= count * 9, "{ran} of {count} kernels are valid");
    let has = Isa::available().iter().any(|&isa| Tier::available(isa).contains(&Tier::Native));
    assert!(!has || native * 2 > ran, "{native} of {ran} kernels have machine code");
}

#[test]
fn elementwise_floats() {
    many(150, 1, &[DType::F32, DType::F32, DType::I32], false, &[128, 1000, 5000]);
}

#[test]
fn folds_of_floats() {
    many(150, 2, &[DType::F32, DType::F32, DType::I32], true, &[256, 1000, 4096, 5000, 9000]);
}

#[test]
fn narrow_and_wide_types() {
    let all = [
        DType::BF16,
        DType::F32,
        DType::F16,
        DType::F64,
        DType::I8,
        DType::U8,
        DType::I16,
        DType::I64,
        DType::U32,
        DType::Bool,
    ];
    many(150, 3, &all, true, &[256, 1000, 5000]);
}

/// A kernel that folds rows into columns.
fn columns(
    random: &mut Random,
    dtypes: &[DType],
    reduced: usize,
    cols: usize,
) -> Option<(LoopKernel, Vec<Bytes>)> {
    let mut b = LoopBuilder::column(&[2], &[reduced], cols);
    let mut data = Vec::new();
    for i in 0..1 + random.below(3) {
        let dtype = if i == 0 { dtypes[0] } else { random.of(dtypes) };
        let input = b.input(dtype);
        let (all, pitch) = ((cols * reduced) as i64, cols as i64);
        match random.below(if i == 0 { 1 } else { 3 }) {
            0 => b.load(input, 1, &[all, pitch], 1),
            1 => b.load(input, 0, &[0, 0], 1),
            _ => b.load(input, 0, &[1, 1], 0),
        };
        data.push(samples(dtype, 2 * cols * reduced + 2, random.below(1000) as u64));
    }
    let kernel = b.finish().ok()?;
    let types = kernel.verify().ok()?;
    let mut w = Writer { random, kernel, types };
    for _ in 0..w.random.below(8) {
        w.step(dtypes, false);
    }
    for _ in 0..1 + w.random.below(3) {
        let x = w.any(|_, c| c == Class::Full)?;
        let f = w.random.of(&[LoopReducer::Add, LoopReducer::Maximum, LoopReducer::Minimum]);
        w.try_push(Inst::Reduce(f, x));
    }
    let is_result = |t: &(DType, Class)| t.1 == Class::Col;
    for _ in 0..w.random.below(3) {
        let x = w.any(|d, c| d == DType::F32 && c == Class::Col);
        let f = w.random.of(&[Unary::Sqrt, Unary::Abs, Unary::Tanh]);
        x.and_then(|x| w.try_push(Inst::Unary(f, x)));
    }
    let mut kernel = w.kernel;
    for i in (0..kernel.body.len()).filter(|&i| is_result(&w.types[i])) {
        kernel.outputs.push(w.types[i].0);
        let (output, rows) = (kernel.outputs.len() - 1, vec![cols as i64, 0]);
        kernel.stores.push(jarrah_tile::Store {
            output,
            map: jarrah_tile::Map { offset: 0, rows, col: 1 },
            value: Reg(i as u32),
        });
    }
    kernel.verify().ok()?;
    Some((kernel, data))
}

#[test]
fn folds_into_columns() {
    let mut random = Random(5);
    let (mut ran, mut native) = (0, 0);
    for n in 0..100 {
        let dtypes: &[DType] = random.of(&[
            &[DType::F32, DType::F32, DType::I32][..],
            &[DType::BF16, DType::F32, DType::F64],
            &[DType::F64, DType::I64, DType::F32],
            &[DType::I8, DType::Bool, DType::U16],
        ]);
        let (reduced, cols) = (random.of(&[1, 15, 16, 17, 100, 4097]), 1 + random.below(67));
        let Some((kernel, inputs)) = columns(&mut random, dtypes, reduced, cols) else { continue };
        ran += 1;
        native += usize::from(check(&kernel, &inputs, &format!("columns {n}")));
    }
    let has = Isa::available().iter().any(|&isa| Tier::available(isa).contains(&Tier::Native));
    assert!(ran > 50 && (!has || native * 2 > ran), "{native} of {ran} kernels have machine code");
}

#[test]
fn every_length() {
    let mut random = Random(4);
    for cols in 1..=67 {
        for folds in [false, true] {
            let Some((kernel, inputs)) = rows(&mut random, &[DType::F32], folds, cols) else { continue };
            check(&kernel, &inputs, &format!("{cols} columns"));
        }
    }
}
