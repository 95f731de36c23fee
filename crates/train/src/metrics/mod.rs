//! What a run measures: [`JsonLines`] for programs, [`EventWriter`] for TensorBoard, [`Chart`] for people.
//!
//! [`Recorder`] keeps the first two in a run's folder, and on resume cuts both to the step the run goes on from.

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
