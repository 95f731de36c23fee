use std::collections::BTreeMap;
use std::fmt::Write;

/// The exponents of the symbols by number, without zeros at the end.
pub(super) type Monomial = Vec<u32>;

/// A polynomial in the symbols of a scope, `(sum of coefficient * monomial) / divisor`, whose values are integers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Polynomial {
    terms: BTreeMap<Monomial, i64>,
    divisor: i64,
}

impl Polynomial {
    /// The number `n`.
    pub fn constant(n: i64) -> Polynomial {
        Polynomial::of([(Monomial::new(), n)], 1)
    }

    /// The symbol with this number.
    pub fn symbol(number: usize) -> Polynomial {
        let mut exponents = vec![0; number];
        exponents.push(1);
        Polynomial::of([(exponents, 1)], 1)
    }

    /// The polynomial with these terms, in lowest terms.
    pub(super) fn of(terms: impl IntoIterator<Item = (Monomial, i64)>, divisor: i64) -> Polynomial {
        let mut all: BTreeMap<Monomial, i64> = BTreeMap::new();
        for (monomial, coefficient) in terms {
            let sum = all.entry(monomial).or_default();
            *sum = sum.saturating_add(coefficient);
        }
        all.retain(|_, coefficient| *coefficient != 0);
        let common = all.values().fold(divisor, |g, &c| gcd(g, c)).max(1);
        all.values_mut().for_each(|c| *c /= common);
        Polynomial { terms: all, divisor: divisor / common }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(monomial, &c)| (monomial, c))
    }

    pub(super) fn divisor(&self) -> i64 {
        self.divisor
    }

    /// The number, if there is no symbol in it.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.iter().next() {
            None => Some(0),
            Some((monomial, &c)) if monomial.is_empty() && self.terms.len() == 1 => Some(c),
            Some(_) => None,
        }
    }

    /// The numbers of the symbols in it.
    pub fn symbols(&self) -> Vec<usize> {
        let used = |i: &usize| self.terms.keys().any(|m| m.get(*i).is_some_and(|&e| e > 0));
        let count = self.terms.keys().map(Vec::len).max().unwrap_or(0);
        (0..count).filter(used).collect()
    }

    pub(super) fn plus(&self, other: &Polynomial) -> Polynomial {
        let scaled = |p: &Polynomial, by: i64| -> Vec<(Monomial, i64)> {
            p.terms.iter().map(|(m, c)| (m.clone(), c.saturating_mul(by))).collect()
        };
        let terms = scaled(self, other.divisor).into_iter().chain(scaled(other, self.divisor));
        Polynomial::of(terms, self.divisor.saturating_mul(other.divisor))
    }

    pub(super) fn times(&self, other: &Polynomial) -> Polynomial {
        let products = self.terms.iter().flat_map(|(a, x)| {
            other.terms.iter().map(move |(b, y)| {
                let exponent = |i: usize| a.get(i).unwrap_or(&0) + b.get(i).unwrap_or(&0);
                ((0..a.len().max(b.len())).map(exponent).collect(), x.saturating_mul(*y))
            })
        });
        Polynomial::of(products, self.divisor.saturating_mul(other.divisor))
    }

    pub(super) fn negated(&self) -> Polynomial {
        self.times(&Polynomial::constant(-1))
    }

    /// The value where the symbols are `sizes`; `None` where that is no integer, or too large for one.
    pub fn evaluate(&self, sizes: &[i64]) -> Option<i64> {
        let mut sum: i128 = 0;
        for (monomial, &coefficient) in &self.terms {
            let mut product = i128::from(coefficient);
            for (i, &exponent) in monomial.iter().enumerate() {
                for _ in 0..exponent {
                    product = product.checked_mul(i128::from(*sizes.get(i)?))?;
                }
            }
            sum = sum.checked_add(product)?;
        }
        let divisor = i128::from(self.divisor);
        (sum % divisor == 0).then(|| i64::try_from(sum / divisor).ok())?
    }

    /// The polynomial as JAX writes it: `2*b*n + 3`, `floordiv(n^2 + n, 2)`.
    pub fn display(&self, names: &[String]) -> String {
        let mut out = String::new();
        // Terms of high degree come first, the constant last.
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(m, _)| {
            (std::cmp::Reverse(m.iter().sum::<u32>()), std::cmp::Reverse((*m).clone()))
        });
        for (monomial, &coefficient) in terms {
            let sign = match (out.is_empty(), coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            out.push_str(sign);
            let powers = monomial.iter().enumerate().filter(|(_, e)| **e > 0);
            let mut factors: Vec<String> = Vec::new();
            if coefficient.unsigned_abs() != 1 || monomial.is_empty() {
                factors.push(coefficient.unsigned_abs().to_string());
            }
            factors.extend(powers.map(|(i, &e)| {
                let name = names.get(i).map_or("?", String::as_str);
                if e == 1 { name.to_owned() } else { format!("{name}^{e}") }
            }));
            let _ = write!(out, "{}", factors.join("*"));
        }
        match (out.is_empty(), self.divisor) {
            (true, _) => "0".to_owned(),
            (false, 1) => out,
            (false, divisor) => format!("floordiv({out}, {divisor})"),
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}
