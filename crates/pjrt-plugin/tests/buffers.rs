//! Buffers: host memory in and out, layouts, views, copies, deletion.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use jarrah_pjrt::abi::*;

use crate::caller::{Buffer, Client, DONATED, TWO, ask, destroy_event, text, wait};

static MATRIX: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];

/// A matrix of two rows and three columns, of which neighbours are `strides` bytes apart.
fn matrix(client: &Client, data: *const f32, strides: &[i64]) -> Buffer {
    let made = ask!(PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
        client: client.0,
        data: data.cast(),
        r#type: PJRT_Buffer_Type::F32,
        dims: [2i64, 3].as_ptr(),
        num_dims: 2,
        byte_strides: strides.as_ptr(),
        num_byte_strides: strides.len(),
        device: client.devices()[0],
    }))
    .expect("a buffer");
    destroy_event(made.done_with_host_buffer);
    Buffer(made.buffer)
}

/// Reads a matrix in a layout.
fn read(buffer: &Buffer, layout: &mut PJRT_Buffer_MemoryLayout, values: &mut [f32]) -> Result<(), String> {
    let read = ask!(PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args {
        src: buffer.0,
        host_layout: layout,
        dst: values.as_mut_ptr().cast(),
        dst_size: size_of_val(values),
    }))
    .map_err(|(_, message)| message)?;
    wait(read.event).map_err(|(_, message)| message)
}

pub fn tiled(order: &[i64]) -> PJRT_Buffer_MemoryLayout {
    let tiled = PJRT_Buffer_MemoryLayout_Tiled {
        minor_to_major: order.as_ptr(),
        minor_to_major_size: order.len(),
        ..Default::default()
    };
    PJRT_Buffer_MemoryLayout { layout: PJRT_Buffer_MemoryLayout_Value { tiled }, ..Default::default() }
}

pub fn strided(strides: &[i64]) -> PJRT_Buffer_MemoryLayout {
    let strides = PJRT_Buffer_MemoryLayout_Strides {
        byte_strides: strides.as_ptr(),
        num_byte_strides: strides.len(),
        ..Default::default()
    };
    PJRT_Buffer_MemoryLayout {
        layout: PJRT_Buffer_MemoryLayout_Value { strides },
        r#type: PJRT_Buffer_MemoryLayout_Type::Strides,
        ..Default::default()
    }
}

#[test]
fn host_tensors_may_have_any_strides() {
    let client = Client::new(1);
    let at = |index: usize| &raw const MATRIX[index];
    for (data, strides, expected) in [
        (at(0), &[][..], MATRIX),
        (at(0), &[12, 4], MATRIX),
        (at(0), &[4, 8], [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]),
        (at(5), &[-12, -4], [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]),
        (at(1), &[0, 4], [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]),
    ] {
        assert_eq!(matrix(&client, data, strides).read().expect("values"), expected, "{strides:?}");
    }
}

#[test]
fn tensors_are_read_in_any_layout() {
    let client = Client::new(1);
    let buffer = matrix(&client, MATRIX.as_ptr(), &[]);
    let mut values = [0.0; 6];
    read(&buffer, &mut tiled(&[1, 0]), &mut values).expect("values");
    assert_eq!(values, MATRIX);
    let columns = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0];
    read(&buffer, &mut tiled(&[0, 1]), &mut values).expect("values");
    assert_eq!(values, columns);
    read(&buffer, &mut strided(&[4, 8]), &mut values).expect("values");
    assert_eq!(values, columns);
    let mut wide = [9.0; 8];
    read(&buffer, &mut strided(&[16, 4]), &mut wide).expect("values");
    assert_eq!(wide, [0.0, 1.0, 2.0, 9.0, 3.0, 4.0, 5.0, 9.0]);
    let fails = |layout: &mut PJRT_Buffer_MemoryLayout, count: usize| {
        read(&buffer, layout, &mut [0.0; 8][..count]).expect_err("an error")
    };
    assert!(fails(&mut tiled(&[0, 0]), 6).contains("cannot be in the order [0, 0]"));
    assert!(fails(&mut tiled(&[0]), 6).contains("cannot be in the order [0]"));
    assert!(fails(&mut tiled(&[1, 0]), 5).contains("the destination has 20 bytes"));
    assert!(fails(&mut strided(&[-12, 4]), 6).contains("does not fit"));
    assert!(fails(&mut strided(&[1 << 62, 4]), 6).contains("does not fit"));
}

