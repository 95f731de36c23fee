use serde::{Deserialize, Serialize};

/// The position of a [`Loader`](crate::Loader), as a checkpoint stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataState {
    /// The seed of the shuffle.
    pub seed: u64,
    /// The epoch of the next example.
    pub epoch: u64,
    /// The next example's index in its epoch's order.
    pub index: u64,
    /// The number of examples in an epoch, which must match the data on resume.
    pub examples: u64,
}
