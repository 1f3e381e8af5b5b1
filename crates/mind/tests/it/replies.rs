//! Replies as models write them.
