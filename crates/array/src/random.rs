//! Random numbers from explicit keys, with the same bits as `jax.random` with each of its generators.
//!
//! Use a key once: [`Key::split`] gives more keys, and [`debug_key_reuse`] finds programs that use one twice. The same key and shape give the same numbers, whatever the device,
//! the batch or the sharding.
//!
//! ```
//! use jarrah_array::random::Key;
//! let (first, second) = Key::new(0).pair();
//! let x = first.normal(&[2]);
//! let y = second.uniform(&[2]);
//! assert_eq!((x.rank(), y.size()), (1, 2));
//! ```
//!
//! Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011); JAX's partitionable Threefry.

mod continuous;
mod discrete;
mod generator;
mod rejection;
mod reuse;

use jarrah_base::{DType, Error, Literal, Location, Type};
use jarrah_hlo::ops::Qr;
use jarrah_tree::Tree;

use crate::array::Array;
use crate::error::fail;
use crate::number::Number;
use crate::{lax, where_};

pub(crate) use continuous::tiny;
pub(crate) use generator::chosen;
pub use generator::{PrngImpl, default_prng_impl};
pub use rejection::random_gamma_grad;
pub use reuse::debug_key_reuse;
pub(crate) use reuse::{alternatives, consume_at, is_checking, repeated, unused, used_in};

/// The state of a random number generator: one, two or four 32-bit words, as its [`PrngImpl`] has it.
#[derive(Clone, Debug, Tree)]
pub struct Key {
    words: Array,
    #[tree(static)]
    generator: PrngImpl,
}

