//! `jax.scipy.optimize`, `jax.experimental.ode` and `jax.experimental.jet`.

use jarrah_array::{Array, DType, grad, jet};
use jarrah_science::ode::{self, OdeOptions};
use jarrah_science::optimize::{MinimizeOptions, minimize};

use super::rows;

/// A pendulum with friction.
fn pendulum(y: &Array, t: &Array, (friction, pull): &(Array, Array)) -> Array {
    let (angle, speed) = (y.index(0), y.index(1));
    jarrah_array::stack(&[&speed, &(-(friction * &speed) - pull * angle.sin() + t * 0.1)], 0)
}

fn loose() -> OdeOptions {
    OdeOptions { rtol: 1e-4, atol: 1e-4, ..Default::default() }
}

rows! {
    "experimental.ode.odeint": "ode.odeint(lambda y, t, a: -y * a + t, x, jnp.array([0., 0.25, 0.5, 1.]).astype(x.dtype), a, rtol=1e-4, atol=1e-4)", 10 => |x: wide(3), a: wide<1>(3)|
        ode::odeint(|y: &Array, t: &Array, a: &Array| -(y * a) + t, x, &Array::from_slice(&[0.0f32, 0.25, 0.5, 1.0]).astype(x.dtype()), a, &loose());
    // An absolute error of 1e-4 is asked for, 0.4 % of the gradient: which steps are accepted depends on roundings.
    "experimental.ode.odeint": "ode.odeint(lambda y, t, f, p: jnp.stack([y[1], -f * y[1] - p * jnp.sin(y[0]) + t * 0.1]), x, jnp.cumsum(jnp.abs(t) + 0.1), jnp.abs(f), jnp.abs(p), rtol=1e-4, atol=1e-4)", 120 => |x: wide<1>(2), t: wide<1>(5), f: wide(), p: wide()|
        ode::odeint(pendulum, x, &(t.abs() + 0.1).cumsum(0), &(f.abs(), p.abs()), &loose());
    "experimental.ode.odeint": "ode.odeint(lambda y, t, f: {'a': y['b'] * f, 'b': -y['a']}, {'a': x, 'b': y}, jnp.array([0., 0.5, 2.]).astype(x.dtype), f)", 1e3 => |x: f64(3), y: f64(3), f: f64()|
        ode::odeint(|(a, b): &(Array, Array), _: &Array, f: &Array| (b * f, -a), &(x.clone(), y.clone()), &Array::from_slice(&[0.0f64, 0.5, 2.0]), f, &Default::default());
    "experimental.ode.odeint": "ode.odeint(lambda y, t: jnp.sin(50. * t) * y, x, jnp.array([0., 1.]), mxstep=7, hmax=0.05)", 1e5 => |x: f64(3)|
        ode::odeint(|y: &Array, t: &Array, (): &()| (t * 50).sin() * y, x, &Array::from_slice(&[0.0f64, 1.0]), &(), &OdeOptions { mxstep: Some(7), hmax: 0.05, ..Default::default() });
    "scipy.optimize.minimize scipy.optimize.OptimizeResults": "[(r.x, r.success, r.status, r.fun, r.nit) for r in [optimize.minimize(lambda z: jnp.sum((z - y) ** 2 * jnp.arange(1., 5.).astype(y.dtype)) + jnp.sum(z) ** 4 * 0.1, x, method='BFGS', options=dict(gtol=1e-4))]]", 100 => |x: wide(4), y: wide(4)| {
        let f = |z: &Array| ((z - y).square() * Array::arange(1.0..5.0).astype(y.dtype())).sum(..) + z.sum(..).square().square() * 0.1;
        let r = minimize(f, &jarrah_array::stop_gradient(x), &MinimizeOptions { gtol: 1e-4, ..Default::default() });
        vec![r.x, r.success, r.status.astype(jarrah_array::DType::I32), r.fun, r.nit]
    };
    // JAX ends a search along a line whose interval has its better end on the right; three steps come before that.
    "scipy.optimize.minimize": "[(r.x, r.success, r.fun, r.jac, r.hess_inv, r.nfev, r.nit) for r in [optimize.minimize(lambda z: jnp.sum(100. * (z[1:] - z[:-1] ** 2) ** 2 + (1. - z[:-1]) ** 2), x, method='BFGS', options=dict(maxiter=9))]]", 1e5 => |x: f64<1>(3)| {
        let f = |z: &Array| {
            let (next, last) = (z.slice(0, 1..), z.slice(0, ..2));
            ((next - last.square()).square() * 100 + (1.0 - last).square()).sum(..)
        };
        let r = minimize(f, &jarrah_array::stop_gradient(x), &MinimizeOptions { maxiter: Some(9), ..Default::default() });
        vec![r.x, r.success, r.fun, r.jac, r.hess_inv, r.nfev, r.nit]
    };
    "experimental.jet": "jet.jet(lambda x: jnp.sin(x) * jnp.exp(x * x * 0.1), (x,), ((a, b, c),))", 10 => |x: wide(2, 3), a: wide(2, 3), b: wide(2, 3), c: wide(2, 3)| {
        let (y, series) = jet(|x: &Array| x.sin() * (x * x * 0.1).exp(), x, &[a.clone(), b.clone(), c.clone()]);
        [&[y], &series[..]].concat()
    };
    "experimental.jet": "jet.jet(lambda x, y: (x @ y) / (1. + jnp.sum(x ** 2)), (x, y), ((a, b), (y, c)))", 10 => |x: wide(2, 3), y: wide(3), a: wide(2, 3), b: wide(2, 3), c: wide(3)| {
        let f = |(x, y): &(Array, Array)| x.matmul(y) / (1.0 + x.square().sum(..));
        let series = [(a.clone(), y.clone()), (b.clone(), c.clone())];
        let (y, series) = jet(f, &(x.clone(), y.clone()), &series);
        [&[y], &series[..]].concat()
    };
}

#[test]
fn a_system_is_differentiated_twice() {
    // y(1) = y0 e^a: the second derivative by a is y0 e^a, by forward mode over the adjoint system.
    let times = Array::from_slice(&[0.0f64, 1.0]);
    let end = |a: &Array| {
        ode::odeint(
            |y: &Array, _: &Array, a: &Array| y * a,
            &Array::scalar_in(2.0, DType::F64),
            &times,
            a,
            &Default::default(),
        )
        .index(-1)
    };
    let a = Array::scalar_in(0.5, DType::F64);
    let second = jarrah_array::jacfwd(grad(end))(&a).item::<f64>().unwrap();
    assert!((second - 2.0 * 0.5f64.exp()).abs() < 1e-6, "{second}");
}
