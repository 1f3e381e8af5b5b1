//! What residents meant to attend together: whose it was, who heard of it, who accepted or declined,
//! and who came, by name.

use serde::Serialize;
use townsfolk_server::look::Memories;
pub(super) use townsfolk_server::look::gatherings::Stage;
use townsfolk_server::look::gatherings::{self, Gathering};
use townsfolk_time::GameTime;

use crate::failure::Failure;
use crate::run_at::RunAt;

/// Something that more than one resident heard of.
#[derive(Debug, Serialize)]
pub(crate) struct Occasion {
    pub(crate) what: String,
    pub(crate) host: String,
    pub(crate) place: Option<String>,
    pub(crate) start: String,
    pub(crate) end: String,
    /// How it stands at the moment looked at.
    pub(crate) stage: Stage,
    /// Who knows of it besides the host.
    pub(crate) heard: Vec<String>,
    pub(crate) accepted: Vec<String>,
    pub(crate) declined: Vec<Declined>,
    /// Who of those was there, and for how long.
    pub(crate) came: Vec<Stay>,
    /// Who was there without having heard of it.
    pub(crate) also_there: Vec<Stay>,
    #[serde(skip)]
    pub(super) times: (GameTime, GameTime),
}

/// Somebody who declined.
#[derive(Debug, Serialize)]
pub(crate) struct Declined {
    pub(crate) resident: String,
    pub(crate) reason: String,
}

/// Somebody who was there.
#[derive(Debug, Serialize)]
pub(crate) struct Stay {
    pub(crate) resident: String,
    pub(crate) minutes: i64,
}

/// The occasions that more than one resident heard of, by start.
pub(super) fn all(run: &RunAt, memories: &Memories) -> Result<Vec<Occasion>, Failure> {
    let found = gatherings::all(&run.look(), memories)?;
    Ok(found.into_iter().map(|found| occasion(run, found)).collect())
}

/// The same with names.
fn occasion(run: &RunAt, found: Gathering) -> Occasion {
    let name = |id: u32| run.name(id).to_owned();
    let names = |ids: Vec<u32>| ids.into_iter().map(name).collect();
    let stays = |stays: Vec<gatherings::Stay>| {
        let stay = |stay: gatherings::Stay| Stay {
            resident: name(stay.resident),
            minutes: stay.minutes,
        };
        stays.into_iter().map(stay).collect()
    };
    let times = (
        GameTime::from_seconds(found.start),
        GameTime::from_seconds(found.end),
    );
    let declined = found.declined.into_iter().map(|declined| Declined {
        resident: name(declined.resident),
        reason: declined.reason,
    });
    Occasion {
        host: name(found.host),
        place: run.place(found.place),
        start: times.0.to_string(),
        end: times.1.to_string(),
        stage: found.stage,
        heard: names(found.heard),
        accepted: names(found.accepted),
        declined: declined.collect(),
        came: stays(found.came),
        also_there: stays(found.also_there),
        what: found.what,
        times,
    }
}
