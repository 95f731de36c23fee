use crate::error::{Error, Result};

/// The number of elements of a tensor with these extents.
///
/// # Errors
/// The product of the extents that are not 0 exceeds the address space. So the product of any of them can be taken without
/// a check once this one was.
///
/// ```
/// use jarrah_base::elements;
/// assert_eq!(elements(&[2, 3])?, 6);
/// assert!(elements(&[1 << 40, 1 << 40, 0]).is_err());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn elements(dims: &[usize]) -> Result<usize> {
    let span = dims.iter().filter(|&&d| d != 0).try_fold(1usize, |n, &d| n.checked_mul(d));
    let span = span.filter(|&span| span <= isize::MAX as usize);
    let span = span.ok_or_else(|| Error::program(format!("{dims:?} are too many elements")))?;
    Ok(if dims.contains(&0) { 0 } else { span })
}

/// The extent of two axes made one: `a` times `b`.
///
/// # Errors
/// The product overflows.
pub fn product(a: usize, b: usize) -> Result<usize> {
    a.checked_mul(b).ok_or_else(|| Error::program(format!("the extent {a} * {b} overflows")))
}