/// As XLA's CPU client gives them: a caller may compare the bytes, or hash them.
#[test]
fn narrow_integers_have_zeros_above_them_on_the_host() {
    let client = Client::new(1);
    let values = [-8i8, -1, 0, 7];
    let made = ask!(PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
        client: client.0,
        data: values.as_ptr().cast(),
        r#type: PJRT_Buffer_Type::S4,
        dims: [4i64].as_ptr(),
        num_dims: 1,
        device: client.devices()[0],
    }))
    .expect("a buffer");
    destroy_event(made.done_with_host_buffer);
    let buffer = Buffer(made.buffer);
    let mut back = [1i8; 4];
    let read = ask!(PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args {
        src: buffer.0,
        dst: back.as_mut_ptr().cast(),
        dst_size: 4,
    }));
    wait(read.expect("a transfer").event).expect("values");
    assert_eq!(back, [8, 15, 0, 7]);
    let mut raw = [0u8; 4];
    let copied = ask!(PJRT_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args {
        buffer: buffer.0,
        dst: raw.as_mut_ptr().cast(),
        transfer_size: 4,
    }));
    wait(copied.expect("a transfer").event).expect("bytes");
    assert_eq!(raw, [8, 15, 0, 7]);
}

#[repr(align(64))]
struct Aligned([f32; 4]);

unsafe extern "C" fn released(error: *mut PJRT_Error, counter: *mut c_void) {
    assert!(error.is_null());
    // SAFETY: the tests give a counter that lives long enough.
    unsafe { counter.cast::<AtomicU32>().as_ref() }.expect("a counter").fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn deleted(_: *mut c_void, counter: *mut c_void) {
    // SAFETY: as above.
    unsafe { released(null_mut(), counter) }
}

#[test]
fn aligned_memory_is_used_where_it_is_and_given_back_last() {
    let client = Client::new(1);
    let data = Aligned([1.0, 2.0, 3.0, 4.0]);
    let counter = AtomicU32::new(0);
    let made = ask!(PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
        client: client.0,
        data: data.0.as_ptr().cast(),
        r#type: PJRT_Buffer_Type::F32,
        dims: [4i64].as_ptr(),
        num_dims: 1,
        host_buffer_semantics: PJRT_HostBufferSemantics::ImmutableZeroCopy,
        device: client.devices()[0],
    }))
    .expect("a buffer");
    ask!(PJRT_Event_OnReady(PJRT_Event_OnReady_Args {
        event: made.done_with_host_buffer,
        callback: Some(released),
        user_arg: (&raw const counter).cast_mut().cast(),
    }))
    .expect("registered");
    destroy_event(made.done_with_host_buffer);
    let buffer = Buffer(made.buffer);
    assert_eq!(buffer.address().expect("an address"), data.0.as_ptr().addr());
    // The program would like to overwrite the memory, which it may not.
    let increment = client.compile(DONATED).expect("an executable");
    let result = increment.run(&[&buffer]).expect("results").remove(0);
    assert!(buffer.is_deleted());
    assert_eq!(result.read().expect("values"), [2.0, 3.0, 4.0, 5.0]);
    assert_eq!(data.0, [1.0, 2.0, 3.0, 4.0]);
    drop((buffer, result));
    assert_eq!(counter.load(Ordering::SeqCst), 1);
}

