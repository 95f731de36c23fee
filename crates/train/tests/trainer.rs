//! The trainer with objectives of others: any state, any batches, hooks, and the promises that every run has.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, value_and_grad};
use jarrah_base::{Error, ErrorKind, Result};
use jarrah_checkpoint::latest;
use jarrah_nn::{BatchNorm, Context, Linear, Module};
use jarrah_optim::{Adam, GradientTransformation, Leaves, adam, apply_updates, sgd};
use jarrah_train::metrics::JsonLines;
use jarrah_train::recipe::OnNan;
use jarrah_train::{
    Console, End, Hook, HookState, Loss, Metrics, Minimize, Objective, StepReport, Stop, Sums, TrainState,
    Trained, Trainer, TrainerOptions, by_number, restored,
};

use crate::support::result;

const STEPS: u64 = 12;

/// A line through points, which the number of a batch says how to draw.
struct Line {
    /// The batch whose points are no numbers.
    broken: Option<u64>,
}

impl Loss for Line {
    type Model = Linear;
    type Fixed = ();
    type Batch = (Array, Array);

    fn begin(&self, key: &Key) -> Result<(Linear, ())> {
        Ok((Linear::new(key, 3, 2), ()))
    }

    fn loss(&self, line: &Linear, (): &(), (x, y): &(Array, Array), cx: &mut Context) -> (Array, Metrics) {
        let error = line.call(x, cx) - y;
        (error.square().mean(..), Metrics::from([("largest", error.abs().max(..))]))
    }
}

impl Line {
    fn batches(&self) -> impl jarrah_train::Batches<Batch = (Array, Array)> + 'static {
        let broken = self.broken;
        by_number(move |number| {
            let x = Key::new(number).normal(&[8, 3]);
            let y = x.sum(-1).expand_dims(-1) * Array::ones(&[1, 2]);
            Ok((if broken == Some(number) { x / 0.0 } else { x }, y))
        })
    }

    fn trainer(self, options: TrainerOptions) -> Trainer<Minimize<Line>> {
        let batches = self.batches();
        let held_out = (100..102).map(|i| self.drawn(i)).collect();
        Trainer::new(Minimize::new(self, adam(0.1, Adam::default())).average(0.5), batches, options)
            .evaluate_on(held_out)
    }

    fn drawn(&self, number: u64) -> (Array, Array) {
        let x = Key::new(number).normal(&[8, 3]);
        (x.clone(), x.sum(-1).expand_dims(-1) * Array::ones(&[1, 2]))
    }
}

fn whole() -> Line {
    Line { broken: None }
}

fn options() -> TrainerOptions {
    let mut options = TrainerOptions { steps: STEPS, evaluate_every: 5, ..TrainerOptions::default() };
    options.checkpoint.every = 4;
    options.log.every = 1;
    options
}

fn trained<O: Objective>(trainer: Trainer<O>, folder: &Path) -> Result<Trained<O::State>> {
    trainer.train(folder, &Stop::default(), &mut Console::silent())
}

/// Asks the run to stop behind a step.
struct StopAfter(u64, Arc<Stop>);

impl<O: Objective> Hook<O> for StopAfter {
    fn after_step(&mut self, at: &mut HookState<'_, O>, _: &StepReport) -> Result<()> {
        if at.step == self.0 {
            self.1.ask();
        }
        Ok(())
    }
}

#[test]
fn a_run_of_any_objective_goes_on_with_the_same_bits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("whole");
    let complete = trained(whole().trainer(options()), &path).unwrap();
    assert_eq!((complete.step, complete.end), (STEPS, End::Complete));
    let expected = result(&path);
    assert_eq!(expected.0.len() as u64, STEPS + 3, "a line a step, and evaluations at 5, 10 and the end");
    assert!(expected.0[4].contains("largest"), "{:?}", expected.0);
    for step in [1, 3, 4, 5, 7, 11] {
        let path = dir.path().join(format!("stopped{step}"));
        let stop = Arc::new(Stop::default());
        let trainer = whole().trainer(options()).hook(StopAfter(step, stop.clone()));
        let stopped = trainer.train(&path, &stop, &mut Console::silent()).unwrap();
        assert_eq!((stopped.step, stopped.end), (step, End::Stopped));
        let end = trained(whole().trainer(options()), &path).unwrap();
        assert_eq!(result(&path), expected, "stopped at step {step}");
        let weights = |state: &TrainState<Linear>| state.params.weight.get().to_vec::<f32>().unwrap();
        assert_eq!(weights(&end.state.unwrap()), weights(complete.state.as_ref().unwrap()));
    }
}

