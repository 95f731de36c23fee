//! Buffers of a plugin.

use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, HostView, Literal, Result, Type};
use jarrah_runtime::{Buffer, BufferData, BufferPromise, Event, HostSource, Placement, Reader};

use super::Shared;
use super::event::completion;
use super::plugin::{Object, ask};
use crate::abi::*;
use crate::element::{from_host, narrow, number_of};
use crate::error::code_of;

/// A tensor in the memory of a plugin's device.
pub(super) struct PluginBuffer {
    object: Object<PJRT_Buffer>,
    ty: Type,
    placement: Placement,
    ready: OnceLock<Event>,
    /// The client, which is freed after its buffers.
    shared: Arc<Shared>,
}

/// A type as C takes it.
struct HostType {
    number: PJRT_Buffer_Type,
    dims: Vec<i64>,
    minor_to_major: Vec<i64>,
}

impl HostType {
    fn new(ty: Type) -> HostType {
        HostType {
            number: number_of(ty.dtype()),
            minor_to_major: (0..ty.rank() as i64).rev().collect(),
            dims: ty.extents().map(|extent| extent as i64).collect(),
        }
    }

    /// The row-major layout, which points into this.
    fn layout(&self) -> PJRT_Buffer_MemoryLayout {
        let tiled = PJRT_Buffer_MemoryLayout_Tiled {
            minor_to_major: self.minor_to_major.as_ptr(),
            minor_to_major_size: self.minor_to_major.len(),
            ..Default::default()
        };
        PJRT_Buffer_MemoryLayout {
            layout: PJRT_Buffer_MemoryLayout_Value { tiled },
            r#type: PJRT_Buffer_MemoryLayout_Type::Tiled,
            ..Default::default()
        }
    }
}

fn check_length(ty: Type, bytes: &[u8]) -> Result<()> {
    match ty.bytes()? {
        wanted if wanted == bytes.len() => Ok(()),
        wanted => Err(Error::program(format!("{ty} has {wanted} bytes, {} were given", bytes.len()))),
    }
}

impl PluginBuffer {
    /// The runtime's buffer for an object that the plugin gave to us.
    pub fn wrap(
        shared: &Arc<Shared>,
        handle: *mut PJRT_Buffer,
        ty: Type,
        placement: Placement,
    ) -> Result<Buffer> {
        Ok(Buffer::new(PluginBuffer {
            object: Object::new(shared.plugin, handle)?,
            ty,
            placement,
            ready: OnceLock::new(),
            shared: shared.clone(),
        }))
    }

