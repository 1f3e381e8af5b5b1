//! `townsfolk interview`: questions to residents at any moment of a run.
//!
//! One question, a file of questions for one or all, or a talk at the prompt. The run is only read,
//! unless the resident is to remember.

use std::fs::File;
use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::Path;

use anyhow::anyhow;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use serde::Serialize;
use townsfolk_engine::{
    Ablation, Engine, Exchange, InterviewError, InterviewOptions, InterviewOutcome, Recollection, ResidentId,
    Written,
};
use townsfolk_mind::{Answerer, TaskRecord};

use super::options;
use crate::Done;
use crate::args::Pace;
use crate::args_steering::{Format, InterviewArgs};
use crate::failure::Failure;
use crate::models::{self, Purpose};
use crate::output;
use crate::page::{Look, Page};
use crate::people;
use crate::questions::{Question, Questions};
use crate::run_at::RunAt;
use crate::words;

/// Asks.
pub(crate) fn interview(args: &InterviewArgs) -> Done {
    let questions = args.questions.as_deref().map(Questions::read).transpose()?;
    let run = RunAt::open(&args.run, args.at)?;
    let minds = models::of_run(&args.run, &args.models, Purpose::Live)?;
    let aside = minds.terms.aside.clone();
    let engine = townsfolk_engine::at(&run.reader, run.tick, minds, options(Pace::default()))?;
    let mut tally = Tally::default();
    let asked = ask_all(args, &engine, questions, &mut tally);
    // Told also where the budget ended it.
    let spent = aside.spending();
    if spent.calls > 0 {
        output::remark(&format!(
            "This took {} and {}{}; none of it is in the run.\n",
            words::count(spent.calls, "call", "calls"),
            words::count(spent.tokens(), "token", "tokens"),
            match spent.usd.filter(|usd| *usd > 0.0) {
                Some(usd) => format!(", {}", words::usd(usd)),
                None => String::new(),
            }
        ));
    }
    asked?;
    tally.within(args.models.max_fallback)
}

/// How often the routine mind answered in a model's place.
#[derive(Default)]
struct Tally {
    asked: u64,
    fallbacks: u64,
}

impl Tally {
    fn add(&mut self, asked: &[TaskRecord]) {
        let put = asked.iter().filter(|record| record.mind != Answerer::Known);
        self.asked += put.count() as u64;
        self.fallbacks += asked.iter().filter(|record| record.fallback.is_some()).count() as u64;
    }

    fn within(&self, most: Option<f64>) -> Done {
        let Self { asked, fallbacks } = *self;
        let share = fallbacks as f64 / asked.max(1) as f64;
        match most.filter(|most| share > *most) {
            None => Ok(()),
            Some(most) => Err(Failure::TooManyFallbacks(anyhow!(
                "the routine mind answered {fallbacks} of {asked} questions in a model's place, {:.1} %, and {:.1} % are \
                 allowed",
                share * 100.0,
                most * 100.0
            ))),
        }
    }
}

/// Puts what is to be asked to whom it is to be put.
fn ask_all(args: &InterviewArgs, engine: &Engine, questions: Option<Questions>, tally: &mut Tally) -> Done {
    let who = args
        .resident
        .as_deref()
        .map(|asked| find(engine, asked))
        .transpose()?;
    let mut table = Table::new(args)?;
    match (questions, who, &args.question) {
        (Some(questions), who, _) => {
            let everybody = (0..engine.people().len() as u16).map(ResidentId);
            let asked = everybody.filter(|id| match who {
                Some(who) => *id == who,
                None => !engine.people()[id.index()].is_visitor() && engine.is_here(*id),
            });
            for who in asked {
                for question in questions.put_to(who, engine) {
                    put(args, engine, who, &question, &mut table, tally)?;
                }
            }
        }
        (None, Some(who), Some(text)) => {
            let question = Question {
                area: String::new(),
                number: 1,
                text: text.clone(),
            };
            let outcome = put(args, engine, who, &question, &mut table, tally)?;
            if args.leave_memory {
                let name = engine.people()[who.index()].name().to_string();
                return super::steer::steer(&args.run, None, |_| {
                    Ok(vec![Written::Remember {
                        resident: name,
                        question: text.clone(),
                        answer: outcome.answer,
                    }])
                });
            }
        }
        (None, Some(who), None) => talk(args, engine, who, tally)?,
        (None, None, _) => {
            return Err(Failure::Usage(anyhow!(
                "say whom to ask, or give --questions to ask everybody: townsfolk interview {} NAME",
                words::path(&args.run)
            )));
        }
    }
    table.finish()
}

