use jarrah_base::memory::Bytes;

use crate::declare;
use crate::recipe::{Checkpoints, LogKeys, OnNan};

declare! {
    /// How long a run trains, and how often it is measured and saved.
    pub struct TrainerOptions {
        /// Steps to train.
        steps: u64 = 1000, in 1..=2_147_483_647;
        /// Seed of the first parameters and of the keys of steps.
        seed: u64 = 0, on resume kept;
        /// Steps between two evaluations; 0 evaluates at the end only.
        evaluate_every: u64 = 200;
        /// Saving the run.
        checkpoint: Checkpoints = Checkpoints::default();
        /// Progress.
        log: LogKeys = LogKeys::default();
        /// Where loss or gradient is not a number: abort ends the run and says where it was first, skip leaves the step out.
        on_nan: OnNan = OnNan::Abort;
        /// Steps left out one after another behind which the run ends and says what is wrong; 0 never ends it.
        patience: u64 = 20;
        /// The memory of a step, such as 8GiB: what would take more is computed again; unset, as much as there is.
        memory_limit: Option<Bytes> = None;
    }
}
