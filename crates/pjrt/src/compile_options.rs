//! `xla.CompileOptionsProto`: with what a caller wishes a program to be compiled.

use jarrah_base::{Error, Result};

use crate::proto::{ProtoValue, Writer, fields};

/// The options of a compilation. Fields of the message that are not named here are ignored.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileOptionsProto {
    /// The layout wished for each argument; empty leaves all to the compiler.
    pub argument_layouts: Vec<ShapeProto>,
    /// The layout wished for the result, a tuple where there are several.
    pub result_layout: Option<ShapeProto>,
    /// Whether the arguments come as one tuple.
    pub parameter_is_tupled_arguments: bool,
    /// Whether the executable runs on whichever device its arguments lie.
    pub compile_portable_executable: bool,
    /// The device to compile for, if 0 or more.
    pub device_ordinal: i64,
    /// How often the program runs, on other data each time.
    pub num_replicas: i64,
    /// Into how many parts each run is split.
    pub num_partitions: i64,
    /// The device of each replica and partition.
    pub device_assignment: Option<DeviceAssignment>,
    /// Whether one program is to be partitioned by its annotations.
    pub use_spmd_partitioning: bool,
    /// Whether the annotations are those of Shardy.
    pub use_shardy_partitioner: bool,
    /// For which results the partitioner may choose a sharding.
    pub allow_spmd_sharding_propagation_to_output: Vec<bool>,
    /// For which parameters it may.
    pub allow_spmd_sharding_propagation_to_parameters: Vec<bool>,
    /// Options of the compiler by name, as `jax.jit(compiler_options=...)` gives them.
    pub env_option_overrides: Vec<(String, OptionOverride)>,
}

impl Default for CompileOptionsProto {
    fn default() -> Self {
        CompileOptionsProto {
            argument_layouts: Vec::new(),
            result_layout: None,
            parameter_is_tupled_arguments: false,
            compile_portable_executable: false,
            device_ordinal: -1,
            num_replicas: 1,
            num_partitions: 1,
            device_assignment: None,
            use_spmd_partitioning: false,
            use_shardy_partitioner: false,
            allow_spmd_sharding_propagation_to_output: Vec::new(),
            allow_spmd_sharding_propagation_to_parameters: Vec::new(),
            env_option_overrides: Vec::new(),
        }
    }
}

/// The value of an option of the compiler.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionOverride {
    /// A text.
    Text(String),
    /// Yes or no.
    Truth(bool),
    /// An integer.
    Integer(i64),
    /// A fraction.
    Double(f64),
}

/// Which device runs which part: `devices[partition][replica]`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeviceAssignment {
    /// By partition, the device of each replica.
    pub devices: Vec<Vec<i64>>,
}

/// A tensor's shape and how it lies in memory, or a tuple of such.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShapeProto {
    /// The number of the element type in `xla.PrimitiveType`.
    pub element_type: i64,
    /// The extents.
    pub dimensions: Vec<i64>,
    /// The members of a tuple.
    pub tuple: Vec<ShapeProto>,
    /// The dimensions from the one that varies fastest; `None` leaves the layout open.
    pub minor_to_major: Option<Vec<i64>>,
}

/// How deep tuples of shapes may nest.
const MAX_DEPTH: usize = 32;

impl CompileOptionsProto {
    /// The options that a serialized `xla.CompileOptionsProto` says.
    ///
    /// # Errors
    /// The bytes are no such message.
    pub fn read(message: &[u8]) -> Result<CompileOptionsProto> {
        let mut options = CompileOptionsProto::default();
        options.fill(message).map_err(|error| error.context("while reading the compile options"))?;
        Ok(options)
    }

    fn fill(&mut self, message: &[u8]) -> Result<()> {
        for field in fields(message) {
            match field? {
                (1, value) => self.argument_layouts.push(ShapeProto::read(value.bytes()?, 0)?),
                (2, value) => self.parameter_is_tupled_arguments = value.truth()?,
                (3, value) => self.build_options(value.bytes()?)?,
                (4, value) => self.compile_portable_executable = value.truth()?,
                (7, value) => self.env_option_overrides.push(entry(value.bytes()?)?),
                _ => {}
            }
        }
        Ok(())
    }

