use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{Part, decomposable, matrices, with_last};
use super::triangular_solve::TriangularSolve;
use crate::builder::Builder;
use crate::example::{Example, varied, well_conditioned};
use crate::program::Value;
use crate::rules::*;

/// `A = Q R` with orthonormal columns of `Q` and an upper triangular `R`: `(q, r)`.
///
/// `q` is `[.., m, k]` and `r` `[.., k, n]`, where `k` is `m` if the matrices are full, else the smaller of `m` and `n`.
/// Signs are those of Householder's reflections in LAPACK.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Qr {
    /// Whether `q` is square.
    pub full_matrices: bool,
}

/// The QR decomposition as reflections: `(a, taus)`, with `R` in the upper triangle and the vectors below it.
///
/// `Q = H_0 H_1 ...`, `H_i = I - taus[i] v_i v_i^H`, where `v_i` is zero before element `i`, one there, and continues
/// below the diagonal in column `i`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Geqrf;

/// The first columns of a product of reflections, as many as the packed vectors have; see [`Geqrf`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct HouseholderProduct;

/// Why the packed forms have no derivative.
const PACKED: &str =
    "reflections are a packed form that JAX does not differentiate either; differentiate qr as a whole";

impl Qr {
    /// The tangents of the thin decomposition of matrices with at least as many rows as columns: with
    /// `X = A' R^-1`, `Q' = Q (W - Q^H X) + X` and `R' = (Q^H X - W) R`, where `W` is skew-Hermitian and has the
    /// strictly lower triangle of `Q^H X`, and the imaginary part of its diagonal (Townsend, 2018).
    fn thin_tangents(b: &mut Builder, q: Value, r: Value, change: Value) -> Result<(Value, Value)> {
        let x = b.one(TriangularSolve::right(false), &[r, change])?;
        let qh = b.adjoint(q)?;
        let inner = b.matmul(qh, x)?;
        let lower = b.part(inner, Part::StrictlyLower)?;
        let upper = b.adjoint(lower)?;
        let mut w = b.sub(lower, upper)?;
        let dtype = b.ty(inner).dtype();
        if dtype.is_complex() {
            let diagonal = b.part(inner, Part::Diagonal)?;
            let real = b.real_part(diagonal)?;
            let real = b.convert(real, dtype)?;
            let imaginary = b.sub(diagonal, real)?;
            w = b.add(w, imaginary)?;
        }
        let rest = b.sub(w, inner)?;
        let dq = b.matmul(q, rest)?;
        let dq = b.add(dq, x)?;
        let rest = b.sub(inner, w)?;
        Ok((dq, b.matmul(rest, r)?))
    }

    /// The tangents of the columns of `q` that complete it, chosen as JAX does: with `Z = Q_2 (Q_1 - I)^-1` for the
    /// upper and lower rows of the thin `Q` (Townsend; arXiv 2409.13374, equation 32).
    fn completion(b: &mut Builder, q: Value, dq: Value, m: usize, n: usize) -> Result<Value> {
        let thin = b.slice_last(q, 1, 0, n)?;
        let rest = b.slice_last(q, 1, n, m)?;
        let upper = b.slice_last(thin, 2, 0, n)?;
        let lower = b.slice_last(thin, 2, n, m)?;
        let (d_upper, d_lower) = (b.slice_last(dq, 2, 0, n)?, b.slice_last(dq, 2, n, m)?);
        let eye = b.eye(b.ty(upper))?;
        let shifted = b.sub(upper, eye)?;
        // (Q_1 - I)^H Z^H = Q_2^H.
        let shifted = b.adjoint(shifted)?;
        let lower = b.adjoint(lower)?;
        let zh = b.solve(shifted, lower)?;
        let z = b.adjoint(zh)?;
        let moved = b.matmul(z, d_upper)?;
        let moved = b.sub(d_lower, moved)?;
        let moved = b.adjoint(moved)?;
        let basis = b.matmul(rest, z)?;
        let basis = b.add(thin, basis)?;
        let turned = b.matmul(basis, moved)?;
        let pushed = b.matmul(dq, zh)?;
        b.sub(pushed, turned)
    }
}

