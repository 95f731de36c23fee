//! Tensors handed from library to library without a copy: the structs of DLPack.
//!
//! Source: the header `dlpack.h` of DLPack 1.0; of its two managed structs this is the older one, which every library takes.

#![allow(unsafe_code, reason = "the structs are those of C, and point to memory of other libraries")]

use std::ffi::c_void;
use std::sync::Arc;

use crate::{DType, ElementKind, Error, Result, Type};

/// `kDLCPU`: memory of the host.
const CPU: i32 = 1;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct DlDevice {
    kind: i32,
    id: i32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DlDataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
#[derive(Debug)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    ndim: i32,
    dtype: DlDataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// A tensor that somebody owns: `DLManagedTensor`.
#[repr(C)]
#[derive(Debug)]
pub struct DlManagedTensor {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DlManagedTensor)>,
}

/// The code and the bits of a dtype, if DLPack has one for it.
fn encoded(dtype: DType) -> Option<DlDataType> {
    let bits = u8::try_from(dtype.bits()).ok()?;
    let code = match (dtype, dtype.kind()) {
        (DType::BF16, _) => 4,
        (_, ElementKind::Signed) if bits >= 8 => 0,
        (_, ElementKind::Unsigned) if bits >= 8 => 1,
        (_, ElementKind::Float) if bits >= 16 => 2,
        (_, ElementKind::Complex) => 5,
        (_, ElementKind::Bool) => 6,
        _ => return None,
    };
    // A truth value takes a byte.
    let bits = if dtype == DType::Bool { 8 } else { bits };
    Some(DlDataType { code, bits, lanes: 1 })
}

/// Whether tensors of this dtype can be handed over.
///
/// ```
/// use jarrah_base::{DType, dlpack};
/// assert!(dlpack::is_supported_dtype(DType::BF16) && !dlpack::is_supported_dtype(DType::F8E4M3FN));
/// ```
pub fn is_supported_dtype(dtype: DType) -> bool {
    encoded(dtype).is_some()
}

/// A tensor in host memory that another library gave; its bytes, dense and in row-major order, are used where they are.
#[derive(Debug)]
pub struct DlpackImport {
    managed: *mut DlManagedTensor,
    ty: Type,
    bytes: usize,
}

// SAFETY: the tensor is only read, and whoever gave it away allows its deleter to be called from any thread, as the
// protocol says.
unsafe impl Send for DlpackImport {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for DlpackImport {}

impl DlpackImport {
    /// Takes over a tensor; its deleter is called when this is dropped.
    ///
    /// # Safety
    /// `managed` points to a `DLManagedTensor` that follows the protocol of DLPack and is used by nobody else after this
    /// call; nobody changes its data until its deleter is called.
    ///
    /// # Errors
    /// It is not in host memory, not dense in row-major order, or of a dtype that is none here. Its deleter is called then.
    pub unsafe fn from_raw(managed: *mut DlManagedTensor) -> Result<DlpackImport> {
        if managed.is_null() {
            return Err(Error::input("the DLPack tensor is a null pointer"));
        }
        // Owned from here on: an error drops it.
        let mut imported = DlpackImport { managed, ty: Type::scalar(DType::U8), bytes: 0 };
        // SAFETY: the caller says that the pointer is to such a struct.
        let tensor = unsafe { &(*managed).tensor };
        if tensor.device.kind != CPU {
            return Err(Error::input(format!(
                "the DLPack tensor is on a device of kind {}, not in host memory",
                tensor.device.kind
            ))
            .help("bring it to the CPU first"));
        }
        let known = DType::ALL.into_iter().find(|&dtype| encoded(dtype) == Some(tensor.dtype));
        let Some(dtype) = known else {
            return Err(Error::input(format!("the DLPack tensor has the unknown dtype {:?}", tensor.dtype)));
        };
        let rank = usize::try_from(tensor.ndim)
            .map_err(|_| Error::input("the DLPack tensor has a negative rank"))?;
        let list = |pointer: *mut i64| -> Vec<i64> {
            if rank == 0 || pointer.is_null() {
                return Vec::new();
            }
            // SAFETY: the protocol says that shape, and strides where there are any, have `ndim` entries.
            unsafe { std::slice::from_raw_parts(pointer, rank) }.to_vec()
        };
        let (shape, strides) = (list(tensor.shape), list(tensor.strides));
        let mut extents = Vec::with_capacity(rank);
        for extent in &shape {
            extents.push(
                usize::try_from(*extent)
                    .map_err(|_| Error::input("an extent of the DLPack tensor is negative"))?,
            );
        }
        if extents.len() != rank {
            return Err(Error::input("the DLPack tensor has no shape"));
        }
        let mut dense = 1i64;
        for axis in (0..strides.len()).rev() {
            if shape[axis] > 1 && strides[axis] != dense && !extents.contains(&0) {
                return Err(Error::input(format!(
                    "the DLPack tensor has the strides {strides:?} for the shape {shape:?}"
                ))
                .help("make it contiguous first"));
            }
            dense = dense.saturating_mul(shape[axis].max(1));
        }
        imported.ty = Type::tensor(dtype, extents);
        imported.bytes = imported.ty.bytes()?;
        if imported.bytes > 0 && tensor.data.is_null() {
            return Err(Error::input("the DLPack tensor has no data"));
        }
        Ok(imported)
    }

