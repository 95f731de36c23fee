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
use crate::shards::Shards;

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
        let computing = loaded.info.given.computing().len().max(1);
        let args = (0..computing).map(|at| arguments(loaded, &handles, at, kept));
        let args: Vec<Vec<Arg>> = args.collect::<Outcome<_>>()?;
        let failed = |arg: &Arg| arg.buffer().ready().outcome().is_some_and(|outcome| outcome.is_err());
        let given_failed = args.iter().flatten().any(failed);
        let Execution { results, done } = loaded.info.executable.execute(args, &options)?;
        // A run that took place within the call and failed by itself is an error of the call: whoever looks at none of the
        // results hears of it too. Where an argument brought the error, the results carry it on. The call waits for a run that
        // gives a token, and every error of that run is one of the call: JAX waits for the last token of an ordered effect
        // before the next program with that effect, and a token with an error would refuse all of these programs.
        let ordered = loaded.info.given.metadata.results.iter().any(Option::is_none);
        let outcome = |done: &Event| if ordered { Some(done.wait()) } else { done.outcome() };
        if let Some(Err(error)) = done.iter().find_map(|done| outcome(done).filter(Result::is_err))
            && (ordered || !given_failed)
        {
            return Err(error.into());
        }
        give_up(loaded, &handles, kept)?;
        let outputs = list(self.output_lists, self.num_devices, "output lists")?;
        let done: Vec<Event> = done.iter().cycle().take(self.num_devices).cloned().collect();
        let results = spread(loaded, results, outputs.len())?;
        for (at, (results, &places)) in results.into_iter().zip(outputs).enumerate() {
            let assigned = loaded.info.given.assignment.assigned().get(at).copied();
            let device = assigned.or(options.device).unwrap_or_default();
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

/// The arguments on the device `at` of those that compute: those that the program may overwrite are given up, unless they are to
/// be kept. Tokens are left out, with the errors that they may carry: runs with ordered effects take place in order on a device
/// anyway.
fn arguments(
    loaded: &LoadedObject,
    handles: &[&[*mut PJRT_Buffer]],
    at: usize,
    kept: &[i64],
) -> Outcome<Vec<Arg>> {
    let given = &loaded.info.given;
    let metadata = &given.metadata;
    if let Some(other) = handles.iter().find(|list| list.len() != metadata.parameters.len()) {
        let (name, takes, count) = (loaded.info.name(), metadata.parameters.len(), other.len());
        return Err(Failure::invalid(format!("{name} takes {takes} arguments, {count} were given")));
    }
    let mut args: Vec<Arg> = Vec::with_capacity(metadata.parameters.len());
    for (position, ty) in metadata.parameters.iter().enumerate() {
        let object = buffer(handles[at][position])?;
        if ty.is_none() {
            continue;
        }
        object.check_order(&metadata.parameter_orders[position])?;
        args.push(Arg::Borrow(match &given.parameter_shards[position] {
            Some(shards) => joined(loaded, shards, handles, at, position)?,
            None => object.buffer.clone(),
        }));
    }
    for (argument, _) in given_up(loaded, kept) {
        args[argument] = Arg::Donate(args[argument].buffer().clone());
    }
    Ok(args)
}

/// The argument at a position as the device `at` needs it, of which the partitions of its replica have the parts.
fn joined(
    loaded: &LoadedObject,
    shards: &Shards,
    handles: &[&[*mut PJRT_Buffer]],
    at: usize,
    position: usize,
) -> Outcome<Buffer> {
    let assignment = &loaded.info.given.assignment;
    let order = &loaded.info.given.metadata.parameter_orders[position];
    let first = at / assignment.partitions() * assignment.partitions();
    let mut parts = Vec::with_capacity(assignment.partitions());
    for (list, device) in handles.iter().zip(assignment.assigned()).skip(first).take(assignment.partitions())
    {
        let object = buffer(list[position])?;
        object.check_order(order)?;
        let part = object.live()?;
        if part.placement().device != *device {
            return Err(Failure::invalid(format!(
                "a part of argument {position} lies on device {}, it has to be on {device}",
                part.placement().device
            )));
        }
        parts.push(part);
    }
    let memory = loaded.info.given.metadata.parameter_kinds[position];
    let device = assignment.assigned()[at];
    shards.join(&loaded.shared, &parts, Placement { device, memory })
}

/// The arguments that a run gives up: the position of each among the program's, and among the caller's.
fn given_up<'a>(loaded: &'a LoadedObject, kept: &'a [i64]) -> impl Iterator<Item = (usize, usize)> + 'a {
    let metadata = &loaded.info.given.metadata;
    let tensors = metadata.parameters.iter().enumerate().filter(|(_, ty)| ty.is_some());
    let positions: Vec<usize> = tensors.map(|(position, _)| position).collect();
    let all = metadata.aliases.iter().map(move |alias| (alias.parameter, positions[alias.parameter]));
    all.filter(|(_, position)| !kept.contains(&(*position as i64)))
}

/// Gives up what a run was given of its arguments beside those on which the program ran: the parts of joined ones, and the copies
/// on devices that computed nothing.
fn give_up(loaded: &LoadedObject, handles: &[&[*mut PJRT_Buffer]], kept: &[i64]) -> Outcome {
    let given = &loaded.info.given;
    let computing = given.computing().len().max(1);
    for (_, position) in given_up(loaded, kept) {
        let joined = given.parameter_shards[position].is_some();
        for list in &handles[if joined { 0 } else { computing.min(handles.len()) }..] {
            buffer(list[position])?.buffer.delete();
        }
    }
    Ok(())
}

/// The results on each of so many devices: parts where they are split, otherwise those that the device computed, or copies.
fn spread(loaded: &LoadedObject, results: Vec<Vec<Buffer>>, devices: usize) -> Outcome<Vec<Vec<Buffer>>> {
    let given = &loaded.info.given;
    let tensors = given.metadata.results.iter().zip(&given.result_shards).filter(|(ty, _)| ty.is_some());
    let shards: Vec<&Option<Shards>> = tensors.map(|(_, shards)| shards).collect();
    let on = |at: usize| {
        let own = results.get(at);
        let Some(whole) = own.or_else(|| results.first()) else { return Ok(Vec::new()) };
        let one = |(whole, shards): (&Buffer, &&Option<Shards>)| {
            let memory = whole.placement().memory;
            let place = given.assignment.assigned().get(at).map(|&device| Placement { device, memory });
            match (shards, place) {
                (Some(shards), Some(place)) => {
                    shards.cut(&loaded.shared, whole, at % given.assignment.partitions(), place)
                }
                (None, Some(place)) if own.is_none() => loaded.shared.copy(whole, place),
                _ => Ok(whole.clone()),
            }
        };
        whole.iter().zip(&shards).map(one).collect()
    };
    (0..devices).map(on).collect()
}

fn options(loaded: &LoadedObject, device: Option<DeviceId>, lists: usize) -> Outcome<ExecuteOptions> {
    let devices = loaded.info.given.assignment.assigned();
    let wanted = devices.len().max(1);
    if lists != wanted {
        let name = loaded.info.name();
        return Err(Failure::invalid(format!(
            "{name} runs on {wanted} devices, there are arguments for {lists}"
        )));
    }
    match (devices, device) {
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
