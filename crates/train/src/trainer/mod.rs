//! Training by an [`Objective`]: steps, evaluations, checkpoints and measurements, for any model and any batch that are trees of arrays.
//!
//! [`Trainer::train`] trains in a folder, which is a run: a program that is killed anywhere and started again goes on from the newest checkpoint with the
//! same bits. Most objectives are a [`Loss`] that [`Minimize`] makes small with an optimizer; a [`Hook`] does something beside the steps.
//! `jarrah train` is this trainer with the objective, the batches and the hooks of language models.

mod batches;
mod console;
mod guard;
mod hook;
mod minimize;
mod objective;
mod options;
mod progress;
mod ready;
mod saves;
mod session;
mod state;
mod stop;
mod waiting;

use std::path::Path;
use std::rc::Rc;

use jarrah_base::{Error, Result};
use jarrah_checkpoint::{Checkpoint, CheckpointManager, CheckpointManagerOptions, at, latest, list};
use jarrah_run::{RunFolder, is_run, names};
use serde_json::{Map, Value};

use crate::recipe::Settings;

pub(crate) use batches::malformed;
pub use batches::{Batches, by_number, of_dataset};
pub use console::{Console, Working};
pub use hook::{End, Hook, HookState};
pub(crate) use minimize::captured;
pub use minimize::{Loss, Minimize};
pub use objective::{Metrics, Objective, StepReport, Sums};
pub use options::TrainerOptions;
pub use progress::StepWork;
pub(crate) use progress::grouped;
use ready::Programs;
pub(crate) use ready::Ready;
pub(crate) use session::Session;
pub use session::Trained;
pub use state::{TrainState, restored};
pub use stop::Stop;

/// A run of an [`Objective`].
///
/// ```
/// use jarrah_array::{Array, DType, random::Key};
/// use jarrah_nn::{Context, Linear, Module};
/// use jarrah_optim::{Adam, adam};
/// use jarrah_train::{Console, Loss, Metrics, Minimize, TrainerOptions, Result, Stop, Trainer, by_number};
///
/// struct Line;
///
/// impl Loss for Line {
///     type Model = Linear;
///     type Fixed = ();
///     type Batch = (Array, Array);
///
///     fn begin(&self, key: &Key) -> Result<(Linear, ())> {
///         Ok((Linear::new(key, 1, 1), ()))
///     }
///
///     fn loss(&self, line: &Linear, _: &(), (x, y): &(Array, Array), _: &mut Context) -> (Array, Metrics) {
///         ((line.forward(x) - y).square().mean(..), Metrics::default())
///     }
/// }
///
/// let batches = by_number(|number| {
///     let x = Key::new(number).normal(&[16, 1]);
///     Ok((x.clone(), x * 3.0 + 1.0))
/// });
/// let options = TrainerOptions { steps: 200, ..TrainerOptions::default() };
/// let trainer = Trainer::new(Minimize::new(Line, adam(0.1, Adam::default())), batches, options);
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path().join("line");
/// let trained = trainer.train(&folder, &Stop::default(), &mut Console::silent())?;
/// let line = trained.state.expect("the run is complete").params;
/// assert!((line.forward(&Array::full(&[1, 1], 2.0f32, jarrah_array::DType::F32)).item::<f32>()? - 7.0).abs() < 0.01);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Trainer<O: Objective> {
    objective: Rc<O>,
    batches: Box<dyn Batches<Batch = O::Batch>>,
    held_out: Vec<O::Batch>,
    hooks: Vec<Box<dyn Hook<O>>>,
    options: TrainerOptions,
    work: StepWork,
    /// A batch without numbers, to compile for; the first batch, where there is none.
    like: Option<O::Batch>,
    programs: Programs<O>,
    /// The first batch, where it was taken to compile for.
    first: Option<(O::Batch, Value)>,
    /// Said by the checkpoints beside the state.
    extra: Map<String, Value>,
    advice: Advice,
}

/// The help of errors about a run that diverges, in the words of those who set it up.
#[derive(Clone, Copy)]
pub(crate) struct Advice {
    pub diverged: &'static str,
    pub left_out: &'static str,
}

impl<O: Objective> Trainer<O> {
    /// A run of `objective` on `batches`.
    pub fn new(
        objective: O,
        batches: impl Batches<Batch = O::Batch> + 'static,
        options: TrainerOptions,
    ) -> Self {
        let objective = Rc::new(objective);
        let programs = Programs::new(&objective, options.memory_limit);
        Trainer {
            objective,
            batches: Box::new(batches),
            held_out: Vec::new(),
            hooks: Vec::new(),
            options,
            work: StepWork::default(),
            like: None,
            programs,
            first: None,
            extra: Map::new(),
            advice: Advice {
                diverged: "lower the learning rate or let it rise over more steps",
                left_out: "lower the learning rate or let it rise over more steps; TrainerOptions::patience says how many steps may be left out in a row, 0 for any number",
            },
        }
    }

