//! Calls of handlers: what they are given, and what they say.

use std::ffi::{c_char, c_void};

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::host::{CallAttribute, CallAttributes, Config, HandlerCall};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::element;

use super::{api, error};
use crate::failure::{Failure, Outcome};
use crate::host;
use crate::object;

/// The size of a frame as handlers expect it to the byte: the header does not count its last field, which is there all the same.
const FRAME_SIZE: usize = std::mem::offset_of!(XLA_FFI_CallFrame, future);

/// Likewise for what is asked of a handler.
const METADATA_SIZE: usize = std::mem::offset_of!(XLA_FFI_Metadata, state_type_id);

/// Calls a handler on the operands and results of a call.
pub fn call(handler: XLA_FFI_Handler, call: &mut HandlerCall<'_>) -> Result<()> {
    let Config::Typed(attributes) = call.config else {
        return Err(Error::program(
            "handlers in C are called by version 4 of the convention of custom calls",
        ));
    };
    let mut operands = Buffers::default();
    for operand in &call.operands {
        if operand.bytes.len() != operand.ty.bytes()? {
            return Err(Error::program("an operand of a handler in C cannot be one of its results too"));
        }
        operands.add(operand.ty, operand.bytes.as_ptr().cast_mut())?;
    }
    let mut results = Buffers::default();
    for result in &mut call.results {
        results.add(result.ty, result.bytes.as_mut_ptr())?;
    }
    let attributes = Attrs::of(attributes)?;
    let (mut operand_kinds, mut operand_places) = operands.raw(XLA_FFI_ArgType::BUFFER);
    let (mut result_kinds, mut result_places) = results.raw(XLA_FFI_RetType::BUFFER);
    let mut context = api::Context::default();
    let mut frame = XLA_FFI_CallFrame {
        struct_size: FRAME_SIZE,
        api: api::table(),
        ctx: (&raw mut context).cast(),
        stage: XLA_FFI_ExecutionStage::EXECUTE,
        args: XLA_FFI_Args {
            size: operand_places.len() as i64,
            types: operand_kinds.as_mut_ptr(),
            args: operand_places.as_mut_ptr(),
            ..Default::default()
        },
        rets: XLA_FFI_Rets {
            size: result_places.len() as i64,
            types: result_kinds.as_mut_ptr(),
            rets: result_places.as_mut_ptr(),
            ..Default::default()
        },
        attrs: attributes.raw(),
        ..Default::default()
    };
    // SAFETY: whoever registered the handler promised that it is one; all that the frame points to lives until the call is
    // over, asynchronous work included, which is waited for.
    let failed = unsafe { handler(&raw mut frame) };
    if let Some(failure) = object::take::<api::ErrorObject>(failed) {
        return Err(error(failure.failure()));
    }
    match object::take::<api::FutureObject>(frame.future) {
        Some(future) => future.wait(),
        None => Ok(()),
    }
}

/// Asks a handler for the version of the interface that it was made with.
pub fn check_version(name: &str, handler: XLA_FFI_Handler) -> Outcome {
    let mut metadata = XLA_FFI_Metadata { struct_size: METADATA_SIZE, ..Default::default() };
    let mut extension = XLA_FFI_Metadata_Extension {
        extension_base: XLA_FFI_Extension_Base {
            struct_size: size_of::<XLA_FFI_Metadata_Extension>(),
            r#type: XLA_FFI_Extension_Type::Metadata,
            next: std::ptr::null_mut(),
        },
        metadata: &raw mut metadata,
    };
    let mut frame = XLA_FFI_CallFrame {
        struct_size: FRAME_SIZE,
        extension_start: (&raw mut extension).cast(),
        api: api::table(),
        stage: XLA_FFI_ExecutionStage::EXECUTE,
        ..Default::default()
    };
    // SAFETY: the caller promises that the function is a handler; with this extension it does nothing but fill it.
    let failed = unsafe { handler(&raw mut frame) };
    if let Some(failure) = object::take::<api::ErrorObject>(failed) {
        return Err(failure.failure());
    }
    let (major, minor) = (metadata.api_version.major_version, metadata.api_version.minor_version);
    match major == XLA_FFI_API_MAJOR && minor <= XLA_FFI_API_MINOR {
        true => Ok(()),
        false => Err(Failure::unimplemented(format!(
            "the handler `{name}` was made for version {major}.{minor} of the foreign function interface, this is \
             {XLA_FFI_API_MAJOR}.{XLA_FFI_API_MINOR}"
        ))),
    }
}

