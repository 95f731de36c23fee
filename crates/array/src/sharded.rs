//! Arrays over several devices: how they are cut, their shards, and functions on them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{Error, HostView, Literal, Location, Result, Type};
use jarrah_compiler::{Partitioned, partition};
use jarrah_formats::copy_region;
use jarrah_hlo::Program;
use jarrah_hlo::sharding::{Mesh, ProgramShardings, TensorSharding};
use jarrah_runtime::{Arg, Buffer, CompileOptions, DeviceId, Executable, ExecuteOptions, HostSource};

use crate::array::{Array, Repr, here};
use crate::device::{self, Device, default_device};
use crate::eager::Node;
use crate::error::fail_at;
use crate::partition_spec::PartitionSpec;
use crate::trace::users_line;

/// How an array lies on the devices of a mesh: a [`PartitionSpec`] says along which axes of the mesh each of its dimensions is cut.
///
/// ```
/// use jarrah_array::{Mesh, NamedSharding, P};
/// let mesh = Mesh::new(&[("data", 1)])?;
/// let rows = NamedSharding::new(&mesh, P!["data", None])?;
/// assert_eq!(rows.to_string(), r#"P!["data", None] over {"data": 1}"#);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.sharding.NamedSharding`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedSharding {
    mesh: Mesh,
    spec: PartitionSpec,
    devices: Arc<[Device]>,
}

impl NamedSharding {
    /// On the first devices of the default device's client, which has at least as many as the mesh.
    ///
    /// # Errors
    /// There are fewer devices; the spec names an axis that the mesh has not, or an axis twice.
    #[track_caller]
    pub fn new(mesh: &Mesh, spec: PartitionSpec) -> Result<NamedSharding> {
        let mut devices = crate::device::devices();
        let count = devices.len();
        if count < mesh.len() {
            let error = format!("a mesh of {} devices, where there are {count}", mesh.len());
            return Err(of_sharding(Error::program(error)).help(
                "JARRAH_CPU_DEVICES says how many devices the processor is; `jarrah launch` starts several processes",
            ));
        }
        devices.truncate(mesh.len());
        NamedSharding::on(mesh, spec, devices)
    }

    /// On these devices of one client: the device at each point of the mesh, row by row, by the number that the mesh has for it.
    ///
    /// # Errors
    /// They are not as many as the mesh has, belong to several clients, or one is there twice; as [`NamedSharding::new`].
    ///
    /// ```
    /// use jarrah_array::{Mesh, NamedSharding, P, devices};
    /// let rows = NamedSharding::on(&Mesh::new(&[("data", 1)])?, P!["data"], devices()[..1].to_vec())?;
    /// assert_eq!((rows.spec(), rows.mesh().len(), rows.devices()), (&P!["data"], 1, &devices()[..1]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn on(mesh: &Mesh, spec: PartitionSpec, devices: Vec<Device>) -> Result<NamedSharding> {
        if devices.len() != mesh.len() {
            let error = format!("{} devices for a mesh of {}", devices.len(), mesh.len());
            return Err(of_sharding(Error::program(error)));
        }
        if devices.iter().any(|device| !device.is_sibling(&devices[0])) {
            return Err(of_sharding(Error::program("the devices belong to several clients")));
        }
        let mut sorted: Vec<DeviceId> = devices.iter().map(Device::id).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let error = format!("device {} is there twice in the devices of a mesh", pair[0]);
            return Err(of_sharding(Error::program(error)));
        }
        let at = Location::caller();
        spec.cuts(mesh, spec.rank()).map_err(|error| error.at(users_line(at)).op("NamedSharding"))?;
        Ok(NamedSharding { mesh: mesh.clone(), spec, devices: devices.into() })
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The cut of each dimension.
    pub fn spec(&self) -> &PartitionSpec {
        &self.spec
    }

    /// The devices, by the numbers that the mesh has for them.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The places of the array of each device, by dimension; those of a device of another process among them.
    ///
    /// # Errors
    /// An array of these extents has fewer dimensions than the spec, or cannot be cut evenly.
    ///
    /// ```
    /// use jarrah_array::{Mesh, NamedSharding, P};
    /// let mesh = Mesh::new(&[("data", 1)])?;
    /// assert_eq!(NamedSharding::new(&mesh, P!["data"])?.slices(&[6, 2])?, [[0..6, 0..2]]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn slices(&self, dims: &[usize]) -> Result<Vec<Vec<Range<usize>>>> {
        let rows = self.spec.cuts(&self.mesh, dims.len())?.slices(&self.mesh, dims)?;
        let mut by_device = vec![Vec::new(); self.devices.len()];
        for (device, slices) in self.mesh.devices().zip(rows) {
            let place = by_device.get_mut(device);
            *place.ok_or_else(|| Error::program(format!("the mesh numbers a device {device}")))? = slices;
        }
        Ok(by_device)
    }

    /// The devices of this process, by number.
    fn here(&self) -> impl Iterator<Item = (usize, &Device)> {
        self.devices.iter().enumerate().filter(|(_, device)| device.is_addressable())
    }

    fn options(&self) -> CompileOptions {
        let devices: Vec<DeviceId> = self.devices.iter().map(Device::id).collect();
        CompileOptions { partitions: devices.len(), devices, ..CompileOptions::default() }
    }
}

