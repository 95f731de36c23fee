use std::sync::Arc;

use jarrah_array::{Array, DType, Device, Error, default_device, grad, jit, try_trace, with_default_device};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_reference::ReferenceClient;
use jarrah_runtime::DeviceId;

fn two() -> [Device; 2] {
    let client = CpuClient::with_options(CpuOptions { devices: 2, ..CpuOptions::default() });
    Device::all(Arc::new(client)).try_into().expect("two devices")
}

fn on(x: &Array, device: &Device) -> Array {
    x.to_device(device).expect("the device has memory")
}

#[test]
fn what_is_computed_from_an_array_stays_on_its_device() -> Result<(), Error> {
    let [first, second] = two();
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    assert_eq!(x.device(), default_device());
    for device in [&first, &second] {
        let there = on(&x, device);
        let y = &there * 2.0 + 1.0;
        assert_eq!((there.device(), y.device()), (device.clone(), device.clone()));
        assert_eq!(y.to_vec::<f32>()?, [3.0, 5.0, 7.0]);
        let buffer = y.to_buffer()?;
        assert_eq!(buffer.placement().device, device.id());
        // An array that was put nowhere goes along.
        let z = &there + &x;
        assert_eq!((z.device(), z.to_vec::<f32>()?), (device.clone(), vec![2.0, 4.0, 6.0]));
    }
    assert_eq!((x + 1.0).device(), default_device());
    Ok(())
}

#[test]
fn a_compiled_function_runs_where_its_arguments_are() -> Result<(), Error> {
    let [first, second] = two();
    let scale = Array::from_slice(&[2.0f32, 3.0]);
    let f = jit(move |x: &Array| grad(|x: &Array| (x * x * &scale).sum(..))(x));
    let x = Array::from_slice(&[1.0f32, 2.0]);
    let expected = f.call(x.clone())?;
    assert_eq!(expected.device(), default_device());
    let compiled = |device: &Device| with_default_device(device, jarrah_array::compiled_programs);
    for device in [&first, &second, &first] {
        let y = f.call(on(&x, device))?;
        assert_eq!((y.device(), y.to_vec::<f32>()?), (device.clone(), expected.to_vec::<f32>()?));
    }
    assert_eq!(compiled(&first), 1, "two devices of one client share what was compiled");
    Ok(())
}

#[test]
fn a_compiled_function_says_where_its_arguments_lie() -> Result<(), Error> {
    let [first, second] = two();
    let args = (Array::zeros(&[2, 3]), Array::zeros(&[3]));
    let lowered = || jit(|(x, y): &(Array, Array)| x + y).lower(&args);
    for device in [&first, &second] {
        let compiled = with_default_device(device, || lowered().compile())?;
        let formats = compiled.input_formats();
        assert_eq!(formats, [on(&args.0, device).format()?, on(&args.1, device).format()?]);
        assert_eq!(formats[0].major_to_minor, [0, 1]);
    }
    Ok(())
}

#[test]
fn an_array_is_brought_to_a_device_once() -> Result<(), Error> {
    let [first, second] = two();
    let x = Array::from_slice(&[0.5f32; 1000]);
    let f = jit(|(x, y): &(Array, Array)| (x * y).sum(..));
    let allocations = |device: &Device| -> Result<u64, Error> {
        let y = on(&Array::from_slice(&[2.0f32]), device);
        let before = device.memory_stats()?.allocations;
        assert_eq!(f.call((x.clone(), y))?.item::<f32>()?, 1000.0);
        Ok(device.memory_stats()?.allocations - before)
    };
    for device in [&first, &second] {
        let brought = allocations(device)?;
        assert_eq!(allocations(device)?, brought - 1);
    }
    // It is still on both.
    assert_eq!(allocations(&first)?, allocations(&second)?);
    Ok(())
}

