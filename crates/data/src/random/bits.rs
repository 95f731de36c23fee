/// A source of random bits.
pub trait BitGenerator {
    /// The next 64 bits.
    fn next_u64(&mut self) -> u64;

    /// The next 32 bits: the lower half of 64 bits, then their upper half, whatever was drawn between.
    fn next_u32(&mut self) -> u32;
}
