use std::collections::HashMap;
use std::sync::Arc;

use jarrah_base::Location;

use crate::stage::Lineage;

/// A stage of a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct PipelineStage {
    /// The name: that of the method that added the stage, or the one that [`stages_named`](crate::stages_named) gave it.
    pub name: &'static str,
    /// The line of the program that added the stage, or of the file that describes it.
    pub at: Location,
    /// The numbers of the stages that feed it, in the list of all stages.
    pub inputs: Vec<usize>,
}

/// The stages of a pipeline.
#[derive(Default)]
pub(crate) struct Graph {
    /// The stages, each behind its inputs.
    pub(crate) stages: Vec<PipelineStage>,
    /// The number of each lineage's stage, by its address.
    numbers: HashMap<usize, usize>,
}

fn address(lineage: &Lineage) -> usize {
    std::ptr::from_ref(lineage).addr()
}

impl Graph {
    pub(crate) fn of(last: &Arc<Lineage>) -> Self {
        let mut graph = Graph::default();
        graph.add(&[last]);
        graph
    }

    /// The number of a lineage's stage.
    pub(crate) fn number(&self, lineage: &Lineage) -> Option<usize> {
        self.numbers.get(&address(lineage)).copied()
    }

    /// Adds the stages of lineages that stand at one place of several lanes, and gives their numbers: one, if the lanes have the same stages.
    fn add(&mut self, lineages: &[&Arc<Lineage>]) -> Vec<usize> {
        let (mut numbers, mut fresh) = (Vec::new(), Vec::<&Arc<Lineage>>::new());
        for lineage in lineages {
            match self.number(lineage) {
                Some(number) => numbers.push(number),
                None if fresh.iter().any(|known| Arc::ptr_eq(known, lineage)) => {}
                None => fresh.push(lineage),
            }
        }
        let form = |lineage: &Arc<Lineage>| {
            let (name, inputs) = lineage.stage()?;
            Some((name, inputs.len(), lineage.has_lanes))
        };
        if fresh.windows(2).any(|pair| form(pair[0]) != form(pair[1])) {
            numbers.extend(fresh.iter().flat_map(|lineage| self.add(&[lineage])));
        } else if let Some((name, first)) = fresh.first().and_then(|first| first.stage()) {
            let of = |lineage: &&Arc<Lineage>| lineage.stage().map_or(&[][..], |(_, inputs)| inputs).to_vec();
            let all: Vec<Vec<Arc<Lineage>>> = fresh.iter().map(of).collect();
            let inputs = match fresh[0].has_lanes {
                true => self.add(&all.iter().flatten().collect::<Vec<_>>()),
                false => {
                    let column = |i: usize| all.iter().filter_map(|inputs| inputs.get(i)).collect::<Vec<_>>();
                    (0..first.len()).flat_map(|i| self.add(&column(i))).collect()
                }
            };
            let number = self.stages.len();
            self.stages.push(PipelineStage { name: name.shown, at: name.at, inputs });
            self.numbers.extend(fresh.iter().map(|lineage| (address(lineage), number)));
            numbers.push(number);
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
