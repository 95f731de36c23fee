use super::version::Version;

/// An op of the portable dialect, in all its versions.
pub struct Row {
    /// Its name without the dialect and the version.
    pub name: &'static str,
    /// The op of the tree; returns are `func.return` in functions.
    pub op: &'static str,
    /// The releases that brought its versions 1, 2, ...; each ends where the next begins.
    pub since: &'static [Version],
    /// Its attributes, by name.
    pub fields: &'static [Field],
    /// The attribute whose number of elements the defaults have.
    pub rank: &'static str,
    /// The forms of the op that its older versions cannot express.
    pub limit: Limit,
}

/// An attribute of an op.
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    /// The value of the attribute where the tree leaves it out.
    pub default: Default,
    /// The versions of the op that have it.
    pub versions: (u8, u8),
}

/// The form that an attribute of the portable dialect has in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The form of the portable dialect.
    Same,
    /// A tensor of integers for `array<i64>`.
    Integers,
    /// A tensor of truth values for `array<i1>`.
    Booleans,
    /// A string for a symbol.
    Symbol,
    /// An array of strings for an array of symbols.
    Symbols,
    /// An integer for the handle of `channel_handle`.
    Channel,
    /// A truth value for a unit attribute that is there or not.
    Flag,
    /// An integer for an enumeration.
    ApiVersion,
    /// A field of a structured attribute.
    Part(Spread, Part, &'static str),
}

/// A structured attribute whose fields are attributes of the portable op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    Conv,
    Dot,
    Algorithm,
    Gather,
    Scatter,
    Handle,
}

impl Spread {
    /// The attribute, and the name of the structure.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Spread::Conv => ("dimension_numbers", "stablehlo.conv"),
            Spread::Dot => ("dot_dimension_numbers", "stablehlo.dot"),
            Spread::Algorithm => ("algorithm", "stablehlo.dot_algorithm"),
            Spread::Gather => ("dimension_numbers", "stablehlo.gather"),
            Spread::Scatter => ("scatter_dimension_numbers", "stablehlo.scatter"),
            Spread::Handle => ("channel_handle", "stablehlo.channel_handle"),
        }
    }
}

/// The type of a field of a structured attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Integer,
    Integers,
    Type,
    Boolean,
}

/// The value of an attribute that the tree leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Default {
    /// It has to be said.
    None,
    False,
    /// An `i64`.
    Integer(i64),
    EmptyString,
    EmptyArray,
    EmptyDictionary,
    /// `tensor<0xi64>`.
    EmptyTensor,
    /// As many ones as there are dimensions.
    Ones,
    /// As many `false`s as there are dimensions.
    Falses,
    /// Two zeros for each dimension.
    ZeroPairs,
    /// The default precision for both operands.
    Precisions,
    /// `NOTYPE`.
    NoComparisonType,
    /// `API_VERSION_ORIGINAL`.
    OriginalApi,
    /// The default mode.
    ResultAccuracy,
    /// A structured attribute that is not there: `none`.
    NoneType,
}

/// A form of an op that older versions of it cannot express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Nothing,
    /// Several operands before version 2 of the op.
    OneOperand,
    /// Operands and results of different element types before release 0.17.
    SameTypes,
    /// Both.
    OneOperandSameTypes,
    /// Regions before version 2 of the op.
    Regions,
    /// Dictionaries and the typed interface before release 1.3, buffers before 1.13 and futures before 1.17.
    CustomCall,
}

impl Row {
    /// The op called `name`, without the dialect and with the version: `add_v1`.
    pub fn of_portable(name: &str) -> Option<(&'static Row, u8)> {
        let (name, version) = name.rsplit_once("_v")?;
        let version = version.parse().ok()?;
        let row = ROWS.iter().find(|r| r.name == name)?;
        (1..=row.since.len() as u8).contains(&version).then_some((row, version))
    }

    /// The op of the tree called `name`.
    pub fn of_tree(name: &str) -> Option<&'static Row> {
        let name = if name == "func.return" { "stablehlo.return" } else { name };
        ROWS.iter().find(|r| r.op == name)
    }

    /// The version of the op in the release `target`; 0 if there is none yet.
    pub fn version(&self, target: Version) -> u8 {
        self.since.iter().filter(|&&s| s <= target.release()).count() as u8
    }

    /// The attributes that version `version` of the op has.
    pub fn fields(&self, version: u8) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(move |f| f.versions.0 <= version && version <= f.versions.1)
    }
}

