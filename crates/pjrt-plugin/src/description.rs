//! Descriptions of devices, which need no client.

use std::ffi::c_int;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::named::Named;
use jarrah_runtime::{DeviceAttribute, MemoryKind, RuntimeDevice};

use crate::call::Call;
use crate::failure::Outcome;
use crate::object::{Object, borrow, handle, raw_text};

/// The description of a device: its identifier, kind, attributes and memories, which need no client.
pub struct DescriptionObject {
    device: RuntimeDevice,
    debug: String,
    text: String,
    attributes: Named,
    pub memories: Vec<*const PJRT_MemoryDescription>,
    _memories: Box<[MemoryDescriptionObject]>,
}

impl Object for DescriptionObject {
    type Handle = PJRT_DeviceDescription;
    const WHAT: &'static str = "device description";
}

impl DescriptionObject {
    pub fn new(device: &RuntimeDevice) -> DescriptionObject {
        let memories: Box<[_]> = device.memories.iter().map(|&kind| MemoryDescriptionObject(kind)).collect();
        DescriptionObject {
            debug: format!("device {} of kind {} in process {}", device.id, device.kind, device.process),
            text: format!("JarrahDevice(id={})", device.id),
            attributes: Named::new(device.attributes.clone()),
            memories: memories.iter().map(|memory| handle(memory).cast_const()).collect(),
            _memories: memories,
            device: device.clone(),
        }
    }

    pub fn device(&self) -> &RuntimeDevice {
        &self.device
    }
}

/// A kind of memory of a device that is described.
pub struct MemoryDescriptionObject(pub MemoryKind);

impl Object for MemoryDescriptionObject {
    type Handle = PJRT_MemoryDescription;
    const WHAT: &'static str = "memory description";
}

/// The number of a kind of memory.
pub fn kind_id(kind: MemoryKind) -> c_int {
    MemoryKind::ALL.iter().position(|&known| known == kind).map_or(-1, |at| at as c_int)
}

fn description(handle: *mut PJRT_DeviceDescription) -> Outcome<&'static DescriptionObject> {
    borrow(handle)
}

impl Call for PJRT_DeviceDescription_Id_Args {
    fn call(&mut self) -> Outcome {
        self.id = description(self.device_description)?.device.id.0 as c_int;
        Ok(())
    }
}

impl Call for PJRT_DeviceDescription_ProcessIndex_Args {
    fn call(&mut self) -> Outcome {
        self.process_index = description(self.device_description)?.device.process as c_int;
        Ok(())
    }
}

impl Call for PJRT_DeviceDescription_Attributes_Args {
    fn call(&mut self) -> Outcome {
        let attributes = &description(self.device_description)?.attributes;
        (self.attributes, self.num_attributes) = (attributes.as_ptr(), attributes.len());
        Ok(())
    }
}

impl Call for PJRT_DeviceDescription_Kind_Args {
    fn call(&mut self) -> Outcome {
        let kind = &description(self.device_description)?.device.kind;
        (self.device_kind, self.device_kind_size) = raw_text(kind);
        Ok(())
    }
}

impl Call for PJRT_DeviceDescription_DebugString_Args {
    fn call(&mut self) -> Outcome {
        (self.debug_string, self.debug_string_size) = raw_text(&description(self.device_description)?.debug);
        Ok(())
    }
}

impl Call for PJRT_DeviceDescription_ToString_Args {
    fn call(&mut self) -> Outcome {
        (self.to_string, self.to_string_size) = raw_text(&description(self.device_description)?.text);
        Ok(())
    }
}

impl Call for PJRT_DeviceDescription_MemoryDescriptions_Args {
    fn call(&mut self) -> Outcome {
        let memories = &description(self.device_description)?.memories;
        (self.memory_descriptions, self.num_memory_descriptions) = (memories.as_ptr(), memories.len());
        self.default_memory_index = 0;
        Ok(())
    }
}

impl Call for PJRT_MemoryDescription_Kind_Args {
    fn call(&mut self) -> Outcome {
        let MemoryDescriptionObject(kind) = borrow::<MemoryDescriptionObject>(self.memory_description)?;
        (self.kind, self.kind_size) = raw_text(kind.name());
        self.kind_id = kind_id(*kind);
        Ok(())
    }
}

/// The attributes of a topology or a client, as text where they are none of a device.
pub fn attribute(name: &str, text: impl Into<String>) -> (String, DeviceAttribute) {
    (name.to_owned(), DeviceAttribute::Text(text.into()))
}
