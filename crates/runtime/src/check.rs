use jarrah_base::{Error, Result};
use jarrah_hlo::{Alias, Program};
use rustc_hash::FxHashSet;

use crate::client::CompileOptions;
use crate::device::{Device, Placement};

/// Checks that one of `devices` has such memory.
///
/// # Errors
/// None has.
pub fn check_placement(devices: &[Device], placement: Placement) -> Result<()> {
    let Some(device) = devices.get(placement.device.index()) else {
        return Err(Error::program(format!("there is no device {}", placement.device))
            .help(format!("the devices are 0 to {}", devices.len() - 1)));
    };
    if !device.memories.contains(&placement.memory) {
        return Err(Error::program(format!(
            "device {} ({}) has no memory of kind {}",
            device.id, device.kind, placement.memory
        )));
    }
    Ok(())
}

/// Checks that the options of a compilation speak of devices, parameters and results that there are.
///
/// # Errors
/// They do not, or name a device or a parameter twice.
pub fn check_compile_options(devices: &[Device], program: &Program, options: &CompileOptions) -> Result<()> {
    let mut seen = FxHashSet::default();
    for &device in &options.devices {
        check_placement(devices, device.into())?;
        if !seen.insert(device) {
            return Err(Error::program(format!("two replicas of {} run on device {device}", program.name())));
        }
    }
    Alias::check(&options.aliases, program)
}
