//! Functions that are longer than a page, but for tables: those are marked.

use crate::ratchet::Ratchet;

/// The most lines of a function.
const MOST: usize = 100;

/// The mark of a function that is a table, one row below another, in the line before it.
const TABLE: &str = "// A table";

pub(crate) const LONG: Ratchet = Ratchet {
    name: "long",
    what: "functions of more than 100 lines",
    advice: "divide it by its questions, or mark a table by `// A table` above it",
    find: |files| files.iter().flat_map(|(file, text)| found(file, text)).collect(),
};

fn found(file: &str, text: &str) -> Vec<(String, usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let Some(name) = name(code) else { continue };
        let is_table = lines[..i]
            .iter()
            .rev()
            .map(|line| line.trim_start())
            .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
            .any(|line| line.starts_with(TABLE));
        let end = lines[i..]
            .iter()
            .position(|line| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}')));
        // A declaration ends before any brace does.
        let is_declared =
            lines[i..].iter().take_while(|line| !line.contains('{')).any(|line| line.ends_with(';'));
        if let Some(length) = end.map(|end| end + 1)
            && length > MOST
            && !is_table
            && !is_declared
        {
            found.push((file.to_owned(), i + 1, format!("{name} has {length} lines")));
        }
    }
    found
}

/// The name of the function that begins in a line.
fn name(code: &str) -> Option<&str> {
    let mut rest = code;
    if let Some(behind) = rest.strip_prefix("pub(") {
        rest = behind.split_once(')')?.1.trim_start();
    }
    for word in ["pub ", "const ", "async ", "unsafe ", "extern \"C\" "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let rest = rest.strip_prefix("fn ")?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_are_longer_than_a_page_are_found() {
        let long = |before: &str| format!("{before}pub(crate) fn f() {{\n{}}}\n", "    g();\n".repeat(MOST));
        let names =
            |text: &str| found("a.rs", text).into_iter().map(|(_, at, text)| (at, text)).collect::<Vec<_>>();
        assert_eq!(names(&long("")), [(1, "f has 102 lines".to_owned())]);
        assert_eq!(names(&long("// A table: one row for each op.\n#[inline]\n")), []);
        assert_eq!(names(&format!("fn g();\n{}", "}\n".repeat(0))), []);
        let method = format!(
            "impl A {{\n    fn f(\n        a: u8,\n    ) {{\n{}    }}\n}}\n",
            "        g();\n".repeat(MOST)
        );
        assert_eq!(names(&method), [(2, "f has 104 lines".to_owned())]);
    }
}