#[test]
fn a_checkpoint_gives_the_state_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let state = trained(whole().trainer(options()), &path).unwrap().state.unwrap();
    let checkpoint = jarrah_run::checkpoint(&path, None).unwrap();
    let (like, ()) = Minimize::new(whole(), adam(0.1, Adam::default())).average(0.5).shapes().unwrap();
    let read = restored(&like, &checkpoint).unwrap();
    assert_eq!(
        read.params.weight.get().to_vec::<f32>().unwrap(),
        state.params.weight.get().to_vec::<f32>().unwrap()
    );
    let (other, ()) = Minimize::new(whole(), adam(0.1, Adam::default())).shapes().unwrap();
    let error = restored(&other, &checkpoint).err().unwrap();
    assert!(error.to_string().contains("ema/"), "{error}");
}

#[test]
fn a_run_keeps_the_seed_that_it_began_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    trained(whole().trainer(options()), &path).unwrap();
    let before = result(&path);
    let error = trained(whole().trainer(TrainerOptions { seed: 7, ..options() }), &path).unwrap_err();
    assert_eq!(error.message(), "a run cannot change its seed when it is resumed: it began with 0");
    let error = trained(whole().trainer(TrainerOptions { steps: 3, ..options() }), &path).unwrap_err();
    assert!(error.message().contains("the run is at step 12 already"), "{error}");
    assert_eq!(result(&path), before, "nothing was lost");
    trained(whole().trainer(TrainerOptions { steps: 15, ..options() }), &path).unwrap();
    assert_eq!(latest(path.join("checkpoints")).unwrap().step(), 15);
}

#[test]
fn a_folder_of_others_is_refused_before_anything_is_computed() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    let error = trained(whole().trainer(options()), dir.path()).unwrap_err();
    assert!(error.message().contains("is not empty: it holds notes.txt"), "{error}");
}

/// A generator of numbers and a judge of them, each with parameters and an optimizer of its own: a step moves one, then the other.
struct Adversaries {
    generator: GradientTransformation,
    judge: GradientTransformation,
}

#[derive(Clone, Tree)]
struct Both {
    generator: Linear,
    judge: Linear,
    generators: Leaves,
    judges: Leaves,
    /// The number of judged numbers, no parameter.
    seen: Array,
}

impl Objective for Adversaries {
    type State = Both;
    type Fixed = Array;
    type Batch = Array;

    fn begin(&self, key: &Key) -> Result<(Both, Array)> {
        let (first, second) = key.pair();
        let (generator, judge) = (Linear::new(&first, 2, 1), Linear::new(&second, 1, 1));
        let (generators, judges) = (self.generator.init(&generator), self.judge.init(&judge));
        let both = Both { generator, judge, generators, judges, seen: Array::scalar(0i32) };
        Ok((both, Array::scalar(3.0f32)))
    }

    fn step(&self, state: &Both, mean: &Array, real: &Array, key: &Key) -> (Both, StepReport) {
        let noise = key.normal(&[real.shape()[0], 2]);
        let fooled = |generator: &Linear| -state.judge.forward(&generator.forward(&noise)).mean(..);
        let (fooled, slope) = value_and_grad(fooled)(&state.generator);
        let (updates, generators) = self.generator.update(&slope, &state.generators, &state.generator);
        let generator = apply_updates(&state.generator, &updates);
        let told = |judge: &Linear| {
            let [real, made] = [real + mean, generator.forward(&noise)].map(|x| judge.forward(&x).mean(..));
            made - real + 0.1 * judge.weight.get().square().sum(..)
        };
        let (loss, slope) = value_and_grad(told)(&state.judge);
        let (updates, judges) = self.judge.update(&slope, &state.judges, &state.judge);
        let judge = apply_updates(&state.judge, &updates);
        let seen = &state.seen + real.shape()[0] as i32;
        let metrics = Metrics::from([("loss", loss), ("fooled", fooled), ("seen", seen.clone())]);
        (Both { generator, judge, generators, judges, seen }, StepReport { metrics, ..StepReport::default() })
    }

