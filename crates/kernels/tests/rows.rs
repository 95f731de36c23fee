//! Normalizations, losses, reductions and scans of rows.

use jarrah_array::{Array, DType, along, grad, lax, scan, where_};
use jarrah_kernels as kernels;

use crate::{agrees, agrees_within, equals, integers, noise, noise_from};

fn wide() -> Array {
    noise(&[70, 33]) * 2.0
}

#[test]
fn softmaxes() {
    let xs = [wide()];
    agrees(|xs| vec![kernels::softmax(&xs[0])], |xs| vec![xs[0].softmax(-1)], &xs, &[0]);
    agrees(|xs| vec![kernels::log_softmax(&xs[0])], |xs| vec![xs[0].log_softmax(-1)], &xs, &[0]);
    agrees(|xs| vec![kernels::logsumexp(&xs[0])], |xs| vec![xs[0].logsumexp(-1)], &xs, &[0]);
    agrees(|xs| vec![kernels::softmax(&xs[0])], |xs| vec![xs[0].softmax(-1)], &[noise(&[2, 3, 5])], &[0]);
    // The last row has nothing that counts.
    let mask = noise_from(&[70, 33], 9).gt(0.0) & lax::iota(DType::I32, &[70, 33], 0).lt(69);
    let plain = |xs: &[Array]| {
        let e = where_(&xs[1], (&xs[0] - xs[0].max(along(1).keepdims())).exp(), 0.0);
        let total = e.sum(along(1).keepdims());
        vec![&e / where_(&total.gt(0.0), &total, 1.0)]
    };
    agrees(|xs| vec![kernels::masked_softmax(&xs[0], &xs[1])], plain, &[wide(), mask], &[0]);
}

#[test]
fn losses() {
    let (logits, labels, weight) = (wide(), integers(&[70], 33, 5), noise_from(&[70], 6));
    let plain = |xs: &[Array]| {
        let chosen = xs[0].log_softmax(1).take_along_axis(&xs[1].expand_dims(1), 1);
        vec![-chosen.squeeze(1)]
    };
    let xs = [logits, labels, weight];
    agrees(|xs| vec![kernels::cross_entropy(&xs[0], &xs[1])], plain, &xs[..2], &[0]);
    let slope = |xs: &[Array]| {
        let (labels, weight) = (xs[1].clone(), xs[2].clone());
        vec![grad(move |x: &Array| (&plain(&[x.clone(), labels.clone()])[0] * &weight).sum(..))(&xs[0])]
    };
    agrees(|xs| vec![kernels::cross_entropy_gradient(&xs[0], &xs[1], &xs[2])], slope, &xs, &[0]);
}

#[test]
fn normalizations() {
    let xs = [wide(), noise_from(&[33], 1) + 1.5, noise_from(&[33], 2)];
    let normal = |x: &Array| {
        let centered = x - x.mean(along(-1).keepdims());
        let var = centered.square().mean(along(-1).keepdims());
        &centered / (var + 1e-5).sqrt()
    };
    let layer = |xs: &[Array]| vec![normal(&xs[0]) * &xs[1] + &xs[2]];
    agrees_within(5e-5, |xs| vec![kernels::layer_norm(&xs[0], &xs[1], &xs[2], 1e-5)], layer, &xs, &[0, 1, 2]);
    let rms = |xs: &[Array]| vec![&xs[0] / (xs[0].square().mean(along(1).keepdims()) + 1e-5).sqrt() * &xs[1]];
    agrees_within(5e-5, |xs| vec![kernels::rms_norm(&xs[0], &xs[1], 1e-5)], rms, &xs[..2], &[0, 1]);

    let dy = noise_from(&[70, 33], 3);
    let slopes = |xs: &[Array]| {
        let dy = xs[2].clone();
        let loss =
            |(x, s, b): &(Array, Array, Array)| (&layer(&[x.clone(), s.clone(), b.clone()])[0] * &dy).sum(..);
        let (x, s, b) = grad(loss)(&(xs[0].clone(), xs[1].clone(), Array::zeros(&[33])));
        vec![x, s, b]
    };
    let args = [xs[0].clone(), xs[1].clone(), dy];
    let kernel = |xs: &[Array]| kernels::layer_norm_gradient(&xs[0], &xs[1], &xs[2], 1e-5).to_vec();
    agrees_within(1e-4, kernel, slopes, &args, &[2]);
    let slopes = |xs: &[Array]| {
        let dy = xs[2].clone();
        let (x, s) = grad(|(x, s): &(Array, Array)| (&rms(&[x.clone(), s.clone()])[0] * &dy).sum(..))(&(
            xs[0].clone(),
            xs[1].clone(),
        ));
        vec![x, s]
    };
    agrees_within(
        1e-4,
        |xs| kernels::rms_norm_gradient(&xs[0], &xs[1], &xs[2], 1e-5).to_vec(),
        slopes,
        &args,
        &[2],
    );

    let images = [noise(&[3, 6, 10]), noise_from(&[6], 1), noise_from(&[6], 2)];
    let group = |xs: &[Array]| {
        let n = normal(&xs[0].reshape(&[3, 2, 30])).reshape(&[3, 6, 10]);
        vec![n * xs[1].expand_dims(1) + xs[2].expand_dims(1)]
    };
    agrees_within(
        5e-5,
        |xs| vec![kernels::group_norm(&xs[0], &xs[1], &xs[2], 2, 1e-5)],
        group,
        &images,
        &[0, 1, 2],
    );
    let known = [
        wide(),
        noise_from(&[33], 1),
        noise_from(&[33], 2).abs() + 0.5,
        noise_from(&[33], 3),
        noise_from(&[33], 4),
    ];
    let batch = |xs: &[Array]| vec![(&xs[0] - &xs[1]) / (&xs[2] + 1e-5).sqrt() * &xs[3] + &xs[4]];
    let kernel = |xs: &[Array]| vec![kernels::batch_norm(&xs[0], &xs[1], &xs[2], &xs[3], &xs[4], 1e-5)];
    agrees(kernel, batch, &known, &[0, 1, 2, 3]);
}

