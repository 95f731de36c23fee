//! Kernels in the language of references: what blocks, windows, state and scratch mean, beside ordinary array code.

use jarrah_array::checkify::{Categories, checkify};
use jarrah_array::kernel::{
    Block, BlockDim, Semaphore, align_to, async_copy, bounds, cdiv, ds, for_each, kernel, kernel_of,
    multiple_of, next_power_of_2, num_programs, program_id, run_scoped, strides_from_shape, when,
};
use jarrah_array::numpy::steps;
use jarrah_array::{
    Array, CallbackOrder, DType, Ref, Type, cond, debug, grad, jit, jvp, lax, make_program, try_trace, vmap,
    while_loop,
};

const HERE: BlockDim = BlockDim::Squeezed;

fn ramp(shape: &[usize]) -> Array {
    Array::arange(shape.iter().product::<usize>() as i64).astype(DType::F32).reshape(shape)
}

fn noise(shape: &[usize]) -> Array {
    (ramp(shape) * 12.9898).sin()
}

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

fn integers(x: &Array) -> Vec<i32> {
    x.to_vec().unwrap()
}

fn close(x: &Array, y: &Array) {
    assert_eq!(x.shape(), y.shape());
    let error = (x - y).abs().max(..).item::<f32>().unwrap();
    assert!(error < 2e-4, "{x}\n{y}");
}

/// The kernel's value, alone and compiled, is that of ordinary code, so are its tangents and gradients, and its batches.
fn agrees(kernel: impl Fn(&Array) -> Array, plain: impl Fn(&Array) -> Array, x: &Array) {
    close(&kernel(x), &plain(x));
    close(&jit(|x: &Array| kernel(x)).call(x.clone()).unwrap(), &plain(x));
    let tangent = noise(&x.shape()) + 0.3;
    close(&jvp(|x: &Array| kernel(x), x, &tangent).1, &jvp(|x: &Array| plain(x), x, &tangent).1);
    let weights = noise(&plain(x).shape()) + 0.2;
    let slope = |f: &dyn Fn(&Array) -> Array| grad(|x: &Array| (f(x) * &weights).sum(..))(x);
    close(&slope(&kernel), &slope(&plain));
    let batch = jarrah_array::stack(&[x, &(x * 0.5), &(x + 1.0)], 0);
    close(&vmap(|x: &Array| kernel(x))(&batch), &vmap(|x: &Array| plain(x))(&batch));
    let slopes = |f: &dyn Fn(&Array) -> Array| vmap(grad(|x: &Array| (f(x) * &weights).sum(..)))(&batch);
    close(&slopes(&kernel), &slopes(&plain));
}

#[test]
fn blocks_of_rows() {
    let softmax = |x: &Array| {
        let rows = Block::new([2, 7], |[i]| (i, 0));
        let body = |[x, y]: [Ref; 2]| {
            let x = x.get();
            let e = (&x - x.max(1).expand_dims(1)).exp();
            y.set(&e / e.sum(1).expand_dims(1));
        };
        kernel(body).grid(&[2]).input(rows.clone()).output(x.ty(), rows).call_one(&[x])
    };
    agrees(softmax, |x| x.softmax(1), &noise(&[4, 7]));
}

#[test]
fn the_last_block_may_be_ragged() {
    let twice = |x: &Array| {
        let block = Block::new([4, 3], |[i, j]| (i, j));
        kernel(|[x, y]| y.set(x.get() * 2.0))
            .grid(&[2, 2])
            .input(block.clone())
            .output(x.ty(), block)
            .call_one(&[x])
    };
    agrees(twice, |x| x * 2.0, &noise(&[5, 4]));
}

#[test]
fn products_accumulate_along_an_axis() {
    let (m, k, n) = (6, 8, 4);
    let y = noise(&[k, n]) + 0.1;
    let product = |x: &Array| {
        kernel(|[x, y, z]| {
            when(program_id(2).eq(0), || z.set(0.5));
            z.addupdate(x.get().matmul(&y.get()));
        })
        .grid(&[m / 2, n / 2, k / 4])
        .input(Block::new([2, 4], |[i, _, k]| [i, k]))
        .input(Block::new([4, 2], |[_, j, k]| [k, j]))
        .output(Type::tensor(DType::F32, [m, n]), Block::new([2, 2], |[i, j, _]| [i, j]))
        .call_one(&[x, &y])
    };
    agrees(product, |x| x.matmul(&y) + 0.5, &noise(&[m, k]));
}