#[test]
fn foreign_memory_is_viewed_until_its_owner_is_told() {
    let client = Client::new(1);
    let mut data = Aligned([5.0; 4]);
    let counter = AtomicU32::new(0);
    let made = ask!(PJRT_Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args {
        client: client.0,
        device_buffer_ptr: data.0.as_mut_ptr().cast(),
        dims: [4i64].as_ptr(),
        num_dims: 1,
        element_type: PJRT_Buffer_Type::F32,
        device: client.devices()[0],
        on_delete_callback: Some(deleted),
        on_delete_callback_arg: (&raw const counter).cast_mut().cast(),
    }));
    let view = Buffer(made.expect("a buffer").buffer);
    assert_eq!(view.address().expect("an address"), data.0.as_ptr().addr());
    let hold = |buffer: &Buffer| {
        let buffer = buffer.0;
        ask!(PJRT_Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args {
            buffer: buffer
        }))
        .map(|_| ())
    };
    let release = || {
        ask!(PJRT_Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args {
            buffer: view.0
        }))
        .map(|_| ())
    };
    hold(&view).expect("held");
    view.delete();
    assert_eq!(counter.load(Ordering::SeqCst), 0);
    assert!(hold(&view).is_err() && view.read().is_err());
    release().expect("released");
    assert_eq!(counter.load(Ordering::SeqCst), 1);
    assert!(release().is_err());
}

#[test]
fn deleted_and_donated_buffers_cannot_be_used() {
    let client = Client::new(1);
    let increment = client.compile(DONATED).expect("an executable");
    let (a, b) = (client.buffer(&[1.0; 4]), client.buffer(&[2.0; 4]));
    let kept = increment.run_keeping(&[&a], &[0]).expect("results").remove(0);
    assert!(!a.is_deleted());
    assert_eq!(kept.read().expect("values"), [2.0; 4]);
    let address = a.address().expect("an address");
    let given = increment.run(&[&a]).expect("results").remove(0);
    assert!(a.is_deleted());
    assert_eq!(given.address().expect("an address"), address);
    b.delete();
    b.delete();
    for gone in [&a, &b] {
        let says = |outcome: Result<(), (PJRT_Error_Code, String)>| {
            let (code, message) = outcome.expect_err("an error");
            assert_eq!(code, PJRT_Error_Code::INVALID_ARGUMENT);
            assert!(message.contains("was deleted or donated"), "{message}");
        };
        says(gone.read().map(|_| ()));
        says(gone.address().map(|_| ()));
        says(increment.run(&[gone]).map(|_| ()));
        says(ask!(PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args { buffer: gone.0 })).map(|_| ()));
    }
    let two = client
        .compile(&TWO.replace("%arg0: tensor<4xf32>", "%arg0: tensor<4xf32> {jax.buffer_donor = true}"));
    let two = two.expect("an executable");
    let (_, message) = two.run(&[&given, &given]).err().expect("an error");
    assert!(
        message.contains("donated as another argument") || message.contains("donated twice"),
        "{message}"
    );
    assert!(message.contains(": argument 0") && message.contains("is the same buffer"), "{message}");
    assert!(!given.is_deleted());
}

#[test]
fn objects_may_be_freed_in_any_order() {
    let client = Client::new(2);
    let devices = client.devices();
    let two = client.compile(TWO).expect("an executable");
    let a = client.buffer(&[3.0; 4]);
    let results = two.run(&[&a, &a]).expect("results");
    drop(a);
    drop(two);
    let args = ask!(PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args {
        buffer: results[0].0,
        dst_device: devices[1],
    }));
    let copy = Buffer(args.expect("a copy").dst_buffer);
    drop(client);
    assert_eq!(results[1].read().expect("values"), [9.0; 4]);
    drop(results);
    assert_eq!(copy.read().expect("values"), [6.0; 4]);
    let device =
        ask!(PJRT_Buffer_Device(PJRT_Buffer_Device_Args { buffer: copy.0 })).expect("a device").device;
    assert_eq!(device, devices[1]);
}

