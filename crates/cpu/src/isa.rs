//! The instruction sets that code is compiled for.

use std::sync::OnceLock;

use jarrah_base::{Error, Result};

/// The instruction sets that kernels are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// What the build's target guarantees.
    Portable,
    /// AVX2, FMA, BMI2 and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ, VL, CD and VPOPCNTDQ.
    Avx512,
}

impl Isa {
    /// The one that `JARRAH_CPU` asks for (`avx512`, `avx2` or `portable`), if it is set. It is read once.
    ///
    /// # Errors
    /// The variable has another value, or names what this machine or this build lacks.
    pub fn asked() -> Result<Option<Isa>> {
        static ASKED: OnceLock<std::result::Result<Option<Isa>, String>> = OnceLock::new();
        let read = || {
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
        } else {
            format!("JARRAH_CPU={name} asks for instructions that this machine does not have")
        })
    }

    /// [`Isa::asked`]; the widest that this machine runs if that is none or an error.
    pub fn detect() -> Isa {
        Isa::asked().ok().flatten().unwrap_or_else(Isa::machine)
    }

    fn machine() -> Isa {
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("f16c")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
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

    /// Every set this machine runs, narrowest first.
    pub fn available() -> &'static [Isa] {
        match Isa::machine() {
            Isa::Portable => &[Isa::Portable],
            Isa::Avx2 => &[Isa::Portable, Isa::Avx2],
            Isa::Avx512 => &[Isa::Portable, Isa::Avx2, Isa::Avx512],
        }
    }
}
