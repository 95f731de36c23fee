//! Which ops a text may name.

use jarrah_hlo::ops::ElementwiseKind;

/// Ops of dialects, apart from the elementwise functions.
const KNOWN: &[&str] = &[
    "call",
    "chlo.square",
    "chlo.top_k",
    "func.call",
    "func.return",
    "jarrah.attention",
    "jarrah.custom_rule",
    "jarrah.custom_tangent",
    "jarrah.kernel",
    "jarrah.load",
    "jarrah.program_id",
    "jarrah.remat",
    "jarrah.scan",
    "jarrah.store",
    "jarrah.threefry2x32",
    "jarrah.window_arg",
    "return",
    "sdy.sharding_constraint",
    "stablehlo.bitcast_convert",
    "stablehlo.broadcast_in_dim",
    "stablehlo.case",
    "stablehlo.clamp",
    "stablehlo.compare",
    "stablehlo.composite",
    "stablehlo.concatenate",
    "stablehlo.constant",
    "stablehlo.convert",
    "stablehlo.convolution",
    "stablehlo.dot_general",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.gather",
    "stablehlo.if",
    "stablehlo.iota",
    "stablehlo.is_finite",
    "stablehlo.optimization_barrier",
    "stablehlo.pad",
    "stablehlo.reduce",
    "stablehlo.reduce_precision",
    "stablehlo.reduce_window",
    "stablehlo.reshape",
    "stablehlo.return",
    "stablehlo.reverse",
    "stablehlo.scatter",
    "stablehlo.select",
    "stablehlo.slice",
    "stablehlo.sort",
    "stablehlo.transpose",
    "stablehlo.while",
];

/// The elementwise function of that name, in the dialect it belongs to; CHLO's names for StableHLO ops are taken too.
pub(crate) fn elementwise(name: &str) -> Option<ElementwiseKind> {
    let (dialect, function) = name.split_once('.')?;
    let kind = ElementwiseKind::from_name(function)?;
    (dialect == "chlo" || dialect == "stablehlo" && dialect == self::dialect(kind)).then_some(kind)
}

/// The dialect that has an elementwise function.
pub(crate) fn dialect(kind: ElementwiseKind) -> &'static str {
    match kind {
        ElementwiseKind::Erf | ElementwiseKind::ErfInv => "chlo",
        _ => "stablehlo",
    }
}

/// Whether an op of that name can be parsed.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok() || elementwise(name).is_some()
}

/// Whether an op of that name ends a block.
pub(crate) fn is_return(name: &str) -> bool {
    matches!(name, "return" | "func.return" | "stablehlo.return")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted() {
        assert!(super::KNOWN.is_sorted());
    }
}
