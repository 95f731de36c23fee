use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;

use jarrah_base::{Error, Result, panic_message};

use crate::random::SeedSequence;

/// A stage of a pipeline as errors name it: its kind and the line of the program that added it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageName {
    pub(crate) kind: &'static str,
    at: &'static Location<'static>,
}

impl StageName {
    #[track_caller]
    pub(crate) fn new(kind: &'static str) -> Self {
        StageName { kind, at: Location::caller() }
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
        write!(f, "`{}` ({}:{})", self.kind, self.at.file(), self.at.line())
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

/// The stages behind a stage, as far as seeds are derived from them.
#[derive(Debug, Default)]
pub(crate) struct Lineage {
    seed: Option<u64>,
    parents: Vec<Arc<Lineage>>,
}

impl Lineage {
    pub(crate) fn of(parents: Vec<Arc<Lineage>>) -> Arc<Self> {
        Arc::new(Lineage { seed: None, parents })
    }

    pub(crate) fn seeded(seed: u64, parent: Arc<Lineage>) -> Arc<Self> {
        Arc::new(Lineage { seed: Some(seed), parents: vec![parent] })
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
