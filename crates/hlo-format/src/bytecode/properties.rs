/// The attributes that ops of other dialects than the portable one store in an encoding of their own, by name.
///
/// `?` marks those that may be missing, `~` those of these that older producers do not know.
const PROPERTIES: &[(&str, &str)] = &[
    ("builtin.module", "sym_name? sym_visibility?"),
    ("chlo.broadcast_compare", "broadcast_dimensions? compare_type? comparison_direction"),
    ("chlo.constant", "value"),
    ("chlo.constant_like", "value"),
    ("chlo.ragged_dot", "precision_config? ragged_dot_dimension_numbers"),
    ("chlo.scan", "dimension is_associative? is_reverse? scan_dim_size?"),
    ("chlo.top_k", "is_stable~ k"),
    ("func.call", "arg_attrs~ callee no_inline~ res_attrs~"),
    ("func.func", "arg_attrs? function_type no_inline~ res_attrs? sym_name sym_visibility?"),
    ("sdy.all_gather", "gathering_axes out_sharding"),
    ("sdy.all_reduce", "out_sharding reduction_axes"),
    ("sdy.all_slice", "out_sharding slicing_axes"),
    ("sdy.all_to_all", "out_sharding params"),
    ("sdy.collective_permute", "out_sharding"),
    ("sdy.constant", "value"),
    ("sdy.data_flow_edge", "sharding?"),
    ("sdy.manual_computation", "in_shardings manual_axes out_shardings"),
    ("sdy.mesh", "mesh sym_name"),
    ("sdy.named_computation", "in_shardings? name out_shardings?"),
    ("sdy.propagation_barrier", "allowed_direction"),
    ("sdy.reduce_scatter", "out_sharding reduce_scatter_axes"),
    ("sdy.reshard", "sharding"),
    ("sdy.sharding_constraint", "sharding"),
    ("sdy.sharding_group", "group_id"),
    ("stablehlo.all_gather", "all_gather_dim channel_handle? replica_groups use_global_device_ids?"),
    ("stablehlo.all_reduce", "channel_handle? replica_groups use_global_device_ids?"),
    ("stablehlo.all_to_all", "channel_handle? concat_dimension replica_groups split_count split_dimension"),
    ("stablehlo.batch_norm_grad", "epsilon feature_index"),
    ("stablehlo.batch_norm_inference", "epsilon feature_index"),
    ("stablehlo.batch_norm_training", "epsilon feature_index"),
    ("stablehlo.broadcast", "broadcast_sizes"),
    ("stablehlo.broadcast_in_dim", "broadcast_dimensions"),
    ("stablehlo.cbrt", "result_accuracy?"),
    ("stablehlo.cholesky", "lower?"),
    ("stablehlo.collective_broadcast", "channel_handle? has_dynamic_root~ replica_groups"),
    ("stablehlo.collective_permute", "channel_handle? source_target_pairs"),
    (
        "stablehlo.collective_reduce",
        "channel_handle? has_dynamic_root? replica_groups use_global_device_ids?",
    ),
    ("stablehlo.compare", "compare_type? comparison_direction"),
    ("stablehlo.composite", "composite_attributes? decomposition name version?"),
    ("stablehlo.concatenate", "dimension"),
    ("stablehlo.constant", "value"),
    (
        "stablehlo.convolution",
        "batch_group_count dimension_numbers feature_group_count lhs_dilation? padding? precision_config? \
         rhs_dilation? window_reversal? window_strides?",
    ),
    ("stablehlo.cosine", "result_accuracy?"),
    ("stablehlo.cross-replica-sum", "replica_groups"),
    (
        "stablehlo.custom_call",
        "api_version? backend_config? call_target_name called_computations? has_side_effect? operand_layouts? \
         output_operand_aliases? result_layouts? result_tilings~",
    ),
    ("stablehlo.dot", "precision_config?"),
    ("stablehlo.dot_general", "algorithm? dot_dimension_numbers precision_config?"),
    (
        "stablehlo.dynamic_broadcast_in_dim",
        "broadcast_dimensions known_expanding_dimensions? known_nonexpanding_dimensions?",
    ),
    (
        "stablehlo.dynamic_conv",
        "batch_group_count dimension_numbers feature_group_count lhs_dilation? precision_config? rhs_dilation? \
         window_reversal? window_strides?",
    ),
    ("stablehlo.dynamic_gather", "dimension_numbers indices_are_sorted?"),
    ("stablehlo.dynamic_iota", "iota_dimension"),
    ("stablehlo.dynamic_slice", "slice_sizes"),
    ("stablehlo.einsum", "einsum_config"),
    ("stablehlo.exponential", "result_accuracy?"),
    ("stablehlo.exponential_minus_one", "result_accuracy?"),
    ("stablehlo.fft", "fft_length fft_type"),
    ("stablehlo.gather", "dimension_numbers indices_are_sorted? slice_sizes"),
    ("stablehlo.get_dimension_size", "dimension"),
    ("stablehlo.get_tuple_element", "index"),
    ("stablehlo.infeed", "infeed_config? layout?"),
    ("stablehlo.iota", "iota_dimension"),
    ("stablehlo.log", "result_accuracy?"),
    ("stablehlo.log_plus_one", "result_accuracy?"),
    ("stablehlo.logistic", "result_accuracy?"),
    ("stablehlo.map", "dimensions"),
    ("stablehlo.outfeed", "outfeed_config?"),
    ("stablehlo.pad", "edge_padding_high edge_padding_low interior_padding"),
    ("stablehlo.recv", "channel_handle is_host_transfer? source_target_pairs?"),
    ("stablehlo.reduce", "dimensions"),
    ("stablehlo.reduce_precision", "exponent_bits mantissa_bits"),
    ("stablehlo.reduce_scatter", "channel_handle? replica_groups scatter_dimension use_global_device_ids?"),
    (
        "stablehlo.reduce_window",
        "base_dilations? padding? window_dilations? window_dimensions window_strides?",
    ),
    ("stablehlo.reverse", "dimensions"),
    ("stablehlo.rng", "rng_distribution"),
    ("stablehlo.rng_bit_generator", "rng_algorithm"),
    ("stablehlo.rsqrt", "result_accuracy?"),
    ("stablehlo.scatter", "indices_are_sorted? scatter_dimension_numbers unique_indices?"),
    ("stablehlo.select_and_scatter", "padding? window_dimensions? window_strides?"),
    ("stablehlo.send", "channel_handle is_host_transfer? source_target_pairs?"),
    ("stablehlo.set_dimension_size", "dimension"),
    ("stablehlo.sine", "result_accuracy?"),
    ("stablehlo.slice", "limit_indices start_indices strides"),
    ("stablehlo.sort", "dimension? is_stable?"),
    ("stablehlo.sqrt", "result_accuracy?"),
    ("stablehlo.tan", "result_accuracy?"),
    ("stablehlo.tanh", "result_accuracy?"),
    ("stablehlo.torch_index_select", "batch_dims dim"),
    ("stablehlo.transpose", "permutation"),
    ("stablehlo.triangular_solve", "left_side lower transpose_a unit_diagonal"),
    ("stablehlo.unary_einsum", "einsum_config"),
];