#[test]
fn scratch_passes_along_axes_in_order() {
    let running = |x: &Array| {
        kernel(|[x, y, sum]| {
            sum.addupdate(x.get());
            y.set(sum.get());
        })
        .grid(&[3, 5])
        .arbitrary(&[1])
        .input(Block::new((HERE, HERE), |[i, j]| [i, j]))
        .output(x.ty(), Block::new((HERE, HERE), |[i, j]| [i, j]))
        .scratch(Type::scalar(DType::F32))
        .call_one(&[x])
    };
    agrees(running, |x| x.cumsum(1), &noise(&[3, 5]));
}

#[test]
fn prefetched_positions_find_blocks() {
    let rows = Array::from_slice(&[3i32, 0, 3, 1]);
    let gather = |x: &Array| {
        kernel(|[_, x, y]| y.set(x.get() * 3.0))
            .grid(&[4])
            .prefetch(1)
            .input(Block::found((HERE, 5), |[i], [rows]| (rows.index(i), 0)))
            .output(x.ty(), Block::new((HERE, 5), |[i]| (i, 0)))
            .call_one(&[&rows, x])
    };
    agrees(gather, |x| x.take(&rows, 0) * 3.0, &noise(&[4, 5]));
    // A result's blocks too: the later of two points wins, and what no point stores is zero.
    let scatter = kernel(|[_, x, y]| y.set(x.get()))
        .grid(&[4])
        .prefetch(1)
        .input(Block::new([HERE], |[i]| [i]))
        .output(Type::tensor(DType::I32, [5]), Block::found([HERE], |[i], [rows]| [rows.index(i)]));
    assert_eq!(integers(&scatter.call_one(&[&rows, &(Array::arange(4) + 1)])), [2, 4, 0, 3, 0]);
}

#[test]
fn windows_overlap() {
    // The sum of an element and both its neighbours; zeros stand outside.
    let blur = |x: &Array| {
        kernel(|[x, y]| {
            let x = x.get();
            y.set(x.index(..4) + x.index(1..5) + x.index(2..6));
        })
        .grid(&[3])
        .input(Block::new([BlockDim::Element { size: 6, before: 1 }], |[i]| [i * 4]))
        .output(x.ty(), Block::new([4], |[i]| [i]))
        .call_one(&[x])
    };
    let plain = |x: &Array| {
        let wide = lax::pad(x, &Array::scalar(0.0f32), &[1], &[1]);
        wide.index(..12) + wide.index(1..13) + wide.index(2..14)
    };
    agrees(blur, plain, &noise(&[12]));
}

#[test]
fn bounded_blocks_leave_the_rest() {
    let starts = Array::from_slice(&[0i32, 2, 3]);
    let ends = Array::from_slice(&[2i32, 3, 7]);
    let add = kernel(|[_, _, x, y]| y.set(x.get() + program_id(0) * 100))
        .grid(&[3])
        .prefetch(2)
        .input(Block::found([BlockDim::Bounded(4)], |[i], [starts, ends]| {
            [bounds(starts.index(&i), ends.index(&i) - starts.index(&i))]
        }))
        .output(
            Type::tensor(DType::I32, [8]),
            Block::found([BlockDim::Bounded(4)], |[i], [starts, ends]| {
                [bounds(starts.index(&i), ends.index(&i) - starts.index(&i))]
            }),
        );
    let y = add.call_one(&[&starts, &ends, &Array::arange(8)]);
    assert_eq!(integers(&y), [0, 1, 102, 203, 204, 205, 206, 0]);
}

#[test]
fn a_result_begins_as_an_operand() {
    let x = Array::arange(6);
    let f = |x: &Array| {
        kernel(|[_, y]| when((program_id(0) % 2).eq(1), || y.addupdate(10)))
            .grid(&[3])
            .input(Block::new([2], |[i]| [i]))
            .output(x.ty(), Block::new([2], |[i]| [i]))
            .alias(0, 0)
            .call_one(&[x])
    };
    assert_eq!(integers(&f(&x)), [0, 1, 12, 13, 4, 5]);
    assert_eq!(integers(&x), [0, 1, 2, 3, 4, 5]);
    assert_eq!(integers(&vmap(f)(&x.reshape(&[1, 6]))), [0, 1, 12, 13, 4, 5]);
}

