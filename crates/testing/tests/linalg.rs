//! Decompositions, Fourier transforms and random bits against JAX, with their derivatives.

use std::collections::BTreeMap;

use jarrah_base::{DType, Element, Literal, Type, c128, with_element};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_testing::{golden_tensors, golden_text};
use jarrah_transforms::{ResidualPolicy, jvp, vjp};
use serde_json::Value;

type Tensors = BTreeMap<String, Literal>;

fn op_of(case: &Value) -> Op {
    let at = &case["attributes"];
    let flag = |name: &str| at[name].as_bool().unwrap();
    match case["op"].as_str().unwrap() {
        "cholesky" => Cholesky { lower: true }.into(),
        "triangular_solve" => TriangularSolve {
            left_side: flag("left_side"),
            lower: flag("lower"),
            unit_diagonal: flag("unit_diagonal"),
            transpose_a: match at["transpose_a"].as_str().unwrap() {
                "NO_TRANSPOSE" => MatrixTranspose::None,
                "TRANSPOSE" => MatrixTranspose::Transpose,
                _ => MatrixTranspose::Adjoint,
            },
        }
        .into(),
        "lu" => Lu.into(),
        "qr" => Qr { full_matrices: flag("full_matrices") }.into(),
        "geqrf" => Geqrf.into(),
        "householder_product" => HouseholderProduct.into(),
        "eigh" => Eigh { lower: flag("lower") }.into(),
        "svd" => Svd { full_matrices: flag("full_matrices"), compute_uv: flag("compute_uv") }.into(),
        "eig" => Eig { left: flag("left"), right: flag("right") }.into(),
        "schur" => Schur { compute_vectors: flag("compute_vectors") }.into(),
        "hessenberg" => Hessenberg.into(),
        "tridiagonal" => Tridiagonal { lower: flag("lower") }.into(),
        "tridiagonal_solve" => TridiagonalSolve.into(),
        "fft" => {
            let kind = match at["kind"].as_str().unwrap() {
                "FFT" => FftKind::Fft,
                "IFFT" => FftKind::Ifft,
                "RFFT" => FftKind::Rfft,
                _ => FftKind::Irfft,
            };
            let lengths = at["lengths"].as_array().unwrap();
            Fft { kind, lengths: lengths.iter().map(|n| n.as_u64().unwrap() as usize).collect() }.into()
        }
        other => panic!("no op {other}"),
    }
}

fn program(op: &Op, params: &[Literal]) -> Program {
    let mut b = Builder::new("f");
    let params: Vec<_> = params.iter().map(|x| b.param(x.ty(), "")).collect();
    let results = b.push(op.clone(), &params).unwrap();
    b.finish(&results).unwrap()
}

/// A tensor in doubles, the last axis of a complex one being its parts, in the width under test.
fn read(x: &Literal, complex: bool, wide: bool) -> Literal {
    let (mut dims, values) = (x.dims(), x.to_f64_vec());
    let numbers: Vec<c128> = if complex {
        dims.pop();
        values.chunks(2).map(|p| c128::new(p[0], p[1])).collect()
    } else {
        values.iter().map(|&x| c128::new(x, 0.0)).collect()
    };
    let dtype = match (x.dtype().is_float(), complex, wide) {
        (false, ..) => x.dtype(),
        (_, false, false) => DType::F32,
        (_, false, true) => DType::F64,
        (_, true, false) => DType::C64,
        (_, true, true) => DType::C128,
    };
    let mut out = Literal::zeros(Type::tensor(dtype, dims)).unwrap();
    with_element!(dtype, T => {
        for (to, &from) in out.as_mut_slice::<T>().unwrap().iter_mut().zip(&numbers) {
            *to = <T as Element>::from_c128(from);
        }
    });
    out
}

/// A stack of matrices of numbers.
struct Stack {
    rows: usize,
    cols: usize,
    data: Vec<c128>,
}

