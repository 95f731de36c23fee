//! Polynomials through values at chosen sizes.

use jarrah_base::{Error, Result};

use super::polynomial::{Monomial, Polynomial};
use super::scope::SymbolicScope;

/// The prime `2^61 - 1`: systems are solved modulo it, where no number grows.
const PRIME: u64 = (1 << 61) - 1;
/// The largest divisor of a polynomial that is looked for.
const MAX_DIVISOR: i64 = 24;
/// The largest coefficient that is believed.
const MAX_COEFFICIENT: i64 = i32::MAX as i64;
/// How many sizes are drawn before giving up.
const DRAWS: usize = 20_000;
/// The sizes from which polynomials are found: numbers that seldom are extents by themselves.
const ORDINARY: &[i64] =
    &[11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97];
/// Small, large and even sizes, at which polynomials are checked: code that depends on a size in another way, such as a
/// recursion over halves, does not look the same at these.
const EXTREME: [&[i64]; 3] = [&[5, 7, 9, 11], &[1031, 2053, 3001, 4099], &[6, 20, 34, 258, 1020]];

/// Sizes for the symbols of a scope, at which a function is traced.
///
/// The first ones determine every polynomial of the degree that is looked for; it has to hold at the others too.
#[derive(Clone, Debug)]
pub struct Sizes {
    all: Vec<Vec<i64>>,
    monomials: Vec<Monomial>,
    /// The inverse, modulo [`PRIME`], of the matrix of the monomials' values at the first sizes.
    inverse: Vec<Vec<u64>>,
}

/// Numbers in an order that looks random and is always the same.
struct Draw {
    state: u64,
    narrow: Vec<i64>,
    wide: Vec<i64>,
}

impl Draw {
    fn new() -> Draw {
        Draw { state: 1, narrow: (2..64).collect(), wide: (100..1000).collect() }
    }

    fn below(&mut self, n: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % n
    }

    /// As many sizes from the pool; if constraints seem to need other ones, `anywhere`.
    fn sizes(&mut self, pool: &[i64], count: usize, anywhere: bool) -> Vec<i64> {
        let mut sizes = Vec::with_capacity(count);
        for _ in 0..count {
            let choice = if anywhere { self.below(3) } else { 0 };
            let length = [pool.len(), self.narrow.len(), self.wide.len()][choice];
            let at = self.below(length);
            sizes.push([pool, &self.narrow, &self.wide][choice][at]);
        }
        sizes
    }
}

impl Sizes {
    pub(super) fn new(scope: &SymbolicScope, shapes: &[Vec<Polynomial>]) -> Result<Sizes> {
        let symbols = scope.names().len();
        let degree = if symbols <= 2 { 3 } else { 2 };
        let mut monomials = vec![Monomial::new()];
        for _ in 0..degree {
            let longer: Vec<Monomial> =
                monomials.iter().flat_map(|m| (0..symbols).map(|i| raised(m, i))).collect();
            monomials.extend(longer);
            monomials.sort();
            monomials.dedup();
        }
        let few = || {
            let constraints: Vec<&str> = scope.constraints().iter().map(|(_, text)| &**text).collect();
            let constraints = match constraints.is_empty() {
                true => "the extents".to_owned(),
                false => format!("the constraints {}", constraints.join(", ")),
            };
            let names = scope.names().join(", ");
            Error::program(format!(
                "{constraints} leave too few sizes for {names} to tell how extents depend on them"
            ))
            .op("export")
        };
        let mut draw = Draw::new();
        let mut rows: Vec<Vec<u64>> = Vec::new();
        let mut all: Vec<Vec<i64>> = Vec::new();
        for attempt in 0..DRAWS {
            if all.len() == monomials.len() {
                break;
            }
            let sizes = draw.sizes(ORDINARY, symbols, attempt > DRAWS / 4);
            if fits(scope, shapes, &sizes) && independent(&mut rows, values(&monomials, &sizes)) {
                all.push(sizes);
            }
        }
        if all.len() < monomials.len() {
            return Err(few());
        }
        let matrix = all.iter().map(|sizes| values(&monomials, sizes)).collect();
        let inverse = inverted(matrix).ok_or_else(few)?;
        for pool in EXTREME.iter().filter(|_| symbols > 0) {
            let mut found = (0..DRAWS).map(|attempt| draw.sizes(pool, symbols, attempt > DRAWS / 4));
            let new = found.find(|sizes| fits(scope, shapes, sizes) && !all.contains(sizes));
            all.push(new.ok_or_else(few)?);
        }
        Ok(Sizes { all, monomials, inverse })
    }

    /// The sizes: a number for each symbol.
    pub fn all(&self) -> &[Vec<i64>] {
        &self.all
    }

