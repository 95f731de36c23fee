#![allow(unsafe_code, reason = "the system is advised about pages of memory here and nowhere else")]

/// Memory of fewer bytes is not worth advice.
const LEAST: usize = 4 << 20;
/// The size of large pages on most machines: advice is about whole ones.
const PAGE: usize = 2 << 20;

/// Asks the system to provide this memory in pages as large as it has, where nothing was written to it yet. The first write to each small page takes the system several times as
/// long as the copy of what is written.
pub fn in_large_pages(words: &[u64]) {
    let bytes = size_of_val(words);
    let before = words.as_ptr().addr().next_multiple_of(PAGE) - words.as_ptr().addr();
    let whole = bytes.saturating_sub(before) / PAGE * PAGE;
    #[cfg(target_os = "linux")]
    if bytes >= LEAST && whole > 0 {
        let start = words.as_ptr().wrapping_byte_add(before).cast_mut();
        // SAFETY: the pages hold nothing but these words, and advice changes no byte; a kernel without large pages refuses it.
        let _ = unsafe { rustix::mm::madvise(start.cast(), whole, rustix::mm::Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (bytes, whole);
}