#[test]
fn tensors_are_copied_between_devices_memories_and_clients() {
    let (client, other) = (Client::new(2), Client::new(1));
    let a = client.buffer(&[1.0, 2.0]);
    for device in [client.devices()[1], other.devices()[0]] {
        let args =
            ask!(PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args { buffer: a.0, dst_device: device }));
        assert_eq!(Buffer(args.expect("a copy").dst_buffer).read().expect("values"), [1.0, 2.0]);
    }
    let list = ask!(PJRT_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args {
        device: client.devices()[1]
    }))
    .expect("memories");
    // SAFETY: the list has as many entries.
    let memories = unsafe { std::slice::from_raw_parts(list.memories, list.num_memories) };
    let mut kinds = Vec::new();
    for &memory in memories {
        let args =
            ask!(PJRT_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args { buffer: a.0, dst_memory: memory }));
        let copy = Buffer(args.expect("a copy").dst_buffer);
        let lies =
            ask!(PJRT_Buffer_Memory(PJRT_Buffer_Memory_Args { buffer: copy.0 })).expect("a memory").memory;
        assert_eq!(lies, memory);
        assert_eq!(copy.read().expect("values"), [1.0, 2.0]);
        let kind = ask!(PJRT_Memory_Kind(PJRT_Memory_Kind_Args { memory: memory })).expect("a kind");
        kinds.push(text(kind.kind, kind.kind_size));
    }
    assert_eq!(kinds, ["device", "pinned_host", "unpinned_host"]);
}

#[test]
fn memories_keep_what_callers_leave_with_them() {
    let client = Client::new(1);
    let memory =
        ask!(PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args { device: client.devices()[0] }));
    let memory = memory.expect("a memory").memory;
    let counter = AtomicU32::new(0);
    unsafe extern "C" fn freed(counter: *mut c_void) {
        // SAFETY: the test gives a counter that lives long enough.
        unsafe { released(null_mut(), counter) }
    }
    let key = (&raw const counter).cast::<c_void>();
    // SAFETY: the table is used as the header says.
    unsafe {
        let table = &*(*memory).vtable;
        let (get, set) = (table.get_user_data.expect("a function"), table.set_user_data.expect("a function"));
        assert!(get(memory, key).is_null());
        set(memory, key, key.cast_mut(), Some(freed));
        assert_eq!(get(memory, key), key.cast_mut());
        set(memory, key, key.cast_mut(), Some(freed));
    }
    assert_eq!(counter.load(Ordering::SeqCst), 1);
    drop(client);
    assert_eq!(counter.load(Ordering::SeqCst), 2);
}

#[test]
fn buffers_that_come_later_carry_what_becomes_of_them() {
    let client = Client::new(1);
    let memory =
        ask!(PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args { device: client.devices()[0] }));
    let memory = memory.expect("a memory").memory;
    let failed_buffer = ask!(PJRT_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args {
        client: client.0,
        error_code: PJRT_Error_Code::INTERNAL,
        error_message: c"lost".as_ptr(),
        error_message_size: 4,
        shape_dims: [4i64].as_ptr(),
        shape_num_dims: 1,
        shape_element_type: PJRT_Buffer_Type::F32,
        memory: memory,
    }));
    let lost = Buffer(failed_buffer.expect("a buffer").buffer);
    let two = client.compile(TWO).expect("an executable");
    let results = two.run(&[&lost, &lost]).expect("results");
    for buffer in [&lost, &results[0], &results[1]] {
        let (code, message) = buffer.read().expect_err("an error");
        assert_eq!(code, PJRT_Error_Code::INTERNAL);
        assert!(message.contains("lost"), "{message}");
    }
    let alias = || {
        let made = ask!(PJRT_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args {
            client: client.0,
            memory: memory,
            shape_dims: [4i64].as_ptr(),
            shape_num_dims: 1,
            shape_element_type: PJRT_Buffer_Type::F32,
        }))
        .expect("an alias");
        (Buffer(made.alias_buffer), made.fulfill_alias_buffer_cb)
    };
    let (same, callback) = alias();
    let results = two.begin(&[&same, &same]).expect("results");
    let source = client.buffer(&[2.0; 4]);
    ask!(PJRT_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args {
        client: client.0,
        buffer: source.0,
        fulfill_alias_buffer_cb: callback,
    }))
    .expect("fulfilled");
    assert_eq!(results[1].read().expect("values"), [4.0; 4]);
    assert_eq!(same.read().expect("values"), [2.0; 4]);
    let (same, callback) = alias();
    ask!(PJRT_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args {
        client: client.0,
        status_code: PJRT_Error_Code::INTERNAL,
        error_message: c"gone".as_ptr(),
        error_message_size: 4,
        fulfill_alias_buffer_cb: callback,
    }))
    .expect("fulfilled");
    assert!(same.read().expect_err("an error").1.contains("gone"));
}

