//! The instruction sets that code is compiled for.

use std::sync::OnceLock;

use jarrah_base::{Error, Result};

/// The instruction sets that kernels are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// The instructions that the build's target guarantees.
    Portable,
    /// AVX2, FMA, BMI2 and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ, VL, CD and VPOPCNTDQ.
    Avx512,
}

impl Isa {
    /// The instruction set that `JARRAH_CPU` asks for (`avx512`, `avx2` or `portable`), if it is set. The variable is read once.
    ///
    /// # Errors
    /// The variable has another value, or names an instruction set that this machine or this build lacks, or that
    /// `JARRAH_CPU_WITHOUT` hides; or `JARRAH_CPU_WITHOUT` has a name that cannot be hidden.
    pub fn asked() -> Result<Option<Isa>> {
        static ASKED: OnceLock<std::result::Result<Option<Isa>, String>> = OnceLock::new();
        let read = || {
            hidden().as_ref().map_err(Clone::clone)?;
            let name = std::env::var_os("JARRAH_CPU").filter(|name| !name.is_empty());
            name.map(|name| Isa::named(&name.to_string_lossy())).transpose()
        };
        ASKED.get_or_init(read).clone().map_err(Error::environment)
    }

    fn named(name: &str) -> std::result::Result<Isa, String> {
        let isa = match name {
            "avx512" => Isa::Avx512,
            "avx2" => Isa::Avx2,
            "portable" => Isa::Portable,
            _ => return Err(format!("JARRAH_CPU is avx512, avx2 or portable, not {name:?}")),
        };
        if Isa::available().contains(&isa) {
            return Ok(isa);
        }
        Err(if cfg!(jarrah_portable) {
            format!("JARRAH_CPU={name} asks for code that this build, which is portable, does not have")
        } else if hidden().as_ref().is_ok_and(|hidden| !hidden.is_empty()) {
            format!(
                "JARRAH_CPU={name} asks for instructions that this machine does not have, or that {WITHOUT} hides"
            )
        } else {
            format!("JARRAH_CPU={name} asks for instructions that this machine does not have")
        })
    }

    /// The instruction set of [`Isa::asked`], or the widest that this machine runs, if none is asked for or the variable is
    /// invalid.
    pub fn detect() -> Isa {
        Isa::asked().ok().flatten().unwrap_or_else(Isa::machine)
    }

    fn machine() -> Isa {
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        {
            let avx2 = has("avx2")
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("f16c")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = has("avx512")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512vpopcntdq");
            match (avx2, avx512) {
                (true, true) => Isa::Avx512,
                (true, false) => Isa::Avx2,
                _ => Isa::Portable,
            }
        }
        #[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
        Isa::Portable
    }

    /// Every set this machine runs, narrowest first, without those that `JARRAH_CPU_WITHOUT` hides.
    pub fn available() -> &'static [Isa] {
        match Isa::machine() {
            Isa::Portable => &[Isa::Portable],
            Isa::Avx2 => &[Isa::Portable, Isa::Avx2],
            Isa::Avx512 => &[Isa::Portable, Isa::Avx2, Isa::Avx512],
        }
    }
}

/// The variable that hides instructions from all code and all tests, as if the machine lacked them: names of [`HIDEABLE`], with commas between
/// them. It is read once.
const WITHOUT: &str = "JARRAH_CPU_WITHOUT";

/// The instruction sets that can be hidden. Without AVX2 there is no AVX-512 either.
const HIDEABLE: [&str; 4] = ["avx2", "avx512", "avx512bf16", "avx512vnni"];

/// The instruction sets that [`WITHOUT`] hides.
fn hidden() -> &'static std::result::Result<Vec<&'static str>, String> {
    static HIDDEN: OnceLock<std::result::Result<Vec<&'static str>, String>> = OnceLock::new();
    HIDDEN.get_or_init(|| {
        let names = std::env::var_os(WITHOUT).unwrap_or_default();
        let names = names.to_string_lossy();
        let known = |name: &str| {
            let found = HIDEABLE.into_iter().find(|known| *known == name.trim());
            found.ok_or_else(|| format!("{WITHOUT} takes {}, not {name:?}", HIDEABLE.join(", ")))
        };
        names.split(',').filter(|name| !name.trim().is_empty()).map(known).collect()
    })
}

/// Whether [`WITHOUT`] does not hide the instructions of this name.
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
fn has(name: &str) -> bool {
    !hidden().as_ref().is_ok_and(|hidden| hidden.contains(&name))
}

/// Whether there is AVX-512 with the instruction that adds the products of words of `bf16`.
pub(crate) fn has_bf16() -> bool {
    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
    return Isa::machine() == Isa::Avx512 && has("avx512bf16") && is_x86_feature_detected!("avx512bf16");
    #[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
    false
}

/// Whether there is AVX-512 with the instructions that add the products of words of integers.
pub(crate) fn has_vnni() -> bool {
    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
    return Isa::machine() == Isa::Avx512 && has("avx512vnni") && is_x86_feature_detected!("avx512vnni");
    #[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
    false
}
