//! Why the stream refused something. In every case the stream is as it was before.

use crate::memory::MemoryId;

/// A refusal; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// The vector is not of the length this stream keeps.
    #[error(
        "memory {id}: its embedding has {found} dimensions, but this stream keeps {expected} \
         (embedder \"{embedder}\"); embed with that one, or embed the whole stream anew"
    )]
    Dimensions {
        /// The memory that was to be added.
        id: MemoryId,
        /// The length of the vector offered.
        found: usize,
        /// The length the stream keeps.
        expected: usize,
        /// The embedder the stream belongs to.
        embedder: String,
    },
    /// Longer vectors than exact 32-bit dot products allow.
    #[error("memory {id}: {dimensions} dimensions are more than the {most} a stream can compare exactly")]
    TooManyDimensions {
        /// The memory that was to be added.
        id: MemoryId,
        /// The length of the vector.
        dimensions: usize,
        /// The longest length.
        most: usize,
    },
    /// The embedder is not the one the vectors of this stream were made with.
    #[error(
        "the stream's vectors were made by \"{stored}\" ({stored_dimensions} dimensions), not by \
         \"{offered}\" ({offered_dimensions}); use the former, or embed the whole stream anew"
    )]
    Embedder {
        /// The stream's embedder.
        stored: String,
        /// Its dimensions.
        stored_dimensions: usize,
        /// The embedder offered.
        offered: String,
        /// Its dimensions.
        offered_dimensions: usize,
    },
    /// Evidence must be older memories of the same stream.
    #[error("memory {id}: its evidence {evidence} is not an earlier memory of this stream")]
    Evidence {
        /// The memory that was to be added.
        id: MemoryId,
        /// The evidence that does not exist.
        evidence: MemoryId,
    },
    /// Importance is 1 to 10.
    #[error("memory {id}: importance {found} is outside 1 to 10")]
    Importance {
        /// The memory that was to be added.
        id: MemoryId,
        /// The importance offered.
        found: u8,
    },
    /// No id is left.
    #[error("the stream is full: it holds {0} memories and ids are 32 bits wide")]
    Full(usize),
    /// Stored memories must come in id order, from 0, without gaps.
    #[error("stored memories: expected memory {expected} next, found {found}; read them in id order")]
    Order {
        /// The id that had to come.
        expected: MemoryId,
        /// The id that came.
        found: MemoryId,
    },
    /// The stored vector is not of the size the settings imply.
    #[error("memory {id}: its stored vector has {found} bytes instead of {expected}")]
    VectorBytes {
        /// The memory whose vector it is.
        id: MemoryId,
        /// Bytes found.
        found: usize,
        /// Bytes the format and dimensions imply.
        expected: usize,
    },
    /// The stored depth contradicts kind and evidence.
    #[error("memory {id}: stored depth {found}, but its kind and evidence give {expected}")]
    Depth {
        /// The memory.
        id: MemoryId,
        /// The depth stored.
        found: u16,
        /// The depth that follows from kind and evidence.
        expected: u16,
    },
    /// Access records must match the memories one to one.
    #[error("{found} access records for {expected} memories; load the memories of the same checkpoint")]
    Accesses {
        /// Records offered.
        found: usize,
        /// Memories in the stream.
        expected: usize,
    },
}
