use proptest::prelude::*;
use townsfolk_memory::MemoryId;
use townsfolk_time::GameTime;

use super::super::fixtures::{rules, somebody};
use super::*;
use crate::tasks::{Present, Recalled};
use crate::{Identity, Task};

fn memory(kind: MemoryKind, text: &str, told_by: Option<&str>) -> Recalled {
    Recalled {
        id: MemoryId::from_index(0),
        kind,
        text: text.into(),
        subject: "Mara Ilves".into(),
        importance: 5,
        created: GameTime::from_seconds(0),
        told_by: told_by.map(Into::into),
        known: false,
    }
}

fn asked(who: &Identity, question: &str, recalled: &[Recalled]) -> (String, Vec<usize>) {
    let task = Interview {
        who,
        now: GameTime::from_seconds(0),
        summary: "",
        history: &[],
        question,
        recalled,
        present: Present::default(),
    };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    (answer.answer, answer.used)
}

#[test]
fn the_resident_answers_from_what_it_knows() {
    let mut who = somebody("Mara Ilves");
    who.age = Some(41);
    who.background = "Mara Ilves is a photographer who loves boats. She grew up on an island.".into();
    let recalled = [
        memory(
            MemoryKind::Observation,
            "Sam Moore is running for mayor",
            Some("Ilse Brandt"),
        ),
        memory(
            MemoryKind::Reflection,
            "Mara Ilves and Ilse Brandt are good friends",
            None,
        ),
        memory(
            MemoryKind::Plan,
            "This is Mara Ilves's plan for Monday: wake up at 7:00 am, sort prints at 9:00 am, have dinner with Ilse Brandt at 6:00 pm",
            None,
        ),
    ];
    let ask = |question| asked(&who, question, &recalled);
    assert_eq!(
        ask("Give an introduction of yourself."),
        (
            "My name is Mara Ilves, and I am 41 years old. I am a photographer who loves boats. I grew up on an island.".to_owned(),
            vec![]
        )
    );
    assert_eq!(
        ask("Who is running for mayor?"),
        (
            "Ilse Brandt told me that Sam Moore is running for mayor.".to_owned(),
            vec![0]
        )
    );
    assert_eq!(
        ask("Who is Ilse Brandt?"),
        ("Ilse Brandt and I are good friends.".to_owned(), vec![1])
    );
    assert_eq!(
        ask("What will you be doing at 6pm today?"),
        (
            "My plan says: have dinner with Ilse Brandt at 6:00 pm.".to_owned(),
            vec![2]
        )
    );
    assert_eq!(ask("What was the score of the match?").1, Vec::<usize>::new());
}

#[test]
fn whoever_is_named_in_a_memory_is_not_denied() {
    let who = somebody("Mara Ilves");
    for text in [
        "Mara Ilves and Tomas Varga talked",
        "Mara Ilves and Tomas Varga talked: Good morning",
    ] {
        let talk = [memory(MemoryKind::Conversation, text, None)];
        let (answer, _) = asked(&who, "Who is Tomas Varga?", &talk);
        assert!(
            !answer.contains("never heard") && !answer.contains("of that name"),
            "{text}: {answer}"
        );
    }
}

#[test]
fn a_name_nobody_has_is_not_made_up() {
    let who = somebody("Mara Ilves");
    let friends = [memory(
        MemoryKind::Reflection,
        "Mara Ilves and Ilse Brandt are good friends",
        None,
    )];
    for _ in 0..3 {
        let (answer, used) = asked(&who, "Who is Kane Martinez?", &friends);
        assert!(
            [
                "I don't know anyone of that name.",
                "I have never heard of Kane Martinez."
            ]
            .contains(&&*answer),
            "{answer}"
        );
        assert!(used.is_empty());
    }
}

proptest! {
    #[test]
    fn any_question_has_an_answer(question in "\\PC{0,60}", texts in prop::collection::vec("\\PC{0,40}", 0..20)) {
        let recalled: Vec<Recalled> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| memory(MemoryKind::ALL[i % 4], text, (i % 2 == 0).then_some("林 秋")))
            .collect();
        asked(&somebody("Mara Ilves"), &question, &recalled);
    }
}

