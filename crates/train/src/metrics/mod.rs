//! The measurements of a run: [`JsonLines`] for programs, [`EventWriter`] for TensorBoard, [`Chart`] for people.
//!
//! [`Recorder`] writes both files to the run's folder, and on resume cuts both to the step at which the run resumes.

mod chart;
mod events;
mod font;
mod lines;
mod raster;
mod recorder;

pub use chart::{Chart, Series};
pub use events::EventWriter;
pub use lines::{JsonLines, Line};
pub use recorder::Recorder;