    fn evaluate(&self, state: &Both, mean: &Array, real: &Array) -> Sums {
        let far = (state.generator.bias.as_ref().map_or_else(|| Array::scalar(0.0f32), |b| b.get().sum(..))
            - mean)
            .abs();
        Sums { metrics: Metrics::from([("far", far)]), count: Array::scalar(real.shape()[0] as f32) }
    }
}

#[test]
fn an_objective_may_have_several_states_and_optimizers() {
    let dir = tempfile::tempdir().unwrap();
    let train = |name: &str, stop_after: Option<u64>| {
        let objective =
            Adversaries { generator: sgd(0.1, Default::default()), judge: adam(0.05, Adam::default()) };
        let batches = by_number(|number| Ok(Key::new(number).normal(&[16, 1])));
        let stop = Arc::new(Stop::default());
        let mut trainer =
            Trainer::new(objective, batches, options()).evaluate_on(vec![Array::zeros(&[1, 1])]);
        if let Some(step) = stop_after {
            trainer = trainer.hook(StopAfter(step, stop.clone()));
        }
        trainer.train(dir.path().join(name), &stop, &mut Console::silent()).unwrap()
    };
    let whole = train("whole", None);
    assert_eq!(whole.state.unwrap().seen.item::<i32>().unwrap(), 16 * STEPS as i32);
    train("parts", Some(6));
    train("parts", None);
    assert_eq!(result(&dir.path().join("parts")), result(&dir.path().join("whole")));
    let checkpoint = latest(dir.path().join("parts/checkpoints")).unwrap();
    let names: Vec<&str> = checkpoint.tensors().iter().map(|t| t.name.as_str()).collect();
    assert!(names.contains(&"judge/weight") && names.contains(&"generator/bias"), "{names:?}");
    let lines = JsonLines::read(&dir.path().join("whole/metrics.jsonl")).unwrap();
    assert!(lines.iter().any(|line| line.get("val_far").is_some()));
}

/// Writes down when each method is called.
#[derive(Clone, Default)]
struct Calls(Rc<RefCell<Vec<String>>>);

impl<O: Objective> Hook<O> for Calls {
    fn before_step(&mut self, at: &mut HookState<'_, O>, _: &O::Batch) -> Result<()> {
        self.0.borrow_mut().push(format!("before {}", at.step));
        Ok(())
    }

    fn after_step(&mut self, at: &mut HookState<'_, O>, report: &StepReport) -> Result<()> {
        assert!(report.metrics.get("loss").unwrap().to_f64()?.is_finite());
        at.record(&[("own", at.step as f64)]);
        self.0.borrow_mut().push(format!("after {}", at.step));
        Ok(())
    }

    fn before_evaluation(&mut self, at: &mut HookState<'_, O>) -> Result<bool> {
        self.0.borrow_mut().push(format!("evaluating {}", at.step));
        Ok(at.step != 2)
    }

    fn after_evaluation(&mut self, _: &mut HookState<'_, O>, metrics: &[(String, f64)]) -> Result<()> {
        assert_eq!(metrics[0].0, "loss");
        self.0.borrow_mut().push("evaluated".to_owned());
        Ok(())
    }

    fn after_save(&mut self, at: &mut HookState<'_, O>) -> Result<()> {
        self.0.borrow_mut().push(format!("saved {}", at.step));
        Ok(())
    }

    fn at_end(&mut self, _: &mut HookState<'_, O>, end: End) -> Result<()> {
        self.0.borrow_mut().push(format!("{end:?}"));
        Ok(())
    }
}

#[test]
fn hooks_are_called_in_the_order_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let calls = Calls::default();
    let mut options = TrainerOptions { steps: 3, evaluate_every: 2, ..options() };
    options.checkpoint.every = 1;
    trained(whole().trainer(options).hook(calls.clone()), &dir.path().join("run")).unwrap();
    let expected = [
        "before 0",
        "after 1",
        "saved 1",
        "before 1",
        "evaluating 2",
        "after 2",
        "saved 2",
        "before 2",
        "evaluating 3",
        "evaluated",
        "after 3",
        "Complete",
    ];
    assert_eq!(*calls.0.borrow(), expected);
    let lines = JsonLines::read(&dir.path().join("run/metrics.jsonl")).unwrap();
    assert_eq!(lines.iter().filter_map(|line| line.get("own")).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
}

