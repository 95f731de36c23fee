//! `#[derive(Tree)]`: use it through `jarrah-tree`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, Result, Type};

/// Makes a struct or an enum a tree of whatever leaves its fields hold.
///
/// A field marked `#[tree(static)]` holds no leaf: it is part of the structure, and must be `Clone + Eq + Hash`.
#[proc_macro_derive(Tree, attributes(tree))]
pub fn derive_tree(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// The path of the crate that holds the trait: `jarrah-tree` where the crate being compiled depends on it, else the
/// facade's re-export.
fn home() -> TokenStream {
    let manifest =
        std::env::var("CARGO_MANIFEST_DIR").map(|dir| std::path::Path::new(&dir).join("Cargo.toml"));
    let text = manifest.ok().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    if text.contains("jarrah-tree") { quote!(::jarrah_tree) } else { quote!(::jarrah::tree) }
}

/// One struct body or enum variant.
struct Variant {
    /// `Self`, or `Self::Name`.
    constructor: TokenStream,
    fields: Vec<Member>,
}

struct Member {
    /// The field's name or number.
    member: syn::Member,
    ty: Type,
    is_static: bool,
    this: Ident,
    other: Ident,
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let tree = home();
    let variants = match &input.data {
        Data::Struct(data) => vec![variant(quote!(Self), &data.fields)?],
        Data::Enum(data) => {
            let variants = data.variants.iter();
            variants
                .map(|v| {
                    let name = &v.ident;
                    variant(quote!(Self::#name), &v.fields)
                })
                .collect::<Result<_>>()?
        }
        Data::Union(_) => return Err(Error::new_spanned(&input.ident, "a union cannot be a tree")),
    };
    let name = &input.ident;
    let (_, type_generics, _) = input.generics.split_for_impl();
    let mut generics = input.generics.clone();
    generics.params.push(syn::parse_quote!(__Leaf));
    let clause = generics.make_where_clause();
    for field in variants.iter().flat_map(|v| &v.fields).filter(|f| !f.is_static) {
        let ty = &field.ty;
        clause.predicates.push(syn::parse_quote!(#ty: #tree::Tree<__Leaf>));
    }
    let (impl_generics, _, clause) = generics.split_for_impl();

    let visit = variants.iter().map(|v| visit_arm(v, &tree));
    let map = variants.iter().map(|v| map_arm(v, &tree));
    let same = variants.iter().map(|v| same_arm(v, &tree));
    let hash = variants.iter().enumerate().map(|(i, v)| hash_arm(i, v, &tree));
    let otherwise = if variants.len() > 1 { quote!(_ => false,) } else { quote!() };
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics #tree::Tree<__Leaf> for #name #type_generics #clause {
            fn visit<'__a>(
                &'__a self,
                path: &mut #tree::Path,
                f: &mut dyn FnMut(&#tree::Path, &'__a __Leaf),
            ) {
                match self { #(#visit)* }
            }

            fn try_map(
                &self,
                path: &mut #tree::Path,
                f: &mut dyn FnMut(&#tree::Path, &__Leaf) -> #tree::private::Result<__Leaf>,
            ) -> #tree::private::Result<Self> {
                ::std::result::Result::Ok(match self { #(#map)* })
            }

            fn same_structure(&self, other: &Self) -> bool {
                match (self, other) { #(#same)* #otherwise }
            }

            fn hash_structure(&self, state: &mut dyn ::std::hash::Hasher) {
                match self { #(#hash)* }
            }
        }
    })
}

fn variant(constructor: TokenStream, fields: &Fields) -> Result<Variant> {
    let fields = fields.iter().enumerate().map(|(i, field)| member(i, field)).collect::<Result<_>>()?;
    Ok(Variant { constructor, fields })
}

fn member(index: usize, field: &Field) -> Result<Member> {
    let mut is_static = false;
    for attribute in field.attrs.iter().filter(|a| a.path().is_ident("tree")) {
        attribute.parse_nested_meta(|meta| {
            // `static` is a keyword, so the path is compared as text.
            if meta.path.get_ident().is_some_and(|i| i == "static") {
                is_static = true;
                return Ok(());
            }
            Err(meta.error("the only tree attribute is `static`"))
        })?;
    }
    let member = match &field.ident {
        Some(name) => syn::Member::Named(name.clone()),
        None => syn::Member::Unnamed(index.into()),
    };
    let (this, other) = (format_ident!("this_{index}"), format_ident!("other_{index}"));
    Ok(Member { member, ty: field.ty.clone(), is_static, this, other })
}

/// The step to a field in a path.
fn key(field: &Member, tree: &TokenStream) -> TokenStream {
    match &field.member {
        syn::Member::Named(name) => {
            let name = name.to_string();
            quote!(#tree::Key::Field(#name))
        }
        syn::Member::Unnamed(index) => {
            let index = index.index as usize;
            quote!(#tree::Key::Index(#index))
        }
    }
}

fn pattern(variant: &Variant, name: impl Fn(&Member) -> Ident) -> TokenStream {
    let constructor = &variant.constructor;
    let fields = variant.fields.iter().map(|f| {
        let (member, name) = (&f.member, name(f));
        quote!(#member: #name)
    });
    quote!(#constructor { #(#fields),* })
}

fn visit_arm(variant: &Variant, tree: &TokenStream) -> TokenStream {
    let pattern = pattern(variant, |f| f.this.clone());
    let visits = variant.fields.iter().filter(|f| !f.is_static).map(|field| {
        let (this, key) = (&field.this, key(field, tree));
        quote!(path.enter(#key, |path| #tree::Tree::visit(#this, path, f));)
    });
    quote!(#pattern => { #(#visits)* })
}

fn map_arm(variant: &Variant, tree: &TokenStream) -> TokenStream {
    let pattern = pattern(variant, |f| f.this.clone());
    let constructor = &variant.constructor;
    let fields = variant.fields.iter().map(|field| {
        let (member, this, key) = (&field.member, &field.this, key(field, tree));
        if field.is_static {
            quote!(#member: ::std::clone::Clone::clone(#this))
        } else {
            quote!(#member: path.enter(#key, |path| #tree::Tree::try_map(#this, path, f))?)
        }
    });
    quote!(#pattern => #constructor { #(#fields),* },)
}

fn same_arm(variant: &Variant, tree: &TokenStream) -> TokenStream {
    let (this, other) = (pattern(variant, |f| f.this.clone()), pattern(variant, |f| f.other.clone()));
    let tests = variant.fields.iter().map(|field| {
        let (this, other, ty) = (&field.this, &field.other, &field.ty);
        if field.is_static {
            quote!(&& #this == #other)
        } else {
            quote!(&& <#ty as #tree::Tree<__Leaf>>::same_structure(#this, #other))
        }
    });
    quote!((#this, #other) => true #(#tests)*,)
}

fn hash_arm(index: usize, variant: &Variant, tree: &TokenStream) -> TokenStream {
    let pattern = pattern(variant, |f| f.this.clone());
    let hashes = variant.fields.iter().map(|field| {
        let (this, ty) = (&field.this, &field.ty);
        if field.is_static {
            quote!(#tree::private::hash(#this, state);)
        } else {
            quote!(<#ty as #tree::Tree<__Leaf>>::hash_structure(#this, state);)
        }
    });
    quote!(#pattern => { #tree::private::hash(&#index, state); #(#hashes)* })
}
