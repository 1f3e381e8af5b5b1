//! Models that say anything.