impl Key {
    /// The key for a seed, of the default generator: see [`default_prng_impl`].
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// assert_eq!(Key::new(7).words().to_vec::<u32>()?, [0, 7]);
    /// assert_eq!(Key::new(1 << 32).words().to_vec::<u32>()?, [1, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(seed: u64) -> Self {
        Key::with_impl(seed, chosen())
    }

    /// The key of a generator for a seed. The same words as `jax.random.key(seed, impl=..)`.
    ///
    /// ```
    /// use jarrah_array::random::{Key, PrngImpl};
    /// assert_eq!(Key::with_impl(0, PrngImpl::Rbg).fold_in(1).words().shape(), [4]);
    /// ```
    #[track_caller]
    pub fn with_impl(seed: u64, generator: PrngImpl) -> Self {
        Key { words: generator::seeded(generator, seed), generator }
    }

    /// The key of the default generator with these words, `u32[2]` for Threefry-2x32.
    ///
    /// # Errors
    ///
    /// A program error unless the words are those of one key, as for [`Key::wrap`].
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let key = Key::from_words(Array::from_slice(&[0u32, 7]));
    /// assert_eq!(key.uniform(&[3]).to_vec::<f32>()?, Key::new(7).uniform(&[3]).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_words(words: Array) -> Self {
        Key::checked("from_words", words, chosen())
    }

    /// The key of a generator with these words, for instance those of [`Key::words`] or a row of [`Key::split_in`].
    ///
    /// # Errors
    ///
    /// A program error unless the words are `u32[n]` with as many as keys of this generator have.
    ///
    /// ```
    /// use jarrah_array::random::{Key, PrngImpl};
    /// let keys = Key::with_impl(0, PrngImpl::Philox2x32).split_in(&[3]);
    /// let key = Key::wrap(keys.index(1), PrngImpl::Philox2x32);
    /// assert_eq!(key.words().shape(), [1]);
    /// ```
    #[track_caller]
    pub fn wrap(words: Array, generator: PrngImpl) -> Self {
        Key::checked("wrap", words, generator)
    }

    /// The key with these words, as the function `name` makes it.
    #[track_caller]
    fn checked(name: &str, words: Array, generator: PrngImpl) -> Self {
        if words.dtype() != DType::U32 || words.shape() != [generator.words()] {
            let (count, ty) = (generator.words(), words.ty());
            let error = Error::program(format!("a key of {generator} is u32[{count}], not {ty}"));
            let help = "give the words of one key, and the generator that they are for; vmap makes keys of a batch of words";
            fail(error.op(name).at(Location::caller()).help(help));
        }
        Key { words, generator }
    }

    /// The key's words, `u32[n]`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// assert_eq!(Key::new(3).words().to_string(), "u32[2] [0, 3]");
    /// ```
    pub fn words(&self) -> &Array {
        &self.words
    }

    /// The key's generator.
    ///
    /// ```
    /// use jarrah_array::random::{Key, PrngImpl};
    /// assert_eq!(Key::with_impl(0, PrngImpl::UnsafeRbg).split(2)[0].key_impl(), PrngImpl::UnsafeRbg);
    /// ```
    pub fn key_impl(&self) -> PrngImpl {
        self.generator
    }

    /// `n` keys whose random numbers are independent.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let keys = Key::new(0).split(2);
    /// assert_eq!(keys[0].words().to_vec::<u32>()?, [1797259609, 2579123966]);
    /// assert_eq!(keys[1].words().to_vec::<u32>()?, [928981903, 3453687069]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn split(&self, n: usize) -> Vec<Key> {
        let words = self.split_in(&[n]);
        (0..n).map(|i| Key { words: words.index(i), generator: self.generator }).collect()
    }

    /// The words of new keys, one key for each element of `shape`, as `u32[shape.., n]`: [`crate::vmap`] and [`crate::scan`]
    /// slice them, and [`Key::wrap`] makes keys of them.
    ///
    /// ```
    /// use jarrah_array::random::{Key, PrngImpl};
    /// use jarrah_array::{Array, vmap};
    /// let keys = Key::new(0).split_in(&[3]);
    /// assert_eq!(keys.shape(), [3, 2]);
    /// let draw = vmap(|words: &Array| Key::wrap(words.clone(), PrngImpl::Threefry2x32).normal(&[4]));
    /// assert_eq!(draw(&keys).shape(), [3, 4]);
    /// ```
    #[track_caller]
    pub fn split_in(&self, shape: &[usize]) -> Array {
        reuse::consume(&self.words);
        self.split_words(shape)
    }

    /// Two keys whose random numbers are independent.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let (first, second) = Key::new(0).pair();
    /// assert_eq!(first.uniform(&[3]).to_vec::<f32>()?, [0.8423141, 0.18237865, 0.2271781]);
    /// assert_ne!(first.uniform(&[3]).to_vec::<f32>()?, second.uniform(&[3]).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn pair(&self) -> (Key, Key) {
        let mut keys = self.split(2).into_iter();
        match (keys.next(), keys.next()) {
            (Some(a), Some(b)) => (a, b),
            _ => fail(Error::internal("two keys were asked for")),
        }
    }

    /// A key derived from this key and `data`: one for each step, layer or device.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let key = Key::new(0);
    /// assert_eq!(key.fold_in(7).words().to_vec::<u32>()?, [2716826189, 292468403]);
    /// assert_eq!(key.fold_in(1).words().to_vec::<u32>()?, [928981903, 3453687069]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fold_in(&self, data: u32) -> Key {
        self.fold_in_array(&Array::scalar(data))
    }

    /// As [`fold_in`](Self::fold_in), for an integer scalar that may be traced, such as the number of a loop's step.
    ///
    /// ```
    /// use jarrah_array::{Array, jit, random::Key};
    /// let dropped = jit(|step: &Array| Key::new(0).fold_in_array(step).bernoulli(0.5, &[8]));
    /// let third = dropped.call(Array::scalar(3))?.to_vec::<bool>()?;
    /// assert_eq!(third, Key::new(0).fold_in(3).bernoulli(0.5, &[8]).to_vec::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fold_in_array(&self, data: &Array) -> Key {
        Key { words: self.fold_in_words(data), generator: self.generator }
    }

    /// Random bits in an unsigned dtype.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let key = Key::new(0);
    /// assert_eq!(key.bits(&[2], DType::U32).to_vec::<u32>()?, [4070199207, 4202968722]);
    /// assert_eq!(key.bits(&[4], DType::U8).to_vec::<u8>()?, [167, 146, 40, 53]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn bits(&self, shape: &[usize], dtype: DType) -> Array {
        reuse::consume(&self.words);
        self.drawn_bits(shape, dtype)
    }

    /// Evenly distributed `f32` in `[0, 1)`, multiples of `2^-23`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let x = Key::new(0).uniform(&[3]);
    /// assert_eq!(x.to_vec::<f32>()?, [0.947667, 0.9785799, 0.33229148]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn uniform(&self, shape: &[usize]) -> Array {
        self.uniform_in(shape, DType::F32, 0.0, 1.0)
    }

    /// Uniformly distributed floats in `[low, high)`: `low + (high - low) u`, with as many random bits as the mantissa of `dtype`
    /// has.
    ///
    /// # Errors
    ///
    /// A program error unless `dtype` is a float of 16, 32 or 64 bits.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).uniform_in(&[3], DType::F32, -1.0, 1.0);
    /// assert_eq!(x.round_to(4).to_vec::<f32>()?, [0.8953, 0.9572, -0.3354]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn uniform_in(&self, shape: &[usize], dtype: DType, low: f64, high: f64) -> Array {
        if (low, high) == (0.0, 1.0) {
            return self.unit(shape, dtype);
        }
        self.uniform_between(shape, dtype, &Array::full(&[], low, dtype), &Array::full(&[], high, dtype))
    }

    /// Evenly distributed floats in `[0, 1)`.
    #[track_caller]
    fn unit(&self, shape: &[usize], dtype: DType) -> Array {
        // The bits become the mantissa of a float in [1, 2).
        let (mantissa, drawn, carried, one) = match dtype {
            DType::F64 => (52, DType::U64, DType::U64, 0x3ff0_0000_0000_0000_u64),
            DType::F32 => (23, DType::U32, DType::U32, 0x3f80_0000),
            DType::F16 => (10, DType::U16, DType::U16, 0x3c00),
            DType::BF16 => (7, DType::U8, DType::U16, 0x3f80),
            other => {
                let error = Error::program(format!("these numbers are floats, not {other}"));
                fail(error.op("uniform").at(Location::caller()))
            }
        };
        let width = 8 * drawn.size() as i64;
        let bits = self.bits(shape, drawn).astype(carried).shift_right(width - mantissa);
        let one = whole(one, carried);
        (bits | one.broadcast_to(shape)).bitcast(dtype) - 1.0
    }

    /// Uniformly distributed floats in `[low, high)`, two scalars of `dtype`. `high - low` is rounded to `dtype` first.
    #[track_caller]
    fn uniform_between(&self, shape: &[usize], dtype: DType, low: &Array, high: &Array) -> Array {
        (self.unit(shape, dtype) * (high - low) + low).maximum(low)
    }

    /// Normally distributed `f32` with mean zero and variance one, `sqrt(2) erf_inv(u)` of even `u` in `(-1, 1)`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let x = Key::new(0).normal(&[3]);
    /// assert_eq!(x.round_to(4).to_vec::<f32>()?, [1.6226, 2.0253, -0.4336]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn normal(&self, shape: &[usize]) -> Array {
        self.normal_in(shape, DType::F32)
    }

    /// Normally distributed floats with mean zero and variance one; for complex numbers this is the variance of both parts
    /// together.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let z = Key::new(0).normal_in(&[4000], DType::C64);
    /// assert!((z.abs().square().mean(..).item::<f32>()? - 1.0).abs() < 0.1);
    /// assert!((z.real().square().mean(..).item::<f32>()? - 0.5).abs() < 0.05);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn normal_in(&self, shape: &[usize], dtype: DType) -> Array {
        if dtype.is_complex() {
            let (first, second) = self.pair();
            let (re, im) = (first.normal_in(shape, dtype.real()), second.normal_in(shape, dtype.real()));
            return lax::complex(&re, &im) / std::f64::consts::SQRT_2;
        }
        let above_minus_one = match dtype {
            DType::F64 => -1.0 + f64::EPSILON / 2.0,
            DType::F32 => -1.0 + f64::from(f32::EPSILON) / 2.0,
            DType::F16 => -1.0 + 2f64.powi(-11),
            _ => -1.0 + 2f64.powi(-8),
        };
        self.uniform_in(shape, dtype, above_minus_one, 1.0).erf_inv() * std::f64::consts::SQRT_2
    }

    /// Normally distributed `f32` truncated to `(low, high)`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let x = Key::new(0).truncated_normal(&[3], -1.0, 1.0);
    /// assert_eq!(x.round_to(4).to_string(), "f32[3] [0.8619, 0.9413, -0.291]");
    /// ```
    #[track_caller]
    pub fn truncated_normal(&self, shape: &[usize], low: f64, high: f64) -> Array {
        self.truncated_normal_in(shape, DType::F32, low, high)
    }

    /// Normally distributed floats truncated to `(low, high)`: `sqrt(2) erf_inv(u)`, `u` uniform between the `erf`
    /// of the scaled bounds.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let tail = Key::new(0).truncated_normal_in(&[1000], DType::F64, 2.0, f64::INFINITY);
    /// assert!(tail.min(..).item::<f64>()? > 2.0);
    /// // The mean of a tail is its density at the end by its probability.
    /// assert!((tail.mean(..).item::<f64>()? - 2.373).abs() < 0.05);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn truncated_normal_in(&self, shape: &[usize], dtype: DType, low: f64, high: f64) -> Array {
        let root = Array::full(&[], std::f64::consts::SQRT_2, dtype);
        let bound = |x: f64| (Array::full(&[], x, dtype) / &root).erf();
        let u = self.uniform_between(shape, dtype, &bound(low), &bound(high));
        (u.erf_inv() * root).clip(neighbour(low, dtype, 1.0), neighbour(high, dtype, -1.0))
    }

    /// Integers in `[low, high)`, nearly evenly distributed, as `i32`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// assert_eq!(Key::new(0).randint(&[6], 0, 10).to_vec::<i32>()?, [9, 0, 2, 3, 1, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn randint(&self, shape: &[usize], low: i32, high: i32) -> Array {
        self.randint_in(shape, DType::I32, i64::from(low), i64::from(high))
    }

    /// Integers of `dtype` in `[low, high)`, nearly evenly distributed: random bits, twice as many as `dtype` has
    /// and at least 64, modulo the size of the interval. An empty interval gives `low`.
    ///
    /// # Errors
    ///
    /// A program error unless `dtype` is an integer type that has `low` and `high - 1`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).randint_in(&[6], DType::I8, -3, 4);
    /// assert_eq!(x.to_vec::<i8>()?, [-2, -1, 3, -1, 3, 2]);
    /// assert_eq!(Key::new(0).randint_in(&[2], DType::I8, 5, 5).to_vec::<i8>()?, [5, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn randint_in(&self, shape: &[usize], dtype: DType, low: i64, high: i64) -> Array {
        let Some(unsigned) = unsigned_of(dtype) else {
            let error = Error::program(format!("random integers are integers, not {dtype}"));
            fail(error.op("randint").at(Location::caller()))
        };
        for bound in [Some(low), (high > low).then_some(high - 1)].into_iter().flatten() {
            Number::from(bound).fit("random", dtype);
        }
        if dtype.size() < 4 {
            return self.randint_in(shape, DType::I32, low, high).astype(dtype);
        }
        let (first, second) = self.pair();
        let (upper, lower) = (first.bits(shape, unsigned), second.bits(shape, unsigned));
        let width = 8 * dtype.size() as u32;
        let span = if high > low { (i128::from(high) - i128::from(low)) as u128 } else { 1 };
        // 2^width mod span, squared in the arithmetic of the dtype.
        let half = (1u128 << (width / 2)) % span;
        let multiplier = ((half * half) & ((1u128 << width) - 1)) % span;
        let constant = |value: u128| whole(value as u64, unsigned);
        let (span, multiplier) = (constant(span), constant(multiplier));
        let modulo = |x: &Array| lax::rem(x, &span.broadcast_to(shape));
        let offset = modulo(&upper) * multiplier + modulo(&lower);
        modulo(&offset).astype(dtype) + whole(low as u64, unsigned).astype(dtype)
    }

    /// The positions `0..n` in random order, as `i32`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// assert_eq!(Key::new(0).permutation(5).to_vec::<i32>()?, [0, 1, 4, 3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn permutation(&self, n: usize) -> Array {
        self.shuffled(&Array::arange(n), 0)
    }

    /// `x` sorted along `axis` by random bits, in enough rounds that equal bits are unlikely to matter.
    #[track_caller]
    fn shuffled(&self, x: &Array, axis: usize) -> Array {
        let rounds = (3.0 * (x.size().max(1) as f64).ln() / f64::from(u32::MAX).ln()).ceil() as usize;
        let (mut key, mut x) = (self.clone(), x.clone());
        for _ in 0..rounds {
            let (next, now) = key.pair();
            key = next;
            x = lax::sort(&[&now.bits(&x.shape(), DType::U32), &x], axis).swap_remove(1);
        }
        x
    }

    /// Gumbel-distributed `f32`, `-ln(-ln(u))`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// let x = Key::new(0).gumbel(&[3]);
    /// assert_eq!(x.round_to(4).to_vec::<f32>()?, [2.9234, 3.8326, -0.0969]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn gumbel(&self, shape: &[usize]) -> Array {
        self.gumbel_in(shape, DType::F32)
    }

    /// Gumbel-distributed floats, `-ln(-ln(u))`. The place of the largest sum with logits is distributed as their softmax,
    /// which is how [`categorical`](Self::categorical) draws.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, random::Key};
    /// let (key, logits) = (Key::new(0), Array::from_slice(&[0.1f32, 0.9]).log());
    /// let largest = (key.gumbel_in(&[8, 2], DType::F32) + &logits).argmax(-1);
    /// assert_eq!(largest.to_vec::<i32>()?, key.categorical_in(&logits, -1, &[8]).to_vec::<i32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn gumbel_in(&self, shape: &[usize], dtype: DType) -> Array {
        -(-self.uniform_in(shape, dtype, continuous::tiny(dtype), 1.0).log()).log()
    }

    /// Exponentially distributed floats with mean one, `-ln(1 - u)`.
    ///
    /// ```
    /// use jarrah_array::{DType, random::Key};
    /// let x = Key::new(0).exponential_in(&[3], DType::F32);
    /// assert_eq!(x.round_to(4).to_string(), "f32[3] [2.9501, 3.8434, 0.4039]");
    /// ```
    #[track_caller]
    pub fn exponential_in(&self, shape: &[usize], dtype: DType) -> Array {
        -(-self.unit(shape, dtype)).log1p()
    }

    /// Matrices `[shape.., rows, columns]` with orthonormal columns, or rows if there are fewer of them, evenly
    /// distributed; unitary if `dtype` is complex.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, random::Key};
    /// let q = Key::new(0).orthogonal_in(&[5], 3, 2, DType::F32);
    /// assert_eq!(q.shape(), [5, 3, 2]);
    /// assert!(q.t().matmul(&q).allclose(Array::eye(2), 0.0, 1e-6).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Mezzadri, How to generate random matrices from the classical compact groups (2007).
    #[track_caller]
    pub fn orthogonal_in(&self, shape: &[usize], rows: usize, columns: usize, dtype: DType) -> Array {
        let (long, short) = (rows.max(columns), rows.min(columns));
        let drawn = self.normal_in(&[shape, &[long, short]].concat(), dtype);
        let parts = lax::apply_op(Qr { full_matrices: false }, &[&drawn]);
        let [q, r] = parts.as_slice() else { fail(Error::internal("a QR decomposition has two parts")) };
        let diagonal =
            lax::iota(DType::I32, &[short, short], 0).eq(lax::iota(DType::I32, &[short, short], 1));
        let signs = where_(&diagonal, r, 0).sum(-1).sign();
        let q = q * signs.expand_dims(-2);
        if rows < columns { q.t() } else { q }
    }

    /// Positions along the last axis, drawn with probabilities `softmax(logits)`, as `i32`.
    ///
    /// # Errors
    ///
    /// A program error for a scalar, which has no axis of categories.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let never = f32::NEG_INFINITY;
    /// let logits = Array::new(&[0.0, never, never, 0.0], &[2, 2]);
    /// assert_eq!(Key::new(0).categorical(&logits).to_vec::<i32>()?, [0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn categorical(&self, logits: &Array) -> Array {
        let shape = logits.shape();
        if shape.is_empty() {
            let error = format!("the logits are {}, there is no axis of categories", logits.ty());
            let help = "give one logit for each category along the last axis; for true or false, bernoulli";
            fail(Error::program(error).op("categorical").at(Location::caller()).help(help));
        }
        self.categorical_in(logits, -1, &shape[..shape.len().saturating_sub(1)])
    }

    /// As [`categorical`](Self::categorical), along `axis`; `shape` of the result ends in the other extents of
    /// `logits`.
    ///
    /// # Errors
    ///
    /// A program error if there is no such axis, or `shape` does not end in the other extents.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// let logits = Array::from_slice(&[0.1f32, 0.9]).log();
    /// let x = Key::new(0).categorical_in(&logits, -1, &[8]);
    /// assert_eq!(x.to_vec::<i32>()?, [1, 1, 1, 1, 1, 0, 1, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn categorical_in(&self, logits: &Array, axis: isize, shape: &[usize]) -> Array {
        let extents = logits.shape();
        let place = if axis < 0 { axis + logits.rank() as isize } else { axis };
        let fits = usize::try_from(place).is_ok_and(|place| {
            let mut rest = extents.to_vec();
            place < extents.len() && {
                rest.remove(place);
                shape.ends_with(&rest)
            }
        });
        if !fits {
            let error =
                format!("{shape:?} does not end in the extents of {} without axis {axis}", logits.ty());
            let help = "the shape of the result ends in the extents of the logits but the drawn axis";
            fail(Error::program(error).op("categorical").at(Location::caller()).help(help));
        }
        let (place, lead) = (place as usize, shape.len() + 1 - extents.len());
        let drawn: Vec<usize> = shape[..lead].iter().chain(extents.iter()).copied().collect();
        let noise = self.gumbel_in(&drawn, logits.dtype());
        (noise + logits).argmax((lead + place) as isize)
    }
}

