use jarrah_base::{DType, Dim, Result, Type};
use smallvec::SmallVec;

use super::Parser;
use crate::ast::Signature;
use crate::lexer::{Token, unescape};

/// No extent in a text is larger.
const MAX_EXTENT: u64 = 1 << 40;
/// No tensor in a text has more bytes: beyond, arithmetic on its extents may overflow.
const MAX_BYTES: u64 = 1 << 50;

/// The element type that MLIR calls `name`.
pub(super) fn element_type(name: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|&d| crate::print::element_type(d) == name)
}

impl<'t> Parser<'t> {
    /// `tensor<8x4xf32>` or `!jarrah.ref<8x4xf32>`.
    pub(super) fn ty(&mut self) -> Result<Type> {
        let reference = match self.token {
            Token::Word("tensor") => false,
            Token::Bang("jarrah.ref") => true,
            Token::Word(name) | Token::Bang(name) => {
                return Err(self.text.error(self.start, format!("expected a tensor type, found `{name}`")));
            }
            _ => return Err(self.fail("a tensor type")),
        };
        let start = self.start;
        self.advance()?;
        if !self.is('<') {
            return Err(self.fail("`<`"));
        }
        let (dtype, mut dims) = self.shape()?;
        if self.eat(',')? {
            self.symbolic_extents(&mut dims)?;
        }
        self.expect('>')?;
        let mut bytes = dtype.size() as u64;
        for dim in &dims {
            let Some(dim) = dim else {
                let error = self.text.error(start, "an extent `?` has no name");
                return Err(error.help("only extents named by `#jarrah.dims<...>` may be unknown"));
            };
            let extent = dim.constant().unwrap_or(1).max(1) as u64;
            bytes = bytes.saturating_mul(extent);
        }
        if bytes > MAX_BYTES {
            return Err(self.text.error(start, "the tensor has too many elements"));
        }
        let dims = dims.into_iter().flatten();
        Ok(if reference { Type::reference(dtype, dims) } else { Type::tensor(dtype, dims) })
    }

    /// Extents and element type, from behind the `<` that comes next up to what follows them.
    fn shape(&mut self) -> Result<(DType, SmallVec<[Option<Dim>; 6]>)> {
        let mut dims = SmallVec::new();
        // Tokens do not fit here: `8x4xf32` is a number and a word to them.
        let mut lexer = self.lexer;
        loop {
            lexer.skip_space();
            let at = lexer.at;
            let extent = match lexer.byte(0) {
                b'?' => {
                    lexer.at += 1;
                    None
                }
                b'0'..=b'9' => {
                    let extent = lexer.digits().parse::<u64>().ok().filter(|&n| n <= MAX_EXTENT);
                    Some(Dim::new(
                        extent.ok_or_else(|| self.text.error(at, "the extent is too large"))? as usize
                    ))
                }
                _ => break,
            };
            lexer.skip_space();
            if lexer.byte(0) != b'x' {
                return Err(self.text.error(lexer.at, "expected `x` and the rest of the shape"));
            }
            lexer.at += 1;
            dims.push(extent);
        }
        let at = lexer.at;
        let name = lexer.word();
        self.jump(lexer.at)?;
        let mut shown = name.to_owned();
        if name == "complex" && self.is('<') {
            let open = self.start;
            self.skip_balanced()?;
            shown.push_str(self.text.body[open..self.start].trim_end());
        }
        let Some(dtype) = element_type(&shown) else {
            let message = match &shown[..] {
                "" => "expected an extent or an element type".to_owned(),
                name => format!("the element type {name} is not supported"),
            };
            return Err(self.text.error(at, message));
        };
        Ok((dtype, dims))
    }

    /// The names of unknown extents: `#jarrah.dims<"n", 8>` in the place of an encoding.
    fn symbolic_extents(&mut self, dims: &mut [Option<Dim>]) -> Result<()> {
        let at = self.start;
        if self.token != Token::Hash("jarrah.dims") {
            return Err(self.text.error(at, "tensor encodings are not supported"));
        }
        self.advance()?;
        self.expect('<')?;
        let names = self.list('>', |p| match p.advance()? {
            Token::Text(name) => Ok(Some(Dim::symbol(&unescape(name)))),
            _ => Ok(None),
        })?;
        if names.len() != dims.len() {
            return Err(self.text.error(at, format!("{} names for {} extents", names.len(), dims.len())));
        }
        for (dim, name) in dims.iter_mut().zip(names) {
            *dim = dim.or(name);
        }
        Ok(())
    }

    /// `()`, `(a, b)` or `a`.
    pub(super) fn types(&mut self) -> Result<Vec<Type>> {
        if self.eat('(')? { self.list(')', Self::ty) } else { Ok(vec![self.ty()?]) }
    }

    /// What follows the `:` of an op.
    pub(super) fn signature(&mut self) -> Result<Signature> {
        if self.is('(') {
            let operands = self.types()?;
            self.expect_arrow()?;
            return Ok(Signature::Function(operands, self.types()?));
        }
        let mut types = vec![self.ty()?];
        while self.eat(',')? {
            types.push(self.ty()?);
        }
        if self.token != Token::Arrow {
            return Ok(Signature::List(types));
        }
        self.advance()?;
        Ok(Signature::Function(types, self.types()?))
    }
}
