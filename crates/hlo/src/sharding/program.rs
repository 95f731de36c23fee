use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::{Mesh, MeshRef, TensorSharding};

/// How the arguments and the results of a program lie on the devices that run it. Where nothing is said of an argument, each device is given
/// the whole; where nothing is said of a result, the partitioner chooses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ProgramShardings {
    /// Of each parameter.
    pub parameters: Vec<Option<TensorSharding>>,
    /// Of each result.
    pub results: Vec<Option<TensorSharding>>,
}

impl TensorSharding {
    /// The mesh, where the sharding states it.
    ///
    /// # Errors
    /// It names a mesh of a module.
    pub fn stated_mesh(&self) -> Result<&Mesh> {
        match &self.mesh {
            MeshRef::Inline(mesh) => Ok(mesh),
            MeshRef::Named(name) => Err(Error::internal(format!("the mesh @{name} is not resolved"))),
        }
    }

    /// The type of a device's part of a tensor.
    ///
    /// # Errors
    /// As [`TensorSharding::shard_dims`] and [`TensorSharding::stated_mesh`].
    pub fn part(&self, whole: Type) -> Result<Type> {
        let dims = self.shard_dims(self.stated_mesh()?, &whole.dims())?;
        Ok(whole.with_dims(dims))
    }
}

impl ProgramShardings {
    /// Whether nothing is said of any argument or result.
    pub fn is_empty(&self) -> bool {
        self.parameters.iter().chain(&self.results).all(Option::is_none)
    }

    /// Checks the shardings of arguments and results of these types.
    ///
    /// # Errors
    /// They are not as many; one does not fit its type.
    pub fn check(&self, parameters: &[Type], results: &[Type]) -> Result<()> {
        for (what, shardings, types) in
            [("argument", &self.parameters, parameters), ("result", &self.results, results)]
        {
            if shardings.len() != types.len() {
                let (stated, count) = (shardings.len(), types.len());
                return Err(Error::program(format!("{stated} shardings are stated for {count} {what}s")));
            }
            for (at, (sharding, &ty)) in shardings.iter().zip(types).enumerate() {
                if let Some(sharding) = sharding {
                    sharding.part(ty).map_err(|error| error.context(format!("{what} {at} of type {ty}")))?;
                }
            }
        }
        Ok(())
    }
}
