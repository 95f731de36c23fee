//! `jax.image`. JAX takes the weights of `f64` images in `f64`, and with 64-bit types those of others too.

use jarrah_array::Array;
use jarrah_science::image::{self, ResizeMethod};

use super::rows;

fn pair(a: f64, b: f64) -> Array {
    Array::from_slice(&[a, b])
}

rows! {
    "image.resize image.ResizeMethod": "jax.image.resize(x, (7, 3, 2), 'nearest')" => |x: all(4, 5, 2)| image::resize(x, &[7, 3, 2], ResizeMethod::Nearest);
    "image.resize": "jax.image.resize(x, (7, 3, 2), 'linear')" => |x: reals(4, 5, 2)| image::resize(x, &[7, 3, 2], ResizeMethod::Linear);
    "image.resize": "jax.image.resize(x, (7, 3, 2), 'linear', antialias=False)" => |x: wide(4, 5, 2)| image::resize_aliased(x, &[7, 3, 2], ResizeMethod::Linear);
    "image.resize": "jax.image.resize(x, (7, 3, 2), 'cubic')" => |x: inexact(4, 5, 2)| image::resize(x, &[7, 3, 2], ResizeMethod::Cubic);
    "image.resize": "jax.image.resize(x, (9, 3), 'cubic-pytorch')" => |x: wide(4, 7)| image::resize(x, &[9, 3], ResizeMethod::CubicPytorch);
    "image.resize": "jax.image.resize(x, (9, 3), 'cubic-pytorch', antialias=False)" => |x: wide(4, 7)| image::resize_aliased(x, &[9, 3], ResizeMethod::CubicPytorch);
    "image.resize": "jax.image.resize(x, (9, 3), 'lanczos3')" => |x: wide(4, 7)| image::resize(x, &[9, 3], ResizeMethod::Lanczos3);
    "image.resize": "jax.image.resize(x, (9, 3), 'lanczos5')" => |x: wide(4, 7)| image::resize(x, &[9, 3], ResizeMethod::Lanczos5);
    "image.resize": "jax.image.resize(x, (9, 3), 'area')" => |x: wide(4, 7)| image::resize(x, &[9, 3], ResizeMethod::Area);
    "image.scale_and_translate": "jax.image.scale_and_translate(x, (2, 6, 3), (1, 2), s * 0.1 + jnp.array([1.5, 0.4], s.dtype), t, 'linear')"
        => |x: wide(2, 4, 7), s: wide<1>(2), t: wide<1>(2)|
        image::scale_and_translate(x, &[2, 6, 3], &[1, 2], &(s * 0.1 + pair(1.5, 0.4).astype(s.dtype())), t, ResizeMethod::Linear);
    "image.scale_and_translate": "jax.image.scale_and_translate(x, (6, 3), (-2, 1), s * 0.1 + jnp.array([1.5, 0.4], s.dtype), t, 'cubic')"
        => |x: wide(4, 7), s: wide<1>(2), t: wide<1>(2)|
        image::scale_and_translate(x, &[6, 3], &[-2, 1], &(s * 0.1 + pair(1.5, 0.4).astype(s.dtype())), t, ResizeMethod::Cubic);
    "image.scale_and_translate": "jax.image.scale_and_translate(x, (6, 3), (0, 1), s * 0.1 + jnp.array([1.5, 0.4], s.dtype), t, 'lanczos3', antialias=False)"
        => |x: wide(4, 7), s: wide<1>(2), t: wide<1>(2)|
        image::scale_and_translate_aliased(x, &[6, 3], &[0, 1], &(s * 0.1 + pair(1.5, 0.4).astype(s.dtype())), t, ResizeMethod::Lanczos3);
    "scipy.ndimage.map_coordinates": "jsp.ndimage.map_coordinates(x, [y, z], 1, 'constant', 2.0)" =>
        |x: wide(4, 5), y: wide<6>(7), z: wide<6>(7)|
        image::map_coordinates(x, &[y, z], image::SplineOrder::Linear, image::Edge::Constant(2.0));
    "scipy.ndimage.map_coordinates": "jsp.ndimage.map_coordinates(x, [y, z], 0, 'nearest')" =>
        |x: wide(4, 5), y: wide<6>(7), z: wide<6>(7)| image::map_coordinates(x, &[y, z], image::SplineOrder::Nearest, image::Edge::Nearest);
    "scipy.ndimage.map_coordinates": "jsp.ndimage.map_coordinates(x, [y, z], 1, 'wrap')" =>
        |x: wide(4, 5), y: wide<6>(7), z: wide<6>(7)| image::map_coordinates(x, &[y, z], image::SplineOrder::Linear, image::Edge::Wrap);
    "scipy.ndimage.map_coordinates": "jsp.ndimage.map_coordinates(x, [y, z], 1, 'mirror')" =>
        |x: wide(4, 5), y: wide<6>(7), z: wide<6>(7)| image::map_coordinates(x, &[y, z], image::SplineOrder::Linear, image::Edge::Mirror);
    "scipy.ndimage.map_coordinates": "jsp.ndimage.map_coordinates(x, [y, z], 1, 'reflect')" =>
        |x: wide(4, 5), y: wide<6>(7), z: wide<6>(7)| image::map_coordinates(x, &[y, z], image::SplineOrder::Linear, image::Edge::Reflect);
}
