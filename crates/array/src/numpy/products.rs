//! Sums of products.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::numpy::concatenate;
use crate::operators::{broadcast_shapes, promote_types};

impl Array {
    /// The matrix product; leading axes broadcast as in NumPy, vectors count as a row or a column.
    ///
    /// # Errors
    ///
    /// A program error for a scalar, or if the contracted extents differ or leading axes do not broadcast.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (a, b) = (Array::zeros(&[8, 3, 4]), Array::zeros(&[4, 5]));
    /// assert_eq!(a.matmul(&b).shape(), [8, 3, 5]);
    /// let (rows, v) = (Array::arange(4).reshape(&[2, 2]), Array::from_slice(&[1i32, 10]));
    /// assert_eq!(rows.matmul(&v).to_vec::<i32>()?, [10, 32]);
    /// assert_eq!(v.matmul(&rows).to_vec::<i32>()?, [20, 31]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn matmul(&self, other: &Array) -> Array {
        self.matmul_as(other, promote_types(self.dtype(), other.dtype()))
    }

    /// As [`matmul`](Array::matmul), with results of dtype `out`: sums of products of `int8` as `i32`, say, which hold them.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let x = Array::full(&[2, 1000], 100, DType::I8);
    /// assert_eq!(x.matmul_as(&x.t(), DType::I32).to_vec::<i32>()?, [10_000_000; 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `preferred_element_type` of `jax.numpy.matmul`.
    #[track_caller]
    pub fn matmul_as(&self, other: &Array, out: DType) -> Array {
        let dtype = promote_types(self.dtype(), other.dtype());
        let (a, b) = (self.astype(dtype), other.astype(dtype));
        if a.rank() == 0 || b.rank() == 0 {
            let error =
                Error::program(format!("a scalar has no axis to contract: lhs {}, rhs {}", a.ty(), b.ty()));
            fail(with_context(error.op("matmul").at(Location::caller()).help("multiply with *")));
        }
        let last = a.rank() - 1;
        if b.rank() <= 2 {
            let row = b.rank() - if b.rank() == 2 { 2 } else { 1 };
            return contract_axes("matmul", &a, &b, (&[last], &[row]), out);
        }
        if a.rank() == 1 {
            let product = a.expand_dims(0).matmul_as(&b, out);
            return product.squeeze(-2);
        }
        let (x, y) = (a.shape(), b.shape());
        let (lead_a, lead_b) = (&x[..x.len() - 2], &y[..y.len() - 2]);
        let Some(lead) = broadcast_shapes(lead_a, lead_b) else {
            let error =
                Error::program(format!("leading axes do not broadcast: lhs {}, rhs {}", a.ty(), b.ty()));
            fail(with_context(
                error.op("matmul").help("leading extents are equal or one").at(Location::caller()),
            ))
        };
        let extend = |x: &Array, s: &[usize]| {
            let shape: Vec<usize> = lead.iter().chain(&s[s.len() - 2..]).copied().collect();
            x.broadcast_to(&shape)
        };
        let (a, b) = (extend(&a, &x), extend(&b, &y));
        let batch: Vec<usize> = (0..lead.len()).collect();
        let n = lead.len();
        lax::dot_general_as(&a, &b, (&[n + 1], &[n]), (&batch, &batch), out)
    }

    /// The product with scalars multiplied, and otherwise the last axis of this array contracted with the last but one of
    /// `other`, or its only one; the axes of both follow one another. Extents that differ there are a program error.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 2, 3]);
    /// assert_eq!(x.dot(&Array::from_slice(&[1i32, 10, 100])).item::<i32>()?, 321);
    /// assert_eq!(Array::zeros(&[2, 3, 4]).dot(&Array::zeros(&[5, 4, 6])).shape(), [2, 3, 5, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn dot(&self, other: &Array) -> Array {
        if self.rank() == 0 || other.rank() == 0 {
            return self * other;
        }
        let at = if other.rank() == 1 { -1 } else { -2 };
        tensordot_as("dot", self, other, &[-1], &[at])
    }

    /// `sum(conj(x) y)` of all elements in row-major order.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let z = Array::from_slice(&[c64::new(0.0, 2.0), c64::new(3.0, 0.0)]);
    /// assert_eq!(z.vdot(&z).item::<c64>()?, c64::new(13.0, 0.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn vdot(&self, other: &Array) -> Array {
        self.conj().ravel().dot(&other.ravel())
    }

    /// The last axes contracted; the axes of both follow one another.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let rows = Array::arange(4).reshape(&[2, 2]);
    /// assert_eq!(rows.inner(&rows).to_vec::<i32>()?, [1, 3, 3, 13]);
    /// assert_eq!(Array::zeros(&[2, 4]).inner(&Array::zeros(&[5, 6, 4])).shape(), [2, 5, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn inner(&self, other: &Array) -> Array {
        if self.rank() == 0 || other.rank() == 0 {
            return self * other;
        }
        tensordot_as("inner", self, other, &[-1], &[-1])
    }

    /// The products of each element with each of `other`, in row-major order: a matrix.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[10i32, 20, 30]));
    /// assert_eq!(x.outer(&y).to_string(), "i32[2,3]\n[[10, 20, 30],\n [20, 40, 60]]");
    /// ```
    #[track_caller]
    pub fn outer(&self, other: &Array) -> Array {
        self.ravel().expand_dims(-1) * other.ravel()
    }

    /// `sum(conj(x) y)` along an axis; other axes broadcast.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (rows, v) = (Array::arange(4).reshape(&[2, 2]), Array::from_slice(&[1i32, 10]));
    /// assert_eq!(rows.vecdot(&v, -1).to_vec::<i32>()?, [10, 32]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn vecdot(&self, other: &Array, axis: isize) -> Array {
        let (x, y) = (self.conj().moveaxis(axis, -1), other.moveaxis(axis, -1));
        x.expand_dims(-2).matmul(&y.expand_dims(-1)).squeeze([-1, -2])
    }

    /// The products of the matrices of the last two axes with vectors of the last axis; leading axes broadcast.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (a, rows) = (Array::arange(4).reshape(&[2, 2]), Array::from_slice(&[1i32, 0, 0, 1]).reshape(&[2, 2]));
    /// // The columns of the matrix.
    /// assert_eq!(a.matvec(&rows).to_vec::<i32>()?, [0, 2, 1, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn matvec(&self, vectors: &Array) -> Array {
        self.matmul(&vectors.expand_dims(-1)).squeeze(-1)
    }

    /// The products of the conjugate vectors of the last axis with matrices of the last two axes; leading axes broadcast.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (v, a) = (Array::from_slice(&[1i32, 10]), Array::arange(4).reshape(&[2, 2]));
    /// assert_eq!(v.vecmat(&a).to_vec::<i32>()?, [20, 31]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn vecmat(&self, matrices: &Array) -> Array {
        self.conj().expand_dims(-2).matmul(matrices).squeeze(-2)
    }

    /// The Kronecker product: each element times the whole of `other`, the blocks where the elements are.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 10]).kron(&Array::from_slice(&[1i32, 2]));
    /// assert_eq!(x.to_vec::<i32>()?, [1, 2, 10, 20]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn kron(&self, other: &Array) -> Array {
        let rank = self.rank().max(other.rank());
        let extents = |x: &Array| -> Vec<usize> {
            let shape = x.shape();
            (0..rank).map(|i| (i + shape.len()).checked_sub(rank).map_or(1, |at| shape[at])).collect()
        };
        let (a, b) = (extents(self), extents(other));
        let left: Vec<usize> = a.iter().flat_map(|&d| [d, 1]).collect();
        let right: Vec<usize> = b.iter().flat_map(|&d| [1, d]).collect();
        let joined: Vec<usize> = a.iter().zip(&b).map(|(x, y)| x * y).collect();
        (self.reshaped(&left) * other.reshaped(&right)).reshaped(&joined)
    }

    /// The cross product of the vectors of the last axis, `(x1 y2 - x2 y1, x2 y0 - x0 y2, x0 y1 - x1 y0)`. A vector of two
    /// components has 0 as its third; of two such vectors only the third component of the product is returned.
    ///
    /// # Errors
    ///
    /// A program error unless the vectors have two or three components.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[1i32, 0, 0]), Array::from_slice(&[0i32, 1, 0]));
    /// assert_eq!(x.cross(&y).to_vec::<i32>()?, [0, 0, 1]);
    /// assert_eq!(x.slice(0, ..2).cross(&y.slice(0, ..2)).item::<i32>()?, 1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn cross(&self, other: &Array) -> Array {
        let extent = |x: &Array| x.shape().last().copied().unwrap_or(0);
        let pair = (extent(self), extent(other));
        if !matches!(pair, (2 | 3, 2 | 3)) {
            let error = Error::program(format!(
                "vectors of 2 or 3 components are needed: lhs {}, rhs {}",
                self.ty(),
                other.ty()
            ));
            fail(with_context(
                error
                    .op("cross")
                    .help("the cross product is defined in two and three dimensions")
                    .at(Location::caller()),
            ));
        }
        let part = |x: &Array, i: usize| match i < extent(x) {
            true => x.slice(-1, i..=i),
            false => x.slice(-1, ..1).zeros_like(),
        };
        let component = |i: usize, j: usize| part(self, i) * part(other, j) - part(self, j) * part(other, i);
        if pair == (2, 2) {
            return component(0, 1).squeeze(-1);
        }
        concatenate(&[&component(1, 2), &component(2, 0), &component(0, 1)], -1)
    }
}

