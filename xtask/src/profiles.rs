//! Crates that are compiled without optimization: one list, which the profiles of `Cargo.toml` cannot share.

use std::collections::BTreeSet;
use std::path::Path;

use toml::{Table, Value};

use crate::edges::read;

/// Crates that only some of the profiles optimize for speed.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    Ok(problems(&read(&root.join("Cargo.toml"))?))
}

/// `release` compiles a crate without optimization if and only if `dist` compiles it for size, and then `dev` optimizes it neither, which
/// may have more such crates: those of tests alone.
fn problems(manifest: &Table) -> Vec<String> {
    let [dev, release, dist] = [("dev", "0"), ("release", "0"), ("dist", "s")].map(|(profile, level)| {
        let packages = manifest.get("profile").and_then(|p| p.get(profile)?.get("package")?.as_table());
        let is_at_level = |settings: &Value| {
            settings.get("opt-level").is_some_and(|own| own.to_string().trim_matches('"') == level)
        };
        let at_level = packages.into_iter().flatten().filter(|(_, settings)| is_at_level(settings));
        at_level.map(|(name, _)| name.clone()).collect::<BTreeSet<String>>()
    });
    let only = |name: &String, has: &str, lacks: &str| {
        format!("Cargo.toml: the profile {has} does not optimize {name} for speed, the profile {lacks} does")
    };
    let mut problems: Vec<String> =
        release.difference(&dist).map(|name| only(name, "release", "dist")).collect();
    problems.extend(dist.difference(&release).map(|name| only(name, "dist", "release")));
    problems.extend(release.difference(&dev).map(|name| only(name, "release", "dev")));
    problems
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_crate_that_one_profile_lacks_is_found() {
        let of = |dev: &str, release: &str, dist: &str| {
            let text = format!(
                "[profile.dev.package]\n{dev}\n[profile.release.package]\n{release}\n[profile.dist.package]\n{dist}\n"
            );
            problems(&toml::from_str(&text).unwrap()).len()
        };
        let (cold, small) = ("a = { opt-level = 0 }", "a = { opt-level = \"s\" }");
        assert_eq!(of(cold, cold, small), 0);
        assert_eq!(of("a = { opt-level = 0 }\nb = { opt-level = 0 }", cold, small), 0);
        assert_eq!(of("", cold, small), 1);
        assert_eq!(of(cold, cold, cold), 1);
        assert_eq!(of(cold, "", small), 1);
    }
}