impl Stack {
    fn of(x: &Literal) -> Stack {
        let dims = x.dims();
        let (rows, cols) = match dims[..] {
            [.., m, n] => (m, n),
            [n] => (1, n),
            [] => (1, 1),
        };
        Stack { rows, cols, data: x.to_c128_vec() }
    }

    fn at(&self, k: usize, i: usize, j: usize) -> c128 {
        self.data[(k * self.rows + i) * self.cols + j]
    }

    fn count(&self) -> usize {
        self.data.len() / (self.rows * self.cols).max(1)
    }
}

/// The factor that turns the vector `found` to `expected`, as columns (or rows) number `j` and `to` of matrix `k`.
fn phase(found: &Stack, expected: &Stack, k: usize, j: usize, to: usize, rows: bool) -> c128 {
    let length = if rows { found.cols } else { found.rows };
    let pick = |x: &Stack, i: usize, j: usize| if rows { x.at(k, j, i) } else { x.at(k, i, j) };
    let inner: c128 = (0..length).map(|i| pick(found, i, j).conj() * pick(expected, i, to)).sum();
    inner / inner.norm()
}

/// How the results of a case are to be turned and reordered before they are compared: found in the results, and used for
/// their tangents too.
struct Alignment {
    phases: Vec<Option<Vec<c128>>>,
    /// Of eigenvalues: where the value that is expected at a position stands.
    order: Vec<usize>,
}

impl Alignment {
    fn new(case: &Value, found: &[Literal], expected: &[Literal]) -> Alignment {
        let kinds: Vec<&str> =
            case["compare"].as_array().unwrap().iter().map(|k| k.as_str().unwrap()).collect();
        let mut order = Vec::new();
        if kinds[0] == "values" {
            let (found, expected) = (Stack::of(&found[0]), Stack::of(&expected[0]));
            let n = found.cols;
            for k in 0..found.data.len() / n.max(1) {
                let mut left: Vec<usize> = (0..n).collect();
                for j in 0..n {
                    let far = |&i: &usize| (found.data[k * n + i] - expected.data[k * n + j]).norm();
                    let best =
                        (0..left.len()).min_by(|&a, &b| far(&left[a]).total_cmp(&far(&left[b]))).unwrap();
                    order.push(left.remove(best));
                }
            }
        }
        let phases = kinds.iter().zip(found.iter().zip(expected)).map(|(kind, (found, expected))| {
            let (found, expected) = (Stack::of(found), Stack::of(expected));
            let turned = |rows: bool, of: &dyn Fn(usize) -> usize| {
                let vectors = if rows { found.rows } else { found.cols };
                let all = (0..found.count()).flat_map(|k| (0..vectors).map(move |j| (k, j)));
                Some(all.map(|(k, j)| phase(&found, &expected, k, of(k * vectors + j), j, rows)).collect())
            };
            match *kind {
                "columns" => turned(false, &|at| at % found.cols),
                "rows" => turned(true, &|at| at % found.rows),
                "vectors" => turned(false, &|at| order[at]),
                _ => None,
            }
        });
        Alignment { phases: phases.collect(), order }
    }

    /// The result number `index`, turned.
    fn apply(&self, kind: &str, index: usize, x: &Literal) -> Vec<c128> {
        let stack = Stack::of(x);
        let (m, n) = (stack.rows, stack.cols);
        let at = |p: usize| (p / (m * n), p / n % m, p % n);
        (0..stack.data.len())
            .map(|p| {
                let (k, i, j) = at(p);
                match (kind, &self.phases[index]) {
                    ("values", _) => stack.data[p - p % n + self.order[p]],
                    ("columns", Some(f)) => stack.data[p] * f[k * n + j],
                    ("rows", Some(f)) => stack.data[p] * f[k * m + i],
                    ("vectors", Some(f)) => stack.at(k, i, self.order[k * n + j]) * f[k * n + j],
                    _ => stack.data[p],
                }
            })
            .collect()
    }
}

