//! What a sanitizer costs: steps with `JARRAH_SANITIZE=nan,oob,div` next to the same steps without it, in turn.

mod workload;

use std::time::Instant;

use jarrah::Result;
use jarrah::array::checkify::Categories;
use jarrah::array::random::Key;
use jarrah::array::{Array, Function, Tree, TreeExt, jit, sanitize};
use workload::{Workload, char_gpt, initial, mean_loss, mlp, mlp_loss, step};

fn main() -> Result<()> {
    training(mlp(), mlp_loss)?;
    training(char_gpt()?, mean_loss)?;

    let keys = Key::new(0).split(2);
    let n = 1 << 20;
    let arguments = (keys[0].normal(&[n]), keys[1].randint(&[n], 0, 1 << 20));
    compare("elementwise chain with gathers, 2^20", arguments, |(x, at): &(Array, Array)| {
        let mut x = x.clone();
        for _ in 0..4 {
            let there = x.index(at);
            x = (&x * 0.5 + there.abs().sqrt() - 0.25).tanh() / (&there * &there + 1.0) - &x * 0.1;
        }
        (x.clone(), x.sum(..))
    })
}

/// Training steps of `loss` from the first state.
fn training<M: Tree<Array> + Clone + 'static>(
    (name, model, batch): Workload<M>,
    loss: impl Fn(&M, &Array, &Array) -> Array + Copy + 'static,
) -> Result<()> {
    compare(name, (initial(model), batch), step(loss))
}

/// The same step with and without a sanitizer, in turn; the median of the ratios.
fn compare<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    arguments: A,
    step: impl Function<A, Output = (R, Array)>,
) -> Result<()> {
    let step = jit(step);
    let arguments = || arguments.map_leaves(Array::clone);
    let (mut off, mut on, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..45 {
        let start = Instant::now();
        let plain = step.call(arguments())?.1.item::<f32>()?;
        let without = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let looked = sanitize(Categories::AUTOMATIC, || step.call(arguments())?.1.item::<f32>())?;
        let with = start.elapsed().as_secs_f64() * 1e3;
        assert_eq!(plain.to_bits(), looked.to_bits(), "a sanitizer changes no bit");
        if round >= 5 {
            off.push(without);
            on.push(with);
            ratios.push(with / without);
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let (off, on, ratio) = (median(&mut off), median(&mut on), median(&mut ratios));
    println!("{name}: {off:.2} ms without, {on:.2} ms with, {ratio:.2} x");
    Ok(())
}