/// Monday, June 3rd 2024, ten in the morning.
fn ten() -> GameTime {
    "2024-06-03 10:00".parse().unwrap()
}

/// What Mara remembers at the end of that day, in the order of recall; the number says how many hours ago
/// it came about.
fn evening(memories: &[(MemoryKind, i64, &str, Option<&str>)]) -> Vec<Recalled> {
    let dated = memories
        .iter()
        .enumerate()
        .map(|(at, (kind, hours, text, told_by))| Recalled {
            id: MemoryId::from_index((100 - *hours as usize * 4 + at % 4) as u32),
            created: ten() + (12 - hours) * 3_600,
            subject: if text.starts_with("林 秋") {
                "林 秋"
            } else {
                "Mara Ilves"
            }
            .into(),
            ..memory(*kind, text, *told_by)
        });
    dated.collect()
}

fn asked_at_ten_pm(question: &str, recalled: &[Recalled]) -> (String, Vec<usize>) {
    let mut who = somebody("Mara Ilves");
    who.daily_requirement = "Mara Ilves opens the boathouse from 9am to 5pm.".into();
    let task = Interview {
        who: &who,
        now: ten() + 12 * 3_600,
        summary: "",
        history: &[],
        question,
        recalled,
        present: Present::default(),
    };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    (answer.answer, answer.used)
}

const SUPPER: &str = "Mara Ilves and Ilse Brandt talked: Ilse Brandt will come to the lantern supper; Mara Ilves \
     told Ilse Brandt that Mara Ilves is planning a lantern supper at Net Loft on June 4th, 2024 from 6pm to 9pm; \
     Ilse Brandt told Mara Ilves that the ferry is late.";

#[test]
fn of_memories_on_one_matter_the_newest_is_said() {
    use MemoryKind::{Conversation, Observation, Reflection};
    let recalled = evening(&[
        (
            Observation,
            11,
            "Mara Ilves has told nobody about the lantern supper yet",
            None,
        ),
        (Observation, 10, "The clinic closes at 4pm", Some("Sam Moore")),
        (Reflection, 9, "Wren Okafor will come to the lantern supper", None),
        (Observation, 3, "The clinic closes at noon", Some("Ilse Brandt")),
        (Conversation, 2, SUPPER, None),
        (
            Reflection,
            1,
            "Wren Okafor will not come to the lantern supper",
            None,
        ),
    ]);
    let (told, used) = asked_at_ten_pm("Have you told anybody about the lantern supper?", &recalled);
    assert!(!told.contains("nobody") && told.starts_with("Yes."), "{told}");
    assert_eq!(used, [4]);
    let (closes, _) = asked_at_ten_pm("When does the clinic close?", &recalled);
    assert_eq!(closes, "Ilse Brandt told me that the clinic closes at noon.");
    let (comes, _) = asked_at_ten_pm("Will Wren Okafor come to the lantern supper?", &recalled);
    assert_eq!(comes, "No. Wren Okafor will not come to the lantern supper.");
}

#[test]
fn an_answer_has_what_is_asked_for() {
    use MemoryKind::{Conversation, Observation};
    let recalled = evening(&[
        (Observation, 8, "The lantern supper was a good idea", None),
        (Conversation, 2, SUPPER, None),
        (
            Observation,
            1,
            "Sam Moore collects lanterns for the lantern supper",
            None,
        ),
    ]);
    for question in ["When is the lantern supper?", "Where is the lantern supper?"] {
        let (answer, _) = asked_at_ten_pm(question, &recalled);
        assert!(answer.contains("Net Loft on June 4th, 2024 from 6pm"), "{answer}");
        assert!(
            !answer.contains("ferry"),
            "what else was said is no answer: {answer}"
        );
    }
    let (comes, _) = asked_at_ten_pm("Who will come to the lantern supper?", &recalled);
    assert!(comes.contains("Ilse Brandt will come"), "{comes}");
    let (why, _) = asked_at_ten_pm("Why is the lantern supper so late?", &recalled);
    assert!(why.starts_with("I can't say why."), "{why}");
    let (when, _) = asked_at_ten_pm("When does Sam Moore collect lanterns?", &recalled);
    assert!(when.starts_with("I can't say when."), "{when}");
    let (about, _) = asked_at_ten_pm("What did you and ilse brandt last talk about?", &recalled);
    assert!(about.contains("the ferry is late"), "{about}");
}

