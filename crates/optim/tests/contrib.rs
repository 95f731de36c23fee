//! The optimizers of `optax.contrib`, and those that Optax lacks, by the names of `oracle/optimizer_references.py`.

use jarrah_array::random::Key;
use jarrah_optim::contrib::*;
use jarrah_optim::schedules::*;
use jarrah_optim::transforms::*;
use jarrah_optim::*;

fn schedule() -> Schedule {
    linear(0.02, 0.005, 40)
}

fn momentum(rate: f64) -> GradientTransformation {
    sgd(rate, Sgd { momentum: Some(0.5), nesterov: false })
}

fn climb(rate: f64) -> GradientTransformation {
    chain([normalize(), sgd(rate, Sgd::default())])
}

fn plain_adam() -> GradientTransformation {
    adam(0.01, Adam::default())
}

pub fn cases() -> Vec<(&'static str, GradientTransformation)> {
    let key = Key::new(7);
    let all = Mask::all;
    let probe = || hutchinson_estimator_diag_hessian(&Key::new(0));
    let free = ScheduleFree::default();
    vec![
        ("acprop", acprop(0.01, Acprop { eps_root: 1e-6, ..Acprop::default() }, 0.01, all())),
        ("ademamix", ademamix(0.01, 0.99, 3.0, Ademamix::default(), 0.01, all())),
        (
            "ademamix.schedule",
            ademamix(0.01, linear(0.9, 0.99, 30), linear(0.0, 5.0, 30), Ademamix::default(), 0.0, all()),
        ),
        (
            "simplified_ademamix",
            simplified_ademamix(
                0.001,
                2.0,
                SimplifiedAdemamix { b1: 0.9, ..SimplifiedAdemamix::default() },
                0.0,
                all(),
            ),
        ),
        ("adopt", adopt(0.01, Adopt::default())),
        (
            "adopt.nesterov",
            adopt(0.01, Adopt { b2: 0.99, nesterov: true, clip_exponent: None, ..Adopt::default() }),
        ),
        ("cocob", cocob(1.0, 20.0, 1e-3, 0.01, all())),
        (
            "dadapt_adamw",
            dadapt_adamw(1.0, DAdaptAdamW { estim_lr0: 1e-3, weight_decay: 0.01, ..DAdaptAdamW::default() }),
        ),
        ("dpsgd", dpsgd(0.05, 0.5, 0.1, &key, Sgd { momentum: Some(0.5), nesterov: false })),
        (
            "differentially_private_aggregate",
            chain([differentially_private_aggregate(0.3, 0.0, &key), scale(-0.1)]),
        ),
        ("dog", dog(1.0, FirstStep::Heuristic(1e-2), 1e-8, 0.01, all())),
        ("dog.rate", dog(1.0, FirstStep::LearningRate(0.1), 1e-8, 0.0, all())),
        ("dog.distance", dog(schedule(), FirstStep::Distance(0.5), 1e-8, 0.0, all())),
        ("dowg", dowg(1.0, 0.01, 1e-4, 0.0, all())),
        (
            "galore~params",
            galore(
                0.01,
                1,
                20,
                0.5,
                scale_by_adam(Adam::default()),
                0.01,
                all(),
                MatrixDimensions::default(),
            ),
        ),
        ("madgrad", madgrad(0.02, 0.9, 0.01, 1e-6)),
        ("madgrad.schedule", madgrad(schedule(), 0.5, 0.0, 1e-6)),
        (
            "mechanize",
            mechanize(adam(1.0, Adam::default()), Mechanic { s_init: 1e-3, ..Mechanic::default() }),
        ),
        ("momo", momo(0.2, Momo { weight_decay: 0.01, ..Momo::default() })),
        (
            "momo.adapt",
            momo(
                0.2,
                Momo { lower_bound: -2.0, weight_decay: 0.01, adapt_lower_bound: true, ..Momo::default() },
            ),
        ),
        ("momo_adam", momo_adam(0.02, MomoAdam { lower_bound: -2.0, ..MomoAdam::default() })),
        (
            "momo_adam.adapt",
            momo_adam(
                schedule(),
                MomoAdam {
                    lower_bound: -2.0,
                    weight_decay: 0.01,
                    adapt_lower_bound: true,
                    ..MomoAdam::default()
                },
            ),
        ),
        ("muon", muon(0.02, Muon::default(), 0.01, all(), MatrixDimensions::default())),
        (
            "muon.dion",
            muon(
                0.02,
                Muon {
                    ns_coeffs: DION_COEFFICIENTS,
                    nesterov: false,
                    adaptive: true,
                    preconditioning: Preconditioning::Spectral,
                    ..Muon::default()
                },
                0.0,
                all(),
                MatrixDimensions::default(),
            ),
        ),
        (
            "muon.aol",
            muon(
                schedule(),
                Muon {
                    preconditioning: Preconditioning::Aol,
                    consistent_rms: Some(0.2),
                    adam_learning_rate: Some(0.01),
                    ..Muon::default()
                },
                0.0,
                all(),
                MatrixDimensions::default(),
            ),
        ),
        (
            "muon.schatten",
            muon(
                0.02,
                Muon {
                    ns_steps: 3,
                    preconditioning: Preconditioning::Schatten,
                    adam_weight_decay: 0.1,
                    ..Muon::default()
                },
                0.0,
                all(),
                MatrixDimensions::default(),
            ),
        ),
        ("normalize", chain([normalize(), scale(-0.05)])),
        ("prodigy", prodigy(1.0, Prodigy { estim_lr0: 1e-3, weight_decay: 0.01, ..Prodigy::default() })),
        (
            "prodigy.warmup",
            prodigy(
                linear(0.1, 1.0, 20),
                Prodigy {
                    beta3: Some(0.9),
                    estim_lr0: 1e-3,
                    estim_lr_coef: 0.5,
                    safeguard_warmup: true,
                    ..Prodigy::default()
                },
            ),
        ),
        (
            "reduce_on_plateau",
            chain([
                sgd(0.3, Sgd::default()),
                reduce_on_plateau(ReduceOnPlateau {
                    factor: 0.5,
                    patience: 2,
                    rtol: 0.02,
                    cooldown: 3,
                    accumulation_size: 2,
                    min_scale: 0.1,
                    ..ReduceOnPlateau::default()
                }),
            ]),
        ),
        ("sam", sam(plain_adam(), climb(0.05), 2, true)),
        ("sam.period", sam(momentum(0.05), chain([normalize(), momentum(0.02)]), 3, false)),
        ("opaque_sam", opaque_sam(plain_adam(), climb(0.05), 3, true)),
        (
            "schedule_free",
            schedule_free(
                sgd(schedule(), Sgd::default()),
                schedule(),
                ScheduleFree { b1: 0.8, weight_lr_power: 1.0, ..free },
            ),
        ),
        ("schedule_free_adamw", schedule_free_adamw(0.02, Some(10), Adam::default(), 0.01, free)),
        ("schedule_free_sgd", schedule_free_sgd(0.1, Some(5), Some(0.01), free)),
        (
            "shampoo",
            shampoo(
                0.01,
                0.9,
                Shampoo { b2: 0.9, eps: 1e-3, update_interval: 5, ..Shampoo::default() },
                0.01,
                all(),
            ),
        ),
        (
            "shampoo.sum",
            shampoo(
                0.01,
                0.9,
                Shampoo { b2: 1.0, eps: 1e-3, update_interval: 1, graft: false, ..Shampoo::default() },
                0.01,
                all(),
            ),
        ),
        ("soap~params", soap(0.01, Soap { update_interval: 3, max_dim: 3, ..Soap::default() }, 0.0, all())),
        (
            "sophia",
            sophia(
                0.02,
                Sophia { gamma: 0.5, update_interval: 3, ..Sophia::default() },
                probe(),
                1e-4,
                all(),
            ),
        ),
        (
            "sophia.free",
            sophia(
                0.01,
                Sophia {
                    gamma: 2.0,
                    eps: 0.5,
                    clip_threshold: None,
                    update_interval: 5,
                    ..Sophia::default()
                },
                probe(),
                1e-4,
                all(),
            ),
        ),
    ]
}
