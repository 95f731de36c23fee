//! Operands of products that loops make as the products read them.

use std::sync::Arc;

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::ops::{DotGeneral, Kernel};
use smallvec::SmallVec;

use super::dot::group;
use super::row_major;
use crate::client::frame::{Frame, Loc};
use crate::client::site::{Over, Site, StepBuilder};
use crate::gemm::{self, Advance, Advancing, Filling, Made, Make, fills, streams};
use crate::vector::{BoxPlan, Streaming};

/// What makes an operand of a product as the product reads it: the loop, and where the loop's inputs are.
#[derive(Clone)]
pub struct Maker {
    pub plan: Arc<BoxPlan>,
    pub inputs: Vec<Loc>,
    lines: Lines,
    /// The elements from a line that it makes to the next.
    pub apart: usize,
    /// Makes rows of which something becomes at once, if it does.
    calls: Option<Calls>,
}

/// The use of rows that calls make.
#[derive(Clone)]
enum Calls {
    /// They are multiplied.
    Multiply(gemm::Streaming, Arc<Streaming>),
    /// They are written to panels.
    Fill(gemm::Fills, Arc<Streaming>),
}

/// An operand as lines of neighbouring elements, which are its rows or its columns.
#[derive(Clone, Copy)]
pub struct Lines {
    pub count: usize,
    pub places: usize,
    /// Whether there is a line for each position of the contracted axes.
    pub of_contracted: bool,
}

impl Lines {
    /// The lines of operand `side` of a product; `None` if neither the contracted nor the free axes are neighbours throughout.
    pub fn of(dot: &DotGeneral, ty: Type, side: usize) -> Option<Lines> {
        let dims: Vec<usize> = ty.extents().collect();
        let (free, contract) = match side {
            0 => (dot.lhs_free(dims.len()), &dot.lhs_contract),
            _ => (dot.rhs_free(dims.len()), &dot.rhs_contract),
        };
        let extent = |axes: &[usize]| axes.iter().map(|&a| dims[a]).product::<usize>();
        let (f, k) = (extent(&free), extent(contract));
        let strides = row_major(&dims);
        let apart = (group(&dims, &strides, &free)?, group(&dims, &strides, contract)?);
        let lines = |places: usize, of_contracted| Lines {
            count: dims.iter().product::<usize>() / places,
            places,
            of_contracted,
        };
        match apart {
            _ if f <= 1 || k <= 1 => None,
            (free, 1) if free == k as isize => Some(lines(k, false)),
            (1, contract) if contract == f as isize => Some(lines(f, true)),
            _ => None,
        }
    }
}

/// The addresses of a loop's arrays, shared by the tasks of a product.
pub struct Pointers {
    pub inputs: SmallVec<[*const u8; 8]>,
    pub outputs: SmallVec<[*mut u8; 4]>,
}

impl Pointers {
    pub fn new(frame: &Frame<'_>, inputs: &[Loc], outputs: &[Loc]) -> Pointers {
        Pointers {
            inputs: inputs.iter().map(|&l| frame.at(l).cast_const()).collect(),
            outputs: outputs.iter().map(|&l| frame.at(l)).collect(),
        }
    }
}

// SAFETY: plain addresses; each task touches the elements of its own parts of the product.
unsafe impl Sync for Pointers {}

impl Maker {
    /// A maker of an operand in `lines`, `apart` elements from one to the next, by the loop `kernel` at `site`; `None` if the loop runs on no boxes.
    pub fn new(
        b: &mut StepBuilder,
        site: &Site<'_>,
        kernel: &Kernel,
        lines: Option<Lines>,
        apart: usize,
    ) -> Result<Option<Maker>> {
        let types: Vec<Type> = site.operands.iter().map(|o| o.ty).collect();
        let (Some(lines), Some(loops)) = (lines, jarrah_tile::lower_to_one(kernel, &types)) else {
            return Ok(None);
        };
        let over = Over::Made(apart, [lines.count, lines.places]);
        let inputs = site.operands.iter().map(|a| a.loc).collect();
        Ok(b.boxes(loops, over)?.map(|plan| Maker { plan, inputs, lines, apart, calls: None }))
    }

