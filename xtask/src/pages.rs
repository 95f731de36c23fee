//! Links of the pages that people read.

use std::path::{Path, PathBuf};

/// The folders with pages, and whether those of folders within are pages too.
const PLACES: [(&str, bool); 5] =
    [("", false), ("docs", true), ("crates", true), ("python/jarrah-pjrt", false), ("xtask", false)];

/// The links of pages to files and headings that are not there.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut pages = Vec::new();
    for (place, within) in PLACES {
        find(&root.join(place), within, &mut pages)?;
    }
    let mut problems = Vec::new();
    for page in pages {
        let text = read(&page)?;
        let shown = page.strip_prefix(root).unwrap_or(&page).display();
        for (at, link) in links(&text) {
            if let Some(problem) = broken(&page, link)? {
                problems.push(format!("{shown}:{at}: {problem}"));
            }
        }
    }
    Ok(problems)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn find(folder: &Path, within: bool, pages: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        if path.is_dir() && within {
            find(&path, within, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The targets of links outside of blocks of code, with their lines, but for those that lie on the web.
fn links(text: &str) -> Vec<(usize, &str)> {
    let (mut code, mut found) = (false, Vec::new());
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        let ends = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let local = ends.map(|(link, _)| link).filter(|link| !link.contains("://"));
        found.extend(local.map(|link| (i + 1, link)));
    }
    found
}

/// Why a link of a page leads nowhere, if it does.
fn broken(page: &Path, link: &str) -> Result<Option<String>, String> {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => page.to_owned(),
        path => page.parent().unwrap_or(page).join(path),
    };
    if !target.exists() {
        return Ok(Some(format!("there is no {link}")));
    }
    if heading.is_empty() || target.extension().is_none_or(|extension| extension != "md") {
        return Ok(None);
    }
    let text = read(&target)?;
    let known = text.lines().filter(|line| line.starts_with('#')).any(|line| anchor(line) == heading);
    Ok((!known).then(|| format!("{path} has no heading #{heading}")))
}

/// The name by which pages link to a heading.
fn anchor(heading: &str) -> String {
    let small = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = small.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_and_headings_that_are_not_there_are_said() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("a.md");
        let text = "# One, two\n[b](b.md) [web](https://b.md) [one](#one-two)\n```\n[code](no.md)\n```\n[b](b.md#three) [c](c.md)\n";
        std::fs::write(&page, text).unwrap();
        std::fs::write(folder.path().join("b.md"), "## Two\n").unwrap();
        let found: Vec<(usize, Option<String>)> =
            links(text).into_iter().map(|(at, link)| (at, broken(&page, link).unwrap())).collect();
        let wanted = [
            (2, None),
            (2, None),
            (6, Some("b.md has no heading #three".to_owned())),
            (6, Some("there is no c.md".to_owned())),
        ];
        assert_eq!(found, wanted);
    }
}
