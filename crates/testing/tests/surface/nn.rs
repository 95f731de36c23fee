//! `jax.nn`.

use jarrah_array::nn::initializers::{Distribution, Fan, FanAxes, Initializer};
use jarrah_array::nn::{self, AttentionOptions, BlockScaleConfig};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, along, stop_gradient};

use super::rows;

fn draw(initializer: Initializer, shape: &[usize]) -> Array {
    initializer.sample(&Key::new(7), shape, DType::F32)
}

/// The same rounding to four bits for both operands and the cotangent.
fn nvfp4(global_scale: f32) -> [BlockScaleConfig; 3] {
    [(); 3].map(|()| BlockScaleConfig::Nvfp4 { global_scale: Array::scalar(global_scale) })
}

rows! {
    // Activations.
    "nn.relu": "nn.relu(x)" => |x: reals(3, 5)| nn::relu(x);
    "nn.relu6": "nn.relu6(x)" => |x: reals<9>(3, 5)| nn::relu6(x);
    "nn.leaky_relu": "nn.leaky_relu(x)" => |x: reals(3, 5)| nn::leaky_relu(x, 0.01);
    "nn.leaky_relu": "nn.leaky_relu(x, s)" => |x: floats(3, 5), s: floats(5)| nn::leaky_relu(x, s);
    "nn.elu": "nn.elu(x)" => |x: reals(3, 5)| nn::elu(x, 1.0);
    "nn.elu": "nn.elu(x, a)" => |x: floats(3, 5), a: floats(3, 1)| nn::elu(x, a);
    "nn.celu": "nn.celu(x)" => |x: floats(3, 5)| nn::celu(x, 1.0);
    "nn.celu": "nn.celu(x, jnp.abs(a) + 0.5)" => |x: floats(3, 5), a: floats(5)| nn::celu(x, a.abs() + 0.5);
    "nn.selu": "nn.selu(x)" => |x: reals(3, 5)| nn::selu(x);
    "nn.gelu": "nn.gelu(x)" => |x: ordered(3, 5)| nn::gelu(x);
    "nn.gelu": "nn.gelu(x, approximate=False)" => |x: reals(3, 5)| nn::gelu_exact(x);
    "nn.glu": "nn.glu(x)" => |x: floats(3, 4)| nn::glu(x, -1);
    "nn.glu": "nn.glu(x, axis=0)" => |x: floats(4, 3)| nn::glu(x, 0);
    "nn.sigmoid": "nn.sigmoid(x)" => |x: inexact(3, 5)| nn::sigmoid(x);
    "nn.tanh": "nn.tanh(x)" => |x: all(3, 5)| nn::tanh(x);
    "nn.identity": "nn.identity(x)" => |x: all(3, 5)| nn::identity(x);
    "nn.silu nn.swish": "nn.silu(x)" => |x: inexact(3, 5)| nn::silu(x);
    "nn.mish": "nn.mish(x)" => |x: floats(3, 5)| nn::mish(x);
    "nn.softplus": "nn.softplus(x)" => |x: reals(3, 5)| nn::softplus(x);
    "nn.softplus": "nn.softplus(x * 1000)" => |x: wide(3, 5)| nn::softplus(&(x * 1000));
    "nn.log_sigmoid": "nn.log_sigmoid(x)" => |x: floats(3, 5)| nn::log_sigmoid(x);
    "nn.soft_sign": "nn.soft_sign(x)" => |x: reals(3, 5)| nn::soft_sign(x);
    "nn.squareplus": "nn.squareplus(x)" => |x: floats(3, 5)| nn::squareplus(x, 4);
    "nn.squareplus": "nn.squareplus(x, b * b)" => |x: floats(3, 5), b: floats(5)| nn::squareplus(x, b * b);
    "nn.sparse_plus": "nn.sparse_plus(x)" => |x: floats(3, 5)| nn::sparse_plus(x);
    "nn.sparse_sigmoid": "nn.sparse_sigmoid(x)" => |x: floats(3, 5)| nn::sparse_sigmoid(x);
    "nn.hard_sigmoid": "nn.hard_sigmoid(x)" => |x: reals(3, 5)| nn::hard_sigmoid(x);
    "nn.hard_silu nn.hard_swish": "nn.hard_silu(x)" => |x: reals(3, 5)| nn::hard_silu(x);
    "nn.hard_tanh": "nn.hard_tanh(x)" => |x: floats(3, 5)| nn::hard_tanh(x);
    "nn.log1mexp": "nn.log1mexp(jnp.abs(x) + 0.01)" => |x: floats(3, 5)| nn::log1mexp(&(x.abs() + 0.01));
    // One-hot vectors.
    "nn.one_hot": "nn.one_hot(x, 4, dtype='float32')" => |x: integers(3, 5)| nn::one_hot(x, 4, DType::F32);
    "nn.one_hot": "nn.one_hot(x, 4, dtype='int32', axis=1)"
        => |x: integers(3, 5)| nn::one_hot_along(x, 4, DType::I32, 1);
    // Softmax and its kin.
    "nn.softmax scipy.special.softmax": "nn.softmax(x)" => |x: floats(3, 5)| x.softmax(-1);
    "nn.softmax scipy.special.softmax": "nn.softmax(x * 300, axis=(0, 2))"
        => |x: wide(2, 3, 4)| (x * 300).softmax([0, 2]);
    "nn.softmax": "nn.softmax(x, where=m)" => |x: floats(3, 5), m: bool(3, 5)| x.softmax(along(-1).mask(m));
    "nn.log_softmax scipy.special.log_softmax": "nn.log_softmax(x)" => |x: floats(3, 5)| x.log_softmax(-1);
    "nn.log_softmax": "nn.log_softmax(x * 300, axis=(0, 2))"
        => |x: wide(2, 3, 4)| (x * 300).log_softmax([0, 2]);
    "nn.log_softmax": "nn.log_softmax(x, where=m)" => |x: wide(3, 5), m: bool(3, 5)| x.log_softmax(along(-1).mask(m));
    "nn.logsumexp scipy.special.logsumexp": "nn.logsumexp(x, axis=1)" => |x: numbers(3, 5)| x.logsumexp(1);
    "nn.logsumexp": "nn.logsumexp(x * 300)" => |x: wide(3, 5)| (x * 300).logsumexp([0, 1]);
    "nn.logsumexp": "nn.logsumexp(x, axis=0, where=m)"
        => |x: wide(7, 3), m: bool(7, 3)| x.logsumexp(along(0).mask(m));
    "nn.logsumexp": "nn.logsumexp(x, axis=1, b=b, return_sign=True)"
        => |x: wide(3, 5), b: wide(3, 5)| nn::logsumexp_weighted(x, b, 1);
    "nn.logmeanexp": "nn.logmeanexp(x, axis=1)" => |x: floats(3, 5)| nn::logmeanexp(x, 1);
    "nn.standardize": "nn.standardize(x, algorithm='stable')" => |x: floats(3, 5)| nn::standardize(x, -1, 1e-5);
    "nn.standardize": "nn.standardize(x, axis=(0, 2), epsilon=0.1)"
        => |x: wide(2, 3, 4)| nn::standardize(x, [0, 2], 0.1);
    "nn.standardize": "nn.standardize(x, mean=m, variance=v * v)"
        => |x: wide(3, 5), m: wide(5), v: wide(5)| nn::standardize_with(x, m, &(v * v), 1e-5);
    // Attention. Of f64 arguments JAX computes the softmax in f32.
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v)", 4
        => |q: f32(2, 5, 4, 3), k: f32(2, 7, 2, 3), v: f32(2, 7, 2, 3)|
        nn::dot_product_attention(q, k, v, &AttentionOptions::default());
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v, is_causal=True, scale=0.3)", 4
        => |q: bf16(5, 4, 3), k: bf16(5, 4, 3), v: bf16(5, 4, 3)|
        nn::dot_product_attention(q, k, v, &AttentionOptions { scale: Some(0.3), ..AttentionOptions::causal() });
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v, bias=b, mask=m, is_causal=True)", 4
        => |q: f32(2, 5, 4, 3), k: f32(2, 7, 2, 3), v: f32(2, 7, 2, 3), b: f32(1, 4, 5, 7), m: bool(2, 1, 5, 7)|
        nn::dot_product_attention(q, k, v, &AttentionOptions {
            bias: Some(b.clone()),
            mask: Some(m.clone()),
            causal: true,
            ..Default::default()
        });
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v, local_window_size=(2, 1), query_seq_lengths=abs(s) + 1, key_value_seq_lengths=abs(t) + 2)", 4
        => |q: f32(2, 5, 4, 3), k: f32(2, 7, 2, 3), v: f32(2, 7, 2, 3), s: i32(2), t: i32(2)|
        nn::dot_product_attention(q, k, v, &AttentionOptions {
            window: Some((2, 1)),
            query_lengths: Some(s.abs() + 1),
            key_lengths: Some(t.abs() + 2),
            ..Default::default()
        });
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=2, query_seq_lengths=abs(s) + 1, return_residual=True)", 4
        => |q: f32(2, 5, 4, 3), k: f32(2, 5, 2, 3), v: f32(2, 5, 2, 3), s: i32(2)| {
        let options = AttentionOptions {
            window: Some((2, 2)),
            query_lengths: Some(s.abs() + 1),
            ..AttentionOptions::causal()
        };
        let (y, lse) = nn::dot_product_attention_with_residual(q, k, v, &options);
        (y, stop_gradient(&lse))
    };
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v, bias=b, mask=m)", 4
        => |q: f32(5, 4, 3), k: f32(7, 4, 3), v: f32(7, 4, 3), b: f32(4, 1, 7), m: bool(5, 7)|
        nn::dot_product_attention(q, k, v, &AttentionOptions {
            bias: Some(b.clone()),
            mask: Some(m.clone()),
            ..Default::default()
        });
    "nn.dot_product_attention": "nn.dot_product_attention(q, k, v, is_causal=True, key_value_seq_lengths=abs(t) + 1)", 4
        => |q: bf16(2, 5, 4, 3), k: bf16(2, 7, 1, 3), v: bf16(2, 7, 1, 3), t: i32(2)|
        nn::dot_product_attention(q, k, v, &AttentionOptions {
            key_lengths: Some(t.abs() + 1),
            ..AttentionOptions::causal()
        });
    "nn.scaled_matmul": "jnp.einsum('bmk,bnk->bmn', a * jnp.repeat(s, 4, -1), b * jnp.repeat(t, 2, -1))"
        => |a: f32(2, 3, 8), b: f32(2, 5, 8), s: f32(2, 3, 2), t: f32(2, 5, 4)|
        nn::scaled_matmul(a, b, s, t, DType::F32);
    "nn.scaled_dot_general nn.get_scaled_dot_general_config": "nn.scaled_dot_general(x, y, (((2,), (2,)), ((0,), (0,))), configs=[nn.get_scaled_dot_general_config('mxfp8')] * 3)"
        => |x: f32(2, 32, 64), y: f32(2, 32, 64)|
        nn::scaled_dot_general(x, y, (&[2], &[2]), (&[0], &[0]), DType::F32, &[const { BlockScaleConfig::Mxfp8 }; 3]);
    "nn.scaled_dot_general": "nn.scaled_dot_general(x, y, (((0, 2), (1, 2)), ((), ())), configs=[nn.get_scaled_dot_general_config('mxfp8')] * 3)"
        => |x: f32(2, 32, 16), y: f32(64, 2, 16)|
        nn::scaled_dot_general(x, y, (&[0, 2], &[1, 2]), (&[], &[]), DType::F32, &[const { BlockScaleConfig::Mxfp8 }; 3]);
    "nn.scaled_dot_general": "nn.scaled_dot_general(x, y, (((2,), (1,)), ((0,), (0,))), preferred_element_type=jnp.bfloat16, configs=[nn.get_scaled_dot_general_config('mxfp8')] * 3)"
        => |x: bf16(2, 32, 32), y: bf16(2, 32, 32)|
        nn::scaled_dot_general(x, y, (&[2], &[1]), (&[0], &[0]), DType::BF16, &[const { BlockScaleConfig::Mxfp8 }; 3]);
    // JAX has no gradient where the rows that are contracted then are no whole blocks.
    "nn.scaled_dot_general": "nn.scaled_dot_general(lax.stop_gradient(x), lax.stop_gradient(y), (((1,), (1,)), ((), ())), configs=[nn.get_scaled_dot_general_config('mxfp8')] * 3)"
        => |x: f32(3, 64), y: f32(5, 64)|
        nn::scaled_dot_general(&stop_gradient(x), &stop_gradient(y), (&[1], &[1]), (&[], &[]), DType::F32, &[const { BlockScaleConfig::Mxfp8 }; 3]);
    "nn.scaled_dot_general": "nn.scaled_dot_general(x, y, (((1,), (1,)), ((), ())), configs=[nn.get_scaled_dot_general_config('nvfp4', jnp.array([0.5], 'float32'))] * 3)"
        => |x: f32(3, 32), y: f32(5, 32)|
        nn::scaled_dot_general(x, y, (&[1], &[1]), (&[], &[]), DType::F32, &nvfp4(0.5));
    "nn.scaled_dot_general": "nn.scaled_dot_general(x, y, (((1,), (1,)), ((), ())), configs=[nn.get_scaled_dot_general_config('nvfp4', jnp.array([0.001], 'float32'))] * 3)"
        => |x: f32(3, 32), y: f32(5, 32)|
        nn::scaled_dot_general(x, y, (&[1], &[1]), (&[], &[]), DType::F32, &nvfp4(0.001));
    // Initial distributions.
    "nn.initializers.constant": "nn.initializers.constant(0.3)(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::Constant(0.3), &[3, 5]);
    "nn.initializers.zeros nn.initializers.Initializer": "nn.initializers.zeros(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::zeros(), &[3, 5]);
    "nn.initializers.ones": "nn.initializers.ones(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::ones(), &[3, 5]);
    "nn.initializers.normal": "nn.initializers.normal(0.3)(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::normal(0.3), &[3, 5]);
    "nn.initializers.uniform": "nn.initializers.uniform(0.3)(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::uniform(0.3), &[3, 5]);
    "nn.initializers.truncated_normal": "nn.initializers.truncated_normal(0.3)(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::truncated_normal(0.3), &[3, 5]);
    "nn.initializers.truncated_normal": "nn.initializers.truncated_normal(0.3, lower=-1, upper=0.5)(random.key(7), (3, 5), 'float32')"
        => | | draw(Initializer::TruncatedNormal { deviation: 0.3, low: -1.0, high: 0.5 }, &[3, 5]);
    "nn.initializers.glorot_uniform nn.initializers.xavier_uniform": "nn.initializers.glorot_uniform()(random.key(7), (2, 3, 5), 'float32')"
        => | | draw(Initializer::glorot_uniform(), &[2, 3, 5]);
    "nn.initializers.glorot_normal nn.initializers.xavier_normal": "nn.initializers.glorot_normal()(random.key(7), (2, 3, 5), 'float32')"
        => | | draw(Initializer::glorot_normal(), &[2, 3, 5]);
    "nn.initializers.he_uniform nn.initializers.kaiming_uniform": "nn.initializers.he_uniform()(random.key(7), (2, 3, 5), 'float32')"
        => | | draw(Initializer::he_uniform(), &[2, 3, 5]);
    "nn.initializers.he_normal nn.initializers.kaiming_normal": "nn.initializers.he_normal()(random.key(7), (2, 3, 5), 'float32')"
        => | | draw(Initializer::he_normal(), &[2, 3, 5]);
    "nn.initializers.lecun_uniform": "nn.initializers.lecun_uniform()(random.key(7), (2, 3, 5), 'float32')"
        => | | draw(Initializer::lecun_uniform(), &[2, 3, 5]);
    "nn.initializers.lecun_normal": "nn.initializers.lecun_normal(in_axis=(0, 1), batch_axis=2)(random.key(7), (2, 3, 4, 5), 'float32')"
        => | | draw(Initializer::lecun_normal().along(FanAxes { inputs: &[0, 1], batch: &[2], ..Default::default() }), &[2, 3, 4, 5]);
    "nn.initializers.variance_scaling": "nn.initializers.variance_scaling(0.7, 'fan_geo_avg', 'normal', in_axis=0)(random.key(7), (2, 3, 5), 'float32')"
        => | | draw(Initializer::VarianceScaling {
            scale: 0.7,
            fan: Fan::GeometricAverage,
            distribution: Distribution::Normal,
            axes: FanAxes { inputs: &[0], ..Default::default() },
        }, &[2, 3, 5]);
    "nn.initializers.orthogonal": "nn.initializers.orthogonal(0.5, column_axis=1)(random.key(7), (3, 5, 2), 'float32')", 8
        => | | draw(Initializer::Orthogonal { scale: 0.5, columns: 1 }, &[3, 5, 2]);
    "nn.initializers.orthogonal": "nn.initializers.orthogonal()(random.key(7), (3, 7), 'float32')", 8
        => | | draw(Initializer::orthogonal(), &[3, 7]);
    "nn.initializers.delta_orthogonal": "nn.initializers.delta_orthogonal(2.0)(random.key(7), (3, 4, 5, 6), 'float32')", 8
        => | | draw(Initializer::DeltaOrthogonal { scale: 2.0, columns: -1 }, &[3, 4, 5, 6]);
}
