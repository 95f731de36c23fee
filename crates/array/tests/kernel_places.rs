//! Places of kernels' arrays at the limits: none, outside, past `i32`, named twice.

use jarrah_array::checkify::{Categories, checkify};
use jarrah_array::kernel::{Block, BlockDim, bounds, ds, for_each, kernel};
use jarrah_array::{Array, DType, Ref, Type, grad};

const HERE: BlockDim = BlockDim::Squeezed;

fn ramp(shape: &[usize]) -> Array {
    Array::arange(shape.iter().product::<usize>() as i64).astype(DType::F32).reshape(shape)
}

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

#[test]
fn nothing_is_checked_where_there_are_no_points() {
    let f = |x: &Array| {
        let block = || Block::new([4], |[i]| [i]);
        kernel(|[x, y]| y.set(x.get() + 1.0)).grid(&[0]).input(block()).output(x.ty(), block()).call_one(&[x])
    };
    for extent in [0, 3] {
        let (error, y) = checkify(f, Categories::USER)(&Array::ones(&[extent]));
        assert_eq!((error.get().unwrap(), values(&y)), (None, vec![0.0; extent]));
    }
}

#[test]
fn a_block_that_a_number_places_outside_is_found_by_checks() {
    let f = |x: &Array| {
        let seventh = Block::new([2], |[_]| [7]);
        kernel(|[x, y]| y.set(x.get()))
            .grid(&[1])
            .input(seventh)
            .output_whole(x.ty().with_dims([2]))
            .call_one(&[x])
    };
    assert_eq!(values(&f(&ramp(&[4]))), [0.0; 2]);
    let error = checkify(f, Categories::USER)(&ramp(&[4])).0.get().unwrap().unwrap();
    assert!(error.contains("block 7 along axis 0 of operand 0 lies outside of f32[4]"), "{error}");
}

#[test]
fn more_elements_than_a_bounded_block_has_are_found_by_checks() {
    let f = |n: &Array| {
        let block = Block::found([BlockDim::Bounded(2)], |[_], [n]| (bounds(0, n),));
        let f = kernel(|[_, x, y]| y.set(x.get())).grid(&[1]).prefetch(1).input(block);
        f.output_whole(Type::tensor(DType::F32, [2])).call_one(&[n, &Array::ones(&[4])])
    };
    let checked = |n: i32| checkify(f, Categories::USER)(&Array::scalar(n)).0.get().unwrap();
    assert_eq!(checked(2), None);
    let error = checked(3).unwrap();
    assert!(error.contains("a block of operand 1 has 3 elements along axis 0, the most are 2"), "{error}");
}

#[test]
fn positions_past_i32_are_not_those_in_front() {
    let x = ramp(&[4]) + 1.0;
    let take = |at: &Array| {
        let block = Block::found([HERE], |[i], [at]| [at.index(i)]);
        let take = kernel(|[_, x, y]| y.set(x.get())).grid(&[2]).prefetch(1).input(block);
        values(&take.output(x.ty().with_dims([2]), Block::new([HERE], |[i]| [i])).call_one(&[at, &x]))
    };
    assert_eq!(take(&Array::from_slice(&[1i64 << 32, 1])), [0.0, 2.0]);
    assert_eq!(take(&Array::from_slice(&[u32::MAX - 1, 1])), [0.0, 2.0]);
    let last = Ref::new(&Array::scalar(0i32));
    for_each(i32::MAX - 2, Array::scalar(1i64 << 40), |i| last.set(i));
    assert_eq!(last.get().item::<i32>().unwrap(), i32::MAX - 1);
}

#[test]
fn masked_positions_may_be_named_twice() {
    let cell = Ref::new(&ramp(&[4]));
    let at = Array::from_slice(&[2i32, 2, 9, -1]);
    let mask = Array::from_slice(&[true, false, true, false]);
    cell.at(&at).mask(&mask).set(7.0);
    assert_eq!(values(&cell.get()), [0.0, 1.0, 7.0, 3.0]);
    // Positions of a histogram, of which some do not count.
    let bins = |x: &Array| {
        kernel(|[at, x, y]| y.at(at.get()).mask(&x.get().lt(3.0)).add(x.get()))
            .grid(&[2])
            .input(Block::new([3], |[i]| [i]))
            .input(Block::new([3], |[i]| [i]))
            .output_whole(Type::tensor(DType::F32, [3]))
            .call_one(&[&Array::from_slice(&[0i32, 0, 1, 1, 0, 0]), x])
    };
    assert_eq!(values(&bins(&ramp(&[6]))), [1.0, 2.0, 0.0]);
    assert_eq!(values(&grad(|x: &Array| bins(x).sum(..))(&ramp(&[6]))), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    // Two columns of the rows of a window.
    let table = Ref::new(&Array::zeros(&[3, 4]));
    let columns = Array::from_slice(&[1i32, 1]);
    let first = Array::from_slice(&[true, false]);
    table.at((ds(Array::scalar(2i32), 2), &columns)).mask(&first).set(5.0);
    let mut wanted = [0.0; 12];
    wanted[9] = 5.0;
    assert_eq!(values(&table.get()), wanted);
}