    /// Measures the state on these batches every [`TrainerOptions::evaluate_every`] steps. Their metrics are recorded with `val_` before their names, and the
    /// checkpoint with the lowest `val_loss` is kept beside the newest ones.
    #[must_use]
    pub fn evaluate_on(mut self, batches: Vec<O::Batch>) -> Self {
        self.held_out = batches;
        self
    }

    /// Does more beside the steps. Hooks run in the order in which they were added.
    #[must_use]
    pub fn hook(mut self, hook: impl Hook<O> + 'static) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Shows and records speed in units of work, such as tokens.
    #[must_use]
    pub fn counting(mut self, work: StepWork) -> Self {
        self.work = work;
        self
    }

    /// Compiles for a batch of these shapes and dtypes, before the first batch is made.
    #[must_use]
    pub fn batches_like(mut self, batch: O::Batch) -> Self {
        self.like = Some(batch);
        self
    }

    /// Writes more into the state of checkpoints.
    pub(crate) fn noting(mut self, extra: Map<String, Value>) -> Self {
        self.extra = extra;
        self
    }

    pub(crate) fn advising(mut self, advice: Advice) -> Self {
        self.advice = advice;
        self
    }

    /// Trains in `folder`: begins a run, or goes on with the run that the folder is, from its newest checkpoint.
    ///
    /// The folder gets checkpoints, metrics (`metrics.jsonl`, TensorBoard events), the loss curve and the options; `jarrah dashboard` shows it. A run has the
    /// same bits however often it is interrupted. Once `stop` is set, it saves and returns within about two seconds.
    ///
    /// # Errors
    /// The folder is no place for a run, or of a run with another seed or other tensors; loss or gradient are no numbers (`Input`); batches or hooks failed;
    /// the step does not fit (`Memory`); the machine failed. A checkpoint that cannot be written is a warning, unless it is the last one.
    pub fn train(
        mut self,
        folder: impl AsRef<Path>,
        stop: &Stop,
        console: &mut Console,
    ) -> Result<Trained<O::State>> {
        // A run could not be resumed with options that its file cannot have.
        TrainerOptions::from_toml(&self.options.to_toml(), "the options of the trainer", &[])?;
        let folder = folder.as_ref();
        let begun = match is_run(folder) {
            true => Some(self.resumed(RunFolder::open(folder)?)?),
            false => RunFolder::may_begin(Some(folder)).map(|()| None)?,
        };
        let compiling = console.working("compiling");
        self.compile()?;
        drop(compiling);
        let checkpoint = begun.as_ref().and_then(|(_, checkpoint)| checkpoint.as_ref());
        let ready = self.ready(checkpoint)?;
        let written = ready.trainer.options.to_toml();
        match begun {
            Some((run, checkpoint)) => {
                let session = Session::open(run.clone(), ready, checkpoint, console)?;
                run.write(names::RECIPE, written.as_bytes())?;
                session.train(stop, console)
            }
            None => {
                let run = RunFolder::create(Some(folder))?.begin(&[(names::RECIPE, written.as_bytes())])?;
                Session::begin(run, ready, console)?.train(stop, console)
            }
        }
    }

    /// A run to go on with, and its newest checkpoint, if it has one.
    fn resumed(&self, run: RunFolder) -> Result<(RunFolder, Option<Checkpoint>)> {
        let kept = TrainerOptions::from_file(&run.path().join(names::RECIPE), &[])?;
        self.options.resumes(&kept)?;
        let checkpoint = checkpoint_of(&run, &self.options, None)?;
        Ok((run, checkpoint))
    }
}

/// The writer of a run's checkpoints. Opening it completes a replacement that a killed writer left half done.
fn manager(run: &RunFolder, options: &TrainerOptions) -> Result<CheckpointManager> {
    let kept = CheckpointManagerOptions::keeping(options.checkpoint.keep, Some(session::JUDGE));
    CheckpointManager::open(run.checkpoints(), kept)
}

/// The checkpoint that a run goes on from: the latest or that of `step`; none, if there is none yet.
///
/// # Errors
/// There is no such checkpoint, all are damaged, or it is of a later step than the last one (`Input`).
pub(crate) fn checkpoint_of(
    run: &RunFolder,
    options: &TrainerOptions,
    step: Option<u64>,
) -> Result<Option<Checkpoint>> {
    let manager = manager(run, options)?;
    let listing = list(manager.dir())?;
    let checkpoint = match (listing.good.as_slice(), listing.damaged.as_slice()) {
        ([], []) if step.is_none() => return Ok(None),
        _ => step.map_or_else(|| latest(manager.dir()), |step| at(manager.dir(), step))?,
    };
    match checkpoint.step() {
        step if step > options.steps => {
            Err(Error::input(format!("the run is at step {step} already, beyond steps={}", options.steps))
                .help("give more steps, or go back to an earlier checkpoint (`--step N` of `jarrah train`)"))
        }
        _ => Ok(Some(checkpoint)),
    }
}
