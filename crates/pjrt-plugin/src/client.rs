//! Clients.

use std::ffi::c_int;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use jarrah_hlo_format::bytecode::Version;
use jarrah_pjrt::abi::*;
use jarrah_pjrt::named::Named;
use jarrah_runtime::{Buffer, Client, DeviceAttribute, DeviceId, Placement, RuntimeDevice};

use crate::backend;
use crate::call::Call;
use crate::device::{DeviceObject, MemoryObject};
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, give, handle, list_mut, raw_text};
use crate::processes::{Joined, KeyValues};
use crate::profiler;
use crate::topology::TopologyObject;

/// A client, as C owns it.
pub struct ClientObject(pub Arc<Shared>);

impl Object for ClientObject {
    type Handle = PJRT_Client;
    const WHAT: &'static str = "client";
}

/// What a client, its buffers and its executables share; it lives as long as one of them does.
pub struct Shared {
    pub client: Arc<dyn Client>,
    pub topology: TopologyObject,
    /// The exchange with other processes, if there are any.
    pub joined: Option<Arc<Joined>>,
    version: String,
    _devices: Box<[DeviceObject]>,
    _memories: Box<[MemoryObject]>,
    /// The devices of all processes.
    pub device_handles: Vec<*mut PJRT_Device>,
    /// The positions of this process's devices among them.
    own: Range<usize>,
    /// By device of this process, then by kind in the device's order.
    memory_handles: Vec<*mut PJRT_Memory>,
}

// SAFETY: the pointers are handles of the objects beside them, which are changed behind locks only.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub fn new(client: Arc<dyn Client>, joined: Option<Arc<Joined>>) -> Arc<Shared> {
        profiler::watch(&client);
        Arc::new_cyclic(|shared| {
            let list = client.devices();
            let is_own = |device: &RuntimeDevice| device.process == client.process();
            let own = list.iter().filter(|device| is_own(device));
            let pairs = own.flat_map(|device| device.memories.iter().map(move |&kind| (device, kind)));
            let memories: Box<[_]> = pairs
                .enumerate()
                .map(|(id, (device, kind))| MemoryObject::new(shared.clone(), device, kind, id))
                .collect();
            let mut rest = &memories[..];
            let devices: Box<[_]> = list
                .iter()
                .map(|device| {
                    let reached = if is_own(device) { device.memories.len() } else { 0 };
                    let (own, others) = rest.split_at(reached);
                    rest = others;
                    DeviceObject::new(shared.clone(), device, own)
                })
                .collect();
            let first = client.first().index();
            let count = list.iter().filter(|device| is_own(device)).count();
            Shared {
                own: first..first + count,
                version: backend::version(&*client),
                topology: TopologyObject::new(list, backend::version(&*client)),
                device_handles: devices.iter().map(handle).collect(),
                memory_handles: memories.iter().map(handle).collect(),
                _devices: devices,
                _memories: memories,
                joined,
                client,
            }
        })
    }

    /// The handle of a device.
    pub fn device(&self, id: DeviceId) -> Outcome<*mut PJRT_Device> {
        let handle = self.device_handles.get(id.index()).copied();
        handle.ok_or_else(|| {
            let count = self.device_handles.len();
            Failure::invalid(format!("there is no device {id}; the devices are 0 to {}", count - 1))
        })
    }

    /// The handles of this process's devices.
    pub fn own(&self) -> &[*mut PJRT_Device] {
        &self.device_handles[self.own.clone()]
    }

    /// Whether a device is one of this process's.
    pub fn is_own(&self, id: DeviceId) -> bool {
        self.own.contains(&id.index())
    }

    /// The number of a device among those of its process.
    pub fn local_id(&self, id: DeviceId) -> usize {
        let devices = self.client.devices();
        let process = devices[id.index()].process;
        devices[..id.index()].iter().filter(|device| device.process == process).count()
    }

    /// The handle of a memory.
    pub fn memory(&self, place: Placement) -> Outcome<*mut PJRT_Memory> {
        let found = self._memories.iter().position(|memory| memory.placement() == place);
        let handle = found.map(|at| self.memory_handles[at]);
        handle.ok_or_else(|| {
            Failure::invalid(format!("device {} has no memory {}", place.device, place.memory))
        })
    }

    /// A copy of a buffer at another place, of this client or another.
    pub fn copy(&self, buffer: &Buffer, placement: Placement) -> Outcome<Buffer> {
        Ok(self.client.copy(buffer, placement)?)
    }
}

/// The client behind a handle.
pub fn client(handle: *mut PJRT_Client) -> Outcome<&'static Arc<Shared>> {
    borrow::<ClientObject>(handle).map(|object| &object.0)
}

impl Call for PJRT_Plugin_Initialize_Args {
    /// There is nothing to prepare.
    fn call(&mut self) -> Outcome {
        Ok(())
    }
}