#[test]
fn captures_are_seen_whole_and_differentiated() {
    let x = noise(&[4]);
    let scaled = |w: &Array| {
        let (w, table) = (w.clone(), Array::from_slice(&[1.0f32, -2.0]));
        kernel(move |[x, y]| y.set(x.get() * w.index(0) + table.index(1) * w.index(1)))
            .grid(&[2])
            .input(Block::new([2], |[i]| [i]))
            .output(x.ty(), Block::new([2], |[i]| [i]))
            .call_one(&[&x])
    };
    agrees(scaled, |w| &x * w.index(0) - w.index(1) * 2.0, &noise(&[2]));
    // Maps capture as well.
    let last = Array::scalar(1i32);
    let flipped = kernel(|[x, y]| y.set(x.get()))
        .grid(&[2])
        .input(Block::new([2], |[i]| [&last - i]))
        .output(x.ty(), Block::new([2], |[i]| [i]));
    close(&flipped.call_one(&[&x]), &jarrah_array::concatenate(&[&x.index(2..), &x.index(..2)], 0));
}

#[test]
fn numbers_in_a_body_are_constants() {
    let f = |x: &Array| {
        kernel(|[x, y]| y.set(x.get() * Array::from_slice(&[1.0f32, 2.0]) + Array::scalar(1.0f32)))
            .output_whole(x.ty())
            .call_one(&[x])
    };
    let program = make_program(f, &noise(&[2]));
    assert_eq!(program.instrs().len(), 1, "{program:?}");
    assert_eq!(program.instrs()[0].operands.len(), 1, "{program:?}");
}

#[test]
fn places_of_references() {
    let x = ramp(&[4, 6]);
    let i = Array::scalar(1i32);
    let cell = Ref::new(&x);
    close(&cell.at((&i, ..)).get(), &x.index((1, ..)));
    close(&cell.at((ds(&i, 2), ds(2, 3))).get(), &x.index((1..3, 2..5)));
    close(&cell.at((-1, ds(&i, 2).step(3))).get(), &x.index((-1, steps(1, 5, 3))));
    close(&cell.at(ds(&i, 3)).at((0, &i)).get(), &x.index((1, 1)));
    cell.at((&i, ds(&i, 2))).set(noise(&[2]));
    let plain = x.at((1, 1..3)).set(noise(&[2]));
    close(&cell.get(), &plain);
    cell.at(ds(&i, 3)).at((1, 2..)).add(5.0);
    let plain = plain.at((2, 2..)).add(5.0);
    close(&cell.get(), &plain);
    cell.at((.., &Array::from_slice(&[0i32, 0, 5]))).multiply(2.0);
    let plain = plain.at((.., &Array::from_slice(&[0i32, 0, 5]))).multiply(2.0);
    close(&cell.get(), &plain);
    let old = cell.at((0, ..)).swap(0.0);
    close(&old, &plain.index((0, ..)));
    // From the end, in an array.
    close(&cell.at((&Array::scalar(-2i32), 0)).get(), &plain.index((2, 0)));
}

#[test]
fn masks_choose_places() {
    let x = ramp(&[7]);
    for (start, size) in [(5i32, 4usize), (-2, 4), (2, 3)] {
        let at = Array::scalar(start);
        let mask = Array::from_slice(&[true, true, true, false]).index(..size as i64);
        let inside = |k: usize| (0..7).contains(&(start + k as i32)) && k < 3;
        let cell = Ref::new(&x);
        let read = cell.at(ds(&at, size)).mask(&mask).other(-1.0).get();
        let wanted: Vec<f32> = (0..size)
            .map(|k| match k < 3 {
                true if inside(k) => (start + k as i32) as f32,
                true => 0.0,
                false => -1.0,
            })
            .collect();
        assert_eq!(values(&read), wanted, "{start}");
        cell.at(ds(&at, size)).mask(&mask).set(Array::arange(size as i64) + 100);
        let mut wanted = values(&x);
        for k in (0..size).filter(|&k| inside(k)) {
            wanted[(start + k as i32) as usize] = 100.0 + k as f32;
        }
        assert_eq!(values(&cell.get()), wanted, "{start}");
    }
    let cell = Ref::new(&x);
    cell.at(2..).mask(&Array::from_slice(&[true, false, true, false, false])).add(10.0);
    assert_eq!(values(&cell.get()), [0.0, 1.0, 12.0, 3.0, 14.0, 5.0, 6.0]);
}

