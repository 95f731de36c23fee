/// Declares a section of a recipe: each key once, with its doc, type, default, after `in` its allowed range, and with `on resume kept`
/// that a run which is resumed must have the value that it began with.
///
/// The struct has a public field for every key, and implements [`Default`] and [`Settings`](crate::recipe::Settings).
/// A key whose type is also declared this way is a nested section.
///
/// ```
/// use jarrah_train::declare;
/// use jarrah_train::recipe::Settings;
/// declare! {
///     /// How to walk.
///     pub struct Walk {
///         /// Metres a second.
///         speed: f64 = 1.5, in 0.0..=3.0;
///         /// Where to.
///         to: Option<String> = None, on resume kept;
///     }
/// }
/// let walk = Walk::from_toml("", "walk.toml", &["speed=2"])?;
/// assert_eq!(walk.speed, 2.0);
/// let error = Walk::from_toml("speed = 7.5", "walk.toml", &[]).unwrap_err();
/// assert_eq!(error.message(), "speed is 7.5, but must be in 0.0..=3.0");
/// let other = Walk { to: Some("home".to_owned()), ..walk.clone() };
/// assert!(other.resumes(&walk).unwrap_err().message().starts_with("a run cannot change its to when it is resumed"));
/// assert_eq!(walk.to_toml(), "# Metres a second.\nspeed = 2.0\n\n# Where to.\n# to = a string\n");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[macro_export]
macro_rules! declare {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident : $type:ty = $default:expr $(, in $range:expr)? $(, on resume $resume:ident)? ;
            )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        impl $name {
            /// The documentation of the section.
            pub const ABOUT: &'static str = concat!($($about, "\n"),+);
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $field: $default, )* }
            }
        }

        impl $crate::recipe::Setting for $name {
            fn expected() -> String {
                "a table".into()
            }

            fn set(&mut self, path: &[&str], node: &$crate::recipe::GivenValue) -> $crate::recipe::Result<()> {
                $crate::recipe::set_section(self, path, node)
            }

            fn list(&self, prefix: &str, doc: &str, keys: &mut Vec<$crate::recipe::RecipeKey>) {
                keys.push($crate::recipe::RecipeKey::section(prefix, doc));
                $(
                    let _begin = keys.len();
                    $crate::recipe::Setting::list(
                        &self.$field,
                        &$crate::recipe::join(prefix, stringify!($field)),
                        concat!($($doc, "\n"),+),
                        keys,
                    );
                    $( $crate::recipe::RecipeKey::$resume(&mut keys[_begin..]); )?
                )*
            }
        }

        impl $crate::recipe::Settings for $name {
            fn set_field(
                &mut self,
                name: &str,
                path: &[&str],
                node: &$crate::recipe::GivenValue,
            ) -> Option<$crate::recipe::Result<()>> {
                match name {
                    $(
                        stringify!($field) => {
                            let outcome = $crate::recipe::Setting::set(&mut self.$field, path, node);
                            $( let outcome = outcome.and_then(|()| $crate::recipe::in_range(&self.$field, $range, node)); )?
                            Some(outcome)
                        }
                    )*
                    _ => None,
                }
            }
        }
    };
}
