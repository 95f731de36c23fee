//! The plans of loops, which the steps of an executable share.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use jarrah_base::Result;
use jarrah_tile::LoopKernel;
use rustc_hash::FxHashMap;

use crate::vector::{BoxPlan, Plan};

/// The state of building the steps of an executable.
pub struct Plans {
    /// The number of threads that run the steps.
    pub threads: usize,
    /// The plans of loops, shared by equal loops, such as those of a model's layers.
    plans: FxHashMap<LoopKernel, Arc<Plan>>,
    /// The plans of loops that run before or after products, on parts of their operands and results.
    boxes: FxHashMap<(LoopKernel, Over), Option<Arc<BoxPlan>>>,
}

/// The matrix over whose rows and columns a loop runs.
#[derive(PartialEq, Eq, Hash)]
pub enum Over {
    /// The loop reads the matrix through these inputs; its extents.
    Read(Vec<usize>, [usize; 2]),
    /// The loop makes the matrix as its output, with rows this many elements apart in memory; its extents.
    Made(usize, [usize; 2]),
}

impl Plans {
    /// No plans yet.
    pub fn new(threads: usize) -> Plans {
        Plans { threads, plans: FxHashMap::default(), boxes: FxHashMap::default() }
    }

    /// The plan of a loop.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(&mut self, loops: LoopKernel) -> Result<Arc<Plan>> {
        match self.plans.entry(loops) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => {
                let plan = Arc::new(Plan::new(place.key())?);
                Ok(place.insert(plan).clone())
            }
        }
    }

    /// The plan of a loop before or behind a product; `None` if it runs on no boxes.
    ///
    /// # Errors
    /// As [`BoxPlan::new`].
    pub fn boxes(&mut self, loops: LoopKernel, over: Over) -> Result<Option<Arc<BoxPlan>>> {
        match self.boxes.entry((loops, over)) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => {
                let plan = match place.key() {
                    (loops, Over::Read(inputs, [rows, cols])) => BoxPlan::new(loops, inputs, *rows, *cols)?,
                    (loops, Over::Made(apart, [rows, cols])) => BoxPlan::making(loops, *rows, *cols, *apart)?,
                };
                Ok(place.insert(plan.map(Arc::new)).clone())
            }
        }
    }
}
