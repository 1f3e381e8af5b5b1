//! What prompts look like, and that a user's own are checked before they are used.

use std::sync::Arc;

use townsfolk_mind::model::samples::{self, Cast, Visit};
use townsfolk_mind::model::{Limits, PromptSet};
use townsfolk_mind::tasks::Decompose;
use townsfolk_mind::{Entry, Task, TaskKind};
use townsfolk_time::Date;

/// Keeps every prompt and the schema of its answer.
struct Look<'a> {
    prompts: &'a PromptSet,
    seen: Vec<(TaskKind, String, String)>,
}

impl Visit for Look<'_> {
    fn visit<T: Task>(&mut self, task: &T) {
        let (prompt, cut) = self.prompts.prompt(task, Limits::NONE).unwrap();
        assert!(cut.is_nothing());
        self.seen.push((T::KIND, prompt.system, prompt.user));
    }
}

fn look(prompts: &PromptSet, cast: &Cast) -> Vec<(TaskKind, String, String)> {
    let mut look = Look {
        prompts,
        seen: Vec::new(),
    };
    samples::each_about(cast, &mut look);
    look.seen
}

/// People whose names break what can be broken.
fn odd_people() -> Cast {
    let mut cast = Cast::default();
    cast.who.name = "Zoë O'Neill-Ångström {{ 7 * 7 }}".into();
    cast.who.first_name = "Zoë".into();
    cast.other = "林 秋 \"<b>\"".into();
    cast.who.age = None;
    cast.who.daily_requirement = String::new();
    cast.who.current = "Line one.\nLine two {% raw %}".to_owned();
    cast
}

#[test]
fn every_prompt_in_every_language() {
    for language in ["en", "zh", "ja"] {
        let prompts = PromptSet::of(language).unwrap();
        assert_eq!(prompts.language(), language);
        for (kind, system, user) in look(&prompts, &Cast::default()) {
            insta::assert_snapshot!(
                format!("{language}_{}", kind.name()),
                format!("{system}\n\n=====\n\n{user}\n")
            );
        }
    }
}

#[test]
fn names_and_texts_are_data_and_never_templates() {
    let prompts = PromptSet::of("en").unwrap();
    for (kind, system, user) in look(&prompts, &odd_people()) {
        let whole = format!("{system}\n{user}");
        assert!(
            !whole.contains("49"),
            "{}: a name was run as a template",
            kind.name()
        );
        assert!(
            !whole.contains("&lt;") && !whole.contains("&#x27;"),
            "{}: escaped",
            kind.name()
        );
        if kind == TaskKind::Relationship {
            insta::assert_snapshot!("en_odd_names", whole);
        }
    }
}

#[test]
fn the_resident_stands_once_in_every_decision_and_nothing_raw_beside() {
    let prompts = PromptSet::of("en").unwrap();
    for (kind, system, user) in look(&prompts, &Cast::default()) {
        let whole = format!("{system}\n{user}");
        let times = whole.matches("curious, stubborn, warm-hearted").count();
        let nobody = matches!(kind, TaskKind::ActionDetails | TaskKind::ObjectState);
        assert_eq!(times, usize::from(!nobody), "{}", kind.name());
        for line in whole.lines().filter(|line| {
            !line.starts_with("For example") && !line.starts_with("Or:") && !line.starts_with("- agreed")
        }) {
            assert!(!line.contains(['{', '}']), "{}: {line}", kind.name());
            assert!(
                !line.contains("MemoryId") && !line.contains("None"),
                "{}: {line}",
                kind.name()
            );
        }
    }
}

