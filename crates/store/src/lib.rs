//! The run file: everything that happened in one simulation, in one SQLite file.
#![warn(missing_docs)]

mod error;
mod rows;

pub use error::{Result, StoreError};
pub use rows::*;

// Signatures that follow (bodies are being written):
//
// RunWriter::create(path, &NewRun) -> Result<RunWriter>       refuses an existing file
// RunWriter::open(path) -> Result<RunWriter>                  refuses a second writer
// RunWriter::commit(&mut self, &TickRows) -> Result<()>       one transaction; tick > head
// RunWriter::record(&mut self, &Kept) -> Result<()>           replies, inputs, vectors ahead of their tick
// RunWriter::checkpoint(&mut self, Tick, &[u8]) -> Result<()> state at the end of that tick (>= head)
// RunWriter::truncate_after(&mut self, Tick) -> Result<()>    keeps inputs, bought replies, vectors
// RunWriter::finish(self, RunState) -> Result<()>             leaves one single file
// RunWriter::read(&self) -> &RunReader
// RunReader::open(path) -> Result<RunReader>
// RunReader: info() head() parts() residents() places() positions(tick) moves(range) actions(tick)
//   actions_between(range) object_states(tick) memories(resident, &MemoryFilter) vector(text)
//   plan(resident, date, tick) plans(resident) conversations(&ConversationFilter) appointments(resident, tick)
//   notices(range) tasks(range) task_counts() inputs(range) bought_after(tick) checkpoint_before(tick) digest() digest_at(tick)
// fork(parent, child, tick) -> Result<RunWriter>              child is at its checkpoint <= tick
