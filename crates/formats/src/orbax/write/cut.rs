use jarrah_base::Result;

use super::refused;

/// The extents of a chunk of a shard: at most `bytes` of elements of `size`, and extents that divide those of the shard.
///
/// The longest axis along which the array is cut already is cut on, to its next smaller divisor; when these have one element, all axes are. An axis without
/// elements has chunks of one, since zarr has no chunk without any.
pub(super) fn chunk(
    dims: &[usize],
    shard: &[usize],
    size: usize,
    bytes: Option<usize>,
) -> Result<Vec<usize>> {
    let mut chunk: Vec<usize> = shard.iter().map(|extent| (*extent).max(1)).collect();
    let Some(bytes) = bytes else { return Ok(chunk) };
    if bytes < size {
        return Err(refused(format!("chunks of {bytes} bytes are asked for, an element has {size}")));
    }
    let most = (bytes / size) as u128;
    let mut is_cut: Vec<bool> = dims.iter().zip(shard).map(|(all, each)| all != each).collect();
    while chunk.iter().map(|extent| *extent as u128).product::<u128>() > most {
        // The first of the longest.
        let longest =
            (0..chunk.len()).rev().filter(|i| is_cut[*i] && chunk[*i] > 1).max_by_key(|i| chunk[*i]);
        match longest {
            Some(axis) => chunk[axis] = smaller_divisor(shard[axis], chunk[axis]),
            None => is_cut.fill(true),
        }
    }
    Ok(chunk)
}

/// The largest divisor of `number` that is less than `than`, itself a divisor greater than 1.
fn smaller_divisor(number: usize, than: usize) -> usize {
    // The smallest cofactor greater than that of `than`.
    let first = number / than + 1;
    let cofactor = (first..)
        .take_while(|cofactor| cofactor.saturating_mul(*cofactor) <= number)
        .find(|c| number.is_multiple_of(*c));
    match cofactor {
        Some(cofactor) => number / cofactor,
        // Divisors below the root, from above.
        None => (1..than.min(number.isqrt() + 1))
            .rev()
            .find(|divisor| number.is_multiple_of(*divisor))
            .unwrap_or(1),
    }
}