/// The error of a sharding at the line that asks for it.
#[track_caller]
fn of_sharding(error: Error) -> Error {
    error.op("NamedSharding").at(users_line(Location::caller()))
}

impl fmt::Display for NamedSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes: Vec<String> =
            self.mesh.axes().iter().map(|axis| format!("{:?}: {}", axis.name, axis.size)).collect();
        write!(f, "{} over {{{}}}", self.spec, axes.join(", "))
    }
}

/// The part of an array that one device has.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The device.
    pub device: Device,
    /// Its place in the whole array, by dimension.
    pub index: Vec<Range<usize>>,
    /// Its elements, on that device.
    pub data: Array,
}

/// The parts of an array that the devices of this process have.
pub(crate) struct Shards {
    sharding: NamedSharding,
    /// The device's number, and its part.
    parts: Vec<(usize, Buffer)>,
}

impl Shards {
    pub(crate) fn device(&self) -> Device {
        self.parts.first().map_or_else(default_device, |(device, _)| self.sharding.devices[*device].clone())
    }

    /// Waits until the parts are computed.
    ///
    /// # Errors
    /// The run failed.
    pub(crate) fn wait(&self) -> Result<()> {
        self.parts.iter().try_for_each(|(_, part)| part.ready().wait())
    }

    /// The whole array.
    ///
    /// # Errors
    /// Some of it lies in other processes alone.
    pub(crate) fn whole(&self, ty: Type) -> Result<Literal> {
        let dims: Vec<usize> = ty.extents().collect();
        let all: Vec<Range<usize>> = dims.iter().map(|&n| 0..n).collect();
        Literal::from_bytes(ty, &self.region(ty, &all)?)
    }

    /// The bytes of a region.
    fn region(&self, ty: Type, wanted: &[Range<usize>]) -> Result<Vec<u8>> {
        let dims: Vec<usize> = ty.extents().collect();
        let size = ty.dtype().size();
        let slices = self.sharding.slices(&dims)?;
        let elements: usize = wanted.iter().map(Range::len).product();
        let mut bytes = vec![0; elements * size];
        let mut done: Vec<&[Range<usize>]> = Vec::new();
        let mut covered = 0;
        for (device, part) in &self.parts {
            let lies = &slices[*device][..];
            if done.contains(&lies) {
                continue;
            }
            done.push(lies);
            let both: Vec<Range<usize>> = wanted
                .iter()
                .zip(lies)
                .map(|(a, b)| a.start.max(b.start)..a.end.min(b.end).max(a.start.max(b.start)))
                .collect();
            let count: usize = both.iter().map(Range::len).product();
            if count == 0 {
                continue;
            }
            covered += count;
            let view = part.view()?;
            copy_region(size, (view.bytes(), lies), (&mut bytes, wanted), &both);
        }
        if covered < elements {
            let error = "some of the array lies on devices of other processes";
            return Err(Error::program(error).help(
                "read its shards, or bring it together first: to_sharding with a spec that cuts no dimension",
            ));
        }
        Ok(bytes)
    }
}

