use jarrah_base::Result;
use jarrah_hlo::ops::{Reducer, Scatter, Update};

use super::Importer;
use super::block::{Block, Outcome, all};
use super::reductions::folds_with;
use crate::ast::Op;
use crate::templates;

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn scatter(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [operand, indices, updates] = self.some_operands(block, op)?;
        let region = self.only_region(op)?;
        let body = self.closed(block, op, region)?;
        let numbers = self.structure(op, "scatter_dimension_numbers")?;
        let general = self.flag(op, "jarrah.general")?;
        let second = body.params().len() == 2 && body.results() == [body.param(1)];
        let fold = folds_with(&body).and_then(templates::reducer);
        let update = match fold {
            _ if second && !general => Update::Assign,
            Some(reducer) if !general => Update::Reduce(reducer),
            _ => Update::Reduce(Reducer::General(body)),
        };
        let scatter = Scatter {
            window_axes: self.axes(op, numbers, &["update_window_dims"])?,
            inserted_axes: self.axes(op, numbers, &["inserted_window_dims"])?,
            operand_batch_axes: self.axes(op, numbers, &["input_batching_dims"])?,
            indices_batch_axes: self.axes(op, numbers, &["scatter_indices_batching_dims"])?,
            index_map: self.axes(op, numbers, &["scatter_dims_to_operand_dims"])?,
            index_vector_axis: self.optional_size(op, numbers, &["index_vector_dim"])?.unwrap_or(0),
            sorted: self.flag(op, "indices_are_sorted")?,
            unique: self.flag(op, "unique_indices")?,
            update,
        };
        Ok(all(&[self.one(block, op, scatter, &[operand, indices, updates])?]))
    }
}
