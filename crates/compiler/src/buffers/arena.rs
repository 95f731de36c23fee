use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A buffer that is alive from instruction `start` to `end`, both included.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    pub start: usize,
    pub end: usize,
    pub bytes: usize,
}

/// Buffers that share one stretch in each memory.
pub struct Arena {
    buffers: Vec<Interval>,
    /// Every buffer starts at a multiple of this many bytes.
    alignment: usize,
}

/// The memory and the offset of each buffer, and the bytes of them together in each memory.
pub struct Placed {
    pub places: Vec<(usize, usize)>,
    pub bytes: Vec<usize>,
}

/// The buffers in one memory.
#[derive(Default)]
struct Stretch {
    offsets: Vec<usize>,
    bytes: usize,
    /// The buffers for which this memory has no room.
    left: Vec<usize>,
}

/// How many pairs of buffers alive together are looked at; the buffers that are left, the smallest, are placed by time.
const MOST_PAIRS: usize = 1 << 23;

impl Arena {
    pub fn new(alignment: usize) -> Arena {
        Arena { buffers: Vec::new(), alignment }
    }

    /// Adds a buffer and returns its number.
    pub fn add(&mut self, interval: Interval) -> usize {
        self.buffers.push(interval);
        self.buffers.len() - 1
    }

    /// Places buffers, the largest first, each in the tightest gap between buffers alive at the same time, in the first memory
    /// that has room for it. The last memory takes everything: what does not fit is refused later. Sums of sizes saturate.
    pub fn place(&self, room: &[usize]) -> Placed {
        self.place_by(MOST_PAIRS, room)
    }

    fn place_by(&self, most_pairs: usize, room: &[usize]) -> Placed {
        let mut placed = Placed { places: vec![(0, 0); self.buffers.len()], bytes: Vec::new() };
        let mut left: Vec<usize> = (0..self.buffers.len()).filter(|&i| self.buffers[i].bytes > 0).collect();
        let count = room.len();
        for (memory, &room) in room.iter().enumerate() {
            let is_last = memory + 1 == count;
            let stretch = self.place_in(&left, most_pairs, if is_last { usize::MAX } else { room });
            left.iter().for_each(|&i| placed.places[i] = (memory, stretch.offsets[i]));
            placed.bytes.push(stretch.bytes);
            left = stretch.left;
        }
        placed
    }

    /// Places those of `buffers` that one memory has room for.
    fn place_in(&self, buffers: &[usize], most_pairs: usize, room: usize) -> Stretch {
        let mut order = buffers.to_vec();
        order.sort_by_key(|&i| (Reverse(self.buffers[i].bytes), self.buffers[i].start, i));
        let mut alive = Alive::new(self.buffers.iter().map(|b| b.end + 1).max().unwrap_or(0));
        let mut placed = Stretch { offsets: vec![0; self.buffers.len()], ..Stretch::default() };
        let mut others: Vec<(usize, usize)> = Vec::new();
        let mut pairs = 0;
        for (position, &i) in order.iter().enumerate() {
            if pairs > most_pairs {
                self.place_by_time(&order[position..], room, &mut placed);
                break;
            }
            let (interval, bytes) = (self.buffers[i], self.taken(i));
            others.clear();
            alive.with(interval, |other| {
                others.push((placed.offsets[other], placed.offsets[other].saturating_add(self.taken(other))));
            });
            pairs += others.len();
            others.sort_unstable();
            let (mut best, mut best_gap, mut free) = (None, usize::MAX, 0);
            for &(from, to) in &others {
                if from >= free && from - free >= bytes && from - free < best_gap {
                    (best, best_gap) = (Some(free), from - free);
                }
                free = free.max(to);
            }
            let offset = best.unwrap_or(free);
            if offset.saturating_add(bytes) > room {
                placed.left.push(i);
                continue;
            }
            placed.offsets[i] = offset;
            placed.bytes = placed.bytes.max(offset.saturating_add(bytes));
            alive.insert(i, interval);
        }
        placed
    }

    /// Places `buffers` above those that are placed: the earliest first, each into the smallest stretch that is free.
    fn place_by_time(&self, buffers: &[usize], room: usize, placed: &mut Stretch) {
        let mut order = buffers.to_vec();
        order.sort_by_key(|&i| (self.buffers[i].start, i));
        let mut free: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut ends: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        for i in order {
            while let Some(&Reverse((end, other))) = ends.peek()
                && end < self.buffers[i].start
            {
                ends.pop();
                free.insert((self.taken(other), placed.offsets[other]));
            }
            let bytes = self.taken(i);
            placed.offsets[i] = match free.range((bytes, 0)..).next().copied() {
                Some(stretch) => {
                    free.remove(&stretch);
                    let (length, offset) = stretch;
                    if length > bytes {
                        free.insert((length - bytes, offset + bytes));
                    }
                    offset
                }
                None => {
                    let offset = placed.bytes;
                    if offset.saturating_add(bytes) > room {
                        placed.left.push(i);
                        continue;
                    }
                    placed.bytes = offset.saturating_add(bytes);
                    offset
                }
            };
            ends.push(Reverse((self.buffers[i].end, i)));
        }
    }

