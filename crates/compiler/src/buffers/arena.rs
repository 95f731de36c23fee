/// A buffer that is alive from instruction `start` to `end`, both included.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    pub start: usize,
    pub end: usize,
    pub bytes: usize,
}

/// Buffers that share one stretch of memory.
#[derive(Default)]
pub struct Arena {
    buffers: Vec<Interval>,
}

/// The offset of each buffer, and the bytes of them together.
pub struct Placed {
    pub offsets: Vec<usize>,
    pub bytes: usize,
}

/// Every buffer starts at a multiple of this many bytes.
pub const ALIGNMENT: usize = 64;

/// Instructions per span; each span has one list of the buffers alive in it.
const SPAN: usize = 32;

impl Arena {
    /// Adds a buffer and returns its number.
    pub fn add(&mut self, interval: Interval) -> usize {
        self.buffers.push(interval);
        self.buffers.len() - 1
    }

    /// Places buffers, the largest first, each in the tightest gap between buffers alive at the same time.
    pub fn place(&self) -> Placed {
        let mut order: Vec<usize> = (0..self.buffers.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.buffers[i].bytes), self.buffers[i].start, i));
        let spans = self.buffers.iter().map(|b| b.end / SPAN + 1).max().unwrap_or(0);
        let mut alive: Vec<Vec<usize>> = vec![Vec::new(); spans];
        let mut offsets = vec![0; self.buffers.len()];
        let mut total = 0;
        let mut seen = vec![usize::MAX; self.buffers.len()];
        let mut others: Vec<(usize, usize)> = Vec::new();
        for i in order {
            let Interval { start, end, bytes } = self.buffers[i];
            let bytes = bytes.next_multiple_of(ALIGNMENT);
            if bytes == 0 {
                continue;
            }
            others.clear();
            for span in &alive[start / SPAN..=end / SPAN] {
                for &other in span {
                    let o = self.buffers[other];
                    if o.start <= end && start <= o.end && seen[other] != i {
                        seen[other] = i;
                        others.push((offsets[other], offsets[other] + o.bytes.next_multiple_of(ALIGNMENT)));
                    }
                }
            }
            others.sort_unstable();
            let (mut best, mut best_gap, mut free) = (None, usize::MAX, 0);
            for &(from, to) in &others {
                if from >= free && from - free >= bytes && from - free < best_gap {
                    (best, best_gap) = (Some(free), from - free);
                }
                free = free.max(to);
            }
            offsets[i] = best.unwrap_or(free);
            total = total.max(offsets[i] + bytes);
            for span in &mut alive[start / SPAN..=end / SPAN] {
                span.push(i);
            }
        }
        Placed { offsets, bytes: total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again() {
        let mut arena = Arena::default();
        for i in 0..10 {
            arena.add(Interval { start: i, end: i + 1, bytes: 100 });
        }
        assert_eq!(arena.place().bytes, 256);
    }

    #[test]
    fn the_tightest_gap_is_taken() {
        let mut arena = Arena::default();
        arena.add(Interval { start: 0, end: 9, bytes: 640 });
        let gap = arena.add(Interval { start: 0, end: 4, bytes: 512 });
        arena.add(Interval { start: 0, end: 9, bytes: 448 });
        let small = arena.add(Interval { start: 5, end: 9, bytes: 384 });
        let placed = arena.place();
        assert_eq!(placed.offsets[small], placed.offsets[gap]);
        assert_eq!(placed.bytes, 640 + 512 + 448);
    }
}
