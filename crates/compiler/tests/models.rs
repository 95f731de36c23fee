//! Programs as people write them, and how many kernels they become.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Program, Value};
use jarrah_transforms::{ResidualPolicy, value_and_grad};

use crate::common::{check, count, kernels, literal};

pub fn f32s(dims: &[usize]) -> Type {
    Type::tensor(DType::F32, dims.iter().copied())
}

fn arguments(program: &Program) -> Vec<Literal> {
    program.param_types().into_iter().enumerate().map(|(i, ty)| literal(ty, 17 * i as u64 + 3)).collect()
}

/// Shorthand over a builder: everything here is well-formed.
pub struct Net {
    pub b: Builder,
}

impl Net {
    pub fn new(name: &str) -> Self {
        Net { b: Builder::new(name) }
    }

    pub fn param(&mut self, dims: &[usize], path: &str) -> Value {
        self.b.param(f32s(dims), path)
    }

    pub fn dims(&self, x: Value) -> Vec<usize> {
        self.b.ty(x).dims().to_vec()
    }

    /// `x` repeated in front to the shape of `like`.
    pub fn last(&mut self, x: Value, like: Value) -> Value {
        let (rank, own) = (self.b.ty(like).rank(), self.b.ty(x).rank());
        let axes: Vec<usize> = (rank - own..rank).collect();
        self.b.broadcast_in_dim(x, &self.b.ty(like).dims(), &axes).expect("fits")
    }

    /// `x` repeated along a new last axis to the shape of `like`.
    pub fn rows(&mut self, x: Value, like: Value) -> Value {
        let axes: Vec<usize> = (0..self.b.ty(x).rank()).collect();
        self.b.broadcast_in_dim(x, &self.b.ty(like).dims(), &axes).expect("fits")
    }

    pub fn norm(&mut self, x: Value, gain: Value, bias: Value) -> Value {
        let rank = self.b.ty(x).rank();
        let width = *self.dims(x).last().expect("an axis") as f64;
        let sum = self.b.sum(x, &[rank - 1]).expect("sums");
        let mean = self.b.scale(sum, 1.0 / width).expect("scales");
        let mean = self.rows(mean, x);
        let centred = self.b.sub(x, mean).expect("fits");
        let square = self.b.mul(centred, centred).expect("fits");
        let sum = self.b.sum(square, &[rank - 1]).expect("sums");
        let variance = self.b.scale(sum, 1.0 / width).expect("scales");
        let epsilon = self.b.full(self.b.ty(variance), 1e-5).expect("full");
        let variance = self.b.add(variance, epsilon).expect("fits");
        let scale = self.b.unary(ElementwiseKind::Rsqrt, variance).expect("fits");
        let scale = self.rows(scale, x);
        let normal = self.b.mul(centred, scale).expect("fits");
        let gain = self.last(gain, x);
        let scaled = self.b.mul(normal, gain).expect("fits");
        let bias = self.last(bias, x);
        self.b.add(scaled, bias).expect("fits")
    }

    /// `x w + bias` over the last axis of `x`.
    pub fn linear(&mut self, x: Value, w: Value, bias: Value) -> Value {
        let rank = self.b.ty(x).rank();
        let dot = DotGeneral {
            lhs_batch: Axes::new(),
            rhs_batch: Axes::new(),
            lhs_contract: Axes::from_slice(&[rank - 1]),
            rhs_contract: Axes::from_slice(&[0]),
            out: DType::F32,
        };
        let y = self.b.one(dot, &[x, w]).expect("fits");
        let bias = self.last(bias, y);
        self.b.add(y, bias).expect("fits")
    }

    pub fn gelu(&mut self, x: Value) -> Value {
        let square = self.b.mul(x, x).expect("fits");
        let cube = self.b.mul(square, x).expect("fits");
        let cube = self.b.scale(cube, 0.044715).expect("scales");
        let inner = self.b.add(x, cube).expect("fits");
        let inner = self.b.scale(inner, 0.797_884_560_8).expect("scales");
        let tanh = self.b.unary(ElementwiseKind::Tanh, inner).expect("fits");
        let one = self.b.ones_like(tanh).expect("ones");
        let gate = self.b.add(tanh, one).expect("fits");
        let gate = self.b.scale(gate, 0.5).expect("scales");
        self.b.mul(x, gate).expect("fits")
    }

    pub fn softmax(&mut self, x: Value) -> Value {
        let last = self.b.ty(x).rank() - 1;
        let max = self.b.reduce(Reducer::Max, x, &[last]).expect("reduces");
        let max = self.rows(max, x);
        let shifted = self.b.sub(x, max).expect("fits");
        let e = self.b.exp(shifted).expect("fits");
        let total = self.b.sum(e, &[last]).expect("sums");
        let total = self.rows(total, x);
        self.b.div(e, total).expect("fits")
    }

