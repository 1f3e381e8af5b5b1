//! Cases that users met.
