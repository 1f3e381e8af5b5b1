//! An agent lives through twenty observations of a day, interviewed before and after.
//!
//! `cargo run --package townsfolk-agent --example twenty_observations` runs on the routine mind, offline; with
//! `-- --model ollama:qwen3:4b` (or any other `PROVIDER:NAME`) a language model answers.

#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "../shared/mod.rs"]
mod shared;

use std::error::Error;

use townsfolk_agent::{GameTime, GenerativeAgent, ManualClock, Options, Persona};

/// Minutes between two observations.
const MINUTES: i64 = 40;

const DAY: [&str; 20] = [
    "Noor Haddad wakes up to the sound of rain on the roof",
    "Noor Haddad finds a letter from the city council under her door",
    "The letter says that Noor Haddad's bakery must close for repairs in July",
    "Noor Haddad is worried that her bakery will not survive a month without customers",
    "Noor Haddad bakes forty loaves before sunrise",
    "Emil Sato buys two loaves and asks about the letter",
    "Emil Sato offers Noor Haddad the old kitchen of his boathouse for July",
    "Noor Haddad is relieved and thanks Emil Sato",
    "A tourist complains that the bread is too dark",
    "Noor Haddad gives the last loaf to a child who forgot her lunch",
    "Noor Haddad walks to the boathouse to look at the kitchen",
    "The oven in the boathouse is broken",
    "Emil Sato's sister Wanda Sato repairs ovens in the next town",
    "Noor Haddad calls Wanda Sato, who can come on Thursday",
    "Noor Haddad eats soup at the harbour and watches the boats",
    "Noor Haddad hears that the council election is in September",
    "Noor Haddad decides to ask every candidate about small shops",
    "Noor Haddad writes a list of customers to tell about the boathouse",
    "Wanda Sato sends a message that the spare part has arrived",
    "Noor Haddad goes to bed tired and hopeful",
];

const QUESTIONS: [&str; 5] = [
    "Please introduce yourself.",
    "What happens to your bakery in July?",
    "Who is Emil Sato?",
    "What do you know about the oven?",
    "Who is Kane Martinez?",
];

fn main() -> Result<(), Box<dyn Error>> {
    let clock = ManualClock::new("2024-06-03 05:00".parse::<GameTime>()?);
    let surroundings = shared::surroundings(&clock)?;
    let persona = Persona {
        age: Some(38),
        traits: "warm, stubborn, early riser".to_owned(),
        background: "Noor Haddad runs a small bakery by the harbour.".to_owned(),
        current: "Noor Haddad wants to keep her bakery open.".to_owned(),
        ..Persona::new("Noor Haddad")
    };
    let mut noor = GenerativeAgent::new(persona, Options::default(), surroundings);

    println!("Before the day\n");
    interview(&noor)?;

    println!("\nThe day\n");
    for observation in DAY {
        clock.advance_minutes(MINUTES);
        let added = noor.add_memory(observation)?;
        println!("  {observation}");
        for insight in added.insights {
            if let Some(insight) = noor.memory().get(insight) {
                println!("    thinks: {}", insight.text);
            }
        }
    }
    for insight in noor.reflect()? {
        if let Some(insight) = noor.memory().get(insight) {
            println!("    thinks in the evening: {}", insight.text);
        }
    }

    println!("\nAfter the day\n");
    println!("  {}\n", noor.summary()?);
    interview(&noor)
}

fn interview(noor: &GenerativeAgent) -> Result<(), Box<dyn Error>> {
    for question in QUESTIONS {
        let answer = noor.interview(question, &[])?;
        println!("  {question}\n    {}", answer.text);
        for memory in answer.used {
            println!("      from {} ({:.2}): {}", memory.id, memory.score, memory.text);
        }
    }
    Ok(())
}
