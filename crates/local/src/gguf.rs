//! What a GGUF file says about itself, read before llama.cpp sees it.
//!
//! llama.cpp answers a bad file with nothing but a null pointer, and a badly broken one by ending
//! the process. [`GgufHeader::read`] goes through the header (version 2 or 3, little-endian) and
//! checks that the file is long enough for every tensor it names, so that each [`GgufError`] can
//! say what is wrong, where, and what to do. It reads a few megabytes at most and no weights.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Why a file cannot be used as a model.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    /// There is no such file.
    #[error("there is no file {}", path.display())]
    Missing {
        /// The file asked for.
        path: PathBuf,
    },
    /// The path is a folder.
    #[error("{} is a folder", path.display())]
    Folder {
        /// The path asked for.
        path: PathBuf,
    },
    /// The file does not begin like GGUF.
    #[error("{} is no GGUF file: it begins with {begins:?}", path.display())]
    NotGguf {
        /// The file.
        path: PathBuf,
        /// Its first bytes, at most four.
        begins: String,
    },
    /// Another version of the format, or one of a big-endian machine.
    #[error("{} is GGUF of version {version}, and only 2 and 3 (little-endian) can be read", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it states.
        version: u32,
    },
    /// The file ends too early.
    #[error("{} ends at byte {length}, but {what} needs it to reach byte {needed}", path.display())]
    CutOff {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        length: u64,
        /// The tensor or the part of the header that is not whole.
        what: String,
        /// How long the file would have to be at least, in bytes.
        needed: u64,
    },
    /// The header contradicts itself.
    #[error("{} is damaged at byte {position}, in {what}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, in bytes from its start.
        position: u64,
        /// The key or tensor being read.
        what: String,
        /// What does not fit.
        problem: String,
    },
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl GgufError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            GgufError::Missing { .. } => "check the path after `gguf:`",
            GgufError::Folder { .. } => "name the .gguf file in it; of a model in several parts, the first",
            GgufError::NotGguf { .. } => {
                "give a .gguf file; weights in another format need llama.cpp's converter first"
            }
            GgufError::Version { .. } => "fetch a newer, little-endian file of this model",
            GgufError::CutOff { .. } | GgufError::Damaged { .. } => {
                "fetch the file again and compare its checksum with the publisher's"
            }
            GgufError::Io { .. } => "check the file's permissions and the disk",
        }
    }
}

/// What a GGUF file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgufHeader {
    /// The family of the network, such as `llama`, `qwen3` or `gemma3`.
    pub architecture: String,
    /// What the model calls itself, where it does.
    pub name: Option<String>,
    /// The longest text the model was trained on, in tokens.
    pub trained_tokens: Option<u64>,
    /// Whether it states how the vectors of a text's tokens become one: an embedding model does.
    pub pools: bool,
    /// How many tensors the file holds.
    pub tensors: u64,
}

impl GgufHeader {
    /// Reads and checks the header of a file.
    ///
    /// # Errors
    /// See [`GgufError`].
    pub fn read(path: &Path) -> Result<Self, GgufError> {
        let io = |source| GgufError::Io {
            path: path.to_path_buf(),
            source,
        };
        let file = File::open(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => GgufError::Missing {
                path: path.to_path_buf(),
            },
            _ => io(source),
        })?;
        let about = file.metadata().map_err(io)?;
        if about.is_dir() {
            return Err(GgufError::Folder {
                path: path.to_path_buf(),
            });
        }
        let mut reader = Reader {
            path,
            input: BufReader::new(file),
            length: about.len(),
            position: 0,
            what: "the first bytes".to_owned(),
        };
        reader.header()
    }
}

/// Twelve hexadecimal digits that tell one file's bytes from another's: the beginning of their BLAKE3 hash. The whole
/// file is read, about a second for each gigabyte: files fine-tuned from one another have the same header, the
/// same size and most of the same weights, so that no sample of them would do; and what is read once stays in
/// the system's cache for llama.cpp.
///
/// # Errors
/// [`GgufError::Io`].
pub fn fingerprint(path: &Path) -> Result<String, GgufError> {
    let io = |source| GgufError::Io {
        path: path.to_path_buf(),
        source,
    };
    let mut file = File::open(path).map_err(io)?;
    let mut hasher = blake3::Hasher::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hasher.finalize().to_hex()[..FINGERPRINT_DIGITS].to_owned()),
            Ok(length) => hasher.update(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(io(error)),
        };
    }
}

