//! Places of kernels' arrays at the limits: none, outside, past `i32`, named twice.

use jarrah_array::checkify::{Categories, checkify};
use jarrah_array::kernel::{
    Block, BlockDim, bounds, ds, for_each, kernel, program_id, select_ref, stochastic_round, when,
};
use jarrah_array::{Array, DType, Ref, Type, grad, jit};

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

#[test]
fn positions_named_twice_in_a_window_take_all_values() {
    let (columns, at) = (Array::from_slice(&[1i32, 1, 3, 9]), Array::scalar(2i32));
    let mask = Array::from_slice(&[true, true, false, true]);
    let filled = |f: &dyn Fn(&Ref)| {
        let table = Ref::new(&Array::zeros(&[3, 4]));
        f(&table);
        values(&table.get())
    };
    // Row 3 of the window is outside: a mask leaves it out, without one the window is moved.
    let masked = filled(&|table| table.at((ds(&at, 2), &columns)).mask(&mask).add(ramp(&[2, 4]) + 1.0));
    assert_eq!(masked, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    let moved = filled(&|table| table.at((ds(&at, 2), &columns)).add(ramp(&[2, 4]) + 1.0));
    assert_eq!(moved, [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 3.0, 0.0, 11.0, 0.0, 7.0]);
    // Positions within a window that is taken first.
    let within = filled(&|table| table.at((ds(1, 2), ..)).at((1, &columns)).max(ramp(&[4])));
    assert_eq!(within, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0]);
    let twice = filled(&|table| table.at(&columns).at((.., 0)).mask(&mask).add(1.0));
    assert_eq!(twice, [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let slope = grad(|x: &Array| {
        let table = Ref::new(&Array::zeros(&[3, 4]));
        table.at((ds(&at, 1), &columns)).mask(&mask).add(x);
        (table.get() * (ramp(&[3, 4]) + 1.0)).sum(..)
    })(&ramp(&[4]));
    assert_eq!(values(&slope), [10.0, 10.0, 0.0, 0.0]);
}

#[test]
fn results_begin_as_zeros_unless_a_kernel_does_not_rely_on_that() {
    let sums = |x: &Array, uninitialized: bool| {
        let f = kernel(|[x, y, sum]| {
            sum.addupdate(x.get());
            y.addupdate(sum.get());
        });
        let f = f.grid(&[2]).input(Block::new([HERE], |[i]| [i]));
        let f = f.output(x.ty(), Block::new([HERE], |[i]| [i])).scratch(Type::scalar(x.dtype())).checked();
        if uninitialized { f.uninitialized().call_one(&[x]) } else { f.call_one(&[x]) }
    };
    let (error, y) = checkify(|x: &Array| sums(x, false), Categories::USER)(&(ramp(&[2]) + 1.0));
    assert_eq!((error.get().unwrap(), values(&y)), (None, vec![1.0, 3.0]));
    let (error, y) = checkify(|x: &Array| sums(x, true), Categories::USER)(&(ramp(&[2]) + 1.0));
    let error = error.get().unwrap().unwrap();
    assert!(error.contains("an element of scratch array 0 is read that nothing has written"), "{error}");
    assert_eq!(values(&y), [1.0, 3.0]);
}

#[test]
fn positions_one_by_one_gather_and_scatter() {
    let rows = Array::from_slice(&[4i32, 0, 9, 2]);
    let of_two =
        || Block::found((BlockDim::Indirect(2), 3), |[i], [rows]| (rows.reshape(&[2, 2]).index(i), 0));
    let gather = |x: &Array| {
        kernel(|[_, x, y]| y.set(x.get() * 2.0))
            .grid(&[2])
            .prefetch(1)
            .input(of_two())
            .output(x.ty().with_dims([4, 3]), Block::new([2, 3], |[i]| (i, 0)))
            .call_one(&[&rows, x])
    };
    let x = ramp(&[5, 3]);
    let wanted = [24.0, 26.0, 28.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 12.0, 14.0, 16.0];
    assert_eq!(values(&gather(&x)), wanted);
    assert_eq!(values(&jit(|x: &Array| gather(x)).call(x.clone()).unwrap()), wanted);
    let slope = grad(|x: &Array| gather(x).sum(..))(&x);
    let wanted: Vec<f32> = (0..15).map(|i| if [0, 2, 4].contains(&(i / 3)) { 2.0 } else { 0.0 }).collect();
    assert_eq!(values(&slope), wanted);
    let complaint = checkify(gather, Categories::USER)(&x).0.get().unwrap().unwrap();
    assert!(
        complaint.contains("position 9 along axis 0 of operand 1 lies outside of f32[5,3]"),
        "{complaint}"
    );
    // The rows of a result, some of which no point stores, and one of which two do.
    let scatter = |rows: &Array, x: &Array| {
        kernel(|[_, x, y]| y.addupdate(x.get()))
            .grid(&[2])
            .prefetch(1)
            .input(Block::new([2, 3], |[i]| (i, 0)))
            .output(x.ty().with_dims([5, 3]), of_two())
            .call_one(&[rows, x])
    };
    let ones = Array::ones(&[4, 3]);
    let sums = scatter(&rows, &ones);
    assert_eq!(values(&sums.sum(1)), [3.0, 0.0, 3.0, 0.0, 3.0]);
    let again = scatter(&Array::from_slice(&[1i32, 0, 1, 3]), &ones);
    assert_eq!(values(&again.sum(1)), [3.0, 6.0, 0.0, 3.0, 0.0]);
    let (error, _) =
        checkify(|x: &Array| scatter(&Array::from_slice(&[1i32, 0, 1, 3]), x), Categories::USER)(&ones);
    assert_eq!(error.get().unwrap(), None);
}

#[test]
fn a_reference_is_chosen_among_several() {
    let f = |which: &Array| {
        kernel(|[which, x, y, z]| {
            let which = which.get();
            z.set(0);
            let from = select_ref(&which, [x.at(..), y.at(..)]).get();
            select_ref(&(1 - which), [z.at(..2), z.at(2..)]).set(from);
        })
        .output_whole(Type::tensor(DType::F32, [4]))
        .call_one(&[which, &ramp(&[2]), &(ramp(&[2]) + 5.0)])
    };
    assert_eq!(values(&f(&Array::scalar(0i32))), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(values(&jit(f).call(Array::scalar(1i32)).unwrap()), [5.0, 6.0, 0.0, 0.0]);
}

#[test]
fn random_bits_round_to_either_neighbour() {
    let x = Array::from_slice(&[1.0f32 + 1.0 / 512.0, -(1.0 + 1.0 / 512.0), 3.0, f32::INFINITY, f32::NAN]);
    let round = |bits: u32| {
        let bits = Array::full(&[5], i64::from(bits), DType::U32);
        values(&stochastic_round(&x, &bits).astype(DType::F32))
    };
    assert_eq!(round(0x1234_0000)[..4], [1.0, -1.0, 3.0, f32::INFINITY]);
    assert_eq!(round(0xffff)[..4], [1.0 + 1.0 / 128.0, -1.0 - 1.0 / 128.0, 3.0, f32::INFINITY]);
    assert!(round(0xffff)[4].is_nan());
}

#[test]
fn what_lies_behind_the_end_of_a_bounded_result_is_no_part_of_it() {
    let block = |count: i32| Block::new([BlockDim::Bounded(3)], move |[i]| [bounds(i * 2, count)]);
    // The point's own two elements of three, which it adds up.
    let sums = |x: &Array| {
        let f = kernel(|[_, y]| y.set(y.get() + y.get().sum(..))).grid(&[2]);
        f.input(block(2)).output(x.ty(), block(2)).alias(0, 0).call_one(&[x])
    };
    assert_eq!(values(&sums(&ramp(&[6]))), [1.0, 2.0, 7.0, 8.0, 4.0, 5.0]);
    // Of elements 0, 1 and 2, 3 the first point writes what `count` says, and the second reads all that it has.
    let checked = |count: i32| {
        let f = |x: &Array| {
            let f = kernel(|[x, y]| {
                when(program_id(0).eq(0), || y.at(0).set(x.at(0).get()));
                when(program_id(0).eq(0), || y.set(y.get() + 1.0));
                when(program_id(0).eq(1), || y.set(y.get() * 2.0));
            });
            let f = f.grid(&[2]).arbitrary(&[0]).input(block(count)).output(x.ty(), block(count));
            f.uninitialized().call_one(&[x])
        };
        checkify(f, Categories::USER)(&ramp(&[6])).0.get().unwrap()
    };
    // Nothing has written element 2, which lies behind the end of the first point's block.
    let message = checked(1).unwrap();
    assert!(message.contains("an element of result 0 is read that nothing has written"), "{message}");
    let only_first = |x: &Array| {
        let f = kernel(|[x, y]| {
            y.at(0).set(x.at(0).get());
            y.set(y.get() + 1.0);
        });
        let f = f.grid(&[2]).input(block(1)).output(x.ty(), block(1));
        f.uninitialized().call_one(&[x])
    };
    let (error, y) = checkify(only_first, Categories::USER)(&ramp(&[6]));
    assert_eq!((error.get().unwrap(), values(&y)), (None, vec![1.0, 0.0, 3.0, 0.0, 0.0, 0.0]));
}

#[test]
fn a_masked_window_at_a_number_may_leave_its_array() {
    let all = Array::scalar(true);
    let cell = Ref::new(&ramp(&[4]));
    for start in [-9i64, -2, 0, 2, 9] {
        // As from the same position in an array.
        let (number, array) = (cell.at(ds(start, 3)), cell.at(ds(Array::scalar(start), 3)));
        let found = values(&number.mask(&all).get());
        let inside = |i: i64| if (0..4).contains(&i) { i as f32 } else { 0.0 };
        assert_eq!(found, (start..start + 3).map(inside).collect::<Vec<_>>(), "{start}");
        assert_eq!(found, values(&array.mask(&all).get()), "{start}");
    }
    let kernel = kernel(|[x, y]| {
        let last = Array::arange(4).lt(2);
        y.at(ds(6, 2)).set(x.at(ds(2, 4)).mask(&last).other(-1.0).get().index(..2));
        y.at(ds(-1, 2).step(2)).at(..).mask(&Array::scalar(true)).set(7.0);
    })
    .output_whole(Type::tensor(DType::F32, [8]));
    assert_eq!(values(&kernel.call_one(&[&ramp(&[4])])), [0.0, 7.0, 0.0, 0.0, 0.0, 0.0, 2.0, 3.0]);
}

/// Positions are compared with extents that their own dtype does not hold.
#[test]
fn positions_of_every_integer_type_are_checked() {
    let x = Array::arange(300);
    let at_position = |t: &Array| {
        let f = kernel(|[t, x, y]| y.set(x.at(t.get()).get())).output_whole(Type::tensor(DType::I32, [1]));
        f.call_one(&[t, &x])
    };
    let in_block = |t: &Array| {
        let block = Block::found([BlockDim::Blocked(1)], |[_], [t]| [t]);
        let whole = Block::new([1], |[_]| [0]);
        let f = kernel(|[_, x, y]| y.set(x.get())).grid(&[1]).prefetch(1).input(block);
        f.output(Type::tensor(DType::I32, [1]), whole).call_one(&[&t.reshape([0usize; 0].as_slice()), &x])
    };
    use DType::*;
    for dtype in [I2, I4, I8, I16, I32, I64, U2, U4, U8, U16, U32, U64] {
        let ways: [(&str, &dyn Fn(&Array) -> Array); 2] =
            [("a position", &at_position), ("a block", &in_block)];
        for (what, way) in ways {
            let found = |position: i64| {
                let (error, y) = checkify(way, Categories::USER)(&Array::full(&[1], position, dtype));
                (error.get().unwrap().is_some(), y)
            };
            let (failed, y) = found(1);
            assert!(!failed, "{what} of {dtype}");
            assert_eq!(y.to_vec::<i32>().unwrap(), [1], "{what} of {dtype}");
            if dtype.bits() > 8 {
                assert!(found(300).0, "{what} of {dtype}");
            }
        }
    }
}

#[test]
fn masked_windows_begin_anywhere() {
    let x = Array::arange(3) + 1;
    let all = Array::scalar(true);
    let ends = [
        i64::MIN,
        i64::MIN + 1,
        -(1 << 32),
        -3,
        -2,
        -1,
        0,
        1,
        2,
        3,
        (1 << 32) - 1,
        1 << 32,
        (1 << 32) + 1,
        i64::MAX,
    ];
    for start in ends {
        let read = |t: &Array| {
            let f = kernel(|[t, x, y]| y.set(x.at(ds(t.get(), 3)).mask(&all).get()));
            f.output_whole(x.ty()).call_one(&[t, &x])
        };
        let stored = |t: &Array| {
            let f = kernel(|[t, x, y]| y.at(ds(t.get(), 3)).mask(&all).set(x.get()));
            f.output_whole(x.ty()).call_one(&[t, &x])
        };
        let at = |i: i64| usize::try_from(start.checked_add(i).unwrap_or(-1)).ok().filter(|&at| at < 3);
        let expected_read: Vec<i32> = (0..3).map(|i| at(i).map_or(0, |at| at as i32 + 1)).collect();
        let mut expected_stored = vec![0; 3];
        (0..3).filter_map(|i| Some((at(i)?, i))).for_each(|(at, i)| expected_stored[at] = i as i32 + 1);
        for dtype in [DType::I32, DType::I64, DType::U32, DType::U64] {
            if dtype.integer_range().is_some_and(|(low, high)| (low..=high).contains(&start.into())) {
                let t = Array::full(&[], start, dtype);
                assert_eq!(read(&t).to_vec::<i32>().unwrap(), expected_read, "from {start}, {dtype}");
                assert_eq!(stored(&t).to_vec::<i32>().unwrap(), expected_stored, "to {start}, {dtype}");
            }
        }
    }
}
