//! Compiled programs as bytes, for caches and serialized executables.

use jarrah_base::{Error, Result};
use jarrah_hlo::{Alias, Program};

use crate::assignment::Assignment;
use crate::buffers::check_aliases;
use crate::target::Target;
use crate::verify::CompiledProgram;
use crate::verify::verify;

/// A name of the sources that this library was built from, as far as they decide what programs become: what one build
/// compiled, only a build of the same name reads.
pub const BUILD: &str = env!("JARRAH_BUILD");

impl CompiledProgram {
    /// The program and its assignment as bytes. Their layout is that of one [`BUILD`].
    ///
    /// # Errors
    /// As [`Program::to_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let program = self.program.to_bytes()?;
        let mut bytes = (program.len() as u64).to_le_bytes().to_vec();
        bytes.extend(program);
        postcard::to_extend(&(&self.buffers, &self.recomputed, self.source), bytes)
            .map_err(|error| Error::internal(format!("an assignment cannot be serialized: {error}")))
    }

    /// Reads the bytes of [`CompiledProgram::to_bytes`], and checks the program by [`verify`](crate::verify).
    ///
    /// # Errors
    /// The bytes are damaged; the program does not fit in the target's memory; an alias that must hold does not.
    pub fn from_bytes(bytes: &[u8], target: &dyn Target, aliases: &[Alias]) -> Result<CompiledProgram> {
        let damaged = || Error::input("a serialized executable is damaged");
        let (length, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (program, buffers) = rest.split_at_checked(length).ok_or_else(damaged)?;
        let program = Program::from_bytes(program)?;
        let ((buffers, recomputed, source), rest): ((Assignment, _, _), _) =
            postcard::take_from_bytes(buffers).map_err(|_| damaged())?;
        if !rest.is_empty() {
            return Err(damaged());
        }
        Alias::check(aliases, &program)?;
        let compiled = CompiledProgram { program, buffers, recomputed, source };
        verify(&compiled, target)?;
        let CompiledProgram { program, buffers, .. } = &compiled;
        let given_up = |parameter| aliases.iter().any(|alias| alias.parameter == parameter);
        if buffers.donations.iter().flatten().any(|&parameter| !given_up(parameter)) {
            return Err(damaged());
        }
        check_aliases(program, buffers, aliases)?;
        Ok(compiled)
    }
}
