//! Functions of each element, random numbers, optimizers.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, jit, nn, where_};
use jarrah_kernels as kernels;

use crate::{agrees, agrees_within, close_within, equals, noise, noise_from};

#[test]
fn of_each_element() {
    // Of more than a block, with a ragged end, and of less.
    for shape in [&[3, 1700][..], &[5]] {
        let (x, y) = (noise(shape) * 3.0, noise_from(shape, 1));
        let one = |f: fn(&Array) -> Array, plain: fn(&Array) -> Array| {
            agrees(|xs| vec![f(&xs[0])], |xs| vec![plain(&xs[0])], std::slice::from_ref(&x), &[0]);
        };
        one(kernels::relu, nn::relu);
        one(kernels::gelu, nn::gelu);
        one(kernels::silu, nn::silu);
        let two = [x.clone(), y];
        agrees(|xs| vec![kernels::add(&xs[0], &xs[1])], |xs| vec![&xs[0] + &xs[1]], &two, &[0, 1]);
        agrees(
            |xs| vec![kernels::saxpy(2.5, &xs[0], &xs[1])],
            |xs| vec![&xs[0] * 2.5 + &xs[1]],
            &two,
            &[0, 1],
        );
        agrees(
            |xs| vec![kernels::swiglu(&xs[0], &xs[1])],
            |xs| vec![nn::silu(&xs[0]) * &xs[1]],
            &two,
            &[0, 1],
        );
    }
}

#[test]
fn a_loop_in_a_body() {
    let x = noise(&[50]) * 40.0;
    let root = |xs: &[Array]| vec![xs[0].sign() * xs[0].abs().pow(1.0 / 3.0)];
    agrees(|xs| vec![kernels::newton_cube_root(&xs[0])], root, &[x], &[]);
}

#[test]
fn a_picture() {
    let (height, width, steps) = (37, 20, 30);
    let row = Array::arange(height as i64).astype(DType::F64).expand_dims(1);
    let column = Array::arange(width as i64).astype(DType::F64).expand_dims(0);
    let c = (column * (2.6 / width as f64) - 2.0, row * (2.4 / height as f64) - 1.2);
    let zero = Array::full(&[height, width], 0, DType::F64);
    let (mut x, mut y, mut n) = (zero.clone(), zero.clone(), zero);
    for _ in 0..steps {
        let inside = (&x * &x + &y * &y).le(4.0);
        let next = (&x * &x - &y * &y + &c.0, &x * &y * 2.0 + &c.1);
        (x, y) = (where_(&inside, next.0, &x), where_(&inside, next.1, &y));
        n += inside;
    }
    let found = kernels::mandelbrot(height, width, steps).astype(DType::F64);
    // Points at the border of the set may be on its other side in single precision.
    let differ = (&found - &n).abs().gt(1.0).sum(..).to_f64().unwrap();
    assert!(differ < 0.02 * (height * width) as f64, "{differ}");
}

#[test]
fn random_numbers() {
    let (x, key) = (noise(&[2500]) + 2.0, Key::new(3));
    let y = kernels::dropout(&x, 0.25, &key);
    let kept = y.ne(0.0);
    let share = kept.astype(DType::F32).mean(..).to_f64().unwrap();
    assert!((share - 0.75).abs() < 0.03, "{share}");
    close_within(&y, &where_(&kept, &x / 0.75, 0.0), 1e-6);
    // The same key, the same numbers, compiled or not; another key, others.
    let again = jit(|x: &Array| kernels::dropout(x, 0.25, &Key::new(3))).call(x.clone()).unwrap();
    close_within(&y, &again, 0.0);
    assert!(kernels::dropout(&x, 0.25, &Key::new(4)).ne(0.0).ne(&kept).any(..).item::<bool>().unwrap());
    // The gradient is that of what was kept.
    let slope = jarrah_array::grad(|x: &Array| kernels::dropout(x, 0.25, &Key::new(3)).sum(..))(&x);
    close_within(&slope, &(kept.astype(DType::F32) / 0.75), 1e-6);

    let z = kernels::random_normal(&[3, 5001], &key);
    assert_eq!(z.shape(), [3, 5001]);
    let moment = |p: i32| z.pow(p).mean(..).to_f64().unwrap();
    assert!(moment(1).abs() < 0.03 && (moment(2) - 1.0).abs() < 0.04 && (moment(4) - 3.0).abs() < 0.3);
}

#[test]
fn steps_of_optimizers() {
    let shape = [3, 2000];
    let xs = [
        noise(&shape),
        noise_from(&shape, 1),
        noise_from(&shape, 2).abs(),
        noise_from(&shape, 3),
        Array::scalar(3.0f32),
    ];
    let adam = |xs: &[Array]| {
        let (m, v) = (&xs[1] * 0.9 + &xs[3] * 0.1, &xs[2] * 0.999 + &xs[3] * &xs[3] * 0.001);
        let whole = |b: f64| 1.0 - (&xs[4] * b.ln()).exp();
        let step = (&m / whole(0.9)) / ((&v / whole(0.999)).sqrt() + 1e-8);
        vec![&xs[0] - step * 0.01, m, v]
    };
    let kernel = |xs: &[Array]| kernels::adam_update(&xs[0], &xs[1], &xs[2], &xs[3], &xs[4], 0.01).to_vec();
    agrees_within(5e-5, kernel, adam, &xs, &[0, 3]);
    let lion = |xs: &[Array]| {
        vec![&xs[0] - (&xs[1] * 0.9 + &xs[2] * 0.1).sign() * 0.01, &xs[1] * 0.99 + &xs[2] * 0.01]
    };
    agrees(|xs| kernels::lion_update(&xs[0], &xs[1], &xs[2], 0.01).to_vec(), lion, &xs[..3], &[0]);
    // What an operand was is what it still is.
    let w = noise(&shape);
    let before = w.to_vec::<f32>().unwrap();
    kernels::lion_update(&w, &xs[1], &xs[3], 0.1)[0].to_vec::<f32>().unwrap();
    assert_eq!(w.to_vec::<f32>().unwrap(), before);
    equals(|xs| vec![kernels::relu(&xs[0])], |xs| vec![nn::relu(&xs[0])], &[Array::arange(9) - 4]);
}
