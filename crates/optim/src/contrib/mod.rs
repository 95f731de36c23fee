//! Optimizers that are younger or used by fewer, as in `optax.contrib`, and Shampoo and SOAP, which Optax lacks.

mod ademamix;
mod adopt;
mod complex;
mod dimensions;
mod distance;
mod free;
mod galore;
mod madgrad;
mod mechanic;
mod momo;
mod muon;
mod plateau;
mod privacy;
mod sam;
mod schedule_free;
mod shampoo;
mod soap;
mod sophia;

use jarrah_array::{Array, DType};

pub use ademamix::{
    Ademamix, SimplifiedAdemamix, ademamix, scale_by_ademamix, scale_by_simplified_ademamix,
    simplified_ademamix,
};
pub use adopt::{Acprop, Adopt, acprop, adopt, scale_by_acprop, scale_by_adopt};
pub use complex::split_real_and_imaginary;
pub use dimensions::{DimensionNumbers, MatrixDimensions};
pub use distance::{FirstStep, dog, dowg, scale_by_dog, scale_by_dowg};
pub use free::{DAdaptAdamW, Prodigy, dadapt_adamw, prodigy};
pub use galore::{galore, scale_by_galore};
pub use madgrad::{cocob, madgrad, scale_by_cocob, scale_by_madgrad};
pub use mechanic::{Mechanic, mechanize};
pub use momo::{Momo, MomoAdam, momo, momo_adam};
pub use muon::{
    DION_COEFFICIENTS, Muon, Preconditioning, muon, orthogonalize_via_newton_schulz, scale_by_muon,
    scale_by_shape,
};
pub use plateau::{ReduceOnPlateau, reduce_on_plateau};
pub use privacy::{differentially_private_aggregate, dpsgd};
pub use sam::{normalize, opaque_sam, sam};
pub use schedule_free::{
    ScheduleFree, schedule_free, schedule_free_adamw, schedule_free_eval_params, schedule_free_sgd,
};
pub use shampoo::{Shampoo, scale_by_shampoo, shampoo};
pub use soap::{Soap, scale_by_soap, soap};
pub use sophia::{Sophia, hutchinson_estimator_diag_hessian, scale_by_sophia, sophia};

use crate::Schedule;

/// The value of a schedule in `dtype`.
fn rate(schedule: &Schedule, count: &Array, dtype: DType) -> Array {
    match schedule.value() {
        Some(number) => Array::full(&[], number, dtype),
        None => schedule.at(count).astype(dtype),
    }
}

/// `1 - decay^count` in `dtype`.
fn one_minus_power(decay: f64, count: &Array, dtype: DType) -> Array {
    let wide = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
    (1.0 - Array::full(&[], decay, wide).pow(count.astype(wide))).astype(dtype)
}

/// A scalar in `dtype`.
fn number(value: f64, dtype: DType) -> Array {
    Array::full(&[], value, dtype)
}