/// `lhs` and `rhs` with axes contracted in pairs: axis `i` of the one list with axis `i` of the other. The other axes of `lhs`
/// come first.
///
/// # Errors
///
/// A program error if the contracted extents differ.
///
/// ```
/// use jarrah_array::{Array, numpy::tensordot};
/// let (a, b) = (Array::ones(&[2, 3, 4]), Array::ones(&[4, 3, 5]));
/// assert_eq!(tensordot(&a, &b, &[1, 2], &[1, 0]).shape(), [2, 5]);
/// ```
#[track_caller]
pub fn tensordot(lhs: &Array, rhs: &Array, lhs_axes: &[isize], rhs_axes: &[isize]) -> Array {
    tensordot_as("tensordot", lhs, rhs, lhs_axes, rhs_axes)
}

#[track_caller]
fn tensordot_as(op: &str, lhs: &Array, rhs: &Array, lhs_axes: &[isize], rhs_axes: &[isize]) -> Array {
    let dtype = promote_types(lhs.dtype(), rhs.dtype());
    let (a, b) = (lhs.astype(dtype), rhs.astype(dtype));
    let (left, right) =
        (crate::numpy::resolve_each(op, &a, lhs_axes), crate::numpy::resolve_each(op, &b, rhs_axes));
    contract_axes(op, &a, &b, (&left, &right), dtype)
}

