use jarrah_cpu::buffers::{Allocation, BufferPool};
use jarrah_cpu::copy::copy;
use jarrah_cpu::threads::ThreadPool;

/// Row-major strides of `extents` with axes in the order `order`.
fn strides(extents: &[usize], order: &[usize]) -> Vec<isize> {
    let mut strides = vec![0; extents.len()];
    let mut step = 1;
    for &axis in order.iter().rev() {
        strides[axis] = step;
        step *= extents[axis] as isize;
    }
    strides
}

fn check<const SIZE: usize>(pool: &ThreadPool, extents: &[usize], from: &[usize], to: &[usize]) {
    let total: usize = extents.iter().product();
    let (ss, ds) = (strides(extents, from), strides(extents, to));
    let src: Vec<[u8; SIZE]> =
        (0..total).map(|i| std::array::from_fn(|b| ((i * 2_654_435_761) >> (8 * (b % 4))) as u8)).collect();
    let mut dst = vec![[0u8; SIZE]; total];
    // SAFETY: both are dense permutations of the same extents.
    unsafe { copy(pool, SIZE, extents, src.as_ptr().cast(), &ss, dst.as_mut_ptr().cast(), &ds) };
    for i in 0..total {
        let (mut rest, mut s, mut d) = (i, 0, 0);
        for axis in (0..extents.len()).rev() {
            let x = (rest % extents[axis]) as isize;
            rest /= extents[axis];
            s += x * ss[axis];
            d += x * ds[axis];
        }
        assert_eq!(
            dst[d as usize], src[s as usize],
            "{extents:?} {from:?} -> {to:?}, {SIZE} bytes, element {i}"
        );
    }
}

#[test]
fn permutations() {
    for pool in [ThreadPool::new(1), ThreadPool::new(3)] {
        let cases: [(&[usize], &[usize], &[usize]); 23] = [
            (&[], &[], &[]),
            (&[5], &[0], &[0]),
            (&[70, 45], &[0, 1], &[1, 0]),
            (&[256, 320], &[0, 1], &[1, 0]),
            (&[3, 70, 90], &[0, 1, 2], &[0, 2, 1]),
            (&[2, 64, 6, 64], &[0, 1, 2, 3], &[0, 2, 1, 3]),
            (&[2, 64, 6, 64], &[0, 1, 2, 3], &[0, 2, 3, 1]),
            (&[4, 5, 6, 7, 3], &[0, 1, 2, 3, 4], &[4, 2, 0, 3, 1]),
            (&[1, 200_000, 1], &[0, 1, 2], &[2, 1, 0]),
            (&[7, 0, 3], &[0, 1, 2], &[2, 1, 0]),
            // Blocks of 2 to 128 bytes, each in another order.
            (&[9, 2, 2], &[0, 1, 2], &[0, 2, 1]),
            (&[33_333, 2, 4], &[0, 1, 2], &[0, 2, 1]),
            (&[64, 11, 4, 2], &[0, 1, 2, 3], &[0, 1, 3, 2]),
            (&[1001, 2, 2, 2], &[0, 1, 2, 3], &[0, 3, 1, 2]),
            (&[301, 4, 4], &[0, 1, 2], &[0, 2, 1]),
            // A few rows, column by column.
            (&[3, 4, 77], &[0, 1, 2], &[0, 2, 1]),
            (&[5, 2, 131], &[0, 1, 2], &[0, 2, 1]),
            (&[2, 4, 33_000], &[0, 1, 2], &[0, 2, 1]),
            (&[3, 8, 77], &[0, 1, 2], &[0, 2, 1]),
            // Elements that stay side by side, as those of a bf16 in panels do: as many as make an element, and not.
            (&[5, 32, 64, 2], &[0, 1, 2, 3], &[0, 2, 1, 3]),
            (&[64, 96, 4], &[0, 1, 2], &[1, 0, 2]),
            (&[64, 96, 3], &[0, 1, 2], &[1, 0, 2]),
            (&[2, 65, 33, 2], &[1, 0, 2, 3], &[2, 1, 0, 3]),
        ];
        for (extents, from, to) in cases {
            check::<1>(&pool, extents, from, to);
            check::<2>(&pool, extents, from, to);
            check::<4>(&pool, extents, from, to);
            check::<8>(&pool, extents, from, to);
            check::<16>(&pool, extents, from, to);
        }
    }
}

