//! One input of each task, full enough to try prompts on: every part of a template is filled.
//!
//! Used to try a set of prompts before a run, and by tests and benches that must go through all tasks.

use std::sync::Arc;

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::{Date, GameTime};
use townsfolk_world::PlaceId;

use super::{Fit, Limits, PromptSet, reader};
use crate::tasks::{
    Acquaintance, ActionDetails, AfterTalk, Appointment, Choice, ChoosePlace, Commitment,
    ConversationSummary, DayPlan, Decompose, Exchange, FocalQuestions, HourlySchedule, Importance,
    InnerThought, Insights, Interview, Line, NextLine, ObjectState, Occasion, Present, React, Recalled,
    Relationship, ResidentSummary, ReviseIdentity, ReviseSchedule, Seen, Stroke, Topic, WakeUp,
};
use crate::{Entry, Identity, Schedule, Task, TaskKind};

/// Something to do with one input of each task.
pub trait Visit {
    /// Does it.
    fn visit<T: Task>(&mut self, task: &T);
}

/// Who the inputs are about.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Who is asked.
    pub who: Identity,
    /// Whom they meet.
    pub other: Arc<str>,
}

impl Default for Cast {
    /// Two invented neighbours.
    fn default() -> Self {
        Self {
            who: Identity {
                name: "Mara Ilves".into(),
                first_name: "Mara".into(),
                age: Some(43),
                traits: "curious, stubborn, warm-hearted".into(),
                background: "Mara Ilves keeps the boathouse and rents out rowing boats. She grew up on the lake and knows every family around it.".into(),
                current: "Mara Ilves is planning a lantern supper at the boathouse on June 4 at 18:00. She wants all neighbours to come.".into(),
                lifestyle: "goes to bed around 10pm, gets up around 6am, eats dinner around 6pm".into(),
                daily_requirement: "opens the boathouse from 9:00 to 17:00".into(),
                home: PlaceId::from_index(3),
            },
            other: "Tomas Varga".into(),
        }
    }
}

/// Shows one input of each task, about the default cast.
pub fn each<V: Visit>(visitor: &mut V) -> &mut V {
    each_about(&Cast::default(), visitor)
}

/// A reply read as the answer to a question that was put in full, or what is wrong with it.
///
/// # Errors
/// If it is no answer, or one that cannot stand; if the question cannot be put.
pub fn answer<T: Task>(prompts: &PromptSet, task: &T, reply: &str) -> Result<T::Answer, String> {
    let (prompt, _) = prompts
        .prompt(task, Limits::NONE)
        .map_err(|fault| fault.to_string())?;
    let fit = Fit::new(prompts.phrases(), Limits::NONE);
    let wire = reader::read::<T::Wire>(reply, &prompts.shown(&prompt), T::PLAIN);
    let answer = task.read(wire.map_err(|fault| fault.to_string())?, &fit)?;
    task.check(&answer)?;
    Ok(answer)
}

/// A reply read as the answer to each task's sample: the answer as JSON, or what is wrong with it. For tests and
/// fuzzing: it ends, whatever the reply is.
pub fn answers(prompts: &PromptSet, reply: &str) -> Vec<(TaskKind, Result<String, String>)> {
    struct Read<'a> {
        prompts: &'a PromptSet,
        reply: &'a str,
        answers: Vec<(TaskKind, Result<String, String>)>,
    }
    impl Visit for Read<'_> {
        fn visit<T: Task>(&mut self, task: &T) {
            let answer = answer(self.prompts, task, self.reply)
                .and_then(|answer| serde_json::to_string(&answer).map_err(|fault| fault.to_string()));
            self.answers.push((T::KIND, answer));
        }
    }
    let mut read = Read {
        prompts,
        reply,
        answers: Vec::new(),
    };
    each(&mut read);
    read.answers
}