#[test]
fn names_are_known_in_any_case_and_strangers_in_none() {
    let recalled = evening(&[
        (
            MemoryKind::Reflection,
            2,
            "Mara Ilves and Ilse Brandt are good friends",
            None,
        ),
        (
            MemoryKind::Reflection,
            1,
            "林 秋 and Mara Ilves are neighbours",
            None,
        ),
    ]);
    for question in [
        "Who is Ilse Brandt?",
        "who is ilse brandt",
        "Who is ILSE?",
        "Tell me about Ilse.",
    ] {
        let (answer, _) = asked_at_ten_pm(question, &recalled);
        assert_eq!(answer, "Ilse Brandt and I are good friends.", "{question}");
    }
    for question in ["你认识林秋吗？", "Who is 林 秋?"] {
        assert!(
            asked_at_ten_pm(question, &recalled).0.contains("neighbours"),
            "{question}"
        );
    }
    let strangers = [
        "Who is Kane Martinez?",
        "do you know kane martinez?",
        "Kane Martinez is coming, isn't he?",
        "What did you and Kane Martinez talk about?",
        "Who is Xavier?",
    ];
    for question in strangers {
        let (answer, used) = asked_at_ten_pm(question, &recalled);
        assert!(
            answer.starts_with("I don't know anyone") || answer.starts_with("I have never"),
            "{question}: {answer}"
        );
        assert!(used.is_empty());
    }
    // A place is nobody.
    let (answer, _) = asked_at_ten_pm("What happened at Hobbs Cafe?", &recalled);
    assert!(
        !answer.contains("of that name") && !answer.contains("never heard"),
        "{answer}"
    );
}

#[test]
fn what_was_what_is_planned_and_what_might_be_are_told_apart() {
    use MemoryKind::{Observation, Plan};
    let recalled = evening(&[
        (
            Plan,
            14,
            "Mara Ilves's plan for Monday June 3: getting up at 07:00, opening the boathouse at 09:00, dinner at 18:00",
            None,
        ),
        (Observation, 11, "Mara Ilves is mending a net", None),
        (
            Plan,
            5,
            "For Mara Ilves's planning: Mara Ilves will attend the lantern supper at Net Loft on 2024-06-04 from 18:00 to 21:00.",
            None,
        ),
        (Observation, 4, "Mara Ilves is sorting prints", None),
    ]);
    let (morning, _) = asked_at_ten_pm("What did you do this morning?", &recalled);
    assert_eq!(morning, "I was mending a net.");
    let (evening, _) = asked_at_ten_pm("What will you be doing at 6 pm today?", &recalled);
    assert_eq!(evening, "My plan says: dinner at 18:00.");
    let (tomorrow, _) = asked_at_ten_pm("What are your plans for tomorrow?", &recalled);
    assert!(
        tomorrow.starts_with("I haven't planned that day yet. I will attend the lantern supper"),
        "{tomorrow}"
    );
    let (typical, used) = asked_at_ten_pm("What does a typical weekday look like?", &recalled);
    assert_eq!(
        (&*typical, used),
        ("I open the boathouse from 9am to 5pm.", vec![])
    );
    let (fire, _) = asked_at_ten_pm(
        "Your breakfast is burning on the stove. What do you do?",
        &recalled,
    );
    assert_eq!(fire, "I would put the fire out at once.");
    let (door, _) = asked_at_ten_pm(
        "You come home and the door stands open. What do you do?",
        &recalled,
    );
    assert_eq!(door, "I can't tell before it happens.");
}

