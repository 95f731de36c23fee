//! Executions.

use std::sync::atomic::Ordering;

use jarrah_pjrt::abi::*;
use jarrah_runtime::{Arg, Buffer, DeviceId, ExecuteOptions, Execution, MemoryKind, Placement};

use crate::buffer::{BufferObject, buffer};
use crate::call::Call;
use crate::device::DeviceObject;
use crate::error::{Failure, Outcome};
use crate::executable::{LoadedObject, loaded};
use crate::object::{Object, give, list, list_mut, optional, value};
use crate::{event, object, profiler};

/// What C leaves to handlers of calls in an execution.
pub struct ContextObject;

impl Object for ContextObject {
    type Handle = PJRT_ExecuteContext;
    const WHAT: &'static str = "execution context";
}

impl Call for PJRT_ExecuteContext_Create_Args {
    fn call(&mut self) -> Outcome {
        self.context = give(ContextObject);
        Ok(())
    }
}

impl Call for PJRT_ExecuteContext_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<ContextObject>(self.context));
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_Execute_Args {
    fn call(&mut self) -> Outcome {
        let loaded = loaded(self.executable)?;
        if loaded.deleted.load(Ordering::Relaxed) {
            return Err(Failure::invalid(format!("the executable {} was deleted", loaded.info.name())));
        }
        let kept = kept(value(self.options, "list of execute options")?)?;
        let device = optional::<DeviceObject>(self.execute_device).map(DeviceObject::id);
        let lists = list(self.argument_lists, self.num_devices, "argument lists")?;
        let args: Vec<Vec<Arg>> = lists
            .iter()
            .map(|&given| arguments(loaded, list(given, self.num_args, "arguments")?, kept))
            .collect::<Outcome<_>>()?;
        let options = options(loaded, device, self.num_devices)?;
        let span = profiler::Span::begin(loaded.info.name());
        let Execution { results, done } = loaded.info.executable.execute(args, &options)?;
        if let (Some(span), Some(done)) = (span, done.first()) {
            done.on_ready(move |_| span.end());
        }
        let outputs = list(self.output_lists, self.num_devices, "output lists")?;
        for (results, &places) in results.into_iter().zip(outputs) {
            put(loaded, results, places)?;
        }
        if !self.device_complete_events.is_null() {
            let events = list_mut(self.device_complete_events, self.num_devices, "events")?;
            for (place, done) in events.iter_mut().zip(done) {
                *place = event::raw(done);
            }
        }
        Ok(())
    }
}

/// The arguments that are not to be given up, whatever the program says.
fn kept(options: &PJRT_ExecuteOptions) -> Outcome<&[i64]> {
    if options.num_send_ops > 0 || options.num_recv_ops > 0 {
        return Err(Failure::unimplemented(
            "executions with callbacks of send and receive are not supported",
        ));
    }
    // The caller may be older than the field: what it does not know of is not there.
    let known = PJRT_ExecuteOptions::known(options.struct_size);
    if known >= PJRT_ExecuteOptions::STRUCT_SIZE && options.num_hlo_output_callbacks > 0 {
        return Err(Failure::unimplemented("executions with callbacks of outputs are not supported"));
    }
    list(options.non_donatable_input_indices, options.num_non_donatable_input_indices, "kept arguments")
}

/// The arguments on a device: those that the program may overwrite are given up, unless they are to be kept.
fn arguments(loaded: &LoadedObject, handles: &[*mut PJRT_Buffer], kept: &[i64]) -> Outcome<Vec<Arg>> {
    let mut args: Vec<Arg> = Vec::with_capacity(handles.len());
    for &handle in handles {
        args.push(Arg::Borrow(buffer(handle)?.buffer.clone()));
    }
    for alias in &loaded.info.given.metadata.aliases {
        let at = alias.parameter;
        if let Some(arg) = args.get_mut(at).filter(|_| !kept.contains(&(at as i64))) {
            *arg = Arg::Donate(arg.buffer().clone());
        }
    }
    Ok(args)
}

fn options(loaded: &LoadedObject, device: Option<DeviceId>, lists: usize) -> Outcome<ExecuteOptions> {
    let devices = &loaded.info.given.devices;
    let wanted = devices.len().max(1);
    if lists != wanted {
        let name = loaded.info.name();
        return Err(Failure::invalid(format!(
            "{name} runs on {wanted} devices, there are arguments for {lists}"
        )));
    }
    match (&devices[..], device) {
        ([], device) => Ok(ExecuteOptions { device }),
        (_, None) => Ok(ExecuteOptions::default()),
        ([only], Some(device)) if *only == device => Ok(ExecuteOptions::default()),
        (_, Some(device)) => Err(Failure::invalid(format!(
            "{} was compiled for other devices than device {device} alone",
            loaded.info.name()
        ))),
    }
}

/// Gives the results of a device to C, in the memories that the program says.
fn put(loaded: &LoadedObject, results: Vec<Buffer>, places: *mut *mut PJRT_Buffer) -> Outcome {
    let places = list_mut(places, results.len(), "results")?;
    let kinds = &loaded.info.given.metadata.result_kinds;
    for (at, (place, result)) in places.iter_mut().zip(results).enumerate() {
        let kind = kinds.get(at).copied().unwrap_or(MemoryKind::Device);
        let lies = result.placement();
        let copied = lies.memory != kind || loaded.info.forwarded.get(at).copied().unwrap_or(false);
        let result = match copied {
            true => loaded.shared.copy(&result, Placement { memory: kind, ..lies })?,
            false => result,
        };
        *place = BufferObject::raw(&loaded.shared, result)?;
    }
    Ok(())
}
