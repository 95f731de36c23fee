//! Trees of which only a trait is known.

use std::any::Any;
use std::fmt::Debug;

use jarrah_array::{Array, Result, Tree};
use jarrah_tree::{Changer, Path, Visitor};

/// A tree of any type as a trait object.
pub trait Object: Any + Debug + Send + Sync {
    #[doc(hidden)]
    fn visit_object<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>);

    #[doc(hidden)]
    fn visit_object_mut(&mut self, path: &mut Path, f: &mut Changer<'_>);
}

impl<T: Tree<Array> + Debug + Send + Sync + 'static> Object for T {
    fn visit_object<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>) {
        self.visit(path, f);
    }

    fn visit_object_mut(&mut self, path: &mut Path, f: &mut Changer<'_>) {
        self.visit_mut(path, f);
    }
}

/// Runs `f` so that operations and errors in this crate are reported at the caller's line, which closures and trait objects do
/// not know.
#[track_caller]
pub(crate) fn relay<R>(f: impl FnOnce() -> R) -> R {
    const FOLDER: &str = file!().split_at(file!().len() - "object.rs".len()).0;
    jarrah_array::relay(FOLDER, f)
}

/// The function that [`Tree::try_map`] calls with each leaf.
pub type Mapper<'f> = dyn FnMut(&Path, &Array) -> Result<Array> + 'f;

/// Defines a struct that holds a value of any type with a trait. It is transparent in the tree: its paths and parts are those of
/// the value.
///
/// `$objects` is a module with an object-safe form of the trait, implemented for every type with `$trait`.
macro_rules! object {
    ($(#[$doc:meta])* pub struct $name:ident holds $trait:ident by $objects:ident {
        $($(#[$method_doc:meta])* fn $method:ident(&self $(, $arg:ident: $ty:ty)*) -> $result:ty;)*
    }) => {
        mod $objects {
            #[allow(unused_imports, reason = "a trait may have no methods")]
            use super::*;
            use $crate::object::{Mapper, Object};

            pub trait Held: Object {
                fn boxed(&self) -> Box<dyn Held>;
                fn map_boxed(&self, path: &mut jarrah_tree::Path, f: &mut Mapper<'_>) -> jarrah_array::Result<Box<dyn Held>>;
                $(fn $method(&self $(, $arg: $ty)*) -> $result;)*
            }

            impl<T: $trait> Held for T {
                fn boxed(&self) -> Box<dyn Held> {
                    Box::new(self.clone())
                }

                fn map_boxed(&self, path: &mut jarrah_tree::Path, f: &mut Mapper<'_>) -> jarrah_array::Result<Box<dyn Held>> {
                    Ok(Box::new(jarrah_array::Tree::try_map(self, path, f)?))
                }

                $(
                    fn $method(&self $(, $arg: $ty)*) -> $result {
                        <T as $trait>::$method(self $(, $arg)*)
                    }
                )*
            }
        }

        $(#[$doc])*
        pub struct $name(Box<dyn $objects::Held>);

        impl $name {
            /// Holds `content`.
            pub fn new(content: impl $trait) -> Self {
                $name(Box::new(content))
            }

            /// The held value, if it has the type `T`.
            pub fn get<T: 'static>(&self) -> Option<&T> {
                (&*self.0 as &dyn std::any::Any).downcast_ref()
            }

            $(
                $(#[$method_doc])*
                #[track_caller]
                pub fn $method(&self $(, $arg: $ty)*) -> $result {
                    $crate::object::relay(|| $objects::Held::$method(&*self.0 $(, $arg)*))
                }
            )*
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                $name($objects::Held::boxed(&*self.0))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl jarrah_array::Tree<jarrah_array::Array> for $name {
            fn visit<'a>(
                &'a self,
                path: &mut jarrah_tree::Path,
                f: &mut jarrah_tree::Visitor<'_, 'a, jarrah_array::Array>,
            ) {
                $crate::object::Object::visit_object(&*self.0, path, f);
            }

            fn try_map(
                &self,
                path: &mut jarrah_tree::Path,
                f: &mut $crate::object::Mapper<'_>,
            ) -> jarrah_array::Result<Self> {
                Ok($name($objects::Held::map_boxed(&*self.0, path, f)?))
            }

            fn visit_mut(&mut self, path: &mut jarrah_tree::Path, f: &mut jarrah_tree::Changer<'_>) {
                $crate::object::Object::visit_object_mut(&mut *self.0, path, f);
                f(path, self);
            }
        }
    };
}
pub(crate) use object;
