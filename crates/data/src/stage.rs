use std::cell::Cell;
use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jarrah_base::{Error, Location, Result, panic_message};

use crate::random::SeedSequence;

thread_local! {
    /// The name and the line of the stages that are added, where a file describes them.
    static NAMED: Cell<Option<(&'static str, Location)>> = const { Cell::new(None) };
}

/// Calls `build`; stages that it adds on this thread have this name and this place in errors and statistics, in the place of their kind and of their line in the
/// program. So a reader of pipelines that are files lets errors name lines of the file.
///
/// ```
/// use jarrah_base::Location;
/// use jarrah_data::{MapDataset, stages_named};
/// let numbers = stages_named("numbers", Location::new("a.toml", 7, 1), || MapDataset::range(0, 9, 1));
/// let [stage] = &numbers.stages()[..] else { panic!() };
/// assert_eq!((stage.name, stage.at.line()), ("numbers", 7));
/// ```
pub fn stages_named<R>(name: &'static str, at: Location, build: impl FnOnce() -> R) -> R {
    struct Restored(Option<(&'static str, Location)>);
    impl Drop for Restored {
        fn drop(&mut self) {
            NAMED.set(self.0);
        }
    }
    let _restored = Restored(NAMED.replace(Some((name, at))));
    build()
}

/// A stage of a pipeline as errors name it: its kind and the line of the program that added it, or the name and the line that a file gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StageName {
    pub(crate) kind: &'static str,
    pub(crate) shown: &'static str,
    pub(crate) at: Location,
}

impl StageName {
    #[track_caller]
    pub(crate) fn new(kind: &'static str) -> Self {
        let caller = std::panic::Location::caller();
        let (shown, at) = NAMED.get().unwrap_or_else(|| (kind, Location::from_rust(caller)));
        StageName { kind, shown, at }
    }

    /// Runs a function of the user on element `index`; its error and its panic name the stage and the element.
    pub(crate) fn call<R>(&self, index: u64, f: impl FnOnce() -> Result<R>) -> Result<R> {
        match catch_unwind(AssertUnwindSafe(f)) {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(e)) => Err(e.context(format!("while the stage {self} made element {index}"))),
            Err(panic) => {
                let text = panic_message(panic.as_ref()).unwrap_or("a value that is no text");
                Err(Error::program(format!("the stage {self} panicked at element {index}: {text}")))
            }
        }
    }

    /// An error of the stage's arguments.
    pub(crate) fn fault(&self, text: impl Display) -> Error {
        Error::program(format!("{}: {text}", self.kind)).context(format!("while the stage {self} was added"))
    }
}

impl Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}:{})", self.shown, self.at.file(), self.at.line())
    }
}

/// The seed of a random stage.
///
/// ```
/// use jarrah_data::{MapDataset, Seed};
/// let given = MapDataset::range(0, 9, 1).shuffle(5);
/// let inherited = MapDataset::range(0, 9, 1).seed(5).shuffle(Seed::Inherited);
/// assert_eq!((given.get(0)?, inherited.get(0)?), (Some(4), Some(3)));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// This number.
    Given(u64),
    /// A seed derived from those that `seed` gave the stages before, and from the distance to them.
    Inherited,
}

impl From<u64> for Seed {
    fn from(seed: u64) -> Self {
        Seed::Given(seed)
    }
}

impl From<u32> for Seed {
    fn from(seed: u32) -> Self {
        Seed::Given(u64::from(seed))
    }
}

/// A literal; a negative number stands for its two's complement, which stages that take 32 bits refuse.
impl From<i32> for Seed {
    fn from(seed: i32) -> Self {
        Seed::Given(i64::from(seed) as u64)
    }
}

/// A stage with those before it: seeds are derived from them, and the graph of a pipeline consists of them.
#[derive(Debug)]
pub(crate) struct Lineage {
    seed: Option<u64>,
    parents: Vec<Arc<Lineage>>,
    /// The stage; a seed alone is none.
    name: Option<StageName>,
    /// The stages that feed this one, where they are not the parents.
    inputs: Option<Vec<Arc<Lineage>>>,
    /// Whether the inputs are lanes, which have the same stages.
    pub(crate) has_lanes: bool,
}

impl Lineage {
    pub(crate) fn of(name: StageName, parents: Vec<Arc<Lineage>>) -> Arc<Self> {
        Arc::new(Lineage { seed: None, parents, name: Some(name), inputs: None, has_lanes: false })
    }

    pub(crate) fn seeded(seed: u64, parent: Arc<Lineage>) -> Arc<Self> {
        Arc::new(Lineage {
            seed: Some(seed),
            parents: vec![parent],
            name: None,
            inputs: None,
            has_lanes: false,
        })
    }

    /// A stage that is fed by `inputs` and derives the seeds that `like` derives.
    pub(crate) fn fed_by(name: StageName, like: &Lineage, inputs: Vec<Arc<Lineage>>) -> Arc<Self> {
        let Lineage { seed, parents, .. } = like;
        Arc::new(Lineage {
            seed: *seed,
            parents: parents.clone(),
            name: Some(name),
            inputs: Some(inputs),
            has_lanes: false,
        })
    }

    /// The stage `like`, fed by lanes.
    pub(crate) fn with_lanes(like: &Lineage, lanes: Vec<Arc<Lineage>>) -> Arc<Self> {
        let Lineage { seed, parents, name, .. } = like;
        Arc::new(Lineage {
            seed: *seed,
            parents: parents.clone(),
            name: *name,
            inputs: Some(lanes),
            has_lanes: true,
        })
    }

    /// The name of the stage, and the stages that feed it. Of a seed, those of the stage before it.
    pub(crate) fn stage(&self) -> Option<(StageName, &[Arc<Lineage>])> {
        match self.name {
            Some(name) => Some((name, self.inputs.as_deref().unwrap_or(&self.parents))),
            None => self.parents.first()?.stage(),
        }
    }

    /// The seed of a stage whose lineage this is: the seeds found breadth first, each with its distance, mixed.
    fn derived(&self) -> Option<u64> {
        let mut entropy = Vec::new();
        let mut level: Vec<&Lineage> = vec![self];
        let mut depth = 0;
        while !level.is_empty() {
            let mut next = Vec::new();
            for node in level {
                match node.seed {
                    Some(seed) => entropy.extend([seed, depth]),
                    None => next.extend(node.parents.iter().map(|p| &**p)),
                }
            }
            level = next;
            depth += 1;
        }
        (!entropy.is_empty()).then(|| u64::from(SeedSequence::new(&entropy).words(1)[0]))
    }

    pub(crate) fn resolve(&self, seed: Seed, stage: &StageName) -> Result<u64> {
        match seed {
            Seed::Given(seed) => Ok(seed),
            Seed::Inherited => self.derived().ok_or_else(|| {
                stage
                    .fault("there is no seed")
                    .help("give the stage a seed, or call `seed` on the dataset before it")
            }),
        }
    }

    /// A seed of 32 bits, as shuffles take it.
    pub(crate) fn resolve_u32(&self, seed: Seed, stage: &StageName) -> Result<u32> {
        let seed = self.resolve(seed, stage)?;
        u32::try_from(seed).map_err(|_| stage.fault(format!("the seed {seed} is not below 2^32")))
    }
}
