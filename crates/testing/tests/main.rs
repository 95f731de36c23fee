//! Goldens: the same programs and numbers as the reference implementations.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod attention;
mod attention_forms;
mod compositions;
mod corpus;
mod eager;
mod exhaustive;
mod exported;
mod functions;
#[path = "../examples/gpt/mod.rs"]
mod gpt;
mod gradients;
mod latent;
mod linalg;
mod memory;
mod meshes;
mod minifloats;
mod mixed;
mod mutants;
mod npy;
mod optax;
mod programs;
mod promotion;
mod random;
mod rows;
mod runtime;
mod stablehlo;
mod steps;
mod stream;
mod surface;
mod windows;