    pub fn attention(&mut self, x: Value, heads: usize, p: &[Value]) -> Value {
        let d = self.dims(x);
        let (batch, time, width) = (d[0], d[1], d[2]);
        let split = [batch, time, heads, width / heads];
        let mut parts = Vec::new();
        for i in 0..3 {
            let y = self.linear(x, p[2 * i], p[2 * i + 1]);
            parts.push(self.b.reshape(y, &split).expect("fits"));
        }
        let offset = self.b.zeros(Type::tensor(DType::I32, [batch])).expect("zeros");
        let op = Attention::causal(1.0 / ((width / heads) as f64).sqrt());
        let o = self.b.push(op, &[parts[0], parts[1], parts[2], offset]).expect("fits")[0];
        let o = self.b.reshape(o, &self.b.ty(x).dims()).expect("fits");
        self.linear(o, p[6], p[7])
    }

    /// Parameters of a block, in order, with their extents.
    pub fn block_shapes(width: usize) -> Vec<Vec<usize>> {
        let mut shapes = vec![vec![width], vec![width]];
        for _ in 0..4 {
            shapes.extend([vec![width, width], vec![width]]);
        }
        shapes.extend([vec![width], vec![width]]);
        shapes.extend([vec![width, 4 * width], vec![4 * width], vec![4 * width, width], vec![width]]);
        shapes
    }

    pub fn block(&mut self, x: Value, heads: usize, p: &[Value]) -> Value {
        let normal = self.norm(x, p[0], p[1]);
        let mixed = self.attention(normal, heads, &p[2..10]);
        let x = self.b.add(x, mixed).expect("fits");
        let normal = self.norm(x, p[10], p[11]);
        let h = self.linear(normal, p[12], p[13]);
        let h = self.gelu(h);
        let h = self.linear(h, p[14], p[15]);
        self.b.add(x, h).expect("fits")
    }

    /// The mean of `logsumexp(logits) - logits[label]`.
    pub fn cross_entropy(&mut self, logits: Value, labels: Value) -> Value {
        let d = self.dims(logits);
        let max = self.b.reduce(Reducer::Max, logits, &[1]).expect("reduces");
        let spread = self.rows(max, logits);
        let shifted = self.b.sub(logits, spread).expect("fits");
        let e = self.b.exp(shifted).expect("fits");
        let total = self.b.sum(e, &[1]).expect("sums");
        let log = self.b.unary(ElementwiseKind::Log, total).expect("fits");
        let index = self.b.ty(logits).with_dtype(DType::I32);
        let classes = self.b.iota(index, 1).expect("fits");
        let labels = self.rows(labels, logits);
        let hit = self.b.compare(Comparison::Eq, classes, labels).expect("fits");
        let zero = self.b.zeros_like(logits).expect("zeros");
        let chosen = self.b.select(hit, shifted, zero).expect("fits");
        let chosen = self.b.sum(chosen, &[1]).expect("sums");
        let loss = self.b.sub(log, chosen).expect("fits");
        let sum = self.b.sum(loss, &[0]).expect("sums");
        self.b.scale(sum, 1.0 / d[0] as f64).expect("scales")
    }

    /// Parameter, first and second moment after a step of AdamW.
    pub fn adamw(&mut self, p: Value, g: Value, m: Value, v: Value, rate: Value, count: Value) -> [Value; 3] {
        let b = &mut self.b;
        let ty = b.ty(p);
        let mut mean = |x: Value, y: Value, beta: f64| {
            let x = b.scale(x, beta).expect("scales");
            let y = b.scale(y, 1.0 - beta).expect("scales");
            b.add(x, y).expect("fits")
        };
        let m = mean(m, g, 0.9);
        let square = self.b.mul(g, g).expect("fits");
        let b = &mut self.b;
        let mut mean = |x: Value, y: Value, beta: f64| {
            let x = b.scale(x, beta).expect("scales");
            let y = b.scale(y, 1.0 - beta).expect("scales");
            b.add(x, y).expect("fits")
        };
        let v = mean(v, square, 0.95);
        let b = &mut self.b;
        let mut corrected = |x: Value, beta: f64| {
            let base = b.full(b.ty(count), beta).expect("full");
            let power = b.binary(ElementwiseKind::Power, base, count).expect("fits");
            let one = b.ones_like(power).expect("ones");
            let rest = b.sub(one, power).expect("fits");
            let rest = b.broadcast_in_dim(rest, &ty.dims(), &[]).expect("fits");
            b.div(x, rest).expect("fits")
        };
        let (mc, vc) = (corrected(m, 0.9), corrected(v, 0.95));
        let root = b.unary(ElementwiseKind::Sqrt, vc).expect("fits");
        let epsilon = b.full(ty, 1e-8).expect("full");
        let root = b.add(root, epsilon).expect("fits");
        let step = b.div(mc, root).expect("fits");
        let decay = b.scale(p, 0.1).expect("scales");
        let step = b.add(step, decay).expect("fits");
        let rate = b.broadcast_in_dim(rate, &ty.dims(), &[]).expect("fits");
        let step = b.mul(step, rate).expect("fits");
        [b.sub(p, step).expect("fits"), m, v]
    }
}

