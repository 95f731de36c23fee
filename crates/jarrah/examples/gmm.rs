//! A mixture of normal distributions is fitted by expectation maximisation.
//!
//! The loop is a `while_loop` whose carry is a struct; densities are written for one point and one component, and mapped over
//! both by `vmap`.
//!
//! Source: Dempster, Laird, Rubin, Maximum likelihood from incomplete data via the EM algorithm (1977).

use jarrah::Result;
use jarrah::array::linalg::{Triangle, cholesky, solve_triangular};
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, jit, numpy, vmap, while_loop};

const COMPONENTS: usize = 3;
const POINTS: usize = 900;

#[derive(Clone, Tree)]
struct Mixture {
    /// `[components]`.
    weights: Array,
    /// `[components, 2]`.
    means: Array,
    /// `[components, 2, 2]`.
    covariances: Array,
}

/// The logarithm of a normal density.
fn log_density(x: &Array, mean: &Array, covariance: &Array) -> Array {
    let factor = cholesky(covariance);
    let white = solve_triangular(&factor, &(x - mean), Triangle::Lower);
    let log_root_determinant = factor.diagonal(0, 0, 1).log().sum(..);
    -0.5 * white.square().sum(..) - log_root_determinant - (2.0 * std::f64::consts::PI).ln()
}

impl Mixture {
    /// `log w_k + log p_k(x_n)`, `[points, components]`.
    fn log_joint(&self, points: &Array) -> Array {
        vmap(|x: &Array| {
            let component = |(mean, covariance): &(Array, Array)| log_density(x, mean, covariance);
            vmap(component)(&(self.means.clone(), self.covariances.clone())) + self.weights.log()
        })(points)
    }

    /// The mean log-likelihood of the points.
    fn likelihood(&self, points: &Array) -> Array {
        self.log_joint(points).logsumexp(-1).mean(..)
    }

    /// The mixture that fits best, given which component each point comes from under this one.
    fn improved(&self, points: &Array) -> Mixture {
        let shares = self.log_joint(points).softmax(-1);
        let counts = shares.sum(0);
        let means = shares.t().matmul(points) / counts.expand_dims(1);
        let moment = |(share, mean): &(Array, Array)| {
            let away = points - mean;
            (&away * share.expand_dims(1)).t().matmul(&away) / share.sum(..) + Array::eye(2) * 1e-6
        };
        let covariances = vmap(moment)(&(shares.t(), means.clone()));
        Mixture { weights: &counts / POINTS as f64, means, covariances }
    }
}

/// What was found, next to what the points were drawn from.
pub struct Fit {
    /// How many steps it took.
    pub steps: i32,
    /// The mean log-likelihood of the points: at the start, of the fit, of the mixture they were drawn from.
    pub likelihoods: [f32; 3],
    /// How far the fitted means are from the true ones at most.
    pub distance: f32,
}

/// Draws points from a mixture and fits another to them.
pub fn fit() -> Result<Fit> {
    let keys = Key::new(0).split(3);
    let means = Array::new(&[-2.0f32, 0.0, 2.0, 1.0, 0.0, 4.0], &[COMPONENTS, 2]);
    let scale =
        Array::new(&[0.8f32, 0.0, 0.3, 0.4, 0.6, 0.0, -0.4, 0.5, 0.5, 0.0, 0.0, 1.0], &[COMPONENTS, 2, 2]);
    let weights = Array::from_slice(&[0.5f32, 0.3, 0.2]);
    let which = keys[0].categorical_in(&weights.log(), -1, &[POINTS]);
    let noise = keys[1].normal(&[POINTS, 2]);
    let points = means.index(&which) + numpy::einsum("nij,nj->ni", &[&scale.index(&which), &noise]);
    let covariances = scale.matmul(&scale.swapaxes(1, 2));
    let truth = Mixture { weights, means, covariances };

    let start = Mixture {
        weights: Array::full(&[COMPONENTS], 1.0 / COMPONENTS as f64, DType::F32),
        means: keys[2].choice_distinct(&points, &[COMPONENTS], 0),
        covariances: Array::eye(2).broadcast_to(&[COMPONENTS, 2, 2]),
    };
    let em = jit(|(start, points): &(Mixture, Array)| {
        let first =
            (start.clone(), Array::scalar(f32::NEG_INFINITY), start.likelihood(points), Array::scalar(0i32));
        let improving =
            |(_, last, now, steps): &(Mixture, Array, Array, Array)| (now - last).gt(1e-6) & steps.lt(500);
        let step = |(mixture, _, now, steps): &(Mixture, Array, Array, Array)| {
            let better = mixture.improved(points);
            let value = better.likelihood(points);
            (better, now.clone(), value, steps + 1)
        };
        let (found, _, value, steps) = while_loop(improving, step, &first);
        (found, value, steps)
    });
    let (found, value, steps) = em.call((start.clone(), points.clone()))?;

    // The components come out in any order: each true mean is compared with the nearest.
    let gaps = (truth.means.expand_dims(1) - found.means.expand_dims(0)).square().sum(-1).sqrt();
    let likelihoods = [start.likelihood(&points).item()?, value.item()?, truth.likelihood(&points).item()?];
    Ok(Fit { steps: steps.item()?, likelihoods, distance: gaps.min(1).max(..).item()? })
}

fn main() -> Result<()> {
    let Fit { steps, likelihoods: [start, found, truth], distance } = fit()?;
    println!(
        "log-likelihood per point after {steps} steps: {found:.4}, {start:.4} before, {truth:.4} of the truth"
    );
    println!("each mean is found within {distance:.3}");
    Ok(())
}
