//! The extensions that tell of layouts and of the kinds of memory of a device.

use jarrah_pjrt::abi::*;

use crate::call::{Call, entry};
use crate::client::client;
use crate::extension::{base, keep};
use crate::failure::Outcome;
use crate::object::{self, Object, borrow, give};
use crate::order::Order;
use crate::topology::topology;
use crate::{buffer, host};

/// The extension for layouts.
pub fn extension(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    keep(PJRT_Layouts_Extension {
        base: base::<PJRT_Layouts_Extension>(PJRT_Extension_Type::Layouts, next),
        PJRT_Layouts_MemoryLayout_Destroy: Some(entry),
        PJRT_Layouts_MemoryLayout_Serialize: Some(entry),
        PJRT_Layouts_PJRT_Client_GetDefaultLayout: Some(entry),
        PJRT_Layouts_PJRT_Buffer_MemoryLayout: Some(entry),
        PJRT_Layouts_PJRT_Topology_GetDefaultLayout: Some(entry),
        PJRT_Layouts_PJRT_Executable_GetOutputLayouts: Some(entry),
        PJRT_Layouts_PJRT_Executable_GetParameterLayouts: Some(entry),
    })
}

/// The extension for the kinds of memory of a device that is described.
pub fn memories(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    keep(PJRT_MemoryDescriptions_Extension {
        base: base::<PJRT_MemoryDescriptions_Extension>(PJRT_Extension_Type::MemoryDescriptions, next),
        PJRT_DeviceDescription_MemoryDescriptions: Some(entry),
        PJRT_MemoryDescription_Kind: Some(entry),
    })
}

/// A layout as XLA writes it.
struct LayoutObject(String);

impl Object for LayoutObject {
    type Handle = PJRT_Layouts_MemoryLayout;
    const WHAT: &'static str = "layout";
}

impl LayoutObject {
    fn of(order: &Order) -> LayoutObject {
        LayoutObject(order.to_string())
    }
}

/// The layouts of the arguments or results of an executable, to which they belong.
pub struct Layouts {
    handles: Vec<*mut PJRT_Layouts_MemoryLayout>,
    _layouts: Box<[LayoutObject]>,
}

// SAFETY: the pointers are handles of the layouts beside them, which never change.
unsafe impl Send for Layouts {}
// SAFETY: as above.
unsafe impl Sync for Layouts {}

impl Layouts {
    /// The layouts of tensors; those of tokens are of rank 0.
    pub fn of(orders: &[Order]) -> Layouts {
        let layouts: Box<[_]> = orders.iter().map(LayoutObject::of).collect();
        Layouts { handles: layouts.iter().map(object::handle).collect(), _layouts: layouts }
    }

    /// The handles and their number.
    pub fn raw(&self) -> (*mut *mut PJRT_Layouts_MemoryLayout, usize) {
        (self.handles.as_ptr().cast_mut(), self.handles.len())
    }
}

impl Call for PJRT_Layouts_MemoryLayout_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<LayoutObject>(self.layout));
        Ok(())
    }
}

/// The bytes of a serialized layout.
struct Serialized(String);

impl Object for Serialized {
    type Handle = PJRT_Layouts_SerializedLayout;
    const WHAT: &'static str = "serialized layout";
}

unsafe extern "C" fn free(serialized: *mut PJRT_Layouts_SerializedLayout) {
    drop(object::take::<Serialized>(serialized));
}

impl Call for PJRT_Layouts_MemoryLayout_Serialize_Args {
    fn call(&mut self) -> Outcome {
        let kept = Serialized(borrow::<LayoutObject>(self.layout)?.0.clone());
        (self.serialized_bytes, self.serialized_bytes_size) = object::raw_text(&kept.0);
        self.serialized_layout = give(kept);
        self.serialized_layout_deleter = Some(free);
        Ok(())
    }
}

impl Call for PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
    fn call(&mut self) -> Outcome {
        client(self.client)?;
        let ty = host::type_of(self.r#type, self.dims, self.num_dims)?;
        self.layout = give(LayoutObject::of(&Order::row_major(ty.rank())));
        Ok(())
    }
}

impl Call for PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
    fn call(&mut self) -> Outcome {
        topology(self.topology_description)?;
        let ty = host::type_of(self.r#type, self.dims, self.num_dims)?;
        self.layout = give(LayoutObject::of(&Order::row_major(ty.rank())));
        Ok(())
    }
}

impl Call for PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
    fn call(&mut self) -> Outcome {
        self.layout = give(LayoutObject::of(&buffer::buffer(self.buffer)?.order));
        Ok(())
    }
}
