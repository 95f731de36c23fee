//! Topologies: the devices a program is compiled for without a client.

use super::*;

structs! {
    args PJRT_TopologyDescription_Create_Args {
        topology_name: *const c_char, topology_name_size: usize, create_options: *const PJRT_NamedValue,
        num_options: usize, topology: *mut PJRT_TopologyDescription,
    }
    args PJRT_TopologyDescription_Destroy_Args { topology: *mut PJRT_TopologyDescription }
    args PJRT_TopologyDescription_PlatformVersion_Args {
        topology: *mut PJRT_TopologyDescription, platform_version: *const c_char, platform_version_size: usize,
    }
    args PJRT_TopologyDescription_PlatformName_Args {
        topology: *const PJRT_TopologyDescription, platform_name: *const c_char, platform_name_size: usize,
    }
    args PJRT_TopologyDescription_GetDeviceDescriptions_Args {
        topology: *const PJRT_TopologyDescription, descriptions: *const *mut PJRT_DeviceDescription,
        num_descriptions: usize,
    }
    args PJRT_TopologyDescription_Serialize_Args {
        topology: *mut PJRT_TopologyDescription, serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_topology: *mut PJRT_SerializedTopology,
        serialized_topology_deleter: Option<unsafe extern "C" fn(serialized_topology: *mut PJRT_SerializedTopology)>,
    }
    args PJRT_TopologyDescription_Deserialize_Args {
        serialized_topology: *const c_char, serialized_topology_size: usize, topology: *mut PJRT_TopologyDescription,
    }
    args PJRT_TopologyDescription_Attributes_Args {
        topology: *mut PJRT_TopologyDescription, attributes: *const PJRT_NamedValue, num_attributes: usize,
    }
    args PJRT_TopologyDescription_Fingerprint_Args { topology: *const PJRT_TopologyDescription, fingerprint: u64 }
    args PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {
        topology: *const PJRT_TopologyDescription, memory_space_kind_id: c_int, dims: *const i64, num_dims: usize,
        element_type: PJRT_Buffer_Type, layout: *const PJRT_Buffer_MemoryLayout, serialized_shape: *const c_char,
        serialized_shape_size: usize, serialized_shape_deleter: Option<unsafe extern "C" fn(*const c_char)>,
    }
    args PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {
        topology: *const PJRT_TopologyDescription, memory_space_kind_ids: *const c_int,
        num_memory_space_kind_ids: usize,
    }
}