/// Shows one input of each task, about these people.
pub fn each_about<'v, V: Visit>(cast: &Cast, visitor: &'v mut V) -> &'v mut V {
    let Cast { who, other } = cast;
    let date = Date::constant(2024, 6, 3);
    let now = GameTime::at(date, 610);
    let recalled = recalled(cast, now);
    let lines = lines(cast);
    let occasion = supper(cast);
    let appointments = [Appointment {
        occasion: occasion.clone(),
        place: None,
        memory: Some(recalled[0].id),
    }];
    let schedule = day();
    let entries = schedule.entries();

    visitor.visit(&WakeUp { who, date });
    let places: [Arc<str>; 3] = ["Boathouse".into(), "Ilves's house".into(), "Corner shop".into()];
    let plan = DayPlan {
        who,
        date,
        wake: 365,
        appointments: &appointments,
        recalled: &recalled,
        known_places: &places,
        places: &[],
    };
    visitor.visit(&plan);
    let strokes = strokes(&recalled);
    visitor.visit(&HourlySchedule {
        plan: &plan,
        strokes: &strokes,
    });
    visitor.visit(&Decompose {
        who,
        date,
        entry: &entries[2],
        before: Some(&entries[1]),
        after: Some(&entries[3]),
        reuse: true,
    });
    let choices = choices();
    visitor.visit(&ChoosePlace {
        who,
        activity: "mending an oar",
        within: &entries[2].activity,
        asleep: false,
        choices: &choices,
    });
    visitor.visit(&ActionDetails {
        who,
        activity: "mending an oar",
        asleep: false,
        object: Some("workbench"),
    });
    let items: [Arc<str>; 3] = [
        "stove is idle".into(),
        format!("{other} is buying nails").into(),
        format!("{other} is moving away from the lake for good").into(),
    ];
    visitor.visit(&Importance { who, items: &items });
    visitor.visit(&React {
        who,
        now,
        doing: "mending an oar",
        minutes_left: 25,
        seen: Seen::Person {
            name: other,
            doing: "looking at the boats",
            acquaintance: Acquaintance {
                memories: 4,
                talks: 2,
                minutes_since_talk: Some(1_500),
            },
            in_the_way: false,
            may_talk: true,
        },
        recalled: &recalled,
        news: &recalled[..1],
    });
    let new = Entry {
        start: 1_080,
        minutes: 120,
        activity: "attending lantern supper at the boathouse".into(),
        asleep: false,
        cause: Some(recalled[0].id),
        step: false,
    };
    visitor.visit(&ReviseSchedule {
        who,
        date,
        now: 610,
        plan: &schedule,
        new: Some(&new),
        reason: "attending lantern supper at the boathouse",
        cause: Some(recalled[0].id),
        places: &[],
    });
    let topics: Vec<Topic> = recalled
        .iter()
        .enumerate()
        .map(|(i, recalled)| Topic {
            recalled: recalled.clone(),
            shared: i == 1,
        })
        .collect();
    visitor.visit(&NextLine {
        who,
        listener: other,
        now,
        place: "Boathouse",
        doing: "mending an oar",
        listener_doing: "looking at the boats",
        relationship: "They are neighbours of many years and help each other out.",
        topics: &topics,
        lines: &lines,
        lines_left: 3,
        plan: &entries[2..],
        appointments: &appointments,
        answered: std::slice::from_ref(&occasion),
        called_off: &[],
    });
    visitor.visit(&Relationship {
        who,
        other,
        recalled: &recalled,
        talks: 1,
    });
    visitor.visit(&ConversationSummary {
        who,
        other,
        lines: &lines,
    });
    visitor.visit(&AfterTalk {
        who,
        other,
        now,
        lines: &lines,
    });
    visitor.visit(&FocalQuestions {
        who,
        recalled: &recalled,
        wanted: 3,
    });
    visitor.visit(&Insights {
        who,
        question: "Who will come to the supper?",
        recalled: &recalled,
        wanted: 5,
        most_met: None,
    });
    visitor.visit(&ReviseIdentity {
        who,
        date,
        recalled: &recalled,
    });
    visitor.visit(&ResidentSummary {
        who,
        recalled: &recalled,
    });
    let history = [Exchange {
        question: "What do you do for a living?".to_owned(),
        answer: "I rent out rowing boats.".to_owned(),
    }];
    visitor.visit(&Interview {
        who,
        now,
        summary: "She is known all around the lake.",
        history: &history,
        question: "What are you looking forward to?",
        recalled: &recalled,
        present: Present {
            place: vec!["Boathouse", "hall"],
            home: vec!["Ilves's house", "upper room"],
            doing: Some("sorting nets"),
            plan: Some(&schedule),
        },
    });
    visitor.visit(&ObjectState {
        object: "kettle",
        words: "the kettle is being descaled",
    });
    visitor.visit(&InnerThought {
        who,
        whisper: "You want to ask the baker for forty rolls.",
    });
    visitor.visit(&Commitment {
        who,
        now,
        text: &who.current,
    });
    visitor
}

