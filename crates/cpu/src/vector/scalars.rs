//! Loops whose every value is one scalar, run as machine code.

use std::marker::PhantomData;

use jarrah_base::Result;
use jarrah_tile::LoopKernel;

/// A loop over scalars, by the kernels of one step.
#[cfg_attr(
    not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
    allow(dead_code, reason = "only machine code reads them")
)]
pub struct Scalars<'a> {
    /// The kernel that decides, from the fixed inputs and the carried values, whether there is another step. Without it the steps
    /// are counted.
    pub test: Option<&'a LoopKernel>,
    /// The kernel of a step, from the fixed inputs, the carried values and the elements that the step reads, to the next values
    /// and the elements that it writes.
    pub body: &'a LoopKernel,
    /// The number of fixed inputs.
    pub fixed: usize,
    /// The number of values carried from step to step.
    pub carried: usize,
    /// The distances in elements from a step's element to the next step's: first of the arrays that steps read, then of those
    /// they write.
    pub strides: &'a [i64],
}

/// Machine code for a loop over scalars.
pub struct Compiled {
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    code: super::emit::EmittedLoop,
    #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
    none: std::convert::Infallible,
}

impl Scalars<'_> {
    /// The machine code of the loop; `None` where the tier of code in use, or something in the loop, has none.
    ///
    /// # Errors
    /// There is no executable memory.
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    pub fn compile(&self) -> Result<Option<Compiled>> {
        use super::body::Isa;
        let isa = Isa::detect();
        if isa == Isa::Portable {
            return Ok(None);
        }
        Ok(self.emit(isa == Isa::Avx512)?.map(|code| Compiled { code }))
    }

    /// No loop has machine code in a portable build.
    ///
    /// # Errors
    /// None.
    #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
    pub fn compile(&self) -> Result<Option<Compiled>> {
        Ok(None)
    }
}

impl Compiled {
    /// A caller of the code, for repeated calls.
    pub fn caller(&self) -> Caller<'_> {
        #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
        return Caller { call: self.code.call(), of: PhantomData };
        #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
        match self.none {}
    }
}

/// A caller of the code of a loop, which keeps its scratch between calls.
pub struct Caller<'a> {
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    call: super::emit::LoopCall<'a>,
    #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
    none: std::convert::Infallible,
    of: PhantomData<&'a Compiled>,
}

impl Caller<'_> {
    /// Runs the loop, `steps` times if it is counted. The pointers are, in order, to the fixed inputs, the initial values, the
    /// final values, the elements that the first step reads, and those that it writes.
    ///
    /// # Safety
    /// Each pointer points to an element of its type, those of steps to as many as there are steps, as far apart as their strides
    /// say.
    pub unsafe fn run(&mut self, pointers: impl Iterator<Item = *mut u8>, steps: usize) {
        #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
        // SAFETY: the caller's promise.
        unsafe {
            self.call.run(pointers, steps);
        }
        #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
        {
            let _ = (pointers, steps);
            match self.none {}
        }
    }
}