#[test]
fn prompts_of_one_resident_begin_alike() {
    let prompts = PromptSet::of("en").unwrap();
    let brief = [TaskKind::Importance, TaskKind::InnerThought, TaskKind::Commitment];
    let nobody = [TaskKind::ActionDetails, TaskKind::ObjectState];
    let lasting = [TaskKind::Decompose, TaskKind::ChoosePlace];
    let seen = look(&prompts, &Cast::default());
    let different = |of: &dyn Fn(&TaskKind) -> bool| {
        let systems = seen
            .iter()
            .filter(|(kind, ..)| of(kind))
            .map(|(_, system, _)| system);
        systems.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(different(&|kind| brief.contains(kind)), 1);
    assert_eq!(different(&|kind| lasting.contains(kind)), 1);
    assert_eq!(
        different(&|kind| ![&brief[..], &nobody, &lasting].concat().contains(kind)),
        1
    );
}

#[test]
fn a_set_is_known_by_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    let plain = PromptSet::of("en").unwrap();
    assert_eq!(
        plain.hash(),
        PromptSet::of("fr").unwrap().hash(),
        "English where there is no other"
    );
    assert_eq!(
        plain.hash(),
        PromptSet::with_overrides("en", folder.path()).unwrap().hash()
    );
    let own = "{% block system %}{{ who.name }}{% endblock %}{% block user %}When?{% endblock %}";
    // What is no prompt and is not meant as one may lie there.
    for name in ["wake_up.md.j2", "README.md", ".wake_up.md.j2.swp"] {
        std::fs::write(folder.path().join(name), own).unwrap();
    }
    let own = PromptSet::with_overrides("en", folder.path()).unwrap();
    assert_ne!(plain.hash(), own.hash());
    let seen = look(&own, &Cast::default());
    assert_eq!((seen[0].1.as_str(), seen[0].2.as_str()), ("Mara Ilves", "When?"));
}

#[test]
fn a_wrong_file_is_named_with_line_and_variable() {
    let wrong = |name: &str, text: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        PromptSet::with_overrides("en", folder.path())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let missing = wrong(
        "wake_up.md.j2",
        "{% block system %}{% endblock %}\n{% block user %}\n{{ who.nickname }}\n{% endblock %}",
    );
    assert!(missing.contains("wake_up.md.j2: line 3"), "{missing}");
    assert!(missing.contains("who.nickname"), "{missing}");
    let part = wrong("_memories.md.j2", "{{ memories[0].colour }}");
    assert!(
        part.contains("_memories.md.j2: line 1") && part.contains("colour"),
        "{part}"
    );
    let syntax = wrong("wake_up.md.j2", "{% block system %}\n{{ who.name }");
    assert!(syntax.contains("wake_up.md.j2: line 2"), "{syntax}");
    let no_block = wrong("wake_up.md.j2", "Good morning, {{ who.name }}");
    assert!(
        no_block.contains("wake_up.md.j2") && no_block.contains("system"),
        "{no_block}"
    );
    let outside = wrong(
        "wake_up.md.j2",
        "{# mine #}\n{% block system %}{{ who.name }}{% endblock %}\n\n  Be brief.\n{% block user %}When?{% endblock %}",
    );
    assert!(
        outside.contains("wake_up.md.j2: line 4")
            && outside.contains("outside of the blocks")
            && outside.contains("`Be brief.`"),
        "{outside}"
    );
    let expression = wrong(
        "wake_up.md.j2",
        "{% block system %}{% endblock %}{% block user %}When?{% endblock %}\n{{ who.name }}",
    );
    assert!(
        expression.contains("line 2") && expression.contains("`who.name`"),
        "{expression}"
    );
    let other_block = wrong(
        "wake_up.md.j2",
        "{% block system %}{% endblock %}\n{% block usr %}When?{% endblock %}",
    );
    assert!(
        other_block.contains("wake_up.md.j2: line 2: a prompt has no block `usr`, only `system` and `user`"),
        "{other_block}"
    );
    let missing_block = wrong("wake_up.md.j2", "{% block system %}When?{% endblock %}");
    assert!(
        missing_block.contains("wake_up.md.j2: line 1: there is no block `user`"),
        "{missing_block}"
    );
    // Where the sample does not come by.
    let unseen = wrong(
        "wake_up.md.j2",
        "{% block system %}{% if who.age is none %}\n{{ nickname }}{% endif %}{% endblock %}{% block user %}When?{% endblock %}",
    );
    assert!(
        unseen.contains("wake_up.md.j2: line 2: there is no variable `nickname` here"),
        "{unseen}"
    );
    let unseen_part = wrong(
        "_lines.md.j2",
        "{% if not lines %}\n{{ nothing_said }}\n{% endif %}",
    );
    assert!(
        unseen_part.contains("_lines.md.j2: line 2: there is no variable `nothing_said` here"),
        "{unseen_part}"
    );
    for (name, nearest) in [
        ("wakeup.md.j2", "wake_up.md.j2"),
        ("wake_up.md", "wake_up.md.j2"),
        ("Day-Plan.j2", "day_plan.md.j2"),
        ("_memory.md.j2", "_memories.md.j2"),
    ] {
        let unknown = wrong(name, "x");
        assert!(
            unknown.contains(&format!("{name}: there is no prompt of this name"))
                && unknown.contains(&format!("the nearest is {nearest};")),
            "{unknown}"
        );
    }
    let nowhere = PromptSet::with_overrides("en", std::path::Path::new("/no/such/folder"))
        .map(|_| ())
        .unwrap_err();
    assert!(nowhere.to_string().contains("/no/such/folder"));
}

