//! Conversations, line by line.

use serde::Serialize;
use townsfolk_store::Conversation;
use townsfolk_time::GameTime;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// Conversations begun by the moment looked at.
#[derive(Serialize)]
pub(super) struct Chats {
    /// Whose; everybody's if none.
    resident: Option<String>,
    conversations: Vec<Chat>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Chat {
    id: u32,
    between: [String; 2],
    place: Option<String>,
    began: String,
    /// Why it ended; none while it goes on.
    ended: Option<String>,
    lines: Vec<Line>,
    /// Both names, and of visitors what they are.
    #[serde(skip)]
    who: [String; 2],
    #[serde(skip)]
    time: GameTime,
}

#[derive(Serialize)]
struct Line {
    time: String,
    speaker: String,
    text: String,
    /// The speaker's memories that the line passes on.
    tells: serde_json::Value,
    /// What the speaker decided with it, apart from the words.
    decision: serde_json::Value,
}

impl Chats {
    pub(super) fn of(run: &RunAt, resident: Option<u32>) -> Result<Self, Failure> {
        let takes_part = |chat: &Conversation| {
            resident.is_none_or(|id| [chat.began.row.a, chat.began.row.b].contains(&id))
        };
        let chats = run.reader.conversations(run.tick)?;
        Ok(Self {
            resident: resident.map(|id| run.name(id).to_owned()),
            conversations: chats
                .into_iter()
                .filter(takes_part)
                .map(|chat| Chat::of(run, chat))
                .collect(),
            moment: Moment::of(run),
        })
    }
}

impl Chat {
    fn of(run: &RunAt, chat: Conversation) -> Self {
        let began = chat.began;
        let time = run.clock.time(began.tick);
        let json = |text: &str| serde_json::from_str(text).unwrap_or(serde_json::Value::Null);
        let line = |at: townsfolk_store::At<townsfolk_store::LineRow>| Line {
            time: run.clock.time(at.tick).to_string(),
            speaker: run.name(at.row.speaker).to_owned(),
            tells: json(&at.row.tells),
            decision: json(&at.row.decision),
            text: at.row.text,
        };
        Self {
            id: began.row.id,
            between: [run.name(began.row.a).to_owned(), run.name(began.row.b).to_owned()],
            who: [run.who(began.row.a), run.who(began.row.b)],
            place: run.place(began.row.place),
            began: time.to_string(),
            ended: chat.ended.map(|end| end.row.reason),
            lines: chat.lines.into_iter().map(line).collect(),
            time,
        }
    }
}

impl View for Chats {
    fn write(&self, page: &mut Page) {
        let whose = self
            .resident
            .as_ref()
            .map(|name| format!(" of {name}"))
            .unwrap_or_default();
        let count = words::count(self.conversations.len(), "conversation", "conversations");
        head(page, &format!("{count}{whose}"), &self.moment);
        for chat in &self.conversations {
            page.gap();
            let [a, b] = &chat.who;
            let place = chat
                .place
                .as_ref()
                .map(|place| format!(", {place}"))
                .unwrap_or_default();
            let facts = page.look(Look::Faint, format!("{}{place}", words::moment(chat.time)));
            page.paragraph(
                0,
                &format!(
                    "{} and {} · {facts}",
                    page.look(Look::Name, a),
                    page.look(Look::Name, b)
                ),
            );
            let spoken: Vec<Vec<String>> = chat
                .lines
                .iter()
                .map(|line| vec![first_name(&line.speaker).to_owned(), line.text.clone()])
                .collect();
            page.table(2, &spoken);
            let end = match &chat.ended {
                None => "(still talking)".to_owned(),
                Some(_) if chat.lines.is_empty() => "(nothing was said)".to_owned(),
                Some(_) => continue,
            };
            let end = page.look(Look::Faint, end);
            page.paragraph(2, &end);
        }
    }
}

fn first_name(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or(name)
}
