use std::collections::BTreeMap;

use jarrah_base::Result;

use crate::{Changer, Node, Part, Path, PathKey, Tree, Visitor};

impl<L, T: Tree<L>> Tree<L> for Vec<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
        f(path, Part::Node(Node::Sequence(self.len())));
        path.enter_each(self, |path, item| item.visit(path, f));
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let items = self.iter().enumerate();
        items.map(|(i, item)| path.enter(PathKey::Index(i), |path| item.try_map(path, f))).collect()
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        let items = self.iter_mut().enumerate();
        items.for_each(|(i, item)| path.enter(PathKey::Index(i), |path| item.visit_mut(path, f)));
        f(path, self);
    }
}

impl<L, T: Tree<L>, const N: usize> Tree<L> for [T; N] {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
        f(path, Part::Node(Node::Sequence(self.len())));
        path.enter_each(self, |path, item| item.visit(path, f));
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let items = self.iter().enumerate();
        let mapped: Result<Vec<T>> =
            items.map(|(i, item)| path.enter(PathKey::Index(i), |path| item.try_map(path, f))).collect();
        Ok(mapped?.try_into().unwrap_or_else(|_| unreachable!("as many items as before")))
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        let items = self.iter_mut().enumerate();
        items.for_each(|(i, item)| path.enter(PathKey::Index(i), |path| item.visit_mut(path, f)));
        f(path, self);
    }
}

impl<L, T: Tree<L>> Tree<L> for BTreeMap<String, T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
        f(path, Part::Node(Node::Map(self.keys().cloned().collect())));
        for (name, item) in self {
            path.enter(PathKey::Name(name.clone()), |path| item.visit(path, f));
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        let mut mapped = BTreeMap::new();
        for (name, item) in self {
            let item = path.enter(PathKey::Name(name.clone()), |path| item.try_map(path, f))?;
            mapped.insert(name.clone(), item);
        }
        Ok(mapped)
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        for (name, item) in &mut *self {
            path.enter(PathKey::Name(name.clone()), |path| item.visit_mut(path, f));
        }
        f(path, self);
    }
}

impl<L, T: Tree<L>> Tree<L> for Option<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
        match self {
            Some(item) => {
                f(path, Part::Node(Node::Named("Some")));
                item.visit(path, f);
            }
            None => f(path, Part::Node(Node::Named("None"))),
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        self.as_ref().map(|item| item.try_map(path, f)).transpose()
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        if let Some(item) = self {
            item.visit_mut(path, f);
        }
        f(path, self);
    }
}

impl<L, T: Tree<L>> Tree<L> for Box<T> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
        (**self).visit(path, f);
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
        (**self).try_map(path, f).map(Box::new)
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        (**self).visit_mut(path, f);
    }
}

macro_rules! tuple {
    ($($T:ident $i:tt),*) => {
        impl<L, $($T: Tree<L>),*> Tree<L> for ($($T,)*) {
            fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, L>) {
                f(path, Part::Node(Node::Tuple(0 $(+ { let _ = $i; 1 })*)));
                $(path.enter(PathKey::Index($i), |path| self.$i.visit(path, f));)*
            }

            fn try_map(&self, _path: &mut Path, _f: &mut dyn FnMut(&Path, &L) -> Result<L>) -> Result<Self> {
                Ok(($(_path.enter(PathKey::Index($i), |path| self.$i.try_map(path, _f))?,)*))
            }

            fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
            where
                Self: 'static,
            {
                $(path.enter(PathKey::Index($i), |path| self.$i.visit_mut(path, f));)*
                f(path, self);
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
