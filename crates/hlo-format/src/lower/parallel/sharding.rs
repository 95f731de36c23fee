//! Reads the attributes of Shardy that a manual computation needs.

/// The devices of a mesh: `<["x"=4, "y"=2], device_ids=[...]>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mesh {
    pub axes: Vec<(String, usize)>,
    /// The device at each place, row by row; empty if devices are numbered row by row.
    devices: Vec<usize>,
}

/// How one tensor is sharded: `<@mesh, [{"x"}, {"y", ?}]>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sharding {
    pub mesh: MeshRef,
    /// The mesh axes that shard each dimension, the major one first.
    pub dims: Vec<Vec<String>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MeshRef {
    Named(String),
    Inline(Mesh),
}

impl Mesh {
    /// Reads `#sdy.mesh<...>`.
    pub fn parse(text: &str) -> Option<Mesh> {
        let mut at = Text(text.strip_prefix("#sdy.mesh")?);
        let mesh = at.mesh()?;
        at.0.is_empty().then_some(mesh)
    }

    /// The number of devices, or `None` if there are more than `most`.
    pub fn devices(&self, most: usize) -> Option<usize> {
        let count = self.axes.iter().try_fold(1usize, |n, (_, size)| n.checked_mul(*size))?;
        (1..=most).contains(&count).then_some(count)
    }

    /// The device at a place, which has a coordinate for each axis.
    pub fn device(&self, place: &[usize]) -> Option<usize> {
        let row = self.axes.iter().zip(place).fold(0, |n, ((_, size), at)| n * size + at);
        if self.numbered() { Some(row) } else { self.devices.get(row).copied() }
    }

    /// The place of a device.
    pub fn place(&self, device: usize) -> Option<Vec<usize>> {
        let mut rest =
            if self.numbered() { device } else { self.devices.iter().position(|&d| d == device)? };
        let mut place = vec![0; self.axes.len()];
        for (at, (_, size)) in place.iter_mut().zip(&self.axes).rev() {
            *at = rest % size;
            rest /= size;
        }
        Some(place)
    }

    /// Whether devices are numbered row by row. A mesh without axes is one device, whatever its number.
    fn numbered(&self) -> bool {
        self.devices.is_empty() || self.axes.is_empty()
    }
}

/// Reads `#sdy.sharding_per_value<[...]>`.
///
/// # Errors
/// The text is no list of shardings, or has one that is not understood.
pub(super) fn per_value(text: &str) -> Result<Vec<Sharding>, String> {
    let inner = text.strip_prefix("#sdy.sharding_per_value<").and_then(|t| t.strip_suffix('>'));
    let mut at = Text(inner.ok_or("is no list of shardings")?);
    let wrong = || "has a sharding that is not understood".to_owned();
    let all = at.list('[', ']', |at| {
        at.eat("<").then_some(())?;
        let sharding = at.sharding()?;
        Some(sharding)
    });
    match all {
        Some(all) if at.0.is_empty() => all.into_iter().collect(),
        _ => Err(wrong()),
    }
}

/// Reads `#sdy<manual_axes{"x", "y"}>`.
pub(super) fn manual_axes(text: &str) -> Option<Vec<String>> {
    let mut at = Text(text.strip_prefix("#sdy<manual_axes")?.strip_suffix('>')?);
    let axes = at.list('{', '}', Text::string)?;
    at.0.is_empty().then_some(axes)
}

/// The text that is still to be read.
struct Text<'t>(&'t str);