    /// The type of the tensor.
    pub fn ty(&self) -> Type {
        self.ty
    }
}

impl AsRef<[u8]> for DlpackImport {
    fn as_ref(&self) -> &[u8] {
        if self.bytes == 0 {
            return &[];
        }
        // SAFETY: the tensor is dense, of `bytes` bytes, and lives until the deleter is called, when this is dropped.
        unsafe {
            let tensor = &(*self.managed).tensor;
            std::slice::from_raw_parts(tensor.data.cast::<u8>().add(tensor.byte_offset as usize), self.bytes)
        }
    }
}

impl Drop for DlpackImport {
    fn drop(&mut self) {
        // SAFETY: this owns the struct, and calls the deleter once.
        unsafe {
            if let Some(deleter) = (*self.managed).deleter {
                deleter(self.managed);
            }
        }
    }
}

/// A tensor to give to another library, which reads the bytes where they are.
#[derive(Debug)]
pub struct DlpackExport(*mut DlManagedTensor);

// SAFETY: what it points to is owned, and the bytes are `Send + Sync`.
unsafe impl Send for DlpackExport {}

/// The owner of the bytes of an exported tensor.
struct Owner {
    _bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    shape: Vec<i64>,
}

unsafe extern "C" fn delete(managed: *mut DlManagedTensor) {
    // SAFETY: made by `Exported::new`, and the protocol calls this once.
    unsafe {
        drop(Box::from_raw((*managed).context.cast::<Owner>()));
        drop(Box::from_raw(managed));
    }
}

impl DlpackExport {
    /// A tensor of this type, whose bytes are those of `owner`. The other library must not change them.
    ///
    /// # Errors
    /// DLPack has no such dtype; there are too few bytes.
    pub fn new(ty: Type, owner: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<DlpackExport> {
        let Some(dtype) = encoded(ty.dtype()) else {
            let error = Error::input(format!("DLPack has no dtype {}", ty.dtype()));
            return Err(error.help("convert it with astype"));
        };
        let bytes = (*owner).as_ref();
        if bytes.len() < ty.bytes()? {
            return Err(Error::internal(format!("{} bytes are no {ty}", bytes.len())));
        }
        let data = bytes.as_ptr().cast_mut().cast::<c_void>();
        let shape: Vec<i64> = ty.extents().map(|extent| extent as i64).collect();
        let mut owner = Box::new(Owner { _bytes: owner, shape });
        let tensor = DlTensor {
            data,
            device: DlDevice { kind: CPU, id: 0 },
            ndim: owner.shape.len() as i32,
            dtype,
            shape: owner.shape.as_mut_ptr(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        let context = Box::into_raw(owner).cast::<c_void>();
        let managed = Box::new(DlManagedTensor { tensor, context, deleter: Some(delete) });
        Ok(DlpackExport(Box::into_raw(managed)))
    }

    /// The exported tensor, imported again.
    ///
    /// # Errors
    /// As [`DlpackImport::from_raw`].
    pub fn import(self) -> Result<DlpackImport> {
        // SAFETY: the struct is our own, nobody else has it, and the bytes of its owner do not change.
        unsafe { DlpackImport::from_raw(self.into_raw()) }
    }

    /// The pointer that the other library takes over: it calls the deleter in the struct.
    pub fn into_raw(self) -> *mut DlManagedTensor {
        let managed = self.0;
        std::mem::forget(self);
        managed
    }
}

impl Drop for DlpackExport {
    fn drop(&mut self) {
        // SAFETY: nobody took it over, so this is the one call of the deleter.
        unsafe { delete(self.0) }
    }
}
