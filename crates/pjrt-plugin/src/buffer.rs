//! Buffers: what they are, reading, copying and giving them up.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use jarrah_base::{HostView, Result, Type};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::element;
use jarrah_runtime::{Buffer, BufferPromise, Event, HostSource, MemoryKind, Placement, Promise, Reader};

use crate::call::Call;
use crate::client::Shared;
use crate::device::{DeviceObject, MemoryObject};
use crate::error::foreign;
use crate::event;
use crate::failure::{Failure, Outcome};
use crate::host::{self, HostShape};
use crate::object::{self, Object, borrow, give, place};
use crate::order::Order;

/// A buffer, as C owns it.
pub struct BufferObject {
    pub buffer: Buffer,
    pub shared: Arc<Shared>,
    /// Whether the caller sees a token, which is ready when the buffer is and has no contents.
    token: bool,
    /// The tensor's extents, and the order of its axes in the buffer.
    dims: Vec<i64>,
    pub order: Order,
    minor_to_major: Vec<i64>,
    /// The memory that C holds by references of its own; it stays when the buffer is deleted.
    held: Mutex<Vec<Reader>>,
    /// Where the tensor lies, once C has asked.
    address: OnceLock<usize>,
}

impl Object for BufferObject {
    type Handle = PJRT_Buffer;
    const WHAT: &'static str = "buffer";
}

impl BufferObject {
    /// A buffer that holds a tensor whose axes lie in an order.
    fn new(shared: &Arc<Shared>, buffer: Buffer, order: Order) -> BufferObject {
        BufferObject {
            minor_to_major: order.axes_from_fastest(),
            dims: host::dims_of(order.held(buffer.ty())),
            order,
            buffer,
            token: false,
            shared: shared.clone(),
            held: Mutex::default(),
            address: OnceLock::new(),
        }
    }

    /// The handle of a new buffer object.
    pub fn raw(shared: &Arc<Shared>, buffer: Buffer, order: Order) -> *mut PJRT_Buffer {
        give(BufferObject::new(shared, buffer, order))
    }

    /// The handle of a new token that is ready when a buffer is.
    pub fn raw_token(shared: &Arc<Shared>, buffer: Buffer) -> *mut PJRT_Buffer {
        let order = Order::row_major(buffer.ty().rank());
        give(BufferObject { token: true, ..BufferObject::new(shared, buffer, order) })
    }

    /// The type of the tensor, whose axes may lie in another order than the buffer's.
    pub fn ty(&self) -> Type {
        self.order.held(self.buffer.ty())
    }

    /// Checks that the tensor lies as it should.
    pub fn check_order(&self, order: &Order) -> Outcome {
        let ty = self.ty();
        match order.axes().len() == ty.rank() && !host::agree(&self.order, order, ty) {
            true => Err(Failure::invalid(format!(
                "a tensor of type {ty} lies in the layout {}; {order} is needed",
                self.order
            ))),
            false => Ok(()),
        }
    }

    /// The buffer, unless it was deleted.
    pub fn live(&self) -> Outcome<&Buffer> {
        match self.buffer.is_deleted() {
            false => Ok(&self.buffer),
            true => Err(Failure::invalid(format!("the buffer of type {} was deleted or donated", self.ty()))),
        }
    }

    fn held(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the tensor and says where it lies.
    fn address(&self) -> Outcome<usize> {
        let address = self.live()?.address()?;
        Ok(*self.address.get_or_init(|| address))
    }
}

/// The buffer object behind a handle.
pub fn buffer(handle: *mut PJRT_Buffer) -> Outcome<&'static BufferObject> {
    borrow(handle)
}

/// Memory of the caller's that the plugin writes.
struct Destination {
    data: *mut u8,
    len: usize,
}

// SAFETY: the caller promises that the memory is there, and that nobody uses it, until the event of the transfer is over.
unsafe impl Send for Destination {}

/// Copies what `copy` takes from a buffer, once it is there.
fn read(
    reader: Reader,
    to: Destination,
    copy: impl FnOnce(&[u8], Destination) -> Outcome + Send + 'static,
) -> Event {
    let ready = reader.ready().clone();
    event::then(&ready, move || copy(reader.view()?.bytes(), to))
}