/// The bytes of a region of a block that contains it.
fn cut(block: (&[u8], &[Range<usize>]), wanted: &[Range<usize>], size: usize) -> Vec<u8> {
    let elements: usize = wanted.iter().map(Range::len).product();
    let mut bytes = vec![0; elements * size];
    copy_region(size, block, (&mut bytes, wanted), wanted);
    bytes
}

impl Array {
    /// The array over the devices of a mesh, where it stays, with all that compiled functions and [`shard_map`](crate::shard_map) compute
    /// from it: they run on these devices, each on its own shards. An operation outside of such a function brings an array
    /// together on the default device first.
    ///
    /// An array that lies over devices already is cut again; devices of one process read no more of it than their new shards. Where it lies
    /// in several processes, they all call this, and the devices bring it together before they take their shards. An array on
    /// one device has to be the same in all processes.
    ///
    /// In a function that is traced, the array itself.
    ///
    /// # Errors
    /// The array has fewer dimensions than the spec, or cannot be cut evenly; a device is out of memory; the computation of the array failed.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_array::{Array, Mesh, NamedSharding, P, jit, set_client};
    /// use jarrah_cpu::{CpuClient, CpuOptions};
    ///
    /// set_client(Arc::new(CpuClient::with_options(CpuOptions { devices: 4, ..CpuOptions::default() })));
    /// let mesh = Mesh::new(&[("data", 2), ("model", 2)])?;
    /// let x = Array::arange(8).reshape(&[4, 2]).to_sharding(&NamedSharding::new(&mesh, P!["data", "model"])?)?;
    /// assert_eq!(x.shards()[3].index, [2..4, 1..2]);
    /// assert_eq!(x.shards()[3].data.to_vec::<i32>()?, [5, 7]);
    /// let y = jit(|x: &Array| x * 2).call(x)?.to_sharding(&NamedSharding::new(&mesh, P![None, "data"])?)?;
    /// assert_eq!(y.shards()[0].data.to_vec::<i32>()?, [0, 4, 8, 12]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `jax.device_put` with a sharding.
    #[track_caller]
    pub fn to_sharding(&self, sharding: &NamedSharding) -> Result<Array> {
        let Repr::Node(node) = &self.repr else { return Ok(self.clone()) };
        let at = users_line(Location::caller());
        let named = |error: Error| error.op("to_sharding").at(at);
        let ty = self.ty();
        let dims: Vec<usize> = ty.extents().collect();
        let slices = sharding.slices(&dims).map_err(named)?;
        if let Some(shards) = node.shards() {
            if shards.sharding == *sharding {
                return Ok(self.clone());
            }
            let owners = shards.sharding.devices.iter().chain(&*sharding.devices).map(Device::process);
            if owners.clone().max() != owners.min() {
                return again(self, &shards.sharding, sharding).map_err(named);
            }
            return Array::of_parts(ty, sharding, |device| shards.region(ty, &slices[device]));
        }
        let whole = node.literal().map_err(named)?;
        let all: Vec<Range<usize>> = dims.iter().map(|&n| 0..n).collect();
        let size = ty.dtype().size();
        Array::of_parts(ty, sharding, |device| Ok(cut((whole.bytes(), &all), &slices[device], size)))
    }

