//! The smooth functions of two arrays that the chains of transformations begin with, as `oracle/nested_interp.py` states
//! them.

use jarrah_array::lax::linalg::{TriangularOptions, triangular_solve};
use jarrah_array::numpy::einsum;
use jarrah_array::special::gammaln;
use jarrah_array::{Array, along, concatenate, fft, lax, linalg, nn, scan, stack, where_};

/// The function of this name at `(x, w)`.
pub fn base(name: &str, x: &Array, w: &Array) -> Array {
    match name {
        "sin" => x.sin() * w,
        "tanh" => (x * w).tanh() + x * 0.2,
        "cubic" => x * x * x * 0.3 - x * w * w,
        "gauss" => (-x * x).exp() * w,
        "quotient" => x / (w.cos() + 2.0) + w * w / (x.sin() + 2.0),
        "log1p" => (x * x).log1p() * w,
        "log" => (x * x + 1.5).log() * w,
        "sqrt" => (x * x + 1.0).sqrt() * w.sin(),
        "rsqrt" => (x * x + w * w + 1.0).rsqrt() * w,
        "sigmoid" => (x * 2.0).sigmoid() * w,
        "expm1" => (x * 0.5).expm1() * w,
        "erf" => x.erf() * w,
        "atan2" => x.atan2(w * w + 2.0),
        "asinh" => x.asinh() * w,
        "cosh" => x.cosh() * w * 0.5 - w.sinh() * 0.5,
        "power" => (x.tanh() + 2.0).pow(w),
        "fifth" => x.pow(5) * 0.3 + w,
        "logaddexp" => x.logaddexp(w),
        "where" => where_(&x.gt(w), x * x * w, x.sin() + w),
        "tan" => (x.tanh() * 0.5).tan() * w,
        "lgamma" => gammaln(&(x.tanh() + 2.0)) * w,
        "prod" => (x * 0.3 + 1.0).prod(along(-1).keepdims()) * w,
        "cumprod" => (x * 0.2 + 1.0).cumprod(-1) * w,
        "gram" => apply(&gram(x, 0.0), w),
        "matmul" if x.rank() == 2 => x.matmul(&w.t()).matmul(x) * 0.3,
        "matmul" => x.dot(w) * x * 0.3,
        "einsum" => einsum("...i,...j,...j->...i", &[x, w, x]) * 0.3,
        "softmax" => x.softmax(-1) * w,
        "log_softmax" => x.log_softmax(-1) * w * 0.3,
        "logsumexp" => x.logsumexp(along(-1).keepdims()) * w,
        "layer_norm" => {
            let centred = x - x.mean(along(-1).keepdims());
            centred * (x.var(along(-1).keepdims()) + 0.5).rsqrt() * w
        }
        "norm" => w * ((x * x).sum(..) + 1.0).rsqrt(),
        "cumsum" => x.sin().cumsum(-1) * w,
        "max" => x.sin().max(along(-1).keepdims()) * w,
        "sort" => (x * x).sort(-1) * w,
        "gather" => x.take(&Array::from_slice(&[2i32, 0, 0]), -1) * w.sin(),
        "flip" => x.flip(-1) * x + w.roll(1, -1),
        "shift" => concatenate(&[&x.slice(-1, 1..), &x.slice(-1, ..1)], -1) * w + x.sin(),
        "scatter" => {
            let rows = (x * 0.5).moveaxis(-1, 0);
            let rows = rows.at(Array::from_slice(&[0i32, 2, 0])).add(w.sin().moveaxis(-1, 0));
            rows.moveaxis(0, -1) * x
        }
        "scan" => {
            let step = |c: &Array, t: &Array| {
                let c = (c * 0.7 + w * t).tanh();
                let y = &c * t;
                (c, y)
            };
            let (c, ys) = scan(step, x, &stack(&[x, w, &(x * w)], 0));
            c + ys.sum(0)
        }
        "associative_scan" => {
            let join = |p: &(Array, Array), q: &(Array, Array)| (&p.0 * &q.0, &p.1 * &q.0 + &q.1);
            let (a, b) = lax::associative_scan(join, &(x.cos(), w.clone()), -1);
            a * 0.5 + b
        }
        "fori" => lax::fori_loop(0..3, |i: &Array, c: &Array| c * w.cos() + x * 0.1 * i, x),
        "solve" => linalg::solve(&gram(x, 2.0), &w.expand_dims(-1)).squeeze(-1),
        "cholesky" => apply(&linalg::cholesky(&gram(x, 2.0)), w),
        "inv" => apply(&linalg::inv(&gram(x, 1.0)), w),
        "det" => linalg::det(&gram(x, 1.0)).expand_dims(-1) * w,
        "slogdet" => linalg::slogdet(&gram(x, 1.0)).1.expand_dims(-1) * w,
        "triangular" => {
            let options = TriangularOptions::default();
            triangular_solve(&gram(x, 2.0).tril(0), &w.expand_dims(-1), options).squeeze(-1)
        }
        "eigvalsh" => {
            let spread = Array::from_slice(&[0.0f32, 1.0, 2.0]).diag(0).astype(x.dtype());
            linalg::eigvalsh(&(gram(x, 0.0) + spread)) * w
        }
        "gelu" => nn::gelu(x) * w,
        "silu" => nn::silu(x) * w,
        "fft" => fft::ifft(&(fft::fft(x) * fft::fft(w))).real() * 0.3,
        other => panic!("{other} is no base"),
    }
}

/// `x x^T / 5 + by I` of the last axis.
fn gram(x: &Array, by: f64) -> Array {
    x.expand_dims(-1) * x.expand_dims(-2) * 0.2 + Array::eye(3).astype(x.dtype()) * by
}

fn apply(a: &Array, x: &Array) -> Array {
    a.matmul(&x.expand_dims(-1)).squeeze(-1)
}
