//! `jax.random`. A probability is an `f32` in JAX's expressions, for with 64-bit types a Python float is drawn in `f64`,
//! and `choice` is written as the `randint` in it, which is then drawn in `i64`.
//!
//! Samplers that reject draw other numbers than JAX for the same key: of these the shares below some bounds are compared,
//! as they are of 20000 numbers, so they are some hundredths apart.

use jarrah_array::random::{Key, PrngImpl};
use jarrah_array::{Array, DType, concatenate, lax};

use super::rows;

fn key() -> Key {
    Key::new(7)
}

/// The words of the first, the second and the last of the keys that `key` and a key folded into it are split into.
fn family(seed: u64, generator: PrngImpl) -> Array {
    let key = Key::with_impl(seed, generator);
    let split = key.fold_in(5).split_in(&[3]).reshape(&[-1]);
    concatenate(&[key.words(), key.fold_in(5).words(), &split], 0)
}

/// Bits of every width, as numbers of 64 bits.
fn widths(generator: PrngImpl) -> Array {
    let key = Key::with_impl(7, generator);
    let bits = [DType::U8, DType::U16, DType::U32, DType::U64]
        .map(|dtype| key.bits(&[3, 5], dtype).astype(DType::U64));
    concatenate(&bits.each_ref(), 0)
}

/// The share of numbers below each bound.
fn shares(x: Array, bounds: &[f32]) -> Array {
    x.astype(DType::F32).reshape(&[-1, 1]).le(Array::from_slice(bounds)).astype(DType::F32).mean(0)
}

const MANY: &[usize] = &[20000];

