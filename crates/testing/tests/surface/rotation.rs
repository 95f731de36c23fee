//! `jax.scipy.spatial`, `jax.scipy.interpolate` and `jax.scipy.cluster`.

use jarrah_array::Array;
use jarrah_science::cluster;
use jarrah_science::interpolate::{GridMethod, RegularGridInterpolator};
use jarrah_science::rotation::{Rotation, Slerp};

use super::rows;

/// The grid of the rows below.
fn grid(x: &Array, y: &Array) -> [Array; 2] {
    [(x.abs() + 0.5).cumsum(0), y.abs().cumsum(0) + Array::arange(0.0..5.0).astype(y.dtype())]
}

rows! {
    "scipy.spatial.transform.Rotation": "[(r.as_quat(), r.as_matrix(), r.as_rotvec(), r.as_mrp(), r.magnitude(), r.as_quat(canonical=True)) for r in [Rotation.from_quat(x)]]", 10 => |x: wide(5, 4)| {
        let r = Rotation::from_quat(x);
        vec![r.as_quat().clone(), r.as_matrix(), r.as_rotvec(), r.as_mrp(), r.magnitude(), r.canonical()]
    };
    "scipy.spatial.transform.Rotation": "[(Rotation.from_rotvec(x).as_quat(), Rotation.from_mrp(x).as_quat(), Rotation.from_rotvec(x[0]).apply(x))]", 10 => |x: wide(5, 3)|
        (Rotation::from_rotvec(x).as_quat().clone(), Rotation::from_mrp(x).as_quat().clone(), Rotation::from_rotvec(&x.index(0)).apply(x));
    "scipy.spatial.transform.Rotation": "[(r.as_quat(), Rotation.from_matrix(r.as_matrix()).as_matrix()) for r in [Rotation.from_quat(x)]]", 10 => |x: wide(6, 4)| {
        let r = Rotation::from_quat(x);
        (r.as_quat().clone(), Rotation::from_matrix(&r.as_matrix()).as_matrix())
    };
    "scipy.spatial.transform.Rotation": "[Rotation.from_euler(s, x).as_quat() for s in ['xyz', 'ZYX', 'zxz', 'YZY']] + [Rotation.from_euler('y', x[:, 0]).as_quat() if x.shape[1] == 1 else Rotation.from_euler('XZ', x[:, :2]).as_quat()]", 10 => |x: wide(4, 3)| {
        let mut found: Vec<Array> = ["xyz", "ZYX", "zxz", "YZY"].iter().map(|s| Rotation::from_euler(s, x).as_quat().clone()).collect();
        found.push(Rotation::from_euler("XZ", &x.slice(1, ..2)).as_quat().clone());
        found
    };
    "scipy.spatial.transform.Rotation": "[r.as_euler(s) for r in [Rotation.from_quat(x)] for s in ['xyz', 'ZYX', 'zxz', 'YZY', 'xzy', 'YXZ']]", 20 => |x: wide(5, 4)| {
        let r = Rotation::from_quat(x);
        ["xyz", "ZYX", "zxz", "YZY", "xzy", "YXZ"].iter().map(|s| r.as_euler(s)).collect::<Vec<_>>()
    };
    "scipy.spatial.transform.Rotation": "[((r * s).as_quat(), r.inv().apply(y), Rotation.concatenate([r, s]).as_quat(), r.apply(y, inverse=True)) for r, s in [(Rotation.from_quat(x), Rotation.from_quat(x[::-1]))]]", 10 => |x: wide(5, 4), y: wide(3)| {
        let (r, s) = (Rotation::from_quat(x), Rotation::from_quat(&x.flip(0)));
        vec![(&r * &s).as_quat().clone(), r.inv().apply(y), Rotation::concatenate(&[&r, &s]).as_quat().clone(), r.inv().apply(y)]
    };
    "scipy.spatial.transform.Rotation": "[(r.mean().as_matrix(), r.mean(jnp.abs(w)).as_matrix(), Rotation.identity(dtype=x.dtype).as_quat()) for r in [Rotation.from_quat(x)]]", 30 => |x: wide(5, 4), w: wide(5)| {
        let r = Rotation::from_quat(x);
        (r.mean(None).as_matrix(), r.mean(Some(&w.abs())).as_matrix(), Rotation::identity(x.dtype()).as_quat().clone())
    };
    "scipy.spatial.transform.Slerp": "Slerp.init(jnp.cumsum(jnp.abs(t) + 0.5), Rotation.from_quat(x))(s).as_matrix()", 10 => |x: wide(4, 4), t: wide(4), s: wide(6)|
        Slerp::new(&(t.abs() + 0.5).cumsum(0), &Rotation::from_quat(x)).at(s).as_matrix();
    "scipy.interpolate.RegularGridInterpolator": "[RegularGridInterpolator((jnp.cumsum(jnp.abs(x) + 0.5), jnp.cumsum(jnp.abs(y)) + jnp.arange(5.).astype(y.dtype)), v, method=m, fill_value=f)(p) for m in ['linear', 'nearest'] for f in [None, 7.0]]", 10 => |x: wide(4), y: wide(5), v: wide(4, 5), p: wide<8>(3, 4, 2)| {
        let f = RegularGridInterpolator::new(&grid(x, y), v);
        let nearest = f.clone().method(GridMethod::Nearest);
        vec![f.clone().extrapolate().at(p), f.fill_value(7.0).at(p), nearest.clone().extrapolate().at(p), nearest.fill_value(7.0).at(p)]
    };
    "scipy.interpolate.RegularGridInterpolator": "[RegularGridInterpolator((jnp.cumsum(jnp.abs(x) + 0.5),), v, method=m)(jnp.abs(p) * 0.1 + jnp.abs(x[0]) + 0.5) for m in ['linear', 'nearest']]", 10 => |x: wide(4), v: wide(4, 2), p: wide(6)| {
        let f = RegularGridInterpolator::new(&[(x.abs() + 0.5).cumsum(0)], v);
        let p = p.abs() * 0.1 + x.index(0).abs() + 0.5;
        (f.at(&p), f.method(GridMethod::Nearest).at(&p))
    };
    "scipy.cluster.vq.vq": "[(a.astype('int32'), b) for a, b in [vq(x, y)]]", 4 => |x: reals(7, 3), y: wide(4, 3)| cluster::vq(x, y);
    "scipy.cluster.vq.vq": "[(a.astype('int32'), b) for a, b in [vq(x, y)]]", 4 => |x: wide(7), y: wide(4)| cluster::vq(x, y);
}