/// The resident that `asked` means.
fn find(engine: &Engine, asked: &str) -> Result<ResidentId, Failure> {
    let people = engine.people();
    let names: Vec<&str> = people.iter().map(|person| &**person.name()).collect();
    let index = people::find(&names, asked).map_err(Failure::usage)?;
    Ok(ResidentId(u16::try_from(index).unwrap_or(u16::MAX)))
}

/// Puts a question under each condition and writes the answers; the last comes back.
fn put(
    args: &InterviewArgs,
    engine: &Engine,
    who: ResidentId,
    question: &Question,
    table: &mut Table,
    tally: &mut Tally,
) -> Result<InterviewOutcome, Failure> {
    let mut last = None;
    for ablation in args.ablation.each() {
        let outcome = ask(args, engine, who, &[], &question.text, ablation)?;
        tally.add(&outcome.asked);
        let name = engine.people()[who.index()].name();
        table.write(&Answered {
            resident: name,
            area: &question.area,
            number: question.number,
            question: &question.text,
            ablation: ablation.name(),
            tick: engine.tick().saturating_sub(1),
            outcome: &outcome,
        })?;
        last = Some(outcome);
    }
    // There is always a condition.
    last.ok_or_else(|| Failure::Usage(anyhow!("no condition to ask under")))
}

fn ask(
    args: &InterviewArgs,
    engine: &Engine,
    who: ResidentId,
    history: &[Exchange],
    question: &str,
    ablation: Ablation,
) -> Result<InterviewOutcome, Failure> {
    let options = InterviewOptions {
        ablation,
        count: args.count,
        as_lived: !args.all_memories,
    };
    let asked = townsfolk_engine::interview(engine, who, history, question, &options);
    asked.map_err(|error| match error {
        InterviewError::Halted(_) => Failure::Paused(error.into()),
        _ => Failure::Usage(error.into()),
    })
}

/// A talk at the prompt, line by line; what was said before is part of each question.
fn talk(args: &InterviewArgs, engine: &Engine, who: ResidentId, tally: &mut Tally) -> Done {
    let conditions = args.ablation.each();
    let [ablation] = conditions.as_slice() else {
        return Err(Failure::Usage(anyhow!("a talk has one --ablation; name it")));
    };
    let mut lines = Lines::new()?;
    let name = engine.people()[who.index()].name().clone();
    let now = engine.setting().time_of(engine.tick().saturating_sub(1));
    output::remark(&format!(
        "Talking with {name}, {}. {COMMANDS}\n",
        words::moment_with_year(now)
    ));
    let mut history: Vec<Exchange> = Vec::new();
    let mut last: Option<InterviewOutcome> = None;
    while let Some(line) = lines.next()? {
        let question = line.trim();
        match question.split_once(char::is_whitespace).unwrap_or((question, "")) {
            ("", _) => continue,
            ("/quit" | "/exit", "") => return Ok(()),
            ("/memories", most) => {
                let mut page = output::page();
                let most = if most.is_empty() {
                    Ok(args.show.max(1))
                } else {
                    most.trim().parse()
                };
                match (&last, most) {
                    (_, Err(_)) => page.line("say how many, such as /memories 20"),
                    (None, _) => page.line("nothing was asked yet"),
                    (Some(outcome), Ok(most)) => memories(&mut page, &outcome.memories, most),
                }
                output::print(page.text())?;
                continue;
            }
            // A slip of the pen is no question; a model would be paid for it.
            (word, _) if word.starts_with('/') => {
                output::remark(&format!("{word} is no command. {COMMANDS}\n"));
                continue;
            }
            _ => {}
        }
        let outcome = match ask(args, engine, who, &history, question, *ablation) {
            Ok(outcome) => outcome,
            // A model that fails once may answer the next time.
            Err(Failure::Failed(error)) if lines.is_prompt() => {
                output::remark(&format!("no answer: {error}\n"));
                continue;
            }
            Err(error) => return Err(error),
        };
        tally.add(&outcome.asked);
        let mut page = output::page();
        answer(&mut page, 0, &outcome);
        output::print(page.text())?;
        history.push(Exchange {
            question: question.to_owned(),
            answer: outcome.answer.clone(),
        });
        last = Some(outcome);
    }
    Ok(())
}