    /// The buffer behind one of the runtime's, if it is of this client.
    pub fn of<'a>(shared: &Arc<Shared>, buffer: &'a Buffer) -> Result<&'a PluginBuffer> {
        let data = buffer.downcast_ref::<PluginBuffer>();
        let data = data.filter(|data| Arc::ptr_eq(&data.shared, shared));
        data.ok_or_else(|| Error::program("a buffer belongs to another client"))
    }

    pub fn handle(&self) -> *mut PJRT_Buffer {
        self.object.get()
    }

    /// A copy of a tensor of the host's.
    pub fn from_host(
        shared: &Arc<Shared>,
        ty: Type,
        source: HostSource<'_>,
        placement: Placement,
    ) -> Result<Buffer> {
        check_length(ty, source.bytes())?;
        let host = HostType::new(ty);
        let semantics = match &source {
            HostSource::Borrowed(_) => PJRT_HostBufferSemantics::ImmutableUntilTransferCompletes,
            HostSource::Shared(_) => PJRT_HostBufferSemantics::ImmutableZeroCopy,
        };
        let made = ask!(
            shared.plugin,
            PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
                client: shared.client.get(),
                data: source.bytes().as_ptr().cast(),
                r#type: host.number,
                dims: host.dims.as_ptr(),
                num_dims: host.dims.len(),
                host_buffer_semantics: semantics,
                device: shared.devices.handle(placement.device),
                memory: shared.devices.memory(placement),
            })
        )?;
        let done = completion(shared.plugin, made.done_with_host_buffer);
        let buffer = PluginBuffer::wrap(shared, made.buffer, ty, placement);
        match source {
            HostSource::Borrowed(_) => done.wait()?,
            // The memory is lent until the plugin says that it is done with it.
            HostSource::Shared(view) => done.on_ready(move |_| drop(view)),
        }
        buffer
    }

    /// A buffer of this client whose tensor is given later.
    pub fn promise(shared: &Arc<Shared>, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        let host = HostType::new(ty);
        let mut spec = PJRT_ShapeSpec {
            dims: host.dims.as_ptr(),
            num_dims: host.dims.len(),
            element_type: host.number,
            ..Default::default()
        };
        let made = ask!(
            shared.plugin,
            PJRT_Client_CreateBuffersForAsyncHostToDevice(
                PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
                    client: shared.client.get(),
                    shape_specs: &raw mut spec,
                    num_shape_specs: 1,
                    memory: shared.devices.memory(placement),
                }
            )
        )?;
        let duty = Duty {
            manager: Object::new(shared.plugin, made.transfer_manager)?,
            ty,
            kept: false,
            shared: shared.clone(),
        };
        let got = ask!(
            shared.plugin,
            PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(
                PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
                    transfer_manager: duty.manager.get(),
                    buffer_index: 0,
                }
            )
        )?;
        let buffer = PluginBuffer::wrap(shared, got.buffer_out, ty, placement)?;
        Ok((buffer, BufferPromise::new(move |tensor| duty.keep(tensor))))
    }

    /// A copy at another place of this client.
    pub fn copy(&self, placement: Placement) -> Result<Buffer> {
        let plugin = self.shared.plugin;
        let memory = self.shared.devices.memory(placement);
        let handle = if memory.is_null() {
            ask!(
                plugin,
                PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args {
                    buffer: self.handle(),
                    dst_device: self.shared.devices.handle(placement.device),
                })
            )?
            .dst_buffer
        } else {
            ask!(
                plugin,
                PJRT_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args {
                    buffer: self.handle(),
                    dst_memory: memory,
                })
            )?
            .dst_buffer
        };
        PluginBuffer::wrap(&self.shared, handle, self.ty, placement)
    }
}

/// The duty to fill a buffer. If it is dropped, the buffer fails.
struct Duty {
    manager: Object<PJRT_AsyncHostToDeviceTransferManager>,
    ty: Type,
    kept: bool,
    shared: Arc<Shared>,
}

impl Duty {
    fn keep(mut self, tensor: Result<HostSource<'_>>) {
        self.kept = true;
        if let Err(error) = tensor.and_then(|source| self.transfer(source.bytes())) {
            self.fail(&error);
        }
    }

    /// Fills the buffer, and waits until the bytes are not needed any more.
    fn transfer(&self, bytes: &[u8]) -> Result<()> {
        check_length(self.ty, bytes)?;
        let host = HostType::new(self.ty);
        let mut layout = host.layout();
        let plugin = self.shared.plugin;
        let event = if plugin.table.PJRT_AsyncHostToDeviceTransferManager_TransferLiteral.is_some() {
            ask!(
                plugin,
                PJRT_AsyncHostToDeviceTransferManager_TransferLiteral(
                    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {
                        transfer_manager: self.manager.get(),
                        buffer_index: 0,
                        data: bytes.as_ptr().cast(),
                        shape_dims: host.dims.as_ptr(),
                        shape_num_dims: host.dims.len(),
                        shape_element_type: host.number,
                        shape_layout: &raw mut layout,
                    }
                )
            )?
            .done_with_h2d_transfer
        } else if narrow(self.ty.dtype()) {
            return Err(Error::program(format!(
                "the plugin {} cannot be given a tensor of type {} later: how it packs the elements is not known",
                plugin.name(),
                self.ty
            )));
        } else {
            ask!(
                plugin,
                PJRT_AsyncHostToDeviceTransferManager_TransferData(
                    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
                        transfer_manager: self.manager.get(),
                        buffer_index: 0,
                        data: bytes.as_ptr().cast(),
                        transfer_size: bytes.len() as i64,
                        is_last_transfer: true,
                    }
                )
            )?
            .done_with_h2d_transfer
        };
        // An error of a transfer that has begun is one of the buffer.
        let _ = completion(plugin, event).wait();
        Ok(())
    }

    fn fail(&self, error: &Error) {
        let message = error.to_string();
        // If the plugin refuses, freeing the manager is all that is left to do.
        let _ = ask!(
            self.shared.plugin,
            PJRT_AsyncHostToDeviceTransferManager_SetBufferError(
                PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
                    transfer_manager: self.manager.get(),
                    buffer_index: 0,
                    error_code: code_of(error),
                    error_message: message.as_ptr().cast(),
                    error_message_size: message.len(),
                }
            )
        );
    }
}