fn norm_program(dims: &[usize]) -> Program {
    let width = dims[dims.len() - 1];
    let mut n = Net::new("norm");
    let (x, gain, bias) = (n.param(dims, "x"), n.param(&[width], "gain"), n.param(&[width], "bias"));
    let y = n.norm(x, gain, bias);
    n.b.finish(&[y]).expect("a result")
}

#[test]
fn layer_norm_is_one_kernel() {
    let program = norm_program(&[2, 3, 8]);
    let compiled = check(&program, &arguments(&program)).program;
    assert_eq!(kernels(&compiled), 1, "{compiled:?}");
}

#[test]
fn the_gradient_of_layer_norm_is_three_kernels() {
    let mut n = Net::new("norm");
    let (x, gain, bias) = (n.param(&[2, 3, 8], "x"), n.param(&[8], "gain"), n.param(&[8], "bias"));
    let weight = n.param(&[2, 3, 8], "weight");
    let y = n.norm(x, gain, bias);
    let y = n.b.mul(y, weight).expect("fits");
    let loss = n.b.sum(y, &[0, 1, 2]).expect("sums");
    let program = n.b.finish(&[loss]).expect("a result");
    let program = value_and_grad(&program, &[0, 1, 2], ResidualPolicy::Recompute).expect("differentiable");
    let compiled = check(&program, &arguments(&program)).program;
    // Rows of the forward and the backward pass, the columns of both gradients, and the loss.
    assert!(kernels(&compiled) <= 4, "{compiled:?}");
}

#[test]
fn softmax_is_one_kernel() {
    let mut n = Net::new("softmax");
    let x = n.param(&[2, 3, 4, 8], "x");
    let y = n.softmax(x);
    let program = n.b.finish(&[y]).expect("a result");
    let compiled = check(&program, &arguments(&program)).program;
    assert_eq!(kernels(&compiled), 1, "{compiled:?}");
}

#[test]
fn cross_entropy_and_its_gradient_are_few_kernels() {
    let mut n = Net::new("loss");
    let logits = n.param(&[6, 10], "logits");
    let labels = n.b.param(Type::tensor(DType::I32, [6]), "labels");
    let loss = n.cross_entropy(logits, labels);
    let program = n.b.finish(&[loss]).expect("a result");
    let forward = check(&program, &arguments(&program)).program;
    assert_eq!(kernels(&forward), 2, "{forward:?}");
    let program = value_and_grad(&program, &[0], ResidualPolicy::Recompute).expect("differentiable");
    let both = check(&program, &arguments(&program)).program;
    assert!(kernels(&both) <= 3, "{both:?}");
}

#[test]
fn adamw_is_one_kernel_a_parameter() {
    let mut n = Net::new("adamw");
    let [p, g, m, v] = ["p", "g", "m", "v"].map(|name| n.param(&[6, 8], name));
    let (rate, step) = (n.param(&[], "rate"), n.param(&[], "count"));
    let results = n.adamw(p, g, m, v, rate, step);
    let program = n.b.finish(&results).expect("results");
    let mut arguments = arguments(&program);
    arguments[3] = Literal::full(f32s(&[6, 8]), 0.25).expect("full");
    arguments[5] = Literal::scalar(3.0f32);
    let compiled = check(&program, &arguments).program;
    let large = |op: &Op| matches!(op, Op::Kernel(k) if k.inputs.len() > 2);
    assert_eq!(count(&compiled, large), 1, "{compiled:?}");
}

fn block_program(dims: &[usize], heads: usize) -> Program {
    let mut n = Net::new("block");
    let x = n.param(dims, "x");
    let p: Vec<Value> =
        Net::block_shapes(dims[2]).iter().enumerate().map(|(i, s)| n.param(s, &format!("p{i}"))).collect();
    let y = n.block(x, heads, &p);
    n.b.finish(&[y]).expect("a result")
}