/// Digits of a fingerprint: 48 bits, by which two files of one name are told apart and no attack is fended off.
const FINGERPRINT_DIGITS: usize = 12;

/// Strings longer than this are taken for damage; chat templates have some ten thousand bytes.
const LONGEST_STRING_BYTES: u64 = 1 << 24;
/// Arrays inside arrays deeper than this are taken for damage; the format's users need one.
const DEEPEST_ARRAY: u32 = 4;
/// The format's own default for `general.alignment`.
const DEFAULT_ALIGNMENT: u64 = 32;

/// Numbers of the format's value types that have a fixed size, with their bytes.
fn fixed_bytes(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}
const STRING: u32 = 8;
const ARRAY: u32 = 9;

/// Weights in a block and bytes of a block, by the tensor types of ggml (`ggml.h`, `ggml-common.h`).
/// Types that are not here are left to llama.cpp to judge.
fn block(tensor_type: u32) -> Option<(u64, u64)> {
    Some(match tensor_type {
        0 | 26 => (1, 4),
        1 | 25 | 30 => (1, 2),
        24 => (1, 1),
        27 | 28 => (1, 8),
        2 | 20 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        39 => (32, 17),
        10 => (256, 84),
        11 | 21 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        16 => (256, 66),
        17 => (256, 74),
        18 => (256, 98),
        19 => (256, 50),
        22 => (256, 82),
        23 => (256, 136),
        29 => (256, 56),
        _ => return None,
    })
}

/// A value of the header, as far as one is kept.
enum Value {
    Text(String),
    Number(u64),
    Other,
}

struct Reader<'a> {
    path: &'a Path,
    input: BufReader<File>,
    length: u64,
    position: u64,
    /// What is being read, for messages.
    what: String,
}

