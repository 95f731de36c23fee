//! Cells: state that functions read and write under every transformation.

use std::cell::Cell;

use jarrah_array::*;

fn value(cell: &Ref) -> f64 {
    cell.get().item::<f64>().unwrap()
}

fn scalar(x: f64) -> Array {
    Array::scalar_in(x, DType::F64)
}

/// What a random script does to two cells and a local value.
enum Step {
    /// `cells[i] = sin(cells[i] + x)`
    Wave(usize),
    /// `cells[i] += 0.5 * x`
    Add(usize),
    /// `x, cells[i] = cells[i], x`
    Swap(usize),
    /// A cell of its own, of which the local value comes back.
    Own,
    If(usize, Vec<Step>, Vec<Step>),
    Repeat(usize, Vec<Step>),
    /// While a cell is below a limit, and at most so often.
    While(usize, Vec<Step>),
    Jit(Vec<Step>),
    Remat(Vec<Step>),
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn script(&mut self, depth: usize) -> Vec<Step> {
        let steps = 1 + self.below(3);
        (0..steps).map(|_| self.step(depth)).collect()
    }

    fn step(&mut self, depth: usize) -> Step {
        let cell = self.below(2);
        let Some(inner) = depth.checked_sub(1) else {
            return match self.below(4) {
                0 => Step::Wave(cell),
                1 => Step::Add(cell),
                2 => Step::Swap(cell),
                _ => Step::Own,
            };
        };
        match self.below(6) {
            0 => Step::If(cell, self.script(inner), self.script(inner)),
            1 => Step::Repeat(1 + self.below(3), self.script(inner)),
            2 => Step::While(cell, self.script(inner)),
            3 => Step::Jit(self.script(inner)),
            4 => Step::Remat(self.script(inner)),
            _ => self.step(0),
        }
    }
}

/// Runs a script as Rust, on values that are known.
fn plain(script: &[Step], cells: &[Ref], x: Array) -> Array {
    script.iter().fold(x, |x, step| match step {
        Step::If(cell, yes, no) => {
            let branch = if value(&cells[*cell]) > 0.4 { yes } else { no };
            plain(branch, cells, x)
        }
        Step::Repeat(times, body) => (0..*times).fold(x, |x, _| plain(body, cells, x)),
        Step::While(cell, body) => {
            let mut x = x;
            for _ in 0..4 {
                if value(&cells[*cell]) < 0.9 {
                    x = plain(body, cells, x);
                }
            }
            x
        }
        Step::Jit(body) | Step::Remat(body) => plain(body, cells, x),
        simple => once(simple, cells, x),
    })
}

/// Runs a script by transformations.
fn transformed(script: &[Step], cells: &[Ref], x: Array) -> Array {
    script.iter().fold(x, |x, step| match step {
        Step::If(cell, yes, no) => cond(
            &cells[*cell].get().gt(0.4),
            || transformed(yes, cells, x.clone()),
            || transformed(no, cells, x.clone()),
        ),
        Step::Repeat(times, body) => {
            let step = |x: &Array, (): &()| (transformed(body, cells, x.clone()), ());
            scan_length(step, &x, &(), *times).0
        }
        Step::While(cell, body) => bounded_while_loop(
            |_: &Array| cells[*cell].get().lt(0.9),
            |x: &Array| transformed(body, cells, x.clone()),
            &x,
            4,
        ),
        Step::Jit(body) => jit(|x: &Array| transformed(body, cells, x.clone())).apply(&x),
        Step::Remat(body) => remat(|x: &Array| transformed(body, cells, x.clone()))(&x),
        simple => once(simple, cells, x),
    })
}

fn once(step: &Step, cells: &[Ref], x: Array) -> Array {
    match step {
        Step::Wave(cell) => {
            cells[*cell].update(|c| (c + &x).sin());
            x
        }
        Step::Add(cell) => {
            cells[*cell].addupdate(&x * 0.5);
            x
        }
        Step::Swap(cell) => cells[*cell].swap(x),
        _ => {
            let own = Ref::new(&(&x + 0.25));
            own.update(|c| (c * &x).cos());
            own.freeze()
        }
    }
}

