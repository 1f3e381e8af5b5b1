//! A copy of a run with vectors of another embedder.

use std::path::Path;

use crate::error::StoreError;
use crate::meta::{self, Key};
use crate::read::{RunReader, copy_database};
use crate::schema::{self, MIGRATIONS};
use crate::sql::explain;
use crate::write::{RunWriter, build_in_place, claim_new, forget_after};

/// How many texts are embedded at a time.
const BATCH: i64 = 64;

/// The embedder whose vectors a copy gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewVectors {
    /// Its name, with whatever tells its version.
    pub embedder: String,
    /// The length of its vectors, in components.
    pub dimensions: u32,
}

/// Copies the run at `old` to `new` with vectors that `embed` makes, a batch of texts at a time, in the
/// bytes that memories are stored with. The copy ends at the last checkpoint: what is later would have
/// to be computed again, and might come out otherwise.
///
/// # Errors
/// What `embed` gives back; [`StoreError::NoCheckpoint`] for a run that has none; and everything that
/// [`RunReader::open`] and [`RunWriter::create`] report.
pub fn re_embed<E: From<StoreError>>(
    old: impl AsRef<Path>,
    new: impl AsRef<Path>,
    vectors: &NewVectors,
    mut embed: impl FnMut(&[String]) -> std::result::Result<Vec<Vec<u8>>, E>,
) -> std::result::Result<RunWriter, E> {
    let (old, new) = (old.as_ref(), new.as_ref());
    let source = RunReader::open(old)?;
    let lock = claim_new(new)?;
    let mut refused = None;
    let built = build_in_place(new, |copy| {
        let failed = |error| explain(new, None, "copying the run", error);
        copy_database(source.connection(), copy).map_err(failed)?;
        schema::migrate(copy, MIGRATIONS).map_err(failed)?;
        let last: Option<u32> = copy
            .query_row("SELECT max(tick) FROM checkpoint", [], |row| row.get(0))
            .map_err(failed)?;
        let Some(last) = last else {
            let path = old.to_owned();
            return Err(StoreError::NoCheckpoint { path, tick: 0 });
        };
        let transaction = copy.transaction().map_err(failed)?;
        forget_after(&transaction, Some(last))
            .and_then(|()| transaction.execute("UPDATE call SET inherited = 1", []))
            .and_then(|_| meta::descend(&transaction, last))
            .and_then(|()| meta::set(&transaction, Key::Embedder, &vectors.embedder))
            .and_then(|()| {
                let dimensions = vectors.dimensions.to_string();
                meta::set(&transaction, Key::EmbeddingDimensions, &dimensions)
            })
            // A text that no memory has is a reserve of the old embedder's.
            .and_then(|()| {
                transaction.execute("DELETE FROM text WHERE id NOT IN (SELECT text FROM memory)", [])
            })
            .map_err(failed)?;
        let mut from = i64::MIN;
        loop {
            let texts: Vec<(i64, String)> = transaction
                .prepare_cached("SELECT id, text FROM text WHERE id > ?1 ORDER BY id LIMIT ?2")
                .and_then(|mut query| {
                    query
                        .query_map([from, BATCH], |row| Ok((row.get(0)?, row.get(1)?)))?
                        .collect()
                })
                .map_err(failed)?;
            let Some((last, _)) = texts.last() else { break };
            from = *last;
            let (ids, texts): (Vec<i64>, Vec<String>) = texts.into_iter().unzip();
            let made = match embed(&texts) {
                Ok(made) => made,
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            };
            for (id, vector) in ids.iter().zip(&made) {
                transaction
                    .prepare_cached("UPDATE text SET vector = ?2 WHERE id = ?1")
                    .and_then(|mut update| update.execute((id, vector)))
                    .map_err(failed)?;
            }
        }
        if refused.is_some() {
            // Undone with the file, which is not put in place.
            return Err(StoreError::Torn {
                path: new.to_owned(),
                detail: "the embedder gave up".to_owned(),
            });
        }
        transaction.commit().map_err(failed)
    });
    match (built, refused) {
        (_, Some(refused)) => Err(refused),
        (Err(error), None) => Err(error.into()),
        (Ok(()), None) => Ok(RunWriter::attach(new, lock)?),
    }
}
