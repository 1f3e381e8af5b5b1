//! The integer sum that a text's embedding is made of.

use townsfolk_memory::Embedding;

use crate::hash::mix;

/// How many numbers the embeddings of this crate have.
pub(crate) const DIMENSIONS: usize = 256;

/// A row of the table: signed 8-bit codes, as the bytes that the program contains.
pub(crate) type Row = [u8; DIMENSIONS];

/// Vectors a sum takes before it is full. Each component of each vector lies within ±127, so the
/// sum stays within 32 bits. Sixteen million words are beyond any text about a town; what follows
/// them is left out.
const CAPACITY: u32 = 1 << 24;

/// A sum of vectors with components within ±127.
pub(crate) struct Sum {
    components: [i32; DIMENSIONS],
    added: u32,
}

impl Sum {
    pub(crate) fn new() -> Self {
        Self {
            components: [0; DIMENSIONS],
            added: 0,
        }
    }

    /// Adds a row of the table.
    pub(crate) fn add_row(&mut self, row: &Row) {
        if self.has_room() {
            for (sum, code) in self.components.iter_mut().zip(row) {
                *sum += i32::from(*code as i8);
            }
        }
    }

    /// Adds a vector of `weight` and `-weight` (`weight` below 128), its signs drawn from `hash`.
    /// Two such vectors are nearly at right angles unless their hashes are equal.
    pub(crate) fn add_signs(&mut self, hash: u64, weight: u8) {
        debug_assert!(weight < 128);
        if self.has_room() {
            let weight = i32::from(weight);
            let mut bits = hash;
            for part in self.components.chunks_exact_mut(64) {
                bits = mix(bits);
                for (eight, byte) in part.chunks_exact_mut(8).zip(bits.to_le_bytes()) {
                    for (sum, mask) in eight.iter_mut().zip(MASKS[usize::from(byte)]) {
                        *sum += (mask & (2 * weight)) - weight;
                    }
                }
            }
        }
    }

    fn has_room(&mut self) -> bool {
        let room = self.added < CAPACITY;
        self.added += u32::from(room);
        room
    }

    /// The direction of the sum.
    pub(crate) fn embedding(&self) -> Embedding {
        Embedding::from_f32(&self.components.map(|sum| sum as f32))
    }
}

/// For each byte its bits, lowest first, as masks of no or all ones. Adding by these halves the time
/// of a whole text of unknown characters, against shifting out bit after bit.
static MASKS: [[i32; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            masks[byte][bit] = -((byte >> bit & 1) as i32);
            bit += 1;
        }
        byte += 1;
    }
    masks
};
