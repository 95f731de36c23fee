//! Runs the steps of one tile.

use super::body::{Args, Isa};
use super::program::{Access, Base, Extent, Operand, Place, Program};
use super::runnable::Runnable;
use super::table;

/// Scratch memory, aligned to a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

thread_local! {
    static SCRATCH: std::cell::Cell<Vec<Line>> = const { std::cell::Cell::new(Vec::new()) };
}

/// Lends `f` at least `bytes` of this thread's scratch memory, whose contents are unspecified.
pub(super) fn with_scratch(bytes: usize, f: impl FnOnce(*mut u8)) {
    let mut scratch = SCRATCH.take();
    let lines = bytes.div_ceil(64);
    if scratch.len() < lines {
        scratch.resize(lines, Line([0; 64]));
    }
    f(scratch.as_mut_ptr().cast());
    SCRATCH.set(scratch);
}

/// The pointers of one run; shared by its tasks.
#[derive(Clone, Copy)]
pub(super) struct Buffers<'a> {
    pub inputs: &'a [*const u8],
    pub outputs: &'a [*mut u8],
    /// The results of earlier reductions, and their element sizes.
    pub given: &'a [*mut u8],
    pub partial: &'a [*mut u8],
    pub partial_index: &'a [*mut u8],
    /// Whether outputs may be written around the caches: none is an input.
    #[cfg_attr(
        not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
        allow(dead_code, reason = "only machine code does")
    )]
    pub stream: bool,
}

// SAFETY: tasks of a run write disjoint elements; `Plan::run`'s caller promises the buffers for its duration.
unsafe impl Sync for Buffers<'_> {}

/// The scratch layout of a program and the tile it works on.
pub(super) struct Frame<'a> {
    pub runnable: &'a Runnable,
    pub scratch: *mut u8,
    /// The bytes of a tile, and of a row register.
    pub tile_bytes: usize,
    pub row_bytes: usize,
    pub lanes: &'a [*mut u8],
    places: Vec<(*mut u8, isize)>,
}

/// The position of a tile in the iteration space.
#[derive(Clone, Copy)]
pub(super) struct Tile<'a> {
    /// The first index along each dimension.
    pub index: &'a [usize],
    pub run: Option<usize>,
    pub rows: usize,
    pub first_col: usize,
    pub cols: usize,
    /// The row's number, and the number of the chunk of columns, for results of reductions.
    pub row: usize,
    pub chunk: usize,
    pub chunks: usize,
    /// The position in the reduced extent.
    pub lane: usize,
}

pub(super) fn scratch_bytes(program: &Program, tile_bytes: usize, row_bytes: usize) -> usize {
    program.tiles as usize * tile_bytes + program.rows as usize * row_bytes
}

impl<'a> Frame<'a> {
    pub fn new(
        runnable: &'a Runnable,
        scratch: *mut u8,
        tile_bytes: usize,
        row_bytes: usize,
        lanes: &'a [*mut u8],
    ) -> Self {
        let accesses = match runnable {
            Runnable::Steps(program) => program.loads.len() + program.stores.len(),
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(_) => 0,
        };
        Frame {
            runnable,
            scratch,
            tile_bytes,
            row_bytes,
            lanes,
            places: vec![(std::ptr::null_mut(), 0); accesses],
        }
    }

    /// Writes the tiles that hold constants, `elements` long.
    ///
    /// # Safety
    /// The scratch is as long as [`Runnable::scratch`] says, and a tile holds `elements`.
    pub unsafe fn fill(&self, isa: Isa, elements: usize) {
        let program = match self.runnable {
            Runnable::Steps(program) => program,
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(_) => return,
        };
        for &(tile, constant, size) in &program.filled {
            let args = Args {
                rows: 1,
                cols: elements,
                dst: self.scratch.wrapping_add(tile as usize * self.tile_bytes),
                dst_pitch: 0,
                dst_step: size.into(),
                src: [Self::constant(program, constant); 4],
                pitch: [0; 4],
                src_step: 0,
                base: 0,
                dst2: std::ptr::null_mut(),
            };
            // SAFETY: the tile holds the elements by the caller's promise; the constant has 8 bytes.
            unsafe { table::copy(isa, size.into())(&args) };
        }
    }

    // Little-endian: the low bytes come first.
    fn constant(program: &Program, k: u16) -> *const u8 {
        (&raw const program.consts[k as usize]).cast()
    }