    /// An array over the devices of a mesh, of which `f` gives the elements at a place. It is called once for each place that a device of
    /// this process has; so no process needs the whole.
    ///
    /// # Errors
    /// As [`Array::to_sharding`]; `f` fails, or gives an array of another type.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, Mesh, NamedSharding, P, Type};
    /// let sharding = NamedSharding::new(&Mesh::new(&[("data", 1)])?, P!["data"])?;
    /// let x = Array::from_callback(Type::tensor(DType::I32, [6]), &sharding, |index| {
    ///     Ok(Array::from_slice(&index[0].clone().map(|i| i as i32).collect::<Vec<_>>()))
    /// })?;
    /// assert_eq!(x.to_vec::<i32>()?, [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `jax.make_array_from_callback`.
    #[track_caller]
    pub fn from_callback(
        ty: Type,
        sharding: &NamedSharding,
        mut f: impl FnMut(&[Range<usize>]) -> Result<Array>,
    ) -> Result<Array> {
        let at = users_line(Location::caller());
        let named = |error: Error| error.op("from_callback").at(at);
        let dims: Vec<usize> = ty.extents().collect();
        let slices = sharding.slices(&dims).map_err(named)?;
        let mut known: Vec<(Vec<Range<usize>>, Literal)> = Vec::new();
        Array::of_parts(ty, sharding, |device| {
            let index = &slices[device];
            if let Some((_, part)) = known.iter().find(|(place, _)| place == index) {
                return Ok(part.bytes().to_vec());
            }
            let part = f(index)?.to_literal()?;
            let wanted = ty.with_dims(index.iter().map(Range::len));
            if part.ty() != wanted {
                let error = format!("the part at {index:?} is {wanted}, {} was given", part.ty());
                return Err(named(Error::program(error)));
            }
            let bytes = part.bytes().to_vec();
            known.push((index.clone(), part));
            Ok(bytes)
        })
    }

    /// An array over the devices of a mesh, of which each process gives the elements that its devices have: the smallest block of the array
    /// that contains them.
    ///
    /// # Errors
    /// As [`Array::from_callback`]; `local` has other extents than the block.
    ///
    /// ```
    /// use jarrah_array::{Array, Mesh, NamedSharding, P};
    /// let sharding = NamedSharding::new(&Mesh::new(&[("data", 1)])?, P!["data"])?;
    /// // One process has the whole array.
    /// let x = Array::from_process_local(&Array::arange(4), &[4], &sharding)?;
    /// assert_eq!(x.to_vec::<i32>()?, [0, 1, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `jax.make_array_from_process_local_data`.
    #[track_caller]
    pub fn from_process_local(local: &Array, shape: &[usize], sharding: &NamedSharding) -> Result<Array> {
        let at = users_line(Location::caller());
        let named = |error: Error| error.op("from_process_local").at(at);
        let slices = sharding.slices(shape).map_err(named)?;
        let mut block: Vec<Range<usize>> = shape.iter().map(|&n| n..0).collect();
        for (device, _) in sharding.here() {
            for (whole, part) in block.iter_mut().zip(&slices[device]) {
                *whole = whole.start.min(part.start)..whole.end.max(part.end);
            }
        }
        let ty = local.ty().with_dims(shape.iter().copied());
        let wanted = local.ty().with_dims(block.iter().map(Range::len));
        if local.ty() != wanted {
            let error = format!(
                "the devices of this process have {block:?} of {ty}: {wanted}, {} was given",
                local.ty()
            );
            return Err(named(Error::program(error)));
        }
        let local = local.to_literal()?;
        let size = ty.dtype().size();
        Array::of_parts(ty, sharding, |device| Ok(cut((local.bytes(), &block), &slices[device], size)))
    }

    /// How the array lies over the devices of a mesh; `None` for one that is on one device.
    pub fn sharding(&self) -> Option<&NamedSharding> {
        self.node()?.shards().map(|shards| &shards.sharding)
    }

    /// The shards that the devices of this process have, by device; none of an array that is on one device.
    ///
    /// # Errors
    ///
    /// A program error in a function that is being traced, whose arrays have no shards.
    #[track_caller]
    pub fn shards(&self) -> Vec<Shard> {
        let Some(node) = self.node() else {
            let error = Error::program("an array of a function that is traced has no shards").op("shards");
            fail_at(Location::caller(), error)
        };
        let Some(shards) = node.shards() else { return Vec::new() };
        let dims: Vec<usize> = self.ty().extents().collect();
        // The sharding was checked when the array was made.
        let slices = shards.sharding.slices(&dims).unwrap_or_default();
        let source = here();
        let shard = |(at, buffer): &(usize, Buffer)| {
            let device = shards.sharding.devices[*at].clone();
            let data = Array::from_node(Node::part_of(node, buffer.clone(), device.clone(), source));
            Shard { device, index: slices[*at].clone(), data }
        };
        shards.parts.iter().map(shard).collect()
    }

