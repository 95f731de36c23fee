//! Extensions of the table.

use std::ptr::null_mut;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::proto::{ProtoValue, fields};

use crate::caller::{Client, TWO, api, call, text};

/// The extension of a type.
pub fn find<E>(r#type: PJRT_Extension_Type) -> &'static E {
    let mut at = api().extension_start;
    // SAFETY: extensions are chained until null; one of a type is the struct of that type.
    unsafe {
        while let Some(base) = at.as_ref() {
            if base.r#type == r#type {
                assert_eq!(base.struct_size, size_of::<E>());
                return &*at.cast::<E>();
            }
            at = base.next;
        }
    }
    panic!("there is no extension {:?}", r#type.name());
}

#[test]
fn layouts_are_row_major_by_default() {
    let extension = find::<PJRT_Layouts_Extension>(PJRT_Extension_Type::Layouts);
    let client = Client::new(1);
    let serialized = |layout| {
        let mut args = PJRT_Layouts_MemoryLayout_Serialize_Args { layout, ..Default::default() };
        call(extension.PJRT_Layouts_MemoryLayout_Serialize, &mut args).expect("bytes");
        let said = text(args.serialized_bytes, args.serialized_bytes_size);
        // SAFETY: the deleter is called once.
        unsafe { args.serialized_layout_deleter.expect("a deleter")(args.serialized_layout) };
        said
    };
    let destroy = |layout| {
        let mut args = PJRT_Layouts_MemoryLayout_Destroy_Args { layout, ..Default::default() };
        call(extension.PJRT_Layouts_MemoryLayout_Destroy, &mut args).expect("freed");
    };
    for (dims, expected) in [(&[][..], "{}"), (&[3], "{0}"), (&[2, 3, 4], "{2,1,0}")] {
        let mut args = PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
            client: client.0,
            r#type: PJRT_Buffer_Type::F32,
            dims: dims.as_ptr(),
            num_dims: dims.len(),
            ..Default::default()
        };
        call(extension.PJRT_Layouts_PJRT_Client_GetDefaultLayout, &mut args).expect("a layout");
        assert_eq!(serialized(args.layout), expected);
        destroy(args.layout);
    }
    let executable = client.compile(TWO).expect("an executable").executable();
    let mut args =
        PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args { executable: executable.0, ..Default::default() };
    call(extension.PJRT_Layouts_PJRT_Executable_GetOutputLayouts, &mut args).expect("layouts");
    // SAFETY: the list has as many entries.
    let layouts = unsafe { std::slice::from_raw_parts(args.layouts, args.num_outputs) };
    assert_eq!(layouts.iter().map(|&layout| serialized(layout)).collect::<Vec<_>>(), ["{0}", "{0}"]);
}

#[test]
fn kinds_of_memory_are_described_without_a_client() {
    let extension = find::<PJRT_MemoryDescriptions_Extension>(PJRT_Extension_Type::MemoryDescriptions);
    let client = Client::new(1);
    let mut got = PJRT_Device_GetDescription_Args { device: client.devices()[0], ..Default::default() };
    call(api().PJRT_Device_GetDescription, &mut got).expect("a description");
    let mut list = PJRT_DeviceDescription_MemoryDescriptions_Args {
        device_description: got.device_description,
        ..Default::default()
    };
    call(extension.PJRT_DeviceDescription_MemoryDescriptions, &mut list).expect("a list");
    // SAFETY: the list has as many entries.
    let memories =
        unsafe { std::slice::from_raw_parts(list.memory_descriptions, list.num_memory_descriptions) };
    let kind = |&memory_description: &*const PJRT_MemoryDescription| {
        let mut args = PJRT_MemoryDescription_Kind_Args { memory_description, ..Default::default() };
        call(extension.PJRT_MemoryDescription_Kind, &mut args).expect("a kind");
        (text(args.kind, args.kind_size), args.kind_id)
    };
    let kinds: Vec<_> = memories.iter().map(kind).collect();
    assert_eq!(list.default_memory_index, 0);
    assert_eq!(kinds, [("device".into(), 0), ("pinned_host".into(), 1), ("unpinned_host".into(), 2)]);
}