impl Rules for Qr {
    fn name(&self) -> &'static str {
        "jarrah.qr"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let a = operands[0];
        decomposable("the operand", a)?;
        let (m, n) = matrices("the operand", a)?;
        let k = if self.full_matrices { m } else { m.min(n) };
        Ok(TypeVec::from_slice(&[with_last(a, &[m, k]), with_last(a, &[k, n])]))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let [q, r] = cx.all_results()?;
        let (a, ty) = (cx.operands[0], cx.ty(0));
        let (m, n) = matrices("the operand", ty)?;
        let b = &mut *cx.b;
        let change = cx.tangents[0].instantiate(b)?;
        let rank = ty.rank();
        let (dq, dr) = if m < n {
            let (square, rest) = (b.slice_last(r, 1, 0, m)?, b.slice_last(a, 1, m, n)?);
            let (d_square, d_rest) = (b.slice_last(change, 1, 0, m)?, b.slice_last(change, 1, m, n)?);
            let (dq, dr) = Qr::thin_tangents(b, q, square, d_square)?;
            let (dqh, qh) = (b.adjoint(dq)?, b.adjoint(q)?);
            let (x, y) = (b.matmul(dqh, rest)?, b.matmul(qh, d_rest)?);
            let beyond = b.add(x, y)?;
            (dq, b.concatenate(&[dr, beyond], rank - 1)?)
        } else if self.full_matrices && m > n {
            let (thin, square) = (b.slice_last(q, 1, 0, n)?, b.slice_last(r, 2, 0, n)?);
            let (dq, dr) = Qr::thin_tangents(b, thin, square, change)?;
            let completion = Qr::completion(b, q, dq, m, n)?;
            (b.concatenate(&[dq, completion], rank - 1)?, b.padded(dr, m, n)?)
        } else {
            Qr::thin_tangents(b, q, r, change)?
        };
        Ok(Jvp::Tangents(vec![Tangent::Value(dq), Tangent::Value(dr)]))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a QR decomposition is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let k = results[1].dim(results[1].rank() - 2) as f64;
        Cost::new(4.0 * operands[0].elements()? as f64 * k, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "`A = Q R` with orthonormal columns of `Q` and an upper triangular `R`.",
            source: "jax.lax.linalg.qr",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let qr = |full_matrices| Qr { full_matrices };
        vec![
            Example::new("square", qr(false), vec![well_conditioned(&[3, 3])]),
            Example::new("tall, a stack", qr(false), vec![well_conditioned(&[2, 4, 2])]),
            Example::new("tall, full", qr(true), vec![well_conditioned(&[4, 2])]),
            Example::new("wide", qr(true), vec![well_conditioned(&[2, 4])]),
        ]
    }
}

impl Rules for Geqrf {
    fn name(&self) -> &'static str {
        "jarrah.geqrf"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        decomposable("the operand", operands[0])?;
        let (m, n) = matrices("the operand", operands[0])?;
        Ok(TypeVec::from_slice(&[operands[0], with_last(operands[0], &[m.min(n)])]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Refuse(PACKED))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a QR decomposition is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let k = results[1].dim(results[1].rank() - 1) as f64;
        Cost::new(2.0 * operands[0].elements()? as f64 * k, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The QR decomposition in packed form: `R` above, the vectors of the reflections below it.",
            source: "LAPACK geqrf; jax.lax.linalg.geqrf",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("tall", Geqrf, vec![well_conditioned(&[3, 2])]),
            Example::new("wide, a stack", Geqrf, vec![well_conditioned(&[2, 2, 3])]),
        ]
    }
}

impl Rules for HouseholderProduct {
    fn name(&self) -> &'static str {
        "jarrah.householder_product"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 2)?;
        let (a, taus) = (operands[0], operands[1]);
        decomposable("the vectors", a)?;
        let (m, n) = matrices("the vectors", a)?;
        let batch = &a.dims()[..a.rank() - 2];
        let count = match taus.dims().split_last() {
            Some((&count, rest)) if rest == batch && taus.dtype() == a.dtype() => count,
            _ => return Err(Error::program(format!("the factors {taus} do not fit the vectors {a}"))),
        };
        if m < n || n < count {
            return Err(Error::program(format!(
                "vectors {a} with factors {taus}: columns must be as many as factors or more, and rows as columns"
            )));
        }
        Ok(TypeVec::from_slice(&[a]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Refuse(PACKED))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a product of reflections is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let k = operands[1].dim(operands[1].rank() - 1) as f64;
        Cost::new(4.0 * operands[0].elements()? as f64 * k, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The first columns of a product of reflections `I - tau v v^H`.",
            source: "LAPACK orgqr; jax.lax.linalg.householder_product",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let taus = |dims: &[usize]| varied(dims, 1.0, 2.0);
        vec![
            Example::new("square", HouseholderProduct, vec![well_conditioned(&[3, 3]), taus(&[3])]),
            Example::new(
                "fewer factors",
                HouseholderProduct,
                vec![well_conditioned(&[2, 4, 3]), taus(&[2, 2])],
            ),
        ]
    }
}

impl Builder {
    /// The solutions `X` of `A X = B` with square matrices `A`, by their LU decomposition.
    pub(super) fn solve(&mut self, a: Value, b: Value) -> Result<Value> {
        let factors = self.push(super::Lu, &[a])?;
        let permuted = self.permuted_rows(b, factors[2])?;
        let unit = TriangularSolve { unit_diagonal: true, ..TriangularSolve::left(true) };
        let half = self.one(unit, &[factors[0], permuted])?;
        self.one(TriangularSolve::left(false), &[factors[0], half])
    }
}