/// The bytes of a buffer, given to `keep` once they are there.
pub fn forward(reader: Reader, keep: impl FnOnce(Result<HostView>) + Send + 'static) {
    let ready = reader.ready().clone();
    ready.on_ready(move |_| keep(reader.view()));
}

impl Call for PJRT_Buffer_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<BufferObject>(self.buffer));
        Ok(())
    }
}

impl Call for PJRT_Buffer_ElementType_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        self.r#type = match object.token {
            true => PJRT_Buffer_Type::TOKEN,
            false => element::number_of(object.buffer.ty().dtype()),
        };
        Ok(())
    }
}

impl Call for PJRT_Buffer_Dimensions_Args {
    fn call(&mut self) -> Outcome {
        let dims = &buffer(self.buffer)?.dims;
        (self.dims, self.num_dims) = (dims.as_ptr(), dims.len());
        Ok(())
    }
}

impl Call for PJRT_Buffer_UnpaddedDimensions_Args {
    fn call(&mut self) -> Outcome {
        let dims = &buffer(self.buffer)?.dims;
        (self.unpadded_dims, self.num_dims) = (dims.as_ptr(), dims.len());
        Ok(())
    }
}

impl Call for PJRT_Buffer_DynamicDimensionIndices_Args {
    /// There are no dynamic dimensions.
    fn call(&mut self) -> Outcome {
        buffer(self.buffer)?;
        (self.dynamic_dim_indices, self.num_dynamic_dims) = (std::ptr::NonNull::dangling().as_ptr(), 0);
        Ok(())
    }
}

impl Call for PJRT_Buffer_GetMemoryLayout_Args {
    fn call(&mut self) -> Outcome {
        let order = &buffer(self.buffer)?.minor_to_major;
        let tiled = PJRT_Buffer_MemoryLayout_Tiled {
            minor_to_major: order.as_ptr(),
            minor_to_major_size: order.len(),
            ..PJRT_Buffer_MemoryLayout_Tiled::default()
        };
        self.layout = PJRT_Buffer_MemoryLayout {
            layout: PJRT_Buffer_MemoryLayout_Value { tiled },
            r#type: PJRT_Buffer_MemoryLayout_Type::Tiled,
            ..PJRT_Buffer_MemoryLayout::default()
        };
        Ok(())
    }
}

impl Call for PJRT_Buffer_ToHostBuffer_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.src)?;
        if object.token {
            return Err(Failure::invalid("a token has no contents to be read"));
        }
        let buffer = object.live()?;
        let shape = HostShape::laid_out(object.ty(), self.host_layout)?.stored(&object.order);
        if self.dst.is_null() {
            self.dst_size = shape.bytes();
            return Ok(());
        }
        if self.dst_size < shape.bytes() {
            return Err(Failure::invalid(format!(
                "the destination has {} bytes, {} needs {}",
                self.dst_size,
                object.ty(),
                shape.bytes()
            )));
        }
        let to = Destination { data: self.dst.cast(), len: self.dst_size };
        let copied = read(buffer.reader()?, to, move |bytes, to| {
            // SAFETY: the caller promises that the destination is there until the event is over.
            unsafe { shape.scatter(bytes, to.data, to.len) }
        });
        self.event = event::raw(copied);
        Ok(())
    }
}

impl Call for PJRT_Buffer_OnDeviceSizeInBytes_Args {
    fn call(&mut self) -> Outcome {
        self.on_device_size_in_bytes = buffer(self.buffer)?.buffer.ty().bytes()?;
        Ok(())
    }
}

impl Call for PJRT_Buffer_Delete_Args {
    fn call(&mut self) -> Outcome {
        buffer(self.buffer)?.buffer.delete();
        Ok(())
    }
}

impl Call for PJRT_Buffer_IsDeleted_Args {
    fn call(&mut self) -> Outcome {
        self.is_deleted = buffer(self.buffer)?.buffer.is_deleted();
        Ok(())
    }
}

