//! `#[derive(Tree)]`: use it through `jarrah-tree`.

mod home;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, Result, Type};

/// Makes a struct or an enum a tree of whatever leaves its fields hold.
///
/// A field marked `#[tree(static)]` holds no leaf: it is part of the structure, and must be `Clone + Eq + Hash + Debug`
/// or a float. `#[tree(crate = path)]` on the type says where the trait is, if not in a dependency of the crate.
#[proc_macro_derive(Tree, attributes(tree))]
pub fn derive_tree(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// One struct body or enum variant.
struct Variant {
    /// `Self`, or `Self::Name`.
    constructor: TokenStream,
    /// The name of the struct or variant.
    name: String,
    fields: Vec<Member>,
}

struct Member {
    /// The field's name or number.
    member: syn::Member,
    ty: Type,
    is_static: bool,
    this: Ident,
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let tree = home::path(&input.attrs)?;
    let variants = match &input.data {
        Data::Struct(data) => vec![variant(quote!(Self), &input.ident, &data.fields)?],
        Data::Enum(data) => {
            let variants = data.variants.iter();
            variants
                .map(|v| {
                    let name = &v.ident;
                    variant(quote!(Self::#name), name, &v.fields)
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
    let change = variants.iter().map(|v| change_arm(v, &tree));
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, unused_imports)]
        impl #impl_generics #tree::Tree<__Leaf> for #name #type_generics #clause {
            fn visit<'__a>(
                &'__a self,
                path: &mut #tree::Path,
                f: &mut #tree::Visitor<'_, '__a, __Leaf>,
            ) {
                use #tree::private::Unstored as _;
                match self { #(#visit)* }
            }

            fn try_map(
                &self,
                path: &mut #tree::Path,
                f: &mut dyn FnMut(&#tree::Path, &__Leaf) -> #tree::private::Result<__Leaf>,
            ) -> #tree::private::Result<Self> {
                ::std::result::Result::Ok(match self { #(#map)* })
            }

            fn visit_mut(&mut self, path: &mut #tree::Path, f: &mut #tree::Changer<'_>)
            where
                Self: 'static,
            {
                match self { #(#change)* }
                f(path, self);
            }
        }
    })
}

fn variant(constructor: TokenStream, name: &Ident, fields: &Fields) -> Result<Variant> {
    let fields = fields.iter().enumerate().map(|(i, field)| member(i, field)).collect::<Result<_>>()?;
    Ok(Variant { constructor, name: name.to_string(), fields })
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
    let this = format_ident!("this_{index}");
    Ok(Member { member, ty: field.ty.clone(), is_static, this })
}

/// The step to a field in a path.
fn key(field: &Member, tree: &TokenStream) -> TokenStream {
    match &field.member {
        syn::Member::Named(name) => {
            let name = name.to_string();
            quote!(#tree::PathKey::Field(#name))
        }
        syn::Member::Unnamed(index) => {
            let index = index.index as usize;
            quote!(#tree::PathKey::Index(#index))
        }
    }
}

fn pattern(variant: &Variant) -> TokenStream {
    let constructor = &variant.constructor;
    let fields = variant.fields.iter().map(|Member { member, this, .. }| quote!(#member: #this));
    quote!(#constructor { #(#fields),* })
}

fn visit_arm(variant: &Variant, tree: &TokenStream) -> TokenStream {
    let (pattern, name) = (pattern(variant), &variant.name);
    let visits = variant.fields.iter().map(|field| {
        let (this, key) = (&field.this, key(field, tree));
        let visit = match (field.is_static, holds_floats(&field.ty)) {
            (false, _) => quote!(#tree::Tree::visit(#this, path, f)),
            (true, false) => {
                let value = quote_spanned!(field.ty.span()=> #tree::Static::new(#this));
                quote!(f(path, #tree::Part::Static(#tree::private::Probe(#this).of(#value))))
            }
            (true, true) => quote_spanned!(field.ty.span()=> f(path, #tree::Part::Static(#tree::Static::of_floats(#this)))),
        };
        quote!(path.enter(#key, |path| #visit);)
    });
    quote!(#pattern => {
        f(path, #tree::Part::Node(#tree::Node::Named(#name)));
        #(#visits)*
    })
}

fn map_arm(variant: &Variant, tree: &TokenStream) -> TokenStream {
    let pattern = pattern(variant);
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

fn change_arm(variant: &Variant, tree: &TokenStream) -> TokenStream {
    let pattern = pattern(variant);
    let visits = variant.fields.iter().map(|field| {
        let (this, key) = (&field.this, key(field, tree));
        let visit = match field.is_static {
            false => quote!(#tree::Tree::<__Leaf>::visit_mut(#this, path, f)),
            true => quote!(f(path, #this)),
        };
        quote!(path.enter(#key, |path| #visit);)
    });
    quote!(#pattern => { #(#visits)* })
}

/// Whether `f32` or `f64` stands in the type, which is then compared by its bits.
fn holds_floats(ty: &Type) -> bool {
    fn any(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == "f32" || ident == "f64",
            TokenTree::Group(group) => any(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    any(ty.to_token_stream())
}