/// The product of `a` and `b`, summed over the paired axes in `contract`; paired axes of different extents are an error of `op`.
#[track_caller]
fn contract_axes(op: &str, a: &Array, b: &Array, contract: (&[usize], &[usize]), out: DType) -> Array {
    for (&i, &j) in contract.0.iter().zip(contract.1) {
        let (m, n) = (a.shape()[i], b.shape()[j]);
        if m != n {
            let (lhs, rhs) = (a.ty(), b.ty());
            let error = Error::program(format!(
                "contracting dimensions differ: lhs {lhs} axis {i} is {m}, rhs {rhs} axis {j} is {n}"
            ));
            let error = [(a, "lhs made"), (b, "rhs made")].into_iter().fold(error, |error, (array, text)| {
                array.source().location.map_or(error.clone(), |place| error.label(place, text))
            });
            let help = "transpose an operand, swap them, or name the axes with einsum";
            fail(with_context(error.op(op).at(Location::caller()).help(help)));
        }
    }
    lax::dot_general_as(a, b, contract, (&[], &[]), out)
}

/// An operand of an [`einsum`], with a name for each axis.
#[derive(Clone)]
struct Named {
    array: Array,
    names: Vec<char>,
}

/// The names given to the axes under an ellipsis; the end of the range is given to the last of these axes.
const ELLIPSIS_NAMES: std::ops::Range<u32> = 0xE000..0xE100;