fn recalled(cast: &Cast, now: GameTime) -> Vec<Recalled> {
    let Cast { who, other } = cast;
    let memory =
        |index: u32, text: String, subject: &Arc<str>, importance: u8, told_by: Option<&Arc<str>>| Recalled {
            id: MemoryId::from_index(index),
            kind: MemoryKind::Observation,
            text: text.into(),
            subject: subject.clone(),
            importance,
            created: now + -3_600 * i64::from(index),
            told_by: told_by.cloned(),
            known: false,
        };
    vec![
        memory(7, who.current.clone(), &who.name, 7, None),
        memory(
            12,
            format!("{other} has a new boat and is proud of it"),
            other,
            4,
            None,
        ),
        memory(
            3,
            "the bakery closes at noon this week".to_owned(),
            other,
            3,
            Some(other),
        ),
        memory(21, format!("{other} is looking at the boats"), other, 2, None),
    ]
}

fn lines(cast: &Cast) -> Vec<Line> {
    let line = |speaker: &Arc<str>, text: &str| Line {
        speaker: speaker.clone(),
        text: text.into(),
        tells: Vec::new(),
        decision: None,
    };
    vec![
        line(
            &cast.who.name,
            "Good morning! Will you come to the lantern supper tomorrow at six?",
        ),
        line(&cast.other, "Gladly. Could you lend me your saw until then?"),
    ]
}

fn supper(cast: &Cast) -> Occasion {
    Occasion {
        what: "lantern supper".to_owned(),
        date: Date::constant(2024, 6, 4),
        start: 1_080,
        minutes: 120,
        place: Some("the boathouse".to_owned()),
        host: Some(cast.who.name.to_string()),
    }
}

fn strokes(recalled: &[Recalled]) -> [Stroke; 4] {
    let stroke = |start, activity: &str, cause| Stroke {
        start,
        until: None,
        activity: activity.to_owned(),
        cause,
    };
    [
        stroke(365, "getting up and having breakfast at home", None),
        stroke(540, "opening the boathouse", None),
        stroke(780, "inviting neighbours to the supper", Some(recalled[0].id)),
        stroke(1_080, "cooking dinner at home", None),
    ]
}

fn day() -> Schedule {
    let blocks = [
        (0, 365, "sleeping"),
        (365, 175, "having breakfast at home"),
        (540, 240, "running the boathouse"),
        (780, 240, "inviting neighbours to the supper"),
        (1_020, 300, "having dinner and reading at home"),
        (1_320, 120, "sleeping"),
    ];
    let entries = blocks.iter().map(|(start, minutes, activity)| Entry {
        start: *start,
        minutes: *minutes,
        activity: (*activity).into(),
        asleep: *activity == "sleeping",
        cause: None,
        step: false,
    });
    Schedule::new(entries.collect()).expect("the stretches above cover a day")
}

fn choices() -> Vec<Choice> {
    let choice = |index: usize, sector: &str, arena: &str, object: Option<&str>| Choice {
        place: PlaceId::from_index(index),
        sector: sector.into(),
        arena: arena.into(),
        object: object.map(Into::into),
        state: None,
        own_room: arena == "bedroom",
        home: sector == "Ilves's house",
        here: arena == "workshop",
        near: sector == "Boathouse",
    };
    vec![
        choice(4, "Ilves's house", "bedroom", Some("bed")),
        choice(5, "Ilves's house", "galley", Some("stove")),
        choice(6, "Boathouse", "workshop", Some("workbench")),
        choice(7, "Boathouse", "jetty", None),
        choice(8, "Corner shop", "shop floor", Some("counter")),
    ]
}
