//! The transformations of `jax`.

use jarrah_array::{
    Array, grad, hessian, jacfwd, jacrev, jvp, linear_transpose, linearize, ravel, value_and_grad, vjp, vmap,
};

use super::rows;

/// `sin(x) * y`, summed over the rows.
fn wave(x: &Array, y: &Array) -> Array {
    (x.sin() * y).sum(0)
}

rows! {
    "grad": "jax.grad(lambda x: (jnp.sin(x) * y).sum(0).prod())(x)" => |x: wide(2, 3), y: wide(2, 3)|
        grad(|x: &Array| wave(x, y).prod(0))(x);
    "value_and_grad": "jax.value_and_grad(lambda x: (jnp.sin(x) * y).sum())(x)" => |x: wide(2, 3), y: wide(2, 3)|
        value_and_grad(|x: &Array| wave(x, y).sum(0))(x);
    "jvp": "jax.jvp(lambda x: (jnp.sin(x) * y).sum(0), (x,), (y,))" => |x: wide(2, 3), y: wide(2, 3)|
        jvp(|x: &Array| wave(x, y), x, y);
    "vjp": "jax.vjp(lambda x: (jnp.sin(x) * y).sum(0), x)[1](z)" => |x: wide(2, 3), y: wide(2, 3), z: wide(3)|
        vjp(|x: &Array| wave(x, y), x).1(z);
    "linearize": "[(a, b(y)) for a, b in [jax.linearize(lambda x: (jnp.sin(x) * y).sum(0), x)]]" => |x: wide(2, 3), y: wide(2, 3)| {
        let (value, push) = linearize(|x: &Array| wave(x, y), x);
        let pushed = push(y);
        (value, pushed)
    };
    "linear_transpose": "jax.linear_transpose(lambda x: (x * y).sum(0), x)(z)[0]" => |x: wide(2, 3), y: wide(2, 3), z: wide(3)|
        linear_transpose(|x: &Array| (x * y).sum(0), x)(z);
    "jacfwd": "jax.jacfwd(lambda x: (jnp.sin(x) * y).sum(0))(x)" => |x: wide(2, 3), y: wide(2, 3)|
        jacfwd(|x: &Array| wave(x, y))(x);
    "jacfwd": "jax.jacfwd(lambda p: (jnp.sin(p[0]) * p[1]).sum(0))((x, y))" => |x: wide(2, 3), y: wide(2, 3)|
        jacfwd(|(x, y): &(Array, Array)| wave(x, y))(&(x.clone(), y.clone()));
    "jacrev jacobian": "jax.jacrev(lambda p: (jnp.sin(p[0]) * p[1]).sum(0))((x, y))" => |x: wide(2, 3), y: wide(2, 3)|
        jacrev(|(x, y): &(Array, Array)| wave(x, y))(&(x.clone(), y.clone()));
    "hessian": "jax.hessian(lambda x: (jnp.sin(x) * y).sum(0).prod())(x)" => |x: wide(2, 3), y: wide(2, 3)|
        hessian(|x: &Array| wave(x, y).prod(0))(x);
    "vmap": "jax.vmap(lambda x, y: (jnp.sin(x) * y).sum(0))(x, y)" => |x: wide(4, 2, 3), y: wide(4, 2, 3)|
        vmap(|(x, y): &(Array, Array)| wave(x, y))(&(x.clone(), y.clone()));
    "flatten_util.ravel_pytree": "[(f * 2, *u(f * 2)) for f, u in [jax.flatten_util.ravel_pytree((x, y))]]" =>
        |x: wide(2, 3), y: wide(4)| {
            let (flat, unravel) = ravel(&(x.clone(), y.clone()));
            let doubled = &flat * 2;
            let (x, y) = unravel(&doubled);
            (doubled, x, y)
        };
}
