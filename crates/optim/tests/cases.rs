//! The optimizers whose trajectories are Optax's, by the names that `oracle/optimizers.py` has for them.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, where_};
use jarrah_optim::schedules::*;
use jarrah_optim::transforms::*;
use jarrah_optim::*;

fn schedule() -> Schedule {
    linear(0.02, 0.005, 40)
}

fn with(optimizer: GradientTransformation, rate: f64) -> GradientTransformation {
    chain([optimizer, scale(-rate)])
}

fn then_sgd(transformation: GradientTransformation, rate: f64) -> GradientTransformation {
    chain([transformation, sgd(rate, Sgd::default())])
}

fn then_search(search: GradientTransformation) -> GradientTransformation {
    chain([sgd(1.0, Sgd::default()), search])
}

fn hyper(rate: Schedule, decay: f64) -> GradientTransformation {
    inject_hyperparams([("learning_rate", rate), ("weight_decay", Schedule::from(decay))], |h| {
        adamw(h.get("learning_rate"), Adam::default(), h.get("weight_decay"), Mask::all())
    })
}

fn named(name: &'static str) -> Mask {
    Mask::new(move |path, _| path == name)
}

fn norm(updates: &Leaves) -> Array {
    global_norm(updates)
}

fn plain_adam() -> GradientTransformation {
    adam(0.01, Adam::default())
}

