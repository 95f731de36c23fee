//! The arguments of a program that is run from the command line.

use jarrah::{Error, Result};
use jarrah_hlo::Program;
use jarrah_runtime::{Buffer, Client};

use super::random::{Rng, literal};
use super::{count, tensors};

/// The tensors given, random ones, or none where none are needed.
pub fn upload(
    client: &dyn Client,
    program: &Program,
    inputs: Option<tensors::Stored>,
    random: Option<u64>,
) -> Result<Vec<Buffer>> {
    let types = program.param_types();
    match (inputs, random) {
        (Some(inputs), _) => inputs.literals(&types)?.map(|literal| client.upload(&literal?)).collect(),
        (None, Some(seed)) => {
            let mut rng = Rng::new(seed);
            types.iter().map(|&ty| client.upload(&literal(ty, &mut rng)?)).collect()
        }
        (None, None) if types.is_empty() => Ok(Vec::new()),
        (None, None) => {
            let list = types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            Err(Error::input(format!("the program takes {}: {list}", count(types.len(), "argument"))).help(
                "give them with --inputs FILE.safetensors, named \"0\", \"1\", ..., or make some with --random SEED",
            ))
        }
    }
}