/// What a script makes of its argument, of the cells it is given, and of cells of its own; and the gradient of that.
fn outcome(run: &dyn Fn(&[Ref], Array) -> Array, compiled: bool) -> Vec<f64> {
    let outside = [Ref::new(&scalar(0.3)), Ref::new(&scalar(0.3))];
    let result = run(&outside, scalar(0.7));
    let mut all = vec![result.item::<f64>().unwrap(), value(&outside[0]), value(&outside[1])];
    let inside = |x: &Array| {
        let cells = [Ref::new(&(x * 0.5)), Ref::new(&(x + 0.1))];
        let last = run(&cells, x.clone());
        last + cells[0].freeze() * 2.0 + cells[1].freeze() * 3.0
    };
    let (end, slope) = match compiled {
        true => jit(value_and_grad(inside)).call(scalar(0.7)).unwrap(),
        false => value_and_grad(inside)(&scalar(0.7)),
    };
    all.extend([end.item::<f64>().unwrap(), slope.item::<f64>().unwrap()]);
    // The gradient of a function that leaves something in cells from outside.
    let slope = grad(|x: &Array| run(&outside, x.clone()) * x)(&scalar(0.4));
    all.extend([slope.item::<f64>().unwrap(), value(&outside[0]), value(&outside[1])]);
    all
}

#[test]
fn scripts_of_cells_do_under_transformations_what_they_do_line_by_line() {
    let mut branches = [0; 2];
    for seed in 0..150 {
        let script = Rng(seed).script(3);
        let expected = outcome(&|cells, x| plain(&script, cells, x), false);
        for compiled in [false, true] {
            let found = outcome(&|cells, x| transformed(&script, cells, x), compiled);
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * (1.0 + b.abs());
            assert!(found.iter().zip(&expected).all(close), "seed {seed}: {found:?}, not {expected:?}");
        }
        branches[usize::from(expected[1] > 0.4)] += 1;
    }
    assert!(branches[0] > 20 && branches[1] > 20, "both branches are taken: {branches:?}");
}

#[test]
fn compiled_functions_see_what_the_cell_holds_at_each_call() {
    let state = Ref::new(&scalar(1.0));
    let traced = Cell::new(0);
    let step = jit(|x: &Array| {
        traced.set(traced.get() + 1);
        let before = state.swap(x);
        before * 10.0
    });
    assert_eq!(step.call(scalar(2.0)).unwrap().item::<f64>().unwrap(), 10.0);
    assert_eq!(value(&state), 2.0);
    state.set(5.0);
    assert_eq!(step.call(scalar(3.0)).unwrap().item::<f64>().unwrap(), 50.0);
    assert_eq!((value(&state), traced.get()), (3.0, 1));
    // A function that only reads it does, too.
    let read = jit(|x: &Array| x + state.get());
    assert_eq!(read.call(scalar(1.0)).unwrap().item::<f64>().unwrap(), 4.0);
    state.set(7.0);
    assert_eq!(read.call(scalar(1.0)).unwrap().item::<f64>().unwrap(), 8.0);
}

#[test]
fn what_a_cell_held_first_stays_what_it_was() {
    // The array is captured as itself and as what the cell holds: two things from the first step on.
    let start = scalar(1.0);
    let cell = Ref::new(&start);
    let step = |(): &(), x: &Array| {
        cell.addupdate(x);
        ((), &start * 100.0 + cell.get())
    };
    let ((), seen) = scan(step, &(), &Array::from_slice(&[1.0, 2.0, 3.0]));
    assert_eq!(seen.to_vec::<f64>().unwrap(), [102.0, 104.0, 107.0]);
    assert_eq!((value(&cell), start.item::<f64>().unwrap()), (7.0, 1.0));
}

#[test]
fn a_loop_goes_on_while_a_cell_says_so() {
    let cell = Ref::new(&scalar(1.0));
    let steps = while_loop(
        |_: &Array| cell.get().lt(100.0),
        |n: &Array| {
            cell.update(|x| x * 2);
            n + 1
        },
        &Array::scalar(0i32),
    );
    assert_eq!((steps.item::<i32>().unwrap(), value(&cell)), (7, 128.0));
}

