//! Two agents talk until one of them ends it, each interviewed before and after.
//!
//! `cargo run --package townsfolk-agent --example two_agents_talk` runs on the routine mind, offline; with
//! `-- --model ollama:qwen3:4b` (or any other `PROVIDER:NAME`) a language model answers.

#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "../shared/mod.rs"]
mod shared;

use std::error::Error;

use townsfolk_agent::{Dialogue, GameTime, GenerativeAgent, ManualClock, Observation, Options, Persona};

const QUESTIONS: [&str; 3] = [
    "What do you know about the ferry?",
    "What do you know about the lantern supper?",
    "With whom did you talk recently?",
];

fn main() -> Result<(), Box<dyn Error>> {
    let clock = ManualClock::new("2024-06-03 10:00".parse::<GameTime>()?);
    let agent = |name: &str, background: &str, knows: &str| {
        let surroundings = shared::surroundings(&clock)?;
        let persona = Persona {
            age: Some(41),
            traits: "friendly, talkative".to_owned(),
            background: background.to_owned(),
            ..Persona::new(name)
        };
        let mut agent = GenerativeAgent::new(persona, Options::default(), surroundings);
        agent.add_memory(Observation {
            importance: Some(7),
            ..knows.into()
        })?;
        Ok::<_, Box<dyn Error>>(agent)
    };
    let mut ngaio = agent(
        "Ngaio Rewi",
        "Ngaio Rewi paints boats at the quay.",
        "Ngaio Rewi is planning a lantern supper at the boathouse on June 5th, 2024 from 6pm to 9pm",
    )?;
    let mut tomas = agent(
        "Tomas Varga",
        "Tomas Varga sells tickets for the ferry.",
        "The ferry leaves every forty minutes until the bridge is repaired",
    )?;

    println!("Before\n");
    interview(&ngaio)?;
    interview(&tomas)?;

    println!("\nThe talk\n");
    let mut talk = Dialogue::new(&**ngaio.name(), &**tomas.name());
    while !talk.is_over() {
        let speaker = if talk.lines().len().is_multiple_of(2) {
            &mut ngaio
        } else {
            &mut tomas
        };
        let reply = speaker.generate_dialogue_response(&mut talk)?;
        println!("  {}: {}", speaker.name(), reply.text);
        clock.advance_seconds(20);
    }
    for agent in [&mut ngaio, &mut tomas] {
        agent.remember_dialogue(&talk)?;
    }

    println!("\nAfter\n");
    interview(&ngaio)?;
    interview(&tomas)
}

fn interview(agent: &GenerativeAgent) -> Result<(), Box<dyn Error>> {
    for question in QUESTIONS {
        let answer = agent.interview(question, &[])?;
        println!("  {} is asked: {question}\n    {}", agent.name(), answer.text);
    }
    Ok(())
}
