use std::sync::Arc;

/// Where the author of a program wrote something, as MLIR records it.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Loc {
    /// The file does not say; it is where the op stands in the file.
    #[default]
    Unstated,
    /// The file says that it is not known.
    Unknown,
    /// `"file":line:column`.
    File(Arc<str>, u32, u32),
    /// `"file":line:column to line:column`.
    Range(Arc<str>, [u32; 4]),
    /// `"name"(loc)`.
    Name(Arc<str>, Arc<Loc>),
    /// `callsite(callee at caller)`.
    CallSite(Arc<(Loc, Loc)>),
    /// `fused[...]`.
    Fused(Arc<[Loc]>),
}
