//! Hashing that is the same on every machine, release and run. Not for secrets.

use std::hash::{BuildHasherDefault, Hasher};

/// FNV-1a over bytes (Fowler, Noll and Vo; 64-bit offset and prime), for keys of a few letters.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// For hash maps that are only looked up, never walked.
pub(crate) type BuildFnv = BuildHasherDefault<Fnv>;

/// The hash of a string of characters.
pub(crate) fn hash_chars(chars: &[char]) -> u64 {
    let mut hasher = Fnv::default();
    for c in chars {
        hasher.write(&u32::from(*c).to_le_bytes());
    }
    mix(hasher.finish())
}

/// Spreads a hash over all 64 bits; calling it again and again gives a stream (SplitMix64's
/// finalizer and increment, Steele et al. 2014).
pub(crate) fn mix(hash: u64) -> u64 {
    let mut z = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