#[test]
fn a_block_has_few_kernels_and_nothing_between_them() {
    let program = block_program(&[2, 4, 8], 2);
    check(&program, &arguments(&program));
    let target = jarrah_compiler::Reference { attention: true, contracts: true, memory: None };
    let forward = crate::common::compiled_for(&program, &target, Vec::new()).program;
    assert_eq!(count(&forward, |op| matches!(op, Op::TransposeAxes(_))), 0, "{forward:?}");
    assert!(kernels(&forward) <= 9, "{} {forward:?}", kernels(&forward));
}

#[test]
fn a_loss_of_two_blocks_and_its_gradients_keep_their_bits() {
    let program = train_step(2, &[2, 4, 8], 2, 10);
    let compiled = check(&program, &arguments(&program));
    println!("{} kernels, {} steps", kernels(&compiled.program), compiled.program.instrs().len());
}

/// One step of AdamW over a model of blocks: everything that training does.
pub fn train_step(layers: usize, dims: &[usize], heads: usize, vocabulary: usize) -> Program {
    let mut n = Net::new("loss");
    let width = dims[2];
    let mut params = Vec::new();
    let mut shapes = vec![vec![width], vec![width], vec![width, vocabulary], vec![vocabulary]];
    for _ in 0..layers {
        shapes.extend(Net::block_shapes(width));
    }
    for (i, shape) in shapes.iter().enumerate() {
        params.push(n.param(shape, &format!("p{i}")));
    }
    let mut x = n.param(dims, "x");
    let labels = n.b.param(Type::tensor(DType::I32, [dims[0] * dims[1]]), "labels");
    for layer in 0..layers {
        x = n.block(x, heads, &params[4 + 16 * layer..][..16]);
    }
    let y = n.norm(x, params[0], params[1]);
    let logits = n.linear(y, params[2], params[3]);
    let logits = n.b.reshape(logits, &[dims[0] * dims[1], vocabulary]).expect("fits");
    let loss = n.cross_entropy(logits, labels);
    let loss = n.b.finish(&[loss]).expect("a result");
    let wrt: Vec<usize> = (0..params.len()).collect();
    let gradients = value_and_grad(&loss, &wrt, ResidualPolicy::Recompute).expect("differentiable");

    let mut n = Net::new("step");
    let p: Vec<Value> = shapes.iter().map(|s| n.param(s, "p")).collect();
    let m: Vec<Value> = shapes.iter().map(|s| n.param(s, "m")).collect();
    let v: Vec<Value> = shapes.iter().map(|s| n.param(s, "v")).collect();
    let x = n.param(dims, "x");
    let labels = n.b.param(Type::tensor(DType::I32, [dims[0] * dims[1]]), "labels");
    let (rate, step) = (n.param(&[], "rate"), n.param(&[], "count"));
    let mut args = p.clone();
    args.extend([x, labels]);
    let results = n.b.inline(&gradients, &args).expect("fits");
    let (mut ps, mut ms, mut vs) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..p.len() {
        let [a, b, c] = n.adamw(p[i], results[1 + i], m[i], v[i], rate, step);
        ps.push(a);
        ms.push(b);
        vs.push(c);
    }
    let mut returned = ps;
    returned.extend(ms);
    returned.extend(vs);
    returned.push(results[0]);
    n.b.finish(&returned).expect("results")
}

#[test]
fn a_large_step_compiles_quickly() {
    let program = train_step(12, &[4, 256, 384], 6, 65);
    let target = jarrah_compiler::Reference { attention: true, contracts: true, memory: None };
    let mut last = std::time::Instant::now();
    let start = last;
    let mut dump = |name: &str, p: &Program| {
        println!("{name}: {:?}, {} instructions", last.elapsed(), p.instrs().len());
        last = std::time::Instant::now();
    };
    let aliases = (0..3 * (4 + 12 * 16)).map(jarrah_hlo::Alias::donor).collect();
    let options = jarrah_compiler::PassOptions {
        aliases,
        dump: Some(&mut dump),
        verify: false,
        ..jarrah_compiler::PassOptions::default()
    };
    let compiled = jarrah_compiler::compile(&program, &target, options).expect("compiles");
    let elapsed = start.elapsed();
    println!("{} instructions, {elapsed:?}, {:?}", program.instrs().len(), compiled.buffers.memory);
    crate::common::canonical(&compiled.program);
    println!("{} kernels of {} steps", kernels(&compiled.program), compiled.program.instrs().len());
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
    assert!(kernels(&compiled.program) <= 300, "{} kernels", kernels(&compiled.program));
    // All parameters and moments are updated in place, but for what is computed along with reductions.
    assert!(compiled.buffers.memory.results * 100 < compiled.buffers.memory.arguments);
}