#[test]
fn a_yes_or_no_needs_a_memory_that_says_just_that() {
    use MemoryKind::{Observation, Reflection};
    let recalled = evening(&[
        (
            Observation,
            9,
            "Rosa Quispe means to stand in the election for mayor",
            None,
        ),
        (
            Observation,
            8,
            "Walter Pryce will not come to the lantern supper",
            Some("Ilse Brandt"),
        ),
        (
            Observation,
            7,
            "Mara Ilves told Walter Pryce that Mara Ilves wants everyone to come to the lantern supper",
            None,
        ),
        (Reflection, 6, "Priya Ilves is Mara Ilves's sister", None),
        (Reflection, 5, "Sam Moore is the mayor's cousin", None),
        (Reflection, 4, "Wren Okafor is the mayor of Osier Quay", None),
        (
            Reflection,
            3,
            "Wren Okafor will not come to the lantern supper",
            None,
        ),
    ]);
    let lead = |question: &str| {
        let (answer, _) = asked_at_ten_pm(question, &recalled);
        match answer.split('.').next() {
            Some("Yes") => "yes",
            Some("No") => "no",
            _ => "open",
        }
    };
    for (question, answer) in [
        ("Is Rosa Quispe the mayor?", "open"),
        ("Is Sam Moore the mayor?", "open"),
        ("Is Wren Okafor the mayor?", "yes"),
        ("Was Wren Okafor the mayor?", "open"),
        ("Will Walter come to the supper?", "open"),
        ("Will Wren Okafor come to the supper?", "no"),
        ("Is Priya your sister?", "yes"),
        ("Is Priya your cousin?", "open"),
    ] {
        assert_eq!(
            lead(question),
            answer,
            "{question}: {}",
            asked_at_ten_pm(question, &recalled).0
        );
    }
}

#[test]
fn how_furniture_looks_is_no_answer_to_what_is_asked_of_people_and_places() {
    use MemoryKind::{Observation, Reflection};
    let mut recalled = evening(&[
        (Observation, 9, "shower is running", None),
        (Observation, 8, "wardrobe is open", None),
        (Observation, 3, "The clinic is closed today", Some("Ilse Brandt")),
        (Reflection, 7, "Sam Moore is running for mayor", None),
        (
            Reflection,
            6,
            "Ilse Brandt is the one Mara Ilves meets most often",
            None,
        ),
        (
            Reflection,
            2,
            "Sam Moore is the one Mara Ilves meets most often",
            None,
        ),
    ]);
    recalled[0].subject = "Mara's house:bathroom:shower".into();
    recalled[1].subject = "Mara's house:bedroom:wardrobe".into();
    let ask = |question| asked_at_ten_pm(question, &recalled).0;
    assert_eq!(
        ask("Who is running for mayor?"),
        "Sam Moore is running for mayor."
    );
    assert!(ask("Is the clinic open?").ends_with("Ilse Brandt told me that the clinic is closed today."));
    assert!(ask("Is the wardrobe open?").contains("ardrobe is open"));
    assert_eq!(
        ask("Who do you meet most often?"),
        "Sam Moore is the one I meet most often."
    );
    let things = &recalled[..2];
    assert!(
        !asked_at_ten_pm("Who is running for mayor?", things)
            .0
            .contains("hower")
    );
}

