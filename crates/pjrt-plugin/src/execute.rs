//! Executions.

use std::sync::atomic::Ordering;

use jarrah_base::{DType, Type};
use jarrah_pjrt::abi::*;
use jarrah_runtime::{Arg, Buffer, DeviceId, Event, ExecuteOptions, Execution, HostSource, Placement};

use crate::buffer::{BufferObject, buffer};
use crate::call::Call;
use crate::device::DeviceObject;
use crate::event;
use crate::executable::{LoadedObject, loaded};
use crate::failure::{Failure, Outcome};
use crate::object::{list, list_mut, optional, value};

impl Call for PJRT_LoadedExecutable_Execute_Args {
    fn call(&mut self) -> Outcome {
        let loaded = loaded(self.executable)?;
        if loaded.deleted.load(Ordering::Relaxed) {
            return Err(Failure::invalid(format!("the executable {} was deleted", loaded.info.name())));
        }
        let kept = kept(value(self.options, "list of execute options")?)?;
        let device = optional::<DeviceObject>(self.execute_device).map(DeviceObject::id);
        let lists = list(self.argument_lists, self.num_devices, "argument lists")?;
        let options = options(loaded, device, self.num_devices)?;
        let handles = lists.iter().map(|&given| list(given, self.num_args, "arguments"));
        let handles: Vec<&[*mut PJRT_Buffer]> = handles.collect::<Outcome<_>>()?;
        let args = handles.iter().map(|list| arguments(loaded, list, kept));
        let args: Vec<Vec<Arg>> = args.collect::<Outcome<_>>()?;
        let failed = |arg: &Arg| arg.buffer().ready().outcome().is_some_and(|outcome| outcome.is_err());
        let given_failed = args.iter().flatten().any(failed);
        let Execution { results, done } = loaded.info.executable.execute(args, &options)?;
        if let Some(joined) = &loaded.shared.joined
            && loaded.own.len() < loaded.info.given.assignment.len()
        {
            joined.began(&loaded.own, &done);
        }
        // As in XLA's CPU client, a run on one device that took place within the call and failed by itself is an error of the call:
        // whoever looks at none of the results hears of it too. Where an argument brought the error, or the run is on several
        // devices, the results carry it: JAX raises the error of a call as another exception than that of a result, and which of
        // the two it is must not depend on when another device fails. The call waits for a run that gives a token, and every error
        // of that run is one of the call: JAX waits for the last token of an ordered effect before the next program with that
        // effect, and a token with an error would refuse all of these programs.
        let ordered = loaded.info.given.metadata.results.iter().any(Option::is_none);
        let alone = loaded.info.given.assignment.len() <= 1 && !given_failed;
        let outcome = |done: &Event| if ordered { Some(done.wait()) } else { done.outcome() };
        if let Some(Err(error)) = done.iter().find_map(|done| outcome(done).filter(Result::is_err))
            && (ordered || alone)
        {
            return Err(error.into());
        }
        let outputs = list(self.output_lists, self.num_devices, "output lists")?;
        for (at, (results, &places)) in results.into_iter().zip(outputs).enumerate() {
            let device = options.device.unwrap_or(loaded.own[at]);
            put(loaded, results, device, &done[at], places)?;
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

/// The arguments on a device: those that the program may overwrite are given up, unless they are to be kept. Tokens are left out, with
/// the errors that they may carry: runs with ordered effects take place in order on a device anyway.
fn arguments(loaded: &LoadedObject, handles: &[*mut PJRT_Buffer], kept: &[i64]) -> Outcome<Vec<Arg>> {
    let metadata = &loaded.info.given.metadata;
    if handles.len() != metadata.parameters.len() {
        let (name, takes, count) = (loaded.info.name(), metadata.parameters.len(), handles.len());
        return Err(Failure::invalid(format!("{name} takes {takes} arguments, {count} were given")));
    }
    let mut args: Vec<Arg> = Vec::with_capacity(handles.len());
    let mut positions = Vec::with_capacity(handles.len());
    for (at, ((&handle, ty), order)) in
        handles.iter().zip(&metadata.parameters).zip(&metadata.parameter_orders).enumerate()
    {
        let object = buffer(handle)?;
        if ty.is_some() {
            object.check_order(order)?;
            args.push(Arg::Borrow(object.buffer.clone()));
            positions.push(at as i64);
        }
    }
    for alias in &metadata.aliases {
        let at = alias.parameter;
        if !kept.contains(&positions[at]) {
            args[at] = Arg::Donate(args[at].buffer().clone());
        }
    }
    Ok(args)
}

fn options(loaded: &LoadedObject, device: Option<DeviceId>, lists: usize) -> Outcome<ExecuteOptions> {
    let wanted = loaded.own.len();
    if lists != wanted {
        let (name, runs) = (loaded.info.name(), loaded.info.given.assignment.len());
        let here = if wanted == runs { String::new() } else { format!(", {wanted} of them in this process") };
        return Err(Failure::invalid(format!(
            "{name} runs on {runs} devices{here}, there are arguments for {lists}"
        )));
    }
    match (loaded.info.given.assignment.assigned(), device) {
        ([], device) => Ok(ExecuteOptions { device }),
        (_, None) => Ok(ExecuteOptions::default()),
        ([only], Some(device)) if *only == device => Ok(ExecuteOptions::default()),
        (_, Some(device)) => Err(Failure::invalid(format!(
            "{} was compiled for other devices than device {device} alone",
            loaded.info.name()
        ))),
    }
}

/// Gives the results of a device to C, in the memories that the program says. A token is ready when the execution is over.
fn put(
    loaded: &LoadedObject,
    results: Vec<Buffer>,
    device: DeviceId,
    done: &Event,
    places: *mut *mut PJRT_Buffer,
) -> Outcome {
    let metadata = &loaded.info.given.metadata;
    let places = list_mut(places, metadata.results.len(), "results")?;
    let device = results.first().map_or(device, |result| result.placement().device);
    let mut results = results.into_iter().zip(&loaded.info.forwarded);
    let orders = metadata.result_orders.iter();
    let said = metadata.results.iter().zip(&metadata.result_kinds).zip(orders);
    for (place, ((ty, &kind), order)) in places.iter_mut().zip(said) {
        *place = match ty.and_then(|_| results.next()) {
            Some((result, &forwarded)) => {
                let lies = result.placement();
                let result = match lies.memory != kind || forwarded {
                    true => loaded.shared.copy(&result, Placement { memory: kind, ..lies })?,
                    false => result,
                };
                BufferObject::raw(&loaded.shared, result, order.clone())
            }
            None => BufferObject::raw_token(&loaded.shared, token(loaded, device, done)?),
        };
    }
    Ok(())
}

/// A buffer that is ready when `done` is.
fn token(loaded: &LoadedObject, device: DeviceId, done: &Event) -> Outcome<Buffer> {
    let (buffer, promise) = loaded.shared.client.promise(Type::scalar(DType::Bool), device.into())?;
    done.on_ready(move |outcome| promise.keep(outcome.clone().map(|()| HostSource::Borrowed(&[0]))));
    Ok(buffer)
}
