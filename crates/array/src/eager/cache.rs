//! A client's cache for eager operations: executables by the structure of the recorded operations, executables of single
//! operations, and numbers as buffers.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_base::{Error, Result, Source, Type, work};
use jarrah_hlo::{Builder, Op, Program, Value};
use jarrah_runtime::{Buffer, CompileOptions, DeviceId, Executable, HostSource};
use rustc_hash::{FxHashMap, FxHasher};

use super::node::{Scalar, fill};
use super::strict::Prepared;
use crate::device::Device;

/// The most operations in the structures that are kept, with [`FIXED`] for each structure.
const KEPT: usize = 1 << 18;
/// The fixed memory of an executable, however short, expressed as a number of operations.
const FIXED: usize = 64;
/// The most numbers that are kept as buffers, and the most operations that are kept prepared.
const MANY: usize = 4096;

/// How a value of a recording came about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// An array that had data.
    Input,
    /// A number, or a tensor whose elements all equal one number.
    Scalar,
    /// The result of an operation.
    Result,
}

/// The recorded operations without their data. Two equal structures compute equal results from equal inputs.
#[derive(Default)]
pub(super) struct Structure {
    ops: Vec<Op>,
    /// The operands of all operations in one list, operation by operation, as indices into `values`.
    operands: Vec<u32>,
    /// For each operation the end of its operands in `operands`, and the range of its results in `values`.
    ends: Vec<(u32, u32, u32)>,
    /// All values in the order in which they appeared: an operation's inputs before its results.
    values: Vec<(Type, Kind)>,
    hash: u64,
}

impl PartialEq for Structure {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.values == other.values
            && self.operands == other.operands
            && self.ends == other.ends
            && self.ops == other.ops
    }
}

impl Structure {
    /// The number of operations.
    pub(super) fn len(&self) -> usize {
        self.ops.len()
    }

    /// The weight of the structure in the cache's limit [`KEPT`].
    fn weight(&self) -> usize {
        self.ops.len() + FIXED
    }

    pub(super) fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The operands of an operation, as indices of values.
    pub(super) fn operands(&self, op: usize) -> &[u32] {
        let start = if op == 0 { 0 } else { self.ends[op - 1].0 };
        &self.operands[start as usize..self.ends[op].0 as usize]
    }

    /// The results of an operation, as indices of values.
    pub(super) fn results(&self, op: usize) -> std::ops::Range<usize> {
        let (_, first, end) = self.ends[op];
        first as usize..end as usize
    }

    pub(super) fn values(&self) -> &[(Type, Kind)] {
        &self.values
    }

    /// Adds an input or a scalar.
    pub(super) fn input(&mut self, ty: Type, kind: Kind) -> u32 {
        self.mix((ty, kind));
        self.values.push((ty, kind));
        self.values.len() as u32 - 1
    }

    /// Adds an operation with results of these types; returns the index of its first result.
    pub(super) fn op(&mut self, op: Op, operands: &[u32], types: &[Type]) -> u32 {
        self.mix((&op, operands));
        self.ops.push(op);
        self.operands.extend_from_slice(operands);
        let first = self.values.len() as u32;
        self.values.extend(types.iter().map(|&ty| (ty, Kind::Result)));
        self.ends.push((self.operands.len() as u32, first, self.values.len() as u32));
        first
    }

    fn mix(&mut self, more: impl Hash) {
        let mut state = FxHasher::default();
        self.hash.hash(&mut state);
        more.hash(&mut state);
        self.hash = state.finish();
    }

