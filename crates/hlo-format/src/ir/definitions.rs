use std::sync::{LazyLock, OnceLock};

use jarrah_hlo::ops::ElementwiseKind;

use super::signature::Signature;
use crate::assembly::Format;

/// The definition of an op without its meaning: its name, operands, results, attributes and syntax.
#[derive(Debug)]
pub struct Definition {
    /// The name with the dialect.
    pub name: &'static str,
    operands_and_results: &'static str,
    attributes: &'static str,
    syntax: &'static str,
    signature: OnceLock<Signature>,
    format: OnceLock<Format>,
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
impl Eq for Definition {}

impl Definition {
    /// The op called `name`, with its dialect; `None` for one that no program here may hold.
    pub fn find(name: &str) -> Option<&'static Definition> {
        match DEFINITIONS.binary_search_by(|d| d.name.cmp(name)) {
            Ok(at) => Some(&DEFINITIONS[at]),
            Err(_) => OWN_FUNCTIONS.iter().find(|d| d.name == name),
        }
    }

    /// The elementwise function that the op called `name` is, if it is one.
    pub fn function(name: &str) -> Option<ElementwiseKind> {
        let (dialect, function) = name.split_once('.')?;
        DIALECTS.contains(&dialect).then(|| ElementwiseKind::from_name(function))?
    }

    /// The op that an elementwise function is written as: of StableHLO, else of CHLO, else our own.
    pub fn of_function(kind: ElementwiseKind) -> &'static Definition {
        let found = DIALECTS.iter().find_map(|d| Definition::find(&format!("{d}.{}", kind.name())));
        found.expect("invariant: a function without a row below is one of OWN_FUNCTIONS")
    }

    /// Every op.
    pub fn all() -> impl Iterator<Item = &'static Definition> {
        DEFINITIONS.iter().chain(OWN_FUNCTIONS.iter())
    }

    /// The operands, results and attributes of the op.
    pub fn signature(&self) -> &Signature {
        self.signature.get_or_init(|| Signature::read(self.operands_and_results, self.attributes))
    }

    /// The op's own syntax; `None` if it has MLIR's generic one.
    pub(crate) fn format(&self) -> Option<&Format> {
        if self.syntax.is_empty() {
            return None;
        }
        Some(self.format.get_or_init(|| Format::read(self.syntax, self.signature())))
    }
}

/// The dialects that have elementwise functions, in the order of preference.
const DIALECTS: [&str; 3] = ["stablehlo", "chlo", "jarrah"];

/// The elementwise functions that no row defines, as ops of our own dialect.
static OWN_FUNCTIONS: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let defined = |name: &str| DEFINITIONS.iter().any(|d| d.name == name);
    let kinds = ElementwiseKind::ALL.iter().filter(|k| {
        let name = k.name();
        !defined(&format!("stablehlo.{name}")) && !defined(&format!("chlo.{name}"))
    });
    kinds
        .map(|kind| Definition {
            name: kind.own_name(),
            operands_and_results: if kind.arity() == 1 { "operand -> 1" } else { "lhs rhs -> 1" },
            attributes: "",
            syntax: "",
            signature: OnceLock::new(),
            format: OnceLock::new(),
        })
        .collect()
});

macro_rules! definitions {
    ($($name:literal $signature:literal $attributes:literal $syntax:expr;)*) => {
        static DEFINITIONS: [Definition; [$($name),*].len()] = [$(Definition {
            name: $name,
            operands_and_results: $signature,
            attributes: $attributes,
            syntax: $syntax,
            signature: OnceLock::new(),
            format: OnceLock::new(),
        }),*];
    };
}

const UNARY: &str = "%operand {} : <same>";
const BINARY: &str = "%lhs , %rhs {} : <same>";
const CHLO_UNARY: &str = "%operand {} : <types operand> -> <results>";
const CHLO_BROADCAST: &str = "%lhs , %rhs {} : ( <types lhs rhs> ) -> <results>";