/// Ops whose operands, or results, are in groups, whose sizes end the encoding.
const SEGMENTS: &[(&str, &[(&str, usize)])] =
    &[("chlo.scan", &[("operandSegmentSizes", 2), ("resultSegmentSizes", 2)])];

/// An attribute in the encoding of an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    pub name: &'static str,
    /// It may be missing.
    pub optional: bool,
    /// Older producers do not know it.
    pub new: bool,
}

/// The attributes that the op `name` stores as properties, in the order of their encoding.
pub fn of(name: &str) -> Vec<Property> {
    let text = match PROPERTIES.binary_search_by(|p| p.0.cmp(name)) {
        Ok(at) => PROPERTIES[at].1,
        Err(_) if name.starts_with("chlo.broadcast_") && name != "chlo.broadcast_select" => {
            "broadcast_dimensions?"
        }
        Err(_) => "",
    };
    let property = |word: &'static str| Property {
        name: word.trim_end_matches(['?', '~']),
        optional: word.ends_with(['?', '~']),
        new: word.ends_with('~'),
    };
    text.split_whitespace().map(property).collect()
}

/// The groups of operands and results of the op `name`.
pub fn segments(name: &str) -> &'static [(&'static str, usize)] {
    SEGMENTS.iter().find(|s| s.0 == name).map_or(&[], |s| s.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Definition;

    #[test]
    fn properties_are_of_ops_and_sorted() {
        assert!(PROPERTIES.is_sorted_by(|a, b| a.0 < b.0));
        for (name, _) in PROPERTIES {
            assert!(Definition::find(name).is_some(), "{name}");
            assert!(of(name).is_sorted_by(|a, b| a.name < b.name), "{name}");
        }
    }
}