struct Fails;

impl<O: Objective> Hook<O> for Fails {
    fn after_step(&mut self, at: &mut HookState<'_, O>, _: &StepReport) -> Result<()> {
        if at.step == 6 { Err(Error::input("enough")) } else { Ok(()) }
    }
}

#[test]
fn an_error_of_a_hook_ends_the_run_which_goes_on_from_its_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let (whole_run, path) = (dir.path().join("whole"), dir.path().join("run"));
    trained(whole().trainer(options()), &whole_run).unwrap();
    assert_eq!(trained(whole().trainer(options()).hook(Fails), &path).unwrap_err().message(), "enough");
    trained(whole().trainer(options()), &path).unwrap();
    assert_eq!(result(&path), result(&whole_run));
}

#[test]
fn a_loss_that_is_no_number_is_told_with_its_place_or_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let broken = || Line { broken: Some(5) };
    let error = trained(broken().trainer(options()), &dir.path().join("abort")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    let text = error.to_string();
    assert!(text.contains("the loss at step 6 is NaN") && text.contains("training diverged"), "{text}");
    assert!(text.contains("the last checkpoint is of step 4"), "{text}");
    assert!(text.contains("lower the learning rate") && !text.contains("optimizer.lr"), "{text}");

    let skipping = TrainerOptions { on_nan: OnNan::Skip, ..options() };
    let state = trained(broken().trainer(skipping), &dir.path().join("skip")).unwrap().state.unwrap();
    assert_eq!((state.skipped.item::<i32>().unwrap(), state.step.item::<i32>().unwrap()), (1, 12));
    assert!(state.params.weight.get().isfinite().all(..).item::<bool>().unwrap());
}

#[test]
fn metrics_that_are_no_scalars_are_named() {
    let metrics = Metrics::from([("wide", Array::zeros(&[2]).astype(DType::F32))]);
    let error = metrics.read().unwrap_err();
    assert!(error.to_string().contains("wide"), "{error}");
}

/// A loss as `of` makes it of the errors of a line.
struct Odd(fn(Array) -> (Array, Metrics));

impl Loss for Odd {
    type Model = Linear;
    type Fixed = ();
    type Batch = (Array, Array);

    fn begin(&self, key: &Key) -> Result<(Linear, ())> {
        Ok((Linear::new(key, 3, 2), ()))
    }

    fn loss(&self, line: &Linear, (): &(), (x, y): &(Array, Array), cx: &mut Context) -> (Array, Metrics) {
        (self.0)(line.call(x, cx) - y)
    }
}

/// The error of a run with this loss, of which nothing is recorded.
fn odd(of: fn(Array) -> (Array, Metrics)) -> Error {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let trainer =
        Trainer::new(Minimize::new(Odd(of), adam(0.1, Adam::default())), whole().batches(), options());
    trained(trainer, &path).err().unwrap()
}

#[test]
fn a_metric_whose_name_is_taken_ends_the_run_before_its_first_step() {
    for name in ["step", "time", "loss", "grad_norm", "", "a\nb"] {
        let error = match name {
            "step" => odd(|e| (e.square().mean(..), Metrics::from([("step", e.sum(..))]))),
            "time" => odd(|e| (e.square().mean(..), Metrics::from([("time", e.sum(..))]))),
            "loss" => odd(|e| (e.square().mean(..), Metrics::from([("loss", e.sum(..))]))),
            "grad_norm" => odd(|e| (e.square().mean(..), Metrics::from([("grad_norm", e.sum(..))]))),
            "" => odd(|e| (e.square().mean(..), Metrics::from([("", e.sum(..))]))),
            _ => odd(|e| (e.square().mean(..), Metrics::from([("a\nb", e.sum(..))]))),
        };
        let text = error.to_string();
        assert!(text.contains("called"), "{name}: {text}");
        // The second `grad_norm` is the objective's own.
        assert!(text.contains("tests/trainer.rs") || name == "grad_norm", "{name}: {text}");
    }
}

