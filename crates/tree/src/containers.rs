use std::collections::BTreeMap;
use std::hash::Hasher;

use jarrah_base::Result;

use crate::private::hash;
use crate::{Key, Path, Tree};

impl<L, T: Tree<L>> Tree<L> for Vec<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a L)) {
        for (i, item) in self.iter().enumerate() {
            path.enter(Key::Index(i), |path| item.visit(path, f));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let items = self.iter().enumerate();
        items.map(|(i, item)| path.enter(Key::Index(i), |path| item.try_map(path, f))).collect()
    }

    fn same_structure(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same_structure(b))
    }

    fn hash_structure(&self, state: &mut dyn Hasher) {
        hash(&self.len(), state);
        self.iter().for_each(|item| item.hash_structure(state));
    }
}

impl<L, T: Tree<L>, const N: usize> Tree<L> for [T; N] {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a L)) {
        for (i, item) in self.iter().enumerate() {
            path.enter(Key::Index(i), |path| item.visit(path, f));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let items = self.iter().enumerate();
        let mapped: Result<Vec<T>> =
            items.map(|(i, item)| path.enter(Key::Index(i), |path| item.try_map(path, f))).collect();
        Ok(mapped?.try_into().unwrap_or_else(|_| unreachable!("as many items as before")))
    }

    fn same_structure(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same_structure(b))
    }

    fn hash_structure(&self, state: &mut dyn Hasher) {
        self.iter().for_each(|item| item.hash_structure(state));
    }
}

impl<L, T: Tree<L>> Tree<L> for BTreeMap<String, T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a L)) {
        for (name, item) in self {
            path.enter(Key::Name(name.clone()), |path| item.visit(path, f));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let mut mapped = BTreeMap::new();
        for (name, item) in self {
            let item = path.enter(Key::Name(name.clone()), |path| item.try_map(path, f))?;
            mapped.insert(name.clone(), item);
        }
        Ok(mapped)
    }

    fn same_structure(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().zip(other).all(|((m, a), (n, b))| m == n && a.same_structure(b))
    }

    fn hash_structure(&self, state: &mut dyn Hasher) {
        hash(&self.len(), state);
        for (name, item) in self {
            hash(name, state);
            item.hash_structure(state);
        }
    }
}

impl<L, T: Tree<L>> Tree<L> for Option<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a L)) {
        if let Some(item) = self {
            item.visit(path, f);
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        self.as_ref().map(|item| item.try_map(path, f)).transpose()
    }

    fn same_structure(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same_structure(b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    fn hash_structure(&self, state: &mut dyn Hasher) {
        hash(&self.is_some(), state);
        if let Some(item) = self {
            item.hash_structure(state);
        }
    }
}

impl<L, T: Tree<L>> Tree<L> for Box<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut dyn FnMut(&Path, &'a L)) {
        (**self).visit(path, f);
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        (**self).try_map(path, f).map(Box::new)
    }

    fn same_structure(&self, other: &Self) -> bool {
        (**self).same_structure(other)
    }

    fn hash_structure(&self, state: &mut dyn Hasher) {
        (**self).hash_structure(state);
    }
}

macro_rules! tuple {
    ($($T:ident $i:tt),*) => {
        impl<L, $($T: Tree<L>),*> Tree<L> for ($($T,)*) {
            fn visit<'a>(&'a self, _path: &mut Path, _f: &mut dyn FnMut(&Path, &'a L)) {
                $(_path.enter(Key::Index($i), |path| self.$i.visit(path, _f));)*
            }

            fn try_map(&self, _path: &mut Path, _f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
                Ok(($(_path.enter(Key::Index($i), |path| self.$i.try_map(path, _f))?,)*))
            }

            fn same_structure(&self, _other: &Self) -> bool {
                true $(&& self.$i.same_structure(&_other.$i))*
            }

            fn hash_structure(&self, _state: &mut dyn Hasher) {
                $(self.$i.hash_structure(_state);)*
            }
        }
    };
}
tuple!();
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