    /// An array of the bytes that the devices of this process have.
    #[track_caller]
    fn of_parts(
        ty: Type,
        sharding: &NamedSharding,
        mut bytes: impl FnMut(usize) -> Result<Vec<u8>>,
    ) -> Result<Array> {
        let dims: Vec<usize> = ty.extents().collect();
        let part =
            ty.with_dims(sharding.spec.cuts(&sharding.mesh, dims.len())?.shard_dims(&sharding.mesh, &dims)?);
        let mut parts = Vec::new();
        for (at, device) in sharding.here() {
            let source = HostSource::Shared(HostView::new(bytes(at)?));
            parts.push((at, device.client().buffer_from_host(part, source, device.id().into())?));
        }
        let shards = Shards { sharding: sharding.clone(), parts };
        Ok(Array::from_node(Node::from_shards(ty, Arc::new(shards), here())))
    }
}

/// The array cut again by a run on the devices of both shardings.
#[track_caller]
fn again(x: &Array, from: &NamedSharding, to: &NamedSharding) -> Result<Array> {
    if from.devices != to.devices {
        return Err(Error::program("the array lies on other devices than it is to, some of them of other processes")
            .help("cut it over the same devices, or gather it first: to_sharding with a spec that cuts no dimension"));
    }
    let mut b = jarrah_hlo::Builder::new("to_sharding");
    let value = b.param(x.ty(), "x");
    let program = Arc::new(b.finish(&[value])?);
    let stated = vec![Some(to.spec.cuts(&to.mesh, x.rank())?)];
    let on = OnMesh::new(&program, &[x], stated, None)?
        .ok_or_else(|| Error::internal("an array without shards"))?;
    let mut results = on.run(&[x])?;
    results.pop().ok_or_else(|| Error::internal("a run without a result"))
}

/// A program compiled for the devices over which its arguments lie.
pub(crate) struct OnMesh {
    /// How each argument lies; `None` for one that is whole on each device.
    arguments: Vec<Option<NamedSharding>>,
    results: Vec<NamedSharding>,
    types: Vec<Type>,
    has_effects: bool,
    executable: Arc<dyn Executable>,
}

/// The array on a device. One that cannot be computed is a buffer with the error: the run begins in all processes or in none.
fn brought(node: &Arc<Node>, device: &Device) -> Result<Buffer> {
    match crate::eager::force(std::slice::from_ref(node), device) {
        Ok(mut buffers) => buffers.pop().ok_or_else(|| Error::internal("no buffer was made")),
        Err(error) => {
            let (buffer, promise) = device.client().promise(node.ty(), device.id().into())?;
            promise.keep(Err(error));
            Ok(buffer)
        }
    }
}

/// Whether some of the arrays lie over several devices.
pub(crate) fn any_sharded(arrays: &[&Array]) -> bool {
    arrays.iter().any(|array| array.sharding().is_some())
}