impl Text<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.0.trim_start();
        match rest.strip_prefix(token) {
            Some(rest) => self.0 = rest,
            None => return false,
        }
        true
    }

    fn number(&mut self) -> Option<usize> {
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at(end);
        self.0 = rest;
        digits.parse().ok()
    }

    /// A quoted name; escapes are kept, which is enough to compare names.
    fn string(&mut self) -> Option<String> {
        self.eat("\"").then_some(())?;
        let mut escaped = false;
        let end = self.0.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        let name = self.0[..end].to_owned();
        self.0 = &self.0[end + 1..];
        Some(name)
    }

    fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let (open, close) = (open.to_string(), close.to_string());
        self.eat(&open).then_some(())?;
        let mut all = Vec::new();
        while !self.eat(&close) {
            if !all.is_empty() {
                self.eat(",").then_some(())?;
            }
            all.push(item(self)?);
        }
        Some(all)
    }

    /// `<["x"=4], device_ids=[0, 1]>`
    fn mesh(&mut self) -> Option<Mesh> {
        self.eat("<").then_some(())?;
        let axes = self.list('[', ']', |at| {
            let name = at.string()?;
            at.eat("=").then_some(())?;
            Some((name, at.number()?))
        })?;
        let devices = if self.eat(",") {
            self.eat("device_ids=").then_some(())?;
            self.list('[', ']', Text::number)?
        } else {
            Vec::new()
        };
        self.eat(">").then_some(Mesh { axes, devices })
    }

    /// The rest of a sharding after `<`; the inner error says what is not supported.
    fn sharding(&mut self) -> Option<Result<Sharding, String>> {
        let mesh = if self.eat("@") {
            let end = self.0.find([',', '>'])?;
            let name = self.0[..end].trim().trim_matches('"').to_owned();
            self.0 = &self.0[end..];
            MeshRef::Named(name)
        } else {
            self.eat("mesh").then_some(())?;
            MeshRef::Inline(self.mesh()?)
        };
        self.eat(",").then_some(())?;
        let mut sub_axes = false;
        let dims = self.list('[', ']', |at| {
            let axes = at.list('{', '}', |at| at.axis(&mut sub_axes))?;
            if at.eat("p") {
                at.number()?;
            }
            Some(axes.into_iter().flatten().collect())
        })?;
        let mut unreduced = false;
        while self.eat(",") {
            unreduced |= self.eat("unreduced=max") || self.eat("unreduced=min") || self.eat("unreduced=");
            if !unreduced {
                self.eat("replicated=").then_some(())?;
            }
            self.list('{', '}', |at| at.axis(&mut false))?;
        }
        self.eat(">").then_some(())?;
        Some(match (sub_axes, unreduced) {
            (true, _) => Err("cuts along a part of an axis, which is not supported".to_owned()),
            (_, true) => Err("has values that are not reduced, which is not supported".to_owned()),
            _ => Ok(Sharding { mesh, dims }),
        })
    }

    /// `"x"`, `"x":(2)4`, or `?`, an open dimension to which axes may be added.
    fn axis(&mut self, sub_axes: &mut bool) -> Option<Option<String>> {
        if self.eat("?") {
            return Some(None);
        }
        let name = self.string()?;
        if self.eat(":") {
            *sub_axes = true;
            self.eat("(").then_some(())?;
            self.number()?;
            self.eat(")").then_some(())?;
            self.number()?;
        }
        Some(Some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shardings_are_read() {
        let text = r#"#sdy.sharding_per_value<[<@mesh, [{"x", ?}, {}]>, <mesh<["a"=2], device_ids=[1, 0]>, [{"a"}p1], replicated={"b"}>]>"#;
        let all = per_value(text).unwrap();
        assert_eq!(all[0].mesh, MeshRef::Named("mesh".into()));
        assert_eq!(all[0].dims, [vec!["x".to_owned()], vec![]]);
        let MeshRef::Inline(mesh) = &all[1].mesh else { panic!("{all:?}") };
        assert_eq!((mesh.devices(8), mesh.device(&[0])), (Some(2), Some(1)));
        assert_eq!(manual_axes(r#"#sdy<manual_axes{"x", "y"}>"#).unwrap(), ["x", "y"]);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let text = |dims: &str| format!("#sdy.sharding_per_value<[<@mesh, {dims}>]>");
        assert!(per_value(&text(r#"[{"x":(1)2}]"#)).unwrap_err().contains("part of an axis"));
        assert!(per_value(&text(r#"[{}], unreduced={"x"}"#)).unwrap_err().contains("not reduced"));
        for broken in [r#"[{"x}]"#, "[{}", "", "[}]", "[{}], what={}"] {
            assert!(per_value(&text(broken)).unwrap_err().contains("not understood"), "{broken}");
        }
    }
}
