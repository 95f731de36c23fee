//! How buffers come to be.

use std::sync::Mutex;

use jarrah_base::HostView;
use jarrah_pjrt::abi::*;
use jarrah_runtime::{BufferPromise, Event, HostSource, Promise};

use crate::buffer::{BufferObject, buffer, forward};
use crate::call::Call;
use crate::client::client;
use crate::device::placement_of;
use crate::error::foreign;
use crate::event::{self, UserArg};
use crate::failure::{Failure, Outcome};
use crate::host::{HostShape, order_of, type_of};
use crate::object::{self, Object, borrow, give, list, text};
use crate::order::Order;

/// Memory of the caller's that the plugin reads until this is dropped, which completes the caller's event.
struct Lent {
    data: *const u8,
    len: usize,
    released: Option<Promise>,
}

// SAFETY: the caller promises that the memory is there and does not change until the event is over.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        match self.len {
            0 => &[],
            // SAFETY: as for `Send`.
            len => unsafe { std::slice::from_raw_parts(self.data, len) },
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(released) = self.released.take() {
            released.complete(Ok(()));
        }
    }
}

impl Call for PJRT_Client_BufferFromHostBuffer_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let ty = type_of(self.r#type, self.dims, self.num_dims)?;
        let placement = placement_of(self.device, self.memory)?;
        let order = order_of(ty, self.device_layout)?;
        let strides = list(self.byte_strides, self.num_byte_strides, "strides")?;
        let shape = HostShape::strided(ty, strides)?.stored(&order);
        let ty = order.stored(ty);
        if self.data.is_null() && shape.bytes() > 0 {
            return Err(Failure::invalid("the data is null"));
        }
        // A run on several devices begins behind the call that asks for it. Programs that fill their arrays anew then, as JAX's own devices of several
        // let them, find that theirs were read.
        let is_read_later = shared.client.devices().len() > 1;
        let zero_copy = !is_read_later
            && matches!(
                self.host_buffer_semantics,
                PJRT_HostBufferSemantics::ImmutableZeroCopy | PJRT_HostBufferSemantics::MutableZeroCopy
            );
        let (buffer, done) = if !shape.is_plain() {
            // SAFETY: the caller promises that the tensor is there, strides and all.
            let dense = unsafe { shape.gather(self.data.cast()) };
            (
                shared.client.buffer_from_host(ty, HostSource::Shared(HostView::new(dense)), placement)?,
                Event::done(),
            )
        } else if zero_copy {
            let (promise, done) = Event::promise();
            let lent = Lent { data: self.data.cast(), len: shape.bytes(), released: Some(promise) };
            (shared.client.buffer_from_host(ty, HostSource::Shared(HostView::new(lent)), placement)?, done)
        } else {
            let lent = Lent { data: self.data.cast(), len: shape.bytes(), released: None };
            (
                shared.client.buffer_from_host(ty, HostSource::Borrowed(lent.as_ref()), placement)?,
                Event::done(),
            )
        };
        self.buffer = BufferObject::raw(shared, buffer, order);
        self.done_with_host_buffer = event::raw(done);
        Ok(())
    }
}

impl Call for PJRT_Client_CreateUninitializedBuffer_Args {
    /// The contents are zeros.
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let ty = type_of(self.shape_element_type, self.shape_dims, self.shape_num_dims)?;
        let order = order_of(ty, self.shape_layout)?;
        let buffer = shared.client.zeros(order.stored(ty), placement_of(self.device, self.memory)?)?;
        self.buffer = BufferObject::raw(shared, buffer, order);
        Ok(())
    }
}

impl Call for PJRT_Client_CreateErrorBuffer_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let ty = type_of(self.shape_element_type, self.shape_dims, self.shape_num_dims)?;
        let order = order_of(ty, self.shape_layout)?;
        let message = text(self.error_message, self.error_message_size, "message of the error")?;
        let placement = placement_of(std::ptr::null_mut(), self.memory)?;
        let (buffer, promise) = shared.client.promise(order.stored(ty), placement)?;
        promise.keep(Err(foreign(self.error_code, message)));
        self.buffer = BufferObject::raw(shared, buffer, order);
        Ok(())
    }
}