#[test]
fn a_metric_that_is_no_number_is_an_error_at_its_line() {
    let text = odd(|e| (e.square().mean(..), Metrics::from([("error", e * 2.0)]))).to_string();
    assert!(text.starts_with("the metric `error` is f32[8,2], not one number"), "{text}");
    assert!(text.contains("tests/trainer.rs") && text.contains(".mean(..)"), "{text}");
}

#[test]
fn a_loss_that_is_no_float_is_an_error_at_its_line() {
    let text = odd(|e| (e.square(), Metrics::default())).to_string();
    assert!(text.starts_with("`Loss::loss` returned f32[8,2], and a loss is one float"), "{text}");
    assert!(text.contains("tests/trainer.rs") && text.contains(".mean(..)"), "{text}");
    let text = odd(|e| (e.mean(..).astype(DType::I32), Metrics::default())).to_string();
    assert!(text.contains("returned i32[]") && text.contains("in floats"), "{text}");
}

#[test]
fn a_loss_that_is_nan_before_the_first_update_is_not_blamed_on_the_learning_rate() {
    let error = odd(|e| ((e - 100.0).sqrt().mean(..), Metrics::default()));
    let text = error.to_string();
    assert!(text.contains("before the first update") && !text.contains("learning rate"), "{text}");
}

#[test]
fn an_error_of_a_batch_names_its_step() {
    let dir = tempfile::tempdir().unwrap();
    let line = whole();
    let batches = by_number(move |number| match number {
        4 => Err(Error::input("no such file")),
        number => Ok(line.drawn(number)),
    });
    let trainer = Trainer::new(Minimize::new(whole(), adam(0.1, Adam::default())), batches, options());
    let error = trained(trainer, &dir.path().join("run")).err().unwrap();
    assert!(error.to_string().contains("while making the batch of step 5"), "{error}");
}

#[test]
fn a_hook_does_not_write_a_line_that_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = JsonLines::create(dir.path().join("metrics.jsonl")).unwrap();
    assert!(lines.write(1, &[("step", 2.0)]).is_err());
    assert!(lines.write(1, &[("a", 2.0), ("a", 3.0)]).is_err());
    lines.write(1, &[("a", 2.0)]).unwrap();
    assert_eq!(JsonLines::read(dir.path().join("metrics.jsonl")).unwrap().len(), 1);
}

/// A normalization by running statistics, and a line behind it.
#[derive(Clone, Debug, Tree)]
struct Normalized {
    norm: BatchNorm,
    line: Linear,
}

struct Running;

impl Loss for Running {
    type Model = Normalized;
    type Fixed = ();
    type Batch = (Array, Array);

    fn begin(&self, key: &Key) -> Result<(Normalized, ())> {
        Ok((Normalized { norm: BatchNorm::new(3), line: Linear::new(key, 3, 2) }, ()))
    }

    fn loss(
        &self,
        model: &Normalized,
        (): &(),
        (x, y): &(Array, Array),
        cx: &mut Context,
    ) -> (Array, Metrics) {
        let x = cx.call("norm", &model.norm, &(x * 3.0 + 10.0));
        ((cx.call("line", &model.line, &x) - y).square().mean(..), Metrics::default())
    }
}

#[test]
fn running_statistics_of_a_model_are_those_of_its_batches() {
    let dir = tempfile::tempdir().unwrap();
    let mut options = TrainerOptions { steps: 300, evaluate_every: 0, ..TrainerOptions::default() };
    options.log.every = 300;
    let objective = Minimize::new(Running, adam(0.02, Adam::default()));
    let trainer = Trainer::new(objective, whole().batches(), options).evaluate_on(vec![whole().drawn(1000)]);
    let end = trained(trainer, &dir.path().join("run")).unwrap();
    let norm = end.state.unwrap().params.norm;
    let (mean, variance) =
        (norm.mean.get().to_vec::<f32>().unwrap(), norm.var.get().to_vec::<f32>().unwrap());
    assert!(mean.iter().all(|x| (x - 10.0).abs() < 2.0), "{mean:?}");
    assert!(variance.iter().all(|x| (4.0..16.0).contains(x)), "{variance:?}");
}

/// An objective whose state is made by `step`, and whose evaluation by `sums`.
struct Made {
    step: fn(&Vec<Array>) -> Vec<Array>,
    sums: fn(&Array) -> Sums,
}