/// The largest difference, over the largest number (at least one).
fn error(found: &[c128], expected: &Literal) -> f64 {
    let expected = expected.to_c128_vec();
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0f64, |m, x| m.max(x.norm()));
    found.iter().zip(&expected).fold(0.0, |worst: f64, (a, b)| {
        let off = (a - b).norm() / size;
        if off.is_nan() { f64::INFINITY } else { worst.max(off) }
    })
}

/// `x + x^H`: what a Hermitian direction sees of a cotangent.
fn symmetrized(x: &Literal) -> Vec<c128> {
    let s = Stack::of(x);
    let n = s.cols;
    (0..s.data.len()).map(|p| s.data[p] + s.at(p / (n * n), p % n, p / n % n).conj()).collect()
}

/// `A = Z T Z^H` and `Z^H Z = 1`: a Schur form is determined up to the order of eigenvalues.
fn schur_residual(a: &Literal, t: &Literal, z: &Literal) -> f64 {
    let (a, t, z) = (Stack::of(a), Stack::of(t), Stack::of(z));
    let n = a.cols;
    let mut worst = 0.0f64;
    for k in 0..a.count() {
        let zt: Vec<c128> =
            (0..n * n).map(|p| (0..n).map(|q| z.at(k, p / n, q) * t.at(k, q, p % n)).sum()).collect();
        for p in 0..n * n {
            let (i, j) = (p / n, p % n);
            let back: c128 = (0..n).map(|q| zt[i * n + q] * z.at(k, j, q).conj()).sum();
            let unit: c128 = (0..n).map(|q| z.at(k, q, i).conj() * z.at(k, q, j)).sum();
            worst = worst.max((back - a.at(k, i, j)).norm());
            worst = worst.max((unit - if i == j { 1.0 } else { 0.0 }).norm());
        }
    }
    worst
}

struct Check<'a> {
    case: &'a Value,
    tensors: &'a Tensors,
    wide: bool,
    failures: &'a mut Vec<String>,
}

