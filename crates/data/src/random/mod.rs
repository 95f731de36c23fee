//! Random numbers bit by bit as NumPy draws them: seeds, bit generators, and a generator of distributions.
//!
//! Pipelines draw with [`Philox`], whose stream is a function of a key and a counter, so that each element has a stream of its own without
//! state that would have to be carried from one element to the next.

mod bits;
mod generator;
mod normal;
mod pcg64;
mod philox;
mod seed;

pub use bits::BitGenerator;
pub use generator::Generator;
pub use pcg64::Pcg64;
pub use philox::Philox;
pub use seed::SeedSequence;
