use jarrah_base::Result;
use rustc_hash::FxHashMap;

use super::Parser;
use crate::ast::{Attribute, Function, Loc, Module, Op, Param, Region};
use crate::lexer::{Token, unescape};

impl<'t> Parser<'t> {
    /// The whole text: a module, or functions without one.
    pub(super) fn module(&mut self) -> Result<Module<'t>> {
        let mut module = Module { name: None, functions: Vec::new(), locations: FxHashMap::default() };
        loop {
            match self.token {
                Token::End => return Ok(module),
                Token::Hash(name) => self.alias(name, &mut module)?,
                Token::Word("module" | "builtin.module") => {
                    self.advance()?;
                    if let Token::Symbol(name) = self.token {
                        module.name = Some(unescape(name));
                        self.advance()?;
                    }
                    if self.eat_word("attributes")? {
                        self.dictionary()?;
                    }
                    self.expect('{')?;
                    while !self.eat('}')? {
                        self.module_item(&mut module)?;
                    }
                    self.trailing_location()?;
                }
                Token::Text("builtin.module") => {
                    let op = self.generic_op()?;
                    module.name = text_attribute(&op, "sym_name");
                    for inner in op.regions.into_iter().flat_map(|r| r.ops) {
                        self.function_of(inner, &mut module)?;
                    }
                }
                _ => self.module_item(&mut module)?,
            }
        }
    }

    /// `#name = attribute`; those that are locations are kept.
    fn alias(&mut self, name: &'t str, module: &mut Module<'t>) -> Result<()> {
        self.advance()?;
        self.expect('=')?;
        if self.is_word("loc") {
            let location = self.trailing_location()?.unwrap_or(Loc::Unknown);
            module.locations.insert(name, location);
        } else {
            self.attribute()?;
        }
        Ok(())
    }

    /// A function, or an item that says nothing about what is computed.
    fn module_item(&mut self, module: &mut Module<'t>) -> Result<()> {
        match self.token {
            Token::Word("func.func" | "func") => {
                let function = self.function()?;
                module.functions.push(function);
                Ok(())
            }
            Token::Word("sdy.mesh") => {
                self.advance()?;
                self.symbol()?;
                self.expect('=')?;
                if !self.is('<') {
                    return Err(self.fail("`<`"));
                }
                self.skip_balanced()?;
                if self.is('{') {
                    self.skip_balanced()?;
                }
                self.trailing_location()?;
                Ok(())
            }
            Token::Text("func.func" | "sdy.mesh") => {
                let op = self.generic_op()?;
                self.function_of(op, module)
            }
            Token::Word(name) if name.contains('.') => {
                Err(self.text.error(self.start, format!("the op {name} is not supported")))
            }
            _ => Err(self.fail("a function")),
        }
    }

    /// The function that the generic op `func.func` is.
    fn function_of(&self, op: Op<'t>, module: &mut Module<'t>) -> Result<()> {
        if op.name == "sdy.mesh" {
            return Ok(());
        }
        if op.name != "func.func" {
            return Err(self.text.error(op.at, format!("expected a function, found {}", op.name)));
        }
        let name = op.attributes.iter().find(|(n, _)| *n == "sym_name");
        let Some((_, Attribute::Text(name))) = name else {
            return Err(self.text.error(op.at, "the function has no name"));
        };
        // A name without escapes is a part of the text; names with escapes only ever occur in quotes, and do not
        // survive here.
        let Some(start) = self.text.body[op.at..].find(&format!("\"{name}\"")).map(|i| op.at + i + 1) else {
            return Err(self.text.error(op.at, "the name of the function has escapes"));
        };
        let name = &self.text.body[start..start + name.len()];
        let public = text_attribute(&op, "sym_visibility").is_none_or(|v| v == "public");
        let body = op.regions.into_iter().next().unwrap_or_default();
        module.functions.push(Function { name, at: op.at, public, results: None, body });
        Ok(())
    }

    fn function(&mut self) -> Result<Function<'t>> {
        let at = self.start;
        self.advance()?;
        let mut public = true;
        match self.token {
            Token::Word("public") => {
                self.advance()?;
            }
            Token::Word("private" | "nested") => {
                public = false;
                self.advance()?;
            }
            _ => {}
        }
        let name = self.symbol()?;
        self.expect('(')?;
        let params = self.list(')', Self::parameter)?;
        let mut results = Vec::new();
        if self.token == Token::Arrow {
            self.advance()?;
            if self.eat('(')? {
                results = self.list(')', |p| {
                    let ty = p.ty()?;
                    if p.is('{') {
                        p.dictionary()?;
                    }
                    Ok(ty)
                })?;
            } else {
                results.push(self.ty()?);
            }
        }
        if self.eat_word("attributes")? {
            self.dictionary()?;
        }
        if !self.is('{') {
            return Err(self.fail("the body of the function"));
        }
        let mut body = self.region()?;
        body.params = params;
        self.trailing_location()?;
        Ok(Function { name, at, public, results: Some(results), body })
    }

    /// `%arg0: tensor<8xf32> {attributes} loc(...)`.
    fn parameter(&mut self) -> Result<Param<'t>> {
        let Token::Value(name, 0) = self.token else {
            return Err(self.fail("a parameter such as `%arg0`"));
        };
        self.advance()?;
        self.expect(':')?;
        let ty = self.ty()?;
        let mut path = String::new();
        if self.is('{') {
            let attributes = self.dictionary()?;
            if let Some((_, Attribute::Text(text))) =
                attributes.into_iter().find(|(n, _)| *n == "jarrah.path")
            {
                path = text;
            }
        }
        if let Some(Loc::Name(name, _)) = self.trailing_location()?
            && path.is_empty()
        {
            path = unescape(name);
        }
        Ok(Param { name, ty, path })
    }

    /// `{ops}` or `{^bb0(parameters): ops}`.
    pub(super) fn region(&mut self) -> Result<Region<'t>> {
        self.nested(|p| {
            let at = p.start;
            p.expect('{')?;
            let mut region = Region { at, ..Region::default() };
            if let Token::Label(_) = p.token {
                p.advance()?;
                if p.eat('(')? {
                    region.params = p.list(')', Self::parameter)?;
                }
                p.expect(':')?;
            }
            while !p.eat('}')? {
                match p.token {
                    Token::Label(_) => return Err(p.text.error(p.start, "a region has one block")),
                    Token::End => return Err(p.fail("`}`")),
                    _ => region.ops.push(p.operation()?),
                }
            }
            Ok(region)
        })
    }
}

fn text_attribute(op: &Op<'_>, name: &str) -> Option<String> {
    match op.attribute(name) {
        Some(Attribute::Text(text)) => Some(text.clone()),
        _ => None,
    }
}
