//! Consistency checks over whole runs.