/// The element type as the interface numbers it. Narrow elements are packed there, and a byte each here.
fn dtype(ty: Type) -> Result<XLA_FFI_DataType> {
    match ty.dtype().bits() < 8 && ty.dtype() != jarrah_base::DType::Bool {
        true => Err(Error::program(format!("{ty} cannot be handed to a handler in C"))),
        false => Ok(XLA_FFI_DataType(host::primitive(element::number_of(ty.dtype())))),
    }
}

/// Tensors as handlers see them.
#[derive(Default)]
struct Buffers {
    buffers: Vec<XLA_FFI_Buffer>,
    dims: Vec<Vec<i64>>,
}

impl Buffers {
    fn add(&mut self, ty: Type, data: *mut u8) -> Result<()> {
        let mut dims = host::dims_of(ty);
        self.buffers.push(XLA_FFI_Buffer {
            dtype: dtype(ty)?,
            data: data.cast(),
            rank: dims.len() as i64,
            dims: dims.as_mut_ptr(),
            ..Default::default()
        });
        self.dims.push(dims);
        Ok(())
    }

    /// As many kinds as there are buffers, and their places, until another one is added.
    fn raw<K: Clone>(&mut self, kind: K) -> (Vec<K>, Vec<*mut c_void>) {
        let places: Vec<_> = self.buffers.iter_mut().map(|buffer| (&raw mut *buffer).cast()).collect();
        (vec![kind; places.len()], places)
    }
}

/// Attributes as handlers see them, in alphabetical order.
struct Attrs {
    kinds: Vec<XLA_FFI_AttrType>,
    names: Vec<*mut XLA_FFI_ByteSpan>,
    values: Vec<*mut c_void>,
    /// What the pointers are to.
    _spans: Vec<XLA_FFI_ByteSpan>,
    _owned: Vec<Owned>,
}

/// An attribute's value, at a place of its own.
#[allow(dead_code, reason = "read by pointers")]
enum Owned {
    Scalar(Box<XLA_FFI_Scalar>, Literal),
    Array(Box<XLA_FFI_Array>, Literal),
    Text(Box<XLA_FFI_ByteSpan>),
    Dictionary(Box<XLA_FFI_Attrs>, Attrs),
}

fn span(text: &str) -> XLA_FFI_ByteSpan {
    XLA_FFI_ByteSpan { ptr: text.as_ptr().cast::<c_char>(), len: text.len() }
}

impl Attrs {
    /// The attributes; names and texts are those of the list, which has to live as long.
    fn of(attributes: &CallAttributes) -> Result<Attrs> {
        let (mut kinds, mut values, mut owned) = (Vec::new(), Vec::new(), Vec::new());
        let mut spans: Vec<XLA_FFI_ByteSpan> = Vec::new();
        for (name, attribute) in attributes.iter() {
            spans.push(span(name));
            let (kind, value, kept) = match attribute {
                CallAttribute::Scalar(literal) => {
                    let mut literal = literal.clone();
                    let value = literal.bytes_mut().as_mut_ptr().cast();
                    let mut scalar = Box::new(XLA_FFI_Scalar { dtype: dtype(literal.ty())?, value });
                    (XLA_FFI_AttrType::SCALAR, (&raw mut *scalar).cast(), Owned::Scalar(scalar, literal))
                }
                CallAttribute::Array(literal) => {
                    let mut literal = literal.clone();
                    let data = literal.bytes_mut().as_mut_ptr().cast();
                    let (dtype, size) = (dtype(literal.ty())?, literal.len());
                    let mut array = Box::new(XLA_FFI_Array { dtype, size, data });
                    (XLA_FFI_AttrType::ARRAY, (&raw mut *array).cast(), Owned::Array(array, literal))
                }
                CallAttribute::Text(text) => {
                    let mut text = Box::new(span(text));
                    (XLA_FFI_AttrType::STRING, (&raw mut *text).cast(), Owned::Text(text))
                }
                CallAttribute::Dictionary(inner) => {
                    let inner = Attrs::of(inner)?;
                    let mut raw = Box::new(inner.raw());
                    (XLA_FFI_AttrType::DICTIONARY, (&raw mut *raw).cast(), Owned::Dictionary(raw, inner))
                }
            };
            kinds.push(kind);
            values.push(value);
            owned.push(kept);
        }
        let names = spans.iter_mut().map(|span| &raw mut *span).collect();
        Ok(Attrs { kinds, names, values, _spans: spans, _owned: owned })
    }

    fn raw(&self) -> XLA_FFI_Attrs {
        XLA_FFI_Attrs {
            size: self.kinds.len() as i64,
            types: self.kinds.as_ptr().cast_mut(),
            names: self.names.as_ptr().cast_mut(),
            attrs: self.values.as_ptr().cast_mut(),
            ..Default::default()
        }
    }
}
