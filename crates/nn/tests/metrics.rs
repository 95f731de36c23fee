use jarrah_array::{Array, DType, TreeExt, jit, try_trace};
use jarrah_nn::{Accuracy, Average, BatchNorm, Ema, Kind, Metric, MultiMetric, Welford};

use crate::flax::{close, tensors};

/// The results of Flax for two batches, by one metric from batch to batch and by two that are merged.
#[test]
fn metrics_are_those_of_flax() {
    let (given, expected) = (tensors("metrics", "x"), tensors("metrics", "y"));
    let mask = given["mask"].astype(DType::Bool);
    let metrics = MultiMetric::new()
        .and("above", Accuracy::above(0.1))
        .and("accuracy", Accuracy::new())
        .and("average", Average::new("values"))
        .and("spread", Welford::new("values"));
    let update = |metrics: &MultiMetric, i: usize| {
        let named = |name: &str| given[&format!("{name}{i}")].clone();
        let (values, logits, labels) = (named("values"), named("logits"), named("labels"));
        let (scores, odd) = (logits.slice(-1, 0..1).squeeze(-1), &labels % 2);
        let mut next = metrics.clone();
        for (name, metric) in &mut next.metrics {
            let (logits, labels) = if name == "above" { (&scores, &odd) } else { (&logits, &labels) };
            let mut seen = vec![("values", &values), ("logits", logits), ("labels", labels)];
            seen.extend((i == 1 && name == "average").then_some(("mask", &mask)));
            *metric = metric.update(&seen);
        }
        next
    };
    let one = update(&update(&metrics, 0), 1);
    let merged = update(&metrics, 0).merge(&update(&metrics, 1));
    for results in [one.compute(), merged.compute()] {
        for (name, found) in results {
            close("metrics", &name, &found, &expected[name.trim_start_matches("spread.")]);
        }
    }
}

#[test]
fn metrics_are_trees_that_steps_take_and_return() {
    let step = jit(|(metric, x): &(Welford, Array)| metric.update(&[("values", x)]));
    let mut metric = Welford::new("values");
    for x in [1.0f32, 3.0] {
        metric = step.call((metric, Array::from_slice(&[x, x]))).unwrap();
    }
    let results = metric.compute();
    assert_eq!(results["mean"].item::<f32>().unwrap(), 2.0);
    assert_eq!(results["standard_deviation"].item::<f32>().unwrap(), 1.0);
    assert_eq!(TreeExt::<Array>::leaves(&metric).len(), 3);
}

#[test]
fn what_a_metric_lacks_is_named() {
    let x = Array::ones(&[2]);
    let error = try_trace(|| Average::new("loss").update(&[("losses", &x)])).unwrap_err().to_string();
    assert!(
        error.contains("\"loss\"") && error.contains("\"losses\"") && error.contains("metrics.rs"),
        "{error}"
    );
    let seen = [("logits", &x), ("labels", &x)];
    let error = try_trace(|| Accuracy::new().update(&seen)).unwrap_err().to_string();
    assert!(error.contains("f32[2]") && error.contains("metrics.rs"), "{error}");
    let (a, b) = (MultiMetric::new().and("a", Average::new("x")), MultiMetric::new());
    assert!(try_trace(|| a.merge(&b)).unwrap_err().to_string().contains("differ"));
}

#[test]
fn averages_of_parameters_leave_other_kinds_alone() {
    let model = BatchNorm::new(2);
    let ema = Ema::new(&model, Kind::PARAMETER, 0.5);
    assert_eq!(ema.average.names(), ["bias", "scale"]);
    let moved = model.map_leaves(|x: &Array| x + 1.0);
    let step = jit(|(ema, model): &(Ema, BatchNorm)| ema.update(model));
    let ema = step.call((step.call((ema, moved.clone())).unwrap(), moved.clone())).unwrap();
    let averaged = ema.apply_to(&moved);
    assert_eq!(averaged.bias.unwrap().get().to_vec::<f32>().unwrap(), [0.75; 2]);
    assert_eq!(averaged.mean.get().to_vec::<f32>().unwrap(), [1.0; 2]);
    let error = try_trace(|| ema.update(&BatchNorm::new(3))).unwrap_err().to_string();
    assert!(error.contains("f32[3]") && error.contains("f32[2]") && error.contains("metrics.rs"), "{error}");
    let error = try_trace(|| ema.update(&Array::ones(&[2]))).unwrap_err().to_string();
    assert!(error.contains("no leaf bias"), "{error}");
}
