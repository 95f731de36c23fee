//! Types and tensors in serialized programs. The layout is that of one version of the library: nothing else reads it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::dtype::DType;
use crate::literal::Literal;
use crate::ty::{Dims, Type};

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.dtype(), self.dims()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (dtype, dims) = <(DType, Dims)>::deserialize(from)?;
        Ok(Type::tensor(dtype, dims))
    }
}

/// Bytes that are written at once and read where they lie.
struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0)
    }
}

impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.ty(), Raw(self.bytes())).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (ty, bytes) = <(Type, &[u8])>::deserialize(from)?;
        Literal::from_bytes(ty, bytes).map_err(D::Error::custom)
    }
}
