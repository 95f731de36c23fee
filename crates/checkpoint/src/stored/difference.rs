use std::collections::{BTreeSet, HashMap};
use std::fmt;

use jarrah_base::{Literal, Result, Type};

use super::statistics::{magnitude, number};
use super::tree::{StoredLeaf, StoredTree};

/// A difference between two trees, at a leaf.
#[derive(Clone, PartialEq, Debug)]
pub enum LeafDifference {
    /// Only the first tree has the leaf.
    OnlyFirst(String),
    /// Only the second tree has the leaf.
    OnlySecond(String),
    /// The types differ.
    Types {
        /// The name of the leaf.
        name: String,
        /// The types, or the texts, in words.
        types: [String; 2],
    },
    /// Elements differ.
    Values {
        /// The name of the leaf.
        name: String,
        /// The type of both.
        ty: Type,
        /// How many elements differ.
        count: usize,
        /// The largest `|a - b|` of finite elements.
        largest: f64,
        /// The position of the first element that differs.
        first: Vec<usize>,
        /// The two elements there.
        values: [f64; 2],
    },
    /// Texts differ.
    Texts {
        /// The name of the leaf.
        name: String,
        /// The texts.
        texts: [String; 2],
    },
}

impl StoredTree {
    /// The differences between this tree and `other`, by name: leaves that one of them lacks, types, and elements with `|a - b| > tolerance`;
    /// with a tolerance of 0, elements of other bits, as 0 and -0 are. Elements of equal bits are equal, NaN included.
    ///
    /// One value of each tree is in memory at a time.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// use jarrah_checkpoint::StoredTree;
    /// use jarrah_formats::{Tensor, save_file};
    /// # let dir = tempfile::tempdir().unwrap();
    /// let tree = |name: &str, last: f32| -> jarrah_base::Result<StoredTree> {
    ///     let path = dir.path().join(name);
    ///     let w = Literal::from_slice(&[3], &[1.0, 2.0, last])?;
    ///     save_file(&path, &[Tensor::of("w", &w)], &Default::default())?;
    ///     StoredTree::open(&path)
    /// };
    /// let (a, b) = (tree("a.safetensors", 3.0)?, tree("b.safetensors", 3.5)?);
    /// assert_eq!(a.differences(&b, 0.0)?[0].to_string(), "w f32[3]: 1 of 3 elements, at most 0.5 apart; at [2] 3 and 3.5");
    /// assert!(a.differences(&b, 1.0)?.is_empty());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is damaged (`Input`) or cannot be read (`Environment`).
    pub fn differences(&self, other: &StoredTree, tolerance: f64) -> Result<Vec<LeafDifference>> {
        let by_name = |tree: &'_ StoredTree| -> HashMap<String, StoredLeaf> {
            tree.leaves.iter().map(|leaf| (leaf.name.clone(), leaf.clone())).collect()
        };
        let (first, second) = (by_name(self), by_name(other));
        let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
        let mut found = Vec::new();
        for name in names {
            match (first.get(name), second.get(name)) {
                (Some(a), Some(b)) => found.extend(between(a, b, tolerance)?),
                (Some(a), None) => found.push(LeafDifference::OnlyFirst(a.to_string())),
                (None, Some(b)) => found.push(LeafDifference::OnlySecond(b.to_string())),
                (None, None) => {}
            }
        }
        Ok(found)
    }
}

fn between(a: &StoredLeaf, b: &StoredLeaf, tolerance: f64) -> Result<Option<LeafDifference>> {
    let name = a.name.clone();
    if let (Some(one), Some(two)) = (a.text(), b.text()) {
        let texts = [one, two].map(str::to_owned);
        return Ok((one != two).then_some(LeafDifference::Texts { name, texts }));
    }
    let (Some(ty), true) = (a.ty, a.ty == b.ty) else {
        let types = [a, b].map(|leaf| match (leaf.ty, leaf.text()) {
            (Some(ty), _) => ty.to_string(),
            (None, Some(_)) => "a text".to_owned(),
            (None, None) => leaf.to_string(),
        });
        // Two arrays of a type that is not read here are not known to be equal.
        return Ok(Some(LeafDifference::Types { name, types }));
    };
    let (one, two) = (a.literal()?, b.literal()?);
    if one.bytes() == two.bytes() {
        return Ok(None);
    }
    Ok(of_values(name, ty, &one, &two, tolerance))
}

/// The difference of two arrays of one type whose bytes are not equal.
fn of_values(name: String, ty: Type, a: &Literal, b: &Literal, tolerance: f64) -> Option<LeafDifference> {
    let size = ty.dtype().size();
    let (mut count, mut largest, mut first) = (0, 0.0f64, None);
    for (i, (one, two)) in a.bytes().chunks(size).zip(b.bytes().chunks(size)).enumerate() {
        if one == two {
            continue;
        }
        let apart = match ty.dtype() {
            dtype if dtype.is_complex() => magnitude(a.get_c128(i) - b.get_c128(i)),
            // Integers beyond 2^53 are no f64, their difference may be one.
            dtype if dtype.is_integer() => a.get_i128(i).abs_diff(b.get_i128(i)) as f64,
            _ => (a.get_f64(i) - b.get_f64(i)).abs(),
        };
        // Not a number is as far from a number as can be.
        if apart <= tolerance && tolerance > 0.0 {
            continue;
        }
        if apart.is_finite() {
            largest = largest.max(apart);
        }
        count += 1;
        first.get_or_insert(i);
    }
    let at = first?;
    let mut rest = at;
    let extents: Vec<usize> = ty.extents().collect();
    let mut position = vec![0; extents.len()];
    for (index, extent) in position.iter_mut().zip(&extents).rev() {
        (*index, rest) = (rest % extent, rest / extent);
    }
    Some(LeafDifference::Values {
        name,
        ty,
        count,
        largest,
        first: position,
        values: [number(a, at), number(b, at)],
    })
}

impl fmt::Display for LeafDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeafDifference::OnlyFirst(leaf) => write!(f, "only in the first: {leaf}"),
            LeafDifference::OnlySecond(leaf) => write!(f, "only in the second: {leaf}"),
            LeafDifference::Types { name, types: [a, b] } => write!(f, "{name}: {a} and {b}"),
            LeafDifference::Values { name, ty, count, largest, first, values: [a, b] } => {
                let all: usize = ty.extents().product();
                write!(
                    f,
                    "{name} {ty}: {count} of {all} elements, at most {largest} apart; at {first:?} {a} and {b}"
                )
            }
            LeafDifference::Texts { name, texts: [a, b] } => write!(f, "{name}: {a:?} and {b:?}"),
        }
    }
}
