//! `jax.lax`.

use jarrah_array::lax::*;
use jarrah_array::numpy::{concatenate, stack};
use jarrah_array::{Array, DType, broadcast_shapes, lax, stop_gradient};

use super::rows;

/// The strides and the padding of windows.
fn windows(strides: &[usize], padding: Padding) -> WindowOptions {
    WindowOptions { strides: strides.to_vec(), padding, ..WindowOptions::default() }
}

/// The axes of a product of groups.
fn ragged(
    contract: (&[usize], &[usize]),
    batch: (&[usize], &[usize]),
    ragged: usize,
    group: Option<usize>,
) -> RaggedDotDimensionNumbers {
    let both = |(a, b): (&[usize], &[usize])| (a.to_vec(), b.to_vec());
    RaggedDotDimensionNumbers { contract: both(contract), batch: both(batch), ragged, group }
}

rows! {
    // Functions of each element.
    "lax.abs": "lax.abs(x)" => |x: floats(5)| x.abs();
    "lax.acos": "lax.acos(x)", 4 => |x: wide<1>(5)| x.acos();
    "lax.acosh": "lax.acosh(jnp.abs(x) + 1.5)" => |x: wide(5)| (x.abs() + 1.5).acosh();
    "lax.asin": "lax.asin(x)", 4 => |x: wide<1>(5)| x.asin();
    "lax.asinh": "lax.asinh(x)" => |x: wide(5)| x.asinh();
    "lax.atan": "lax.atan(x)" => |x: wide(5)| x.atan();
    "lax.atanh": "lax.atanh(x)", 4 => |x: wide<1>(5)| x.atanh();
    "lax.cbrt": "lax.cbrt(x)" => |x: floats(5)| x.cbrt();
    "lax.ceil": "lax.ceil(x)" => |x: floats(5)| x.ceil();
    "lax.clz": "lax.clz(x)" => |x: integers(5)| clz(x);
    "lax.conj": "lax.conj(x)" => |x: c64(5)| x.conj();
    "lax.cos": "lax.cos(x)" => |x: inexact(5)| x.cos();
    "lax.cosh": "lax.cosh(x)" => |x: inexact(5)| x.cosh();
    "lax.erf": "lax.erf(x)" => |x: floats(5)| x.erf();
    "lax.erfc": "lax.erfc(x)", 4 => |x: wide(5)| x.erfc();
    "lax.erf_inv": "lax.erf_inv(x)", 8 => |x: wide<1>(5)| x.erf_inv();
    "lax.exp": "lax.exp(x)" => |x: inexact(5)| x.exp();
    "lax.exp2": "lax.exp2(x)" => |x: inexact(5)| x.exp2();
    "lax.expm1": "lax.expm1(x)" => |x: inexact(5)| x.expm1();
    "lax.floor": "lax.floor(x)" => |x: floats(5)| x.floor();
    "lax.imag": "lax.imag(x)" => |x: c64(5)| x.imag();
    "lax.integer_pow": "lax.integer_pow(x, 3)" => |x: numbers(5)| x.pow(3);
    "lax.is_finite": "lax.is_finite(x)" => |x: floats(5)| x.isfinite();
    "lax.log": "lax.log(jnp.abs(x) + 1)" => |x: inexact(5)| (x.abs() + 1).log();
    "lax.log1p": "lax.log1p(jnp.abs(x))" => |x: inexact(5)| x.abs().log1p();
    "lax.logistic": "lax.logistic(x)" => |x: inexact(5)| x.sigmoid();
    "lax.neg": "lax.neg(x)" => |x: numbers(5)| -x;
    "lax.population_count": "lax.population_count(x)" => |x: integers(5)| population_count(x);
    "lax.real": "lax.real(x)" => |x: c64(5)| x.real();
    "lax.reciprocal": "lax.reciprocal(x)" => |x: inexact(5)| x.reciprocal();
    "lax.reduce_precision": "lax.reduce_precision(x, 5, 7)" => |x: wide(5)| reduce_precision(x, 5, 7);
    "lax.round": "lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)" => |x: floats(5)| x.round();
    "lax.round lax.RoundingMethod": "lax.round(x * 0.5)" => |x: floats(5)| round_away(&(x * 0.5));
    "lax.rsqrt": "lax.rsqrt(jnp.abs(x) + 1)" => |x: floats(5)| (x.abs() + 1).rsqrt();
    "lax.sign": "lax.sign(x)" => |x: numbers(5)| x.sign();
    "lax.sin": "lax.sin(x)" => |x: inexact(5)| x.sin();
    "lax.sinh": "lax.sinh(x)" => |x: inexact(5)| x.sinh();
    "lax.sqrt": "lax.sqrt(jnp.abs(x))" => |x: inexact(5)| x.abs().sqrt();
    "lax.square": "lax.square(x)" => |x: numbers(5)| x.square();
    "lax.tan": "lax.tan(x)", 4 => |x: inexact(5)| x.tan();
    "lax.tanh": "lax.tanh(x)" => |x: inexact(5)| x.tanh();
    "lax.bitwise_not": "lax.bitwise_not(x)" => |x: integers(5)| !x;
    "lax.stop_gradient": "lax.stop_gradient(x) * x" => |x: wide(5)| stop_gradient(x) * x;
    "lax.optimization_barrier": "lax.optimization_barrier((x, y))" => |x: wide(5), y: wide(3)| optimization_barrier(&[x, y]);
    // Functions of two elements.
    "lax.add": "lax.add(x, y)" => |x: numbers(5), y: numbers(5)| x + y;
    "lax.sub": "lax.sub(x, y)" => |x: numbers(5), y: numbers(5)| x - y;
    "lax.mul": "lax.mul(x, y)" => |x: numbers(5), y: numbers(5)| x * y;
    "lax.div": "lax.div(x, y)" => |x: inexact(5), y: inexact(5)| x / y;
    "lax.rem": "lax.rem(x, y)" => |x: wide(9), y: wide(9)| rem(x, y);
    "lax.pow": "lax.pow(jnp.abs(x) + 1, y)", 4 => |x: wide(5), y: wide(5)| (x.abs() + 1).pow(y);
    "lax.atan2": "lax.atan2(x, y)" => |x: wide(5), y: wide(5)| x.atan2(y);
    "lax.max": "lax.max(x, y)" => |x: all(5), y: all(5)| x.maximum(y);
    "lax.min": "lax.min(x, y)" => |x: all(5), y: all(5)| x.minimum(y);
    "lax.nextafter": "lax.nextafter(x, y)" => |x: wide(5), y: wide(5)| x.nextafter(y);
    "lax.mulhi": "lax.mulhi(x * 1000003, y * 1000003)" => |x: i32(5), y: i32(5)| mulhi(&(x * 1_000_003), &(y * 1_000_003));
    "lax.complex": "lax.complex(x, y)" => |x: f32(5), y: f32(5)| complex(x, y);
    "lax.eq": "lax.eq(x, y)" => |x: all<1>(9), y: all<1>(9)| x.eq(y);
    "lax.ne": "lax.ne(x, y)" => |x: all<1>(9), y: all<1>(9)| x.ne(y);
    "lax.lt": "lax.lt(x, y)" => |x: ordered(9), y: ordered(9)| x.lt(y);
    "lax.le": "lax.le(x, y)" => |x: ordered(9), y: ordered(9)| x.le(y);
    "lax.gt": "lax.gt(x, y)" => |x: ordered(9), y: ordered(9)| x.gt(y);
    "lax.ge": "lax.ge(x, y)" => |x: ordered(9), y: ordered(9)| x.ge(y);
    "lax.bitwise_and": "lax.bitwise_and(x, y)" => |x: integers(5), y: integers(5)| x & y;
    "lax.bitwise_or": "lax.bitwise_or(x, y)" => |x: integers(5), y: integers(5)| x | y;
    "lax.bitwise_xor": "lax.bitwise_xor(x, y)" => |x: integers(5), y: integers(5)| x ^ y;
    "lax.shift_left": "lax.shift_left(x, jnp.abs(y))" => |x: integers(5), y: integers(5)| x.shift_left(y.abs());
    "lax.shift_right_arithmetic": "lax.shift_right_arithmetic(x, jnp.abs(y))" => |x: i32(5), y: i32(5)| x.shift_right(y.abs());
    "lax.shift_right_logical": "lax.shift_right_logical(x, jnp.abs(y))" => |x: integers(5), y: integers(5)|
        shift_right_logical(x, &y.abs());
    "lax.clamp": "lax.clamp(x, y, z)" => |x: wide(5), y: wide(5), z: wide(5)| clamp(x, y, z);
    "lax.clamp": "lax.clamp(x, y, z)" => |x: wide(), y: wide(2, 3), z: wide()| clamp(x, y, z);
    "lax.select": "lax.select(m, x, y)" => |m: bool(5), x: all(5), y: all(5)| select(m, x, y);
    "lax.select_n": "lax.select_n(jnp.abs(i), x, y, z)" => |i: i32<2>(5), x: all(5), y: all(5), z: all(5)|
        select_n(&i.abs(), &[x, y, z]);
    // Making and shaping arrays.
    "lax.full": "lax.full((2, 3), 7, 'int32')" => | | Array::full(&[2, 3], 7, DType::I32);
    "lax.full_like": "lax.full_like(x, 1)" => |x: all(2, 3)| x.full_like(1);
    "lax.iota": "lax.iota('int32', 5)" => | | iota(DType::I32, &[5], 0);
    "lax.broadcasted_iota": "lax.broadcasted_iota('float32', (2, 3), 1)" => | | iota(DType::F32, &[2, 3], 1);
    "lax.convert_element_type": "lax.convert_element_type(x, 'float64')" => |x: reals(5)| x.astype(DType::F64);
    "lax.bitcast_convert_type": "lax.bitcast_convert_type(x, 'int32')" => |x: f32(5)| x.bitcast(DType::I32);
    "lax.broadcast": "lax.broadcast(x, (2, 1))" => |x: all(3)| x.broadcast_to(&[2, 1, 3]);
    "lax.broadcast_in_dim": "lax.broadcast_in_dim(x, (3, 2, 4), (0, 2))" => |x: all(3, 4)| broadcast_in_dim(x, &[3, 2, 4], &[0, 2]);
    "lax.broadcast_shapes": "jnp.zeros(lax.broadcast_shapes((2, 1), (3,)), 'float32')" => | |
        Array::zeros(&broadcast_shapes(&[2, 1], &[3]).unwrap());
    "lax.reshape": "lax.reshape(x, (3, 2))" => |x: all(2, 3)| x.reshape(&[3, 2]);
    "lax.collapse": "lax.collapse(x, 1, 3)" => |x: all(2, 3, 4)| x.reshape(&[2, 12]);
    "lax.expand_dims": "lax.expand_dims(x, (0, 2))" => |x: all(2, 3)| x.expand_dims([0, 2]);
    "lax.squeeze": "lax.squeeze(x, (0,))" => |x: all(1, 3)| x.squeeze(0);
    "lax.transpose": "lax.transpose(x, (1, 2, 0))" => |x: all(2, 3, 4)| transpose(x, &[1, 2, 0]);
    "lax.rev": "lax.rev(x, (0, 1))" => |x: all(2, 3)| reverse(x, &[0, 1]);
    "lax.concatenate": "lax.concatenate([x, y], 1)" => |x: all(2, 3), y: all(2, 1)| concatenate(&[x, y], 1);
    "lax.stack": "lax.stack([x, y], 1)" => |x: all(2, 3), y: all(2, 3)| stack(&[x, y], 1);
    "lax.unstack": "lax.unstack(x, 1)" => |x: all(2, 3)| x.unstack(1);
    "lax.split": "lax.split(x, (1, 2), axis=1)" => |x: all(2, 3)| x.split([1], 1);
    "lax.tile": "lax.tile(x, (2, 3))" => |x: all(2, 3)| x.tile(&[2, 3]);
    "lax.pad": "lax.pad(x, jnp.ones((), x.dtype), ((1, -1, 2), (0, 2, 0)))" => |x: numbers(2, 3)|
        pad_interior(x, &Array::full(&[], 1, x.dtype()), &[1, 0], &[-1, 2], &[2, 0]);
    // Slices.
    "lax.slice": "lax.slice(x, (1, 0), (4, 5), (1, 2))" => |x: all(4, 5)| slice(x, &[1, 0], &[4, 5], &[1, 2]);
    "lax.slice_in_dim": "lax.slice_in_dim(x, 1, 4, axis=1)" => |x: all(2, 5)| x.slice(1, 1..4);
    "lax.index_in_dim": "lax.index_in_dim(x, 2, axis=1, keepdims=False)" => |x: all(2, 5)| x.index((.., 2));
    "lax.dynamic_slice": "lax.dynamic_slice(x, (i, j), (2, 3))" => |x: all(4, 5), i: i32<3>(), j: i32<2>()|
        dynamic_slice(x, &[normalize_index(i, 4), normalize_index(j, 5)], &[2, 3]);
    "lax.dynamic_slice_in_dim": "lax.dynamic_slice_in_dim(x, i, 2, axis=1)" => |x: all(2, 5), i: i32<4>()|
        dynamic_slice_in_dim(x, i, 2, 1);
    "lax.dynamic_index_in_dim": "lax.dynamic_index_in_dim(x, i, axis=1, keepdims=False)" => |x: all(2, 5), i: i32<4>()|
        dynamic_index_in_dim(x, i, 1);
    "lax.dynamic_update_slice": "lax.dynamic_update_slice(x, y, (jnp.abs(i), jnp.abs(i)))" =>
        |x: all(4, 5), y: all(2, 2), i: i32<3>()| dynamic_update_slice(x, y, &[i.abs(), i.abs()]);
    "lax.dynamic_update_slice_in_dim": "lax.dynamic_update_slice_in_dim(x, y, i, axis=1)" =>
        |x: all(2, 5), y: all(2, 2), i: i32<4>()| dynamic_update_slice_in_dim(x, y, i, 1);
    "lax.dynamic_update_index_in_dim": "lax.dynamic_update_index_in_dim(x, y, i, axis=1)" =>
        |x: all(2, 5), y: all(2), i: i32<4>()| dynamic_update_index_in_dim(x, y, i, 1);
    "lax.gather lax.GatherDimensionNumbers":
        "lax.gather(x, jnp.abs(i), lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 3), mode='clip')" =>
        |x: all(4, 3), i: i32<3>(5, 1)| gather(x, &i.abs(), Gather {
            offset_axes: [1].into_iter().collect(),
            collapsed_axes: [0].into_iter().collect(),
            operand_batch_axes: Default::default(),
            indices_batch_axes: Default::default(),
            index_map: [0].into_iter().collect(),
            index_vector_axis: 1,
            sizes: [1, 3].into_iter().collect(),
            sorted: false,
        });
    "lax.scatter_add": "lax.scatter_add(x, jnp.abs(i)[:, None], y, lax.ScatterDimensionNumbers((1,), (0,), (0,)))" =>
        |x: numbers(4, 3), i: i32<3>(5), y: numbers(5, 3)| scatter_add(x, &i.abs(), y);
    "lax.scatter lax.ScatterDimensionNumbers":
        "lax.scatter(x, jnp.array([[2], [0]]), y, lax.ScatterDimensionNumbers((1,), (0,), (0,)))" =>
        |x: numbers(4, 3), y: numbers(2, 3)| x.at(Array::from_slice(&[2i32, 0])).set(y);
    "lax.scatter_mul": "lax.scatter_mul(x, jnp.array([[2], [0]]), y, lax.ScatterDimensionNumbers((1,), (0,), (0,)), unique_indices=True)" =>
        |x: numbers(4, 3), y: numbers(2, 3)| x.at(Array::from_slice(&[2i32, 0])).unique().multiply(y);
    "lax.scatter_min": "lax.scatter_min(x, jnp.array([[2], [0]]), y, lax.ScatterDimensionNumbers((1,), (0,), (0,)))" =>
        |x: reals(4, 3), y: reals(2, 3)| x.at(Array::from_slice(&[2i32, 0])).min(y);
    "lax.scatter_max": "lax.scatter_max(x, jnp.array([[2], [0]]), y, lax.ScatterDimensionNumbers((1,), (0,), (0,)))" =>
        |x: reals(4, 3), y: reals(2, 3)| x.at(Array::from_slice(&[2i32, 0])).max(y);
    "lax.scatter_sub": "x.at[jnp.array([2, 0])].subtract(y)" => |x: numbers(4, 3), y: numbers(2, 3)|
        x.at(Array::from_slice(&[2i32, 0])).subtract(y);
    "lax.scatter_apply": "x.at[jnp.array([2, 0])].apply(jnp.sin)" => |x: wide(4, 3)|
        x.at(Array::from_slice(&[2i32, 0])).apply(Array::sin);
    // Reductions.
    "lax.reduce": "lax.reduce(x, jnp.zeros((), x.dtype), lambda a, b: jnp.where(jnp.abs(a) > jnp.abs(b), a, b), (1,))" =>
        |x: wide(3, 4)| reduce(&[x], &[&Array::full(&[], 0, x.dtype())], |a, b| {
            vec![jarrah_array::where_(&a[0].abs().gt(b[0].abs()), &a[0], &b[0])]
        }, &[1]);
    "lax.reduce_sum": "x.sum((0, 2))" => |x: inexact(2, 3, 4)| x.sum([0, 2]);
    "lax.reduce_prod": "x.prod(1)" => |x: inexact(2, 3)| x.prod(1);
    "lax.reduce_max": "x.max(1)" => |x: all(2, 3)| x.max(1);
    "lax.reduce_min": "x.min(1)" => |x: all(2, 3)| x.min(1);
    "lax.reduce_and": "lax.reduce_and(x, (1,))" => |x: integers(2, 3)| lax::reduce_monoid(x, Monoid::And, &[1]);
    "lax.reduce_or": "lax.reduce_or(x, (1,))" => |x: integers(2, 3)| lax::reduce_monoid(x, Monoid::Or, &[1]);
    "lax.reduce_xor": "lax.reduce_xor(x, (1,))" => |x: integers(2, 3)| lax::reduce_monoid(x, Monoid::Xor, &[1]);
    "lax.argmax": "lax.argmax(x, 1, 'int32')" => |x: ordered(3, 5)| x.argmax(1);
    "lax.argmin": "lax.argmin(x, 0, 'int32')" => |x: ordered(3, 5)| x.argmin(0);
    "lax.cumsum": "lax.cumsum(x, axis=1)" => |x: inexact(3, 5)| x.cumsum(1);
    "lax.cumsum": "lax.cumsum(x, axis=1, reverse=True)" => |x: inexact(3, 5)| x.flip(1).cumsum(1).flip(1);
    "lax.cumprod": "lax.cumprod(x, axis=1)" => |x: inexact(3, 5)| x.cumprod(1);
    "lax.cummax": "lax.cummax(x, axis=1)" => |x: reals(3, 5)| x.cummax(1);
    "lax.cummin": "lax.cummin(x, axis=1)" => |x: reals(3, 5)| x.cummin(1);
    "lax.cumlogsumexp": "lax.cumlogsumexp(x, axis=1)" => |x: wide(3, 5)| x.cumlogsumexp(1);
    "lax.reduce_window": "lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), 'SAME')" => |x: f32(4, 5)|
        reduce_window(x, Monoid::Add, &[2, 3], &windows(&[1, 2], Padding::Same));
    "lax.reduce_window": "lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (1, 1), 'VALID', window_dilation=(2, 1))" =>
        |x: f32(4, 5)| reduce_window(x, Monoid::Max, &[2, 3], &WindowOptions {
            window_dilation: vec![2, 1],
            ..WindowOptions::default()
        });
    "lax.reduce_window": "(lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (1, 2), 'VALID'), jax.jvp(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (1, 2), 'VALID'), (x,), (y,))[1])" => |x: f32(4, 5), y: f32(4, 5)| {
        let pool = |x: &Array| reduce_window(x, Monoid::Max, &[2, 3], &windows(&[1, 2], Padding::Valid));
        (pool(x), jarrah_array::jvp(pool, x, y).1)
    };
    "lax.reduce_window": "lax.reduce_window(x, jnp.int32(1), lax.mul, (2, 2), (1, 1), ((1, 0), (0, 2)))" => |x: i32(3, 3)|
        reduce_window(x, Monoid::Multiply, &[2, 2], &windows(&[], Padding::Pairs(vec![(1, 0), (0, 2)])));
    "lax.padtype_to_pads": "jnp.array(lax.padtype_to_pads((7, 8), (3, 2), (2, 3), 'SAME'), 'int32')" => | | {
        let pairs = Padding::Same.pairs(&[7, 8], &[3, 2], &[2, 3]);
        Array::from_slice(&pairs.iter().flat_map(|p| [p.0 as i32, p.1 as i32]).collect::<Vec<_>>()).reshape(&[2, 2])
    };
    // Sorting.
    "lax.sort": "lax.sort((x, y, z), dimension=0, num_keys=2)" => |x: i32<1>(9), y: i32<2>(9), z: f32(9)|
        sort_keys(&[x, y, z], 0, 2);
    "lax.sort_key_val": "lax.sort_key_val(x, y)" => |x: wide(9), y: wide(9)| lax::sort(&[x, y], 0);
    "lax.top_k": "[a.astype(t) for a, t in zip(lax.top_k(x, 3), [x.dtype, 'int32'])]" => |x: reals(2, 7)| top_k(x, 3);
    "lax.approx_max_k": "lax.approx_max_k(x, 3)[0]" => |x: f32(2, 7)| top_k(x, 3).0;
    "lax.approx_min_k": "lax.approx_min_k(x, 3)[0]" => |x: f32(2, 7)| x.sort(1).slice(1, ..3);
    // Products.
    "lax.scaled_dot": "lax.scaled_dot(x.astype('float8_e4m3fn'), y.astype('float8_e4m3fn'), lhs_scale=(jnp.abs(z) + 0.5).astype('float8_e8m0fnu'), rhs_scale=None, preferred_element_type='float32')" =>
        |x: f32(3, 8), y: f32(8, 4), z: f32(3, 2)| lax::scaled_dot(
            &x.astype(DType::F8E4M3FN), &y.astype(DType::F8E4M3FN), Some(&(z.abs() + 0.5).astype(DType::F8E8M0FNU)), None,
            (&[1], &[0]), (&[], &[]), DType::F32);
    "lax.platform_dependent": "lax.platform_dependent(x, cpu=lambda x: x * 2, default=lambda x: x * 3) + lax.platform_dependent(x, tpu=lambda x: x * 5, default=lambda x: x * 7)" =>
        |x: wide(3)| lax::platform_dependent(x, |x: &Array| x * 3, &[("cpu", &|x: &Array| x * 2)])
            + lax::platform_dependent(x, |x: &Array| x * 7, &[("tpu", &|x: &Array| x * 5)]);
    "lax.DotAlgorithmPreset lax.DotAlgorithm": "lax.dot(x, y, precision=lax.DotAlgorithmPreset.F32_F32_F32)" => |x: f32(3, 4), y: f32(4, 2)| x.matmul(y);
    // Products are of the highest precision that JAX has, always.
    "lax.Precision lax.PrecisionLike default_matmul_precision": "lax.dot(x, y, precision=lax.Precision.HIGHEST)" => |x: inexact(3, 4), y: inexact(4, 2)| x.matmul(y);
    "lax.dot": "lax.dot(x, y)" => |x: inexact(3, 4), y: inexact(4)| x.dot(y);
    "lax.batch_matmul": "lax.batch_matmul(x, y)" => |x: inexact(2, 3, 4), y: inexact(2, 4, 5)| x.matmul(y);
    "lax.dot_general lax.DotDimensionNumbers": "lax.dot_general(x, y, (([2], [1]), ([0], [2])))" =>
        |x: inexact(2, 3, 4), y: inexact(5, 4, 2)| dot_general(x, y, (&[2], &[1]), (&[0], &[2]));
    "lax.dot_general": "lax.dot_general(x.astype('int8'), y.astype('int8'), (([1], [0]), ([], [])), preferred_element_type='int32')" =>
        |x: i32(3, 70), y: i32(70, 5)| x.astype(DType::I8).matmul_as(&y.astype(DType::I8), DType::I32);
    "lax.dot_general": "lax.dot_general(x.astype('bfloat16'), y.astype('bfloat16'), (([1], [2]), ([0], [0])), preferred_element_type='float32')" =>
        |x: f32(2, 4, 3), y: f32(2, 5, 4)| dot_general_as(&x.astype(DType::BF16), &y.astype(DType::BF16), (&[1], &[2]), (&[0], &[0]), DType::F32);
    "lax.ragged_dot": "lax.ragged_dot(x, y, jnp.array([2, 0, 3]))" => |x: wide(6, 4), y: wide(3, 4, 5)|
        ragged_dot(x, y, &Array::from_slice(&[2i32, 0, 3]));
    "lax.ragged_dot_general lax.RaggedDotDimensionNumbers": "lax.ragged_dot_general(x, y, jnp.array([[2, 0, 3], [1, 4, 1]]), lax.RaggedDotDimensionNumbers((([2], [2]), ([0], [1])), [1], [0]))"
        => |x: wide(2, 6, 4), y: wide(3, 2, 4, 5)|
        ragged_dot_general(x, y, &Array::new(&[2i32, 0, 3, 1, 4, 1], &[2, 3]), &ragged((&[2], &[2]), (&[0], &[1]), 1, Some(0)));
    "lax.ragged_dot_general": "lax.ragged_dot_general(x, y, jnp.array([2, 0, 3]), lax.RaggedDotDimensionNumbers((([0], [1]), ([], [])), [0], []))"
        => |x: wide(6, 4), y: wide(5, 6)|
        ragged_dot_general(x, y, &Array::from_slice(&[2i32, 0, 3]), &ragged((&[0], &[1]), (&[], &[]), 0, None));
    "lax.ragged_dot_general": "lax.ragged_dot_general(x, y, jnp.array([2, 1]), lax.RaggedDotDimensionNumbers((([1], [1]), ([0], [0])), [0], []))"
        => |x: wide(3, 4), y: wide(3, 4, 5)|
        ragged_dot_general(x, y, &Array::from_slice(&[2i32, 1]), &ragged((&[1], &[1]), (&[0], &[0]), 0, None));
    "lax.conv": "lax.conv(x, k, (1, 2), 'SAME')" => |x: wide(2, 3, 5, 6), k: wide(4, 3, 3, 2)|
        conv_general_dilated(x, k, &ConvOptions { window: windows(&[1, 2], Padding::Same), ..ConvOptions::default() });
    "lax.conv_with_general_padding": "lax.conv_with_general_padding(x, k, (1, 1), ((1, 0), (0, 2)), (2, 1), (1, 2))" =>
        |x: wide(2, 3, 4, 5), k: wide(4, 3, 2, 2)| conv_general_dilated(x, k, &ConvOptions {
            window: WindowOptions {
                strides: vec![],
                padding: Padding::Pairs(vec![(1, 0), (0, 2)]),
                base_dilation: vec![2, 1],
                window_dilation: vec![1, 2],
            },
            ..ConvOptions::default()
        });
    "lax.conv_general_dilated lax.ConvDimensionNumbers lax.ConvGeneralDilatedDimensionNumbers lax.conv_dimension_numbers":
        "lax.conv_general_dilated(x, k, (2,), 'VALID', dimension_numbers=('NHC', 'HIO', 'NHC'), feature_group_count=2)" =>
        |x: wide(2, 7, 4), k: wide(3, 2, 6)| conv_general_dilated(x, k, &ConvOptions {
            window: windows(&[2], Padding::Valid),
            dimensions: Some(ConvDimensions::new("NHC", "HIO", "NHC").unwrap()),
            feature_groups: 2,
            ..ConvOptions::default()
        });
    "lax.conv_general_dilated": "lax.conv_general_dilated(x, k, (1,), 'SAME_LOWER', batch_group_count=2)" =>
        |x: wide(4, 3, 6), k: wide(2, 3, 2)| conv_general_dilated(x, k, &ConvOptions {
            window: windows(&[], Padding::SameLower),
            batch_groups: 2,
            ..ConvOptions::default()
        });
    "lax.conv_transpose": "lax.conv_transpose(x, k, (2,), 'SAME')" => |x: wide(2, 5, 3), k: wide(3, 3, 4)|
        conv_transpose(x, k, &[2], &Padding::Same, &ConvDimensions::new("NHC", "HIO", "NHC").unwrap());
    "lax.conv_transpose": "lax.conv_transpose(x, k, (3,), 'VALID')" => |x: wide(2, 5, 3), k: wide(2, 3, 4)|
        conv_transpose(x, k, &[3], &Padding::Valid, &ConvDimensions::new("NHC", "HIO", "NHC").unwrap());
    "lax.conv_general_dilated_patches": "lax.conv_general_dilated_patches(x, (2, 3), (1, 1), 'VALID')" => |x: wide(2, 3, 4, 5)|
        conv_general_dilated_patches(x, &[2, 3], &ConvOptions::default());
    // Loops.
    "lax.fori_loop": "lax.fori_loop(1, 5, lambda i, c: c * x + i, y)" => |x: f32(3), y: f32(3)|
        fori_loop(1..5, |i: &Array, c: &Array| c * x + i, y);
    "lax.map": "lax.map(lambda r: jnp.sin(r).sum(), x)" => |x: wide(4, 3)| lax::map(|r: &Array| r.sin().sum(..), x);
    "lax.scan": "lax.scan(lambda c, r: (c * r, c + r), y, x)" => |x: wide(4, 3), y: wide(3)|
        jarrah_array::scan(|c: &Array, r: &Array| (c * r, c + r), y, x);
    "lax.while_loop": "lax.while_loop(lambda c: c.sum() < 50, lambda c: c * 2, jnp.abs(x))" => |x: i32(3)|
        jarrah_array::while_loop(|c: &Array| c.sum(..).lt(50), |c: &Array| c * 2, &x.abs());
    "lax.cond": "lax.cond(x.sum() > 0, lambda: jnp.sin(x), lambda: x * 2)" => |x: wide(3)|
        jarrah_array::cond(&x.sum(..).gt(0), || x.sin(), || x * 2);
    "lax.switch": "lax.switch(jnp.abs(i), [lambda: x, lambda: x * 2, lambda: jnp.cos(x)])" => |i: i32<3>(), x: wide(3)|
        jarrah_array::switch(&i.abs(), &[&|| x.clone(), &|| x * 2, &|| x.cos()]);
    "lax.associative_scan": "lax.associative_scan(jnp.multiply, x, axis=1)" => |x: wide(2, 7)|
        associative_scan(|a: &Array, b: &Array| a * b, x, 1);
    "lax.associative_scan": "lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, y))" =>
        |x: wide(6), y: wide(6)| associative_scan(|a: &(Array, Array), b: &(Array, Array)| {
            (&a.0 * &b.0, &a.1 * &b.0 + &b.1)
        }, &(x.clone(), y.clone()), 0);
    // Bits.
    "lax.rng_bit_generator lax.RandomAlgorithm":
        "lax.rng_bit_generator(s, (5,), 'uint32', algorithm=lax.RandomAlgorithm.RNG_THREE_FRY)" => |s: u64(2)|
        rng_bit_generator(RngAlgorithm::Threefry, s, &[5], DType::U32);
    "lax.rng_bit_generator": "lax.rng_bit_generator(s, (5,), 'uint64', algorithm=lax.RandomAlgorithm.RNG_PHILOX)" => |s: u64(2)|
        rng_bit_generator(RngAlgorithm::Philox, s, &[5], DType::U64);
    "lax.lgamma": "lax.lgamma(jnp.abs(x) + 0.5)", 4 => |x: wide(5)| lgamma(&(x.abs() + 0.5));
    "lax.digamma": "lax.digamma(jnp.abs(x) + 0.5)", 4 => |x: wide(5)| digamma(&(x.abs() + 0.5));
}
