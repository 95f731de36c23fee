use jarrah_base::{Error, Result};

/// Byte strings with values: all strings that begin a text are found in one walk.
pub(crate) struct Trie {
    nodes: Vec<Node>,
    // The bytes that lead to a node's children, in order; the children follow each other.
    labels: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Node {
    first: u32,
    children: u16,
    value: u32,
}

/// The value of a node that no string ends at.
const NONE: u32 = u32::MAX;

impl Trie {
    /// The trie of these strings.
    ///
    /// # Errors
    /// A string is empty or there twice, or they have too many bytes together.
    pub fn new(mut strings: Vec<(&[u8], u32)>) -> Result<Trie> {
        strings.sort_unstable();
        if let Some(pair) = strings.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let shown = String::from_utf8_lossy(pair[0].0);
            return Err(Error::input(format!("{shown:?} is in the vocabulary twice")));
        }
        if strings.first().is_some_and(|(string, _)| string.is_empty()) {
            return Err(Error::input("the vocabulary has an empty piece"));
        }
        if strings.iter().map(|(string, _)| string.len()).sum::<usize>() >= NONE as usize {
            return Err(Error::input("the vocabulary has more than four gigabytes"));
        }
        // Node by node, with the strings that go through it and how many of their bytes lead there. Children are numbered
        // when their parent is visited, so they follow each other.
        let mut trie = Trie { nodes: Vec::new(), labels: vec![0] };
        let mut visits: Vec<(usize, usize, usize)> = vec![(0, strings.len(), 0)];
        let mut at = 0;
        while at < visits.len() {
            let (mut start, end, depth) = visits[at];
            at += 1;
            let mut value = NONE;
            if start < end && strings[start].0.len() == depth {
                value = strings[start].1;
                start += 1;
            }
            let first = visits.len();
            while start < end {
                let label = strings[start].0[depth];
                let count = strings[start..end].partition_point(|(string, _)| string[depth] == label);
                visits.push((start, start + count, depth + 1));
                trie.labels.push(label);
                start += count;
            }
            let children = (visits.len() - first) as u16;
            trie.nodes.push(Node { first: first as u32, children, value });
        }
        Ok(trie)
    }

    /// The strings that begin `text`, shortest first: lengths and values.
    pub fn prefixes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, u32)> + 'a {
        let mut node = self.nodes[0];
        let mut bytes = text.iter().enumerate();
        std::iter::from_fn(move || {
            loop {
                let (i, byte) = bytes.next()?;
                let (first, count) = (node.first as usize, usize::from(node.children));
                let labels = &self.labels[first..first + count];
                let child = labels.binary_search(byte).ok()?;
                node = self.nodes[first + child];
                if node.value != NONE {
                    return Some((i + 1, node.value));
                }
            }
        })
    }

    /// The longest of the strings that begin `text`.
    pub fn longest(&self, text: &[u8]) -> Option<(usize, u32)> {
        self.prefixes(text).last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_come_shortest_first() {
        let words = ["a", "ab", "abcd", "b", "ä"];
        let trie = Trie::new(words.iter().zip(0..).map(|(w, i)| (w.as_bytes(), i)).collect()).unwrap();
        assert_eq!(trie.prefixes(b"abcde").collect::<Vec<_>>(), [(1, 0), (2, 1), (4, 2)]);
        assert_eq!(trie.prefixes(b"abce").collect::<Vec<_>>(), [(1, 0), (2, 1)]);
        assert_eq!(trie.longest("äa".as_bytes()), Some((2, 4)));
        assert_eq!(trie.longest(b"c"), None);
        assert!(Trie::new(Vec::new()).unwrap().longest(b"c").is_none());
        assert!(Trie::new(vec![(b"a", 0), (b"a", 1)]).is_err());
    }
}