#[test]
fn a_compiled_function_writes_where_the_old_value_lay() {
    let address = |x: &Array| x.to_buffer().unwrap().view().unwrap().bytes().as_ptr();
    let cache = Ref::new(&Array::zeros(&[512, 16]));
    let insert = jit(|(i, row): &(Array, Array)| cache.update(|c| c.at((i, ..)).set(row)));
    let call = |i: i32| insert.call((Array::scalar(i), Array::ones(&[16]) * i)).unwrap();
    call(1);
    let before = address(&cache.get());
    call(2);
    assert_eq!(address(&cache.get()), before, "nobody else held the old value");
    let held = cache.get();
    call(3);
    assert_ne!(address(&cache.get()), before, "somebody did");
    assert_eq!(held.index((3, 0)).item::<f32>().unwrap(), 0.0);
    assert_eq!(cache.index((.., 0)).index(..5).to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 0.0]);
}

#[test]
fn threads_lose_no_write() {
    let count = Ref::new(&Array::scalar(0i32));
    let other = Ref::new(&Array::scalar(0i32));
    let bump = |a: &Ref, b: &Ref| {
        let (a, b) = (a.clone(), b.clone());
        let step = jit(move |x: &Array| {
            a.addupdate(x);
            b.addupdate(x * 2);
        });
        for _ in 0..200 {
            step.call(Array::scalar(1i32)).unwrap();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| bump(&count, &other));
        scope.spawn(|| bump(&other, &count));
    });
    assert_eq!(count.get().item::<i32>().unwrap(), 600);
    assert_eq!(other.get().item::<i32>().unwrap(), 600);
}

#[test]
fn elements_of_a_batch_read_one_cell_and_have_their_own() {
    let scale = Ref::new(&scalar(3.0));
    let calls = Ref::new(&Array::scalar(0i32));
    let f = |x: &Array| {
        calls.addupdate(1);
        let own = Ref::new(x);
        own.update(|o| o * scale.get());
        own.freeze()
    };
    let y = vmap(f)(&Array::from_slice(&[1.0, 2.0]));
    assert_eq!(y.to_vec::<f64>().unwrap(), [3.0, 6.0]);
    assert_eq!(calls.get().item::<i32>().unwrap(), 1, "one for the batch");
    // What is the same for the batch may be written.
    let total = Ref::new(&scalar(0.0));
    let summed = |x: &Array| {
        total.set(lax::psum(x, "i"));
        x * 2
    };
    vmap_with(summed, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[1.0, 2.0]));
    assert_eq!(value(&total), 3.0);
}

#[derive(Tree)]
struct Norm {
    scale: Array,
    #[tree(static)]
    mean: Ref,
}

#[test]
fn a_module_keeps_its_statistics_in_a_static_field() {
    let mean = Ref::new(&scalar(0.0));
    let model = Norm { scale: scalar(2.0), mean: mean.clone() };
    let loss = |(model, x): &(Norm, Array)| {
        model.mean.update(|m| m * 0.5 + x.mean(..) * 0.5);
        ((x - model.mean.get()) * &model.scale).sum(..)
    };
    let step = jit(grad(loss));
    let x = Array::from_slice(&[1.0, 3.0]);
    let (slope, _) = step.call((model, x.clone())).unwrap();
    assert_eq!((slope.scale.item::<f64>().unwrap(), value(&mean)), (2.0, 1.0));
    // Another cell is another program, and not the first one's state.
    let other = Ref::new(&scalar(8.0));
    step.call((Norm { scale: scalar(2.0), mean: other.clone() }, x)).unwrap();
    assert_eq!((value(&other), value(&mean), step.traces()), (5.0, 1.0, 2));
}

#[test]
fn cells_end() {
    let cell = Ref::new(&scalar(1.0));
    let handle = cell.clone();
    assert_eq!(cell.freeze().item::<f64>().unwrap(), 1.0);
    let error = try_trace(|| handle.get()).unwrap_err().to_string();
    assert!(error.contains("holds nothing any more") && error.contains("it was frozen"), "{error}");
    // A function that fails while it is traced leaves what was there, as does a run that is refused.
    let cell = Ref::new(&scalar(1.0));
    let f = jit(|x: &Array| cell.addupdate(x));
    f.call(scalar(1.0)).unwrap();
    assert!(f.call(Array::abstracted(scalar(0.0).ty())).is_err());
    assert_eq!(value(&cell), 2.0);
    let broken = |x: &Array| -> Array {
        cell.set(x);
        fail(Error::input("on purpose"))
    };
    assert!(try_trace(|| jit(broken).call(scalar(7.0))).is_err());
    assert!(try_trace(|| grad(broken)(&scalar(7.0))).is_err());
    assert_eq!(value(&cell), 2.0);
}