#[test]
fn loops_and_branches_write_references() {
    // Partial sums of each row, by loops over windows.
    let sums = |x: &Array| {
        kernel(|[x, y]| {
            for_each(0, 3, |j| {
                let total = run_scoped([Type::scalar(DType::F32)], |[total]| {
                    for_each(0, j + 1, |k| total.addupdate(x.at(k).get()));
                    total.get()
                });
                let shown = cond(&j.eq(1), || -&total, || total.clone());
                y.at(j).set(shown);
            });
        })
        .grid(&[2])
        .input(Block::new((HERE, 3), |[i]| (i, 0)))
        .output(x.ty(), Block::new((HERE, 3), |[i]| (i, 0)))
        .call_one(&[x])
    };
    let x = ramp(&[2, 3]);
    assert_eq!(values(&sums(&x)), [0.0, -1.0, 3.0, 3.0, -7.0, 12.0]);
    // A loop of unknown length inside.
    let halve = kernel(|[x, y]| y.set(while_loop(|x: &Array| x.gt(1.0), |x: &Array| x * 0.5, &x.get())))
        .grid(&[6])
        .input(Block::new([HERE], |[i]| [i]))
        .output(Type::tensor(DType::F32, [6]), Block::new([HERE], |[i]| [i]));
    assert_eq!(values(&halve.call_one(&[&x.reshape(&[6])])), [0.0, 1.0, 1.0, 0.75, 1.0, 0.625]);
}

#[test]
fn kernels_nest_and_see_references_from_outside() {
    let x = ramp(&[4, 4]);
    let total = Ref::new(&Array::scalar(0.0f32));
    let f = kernel(|[x, y]| {
        let inner = kernel(|[x, y]| y.addupdate(x.get().sum(..)))
            .grid(&[2])
            .input(Block::new([2, 2], |[j]| (0, j)))
            .output_whole(y.ty());
        inner.pipeline(&[&x], &[&y]);
        total.addupdate(y.get());
    })
    .grid(&[2])
    .input(Block::new([2, 4], |[i]| (i, 0)))
    .output(Type::tensor(DType::F32, [2]), Block::new([HERE], |[i]| [i]));
    assert_eq!(values(&f.call_one(&[&x])), [28.0, 92.0]);
    assert_eq!(total.get().item::<f32>().unwrap(), 120.0);
    let g = jit(|x: &Array| f.call_one(&[x]));
    assert_eq!(values(&g.call(x).unwrap()), [28.0, 92.0]);
    assert_eq!(total.get().item::<f32>().unwrap(), 240.0);
}

#[test]
fn semaphores_count_copies() {
    let f = kernel(|[x, y, buffer, count]| {
        let (loaded, kept) = (Semaphore::new(), Semaphore::of(&count));
        let copy = async_copy(x.at(ds(program_id(0) * 2, 2)), buffer.at(..), &loaded);
        copy.start();
        copy.wait();
        kept.signal(2);
        kept.wait(1);
        y.set(buffer.get() + kept.read());
    })
    .grid(&[2])
    .output(Type::tensor(DType::I32, [4]), Block::new([2], |[i]| [i]))
    .scratch(Type::tensor(DType::I32, [2]))
    .scratch(Type::scalar(DType::I32));
    assert_eq!(integers(&f.call_one(&[&Array::arange(4)])), [1, 2, 4, 5]);
    // What is not known while tracing fails when it runs.
    let f = |n: &Array| {
        kernel(|[n, y]| {
            let ready = Semaphore::new();
            for_each(0, n.get(), |_| ready.signal(1));
            ready.wait(3);
            y.set(ready.read());
        })
        .output_whole(Type::scalar(DType::I32))
        .call_one(&[n])
    };
    assert_eq!(jit(f).call(Array::scalar(5i32)).unwrap().item::<i32>().unwrap(), 2);
    let error = jit(f).call(Array::scalar(2i32)).and_then(|y| y.item::<i32>()).unwrap_err();
    assert!(error.to_string().contains("the semaphore is at 2: a wait for 3 never ends"), "{error}");
}

