use std::sync::Arc;

use jarrah_base::Result;

use super::Parser;
use super::operation::{Argument, Draft};
use crate::assembly::lexer::Token;
use crate::ir::{Attr, Attributes, Region, Ty};

impl<'t> Parser<'t> {
    /// `@name attributes {...} {...}`.
    pub(super) fn module_op(&mut self, draft: &mut Draft) -> Result<()> {
        self.visibility(draft)?;
        if let Some(name) = self.optional_symbol_name()? {
            draft.op.attributes.set("sym_name", Attr::String(name));
        }
        self.keyword_dictionary(&mut draft.op.attributes)?;
        let region = self.region(true, &[])?;
        draft.op.regions.push(region);
        Ok(())
    }

    fn visibility(&mut self, draft: &mut Draft) -> Result<()> {
        if let Token::Word(word @ ("public" | "private" | "nested")) = self.token {
            self.advance()?;
            draft.op.attributes.set("sym_visibility", Attr::string(word));
        }
        Ok(())
    }

    /// `public @name(%a: a {...}) -> (b {...}) attributes {...} {...}`.
    pub(super) fn function(&mut self, draft: &mut Draft) -> Result<()> {
        self.visibility(draft)?;
        let name = self.symbol_name()?;
        draft.op.attributes.set("sym_name", Attr::String(name));
        let mut args: Vec<Argument<'t>> = Vec::new();
        let params = self.enclosed('(', ')', |p| {
            if let Token::Value(..) = p.token {
                let (name, at) = p.argument_name()?;
                p.expect(':')?;
                let ty = p.ty()?;
                let attributes = p.own_dictionary()?;
                let loc = p.trailing_location()?.unwrap_or_default();
                args.push(Argument { name, at, ty: ty.clone(), loc });
                return Ok((ty, attributes));
            }
            let ty = p.ty()?;
            let attributes = p.own_dictionary()?;
            p.trailing_location()?;
            Ok((ty, attributes))
        })?;
        let results = self.function_results()?;
        self.keyword_dictionary(&mut draft.op.attributes)?;
        let attributes = &mut draft.op.attributes;
        let (inputs, arg_attrs) = split(params);
        let (outputs, res_attrs) = split(results);
        let count = inputs.len();
        attributes.set("function_type", Attr::Type(Ty::Function(Arc::new((inputs, outputs)))));
        for (name, list) in [("arg_attrs", arg_attrs), ("res_attrs", res_attrs)] {
            if let Some(list) = list {
                attributes.set(name, list);
            }
        }
        let region = if self.is('{') {
            if args.len() != count {
                return Err(self.error(draft.op.at, "the arguments of a function with a body have names"));
            }
            self.region(true, &args)?
        } else {
            Region::default()
        };
        draft.op.regions.push(region);
        Ok(())
    }

    fn own_dictionary(&mut self) -> Result<Attributes> {
        let mut attributes = Attributes::default();
        self.optional_dictionary(&mut attributes)?;
        Ok(attributes)
    }

    fn function_results(&mut self) -> Result<Vec<(Ty, Attributes)>> {
        if self.token != Token::Arrow {
            return Ok(Vec::new());
        }
        self.advance()?;
        if !self.is('(') {
            return Ok(vec![(self.ty()?, Attributes::default())]);
        }
        self.enclosed('(', ')', |p| Ok((p.ty()?, p.own_dictionary()?)))
    }
}

/// The types, and the attributes if there are any.
fn split(list: Vec<(Ty, Attributes)>) -> (Vec<Ty>, Option<Attr>) {
    let any = list.iter().any(|(_, a)| !a.is_empty());
    let (types, attributes): (Vec<Ty>, Vec<Attributes>) = list.into_iter().unzip();
    (types, any.then(|| Attr::Array(attributes.into_iter().map(Attr::Dictionary).collect())))
}