/// How [`einsum`] is written, for its messages.
const EINSUM: &str =
    "name each array's axes by letters, separated by commas, then those of the result: \"ij,jk->ik\"";

/// The sum of products over the axes that the result does not name.
///
/// `subscripts` name the axes of each operand by letters, operands apart by commas; after `->` those of the result, else the
/// names that occur once, in alphabetical order. `...` stands for further axes, which broadcast. Of more than two operands the
/// pair with the smallest result is contracted first.
///
/// # Errors
///
/// A program error if the subscripts do not name the axes of the operands, or extents of one name differ.
///
/// ```
/// use jarrah_array::{Array, numpy::einsum};
/// let (q, k) = (Array::ones(&[2, 5, 3, 8]), Array::ones(&[2, 7, 3, 8]));
/// assert_eq!(einsum("bthd,bshd->bhts", &[&q, &k]).shape(), [2, 3, 5, 7]);
/// ```
#[track_caller]
pub fn einsum(subscripts: &str, operands: &[&Array]) -> Array {
    einsum_by(subscripts, operands, &mut |_| ())
}

/// The order in which [`einsum`] contracts its operands: positions in the list of operands, from which the pair is taken out, and
/// at whose end its result is put.
///
/// ```
/// use jarrah_array::{Array, numpy::einsum_path};
/// let (a, b) = (Array::ones(&[8, 8]), Array::ones(&[8, 2]));
/// assert_eq!(einsum_path("ij,jk,kl->il", &[&a, &a, &b]), [(1, 2), (0, 1)]);
/// ```
#[track_caller]
pub fn einsum_path(subscripts: &str, operands: &[&Array]) -> Vec<(usize, usize)> {
    let path = std::cell::RefCell::new(Vec::new());
    let operands: Vec<Array> = operands.iter().map(|operand| (*operand).clone()).collect();
    let f = |operands: &Vec<Array>| {
        let operands: Vec<&Array> = operands.iter().collect();
        path.borrow_mut().clear();
        einsum_by(subscripts, &operands, &mut |pair| path.borrow_mut().push(pair))
    };
    crate::eval_shape(f, &operands);
    path.into_inner()
}

/// [`einsum`], which tells `on_pair` of each contraction.
#[track_caller]
fn einsum_by(subscripts: &str, operands: &[&Array], on_pair: &mut dyn FnMut((usize, usize))) -> Array {
    let at = Location::caller();
    let wrong =
        |what: String| Error::program(format!("{what} in {subscripts:?}")).op("einsum").at(at).help(EINSUM);
    let text: String = subscripts.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs.to_owned(), Some(output.to_owned())),
        None => (text.clone(), None),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    if inputs.len() != operands.len() {
        let types: Vec<String> = operands.iter().map(|operand| operand.ty().to_string()).collect();
        let (groups, given) = (inputs.len(), operands.len());
        let what = format!("{groups} groups of letters are given for {given} arrays ({})", types.join(", "));
        fail(with_context(wrong(what)));
    }
    let mut dtype = operands[0].dtype();
    for operand in operands {
        dtype = promote_types(dtype, operand.dtype());
    }
    let mut named = Vec::with_capacity(operands.len());
    let mut widest = 0;
    for (input, operand) in inputs.iter().zip(operands) {
        let letters = input.replace("...", "").chars().count();
        let further = operand.rank().saturating_sub(letters);
        let fits = if input.contains("...") { letters <= operand.rank() } else { letters == operand.rank() };
        if !fits {
            fail(with_context(wrong(format!("{input:?} does not name the axes of {}", operand.ty()))));
        }
        widest = widest.max(if input.contains("...") { further } else { 0 });
        let names = match name_axes(input, further) {
            Some(names) => names,
            None => fail(with_context(wrong(format!("{input:?} names axes by other than letters")))),
        };
        let operand = Named { array: operand.astype(dtype), names };
        named.push(operand.diagonals());
    }
    let mut counts: std::collections::BTreeMap<char, usize> = std::collections::BTreeMap::new();
    for name in inputs.iter().flat_map(|input| input.chars()).filter(|c| *c != '.') {
        *counts.entry(name).or_default() += 1;
    }
    let output = match output {
        Some(output) => match name_axes(&output, widest) {
            Some(names) => names,
            None => fail(with_context(wrong(format!("{output:?} names axes by other than letters")))),
        },
        None => {
            let once = counts.iter().filter(|&(_, &n)| n == 1).map(|(&name, _)| name);
            ellipsis_names(widest).chain(once).collect()
        }
    };
    if let Some(name) = output.iter().find(|name| !named.iter().any(|x| x.names.contains(name))) {
        fail(with_context(wrong(format!("no operand has the axis {name} of the result"))));
    }
    if let Some(problem) = mismatch(&named) {
        fail(with_context(wrong(problem)));
    }
    contract_all(named, &output, on_pair)
}

