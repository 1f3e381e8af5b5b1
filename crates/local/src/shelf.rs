//! Beginnings of prompts that have been computed, kept for the next call that begins alike.
//!
//! Entries are found by their exact tokens, and the ones unused for longest go when the shelf is
//! full. The shelf does not know what it keeps, only how large it is.

use std::collections::BTreeMap;

/// Kept states by the tokens that made them.
#[derive(Debug)]
pub(crate) struct Shelf<S> {
    entries: BTreeMap<Vec<i32>, Entry<S>>,
    room_bytes: usize,
    used_bytes: usize,
    /// Counts uses, to know which entry was used last.
    clock: u64,
}

#[derive(Debug)]
struct Entry<S> {
    state: S,
    bytes: usize,
    used: u64,
}

impl<S> Shelf<S> {
    /// An empty shelf with so much room.
    pub(crate) fn new(room_bytes: usize) -> Self {
        Shelf {
            entries: BTreeMap::new(),
            room_bytes,
            used_bytes: 0,
            clock: 0,
        }
    }

    /// Whether nothing can ever be kept.
    pub(crate) fn is_closed(&self) -> bool {
        self.room_bytes == 0
    }

    /// Whether these tokens have been kept.
    pub(crate) fn holds(&self, tokens: &[i32]) -> bool {
        self.entries.contains_key(tokens)
    }

    /// What these tokens made, and marks it as used.
    pub(crate) fn get(&mut self, tokens: &[i32]) -> Option<&S> {
        self.clock += 1;
        let entry = self.entries.get_mut(tokens)?;
        entry.used = self.clock;
        Some(&entry.state)
    }

    /// Keeps what these tokens made, if there is room for it at all.
    pub(crate) fn keep(&mut self, tokens: &[i32], state: S, bytes: usize) {
        if bytes > self.room_bytes {
            return;
        }
        self.drop_entry(tokens);
        while self.used_bytes + bytes > self.room_bytes {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(tokens, _)| tokens.clone()) else {
                break;
            };
            self.drop_entry(&oldest);
        }
        self.clock += 1;
        self.used_bytes += bytes;
        self.entries.insert(
            tokens.to_vec(),
            Entry {
                state,
                bytes,
                used: self.clock,
            },
        );
    }

    /// Drops what these tokens made, if it was kept.
    pub(crate) fn drop_entry(&mut self, tokens: &[i32]) {
        if let Some(entry) = self.entries.remove(tokens) {
            self.used_bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_unused_for_longest_makes_room() {
        let mut shelf = Shelf::new(10);
        shelf.keep(&[1], "Klaus", 4);
        shelf.keep(&[2], "Maria", 4);
        assert_eq!(shelf.get(&[1]), Some(&"Klaus"));
        shelf.keep(&[3], "林 秋", 5);
        assert!(shelf.holds(&[1]) && !shelf.holds(&[2]) && shelf.holds(&[3]));
        assert_eq!(shelf.used_bytes, 9);
        shelf.keep(&[3], "林 秋 again", 6);
        assert_eq!(shelf.get(&[3]), Some(&"林 秋 again"));
        assert_eq!(shelf.used_bytes, 10);
    }

    #[test]
    fn what_is_larger_than_the_shelf_is_not_kept_and_displaces_nothing() {
        let mut shelf = Shelf::new(10);
        shelf.keep(&[1], (), 10);
        shelf.keep(&[2], (), 11);
        assert!(shelf.holds(&[1]) && !shelf.holds(&[2]));
        assert!(Shelf::<()>::new(0).is_closed());
    }
}
