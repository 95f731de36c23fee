//! Boxes of arrays, beside copies of one element after the other.

use std::ops::Range;

use jarrah_base::{ErrorKind, Literal};
use jarrah_formats::{Tensor, copy_region, cut};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 as usize % n.max(1)
    }

    /// A range in another.
    fn within(&mut self, all: &Range<usize>) -> Range<usize> {
        let start = all.start + self.below(all.len() + 1);
        start..start + self.below(all.end - start + 1)
    }
}

/// The place of a point in the row-major array of a box.
fn place(point: &[usize], of: &[Range<usize>]) -> usize {
    point.iter().zip(of).fold(0, |at, (x, range)| at * range.len() + (x - range.start))
}

/// All points of a box, in order.
fn points(of: &[Range<usize>]) -> Vec<Vec<usize>> {
    of.iter().fold(vec![Vec::new()], |points, range| {
        points.iter().flat_map(|point| range.clone().map(move |x| [&point[..], &[x]].concat())).collect()
    })
}

#[test]
fn a_box_that_two_arrays_share_is_copied_element_by_element() {
    let mut random = Random(7);
    for round in 0..2000 {
        let (rank, size) = (random.below(5), 1 + random.below(4));
        let both: Vec<Range<usize>> = (0..rank)
            .map(|_| {
                let start = random.below(5);
                start..start + random.below(4)
            })
            .collect();
        let mut around = || -> Vec<Range<usize>> {
            let wider = |range: &Range<usize>| {
                range.start - random.below(range.start + 1)..range.end + random.below(3)
            };
            both.iter().map(wider).collect()
        };
        let (lies, wanted) = (around(), around());
        let bytes = |of: &[Range<usize>]| of.iter().map(Range::len).product::<usize>() * size;
        let from: Vec<u8> = (0..bytes(&lies)).map(|i| (i * 7 + round) as u8).collect();
        let mut to = vec![0xee; bytes(&wanted)];
        let mut expected = to.clone();
        copy_region(size, (&from, &lies), (&mut to, &wanted), &both);
        for point in points(&both) {
            let (source, target) = (place(&point, &lies) * size, place(&point, &wanted) * size);
            expected[target..target + size].copy_from_slice(&from[source..source + size]);
        }
        assert_eq!(to, expected, "{both:?} of {lies:?} into {wanted:?}");
    }
}

#[test]
fn a_box_is_cut_out_of_a_value_and_of_a_tensor_alike() {
    let mut random = Random(8);
    for _ in 0..500 {
        let dims: Vec<usize> = (0..random.below(5)).map(|_| random.below(5)).collect();
        let all: Vec<Range<usize>> = dims.iter().map(|&extent| 0..extent).collect();
        let numbers: Vec<u16> = (0..dims.iter().product::<usize>() as u16).collect();
        let value = Literal::from_slice(&dims, &numbers).unwrap();
        let region: Vec<Range<usize>> = all.iter().map(|range| random.within(range)).collect();
        let expected: Vec<u16> = points(&region).iter().map(|point| numbers[place(point, &all)]).collect();
        let part = cut(&value, &region).unwrap();
        assert_eq!(part.as_slice::<u16>().unwrap(), expected, "{region:?} of {dims:?}");
        assert_eq!(Tensor::of("w", &value).region(&region).unwrap(), part);
    }
    let value = Literal::from_slice(&[2, 2], &[1u8, 2, 3, 4]).unwrap();
    let backwards = Range { start: 1, end: 0 };
    for region in [&[0..3, 0..1][..], &[0..1, 0..1, 0..1], &[backwards, 0..1]] {
        assert_eq!(cut(&value, region).unwrap_err().kind(), ErrorKind::Program);
    }
}
