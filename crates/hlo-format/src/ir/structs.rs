use std::sync::Arc;

use super::{Attr, Attributes};

/// A structured attribute: `#stablehlo.gather<offset_dims = [0], index_vector_dim = 1>`.
#[derive(PartialEq, Debug)]
pub struct StructureAttr {
    /// Its name with the dialect.
    pub name: &'static str,
    /// Its fields in the order in which they are printed.
    pub fields: &'static [(&'static str, StructureField)],
    /// Whether fields that are zero or empty are left out.
    pub sparse: bool,
}

/// The type of a field of a structured attribute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StructureField {
    /// `[0, 1]`; `?` is `i64::MIN`.
    Dims,
    /// `1`.
    Integer,
    /// `1.0`, of type `f64`.
    Float,
    /// `true`.
    Bool,
    /// `f32`.
    Type,
    /// `"x"`.
    String,
    /// Any attribute.
    Attr,
    /// `[#a, #b]`: attributes.
    Attrs,
}

use StructureField::{Attr as Any, Attrs, Bool, Dims, Float, Integer, String as Text, Type};

const STRUCTURES: &[StructureAttr] = &[
    StructureAttr {
        name: "stablehlo.scatter",
        fields: &[
            ("update_window_dims", Dims),
            ("inserted_window_dims", Dims),
            ("input_batching_dims", Dims),
            ("scatter_indices_batching_dims", Dims),
            ("scatter_dims_to_operand_dims", Dims),
            ("index_vector_dim", Integer),
        ],
        sparse: true,
    },
    StructureAttr {
        name: "stablehlo.gather",
        fields: &[
            ("offset_dims", Dims),
            ("collapsed_slice_dims", Dims),
            ("operand_batching_dims", Dims),
            ("start_indices_batching_dims", Dims),
            ("start_index_map", Dims),
            ("index_vector_dim", Integer),
        ],
        sparse: true,
    },
    StructureAttr {
        name: "stablehlo.dot",
        fields: &[
            ("lhs_batching_dimensions", Dims),
            ("rhs_batching_dimensions", Dims),
            ("lhs_contracting_dimensions", Dims),
            ("rhs_contracting_dimensions", Dims),
        ],
        sparse: true,
    },
    StructureAttr {
        name: "stablehlo.conv",
        fields: &[
            ("input_batch_dimension", Integer),
            ("input_feature_dimension", Integer),
            ("input_spatial_dimensions", Dims),
            ("kernel_input_feature_dimension", Integer),
            ("kernel_output_feature_dimension", Integer),
            ("kernel_spatial_dimensions", Dims),
            ("output_batch_dimension", Integer),
            ("output_feature_dimension", Integer),
            ("output_spatial_dimensions", Dims),
        ],
        sparse: false,
    },
    StructureAttr {
        name: "stablehlo.channel_handle",
        fields: &[("handle", Integer), ("type", Integer)],
        sparse: false,
    },
    StructureAttr {
        name: "stablehlo.output_operand_alias",
        fields: &[
            ("output_tuple_indices", Dims),
            ("operand_index", Integer),
            ("operand_tuple_indices", Dims),
        ],
        sparse: false,
    },
    StructureAttr {
        name: "stablehlo.dot_algorithm",
        fields: &[
            ("lhs_precision_type", Type),
            ("rhs_precision_type", Type),
            ("accumulation_type", Type),
            ("lhs_component_count", Integer),
            ("rhs_component_count", Integer),
            ("num_primitive_operations", Integer),
            ("allow_imprecise_accumulation", Bool),
        ],
        sparse: false,
    },
    StructureAttr {
        name: "stablehlo.result_accuracy",
        fields: &[("atol", Float), ("rtol", Float), ("ulps", Integer), ("mode", Any)],
        sparse: true,
    },
    StructureAttr { name: "stablehlo.bounds", fields: &[("bounds", Dims)], sparse: false },
    StructureAttr {
        name: "stablehlo.axis_ref",
        fields: &[("name", Text), ("sub_axis_info", Any)],
        sparse: false,
    },
    StructureAttr {
        name: "stablehlo.sub_axis_info",
        fields: &[("pre_size", Integer), ("size", Integer)],
        sparse: false,
    },
    StructureAttr {
        name: "stablehlo.mesh_axis",
        fields: &[("name", Text), ("size", Integer)],
        sparse: false,
    },
    StructureAttr { name: "stablehlo.mesh", fields: &[("axes", Attrs), ("device_ids", Any)], sparse: false },
    StructureAttr {
        name: "stablehlo.replica_group_mesh_axes",
        fields: &[("mesh", Any), ("axes", Any)],
        sparse: false,
    },
    StructureAttr {
        name: "chlo.ragged_dot",
        fields: &[
            ("lhs_batching_dimensions", Dims),
            ("rhs_batching_dimensions", Dims),
            ("lhs_contracting_dimensions", Dims),
            ("rhs_contracting_dimensions", Dims),
            ("lhs_ragged_dimensions", Dims),
            ("rhs_group_dimensions", Dims),
        ],
        sparse: true,
    },
];

impl StructureAttr {
    /// The structured attribute `name`.
    pub fn find(name: &str) -> Option<&'static StructureAttr> {
        STRUCTURES.iter().find(|s| s.name == name)
    }

    /// The attribute with these fields, without those that are left out.
    pub fn attr(&'static self, fields: impl IntoIterator<Item = (&'static str, Attr)>) -> Attr {
        let says_nothing = |attr: &Attr| match attr {
            Attr::Integers(_, list) => list.is_empty(),
            Attr::Integer(n, _) => *n == 0,
            Attr::Float(x, _) => *x == 0.0,
            _ => false,
        };
        let kept = fields.into_iter().filter(|(_, a)| !(self.sparse && says_nothing(a)));
        Attr::Struct(self.name, kept.map(|(n, a)| (Arc::from(n), a)).collect::<Attributes>())
    }
}
