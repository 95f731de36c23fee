use jarrah_base::{Error, Result, Type};
use jarrah_hlo::{Alias, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::buffer::BufferData;
use crate::client::CompileOptions;
use crate::device::{DeviceId, Placement, RuntimeDevice};

/// The device of this number, if there is one.
fn device(devices: &[RuntimeDevice], id: DeviceId) -> Result<&RuntimeDevice> {
    devices.get(id.index()).ok_or_else(|| {
        Error::program(format!("there is no device {id}"))
            .help(format!("the devices are 0 to {}", devices.len() - 1))
    })
}

/// Checks that one of `devices` is this process's and has such memory.
///
/// # Errors
/// None has.
pub fn check_placement(devices: &[RuntimeDevice], process: usize, placement: Placement) -> Result<()> {
    let device = device(devices, placement.device)?;
    if device.process != process {
        return Err(Error::program(format!(
            "device {} belongs to process {}; this is process {process}",
            device.id, device.process
        ))
        .help("each process gives and reads the parts of its own devices"));
    }
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
pub fn check_compile_options(
    devices: &[RuntimeDevice],
    program: &Program,
    options: &CompileOptions,
) -> Result<()> {
    let mut seen = FxHashSet::default();
    for &id in &options.devices {
        device(devices, id)?;
        if !seen.insert(id) {
            return Err(Error::program(format!("{} runs twice on device {id}", program.name())));
        }
    }
    let (devices, partitions) = (options.devices.len(), options.partitions.max(1));
    if !devices.max(1).is_multiple_of(partitions) {
        return Err(Error::program(format!(
            "{} is to run in {partitions} partitions on {devices} devices",
            program.name()
        )));
    }
    Alias::check(&options.aliases, program)
}

/// The parameters of a program that is to run on a device: what a client asks of the arguments before it gives one up.
#[derive(Clone, Copy)]
pub struct Parameters<'p> {
    /// The program.
    pub program: &'p Program,
    /// The types of its parameters.
    pub types: &'p [Type],
    /// The device of the run.
    pub device: DeviceId,
}

impl Parameters<'_> {
    /// The name of a parameter in errors.
    pub fn name(program: &Program, index: usize) -> String {
        let path = program.params()[index].path.path();
        let path = if path.is_empty() { String::new() } else { format!(" ({path})") };
        format!("argument {index}{path} of {}", program.name())
    }

    fn named(&self, index: usize) -> String {
        Parameters::name(self.program, index)
    }

    /// Checks the number of arguments.
    ///
    /// # Errors
    /// It is another.
    #[inline]
    pub fn check_count(&self, found: usize) -> Result<()> {
        match self.types.len() {
            takes if takes == found => Ok(()),
            takes => {
                let name = self.program.name();
                Err(Error::program(format!("{name} takes {takes} arguments, {found} were given")))
            }
        }
    }

    /// The client's own data of argument `index`, which is `None` for a buffer of another client.
    ///
    /// # Errors
    /// The buffer belongs to another client, is of another type, or lies on another device.
    #[inline]
    pub fn check<'b, B: BufferData>(&self, index: usize, data: Option<&'b B>) -> Result<&'b B> {
        match data {
            Some(data) if data.ty() == self.types[index] && data.placement().device == self.device => {
                Ok(data)
            }
            _ => Err(self.wrong(index, data.map(|data| (data.ty(), data.placement().device)))),
        }
    }

    #[cold]
    fn wrong(&self, index: usize, found: Option<(Type, DeviceId)>) -> Error {
        let (name, takes, device) = (self.named(index), self.types[index], self.device);
        match found {
            None => Error::program(format!("{name} is a buffer of another client"))
                .help("upload it to this client first"),
            Some((ty, _)) if ty != takes => Error::program(format!("{name} is {takes}, {ty} was given")),
            Some((_, lies)) => {
                Error::program(format!("{name} lies on device {lies}, the run is on {device}"))
                    .help("copy it to the device of the run")
            }
        }
    }

    /// Checks what is given up: by `given`, of each argument, the buffer's address and whether it is donated.
    ///
    /// # Errors
    /// A buffer is donated and used as another argument too; a parameter that `must` be donated is not.
    #[inline]
    pub fn check_donations(&self, must: &[usize], given: impl Fn(usize) -> (usize, bool)) -> Result<()> {
        if let Some(&index) = must.iter().find(|&&index| !given(index).1) {
            return Err(Error::program(format!("{} must be donated", self.named(index))));
        }
        if !(0..self.types.len()).any(|index| given(index).1) {
            return Ok(());
        }
        let mut donors = FxHashMap::default();
        for index in (0..self.types.len()).filter(|&index| given(index).1) {
            if let Some(other) = donors.insert(given(index).0, index) {
                return Err(self.shared("donated twice", index, other));
            }
        }
        for index in (0..self.types.len()).filter(|&index| !given(index).1) {
            if let Some(&other) = donors.get(&given(index).0) {
                return Err(self.shared("donated as another argument", index, other));
            }
        }
        Ok(())
    }

    /// The error of argument `index`, whose buffer is given up as argument `other` too.
    #[cold]
    fn shared(&self, what: &str, index: usize, other: usize) -> Error {
        let (name, other) = (self.named(index), self.named(other));
        Error::program(format!("{name} is {what}: {other} is the same buffer"))
            .help("copy it, or do not donate it")
    }
}
