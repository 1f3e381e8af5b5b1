//! Who knows something, and from whom.

use serde::Serialize;
use townsfolk_server::look::Memories;
use townsfolk_server::look::news::mentions;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::report::news::{self, News};
use crate::run_at::RunAt;
use crate::words;

/// What is known that has some words in it, or all that was passed on.
#[derive(Serialize)]
pub(super) struct NewsView {
    searched: Option<String>,
    residents: u32,
    /// How many memories have these words in them, passed on or not.
    mentions: Option<usize>,
    news: Vec<News>,
    #[serde(skip)]
    moment: Moment,
}

impl NewsView {
    pub(super) fn of(run: &RunAt, text: Option<&str>) -> Result<Self, Failure> {
        let memories = Memories::read(&run.look())?;
        let news = match text {
            Some(text) => news::about(text, run, &memories),
            None => news::all(run, &memories),
        };
        Ok(Self {
            searched: text.map(str::to_owned),
            residents: run.residents(),
            mentions: text.map(|text| mentions(text, &memories)),
            news,
            moment: Moment::of(run),
        })
    }
}

impl View for NewsView {
    fn write(&self, page: &mut Page) {
        let title = match &self.searched {
            Some(text) => format!("Who knows “{text}”, and from whom"),
            None => "What was passed on".to_owned(),
        };
        head(page, &title, &self.moment);
        if self.news.is_empty() {
            page.line(if self.searched.is_some() {
                "Nobody has told anybody."
            } else {
                "Nothing yet."
            });
        }
        for news in &self.news {
            page.gap();
            news.write(page, self.residents);
        }
        if let Some(mentions @ 1..) = self.mentions {
            page.gap();
            let mentions = words::count(mentions, "memory speaks", "memories speak");
            let note =
                format!("{mentions} of it in all; `inspect RUN memories RESIDENT --find TEXT` shows them.");
            let note = page.look(Look::Faint, note);
            page.paragraph(0, &note);
        }
    }
}