#[test]
fn a_spouse_an_invitation_declined_and_old_plans_are_told_apart() {
    use MemoryKind::{Conversation, Observation, Reflection};
    let mut recalled = evening(&[
        (
            Conversation,
            9,
            "Mara Ilves and Ilse Brandt talked: Mara Ilves will not come to the lantern supper; Ilse Brandt will be having lunch at Tin Cup Cafe from 12pm.",
            None,
        ),
        (Observation, 8, "Mara Ilves is talking with Ilse Brandt", None),
        (Reflection, 7, "Mara Ilves and Ilse Brandt are neighbours", None),
    ]);
    recalled[0].created = ten() + -86_400;
    let ask = |question| asked_at_ten_pm(question, &recalled).0;
    let went = ask("Did you go to the lantern supper?");
    assert!(went.starts_with("No."), "{went}");
    let ilse = ask("Who is Ilse Brandt?");
    assert!(ilse.contains("neighbours") && !ilse.contains("lunch"), "{ilse}");
    let talked = ask("Have you talked with Ilse today?");
    assert!(!talked.contains("I am talking"), "{talked}");
    let mut who = somebody("Mara Ilves");
    who.background = "Mara Ilves is a photographer. She lives with her husband on the quay.".into();
    assert_eq!(
        asked(&who, "Are you married?", &[]).0,
        "Yes. I live with my husband on the quay."
    );
    let husband = [memory(
        Reflection,
        "Tomas Ilves is Mara Ilves's husband of forty years",
        None,
    )];
    let married = asked(&somebody("Mara Ilves"), "Are you married?", &husband).0;
    assert_eq!(married, "Yes. Tomas Ilves is my husband of forty years.");
    let unmarried = asked(&somebody("Mara Ilves"), "Are you married?", &recalled).0;
    assert!(
        !unmarried.starts_with("Yes") && !unmarried.starts_with("No."),
        "{unmarried}"
    );
}

#[test]
fn who_came_is_said_as_past_once_the_occasion_is_over() {
    let recalled = evening(&[
        (
            MemoryKind::Observation,
            9,
            "The boat race is at Net Loft on June 3rd, 2024 from 6pm to 9pm",
            None,
        ),
        (
            MemoryKind::Reflection,
            8,
            "Ilse Brandt will come to the boat race",
            None,
        ),
    ]);
    let (answer, _) = asked_at_ten_pm("Who is coming to the boat race?", &recalled);
    assert!(answer.contains("Ilse Brandt was going to come"), "{answer}");
}

#[test]
fn what_was_lived_through_is_told_in_order_and_nothing_from_other_times() {
    use MemoryKind::{Conversation, Observation};
    let mut recalled = evening(&[
        (Observation, 4, "Mara Ilves is sorting prints", None),
        (Observation, 13, "Mara Ilves is mending a net", None),
        (Conversation, 6, SUPPER, None),
        (Observation, 9, "林 秋 is calling for help", None),
    ]);
    recalled[3].importance = 8;
    let mut yesterday = evening(&[
        (Observation, 13, "Mara Ilves is painting the boathouse", None),
        (
            Conversation,
            11,
            "Mara Ilves and Ilse Brandt talked: Mara Ilves will be selling the kites at home; Ilse Brandt will mow the meadow",
            None,
        ),
    ]);
    for memory in &mut yesterday {
        memory.created = memory.created + -86_400;
    }
    recalled.extend(yesterday);
    let ask = |question| asked_at_ten_pm(question, &recalled).0;
    assert_eq!(
        ask("What happened today?"),
        "I was mending a net. 林 秋 was calling for help. Ilse Brandt will come to the lantern supper. I was sorting prints."
    );
    assert_eq!(
        ask("What did you do yesterday morning?"),
        "I was painting the boathouse."
    );
    assert_eq!(
        ask("What did you do two days ago?"),
        "I can't call to mind anything from then."
    );
    assert_eq!(ask("昨天你做了什么？"), "I was painting the boathouse.");
    // Who somebody is does not depend on the day.
    let (ilse, _) = asked_at_ten_pm("Did you talk to Ilse Brandt yesterday?", &recalled);
    assert!(
        !ilse.contains("of that name") && !ilse.contains("never heard"),
        "{ilse}"
    );
}