/// What can be typed besides questions.
const COMMANDS: &str =
    "/memories shows what the last answer rests on (/memories 20 more of it), /quit or Ctrl-D ends.";

/// Where questions of a talk come from.
enum Lines {
    /// Somebody at a terminal, with history and editing.
    Prompt(Box<DefaultEditor>),
    /// A file or another program, line by line.
    Piped,
}

impl Lines {
    fn new() -> Result<Self, Failure> {
        if !std::io::stdin().is_terminal() {
            return Ok(Self::Piped);
        }
        Ok(Self::Prompt(Box::new(DefaultEditor::new().map_err(unusable)?)))
    }

    fn is_prompt(&self) -> bool {
        matches!(self, Self::Prompt(_))
    }

    /// The next line; none at the end, or when Ctrl-C comes on an empty line a second time.
    fn next(&mut self) -> Result<Option<String>, Failure> {
        let Self::Prompt(editor) = self else {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_until(b'\n', &mut bytes)?;
            return Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()));
        };
        let mut interrupted = false;
        loop {
            match editor.readline("> ") {
                Ok(line) => {
                    // A line that cannot be kept for the arrow keys is asked all the same.
                    if !line.trim().is_empty() {
                        let _ = editor.add_history_entry(line.trim());
                    }
                    return Ok(Some(line));
                }
                Err(ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Interrupted) if interrupted => return Ok(None),
                // What was typed is given up, as in a shell.
                Err(ReadlineError::Interrupted) => {
                    interrupted = true;
                    output::remark("Ctrl-C again, Ctrl-D or /quit ends.\n");
                }
                Err(error) => return Err(unusable(error)),
            }
        }
    }
}

fn unusable(error: ReadlineError) -> Failure {
    Failure::Failed(anyhow!("the prompt cannot be used: {error}"))
}

/// A question with its answer.
struct Answered<'a> {
    tick: u64,
    resident: &'a str,
    area: &'a str,
    number: usize,
    question: &'a str,
    ablation: &'a str,
    outcome: &'a InterviewOutcome,
}

/// The same as JSON, under the names of the columns.
#[derive(Serialize)]
struct Line<'a> {
    tick: u64,
    time: String,
    resident: &'a str,
    area: &'a str,
    number: usize,
    question: &'a str,
    ablation: &'a str,
    answer: &'a str,
    memories: &'a [Recollection],
    used: Vec<usize>,
    fallback: Option<&'a str>,
    without_memory: bool,
}

impl<'a> Answered<'a> {
    /// The numbers of the memories that came to mind, or of those that are used.
    fn memories(&self, used: bool) -> Vec<usize> {
        let memories = self.outcome.memories.iter().filter(|m| !used || m.used);
        memories.map(|m| m.id.index()).collect()
    }

    fn line(&self) -> Line<'a> {
        let Self { outcome, .. } = *self;
        Line {
            tick: self.tick,
            time: outcome.now.to_string(),
            resident: self.resident,
            area: self.area,
            number: self.number,
            question: self.question,
            ablation: self.ablation,
            answer: &outcome.answer,
            memories: &outcome.memories,
            used: self.memories(true),
            fallback: outcome.fallback.as_deref(),
            without_memory: outcome.without_memory,
        }
    }
}

/// Where answers go.
struct Table {
    format: Format,
    show: usize,
    csv: Option<csv::Writer<Box<dyn Write>>>,
    lines: Option<Box<dyn Write>>,
}

/// The columns of answers as a table; memories are numbers parted by spaces, best first.
const COLUMNS: [&str; 12] = [
    "tick",
    "time",
    "resident",
    "area",
    "number",
    "question",
    "ablation",
    "answer",
    "memories",
    "used",
    "fallback",
    "without_memory",
];

