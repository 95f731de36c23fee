//! Wrong uses of transformations, control flow, callbacks and donation.

use std::sync::Mutex;

use jarrah_array::random::{Key, debug_key_reuse};
use jarrah_array::*;

use super::{Case, case, scalar, vector};

type Pair = (Array, Array);

fn integer() -> Array {
    Array::scalar(1i32)
}

/// What `f` hands to the function it is given, after `f` has returned.
fn leaked_by(f: impl Fn(&dyn Fn(&Array))) -> Array {
    let leaked = Mutex::new(None);
    f(&|x| *leaked.lock().unwrap() = Some(x * 2.0));
    leaked.into_inner().unwrap().unwrap()
}

fn refused(x: &Array) -> Result<Array> {
    Err(Error::input(format!("no table for {}", x.ty())))
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("a random key used twice", || {
            debug_key_reuse(|| {
                let key = Key::new(0);
                let noise = key.normal(&[3]);
                noise + key.clone().uniform(&[3])
            })
        }),
        case("a random key used twice while tracing", || {
            let f = jit(|key: &Key| {
                let (first, _) = key.pair();
                first.normal(&[3]) + key.gumbel(&[3])
            });
            debug_key_reuse(|| f.call(Key::new(0)).unwrap())
        }),
        case("a random key for two calls of a compiled function", || {
            debug_key_reuse(|| {
                let (f, key) = (jit(|key: &Key| key.normal(&[3])), Key::new(0));
                f.call(key.clone()).unwrap();
                f.call(key).unwrap()
            })
        }),
        case("a random key from outside in a loop", || {
            let key = Key::new(0);
            let step = |x: &Array, (): &()| (x + key.normal(&[2]), ());
            debug_key_reuse(|| scan_length(step, &vector(2), &(), 3).0)
        }),
        case("a random key that a loop uses and carries on", || {
            let more = |(x, _): &(Array, Key)| x.sum(..).lt(10.0);
            let step = |(x, key): &(Array, Key)| (x + key.uniform(&[2]), key.clone());
            debug_key_reuse(|| while_loop(more, step, &(vector(2), Key::new(0))).0)
        }),
        case("the words of a key for another generator", || {
            Key::wrap(Key::new(0).words().clone(), random::PrngImpl::Rbg)
        }),
        case("the words of a batch as one key", || Key::from_words(Key::new(0).split_in(&[3]))),
        case("the gradient at an integer", || grad(|x: &Array| x * 2)(&integer())),
        case("the gradient of a position", || grad(|x: &Array| x.argmax(0))(&vector(3))),
        case("the Jacobian at integers", || jacfwd(|x: &Array| x * 2)(&integer())),
        case("the Hessian of a vector", || hessian(|x: &Array| x * 2.0)(&vector(2))),
        case("a tangent of another dtype", || {
            jvp(|x: &Array| x.sin(), &vector(2), &vector(2).astype(DType::F64))
        }),
        case("a cell that elements write by a compiled function", || {
            let cell = Ref::new(&scalar());
            let keep = jit(move |x: &Array| {
                cell.set(x * 2.0);
                x.clone()
            });
            vmap(&keep)(&vector(2))
        }),
        case("a batch by a rule that reads a cell", || {
            let cell = Ref::new(&scalar());
            jit(vmap(sequential_vmap(move |x: &Array| x + cell.get()))).apply(&vector(2))
        }),
        case("a policy with a misspelt name", || {
            let f = |x: &Array| checkpoint_name(&x.sin(), "sine").sin();
            checkpoint(f, CheckpointPolicy::save_only_these_names(["sin"]))(&scalar())
        }),
        case("a cell given an array of another shape", || Ref::new(&vector(3)).set(vector(2))),
        case("a cell read after its end", || {
            let cell = Ref::new(&scalar());
            let last = cell.freeze();
            last + cell.get()
        }),
        case("a cell that ends inside of a function", || {
            let cell = Ref::new(&scalar());
            jit(|x: &Array| x + cell.freeze()).apply(&scalar())
        }),
        case("a batch that writes one cell", || {
            let cell = Ref::new(&scalar());
            vmap(|x: &Array| cell.set(x * 2))(&vector(3))
        }),
        case("a cell written by a function with a rule", || {
            let cell = Ref::new(&scalar());
            let f = |x: &Array| cell.swap(x);
            let pair = |x: &Array| (f(x), ());
            custom_vjp(f, pair, |(): &(), ct: &Array| ct.clone())(&scalar())
        }),
        case("a cell of a trace that has ended", || {
            let cell = Mutex::new(None);
            jit(|x: &Array| *cell.lock().unwrap() = Some(Ref::new(x))).apply(&scalar());
            cell.into_inner().unwrap().unwrap().get()
        }),
        case("tangents for other arguments", || {
            let sum = |x: &Vec<Array>| &x[0] + 1.0;
            jvp(sum, &vec![scalar()], &vec![scalar(), scalar()])
        }),
        case("cotangents for other results", || {
            let (_, pull) = vjp(|x: &Array| vec![x.sin(), x.cos()], &scalar());
            pull(&vec![scalar()])
        }),
        case("a linearization at another shape", || linearize(|x: &Array| x.sin(), &vector(2)).1(&vector(3))),
        case("the transpose of what is not linear", || {
            linear_transpose(|x: &Array| x.sin(), &vector(2))(&vector(2))
        }),
        case("the gradient through a callback", || {
            grad(|x: &Array| pure_callback(|x: &Array| Ok(x.clone()), x, x, VmapMethod::Sequential))(&scalar())
        }),
        case("a callback that fails", || {
            let f = jit(|x: &Array| pure_callback(refused, x, x, VmapMethod::Sequential));
            f.call(scalar()).unwrap().to_vec::<f32>().unwrap()
        }),
        case("a callback that fails outside of jit", || {
            pure_callback(refused, &scalar(), &scalar(), VmapMethod::Sequential).item::<f32>().unwrap()
        }),
        case("a callback that returns another shape", || {
            let f = jit(|x: &Array| {
                pure_callback(|_: &Array| Ok(vector(3)), &vector(2), x, VmapMethod::Sequential)
            });
            f.call(scalar()).unwrap().to_vec::<f32>().unwrap()
        }),
        case("a callback that does something and fails", || {
            let f = jit(|x: &Array| io_callback(refused, x, x, CallbackOrder::Program));
            f.call(scalar()).unwrap().to_vec::<f32>().unwrap()
        }),
        case("a sum over an axis that nobody named", || lax::psum(&scalar(), "batch")),
        case("a mean over an axis of another name", || {
            let options = VmapOptions::default().axis_name("batch");
            vmap_with(|x: &Array| lax::pmean(x, "bath"), options)(&vector(2))
        }),
        case("two elements sent to the same place", || {
            let f = |x: &Array| lax::ppermute(x, "i", &[(0, 1), (1, 1)]);
            vmap_with(f, VmapOptions::default().axis_name("i"))(&vector(2))
        }),
        case("a sum scattered over an axis of another extent", || {
            let f = |x: &Array| lax::psum_scatter(x, "i");
            vmap_with(f, VmapOptions::default().axis_name("i"))(&Array::ones(&[2, 3]))
        }),
        case("an axis size that is not the array's", || {
            vmap_with(|x: &Array| x + 1.0, VmapOptions::default().axis_size(3))(&vector(2))
        }),
        case("a scan over arrays of different lengths", || {
            let step = |c: &Array, (x, y): &Pair| (c + x * y, ());
            scan(step, &scalar(), &(vector(2), vector(3)))
        }),
        case("a carry that becomes a float", || {
            scan(|c: &Array, x: &Array| (c + x, ()), &integer(), &vector(3))
        }),
        case("a carry with another number of arrays", || {
            let step = |c: &Vec<Array>, x: &Array| (vec![&c[0] + x, x.clone()], ());
            scan(step, &vec![scalar()], &vector(3))
        }),
        case("a scan of another length", || {
            scan_length(|c: &Array, x: &Array| (c + x, ()), &scalar(), &vector(3), 4)
        }),
        case("a loop that changes the dtype", || {
            while_loop(|x: &Array| x.lt(10), |x: &Array| x * 1.5, &integer())
        }),
        case("a condition of many truth values", || {
            while_loop(|x: &Array| x.lt(10.0), |x: &Array| x * 2.0, &vector(2))
        }),
        case("a bounded loop that changes the shape", || {
            bounded_while_loop(|x: &Array| x.sum(..).lt(10.0), |x: &Array| x + vector(2), &scalar(), 5)
        }),
        case("a counted loop that changes the dtype", || {
            lax::fori_loop(0..3, |i: &Array, c: &Array| c * i * 0.5, &integer())
        }),
        case("a predicate that is a float", || cond(&scalar(), scalar, scalar)),
        case("branches of different dtypes", || cond(&scalar().gt(0.0), scalar, integer)),
        case("branches of different structures", || {
            cond(&scalar().gt(0.0), || vec![scalar()], || vec![scalar(), scalar()])
        }),
        case("a branch number that is a float", || switch(&scalar(), &[&scalar, &scalar])),
        case("a switch whose branches disagree", || switch(&integer(), &[&scalar, &integer, &scalar])),
        case("a parallel scan over arrays of different lengths", || {
            let join = |p: &Pair, q: &Pair| (&p.0 * &q.0, &p.1 + &q.1);
            lax::associative_scan(join, &(vector(2), vector(3)), 0)
        }),
        case("a map over a scalar", || lax::map(|x: &Array| x + 1.0, &scalar())),
        case("a donated array used again", || {
            let x = vector(2) * 2.0;
            jit(|(x, y): &Pair| x + y).donate(0).call((x.clone(), scalar())).unwrap();
            x + 1.0
        }),
        case("a compiled program with another shape", || {
            let compiled = jit(|x: &Array| x + 1.0).lower(&vector(2)).compile().unwrap();
            compiled.call(vector(3)).unwrap()
        }),
        case("a compiled program with other arguments", || {
            let compiled = jit(|x: &Vec<Array>| &x[0] + 1.0).lower(&vec![scalar()]).compile().unwrap();
            compiled.call(vec![scalar(), scalar()]).unwrap()
        }),
        case("a number inside of vmap", || {
            vmap(|x: &Array| x.item::<f32>().map(|y| x * y).unwrap())(&vector(2))
        }),
        case("numbers inside of a scan", || {
            scan(|c: &Array, x: &Array| (c + x.to_vec::<f32>().unwrap()[0], ()), &scalar(), &vector(3))
        }),
        case("a value that leaked out of vmap", || {
            leaked_by(|keep| {
                vmap(|x: &Array| {
                    keep(x);
                    x.clone()
                })(&vector(2));
            }) + 1.0
        }),
        case("a value that leaked out of a loop", || {
            leaked_by(|keep| {
                let step = |c: &Array, x: &Array| {
                    keep(x);
                    (c + x, ())
                };
                scan(step, &scalar(), &vector(3));
            })
            .item::<f32>()
            .unwrap()
        }),
        case("a value that went to another thread", || {
            jit(|x: &Array| {
                let there = std::thread::scope(|scope| {
                    let work = || try_trace(|| x + 1.0);
                    scope.spawn(work).join().unwrap()
                });
                there.unwrap()
            })
            .call(scalar())
            .unwrap()
        }),
        case("a rule whose tangent has another shape", || {
            custom_jvp(|x: &Array| x.sin(), |x: &Array, dx: &Array| (x.sin(), dx.sum(..)))(&vector(2))
        }),
        case("a rule whose value has another dtype", || {
            let rule = |x: &Array, dx: &Array| (x.sin().astype(DType::F64), dx.clone());
            custom_jvp(|x: &Array| x.sin(), rule)(&vector(2))
        }),
        case("a custom backward pass that captures", || {
            let f = |w: &Array| {
                let backward = |(): &(), ct: &Array| ct * w;
                custom_vjp(|x: &Array| x * w, |x: &Array| (x * w, ()), backward)(&scalar())
            };
            grad(f)(&scalar())
        }),
        case("a gradient through a decomposition without one", || {
            grad(|x: &Array| linalg::schur(x).0.sum(..))(&Array::eye(2))
        }),
        case("a root of another shape", || {
            lax::custom_root(
                |x: &Array| x * x - 2.0,
                &scalar(),
                |_, _: &Array| vector(2),
                |_, y: &Array| y.clone(),
            )
        }),
        case("a backward loop inside of jit", || {
            jit(|x: &Array| grad(|x: &Array| while_loop(|x: &Array| x.lt(9.0), |x: &Array| x * 2.0, x))(x))
                .call(scalar())
                .unwrap()
        }),
        case("another check of gradients", || {
            check_grads(|x: &Array| stop_gradient(x) * 2.0, &vector(2), GradCheck::default()).unwrap()
        }),
        case("a symbolic shape of another rank", || {
            export::symbolic_args_specs(&vector(2), &["n, m"], &[]).map(drop).unwrap()
        }),
    ]
}