#[test]
fn who_told_what_is_kept_apart_from_what_one_told() {
    use MemoryKind::{Conversation, Observation};
    let recalled = evening(&[
        (
            Observation,
            6,
            "The kite race is on the meadow",
            Some("Wren Okafor"),
        ),
        (
            Observation,
            5,
            "The kite race is on the meadow",
            Some("Ilse Brandt"),
        ),
        (Conversation, 3, SUPPER, None),
        (
            Conversation,
            2,
            "Mara Ilves and Sam Moore talked: Mara Ilves told Sam Moore that the kite race is on the meadow.",
            None,
        ),
    ]);
    let ask = |question| asked_at_ten_pm(question, &recalled).0;
    assert_eq!(
        ask("Who told you about the kite race?"),
        "Wren Okafor told me that the kite race is on the meadow. Ilse Brandt told me of it, too."
    );
    let told = ask("What did Ilse tell you?");
    assert!(
        told.starts_with("Ilse Brandt told me that the ferry is late."),
        "{told}"
    );
    assert!(
        !told.contains("supper"),
        "what one told oneself is not told: {told}"
    );
    assert_eq!(
        ask("What did Ilse tell you about the kite race?"),
        "Ilse Brandt told me that the kite race is on the meadow."
    );
    assert_eq!(
        ask("Who told you about the lantern supper?"),
        "I can't call to mind that anybody told me of that."
    );
    assert_eq!(
        ask("What did you tell Sam Moore?"),
        "I told Sam Moore that the kite race is on the meadow."
    );
    assert_eq!(
        ask("Who is Ilse Brandt, and what did she tell you about the ferry?")
            .matches("the ferry is late")
            .count(),
        1
    );
}

#[test]
fn whom_one_talked_with_is_all_of_them() {
    use MemoryKind::{Conversation, Observation};
    let mut recalled = evening(&[
        (Conversation, 2, SUPPER, None),
        (
            Conversation,
            7,
            "Mara Ilves and Sam Moore exchanged a few words.",
            None,
        ),
        (Observation, 1, "Ilse Brandt is talking with Wren Okafor", None),
        (
            Conversation,
            9,
            "Mara Ilves and Rosa Quispe exchanged a few words.",
            None,
        ),
    ]);
    recalled[3].created = recalled[3].created + -86_400;
    let ask = |question| asked_at_ten_pm(question, &recalled).0;
    assert_eq!(
        ask("Whom did you talk with today?"),
        "I talked with Sam Moore and Ilse Brandt."
    );
    let ilse = ask("Did you talk with Ilse today?");
    assert_eq!(ilse, "Yes. I talked with Ilse Brandt on Monday June 3, at 20:00.");
    let rosa = ask("Have you talked with Rosa Quispe today?");
    assert!(rosa.starts_with("I can't call to mind"), "{rosa}");
}

#[test]
fn whether_one_was_somewhere_or_somebody_is_answered_on_that_matter() {
    use MemoryKind::{Conversation, Observation};
    let recalled = evening(&[
        (Observation, 8, "Mara Ilves is on the way to the boat race", None),
        (
            Observation,
            4,
            "Mara Ilves is attending Sam Moore's lantern supper at Net Loft",
            None,
        ),
        (
            Conversation,
            3,
            "Mara Ilves and Ilse Brandt talked: Ilse Brandt told Mara Ilves that the clinic is closed",
            None,
        ),
    ]);
    let ask = |question| asked_at_ten_pm(question, &recalled).0;
    assert_eq!(
        ask("Did you go to the lantern supper?"),
        "Yes. I was attending Sam Moore's lantern supper at Net Loft."
    );
    let race = ask("Did you go to the boat race?");
    assert!(
        !race.starts_with("Yes") && race.contains("on the way to the boat race"),
        "{race}"
    );
    let mut who = somebody("Mara Ilves");
    who.background =
        "Mara Ilves was captain of the ferry for thirty years. She is worried about the river.".into();
    who.lifestyle = "Mara Ilves goes to bed around 10pm and wakes up around 6am.".into();
    let ask = |question| asked(&who, question, &recalled).0;
    let captain = ask("Were you the captain of the ferry?");
    assert_eq!(captain, "Yes. I was captain of the ferry for thirty years.");
    let nurse = ask("Were you a nurse in the capital?");
    assert!(!nurse.contains("clinic") && !nurse.contains("supper"), "{nurse}");
    assert!(ask("What is your biggest worry?").contains("I am worried about the river"));
    let said = [memory(
        Conversation,
        "Mara Ilves and Sam Moore talked: Mara Ilves is worried about the river",
        None,
    )];
    let (worry, _) = asked(&who, "What is your biggest worry?", &said);
    assert_eq!(
        worry, "I am worried about the river.",
        "saying so in a talk takes nothing away"
    );
    assert!(ask("When do you get up?").contains("wake up around 6am"));
    let mut task = Interview {
        who: &who,
        now: ten(),
        summary: "",
        history: &[],
        question: "Are you coming to the lantern supper?",
        recalled: &[],
        present: Present::default(),
    };
    task.present.doing = Some("attending Sam Moore's lantern supper at Net Loft");
    assert_eq!(
        task.by_rule(&rules(0, 0)).answer,
        "Yes. I am attending Sam Moore's lantern supper at Net Loft."
    );
}

