use jarrah_base::{DType, Literal, Result, Type};

use super::Parser;
use super::operation::Draft;
use crate::assembly::lexer::Token;
use crate::ir::{Attr, Dense, ElementTy, StructureAttr, TensorTy};

impl Parser<'_> {
    /// `[0:4, 0:8:2]`.
    pub(super) fn slice(&mut self, draft: &mut Draft) -> Result<()> {
        let ranges = self.enclosed('[', ']', |p| {
            let start = p.integer()?;
            p.expect(':')?;
            let limit = p.integer()?;
            let stride = if p.eat(':')? { p.integer()? } else { 1 };
            Ok((start, limit, stride))
        })?;
        let attributes = &mut draft.op.attributes;
        attributes.set("start_indices", Attr::i64s(ranges.iter().map(|r| r.0)));
        attributes.set("limit_indices", Attr::i64s(ranges.iter().map(|r| r.1)));
        attributes.set("strides", Attr::i64s(ranges.iter().map(|r| r.2)));
        Ok(())
    }

    /// `, precision = [DEFAULT, HIGHEST]`, if it comes next.
    pub(super) fn precision(&mut self, draft: &mut Draft) -> Result<()> {
        if !self.is(',') || !self.follows("precision") {
            return Ok(());
        }
        self.advance()?;
        self.expect_word("precision")?;
        self.expect('=')?;
        let list = self.enclosed('[', ']', |p| p.enumeration("stablehlo.precision"))?;
        draft.op.attributes.set("precision_config", Attr::Array(list));
        Ok(())
    }

    /// `, algorithm = <...>`, if it comes next.
    pub(super) fn algorithm(&mut self, draft: &mut Draft) -> Result<()> {
        if !self.is(',') || !self.follows("algorithm") {
            return Ok(());
        }
        self.advance()?;
        self.expect_word("algorithm")?;
        self.expect('=')?;
        let structure = StructureAttr::find("stablehlo.dot_algorithm");
        let attr = self.structure(structure.expect("invariant: the structure is defined"))?;
        draft.op.attributes.set("algorithm", attr);
        Ok(())
    }

    /// Whether a word follows the next token.
    fn follows(&self, word: &str) -> bool {
        let mut lexer = self.lexer;
        matches!(lexer.next(), Ok((Token::Word(w), _)) if w == word)
    }

    /// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
    pub(super) fn dot_dimensions(&mut self, draft: &mut Draft) -> Result<()> {
        let mut batching = (Vec::new(), Vec::new());
        if self.eat_word("batching_dims")? {
            batching = self.pair_of_lists()?;
            self.expect(',')?;
        }
        self.expect_word("contracting_dims")?;
        let contracting = self.pair_of_lists()?;
        let structure = StructureAttr::find("stablehlo.dot").expect("invariant: the structure is defined");
        let attr = structure.attr([
            ("lhs_batching_dimensions", Attr::i64s(batching.0)),
            ("rhs_batching_dimensions", Attr::i64s(batching.1)),
            ("lhs_contracting_dimensions", Attr::i64s(contracting.0)),
            ("rhs_contracting_dimensions", Attr::i64s(contracting.1)),
        ]);
        draft.op.attributes.set("dot_dimension_numbers", attr);
        Ok(())
    }

    fn pair_of_lists(&mut self) -> Result<(Vec<i64>, Vec<i64>)> {
        self.expect('=')?;
        let left = self.integers()?;
        self.expect_word("x")?;
        Ok((left, self.integers()?))
    }

    /// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
    pub(super) fn convolution_dimensions(&mut self) -> Result<Attr> {
        let (input, [input_batch, input_feature]) = self.labelled_axes(["b", "f"])?;
        self.expect_word("x")?;
        let (kernel, [kernel_input, kernel_output]) = self.labelled_axes(["i", "o"])?;
        self.expect_arrow()?;
        let (output, [output_batch, output_feature]) = self.labelled_axes(["b", "f"])?;
        let structure = StructureAttr::find("stablehlo.conv").expect("invariant: the structure is defined");
        Ok(structure.attr([
            ("input_batch_dimension", Attr::i64(input_batch)),
            ("input_feature_dimension", Attr::i64(input_feature)),
            ("input_spatial_dimensions", Attr::i64s(input)),
            ("kernel_input_feature_dimension", Attr::i64(kernel_input)),
            ("kernel_output_feature_dimension", Attr::i64(kernel_output)),
            ("kernel_spatial_dimensions", Attr::i64s(kernel)),
            ("output_batch_dimension", Attr::i64(output_batch)),
            ("output_feature_dimension", Attr::i64(output_feature)),
            ("output_spatial_dimensions", Attr::i64s(output)),
        ]))
    }

    /// `[b, 0, 1, f]`: where the spatial axes stand, in their order, and where the two others stand.
    fn labelled_axes(&mut self, letters: [&str; 2]) -> Result<(Vec<i64>, [i64; 2])> {
        let at = self.start;
        let mut position = 0;
        let mut spatial: Vec<(i64, i64)> = Vec::new();
        let mut others = [None; 2];
        self.enclosed('[', ']', |p| {
            let here = position;
            position += 1;
            if let Token::Word(word) = p.token
                && let Some(i) = letters.iter().position(|l| *l == word)
                && others[i].is_none()
            {
                others[i] = Some(here);
                p.advance()?;
                return Ok(());
            }
            if !matches!(p.token, Token::Number(_)) {
                return Err(
                    p.fail(&format!("a spatial axis, `{}` or `{}`, each once", letters[0], letters[1]))
                );
            }
            spatial.push((p.integer()?, here));
            Ok(())
        })?;
        spatial.sort_unstable();
        if spatial.iter().enumerate().any(|(i, (axis, _))| *axis != i as i64) {
            return Err(self.error(at, "the spatial axes are 0, 1, ..., each once"));
        }
        let [Some(first), Some(second)] = others else {
            return Err(self.error(at, format!("`{}` and `{}` each occur once", letters[0], letters[1])));
        };
        Ok((spatial.into_iter().map(|(_, here)| here).collect(), [first, second]))
    }

    /// `stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]`.
    pub(super) fn window(&mut self, draft: &mut Draft) -> Result<()> {
        while let Token::Word(word) = self.token {
            let name = match word {
                "stride" => "window_strides",
                "pad" => "padding",
                "lhs_dilate" => "lhs_dilation",
                "rhs_dilate" => "rhs_dilation",
                "reverse" => "window_reversal",
                _ => return Err(self.fail("`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`")),
            };
            if draft.op.attributes.get(name).is_some() {
                return Err(self.error(self.start, format!("there are two of `{word}`")));
            }
            self.advance()?;
            self.expect('=')?;
            let attr = match word {
                "pad" => self.padding()?,
                "reverse" => {
                    let list = self.enclosed('[', ']', |p| match p.token {
                        Token::Word(word @ ("true" | "false")) => {
                            p.advance()?;
                            Ok(i64::from(word == "true"))
                        }
                        _ => Ok(i64::from(p.integer()? != 0)),
                    })?;
                    Attr::Integers(ElementTy::Number(DType::Bool), list)
                }
                _ => Attr::i64s(self.integers()?),
            };
            draft.op.attributes.set(name, attr);
            if !self.eat(',')? {
                break;
            }
        }
        Ok(())
    }

    /// `[[0, 0], [1, 1]]`.
    fn padding(&mut self) -> Result<Attr> {
        let rows = self.enclosed('[', ']', |p| {
            let at = p.start;
            let row = p.integers()?;
            <[i64; 2]>::try_from(row).map_err(|_| p.error(at, "expected what to add before and after"))
        })?;
        let flat = rows.concat();
        let ty = TensorTy {
            dims: Some([Some(rows.len() as u64), Some(2)].into_iter().collect()),
            element: ElementTy::Number(DType::I64),
            encoding: None,
        };
        let value = match flat.first() {
            Some(&first) if flat.iter().all(|&n| n == first) => Literal::scalar(first),
            Some(_) => Literal::from_slice(&[rows.len(), 2], &flat)?,
            None => Literal::zeros(Type::tensor(DType::I64, [0, 2]))?,
        };
        Ok(Attr::Dense(Dense { ty, value }))
    }
}
