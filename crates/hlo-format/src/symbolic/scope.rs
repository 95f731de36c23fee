use jarrah_base::{Error, Result};

use super::fit::Sizes;
use super::parse::{self, Part};
use super::polynomial::Polynomial;

/// The symbols of a set of shapes with the constraints on them; each symbol is at least 1.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SymbolicScope {
    names: Vec<String>,
    /// Polynomials that are at least 0, each with the text of its constraint.
    constraints: Vec<(Polynomial, String)>,
}

impl SymbolicScope {
    /// A scope with constraints like `b >= 2` and `n <= 16*b`.
    ///
    /// # Errors
    /// A constraint is malformed, or compares an expression that is no polynomial.
    pub fn new(constraints: &[&str]) -> Result<SymbolicScope> {
        let mut scope = SymbolicScope::default();
        for text in constraints {
            let constraint = parse::constraint(text, &mut |name| symbol(&mut scope.names, name))?;
            scope.constraints.push((constraint, (*text).to_owned()));
        }
        Ok(scope)
    }

    /// The names of the symbols, in the order in which they were met.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Polynomials that are at least 0, each with the text of its constraint.
    pub(super) fn constraints(&self) -> &[(Polynomial, String)] {
        &self.constraints
    }

    /// The extents of a shape like `b, 2*n + 1, 3`. `_` is an extent of `like`, `...` as many as are left.
    ///
    /// # Errors
    /// The text is malformed, or does not fit `like`; an extent is `_` or `...` and there is no `like`.
    pub fn shape(&mut self, text: &str, like: Option<&[usize]>) -> Result<Vec<Polynomial>> {
        let parts = parse::shape(text, &mut |name| symbol(&mut self.names, name))?;
        let wrong = |what: String| Error::program(format!("the shape `{text}` {what}")).op("symbolic_shape");
        let stated = parts.iter().filter(|part| !matches!(part, Part::Ellipsis)).count();
        let open = parts.len() - stated;
        let rank = like.map_or(stated, <[usize]>::len);
        if open > 1 {
            return Err(wrong("has `...` twice".into()));
        }
        if stated > rank || open == 0 && stated < rank {
            return Err(wrong(format!("has {stated} extents, for an array of rank {rank}")));
        }
        let mut extents = Vec::with_capacity(rank);
        for part in parts {
            let left = rank - stated;
            let count = if matches!(part, Part::Ellipsis) { left } else { 1 };
            for _ in 0..count {
                let given = like.and_then(|like| like.get(extents.len())).map(|&n| n as i64);
                extents.push(match (&part, given) {
                    (Part::Extent(extent), Some(n)) if extent.as_constant().is_some_and(|c| c != n) => {
                        return Err(wrong(format!(
                            "has the extent {} where the array has {n}",
                            self.display(extent)
                        )));
                    }
                    (Part::Extent(extent), _) => extent.clone(),
                    (_, Some(n)) => Polynomial::constant(n),
                    (_, None) => return Err(wrong("leaves an extent to an array, and there is none".into())),
                });
            }
        }
        Ok(extents)
    }

    /// The polynomial with the names of the symbols.
    pub fn display(&self, polynomial: &Polynomial) -> String {
        polynomial.display(&self.names)
    }

    /// Sizes for the symbols at which a function of arrays of these shapes is traced.
    ///
    /// # Errors
    /// The constraints leave too few sizes.
    pub fn sizes(&self, shapes: &[Vec<Polynomial>]) -> Result<Sizes> {
        Sizes::new(self, shapes)
    }
}

/// The number of the symbol `name`.
fn symbol(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