    fn access(base: *mut u8, access: &Access, tile: &Tile<'_>) -> (*mut u8, isize) {
        let map = &access.map;
        let mut at = map.offset + map.col * tile.first_col as i64;
        for (&i, &stride) in tile.index.iter().zip(&map.rows) {
            at += i as i64 * stride;
        }
        let size = access.size as isize;
        (base.wrapping_offset(at as isize * size), tile.run.map_or(0, |d| map.rows[d]) as isize * size)
    }

    fn resolve(
        &self,
        program: &Program,
        o: Operand,
        tile: &Tile<'_>,
        buffers: &Buffers<'_>,
    ) -> (*mut u8, isize) {
        let size = o.size as usize;
        match o.place {
            Place::None => (std::ptr::null_mut(), 0),
            Place::Tile(t) => {
                (self.scratch.wrapping_add(t as usize * self.tile_bytes), (tile.cols * size) as isize)
            }
            Place::Row(r) => {
                let at = program.tiles as usize * self.tile_bytes + r as usize * self.row_bytes;
                (self.scratch.wrapping_add(at), size as isize)
            }
            Place::Const(k) => (Self::constant(program, k).cast_mut(), 0),
            Place::Load(l) => self.places[l as usize],
            Place::Store(s) => self.places[program.loads.len() + s as usize],
            Place::Given(g) => (buffers.given[g as usize].wrapping_add(tile.row * size), size as isize),
            Place::Partial(p) => {
                let at = (tile.row * tile.chunks + tile.chunk) * size;
                (buffers.partial[p as usize].wrapping_add(at), size as isize)
            }
            Place::PartialIndex(p) => {
                let at = (tile.row * tile.chunks + tile.chunk) * size;
                (buffers.partial_index[p as usize].wrapping_add(at), size as isize)
            }
            Place::Lanes(l) => (self.lanes[l as usize], (tile.cols * size) as isize),
        }
    }

    /// Runs the program on one tile.
    ///
    /// # Safety
    /// `Plan::run`'s promise; the scratch is as long as [`Runnable::scratch`] says for this tile, and aligned to 64 bytes.
    pub unsafe fn run(&mut self, tile: &Tile<'_>, buffers: &Buffers<'_>) {
        let program = match self.runnable {
            Runnable::Steps(program) => program,
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(native) => {
                // SAFETY: the caller's promise; the scratch is aligned and as long as the code says.
                unsafe { native.code.run(tile, buffers, self.lanes, self.scratch, buffers.stream) };
                return;
            }
        };
        for (i, load) in program.loads.iter().enumerate() {
            self.places[i] = Self::access(buffers.inputs[load.buffer].cast_mut(), load, tile);
        }
        for (i, store) in program.stores.iter().enumerate() {
            self.places[program.loads.len() + i] = Self::access(buffers.outputs[store.buffer], store, tile);
        }
        for step in &program.steps {
            let (mut rows, mut cols) = match step.extent {
                Extent::Full => (tile.rows, tile.cols),
                Extent::Row => (1, tile.rows),
                Extent::One => (1, 1),
            };
            if !step.fold && rows * cols == 0 {
                continue;
            }
            let (dst, dst_pitch) = self.resolve(program, step.dst, tile, buffers);
            let (dst2, _) = self.resolve(program, step.dst2, tile, buffers);
            let mut args = Args {
                rows,
                cols,
                dst,
                dst_pitch,
                dst_step: step.dst_step,
                src: [std::ptr::null(); 4],
                pitch: [0; 4],
                src_step: step.src_step,
                base: match step.base {
                    Base::Zero => 0,
                    Base::Col => tile.first_col as i64,
                    Base::Row(d) => tile.index[d] as i64,
                    Base::Lane => tile.lane as i64,
                },
                dst2,
            };
            let mut packed = step.flat && rows > 1 && dst_pitch == (cols * step.dst.size as usize) as isize;
            for (i, &src) in step.src.iter().enumerate() {
                if src.place == Place::None {
                    break;
                }
                let (p, pitch) = self.resolve(program, src, tile, buffers);
                args.src[i] = p;
                args.pitch[i] = pitch;
                packed &= match src.place {
                    Place::Const(_) => true,
                    // One element per row.
                    Place::Row(_) | Place::Given(_) => false,
                    _ => pitch == (cols * src.size as usize) as isize,
                };
            }
            if packed {
                cols *= rows;
                rows = 1;
                args.rows = rows;
                args.cols = cols;
            }
            // SAFETY: the compiler of the program matched kernel, element types and extents; destinations are
            // scratch of their own or outputs, which do not overlap what the step reads.
            unsafe { (step.kernel)(&args) };
        }
    }
}