// In alphabetical order, four columns:
// * the name;
// * operands, `*` for any number; `{n}` regions, `{*}` for any number; how many results, `*` for any number;
// * the attributes that belong to the op and their kinds, `?` if they may be absent, see `Kind`;
// * the syntax, empty for MLIR's generic one: `%x` stands for operands, `%*` for all, `$x` for an attribute, `{}` for
//   the dictionary of the remaining ones, `<x>` for a directive, `(? ?)` enclose what may be absent; words and signs are
//   themselves.
definitions! {
    "builtin.module" "{1} -> 0" "sym_name: string?, sym_visibility: string?" "<module>";
    "builtin.unrealized_conversion_cast" "inputs* -> *" "" "%inputs <operands-if-any> to <results> {}";
    "check.expect_almost_eq" "lhs rhs -> 0"
        "tolerance: f64?"
        "%lhs , %rhs (? , tolerance = $tolerance ?) {} : <types lhs>";
    "check.expect_almost_eq_const" "lhs -> 0"
        "value: dense, tolerance: f64?"
        "%lhs , $value (? , tolerance = $tolerance ?) {}";
    "check.expect_close" "actual expected -> 0"
        "max_ulp_difference: ui64, min_ulp_difference: ui64?"
        "%actual , %expected , max_ulp_difference = $max_ulp_difference (? , min_ulp_difference = $min_ulp_difference ?) : {} <types actual expected>";
    "check.expect_eq" "lhs rhs -> 0" "" "%lhs , %rhs {} : <types lhs>";
    "check.expect_eq_const" "lhs -> 0" "value: dense" "%lhs , $value {}";
    "check.expect_serialized_eq" "expected -> 0"
        "probe_id: string, iteration: ui32?"
        "%expected , probe_id = $probe_id (? , iter = $iteration ?) {} : <types expected>";
    "chlo._asin_acos_kernel" "operand -> 1" "" CHLO_UNARY;
    "chlo.acos" "operand -> 1" "" CHLO_UNARY;
    "chlo.acosh" "operand -> 1" "" CHLO_UNARY;
    "chlo.asin" "operand -> 1" "" CHLO_UNARY;
    "chlo.asinh" "operand -> 1" "" CHLO_UNARY;
    "chlo.atan" "operand -> 1" "" CHLO_UNARY;
    "chlo.atanh" "operand -> 1" "" CHLO_UNARY;
    "chlo.bessel_i1e" "operand -> 1" "" CHLO_UNARY;
    "chlo.broadcast_add" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_and" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_atan2" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_compare" "lhs rhs -> 1"
        "broadcast_dimensions: i64s?, comparison_direction: chlo.comparison_direction, compare_type: chlo.comparison_type?"
        CHLO_BROADCAST;
    "chlo.broadcast_complex" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_divide" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_maximum" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_minimum" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_multiply" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_next_after" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_or" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_polygamma" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_power" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_remainder" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_select" "pred on_true on_false -> 1"
        ""
        "%pred , %on_true , %on_false {} : ( <types pred on_true on_false> ) -> <results>";
    "chlo.broadcast_shift_left" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_shift_right_arithmetic" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_shift_right_logical" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_subtract" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_xor" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.broadcast_zeta" "lhs rhs -> 1" "broadcast_dimensions: i64s?" CHLO_BROADCAST;
    "chlo.conj" "operand -> 1" "" CHLO_UNARY;
    "chlo.constant" "-> 1" "value: dense" "{} <value>";
    "chlo.constant_like" "operand -> 1" "value: any" "";
    "chlo.cosh" "operand -> 1" "" CHLO_UNARY;
    "chlo.digamma" "operand -> 1" "" CHLO_UNARY;
    "chlo.dynamic_reshape" "operand output_shape -> 1" "" "%* {} : <signature>";
    "chlo.erf" "operand -> 1" "" CHLO_UNARY;
    "chlo.erf_inv" "operand -> 1" "" CHLO_UNARY;
    "chlo.erfc" "operand -> 1" "" CHLO_UNARY;
    "chlo.is_inf" "operand -> 1" "" CHLO_UNARY;
    "chlo.is_neg_inf" "operand -> 1" "" CHLO_UNARY;
    "chlo.is_pos_inf" "operand -> 1" "" CHLO_UNARY;
    "chlo.lgamma" "operand -> 1" "" CHLO_UNARY;
    "chlo.minimum_broadcast_shapes" "shapes* -> *" "" "%shapes {} : <operands> -> <results>";
    "chlo.mulhi" "lhs rhs -> 1" "" "%lhs , %rhs {} : <types lhs rhs> -> <results>";
    "chlo.next_after" "x y -> 1" "" "%x , %y {} : <types x y> -> <results>";
    "chlo.polygamma" "n x -> 1" "" "%n , %x {} : <types n x> -> <results>";
    "chlo.ragged_dot" "lhs rhs group_sizes -> 1"
        "ragged_dot_dimension_numbers: chlo.ragged_dot, precision_config: array?"
        "";
    "chlo.return" "results* -> 0" "" "%results {} <operands-if-any>";
    "chlo.scan" "inputs* inits* {1} -> *"
        "dimension: i64, scan_dim_size: i64?, is_reverse: bool?, is_associative: bool?, operandSegmentSizes: i32s, resultSegmentSizes: i32s"
        "<scan>";
    "chlo.sinh" "operand -> 1" "" CHLO_UNARY;
    "chlo.square" "operand -> 1" "" CHLO_UNARY;
    "chlo.tan" "operand -> 1" "" CHLO_UNARY;
    "chlo.top_k" "operand -> 2"
        "k: i64, is_stable: bool?"
        "( %operand , k = $k (? , is_stable = $is_stable ?) ) {} : <types operand> -> ( <results> )";
    "chlo.zeta" "x q -> 1" "" "%x , %q {} : <types x q> -> <results>";
    "func.call" "operands* -> *"
        "callee: symbol, arg_attrs: array?, res_attrs: array?, no_inline: unit?"
        "$callee ( %operands ) {} : <signature>";
    "func.func" "{1} -> 0"
        "sym_name: string, function_type: type, sym_visibility: string?, arg_attrs: array?, res_attrs: array?, no_inline: unit?"
        "<function>";
    "func.return" "operands* -> 0" "" "{} %operands <operands-if-any>";
    "interpreter.print" "operand -> 0" "" "%operand {} : <types operand>";
    "interpreter.probe" "operand -> 1" "probe_id: string" "%operand , probe_id = $probe_id {} : <results>";
    "interpreter.run_parallel" "inputs* -> *" "infeed: array?, programs: array" "";
    "jarrah.all_gather" "operands* {*} -> *" "" "";
    "jarrah.all_reduce" "operands* {*} -> *" "" "";
    "jarrah.all_to_all" "operands* {*} -> *" "" "";
    "jarrah.assert" "operands* {*} -> *" "" "";
    "jarrah.attention" "operands* {*} -> *" "" "";
    "jarrah.axis_index" "operands* {*} -> *" "" "";
    "jarrah.checkpoint_name" "operands* {*} -> *" "" "";
    "jarrah.custom_rule" "operands* {*} -> *" "" "";
    "jarrah.custom_tangent" "operands* {*} -> *" "" "";
    "jarrah.eig" "operands* {*} -> *" "" "";
    "jarrah.eigh" "operands* {*} -> *" "" "";
    "jarrah.geqrf" "operands* {*} -> *" "" "";
    "jarrah.hessenberg" "operands* {*} -> *" "" "";
    "jarrah.householder_product" "operands* {*} -> *" "" "";
    "jarrah.kernel" "operands* {*} -> *" "" "";
    "jarrah.linear_solve" "operands* {*} -> *" "" "";
    "jarrah.lu" "operands* {*} -> *" "" "";
    "jarrah.permute" "operands* {*} -> *" "" "";
    "jarrah.qr" "operands* {*} -> *" "" "";
    "jarrah.ragged_dot" "operands* {*} -> *" "" "";
    "jarrah.reduce_scatter" "operands* {*} -> *" "" "";
    "jarrah.remat" "operands* {*} -> *" "" "";
    "jarrah.scan" "operands* {*} -> *" "" "";
    "jarrah.schur" "operands* {*} -> *" "" "";
    "jarrah.svd" "operands* {*} -> *" "" "";
    "jarrah.threefry2x32" "operands* {*} -> *" "" "";
    "jarrah.tridiagonal" "operands* {*} -> *" "" "";
    "jarrah.tridiagonal_solve" "operands* {*} -> *" "" "";
    "jarrah.window_arg" "operands* {*} -> *" "" "";
    "sdy.all_gather" "tensor -> 1"
        "gathering_axes: #sdy<list_of_axis_ref_lists, out_sharding: #sdy.sharding"
        "$gathering_axes %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.all_reduce" "tensor -> 1"
        "reduction_axes: #sdy<axis_ref_list, out_sharding: #sdy.sharding"
        "$reduction_axes %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.all_slice" "tensor -> 1"
        "slicing_axes: #sdy<list_of_axis_ref_lists, out_sharding: #sdy.sharding"
        "$slicing_axes %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.all_to_all" "tensor -> 1"
        "params: #sdy<all_to_all_param_list, out_sharding: #sdy.sharding"
        "$params %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.collective_permute" "tensor -> 1"
        "out_sharding: #sdy.sharding"
        "%tensor out_sharding=$out_sharding {} : <results>";
    "sdy.constant" "-> 1" "value: dense" "{} <value>";
    "sdy.data_flow_edge" "input -> 1"
        "sharding: #sdy.sharding?"
        "%input (? sharding=$sharding ?) {} : <results>";
    "sdy.func_data_flow_edge" "input -> 1" "" "%input {} : <results>";
    "sdy.manual_computation" "tensors* {1} -> *"
        "in_shardings: #sdy.sharding_per_value, out_shardings: #sdy.sharding_per_value, manual_axes: #sdy<manual_axes"
        "<manual-computation>";
    "sdy.mesh" "-> 0" "sym_name: string, mesh: #sdy.mesh" "<symbol-name> = $mesh {}";
    "sdy.named_computation" "operands* {1} -> *"
        "name: string, in_shardings: #sdy.sharding_per_value?, out_shardings: #sdy.sharding_per_value?"
        "<named-computation>";
    "sdy.propagation_barrier" "input -> 1"
        "allowed_direction: sdy.propagation_direction"
        "%input allowed_direction=$allowed_direction {} : <results>";
    "sdy.reduce_scatter" "tensor -> 1"
        "reduce_scatter_axes: #sdy<list_of_axis_ref_lists, out_sharding: #sdy.sharding"
        "$reduce_scatter_axes %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.replicated_to_unreduced" "tensor -> 1"
        "axes: #sdy<axis_ref_list, out_sharding: #sdy.sharding"
        "$axes %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.reshard" "input -> 1" "sharding: #sdy.sharding" "%input $sharding {} : <results>";
    "sdy.return" "results* -> 0" "" "%results {} <operands-if-any>";
    "sdy.sharded_to_unreduced" "tensor -> 1"
        "axes: #sdy<list_of_axis_ref_lists, out_sharding: #sdy.sharding"
        "$axes %tensor out_sharding=$out_sharding {} : <results>";
    "sdy.sharding_constraint" "input -> 1" "sharding: #sdy.sharding" "%input $sharding {} : <results>";
    "sdy.sharding_group" "input -> 0" "group_id: i64" "%input group_id=$group_id {} : <types input>";
    "stablehlo.abs" "operand -> 1" "" UNARY;
    "stablehlo.add" "lhs rhs -> 1" "" BINARY;
    "stablehlo.after_all" "inputs* -> 1" "" "%inputs {} : <same>";
    "stablehlo.all_gather" "operands* -> *"
        "all_gather_dim: i64, replica_groups: any, channel_handle: stablehlo.channel_handle?, use_global_device_ids: unit?"
        "";
    "stablehlo.all_reduce" "operands* {1} -> *"
        "replica_groups: any, channel_handle: stablehlo.channel_handle?, use_global_device_ids: unit?"
        "";
    "stablehlo.all_to_all" "operands* -> *"
        "split_dimension: i64, concat_dimension: i64, split_count: i64, replica_groups: any, channel_handle: stablehlo.channel_handle?"
        "";
    "stablehlo.and" "lhs rhs -> 1" "" BINARY;
    "stablehlo.async_done" "operand -> *" "" "";
    "stablehlo.async_start" "operands* {1} -> 1" "" "";
    "stablehlo.atan2" "lhs rhs -> 1" "" BINARY;
    "stablehlo.batch_norm_grad" "operand scale mean variance grad_output -> 3"
        "epsilon: f32, feature_index: i64"
        "";
    "stablehlo.batch_norm_inference" "operand scale offset mean variance -> 1"
        "epsilon: f32, feature_index: i64"
        "";
    "stablehlo.batch_norm_training" "operand scale offset -> 3" "epsilon: f32, feature_index: i64" "";
    "stablehlo.bitcast_convert" "operand -> 1" "" "%* {} : <signature>";
    "stablehlo.broadcast" "operand -> 1"
        "broadcast_sizes: i64s"
        "%operand , sizes = $broadcast_sizes {} : <signature>";
    "stablehlo.broadcast_in_dim" "operand -> 1"
        "broadcast_dimensions: i64s"
        "%operand , dims = $broadcast_dimensions {} : <signature>";
    "stablehlo.case" "index {*} -> *" "" "";
    "stablehlo.cbrt" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.ceil" "operand -> 1" "" UNARY;
    "stablehlo.cholesky" "a -> 1" "lower: bool?" "%a (? , lower = $lower ?) {} : <same>";
    "stablehlo.clamp" "min operand max -> 1" "" "%min , %operand , %max {} : <same>";
    "stablehlo.collective_broadcast" "operands* -> *"
        "replica_groups: any, channel_handle: stablehlo.channel_handle?, has_dynamic_root: unit?"
        "";
    "stablehlo.collective_permute" "operand -> 1"
        "source_target_pairs: i64 dense, channel_handle: stablehlo.channel_handle?"
        "";
    "stablehlo.collective_reduce" "operands* {1} -> *"
        "replica_groups: any, channel_handle: stablehlo.channel_handle?, use_global_device_ids: unit?, has_dynamic_root: unit?"
        "";
    "stablehlo.compare" "lhs rhs -> 1"
        "comparison_direction: stablehlo.comparison_direction, compare_type: stablehlo.comparison_type?"
        "$comparison_direction , %lhs , %rhs (? , $compare_type ?) {} : <signature>";
    "stablehlo.complex" "lhs rhs -> 1" "" "%* {} : <complex-type>";
    "stablehlo.composite" "inputs* {*} -> *"
        "name: string, composite_attributes: dictionary?, decomposition: symbol, version: i32?"
        "$name %* <composite-regions> {} : <signature>";
    "stablehlo.concatenate" "inputs* -> 1"
        "dimension: i64"
        "<operands-and-comma> dim = $dimension {} : <signature>";
    "stablehlo.constant" "-> 1" "value: dense" "<constant>";
    "stablehlo.convert" "operand -> 1" "" UNARY;
    "stablehlo.convolution" "lhs rhs -> 1"
        "window_strides: i64s?, padding: i64 dense?, lhs_dilation: i64s?, rhs_dilation: i64s?, window_reversal: bools?, dimension_numbers: stablehlo.conv, feature_group_count: i64, batch_group_count: i64, precision_config: array?"
        "( %* ) dim_numbers = <convolution-dimensions> , window = { <window> } {} : <signature>";
    "stablehlo.cosine" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.count_leading_zeros" "operand -> 1" "" UNARY;
    "stablehlo.create_token" "-> 1" "" "{} : <results>";
    "stablehlo.cross-replica-sum" "operand -> 1" "replica_groups: i64 dense" "";
    "stablehlo.custom_call" "inputs* -> *"
        "call_target_name: string, has_side_effect: bool?, backend_config: any?, api_version: i32?, called_computations: array?, operand_layouts: array?, result_layouts: array?, output_operand_aliases: array?, result_tilings: array?"
        "<target> ( %inputs ) {} : <signature>";
    "stablehlo.divide" "lhs rhs -> 1" "" BINARY;
    "stablehlo.dot" "lhs rhs -> 1" "precision_config: array?" "%lhs , %rhs <precision> {} : <signature>";
    "stablehlo.dot_general" "lhs rhs -> 1"
        "dot_dimension_numbers: stablehlo.dot, precision_config: array?, algorithm: stablehlo.dot_algorithm?"
        "%lhs , %rhs , <dot-dimensions> <precision> <algorithm> {} : <signature>";
    "stablehlo.dynamic_broadcast_in_dim" "operand output_dimensions -> 1"
        "broadcast_dimensions: i64s, known_expanding_dimensions: i64s?, known_nonexpanding_dimensions: i64s?"
        "%operand , %output_dimensions , dims = $broadcast_dimensions {} : <signature>";
    "stablehlo.dynamic_conv" "lhs rhs padding -> 1"
        "window_strides: i64s?, lhs_dilation: i64s?, rhs_dilation: i64s?, window_reversal: bools?, dimension_numbers: stablehlo.conv, feature_group_count: i64, batch_group_count: i64, precision_config: array?"
        "";
    "stablehlo.dynamic_gather" "operand start_indices slice_sizes -> 1"
        "dimension_numbers: stablehlo.gather, indices_are_sorted: bool?"
        "";
    "stablehlo.dynamic_iota" "output_shape -> 1"
        "iota_dimension: i64"
        "%output_shape , dim = $iota_dimension {} : <signature>";
    "stablehlo.dynamic_pad" "operand padding_value edge_padding_low edge_padding_high interior_padding -> 1"
        ""
        "%* {} : <signature>";
    "stablehlo.dynamic_reshape" "operand output_shape -> 1" "" "%* {} : <signature>";
    "stablehlo.dynamic_slice" "operand start_indices* -> 1"
        "slice_sizes: i64s"
        "%operand , <operands-and-comma> sizes = $slice_sizes {} : <signature>";
    "stablehlo.dynamic_update_slice" "operand update start_indices* -> 1" "" "%* {} : <signature>";
    "stablehlo.einsum" "lhs rhs -> 1"
        "einsum_config: string"
        "%lhs , %rhs , config = $einsum_config {} : <signature>";
    "stablehlo.exponential" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.exponential_minus_one" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.fft" "operand -> 1"
        "fft_type: stablehlo.fft_type, fft_length: i64s"
        "%operand , type = $fft_type , length = $fft_length {} : <signature>";
    "stablehlo.floor" "operand -> 1" "" UNARY;
    "stablehlo.gather" "operand start_indices -> 1"
        "dimension_numbers: stablehlo.gather, slice_sizes: i64s, indices_are_sorted: bool?"
        "";
    "stablehlo.get_dimension_size" "operand -> 1"
        "dimension: i64"
        "%operand , dim = $dimension {} : <signature>";
    "stablehlo.get_tuple_element" "operand -> 1" "index: i32" r"%operand \[ $index ] {} : <signature>";
    "stablehlo.if" "pred {2} -> *" "" "";
    "stablehlo.imag" "operand -> 1" "" UNARY;
    "stablehlo.infeed" "token -> *" "infeed_config: string?, layout: array?" "";
    "stablehlo.iota" "-> 1" "iota_dimension: i64" "dim = $iota_dimension {} : <results>";
    "stablehlo.is_finite" "x -> 1" "" "%* {} : <signature>";
    "stablehlo.log" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.log_plus_one" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.logistic" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.map" "inputs* {1} -> 1" "dimensions: i64s" "";
    "stablehlo.maximum" "lhs rhs -> 1" "" BINARY;
    "stablehlo.minimum" "lhs rhs -> 1" "" BINARY;
    "stablehlo.multiply" "lhs rhs -> 1" "" BINARY;
    "stablehlo.negate" "operand -> 1" "" UNARY;
    "stablehlo.not" "operand -> 1" "" UNARY;
    "stablehlo.optimization_barrier" "operand* -> *" "" "{} <barrier>";
    "stablehlo.or" "lhs rhs -> 1" "" BINARY;
    "stablehlo.outfeed" "inputs* token -> 1" "outfeed_config: string?" "";
    "stablehlo.pad" "operand padding_value -> 1"
        "edge_padding_low: i64s, edge_padding_high: i64s, interior_padding: i64s"
        "%operand , %padding_value , low = $edge_padding_low , high = $edge_padding_high , interior = $interior_padding {} : <signature>";
    "stablehlo.partition_id" "-> 1" "" "{} : <results>";
    "stablehlo.popcnt" "operand -> 1" "" UNARY;
    "stablehlo.power" "lhs rhs -> 1" "" BINARY;
    "stablehlo.real" "operand -> 1" "" UNARY;
    "stablehlo.real_dynamic_slice" "operand start_indices limit_indices strides -> 1"
        ""
        "%* {} : <signature>";
    "stablehlo.recv" "token -> *"
        "channel_handle: stablehlo.channel_handle, is_host_transfer: bool?, source_target_pairs: i64 dense?"
        "";
    "stablehlo.reduce" "inputs* init_values* {1} -> *" "dimensions: i64s" "<reduce>";
    "stablehlo.reduce_precision" "operand -> 1"
        "exponent_bits: i32, mantissa_bits: i32"
        "%operand , format = <exponent-mantissa> {} : <same>";
    "stablehlo.reduce_scatter" "operand {1} -> 1"
        "scatter_dimension: i64, replica_groups: any, channel_handle: stablehlo.channel_handle?, use_global_device_ids: unit?"
        "";
    "stablehlo.reduce_window" "inputs* init_values* {1} -> *"
        "window_dimensions: i64s, window_strides: i64s?, base_dilations: i64s?, window_dilations: i64s?, padding: i64 dense?"
        "";
    "stablehlo.remainder" "lhs rhs -> 1" "" BINARY;
    "stablehlo.replica_id" "-> 1" "" "{} : <results>";
    "stablehlo.reshape" "operand -> 1" "" "%* {} : <signature>";
    "stablehlo.return" "results* -> 0" "" "%results {} <operands-if-any>";
    "stablehlo.reverse" "operand -> 1" "dimensions: i64s" "%operand , dims = $dimensions {} : <same>";
    "stablehlo.rng" "a b shape -> 1"
        "rng_distribution: stablehlo.rng_distribution"
        "%a , %b , %shape , distribution = $rng_distribution {} : <signature>";
    "stablehlo.rng_bit_generator" "initial_state -> 2"
        "rng_algorithm: stablehlo.rng_algorithm"
        "%initial_state , algorithm = $rng_algorithm {} : <signature>";
    "stablehlo.round_nearest_afz" "operand -> 1" "" UNARY;
    "stablehlo.round_nearest_even" "operand -> 1" "" UNARY;
    "stablehlo.rsqrt" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.scatter" "inputs* scatter_indices updates* {1} -> *"
        "scatter_dimension_numbers: stablehlo.scatter, indices_are_sorted: bool?, unique_indices: bool?"
        "";
    "stablehlo.select" "pred on_true on_false -> 1" "" "%* {} : <select-type>";
    "stablehlo.select_and_scatter" "operand source init_value {2} -> 1"
        "window_dimensions: i64s?, window_strides: i64s?, padding: i64 dense?"
        "";
    "stablehlo.send" "inputs* token -> 1"
        "channel_handle: stablehlo.channel_handle, is_host_transfer: bool?, source_target_pairs: i64 dense?"
        "";
    "stablehlo.set_dimension_size" "operand size -> 1"
        "dimension: i64"
        "%operand , %size , dim = $dimension {} : <signature>";
    "stablehlo.shift_left" "lhs rhs -> 1" "" BINARY;
    "stablehlo.shift_right_arithmetic" "lhs rhs -> 1" "" BINARY;
    "stablehlo.shift_right_logical" "lhs rhs -> 1" "" BINARY;
    "stablehlo.sign" "operand -> 1" "" UNARY;
    "stablehlo.sine" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.slice" "operand -> 1"
        "start_indices: i64s, limit_indices: i64s, strides: i64s"
        "%operand <slice> {} : <signature>";
    "stablehlo.sort" "inputs* {1} -> *" "dimension: i64?, is_stable: bool?" "";
    "stablehlo.sqrt" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.subtract" "lhs rhs -> 1" "" BINARY;
    "stablehlo.tan" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.tanh" "operand -> 1" "result_accuracy: stablehlo.result_accuracy?" UNARY;
    "stablehlo.torch_index_select" "operand index -> 1" "dim: i64, batch_dims: i64" "";
    "stablehlo.transpose" "operand -> 1"
        "permutation: i64s"
        "%operand , dims = $permutation {} : <signature>";
    "stablehlo.triangular_solve" "a b -> 1"
        "left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: stablehlo.transpose"
        "";
    "stablehlo.tuple" "val* -> 1" "" "%val {} : <tuple-type>";
    "stablehlo.unary_einsum" "operand -> 1"
        "einsum_config: string"
        "%operand , config = $einsum_config {} : <signature>";
    "stablehlo.uniform_dequantize" "operand -> 1" "" UNARY;
    "stablehlo.uniform_quantize" "operand -> 1" "" UNARY;
    "stablehlo.while" "operand* {2} -> *" "" "<while>";
    "stablehlo.xor" "lhs rhs -> 1" "" BINARY;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(DEFINITIONS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn every_row_reads() {
        for definition in &DEFINITIONS {
            definition.signature();
            definition.format();
        }
    }
}