impl Call for PJRT_Plugin_Attributes_Args {
    fn call(&mut self) -> Outcome {
        static ATTRIBUTES: OnceLock<Named> = OnceLock::new();
        let version = |version: Version| {
            DeviceAttribute::Integers([version.major, version.minor, version.patch].map(i64::from).to_vec())
        };
        let attributes = ATTRIBUTES.get_or_init(|| {
            Named::new(vec![
                // The version of XLA's client interface: 2 is the first that compiles StableHLO.
                ("xla_version".into(), DeviceAttribute::Integer(2)),
                ("stablehlo_current_version".into(), version(Version::CURRENT)),
                ("stablehlo_minimum_version".into(), version(Version::MINIMUM)),
            ])
        });
        (self.attributes, self.num_attributes) = (attributes.as_ptr(), attributes.len());
        Ok(())
    }
}

impl Call for PJRT_Client_Create_Args {
    fn call(&mut self) -> Outcome {
        let options = object::options(self.create_options, self.num_options)?;
        let (client, joined) = backend::client(&options, || KeyValues::of(self))?;
        self.client = give(ClientObject(Shared::new(client, joined)));
        Ok(())
    }
}

impl Call for PJRT_Client_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<ClientObject>(self.client));
        Ok(())
    }
}

impl Call for PJRT_Client_PlatformName_Args {
    fn call(&mut self) -> Outcome {
        client(self.client)?;
        (self.platform_name, self.platform_name_size) = raw_text(backend::PLATFORM);
        Ok(())
    }
}

impl Call for PJRT_Client_ProcessIndex_Args {
    fn call(&mut self) -> Outcome {
        self.process_index = client(self.client)?.client.process() as c_int;
        Ok(())
    }
}

impl Call for PJRT_Client_PlatformVersion_Args {
    fn call(&mut self) -> Outcome {
        (self.platform_version, self.platform_version_size) = raw_text(&client(self.client)?.version);
        Ok(())
    }
}

impl Call for PJRT_Client_TopologyDescription_Args {
    fn call(&mut self) -> Outcome {
        self.topology = handle(&client(self.client)?.topology);
        Ok(())
    }
}

impl Call for PJRT_Client_Devices_Args {
    fn call(&mut self) -> Outcome {
        let devices = &client(self.client)?.device_handles;
        (self.devices, self.num_devices) = (devices.as_ptr(), devices.len());
        Ok(())
    }
}

impl Call for PJRT_Client_AddressableDevices_Args {
    fn call(&mut self) -> Outcome {
        let devices = client(self.client)?.own();
        (self.addressable_devices, self.num_addressable_devices) = (devices.as_ptr(), devices.len());
        Ok(())
    }
}

impl Call for PJRT_Client_LookupDevice_Args {
    fn call(&mut self) -> Outcome {
        self.device = lookup(self.client, self.id)?;
        Ok(())
    }
}

impl Call for PJRT_Client_LookupAddressableDevice_Args {
    fn call(&mut self) -> Outcome {
        let own = client(self.client)?.own();
        let found = usize::try_from(self.local_hardware_id).ok().and_then(|at| own.get(at));
        self.addressable_device = *found.ok_or_else(|| {
            Failure::invalid(format!("this process has no device {} of its own", self.local_hardware_id))
        })?;
        Ok(())
    }
}

fn lookup(handle: *mut PJRT_Client, id: c_int) -> Outcome<*mut PJRT_Device> {
    let client = client(handle)?;
    let id = u32::try_from(id).map_err(|_| Failure::invalid(format!("there is no device {id}")))?;
    client.device(DeviceId(id))
}

impl Call for PJRT_Client_UpdateGlobalProcessInfo_Args {
    /// The processes hear of each other's ends by their exchange.
    fn call(&mut self) -> Outcome {
        client(self.client).map(|_| ())
    }
}

impl Call for PJRT_Client_AddressableMemories_Args {
    fn call(&mut self) -> Outcome {
        let memories = &client(self.client)?.memory_handles;
        (self.addressable_memories, self.num_addressable_memories) = (memories.as_ptr(), memories.len());
        Ok(())
    }
}

impl Call for PJRT_Client_DefaultDeviceAssignment_Args {
    /// Replica by replica, the devices in their order; a single one is this process's first.
    fn call(&mut self) -> Outcome {
        let devices = client(self.client)?.device_handles.len();
        let (replicas, partitions) = (i64::from(self.num_replicas), i64::from(self.num_partitions));
        let wanted = usize::try_from(replicas.saturating_mul(partitions)).unwrap_or(0);
        if wanted == 0 || wanted > devices {
            return Err(Failure::invalid(format!(
                "{replicas} replicas of {partitions} partitions cannot be on {devices} devices"
            )));
        }
        let places = list_mut(self.default_assignment, self.default_assignment_size, "assigned devices")?;
        if places.len() < wanted {
            return Err(Failure::invalid(format!("the assignment of {wanted} devices does not fit")));
        }
        for (at, place) in places[..wanted].iter_mut().enumerate() {
            *place = at as c_int;
        }
        if wanted == 1 {
            places[0] = client(self.client)?.client.first().0 as c_int;
        }
        Ok(())
    }
}

impl Call for PJRT_Client_DmaMap_Args {
    /// Host memory is what the device works in: there is nothing to map.
    fn call(&mut self) -> Outcome {
        client(self.client).map(|_| ())
    }
}

impl Call for PJRT_Client_DmaUnmap_Args {
    /// As for mapping.
    fn call(&mut self) -> Outcome {
        client(self.client).map(|_| ())
    }
}
