/// A value's number in the machine's store. Values are never copied, and may contain themselves.
pub type Id = usize;

/// A value of a pickle.
#[derive(Debug)]
pub enum Value {
    None,
    Int(i128),
    /// A value that no tensor needs: a truth value, a float, bytes, an integer of more than 16 bytes.
    Other,
    Text(String),
    /// A tuple, a list or a set.
    Items(Vec<Id>),
    /// The entries of a dictionary, in their order.
    Dict(Vec<(Id, Id)>),
    /// Something that the pickle imports: `module name`.
    Global(String),
    /// The result of calling a global with arguments, which is not computed.
    Call(Id, Id),
    /// Something that lies outside of the pickle.
    Outside(Id),
}
