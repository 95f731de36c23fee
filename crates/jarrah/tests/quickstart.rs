use jarrah::random::Key;
use jarrah::{Array, Tree, TreeExt, jit, value_and_grad, vmap};

#[derive(Tree)]
struct Mlp {
    w1: Array,
    w2: Array,
}

impl Mlp {
    fn apply(&self, x: &Array) -> Array {
        x.matmul(&self.w1).tanh().matmul(&self.w2)
    }
}

fn main() -> jarrah::Result<()> {
    let key = Key::new(0);
    let mut model = Mlp { w1: key.fold_in(1).normal(&[2, 16]), w2: key.fold_in(2).normal(&[16, 1]) * 0.1 };
    let x = key.fold_in(3).normal(&[64, 2]);
    let y = vmap(|p: &Array| p.index(0, 0) * p.index(0, 1))(&x).reshape(&[64, 1]);
    let step = jit(|(model, x, y): (Mlp, Array, Array)| {
        let (loss, slopes) = value_and_grad(|m: &Mlp| (m.apply(&x) - &y).square().mean_all())(&model);
        let slopes = slopes.leaves().into_iter().cloned().collect::<Vec<Array>>();
        let moved = model.leaves().into_iter().zip(slopes).map(|(w, g)| w - g * 0.1).collect::<Vec<_>>();
        (model.with_leaves(moved).unwrap(), loss)
    });
    for _ in 0..100 {
        let loss: Array;
        (model, loss) = step.call((model, x.clone(), y.clone()))?;
        println!("{}", loss.item::<f32>()?);
    }
    Ok(())
}