    /// The bytes that a buffer takes up. The arena of a sub-program may be saturated already.
    fn taken(&self, buffer: usize) -> usize {
        self.buffers[buffer].bytes.checked_next_multiple_of(self.alignment).unwrap_or(usize::MAX)
    }
}

/// Buffers by the time at which they are needed.
struct Alive {
    /// A tree over time: node `n` covers what the nodes `2 n` and `2 n + 1` cover, and the leaves are the moments. A
    /// buffer stands at the topmost nodes that its interval covers.
    covering: Vec<Vec<usize>>,
    leaves: usize,
    starts: BTreeSet<(usize, usize)>,
}

impl Alive {
    fn new(moments: usize) -> Alive {
        let leaves = moments.next_power_of_two();
        Alive { covering: vec![Vec::new(); 2 * leaves], leaves, starts: BTreeSet::new() }
    }

    fn insert(&mut self, buffer: usize, interval: Interval) {
        self.starts.insert((interval.start, buffer));
        let (mut first, mut last) = (interval.start + self.leaves, interval.end + self.leaves);
        while first <= last {
            if first % 2 == 1 {
                self.covering[first].push(buffer);
                first += 1;
            }
            if last.is_multiple_of(2) {
                self.covering[last].push(buffer);
                last -= 1;
            }
            (first, last) = (first / 2, last / 2);
        }
    }

    /// Calls `f` once with each buffer that is needed within `interval`: those alive when it begins, and those that
    /// begin later in it.
    fn with(&self, interval: Interval, mut f: impl FnMut(usize)) {
        let mut node = interval.start + self.leaves;
        while node > 0 {
            self.covering[node].iter().copied().for_each(&mut f);
            node /= 2;
        }
        for &(_, buffer) in self.starts.range((interval.start + 1, 0)..(interval.end + 1, 0)) {
            f(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again() {
        let mut arena = Arena::new(64);
        for i in 0..10 {
            arena.add(Interval { start: i, end: i + 1, bytes: 100 });
        }
        assert_eq!(arena.place(&[0]).bytes, [256]);
    }

    #[test]
    fn the_tightest_gap_is_taken() {
        let mut arena = Arena::new(64);
        arena.add(Interval { start: 0, end: 9, bytes: 640 });
        let gap = arena.add(Interval { start: 0, end: 4, bytes: 512 });
        arena.add(Interval { start: 0, end: 9, bytes: 448 });
        let small = arena.add(Interval { start: 5, end: 9, bytes: 384 });
        let placed = arena.place(&[0]);
        assert_eq!(placed.places[small], placed.places[gap]);
        assert_eq!(placed.bytes, [640 + 512 + 448]);
    }

    #[test]
    fn sizes_saturate() {
        for most_pairs in [0, usize::MAX] {
            let mut arena = Arena::new(64);
            for bytes in [usize::MAX, 64, usize::MAX / 2] {
                arena.add(Interval { start: 0, end: 1, bytes });
            }
            assert_eq!(arena.place_by(most_pairs, &[0]).bytes, [usize::MAX]);
        }
    }

    #[test]
    fn no_two_buffers_alive_together_overlap() {
        let mut state = 1u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for (most_pairs, room) in [0, 100, 1000, usize::MAX]
            .into_iter()
            .flat_map(|most| [(most, &[0][..]), (most, &[6000, 3000, 0][..])])
        {
            let mut arena = Arena::new(if room.len() > 1 { 256 } else { 64 });
            for _ in 0..200 {
                let start = random(100);
                arena.add(Interval { start, end: start + random(40), bytes: random(1000) });
            }
            let placed = arena.place_by(most_pairs, room);
            assert!(placed.bytes.iter().zip(room).rev().skip(1).all(|(bytes, room)| bytes <= room));
            assert!(room.len() == 1 || placed.bytes.iter().all(|&bytes| bytes > 2000));
            for i in 0..200 {
                for j in 0..i {
                    let (a, b) = (arena.buffers[i], arena.buffers[j]);
                    let together = a.start <= b.end && b.start <= a.end && a.bytes > 0 && b.bytes > 0;
                    let ((in_x, x), (in_y, y)) = (placed.places[i], placed.places[j]);
                    let apart = in_x != in_y || x + arena.taken(i) <= y || y + arena.taken(j) <= x;
                    assert!(x.is_multiple_of(arena.alignment));
                    assert!(!together || apart, "{a:?} at {x} and {b:?} at {y}");
                    assert!(x + arena.taken(i) <= placed.bytes[in_x]);
                }
            }
        }
    }
}
