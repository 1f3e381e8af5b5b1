use super::*;

fn says(text: &str, speaker: &str, listener: &str) -> String {
    spoken(text, speaker, first_name(speaker), listener)
}

#[test]
fn one_memory_from_three_mouths() {
    let memory = "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe and is telling everyone about it";
    assert_eq!(
        says(memory, "Isabella Rodriguez", "Maria Lopez"),
        "I am planning a Valentine's Day party at Hobbs Cafe and am telling everyone about it"
    );
    assert_eq!(says(memory, "Maria Lopez", "Klaus Mueller"), memory);
    assert_eq!(
        says(memory, "Maria Lopez", "Isabella Rodriguez"),
        "You are planning a Valentine's Day party at Hobbs Cafe and are telling everyone about it"
    );
}

#[test]
fn verbs_and_pronouns_follow() {
    let sam = "Sam Moore";
    let jennifer = "Jennifer Moore";
    let cases = [
        (
            "Sam Moore lives with his wife of 40 years, Jennifer Moore, and spends his free time tending the park.",
            "I live with my wife of 40 years, you, and spend my free time tending the park.",
        ),
        (
            "Sam Moore has known Sam's neighbor, Adam Smith, for a few years",
            "I have known my neighbor, Adam Smith, for a few years",
        ),
        (
            "Sam Moore and Adam Smith have talked",
            "Adam Smith and I have talked",
        ),
        (
            "Adam Smith and Sam Moore are friends",
            "Adam Smith and I are friends",
        ),
        ("Sam Moore and Jennifer Moore love the park", "We love the park"),
        (
            "Adam Smith told Sam Moore about it",
            "Adam Smith told me about it",
        ),
        (
            "Adam Smith thinks Sam Moore is kind",
            "Adam Smith thinks I am kind",
        ),
        (
            "Sam Moore thinks Tom Moreno is too loud because he talks so much",
            "I think Tom Moreno is too loud because he talks so much",
        ),
        (
            "Sam Moore doesn't really watch films",
            "I don't really watch films",
        ),
        (
            "Sam is retired. He is always full of advice.",
            "I am retired. I am always full of advice.",
        ),
        ("You don't like Tom Moreno.", "I don't like Tom Moreno."),
        (
            "Sam Moore goes to bed around 10pm, awakes up around 6am, eats dinner around 5pm.",
            "I go to bed around 10pm, awake up around 6am, eat dinner around 5pm.",
        ),
        (
            "Sam Moore thinks his son, Eddy Lin, has been a little rebellious, and wonders why",
            "I think my son, Eddy Lin, has been a little rebellious, and wonder why",
        ),
        (
            "Sam Moore has known the Lins since the time Sam helped them with the shop",
            "I have known the Lins since the time I helped them with the shop",
        ),
        (
            "Sam Moore would mend the wall first if Sam were mayor",
            "I would mend the wall first if I were mayor",
        ),
        (
            "Jennifer Moore loves her garden and hopes Sam Moore rests",
            "You love your garden and hope I rest",
        ),
    ];
    for (memory, expected) in cases {
        assert_eq!(says(memory, sam, jennifer), expected, "{memory}");
    }
}

#[test]
fn a_second_verb_agrees_and_another_keeps_her_pronouns() {
    let ilse = |t: &str| says(t, "Ilse Brandt", "Bram Holt");
    assert_eq!(
        ilse("Ilse Brandt is making a book of old songs and needs three more songs"),
        "I am making a book of old songs and need three more songs"
    );
    assert_eq!(
        ilse("Ilse Brandt is writing about a man who lives and works alone"),
        "I am writing about a man who lives and works alone"
    );
    assert_eq!(
        ilse("Ilse Brandt is building her a rowing boat for her birthday and she mustn't know"),
        "I am building her a rowing boat for her birthday and she mustn't know"
    );
    assert_eq!(
        thought(
            "You are planning a supper from 6pm to 9pm and want everyone to come",
            "Ilse Brandt",
            "Ilse"
        ),
        "Ilse Brandt is planning a supper from 6pm to 9pm and wants everyone to come"
    );
}

