//! The orders in which the axes of tensors lie in memory.
//!
//! Every buffer of the runtime is dense and row-major. A tensor whose axes lie in another order is a buffer of the type that has
//! the axes in that order: its bytes are those that the layout promises, and programs transpose where they take and give it.

use jarrah_base::{Result, Type};
use jarrah_hlo::{Builder, Op, Program, Value};

use crate::failure::{Failure, Outcome};

/// The axes of a tensor, from the one that varies slowest in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order(Vec<usize>);

impl Order {
    /// The order of a tensor that is row-major.
    pub fn row_major(rank: usize) -> Order {
        Order((0..rank).collect())
    }

    /// The order of axes that are listed from the one that varies slowest.
    pub fn from_slowest(axes: Vec<usize>) -> Order {
        Order(axes)
    }

    /// The order of axes that are listed from the one that varies fastest, if these are the axes of a tensor.
    pub fn from_fastest(axes: &[i64], rank: usize) -> Option<Order> {
        let axes: Vec<usize> =
            axes.iter().rev().map(|&axis| usize::try_from(axis).ok()).collect::<Option<_>>()?;
        let mut sorted = axes.clone();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..rank).then_some(Order(axes))
    }

    /// The axes from the one that varies slowest.
    pub fn axes(&self) -> &[usize] {
        &self.0
    }

    /// The axes from the one that varies fastest, as the interface lists them.
    pub fn axes_from_fastest(&self) -> Vec<i64> {
        self.0.iter().rev().map(|&axis| axis as i64).collect()
    }

    /// Whether the tensor is row-major.
    pub fn is_row_major(&self) -> bool {
        self.0.iter().copied().eq(0..self.0.len())
    }

    /// The permutation that undoes this one.
    fn inverse(&self) -> Vec<usize> {
        let mut inverse = vec![0; self.0.len()];
        for (at, &axis) in self.0.iter().enumerate() {
            inverse[axis] = at;
        }
        inverse
    }

    /// The type of the buffer that holds a tensor of type `ty`.
    pub fn stored(&self, ty: Type) -> Type {
        ty.with_dims(self.0.iter().map(|&axis| ty.dim(axis)))
    }

    /// The type of the tensor that a buffer of type `stored` holds.
    pub fn held(&self, stored: Type) -> Type {
        stored.with_dims(self.inverse().into_iter().map(|at| stored.dim(at)))
    }
}

/// As XLA writes layouts: the axes from the one that varies fastest, `{1,0}`.
impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let axes: Vec<String> = self.0.iter().rev().map(usize::to_string).collect();
        write!(f, "{{{}}}", axes.join(","))
    }
}

/// The layout that a program wishes for an argument or a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// This one.
    Order(Order),
    /// Whichever the compiler likes.
    Any,
}

impl Wish {
    /// The wish that the attribute `mhlo.layout_mode` of a tensor states.
    pub fn read(layout: &str, rank: usize) -> Outcome<Wish> {
        match layout {
            "default" => return Ok(Wish::Order(Order::row_major(rank))),
            "auto" => return Ok(Wish::Any),
            _ => {}
        }
        let inner = layout.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let inner = inner.ok_or_else(|| Failure::invalid(format!("`{layout}` is no layout")))?;
        if inner.contains(':') {
            return Err(Failure::unimplemented(format!("the layout {layout} has tiles; buffers are dense")));
        }
        let axes = inner.split(',').filter(|axis| !axis.is_empty()).map(|axis| axis.trim().parse().ok());
        let order = axes.collect::<Option<Vec<i64>>>().and_then(|axes| Order::from_fastest(&axes, rank));
        let order = order
            .ok_or_else(|| Failure::invalid(format!("{layout} is no layout of a tensor of rank {rank}")))?;
        Ok(Wish::Order(order))
    }
}

/// The orders of a program's arguments.
pub fn of_arguments(program: &Program, wishes: &[Wish]) -> Vec<Order> {
    let types = program.param_types();
    let order = |(ty, wish): (&Type, &Wish)| match wish {
        Wish::Order(order) => order.clone(),
        Wish::Any => Order::row_major(ty.rank()),
    };
    types.iter().zip(wishes).map(order).collect()
}

/// The orders of a program's results. One that may lie anyhow and is the transpose of a tensor lies like that tensor, which costs
/// nothing.
pub fn of_results(program: &Program, wishes: &[Wish]) -> Vec<Order> {
    let definitions = program.definitions();
    let order = |(&value, wish): (&Value, &Wish)| match wish {
        Wish::Order(order) => order.clone(),
        Wish::Any => {
            let defined = definitions.get(value.index()).copied().flatten();
            match defined.map(|at| &program.instrs()[at].op) {
                Some(Op::TransposeAxes(op)) => Order(Order(op.permutation.to_vec()).inverse()),
                _ => Order::row_major(program.ty(value).rank()),
            }
        }
    };
    program.results().iter().zip(wishes).map(order).collect()
}

/// The program on the buffers that hold its arguments, giving those that hold its results.
pub fn on_stored(program: Program, arguments: &[Order], results: &[Order]) -> Result<Program> {
    if arguments.iter().chain(results).all(Order::is_row_major) {
        return Ok(program);
    }
    let mut b = Builder::new(program.name());
    let mut values = Vec::with_capacity(arguments.len());
    for (param, order) in program.params().iter().zip(arguments) {
        let stored = b.param(order.stored(param.ty), param.path.path());
        values.push((stored, order.inverse()));
    }
    let held =
        values.into_iter().map(|(stored, back)| b.transpose(stored, &back)).collect::<Result<Vec<_>>>()?;
    let given = b.inline(&program, &held)?;
    let stored = given.into_iter().zip(results).map(|(value, order)| b.transpose(value, order.axes()));
    let stored = stored.collect::<Result<Vec<_>>>()?;
    b.finish(&stored)
}
