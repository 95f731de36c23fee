//! The measurements of a run: [`JsonLines`] for programs, [`EventWriter`] for TensorBoard, [`Chart`] for people.
//!
//! [`Recorder`] writes both files to the run's folder, and on resume cuts both to the step at which the run resumes. [`Samples`] are the texts that
//! the model wrote on the way. [`Curves`] read the metrics of a run that goes on.

mod chart;
mod curves;
mod events;
mod font;
mod lines;
mod raster;
mod recorder;
mod samples;

pub use chart::{Chart, Series};
pub use curves::{Bin, Curve, Curves};
pub use events::EventWriter;
pub(crate) use lines::unfit;
pub use lines::{JsonLines, Line, shown};
pub use recorder::Recorder;
pub use samples::{Samples, Text};