#[test]
fn a_pronoun_that_could_mean_another_stays_as_it_is() {
    let gwen = |t: &str| says(t, "Gwen Pryce", "Bram Holt");
    let cases = [
        (
            "Walter Pryce is Gwen Pryce's husband of forty years; Gwen wishes he would retire",
            "Walter Pryce is my husband of forty years; I wish he would retire",
        ),
        (
            "Adaeze Nwosu is Gwen Pryce's wife; Gwen worries that she works too much",
            "Adaeze Nwosu is my wife; I worry that she works too much",
        ),
        (
            "Priya Raghavan is the night nurse at Gwen Pryce's clinic; Gwen trusts her completely",
            "Priya Raghavan is the night nurse at my clinic; I trust her completely",
        ),
        (
            "Kene Nwosu is Gwen Pryce's son; Gwen had hoped he would study medicine",
            "Kene Nwosu is my son; I had hoped he would study medicine",
        ),
        (
            "Gwen Pryce shares the house with 林 秋; Gwen knows that she works at night",
            "I share the house with 林 秋; I know that she works at night",
        ),
        (
            "Gwen Pryce lives with her grandson and hopes he rests",
            "I live with my grandson and hope he rests",
        ),
        (
            "Gwen Pryce keeps The Heron, the pub on Lantern Street, with her husband.",
            "I keep The Heron, the pub on Lantern Street, with my husband.",
        ),
        (
            "Gwen Pryce edits and prints The Courier, the town's weekly paper",
            "I edit and print The Courier, the town's weekly paper",
        ),
        (
            "Gwen Pryce lives with her husband, Walter Pryce, and works on her paper",
            "I live with my husband, Walter Pryce, and work on my paper",
        ),
        (
            "Ryan Park is Gwen Pryce's lodger; he met Gwen, and Gwen still lives with him",
            "Ryan Park is my lodger; he met me, and I still live with him",
        ),
        (
            "Mateus Silva is Gwen Pryce's husband; Gwen laughed when Gwen asked him",
            "Mateus Silva is my husband; I laughed when I asked him",
        ),
        (
            "Walter Pryce is the one Gwen Pryce meets most often",
            "Walter Pryce is the one I meet most often",
        ),
        (
            "Gwen Pryce is telling everyone she meets about it, wants them all to come, and is gathering lanterns",
            "I am telling everyone I meet about it, want them all to come, and am gathering lanterns",
        ),
    ];
    for (memory, expected) in cases {
        assert_eq!(gwen(memory), expected, "{memory}");
    }
    assert_eq!(
        says(
            "Ilse is retired. She hopes Bram rests.",
            "Ilse Brandt",
            "Bram Holt"
        ),
        "I am retired. I hope you rest."
    );
}

#[test]
fn only_verbs_of_you_are_conjugated() {
    let beni = |t: &str| thought(t, "Beni Quispe", "Beni");
    let cases = [
        (
            "Kene Nwosu shows you his drawings of boats, and you believe in them",
            "Kene Nwosu shows Beni Quispe his drawings of boats, and Beni believes in them",
        ),
        (
            "Lia Silva is your daughter, and at school she calls you Ms Åkerlund",
            "Lia Silva is Beni Quispe's daughter, and at school she calls Beni Ms Åkerlund",
        ),
        (
            "Samir Haddad makes you laugh when you cannot sleep",
            "Samir Haddad makes Beni Quispe laugh when Beni cannot sleep",
        ),
        (
            "Bríd Gallagher lets you have supper on credit",
            "Bríd Gallagher lets Beni Quispe have supper on credit",
        ),
        (
            "Samir Haddad is your father; he lets you choose the fruit",
            "Samir Haddad is Beni Quispe's father; he lets Beni choose the fruit",
        ),
        (
            "Gwen Pryce has never let you pay for tea",
            "Gwen Pryce has never let Beni Quispe pay for tea",
        ),
        (
            "Marguerite Duval sends you guests and hears you sing",
            "Marguerite Duval sends Beni Quispe guests and hears Beni sing",
        ),
        (
            "Adaeze Nwosu is the doctor you work with",
            "Adaeze Nwosu is the doctor Beni Quispe works with",
        ),
        (
            "You bring the songs you write and sing them",
            "Beni Quispe brings the songs Beni writes and sings them",
        ),
        (
            "You talk too long and know it",
            "Beni Quispe talks too long and knows it",
        ),
        (
            "You edit and print The Courier",
            "Beni Quispe edits and prints The Courier",
        ),
        (
            "You are telling everyone you meet about it, want them all to come, and are gathering dishes",
            "Beni Quispe is telling everyone Beni meets about it, wants them all to come, and is gathering dishes",
        ),
    ];
    for (whisper, expected) in cases {
        assert_eq!(beni(whisper), expected, "{whisper}");
    }
}

