//! Loops compiled for several instruction sets, each with a struct of its arguments.

use super::body::Isa;

/// A function compiled for one instruction set, safe to call where its [`Body`] says.
pub type Kernel<A> = unsafe fn(&A);

/// A loop over the elements that its arguments describe.
pub(super) trait Body<A> {
    /// # Safety
    /// The sources hold valid elements where the arguments say; the destination has place for the results, apart from
    /// the sources.
    unsafe fn run(args: &A);
}

unsafe fn base<A, B: Body<A>>(args: &A) {
    // SAFETY: the caller's promise is the body's.
    unsafe { B::run(args) }
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
#[target_feature(enable = "avx2,fma,lzcnt,popcnt")]
unsafe fn v3<A, B: Body<A>>(args: &A) {
    // SAFETY: the caller's promise is the body's.
    unsafe { B::run(args) }
}

/// The body for AVX2 if `isa` has it, otherwise for the build's target; `isa` must be available.
pub(super) fn compiled<A, B: Body<A>>(isa: Isa) -> Kernel<A> {
    match isa {
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        Isa::Avx2 | Isa::Avx512 => v3::<A, B>,
        _ => base::<A, B>,
    }
}
