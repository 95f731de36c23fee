//! Random schedules: buffers read, copied, donated, deleted and freed in any order, by several threads, while what fills them
//! may still be to come. A model says what each buffer holds.

use std::ptr::null_mut;

use jarrah_pjrt::abi::*;

use crate::caller::{Buffer, Client, DONATED, TWO, ask};
use jarrah_testing::mutants::Random;

/// A buffer of four equal numbers, and the number; `None` once it was deleted or donated.
struct Known {
    buffer: Buffer,
    value: Option<f32>,
}

/// A buffer that is still to be filled, and by what.
struct Pending {
    callback: *mut PJRT_FulfillAliasBufferCallback,
    value: f32,
}

/// The values that a schedule may have before a sum of two is no longer exact.
const BOUND: f32 = 1e6;

/// Some buffers come late: they are filled some steps after they were made.
fn schedule(client: &Client, seed: u64, steps: usize) {
    let mut random = Random(seed);
    let memory =
        ask!(PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args { device: client.devices()[0] }));
    let memory = memory.expect("a memory").memory;
    let increment = client.compile(DONATED).expect("an executable");
    let two = client.compile(TWO).expect("an executable");
    let mut known: Vec<Known> = Vec::new();
    let mut pending: Vec<Pending> = Vec::new();
    for step in 0..steps {
        let at = random.below(known.len().max(1));
        match random.below(9) {
            2 => {
                let made = ask!(PJRT_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args {
                    client: client.0,
                    memory: memory,
                    shape_dims: [4i64].as_ptr(),
                    shape_num_dims: 1,
                    shape_element_type: PJRT_Buffer_Type::F32,
                }))
                .expect("a buffer");
                let value = random.below(1000) as f32;
                known.push(Known { buffer: Buffer(made.alias_buffer), value: Some(value) });
                pending.push(Pending { callback: made.fulfill_alias_buffer_cb, value });
            }
            0..3 => {
                let value = random.below(1000) as f32;
                known.push(Known { buffer: client.buffer(&[value; 4]), value: Some(value) });
            }
            3 => fulfil(client, &mut pending, random.below(4)),
            4 if !known.is_empty() => {
                let a = known.swap_remove(at);
                let result = increment.run_begun(&a.buffer);
                assert_eq!(result.is_ok(), a.value.is_some(), "step {step} of {seed}");
                assert!(a.buffer.is_deleted());
                if let (Ok(buffer), Some(value)) = (result, a.value) {
                    known.push(Known { buffer, value: Some(value + 1.0) });
                }
                known.push(Known { buffer: a.buffer, value: None });
            }
            5 if !known.is_empty() => {
                let other = random.below(known.len());
                let result = two.begin(&[&known[at].buffer, &known[other].buffer]);
                match (result, known[at].value, known[other].value) {
                    (Ok(mut results), Some(a), Some(b)) if a + b < BOUND && a * b < BOUND => {
                        known.push(Known { buffer: results.swap_remove(0), value: Some(a + b) });
                        known.push(Known { buffer: results.swap_remove(0), value: Some(a * b) });
                    }
                    (result, a, b) => assert_eq!(result.is_ok(), a.is_some() && b.is_some()),
                }
            }
            6 if !known.is_empty() => {
                known[at].buffer.delete();
                known[at].value = None;
            }
            7 if !known.is_empty() => drop(known.swap_remove(at)),
            8 if !known.is_empty() => {
                let args = ask!(PJRT_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args {
                    buffer: known[at].buffer.0,
                    dst_memory: memory,
                }));
                assert_eq!(args.is_ok(), known[at].value.is_some());
                if let Ok(args) = args {
                    let value = known[at].value;
                    known.push(Known { buffer: Buffer(args.dst_buffer), value });
                }
            }
            _ => {}
        }
        if known.len() > 40 {
            known.swap_remove(at);
        }
    }
    while !pending.is_empty() {
        fulfil(client, &mut pending, 0);
    }
    for Known { buffer, value } in known {
        match value {
            Some(value) => assert_eq!(buffer.read().expect("values"), [value; 4], "{seed}"),
            None => assert!(buffer.read().is_err_and(|(_, message)| message.contains("deleted or donated"))),
        }
    }
}

/// Says what a buffer is that was to be filled.
fn fulfil(client: &Client, pending: &mut Vec<Pending>, at: usize) {
    if at >= pending.len() {
        return;
    }
    let Pending { callback, value } = pending.swap_remove(at);
    let source = client.buffer(&[value; 4]);
    ask!(PJRT_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args {
        client: client.0,
        buffer: source.0,
        fulfill_alias_buffer_cb: callback,
    }))
    .expect("fulfilled");
}

impl crate::caller::Loaded {
    /// Begins a run that gives its only argument up.
    fn run_begun(&self, argument: &Buffer) -> Result<Buffer, ()> {
        self.begin(&[argument]).map(|mut results| results.swap_remove(0)).map_err(|_| ())
    }
}

#[test]
fn schedules_of_one_thread() {
    let client = Client::new(1);
    for seed in 1..200 {
        schedule(&client, seed * 0x9e37_79b9, 60);
    }
}

#[test]
fn schedules_of_many_threads() {
    let client = Client::new(2);
    let address = client.0.expose_provenance();
    std::thread::scope(|scope| {
        for thread in 1..=8u64 {
            scope.spawn(move || {
                let client =
                    std::mem::ManuallyDrop::new(Client(std::ptr::with_exposed_provenance_mut(address)));
                for seed in 1..20 {
                    schedule(&client, seed * 0x9e37_79b9 + thread, 60);
                }
            });
        }
    });
    assert_ne!(client.0, null_mut());
}
