//! Tests of the vector-loop IR.

mod text;
mod verify;
