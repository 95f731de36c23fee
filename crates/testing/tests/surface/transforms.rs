//! The transformations of `jax`.

use jarrah_array::{
    Array, TreeExt, eval_shape, grad, hessian, jacfwd, jacrev, jit, jvp, linear_transpose, linearize, ravel,
    value_and_grad, vjp, vmap,
};

use super::rows;

/// `sin(x) * y`, summed over the rows.
fn wave(x: &Array, y: &Array) -> Array {
    (x.sin() * y).sum(0)
}

rows! {
    "grad": "jax.grad(lambda x: (jnp.sin(x) * y).sum(0).prod())(x)" => |x: wide(2, 3), y: wide(2, 3)|
        grad(|x: &Array| wave(x, y).prod(0))(x);
    "jit": "jax.jit(jax.grad(lambda x: (jnp.sin(x) * y).sum()))(x)" => |x: wide(2, 3), y: wide(2, 3)| {
        let (f, g) = (|x: &Array| wave(x, y).sum(0), |x: &Array| wave(x, y).sum(0));
        jit(grad(f)).call(x.clone()).unwrap() * 0.5 + grad(jit(g))(x) * 0.5
    };
    "jit": "jax.jit(jax.vmap(jax.grad(jax.jit(lambda x: (jnp.sin(x) * x).sum()))))(x)" => |x: wide(4, 3)|
        jit(vmap(grad(jit(|x: &Array| (x.sin() * x).sum(0))))).call(x.clone()).unwrap();
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
    "eval_shape": "jnp.array(jax.eval_shape(lambda x: x @ x.T, x).shape, 'int32')" => |x: f32(2, 3)| {
        let y = eval_shape(|x: &Array| x.matmul(&x.t()), x);
        Array::from_slice(&y.shape().iter().map(|&d| d as i32).collect::<Vec<_>>())
    };
    // Trees.
    "tree.map tree_util.tree_map": "jax.tree.map(lambda a: a * 2, (x, y))" => |x: wide(2, 3), y: wide(4)|
        (x.clone(), y.clone()).map_leaves(|a: &Array| a * 2);
    "tree_util.tree_flatten tree_util.tree_leaves tree_util.leaves tree_util.tree_structure tree_util.structure tree_util.tree_unflatten tree_util.unflatten":
        "jax.tree.unflatten(jax.tree.structure((x, y)), [a * 2 for a in jax.tree.leaves((x, y))])" => |x: wide(2, 3), y: wide(4)| {
        let tree = (x.clone(), y.clone());
        let doubled: Vec<Array> = tree.leaves().into_iter().map(|a: &Array| a * 2).collect();
        tree.with_leaves(doubled).unwrap()
    };
    "tree_util.tree_reduce": "jax.tree.reduce(lambda s, a: s + a.sum(), (x, y), x[0, 0])" => |x: wide(2, 3), y: wide(4)| {
        let tree = (x.clone(), y.clone());
        tree.leaves().into_iter().fold(x.index((0, 0)), |s, a: &Array| s + a.sum(..))
    };
    "tree_util.tree_map_with_path tree_util.tree_leaves_with_path tree_util.tree_flatten_with_path":
        "jax.tree_util.tree_map_with_path(lambda path, a: a * (path[0].idx + 1), (x, y))" => |x: wide(2, 3), y: wide(4)|
        (x.clone(), y.clone()).try_map_with_paths(|path, a: &Array| Ok(a * (path.parse::<i64>().unwrap() + 1))).unwrap();
}
