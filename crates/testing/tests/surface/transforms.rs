//! The transformations of `jax`.

use jarrah_array::linalg::{self, IterativeOptions};
use jarrah_array::tree::transpose;
use jarrah_array::{
    Array, CheckpointPolicy, DType, Function, Ref, Tree, TreeExt, VmapOptions, checkpoint, checkpoint_name,
    cond, custom_vjp, eval_program, eval_shape, grad, hessian, jacfwd, jacrev, jit, jvp, lax,
    linear_transpose, linearize, make_program, ravel, run_state, scan, stop_gradient, value_and_grad, vjp,
    vmap, vmap_with, with_layout_constraint,
};

use super::rows;

/// `sin(x) * y`, summed over the rows.
fn wave(x: &Array, y: &Array) -> Array {
    (x.sin() * y).sum(0)
}

/// `f` mapped over the first axis, which has this name.
fn mapped<R: Tree<Array>>(name: &str, f: impl Function<Array, Output = R>) -> impl Fn(&Array) -> R {
    vmap_with(f, VmapOptions::default().axis_name(name))
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
    // Named axes.
    "lax.psum": "jax.vmap(lambda a: a / (2 + lax.psum(jnp.abs(a), 'i')), axis_name='i')(x)" => |x: inexact(4, 3)|
        mapped("i", |a: &Array| a / (lax::psum(&a.abs(), "i") + 2))(x);
    "lax.pmean lax.pmax": "jax.vmap(lambda a: (a - lax.pmean(a, 'i'), a - lax.pmax(a, 'i'), a - lax.pmin(a, 'i')), axis_name='i')(x)" =>
        |x: floats(4, 3)| mapped("i", |a: &Array| (a - lax::pmean(a, "i"), a - lax::pmax(a, "i"), a - lax::pmin(a, "i")))(x);
    "lax.pmin": "jax.vmap(lambda a: a - lax.pmin(a, 'i'), axis_name='i')(x)" => |x: numbers(4, 3)|
        mapped("i", |a: &Array| a - lax::pmin(a, "i"))(x);
    "lax.all_gather": "jax.vmap(lambda a: (lax.all_gather(a, 'i') * a).sum(0), axis_name='i')(x)" => |x: inexact(4, 3)|
        mapped("i", |a: &Array| (lax::all_gather(a, "i") * a).sum(0))(x);
    "lax.axis_index lax.axis_size": "jax.vmap(lambda a: a * (lax.axis_index('i') + lax.axis_size('i')).astype(a.dtype), axis_name='i')(x)" =>
        |x: numbers(4, 3)| mapped("i", |a: &Array| a * (lax::axis_index("i") + lax::axis_size("i") as i64).astype(a.dtype()))(x);
    "lax.psum_scatter": "jax.vmap(lambda a: lax.psum_scatter(jnp.sin(a), 'i') * a[0], axis_name='i')(x)" => |x: floats(4, 4, 3)|
        mapped("i", |a: &Array| lax::psum_scatter(&a.sin(), "i") * a.index(0))(x);
    "lax.ppermute lax.pshuffle": "jax.vmap(lambda a: (lax.ppermute(a, 'i', [(0, 2), (1, 0), (2, 1)]), lax.pshuffle(a * a, 'i', [2, 0, 1])), axis_name='i')(x)" =>
        |x: floats(3, 2)| mapped("i", |a: &Array|
            (lax::ppermute(a, "i", &[(0, 2), (1, 0), (2, 1)]), lax::pshuffle(&(a * a), "i", &[2, 0, 1])))(x);
    "lax.pswapaxes": "jax.vmap(lambda a: lax.pswapaxes(a, 'i', 1) * a, axis_name='i')(x)" => |x: floats(3, 2, 3)|
        mapped("i", |a: &Array| lax::pswapaxes(a, "i", 1) * a)(x);
    // A gradient within the map, and of the map; two axes; in a loop, a branch and under a compiled function. In a branch JAX's
    // gradient of a sum over the axis of what is not mapped is not that of its values, so there it is none.
    "lax.psum": "jax.vmap(jax.grad(lambda a: (jnp.sin(a) * lax.psum(a * a, 'i')).sum()), axis_name='i')(x)" => |x: wide(4, 3)|
        mapped("i", grad(|a: &Array| (a.sin() * lax::psum(&(a * a), "i")).sum(..)))(x);
    "lax.psum": "jax.vmap(jax.vmap(lambda a: a / (3 + lax.psum(a * a, ('i', 'j')) + lax.pmean(a, 'i') * lax.axis_index(('i', 'j'))), axis_name='j'), axis_name='i')(x)" =>
        |x: wide(3, 4)| mapped("i", mapped("j", |a: &Array| {
            let index = lax::axis_index(["i", "j"]).astype(a.dtype());
            a / (lax::psum(&(a * a), ["i", "j"]) + 3 + lax::pmean(a, "i") * index)
        }))(x);
    "lax.psum": "jax.vmap(lambda a: lax.scan(lambda c, y: (c + lax.psum(c * y, 'i'), c * lax.axis_index('i')), 0.1, a), axis_name='i')(x)" =>
        |x: f32(3, 4)| mapped("i", |a: &Array| scan(
            |c: &Array, y: &Array| (c + lax::psum(&(c * y), "i"), c * lax::axis_index("i")), &Array::scalar(0.1f32), a))(x);
    "lax.psum": "jax.vmap(lambda a: lax.cond(a[0] > 0, lambda: a * 2, lambda: lax.psum(lax.stop_gradient(y), 'i')) + jax.jit(lambda b: lax.psum(b, 'i'))(a), axis_name='i')(x)" =>
        |x: wide(3, 4), y: wide(4)| mapped("i", |a: &Array| {
            cond(&a.index(0).gt(0), || a * 2, || lax::psum(&stop_gradient(y), "i")) + jit(|b: &Array| lax::psum(b, "i")).apply(a)
        })(x);
    "experimental.layout.with_layout_constraint": "jax.jit(lambda x: jax.experimental.layout.with_layout_constraint(x * 2, jax.experimental.layout.Layout((0, 1))) + 1)(x)" =>
        |x: numbers(2, 3)| jit(|x: &Array| with_layout_constraint(&(x * 2), &[0, 1]) + 1).apply(x);
    // Cells.
    "Ref lax.get_p": "(lambda r: (r[...], r[1], jax.jit(lambda: r[1:] * 2)()))(jax.new_ref(x))" => |x: numbers(3, 2)| {
        let r = Ref::new(x);
        (r.get(), r.index(1), jit(|(): &()| r.index(1..) * 2).apply(&()))
    };
    "lax.swap_p": "(lambda r: (jax.jit(lambda y: jax.ref.swap(r, 1, y * 2))(y), r[...]))(jax.new_ref(x))" => |x: floats(3, 2), y: floats(2)| {
        let r = Ref::new(x);
        let swap = jit(|y: &Array| {
            let row = r.index(1);
            r.update(|x| x.at(1).set(y * 2));
            row
        });
        (swap.apply(y), r.freeze())
    };
    "lax.addupdate_p": "jax.grad(lambda x: [(jax.ref.addupdate(r, 0, x[1] * y), jnp.sin(jax.freeze(r)).sum())[1] for r in [jax.new_ref(x * x)]][0])(x)" => |x: wide(3, 2), y: wide(2)|
        grad(|x: &Array| {
            let r = Ref::new(&(x * x));
            r.update(|r| r.at(0).add(x.index(1) * y));
            r.freeze().sin().sum(..)
        })(x);
    "lax.run_state_p": "jax._src.state.discharge.run_state(lambda refs: refs[0].__setitem__(..., jnp.sin(refs[0][...] * refs[1][...])))((x, y))" => |x: wide(3), y: wide(3)| {
        let end = run_state(|cells: &[Ref]| cells[0].update(|c| (c * cells[1].get()).sin()), &[x.clone(), y.clone()]);
        (end[0].clone(), end[1].clone())
    };
    "Ref": "[(jax.lax.fori_loop(0, 4, lambda i, c: (jax.lax.cond(r[0] > 0.2, lambda: r.__setitem__(0, r[0] * y[0]), lambda: r.__setitem__(1, c)), c + r[1])[1], x[1]), r[...]) for r in [jax.new_ref(x)]][0]" => |x: wide(3), y: wide(1)| {
        let r = Ref::new(x);
        let last = lax::fori_loop(0..4, |_: &Array, c: &Array| {
            let yes = || r.update(|r| r.at(0).multiply(y.index(0)));
            cond(&r.index(0).gt(0.2), yes, || r.update(|r| r.at(1).set(c)));
            c + r.index(1)
        }, &x.index(1));
        (last, r.freeze())
    };
    // Implicit solutions.
    "lax.custom_linear_solve": "lax.custom_linear_solve(lambda v: (x * 0.2 + jnp.eye(3, dtype=x.dtype)) @ v, y, lambda f, b: jnp.linalg.solve(jax.jacfwd(f)(b), b), lambda f, b: jnp.linalg.solve(jax.jacfwd(f)(b), b))" =>
        |x: wide(3, 3), y: wide(3)| lax::custom_linear_solve(
            |v: &Array| (x * 0.2 + Array::eye_in(3, 3, 0, x.dtype())).matmul(v), y,
            |f: lax::SolverMap<Array>, b: &Array| linalg::solve(&jacfwd(|v: &Array| f(v))(b), b));
    "lax.custom_linear_solve": "jax.vmap(lambda y: lax.custom_linear_solve(lambda v: v * (2 + jnp.cos(x)), y, lambda f, b: b / f(jnp.ones_like(b)), lambda f, b: b / f(jnp.ones_like(b))))(y)" =>
        |x: wide(3), y: wide(2, 3)| vmap(|y: &Array| lax::custom_linear_solve(
            |v: &Array| v * (x.cos() + 2), y, |f: lax::SolverMap<Array>, b: &Array| b / f(&Array::ones_like(b))))(y);
    "lax.custom_root": "lax.custom_root(lambda v: v + 0.3 * jnp.sin(v) - x * y, x, lambda f, v: lax.fori_loop(0, 60, lambda i, v: v - f(v), v), lambda g, c: jnp.linalg.solve(jax.jacfwd(g)(c), c))" =>
        |x: wide(3), y: wide(3)| lax::custom_root(
            |v: &Array| v + v.sin() * 0.3 - x * y, x,
            |f: lax::SolverMap<Array>, v: &Array| lax::fori_loop(0..60, |_: &Array, v: &Array| v - f(v), v),
            |g: lax::SolverMap<Array>, c: &Array| linalg::solve(&jacfwd(|v: &Array| g(v))(c), c));
    "scipy.sparse.linalg.cg": "jax.scipy.sparse.linalg.cg(lambda v: x @ (x.T @ v) + 2 * v, y, tol=1e-12)[0]", 1e4 => |x: wide(4, 4), y: wide(4)|
        linalg::cg(|v: &Array| x.matmul(&x.t().matmul(v)) + v * 2, y, &IterativeOptions { tol: 1e-12, ..Default::default() });
    "scipy.sparse.linalg.bicgstab": "jax.scipy.sparse.linalg.bicgstab(lambda v: x @ v + 6 * v, y, tol=1e-12)[0]", 1e4 => |x: wide(4, 4), y: wide(4)|
        linalg::bicgstab(|v: &Array| x.matmul(v) + v * 6, y, &IterativeOptions { tol: 1e-12, ..Default::default() });
    "scipy.sparse.linalg.gmres": "jax.scipy.sparse.linalg.gmres(lambda v: x @ v + 6 * v, y, tol=1e-12)[0]", 1e4 => |x: wide(4, 4), y: wide(4)|
        linalg::gmres(|v: &Array| x.matmul(v) + v * 6, y, &IterativeOptions { tol: 1e-12, ..Default::default() });
    // Checkpoints: the numbers do not depend on the policy.
    "checkpoint checkpoint_policies.dots_saveable ad_checkpoint.checkpoint_name": "jax.checkpoint(lambda x: jnp.sin(x @ y).sum(0) * x.sum(), policy=jax.checkpoint_policies.dots_saveable)(x)" =>
        |x: wide(3, 4), y: wide(4, 2)| checkpoint(|x: &Array| {
            checkpoint_name(&x.matmul(y), "product").sin().sum(0) * x.sum(..)
        }, CheckpointPolicy::dots_saveable())(x);
    // A custom backward pass in forward mode.
    "custom_vjp": "(jax.jvp(lambda x: x * x * x, (x,), (y,))[1], jax.jvp(jax.grad(lambda x: (x * x * x).sum()), (x,), (y,))[1])" => |x: wide(3), y: wide(3)| {
        let cube = custom_vjp(
            |x: &Array| x * x * x,
            |x: &Array| (x * x * x, x.clone()),
            |x: &Array, ct: &Array| ct * 3 * x * x,
        );
        let (_, first) = jvp(|x: &Array| cube(x), x, y);
        let (_, second) = jvp(grad(|x: &Array| cube(x).sum(..)), x, y);
        (first, second)
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
    "tree_util.tree_all tree_util.all": "jnp.array(jax.tree.all(jax.tree.map(lambda a: bool(a.min() > -10), (x, y))), 'int32')" => |x: wide(2, 3), y: wide(4)|
        Array::scalar(i32::from((x.clone(), y.clone()).all_leaves(|a: &Array| a.astype(DType::F64).min(..).item::<f64>().unwrap() > -10.0)));
    "tree_util.tree_reduce_associative tree_util.reduce_associative": "jax.tree.reduce_associative(lambda a, b: a + b, [x, x * 2, y])" => |x: wide(3), y: wide(3)|
        vec![x.clone(), x * 2, y.clone()].reduce_associative(|a: &Array, b: &Array| a + b).unwrap();
    "tree_util.tree_transpose tree_util.transpose": "jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure((0, 0)), [(x, y), (x * 2, y * 3)])" => |x: wide(2, 3), y: wide(4)| {
        let trees = [(x.clone(), y.clone()), (x * 2, y * 3)];
        transpose(&trees).unwrap().into_iter().flatten().cloned().collect::<Vec<Array>>()
    };
    "tree_util.tree_broadcast tree_util.broadcast": "jax.tree.broadcast((x, y), ([0, 0], (0, [0])))" => |x: wide(2, 3), y: wide(4)| {
        let tree = (vec![y.clone(), y.clone()], (x.clone(), vec![x.clone()]));
        tree.broadcast_from(&(x.clone(), y.clone())).unwrap()
    };
    "core.eval_jaxpr": "jax.core.eval_jaxpr(jax.make_jaxpr(lambda x, y: jnp.sin(x) * y)(x, y).jaxpr, [], x, y)[0]" => |x: wide(3), y: wide(3)| {
        let program = make_program(|(x, y): &(Array, Array)| x.sin() * y, &(x.clone(), y.clone()));
        eval_program(&program, &[x.clone(), y.clone()]).swap_remove(0)
    };
}
