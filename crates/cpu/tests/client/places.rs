//! Padding and concatenations that kernels read through, bit for bit as the reference evaluator has them.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Concatenate, ElementwiseKind, Kernel, Pad, Reduce, Reducer};
use jarrah_hlo::{Builder, Value};
use jarrah_runtime::{Client, CompileOptions};
use smallvec::{SmallVec, smallvec};

use super::random::Draw;
use super::{check, numbers, program};

/// Draws values of one shape and dtype, some of which are put together of others.
struct Drawn {
    b: Builder,
    random: Draw,
    dtype: DType,
    /// Whether what is put together is computed in the same kernel.
    computed: bool,
    params: Vec<Type>,
}

impl Drawn {
    /// A parameter, or a function of one; sometimes numbers that no array holds.
    fn fresh(&mut self, dims: &[usize]) -> Value {
        let ty = Type::tensor(self.dtype, dims.iter().copied());
        match self.random.below(12) {
            0 => return self.b.full(ty, 2.0).unwrap(),
            1 => return self.b.iota(ty, self.random.below(dims.len())).unwrap(),
            _ => {}
        }
        self.params.push(ty);
        let x = self.b.param(ty, "");
        match self.computed && self.random.below(2) == 0 {
            true => self.function(x),
            false => x,
        }
    }

    fn function(&mut self, x: Value) -> Value {
        let kind =
            [ElementwiseKind::Negate, ElementwiseKind::Abs, ElementwiseKind::Sign][self.random.below(3)];
        self.b.unary(kind, x).unwrap()
    }

    /// Fewer positions than `extent`, and where they begin.
    fn part(&mut self, extent: usize) -> (usize, usize) {
        let count = 1 + self.random.below(extent - 1);
        (self.random.below(extent - count + 1), count)
    }

    fn padded(&mut self, dims: &[usize]) -> Value {
        let mut own = dims.to_vec();
        let (mut low, mut high): (SmallVec<[i64; 6]>, SmallVec<[i64; 6]>) =
            (smallvec![0; dims.len()], smallvec![0; dims.len()]);
        for _ in 0..1 + self.random.below(2) {
            let axis = self.random.below(dims.len());
            if own[axis] == dims[axis] && dims[axis] > 1 {
                let (start, count) = self.part(dims[axis]);
                own[axis] = count;
                low[axis] = start as i64;
                high[axis] = (dims[axis] - start - count) as i64;
            }
        }
        let x = self.fresh(&own);
        let value = [-0.0, 1.5, 0.0][self.random.below(3)];
        let value = self.b.full(Type::scalar(self.dtype), value).unwrap();
        self.b.one(Pad { low, high, interior: smallvec![0; dims.len()] }, &[x, value]).unwrap()
    }

    fn joined(&mut self, dims: &[usize]) -> Value {
        let axis = self.random.below(dims.len());
        let mut parts = Vec::new();
        let mut left = dims[axis];
        while left > 0 {
            let count = if parts.len() == 3 { left } else { 1 + self.random.below(left) };
            let mut own = dims.to_vec();
            own[axis] = count;
            parts.push(self.fresh(&own));
            left -= count;
        }
        self.b.one(Concatenate { axis }, &parts).unwrap()
    }

    /// One more value of that shape.
    fn next(&mut self, dims: &[usize], values: &[Value]) -> Value {
        let x = values[self.random.below(values.len())];
        let y = values[self.random.below(values.len())];
        match self.random.below(10) {
            0..=2 => self.padded(dims),
            3 | 4 => self.joined(dims),
            5 => self.function(x),
            6 => {
                let ty = Type::tensor(DType::I32, dims.iter().copied());
                let along = self.b.iota(ty, self.random.below(dims.len())).unwrap();
                let along = self.b.convert(along, self.dtype).unwrap();
                self.b.add(x, along).unwrap()
            }
            7 => {
                let axes = smallvec![self.random.below(dims.len())];
                let kept: SmallVec<[usize; 6]> = (0..dims.len()).filter(|&a| a != axes[0]).collect();
                let folded = self.b.one(Reduce { reducer: Reducer::Max, axes }, &[x]).unwrap();
                let folded = self.b.broadcast_in_dim(folded, dims, &kept).unwrap();
                self.b.add(folded, y).unwrap()
            }
            _ => {
                let kind = [ElementwiseKind::Add, ElementwiseKind::Multiply, ElementwiseKind::Maximum];
                self.b.binary(kind[self.random.below(3)], x, y).unwrap()
            }
        }
    }

    /// Some values, of which those that are results.
    fn values(&mut self) -> Vec<Value> {
        let extents = [2, 3, 16, 32, 33, 48, 64];
        let dims: Vec<usize> = (0..1 + self.random.below(4)).map(|_| extents[self.random.below(7)]).collect();
        let mut values = vec![self.fresh(&dims)];
        for _ in 0..3 + self.random.below(8) {
            let next = self.next(&dims, &values);
            values.push(next);
        }
        let mut results = vec![values[values.len() - 1]];
        results.extend((0..self.random.below(2)).map(|_| values[self.random.below(values.len())]));
        results
    }
}

fn drawn(seed: u64, computed: bool) -> Drawn {
    let mut random = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    random.below(2);
    let dtype = [DType::F32, DType::F32, DType::I32, DType::BF16][random.below(4)];
    Drawn { b: Builder::new("places"), random, dtype, computed, params: Vec::new() }
}