#[test]
fn a_compiled_function_keeps_no_value_of_a_cell() {
    let cell = Ref::new(&Array::zeros(&[100]));
    let add = jit(|x: &Array| cell.addupdate(x));
    let ((), alive) = live_arrays(|| {
        cell.set(Array::ones(&[100]) * 2.0);
        (0..3).for_each(|_| add.call(Array::ones(&[100])).unwrap());
    });
    assert_eq!(alive.len(), 1, "{alive:?}");
}

#[test]
fn what_shares_memory_with_a_cell_is_not_overwritten() {
    let cell = Ref::new(&Array::ones(&[100]));
    let add = jit(|x: &Array| cell.addupdate(x));
    add.call(scalar(1.0)).unwrap();
    // An array that is put where it already is.
    let put = cell.get().to_device(&default_device()).unwrap();
    add.call(scalar(1.0)).unwrap();
    assert_eq!(put.index(7).item::<f32>().unwrap(), 2.0);
    assert_eq!(cell.index(7).item::<f32>().unwrap(), 3.0);
    // What a function returns and leaves in a cell.
    let both = jit(|x: &Array| {
        cell.addupdate(x);
        cell.get()
    });
    let first = both.call(scalar(1.0)).unwrap();
    let second = both.call(scalar(1.0)).unwrap();
    assert_eq!([&first, &second].map(|x| x.index(7).item::<f32>().unwrap()), [4.0, 5.0]);
}

#[test]
fn a_host_function_cannot_wait_for_the_run_around_it() {
    let cell = Ref::new(&scalar(2.0));
    let count = |x: &Array| {
        cell.addupdate(1);
        let seen = cell.clone();
        pure_callback(move |x: &Array| Ok(x * seen.get()), x, x, VmapMethod::Sequential)
    };
    let error = jit(count).call(scalar(1.0)).and_then(|y| y.item::<f64>()).unwrap_err().to_string();
    assert!(error.contains("a host function uses a Ref that the run around it writes"), "{error}");
    // Outside of that run it may.
    cell.set(2.0);
    let seen = cell.clone();
    let read = move |x: &Array| Ok(x * seen.get());
    let times = jit(move |x: &Array| pure_callback(read.clone(), x, x, VmapMethod::Sequential));
    assert_eq!(times.call(scalar(5.0)).unwrap().item::<f64>().unwrap(), 10.0);
}

#[test]
fn ends_are_those_of_cells() {
    let ends = run_state(
        |cells: &[Ref]| {
            cells[0].addupdate(cells[1].get());
            cells[1].update(|x| x.at(0).multiply(4));
        },
        &[Array::from_slice(&[1.0f32, 2.0]), Array::from_slice(&[3.0f32, 5.0])],
    );
    let ends: Vec<Vec<f32>> = ends.iter().map(|end| end.to_vec().unwrap()).collect();
    assert_eq!(ends, [[4.0, 7.0], [12.0, 5.0]]);
}

#[test]
fn a_message_tells_cells_of_one_type_apart() {
    let (a, b) = (Ref::new(&Array::scalar(0i32)), Ref::new(&Array::scalar(0i32)));
    assert_eq!(format!("{a:?}"), format!("{:?}", a.clone()));
    assert_ne!(format!("{a:?}"), format!("{b:?}"));
    assert!(format!("{a:?}").starts_with("Ref(i32[] at 0x"), "{a:?}");
}

#[test]
fn a_function_that_uses_a_cell_goes_into_no_file() {
    let (cell, x) = (Ref::new(&Array::zeros(&[2])), Array::ones(&[2]));
    let reads = jit(|x: &Array| x + cell.get()).lower(&x).compile().unwrap();
    let error = reads.serialize().unwrap_err().to_string();
    assert!(error.contains("[serialize] the function uses a Ref from outside"), "{error}");
    let own = jit(|x: &Array| Ref::new(x).swap(1)).lower(&x).compile().unwrap();
    assert!(own.serialize().is_ok(), "a cell that the function makes is no state");
}
