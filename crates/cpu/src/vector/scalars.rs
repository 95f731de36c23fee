//! Loops whose every value is one scalar, where there is machine code for them.

use std::marker::PhantomData;

use jarrah_base::Result;
use jarrah_tile::LoopKernel;

/// A loop over scalars, by the kernels of one step.
#[cfg_attr(
    not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
    allow(dead_code, reason = "only machine code reads them")
)]
pub struct Scalars<'a> {
    /// Of what does not change and the values that go from step to step: whether there is another step. Without it the steps
    /// are counted.
    pub test: Option<&'a LoopKernel>,
    /// Of what does not change, the values and the elements that a step reads: the next values and the elements it writes.
    pub body: &'a LoopKernel,
    /// How many inputs do not change.
    pub fixed: usize,
    /// How many values go from step to step.
    pub carried: usize,
    /// From a step's element to the next step's, in elements: of what steps read, then of what they write.
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
    /// What calls the code again and again.
    pub fn caller(&self) -> Caller<'_> {
        #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
        return Caller { call: self.code.call(), of: PhantomData };
        #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
        match self.none {}
    }
}

/// What calls the code of a loop.
pub struct Caller<'a> {
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    call: super::emit::LoopCall<'a>,
    #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
    none: std::convert::Infallible,
    of: PhantomData<&'a Compiled>,
}

impl Caller<'_> {
    /// Runs the loop, `steps` times if it is counted. The pointers are to what does not change, the first values, the last
    /// values, the elements that the first step reads, and those that it writes.
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
