//! The versions of the format: which one a folder has.

use jarrah_base::{Error, Result};
use jarrah_formats::OrbaxCheckpoint;

use crate::folder::Folder;
use crate::layout::{self, StepNames};
use crate::manifest::Content;
use crate::orbax_layout::OrbaxLayout;
use crate::safetensors_layout::SafetensorsLayout;

/// The rest of a manifest, which differs between the versions.
pub enum Layout {
    Safetensors(SafetensorsLayout),
    Orbax(OrbaxLayout),
}

/// Reads the manifest, and checks the files against it but for the bytes of tensors.
///
/// # Errors
/// There is no manifest, or it is of a newer version; a file is missing, has another length or is damaged (`Input`).
pub fn check(folder: &Folder<'_>) -> Result<(Content, Layout)> {
    if let Some(bytes) = folder.read(layout::orbax::MANIFEST)? {
        let (content, files) = OrbaxLayout::of(&bytes, &folder.path(layout::orbax::MANIFEST))?;
        files.check(folder, &content)?;
        return Ok((content, Layout::Orbax(files)));
    }
    if let Some(bytes) = folder.read(layout::safetensors::MANIFEST)? {
        let (content, file) = SafetensorsLayout::of(&bytes, &folder.path(layout::safetensors::MANIFEST))?;
        file.check(folder)?;
        return Ok((content, Layout::Safetensors(file)));
    }
    let (new, old) = (layout::orbax::MANIFEST, layout::safetensors::MANIFEST);
    let path = folder.path("");
    let error = Error::input(format!("{} has neither {new} nor {old}", path.display()));
    Err(match OrbaxCheckpoint::is_at(&path) {
        true => {
            error.help("`StoredTree` and `jarrah checkpoint show` read what another program saved with Orbax")
        }
        false => match StepNames::find(&path) {
            Ok(Some(names)) => error.help(format!(
                "it has checkpoints by step: name the folder of one, such as {}, or take `latest`",
                names.name(names.steps(&path)?.pop().unwrap_or_default())
            )),
            _ => error.help("name the folder of a checkpoint"),
        },
    })
}