/// The names of an ellipsis for `count` axes.
fn ellipsis_names(count: usize) -> impl Iterator<Item = char> {
    ELLIPSIS_NAMES.rev().take(count).collect::<Vec<_>>().into_iter().rev().filter_map(char::from_u32)
}

/// The names of an operand's axes; an ellipsis stands for `further` axes.
fn name_axes(input: &str, further: usize) -> Option<Vec<char>> {
    let (before, after) = input.split_once("...").unwrap_or((input, ""));
    let further = if input.contains("...") { further } else { 0 };
    let letters = before.chars().chain(after.chars()).all(|c| c.is_ascii_alphabetic());
    letters.then(|| before.chars().chain(ellipsis_names(further)).chain(after.chars()).collect())
}

/// The description of two axes with the same name whose extents differ and are not 1, if there are such axes.
fn mismatch(operands: &[Named]) -> Option<String> {
    let mut known: std::collections::BTreeMap<char, usize> = std::collections::BTreeMap::new();
    for operand in operands {
        for (&name, extent) in operand.names.iter().zip(operand.array.shape()) {
            let first = known.entry(name).or_insert(extent);
            if *first == 1 {
                *first = extent;
            }
            if extent != 1 && extent != *first {
                let name = if name.is_ascii_alphabetic() { name.to_string() } else { "...".to_owned() };
                return Some(format!("the axis {name} has {first} and {extent} elements"));
            }
        }
    }
    None
}

#[track_caller]
fn contract_all(mut operands: Vec<Named>, output: &[char], on_pair: &mut dyn FnMut((usize, usize))) -> Array {
    // Where each operand is in a list that has results at its end.
    let mut places: Vec<usize> = (0..operands.len()).collect();
    while operands.len() > 1 {
        let wanted = |i: usize, j: usize, name: &char| {
            let others = operands.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
            output.contains(name) || others.into_iter().any(|(_, x)| x.names.contains(name))
        };
        let size = |i: usize, j: usize| -> f64 {
            let (a, b) = (&operands[i], &operands[j]);
            let of =
                |x: &Named, name: &char| x.names.iter().position(|n| n == name).map(|at| x.array.shape()[at]);
            let mut names: Vec<char> = a.names.iter().chain(&b.names).copied().collect();
            names.sort_unstable();
            names.dedup();
            let extents =
                names.iter().filter(|n| wanted(i, j, n)).map(|n| of(a, n).max(of(b, n)).unwrap_or(1) as f64);
            extents.product()
        };
        let pairs = (0..operands.len()).flat_map(|i| (i + 1..operands.len()).map(move |j| (i, j)));
        let (i, j) = match operands.len() {
            2 => (0, 1),
            _ => pairs.min_by(|&(a, b), &(c, d)| size(a, b).total_cmp(&size(c, d))).unwrap_or((0, 1)),
        };
        let keep: Vec<char> =
            operands[i].names.iter().chain(&operands[j].names).filter(|n| wanted(i, j, n)).copied().collect();
        let (a, b) = (places[i].min(places[j]), places[i].max(places[j]));
        on_pair((a, b));
        places.remove(j);
        for place in &mut places {
            *place -= usize::from(*place > a) + usize::from(*place > b);
        }
        places[i] = operands.len() - 2;
        let rhs = operands.remove(j);
        let lhs = operands.remove(i);
        operands.insert(i, contract(lhs, rhs, &keep));
    }
    match operands.pop() {
        Some(last) => last.summed(output).in_order(output),
        None => fail(Error::internal("einsum has an operand").at(Location::caller())),
    }
}

