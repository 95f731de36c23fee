use jarrah_base::Result;

use super::Parser;
use super::operation::Draft;
use crate::ir::Attr;

impl Parser<'_> {
    /// `(%a) in_shardings=[...] out_shardings=[...] manual_axes={...} (%x: a) {...} : (a) -> b`.
    pub(super) fn manual_computation(&mut self, draft: &mut Draft) -> Result<()> {
        let operands = self.enclosed('(', ')', Self::operand)?;
        draft.op.operands.extend(operands);
        self.shardings("in_shardings", draft)?;
        self.shardings("out_shardings", draft)?;
        self.expect_word("manual_axes")?;
        self.expect('=')?;
        if !self.is('{') {
            return Err(self.fail("`{`"));
        }
        let axes = self.balanced()?;
        let axes = self.spaced(axes)?;
        draft.op.attributes.set("manual_axes", Attr::Opaque(format!("#sdy<manual_axes{axes}>").into()));
        self.computation(draft)
    }

    /// `<"name">(%a) in_shardings=[...] out_shardings=[...] (%x: a) {...} : (a) -> b`.
    pub(super) fn named_computation(&mut self, draft: &mut Draft) -> Result<()> {
        self.expect('<')?;
        let name = self.string()?;
        draft.op.attributes.set("name", Attr::String(name));
        self.expect('>')?;
        let operands = self.enclosed('(', ')', Self::operand)?;
        draft.op.operands.extend(operands);
        for name in ["in_shardings", "out_shardings"] {
            if self.is_word(name) {
                self.shardings(name, draft)?;
            }
        }
        self.computation(draft)
    }

    fn shardings(&mut self, name: &'static str, draft: &mut Draft) -> Result<()> {
        self.expect_word(name)?;
        self.expect('=')?;
        if !self.is('[') {
            return Err(self.fail("`[`"));
        }
        let list = self.balanced()?;
        let list = self.spaced(list)?;
        draft.op.attributes.set(name, Attr::Opaque(format!("#sdy.sharding_per_value<{list}>").into()));
        Ok(())
    }

    fn computation(&mut self, draft: &mut Draft) -> Result<()> {
        let args = self.enclosed('(', ')', Self::typed_argument)?;
        let region = self.region(false, &args)?;
        draft.op.regions.push(region);
        self.optional_dictionary(&mut draft.op.attributes)?;
        self.expect(':')?;
        self.signature(draft)
    }
}