const V0_9: Version = Version::MINIMUM;
const FIRST: &[Version] = &[V0_9];
const ACCURACY: &[Version] = &[V0_9, Version::new(1, 10)];

const fn field(name: &'static str, kind: Kind, default: Default) -> Field {
    Field { name, kind, default, versions: (1, u8::MAX) }
}

const fn same(name: &'static str) -> Field {
    field(name, Kind::Same, Default::None)
}

const fn same_or(name: &'static str, default: Default) -> Field {
    field(name, Kind::Same, default)
}

const fn integers(name: &'static str) -> Field {
    field(name, Kind::Integers, Default::None)
}

const fn integers_or(name: &'static str, default: Default) -> Field {
    field(name, Kind::Integers, default)
}

const fn flag(name: &'static str) -> Field {
    field(name, Kind::Flag, Default::False)
}

const fn part(name: &'static str, spread: Spread, part: Part) -> Field {
    field(name, Kind::Part(spread, part, name), Default::None)
}

const fn algorithm(name: &'static str, part: Part) -> Field {
    since(2, field(name, Kind::Part(Spread::Algorithm, part, name), Default::NoneType))
}

const fn since(version: u8, field: Field) -> Field {
    Field { versions: (version, u8::MAX), ..field }
}

const fn until(version: u8, field: Field) -> Field {
    Field { versions: (1, version), ..field }
}

const CHANNEL: Field = field("channel_id", Kind::Channel, Default::Integer(0));
const RESULT_ACCURACY: Field = since(2, same_or("result_accuracy", Default::ResultAccuracy));
const HAS_DYNAMIC_ROOT: Field = flag("has_dynamic_root");

const fn row(op: &'static str, since: &'static [Version], fields: &'static [Field]) -> Row {
    let (_, name) = op.split_at("stablehlo.".len());
    Row { name, op, since, fields, rank: "", limit: Limit::Nothing }
}

const fn function(name: &'static str, op: &'static str, fields: &'static [Field]) -> Row {
    Row { name, op, since: FIRST, fields, rank: "", limit: Limit::Nothing }
}

const fn plain(op: &'static str) -> Row {
    row(op, FIRST, &[])
}

const fn inexact(op: &'static str) -> Row {
    row(op, ACCURACY, &[RESULT_ACCURACY])
}