#[test]
fn effects_run_point_by_point() {
    use std::sync::{Arc, Mutex};
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    let f = kernel(move |[x, y]| {
        let told = told.clone();
        let tell = move |x: &Array| {
            told.lock().unwrap().push(x.item::<i32>()?);
            Ok(())
        };
        debug::callback(tell, &x.get(), CallbackOrder::Program);
        y.set(x.get());
    })
    .grid(&[4])
    .input(Block::new([HERE], |[i]| [i]))
    .output(Type::tensor(DType::I32, [4]), Block::new([HERE], |[i]| [i]));
    let x = Array::from_slice(&[3i32, 1, 4, 1]);
    jit(|x: &Array| f.call_one(&[x])).call(x).unwrap().to_vec::<i32>().unwrap();
    jarrah_array::effects_barrier().unwrap();
    assert_eq!(*seen.lock().unwrap(), [3, 1, 4, 1]);
}

#[test]
fn numbers_of_points() {
    let f = kernel(|[y]| y.set(program_id(1) * num_programs(0) as i64 + multiple_of(&program_id(0), 1)))
        .grid(&[2, 3])
        .output(Type::tensor(DType::I32, [2, 3]), Block::new((HERE, HERE), |[i, j]| [i, j]));
    assert_eq!(integers(&f.call_one(&[])), [0, 2, 4, 1, 3, 5]);
}

#[test]
fn sizes() {
    assert_eq!((cdiv(0, 4), cdiv(8, 4), cdiv(9, 4)), (0, 2, 3));
    assert_eq!((next_power_of_2(0), next_power_of_2(8), next_power_of_2(9)), (1, 8, 16));
    assert_eq!((align_to(0, 4), align_to(8, 4), align_to(9, 4)), (0, 8, 12));
    assert_eq!(strides_from_shape(&[2, 3, 4]), [12, 4, 1]);
    assert_eq!(strides_from_shape(&[]), [0; 0]);
}

#[test]
fn a_cost_is_what_the_user_says() {
    let flops = |stated: Option<u64>| {
        let x = ramp(&[8]);
        let program = make_program(
            |x: &Array| {
                let f = kernel(|[x, y]| y.set(x.get() * 2.0)).grid(&[4]).input(Block::new([2], |[i]| [i]));
                let f = f.output(x.ty(), Block::new([2], |[i]| [i]));
                match stated {
                    Some(flops) => f.flops(flops).call_one(&[x]),
                    None => f.call_one(&[x]),
                }
            },
            &x,
        );
        let instr = &program.instrs()[0];
        instr.op.cost(&[x.ty()], &[x.ty()]).unwrap().flops
    };
    assert_eq!((flops(None), flops(Some(123))), (8.0, 123.0));
}

#[test]
fn places_are_combined() {
    let cell = Ref::new(&Array::from_slice(&[6i32, 1, 9]));
    cell.at(..).max(5);
    assert_eq!(integers(&cell.get()), [6, 5, 9]);
    cell.at(..2).min(5);
    assert_eq!(integers(&cell.get()), [5, 5, 9]);
    cell.at(1..).and(12);
    assert_eq!(integers(&cell.get()), [5, 4, 8]);
    cell.at(0).or(10);
    cell.at(2).xor(9);
    assert_eq!(integers(&cell.get()), [15, 4, 1]);
    assert_eq!(integers(&cell.at(..).compare_and_swap(4, 7)), [15, 4, 1]);
    assert_eq!(integers(&cell.at(1..).swap(2)), [7, 1]);
    assert_eq!(integers(&cell.get()), [15, 2, 2]);
    // A place that is named twice takes all values.
    let at = Array::from_slice(&[0i32, 0, 2]);
    cell.at(&at).max(Array::from_slice(&[1i32, 20, 0]));
    cell.at(&at).add(1);
    assert_eq!(integers(&cell.get()), [22, 2, 3]);
}