    /// The sizes as a person reads them: `b = 11, n = 17`.
    pub fn describe(&self, scope: &SymbolicScope, at: usize) -> String {
        let pairs = scope.names().iter().zip(&self.all[at]).map(|(name, size)| format!("{name} = {size}"));
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// The polynomial with these values at the sizes, if such a polynomial exists; `values` has one for each of the sizes.
    pub(super) fn polynomial(&self, values: &[i64]) -> Option<Polynomial> {
        let found = self.through(values)?;
        let holds = |(sizes, &value): (&Vec<i64>, &i64)| found.evaluate(sizes) == Some(value);
        self.all.iter().zip(values).all(holds).then_some(found)
    }

    /// The polynomial that has the first of these values; nothing is said of those beyond.
    pub(super) fn through(&self, values: &[i64]) -> Option<Polynomial> {
        if let Some(first) = values.first().filter(|first| values.iter().all(|v| v == *first)) {
            return Some(Polynomial::constant(*first));
        }
        let known: Vec<u64> = values.iter().take(self.monomials.len()).map(|&v| residue(v)).collect();
        let coefficients: Vec<u64> = self.inverse.iter().map(|row| dot(row, &known)).collect();
        (1..=MAX_DIVISOR).find_map(|divisor| {
            let numerator = |&c: &u64| signed(times(c, divisor as u64));
            let numerators: Vec<i64> = coefficients.iter().map(numerator).collect();
            let small = numerators.iter().all(|n| n.abs() <= MAX_COEFFICIENT);
            small.then(|| Polynomial::of(self.monomials.iter().cloned().zip(numerators), divisor))
        })
    }
}

/// The monomial times the symbol `i`.
fn raised(monomial: &Monomial, i: usize) -> Monomial {
    let mut raised = monomial.clone();
    raised.resize(raised.len().max(i + 1), 0);
    raised[i] += 1;
    raised
}

/// Whether the sizes satisfy the constraints, and no two different extents of the arguments are equal at them.
fn fits(scope: &SymbolicScope, shapes: &[Vec<Polynomial>], sizes: &[i64]) -> bool {
    if scope.constraints().iter().any(|(p, _)| p.evaluate(sizes).is_none_or(|value| value < 0)) {
        return false;
    }
    let mut met: Vec<(i64, &Polynomial)> = Vec::new();
    for extent in shapes.iter().flatten() {
        let value = extent.evaluate(sizes);
        let Some(value) = value.filter(|&value| value >= 1 || extent.as_constant().is_some()) else {
            return false;
        };
        if extent.as_constant().is_none() && value < 2 {
            return false;
        }
        if met.iter().any(|(other, p)| *other == value && *p != extent) {
            return false;
        }
        met.push((value, extent));
    }
    true
}

fn values(monomials: &[Monomial], sizes: &[i64]) -> Vec<u64> {
    let value = |m: &Monomial| {
        let powers = m.iter().zip(sizes).flat_map(|(&e, &size)| (0..e).map(move |_| residue(size)));
        powers.fold(1, times)
    };
    monomials.iter().map(value).collect()
}

fn residue(n: i64) -> u64 {
    i128::from(n).rem_euclid(i128::from(PRIME)) as u64
}

/// The number of least magnitude with this residue.
fn signed(residue: u64) -> i64 {
    if residue > PRIME / 2 { -((PRIME - residue) as i64) } else { residue as i64 }
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    (a + PRIME - b) % PRIME
}

fn dot(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).fold(0, |sum, (&x, &y)| (sum + times(x, y)) % PRIME)
}

/// `1 / a`, by Fermat's little theorem.
fn reciprocal(a: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    result
}

/// Whether `row` is independent of `rows`, which are in echelon form and which it joins then.
fn independent(rows: &mut Vec<Vec<u64>>, mut row: Vec<u64>) -> bool {
    for known in rows.iter() {
        let lead = known.iter().position(|&x| x != 0).unwrap_or(0);
        let factor = row[lead];
        row.iter_mut().zip(known).for_each(|(x, &k)| *x = minus(*x, times(factor, k)));
    }
    let Some(lead) = row.iter().position(|&x| x != 0) else { return false };
    let scale = reciprocal(row[lead]);
    row.iter_mut().for_each(|x| *x = times(*x, scale));
    rows.push(row);
    true
}

/// The inverse of a matrix, by Gauss-Jordan elimination.
fn inverted(mut matrix: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| u64::from(i == j)));
    }
    for column in 0..n {
        let pivot = (column..n).find(|&row| matrix[row][column] != 0)?;
        matrix.swap(column, pivot);
        let scale = reciprocal(matrix[column][column]);
        matrix[column].iter_mut().for_each(|x| *x = times(*x, scale));
        let pivot = matrix[column].clone();
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(&pivot).for_each(|(x, &p)| *x = minus(*x, times(factor, p)));
        }
    }
    Some(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}