impl Objective for Made {
    type State = Vec<Array>;
    type Fixed = ();
    type Batch = Array;

    fn begin(&self, _: &Key) -> Result<(Vec<Array>, ())> {
        Ok((vec![Array::zeros(&[2])], ()))
    }

    fn step(&self, state: &Vec<Array>, (): &(), _: &Array, _: &Key) -> (Vec<Array>, StepReport) {
        ((self.step)(state), StepReport::default())
    }

    fn evaluate(&self, _: &Vec<Array>, (): &(), batch: &Array) -> Sums {
        (self.sums)(batch)
    }
}

fn made(
    step: fn(&Vec<Array>) -> Vec<Array>,
    sums: fn(&Array) -> Sums,
    options: TrainerOptions,
) -> Result<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let batches = by_number(|_| Ok(Array::ones(&[2])));
    let held_out = vec![Array::ones(&[2]), Array::ones(&[3])];
    trained(Trainer::new(Made { step, sums }, batches, options).evaluate_on(held_out), &path)?;
    Ok(std::fs::read_to_string(path.join("metrics.jsonl")).unwrap())
}

fn half(batch: &Array) -> Sums {
    Sums { metrics: Metrics::from([("size", batch.sum(..) * 0.1)]), count: Array::scalar(0.1f32) }
}

#[test]
fn a_state_that_changes_its_leaves_ends_the_run_before_a_checkpoint() {
    let grows =
        made(|state| [state.clone(), vec![Array::zeros(&[2])]].concat(), half, options()).unwrap_err();
    assert!(grows.to_string().contains("returned 1: f32[2] in its place"), "{grows}");
    let widens = made(|state| vec![state[0].astype(DType::F64)], half, options()).unwrap_err();
    assert!(widens.to_string().contains("state with 0: f32[2] and returned 0: f64[2]"), "{widens}");
}

#[test]
fn held_out_metrics_are_sums_by_counts_however_small() {
    let lines = made(|state| vec![&state[0] + 1.0], half, options()).unwrap();
    assert!(lines.contains("\"val_size\":2.5"), "{lines}");
}

#[test]
fn held_out_batches_with_other_metrics_are_an_error() {
    let named = |batch: &Array| {
        let name = if batch.size() == 2 { "even" } else { "odd" };
        Sums { metrics: Metrics::from([(name, batch.sum(..))]), count: Array::scalar(1.0f32) }
    };
    let error = made(|state| vec![&state[0] + 1.0], named, options()).unwrap_err();
    assert!(error.to_string().contains("held-out batch 2 are [\"odd\"]"), "{error}");
}

#[test]
fn options_that_a_run_could_not_be_resumed_with_are_refused() {
    for steps in [0, 5_000_000_000] {
        let error =
            made(|state| vec![&state[0] + 1.0], half, TrainerOptions { steps, ..options() }).unwrap_err();
        assert!(error.message().contains("must be in 1..=2147483647"), "{error}");
    }
}

/// Two parameters that begin as one array, which is also fixed: an online network and its targets.
struct Twins;

impl Objective for Twins {
    type State = (Array, Array);
    type Fixed = Array;
    type Batch = Array;

    fn begin(&self, _: &Key) -> Result<((Array, Array), Array)> {
        let one = Array::ones(&[64]);
        Ok(((one.clone(), one.clone()), one))
    }

    fn step(
        &self,
        (x, y): &(Array, Array),
        fixed: &Array,
        _: &Array,
        _: &Key,
    ) -> ((Array, Array), StepReport) {
        ((x + fixed, y * 2.0), StepReport::default())
    }

    fn evaluate(&self, (x, _): &(Array, Array), _: &Array, _: &Array) -> Sums {
        Sums { metrics: Metrics::from([("x", x.mean(..))]), count: Array::scalar(1.0f32) }
    }
}

#[test]
fn a_state_may_begin_with_one_array_in_several_places() {
    let dir = tempfile::tempdir().unwrap();
    let batches = by_number(|_| Ok(Array::ones(&[1])));
    let end = trained(Trainer::new(Twins, batches, options()), &dir.path().join("run")).unwrap();
    let (x, y) = end.state.unwrap();
    assert_eq!((x.index(0).item::<f32>().unwrap(), y.index(0).item::<f32>().unwrap()), (13.0, 4096.0));
}