#[test]
fn ordinary_functions_in_a_body() {
    let x = noise(&[4, 6]) + 2.0;
    let f = |x: &Array| {
        kernel(|[x, y]| {
            let x = x.get();
            let bits = x.bitcast(DType::U32);
            let halves = x.astype(DType::BF16).reshape(&[6, 2]);
            let packed = halves.bitcast(DType::U32).bitcast(DType::BF16).reshape(&[2, 6]).astype(DType::F32);
            let column = lax::iota(DType::F32, &[2, 6], 1);
            let terms = 1.0 / &x + x.roll(2, 1) + x.t().cumsum(0).t() + x.sort(1) + packed;
            let other = x.zeros_like() + column.broadcast_to(&[2, 6]) + bits.bitcast(DType::F32);
            y.set(terms + other + x.matmul(&x.t()).max(1).expand_dims(1));
        })
        .grid(&[2])
        .input(Block::new([2, 6], |[i]| (i, 0)))
        .output(x.ty(), Block::new([2, 6], |[i]| (i, 0)))
        .call_one(&[x])
    };
    let rounded = x.astype(DType::BF16).astype(DType::F32);
    let plain =
        1.0 / &x + x.roll(2, 1) + x.cumsum(1) + x.sort(1) + rounded + lax::iota(DType::F32, &[4, 6], 1) + &x;
    let blocks = x.reshape(&[2, 2, 6]);
    let products = blocks.matmul(&blocks.swapaxes(1, 2)).max(2).reshape(&[4, 1]);
    close(&f(&x), &(plain + products));
}

#[test]
fn any_number_of_references() {
    let sum = |xs: &[&Array]| {
        let body = |refs: &[Ref]| {
            let (y, xs) = refs.split_last().unwrap();
            xs.iter().for_each(|x| y.addupdate(x.get()));
        };
        let mut sum = kernel_of(body).grid(&[2]).output(xs[0].ty(), Block::new([2], |[i]| [i]));
        for _ in xs {
            sum = sum.input(Block::new([2], |[i]| [i]));
        }
        sum.call_one(xs)
    };
    let x = Array::arange(4);
    assert_eq!(integers(&sum(&[&x, &x])), [0, 2, 4, 6]);
    assert_eq!(integers(&sum(&[&x, &x, &x])), [0, 3, 6, 9]);
}

/// What a run of `f` under checks of the user says is wrong.
fn complaint(f: impl Fn(&Array) -> Array, x: &Array) -> Option<String> {
    checkify(|x: &Array| f(x), Categories::USER)(x).0.get().unwrap()
}

#[test]
fn checked_mode_finds_places_outside() {
    let f = |at: &Array| {
        kernel(|[at, x, y]| y.set(x.at(ds(at.get(), 2)).get()))
            .output_whole(Type::tensor(DType::F32, [2]))
            .call_one(&[at, &ramp(&[4])])
    };
    assert_eq!(complaint(f, &Array::scalar(2i32)), None);
    let message = complaint(f, &Array::scalar(3i32)).unwrap();
    assert!(message.contains("2 elements from 3 on do not lie in axis 0 of f32[4]"), "{message}");
    // Without checks the window is moved.
    assert_eq!(values(&f(&Array::scalar(3i32))), [2.0, 3.0]);
    // A mask says what is meant to be outside.
    let masked = |at: &Array| {
        let all = Array::full(&[2], true, DType::Bool);
        kernel(|[at, x, y]| y.set(x.at(ds(at.get(), 2)).mask(&all).get()))
            .output_whole(Type::tensor(DType::F32, [2]))
            .call_one(&[at, &ramp(&[4])])
    };
    assert_eq!(complaint(masked, &Array::scalar(3i32)), None);
    assert_eq!(values(&masked(&Array::scalar(3i32))), [3.0, 0.0]);
    // Blocks that a map finds.
    let found = |rows: &Array| {
        kernel(|[_, x, y]| y.set(x.get()))
            .grid(&[2])
            .prefetch(1)
            .input(Block::found([HERE], |[i], [rows]| [rows.index(i)]))
            .output(Type::tensor(DType::F32, [2]), Block::new([HERE], |[i]| [i]))
            .call_one(&[rows, &ramp(&[4])])
    };
    assert_eq!(values(&found(&Array::from_slice(&[1i32, 9]))), [1.0, 0.0]);
    let message = complaint(found, &Array::from_slice(&[1i32, 9])).unwrap();
    assert!(message.contains("block 9 along axis 0 of operand 1 lies outside of f32[4]"), "{message}");
}