#[test]
fn what_leaves_no_text_may_stand_outside_of_the_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{# mine #}\n{% set name = who.first_name %}\n{% block system %}You are {{ name }}.{% endblock %}\n\
                {% block user %}{% for i in range(2) %}{{ loop.index }}{% endfor %}{% endblock %}\n";
    std::fs::write(folder.path().join("wake_up.md.j2"), text).unwrap();
    let own = PromptSet::with_overrides("en", folder.path()).unwrap();
    let seen = look(&own, &Cast::default());
    assert_eq!((seen[0].1.as_str(), seen[0].2.as_str()), ("You are Mara.", "12"));
}

#[test]
fn long_lives_are_shortened_at_the_ends_of_sentences() {
    let mut cast = Cast::default();
    cast.who.background = "Mara rows every day. ".repeat(300);
    let task = townsfolk_mind::tasks::WakeUp {
        who: &cast.who,
        date: townsfolk_time::Date::constant(2024, 6, 3),
    };
    let prompts = Arc::new(PromptSet::of("en").unwrap());
    let fitted = prompts.fitted(&task, 600).unwrap().unwrap();
    assert!(fitted.prompt.tokens() <= 600);
    assert!(fitted.cut.texts > 0);
    assert!(
        fitted.prompt.system.contains("Mara rows every day.\n"),
        "{}",
        fitted.prompt.system
    );
    let too_long = prompts.fitted(&task, 60).unwrap().unwrap_err();
    assert!(too_long.to_string().contains("larger window"), "{too_long}");
}

/// A stretch of a routine on two days: the same question where steps are reused, two where each day counts.
#[test]
fn a_routine_is_one_question_for_all_days_unless_each_day_counts() {
    let entry = |start, activity: &str| Entry {
        start,
        minutes: 60,
        activity: activity.into(),
        asleep: false,
        cause: None,
        step: false,
    };
    let stretch = entry(600, "mending the jetty");
    let monday = (
        Date::constant(2024, 6, 3),
        entry(540, "sorting nails"),
        "a storm is coming",
    );
    let tuesday = (
        Date::constant(2024, 6, 4),
        entry(540, "having tea"),
        "the storm is over",
    );
    for language in ["en", "zh", "ja"] {
        let prompts = PromptSet::of(language).unwrap();
        let ask = |(date, before, current): &(Date, Entry, &str), reuse| {
            let mut who = Cast::default().who;
            who.current = (*current).to_owned();
            let task = Decompose {
                who: &who,
                date: *date,
                entry: &stretch,
                before: Some(before),
                after: None,
                reuse,
            };
            let (prompt, _) = prompts.prompt(&task, Limits::NONE).unwrap();
            format!("{}\n{}", prompt.system, prompt.user)
        };
        assert_eq!(ask(&monday, true), ask(&tuesday, true), "{language}");
        let (first, second) = (ask(&monday, false), ask(&tuesday, false));
        for part in ["sorting nails", "a storm is coming", "09:00"] {
            assert!(first.contains(part), "{language}: {part} is missing: {first}");
        }
        assert!(second.contains("having tea") && second.contains("the storm is over"));
        assert_ne!(first, second, "{language}");
    }
}
