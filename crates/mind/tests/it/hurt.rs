//! Somebody who was hurt comes to avoid the place where that person is. No rule says so: it follows from
//! memory, reflection, recall and planning, shown here with a model whose every answer depends only on
//! what it is told.

use std::sync::Arc;

use futures_util::future::FutureExt as _;
use serde_json::{Value, json};
use townsfolk_memory::{MemoryKind, StreamSettings, Triple};
use townsfolk_mind::cognition::apart::{Note, reflect, remember};
use townsfolk_mind::cognition::{Body, Journal, Resident, Showing, Situation, Status, think};
use townsfolk_mind::model::ModelMind;
use townsfolk_mind::{Asker, Identity, Phrases, ResidentId, Settings};
use townsfolk_model::ChatRequest;
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, World, sketch};

use crate::common::{Kept, Scripted, WordCounts, at, meanings, mind};

const ROW: &str = "
    Little Row
    ###########
    #aaa#cccCc#
    #aBa#ccccc#
    ##.####.###
    ...........
    a = Ivy House:main room
    B = Ivy House:main room:bed
    c = Lamp Cafe:cafe
    C = Lamp Cafe:cafe:counter
";

const HURT: &str = "Bram Holt shouted at Mara Ilves and tore up her drawing in the Lamp Cafe";
const CONCLUSION: &str = "Mara Ilves does not feel safe near Bram Holt, who is in the Lamp Cafe at noon";

/// Answers as anybody would who knows nothing but the prompt.
fn reply(request: &ChatRequest) -> Value {
    let told = request.turns.iter().map(|turn| turn.text.as_str());
    let told: String = [request.system.as_str()].into_iter().chain(told).collect();
    let task = request.shape.as_ref().map_or("", |shape| shape.name.as_str());
    match task {
        "focal_questions" => json!({ "questions": ["How does Mara Ilves feel about Bram Holt?"] }),
        "insights" if told.contains("tore up her drawing") => {
            json!({ "insights": [{ "because": [1], "text": CONCLUSION }] })
        }
        "insights" => json!({ "insights": [] }),
        "wake_up" => json!({ "wake": "07:00" }),
        "day_plan" => {
            // Whoever has read that she does not feel safe there lets her eat at home.
            let lunch = if told.contains("does not feel safe near Bram Holt") {
                "eating lunch at home"
            } else {
                "eating lunch at the Lamp Cafe"
            };
            json!({ "plan": [
                { "at": "07:00", "do": "getting ready for the day" },
                { "at": "08:00", "do": "drawing at home" },
                { "at": "12:00", "do": lunch },
                { "at": "13:00", "do": "drawing at home" },
                { "at": "21:00", "do": "getting ready for bed" },
            ] })
        }
        // The rest is left to the rules.
        _ => json!("nothing to say"),
    }
}

struct Mara {
    resident: Resident,
    world: World,
    mind: ModelMind,
}

impl Mara {
    fn new() -> Self {
        let world = sketch::read(ROW).expect("the sketch is right");
        let home = world
            .find("Little Row:Ivy House:main room")
            .expect("a place of the sketch");
        let identity = Identity {
            name: "Mara Ilves".into(),
            first_name: "Mara".into(),
            age: Some(29),
            traits: "gentle, shy".to_owned(),
            background: "Mara Ilves draws birds.".to_owned(),
            current: "Mara Ilves has lunch at the Lamp Cafe every day.".to_owned(),
            lifestyle: "wakes up around 7am, goes to bed around 10pm".to_owned(),
            daily_requirement: String::new(),
            home,
        };
        let known = (0..world.places().len()).map(PlaceId::from_index);
        let stream = StreamSettings::for_embedder(&WordCounts);
        let resident = Resident::new(ResidentId(0), identity, Settings::paper(), known, stream);
        let model = Scripted::new(|_, request| Ok(reply(request).to_string()));
        Self {
            resident,
            world,
            mind: mind(model, Arc::new(Kept::default())),
        }
    }

    /// Goes through an evening in which `texts` happen, and sleeps on it.
    fn lives_through(&mut self, texts: &[&str]) {
        let meanings = meanings();
        let evening: GameTime = "2024-06-02 21:00".parse().expect("a time");
        let asker = Asker::with_model(at(1), &meanings, &self.mind);
        let note = |text: &&str| {
            let triple = Triple::new("Bram Holt", "meet", "Mara Ilves");
            let mut note = Note::new(MemoryKind::Observation, triple, *text);
            note.importance = Some(9);
            note
        };
        let notes: Vec<Note> = texts.iter().map(note).collect();
        let mut journal = Journal::default();
        remember(&mut self.resident, evening, &asker, &mut journal, notes)
            .now_or_never()
            .expect("nothing is waited for")
            .expect("it fits");
        reflect(&mut self.resident, evening, &asker, &mut journal)
            .now_or_never()
            .expect("nothing is waited for")
            .expect("the model answers");
    }

    /// Plans the next day, and says what it holds at noon.
    fn noon(&mut self) -> Arc<str> {
        let meanings = meanings();
        let now: GameTime = "2024-06-03 00:00".parse().expect("a time");
        let bed = self.world.standing_tiles(self.resident.life.identity.home)[0];
        let me = Body {
            tile: bed,
            showing: Showing {
                status: Status::Asleep,
                activity: "sleeping".into(),
                emoji: "💤".into(),
                triple: Triple::new("Mara Ilves", "sleep", ""),
                place: None,
                uses: None,
                ends: now,
            },
            talk: None,
        };
        let situation = Situation {
            now,
            tick: 2,
            seconds_per_tick: 10,
            world: &self.world,
            phrases: Phrases::of("en"),
            me: &me,
            sight: Vec::new(),
            talk: None,
            ended_talk: None,
            past: &[],
            whispers: Vec::new(),
            answers: Vec::new(),
            displaced: false,
        };
        let asker = Asker::with_model(at(2), &meanings, &self.mind);
        think(&mut self.resident, &situation, &asker)
            .now_or_never()
            .expect("nothing is waited for")
            .expect("the model answers");
        let day = self.resident.life.day.as_ref().expect("she has planned");
        day.hours.at(12 * 60).activity.clone()
    }
}

#[test]
fn whoever_was_hurt_avoids_the_place_and_whoever_was_not_does_not() {
    let mut hurt = Mara::new();
    hurt.lives_through(&[HURT]);
    let conclusion = hurt
        .resident
        .stream
        .iter()
        .find(|memory| &*memory.text == CONCLUSION);
    let evidence = &conclusion.expect("she thinks it over").evidence;
    let rests_on: Vec<&str> = evidence
        .iter()
        .filter_map(|id| hurt.resident.stream.get(*id))
        .map(|memory| &*memory.text)
        .collect();
    assert_eq!(rests_on, [HURT]);
    assert!(hurt.noon().contains("home"), "{}", hurt.noon());

    let mut unhurt = Mara::new();
    unhurt.lives_through(&["Bram Holt bought a drawing from Mara Ilves in the Lamp Cafe"]);
    assert!(unhurt.noon().contains("Lamp Cafe"), "{}", unhurt.noon());
}