#[test]
fn checked_mode_finds_reads_of_nothing() {
    let f = |x: &Array| {
        kernel(|[x, y, sum]| {
            when(x.get().gt(0), || sum.set(1));
            y.set(sum.get());
        })
        .grid(&[2])
        .input(Block::new([HERE], |[i]| [i]))
        .output(x.ty(), Block::new([HERE], |[i]| [i]))
        .scratch(Type::scalar(DType::I32))
        .uninitialized()
        .call_one(&[x])
    };
    assert_eq!(complaint(f, &Array::from_slice(&[1i32, -1])), None);
    let message = complaint(f, &Array::from_slice(&[-1i32, 1])).unwrap();
    assert!(message.contains("an element of scratch array 0 is read that nothing has written"), "{message}");
    // A part of a result that was written may be read.
    let g = |x: &Array| {
        kernel(|[x, y]| {
            y.at(..2).set(x.get().index(..2));
            y.at(2..).set(y.at(x.get().index(0)).get());
        })
        .output_whole(x.ty())
        .uninitialized()
        .call_one(&[x])
    };
    assert_eq!(complaint(g, &Array::from_slice(&[1i32, 7, 0])), None);
    let message = complaint(g, &Array::from_slice(&[2i32, 7, 0])).unwrap();
    assert!(message.contains("an element of result 0 is read that nothing has written"), "{message}");
}

#[test]
fn checked_mode_finds_two_points_at_one_place() {
    let f = |rows: &Array| {
        kernel(|[_, y]| y.set(program_id(0)))
            .grid(&[3])
            .parallel(&[0])
            .prefetch(1)
            .output(Type::tensor(DType::I32, [4]), Block::found([HERE], |[i], [rows]| [rows.index(i)]))
            .call_one(&[rows])
    };
    assert_eq!(complaint(f, &Array::from_slice(&[2i32, 0, 1])), None);
    let message = complaint(f, &Array::from_slice(&[2i32, 0, 2])).unwrap();
    assert!(message.contains("two points along parallel axes store one place of result 0"), "{message}");
    // Without checks the later point wins.
    assert_eq!(integers(&f(&Array::from_slice(&[2i32, 0, 2]))), [1, 0, 2, 0]);
}

/// What is right by the documentation has no failures: blocks beside each other, one without elements at the end, and masked windows that
/// read behind an array what nothing could have written.
#[test]
fn checked_mode_has_no_false_alarms() {
    let sizes = Array::from_slice(&[3i32, 5, 0]);
    let copy = |x: &Array| {
        let block = || {
            Block::found([BlockDim::Bounded(5)], |[i], [starts, sizes]| {
                [bounds(starts.index(&i), sizes.index(&i))]
            })
        };
        kernel(|[_, _, x, y]| y.set(x.get()))
            .grid(&[3])
            .parallel(&[0])
            .prefetch(2)
            .input(block())
            .output(x.ty(), block())
            .call_one(&[&Array::from_slice(&[0i32, 3, 8]), &sizes, x])
    };
    assert_eq!(complaint(copy, &ramp(&[8])), None);
    assert_eq!(values(&copy(&ramp(&[8]))), values(&ramp(&[8])));
    let too_many = |x: &Array| {
        kernel(|[x, y]| y.set(x.get().sum(..)))
            .input(Block::new([BlockDim::Bounded(2)], |[]| [bounds(0, 5)]))
            .output_whole(Type::scalar(DType::F32))
            .call_one(&[x])
    };
    let message = complaint(too_many, &ramp(&[8])).unwrap();
    assert!(
        message.contains("a block of operand 0 has 5 elements along axis 0, the most are 2"),
        "{message}"
    );

    let window = |at: &Array| {
        let front = Array::from_slice(&[true, false]);
        kernel(|[at, y, sum]| {
            sum.at(2..).set(1);
            y.set(sum.at(ds(at.get(), 2)).mask(&front).get());
        })
        .output_whole(Type::tensor(DType::I32, [2]))
        .scratch(Type::tensor(DType::I32, [4]))
        .uninitialized()
        .call_one(&[at])
    };
    assert_eq!(complaint(window, &Array::scalar(3i32)), None);
    assert!(complaint(window, &Array::scalar(1i32)).is_some());
}

