use jarrah_base::{Error, Literal, Result, Type, c128, memory};
use jarrah_hlo::{Instr, Op, Program, family};

/// The state of an evaluation.
pub struct Machine<'a> {
    observe: &'a mut dyn FnMut(&Instr, &[Literal]),
}

impl<'a> Machine<'a> {
    pub fn new(observe: &'a mut dyn FnMut(&Instr, &[Literal])) -> Self {
        Machine { observe }
    }

    /// The results of `program`. Values are given up after their last use, so that updates happen in place.
    pub fn run(&mut self, program: &Program, arguments: Vec<Literal>) -> Result<Vec<Literal>> {
        check_arguments(program, &arguments)?;
        let mut uses = program.use_counts();
        let mut values: Vec<Option<Literal>> = Vec::with_capacity(program.value_count());
        values.extend(arguments.into_iter().map(Some));
        let take =
            |values: &mut Vec<Option<Literal>>, uses: &mut Vec<u32>, index: usize| -> Result<Literal> {
                uses[index] -= 1;
                let value = if uses[index] == 0 { values[index].take() } else { values[index].clone() };
                value.ok_or_else(|| {
                    Error::internal(format!("%{index} of {} is used before it is made", program.name()))
                })
            };
        for instr in program.instrs() {
            let mut operands = Vec::with_capacity(instr.operands.len());
            for value in &instr.operands {
                operands.push(take(&mut values, &mut uses, value.index())?);
            }
            let types: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
            let room = check_room(&instr.op, &operands, &types);
            let results = room.and_then(|()| self.apply(&instr.op, operands, &types)).map_err(|error| {
                let error = error.op(instr.op.called());
                match instr.source.location {
                    Some(location) => error.at(location),
                    None => error,
                }
            })?;
            let found: Vec<Type> = results.iter().map(Literal::ty).collect();
            if found != types {
                let name = instr.op.name();
                return Err(Error::internal(format!(
                    "results of {name} are {found:?}, inference says {types:?}"
                )));
            }
            (self.observe)(instr, &results);
            for (value, result) in instr.results().zip(results) {
                values.push((uses[value.index()] > 0).then_some(result));
            }
        }
        program.results().iter().map(|value| take(&mut values, &mut uses, value.index())).collect()
    }
}

/// Checks that there is memory for the numbers that an op computes with: as wide as there are, for every element of its
/// operands and results. What only moves elements takes its results alone, which are checked when they are made.
fn check_room(op: &Op, operands: &[Literal], results: &[Type]) -> Result<()> {
    let moves = matches!(op, family!(Source) | family!(Movement) | family!(Indexing) | family!(Marker));
    if moves || !op.programs().is_empty() {
        return Ok(());
    }
    let mut bytes = 0usize;
    for ty in operands.iter().map(Literal::ty).chain(results.iter().copied()) {
        bytes = bytes.saturating_add(ty.elements()?.saturating_mul(size_of::<c128>()));
    }
    let types: Vec<String> = results.iter().map(Type::to_string).collect();
    memory::check(bytes, &format_args!("computing {}", types.join(", ")))
}

fn check_arguments(program: &Program, arguments: &[Literal]) -> Result<()> {
    let (name, params) = (program.name(), program.params());
    if params.len() != arguments.len() {
        let (takes, found) = (params.len(), arguments.len());
        return Err(Error::program(format!("{name} takes {takes} arguments, {found} were given")));
    }
    for (i, (param, argument)) in params.iter().zip(arguments).enumerate() {
        if param.ty != argument.ty() {
            let path = param.path.path();
            let path = if path.is_empty() { String::new() } else { format!(" ({path})") };
            let found = argument.ty();
            return Err(Error::program(format!(
                "argument {i}{path} of {name} is {}, {found} was given",
                param.ty
            )));
        }
    }
    Ok(())
}