/// The range of a tensor's bytes that the caller means.
fn range(ty: Type, offset: i64, size: i64) -> Outcome<std::ops::Range<usize>> {
    let bytes = ty.bytes()?;
    let start = usize::try_from(offset).ok();
    let end =
        usize::try_from(size).ok().and_then(|size| start?.checked_add(size)).filter(|&end| end <= bytes);
    match (start, end) {
        (Some(start), Some(end)) => Ok(start..end),
        _ => Err(Failure::invalid(format!(
            "{size} bytes from {offset} on do not lie in {ty}, which has {bytes}"
        ))),
    }
}

/// Copies a range of a tensor's bytes.
fn copy_range(bytes: &[u8], range: std::ops::Range<usize>, to: &Destination) {
    // SAFETY: the caller promises that the destination takes the range it asked for; the range lies in the tensor.
    unsafe { std::ptr::copy_nonoverlapping(bytes[range].as_ptr(), to.data, to.len) };
}

impl Call for PJRT_Buffer_CopyRawToHost_Args {
    fn call(&mut self) -> Outcome {
        let buffer = buffer(self.buffer)?.live()?;
        let range = range(buffer.ty(), self.offset, self.transfer_size)?;
        if self.dst.is_null() && !range.is_empty() {
            return Err(Failure::invalid("the destination is null"));
        }
        let to = Destination { data: self.dst.cast(), len: range.len() };
        let copied = read(buffer.reader()?, to, move |bytes, to| {
            copy_range(bytes, range, &to);
            Ok(())
        });
        self.event = event::raw(copied);
        Ok(())
    }
}

/// A copy whose destination is to be named later.
struct Pending {
    reader: Reader,
    range: std::ops::Range<usize>,
    promise: Promise,
}

impl Object for Pending {
    type Handle = std::ffi::c_void;
    const WHAT: &'static str = "copy";
}

unsafe extern "C" fn destination_ready(args: *mut PJRT_Buffer_CopyRawToHostFuture_Callback_Args) {
    let Ok(args) = place(args) else { return };
    let Some(pending) = object::take::<Pending>(args.callback_data) else { return };
    let Pending { reader, range, promise } = *pending;
    if args.error_code != PJRT_Error_Code::OK {
        let message =
            object::text(args.error_message, args.error_message_size, "message").unwrap_or_default();
        return promise.complete(Err(foreign(args.error_code, message)));
    }
    let to = Destination { data: args.dst.cast(), len: range.len() };
    let copied = read(reader, to, move |bytes, to| {
        copy_range(bytes, range, &to);
        Ok(())
    });
    copied.on_ready(move |outcome| promise.complete(outcome.clone()));
}

impl Call for PJRT_Buffer_CopyRawToHostFuture_Args {
    fn call(&mut self) -> Outcome {
        let buffer = buffer(self.buffer)?.live()?;
        let range = range(buffer.ty(), self.offset, self.transfer_size)?;
        let (promise, event) = Event::promise();
        self.callback_data = give(Pending { reader: buffer.reader()?, range, promise });
        self.event = event::raw(event);
        self.future_ready_callback = Some(destination_ready);
        Ok(())
    }
}

/// A copy of a buffer at another place.
fn copied(object: &BufferObject, to: &Arc<Shared>, placement: Placement) -> Outcome<*mut PJRT_Buffer> {
    let buffer = object.live()?;
    let order = object.order.clone();
    if Arc::ptr_eq(to, &object.shared) {
        return Ok(BufferObject::raw(to, to.copy(buffer, placement)?, order));
    }
    // Another client knows nothing of this one's memory: the tensor goes through the host.
    let (copy, promise) = to.client.promise(buffer.ty(), placement)?;
    forward(buffer.reader()?, move |view| {
        promise.keep(match &view {
            Ok(view) => Ok(HostSource::Borrowed(view.bytes())),
            Err(error) => Err(error.clone()),
        });
    });
    Ok(BufferObject::raw(to, copy, order))
}

impl Call for PJRT_Buffer_CopyToDevice_Args {
    fn call(&mut self) -> Outcome {
        let device = borrow::<DeviceObject>(self.dst_device)?;
        self.dst_buffer = copied(buffer(self.buffer)?, &device.client()?, device.id().into())?;
        Ok(())
    }
}