impl OnMesh {
    /// The program on the devices of these arguments; `None` if none lies over several devices. `stated` says how results are to lie.
    ///
    /// # Errors
    /// The arguments lie on different devices; the program cannot be compiled.
    pub(crate) fn new(
        program: &Arc<Program>,
        arrays: &[&Array],
        stated: Vec<Option<TensorSharding>>,
        memory_limit: Option<usize>,
    ) -> Result<Option<OnMesh>> {
        let arguments: Vec<Option<NamedSharding>> =
            arrays.iter().map(|array| array.sharding().cloned()).collect();
        let Some(first) = arguments.iter().flatten().next().cloned() else { return Ok(None) };
        if let Some(other) = arguments.iter().flatten().find(|other| other.devices != first.devices) {
            let devices = |sharding: &NamedSharding| {
                let ids: Vec<String> =
                    sharding.devices.iter().map(|device| device.id().to_string()).collect();
                format!("{sharding} on devices {}", ids.join(", "))
            };
            let (first, other) = (devices(&first), devices(other));
            let error = format!("the arguments lie on different devices: {first}; and {other}");
            return Err(Error::program(error).help("bring them to the same devices with to_sharding"));
        }
        let cuts = |(sharding, array): (&Option<NamedSharding>, &&Array)| {
            sharding.as_ref().map(|s| s.spec.cuts(&s.mesh, array.rank())).transpose()
        };
        let parameters = arguments.iter().zip(arrays).map(cuts).collect::<Result<Vec<_>>>()?;
        let shardings = ProgramShardings { parameters, results: stated };
        let whole = Program::clone(program).with_shardings(shardings)?;
        let Partitioned { program: part, results } = partition(&whole, first.devices.len())?;
        let result = |cut: Option<TensorSharding>| match cut {
            None => Ok(NamedSharding { spec: PartitionSpec::default(), ..first.clone() }),
            Some(cut) => {
                let mesh = cut.stated_mesh()?.clone();
                Ok(NamedSharding { spec: PartitionSpec::of(&cut)?, mesh, devices: first.devices.clone() })
            }
        };
        let results = results.into_iter().map(result).collect::<Result<_>>()?;
        let types = program.result_types();
        let options = CompileOptions { memory_limit, ..first.options() };
        let executable = first.devices[0].partitioned(&Arc::new(part), &options)?;
        let has_effects = !program.effects().may_drop();
        Ok(Some(OnMesh { arguments, results, types, has_effects, executable }))
    }

    /// Whether these arguments lie as those that it was compiled for.
    pub(crate) fn fits(&self, arrays: &[&Array]) -> bool {
        self.arguments.len() == arrays.len()
            && self.arguments.iter().zip(arrays).all(|(wanted, array)| wanted.as_ref() == array.sharding())
    }

    /// Runs it on these arguments.
    #[track_caller]
    pub(crate) fn run(&self, arrays: &[&Array]) -> Result<Vec<Array>> {
        let sharding = self.arguments.iter().flatten().next();
        let sharding = sharding.ok_or_else(|| Error::internal("a run on no mesh"))?;
        let own: Vec<(usize, &Device)> = sharding.here().collect();
        let mut given: Vec<Vec<Arg>> = vec![Vec::with_capacity(arrays.len()); own.len()];
        for array in arrays {
            let node = array.node().ok_or_else(|| Error::program("an array that is traced has no data"))?;
            match node.shards() {
                Some(shards) => {
                    for (list, (_, part)) in given.iter_mut().zip(&shards.parts) {
                        list.push(Arg::Borrow(part.clone()));
                    }
                }
                None => {
                    for (list, (_, device)) in given.iter_mut().zip(&own) {
                        list.push(Arg::Borrow(brought(node, device)?));
                    }
                }
            }
        }
        let ran = self.executable.execute(given, &ExecuteOptions::default())?;
        if self.types.is_empty() {
            ran.done.iter().try_for_each(|done| done.wait())?;
        } else if self.has_effects {
            ran.done.into_iter().for_each(device::in_flight);
        }
        let mut columns: Vec<Vec<(usize, Buffer)>> = vec![Vec::new(); self.types.len()];
        for (results, (at, _)) in ran.results.into_iter().zip(&own) {
            for (column, buffer) in columns.iter_mut().zip(results) {
                column.push((*at, buffer));
            }
        }
        let array = |((parts, &ty), sharding): ((Vec<(usize, Buffer)>, &Type), &NamedSharding)| {
            let shards = Shards { sharding: sharding.clone(), parts };
            Array::from_node(Node::from_shards(ty, Arc::new(shards), here()))
        };
        Ok(columns.into_iter().zip(&self.types).zip(&self.results).map(array).collect())
    }
}
