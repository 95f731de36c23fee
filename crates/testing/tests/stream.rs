//! A device of another kind: memory that the host cannot read, and a stream, which does what it is asked later and in order. The
//! executor runs programs on it as on the CPU; the corpus of JAX's programs does (`corpus.rs`).

use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use jarrah_base::{DType, Error, HostView, Literal, Result, Type};
use jarrah_compiler::Reference;
use jarrah_execute::{
    Backend, BackendAddress, BackendMemory, Beside, BoxedSteps, DeviceOptions, Devices, Frame, Independent,
    PlacedArray, Step, StepBuilder, StepSite, control,
};
use jarrah_hlo::ops::{Assert, Comparison};
use jarrah_hlo::{Builder, Op, Program};
use jarrah_runtime::{
    Arg, Client, CompileOptions, Event, ExecuteOptions, MemoryKind, MemoryStats, NoPreferences, Preferences,
    Promise, Way,
};
use rustc_hash::FxHashMap;

/// A place in the device's memory.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Spot {
    block: u64,
    offset: usize,
}

impl BackendAddress for Spot {
    fn plus(self, bytes: usize) -> Self {
        Spot { offset: self.offset + bytes, ..self }
    }
}

/// The work of a stream.
enum Command {
    Take(u64, usize),
    Free(u64),
    Write(Spot, Vec<u8>),
    Copy(Spot, Spot, usize),
    Evaluate(Arc<Program>, Vec<(Type, Spot)>, Vec<Spot>),
    Read(Spot, usize, Sender<Vec<u8>>),
    Finish(Promise),
}

