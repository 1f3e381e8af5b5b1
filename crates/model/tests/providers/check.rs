//! `models check` and the check of adherence, against a server that answers.

use crate::common::{env, models};
use futures_executor::block_on;
use townsfolk_model::scripted::{Play, Server};
use townsfolk_model::{Decision, Fault, Models, ModelsConfig, Role, Shaped, Stop, Works, adherence};

#[test]
fn a_model_that_says_anything_but_the_answer_does_not_work() {
    for babble in [
        "I cannot help with that request.",
        "Error: rate limit exceeded",
        "null",
        "<think>which one, which one",
    ] {
        let server = Server::playing(vec![Play::reply(babble)]);
        let text = format!(
            "[thinking]\nmodel = \"ollama:big\"\nbase_url = \"{}\"\n",
            server.base_url()
        );
        let config = ModelsConfig::read(&text, "t").expect("right");
        let lines = block_on(
            Models::open(&config, &env, None, &Stop::default())
                .expect("opens")
                .check(),
        );
        let fault = lines[0].result.as_ref().map_err(|error| error.fault);
        assert_eq!(fault.err(), Some(Fault::Unreadable), "{babble}");
    }
}

#[test]
fn each_role_gets_a_line_that_says_what_works_and_what_to_fix() {
    let good = Server::playing(vec![Play::reply("{\"larger\": 7}")]);
    let vague = Server::playing(vec![Play::reply("Seven is larger, of course!")]);
    let broken = Server::playing(vec![Play::bad_key()]);
    let text = format!(
        "[thinking]\nmodel = \"ollama:big\"\nbase_url = \"{}\"\n\
         [talking]\nmodel = \"gpt4all:small\"\nbase_url = \"{}\"\n\
         [rating]\nmodel = \"groq:fast\"\nbase_url = \"{}\"\n\
         [embedding]\nmodel = \"ollama:nomic\"\nbase_url = \"{}\"\n",
        good.base_url(),
        vague.base_url(),
        broken.base_url(),
        good.base_url(),
    );
    let config = ModelsConfig::read(&text, "t").expect("right");
    let lines = block_on(
        Models::open(&config, &env, None, &Stop::default())
            .expect("opens")
            .check(),
    );
    assert_eq!(
        lines.iter().map(|line| line.role).collect::<Vec<_>>(),
        ["thinking", "talking", "rating", "embedding"]
    );
    let shaped = |line: usize| match &lines[line].result {
        Ok(Works::Chat { shaped, .. }) => Some(*shaped),
        _ => None,
    };
    assert_eq!(
        (shaped(0), shaped(1)),
        (Some(Shaped::Exactly), Some(Shaped::Loosely))
    );
    assert_eq!(
        lines[2].result.as_ref().map_err(|error| error.fault),
        Err(Fault::Key)
    );
    assert!(matches!(
        lines[3].result,
        Ok(Works::Embedding { dimensions: 8, .. })
    ));
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    assert!(
        text[0].starts_with("thinking  ok     ollama:big: ") && text[0].ends_with("answers in the schema")
    );
    assert!(text[1].contains("does not keep to the schema"), "{}", text[1]);
    assert!(
        text[2].starts_with("rating    FAILED groq:fast: status 401: ") && text[2].contains("GROQ_API_KEY")
    );
    assert!(text[3].contains("8 dimensions"), "{}", text[3]);
    assert!(text.iter().all(|line| !line.contains('\n')));
    assert_eq!(
        (good.count(), vague.count(), broken.count()),
        (2, 1, 1),
        "one call each"
    );
}

#[test]
fn adherence_counts_decisions_whatever_the_words() {
    let server = Server::playing(vec![
        Play::reply("{\"decision\": \"refuse\", \"line\": \"No.\"}"),
        Play::reply("```json\n{\"decision\": \"Refuse\", \"line\": \"I'm so sorry, my friend, no.\"}\n```"),
        Play::reply("{\"decision\": \"lend\", \"line\": \"Oh, all right.\"}"),
        Play::reply("He grumbles and shuts the door."),
        Play::reply("{\"decision\": \"maybe\"}"),
    ]);
    let models = models(&server, "ollama:nice", "");
    let found = block_on(adherence(models.role(Role::Talking).model.as_ref())).expect("it answers");
    let decisions: Vec<Decision> = found.answers.iter().map(|(decision, _)| *decision).collect();
    use Decision::{InCharacter, OutOfCharacter, Unclear};
    assert_eq!(
        decisions,
        [InCharacter, InCharacter, OutOfCharacter, Unclear, Unclear]
    );
    assert_eq!(found.answers[1].1, "I'm so sorry, my friend, no.");
    assert!(
        found
            .to_string()
            .starts_with("ollama:nice: stayed in character 2 of 5 times"),
        "{found}"
    );
    // Each time, all that was said before is before the model.
    let lengths: Vec<usize> = server
        .requests()
        .iter()
        .map(|request| request.json()["messages"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(lengths, [2, 4, 6, 8, 10]);
}
