//! `jax.scipy.special`.

use jarrah_array::special;

use super::rows;

rows! {
    // The error function and the normal distribution.
    "scipy.special.erf": "special.erf(x)" => |x: ordered(3, 5)| special::erf(x);
    "scipy.special.erfc": "special.erfc(x)" => |x: ordered(3, 5)| special::erfc(x);
    "scipy.special.erfinv": "special.erfinv(x)" => |x: floats<1>(3, 5)| special::erfinv(x);
    "scipy.special.erfcx": "special.erfcx(x)" => |x: wide<3>(3, 5)| special::erfcx(x);
    // JAX's `f32` is about 1e-6 off.
    "scipy.special.erfcx": "special.erfcx(jnp.abs(x) + 3)", 4 => |x: wide<30>(3, 5)| special::erfcx(&(x.abs() + 3));
    "scipy.special.ndtr": "special.ndtr(x)" => |x: wide(3, 5)| special::ndtr(x);
    "scipy.special.log_ndtr": "special.log_ndtr(x)" => |x: wide<3>(3, 5)| special::log_ndtr(x);
    // JAX's tail is a truncated series.
    "scipy.special.log_ndtr": "special.log_ndtr(9 * x)", 999 => |x: f64(3, 5)| special::log_ndtr(&(x * 9));
    "scipy.special.log_ndtr": "special.log_ndtr(x * 9)" => |x: f32(3, 5)| special::log_ndtr(&(x * 9));
    "scipy.special.ndtri": "special.ndtri(jnp.abs(x))" => |x: wide<1>(3, 5)| special::ndtri(&x.abs());
    "scipy.special.ndtri": "special.ndtri(jnp.exp(-jnp.abs(x)))" => |x: wide<60>(3, 5)| special::ndtri(&(-x.abs()).exp());
    // The gamma function.
    "scipy.special.gammaln": "special.gammaln(jnp.abs(x) + 0.1)" => |x: reals(3, 5)| special::gammaln(&(x.abs() + 0.1));
    "scipy.special.gammaln": "special.gammaln(x)" => |x: wide<30>(3, 5)| special::gammaln(x);
    "scipy.special.digamma": "special.digamma(x)", 4 => |x: wide<5>(3, 5)| special::digamma(x);
    "scipy.special.polygamma": "special.polygamma(n, jnp.abs(x) + 0.5)", 4
        => |n: u8(5), x: wide(3, 5)| special::polygamma(&n.astype(x.dtype()), x.abs() + 0.5);
    "scipy.special.zeta": "special.zeta(lax.stop_gradient(jnp.abs(x) + 1.5), jnp.abs(q) + 0.5)"
        => |x: wide(3, 5), q: wide(3, 5)| special::zeta(&jarrah_array::stop_gradient(&(x.abs() + 1.5)), q.abs() + 0.5);
    "scipy.special.gamma": "special.gamma(x)", 4 => |x: wide<6>(3, 5)| special::gamma(x);
    "scipy.special.gammasgn": "special.gammasgn(x)" => |x: floats<6>(3, 5)| special::gammasgn(x);
    "scipy.special.factorial": "special.factorial(x)", 4 => |x: wide<6>(3, 5)| special::factorial(x);
    "scipy.special.factorial": "special.factorial(n)", 4 => |n: i32<9>(5)| special::factorial(n);
    "scipy.special.beta": "special.beta(jnp.abs(a) + 0.1, jnp.abs(b) + 0.1)", 4
        => |a: wide(3, 5), b: wide(5)| special::beta(&(a.abs() + 0.1), b.abs() + 0.1);
    "scipy.special.betaln": "special.betaln(jnp.abs(a) + 0.1, jnp.abs(b) + 0.1)"
        => |a: wide(3, 5), b: wide(5)| special::betaln(&(a.abs() + 0.1), b.abs() + 0.1);
    // JAX's is a difference of large numbers.
    "scipy.special.betaln": "special.betaln(jnp.abs(a) + 0.1, jnp.abs(b) + 9.1)", 999
        => |a: wide<20>(3, 5), b: wide<99>(5)| special::betaln(&(a.abs() + 0.1), b.abs() + 9.1);
    "scipy.special.comb": "special.comb(jnp.abs(n) + 3, jnp.abs(k))", 8
        => |n: wide(3, 5), k: wide<6>(5)| special::comb(&(n.abs() + 3), k.abs());
    "scipy.special.poch": "special.poch(jnp.abs(z) + 0.5, jnp.abs(m))", 4
        => |z: wide(3, 5), m: wide(5)| special::poch(&(z.abs() + 0.5), m.abs());
    "scipy.special.multigammaln": "special.multigammaln(jnp.abs(a) + 1.5, 3)"
        => |a: wide(3, 5)| special::multigammaln(&(a.abs() + 1.5), 3);
    "scipy.special.gammainc": "special.gammainc(jnp.abs(a) + 0.1, jnp.abs(x))", 4
        => |a: wide(3, 5), x: wide(5)| special::gammainc(&(a.abs() + 0.1), x.abs());
    "scipy.special.gammainc": "special.gammainc(jnp.abs(a), jnp.abs(x))", 99
        => |a: wide<50>(3, 5), x: wide<50>(5)| special::gammainc(&a.abs(), x.abs());
    "scipy.special.gammainc": "special.gammainc(1000 + a, 1000 + x * 5)", 999
        => |a: wide(5), x: wide<9>(5)| special::gammainc(&(a + 1000), x * 5 + 1000);
    "scipy.special.gammaincc": "special.gammaincc(jnp.abs(a) + 0.1, jnp.abs(x))", 4
        => |a: wide(3, 5), x: wide(5)| special::gammaincc(&(a.abs() + 0.1), x.abs());
    "scipy.special.gammaincc": "jnp.log(special.gammaincc(jnp.abs(a), 30 + x))", 99
        => |a: wide(3, 5), x: wide<9>(5)| special::gammaincc(&a.abs(), x + 30).log();
    "scipy.special.gammainc scipy.special.gammaincc": "special.gammainc(a, x) + special.gammaincc(a, x)"
        => |a: i32<2>(11, 1), x: i32<2>(11)| special::gammainc(a, x) + special::gammaincc(a, x);
    "scipy.special.betainc": "special.betainc(jnp.abs(a) + 0.1, jnp.abs(b) + 0.1, jnp.abs(x))", 4
        => |a: wide(3, 5), b: wide(5), x: wide<1>(3, 5)| special::betainc(&(a.abs() + 0.1), b.abs() + 0.1, x.abs());
    "scipy.special.betainc": "special.betainc(jnp.abs(a) + 1, jnp.abs(b) + 1, jnp.abs(x) * 2)", 99
        => |a: wide<60>(3, 5), b: wide<60>(5), x: wide<1>(3, 5)| special::betainc(&(a.abs() + 1), b.abs() + 1, x.abs() * 2);
    "scipy.special.betainc": "special.betainc(lax.stop_gradient(jnp.abs(a) + 0.1), 2.5, jnp.abs(x))", 4
        => |a: wide(3, 5), x: wide<1>(3, 5)|
        special::betainc(&jarrah_array::stop_gradient(&(a.abs() + 0.1)), 2.5, x.abs());
    // Bessel functions.
    "scipy.special.i0": "special.i0(x)" => |x: wide(3, 5)| special::i0(x);
    "scipy.special.i0e": "special.i0e(x)" => |x: wide<30>(3, 5)| special::i0e(x);
    "scipy.special.i1": "special.i1(x)" => |x: wide(3, 5)| special::i1(x);
    "scipy.special.i1e": "special.i1e(x)" => |x: wide<30>(3, 5)| special::i1e(x);
    // Integrals.
    "scipy.special.exp1": "special.exp1(jnp.abs(x) + 0.01)", 4 => |x: wide(3, 5)| special::exp1(&(x.abs() + 0.01));
    "scipy.special.exp1": "jnp.log(special.exp1(jnp.abs(x) + 0.01))" => |x: wide<60>(3, 5)| special::exp1(&(x.abs() + 0.01)).log();
    "scipy.special.expi": "special.expi(x)", 4 => |x: wide(3, 5)| special::expi(x);
    "scipy.special.expi": "jnp.log(special.expi(jnp.abs(x) + 1))", 4 => |x: wide<80>(3, 5)| special::expi(&(x.abs() + 1)).log();
    "scipy.special.dawsn": "special.dawsn(x)", 4 => |x: wide(3, 5)| special::dawsn(x);
    "scipy.special.dawsn": "special.dawsn(x) * x", 16 => |x: wide<80>(3, 5)| special::dawsn(x) * x;
    // JAX's gradient is NaN from 1 on.
    "scipy.special.spence": "special.spence(lax.stop_gradient(jnp.abs(x)))", 4
        => |x: wide<5>(3, 5)| special::spence(&jarrah_array::stop_gradient(&x.abs()));
    "scipy.special.spence": "-jnp.log1p(x) / x * jnp.cos(x)" => |x: wide<1>(3, 5)| {
        let at = x + 1;
        jarrah_array::jvp(special::spence, &at, &x.cos()).1
    };
    // Entropies and transformations of probabilities.
    "scipy.special.expit": "special.expit(x)" => |x: floats(3, 5)| special::expit(x);
    "scipy.special.logit": "special.logit(jnp.abs(x))" => |x: floats<1>(3, 5)| special::logit(&x.abs());
    "scipy.special.xlogy": "special.xlogy(x, jnp.abs(y) + 0.1)" => |x: reals(3, 5), y: reals(5)| special::xlogy(x, y.abs() + 0.1);
    "scipy.special.xlogy": "special.xlogy(jnp.floor(x), y + 1.5)" => |x: wide<1>(5), y: wide<1>(5)| special::xlogy(&x.floor(), y + 1.5);
    "scipy.special.xlog1py": "special.xlog1py(x, jnp.abs(y))" => |x: reals(3, 5), y: reals(5)| special::xlog1py(x, y.abs());
    "scipy.special.entr": "special.entr(x)" => |x: floats(3, 5)| special::entr(x);
    "scipy.special.rel_entr": "special.rel_entr(p, q)" => |p: wide(3, 5), q: wide(5)| special::rel_entr(p, q);
    "scipy.special.kl_div": "special.kl_div(jnp.abs(p), jnp.abs(q) + 0.1)" => |p: wide(3, 5), q: wide(5)| special::kl_div(&p.abs(), q.abs() + 0.1);
    "scipy.special.boxcox": "special.boxcox(jnp.abs(x) + 0.1, l)" => |x: wide(3, 5), l: wide(5)| special::boxcox(&(x.abs() + 0.1), l);
    "scipy.special.boxcox": "special.boxcox(jnp.abs(x) + 0.1, jnp.floor(l))"
        => |x: wide(5), l: wide<1>(5)| special::boxcox(&(x.abs() + 0.1), l.floor());
    "scipy.special.boxcox1p": "special.boxcox1p(jnp.abs(x), l)" => |x: wide(3, 5), l: wide(5)| special::boxcox1p(&x.abs(), l);
}