rows! {
    // Keys.
    "random.key random.PRNGKey random.key_data random.clone": "random.key_data(random.key(123456789012))"
        => | | Key::new(123456789012).words();
    "random.wrap_key_data": "random.bits(random.wrap_key_data(x), (3,), 'uint32')"
        => |x: u32<99>(2)| Key::from_words(x.clone()).bits(&[3], DType::U32);
    "random.split": "random.key_data(random.split(random.key(7), (3, 2)))" => | | key().split_in(&[3, 2]);
    "random.fold_in": "random.key_data(random.fold_in(random.key(7), 5))" => | | key().fold_in(5).words();
    "random.key": "random.key_data(random.split(random.fold_in(random.key(7, impl='rbg'), 5), (3,)))"
        => | | Key::with_impl(7, PrngImpl::Rbg).fold_in(5).split_in(&[3]);
    "random.bits": "random.bits(random.key(7, impl='rbg'), (3, 5), 'uint32')" => | | Key::with_impl(7, PrngImpl::Rbg).bits(&[3, 5], DType::U32);
    "random.bits": "random.bits(random.key(7, impl='rbg'), (3, 5), 'uint64')" => | | Key::with_impl(7, PrngImpl::Rbg).bits(&[3, 5], DType::U64);
    "random.bits": "random.bits(random.key(7, impl='rbg'), (3, 5), 'uint8')" => | | Key::with_impl(7, PrngImpl::Rbg).bits(&[3, 5], DType::U8);
    "random.normal": "random.normal(random.key(7, impl='rbg'), (3, 5), x.dtype)" => |x: wide(1)| Key::with_impl(7, PrngImpl::Rbg).normal_in(&[3, 5], x.dtype());
    "random.key": "jnp.concatenate([random.key_data(random.key(123456789012, impl='threefry4x32')), random.key_data(random.fold_in(random.key(123456789012, impl='threefry4x32'), 5)), random.key_data(random.split(random.fold_in(random.key(123456789012, impl='threefry4x32'), 5), (3,))).reshape(-1)])"
        => | | family(123456789012, PrngImpl::Threefry4x32);
    "random.bits": "jnp.concatenate([random.bits(random.key(7, impl='threefry4x32'), (3, 5), w).astype('uint64') for w in ('uint8', 'uint16', 'uint32', 'uint64')])"
        => | | widths(PrngImpl::Threefry4x32);
    "random.key_impl": "jnp.array(list(random.key_impl(random.key(7, impl='threefry4x32')).encode()), 'uint8')"
        => | | Array::from_slice(Key::with_impl(7, PrngImpl::Threefry4x32).key_impl().name().as_bytes());
    "random.key": "jnp.concatenate([random.key_data(random.key(123456789012, impl='philox2x32')), random.key_data(random.fold_in(random.key(123456789012, impl='philox2x32'), 5)), random.key_data(random.split(random.fold_in(random.key(123456789012, impl='philox2x32'), 5), (3,))).reshape(-1)])"
        => | | family(123456789012, PrngImpl::Philox2x32);
    "random.bits": "jnp.concatenate([random.bits(random.key(7, impl='philox2x32'), (3, 5), w).astype('uint64') for w in ('uint8', 'uint16', 'uint32', 'uint64')])"
        => | | widths(PrngImpl::Philox2x32);
    "random.key_impl": "jnp.array(list(random.key_impl(random.key(7, impl='philox2x32')).encode()), 'uint8')"
        => | | Array::from_slice(Key::with_impl(7, PrngImpl::Philox2x32).key_impl().name().as_bytes());
    "random.key": "jnp.concatenate([random.key_data(random.key(123456789012, impl='philox4x32')), random.key_data(random.fold_in(random.key(123456789012, impl='philox4x32'), 5)), random.key_data(random.split(random.fold_in(random.key(123456789012, impl='philox4x32'), 5), (3,))).reshape(-1)])"
        => | | family(123456789012, PrngImpl::Philox4x32);
    "random.bits": "jnp.concatenate([random.bits(random.key(7, impl='philox4x32'), (3, 5), w).astype('uint64') for w in ('uint8', 'uint16', 'uint32', 'uint64')])"
        => | | widths(PrngImpl::Philox4x32);
    "random.key_impl": "jnp.array(list(random.key_impl(random.key(7, impl='philox4x32')).encode()), 'uint8')"
        => | | Array::from_slice(Key::with_impl(7, PrngImpl::Philox4x32).key_impl().name().as_bytes());
    "random.key": "jnp.concatenate([random.key_data(random.key(123456789012, impl='rbg')), random.key_data(random.fold_in(random.key(123456789012, impl='rbg'), 5)), random.key_data(random.split(random.fold_in(random.key(123456789012, impl='rbg'), 5), (3,))).reshape(-1)])"
        => | | family(123456789012, PrngImpl::Rbg);
    "random.bits": "jnp.concatenate([random.bits(random.key(7, impl='rbg'), (3, 5), w).astype('uint64') for w in ('uint8', 'uint16', 'uint32', 'uint64')])"
        => | | widths(PrngImpl::Rbg);
    "random.key_impl": "jnp.array(list(random.key_impl(random.key(7, impl='rbg')).encode()), 'uint8')"
        => | | Array::from_slice(Key::with_impl(7, PrngImpl::Rbg).key_impl().name().as_bytes());
    "random.key": "jnp.concatenate([random.key_data(random.key(123456789012, impl='unsafe_rbg')), random.key_data(random.fold_in(random.key(123456789012, impl='unsafe_rbg'), 5)), random.key_data(random.split(random.fold_in(random.key(123456789012, impl='unsafe_rbg'), 5), (3,))).reshape(-1)])"
        => | | family(123456789012, PrngImpl::UnsafeRbg);
    "random.bits": "jnp.concatenate([random.bits(random.key(7, impl='unsafe_rbg'), (3, 5), w).astype('uint64') for w in ('uint8', 'uint16', 'uint32', 'uint64')])"
        => | | widths(PrngImpl::UnsafeRbg);
    "random.key_impl": "jnp.array(list(random.key_impl(random.key(7, impl='unsafe_rbg')).encode()), 'uint8')"
        => | | Array::from_slice(Key::with_impl(7, PrngImpl::UnsafeRbg).key_impl().name().as_bytes());
    "random.wrap_key_data": "random.normal(random.wrap_key_data(x, impl='philox4x32'), (3,), 'float32')"
        => |x: u32<99>(2)| Key::wrap(x.clone(), PrngImpl::Philox4x32).normal(&[3]);
    // The ciphers.
    "random.key_impl": "jax._src.random.philox2x32.philox2x32_p.bind(x, y * 99999999, y)"
        => |x: u32<99>(), y: u32<99>(2, 3)| lax::philox2x32(x, [&(y * 99999999), y]);
    "random.key_impl": "jax._src.random.philox4x32.philox4x32_p.bind(x, x + 1, y * 99999999, y, y + 1, x)"
        => |x: u32<99>(), y: u32<99>(2, 3)| lax::philox4x32([x, &(x + 1)], [&(y * 99999999), y, &(y + 1), x]);
    "random.key_impl": "jax._src.random.threefry4x32.threefry4x32_p.bind(x, x + 1, x, y, y * 99999999, y, y + 1, x)"
        => |x: u32<99>(), y: u32<99>(2, 3)| lax::threefry4x32([x, &(x + 1), x, y], [&(y * 99999999), y, &(y + 1), x]);
    // Bits and integers.
    "random.bits": "random.bits(random.key(7), (3, 5), 'uint32')" => | | key().bits(&[3, 5], DType::U32);
    "random.bits": "random.bits(random.key(7), (3, 5), 'uint8')" => | | key().bits(&[3, 5], DType::U8);
    "random.bits": "random.bits(random.key(7), (3, 5), 'uint64')" => | | key().bits(&[3, 5], DType::U64);
    "random.randint": "random.randint(random.key(7), (3, 5), -3, 11, 'int32')" => | | key().randint(&[3, 5], -3, 11);
    "random.randint": "random.randint(random.key(7), (3, 5), 0, 200, 'uint8')" => | | key().randint_in(&[3, 5], DType::U8, 0, 200);
    "random.permutation": "random.permutation(random.key(7), 1000).astype('int32')" => | | key().permutation(1000);
    "random.permutation": "random.permutation(random.key(7), x, axis=1)" => |x: all(3, 5)| key().shuffle(x, 1);
    "random.permutation": "random.permutation(random.key(7), x, axis=1, independent=True)"
        => |x: all(3, 5)| key().shuffle_independently(x, 1);
    "random.choice": "jnp.take(x, random.randint(random.key(7), (2, 3), 0, 5, 'int32'), axis=1)" => |x: all(3, 5)| key().choice(x, &[2, 3], 1);
    "random.choice": "random.choice(random.key(7), x, (2, 2), replace=False)" => |x: all(5)| key().choice_distinct(x, &[2, 2], 0);
    "random.choice": "random.choice(random.key(7), x, (40,), p=jnp.abs(p))"
        => |x: i32(5), p: wide(5)| key().choice_weighted(x, &[40], 0, &p.abs());
    "random.choice": "random.choice(random.key(7), x, (4,), replace=False, p=jnp.abs(p))"
        => |x: i32(5), p: wide(5)| key().choice_distinct_weighted(x, &[4], 0, &p.abs());
    // Coins and categories.
    "random.bernoulli": "random.bernoulli(random.key(7), jnp.float32(0.3), (3, 5))" => | | key().bernoulli(0.3, &[3, 5]);
    "random.bernoulli": "random.bernoulli(random.key(7), jnp.abs(p), (3, 5))" => |p: wide<1>(5)| key().bernoulli(p.abs(), &[3, 5]);
    "random.bernoulli": "random.bernoulli(random.key(7), jnp.abs(p), (3, 5), mode='high')"
        => |p: wide<1>(5)| key().bernoulli_fine(p.abs(), &[3, 5]);
    "random.rademacher": "2 * random.bernoulli(random.key(7), jnp.float32(0.5), (3, 5)).astype('float32') - 1"
        => | | key().rademacher_in(&[3, 5], DType::F32);
    "random.geometric": "random.geometric(random.key(7), jnp.float32(0.3), (3, 5), dtype='int32')"
        => | | key().geometric(&[3, 5], 0.3);
    "random.categorical": "random.categorical(random.key(7), x).astype('int32')" => |x: wide(3, 5)| key().categorical(x);
    "random.categorical": "random.categorical(random.key(7), x, axis=0, shape=(4, 5)).astype('int32')"
        => |x: wide(3, 5)| key().categorical_in(x, 0, &[4, 5]);
    "random.categorical": "random.categorical(random.key(7), x, shape=(2, 3), replace=False).astype('int32')"
        => |x: wide(3, 5)| key().categorical_distinct(x, -1, 2);
    // Floats.
    "random.uniform": "random.uniform(random.key(7), (3, 5), x.dtype)" => |x: floats(1)| key().uniform_in(&[3, 5], x.dtype(), 0.0, 1.0);
    "random.uniform": "random.uniform(random.key(7), (3, 5), x.dtype, -3, 2)" => |x: floats(1)| key().uniform_in(&[3, 5], x.dtype(), -3.0, 2.0);
    "random.normal": "random.normal(random.key(7), (3, 5), x.dtype)" => |x: inexact(1)| key().normal_in(&[3, 5], x.dtype());
    "random.truncated_normal": "random.truncated_normal(random.key(7), -1, 2, (3, 5), x.dtype)"
        => |x: wide(1)| key().truncated_normal_in(&[3, 5], x.dtype(), -1.0, 2.0);
    "random.gumbel": "random.gumbel(random.key(7), (3, 5), x.dtype)" => |x: wide(1)| key().gumbel_in(&[3, 5], x.dtype());
    "random.gumbel": "random.gumbel(random.key(7), (3, 5), x.dtype, mode='high')" => |x: wide(1)| key().gumbel_fine_in(&[3, 5], x.dtype());
    "random.exponential": "random.exponential(random.key(7), (3, 5), x.dtype)" => |x: wide(1)| key().exponential_in(&[3, 5], x.dtype());
    // The tangent is steep where the number is large.
    "random.cauchy": "random.cauchy(random.key(7), (3, 5), x.dtype)", 16 => |x: wide(1)| key().cauchy_in(&[3, 5], x.dtype());
    "random.laplace": "random.laplace(random.key(7), (3, 5), x.dtype)" => |x: wide(1)| key().laplace_in(&[3, 5], x.dtype());
    "random.logistic": "random.logistic(random.key(7), (3, 5), x.dtype)" => |x: wide(1)| key().logistic_in(&[3, 5], x.dtype());
    "random.lognormal": "random.lognormal(random.key(7), x, (3, 5), x.dtype)" => |x: wide(5)| key().lognormal_in(&[3, 5], x.dtype(), x);
    "random.pareto": "random.pareto(random.key(7), jnp.abs(x) + 1, (3, 5), x.dtype)"
        => |x: wide(5)| key().pareto_in(&[3, 5], x.dtype(), x.abs() + 1);
    "random.maxwell": "random.maxwell(random.key(7), (3, 5), x.dtype)" => |x: wide(1)| key().maxwell_in(&[3, 5], x.dtype());
    "random.double_sided_maxwell": "jnp.abs(random.double_sided_maxwell(random.key(7), 0.0, 2.0, (3, 5), x.dtype))"
        => |x: wide(1)| key().double_sided_maxwell_in(&[3, 5], x.dtype(), 0.0, 2.0).abs();
    "random.rayleigh": "random.rayleigh(random.key(7), x, (3, 5), x.dtype)" => |x: wide(5)| key().rayleigh_in(&[3, 5], x.dtype(), x);
    "random.weibull_min": "random.weibull_min(random.key(7), x, jnp.abs(y) + 1, (3, 5), x.dtype)"
        => |x: wide(5), y: wide(5)| key().weibull_min_in(&[3, 5], x.dtype(), x, y.abs() + 1);
    "random.triangular": "random.triangular(random.key(7), x - 5, x, 6.0, (3, 5), x.dtype)"
        => |x: wide(5)| key().triangular_in(&[3, 5], x.dtype(), x - 5, x, 6.0);
    "random.wald": "random.wald(random.key(7), jnp.abs(x) + 0.1, (3, 5), x.dtype)", 4
        => |x: wide(5)| key().wald_in(&[3, 5], x.dtype(), x.abs() + 0.1);
    "random.multivariate_normal": "random.multivariate_normal(random.key(7), x, y @ y.T + jnp.eye(3, dtype=y.dtype), (4,))"
        => |x: wide(3), y: wide(3, 3)|
        key().multivariate_normal(&[4], x, &(y.matmul(&y.t()) + Array::arange(3).one_hot(3, y.dtype())));
    "random.orthogonal": "random.orthogonal(random.key(7), 3, (2,), x.dtype, 5)", 4
        => |x: inexact(1)| key().orthogonal_in(&[2], 3, 5, x.dtype());
    // By rejection.
    "random.gamma": "jnp.mean(random.gamma(random.key(7), 2.5, (20000, 1), 'float32') <= jnp.array([0.5, 1, 2, 4, 7]), 0).astype('float32')", 5000
        => | | shares(key().gamma_in(MANY, DType::F32, 2.5), &[0.5, 1.0, 2.0, 4.0, 7.0]);
    "random.gamma": "jnp.mean(random.gamma(random.key(7), 0.3, (20000, 1), 'float32') <= jnp.array([0.001, 0.1, 0.5, 1, 2]), 0).astype('float32')", 5000
        => | | shares(key().gamma_in(MANY, DType::F32, 0.3), &[0.001, 0.1, 0.5, 1.0, 2.0]);
    "lax.random_gamma_grad": "lax.random_gamma_grad(jnp.abs(a) + 0.5, jnp.abs(x) + 0.1)", 64
        => |a: wide(12), x: wide(12)| jarrah_array::random::random_gamma_grad(&(a.abs() + 0.5), &(x.abs() + 0.1));
    "random.loggamma": "jnp.mean(random.loggamma(random.key(7), 0.01, (20000, 1), 'float32') <= jnp.array([-300, -100, -20, -5, 0]), 0).astype('float32')", 5000
        => | | shares(key().loggamma_in(MANY, DType::F32, 0.01), &[-300.0, -100.0, -20.0, -5.0, 0.0]);
    "random.beta": "jnp.mean(random.beta(random.key(7), 2.0, 0.5, (20000, 1), 'float32') <= jnp.array([0.2, 0.5, 0.8, 0.95]), 0).astype('float32')", 5000
        => | | shares(key().beta_in(MANY, DType::F32, 2.0, 0.5), &[0.2, 0.5, 0.8, 0.95]);
    "random.dirichlet": "jnp.mean(random.dirichlet(random.key(7), jnp.array([0.5, 2, 3]), (20000,), 'float32'), 0)", 5000
        => | | key().dirichlet_in(MANY, DType::F32, &Array::from_slice(&[0.5f32, 2.0, 3.0])).mean(0);
    "random.chisquare": "jnp.mean(random.chisquare(random.key(7), 3.0, (20000, 1), 'float32') <= jnp.array([0.5, 1, 3, 8]), 0).astype('float32')", 5000
        => | | shares(key().chisquare_in(MANY, DType::F32, 3.0), &[0.5, 1.0, 3.0, 8.0]);
    "random.t": "jnp.mean(random.t(random.key(7), 3.0, (20000, 1), 'float32') <= jnp.array([-2.0, -1, 0, 1, 3]), 0).astype('float32')", 5000
        => | | shares(key().t_in(MANY, DType::F32, 3.0), &[-2.0, -1.0, 0.0, 1.0, 3.0]);
    "random.f": "jnp.mean(random.f(random.key(7), 3.0, 7.0, (20000, 1), 'float32') <= jnp.array([0.2, 0.7, 1.5, 4]), 0).astype('float32')", 5000
        => | | shares(key().f_in(MANY, DType::F32, 3.0, 7.0), &[0.2, 0.7, 1.5, 4.0]);
    "random.generalized_normal": "jnp.mean(random.generalized_normal(random.key(7), 3.0, (20000, 1), 'float32') <= jnp.array([-1.0, -0.5, 0, 0.5, 1]), 0).astype('float32')", 5000
        => | | shares(key().generalized_normal_in(MANY, DType::F32, 3.0), &[-1.0, -0.5, 0.0, 0.5, 1.0]);
    "random.ball": "jnp.mean(jnp.sum(random.ball(random.key(7), 3, 2, (20000, 1), 'float32') ** 2, -1) <= jnp.array([0.1, 0.3, 0.6, 0.9]), 0).astype('float32')", 5000
        => | | shares(key().ball_in(MANY, DType::F32, 3, 2.0).square().sum(-1), &[0.1, 0.3, 0.6, 0.9]);
    "random.poisson": "jnp.mean(random.poisson(random.key(7), jnp.float32(2.5), (20000, 1)) <= jnp.array([0, 1, 2, 4, 6]), 0).astype('float32')", 5000
        => | | shares(key().poisson(MANY, 2.5), &[0.0, 1.0, 2.0, 4.0, 6.0]);
    "random.poisson": "jnp.mean(random.poisson(random.key(7), jnp.float32(40), (20000, 1)) <= jnp.array([28, 35, 40, 45, 52]), 0).astype('float32')", 5000
        => | | shares(key().poisson(MANY, 40.0), &[28.0, 35.0, 40.0, 45.0, 52.0]);
    "random.binomial": "jnp.mean(random.binomial(random.key(7), 20.0, 0.3, (20000, 1), 'float32') <= jnp.array([2, 4, 6, 8, 10]), 0).astype('float32')", 5000
        => | | shares(key().binomial_in(MANY, DType::F32, 20.0, 0.3), &[2.0, 4.0, 6.0, 8.0, 10.0]);
    "random.binomial": "jnp.mean(random.binomial(random.key(7), 200.0, 0.7, (20000, 1), 'float32') <= jnp.array([125, 135, 140, 145, 155]), 0).astype('float32')", 5000
        => | | shares(key().binomial_in(MANY, DType::F32, 200.0, 0.7), &[125.0, 135.0, 140.0, 145.0, 155.0]);
    "random.multinomial": "jnp.mean(random.multinomial(random.key(7), 9.0, jnp.broadcast_to(jnp.array([0.2, 0.5, 0.3], 'float32'), (20000, 3)), dtype='float32'), 0)", 5000
        => | | key().multinomial(9.0, &Array::from_slice(&[0.2f32, 0.5, 0.3]).broadcast_to(&[20000, 3])).mean(0);

    // The ends of types and shapes.
    "random.randint": "random.randint(random.key(7), (3, 5), -2**31, 2**31 - 1, 'int32')" => | | key().randint_in(&[3, 5], DType::I32, -(1 << 31), (1 << 31) - 1);
    "random.randint": "random.randint(random.key(7), (3, 5), -128, 127, 'int8')" => | | key().randint_in(&[3, 5], DType::I8, -128, 127);
    "random.randint": "random.randint(random.key(7), (3, 5), 0, 2**32 - 1, 'uint32')" => | | key().randint_in(&[3, 5], DType::U32, 0, (1 << 32) - 1);
    "random.randint": "random.randint(random.key(7), (3, 5), -2**63, 2**63 - 1, 'int64')" => | | key().randint_in(&[3, 5], DType::I64, i64::MIN, i64::MAX);
    "random.randint": "random.randint(random.key(7), (3, 5), -5, 2**40, 'int64')" => | | key().randint_in(&[3, 5], DType::I64, -5, 1 << 40);
    "random.randint": "random.randint(random.key(7), (3, 5), 3, 2**63 - 1, 'uint64')" => | | key().randint_in(&[3, 5], DType::U64, 3, i64::MAX);
    "random.randint": "random.randint(random.key(7), (3, 5), 5, -3, 'int32')" => | | key().randint_in(&[3, 5], DType::I32, 5, -3);
    "random.randint": "random.randint(random.key(7), (0, 5), 0, 3, 'int32')" => | | key().randint_in(&[0, 5], DType::I32, 0, 3);
    "random.permutation": "random.permutation(random.key(7), x, axis=-1)" => |x: all(3, 0)| key().shuffle(x, -1);
    "random.permutation": "random.permutation(random.key(7), x, axis=-2)" => |x: all(3, 7)| key().shuffle(x, -2);
    "random.permutation": "random.permutation(random.key(7), x, axis=-2, independent=True)" => |x: all(3, 7)| key().shuffle_independently(x, -2);
    "random.permutation": "random.permutation(random.key(7), x, axis=0, independent=True)" => |x: all(0, 7)| key().shuffle_independently(x, 0);
    "random.permutation": "random.permutation(random.key(7), 0).astype('int32')" => | | key().permutation(0);
    "random.permutation": "random.permutation(random.key(7), 1).astype('int32')" => | | key().permutation(1);
    "random.permutation": "random.permutation(random.key(7), 4097).astype('int32')" => | | key().permutation(4097);
    "random.choice": "random.choice(random.key(7), x, (3, 2), axis=-1, p=jnp.abs(p))" => |x: all(2, 5), p: wide(5)| key().choice_weighted(x, &[3, 2], -1, &p.abs());
    "random.choice": "random.choice(random.key(7), x, (3,), axis=-1, replace=False)" => |x: all(2, 5)| key().choice_distinct(x, &[3], -1);
    "random.choice": "random.choice(random.key(7), x, (3,), axis=-1, replace=False, p=jnp.abs(p))" => |x: all(2, 5), p: wide(5)| key().choice_distinct_weighted(x, &[3], -1, &p.abs());
    "random.choice": "random.choice(random.key(7), x, (0, 2))" => |x: i32(5)| key().choice(x, &[0, 2], 0);
    "random.choice": "random.choice(random.key(7), x, (9,), p=jnp.abs(p) * jnp.array([0, 1, 0, 1, 0]))" => |x: i32(5), p: f32(5)| key().choice_weighted(x, &[9], 0, &(p.abs() * Array::from_slice(&[0, 1, 0, 1, 0])));
    "random.categorical": "random.categorical(random.key(7), x, axis=1).astype('int32')" => |x: wide(3, 4, 5)| key().categorical_in(x, 1, &[3, 5]);
    "random.categorical": "random.categorical(random.key(7), x, axis=-3, shape=(2, 4, 5)).astype('int32')" => |x: wide(3, 4, 5)| key().categorical_in(x, -3, &[2, 4, 5]);
    "random.categorical": "random.categorical(random.key(7), x, axis=-3, shape=(3, 4, 5), replace=False).astype('int32')" => |x: wide(7, 4, 5)| key().categorical_distinct(x, -3, 3);
    "random.categorical": "random.categorical(random.key(7), x).astype('int32')" => |x: wide(0, 5)| key().categorical(x);
    "random.bernoulli": "random.bernoulli(random.key(7), x, (0, 5))" => |x: wide(5)| key().bernoulli(x, &[0, 5]);
    "random.multivariate_normal": "random.multivariate_normal(random.key(7), x, y @ y.mT + jnp.eye(3, dtype=y.dtype), (5, 4, 2))", 4 => |x: wide(2, 3), y: wide(4, 1, 3, 3)| key().multivariate_normal(&[5, 4, 2], x, &(y.matmul(&y.t()) + Array::eye_in(3, 3, 0, y.dtype())));
    "random.multivariate_normal": "random.multivariate_normal(random.key(7), x, y @ y.mT)" => |x: wide(0), y: wide(0, 0)| key().multivariate_normal(&[], x, &y.matmul(&y.t()));
    "random.uniform": "random.uniform(random.key(7), (3, 5), x.dtype, 1, 1)" => |x: floats(1)| key().uniform_in(&[3, 5], x.dtype(), 1.0, 1.0);
    "random.uniform": "random.uniform(random.key(7), (3, 5), x.dtype, 2, -3)" => |x: wide(1)| key().uniform_in(&[3, 5], x.dtype(), 2.0, -3.0);
    "random.bits": "random.bits(random.key(7), (4097,), 'uint16')" => | | key().bits(&[4097], DType::U16);
    "random.bits": "random.bits(random.key(7), (0, 4), 'uint8')" => | | key().bits(&[0, 4], DType::U8);
    "random.split": "random.key_data(random.split(random.key(7), (0, 2)))" => | | key().split_in(&[0, 2]);
    "random.orthogonal": "random.orthogonal(random.key(7), 0, (2,), x.dtype)" => |x: inexact(1)| key().orthogonal_in(&[2], 0, 0, x.dtype());
    "random.geometric": "random.geometric(random.key(7), jnp.float32(1.0), (5,), dtype='int32')" => | | key().geometric(&[5], 1.0);
    "random.truncated_normal": "random.truncated_normal(random.key(7), -jnp.inf, jnp.inf, (3, 5), x.dtype)" => |x: wide(1)| key().truncated_normal_in(&[3, 5], x.dtype(), f64::NEG_INFINITY, f64::INFINITY);
}