#[test]
fn wrong_kernels_say_what_is_wrong() {
    let x = ramp(&[4]);
    let says = |f: &dyn Fn() -> Array, message: &str| {
        let error = try_trace(f).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    let one = |map: usize| match map {
        1 => Block::new([2], |[_, j]| [j]),
        2 => Block::new([2], |[i]| (i, 0)),
        3 => Block::new([2, 2], |[i]| (i, 0)),
        4 => Block::new([0], |[i]| [i]),
        5 => Block::new([2], |[i]| [i * 0.5]),
        _ => Block::new([2], |[i]| [i]),
    };
    let call = |map: usize| {
        let f = kernel(|[x, y]| y.set(x.get())).grid(&[2]).input(one(map));
        f.output(x.ty(), one(0)).call_one(&[&x])
    };
    close(&call(0), &x);
    says(&|| call(1), "the index map takes 2 positions, the grid has 1 axes");
    says(&|| call(2), "the index map gives 2 positions for the 1 axes of f32[4]");
    says(&|| call(3), "a block of 2 axes is given for operand 0, f32[4]");
    says(&|| call(4), "a block of operand 0, f32[4] has 0 elements along axis 0");
    says(&|| call(5), "the index map gives f32[], a block begins at one integer");
    says(
        &|| kernel(|[y]| y.set(1.0)).output_whole(x.ty()).call_one(&[&x]),
        "the body takes 1 references, the kernel has 2",
    );
    says(
        &|| kernel(|[x, _]| drop(x.get())).output_whole(x.ty()).call_one(&[&x]),
        "the body never writes result 0",
    );
    says(
        &|| kernel(|[x, y]| x.set(y.get())).output_whole(x.ty()).call_one(&[&x]),
        "the body writes operand 0",
    );
    says(
        &|| kernel(|[x, y]| y.set(x.get().index(..2))).output_whole(x.ty()).call_one(&[&x]),
        "the Ref holds f32[4]",
    );
    says(
        &|| kernel(|[_, y]| y.set(program_id(1))).grid(&[2]).output_whole(x.ty()).call_one(&[&x]),
        "the grid [2] has no axis 1",
    );
    says(&|| program_id(0), "program_id is called outside of a kernel");
    says(
        &|| kernel(|[x, y]| y.set(x.at(ds(3, 2)).get())).output_whole(x.ty()).call_one(&[&x]),
        "a window of 2 elements from 3 on",
    );
    let same = || kernel(|[_, y]| y.set(1.0)).grid(&[2]).parallel(&[0]).output_whole(x.ty()).call_one(&[&x]);
    says(&same, "the 2 grid points along axis 0 all store the same block of f32[4]");
    says(
        &|| kernel(|[_, y]| y.set(1.0)).output_whole(x.ty()).alias(1, 0).call_one(&[&x]),
        "result 0 is to begin as operand 1",
    );
}

#[test]
fn an_operand_seen_whole_is_read_where_it_lies() {
    let x = Array::ones(&[1 << 16]);
    let sums = kernel(|[x, y]| y.set(x.at(ds(program_id(0) * 16, 16)).get().sum(..).expand_dims(0)))
        .grid(&[1 << 12])
        .input(Block::whole())
        .output(Type::tensor(DType::F32, [1 << 12]), Block::new([1], |[i]| [i]));
    let compiled = jit(move |x: &Array| sums.call_one(&[x])).lower(&x).compile().unwrap();
    let memory = compiled.memory_analysis();
    assert!(memory.temporaries < 1 << 14, "{memory:?}");
}

#[test]
fn a_kernel_s_name_is_the_scope_of_what_it_computes() {
    let body = |[x, y]: [Ref; 2]| y.set(x.get() * 2.0);
    let scopes = |named: bool| {
        let program = make_program(
            |x: &Array| {
                let twice = kernel(body).output_whole(x.ty());
                if named { twice.name("twice").call_one(&[x]) } else { twice.call_one(&[x]) }
            },
            &Array::ones(&[4]),
        );
        program.instrs().iter().map(|instr| instr.source.scope.path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((scopes(true), scopes(false)), (vec!["twice".to_owned()], vec![String::new()]));
}

#[test]
fn a_kernel_may_have_more_operations_than_a_loop_holds() {
    // As many constants as a loop cannot number: each is other than all before.
    let chain = |x: Array, n: usize| (0..n).fold(x, |x, i| x * 0.5f32 + i as f32);
    let x = ramp(&[8]);
    for n in [3_000, 10_000] {
        let body = kernel(move |[x, y]| y.set(chain(x.get(), n)));
        let y = body.output_whole(x.ty()).call_one(&[&x]);
        assert_eq!(values(&y), values(&chain(x.clone(), n)), "{n}");
    }
}