#[test]
fn the_same_bytes_can_be_another_tensor() {
    let client = Client::new(1);
    let buffer = client.buffer(&[1.0, -2.0]);
    let cast = |dims: &[i64], r#type| {
        ask!(PJRT_Buffer_Bitcast(PJRT_Buffer_Bitcast_Args {
            buffer: buffer.0,
            element_type: r#type,
            dims: dims.as_ptr(),
            num_dims: dims.len(),
        }))
        .map(|args| Buffer(args.out_buffer))
    };
    let bits = cast(&[2, 2], PJRT_Buffer_Type::U16).expect("a buffer");
    assert_eq!(bits.address().expect("an address"), buffer.address().expect("an address"));
    let ty = ask!(PJRT_Buffer_ElementType(PJRT_Buffer_ElementType_Args { buffer: bits.0 }))
        .expect("a type")
        .r#type;
    assert_eq!(ty, PJRT_Buffer_Type::U16);
    assert!(cast(&[3], PJRT_Buffer_Type::U16).is_err());
    assert!(cast(&[i64::MAX, 9], PJRT_Buffer_Type::F64).is_err());
    assert!(cast(&[-2], PJRT_Buffer_Type::F32).is_err());
}

#[test]
fn element_types_that_there_are_not_are_named() {
    let client = Client::new(1);
    let make = |r#type| {
        let args = ask!(PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
            client: client.0,
            data: MATRIX.as_ptr().cast(),
            r#type: r#type,
            dims: [2i64].as_ptr(),
            num_dims: 1,
            device: client.devices()[0],
        }));
        args.map(|_| ()).expect_err("an error")
    };
    let (code, message) = make(PJRT_Buffer_Type::TOKEN);
    assert!(code == PJRT_Error_Code::UNIMPLEMENTED && message.contains("TOKEN"), "{message}");
    let (code, message) = make(PJRT_Buffer_Type(4711));
    assert!(code == PJRT_Error_Code::INVALID_ARGUMENT && message.contains("4711"), "{message}");
}

/// What has begun to read a tensor gets it, even if the buffer is deleted before the tensor is there.
#[test]
fn a_read_that_is_pending_survives_deletion() {
    let client = Client::new(1);
    let memory =
        ask!(PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args { device: client.devices()[0] }));
    let made = ask!(PJRT_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args {
        client: client.0,
        memory: memory.expect("a memory").memory,
        shape_dims: [4i64].as_ptr(),
        shape_num_dims: 1,
        shape_element_type: PJRT_Buffer_Type::F32,
    }))
    .expect("an alias");
    let later = Buffer(made.alias_buffer);
    let mut values = [0f32; 4];
    let read = ask!(PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args {
        src: later.0,
        dst: values.as_mut_ptr().cast(),
        dst_size: 16,
    }))
    .expect("a transfer");
    later.delete();
    drop(later);
    let source = client.buffer(&[7.0; 4]);
    ask!(PJRT_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args {
        client: client.0,
        buffer: source.0,
        fulfill_alias_buffer_cb: made.fulfill_alias_buffer_cb,
    }))
    .expect("fulfilled");
    wait(read.event).expect("values");
    assert_eq!(values, [7.0; 4]);
}