/// The message in the field `number`, as its fields.
fn inner(message: &[u8], number: u32) -> Vec<&[u8]> {
    let all = fields(message).map(|field| field.expect("a field"));
    all.filter_map(
        |(n, value)| if let ProtoValue::Bytes(bytes) = value { (n == number).then_some(bytes) } else { None },
    )
    .collect()
}

#[test]
fn executions_are_profiled() {
    let extension = find::<PJRT_Profiler_Extension>(PJRT_Extension_Type::Profiler);
    // SAFETY: the profiler is used as its header says.
    unsafe {
        let profiler_api = &*extension.profiler_api;
        let mut create = PLUGIN_Profiler_Create_Args::default();
        assert!(profiler_api.create.expect("a function")(&raw mut create).is_null());
        let profiler = create.profiler;
        let mut start = PLUGIN_Profiler_Start_Args { profiler, ..Default::default() };
        let mut stop = PLUGIN_Profiler_Stop_Args { profiler, ..Default::default() };
        let too_early = profiler_api.stop.expect("a function")(&raw mut stop);
        let mut message = PLUGIN_Profiler_Error_Message_Args { error: too_early, ..Default::default() };
        profiler_api.error_message.expect("a function")(&raw mut message);
        assert_eq!(text(message.message, message.message_size), "the profiler is not started");
        let mut destroy_error = PLUGIN_Profiler_Error_Destroy_Args { error: too_early, ..Default::default() };
        profiler_api.error_destroy.expect("a function")(&raw mut destroy_error);
        assert!(profiler_api.start.expect("a function")(&raw mut start).is_null());
        let client = Client::new(1);
        let two = client.compile(&TWO.replace("sum_and_product", "profiled")).expect("an executable");
        let a = client.buffer(&[1.0; 4]);
        for _ in 0..3 {
            two.run(&[&a, &a]).expect("results");
        }
        assert!(profiler_api.stop.expect("a function")(&raw mut stop).is_null());
        let mut collect = PLUGIN_Profiler_CollectData_Args { profiler, ..Default::default() };
        assert!(profiler_api.collect_data.expect("a function")(&raw mut collect).is_null());
        let space = std::slice::from_raw_parts(collect.buffer, collect.buffer_size_in_bytes);
        let plane = inner(space, 1).remove(0);
        assert_eq!(inner(plane, 2), [b"/host:Jarrah"]);
        let names: Vec<_> =
            inner(plane, 4).into_iter().map(|entry| inner(inner(entry, 2)[0], 2)[0]).collect();
        assert!(names.contains(&&b"profiled"[..]), "{names:?}");
        // A line for the device's executions, and one at least for a thread's steps and transfers.
        let lines: Vec<(String, usize)> = inner(plane, 3)
            .into_iter()
            .map(|line| (String::from_utf8_lossy(inner(line, 2)[0]).into_owned(), inner(line, 4).len()))
            .collect();
        assert!(lines[0].0 == "executions of device 0" && lines[0].1 >= 3, "{lines:?}");
        assert!(lines[1..].iter().map(|(_, events)| events).sum::<usize>() >= 3, "{lines:?}");
        for step in ["add", "from the host to device 0"] {
            let named = |name: &&[u8]| String::from_utf8_lossy(name).contains(step);
            assert!(names.iter().any(named), "{step}: {names:?}");
        }
        let mut copy = vec![0; space.len()];
        let mut fill = PLUGIN_Profiler_CollectData_Args {
            profiler,
            buffer: copy.as_mut_ptr(),
            buffer_size_in_bytes: copy.len(),
            ..Default::default()
        };
        assert!(profiler_api.collect_data.expect("a function")(&raw mut fill).is_null());
        assert_eq!(copy, space);
        let mut destroy = PLUGIN_Profiler_Destroy_Args { profiler, ..Default::default() };
        assert!(profiler_api.destroy.expect("a function")(&raw mut destroy).is_null());
        let mut none = PLUGIN_Profiler_Start_Args { profiler: null_mut(), ..Default::default() };
        let mut destroy_error = PLUGIN_Profiler_Error_Destroy_Args {
            error: profiler_api.start.expect("a function")(&raw mut none),
            ..Default::default()
        };
        assert!(!destroy_error.error.is_null());
        profiler_api.error_destroy.expect("a function")(&raw mut destroy_error);
    }
}
