//! Transfers in pieces, and copies whose destination comes later.

use jarrah_pjrt::abi::*;

use crate::caller::{Buffer, Client, api, ask, call, destroy_event, wait};

type Manager = *mut PJRT_AsyncHostToDeviceTransferManager;

fn manager(client: &Client, count: usize) -> Manager {
    let memory =
        ask!(PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args { device: client.devices()[0] }));
    let dims = [4i64];
    let spec = PJRT_ShapeSpec {
        dims: dims.as_ptr(),
        num_dims: 1,
        element_type: PJRT_Buffer_Type::F32,
        ..Default::default()
    };
    let mut specs = vec![spec; count];
    ask!(PJRT_Client_CreateBuffersForAsyncHostToDevice(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
        client: client.0,
        shape_specs: specs.as_mut_ptr(),
        num_shape_specs: count,
        memory: memory.expect("a memory").memory,
    }))
    .expect("a manager")
    .transfer_manager
}

fn retrieve(manager: Manager, index: i32) -> Result<Buffer, String> {
    let mut args = PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
        transfer_manager: manager,
        buffer_index: index,
        ..Default::default()
    };
    call(api().PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer, &mut args)
        .map_err(|(_, message)| message)?;
    Ok(Buffer(args.buffer_out))
}

fn send(manager: Manager, index: i32, values: &[f32], offset: i64, last: bool) -> Result<(), String> {
    let mut args = PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
        transfer_manager: manager,
        buffer_index: index,
        data: values.as_ptr().cast(),
        offset,
        transfer_size: size_of_val(values) as i64,
        is_last_transfer: last,
        ..Default::default()
    };
    call(api().PJRT_AsyncHostToDeviceTransferManager_TransferData, &mut args)
        .map_err(|(_, message)| message)?;
    wait(args.done_with_h2d_transfer).map_err(|(_, message)| message)
}

fn destroy(manager: Manager) {
    let mut args = PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {
        transfer_manager: manager,
        ..Default::default()
    };
    call(api().PJRT_AsyncHostToDeviceTransferManager_Destroy, &mut args).expect("freed");
}

#[test]
fn pieces_arrive_in_any_order() {
    let client = Client::new(1);
    let manager = manager(&client, 2);
    let first = retrieve(manager, 0).expect("a buffer");
    assert!(retrieve(manager, 0).is_err_and(|message| message.contains("retrieved before")));
    assert!(retrieve(manager, 2).is_err_and(|message| message.contains("no buffer 2")));
    send(manager, 0, &[3.0, 4.0], 8, false).expect("sent");
    assert!(send(manager, 0, &[5.0], 16, false).is_err_and(|message| message.contains("do not lie in")));
    assert!(send(manager, 0, &[5.0], -4, false).is_err());
    send(manager, 0, &[1.0, 2.0], 0, true).expect("sent");
    assert!(send(manager, 0, &[1.0], 0, true).is_err_and(|message| message.contains("filled before")));
    assert_eq!(first.read().expect("values"), [1.0, 2.0, 3.0, 4.0]);
    // The other buffer never arrives.
    let second = retrieve(manager, 1).expect("a buffer");
    destroy(manager);
    assert!(second.read().is_err());
}

#[test]
fn an_error_may_come_in_the_place_of_a_tensor() {
    let client = Client::new(1);
    let manager = manager(&client, 1);
    let buffer = retrieve(manager, 0).expect("a buffer");
    let mut args = PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
        transfer_manager: manager,
        error_code: PJRT_Error_Code::INTERNAL,
        error_message: c"torn".as_ptr(),
        error_message_size: 4,
        ..Default::default()
    };
    call(api().PJRT_AsyncHostToDeviceTransferManager_SetBufferError, &mut args).expect("set");
    destroy(manager);
    assert!(buffer.read().is_err_and(|(_, message)| message.contains("torn")));
}

#[test]
fn a_copy_waits_for_its_destination() {
    let client = Client::new(1);
    let buffer = client.buffer(&[1.0, 2.0, 3.0]);
    let copy = || {
        ask!(PJRT_Buffer_CopyRawToHostFuture(PJRT_Buffer_CopyRawToHostFuture_Args {
            buffer: buffer.0,
            offset: 4,
            transfer_size: 8,
        }))
        .expect("a copy")
    };
    let args = copy();
    let mut place = [0f32; 2];
    let mut callback = PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
        callback_data: args.callback_data,
        dst: place.as_mut_ptr().cast(),
        ..Default::default()
    };
    // SAFETY: the callback is called once, with its data.
    unsafe { args.future_ready_callback.expect("a callback")(&raw mut callback) };
    wait(args.event).expect("copied");
    assert_eq!(place, [2.0, 3.0]);
    let args = copy();
    let mut callback = PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
        callback_data: args.callback_data,
        error_code: PJRT_Error_Code::INTERNAL,
        error_message: c"none".as_ptr(),
        error_message_size: 4,
        ..Default::default()
    };
    // SAFETY: as above.
    unsafe { args.future_ready_callback.expect("a callback")(&raw mut callback) };
    assert!(wait(args.event).is_err_and(|(_, message)| message.contains("none")));
}

#[test]
fn a_donation_waits_for_its_dependency() {
    let client = Client::new(1);
    let buffer = client.buffer(&[1.0, 2.0]);
    let args = ask!(PJRT_Buffer_DonateWithControlDependency(PJRT_Buffer_DonateWithControlDependency_Args {
        buffer: buffer.0
    }))
    .expect("a donation");
    let given = Buffer(args.out_buffer);
    assert!(buffer.is_deleted());
    let ready = ask!(PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args { buffer: given.0 }))
        .expect("an event")
        .event;
    let is_ready =
        ask!(PJRT_Event_IsReady(PJRT_Event_IsReady_Args { event: ready })).expect("an answer").is_ready;
    assert!(!is_ready);
    destroy_event(ready);
    let mut callback = PJRT_Buffer_DonateWithControlDependency_Callback_Args {
        callback_data: args.callback_data,
        ..Default::default()
    };
    // SAFETY: the callback is called once, with its data.
    unsafe { args.dependency_ready_callback.expect("a callback")(&raw mut callback) };
    assert_eq!(given.read().expect("values"), [1.0, 2.0]);
}
