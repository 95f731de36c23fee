//! How the interface's structs are declared.

/// A struct whose first field, `struct_size`, says how much of it exists.
///
/// # Safety
/// The first field is a `usize`, and a value of which all bytes are zero is a value of the type.
pub unsafe trait AbiStruct: Sized {
    /// The name in the C header.
    const NAME: &'static str;

    /// The end of the last field: the size of the struct without the padding after it.
    const STRUCT_SIZE: usize;

    /// The ends of the fields, increasing.
    const ENDS: &'static [usize];

    /// The bytes of the whole fields within the first `size` bytes of the struct.
    fn known(size: usize) -> usize {
        Self::ENDS.iter().rev().copied().find(|&end| end <= size).unwrap_or(0)
    }

    /// The struct as a caller makes it: every field zero but `struct_size`.
    fn sized() -> Self {
        // SAFETY: the trait's contract says that zeros are a value.
        let mut made: Self = unsafe { std::mem::zeroed() };
        // SAFETY: the trait's contract says that the first field is a `usize`; `made` is owned and aligned.
        unsafe { (&raw mut made).cast::<usize>().write(Self::STRUCT_SIZE) };
        made
    }
}

/// The layout of a struct, as C would print it.
pub struct Layout {
    /// The name in the C header.
    pub name: &'static str,
    /// The size with padding.
    pub size: usize,
    /// The end of the last field.
    pub end: usize,
    /// Each field's name and offset in bytes.
    pub fields: &'static [(&'static str, usize)],
}

/// Declares structs, each as `kind Name { field: type, ... }`. The kinds are `args` (the fields `struct_size` and
/// `extension_start` come first), `ffi` (likewise, in XLA's foreign function interface), `sized` (`struct_size` comes first)
/// and `plain`.
macro_rules! structs {
    ($($kind:ident $name:ident { $($field:ident: $ty:ty),* $(,)? })*) => {
        $(structs!(@$kind $name { $($field: $ty,)* });)*

        pub(super) const LAYOUTS: &[super::Layout] = &[$($name::LAYOUT),*];
    };
    (@args $name:ident { $($body:tt)* }) => {
        structs!(@sized $name { extension_start: *mut PJRT_Extension_Base, $($body)* });
    };
    (@ffi $name:ident { $($body:tt)* }) => {
        structs!(@sized $name { extension_start: *mut XLA_FFI_Extension_Base, $($body)* });
    };
    (@sized $name:ident { $($body:tt)* }) => {
        structs!(@plain $name { struct_size: usize, $($body)* });

        // SAFETY: `struct_size` is the first field of this C struct; the others are integers, floats, pointers, optional
        // functions and structs of such, of which zeros are values.
        unsafe impl super::AbiStruct for $name {
            const NAME: &'static str = stringify!($name);
            const STRUCT_SIZE: usize = $name::ENDS[$name::ENDS.len() - 1];
            const ENDS: &'static [usize] = $name::ENDS;
        }

        impl Default for $name {
            fn default() -> Self {
                <Self as super::AbiStruct>::sized()
            }
        }
    };
    (@plain $name:ident { $($field:ident: $ty:ty,)* }) => {
        #[doc = concat!("`", stringify!($name), "` of the C header.")]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $field: $ty,)*
        }

        impl $name {
            const ENDS: &'static [usize] = &[$(std::mem::offset_of!($name, $field) + size_of::<$ty>()),*];

            const LAYOUT: super::Layout = super::Layout {
                name: stringify!($name),
                size: size_of::<$name>(),
                end: $name::ENDS[$name::ENDS.len() - 1],
                fields: &[$((stringify!($field), std::mem::offset_of!($name, $field))),*],
            };
        }
    };
}