impl Check<'_> {
    fn name(&self) -> &str {
        self.case["name"].as_str().unwrap()
    }

    fn stored(&self, kind: &str, complex: &[bool]) -> Vec<Literal> {
        let tensor = |(i, &complex): (usize, &bool)| {
            read(&self.tensors[&format!("{}/{kind}/{i}", self.name())], complex, self.wide)
        };
        complex.iter().enumerate().map(tensor).collect()
    }

    fn expect(&mut self, what: &str, off: f64, tolerance: f64) {
        if off > tolerance || off.is_nan() {
            let (name, width) = (self.name(), if self.wide { "wide" } else { "narrow" });
            self.failures.push(format!("{name} {} {width}: {what} off by {off:e}", self.case["attributes"]));
        }
    }

    fn run(&mut self) {
        let flags = |name: &str| -> Vec<bool> {
            self.case[name].as_array().unwrap().iter().map(|c| c.as_bool().unwrap()).collect()
        };
        let (complex, complex_results) = (flags("complex"), flags("complex_results"));
        let op = op_of(self.case);
        let inputs = self.stored("in", &complex);
        let expected = self.stored("out", &complex_results);
        let f = program(&op, &inputs);
        let found = evaluate(&f, &inputs).unwrap();
        for (a, b) in found.iter().zip(&expected) {
            assert_eq!(a.ty(), b.ty(), "{}", self.name());
        }
        // Computed in doubles and rounded; derivatives are made of many rounded steps.
        let (tight, loose) = if self.wide { (1e-11, 1e-9) } else { (1e-6, 2e-3) };
        if self.case["op"] == "schur" {
            self.expect("decomposition", schur_residual(&inputs[0], &found[0], &found[1]), tight);
            return;
        }
        let alignment = Alignment::new(self.case, &found, &expected);
        let kinds = self.case["compare"].as_array().unwrap().clone();
        let kind = |i: usize| kinds[i].as_str().unwrap();
        let shape = inputs[0].dims();
        let completed = self.case["attributes"]["full_matrices"] == true
            && shape[shape.len() - 2] != shape[shape.len() - 1];
        for (i, (x, y)) in found.iter().zip(&expected).enumerate() {
            // Vectors that complete a basis are not determined.
            if !completed || kind(i) == "same" {
                self.expect(&format!("result {i}"), error(&alignment.apply(kind(i), i, x), y), tight);
            }
        }
        let smooth: Vec<bool> = expected.iter().map(|x| x.dtype().is_differentiable()).collect();
        let (smooth_results, count): (Vec<bool>, usize) = (
            complex_results.iter().zip(&smooth).filter(|(_, s)| **s).map(|(c, _)| *c).collect(),
            found.len(),
        );
        let wants = |what: &str| self.case["derivatives"].as_array().unwrap().iter().any(|d| d == what);
        let (forward, reverse) = (wants("jvp"), wants("vjp"));
        if forward {
            let derived = jvp(&f, &vec![true; inputs.len()], &smooth).unwrap();
            let args = [inputs.clone(), self.stored("dot", &complex)].concat();
            let tangents = evaluate(&derived.program, &args).unwrap().split_off(count);
            let expected = self.stored("outdot", &smooth_results);
            for (i, (x, y)) in tangents.iter().zip(&expected).enumerate() {
                self.expect(&format!("tangent {i}"), error(&alignment.apply(kind(i), i, x), y), loose);
            }
        }
        if reverse {
            let both = vjp(&f, &vec![true; inputs.len()], ResidualPolicy::SaveAll).unwrap();
            let mut args = evaluate(&both.forward, &inputs).unwrap().split_off(count);
            args.extend(self.stored("ct", &smooth_results));
            let pulled = evaluate(&both.backward, &args).unwrap();
            let expected = self.stored("inct", &complex);
            let hermitian = self.case["hermitian"] == true;
            for (i, (x, y)) in pulled.iter().zip(&expected).enumerate() {
                let off = if hermitian {
                    let pairs = symmetrized(x).into_iter().zip(symmetrized(y));
                    pairs.fold(0.0f64, |worst, (a, b)| worst.max((a - b).norm()))
                } else {
                    error(&x.to_c128_vec(), y)
                };
                self.expect(&format!("cotangent {i}"), off, loose);
            }
        }
    }
}

#[test]
fn decompositions_and_transforms_are_jax_s() {
    let tensors = golden_tensors("linalg.safetensors").unwrap();
    let described: Value = serde_json::from_str(&golden_text("linalg.json").unwrap()).unwrap();
    let cases = described["cases"].as_array().unwrap();
    assert!(cases.len() > 250, "{}", cases.len());
    let mut failures = Vec::new();
    for case in cases {
        for wide in [true, false] {
            Check { case, tensors: &tensors, wide, failures: &mut failures }.run();
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn random_bits_are_xla_s() {
    let tensors = golden_tensors("linalg.safetensors").unwrap();
    let described: Value = serde_json::from_str(&golden_text("linalg.json").unwrap()).unwrap();
    let cases = described["bits"].as_array().unwrap();
    assert!(cases.len() > 200, "{}", cases.len());
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let [state, after, bits] = ["state", "after", "bits"].map(|kind| &tensors[&format!("{name}/{kind}")]);
        let (algorithm, dtype) = (&case["algorithm"], &case["dtype"]);
        let algorithm = match algorithm.as_str().unwrap() {
            "DEFAULT" => RngAlgorithm::Default,
            "THREE_FRY" => RngAlgorithm::Threefry,
            _ => RngAlgorithm::Philox,
        };
        // XLA gives the bits of floats as integers.
        let ty = if dtype == "f32" { bits.ty().with_dtype(DType::F32) } else { bits.ty() };
        let op = RngBitGenerator { algorithm, ty };
        let state = std::slice::from_ref(state);
        let found = evaluate(&program(&op.into(), state), state).unwrap();
        assert_eq!(&found[0], after, "{case}");
        assert!(found[1].bytes() == bits.bytes(), "{case}: {:?} instead of {bits:?}", found[1]);
    }
}