#[test]
fn an_array_outlives_the_clients_that_use_it() -> Result<(), Error> {
    let x = Array::from_slice(&[0.5f32; 1000]);
    let clients: Vec<std::sync::Weak<CpuClient>> = (0..40)
        .map(|_| {
            let client = Arc::new(CpuClient::with_threads(1));
            let there = &Device::all(client.clone())[0];
            let sum = (&x * on(&Array::from_slice(&[2.0f32]), there)).sum(..);
            assert_eq!(sum.item::<f32>()?, 1000.0);
            Ok(Arc::downgrade(&client))
        })
        .collect::<Result<_, Error>>()?;
    let alive = clients.iter().filter(|client| client.strong_count() > 0).count();
    assert!(alive <= 16, "{alive} clients are held by one array");
    // Where it was not kept it can be given up all the same.
    let there = &Device::all(Arc::new(CpuClient::with_threads(1)))[0];
    let f = jit(|(x, y): &(Array, Array)| x + y).donate(0);
    let y = f.call((x, on(&Array::from_slice(&[1.0f32]), there)))?;
    assert_eq!(y.to_vec::<f32>()?, [1.5; 1000]);
    Ok(())
}

#[test]
fn arrays_of_two_devices_do_not_mix() {
    let [first, second] = two();
    let x = Array::from_slice(&[1.0f32]);
    let (a, b) = (on(&x, &first), on(&x, &second));
    let error = try_trace(|| &a + &b).expect_err("two devices");
    let text = error.to_string();
    assert!(text.contains("the operands are on different devices, cpu:0 and cpu:1"), "{text}");
    assert!(text.contains("to_device"), "{text}");
    let error = jit(|(a, b): &(Array, Array)| a + b).call((a.clone(), b.clone())).expect_err("two devices");
    assert!(error.to_string().contains("on different devices"), "{error}");
    assert_eq!((on(&a, &second) + b).to_vec::<f32>().expect("one device"), [2.0]);
}

#[test]
fn clients_do_not_know_of_each_other() -> Result<(), Error> {
    let [_, second] = two();
    let reference = Device::all(Arc::new(ReferenceClient::new())).swap_remove(0);
    let x = Array::from_slice(&[0.5f32, 1.5]);
    let (here, there) = (on(&x, &second), on(&x, &reference));
    assert_eq!(there.device().to_string(), "reference:0");
    assert_eq!(here.exp().to_vec::<f32>()?, there.exp().to_vec::<f32>()?);
    let back = on(&there.exp(), &second);
    assert_eq!(back.to_buffer()?.placement().device, DeviceId(1));
    assert_eq!((&back - here.exp()).to_vec::<f32>()?, [0.0, 0.0]);
    let made = with_default_device(&reference, || Array::from_slice(&[1.0f32]) + 1.0);
    assert_eq!(with_default_device(&reference, || made.to_vec::<f32>())?, [2.0]);
    Ok(())
}

#[test]
fn tensors_of_other_libraries_are_used_where_they_lie() -> Result<(), Error> {
    let address = |x: &Array| x.to_buffer().unwrap().view().unwrap().bytes().as_ptr();
    for dtype in [DType::F32, DType::BF16, DType::I8, DType::U64, DType::Bool, DType::C64] {
        let x = Array::arange(0..64).reshape(&[4, -1]).astype(dtype);
        let y = Array::from_dlpack(x.to_dlpack()?.import()?)?;
        assert_eq!(y.to_literal()?, x.to_literal()?);
        assert_eq!(address(&x), address(&y), "{dtype} is not copied");
    }
    let x = Array::arange(3.0);
    let kept = Array::from_dlpack(x.to_dlpack()?.import()?)?;
    drop(x);
    assert_eq!((kept + 1.0).to_vec::<f32>()?, [1.0, 2.0, 3.0], "it lives as long as somebody reads it");
    for shape in [&[][..], &[0, 3], &[1, 1]] {
        let x = Array::zeros(shape);
        assert_eq!(Array::from_dlpack(x.to_dlpack()?.import()?)?.to_literal()?, x.to_literal()?);
    }
    let narrow = Array::zeros(&[2]).astype(DType::F8E4M3FN).to_dlpack().unwrap_err();
    assert!(narrow.to_string().contains("DLPack has no dtype f8e4m3fn"), "{narrow}");
    Ok(())
}

#[test]
fn an_array_that_goes_to_and_fro_between_clients_leaves_no_trail() -> Result<(), Error> {
    let clients = [two(), two()].map(|[first, _]| first);
    let mut x = Array::from_slice(&[1.0f32; 64]);
    for i in 0..100_000 {
        x = on(&x, &clients[i % 2]);
    }
    assert_eq!(x.to_vec::<f32>()?, [1.0; 64]);
    Ok(())
}