#[test]
fn whispers_become_thoughts() {
    let latoya = |t: &str| thought(t, "Latoya Williams", "Latoya");
    let cases = [
        (
            "You and Rajiv Patel sometimes talk about politics",
            "Latoya Williams and Rajiv Patel sometimes talk about politics",
        ),
        (
            "Rajiv Patel is your housemate whom you've known for about a year",
            "Rajiv Patel is Latoya Williams's housemate whom Latoya has known for about a year",
        ),
        (
            "You don't like it when people fight at your bar",
            "Latoya Williams doesn't like it when people fight at Latoya's bar",
        ),
        (
            "This is very important -- you have a secret crush on Klaus Mueller",
            "This is very important -- Latoya Williams has a secret crush on Klaus Mueller",
        ),
        ("Run for mayor", "Latoya Williams wants to run for mayor"),
        ("Work ends at 2pm today", "Work ends at 2pm today"),
        ("Rest is what counts", "Rest is what counts"),
        ("Don't tell anyone", "Latoya Williams means not to tell anyone"),
        (
            "I am tired and I want to sleep",
            "Latoya Williams is tired and Latoya wants to sleep",
        ),
        ("The clinic closes at noon", "The clinic closes at noon"),
        (
            "You would mend the sea wall first if you were mayor",
            "Latoya Williams would mend the sea wall first if Latoya were mayor",
        ),
        (
            "You met Arthur Burton and watch birds",
            "Latoya Williams met Arthur Burton and watch birds",
        ),
    ];
    for (whisper, expected) in cases {
        assert_eq!(latoya(whisper), expected, "{whisper}");
    }
}

#[test]
fn every_whisper_of_the_2023_town_becomes_a_thought() {
    let Some(shared) = super::super::fixtures::shared("whispers become thoughts") else {
        return;
    };
    let history = shared.join("smallville/assets/the_ville/agent_history_init_n25.csv");
    let mut seen = 0;
    for row in csv::Reader::from_path(history).unwrap().records() {
        let row = row.unwrap();
        let name = row[0].trim();
        for whisper in row[1].split(';').map(str::trim).filter(|w| !w.is_empty()) {
            let thought = thought(whisper, name, first_name(name));
            let grammar = &Phrases::get().grammar;
            let told = words(&thought)
                .0
                .iter()
                .any(|w| grammar.second.contains(&w.text.to_lowercase()));
            // One whisper speaks of somebody else alone.
            let about_self = thought != whisper;
            assert!(!told, "{whisper}: {thought}");
            assert!(
                !about_self || thought.contains(first_name(name)),
                "{whisper}: {thought}"
            );
            assert!(!thought.contains(&format!("{name} like ")), "{thought}");
            // What was turned can be said again in the first person.
            let said = says(&thought, name, "");
            assert!(!said.contains(name), "{thought}: {said}");
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn who_is_spoken_of_may_come_after_an_opening_phrase() {
    let own = |text: &str| spoken_of_self(text, "Klaus Mueller", "Klaus", "");
    for (text, said) in [
        (
            "In the afternoon, he likes to go to Hobbs Cafe and eats there.",
            "In the afternoon, I like to go to Hobbs Cafe and eat there.",
        ),
        ("After work she swims.", "After work I swim."),
        ("Who is there, he asks.", "Who is there, he asks."),
    ] {
        assert_eq!(own(text), said);
    }
    assert_eq!(
        embedded("At 7pm Klaus Mueller will be reading"),
        "at 7pm Klaus Mueller will be reading"
    );
}

#[test]
fn other_scripts_come_through() {
    assert_eq!(
        says("林 秋 喜欢茶。", "林 秋", "Zoë O'Neill-Ångström"),
        "林 秋 喜欢茶。"
    );
    assert_eq!(thought("你喜欢茶", "林 秋", "秋"), "你喜欢茶");
}

#[test]
fn lines_are_reported_by_name() {
    assert_eq!(
        reported(
            "I am writing a paper. You know my sister.",
            "Klaus Mueller",
            "Maria Lopez"
        ),
        "Klaus Mueller is writing a paper. Maria Lopez knows Klaus's sister."
    );
}