pub fn cases() -> Vec<(&'static str, GradientTransformation)> {
    let key = Key::new(7);
    let all = Mask::all;
    let matrices = Mask::matrices;
    let mut cases = vec![
        ("adabelief", adabelief(0.01, AdaBelief::default())),
        (
            "adabelief.nesterov",
            adabelief(0.01, AdaBelief { eps: 1e-8, nesterov: true, ..AdaBelief::default() }),
        ),
        ("adadelta", adadelta(0.5, 0.8, 1e-4, 0.01, all())),
        ("adafactor", adafactor(Some(0.05), Adafactor::default(), all())),
        (
            "adafactor.factored",
            adafactor(
                Some(0.05),
                Adafactor {
                    min_dim_size_to_factor: 2,
                    momentum: Some(0.9),
                    weight_decay_rate: Some(1e-3),
                    ..Adafactor::default()
                },
                all(),
            ),
        ),
        (
            "adafactor.plain",
            adafactor(
                Some(0.02),
                Adafactor {
                    multiply_by_parameter_scale: false,
                    clipping_threshold: None,
                    factored: false,
                    decay_offset: -1,
                    ..Adafactor::default()
                },
                all(),
            ),
        ),
        ("adagrad", adagrad(0.1, Adagrad::default())),
        ("adam", plain_adam()),
        ("adam.options", adam(0.01, Adam { b1: 0.8, b2: 0.99, eps: 1e-6, eps_root: 1e-8, nesterov: false })),
        ("adam.schedule", adam(schedule(), Adam::default())),
        ("adam.mu_bf16", state_in(plain_adam(), "mu", DType::BF16)),
        ("adamax", adamax(0.01, 0.9, 0.999, 1e-8)),
        ("adamaxw", adamaxw(0.01, 0.9, 0.999, 1e-8, 0.1, matrices())),
        ("adamw", adamw(0.01, Adam::default(), 1e-4, all())),
        ("adamw.mask", adamw(0.01, Adam::default(), 0.1, matrices())),
        ("adan", adan(0.01, Adan::default(), 0.01, all())),
        ("amsgrad", amsgrad(0.01, Amsgrad::default())),
        (
            "amsgrad.biased",
            amsgrad(
                0.01,
                Amsgrad { bias_correction_mu: false, bias_correction_nu: false, ..Amsgrad::default() },
            ),
        ),
        ("fromage", fromage(0.02, 1e-6)),
        ("fromage.schedule", fromage(schedule(), 1e-6)),
        ("lamb", lamb(0.01, Adam { eps: 1e-6, ..Adam::default() }, 0.01, all())),
        (
            "lars",
            lars(1.0, Lars { trust_coefficient: 0.02, ..Lars::default() }, 0.01, matrices(), matrices()),
        ),
        ("lbfgs", lbfgs(None::<f64>, Lbfgs::default())),
        (
            "lbfgs.identity",
            lbfgs_with(
                Some(0.5),
                Lbfgs { memory_size: 3, scale_init_precond: false },
                scale_by_zoom_linesearch(ZoomLinesearch {
                    max_linesearch_steps: 15,
                    max_learning_rate: Some(1.5),
                    tol: 1e-3,
                    keep_guess: true,
                    curv_rtol: 0.1,
                    ..ZoomLinesearch::default()
                }),
            ),
        ),
        ("scale_by_lbfgs", lbfgs_with(Some(0.3), Lbfgs { memory_size: 4, ..Lbfgs::default() }, identity())),
        (
            "scale_by_zoom_linesearch",
            then_search(scale_by_zoom_linesearch(ZoomLinesearch {
                max_linesearch_steps: 10,
                curv_rtol: 0.3,
                approx_dec_rtol: None,
                keep_guess: true,
                ..ZoomLinesearch::default()
            })),
        ),
        (
            "scale_by_backtracking_linesearch",
            then_search(scale_by_backtracking_linesearch(BacktrackingLinesearch {
                max_backtracking_steps: 15,
                max_learning_rate: 5.0,
                increase_factor: 2.0,
                ..BacktrackingLinesearch::default()
            })),
        ),
        (
            "scale_by_backtracking_linesearch.grad",
            then_search(scale_by_backtracking_linesearch(BacktrackingLinesearch {
                max_backtracking_steps: 8,
                slope_rtol: 0.5,
                rtol: 1e-3,
                store_grad: true,
                ..BacktrackingLinesearch::default()
            })),
        ),
        ("lion", lion(0.002, Lion::default(), 1e-3, all())),
        ("nadam", nadam(0.01, Adam::default())),
        ("nadamw", nadamw(0.01, Adam::default(), 0.1, all())),
        ("noisy_sgd", noisy_sgd(0.05, 0.01, 0.55, &key)),
        ("novograd", novograd(0.01, Novograd { weight_decay: 0.01, ..Novograd::default() })),
        ("optimistic_gradient_descent", optimistic_gradient_descent(0.05, 0.9, 0.8)),
        ("optimistic_adam", optimistic_adam(0.01, 0.01, Adam { nesterov: true, ..Adam::default() })),
        (
            "optimistic_adam_v2",
            optimistic_adam_v2(0.01, 0.9, 1.0, Adam { nesterov: true, ..Adam::default() }),
        ),
        (
            "polyak_sgd",
            polyak_sgd(PolyakSgd { max_learning_rate: 0.2, f_min: -40.0, ..PolyakSgd::default() }),
        ),
        (
            "polyak_sgd.positive",
            polyak_sgd(PolyakSgd {
                max_learning_rate: 0.2,
                scaling: 0.5,
                f_min: 0.1,
                eps: 0.01,
                positive: true,
            }),
        ),
        ("radam", radam(0.01, Radam::default())),
        ("radam.nesterov", radam(0.01, Radam { b2: 0.9, nesterov: true, ..Radam::default() })),
        ("rmsprop", rmsprop(0.01, RmsProp::default())),
        (
            "rmsprop.centered",
            rmsprop(
                0.01,
                RmsProp {
                    decay: 0.8,
                    eps: 1e-3,
                    centered: true,
                    momentum: Some(0.5),
                    nesterov: true,
                    ..RmsProp::default()
                },
            ),
        ),
        (
            "rmsprop.outside",
            rmsprop(0.01, RmsProp { eps_in_sqrt: false, bias_correction: true, ..RmsProp::default() }),
        ),
        (
            "rmsprop.centered_outside",
            rmsprop(
                0.01,
                RmsProp {
                    eps: 1e-3,
                    centered: true,
                    eps_in_sqrt: false,
                    bias_correction: true,
                    initial_scale: 0.5,
                    ..RmsProp::default()
                },
            ),
        ),
        ("rprop", rprop(0.01, Rprop::default())),
        ("sgd", sgd(0.05, Sgd::default())),
        ("sgd.momentum", sgd(0.05, Sgd { momentum: Some(0.9), nesterov: true })),
        ("sgd.bf16", state_in(sgd(0.05, Sgd { momentum: Some(0.9), nesterov: false }), "trace", DType::BF16)),
        ("sign_sgd", sign_sgd(0.003)),
        ("signum", signum(0.003, 0.9)),
        ("sm3", sm3(0.05, 0.9)),
        ("yogi", yogi(0.01, Yogi::default())),
        (
            "scale_by_lion.smooth",
            with(scale_by_lion(Lion { mode: LionMode::Smooth(3.0), ..Lion::default() }), 0.02),
        ),
        (
            "scale_by_lion.refined",
            with(scale_by_lion(Lion { mode: LionMode::Refined, ..Lion::default() }), 0.02),
        ),
        ("scale_by_sm3", with(scale_by_sm3(0.5, 0.9, 1e-8), 0.02)),
        ("scale_by_param_block_norm", with(scale_by_param_block_norm(1e-3), 0.02)),
        ("scale_by_param_block_rms", with(scale_by_param_block_rms(1e-3), 0.05)),
        ("scale_by_schedule", with(scale_by_schedule(schedule()), 1.0)),
        (
            "scale_by_distance_over_gradients",
            with(scale_by_distance_over_gradients(Distance { reps_rel: 0.01, ..Distance::default() }), 1.0),
        ),
        (
            "scale_by_factored_rms",
            with(
                scale_by_factored_rms(Factored {
                    min_dim_size_to_factor: 3,
                    decay_rate: 0.7,
                    ..Factored::default()
                }),
                0.01,
            ),
        ),
        (
            "add_decayed_weights.schedule",
            then_sgd(masked(add_decayed_weights(schedule(), all()), matrices()), 0.05),
        ),
        ("add_noise", with(add_noise(0.1, 0.6, &key), 0.05)),
        ("adaptive_grad_clip", then_sgd(adaptive_grad_clip(0.1, 1e-3), 0.1)),
        ("apply_every", then_sgd(apply_every(3), 0.05)),
        ("apply_if_finite~nan", apply_if_finite(plain_adam(), 3)),
        ("centralize", then_sgd(centralize(), 0.05)),
        ("clip", then_sgd(clip(0.1), 0.1)),
        ("clip_by_block_rms", then_sgd(clip_by_block_rms(0.1), 0.1)),
        ("clip_by_global_norm", chain([clip_by_global_norm(0.2), plain_adam()])),
        ("conditionally_mask", conditionally_mask(plain_adam(), |step, _| Ok((step % 3).ne(1)))),
        (
            "conditionally_mask.value",
            conditionally_mask(sgd(0.05, Sgd::default()), |_, extra| Ok(extra.needed("value")?.gt(0.3))),
        ),
        (
            "conditionally_transform",
            with(
                conditionally_transform(scale_by_adam(Adam::default()), |step, _| Ok((step % 4).lt(2))),
                0.01,
            ),
        ),
        ("ema", with(ema(0.9, true), 0.05)),
        ("ema.biased", with(state_in(ema(0.9, false), "ema", DType::BF16), 0.05)),
        ("flatten", flatten(chain([clip_by_block_rms(0.1), plain_adam()]))),
        ("freeze", then_sgd(freeze(named("w1")), 0.05)),
        ("inject_hyperparams", hyper(schedule(), 0.1)),
        (
            "inject_hyperparams.decays",
            inject_hyperparams(
                [("learning_rate", 0.01.into()), ("b1", linear(0.95, 0.85, 30)), ("b2", 0.99.into())],
                |h| {
                    let adam = scale_by_adam_with(h.get("b1"), h.get("b2"), Adam::default());
                    chain([adam, scale_by_learning_rate(h.get("learning_rate"))])
                },
            ),
        ),
        (
            "inject_hyperparams.momentum",
            inject_hyperparams([("momentum", linear(0.5, 0.9, 30))], |h| {
                chain([trace(h.get("momentum"), true), scale(-0.03)])
            }),
        ),
        ("inject_hyperparams.numbers", hyper(0.02.into(), 0.05)),
        ("keep_params_nonnegative", chain([sgd(0.05, Sgd::default()), keep_params_nonnegative()])),
        ("lookahead", lookahead(sgd(0.05, Sgd { momentum: Some(0.5), nesterov: false }), 4, 0.3, false)),
        ("lookahead.reset", lookahead(plain_adam(), 3, 0.5, true)),
        ("masked", masked(plain_adam(), matrices())),
        (
            "measure_with_ema",
            chain([
                sgd(0.05, Sgd::default()),
                monitor([("norm", measure(norm)), ("smooth", measure_with_ema(norm, 0.9, true))]),
            ]),
        ),
        ("multi_steps", multi_steps(plain_adam(), MultiSteps::every(3))),
        (
            "multi_steps.sum",
            multi_steps(
                plain_adam(),
                MultiSteps::scheduled(|step| where_(&step.lt(2), Array::scalar(2i32), 4)).sum(),
            ),
        ),
        ("multi_steps.skip~nan", multi_steps(plain_adam(), MultiSteps::every(2).skipping(skip_not_finite))),
        (
            "multi_steps.large",
            multi_steps(plain_adam(), MultiSteps::every(2).skipping(skip_large_updates(0.8))),
        ),
        (
            "named_chain",
            named_chain([
                ("clip", clip(0.2)),
                ("adam", scale_by_adam(Adam::default())),
                ("rate", scale(-0.01)),
            ]),
        ),
        ("normalize_by_update_norm", with(normalize_by_update_norm(0.5, 1e-6), 0.1)),
        (
            "partition",
            partition(
                [
                    ("biases", sgd(0.05, Sgd { momentum: Some(0.9), nesterov: false })),
                    ("weights", plain_adam()),
                ],
                |path, _| if path.starts_with('b') { "biases" } else { "weights" }.to_owned(),
            ),
        ),
        ("selective_transform", selective_transform(plain_adam(), named("w2"))),
        ("set_to_zero", set_to_zero()),
        ("snapshot", chain([sgd(0.05, Sgd::default()), snapshot("norm", norm)])),
        ("zero_nans~nan", chain([zero_nans(), plain_adam()])),
    ];
    cases.extend(crate::contrib::cases());
    cases
}