impl Reader<'_> {
    fn header(&mut self) -> Result<GgufHeader, GgufError> {
        let mut magic = [0; 4];
        let there = self.length.min(4) as usize; // at most 4
        self.take(&mut magic[..there])?;
        if &magic != b"GGUF" {
            let begins = String::from_utf8_lossy(&magic[..there]).into_owned();
            return Err(GgufError::NotGguf {
                path: self.path.to_path_buf(),
                begins,
            });
        }
        self.what = "the header's counts".to_owned();
        let version = self.u32()?;
        if !(2..=3).contains(&version) {
            return Err(GgufError::Version {
                path: self.path.to_path_buf(),
                version,
            });
        }
        let tensors = self.u64()?;
        let pairs = self.u64()?;

        let mut kept = BTreeMap::new();
        for index in 0..pairs {
            self.what = format!("key {index} of {pairs}");
            let key = self.string()?;
            self.what = format!("key `{key}`");
            let kind = self.u32()?;
            match self.value(kind)? {
                Value::Other => {}
                value => {
                    kept.insert(key, value);
                }
            }
        }
        let text = |key: &str| match kept.get(key) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let number = |key: &str| match kept.get(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let alignment = number("general.alignment").unwrap_or(DEFAULT_ALIGNMENT).max(1);
        let Some(architecture) = text("general.architecture") else {
            self.what = "the header's keys".to_owned();
            return Err(self.damaged("there is no `general.architecture`"));
        };
        let header = GgufHeader {
            name: text("general.name"),
            trained_tokens: number(&format!("{architecture}.context_length")),
            // 0 stands for no pooling.
            pools: number(&format!("{architecture}.pooling_type")).is_some_and(|kind| kind != 0),
            architecture,
            tensors,
        };
        self.tensors(tensors, alignment)?;
        Ok(header)
    }

    /// Goes through the list of tensors and checks that the file reaches to the end of each.
    fn tensors(&mut self, count: u64, alignment: u64) -> Result<(), GgufError> {
        let mut ends = Vec::new();
        for index in 0..count {
            self.what = format!("tensor {index} of {count}");
            let name = self.string()?;
            self.what = format!("tensor `{name}`");
            let dimensions = self.u32()?;
            if dimensions > 8 {
                return Err(self.damaged(&format!("{dimensions} dimensions")));
            }
            let mut weights = 1_u64;
            for _ in 0..dimensions {
                let size = self.u64()?;
                weights = weights
                    .checked_mul(size)
                    .ok_or_else(|| self.damaged("its size overflows"))?;
            }
            let tensor_type = self.u32()?;
            let offset = self.u64()?;
            let bytes = match block(tensor_type) {
                Some((in_block, bytes)) => (weights / in_block).checked_mul(bytes),
                None => Some(0),
            };
            let end = bytes
                .and_then(|bytes| offset.checked_add(bytes))
                .ok_or_else(|| self.damaged("its place overflows"))?;
            ends.push((name, end));
        }
        // The weights begin at the next multiple of the alignment.
        let start = self.position.div_ceil(alignment).checked_mul(alignment);
        for (name, end) in ends {
            self.what = format!("tensor `{name}`");
            let needed = start
                .and_then(|start| start.checked_add(end))
                .ok_or_else(|| self.damaged("its place overflows"))?;
            if needed > self.length {
                return Err(self.cut_off(needed));
            }
        }
        Ok(())
    }

    fn value(&mut self, kind: u32) -> Result<Value, GgufError> {
        Ok(match kind {
            STRING => Value::Text(self.string()?),
            4 => Value::Number(u64::from(self.u32()?)),
            10 => Value::Number(self.u64()?),
            ARRAY => {
                self.array(0)?;
                Value::Other
            }
            _ => {
                let bytes = fixed_bytes(kind).ok_or_else(|| self.damaged(&format!("value type {kind}")))?;
                self.skip(bytes)?;
                Value::Other
            }
        })
    }

    fn array(&mut self, depth: u32) -> Result<(), GgufError> {
        if depth > DEEPEST_ARRAY {
            return Err(self.damaged("arrays inside arrays without end"));
        }
        let kind = self.u32()?;
        let count = self.u64()?;
        if let Some(bytes) = fixed_bytes(kind) {
            let all = count
                .checked_mul(bytes)
                .ok_or_else(|| self.damaged("an array without end"))?;
            return self.skip(all);
        }
        for _ in 0..count {
            match kind {
                STRING => {
                    let bytes = self.u64()?;
                    self.skip(bytes)?;
                }
                ARRAY => self.array(depth + 1)?,
                _ => return Err(self.damaged(&format!("an array of value type {kind}"))),
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, GgufError> {
        let bytes = self.u64()?;
        if bytes > LONGEST_STRING_BYTES {
            return Err(self.damaged(&format!("a string of {bytes} bytes")));
        }
        self.reaches(bytes)?;
        let mut text = vec![0; bytes as usize]; // at most 16 MiB, checked above
        self.take(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn u32(&mut self) -> Result<u32, GgufError> {
        let mut bytes = [0; 4];
        self.take(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn u64(&mut self) -> Result<u64, GgufError> {
        let mut bytes = [0; 8];
        self.take(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn take(&mut self, into: &mut [u8]) -> Result<(), GgufError> {
        self.reaches(into.len() as u64)?;
        self.input.read_exact(into).map_err(|source| self.io(source))?;
        self.position += into.len() as u64;
        Ok(())
    }

    fn skip(&mut self, bytes: u64) -> Result<(), GgufError> {
        self.reaches(bytes)?;
        // In range: the file's length fits i64 on every system.
        self.input
            .seek_relative(bytes as i64)
            .map_err(|source| self.io(source))?;
        self.position += bytes;
        Ok(())
    }

    /// Checks that so many more bytes are there.
    fn reaches(&self, bytes: u64) -> Result<(), GgufError> {
        match self.position.checked_add(bytes) {
            Some(needed) if needed <= self.length => Ok(()),
            Some(needed) => Err(self.cut_off(needed)),
            None => Err(self.damaged("a length without end")),
        }
    }

    fn cut_off(&self, needed: u64) -> GgufError {
        GgufError::CutOff {
            path: self.path.to_path_buf(),
            length: self.length,
            what: self.what.clone(),
            needed,
        }
    }

    fn damaged(&self, problem: &str) -> GgufError {
        GgufError::Damaged {
            path: self.path.to_path_buf(),
            position: self.position,
            what: self.what.clone(),
            problem: problem.to_owned(),
        }
    }

    fn io(&self, source: io::Error) -> GgufError {
        GgufError::Io {
            path: self.path.to_path_buf(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn string(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    }

    #[test]
    fn a_fingerprint_changes_with_any_byte_of_the_weights() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            fingerprint(&path).unwrap()
        };
        let bytes = whole();
        let mut tuned = bytes.clone();
        *tuned.last_mut().unwrap() ^= 1;
        assert_eq!(of("a.gguf", &bytes), of("b.gguf", &bytes));
        assert_ne!(of("a.gguf", &bytes), of("a.gguf", &tuned));
        assert!(matches!(
            fingerprint(&folder.path().join("none.gguf")),
            Err(GgufError::Io { .. })
        ));
    }

    /// A small file that is right in every part: three keys, an array, one tensor of 64 weights.
    fn whole() -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(1_u64.to_le_bytes());
        bytes.extend(4_u64.to_le_bytes());
        for (key, text) in [("general.architecture", "llama"), ("general.name", "Zoë 林")] {
            string(&mut bytes, key);
            bytes.extend(STRING.to_le_bytes());
            string(&mut bytes, text);
        }
        string(&mut bytes, "llama.context_length");
        bytes.extend(4_u32.to_le_bytes());
        bytes.extend(8192_u32.to_le_bytes());
        string(&mut bytes, "tokenizer.ggml.tokens");
        bytes.extend(ARRAY.to_le_bytes());
        bytes.extend(STRING.to_le_bytes());
        bytes.extend(2_u64.to_le_bytes());
        string(&mut bytes, "a");
        string(&mut bytes, "bc");
        string(&mut bytes, "token_embd.weight");
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(32_u64.to_le_bytes());
        bytes.extend(2_u64.to_le_bytes());
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(0_u64.to_le_bytes());
        bytes.resize(bytes.len().div_ceil(32) * 32 + 2 * 18, 0);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<GgufHeader, GgufError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        GgufHeader::read(file.path())
    }

    #[test]
    fn a_whole_file_says_what_it_is() {
        let header = read(&whole()).unwrap();
        assert_eq!(
            header,
            GgufHeader {
                architecture: "llama".to_owned(),
                name: Some("Zoë 林".to_owned()),
                trained_tokens: Some(8192),
                pools: false,
                tensors: 1
            }
        );
    }

    #[test]
    fn every_shorter_file_is_refused_and_the_last_byte_is_missed_by_name() {
        let whole = whole();
        for length in 0..whole.len() {
            assert!(
                read(&whole[..length]).is_err(),
                "accepted {length} of {} bytes",
                whole.len()
            );
        }
        let error = read(&whole[..whole.len() - 1]).unwrap_err();
        assert!(
            matches!(&error, GgufError::CutOff { what, needed, .. }
                if what == "tensor `token_embd.weight`" && *needed == whole.len() as u64),
            "{error}"
        );
    }

    #[test]
    fn other_things_are_told_apart() {
        let missing = GgufHeader::read(Path::new("nowhere/model.gguf")).unwrap_err();
        assert!(matches!(missing, GgufError::Missing { .. }), "{missing}");
        let folder = GgufHeader::read(tempfile::tempdir().unwrap().path()).unwrap_err();
        assert!(matches!(folder, GgufError::Folder { .. }), "{folder}");
        let page = read(b"<!doctype html>").unwrap_err();
        assert!(page.to_string().contains("begins with \"<!do\""), "{page}");
        let empty = read(b"").unwrap_err();
        assert!(matches!(empty, GgufError::NotGguf { .. }), "{empty}");
        let mut old = whole();
        old[4] = 1;
        assert!(matches!(
            read(&old).unwrap_err(),
            GgufError::Version { version: 1, .. }
        ));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn damage_anywhere_is_an_error_or_harmless_but_never_a_panic(
            place in 4..300_usize, byte: u8, tail in prop::collection::vec(any::<u8>(), 0..40)
        ) {
            let mut bytes = whole();
            let place = place % bytes.len();
            bytes[place] = byte;
            bytes.splice(place + 1..(place + 1 + tail.len()).min(bytes.len()), tail);
            if let Err(error) = read(&bytes) {
                prop_assert!(!error.to_string().is_empty() && !error.remedy().is_empty());
            }
        }
    }
}