#[test]
fn reductions() {
    let xs = [noise(&[40, 600])];
    agrees_within(1e-4, |xs| vec![kernels::sum_rows(&xs[0])], |xs| vec![xs[0].sum(1)], &xs, &[0]);
    agrees_within(1e-4, |xs| vec![kernels::sum_columns(&xs[0])], |xs| vec![xs[0].sum(0)], &xs, &[0]);
    let moments = |xs: &[Array]| vec![xs[0].mean(1), xs[0].var(1)];
    agrees_within(
        1e-4,
        |xs| kernels::mean_variance(&(&xs[0] + 3.0)).to_vec(),
        |xs| moments(&[&xs[0] + 3.0]),
        &xs,
        &[0],
    );
    let whole = integers(&[40, 60], 9, 1);
    equals(|xs| vec![kernels::argmax_rows(&xs[0])], |xs| vec![xs[0].argmax(1).astype(DType::I32)], &[whole]);
}

#[test]
fn nans_are_larger_than_numbers() {
    let (nan, infinity) = (f32::NAN, f32::INFINITY);
    let x = Array::from_slice(&[1.0, nan, infinity, nan, 0.0, -1.0, 2.0, 3.0, 1.0, nan]).reshape(&[2, 5]);
    let values = |x: &Array| x.to_vec::<f32>().unwrap();
    let same = |a: Vec<f32>, b: &[f32]| assert_eq!(format!("{a:?}"), format!("{b:?}"));
    same(values(&kernels::bitonic_sort(&x)), &[0.0, 1.0, infinity, nan, nan, -1.0, 1.0, 2.0, 3.0, nan]);
    let (largest, places) = kernels::top_k(&x, 4);
    same(values(&largest), &[nan, nan, infinity, 1.0, nan, 3.0, 2.0, 1.0]);
    assert_eq!(places.to_vec::<i32>().unwrap(), [1, 3, 2, 0, 4, 2, 1, 3]);
    assert_eq!(kernels::argmax_rows(&x).to_vec::<i32>().unwrap(), [1, 4]);
    let empty = Array::zeros(&[3, 0]);
    assert_eq!(kernels::bitonic_sort(&empty).shape(), [3, 0]);
}

#[test]
fn scans() {
    agrees_within(
        1e-4,
        |xs| vec![kernels::cumsum(&xs[0])],
        |xs| vec![xs[0].cumsum(1)],
        &[noise(&[35, 300])],
        &[0],
    );
    equals(
        |xs| vec![kernels::cumsum(&xs[0])],
        |xs| vec![xs[0].cumsum(1).astype(DType::I32)],
        &[integers(&[2, 300], 9, 1)],
    );
    let plain = |xs: &[Array]| {
        let step = |h: &Array, (a, x): &(Array, Array)| {
            let h = a * h + x;
            (h.clone(), h)
        };
        vec![scan(step, &Array::zeros(&[300]), &(xs[0].clone(), xs[1].clone())).1]
    };
    let xs = [noise(&[12, 300]) * 0.9, noise_from(&[12, 300], 2)];
    agrees(|xs| vec![kernels::linear_recurrence(&xs[0], &xs[1])], plain, &xs, &[0, 1]);
}
