//! The work that is measured. `peers.py` has the same in JAX and PyTorch: names, sizes and inputs agree.

use jarrah::array::lax::{fori_loop, ragged_dot};
use jarrah::array::nn::{AttentionOptions, dot_product_attention, gelu, silu};
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Prepared, Tree, TreeExt, autocast, jit, scan_length, value_and_grad, vjp};
use jarrah::models::{Decoder, DecoderConfig, Extents};
use jarrah::nn::{Context, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::{Adam, Mask, adamw, apply_updates};
use jarrah::quant::{QuantizedTensor, ScaleBlock, Scheme, quantize};
use jarrah::{Error, Result};
use serde_json::{Value, json};

/// Work that is measured.
pub struct Workload {
    pub name: &'static str,
    /// A description of the work, with its sizes.
    pub what: fn(&Sizes) -> String,
    pub make: fn(&Sizes) -> Result<Made>,
}

/// A call to measure, which ends when its result is there.
pub struct Made {
    pub call: Box<dyn FnMut() -> Result<()>>,
    /// The mean of the result, where it has to be that of the others.
    pub check: Option<f64>,
}

/// The extents of all workloads.
pub struct Sizes {
    pub tiny: bool,
    /// Rows of elementwise work, and of work row by row.
    pub rows: usize,
    pub normed_rows: usize,
    pub columns: usize,
    /// The classes of the cross entropy.
    pub classes: usize,
    /// The largest product.
    pub product: usize,
    /// The steps of the loop over a small product, and over a number.
    pub steps: usize,
    pub numbers: usize,
    /// The arrays of the optimizer, and their extent.
    pub leaves: usize,
    pub width: usize,
    /// Batch, length, heads and width of a head of attention.
    pub attention: [usize; 4],
    /// The GPTs: one of a few seconds' training, one of characters, and GPT-2.
    pub gpts: [GptSizes; 3],
}

/// The extents of a GPT and of its batch.
#[derive(Clone, Copy)]
pub struct GptSizes {
    layers: usize,
    width: usize,
    heads: usize,
    batch: usize,
    context: usize,
    vocabulary: usize,
}

impl GptSizes {
    /// Layers, width and heads, batch and context, vocabulary.
    const fn of(
        [layers, width, heads]: [usize; 3],
        [batch, context]: [usize; 2],
        vocabulary: usize,
    ) -> GptSizes {
        GptSizes { layers, width, heads, batch, context, vocabulary }
    }

    fn json(self) -> Value {
        json!({
            "layers": self.layers, "width": self.width, "heads": self.heads, "batch": self.batch, "context": self.context,
            "vocabulary": self.vocabulary,
        })
    }
}

impl Sizes {
    pub fn full() -> Sizes {
        Sizes {
            tiny: false,
            rows: 16384,
            normed_rows: 8192,
            columns: 1024,
            classes: 8192,
            product: 2048,
            steps: 2000,
            numbers: 1_000_000,
            leaves: 150,
            width: 256,
            attention: [2, 1024, 12, 64],
            gpts: [
                GptSizes::of([4, 128, 4], [8, 128], CHARACTERS),
                GptSizes::of([6, 384, 6], [12, 256], CHARACTERS),
                GptSizes::of([12, 768, 12], [4, 256], 50257),
            ],
        }
    }

    pub fn tiny() -> Sizes {
        Sizes {
            tiny: true,
            rows: 4,
            normed_rows: 2,
            columns: 32,
            classes: 16,
            product: 16,
            steps: 5,
            numbers: 20,
            leaves: 3,
            width: 4,
            attention: [1, 8, 2, 4],
            gpts: [GptSizes::of([1, 8, 2], [2, 8], CHARACTERS); 3],
        }
    }

    pub fn json(&self) -> Value {
        json!({
            "rows": self.rows, "normed_rows": self.normed_rows, "columns": self.columns, "classes": self.classes, "product": self.product,
            "steps": self.steps, "numbers": self.numbers, "leaves": self.leaves, "width": self.width,
            "attention": self.attention, "gpts": self.gpts.map(GptSizes::json),
        })
    }

    /// The extents of elementwise work.
    fn dims(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The extents of work row by row.
    fn normed_dims(&self) -> [usize; 2] {
        [self.normed_rows, self.columns]
    }

    /// The rows of all experts together, of 512 tokens with eight experts each.
    fn routed(&self) -> usize {
        2 * self.product
    }

    /// The rows of all experts together, of a few tokens: one each.
    fn few(&self) -> usize {
        EXPERTS
    }

    /// The experts, and the extents of their matrices.
    fn experts(&self) -> [usize; 3] {
        [EXPERTS, self.product / 4, self.product / 2]
    }

    /// The rows of the cross entropy.
    fn labelled(&self) -> usize {
        (self.normed_rows / 8).max(1)
    }
}

/// The matrices of a product in groups.
const EXPERTS: usize = 64;

/// The rows of each group, of so many in all: some have many and some have none, as routers have it.
fn group_sizes(rows: usize) -> Vec<i32> {
    let weight = |i: usize| whole_number(i, 9, 5);
    let total: usize = (0..EXPERTS).map(weight).sum();
    let mut sizes: Vec<i32> = (0..EXPERTS).map(|i| (rows * weight(i) / total) as i32).collect();
    sizes[0] += rows as i32 - sizes.iter().sum::<i32>();
    sizes
}

/// The vocabulary of a GPT of characters.
const CHARACTERS: usize = 65;

/// Word `i` of the inputs with a seed: `i * 2654435761 + seed * 97 mod 2^32`, by which both sides have the same numbers.
fn word(i: usize, seed: usize) -> u32 {
    (i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed as u32 * 97)
}

/// Numbers in [-1, 1) from a seed.
fn numbers(dims: &[usize], seed: usize) -> Array {
    let count: usize = dims.iter().product();
    let number = |i| (f64::from(word(i, seed)) / f64::from(1u32 << 31) - 1.0) as f32;
    Array::from_slice(&(0..count).map(number).collect::<Vec<f32>>()).reshape(dims)
}

/// Number `i` of those of [`whole`].
fn whole_number(i: usize, most: usize, seed: usize) -> usize {
    (word(i, seed) >> 8) as usize % most
}

/// Whole numbers below `most` from a seed.
fn whole(dims: &[usize], most: usize, seed: usize) -> Array {
    let count: usize = dims.iter().product();
    let number = |i| whole_number(i, most, seed) as i32;
    Array::from_slice(&(0..count).map(number).collect::<Vec<i32>>()).reshape(dims)
}

/// A function of a tree, compiled and called with the same argument again and again.
fn compiled<A: Tree<Array> + Clone + 'static, B: Tree<Array> + 'static>(
    f: impl Fn(&A) -> B + 'static,
    argument: A,
) -> Result<Made> {
    let f = jit(f);
    called(move |argument| f.call(argument), argument)
}

/// A compiled function of a tree, called with the same argument again and again.
fn called<A: Tree<Array> + Clone + 'static, B: Tree<Array> + 'static>(
    f: impl Fn(A) -> Result<B> + 'static,
    argument: A,
) -> Result<Made> {
    for array in argument.leaves() {
        array.block_until_ready()?;
    }
    let first = f(argument.clone())?.leaves().into_iter().next().cloned();
    let mean = |array: Array| array.astype(DType::F32).mean(..).item::<f32>();
    let check = first.map(mean).transpose()?.map(f64::from);
    let call = move || f(argument.clone())?.leaves().iter().try_for_each(|array| array.block_until_ready());
    Ok(Made { call: Box::new(call), check })
}

/// Attention over queries, keys and values of this dtype, with a slope of its result at the end of the argument.
macro_rules! attention {
    ($name:literal, $what:literal, $dtype:ident, $f:expr) => {
        Workload {
            name: $name,
            what: |sizes| {
                let [batch, length, heads, width] = sizes.attention;
                format!("{}, {}[{batch},{length},{heads},{width}]", $what, DType::$dtype)
            },
            make: |sizes| {
                let argument = [1, 2, 3, 4].map(|seed| numbers(&sizes.attention, seed).astype(DType::$dtype));
                compiled($f as fn(&[Array; 4]) -> _, argument)
            },
        }
    };
}

fn attend([q, k, v, _]: &[Array; 4]) -> Array {
    dot_product_attention(q, k, v, &AttentionOptions::causal())
}

fn attend_gradient([q, k, v, slope]: &[Array; 4]) -> [Array; 3] {
    let attend = |[q, k, v]: &[Array; 3]| dot_product_attention(q, k, v, &AttentionOptions::causal());
    vjp(attend, &[q.clone(), k.clone(), v.clone()]).1(slope)
}

/// The product in groups of so many rows by the matrices of [`EXPERTS`], in `f32` or in `bf16` by matrices of these [`Weights`].
macro_rules! experts {
    ($name:literal, $weights:expr, $rows:ident) => {
        Workload {
            name: $name,
            what: |sizes| {
                let ([_, width, inner], rows, weights) = (sizes.experts(), sizes.$rows(), $weights);
                let (left, right) = weights.names();
                format!("{left}[{rows},{width}] x {right}[{EXPERTS},{width},{inner}] in groups")
            },
            make: |sizes| {
                let ([_, width, inner], rows) = (sizes.experts(), sizes.$rows());
                let x = numbers(&[rows, width], 1);
                $weights.product(x, numbers(&[EXPERTS, width, inner], 2), group_sizes(rows))
            },
        }
    };
}

/// The matrices of experts.
enum Weights {
    /// As dense as the rows.
    Dense(DType),
    /// In few bits, for rows of `bf16`.
    Quantized(Scheme),
}

impl Weights {
    /// The types of rows and matrices.
    fn names(&self) -> (DType, String) {
        match self {
            Weights::Dense(dtype) => (*dtype, dtype.to_string()),
            Weights::Quantized(scheme) => (DType::BF16, scheme.name.to_string()),
        }
    }

    fn product(&self, x: Array, w: Array, groups: Vec<i32>) -> Result<Made> {
        let groups = Array::from_slice(&groups);
        match self {
            Weights::Dense(dtype) => {
                let argument = (x.astype(*dtype), w.astype(*dtype), groups);
                compiled(|(x, w, groups): &(Array, Array, Array)| ragged_dot(x, w, groups), argument)
            }
            Weights::Quantized(scheme) => {
                let w = quantized(&w, *scheme);
                let f = |(x, w, groups): &(Array, QuantizedTensor, Array)| w.apply_grouped(x, groups);
                compiled(f, (x.astype(DType::BF16), w, groups))
            }
        }
    }
}

/// A training step of a GPT, which computes in this dtype.
macro_rules! gpt {
    ($name:literal, $at:literal, $compute:expr) => {
        Workload {
            name: $name,
            what: |sizes| {
                let GptSizes { layers, width, batch, context, .. } = sizes.gpts[$at];
                let dtype: DType = $compute;
                format!("{layers} x {width}, batch {batch} x {context}, {dtype}")
            },
            make: |sizes| gpt_step(sizes.gpts[$at], $compute),
        }
    };
}

/// Matrices in few bits, with scales of `bf16`.
fn quantized(w: &Array, scheme: Scheme) -> QuantizedTensor {
    let scheme = match scheme.block {
        ScaleBlock::Group(size) => scheme.groups_of(size.min(w.shape()[w.rank() - 2])),
        _ => scheme,
    };
    quantize(w, scheme.scales(DType::BF16))
}

/// The product of `$rows` rows in `bf16` by a square matrix that is quantized, of the extent that `$n` makes of the largest one.
macro_rules! quantized {
    ($name:literal, $scheme:ident, $most:ident => $rows:expr, $n:expr) => {
        Workload {
            name: $name,
            what: |&Sizes { product: $most, .. }| {
                format!("bf16[{},{n}] x {}[{n},{n}]", $rows, Scheme::$scheme.name, n = $n)
            },
            make: |&Sizes { product: $most, .. }| {
                let x = numbers(&[$rows, $n], 1).astype(DType::BF16);
                let w = quantized(&numbers(&[$n, $n], 2), Scheme::$scheme);
                compiled(|(x, w): &(Array, QuantizedTensor)| w.apply(x), (x, w))
            },
        }
    };
}

fn of(what: &str, [rows, columns]: [usize; 2]) -> String {
    format!("{what} of f32[{rows},{columns}]")
}

/// A workload whose arrays have the extents that `$dims` says.
macro_rules! rows {
    ($name:literal, $what:literal, $dims:ident, $make:expr) => {
        Workload {
            name: $name,
            what: |sizes| of($what, sizes.$dims()),
            make: |sizes| ($make)(&sizes.$dims()),
        }
    };
}

/// A function of one array.
fn one(dims: &[usize], f: fn(&Array) -> Array) -> Result<Made> {
    compiled(f, numbers(dims, 1))
}

/// A function of two arrays.
fn two(dims: &[usize], f: fn(&(Array, Array)) -> Array) -> Result<Made> {
    compiled(f, (numbers(dims, 1), numbers(dims, 2)))
}

/// The gradient of a function of one array, from a slope of its result.
fn slope_of_one(dims: &[usize], f: fn(&Array) -> Array) -> Result<Made> {
    compiled(move |(x, slope): &(Array, Array)| vjp(f, x).1(slope), (numbers(dims, 1), numbers(dims, 2)))
}

/// The gradients of a function of two arrays, from a slope of its result.
fn slope_of_two(dims: &[usize], f: fn(&(Array, Array)) -> Array) -> Result<Made> {
    let argument = ((numbers(dims, 1), numbers(dims, 2)), numbers(dims, 3));
    compiled(move |(xy, slope): &((Array, Array), Array)| vjp(f, xy).1(slope), argument)
}

/// The product of `$rows` rows by a square matrix of the extent `$n`, of this dtype, which may be `prepared`; `$most` is the extent of the
/// largest one. Integers are of all their sizes, and summed as `i32`.
macro_rules! product {
    ($name:literal, $dtype:ident, $most:ident => $rows:expr, $n:expr) => {
        product! { $name, $dtype, $most => $rows, $n, "", product }
    };
    ($name:literal, prepared $dtype:ident, $most:ident => $rows:expr, $n:expr) => {
        product! { $name, $dtype, $most => $rows, $n, ", the matrix prepared", prepared_product }
    };
    ($name:literal, $dtype:ident, $most:ident => $rows:expr, $n:expr, $how:literal, $make:ident) => {
        Workload {
            name: $name,
            what: |&Sizes { product: $most, .. }| {
                let (dtype, rows, n) = (DType::$dtype, $rows, $n);
                format!("{dtype}[{rows},{n}] x {dtype}[{n},{n}]{}", $how)
            },
            make: |&Sizes { product: $most, .. }| $make(DType::$dtype, $rows, $n),
        }
    };
}

/// So many rows and a square matrix of this dtype, and that of their product.
fn factors(dtype: DType, rows: usize, n: usize) -> ([Array; 2], DType) {
    let factor = |rows: usize, seed| {
        let x = numbers(&[rows, n], seed);
        if dtype == DType::I8 { (x * 128.0).astype(dtype) } else { x.astype(dtype) }
    };
    ([factor(rows, 1), factor(n, 2)], if dtype == DType::I8 { DType::I32 } else { dtype })
}

fn product(dtype: DType, rows: usize, n: usize) -> Result<Made> {
    let ([x, y], out) = factors(dtype, rows, n);
    compiled(move |(x, y): &(Array, Array)| x.matmul_as(y, out), (x, y))
}

fn prepared_product(dtype: DType, rows: usize, n: usize) -> Result<Made> {
    let ([x, y], out) = factors(dtype, rows, n);
    let f = jit(move |(y, x): &(Array, Array)| x.matmul_as(y, out)).prepared(&Prepared::new(y));
    called(move |x| f.call(x), (x,))
}

fn softmax(x: &Array) -> Array {
    x.softmax(-1)
}

fn layer_norm(x: &Array) -> Array {
    let centred = x - x.mean(-1).expand_dims(-1);
    let variance = centred.square().mean(-1).expand_dims(-1);
    centred * (variance + 1e-5).rsqrt()
}

fn rms_norm(x: &Array) -> Array {
    x * (x.square().mean(-1).expand_dims(-1) + 1e-5).rsqrt()
}

fn swiglu((x, y): &(Array, Array)) -> Array {
    silu(x) * y
}

type Mlp = (Array, Array, Array);

fn mlp((x, up, down): &Mlp) -> Array {
    gelu(&x.matmul(up)).matmul(down)
}

/// As many rows as make a bucket add the most: one more than a power of two.
fn mlp_argument(sizes: &Sizes) -> Mlp {
    let (n, inner) = (sizes.columns, 4 * sizes.columns);
    (numbers(&[n + 1, n], 1), numbers(&[n, inner], 2), numbers(&[inner, n], 3))
}

fn mlp_of(how: &str, sizes: &Sizes) -> String {
    let n = sizes.columns;
    format!("gelu(x w) v, f32[{},{n}], {} inside{how}", n + 1, 4 * n)
}

pub const WORKLOADS: &[Workload] = &[
    rows!("add", "sum of two", dims, |dims| two(dims, |(x, y)| x + y)),
    rows!("add-donated", "sum of two in place", dims, sum_in_place),
    rows!("exp", "exponential", dims, |dims| one(dims, Array::exp)),
    rows!("gelu", "gelu (tanh)", dims, |dims| one(dims, gelu)),
    rows!("sum", "sum of all", dims, |dims| one(dims, |x| x.sum(..))),
    rows!("sum-columns", "sums of columns", dims, |dims| one(dims, |x| x.sum(0))),
    rows!("transpose", "transpose", dims, |dims| one(dims, Array::t)),
    rows!("softmax", "softmax of rows", normed_dims, |dims| one(dims, softmax)),
    rows!("softmax-gradient", "gradient of softmax", normed_dims, |dims| slope_of_one(dims, softmax)),
    rows!("layernorm", "layer norm of rows", normed_dims, |dims| one(dims, layer_norm)),
    rows!("layernorm-gradient", "gradient of layer norm", normed_dims, |dims| slope_of_one(dims, layer_norm)),
    rows!("rmsnorm", "rms norm of rows", normed_dims, |dims| one(dims, rms_norm)),
    rows!("rmsnorm-gradient", "gradient of rms norm", normed_dims, |dims| slope_of_one(dims, rms_norm)),
    rows!("swiglu", "silu(x) * y", normed_dims, |dims| two(dims, swiglu)),
    rows!("swiglu-gradient", "gradients of silu(x) * y", normed_dims, |dims| slope_of_two(dims, swiglu)),
    Workload {
        name: "cross-entropy",
        what: |sizes| format!("loss and gradient, {} x {}", sizes.labelled(), sizes.classes),
        make: |sizes| {
            let rows = sizes.labelled();
            let f = |(x, labels): &(Array, Array)| {
                let loss = |x: &Array| softmax_cross_entropy_with_integer_labels(x, labels).mean(..);
                let (value, slope) = value_and_grad(loss)(x);
                slope + value
            };
            compiled(f, (numbers(&[rows, sizes.classes], 1), whole(&[rows], sizes.classes, 2)))
        },
    },
    product!("matmul-512", F32, most => most / 4, most / 4),
    product!("matmul-1024", F32, most => most / 2, most / 2),
    product!("matmul-2048", F32, most => most, most),
    product!("matmul-512-bf16", BF16, most => most / 4, most / 4),
    product!("matmul-1024-bf16", BF16, most => most / 2, most / 2),
    product!("matmul-2048-bf16", BF16, most => most, most),
    product!("matmul-4096-bf16", BF16, most => 2 * most, 2 * most),
    product!("matmul-512-i8", I8, most => most / 4, most / 4),
    product!("matmul-1024-i8", I8, most => most / 2, most / 2),
    product!("matmul-2048-i8", I8, most => most, most),
    product!("matmul-4096-i8", I8, most => 2 * most, 2 * most),
    product!("rows-1", F32, most => 1, 2 * most),
    product!("rows-8", F32, most => 8, 2 * most),
    product!("rows-1-bf16", BF16, most => 1, 2 * most),
    product!("rows-8-bf16", BF16, most => 8, 2 * most),
    product!("rows-1-i8", I8, most => 1, 2 * most),
    product!("rows-8-i8", I8, most => 8, 2 * most),
    product!("rows-1-prepared", prepared F32, most => 1, 2 * most),
    product!("rows-8-prepared", prepared F32, most => 8, 2 * most),
    product!("rows-1-bf16-prepared", prepared BF16, most => 1, 2 * most),
    product!("rows-8-bf16-prepared", prepared BF16, most => 8, 2 * most),
    product!("rows-1-i8-prepared", prepared I8, most => 1, 2 * most),
    product!("rows-8-i8-prepared", prepared I8, most => 8, 2 * most),
    quantized!("rows-1-int8", INT8, most => 1, 2 * most),
    quantized!("rows-8-int8", INT8, most => 8, 2 * most),
    quantized!("rows-1-int4", INT4, most => 1, 2 * most),
    quantized!("rows-8-int4", INT4, most => 8, 2 * most),
    attention!("attention", "causal attention", F32, attend),
    attention!("attention-bf16", "causal attention", BF16, attend),
    attention!("attention-gradient", "gradients of causal attention", F32, attend_gradient),
    attention!("attention-gradient-bf16", "gradients of causal attention", BF16, attend_gradient),
    Workload {
        name: "mlp",
        what: |sizes| mlp_of("", sizes),
        make: |sizes| compiled(mlp, mlp_argument(sizes)),
    },
    Workload {
        name: "mlp-bucketed",
        what: |sizes| mlp_of(", in buckets of rows", sizes),
        make: |sizes| {
            let f = jit(mlp).bucketed(0);
            called(move |argument| f.call(argument), mlp_argument(sizes))
        },
    },
    experts!("experts", Weights::Dense(DType::F32), routed),
    experts!("experts-bf16", Weights::Dense(DType::BF16), routed),
    experts!("experts-int8", Weights::Quantized(Scheme::INT8), routed),
    experts!("experts-int4", Weights::Quantized(Scheme::INT4), routed),
    experts!("experts-rows", Weights::Dense(DType::F32), few),
    experts!("experts-rows-bf16", Weights::Dense(DType::BF16), few),
    experts!("experts-rows-int8", Weights::Quantized(Scheme::INT8), few),
    experts!("experts-rows-int4", Weights::Quantized(Scheme::INT4), few),
    Workload {
        name: "scan",
        what: |sizes| format!("tanh(x w), 8x64, {} steps", sizes.steps),
        make: |sizes| {
            let steps = sizes.steps;
            let f = move |(x, w): &(Array, Array)| {
                scan_length(|x: &Array, (): &()| (x.matmul(w).tanh(), ()), x, &(), steps).0
            };
            // Such a loop is chaotic: roundings decide where it ends.
            Ok(Made { check: None, ..compiled(f, (numbers(&[8, 64], 1), numbers(&[64, 64], 2)))? })
        },
    },
    Workload {
        name: "scalar-loop",
        what: |sizes| format!("x * a + b, {} steps", sizes.numbers),
        make: |sizes| {
            let steps = sizes.numbers as i64;
            let f = move |x: &Array| fori_loop(0..steps, |_, x: &Array| x * 0.999 + 0.001, x);
            compiled(f, Array::scalar(0.5f32))
        },
    },
    Workload {
        name: "adamw",
        what: |sizes| format!("{} arrays of {w}x{w}", sizes.leaves, w = sizes.width),
        make: optimizer_step,
    },
    gpt!("gpt-step", 0, DType::F32),
    gpt!("char-step", 1, DType::F32),
    gpt!("char-step-bf16", 1, DType::BF16),
    gpt!("gpt2-step", 2, DType::F32),
    gpt!("gpt2-step-bf16", 2, DType::BF16),
];

fn sum_in_place(dims: &[usize; 2]) -> Result<Made> {
    let (mut x, y) = (Some(numbers(dims, 1)), numbers(dims, 2));
    let f = jit(|(x, y): &(Array, Array)| x + y).donate(0);
    let call = move || {
        let before = x.take().ok_or_else(|| Error::internal("a sum that failed has no result"))?;
        let after = f.call((before, y.clone()))?;
        after.block_until_ready()?;
        x = Some(after);
        Ok(())
    };
    Ok(Made { call: Box::new(call), check: None })
}

fn optimizer_step(sizes: &Sizes) -> Result<Made> {
    let dims = [sizes.width, sizes.width];
    let all = |first: usize| (0..sizes.leaves).map(|i| numbers(&dims, first + i)).collect::<Vec<_>>();
    let (params, slopes) = (all(1), all(1000));
    let optimizer = adamw(1e-3, Adam::default(), 0.01, Mask::all());
    let mut state = Some((params.clone(), optimizer.init(&params)));
    let step = jit(move |((params, state), slopes): &((Vec<Array>, _), Vec<Array>)| {
        let (updates, state) = optimizer.update(slopes, state, params);
        (apply_updates(params, &updates), state)
    })
    .donate(0);
    drop(params);
    let call = move || {
        let before = state.take().ok_or_else(|| Error::internal("a step that failed has no state"))?;
        let after = step.call((before, slopes.clone()))?;
        after.0.iter().try_for_each(Array::block_until_ready)?;
        state = Some(after);
        Ok(())
    };
    Ok(Made { call: Box::new(call), check: None })
}

fn gpt_step(sizes: GptSizes, compute: DType) -> Result<Made> {
    let GptSizes { layers, width, heads, batch, context, vocabulary } = sizes;
    let extents = Extents {
        vocabulary: Some(vocabulary),
        context: Some(context),
        layers: Some(layers),
        heads: Some(heads),
        width: Some(width),
        ..Extents::default()
    };
    let params = Decoder::new(&DecoderConfig::gpt2(&extents)?, &Key::new(0));
    let optimizer = adamw(3e-4, Adam { b2: 0.95, ..Adam::default() }, 0.1, Mask::all());
    let batch = [3, 4].map(|seed| whole(&[batch, context], vocabulary, seed));
    let mut state = Some((params.clone(), optimizer.init(&params)));
    let step = jit(move |((params, state), [x, y]): &((Decoder, _), [Array; 2])| {
        let loss = |params: &Decoder| params.loss(x, y, None, &mut Context::eval());
        let (loss, slope) = match compute {
            DType::F32 => value_and_grad(loss)(params),
            narrow => value_and_grad(autocast(narrow, loss))(params),
        };
        let (updates, state) = optimizer.update(&slope, state, params);
        ((apply_updates(params, &updates), state), loss)
    })
    .donate(0);
    drop(params);
    let call = move || {
        let before = state.take().ok_or_else(|| Error::internal("a step that failed has no state"))?;
        let (after, loss) = step.call((before, batch.clone()))?;
        loss.block_until_ready()?;
        state = Some(after);
        Ok(())
    };
    Ok(Made { call: Box::new(call), check: None })
}
