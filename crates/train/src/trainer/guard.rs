//! Steps that go wrong: they are told, left out, or end the run.

use jarrah_base::{Error, Result};

use super::console::Console;
use super::objective::{Objective, StepReport};
use super::session::Session;
use crate::recipe::OnNan;

impl<O: Objective> Session<O> {
    /// Looks whether a step was left out, says so, and ends the run behind too many of them.
    ///
    /// # Errors
    /// Loss or gradient are no numbers, and the options say to end then; or as many steps were left out one after another as they let be.
    pub(super) fn guard(
        &mut self,
        state: &O::State,
        batch: &O::Batch,
        report: &StepReport,
        console: &mut Console,
    ) -> Result<()> {
        let (step, skips) = (self.step + 1, self.options().on_nan == OnNan::Skip);
        let finite = match &report.finite {
            Some(finite) => finite.item::<bool>()?,
            // The objective leaves out steps by itself, which is no fault as long as the loss is a number; one that is none ends the run when it is recorded.
            None if !skips => return Ok(()),
            None => report.loss()?.is_none_or(f64::is_finite),
        };
        if finite && report.taken.as_ref().map_or(Ok(true), |taken| taken.item::<bool>())? {
            self.left_out = 0;
            return Ok(());
        }
        self.left_out += 1;
        let ends = self.options().patience > 0 && self.left_out >= self.options().patience;
        // The step changed nothing: it can be looked at again, which may take more time and memory than the step. A run that goes on is not stopped for that,
        // and one that ends says what is wrong also where the look fails.
        let key = self.key.fold_in(self.step as u32);
        let objective = self.trainer.objective.clone();
        let problem = match finite {
            true if ends => {
                let steepest = objective.steepest(state, &self.fixed, batch, &key).ok().flatten();
                let of =
                    steepest.map(|(path, most)| format!(", most of it in the gradient of {path}: {most:.3}"));
                let norm = report.metrics.get("grad_norm").map_or(Ok(f64::NAN), |norm| norm.to_f64())?;
                format!("its gradient is far from usual, with a norm of {norm:.3}{}", of.unwrap_or_default())
            }
            true => "its gradient is far from usual".to_owned(),
            false if ends || !skips => {
                let culprit = objective.culprit(state, &self.fixed, batch, &key).ok().flatten();
                if !skips {
                    return Err(self.diverged(report.loss()?.unwrap_or(0.0), culprit));
                }
                let first = culprit.map(|culprit| format!(", {culprit} first")).unwrap_or_default();
                format!("loss or gradient is no number{first}")
            }
            false => "loss or gradient is no number".to_owned(),
        };
        if ends {
            let message = format!("{} steps in a row were left out: of step {step} {problem}", self.left_out);
            return Err(Error::input(message)
                .context(self.last_checkpoint())
                .help(self.trainer.advice.left_out));
        }
        console.warn(&format!("step {step} is left out: {problem}"));
        Ok(())
    }

    fn last_checkpoint(&self) -> String {
        match self.done.saved {
            Some(step) => format!("the last checkpoint is of step {step}"),
            None => "there is no checkpoint yet".to_owned(),
        }
    }

    pub(super) fn diverged(&self, loss: f64, culprit: Option<String>) -> Error {
        let step = if culprit.is_some() { self.step + 1 } else { self.step };
        // Where nothing before it is wrong, the loss is no news.
        let culprit = culprit.filter(|culprit| culprit != "the loss");
        let problem = match (&culprit, loss.is_finite()) {
            (Some(culprit), true) => format!("the gradient at step {step} is no number, {culprit} first"),
            (Some(culprit), false) => format!("the loss at step {step} is {loss}, {culprit} first"),
            (None, _) => format!("the loss at step {step} is {loss}"),
        };
        // Before the first update no learning rate is the cause.
        if step <= 1 && self.done.saved.is_none() {
            return Error::input(format!("{problem}, before the first update")).help(
                "look for a root, logarithm or quotient of the loss outside of its domain, or for batches with numbers that are none",
            );
        }
        Error::input(format!("{problem}: training diverged"))
            .context(self.last_checkpoint())
            .help(self.trainer.advice.diverged)
    }
}
