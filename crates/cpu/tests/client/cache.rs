//! What executables are found by.

use std::sync::Arc;

use jarrah_base::{DType, NUMERICS_VERSION, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::DotGeneral;
use jarrah_runtime::{Cache, CacheKey, CompileOptions};

use super::program;

#[test]
fn a_program_is_compiled_once_for_its_options_and_numerics() {
    let matrix = Type::tensor(DType::F32, [2, 2]);
    let program = Arc::new(program(DotGeneral::matmul(0, DType::F32), &[matrix, matrix]));
    let plain = CompileOptions::default();
    let donating = CompileOptions::donating(&[0]);
    let cache = Cache::new(Arc::new(CpuClient::with_threads(1)), 8);
    for options in [&plain, &plain, &donating, &donating] {
        cache.executable(&program, options).unwrap();
    }
    assert_eq!(cache.compiled(), 2);

    let key = CacheKey::new(&program, &plain);
    assert!(key == CacheKey::new(&program, &plain));
    assert!(key != CacheKey::new(&program, &donating));
    assert!(key != CacheKey { numerics: NUMERICS_VERSION + 1, ..key.clone() });
}

#[test]
fn a_cache_of_no_executables_compiles_each_time() {
    let matrix = Type::tensor(DType::F32, [2, 2]);
    let programs = [
        program(DotGeneral::matmul(0, DType::F32), &[matrix, matrix]),
        program(jarrah_hlo::ops::TransposeAxes { permutation: [1, 0].into_iter().collect() }, &[matrix]),
    ];
    for (capacity, compiled) in [(0, 4), (1, 4), (2, 2)] {
        let cache = Cache::new(Arc::new(CpuClient::with_threads(1)), capacity);
        for _ in 0..2 {
            for program in &programs {
                cache.executable(&Arc::new(program.clone()), &CompileOptions::default()).unwrap();
            }
        }
        assert_eq!(cache.compiled(), compiled, "{capacity} executables are kept");
    }
}
