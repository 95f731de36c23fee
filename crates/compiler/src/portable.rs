//! Programs as everybody who reads StableHLO knows them.
//!
//! * `scan` becomes a `while` that counts, `threefry2x32` the words of its rounds, `attention`, `ragged_dot`, `kernel` and
//!   `window_arg` their definitions.
//! * Calls, custom rules and rematerialisation become what they call, as in [`crate::compile`].

use jarrah_base::{Result, Type};
use jarrah_hlo::ops::Kernel;
use jarrah_hlo::{Op, Program};

use crate::expand::is_own;
use crate::reference::Reference;
use crate::target::{DeviceMemory, Fusion, Target};
use crate::{dce, expand, inline};

/// The program in ops of StableHLO, where it has those of our own that can be said in these. Others stay as they are.
///
/// # Errors
/// The program takes the tangent of a custom backward rule, or is too large with all that it calls.
pub fn portable(program: &Program) -> Result<Program> {
    dce::run(&expand::run(&inline::run(program)?, &Portable)?)
}

/// StableHLO as a device.
struct Portable;

impl Target for Portable {
    fn name(&self) -> &str {
        "StableHLO"
    }

    fn optimizes(&self) -> bool {
        true
    }

    fn runs(&self, op: &Op, _: &[Type], _: &[Type]) -> bool {
        !is_own(op)
    }

    fn widens(&self) -> bool {
        false
    }

    fn loops(&self, _: &Op, _: &[Type], _: &[Type]) -> bool {
        false
    }

    fn takes(&self, _: &Kernel, _: &[Type]) -> bool {
        false
    }

    fn contracts(&self, _: &Kernel, _: &[Type]) -> bool {
        false
    }

    fn work(&self, _: &Op) -> u32 {
        1
    }

    fn fusion(&self) -> Fusion {
        Reference::default().fusion()
    }

    fn alignment(&self) -> usize {
        1
    }

    fn memories(&self) -> Vec<DeviceMemory> {
        Reference::default().memories()
    }
}
