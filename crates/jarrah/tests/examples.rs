//! The examples learn what they say: each bound is one that a model which learned nothing does not reach.

#![allow(dead_code, reason = "the examples are programs, whose main functions nothing calls here")]
#![allow(clippy::duplicate_mod, reason = "several examples draw the same digits")]

#[path = "../examples/classifier.rs"]
pub mod classifier;
#[path = "../examples/cnn.rs"]
pub mod cnn;
#[path = "../examples/contrastive.rs"]
pub mod contrastive;
#[path = "../examples/gmm.rs"]
pub mod gmm;
#[path = "../examples/hyper.rs"]
pub mod hyper;
#[path = "../examples/maml.rs"]
pub mod maml;
#[path = "../examples/mlp.rs"]
pub mod mlp;
#[path = "../examples/ode.rs"]
pub mod ode;
#[path = "../examples/per_example.rs"]
pub mod per_example;
#[path = "../examples/rnn.rs"]
pub mod rnn;
#[path = "../examples/vae.rs"]
pub mod vae;

use jarrah::Result;

#[test]
fn a_perceptron_reads_digits() -> Result<()> {
    let [before, after] = mlp::learn(300)?;
    assert!(before < 0.3 && after > 0.8, "{before} and {after}");
    Ok(())
}

#[test]
fn a_convolutional_network_reads_digits() -> Result<()> {
    let [before, after] = cnn::learn(300)?;
    assert!(before < 0.3 && after > 0.7, "{before} and {after}");
    Ok(())
}

/// The run is made longer in a second call, which goes on with the first one's steps.
#[test]
fn a_classifier_trains_in_a_folder_and_goes_on_there() -> Result<()> {
    let dir = tempfile::tempdir().expect("a folder");
    let (whole, parts) = (dir.path().join("whole"), dir.path().join("parts"));
    let after = classifier::learn(&whole, 300)?;
    assert!(after > 0.8, "{after}");
    classifier::learn(&parts, 200)?;
    assert_eq!(classifier::learn(&parts, 300)?, after);
    Ok(())
}

/// One of 64 is found by chance.
#[test]
fn views_of_one_image_have_near_vectors() -> Result<()> {
    let dir = tempfile::tempdir().expect("a folder");
    let found = contrastive::learn(&dir.path().join("run"), 200)?;
    assert!(found > 0.4, "{found}");
    Ok(())
}

/// Always saying 1, the mean, has a squared error of 1/6.
#[test]
fn a_recurrent_network_adds() -> Result<()> {
    let [before, after] = rnn::learn(200)?;
    assert!(before > 0.16 && after < 0.02, "{before} and {after}");
    Ok(())
}

/// Independent pixels are the best that a decoder does which ignores the code.
#[test]
fn an_autoencoder_uses_its_code() -> Result<()> {
    let (vae::Bounds { pixels, before, after }, drawing) = vae::learn(400)?;
    assert!(before > pixels && after < 0.75 * pixels, "{before}, {after} and {pixels}");
    assert!(drawing.to_vec::<f32>()?.iter().all(|x| (0.0..=1.0).contains(x)));
    Ok(())
}

/// The best fit is no less likely than the truth.
#[test]
fn a_mixture_is_found() -> Result<()> {
    let gmm::Fit { steps, likelihoods: [start, found, truth], distance } = gmm::fit()?;
    assert!(
        start < truth - 1.0 && found > truth - 1e-3 && found < truth + 0.1,
        "{start}, {found} and {truth}"
    );
    assert!(distance < 0.3 && (2..500).contains(&steps), "{distance} after {steps} steps");
    Ok(())
}

#[test]
fn the_adjoint_equation_finds_parameters() -> Result<()> {
    let ode::Fit { parameters: [truth, found], disagreement } = ode::fit(150)?;
    assert!(disagreement < 1e-4, "{disagreement}");
    let off = truth.iter().zip(&found).map(|(t, f)| (f / t - 1.0).abs());
    assert!(off.fold(0.0, f32::max) < 0.02, "{truth:?} and {found:?}");
    Ok(())
}

#[test]
fn clipped_gradients_of_examples_learn() -> Result<()> {
    let per_example::Learned { difference, accuracy: [before, after] } = per_example::learn(200)?;
    assert!(difference < 1e-5, "{difference}");
    assert!(before < 0.3 && after > 0.8, "{before} and {after}");
    Ok(())
}

#[test]
fn penalties_learn_which_features_matter() -> Result<()> {
    let hyper::Tuned { disagreement, errors: [before, after], penalties: [used, unused] } = hyper::tune(60)?;
    assert!(disagreement < 1e-2, "{disagreement}");
    assert!(after < 0.6 * before && unused > 2.0 * used, "{before} and {after}, {used} and {unused}");
    Ok(())
}

#[test]
fn a_network_learns_to_learn() -> Result<()> {
    let [before, after] = maml::learn(500)?;
    assert!(before > 1.0 && after < 0.6, "{before} and {after}");
    Ok(())
}
