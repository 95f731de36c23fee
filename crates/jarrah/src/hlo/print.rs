use jarrah::Result;
use jarrah_hlo_format::PrintOptions;

use super::load;
use crate::cli::Print;
use crate::output::show;

pub fn print(arguments: &Print) -> Result<()> {
    let options = PrintOptions {
        locations: arguments.locations,
        elide_larger_than: arguments.elide,
        generic: arguments.generic,
    };
    let modules = load::file(&arguments.file)?.modules;
    for (i, module) in modules.iter().enumerate() {
        load::verify(module)?;
        if i > 0 {
            show("// -----\n")?;
        }
        show(&jarrah_hlo_format::print_tree(module, &options))?;
    }
    Ok(())
}