#[test]
fn two_questions_are_answered_one_after_the_other() {
    let friends = evening(&[(
        MemoryKind::Reflection,
        2,
        "Mara Ilves and Ilse Brandt are good friends",
        None,
    )]);
    let ask = |question| asked_at_ten_pm(question, &friends).0;
    let both = ask("What time is it and who is Ilse Brandt?");
    assert_eq!(
        both,
        "It is Monday June 3, 22:00. Ilse Brandt and I are good friends."
    );
    assert_eq!(
        ask("Who is Ilse Brandt, and how do you know?"),
        "Ilse Brandt and I are good friends."
    );
    let stranger = ask("Do you know Ilse Brandt and Odalys Fenwright?");
    assert!(
        stranger.starts_with("Ilse Brandt and I are good friends. I "),
        "{stranger}"
    );
    assert!(
        stranger.len() > "Ilse Brandt and I are good friends. I ".len(),
        "{stranger}"
    );
}

#[test]
fn a_feast_and_a_town_are_nobody() {
    let mut who = somebody("Mara Ilves");
    who.background = "Mara Ilves came to Osier Quay twelve years ago.".into();
    let recalled = [memory(
        MemoryKind::Reflection,
        "Ilse Brandt will come to the Valentine's Day Party",
        None,
    )];
    for question in [
        "Did you go to the Valentine's Day party?",
        "Do you like Osier Quay?",
    ] {
        let (answer, _) = asked(&who, question, &recalled);
        let taken = ["I know who", "What I know of", "of that name"];
        assert!(taken.iter().all(|words| !answer.contains(words)), "{answer}");
        assert!(!answer.contains("twelve years"), "{answer}");
    }
}

#[test]
fn what_was_to_be_at_an_hour_that_is_over_is_said_as_past() {
    let recalled = evening(&[(
        MemoryKind::Conversation,
        11,
        "Mara Ilves and Ilse Brandt talked: at 1pm Ilse Brandt will be having lunch",
        None,
    )]);
    let (lunch, _) = asked_at_ten_pm("Is Ilse Brandt having lunch?", &recalled);
    assert!(lunch.contains("Ilse Brandt was to be having lunch"), "{lunch}");
}

#[test]
fn at_an_hour_one_was_where_one_had_gone_before() {
    let mut recalled = evening(&[
        (
            MemoryKind::Observation,
            10,
            "Mara Ilves is on the way to Net Loft",
            None,
        ),
        (
            MemoryKind::Observation,
            8,
            "Mara Ilves is mending nets at Net Loft",
            None,
        ),
        (MemoryKind::Observation, 2, "Mara Ilves is reading at home", None),
    ]);
    recalled.reverse();
    let (there, used) = asked_at_ten_pm("Where were you at 5pm?", &recalled);
    assert_eq!((&*there, used), ("I was mending nets at Net Loft.", vec![1]));
    let (arrived, _) = asked_at_ten_pm("Where were you at 1pm?", &recalled);
    assert_eq!(arrived, "I was at Net Loft.");
}

#[test]
fn who_shares_the_home_is_said_once() {
    let mut who = somebody("Mara Ilves");
    who.background = "Mara Ilves lives with her husband on the quay.".into();
    let recalled = [memory(
        MemoryKind::Reflection,
        "Mara Ilves lives with her husband on the quay",
        None,
    )];
    let (home, _) = asked(&who, "Whom do you live with?", &recalled);
    assert_eq!(home, "I live with my husband on the quay.");
}