/// The duty to say which buffer another one is.
struct Fulfil {
    promise: Mutex<Option<BufferPromise>>,
    order: Order,
}

impl Object for Fulfil {
    type Handle = PJRT_FulfillAliasBufferCallback;
    const WHAT: &'static str = "callback of an alias";
}

impl Call for PJRT_Client_CreateAliasBuffer_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let ty = type_of(self.shape_element_type, self.shape_dims, self.shape_num_dims)?;
        let order = order_of(ty, self.shape_layout)?;
        let placement = placement_of(std::ptr::null_mut(), self.memory)?;
        let (buffer, promise) = shared.client.promise(order.stored(ty), placement)?;
        self.alias_buffer = BufferObject::raw(shared, buffer, order.clone());
        self.fulfill_alias_buffer_cb = give(Fulfil { promise: Mutex::new(Some(promise)), order });
        Ok(())
    }
}

impl Call for PJRT_Client_FulfillAliasBuffer_Args {
    /// Ends the life of the callback.
    fn call(&mut self) -> Outcome {
        client(self.client)?;
        let fulfil = borrow::<Fulfil>(self.fulfill_alias_buffer_cb)?;
        let failed = self.status_code != PJRT_Error_Code::OK;
        let source = match failed {
            true => None,
            false => {
                let object = buffer(self.buffer)?;
                object.check_order(&fulfil.order)?;
                Some(object.live()?.reader()?)
            }
        };
        let message = text(self.error_message, self.error_message_size, "message of the error")?;
        let promise = fulfil.promise.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let promise = promise.ok_or_else(|| Failure::invalid("the alias was fulfilled before"))?;
        drop(object::take::<Fulfil>(self.fulfill_alias_buffer_cb));
        match source {
            Some(reader) => forward(reader, move |view| promise.keep(view.map(HostSource::Shared))),
            None => promise.keep(Err(foreign(self.status_code, message))),
        }
        Ok(())
    }
}

/// Memory of somebody else's, whose owner wishes to know when it is no longer used.
struct Foreign {
    data: *mut u8,
    len: usize,
    on_delete: Option<unsafe extern "C" fn(*mut std::ffi::c_void, *mut std::ffi::c_void)>,
    user: UserArg,
}

// SAFETY: the caller promises that the memory is there until the callback is called, and that it does not change.
unsafe impl Send for Foreign {}
// SAFETY: as above.
unsafe impl Sync for Foreign {}

impl AsRef<[u8]> for Foreign {
    fn as_ref(&self) -> &[u8] {
        match self.len {
            0 => &[],
            // SAFETY: as for `Send`.
            len => unsafe { std::slice::from_raw_parts(self.data, len) },
        }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if let Some(on_delete) = self.on_delete {
            // SAFETY: the caller promises that the function may be called once with these pointers.
            unsafe { on_delete(self.data.cast(), self.user.get()) }
        }
    }
}

impl Call for PJRT_Client_CreateViewOfDeviceBuffer_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let ty = type_of(self.element_type, self.dims, self.num_dims)?;
        let order = order_of(ty, self.layout)?;
        if self.stream != 0 {
            return Err(Failure::unimplemented("PJRT_Client_CreateViewOfDeviceBuffer: there are no streams"));
        }
        let placement = placement_of(self.device, self.memory)?;
        let len = ty.bytes()?;
        if self.device_buffer_ptr.is_null() && len > 0 {
            return Err(Failure::invalid("the memory is null"));
        }
        let foreign = Foreign {
            data: self.device_buffer_ptr.cast(),
            len,
            on_delete: self.on_delete_callback,
            user: UserArg(self.on_delete_callback_arg),
        };
        let source = HostSource::Shared(HostView::new(foreign));
        let buffer = shared.client.buffer_from_host(order.stored(ty), source, placement)?;
        self.buffer = BufferObject::raw(shared, buffer, order);
        Ok(())
    }
}