impl Call for PJRT_Buffer_CopyToMemory_Args {
    fn call(&mut self) -> Outcome {
        let memory = borrow::<MemoryObject>(self.dst_memory)?;
        self.dst_buffer = copied(buffer(self.buffer)?, &memory.client()?, memory.placement())?;
        Ok(())
    }
}

impl Call for PJRT_Buffer_Bitcast_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        let buffer = object.live()?;
        let ty = host::type_of(self.element_type, self.dims, self.num_dims)?;
        if ty.bytes()? != buffer.ty().bytes()? {
            return Err(Failure::invalid(format!(
                "the bytes of {} are not as many as those of {ty}",
                buffer.ty()
            )));
        }
        let order = host::order_of(ty, self.device_layout)?;
        let (cast, promise) = object.shared.client.promise(order.stored(ty), buffer.placement())?;
        forward(buffer.reader()?, move |view| promise.keep(view.map(HostSource::Shared)));
        self.out_buffer = BufferObject::raw(&object.shared, cast, order);
        Ok(())
    }
}

impl Call for PJRT_Buffer_IsOnCpu_Args {
    /// Whether the address of the tensor is one of host memory.
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        let device = object.buffer.placement().memory == MemoryKind::Device;
        self.is_on_cpu = !device || object.shared.client.platform() == "cpu";
        Ok(())
    }
}

impl Call for PJRT_Buffer_Device_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        self.device = object.shared.device(object.buffer.placement().device)?;
        Ok(())
    }
}

impl Call for PJRT_Buffer_Memory_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        self.memory = object.shared.memory(object.buffer.placement())?;
        Ok(())
    }
}

impl Call for PJRT_Buffer_ReadyEvent_Args {
    fn call(&mut self) -> Outcome {
        self.event = event::raw(buffer(self.buffer)?.live()?.ready());
        Ok(())
    }
}

impl Call for PJRT_Buffer_UnsafePointer_Args {
    fn call(&mut self) -> Outcome {
        self.buffer_pointer = buffer(self.buffer)?.address()?;
        Ok(())
    }
}

impl Call for PJRT_Buffer_IncreaseExternalReferenceCount_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        let reader = object.live()?.reader()?;
        object.held().push(reader);
        Ok(())
    }
}

impl Call for PJRT_Buffer_DecreaseExternalReferenceCount_Args {
    fn call(&mut self) -> Outcome {
        let released = buffer(self.buffer)?.held().pop();
        released.map(|_| ()).ok_or_else(|| Failure::invalid("the buffer has no external reference"))
    }
}

impl Call for PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
    fn call(&mut self) -> Outcome {
        self.device_memory_ptr = std::ptr::with_exposed_provenance_mut(buffer(self.buffer)?.address()?);
        Ok(())
    }
}

/// A donation that takes place once C says so.
struct Donation {
    source: Reader,
    promise: BufferPromise,
}

impl Object for Donation {
    type Handle = std::ffi::c_void;
    const WHAT: &'static str = "donation";
}

unsafe extern "C" fn dependency_ready(args: *mut PJRT_Buffer_DonateWithControlDependency_Callback_Args) {
    let Ok(args) = place(args) else { return };
    let Some(donation) = object::take::<Donation>(args.callback_data) else { return };
    let Donation { source, promise } = *donation;
    match args.error_code {
        PJRT_Error_Code::OK => forward(source, move |view| promise.keep(view.map(HostSource::Shared))),
        code => {
            let message = object::text(args.error_message, args.error_message_size, "message");
            promise.keep(Err(foreign(code, message.unwrap_or_default())));
        }
    }
}

impl Call for PJRT_Buffer_DonateWithControlDependency_Args {
    fn call(&mut self) -> Outcome {
        let object = buffer(self.buffer)?;
        let buffer = object.live()?;
        let source = buffer.reader()?;
        let (given, promise) = object.shared.client.promise(buffer.ty(), buffer.placement())?;
        self.out_buffer = BufferObject::raw(&object.shared, given, object.order.clone());
        self.callback_data = give(Donation { source, promise });
        self.dependency_ready_callback = Some(dependency_ready);
        buffer.delete();
        Ok(())
    }
}