impl Table {
    fn new(args: &InterviewArgs) -> Result<Self, Failure> {
        let out: Box<dyn Write> = match &args.out {
            Some(path) => Box::new(new_file(path)?),
            None => Box::new(std::io::stdout()),
        };
        let mut table = Self {
            format: args.format,
            show: args.show,
            csv: None,
            lines: None,
        };
        if args.format == Format::Csv {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(COLUMNS).map_err(unwritable)?;
            table.csv = Some(csv);
        } else {
            table.lines = Some(out);
        }
        Ok(table)
    }

    fn write(&mut self, answered: &Answered<'_>) -> Done {
        let outcome = answered.outcome;
        if let Some(csv) = &mut self.csv {
            let ids = |used: bool| {
                let ids = answered.memories(used).into_iter();
                ids.map(|id| id.to_string()).collect::<Vec<_>>().join(" ")
            };
            let record = [
                &answered.tick.to_string(),
                &outcome.now.to_string(),
                answered.resident,
                answered.area,
                &answered.number.to_string(),
                answered.question,
                answered.ablation,
                &outcome.answer,
                &ids(false),
                &ids(true),
                outcome.fallback.as_deref().unwrap_or_default(),
                &outcome.without_memory.to_string(),
            ];
            return csv.write_record(record).map_err(unwritable);
        }
        let Some(lines) = &mut self.lines else {
            return Ok(());
        };
        let text = if self.format == Format::Jsonl {
            serde_json::to_string(&answered.line())? + "\n"
        } else {
            let mut page = output::page();
            let who = page.look(Look::Name, answered.resident);
            let under = match answered.ablation {
                "none" => String::new(),
                ablation => page.look(Look::Faint, format!("  (ablation: {ablation})")),
            };
            page.line(&format!("{who}: {}{under}", answered.question));
            answer(&mut page, 2, outcome);
            memories(&mut page, &outcome.memories, self.show);
            page.gap();
            page.text().to_owned()
        };
        match lines.write_all(text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn finish(mut self) -> Done {
        if let Some(csv) = &mut self.csv {
            csv.flush()?;
        }
        if let Some(lines) = &mut self.lines {
            match lines.flush() {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }
}

/// An answer, and notes on it: whose it is where the model that was asked gave none, and that the resident
/// lives without memory.
fn answer(page: &mut Page, indent: usize, outcome: &InterviewOutcome) {
    page.paragraph(indent, &outcome.answer);
    let mut note = |note: &str| {
        let note = page.look(Look::Faint, format!("({note})"));
        page.paragraph(indent, &note);
    };
    if let Some(reason) = &outcome.fallback {
        note(&format!("by the routine mind in the model's place: {reason}"));
    }
    if outcome.without_memory {
        note("lives without memory, so nothing came to mind; --all-memories asks of what the file holds");
    }
}

/// The memories an answer rests on, best first; those it says it uses are marked.
fn memories(page: &mut Page, memories: &[Recollection], most: usize) {
    let shown: Vec<&Recollection> = memories.iter().take(most).collect();
    if shown.is_empty() {
        return;
    }
    let faint = |page: &Page, text: String| page.look(Look::Faint, text);
    let head = ["", "total", "recency", "importance", "relevance", "memory"];
    let mut rows: Vec<Vec<String>> = vec![head.iter().map(|h| faint(page, (*h).to_owned())).collect()];
    for memory in shown {
        let told = memory.told_by.as_ref();
        rows.push(vec![
            if memory.used { "*" } else { "" }.to_owned(),
            format!("{:.3}", memory.total),
            format!("{:.3}", memory.recency),
            format!("{:.3}", memory.importance),
            format!("{:.3}", memory.relevance),
            format!(
                "{} {}{}",
                faint(page, format!("#{}", memory.id.index())),
                memory.text,
                told.map_or(String::new(), |by| format!(" (told by {by})"))
            ),
        ]);
    }
    page.table(2, &rows);
}

/// A file that was not there before.
fn new_file(path: &Path) -> Result<File, Failure> {
    File::create_new(path).map_err(|error| {
        let file = words::path(path);
        Failure::Usage(match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                anyhow!("{file} is there already, and nothing is overwritten; choose another name")
            }
            _ => anyhow!("{file}: {error}"),
        })
    })
}

fn unwritable(error: csv::Error) -> Failure {
    Failure::Failed(anyhow!("the answers cannot be written: {error}"))
}
