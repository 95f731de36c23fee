//! Sums of products of what an attention computes: the meaning of each value between its two products, forward and backward.

/// The variables of the polynomials that describe the values of an attention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// `e`, the exponential of a shifted score.
    Exp,
    /// `l`, the sum of a row's exponentials.
    Sum,
    /// `g`, the cotangent of a weight before multipliers.
    Cotangent,
    /// `d`, the sum of `e g m` along a row.
    Mean,
    /// `m`, the multiplier of a weight.
    Multiplier,
    /// The product of exponentials and values, where it is divided by `l` later.
    Mixed,
    /// `tanh` of a score.
    Tanh,
}

/// The exponent of each [`Symbol`].
type Exponents = [i8; 7];

/// A sum of products of symbols with coefficients.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Poly(Vec<(Exponents, f64)>);

/// More terms than the derivative of an attention has.
const MOST_TERMS: usize = 24;

impl Poly {
    pub fn number(c: f64) -> Poly {
        Poly(vec![([0; 7], c)])
    }

    pub fn of(symbols: &[(Symbol, i8)]) -> Poly {
        let mut exponents = [0; 7];
        symbols.iter().for_each(|&(symbol, n)| exponents[symbol as usize] += n);
        Poly(vec![(exponents, 1.0)])
    }

    pub fn scaled(&self, c: f64) -> Poly {
        Poly(self.0.iter().map(|&(exponents, x)| (exponents, c * x)).collect())
    }

    pub fn add(&self, other: &Poly) -> Option<Poly> {
        let mut out = self.clone();
        for &(exponents, c) in &other.0 {
            match out.0.iter_mut().find(|(e, _)| *e == exponents) {
                Some((_, sum)) => *sum += c,
                None => out.0.push((exponents, c)),
            }
        }
        out.0.retain(|&(_, c)| c != 0.0);
        (out.0.len() <= MOST_TERMS).then_some(out)
    }

    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut out = Poly::default();
        for &(a, x) in &self.0 {
            for &(b, y) in &other.0 {
                let mut exponents = a;
                for (n, m) in exponents.iter_mut().zip(b) {
                    *n = n.checked_add(m)?;
                }
                out = out.add(&Poly(vec![(exponents, x * y)]))?;
            }
        }
        Some(out)
    }

    /// `1 / self`, of a single product.
    pub fn inverse(&self) -> Option<Poly> {
        match self.0[..] {
            [(exponents, c)] if c != 0.0 => Some(Poly(vec![(exponents.map(|n| -n), 1.0 / c)])),
            _ => None,
        }
    }

    /// The sum along a row: that of `e` is `l`, and that of `e g m` is `d`. `multiplied` is whether there is a multiplier.
    pub fn sum_of_row(&self, multiplied: bool) -> Option<Poly> {
        let mut out = Poly::default();
        for &(exponents, c) in &self.0 {
            let mut rest = exponents;
            let mut take = |s: Symbol| std::mem::take(&mut rest[s as usize]);
            let pair = (take(Symbol::Exp), take(Symbol::Cotangent), take(Symbol::Multiplier));
            let sum = match pair {
                (1, 0, 0) => Symbol::Sum,
                (1, 1, m) if m == i8::from(multiplied) => Symbol::Mean,
                _ => return None,
            };
            if rest[Symbol::Mixed as usize] != 0 || rest[Symbol::Tanh as usize] != 0 {
                return None;
            }
            rest[sum as usize] += 1;
            out = out.add(&Poly(vec![(rest, c)]))?;
        }
        Some(out)
    }

    /// The factor by which it differs from `other`, if that is a number.
    pub fn over(&self, other: &Poly) -> Option<f64> {
        if self.0.len() != other.0.len() {
            return None;
        }
        let mut factor = None;
        for &(exponents, c) in &self.0 {
            let &(_, d) = other.0.iter().find(|(e, _)| *e == exponents)?;
            let ratio = c / d;
            let &mut first = factor.get_or_insert(ratio);
            // Coefficients were rounded to the types of the program.
            let near = (ratio - first).abs() <= 1e-4 * first.abs();
            near.then_some(())?;
        }
        factor
    }
}