    /// The program of these operations with the values `outputs` as its results. Its parameters are the inputs and the
    /// scalars that are `varying`, in order; other scalars are constants.
    fn program(
        &self,
        sources: &[Source],
        scalars: &[Scalar],
        varying: &[bool],
        outputs: &[u32],
    ) -> Result<Program> {
        let mut b = Builder::new("eager");
        let mut values: Vec<Value> = Vec::with_capacity(self.values.len());
        let mut scalars = scalars.iter().zip(varying);
        for (index, (op, source)) in self.ops.iter().zip(sources).enumerate() {
            b.set_source(*source);
            while let Some(&(ty, kind)) = self.values.get(values.len())
                && kind != Kind::Result
            {
                values.push(match kind {
                    Kind::Input | Kind::Result => b.param(ty, ""),
                    Kind::Scalar => {
                        let missing = || Error::internal("a recorded number is missing");
                        let (scalar, varies) = scalars.next().ok_or_else(missing)?;
                        let value = match varies {
                            true => b.param(scalar.ty(), ""),
                            false => b.one(jarrah_hlo::ops::Constant { value: scalar.literal()? }, &[])?,
                        };
                        if ty.rank() == 0 { value } else { b.one(fill(ty), &[value])? }
                    }
                });
            }
            let operands: Vec<Value> = self.operands(index).iter().map(|&v| values[v as usize]).collect();
            values.extend(b.push(op.clone(), &operands)?);
        }
        let outputs: Vec<Value> = outputs.iter().map(|&v| values[v as usize]).collect();
        b.finish(&outputs)
    }
}

/// A structure with the executables made for it.
///
/// It is found out by use which results are read and which scalars change between runs. An executable that returns more results
/// than are wanted serves too, so each new one has all results and parameters of the earlier ones.
pub(super) struct Entry {
    structure: Structure,
    variants: Mutex<Vec<Arc<Variant>>>,
}

/// An executable of a structure.
pub(super) struct Variant {
    /// The values it returns, increasing.
    pub(super) outputs: Vec<u32>,
    /// For each scalar whether it is a parameter of the executable, or else a constant in it.
    pub(super) varying: Vec<bool>,
    /// The scalars when it was compiled, which are constants where they are no parameters.
    scalars: Vec<Scalar>,
    pub(super) executable: Arc<dyn Executable>,
}

/// The most executables of a structure; the last one takes all scalars as parameters and returns all results.
const VARIANTS: usize = 4;

impl Variant {
    fn serves(&self, wanted: &[u32], scalars: &[Scalar]) -> bool {
        let mut outputs = self.outputs.iter();
        let same = |((&varies, then), now): ((&bool, &Scalar), &Scalar)| varies || then == now;
        wanted.iter().all(|v| outputs.any(|o| o == v))
            && self.varying.iter().zip(&self.scalars).zip(scalars).all(same)
    }
}

impl Entry {
    /// An executable for these scalars that returns at least the values `wanted`, which are increasing.
    pub(super) fn variant(
        &self,
        device: &Device,
        sources: &[Source],
        wanted: &[u32],
        scalars: &[Scalar],
    ) -> Result<Arc<Variant>> {
        work::step(wanted.len() + scalars.len());
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        // The last one has most results: the first that serves does least.
        if let Some(variant) = variants.iter().find(|v| v.serves(wanted, scalars)) {
            return Ok(variant.clone());
        }
        let all = variants.len() + 1 >= VARIANTS;
        let (mut outputs, mut varying) = (wanted.to_vec(), vec![all; scalars.len()]);
        if all {
            let values = self.structure.values.iter().enumerate();
            outputs = values.filter(|(_, (_, kind))| *kind == Kind::Result).map(|(i, _)| i as u32).collect();
        } else if let Some(last) = variants.last() {
            outputs.extend(&last.outputs);
            outputs.sort_unstable();
            outputs.dedup();
            for (i, varies) in varying.iter_mut().enumerate() {
                *varies = last.varying[i] || last.scalars[i] != scalars[i];
            }
        }
        let program = Arc::new(self.structure.program(sources, scalars, &varying, &outputs)?);
        let executable = device.executable(&program, &CompileOptions::default())?;
        let variant = Arc::new(Variant { outputs, varying, scalars: scalars.to_vec(), executable });
        variants.push(variant.clone());
        Ok(variant)
    }
}

