//! The transformations that optimizers are [`chain`](crate::chain)s of: scaling, clipping, momentum, decay of weights, masks, and
//! wrappers of other transformations.

pub use crate::accumulate::{apply_every, ema, trace};
pub use crate::clip::{
    adaptive_grad_clip, clip, clip_by_block_rms, clip_by_global_norm, global_norm,
    per_example_global_norm_clip, per_example_layer_norm_clip, unitwise_clip, unitwise_norm,
    unitwise_norm_along,
};
pub use crate::combine::{freeze, named_chain, partition, selective_transform};
pub use crate::conditional::{apply_if_finite, conditionally_mask, conditionally_transform};
pub use crate::factored::{scale_by_factored_rms, scale_by_sm3};
pub use crate::inject::{Hyperparams, inject_hyperparams};
pub use crate::layerwise::{
    TrustRatio, centralize, normalize_by_update_norm, safe_norm, safe_root_mean_squares, scale_by_novograd,
    scale_by_param_block_norm, scale_by_param_block_rms, scale_by_trust_ratio, scale_by_trust_ratio_with,
};
pub use crate::lbfgs::scale_by_lbfgs;
pub use crate::linesearch::{
    BacktrackingLinesearch, ZoomLinesearch, scale_by_backtracking_linesearch, scale_by_zoom_linesearch,
    value_and_grad_from_state,
};
pub use crate::lookahead::lookahead;
pub use crate::mask::{add_decayed_weights, masked};
pub use crate::moments::{scale_by_adam, scale_by_adam_with, scale_by_adamax};
pub use crate::monitor::{incremental_update, measure, measure_with_ema, monitor, periodic_update, snapshot};
pub use crate::multi_steps::{
    MultiSteps, Skipped, has_updated, multi_steps, skip_large_updates, skip_not_finite,
};
pub use crate::optimistic::{
    Distance, scale_by_distance_over_gradients, scale_by_optimistic_gradient, scale_by_polyak,
};
pub use crate::rms::{scale_by_adadelta, scale_by_rms, scale_by_rms_with, scale_by_rss, scale_by_stddev};
pub use crate::scale::{scale, scale_by_learning_rate, scale_by_schedule};
pub use crate::second_moments::{
    scale_by_adan, scale_by_amsgrad, scale_by_belief, scale_by_radam, scale_by_yogi,
};
pub use crate::sign::{LionMode, scale_by_lion, scale_by_rprop, scale_by_sign};
pub use crate::simple::{
    add_noise, flatten, identity, keep_params_nonnegative, set_to_zero, state_in, stateless_with_tree_map,
    zero_nans,
};
