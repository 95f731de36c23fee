use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{decomposable, matrices, with_last};
use crate::example::{Example, well_conditioned};
use crate::rules::*;

/// The singular value decomposition `A = U diag(s) V^H`: `(s, u, v^H)`, or `(s)` alone; values descending.
///
/// With `k` the smaller of `m` and `n`, `s` is `[.., k]`, `u` `[.., m, k]` and `v^H` `[.., k, n]`; full matrices are
/// square. Signs, or phases, of a vector and its partner are unspecified.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Svd {
    /// Whether `u` and `v^H` are square.
    pub full_matrices: bool,
    /// Whether there are vectors.
    pub compute_uv: bool,
}

impl Rules for Svd {
    fn name(&self) -> &'static str {
        "jarrah.svd"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let a = operands[0];
        decomposable("the operand", a)?;
        let (m, n) = matrices("the operand", a)?;
        let k = m.min(n);
        let mut results = TypeVec::from_slice(&[with_last(a, &[k]).with_dtype(a.dtype().real())]);
        if self.compute_uv {
            let (us, vs) = if self.full_matrices { (m, n) } else { (k, k) };
            results.extend([with_last(a, &[m, us]), with_last(a, &[vs, n])]);
        }
        Ok(results)
    }

    /// With `P = U^H A' V` and `F_ij = 1 / (s_j^2 - s_i^2)` off the diagonal: `s' = Re diag(P)`,
    /// `U' = U (F * (P S + S P^H) + (P - P^H) / 2S) + (I - U U^H) A' V / S` with the middle term on the diagonal only,
    /// and `V' = V (F * (S P + P^H S)) + (I - V V^H) A'^H U / S` (Giles, 2008).
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let ty = cx.ty(0);
        let (m, n) = matrices("the operand", ty)?;
        if self.compute_uv && self.full_matrices && m != n {
            return Ok(Jvp::Refuse(
                "the vectors that complete a full matrix are not determined by the operand; use full_matrices = false",
            ));
        }
        let thin = Svd { full_matrices: false, compute_uv: true };
        let factors = cx.b.push(thin, cx.operands)?;
        let (s, u, vh) = (factors[0], factors[1], factors[2]);
        let b = &mut *cx.b;
        let change = cx.tangents[0].instantiate(b)?;
        let (uh, v) = (b.adjoint(u)?, b.adjoint(vh)?);
        let av = b.matmul(change, v)?;
        let p = b.matmul(uh, av)?;
        let ds = b.diagonal(p)?;
        let ds = b.real_part(ds)?;
        if !self.compute_uv {
            return Ok(Jvp::Replace { results: vec![s], tangents: vec![Tangent::Value(ds)] });
        }
        let (square, dtype) = (b.ty(p), ty.dtype());
        let real = square.with_dtype(dtype.real());
        let (across, down) = (b.along_rows(s, real)?, b.along_columns(s, real)?);
        let (sum, gap) = (b.add(across, down)?, b.sub(across, down)?);
        let gaps = b.mul(sum, gap)?;
        let f = b.reciprocal_off_diagonal(gaps)?;
        let f = b.convert(f, dtype)?;
        let (wide_across, wide_down) = (b.convert(across, dtype)?, b.convert(down, dtype)?);
        let ps = b.mul(wide_across, p)?;
        let sp = b.mul(wide_down, p)?;
        let hermitian = |b: &mut crate::Builder, x| -> Result<_> {
            let h = b.adjoint(x)?;
            let both = b.add(x, h)?;
            b.mul(f, both)
        };
        let (du, dv) = (hermitian(b, ps)?, hermitian(b, sp)?);
        // The skew part of P on the diagonal: zero over the reals.
        let du = if dtype.is_complex() {
            let ph = b.adjoint(p)?;
            let skew = b.sub(p, ph)?;
            let skew = b.scale(skew, 0.5)?;
            let skew = b.part(skew, super::matrix::Part::Diagonal)?;
            let inverse = b.inverse_or_zero(across)?;
            let inverse = b.convert(inverse, dtype)?;
            let turned = b.mul(skew, inverse)?;
            b.add(du, turned)?
        } else {
            du
        };
        let (mut du, mut dv) = (b.matmul(u, du)?, b.matmul(v, dv)?);
        let outside = |b: &mut crate::Builder, basis, adjoint, x| -> Result<_> {
            let inner = b.matmul(adjoint, x)?;
            let inside = b.matmul(basis, inner)?;
            let rest = b.sub(x, inside)?;
            let by = b.convert(s, dtype)?;
            let by = b.along_rows(by, b.ty(rest))?;
            b.div(rest, by)
        };
        if m > n {
            let rest = outside(b, u, uh, av)?;
            du = b.add(du, rest)?;
        }
        if n > m {
            let back = b.adjoint(change)?;
            let back = b.matmul(back, u)?;
            let rest = outside(b, v, vh, back)?;
            dv = b.add(dv, rest)?;
        }
        let dvh = b.adjoint(dv)?;
        Ok(Jvp::Replace {
            results: vec![s, u, vh],
            tangents: vec![Tangent::Value(ds), Tangent::Value(du), Tangent::Value(dvh)],
        })
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a singular value decomposition is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let k = results[0].dim(results[0].rank() - 1) as f64;
        Cost::new(20.0 * operands[0].elements()? as f64 * k, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The singular value decomposition `A = U diag(s) V^H`, values descending.",
            source: "LAPACK gesdd; jax.lax.linalg.svd",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let svd = |full_matrices, compute_uv| Svd { full_matrices, compute_uv };
        vec![
            Example::new("square, full", svd(true, true), vec![well_conditioned(&[3, 3])]),
            Example::new("tall, a stack", svd(false, true), vec![well_conditioned(&[2, 4, 2])]),
            Example::new("wide", svd(false, true), vec![well_conditioned(&[2, 3])]),
            Example::new("tall, full", svd(true, true), vec![well_conditioned(&[3, 2])]),
            Example::new("values only", svd(false, false), vec![well_conditioned(&[2, 3])]),
        ]
    }
}
