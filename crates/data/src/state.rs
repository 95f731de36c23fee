use std::borrow::Cow;

use jarrah_base::{Error, Result};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::pack_counts::PackCounts;

/// The stage whose parents are lanes.
pub(crate) const LANES: &str = "lanes";

/// The position of an iterator over a pipeline: a small value, the same however many threads work on it.
///
/// It is a tree: a stage that counts or buffers has a node with its numbers and the states of the stages that feed it. A stage without state of
/// its own, such as a map, has the state of its parent.
///
/// ```
/// use jarrah_data::{IterState, MapDataset};
/// let dataset = MapDataset::range(0, 10, 1).shuffle(7).to_iter();
/// let mut iterator = dataset.iter()?;
/// let first: Vec<i64> = iterator.by_ref().take(4).collect::<Result<_, _>>()?;
/// let stored = serde_json::to_string(&iterator.state()).expect("a state is JSON");
///
/// let mut resumed = dataset.iter()?;
/// resumed.set_state(&serde_json::from_str::<IterState>(&stored).expect("it is a state"))?;
/// let rest: Vec<i64> = resumed.collect::<Result<_, _>>()?;
/// assert_eq!([first, rest].concat(), dataset.iter()?.collect::<Result<Vec<_>, _>>()?);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IterState {
    stage: Cow<'static, str>,
    values: SmallVec<[u64; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parents: Vec<IterState>,
}

impl IterState {
    /// The state of a stage of this name.
    pub(crate) fn new(stage: &'static str, values: &[u64], parents: Vec<IterState>) -> Self {
        IterState { stage: Cow::Borrowed(stage), values: SmallVec::from_slice(values), parents }
    }

    /// The name of the stage that this node is of.
    pub fn stage(&self) -> &str {
        &self.stage
    }

    /// The numbers of the stage.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The states of the stages that feed it.
    pub fn parents(&self) -> &[IterState] {
        &self.parents
    }

    /// The numbers and parents of a state that must be one of `stage`.
    ///
    /// # Errors
    /// The state is one of another stage or of another form (`Input`).
    pub(crate) fn read<const N: usize>(&self, stage: &str, parents: Option<usize>) -> Result<[u64; N]> {
        let fault = |text: String| {
            Error::input(text).help("resume with the pipeline whose state was stored, stage by stage")
        };
        if self.stage != stage {
            return Err(fault(format!(
                "the data position is one of the stage `{}`, but the pipeline has `{stage}` there",
                self.stage
            )));
        }
        if parents.is_some_and(|count| count != self.parents.len()) {
            return Err(fault(format!(
                "the data position has {} inputs of the stage `{stage}`, but the pipeline has {}",
                self.parents.len(),
                parents.unwrap_or(0)
            )));
        }
        <[u64; N]>::try_from(&self.values[..]).map_err(|_| {
            fault(format!("the data position of the stage `{stage}` is malformed: {:?}", self.values))
        })
    }

    /// An error that a number of this state is not one that its stage reaches.
    pub(crate) fn unreachable(&self) -> Error {
        Error::input(format!("the stage `{}` has no position {:?} in these data", self.stage, self.values))
            .help("resume with the data and the pipeline that the run began with")
    }

    /// The counts of the packing stage that is found first in this state, the last stage first.
    pub fn pack_counts(&self) -> Option<PackCounts> {
        match &*self.stage {
            "pack" | "concat_then_split" => PackCounts::from_words(self.values.get(1..=PackCounts::LEN)?),
            _ => self.parents.iter().find_map(IterState::pack_counts),
        }
    }

    /// One state of the states of all hosts of a run, from which any number of hosts goes on.
    ///
    /// The nodes of lanes are united; each other stage must stand at the same numbers on each host.
    ///
    /// # Errors
    /// There is no state, or two states differ elsewhere than in their lanes (`Input`).
    pub fn merge(states: &[IterState]) -> Result<IterState> {
        let Some(first) = states.first() else {
            return Err(Error::input("there is no data position to merge"));
        };
        if states.iter().any(|s| s.stage != first.stage || s.values != first.values) {
            return Err(Error::input(format!(
                "the data positions of the hosts differ at the stage `{}`, which holds state of its own behind the lanes",
                first.stage
            ))
            .help("put stages that buffer elements inside of the lanes"));
        }
        if first.stage == LANES {
            let mut parents: Vec<IterState> = states.iter().flat_map(|s| s.parents.iter().cloned()).collect();
            parents.sort_by_key(|lane| lane.values.first().copied());
            if parents.windows(2).any(|pair| pair[0].values.first() == pair[1].values.first()) {
                return Err(Error::input("two hosts have stored the data position of the same lane"));
            }
            return Ok(IterState { parents, ..first.clone() });
        }
        if states.iter().any(|s| s.parents.len() != first.parents.len()) {
            return Err(Error::input(format!(
                "the data positions of the hosts have different inputs at the stage `{}`",
                first.stage
            )));
        }
        let column = |i: usize| states.iter().map(|s| s.parents[i].clone()).collect::<Vec<_>>();
        let parents =
            (0..first.parents.len()).map(|i| IterState::merge(&column(i))).collect::<Result<_>>()?;
        Ok(IterState { parents, ..first.clone() })
    }
}