    /// Multiplies rows as they are made, where the left operand, of elements of this type, has few rows, `m`; else they are written to panels as they
    /// are made. In `groups`, each of so many elements, sums have scales, which `scales` makes, or which lie in rows so far apart.
    ///
    /// # Errors
    /// There is no executable memory.
    pub fn stream(
        &mut self,
        dtype: DType,
        [m, k]: [usize; 2],
        groups: Option<(usize, usize)>,
        scales: Option<&Maker>,
    ) -> Result<()> {
        if !self.lines.of_contracted {
            return Ok(());
        }
        let Some(way) = streams(dtype, [m, k], self.plan.panel().is_some(), groups) else {
            if let Some(way) = fills(dtype, k) {
                self.calls = self.plan.filling(way)?.map(|filling| Calls::Fill(way, filling));
            }
            return Ok(());
        };
        let streaming = self.plan.streaming(scales.map(|scales| &*scales.plan), way)?;
        if let Some(scales) = scales.filter(|_| streaming.as_ref().is_some_and(|s| s.makes_scales)) {
            self.inputs.extend(&scales.inputs);
        }
        self.calls = streaming.map(|streaming| Calls::Multiply(way, streaming));
        Ok(())
    }

    /// The addresses of what it reads.
    pub fn reads(&self, frame: &Frame<'_>) -> Pointers {
        Pointers::new(frame, &self.inputs, &[])
    }

    /// Makes operands of a batch, `batch` elements apart, of which the first begins at element `first`, of what lies at `reads`.
    pub fn making<'a, T: 'a>(&'a self, reads: &'a Pointers, first: isize, batch: isize) -> Making<'a, T> {
        let line = move |number: usize| (first + number as isize * batch) as usize / self.lines.places;
        Making {
            maker: self,
            write: Box::new(move |number, lines, places, to: *mut T| {
                let (first, next) = (line(number) + lines.start, line(number) + lines.end);
                // Parts of lines lie apart in memory, where the processor prefetches nothing by itself; whole lines follow one another.
                if places.len() < self.lines.places {
                    self.plan.prefetch(next..next + lines.len(), places.clone(), &reads.inputs);
                }
                // The loop counts from the operand's first element.
                let to = to.wrapping_sub(first * self.apart + places.start);
                // SAFETY: the product asks for parts of its operand, for which there is room and which overlap nothing; the loop's
                // inputs are operands of the step.
                unsafe { self.plan.run(first..first + lines.len(), places, &reads.inputs, &[to.cast()]) };
            }),
            call: Box::new(move |number, (row, calls), cols, factors, chains| {
                let Some(Calls::Multiply(_, made) | Calls::Fill(_, made)) = &self.calls else { return };
                let rows = (line(number) + row, calls);
                // SAFETY: as above, of rows.
                unsafe { made.run(&self.plan, rows, cols, &reads.inputs, factors, chains) };
            }),
        }
    }
}

/// An operand that is made while a step runs.
pub struct Making<'a, T> {
    maker: &'a Maker,
    write: Box<Make<'a, T>>,
    call: Box<Advance<'a>>,
}

impl<T> Making<'_, T> {
    /// As the right operand of a product.
    pub fn right(&self) -> Made<'_, T> {
        let Maker { plan, lines, apart, calls, .. } = self.maker;
        let (advance, fill) = match calls {
            Some(Calls::Multiply(way, streaming)) => {
                let advance = Advancing {
                    rows: way.rows,
                    units: way.units,
                    scaled: way.scales.is_some(),
                    makes_scales: streaming.makes_scales,
                    panel: plan.panel(),
                    run: &*self.call,
                };
                (Some(advance), None)
            }
            Some(Calls::Fill(way, _)) => {
                (None, Some(Filling { rows: way.rows(), panel: way.columns, run: &*self.call }))
            }
            None => (None, None),
        };
        Made { make: &*self.write, apart: *apart, columns: !lines.of_contracted, advance, fill }
    }

    /// As the left operand of a product.
    pub fn left(&self) -> Made<'_, T> {
        Made { columns: self.maker.lines.of_contracted, ..self.right() }
    }
}