#[test]
fn broadcasts_reversals_and_slices() {
    let pool = ThreadPool::new(2);
    let src: Vec<u32> = (0..100).collect();
    let mut dst = vec![9u32; 12];
    // SAFETY: rows 1 and 3, columns 4, 3, 2 of a 10 x 10 array; the results go to every other place.
    unsafe {
        copy(&pool, 4, &[2, 3], src.as_ptr().add(14).cast(), &[20, -1], dst.as_mut_ptr().cast(), &[6, 2]);
    }
    assert_eq!(dst, [14, 9, 13, 9, 12, 9, 34, 9, 33, 9, 32, 9]);
    let mut dst = vec![0u32; 400 * 300];
    // SAFETY: one row of 300 read 400 times... of which only the first 100 elements differ by stride 0.
    unsafe { copy(&pool, 4, &[400, 300], src.as_ptr().cast(), &[0, 0], dst.as_mut_ptr().cast(), &[300, 1]) };
    assert!(dst.iter().all(|&x| x == 0));
    // SAFETY: a column of 100 repeated 1200 times.
    unsafe { copy(&pool, 4, &[1200, 100], src.as_ptr().cast(), &[0, 1], dst.as_mut_ptr().cast(), &[100, 1]) };
    assert!(dst.iter().enumerate().all(|(i, &x)| x == (i % 100) as u32));
}

#[test]
#[cfg(target_os = "linux")]
fn blocks_of_a_few_hundred_kilobytes_share_huge_pages() {
    let sizes = [256 << 10, 300_000, 700_000, 1 << 20, 1_100_000, 2_000_000, 2_300_000, 3 << 20];
    for len in sizes {
        let mut blocks: Vec<Allocation> = (0..40).map(|_| Allocation::new(len).expect("memory")).collect();
        let size = blocks[0].len();
        assert!(size >= len && size - len <= len / 8 + 64, "{len} bytes in {size}");
        for (i, block) in blocks.iter_mut().enumerate() {
            assert!(block.len() == size && block.as_ptr().addr().is_multiple_of(64));
            block.bytes_mut().fill(i as u8);
        }
        // None of them lies on another, and neighbours lie side by side.
        assert!(blocks.iter().enumerate().all(|(i, block)| block.bytes().iter().all(|&b| b == i as u8)));
        let mut at: Vec<usize> = blocks.iter().map(|block| block.as_ptr().addr()).collect();
        at.sort_unstable();
        assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= size));
        let beside = at.windows(2).filter(|pair| pair[1] - pair[0] == size).count();
        assert!(beside >= 25, "{beside} of 40 blocks of {len} bytes lie beside the next");
        // What comes back is given out again.
        let freed = blocks.swap_remove(17).as_ptr();
        let again: Vec<Allocation> = (0..40).map(|_| Allocation::new(len).expect("memory")).collect();
        assert!(again.iter().any(|block| block.as_ptr() == freed));
    }
}

#[test]
fn buffers_are_aligned_reused_and_bounded() {
    let pool = BufferPool::new(8 << 20);
    for len in [0, 1, 64, 4097, 3 << 20] {
        let mut memory = Allocation::new(len).expect("little memory");
        assert!(memory.len() >= len && memory.as_ptr().addr().is_multiple_of(64));
        memory.bytes_mut().fill(7);
        assert!(memory.bytes().iter().all(|&b| b == 7));
    }
    let blocks: Vec<_> = (0..3).map(|_| pool.take(4 << 20).expect("little memory")).collect();
    let addresses: Vec<_> = blocks.iter().map(|b| b.as_ptr()).collect();
    assert!(addresses[2].addr().is_multiple_of(2 << 20));
    drop(blocks);
    assert_eq!(pool.free_bytes(), 8 << 20);
    let again = pool.take((4 << 20) - 100).expect("little memory");
    assert!(addresses[1..].contains(&again.as_ptr()));
    // A small request does not take a large block.
    assert!(pool.take(100).expect("little memory").len() < 4 << 20);
    drop(again);
    pool.clear();
    assert_eq!(pool.free_bytes(), 0);
    assert!(pool.take(usize::MAX / 2).is_none());
}