/// Every op, its attributes in the order of their names.
const ROWS: &[Row] = &[
    plain("stablehlo.abs"),
    plain("stablehlo.add"),
    plain("stablehlo.after_all"),
    Row {
        limit: Limit::OneOperand,
        ..row(
            "stablehlo.all_gather",
            &[V0_9, Version::new(1, 5)],
            &[same("all_gather_dim"), CHANNEL, same("replica_groups"), flag("use_global_device_ids")],
        )
    },
    Row {
        limit: Limit::OneOperandSameTypes,
        ..row(
            "stablehlo.all_reduce",
            &[V0_9, Version::new(1, 5)],
            &[CHANNEL, same("replica_groups"), flag("use_global_device_ids")],
        )
    },
    Row {
        limit: Limit::OneOperand,
        ..row(
            "stablehlo.all_to_all",
            &[V0_9, Version::new(1, 5)],
            &[
                CHANNEL,
                same("concat_dimension"),
                same("replica_groups"),
                same("split_count"),
                same("split_dimension"),
            ],
        )
    },
    plain("stablehlo.and"),
    row("stablehlo.async_done", &[Version::new(1, 15)], &[]),
    row("stablehlo.async_start", &[Version::new(1, 15)], &[]),
    plain("stablehlo.atan2"),
    row("stablehlo.batch_norm_grad", FIRST, &[same("epsilon"), same("feature_index")]),
    row("stablehlo.batch_norm_inference", FIRST, &[same("epsilon"), same("feature_index")]),
    row("stablehlo.batch_norm_training", FIRST, &[same("epsilon"), same("feature_index")]),
    plain("stablehlo.bitcast_convert"),
    row("stablehlo.broadcast", FIRST, &[integers("broadcast_sizes")]),
    row("stablehlo.broadcast_in_dim", FIRST, &[integers("broadcast_dimensions")]),
    function("call", "func.call", &[field("callee", Kind::Symbol, Default::None)]),
    plain("stablehlo.case"),
    inexact("stablehlo.cbrt"),
    plain("stablehlo.ceil"),
    row("stablehlo.cholesky", FIRST, &[same_or("lower", Default::False)]),
    plain("stablehlo.clamp"),
    Row {
        limit: Limit::OneOperand,
        ..row(
            "stablehlo.collective_broadcast",
            &[Version::new(0, 16), Version::new(1, 20)],
            &[CHANNEL, since(2, HAS_DYNAMIC_ROOT), same("replica_groups")],
        )
    },
    row("stablehlo.collective_permute", FIRST, &[CHANNEL, same("source_target_pairs")]),
    row(
        "stablehlo.collective_reduce",
        &[Version::new(1, 19)],
        &[CHANNEL, HAS_DYNAMIC_ROOT, same("replica_groups"), flag("use_global_device_ids")],
    ),
    row(
        "stablehlo.compare",
        FIRST,
        &[same_or("compare_type", Default::NoComparisonType), same("comparison_direction")],
    ),
    plain("stablehlo.complex"),
    Row {
        limit: Limit::Regions,
        ..row(
            "stablehlo.composite",
            &[Version::new(0, 19), Version::new(1, 14)],
            &[
                same_or("composite_attributes", Default::EmptyDictionary),
                field("decomposition", Kind::Symbol, Default::None),
                same("name"),
                same_or("version", Default::Integer(0)),
            ],
        )
    },
    row("stablehlo.concatenate", FIRST, &[same("dimension")]),
    row("stablehlo.constant", FIRST, &[same("value")]),
    plain("stablehlo.convert"),
    Row {
        rank: "input_spatial_dimensions",
        ..row(
            "stablehlo.convolution",
            FIRST,
            &[
                same("batch_group_count"),
                same("feature_group_count"),
                part("input_batch_dimension", Spread::Conv, Part::Integer),
                part("input_feature_dimension", Spread::Conv, Part::Integer),
                part("input_spatial_dimensions", Spread::Conv, Part::Integers),
                part("kernel_input_feature_dimension", Spread::Conv, Part::Integer),
                part("kernel_output_feature_dimension", Spread::Conv, Part::Integer),
                part("kernel_spatial_dimensions", Spread::Conv, Part::Integers),
                integers_or("lhs_dilation", Default::Ones),
                part("output_batch_dimension", Spread::Conv, Part::Integer),
                part("output_feature_dimension", Spread::Conv, Part::Integer),
                part("output_spatial_dimensions", Spread::Conv, Part::Integers),
                same_or("padding", Default::ZeroPairs),
                same_or("precision_config", Default::Precisions),
                integers_or("rhs_dilation", Default::Ones),
                field("window_reversal", Kind::Booleans, Default::Falses),
                integers_or("window_strides", Default::Ones),
            ],
        )
    },
    inexact("stablehlo.cosine"),
    plain("stablehlo.count_leading_zeros"),
    plain("stablehlo.create_token"),
    row("stablehlo.cross-replica-sum", FIRST, &[same("replica_groups")]),
    Row {
        limit: Limit::CustomCall,
        ..row(
            "stablehlo.custom_call",
            &[V0_9, Version::new(1, 18)],
            &[
                field("api_version", Kind::ApiVersion, Default::OriginalApi),
                same_or("backend_config", Default::EmptyString),
                same("call_target_name"),
                field("called_computations", Kind::Symbols, Default::EmptyArray),
                same_or("has_side_effect", Default::False),
                same_or("operand_layouts", Default::EmptyArray),
                same_or("output_operand_aliases", Default::EmptyArray),
                same_or("result_layouts", Default::EmptyArray),
                since(2, same_or("result_tilings", Default::EmptyArray)),
            ],
        )
    },
    plain("stablehlo.divide"),
    row("stablehlo.dot", FIRST, &[same_or("precision_config", Default::Precisions)]),
    row(
        "stablehlo.dot_general",
        &[V0_9, Version::new(1, 6)],
        &[
            algorithm("accumulation_type", Part::Type),
            algorithm("allow_imprecise_accumulation", Part::Boolean),
            part("lhs_batching_dimensions", Spread::Dot, Part::Integers),
            algorithm("lhs_component_count", Part::Integer),
            part("lhs_contracting_dimensions", Spread::Dot, Part::Integers),
            algorithm("lhs_precision_type", Part::Type),
            algorithm("num_primitive_operations", Part::Integer),
            same_or("precision_config", Default::Precisions),
            part("rhs_batching_dimensions", Spread::Dot, Part::Integers),
            algorithm("rhs_component_count", Part::Integer),
            part("rhs_contracting_dimensions", Spread::Dot, Part::Integers),
            algorithm("rhs_precision_type", Part::Type),
        ],
    ),
    row(
        "stablehlo.dynamic_broadcast_in_dim",
        FIRST,
        &[
            integers("broadcast_dimensions"),
            integers_or("known_expanding_dimensions", Default::EmptyTensor),
            integers_or("known_nonexpanding_dimensions", Default::EmptyTensor),
        ],
    ),
    Row {
        rank: "input_spatial_dimensions",
        ..row(
            "stablehlo.dynamic_conv",
            &[V0_9, Version::new(0, 20)],
            &[
                same("batch_group_count"),
                same("feature_group_count"),
                part("input_batch_dimension", Spread::Conv, Part::Integer),
                part("input_feature_dimension", Spread::Conv, Part::Integer),
                part("input_spatial_dimensions", Spread::Conv, Part::Integers),
                part("kernel_input_feature_dimension", Spread::Conv, Part::Integer),
                part("kernel_output_feature_dimension", Spread::Conv, Part::Integer),
                part("kernel_spatial_dimensions", Spread::Conv, Part::Integers),
                integers_or("lhs_dilation", Default::Ones),
                part("output_batch_dimension", Spread::Conv, Part::Integer),
                part("output_feature_dimension", Spread::Conv, Part::Integer),
                part("output_spatial_dimensions", Spread::Conv, Part::Integers),
                until(1, same_or("padding", Default::ZeroPairs)),
                same_or("precision_config", Default::Precisions),
                integers_or("rhs_dilation", Default::Ones),
                field("window_reversal", Kind::Booleans, Default::Falses),
                integers_or("window_strides", Default::Ones),
            ],
        )
    },
    row(
        "stablehlo.dynamic_gather",
        &[V0_9, Version::new(1, 1)],
        &[
            part("collapsed_slice_dims", Spread::Gather, Part::Integers),
            part("index_vector_dim", Spread::Gather, Part::Integer),
            same_or("indices_are_sorted", Default::False),
            part("offset_dims", Spread::Gather, Part::Integers),
            since(2, part("operand_batching_dims", Spread::Gather, Part::Integers)),
            part("start_index_map", Spread::Gather, Part::Integers),
            since(2, part("start_indices_batching_dims", Spread::Gather, Part::Integers)),
        ],
    ),
    row("stablehlo.dynamic_iota", FIRST, &[same("iota_dimension")]),
    plain("stablehlo.dynamic_pad"),
    plain("stablehlo.dynamic_reshape"),
    row("stablehlo.dynamic_slice", FIRST, &[integers("slice_sizes")]),
    plain("stablehlo.dynamic_update_slice"),
    row("stablehlo.einsum", FIRST, &[same("einsum_config")]),
    row("stablehlo.exponential", &[V0_9, Version::new(1, 9)], &[RESULT_ACCURACY]),
    inexact("stablehlo.exponential_minus_one"),
    row("stablehlo.fft", FIRST, &[integers("fft_length"), same("fft_type")]),
    plain("stablehlo.floor"),
    function(
        "func",
        "func.func",
        &[
            same_or("arg_attrs", Default::EmptyArray),
            same("function_type"),
            same_or("res_attrs", Default::EmptyArray),
            same("sym_name"),
            same_or("sym_visibility", Default::EmptyString),
        ],
    ),
    row(
        "stablehlo.gather",
        &[V0_9, Version::new(1, 1)],
        &[
            part("collapsed_slice_dims", Spread::Gather, Part::Integers),
            part("index_vector_dim", Spread::Gather, Part::Integer),
            same_or("indices_are_sorted", Default::False),
            part("offset_dims", Spread::Gather, Part::Integers),
            since(2, part("operand_batching_dims", Spread::Gather, Part::Integers)),
            integers("slice_sizes"),
            part("start_index_map", Spread::Gather, Part::Integers),
            since(2, part("start_indices_batching_dims", Spread::Gather, Part::Integers)),
        ],
    ),
    row("stablehlo.get_dimension_size", FIRST, &[same("dimension")]),
    row("stablehlo.get_tuple_element", FIRST, &[same("index")]),
    plain("stablehlo.if"),
    plain("stablehlo.imag"),
    row(
        "stablehlo.infeed",
        FIRST,
        &[same_or("infeed_config", Default::EmptyString), same_or("layout", Default::EmptyArray)],
    ),
    row("stablehlo.iota", FIRST, &[same("iota_dimension")]),
    plain("stablehlo.is_finite"),
    inexact("stablehlo.log"),
    inexact("stablehlo.log_plus_one"),
    inexact("stablehlo.logistic"),
    row("stablehlo.map", FIRST, &[integers("dimensions")]),
    plain("stablehlo.maximum"),
    plain("stablehlo.minimum"),
    plain("stablehlo.multiply"),
    plain("stablehlo.negate"),
    plain("stablehlo.not"),
    plain("stablehlo.optimization_barrier"),
    plain("stablehlo.or"),
    row("stablehlo.outfeed", FIRST, &[same_or("outfeed_config", Default::EmptyString)]),
    row(
        "stablehlo.pad",
        FIRST,
        &[integers("edge_padding_high"), integers("edge_padding_low"), integers("interior_padding")],
    ),
    plain("stablehlo.partition_id"),
    plain("stablehlo.popcnt"),
    plain("stablehlo.power"),
    plain("stablehlo.real"),
    plain("stablehlo.real_dynamic_slice"),
    row(
        "stablehlo.recv",
        &[V0_9, Version::new(1, 12)],
        &[
            field("channel_id", Kind::Part(Spread::Handle, Part::Integer, "handle"), Default::None),
            field("channel_type", Kind::Part(Spread::Handle, Part::Integer, "type"), Default::None),
            same_or("is_host_transfer", Default::False),
            since(2, same_or("source_target_pairs", Default::EmptyTensor)),
        ],
    ),
    Row { limit: Limit::SameTypes, ..row("stablehlo.reduce", FIRST, &[integers("dimensions")]) },
    row("stablehlo.reduce_precision", FIRST, &[same("exponent_bits"), same("mantissa_bits")]),
    Row {
        limit: Limit::SameTypes,
        ..row(
            "stablehlo.reduce_scatter",
            FIRST,
            &[CHANNEL, same("replica_groups"), same("scatter_dimension"), flag("use_global_device_ids")],
        )
    },
    Row {
        rank: "window_dimensions",
        limit: Limit::SameTypes,
        ..row(
            "stablehlo.reduce_window",
            FIRST,
            &[
                integers_or("base_dilations", Default::Ones),
                same_or("padding", Default::ZeroPairs),
                integers_or("window_dilations", Default::Ones),
                integers("window_dimensions"),
                integers_or("window_strides", Default::Ones),
            ],
        )
    },
    plain("stablehlo.remainder"),
    plain("stablehlo.replica_id"),
    plain("stablehlo.reshape"),
    plain("stablehlo.return"),
    row("stablehlo.reverse", FIRST, &[integers("dimensions")]),
    row("stablehlo.rng", FIRST, &[same("rng_distribution")]),
    row("stablehlo.rng_bit_generator", FIRST, &[same("rng_algorithm")]),
    plain("stablehlo.round_nearest_afz"),
    plain("stablehlo.round_nearest_even"),
    inexact("stablehlo.rsqrt"),
    Row {
        limit: Limit::SameTypes,
        ..row(
            "stablehlo.scatter",
            &[V0_9, Version::new(1, 1)],
            &[
                part("index_vector_dim", Spread::Scatter, Part::Integer),
                same_or("indices_are_sorted", Default::False),
                since(2, part("input_batching_dims", Spread::Scatter, Part::Integers)),
                part("inserted_window_dims", Spread::Scatter, Part::Integers),
                part("scatter_dims_to_operand_dims", Spread::Scatter, Part::Integers),
                since(2, part("scatter_indices_batching_dims", Spread::Scatter, Part::Integers)),
                same_or("unique_indices", Default::False),
                part("update_window_dims", Spread::Scatter, Part::Integers),
            ],
        )
    },
    plain("stablehlo.select"),
    Row {
        rank: "window_dimensions",
        limit: Limit::SameTypes,
        ..row(
            "stablehlo.select_and_scatter",
            FIRST,
            &[
                same_or("padding", Default::ZeroPairs),
                integers("window_dimensions"),
                integers_or("window_strides", Default::Ones),
            ],
        )
    },
    row(
        "stablehlo.send",
        &[V0_9, Version::new(1, 12)],
        &[
            field("channel_id", Kind::Part(Spread::Handle, Part::Integer, "handle"), Default::None),
            field("channel_type", Kind::Part(Spread::Handle, Part::Integer, "type"), Default::None),
            same_or("is_host_transfer", Default::False),
            since(2, same_or("source_target_pairs", Default::EmptyTensor)),
        ],
    ),
    row("stablehlo.set_dimension_size", FIRST, &[same("dimension")]),
    plain("stablehlo.shift_left"),
    plain("stablehlo.shift_right_arithmetic"),
    plain("stablehlo.shift_right_logical"),
    plain("stablehlo.sign"),
    inexact("stablehlo.sine"),
    row(
        "stablehlo.slice",
        FIRST,
        &[integers("limit_indices"), integers("start_indices"), integers("strides")],
    ),
    row(
        "stablehlo.sort",
        FIRST,
        &[same_or("dimension", Default::Integer(-1)), same_or("is_stable", Default::False)],
    ),
    inexact("stablehlo.sqrt"),
    plain("stablehlo.subtract"),
    row("stablehlo.tan", &[Version::new(1, 4), Version::new(1, 10)], &[RESULT_ACCURACY]),
    inexact("stablehlo.tanh"),
    row("stablehlo.torch_index_select", FIRST, &[same("batch_dims"), same("dim")]),
    row("stablehlo.transpose", FIRST, &[integers("permutation")]),
    row(
        "stablehlo.triangular_solve",
        FIRST,
        &[same("left_side"), same("lower"), same("transpose_a"), same("unit_diagonal")],
    ),
    plain("stablehlo.tuple"),
    row("stablehlo.unary_einsum", FIRST, &[same("einsum_config")]),
    plain("stablehlo.uniform_dequantize"),
    plain("stablehlo.uniform_quantize"),
    plain("stablehlo.while"),
    plain("stablehlo.xor"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Definition;

    #[test]
    fn rows_name_ops_and_sort_their_attributes() {
        for row in ROWS {
            assert!(Definition::find(row.op).is_some(), "{}", row.op);
            assert!(row.fields.is_sorted_by(|a, b| a.name < b.name), "{}", row.op);
            assert!(row.since.is_sorted_by(|a, b| a < b), "{}", row.op);
            assert!(row.fields.iter().all(|f| usize::from(f.versions.0) <= row.since.len()), "{}", row.op);
            assert!(row.rank.is_empty() || row.fields.iter().any(|f| f.name == row.rank), "{}", row.op);
        }
        for definition in Definition::all() {
            if definition.name.starts_with("stablehlo.") {
                assert!(Row::of_tree(definition.name).is_some(), "{}", definition.name);
            }
        }
    }

    #[test]
    fn versions_of_ops_follow_releases() {
        let (row, version) = Row::of_portable("dot_general_v2").expect("known");
        assert_eq!((row.op, version), ("stablehlo.dot_general", 2));
        assert_eq!(row.version(Version::new(1, 5)), 1);
        assert_eq!(row.version(Version::new(1, 6)), 2);
        assert_eq!(row.fields(1).count(), 5);
        assert_eq!(row.fields(2).count(), 12);
        for name in ["add_v0", "add_v2", "add", "nothing_v1", "add_v", "add_v-1"] {
            assert!(Row::of_portable(name).is_none(), "{name}");
        }
        assert_eq!(Row::of_tree("stablehlo.tan").map(|r| r.version(Version::new(1, 3))), Some(0));
        assert_eq!(Row::of_tree("func.return").map(|r| r.name), Some("return"));
    }
}
