//! Transfers from the host to several buffers, piece by piece.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_base::{HostView, Type};
use jarrah_pjrt::abi::*;
use jarrah_runtime::{Buffer, BufferPromise, Event, HostSource, Placement};

use crate::buffer::BufferObject;
use crate::call::Call;
use crate::client::{Shared, client};
use crate::device::placement_of;
use crate::error::foreign;
use crate::event;
use crate::failure::{Failure, Outcome};
use crate::host::{HostShape, order_of, type_of};
use crate::object::{self, Object, borrow, bytes, give, list, text};
use crate::order::Order;

/// Buffers on their way.
pub struct ManagerObject {
    shared: Arc<Shared>,
    placement: Placement,
    parts: Vec<Mutex<Part>>,
}

/// A buffer on its way.
struct Part {
    /// The type of the tensor.
    ty: Type,
    order: Order,
    buffer: Option<Buffer>,
    promise: Option<BufferPromise>,
    /// What has arrived; made at the first transfer.
    bytes: Vec<u8>,
}

impl Object for ManagerObject {
    type Handle = PJRT_AsyncHostToDeviceTransferManager;
    const WHAT: &'static str = "transfer manager";
}

impl ManagerObject {
    fn part(&self, index: i32) -> Outcome<MutexGuard<'_, Part>> {
        let part = usize::try_from(index).ok().and_then(|index| self.parts.get(index));
        let part = part.ok_or_else(|| {
            Failure::invalid(format!("there is no buffer {index} in a transfer of {}", self.parts.len()))
        })?;
        Ok(part.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Part {
    fn promise(&mut self) -> Outcome<BufferPromise> {
        self.promise.take().ok_or_else(|| Failure::invalid("the buffer was filled before"))
    }
}

fn manager(handle: *mut PJRT_AsyncHostToDeviceTransferManager) -> Outcome<&'static ManagerObject> {
    borrow(handle)
}

impl Call for PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let placement = placement_of(std::ptr::null_mut(), self.memory)?;
        let layouts = list(self.device_layouts, self.num_device_layouts, "layouts")?;
        let mut parts = Vec::new();
        for (at, spec) in list(self.shape_specs, self.num_shape_specs, "shapes")?.iter().enumerate() {
            let ty = type_of(spec.element_type, spec.dims, spec.num_dims)?;
            let order = order_of(ty, layouts.get(at).copied().unwrap_or_default())?;
            let (buffer, promise) = shared.client.promise(order.stored(ty), placement)?;
            parts.push(Mutex::new(Part {
                ty,
                order,
                buffer: Some(buffer),
                promise: Some(promise),
                bytes: Vec::new(),
            }));
        }
        self.transfer_manager = give(ManagerObject { shared: shared.clone(), placement, parts });
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {
    /// Buffers that did not arrive become errors.
    fn call(&mut self) -> Outcome {
        drop(object::take::<ManagerObject>(self.transfer_manager));
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
    fn call(&mut self) -> Outcome {
        let mut part = manager(self.transfer_manager)?.part(self.buffer_index)?;
        let size = usize::try_from(self.transfer_size).unwrap_or(usize::MAX);
        let data = bytes(self.data.cast(), size, "bytes of a transfer")?;
        if part.promise.is_none() {
            return Err(Failure::invalid("the buffer was filled before"));
        }
        let whole = part.ty.bytes()?;
        let start = usize::try_from(self.offset).ok();
        let end = start.and_then(|start| start.checked_add(size)).filter(|&end| end <= whole);
        let (Some(start), Some(end)) = (start, end) else {
            let (ty, offset) = (part.ty, self.offset);
            return Err(Failure::invalid(format!("{size} bytes from {offset} on do not lie in {ty}")));
        };
        part.bytes.resize(whole, 0);
        part.bytes[start..end].copy_from_slice(data);
        if self.is_last_transfer {
            let (promise, bytes) = (part.promise()?, std::mem::take(&mut part.bytes));
            promise.keep(Ok(HostSource::Shared(HostView::new(bytes))));
        }
        self.done_with_h2d_transfer = event::raw(Event::done());
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {
    fn call(&mut self) -> Outcome {
        let mut part = manager(self.transfer_manager)?.part(self.buffer_index)?;
        let ty = type_of(self.shape_element_type, self.shape_dims, self.shape_num_dims)?;
        if ty != part.ty {
            return Err(Failure::invalid(format!("a buffer of type {} cannot be filled with {ty}", part.ty)));
        }
        let shape = HostShape::laid_out(ty, self.shape_layout)?.stored(&part.order);
        if self.data.is_null() && shape.bytes() > 0 {
            return Err(Failure::invalid("the data is null"));
        }
        let promise = part.promise()?;
        // SAFETY: the caller promises that a tensor of this shape is there.
        let dense = unsafe { shape.gather(self.data.cast()) };
        promise.keep(Ok(HostSource::Shared(HostView::new(dense))));
        self.done_with_h2d_transfer = event::raw(Event::done());
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
    fn call(&mut self) -> Outcome {
        let manager = manager(self.transfer_manager)?;
        let mut part = manager.part(self.buffer_index)?;
        let buffer = part.buffer.take();
        let buffer = buffer.ok_or_else(|| Failure::invalid("the buffer was retrieved before"))?;
        self.buffer_out = BufferObject::raw(&manager.shared, buffer, part.order.clone());
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_Device_Args {
    fn call(&mut self) -> Outcome {
        let manager = manager(self.transfer_manager)?;
        self.device_out = manager.shared.device(manager.placement.device)?;
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args {
    fn call(&mut self) -> Outcome {
        self.buffer_count = manager(self.transfer_manager)?.parts.len();
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args {
    fn call(&mut self) -> Outcome {
        self.buffer_size = manager(self.transfer_manager)?.part(self.buffer_index)?.ty.bytes()?;
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
    fn call(&mut self) -> Outcome {
        let message = text(self.error_message, self.error_message_size, "message of the error")?;
        let promise = manager(self.transfer_manager)?.part(self.buffer_index)?.promise()?;
        promise.keep(Err(foreign(self.error_code, message)));
        Ok(())
    }
}

impl Call for PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args {
    /// Nothing depends on what is said about a transfer.
    fn call(&mut self) -> Outcome {
        manager(self.transfer_manager)?;
        object::options(self.transfer_metadata, self.num_metadata).map(|_| ())
    }
}