/// A client's cache for eager operations.
#[derive(Default)]
pub(crate) struct Cache {
    structures: Mutex<Structures>,
    prepared: Mutex<FxHashMap<u64, Vec<Arc<Prepared>>>>,
    scalars: Mutex<FxHashMap<(Scalar, DeviceId), Buffer>>,
}

#[derive(Default)]
struct Structures {
    entries: FxHashMap<u64, Vec<(Arc<Entry>, u64)>>,
    clock: u64,
    /// The weight of all entries, which [`KEPT`] limits.
    weight: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// The cache entry of a structure. A new structure is moved into a new entry, which leaves `structure` empty.
    pub(super) fn entry(&self, structure: &mut Structure) -> Arc<Entry> {
        let mut state = lock(&self.structures);
        state.clock += 1;
        let now = state.clock;
        let known = state.entries.get_mut(&structure.hash);
        if let Some((entry, used)) =
            known.and_then(|all| all.iter_mut().find(|(e, _)| e.structure == *structure))
        {
            *used = now;
            return entry.clone();
        }
        if state.weight + structure.weight() > KEPT {
            state.forget();
        }
        let structure = std::mem::take(structure);
        state.weight += structure.weight();
        let hash = structure.hash;
        let entry = Arc::new(Entry { structure, variants: Mutex::default() });
        state.entries.entry(hash).or_default().push((entry.clone(), now));
        entry
    }

    /// The cached prepared operation with this hash for which `same` holds.
    pub(super) fn known(&self, hash: u64, same: impl Fn(&Prepared) -> bool) -> Option<Arc<Prepared>> {
        lock(&self.prepared).get(&hash).and_then(|all| all.iter().find(|p| same(p))).cloned()
    }

    /// Keeps a prepared operation.
    pub(super) fn keep(&self, hash: u64, prepared: Prepared) -> Arc<Prepared> {
        let prepared = Arc::new(prepared);
        let mut all = lock(&self.prepared);
        if all.len() >= MANY {
            all.clear();
        }
        all.entry(hash).or_default().push(prepared.clone());
        prepared
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let structures = std::mem::take(&mut *lock(&self.structures));
        let prepared = std::mem::take(&mut *lock(&self.prepared));
        let scalars = std::mem::take(&mut *lock(&self.scalars));
        // Dropped when the locks are free.
        drop((structures, prepared, scalars));
    }

    /// A number as a shared buffer: every operation with this number reads it, so it is never donated.
    pub(super) fn scalar(&self, scalar: Scalar, device: &Device) -> Result<Buffer> {
        let key = (scalar, device.id());
        if let Some(buffer) = lock(&self.scalars).get(&key) {
            return Ok(buffer.clone());
        }
        let buffer = upload(scalar, device)?;
        let mut all = lock(&self.scalars);
        if all.len() >= MANY {
            all.clear();
        }
        all.insert(key, buffer.clone());
        Ok(buffer)
    }
}

/// A number as a new buffer that is not shared.
pub(super) fn upload(scalar: Scalar, device: &Device) -> Result<Buffer> {
    scalar.with_bytes(|bytes| {
        let (client, place) = (device.client(), device.id().into());
        client.buffer_from_host(scalar.ty(), HostSource::Borrowed(bytes), place)
    })?
}

impl Structures {
    /// Drops the least recently used half.
    fn forget(&mut self) {
        let mut times: Vec<u64> = self.entries.values().flatten().map(|(_, used)| *used).collect();
        times.sort_unstable();
        let Some(&median) = times.get(times.len() / 2) else { return };
        self.entries.retain(|_, all| {
            all.retain(|(_, used)| *used > median);
            !all.is_empty()
        });
        self.weight = self.entries.values().flatten().map(|(entry, _)| entry.structure.weight()).sum();
    }
}

impl Entry {
    pub(super) fn structure(&self) -> &Structure {
        &self.structure
    }
}
