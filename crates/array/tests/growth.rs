//! Recording, running and tracing take work in proportion to the operations: counted in steps, not in time.

use jarrah_array::kernel::kernel;
use jarrah_array::*;
use jarrah_base::work::counted;

/// An action on `n` arrays or operations, by name.
type Action = (&'static str, fn(usize));

const ACTIONS: &[Action] = &[
    ("a chain", |n| {
        let mut x = Array::scalar(1.0f32);
        for _ in 0..n {
            x *= 0.5;
        }
        x.item::<f32>().unwrap();
    }),
    ("recorded arrays that are read together", |n| {
        let x = Array::scalar(1.0f32);
        let all: Vec<Array> = (0..n).map(|i| &x + i as f64).collect();
        jit(|all: &Vec<Array>| all[0].clone()).call(all).unwrap();
    }),
    ("branches that capture many arrays", |n| {
        let all: Vec<Array> = (0..n).map(|i| Array::scalar(i as f32)).collect();
        let sum = |all: &[Array]| all.iter().fold(Array::scalar(0.0f32), |sum, x| sum + x);
        let _ = cond(&Array::scalar(true), || sum(&all), || -sum(&all));
    }),
    ("a custom rule that captures many arrays", |n| {
        let all: Vec<Array> = (0..n).map(|i| Array::scalar(i as f32)).collect();
        let sum = |x: &Array| all.iter().fold(x.clone(), |sum, x| sum + x);
        let _ = custom_jvp(sum, |x, dx| (sum(x), dx.clone()))(&Array::scalar(1.0f32));
    }),
    ("a gradient along a chain", |n| {
        let chain = |x: &Array| (0..n).fold(x.clone(), |x, _| x.sin());
        grad(chain)(&Array::scalar(1.0f32)).item::<f32>().unwrap();
    }),
    ("a gradient of a sum of many large parameters", |n| {
        let all: Vec<Array> = (0..n).map(|_| Array::ones(&[4096])).collect();
        let sum = |all: &Vec<Array>| all[1..].iter().fold(all[0].clone(), |sum, x| sum + x).sin().sum(..);
        make_program(grad(sum), &all);
    }),
    ("a kernel of many operations", |n| {
        let body = kernel(move |[x, y]| y.set((0..n).fold(x.get(), |x, _| (x * 0.5f32 + 1.0f32).sin())));
        let x = Array::ones(&[8]);
        body.output_whole(x.ty()).call_one(&[&x]).to_vec::<f32>().unwrap();
    }),
    ("a gradient with many parameters", |n| {
        let all: Vec<Array> = (0..n).map(|i| Array::scalar(i as f32)).collect();
        let sum = |all: &Vec<Array>| all.iter().fold(Array::scalar(0.0f32), |sum, x| sum + x * x);
        grad(sum)(&all)[n - 1].item::<f32>().unwrap();
    }),
];

#[test]
fn work_grows_in_proportion_to_operations() {
    let mut wrong = String::new();
    for (name, action) in ACTIONS {
        let [small, large] = [1000, 2000].map(|n| counted(|| action(n)).0);
        if large as f64 > 2.2 * small as f64 + 1000.0 {
            wrong += &format!("{name}: {small} steps, then {large}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