/// The product of two operands, summed over the names that are not in `keep`.
#[track_caller]
fn contract(lhs: Named, rhs: Named, keep: &[char]) -> Named {
    let shared = |n: &char| lhs.names.contains(n) && rhs.names.contains(n);
    let own = |x: &Named| -> Vec<char> {
        x.names.iter().filter(|n| keep.contains(n) || shared(n)).copied().collect()
    };
    let (a, b) = (lhs.summed(&own(&lhs)), rhs.summed(&own(&rhs)));
    // An axis of extent 1 that is broadcast against a longer one of the same name contributes a constant factor, so it is
    // removed.
    let (a, b) = (a.squeezed(&b), b.squeezed(&a));
    let common: Vec<char> = a.names.iter().filter(|n| b.names.contains(n)).copied().collect();
    let (batch, contracted): (Vec<char>, Vec<char>) = common.iter().partition(|n| keep.contains(n));
    let at = |x: &Named, names: &[char]| -> Vec<usize> {
        names.iter().filter_map(|n| x.names.iter().position(|m| m == n)).collect()
    };
    let array = lax::dot_general(
        &a.array,
        &b.array,
        (&at(&a, &contracted), &at(&b, &contracted)),
        (&at(&a, &batch), &at(&b, &batch)),
    );
    let free = a.names.iter().chain(&b.names).filter(|n| !common.contains(n));
    let names = batch.iter().chain(free).copied().collect();
    Named { array, names }
}

impl Named {
    /// Each name once: of an axis that is named twice the diagonal.
    #[track_caller]
    fn diagonals(mut self) -> Named {
        while let Some((i, j)) = (0..self.names.len()).find_map(|i| {
            let again = self.names[i + 1..].iter().position(|n| *n == self.names[i]);
            again.map(|j| (i, i + 1 + j))
        }) {
            self.array = self.array.diagonal(0, i as isize, j as isize);
            let name = self.names.remove(j);
            self.names.remove(i);
            self.names.push(name);
        }
        self
    }

    /// Summed over the axes that are not in `keep`.
    #[track_caller]
    fn summed(&self, keep: &[char]) -> Named {
        let gone: Vec<usize> = (0..self.names.len()).filter(|&i| !keep.contains(&self.names[i])).collect();
        let names = self.names.iter().filter(|n| keep.contains(n)).copied().collect();
        Named { array: self.array.reduce(jarrah_hlo::ops::Reducer::Add, &gone), names }
    }

    /// Without axes of extent 1 that are longer in `other`.
    #[track_caller]
    fn squeezed(&self, other: &Named) -> Named {
        let (mine, theirs) = (self.array.shape(), other.array.shape());
        let longer = |n: &char| other.names.iter().position(|m| m == n).is_some_and(|at| theirs[at] != 1);
        let kept: Vec<usize> =
            (0..self.names.len()).filter(|&i| mine[i] != 1 || !longer(&self.names[i])).collect();
        let shape: Vec<usize> = kept.iter().map(|&i| mine[i]).collect();
        Named { array: self.array.reshaped(&shape), names: kept.iter().map(|&i| self.names[i]).collect() }
    }

    /// The array with its axes in the order of `output`.
    #[track_caller]
    fn in_order(self, output: &[char]) -> Array {
        let order: Vec<usize> =
            output.iter().filter_map(|n| self.names.iter().position(|m| m == n)).collect();
        lax::transpose(&self.array, &order)
    }
}
