//! The shells of the chains of transformations, as `oracle/nested_interp.py` states them: each makes one function of `(x, w)` of
//! another.

use jarrah_array::*;

use super::bases::base;

type Pair = (Array, Array);

/// What the chain of these words gives at `(x, w)`: shells from the outermost to the innermost, then the base.
pub fn chain(words: &[&str], x: &Array, w: &Array) -> Array {
    let [first, rest @ ..] = words else { panic!("a chain ends with a base") };
    if rest.is_empty() {
        return base(first, x, w);
    }
    let mut parts = first.split('.');
    let kind = parts.next().unwrap_or("");
    let numbers: Vec<isize> = parts.map(|part| part.parse().unwrap()).collect();
    let name = format!("axis{}", rest.len());
    let f = |x: &Array, w: &Array| chain(rest, x, w);
    let pair = |(x, w): &Pair| f(x, w);
    let both = (x.clone(), w.clone());
    let rank = x.rank() as isize;
    match (kind, &numbers[..]) {
        ("grad", [of]) => {
            let weights = x.cos();
            match of {
                0 => grad(|a: &Array| (f(a, w) * &weights).sum(..))(x),
                1 => grad(|b: &Array| (f(x, b) * &weights).sum(..))(w),
                _ => {
                    let loss = |(a, b): &Pair| (f(a, b) * &weights).sum(..);
                    let (value, (dx, dw)) = value_and_grad(loss)(&both);
                    dx + dw * x + value * 0.1
                }
            }
        }
        ("jvp", [0]) => {
            let (y, dy) = jvp(pair, &both, &(w.clone(), x * 0.5));
            y * 0.1 + dy
        }
        ("jvp", [1]) => jvp(|a: &Array| f(a, w), x, &w.sin()).1,
        ("vjp", []) => {
            let (y, pull) = vjp(pair, &both);
            let (dx, dw) = pull(&(x.cos() + y * 0.1));
            dx + dw * 0.5
        }
        ("vmap", &[a, b, c]) => {
            let xs = stack(&[x, &(x * 0.5 + w), &(x * w)], a);
            let ws = if b == 9 { w.clone() } else { stack(&[w, &(w * 0.7), x], b) };
            let axes = [Some(a), (b != 9).then_some(b)];
            thirds(&vmap_axes(pair, &axes, &[Some(c)])(&(xs, ws)), c.rem_euclid(rank + 1))
        }
        ("named", [how]) => {
            let name = name.as_str();
            let element = |(x, w): &Pair| match how {
                0 => {
                    let y = f(x, w);
                    &y - lax::pmean(&y, name) * 0.5
                }
                1 => lax::psum(&(f(x, w) * (lax::axis_index(name) + 1) * 0.3), name) * x,
                2 => f(&(lax::psum(x, name) * 0.3), w) + lax::all_gather(w, name).index(1),
                _ => f(&lax::ppermute(x, name, &[(0, 1), (1, 2), (2, 0)]), w),
            };
            let xs = stack(&[x, &(x * 0.5 + w), &(x * w)], 0);
            let options = VmapOptions::default().in_axes(&[Some(0), None]).axis_name(name);
            thirds(&vmap_with(element, options)(&(xs, w.clone())), 0)
        }
        ("scan", &[length, reverse]) => {
            let step = |c: &Array, t: &Array| {
                let y = f(c, t);
                (&y * 0.5 + c * 0.3 + x * 0.1, y * c.cos())
            };
            let ws = stack(&[w, &(w * 0.5), x][..length as usize], 0);
            let (c, ys) = match reverse {
                1 => scan_reverse(step, x, &ws),
                _ => scan_length(step, x, &ws, length as usize),
            };
            c + thirds(&concatenate(&[&ys, &ws, &ws], 0), 0)
        }
        ("while", []) => while_loop(unfinished, |s: &Pair| half_step(f, s, w), &(start(), x.clone())).1,
        ("bounded", &[most]) => {
            let step = |s: &Pair| half_step(f, s, w);
            bounded_while_loop(unfinished, step, &(start(), x.clone()), most as usize).1
        }
        ("fori", &[count]) => {
            let body = |i: &Array, c: &Array| f(c, &(w * (i + 1))) * 0.5 + x * 0.1;
            lax::fori_loop(0..count as i64, body, x)
        }
        ("map", []) => {
            let (xs, ws) = (stack(&[x, w, &(x * w)], 0), stack(&[w, &(w * 0.5), x], 0));
            thirds(&lax::map(pair, &(xs, ws)), 0)
        }
        ("cond", [turned]) => {
            let test = (x * w).sum(..).gt(0.1);
            let test = if *turned == 1 { !test } else { test };
            cond(&test, || f(x, w), || f(w, x) * 0.5 + x)
        }
        ("switch", &[by]) => {
            let index = (x.sum(..) * 2.0 + by as f64).floor().astype(DType::I32);
            switch(&index, &[&|| f(x, w), &|| f(w, x), &|| f(&(x * 0.5), w) * w.sin()])
        }
        ("checkpoint", [policy]) => {
            let body = |(x, w): &Pair| f(&checkpoint_name(&x.sin(), "half"), w) * x.cos();
            let policy = match policy {
                0 => CheckpointPolicy::nothing_saveable(),
                1 => CheckpointPolicy::everything_saveable(),
                2 => CheckpointPolicy::dots_saveable(),
                3 => CheckpointPolicy::save_only_these_names(["half"]),
                _ => CheckpointPolicy::dots_with_no_batch_dims_saveable(),
            };
            checkpoint(body, policy)(&both)
        }
        ("jit", []) => jit(pair).call(both).unwrap_or_else(|error| fail(error)),
        ("custom_jvp", [how]) => {
            let rule = |p: &Pair, (dx, dw): &Pair| match how {
                0 => {
                    let y = pair(p);
                    (y.clone(), dx * p.1.cos() * 0.5 + dw * y)
                }
                _ => {
                    let (y, dy) = jvp(pair, p, &(dx.clone(), dw.clone()));
                    (y, dy * 0.5 + dx * &p.1)
                }
            };
            custom_jvp(pair, rule)(&both)
        }
        ("custom_vjp", [how]) => {
            let ahead = |(x, w): &Pair| {
                let y = f(x, w);
                (y.clone(), (x.clone(), w.clone(), y))
            };
            let back = |(x, w, y): &(Array, Array, Array), ct: &Array| match how {
                0 => (ct * x.cos() + ct * y * 0.1, ct * w),
                _ => {
                    let (dx, dw) = vjp(pair, &(x.clone(), w.clone())).1(ct);
                    (dx * 0.5 + ct * w, dw)
                }
            };
            custom_vjp(pair, ahead, back)(&both)
        }
        ("linearize", []) => {
            let (y, push) = linearize(pair, &both);
            push(&(w.clone(), x * 0.5)) + y * 0.1
        }
        ("linear_transpose", []) => {
            let slope = |dx: &Array| jvp(|a: &Array| f(a, w), x, dx).1;
            linear_transpose(slope, x)(&w.cos())
        }
        ("closure_convert", []) => {
            let (g, captured) = closure_convert(|a: &Array| f(a, w) * x, x);
            g(&x.sin(), &captured)
        }
        ("stop", [0]) => f(&stop_gradient(x), w) + x * x * 0.3,
        ("stop", [1]) => f(x, &stop_gradient(w)) * w,
        ("jacfwd", []) => contract(&jacfwd(|a: &Array| f(a, w))(x), w),
        ("jacrev", []) => contract(&jacrev(|a: &Array| f(a, w))(x), w),
        ("hessian", []) => contract(&hessian(|a: &Array| (f(a, w) * w.cos()).sum(..))(x), w),
        _ => panic!("{first} is no shell"),
    }
}

/// The first three slices along an axis, weighed.
fn thirds(y: &Array, axis: isize) -> Array {
    let slice = |i: usize| y.slice(axis, i..i + 1).squeeze(axis);
    slice(0) + slice(1) * 0.5 - slice(2) * 0.7
}

/// The sum over the last axes of a Jacobian, weighed by `w`.
fn contract(jacobian: &Array, w: &Array) -> Array {
    let rank = w.rank() as isize;
    let (last, all): (Vec<isize>, Vec<isize>) = ((rank..2 * rank).collect(), (0..rank).collect());
    numpy::tensordot(jacobian, w, &last, &all)
}

fn start() -> Array {
    Array::scalar(0i32)
}

fn unfinished((steps, x): &Pair) -> Array {
    steps.lt(3) & x.sum(..).lt(2.0)
}

fn half_step(f: impl Fn(&Array, &Array) -> Array, (steps, x): &Pair, w: &Array) -> Pair {
    (steps + 1, f(x, w) * 0.5 + x * 0.5)
}
