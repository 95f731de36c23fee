use jarrah_array::kernel::{
    Block, BlockDim, Semaphore, bounds, cdiv, ds, for_each, kernel, multiple_of, program_id, select_ref,
};
use jarrah_array::*;

use super::{Case, case, vector};

fn one() -> Block<'static> {
    Block::new([2], |[i]| [i])
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("a kernel's body that takes too few blocks", || {
            kernel(|[y]| y.set(1.0)).output_whole(vector(4).ty()).call_one(&[&vector(4)])
        }),
        case("a kernel called with too many operands", || {
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(one()).output(vector(4).ty(), one());
            f.call_one(&[&vector(4), &vector(4)])
        }),
        case("a block with an axis too many", || {
            let block = Block::new([2, 2], |[i]| (i, 0));
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("a block of no elements", || {
            let block = Block::new([0], |[i]| [i]);
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("a block of fewer than no elements", || {
            let block = Block::new([2, -3], |[i]| (i, 0));
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&Array::ones(&[4, 3])])
        }),
        case("scratch of more elements than there are addresses", || {
            let f = kernel(|[y, _]| y.set(1.0)).output_whole(vector(4).ty());
            f.scratch(Type::tensor(DType::F32, [1 << 40, 1 << 40])).call_one(&[])
        }),
        case("a block of more elements than there are addresses", || {
            let block = Block::new([1usize << 40, 1 << 40], |[i]| (i, 0));
            let f = kernel(|[x, y]| y.set(x.get().sum(..))).grid(&[1]).input(block);
            f.output_whole(Type::scalar(DType::F32)).call_one(&[&Array::ones(&[4, 3])])
        }),
        case("an index map of two axes over a grid of one", || {
            let block = Block::new([2], |[i, _]| [i]);
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("an index map that gives a position too few", || {
            let block = Block::new([2, 2], |[i]| [i]);
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&Array::zeros(&[4, 4])])
        }),
        case("an index map that gives a float", || {
            let block = Block::new([2], |[i]| [i * 0.5]);
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("an index map of arrays that are not prefetched", || {
            let block = Block::found([2], |[i], [at]| [at.index(i)]);
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("bounds that a map does not give", || {
            let block = Block::new([BlockDim::Bounded(2)], |[i]| [i]);
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("a block set to another shape", || {
            let f = kernel(|[x, y]| y.set(x.get().index(..1))).grid(&[2]).input(one());
            f.output(vector(4).ty(), one()).call_one(&[&vector(4)])
        }),
        case("a result that is never written", || {
            kernel(|[x, _]| drop(x.get())).output_whole(vector(4).ty()).call_one(&[&vector(4)])
        }),
        case("an operand that is written", || {
            kernel(|[x, y]| x.set(y.get())).output_whole(vector(4).ty()).call_one(&[&vector(4)])
        }),
        case("points at the same time at one place", || {
            kernel(|[y]| y.set(1.0)).grid(&[2]).parallel(&[0]).output_whole(vector(4).ty()).call_one(&[])
        }),
        case("an order along an axis that the grid lacks", || {
            kernel(|[y]| y.set(1.0)).grid(&[2]).arbitrary(&[1]).output_whole(vector(4).ty()).call_one(&[])
        }),
        case("an alias of another type", || {
            kernel(|[_, y]| y.set(1.0)).output_whole(vector(4).ty()).alias(0, 0).call_one(&[&vector(3)])
        }),
        case("an alias of a result that is not there", || {
            kernel(|[_, y]| y.set(1.0)).output_whole(vector(4).ty()).alias(0, 5).call_one(&[&vector(4)])
        }),
        case("an alias of an operand that is not there", || {
            kernel(|[_, y]| y.set(1.0)).output_whole(vector(4).ty()).alias(1, 0).call_one(&[&vector(4)])
        }),
        case("two operands for one result", || {
            let f = kernel(|[_, _, y]| y.addupdate(1.0)).output_whole(vector(4).ty()).alias(0, 0).alias(1, 0);
            f.call_one(&[&vector(4), &vector(4)])
        }),
        case("two results for one operand", || {
            let ty = vector(4).ty();
            let f =
                kernel(|[_, y, z]| y.set(z.get())).output_whole(ty).output_whole(ty).alias(0, 0).alias(0, 1);
            f.call(&[&vector(4)])
        }),
        case("bounds for an axis without bounds", || {
            let block = Block::new([2], |[i]| (bounds(i, 1),));
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("bounds of several numbers", || {
            let block = Block::new([BlockDim::Bounded(2)], |[i]| (bounds(i, Array::arange(3)),));
            let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(block).output(vector(4).ty(), one());
            f.call_one(&[&vector(4)])
        }),
        case("a grid of too many points", || {
            kernel(|[y]| y.set(1.0)).grid(&[1 << 20, 1 << 20]).output_whole(vector(4).ty()).call_one(&[])
        }),
        case("a loop to a float", || for_each(0, 2.5, |_| ())),
        case("a loop to a vector", || for_each(0, Array::arange(3), |_| ())),
        case("a loop past the last position", || for_each(0, 1i64 << 33, |_| ())),
        case("a window of an axis that is not there", || Ref::new(&vector(4)).at((0, ds(0, 1))).get()),
        case("one of two results", || {
            let ty = vector(4).ty();
            kernel(|[x, y]| x.set(y.get())).output_whole(ty).output_whole(ty).call_one(&[])
        }),
        case("a position outside of a kernel", || program_id(0)),
        case("a position along an axis that the grid lacks", || {
            kernel(|[y]| y.set(program_id(1))).grid(&[2]).output_whole(vector(4).ty()).call_one(&[])
        }),
        case("a window that leaves its array", || Ref::new(&vector(4)).at(ds(3, 2)).get()),
        case("a window longer than its array", || Ref::new(&vector(4)).at(ds(Array::scalar(0i32), 5)).get()),
        case("a mask of another shape", || {
            Ref::new(&vector(4)).at(..).mask(&Array::from_slice(&[true, false, true])).get()
        }),
        case("masked values of another shape", || {
            Ref::new(&vector(4)).at(..).mask(&Array::scalar(true)).set(vector(3))
        }),
        case("a kernel without results", || kernel(|[x]| drop(x.get())).call_one(&[&vector(4)])),
        case("an index map without a grid", || {
            let block = Block::new([2], |[i]| [i]);
            kernel(|[x, y]| y.set(x.get())).input(block).output_whole(vector(2).ty()).call_one(&[&vector(4)])
        }),
        case("a window from a position that is a vector", || {
            Ref::new(&vector(4)).at(ds(Array::arange(2), 2)).get()
        }),
        case("a window set to another shape", || Ref::new(&vector(4)).at(ds(0, 2)).set(vector(4))),
        case("a window added of another shape", || Ref::new(&vector(4)).at(ds(0, 2)).add(vector(4))),
        case("positions added of another shape", || {
            Ref::new(&vector(4)).at(Array::from_slice(&[1i32, 1])).add(vector(4))
        }),
        case("a choice of places of other shapes", || {
            let (x, y) = (Ref::new(&vector(4)), Ref::new(&vector(3)));
            select_ref(&Array::scalar(0i32), [x.at(..), y.at(..)]).get()
        }),
        case("a window of elements 0 apart", || Ref::new(&vector(4)).at(ds(0, 2).step(0)).get()),
        case("a wait that never ends", || Semaphore::new().wait(1)),
        case("a semaphore of floats", || Semaphore::of(&Ref::new(&vector(1)))),
        case("a pipeline into a Ref of another type", || {
            let (x, y) = (Ref::new(&vector(4)), Ref::new(&vector(3)));
            kernel(|[x, y]| y.set(x.get())).output_whole(vector(4).ty()).pipeline(&[&x], &[&y])
        }),
        case("blocks of no elements", || cdiv(3, 0)),
        case("a multiple of nothing", || multiple_of(&Array::scalar(1i32), 0)),
    ]
}