impl Drop for Duty {
    fn drop(&mut self) {
        if !self.kept {
            self.fail(&Error::internal("the tensor that was promised was never given"));
        }
    }
}

/// Host memory that the plugin writes a tensor to.
struct Landing {
    start: *mut u8,
    len: usize,
}

// SAFETY: the plugin alone writes the bytes, before the event of its being done; who reads them has waited for that.
unsafe impl Send for Landing {}
// SAFETY: as above.
unsafe impl Sync for Landing {}

impl Landing {
    fn new(len: usize) -> Landing {
        Landing { start: Box::into_raw(vec![0u8; len].into_boxed_slice()).cast(), len }
    }
}

impl AsRef<[u8]> for Landing {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: so many bytes are there, and nobody writes them any more: a view is made when the transfer is over.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        // SAFETY: the pointer and length are those of the box in `new`; what the plugin does is over, for the callback of
        // its event holds this too.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.start, self.len)) });
    }
}

impl BufferData for PluginBuffer {
    fn ty(&self) -> Type {
        self.ty
    }

    fn placement(&self) -> Placement {
        self.placement
    }

    fn ready(&self) -> Event {
        let plugin = self.shared.plugin;
        let ask =
            || ask!(plugin, PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args { buffer: self.handle() }));
        self.ready
            .get_or_init(|| match ask() {
                Ok(asked) => completion(plugin, asked.event),
                Err(error) => Event::failed(error),
            })
            .clone()
    }

    fn read(&self) -> Result<Literal> {
        Literal::from_bytes(self.ty, self.view()?.bytes())
    }

    /// Begins to copy the tensor to host memory.
    fn reader(&self) -> Result<Reader> {
        let (plugin, ty) = (self.shared.plugin, self.ty);
        let host = HostType::new(ty);
        let mut layout = host.layout();
        let landing = Arc::new(Landing::new(ty.bytes()?));
        let asked = ask!(
            plugin,
            PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args {
                src: self.handle(),
                host_layout: &raw mut layout,
                dst: landing.start.cast(),
                dst_size: landing.len,
            })
        )?;
        let done = completion(plugin, asked.event);
        let kept = landing.clone();
        done.on_ready(move |_| drop(kept));
        let view = move || {
            if !narrow(ty.dtype()) {
                return Ok(HostView::new(Shown(landing)));
            }
            let mut elements = (*landing).as_ref().to_vec();
            from_host(ty.dtype(), &mut elements);
            Ok(HostView::new(elements))
        };
        Ok(Reader::new(done, view))
    }

    fn delete(&self) {
        // When the tensor is there can be asked as long as it is not deleted.
        let _ = self.ready();
        // A buffer that the plugin cannot delete stays until it is freed.
        let _ =
            ask!(self.shared.plugin, PJRT_Buffer_Delete(PJRT_Buffer_Delete_Args { buffer: self.handle() }));
    }

    fn is_deleted(&self) -> bool {
        let asked = ask!(
            self.shared.plugin,
            PJRT_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args { buffer: self.handle() })
        );
        asked.is_ok_and(|asked| asked.is_deleted)
    }
}

struct Shown(Arc<Landing>);

impl AsRef<[u8]> for Shown {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}
