//! The table in `NUMERICS.md` of how far functions of floats are from the truth.

use std::path::Path;
use std::process::Command;

const PAGE: &str = "NUMERICS.md";
const BEGIN: &str = "<!-- cargo xtask exhaustive -->\n";
const END: &str = "<!-- end -->\n";

/// Looks at every float, or at every `stride`-th, and writes the table.
pub fn exhaustive(root: &Path, stride: Option<&str>) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.current_dir(root).args([
        "run",
        "--quiet",
        "-p",
        "jarrah-testing",
        "--example",
        "exhaustive",
        "--",
    ]);
    let output =
        command.args(stride).stderr(std::process::Stdio::inherit()).output().map_err(|e| e.to_string())?;
    let table = String::from_utf8(output.stdout).map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("{table}\nsome function is outside of its bound"));
    }
    let path = root.join(PAGE);
    let page = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    std::fs::write(&path, with_table(&page, &table)?).map_err(|e| format!("{}: {e}", path.display()))
}

/// The page with another table between its marks.
fn with_table(page: &str, table: &str) -> Result<String, String> {
    let marks = || format!("{PAGE} has no {} ... {}", BEGIN.trim(), END.trim());
    let (before, rest) = page.split_once(BEGIN).ok_or_else(marks)?;
    let (_, after) = rest.split_once(END).ok_or_else(marks)?;
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let page = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(with_table(&page, "new\n"), Ok(format!("a\n{BEGIN}new\n{END}b\n")));
        assert!(with_table("a\n", "new\n").is_err());
    }
}
