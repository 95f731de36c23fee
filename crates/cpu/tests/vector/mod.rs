// Plans run on raw buffers.
#![allow(unsafe_code)]

mod coverage;
mod elementwise;
mod emit;
mod folds;
mod random;
mod reference;
mod row_blocks;
mod shapes;

use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_tile::LoopKernel;

/// Memory of a buffer, aligned to 8 bytes.
pub type Bytes = Vec<u64>;

pub fn bytes_of<T: bytemuck::NoUninit>(values: &[T]) -> Bytes {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let mut out = vec![0u64; bytes.len().div_ceil(8)];
    bytemuck::cast_slice_mut::<u64, u8>(&mut out)[..bytes.len()].copy_from_slice(bytes);
    out
}

/// Outputs long enough for every store of `kernel`.
pub fn outputs(kernel: &LoopKernel) -> Vec<Bytes> {
    let mut out: Vec<Bytes> = kernel.outputs.iter().map(|_| vec![]).collect();
    // Folds of nothing are stored too.
    let some = |n: &usize| *n.max(&1);
    let kernel = &LoopKernel {
        cols: kernel.cols.max(1),
        reduce: kernel.reduce.iter().map(some).collect(),
        ..kernel.clone()
    };
    for s in &kernel.stores {
        let reach = kernel.reach(&s.map).map_or(0, |(_, high)| high as usize + 1);
        let words = (reach * kernel.outputs[s.output].size()).div_ceil(8);
        if out[s.output].len() < words {
            out[s.output].resize(words, 0);
        }
    }
    out
}

pub fn run_with(
    kernel: &LoopKernel,
    inputs: &[Bytes],
    isa: Isa,
    tier: Tier,
    tile: usize,
    pool: &ThreadPool,
) -> Vec<Bytes> {
    let plan = Plan::with(kernel, isa, tier, tile).unwrap();
    let mut outs = outputs(kernel);
    let ins: Vec<*const u8> = inputs.iter().map(|b| b.as_ptr().cast()).collect();
    let ptrs: Vec<*mut u8> = outs.iter_mut().map(|b| b.as_mut_ptr().cast()).collect();
    // SAFETY: callers size inputs for their maps; outputs reach as far as the stores.
    unsafe { plan.run(pool, &ins, &ptrs) };
    outs
}

/// Gives NaNs one payload: it is not part of the contract.
fn canonical(kernel: &LoopKernel, outs: &mut [Bytes]) {
    for (b, &d) in outs.iter_mut().zip(&kernel.outputs).filter(|(_, d)| d.is_float()) {
        for i in 0..b.len() * 8 / d.size() {
            let v = reference::get(b, d, i);
            if v.f().is_nan() {
                reference::set(b, d, i, reference::Value::F(f64::NAN));
            }
        }
    }
}

/// Runs `kernel` in every way there is, and checks that the bits agree.
pub fn run(kernel: &LoopKernel, inputs: &[Bytes]) -> Vec<Bytes> {
    let (one, three) = (ThreadPool::new(1), ThreadPool::new(3));
    let mut want = run_with(kernel, inputs, Isa::detect(), Tier::Interpreter, 2048, &one);
    canonical(kernel, &mut want);
    for &isa in Isa::available() {
        for (&tier, tile) in Tier::available(isa).iter().flat_map(|t| [16, 256, 2048].map(|n| (t, n))) {
            for pool in [&one, &three] {
                let mut got = run_with(kernel, inputs, isa, tier, tile, pool);
                canonical(kernel, &mut got);
                assert!(
                    got == want,
                    "{isa:?}, {tier:?}, tiles of {tile}, {} threads differ on\n{kernel}",
                    pool.threads()
                );
            }
        }
    }
    want
}

pub fn f32s(b: &Bytes) -> &[f32] {
    bytemuck::cast_slice(b)
}