/// The neighbour of `x` among the numbers of `dtype`, in the direction of `sign`; zero stays zero.
fn neighbour(x: f64, dtype: DType, sign: f64) -> f64 {
    if x.is_infinite() {
        // Inwards from infinity: the last finite number.
        let (lowest, highest) = dtype.finite_range().unwrap_or((x, x));
        return if sign > 0.0 { x.max(lowest) } else { x.min(highest) };
    }
    if dtype == DType::F64 {
        return if sign > 0.0 { x.next_up() } else { x.next_down() };
    }
    let mantissa = continuous::mantissa(dtype);
    // Neighbouring floats are between 0.5 and 1 times `|x| 2^-mantissa` apart, so a step of 0.6 times that rounds to the next
    // float.
    let step = 0.6 * x.abs() * 2f64.powi(-mantissa);
    Literal::full(Type::scalar(dtype), x + sign * step).map_or(x, |literal| literal.get_f64(0))
}

/// The unsigned dtype with the size of an integer dtype.
fn unsigned_of(dtype: DType) -> Option<DType> {
    Some(match dtype {
        DType::I8 | DType::U8 => DType::U8,
        DType::I16 | DType::U16 => DType::U16,
        DType::I32 | DType::U32 => DType::U32,
        DType::I64 | DType::U64 => DType::U64,
        _ => return None,
    })
}

/// An unsigned scalar with the low bits of `value`.
#[track_caller]
fn whole(value: u64, dtype: DType) -> Array {
    match dtype {
        DType::U64 => Array::scalar(value),
        DType::U32 => Array::scalar(value as u32),
        DType::U16 => Array::scalar(value as u16),
        _ => Array::scalar(value as u8),
    }
}