    /// `xla.ExecutableBuildOptionsProto`.
    fn build_options(&mut self, message: &[u8]) -> Result<()> {
        for field in fields(message) {
            match field? {
                (1, value) => self.device_ordinal = value.integer()?,
                (2, value) => self.result_layout = Some(ShapeProto::read(value.bytes()?, 0)?),
                (4, value) => self.num_replicas = value.integer()?,
                (5, value) => self.num_partitions = value.integer()?,
                (6, value) => self.use_spmd_partitioning = value.truth()?,
                (9, value) => self.device_assignment = Some(DeviceAssignment::read(value.bytes()?)?),
                (12, value) => truths(value, &mut self.allow_spmd_sharding_propagation_to_output)?,
                (18, value) => truths(value, &mut self.allow_spmd_sharding_propagation_to_parameters)?,
                (19, value) => self.use_shardy_partitioner = value.truth()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The serialized message.
    pub fn write(&self) -> Vec<u8> {
        let mut message = Writer::default();
        for shape in &self.argument_layouts {
            message.message(1, |out| shape.write(out));
        }
        message.truth(2, self.parameter_is_tupled_arguments);
        message.message(3, |out| {
            out.integer(1, self.device_ordinal);
            if let Some(shape) = &self.result_layout {
                out.message(2, |out| shape.write(out));
            }
            out.integer(4, self.num_replicas);
            out.integer(5, self.num_partitions);
            out.truth(6, self.use_spmd_partitioning);
            if let Some(assignment) = &self.device_assignment {
                out.bytes(9, &assignment.write());
            }
            out.packed(12, self.allow_spmd_sharding_propagation_to_output.iter().copied().map(i64::from));
            out.packed(18, self.allow_spmd_sharding_propagation_to_parameters.iter().copied().map(i64::from));
            out.truth(19, self.use_shardy_partitioner);
        });
        message.truth(4, self.compile_portable_executable);
        for (name, value) in &self.env_option_overrides {
            message.message(7, |out| {
                out.bytes(1, name.as_bytes());
                out.message(2, |out| match value {
                    OptionOverride::Text(text) => out.bytes(1, text.as_bytes()),
                    OptionOverride::Truth(value) => out.truth(2, *value),
                    OptionOverride::Integer(value) => out.integer(3, *value),
                    OptionOverride::Double(value) => out.double(4, *value),
                });
            });
        }
        message.into_bytes()
    }
}

fn truths(value: ProtoValue<'_>, into: &mut Vec<bool>) -> Result<()> {
    let mut integers = Vec::new();
    value.integers(&mut integers)?;
    into.extend(integers.into_iter().map(|value| value != 0));
    Ok(())
}

/// An entry of the map of options of the compiler.
fn entry(message: &[u8]) -> Result<(String, OptionOverride)> {
    let (mut name, mut value) = (String::new(), None);
    for field in fields(message) {
        match field? {
            (1, text) => name = text.text()?,
            (2, option) => {
                for field in fields(option.bytes()?) {
                    value = Some(match field? {
                        (1, text) => OptionOverride::Text(text.text()?),
                        (2, truth) => OptionOverride::Truth(truth.truth()?),
                        (3, integer) => OptionOverride::Integer(integer.integer()?),
                        (4, double) => OptionOverride::Double(double.double()?),
                        (number, _) => {
                            return Err(Error::input(format!(
                                "the option {name} is of the unknown kind {number}"
                            )));
                        }
                    });
                }
            }
            _ => {}
        }
    }
    let value = value.ok_or_else(|| Error::input(format!("the option {name} has no value")))?;
    Ok((name, value))
}

impl DeviceAssignment {
    /// One replica of one partition for each of these devices: replicas if there are as many, otherwise partitions.
    pub fn of(devices: &[i64], replicas: usize) -> DeviceAssignment {
        if replicas == devices.len() {
            return DeviceAssignment { devices: vec![devices.to_vec()] };
        }
        DeviceAssignment { devices: devices.iter().map(|&device| vec![device]).collect() }
    }

    /// The devices of a serialized `xla.DeviceAssignmentProto`.
    ///
    /// # Errors
    /// The bytes are no such message, or its counts are not those of its devices.
    pub fn read(message: &[u8]) -> Result<DeviceAssignment> {
        let (mut replicas, mut partitions) = (0, 0);
        let mut devices = Vec::new();
        for field in fields(message) {
            match field? {
                (1, value) => replicas = value.integer()?,
                (2, value) => partitions = value.integer()?,
                (3, value) => {
                    let mut ids = Vec::new();
                    for field in fields(value.bytes()?) {
                        if let (1, value) = field? {
                            value.integers(&mut ids)?;
                        }
                    }
                    devices.push(ids);
                }
                _ => {}
            }
        }
        let fits =
            devices.len() as i64 == partitions && devices.iter().all(|ids| ids.len() as i64 == replicas);
        match fits {
            true => Ok(DeviceAssignment { devices }),
            false => Err(Error::input(format!(
                "the device assignment is said to be of {replicas} replicas and {partitions} partitions, and is not"
            ))),
        }
    }

    /// The serialized message.
    pub fn write(&self) -> Vec<u8> {
        let mut message = Writer::default();
        message.integer(1, self.devices.first().map_or(0, |ids| ids.len() as i64));
        message.integer(2, self.devices.len() as i64);
        for ids in &self.devices {
            message.message(3, |out| out.packed(1, ids.iter().copied()));
        }
        message.into_bytes()
    }
}

impl ShapeProto {
    /// The shape of a serialized `xla.ShapeProto`.
    fn read(message: &[u8], depth: usize) -> Result<ShapeProto> {
        if depth == MAX_DEPTH {
            return Err(Error::input(format!("a shape nests more than {MAX_DEPTH} deep")));
        }
        let mut shape = ShapeProto::default();
        for field in fields(message) {
            match field? {
                (2, value) => shape.element_type = value.integer()?,
                (3, value) => value.integers(&mut shape.dimensions)?,
                (4, value) => shape.tuple.push(ShapeProto::read(value.bytes()?, depth + 1)?),
                (5, value) => {
                    let order = shape.minor_to_major.get_or_insert_default();
                    for field in fields(value.bytes()?) {
                        if let (1, value) = field? {
                            value.integers(order)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(shape)
    }

    fn write(&self, out: &mut Writer) {
        out.integer(2, self.element_type);
        out.packed(3, self.dimensions.iter().copied());
        for member in &self.tuple {
            out.message(4, |out| member.write(out));
        }
        if let Some(order) = &self.minor_to_major {
            out.message(5, |out| out.packed(1, order.iter().copied()));
        }
    }
}
