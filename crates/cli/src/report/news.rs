//! What was passed on: who knew it first, who told whom, and who knows it now, by name.

use serde::Serialize;
use townsfolk_server::look::Memories;
use townsfolk_server::look::news;

use crate::page::{Look, Page, Tree};
use crate::run_at::RunAt;
use crate::words;

/// One piece of news.
#[derive(Debug, Serialize)]
pub(crate) struct News {
    /// In the words it is told in.
    pub(crate) text: String,
    /// How many residents know it.
    pub(crate) known_by: usize,
    /// 1 to 10: how poignant it is to those who knew it first, at most.
    pub(crate) importance: u8,
    /// Those who did not hear it from anybody.
    pub(crate) first_holders: Vec<Knower>,
}

/// Somebody who knows it, and to whom they passed it on.
#[derive(Debug, Serialize)]
pub(crate) struct Knower {
    pub(crate) resident: String,
    /// Game time since when.
    pub(crate) since: String,
    /// Where they learned it.
    pub(crate) place: Option<String>,
    pub(crate) conversation: Option<u32>,
    pub(crate) memory: u32,
    pub(crate) told: Vec<Knower>,
    #[serde(skip)]
    since_words: String,
}

/// Everything that was passed on; first what many know and what matters to them.
pub(crate) fn all(run: &RunAt, memories: &Memories) -> Vec<News> {
    named(run, news::all(memories))
}

/// Everything with `text` in it that was passed on, or that somebody knew from the start.
pub(crate) fn about(text: &str, run: &RunAt, memories: &Memories) -> Vec<News> {
    named(run, news::about(text, memories))
}

/// The same with names.
fn named(run: &RunAt, pieces: Vec<news::Piece>) -> Vec<News> {
    let news = pieces.into_iter().map(|piece| News {
        text: piece.text,
        known_by: piece.known_by,
        importance: piece.importance,
        first_holders: piece
            .holders
            .into_iter()
            .map(|holder| knower(run, holder))
            .collect(),
    });
    news.collect()
}

fn knower(run: &RunAt, knower_by_id: news::Knower) -> Knower {
    let time = run.clock.time(knower_by_id.since);
    let told = knower_by_id.told.into_iter();
    Knower {
        resident: run.name(knower_by_id.resident).to_owned(),
        since: time.to_string(),
        place: run.place(knower_by_id.place),
        conversation: knower_by_id.talk,
        memory: knower_by_id.memory,
        told: told.map(|told| knower(run, told)).collect(),
        since_words: if knower_by_id.since == 0 {
            "from the start".to_owned()
        } else {
            words::moment(time)
        },
    }
}

impl Knower {
    fn tree(&self, page: &Page) -> Tree {
        let place = self
            .place
            .as_ref()
            .map(|place| format!(", {place}"))
            .unwrap_or_default();
        let facts = page.look(Look::Faint, format!("{}{place}", self.since_words));
        Tree {
            text: format!("{} · {facts}", page.look(Look::Name, &self.resident)),
            children: self.told.iter().map(|knower| knower.tree(page)).collect(),
        }
    }
}

impl News {
    /// Writes it as a tree.
    pub(crate) fn write(&self, page: &mut Page, residents: u32) {
        let known = page.look(Look::Faint, format!("{} of {residents} know it", self.known_by));
        page.paragraph(0, &format!("“{}” · {known}", self.text));
        for holder in &self.first_holders {
            let tree = holder.tree(page);
            page.tree(2, &tree);
        }
    }
}
