//! Elementwise functions that have no vector loop, element by element: complex ones, and rare ones.

use jarrah_base::{DType, Element, ElementKind, Error, Result, c64, c128, with_element};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::Op;
use jarrah_hlo_eval::{ComplexFunction, FloatFunction};
use jarrah_runtime::Way;

use super::reference;
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::gemm::Shared;

/// Elements per task.
const CHUNK: usize = 1 << 13;

/// An elementwise function.
struct Each {
    function: Function,
    operands: Vec<PlacedArray>,
    result: PlacedArray,
}

enum Function {
    Complexes(ComplexFunction),
    Floats(FloatFunction),
}

/// A function of floats or complex numbers, element by element; every other op on the reference evaluator.
pub fn step(site: &StepSite<'_>) -> Box<dyn Step<Cpu>> {
    let dtype = site.operands[0].ty.dtype();
    let function = match (&site.instr.op, dtype.kind()) {
        (Op::Elementwise(op), ElementKind::Complex) => {
            jarrah_hlo_eval::function_of_complexes(op.kind).map(Function::Complexes)
        }
        (Op::Elementwise(op), ElementKind::Float) => {
            jarrah_hlo_eval::function_of_floats(op.kind).map(Function::Floats)
        }
        _ => None,
    };
    match function {
        Some(function) => {
            Box::new(Each { function, operands: site.operands.clone(), result: site.results[0] })
        }
        None => reference::step(site),
    }
}

impl Each {
    /// Calls `f` for each task with the index of its first result and its slice of the results.
    ///
    /// # Safety
    /// `R` is the type of the results.
    unsafe fn chunks<R: Send>(&self, frame: &Frame<'_>, f: impl Fn(usize, &mut [R]) + Sync) {
        let count = self.result.bytes() / self.result.size();
        let out = Shared(frame.at(self.result.loc).cast::<R>());
        frame.device.pool.run(count.div_ceil(CHUNK), &|task| {
            let at = task * CHUNK;
            // SAFETY: the caller's contract; a step's results are writable, and tasks have distinct ones.
            let out = unsafe { std::slice::from_raw_parts_mut(out.get().add(at), CHUNK.min(count - at)) };
            f(at, out);
        });
    }

    /// Operand `i` as a slice.
    ///
    /// # Safety
    /// `T` is the type of its elements.
    unsafe fn slice<'a, T>(&self, frame: &Frame<'a>, i: usize) -> Result<&'a [T]> {
        let x = self.operands.get(i).ok_or_else(|| Error::internal("one operand is missing"))?;
        // SAFETY: the caller's contract; a step's operands are readable, and aligned.
        Ok(unsafe { std::slice::from_raw_parts(frame.at(x.loc).cast::<T>(), x.bytes() / x.size()) })
    }

    /// # Safety
    /// `T` and `R` are the types of operands and results.
    unsafe fn unary<T: Sync + Copy, R: Send>(
        &self,
        frame: &Frame<'_>,
        f: impl Fn(T) -> R + Sync,
    ) -> Result<()> {
        // SAFETY: the caller's contract.
        unsafe {
            let x = self.slice::<T>(frame, 0)?;
            self.chunks::<R>(frame, |at, out| {
                for (out, &x) in out.iter_mut().zip(&x[at..]) {
                    *out = f(x);
                }
            });
        }
        Ok(())
    }

    /// # Safety
    /// `T` and `R` are the types of operands and results.
    unsafe fn binary<T: Sync + Copy, R: Send>(
        &self,
        frame: &Frame<'_>,
        f: impl Fn(T, T) -> R + Sync,
    ) -> Result<()> {
        // SAFETY: the caller's contract.
        unsafe {
            let (x, y) = (self.slice::<T>(frame, 0)?, self.slice::<T>(frame, 1)?);
            self.chunks::<R>(frame, |at, out| {
                for ((out, &x), &y) in out.iter_mut().zip(&x[at..]).zip(&y[at..]) {
                    *out = f(x, y);
                }
            });
        }
        Ok(())
    }

    /// # Safety
    /// `T` and `R` are the types of operands and results, `S` that of real results.
    unsafe fn complex<T: Element, S: Element>(
        &self,
        frame: &Frame<'_>,
        complexes: &ComplexFunction,
    ) -> Result<()> {
        // SAFETY: the caller's contract.
        unsafe {
            match complexes {
                ComplexFunction::Unary(f) if self.result.ty.dtype().is_complex() => {
                    self.unary(frame, |z: T| T::from_c128(f(z.to_c128())))
                }
                ComplexFunction::Unary(f) => self.unary(frame, |z: T| S::from_c128(f(z.to_c128()))),
                ComplexFunction::Binary(f) => {
                    self.binary(frame, |z: T, w: T| T::from_c128(f(z.to_c128(), w.to_c128())))
                }
            }
        }
    }
}

impl Step<Cpu> for Each {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let frame = &*frame;
        let dtype = self.operands[0].ty.dtype();
        // SAFETY: the element types of operands and results are those of the function.
        unsafe {
            match (&self.function, dtype) {
                (Function::Floats(f), _) => with_element!(dtype, T => match f {
                    FloatFunction::Unary(f) => self.unary(frame, |x: T| <T as Element>::from_f64(f(x.to_f64()))),
                    FloatFunction::Binary(f) => self.binary(frame, |x: T, y: T| <T as Element>::from_f64(f(x.to_f64(), y.to_f64()))),
                }),
                (Function::Complexes(f), DType::C64) => self.complex::<c64, f32>(frame, f),
                (Function::Complexes(f), DType::C128) => self.complex::<c128, f64>(frame, f),
                _ => Err(Error::internal(format!("a function of complex numbers of {dtype}"))),
            }
        }
    }

    fn way(&self) -> Way {
        Way::Routine
    }
}