/// The thread that does the work: it alone has the memory.
fn serve(commands: &Receiver<Command>) {
    let mut memory: FxHashMap<u64, Vec<u8>> = FxHashMap::default();
    let mut failed: Option<Error> = None;
    let read = |memory: &FxHashMap<u64, Vec<u8>>, at: Spot, bytes: usize| {
        memory[&at.block][at.offset..at.offset + bytes].to_vec()
    };
    fn write(memory: &mut FxHashMap<u64, Vec<u8>>, at: Spot, bytes: &[u8]) {
        memory.get_mut(&at.block).unwrap()[at.offset..at.offset + bytes.len()].copy_from_slice(bytes);
    }
    while let Ok(command) = commands.recv() {
        match command {
            Command::Take(block, bytes) => {
                memory.insert(block, vec![0xA5; bytes]);
            }
            Command::Free(block) => {
                memory.remove(&block);
            }
            Command::Write(at, bytes) => write(&mut memory, at, &bytes),
            Command::Copy(from, to, bytes) => {
                let bytes = read(&memory, from, bytes);
                write(&mut memory, to, &bytes);
            }
            Command::Evaluate(program, from, to) => {
                let operand = |&(ty, at): &(Type, Spot)| {
                    Literal::from_bytes(ty, &read(&memory, at, ty.bytes().unwrap())).unwrap()
                };
                let operands: Vec<Literal> = from.iter().map(operand).collect();
                match jarrah_hlo_eval::evaluate(&program, &operands) {
                    Ok(results) => {
                        for (at, result) in to.iter().zip(results) {
                            write(&mut memory, *at, result.bytes());
                        }
                    }
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            Command::Read(at, bytes, to) => {
                let _ = to.send(read(&memory, at, bytes));
            }
            Command::Finish(done) => done.complete(failed.take().map_or(Ok(()), Err)),
        }
    }
}

#[derive(Clone)]
struct Stream(Arc<Mutex<Sender<Command>>>);

impl Stream {
    fn new() -> Stream {
        let (sender, receiver) = channel();
        std::thread::spawn(move || serve(&receiver));
        Stream(Arc::new(Mutex::new(sender)))
    }

    fn ask(&self, command: Command) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(command).unwrap();
    }

    fn read(&self, at: Spot, bytes: usize) -> Vec<u8> {
        let (to, from) = channel();
        self.ask(Command::Read(at, bytes, to));
        from.recv().unwrap()
    }

    fn take(&self, bytes: usize) -> Block {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let block = NEXT.fetch_add(1, Ordering::Relaxed);
        self.ask(Command::Take(block, bytes));
        Block { stream: self.clone(), block }
    }
}

pub struct Block {
    stream: Stream,
    block: u64,
}

impl Drop for Block {
    fn drop(&mut self) {
        self.stream.ask(Command::Free(self.block));
    }
}

impl BackendMemory for Block {
    type Address = Spot;

    fn address(&self) -> Spot {
        Spot { block: self.block, offset: 0 }
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn view(self: &Arc<Self>, bytes: usize) -> Result<HostView> {
        Ok(HostView::new(self.stream.read(self.address(), bytes)))
    }

    fn populate(&self, _: Range<usize>) {}
}

/// An instruction, which the stream evaluates.
struct Evaluate {
    program: Arc<Program>,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
}

impl Step<Tiny> for Evaluate {
    fn run(&self, frame: &mut Frame<'_, Tiny>) -> Result<()> {
        let from = self.operands.iter().map(|array| (array.ty, frame.address(array.loc))).collect();
        let to = self.results.iter().map(|array| frame.address(array.loc)).collect();
        frame.device.0.ask(Command::Evaluate(self.program.clone(), from, to));
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Evaluator
    }

    fn independent(&self) -> Option<&dyn Independent<Tiny>> {
        Some(self)
    }
}

impl Independent<Tiny> for Evaluate {
    fn reads(&self) -> &[PlacedArray] {
        &self.operands
    }

    fn writes(&self) -> &[PlacedArray] {
        &self.results
    }

    fn run_beside(&self, frame: &Frame<'_, Tiny>) {
        let from = self.operands.iter().map(|array| (array.ty, frame.address(array.loc))).collect();
        let to = self.results.iter().map(|array| frame.address(array.loc)).collect();
        frame.device.0.ask(Command::Evaluate(self.program.clone(), from, to));
    }
}

pub struct Tiny(Stream);

impl Backend for Tiny {
    type Memory = Block;
    type Target = Reference;
    type Plans = ();

    fn platform(&self) -> &str {
        "stream"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn preferences(&self) -> &dyn Preferences {
        &NoPreferences
    }

    fn runs_inline(&self) -> bool {
        false
    }

    fn target(&self) -> Reference {
        Reference::default()
    }

    fn take(&self, bytes: usize) -> Option<Block> {
        Some(self.0.take(bytes))
    }

    fn zeros(&self, bytes: usize) -> Option<Block> {
        let block = self.0.take(bytes);
        self.0.ask(Command::Write(block.address(), vec![0; bytes]));
        Some(block)
    }

    fn adopt(&self, view: HostView) -> std::result::Result<Block, HostView> {
        Err(view)
    }

    fn constant(&self, value: &Literal) -> Result<Block> {
        let block = self.0.take(value.bytes().len());
        self.0.ask(Command::Write(block.address(), value.bytes().to_vec()));
        Ok(block)
    }

    fn write(&self, memory: &mut Block, bytes: &[u8]) -> Result<()> {
        self.0.ask(Command::Write(memory.address(), bytes.to_vec()));
        Ok(())
    }

    fn duplicate(&self, memory: &mut Block, from: &Arc<Block>, bytes: usize) -> Result<()> {
        self.write(memory, from.view(bytes)?.bytes())
    }

    fn fill(
        &self,
        memory: &mut Block,
        bytes: usize,
        by: &mut dyn FnMut(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let mut filled = vec![0; bytes];
        by(&mut filled)?;
        self.write(memory, &filled)
    }

    fn usage(&self) -> MemoryStats {
        MemoryStats::default()
    }

    fn give_back_unused(&self) {}

    fn plans(&self) {}

    fn lower(b: &mut StepBuilder<Self>, site: &StepSite<'_>, steps: &mut BoxedSteps<Self>) -> Result<()> {
        match &site.instr.op {
            Op::Constant(_) => {}
            Op::While(op) => steps.push(control::repeat(b, site, op)?),
            Op::Case(op) => steps.push(control::case(b, site, op)?),
            Op::Scan(op) => steps.push(control::scan(b, site, op)?),
            op => {
                let mut builder = Builder::new(op.name());
                let operands: Vec<_> =
                    site.operands.iter().map(|operand| builder.param(operand.ty, "")).collect();
                let results = builder.push(op.clone(), &operands)?;
                let program = Arc::new(builder.finish(&results)?);
                let (operands, results) = (site.operands.clone(), site.results.clone());
                steps.push(Box::new(Evaluate { program, operands, results }));
            }
        }
        Ok(())
    }

    fn copy(frame: &Frame<'_, Self>, from: Spot, to: Spot, bytes: usize) -> Result<()> {
        frame.device.0.ask(Command::Copy(from, to, bytes));
        Ok(())
    }

    fn bytes<'f>(frame: &'f Frame<'_, Self>, at: Spot, bytes: usize) -> Result<Cow<'f, [u8]>> {
        Ok(frame.device.0.read(at, bytes).into())
    }

    fn integer(frame: &Frame<'_, Self>, array: &PlacedArray) -> Result<i128> {
        let bytes = frame.device.0.read(frame.address(array.loc), array.bytes());
        Ok(Literal::from_bytes(array.ty, &bytes)?.get_i128(0))
    }

    fn beside(frame: &Frame<'_, Self>, steps: &[Beside<'_, Self>]) -> Result<()> {
        steps.iter().rev().for_each(|step| step.run(frame));
        Ok(())
    }

    fn finish(&self) -> Event {
        let (done, event) = Event::promise();
        self.0.ask(Command::Finish(done));
        event
    }
}

/// A client with one such device.
pub struct StreamClient(Devices<Tiny>);

impl StreamClient {
    pub fn new() -> StreamClient {
        let options = DeviceOptions {
            kind: "stream".to_owned(),
            memories: vec![MemoryKind::Device],
            asynchronous: true,
            cache: None,
            observers: Vec::new(),
        };
        StreamClient(Devices::new(vec![Tiny(Stream::new())], options))
    }
}

impl Deref for StreamClient {
    type Target = Devices<Tiny>;

    fn deref(&self) -> &Devices<Tiny> {
        &self.0
    }
}

fn numbers(n: usize) -> Literal {
    Literal::from_slice(&[n], &(0..n).map(|i| i as f32).collect::<Vec<_>>()).unwrap()
}

/// A run on a stream has ended when the device has done its steps: results that are read wait for it, a failed assertion is the
/// error of the results, and what is computed from them, and the next run is none of its business.
#[test]
fn an_error_of_a_stream_is_that_of_the_run_it_belongs_to() {
    let client = StreamClient::new();
    let mut b = Builder::new("checked");
    let x = b.param(Type::tensor(DType::F32, [4]), "x");
    let limit = b.param(Type::scalar(DType::F32), "limit");
    let sum = b.sum(x, &[0]).unwrap();
    let fits = b.compare(Comparison::Lt, sum, limit).unwrap();
    b.push(Assert { message: "the sum is too large".into() }, &[fits]).unwrap();
    let y = b.add(x, x).unwrap();
    let program = b.finish(&[y]).unwrap();
    let checked = client.compile(&program, &CompileOptions::default()).unwrap();
    let x = client.upload(&numbers(4)).unwrap();
    let limit = |value: f32| client.upload(&Literal::from_slice(&[], &[value]).unwrap()).unwrap();
    let wrong = checked.run(vec![x.clone(), limit(1.0)]).unwrap();
    let after = checked.run(vec![wrong[0].clone(), limit(100.0)]).unwrap();
    let right = checked.run(vec![x, limit(100.0)]).unwrap();
    for failed in [&wrong[0], &after[0]] {
        let error = failed.read().unwrap_err().to_string();
        assert!(error.contains("the sum is too large"), "{error}");
    }
    assert_eq!(right[0].read().unwrap().to_f64_vec(), [0.0, 2.0, 4.0, 6.0]);
}

/// A donated buffer of a stream is overwritten where it lies, in the order of the stream, and gone for its handles.
#[test]
fn donated_memory_of_a_stream_is_written_in_order() {
    let client = StreamClient::new();
    let mut b = Builder::new("double");
    let x = b.param(Type::tensor(DType::F32, [64]), "x");
    let y = b.add(x, x).unwrap();
    let program = b.finish(&[y]).unwrap();
    let double = client.compile(&program, &CompileOptions::donating(&[0])).unwrap();
    let mut x = client.upload(&numbers(64)).unwrap();
    for _ in 0..10 {
        let arguments = vec![Arg::Donate(x.clone())];
        let (mut results, _) = double.execute_on_one(arguments, &ExecuteOptions::default()).unwrap();
        assert!(x.is_deleted());
        x = results.remove(0);
    }
    let expected: Vec<f64> = (0..64).map(|i| f64::from(i) * 1024.0).collect();
    assert_eq!(x.read().unwrap().to_f64_vec(), expected);
}