fn arguments(types: &[Type], seed: u64) -> Vec<Literal> {
    let numbers = |(i, ty): (usize, &Type)| numbers(ty.dtype(), &ty.dims(), seed * 100 + i as u64 + 1);
    types.iter().enumerate().map(numbers).collect()
}

/// How many of the steps of a program are kernels that put arrays at places.
fn fused(program: &jarrah_hlo::Program) -> usize {
    let executable = CpuClient::with_threads(1).compile(program, &CompileOptions::default()).unwrap();
    let puts = |what: &str| what.contains("pad") || what.contains("concatenate");
    executable.steps().iter().filter(|step| step.kind == "kernel" && puts(&step.what)).count()
}

#[test]
fn random_programs_that_put_arrays_together() {
    let mut kernels = 0;
    for seed in 0..800 {
        let mut drawn = drawn(seed, false);
        let results = drawn.values();
        let program = drawn.b.finish(&results).unwrap();
        check(&format!("seed {seed}"), &program, &arguments(&drawn.params, seed), 0.0);
        kernels += fused(&program);
    }
    assert!(kernels > 60, "{kernels} kernels put arrays at places");
}

#[test]
fn random_kernels_that_put_blocks_together() {
    let mut loops = 0;
    for seed in 0..800 {
        let mut drawn = drawn(seed + 1000, true);
        let results = drawn.values();
        let types: Vec<Type> = results.iter().map(|&v| drawn.b.ty(v)).collect();
        let whole = |ty: &Type| BlockSpec::whole(ty.rank());
        let body = drawn.b.finish(&results).unwrap();
        let kernel = Kernel::new(
            SmallVec::new(),
            drawn.params.iter().map(whole).collect(),
            types.iter().map(|ty| (*ty, whole(ty))).collect(),
            body.into(),
        );
        loops += usize::from(jarrah_tile::lower(&kernel, &drawn.params).is_some_and(|all| all.len() > 1));
        check(&format!("seed {seed}"), &program(kernel, &drawn.params), &arguments(&drawn.params, seed), 0.0);
    }
    assert!(loops > 30, "{loops} kernels are loops over boxes");
}

/// `x` with zeros behind it along its last axis, so that that is `extent` long.
fn behind(b: &mut Builder, x: Value, extent: usize) -> Value {
    let dims = b.ty(x).dims();
    let (zero, none): (Value, SmallVec<[i64; 6]>) = (b.scalar(0.0f32).unwrap(), smallvec![0; dims.len()]);
    let mut high = none.clone();
    high[dims.len() - 1] = (extent - dims[dims.len() - 1]) as i64;
    b.one(Pad { low: none, high, interior: smallvec![0; dims.len()] }, &[x, zero]).unwrap()
}

#[test]
fn an_operand_that_several_boxes_read_is_not_overwritten() {
    let ty = |dims: &[usize]| Type::tensor(DType::F32, dims.iter().copied());
    for (x, y, wide) in [(vec![4, 32], vec![4], 64), (vec![1], vec![1], 2)] {
        let mut body = Builder::new("body");
        let (a, b) = (body.param(ty(&x), ""), body.param(ty(&y), ""));
        let padded = behind(&mut body, a, wide);
        let dims = body.ty(padded).dims();
        let along = if x.len() > 1 { body.broadcast_in_dim(b, &dims, &[0]) } else { Ok(padded) };
        let first = along.and_then(|along| body.add(padded, along)).unwrap();
        let one = body.full(ty(&y), 1.0).unwrap();
        let second = body.add(b, one).unwrap();
        let body = body.finish(&[first, second]).unwrap();
        let whole = |ty: Type| BlockSpec::whole(ty.rank());
        let outputs = [ty(&dims), ty(&y)].map(|ty| (ty, whole(ty))).to_vec();
        let kernel = Kernel::new(SmallVec::new(), vec![whole(ty(&x)), whole(ty(&y))], outputs, body.into());
        assert_eq!(jarrah_tile::lower(&kernel, &[ty(&x), ty(&y)]).unwrap().len(), 2);
        let mut b = Builder::new("program");
        let (p, q) = (b.param(ty(&x), ""), b.param(ty(&y), ""));
        // A temporary that nobody reads later.
        let q = b.unary(ElementwiseKind::Negate, q).unwrap();
        let results = b.push(kernel, &[p, q]).unwrap();
        let program = b.finish(&results).unwrap();
        check("several boxes", &program, &arguments(&[ty(&x), ty(&y)], 1), 0.0);
    }
}

#[test]
fn a_block_that_is_longer_than_its_array_ends_in_zeros() {
    let ty = |n: usize| Type::tensor(DType::F32, [n]);
    let mut body = Builder::new("body");
    body.param(Type::scalar(DType::I32), "");
    let x = body.param(ty(8), "");
    let padded = behind(&mut body, x, 16);
    let body = body.finish(&[padded]).unwrap();
    let block = BlockSpec { axes: smallvec![BlockIndex::Block { size: 8, grid: 0 }] };
    let kernel = Kernel::new(smallvec![1], vec![block], vec![(ty(16), BlockSpec::whole(1))], body.into());
    check("a long block", &program(kernel, &[ty(5)]), &arguments(&[ty(5)], 1), 0.0);
}
