//! The command line of what is asked of residents and done to them from outside.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use townsfolk_engine::Ablation;

use crate::args::ModelArgs;
use crate::when::When;

/// Whisper to a resident: an inner voice that is remembered, and may change the day's plan
///
/// It is heard at the run's next tick, or on waking by whoever sleeps, when the run goes on. It becomes a thought of the resident's own: "You are ..." is understood as about the resident.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk whisper osier_quay.run agnes \"The clinic closes at noon today\"\n",
    "  townsfolk whisper osier_quay.run agnes \"You want to run for mayor\"\n",
    "  townsfolk resume osier_quay.run --days 1\n",
))]
pub(crate) struct WhisperArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// Full name, first name, or the beginning of either
    pub(crate) resident: String,
    /// What the voice says
    pub(crate) text: String,
    #[command(flatten)]
    pub(crate) when: ActsAt,
}

/// Say something to a resident as a visitor
///
/// A visitor of that name walks in beside the resident, unless they are in town already. The resident sees them, answers when the run goes on, waits for three minutes of game time for the next words, and remembers the visitor with their role.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk say osier_quay.run agnes \"Good morning! What is new in town?\" --as \"Dana Reed\" --role \"a reporter\"\n",
    "  townsfolk resume osier_quay.run --ticks 12\n",
    "  townsfolk say osier_quay.run agnes \"Thank you, goodbye.\" --as \"Dana Reed\" --end\n",
    "  townsfolk resident remove osier_quay.run \"Dana Reed\"\n",
))]
pub(crate) struct SayArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// Whom to speak to: full name, first name, or the beginning of either
    pub(crate) resident: String,
    /// The words
    pub(crate) text: String,
    /// The visitor's name
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) visitor: String,
    /// What the visitor is, such as "a reporter"
    #[arg(long, value_name = "ROLE", default_value = "")]
    pub(crate) role: String,
    /// End the talk with these words
    #[arg(long)]
    pub(crate) end: bool,
}

/// Bring an object into a state that stays until it is set again
///
/// Whoever sees it can react: fire is put out, what is broken is avoided and talked about.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk object set smallville.run \"the Ville:Hobbs Cafe:cafe:coffee machine\" broken\n",
    "  townsfolk object set osier_quay.run \"Copper Kettle Cafe:kitchen:stove\" \"the stove is being repaired\"\n",
))]
#[command(disable_help_subcommand = true)]
pub(crate) struct ObjectArgs {
    #[command(subcommand)]
    pub(crate) what: ObjectWhat,
}

/// What to do with an object.
#[derive(Debug, Subcommand)]
pub(crate) enum ObjectWhat {
    /// Set its state
    Set(SetArgs),
}

/// Which state.
#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// The object's address, with or without the world's name
    pub(crate) object: String,
    /// Its state ("broken"), or a sentence about it
    pub(crate) state: String,
    #[command(flatten)]
    pub(crate) when: ActsAt,
}

/// Add, remove or move a resident
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk resident add osier_quay.run my_town/residents/nora.toml\n",
    "  townsfolk resident move osier_quay.run agnes \"Copper Kettle Cafe:kitchen\"\n",
    "  townsfolk resident remove osier_quay.run agnes\n",
))]
#[command(disable_help_subcommand = true)]
pub(crate) struct ResidentArgs {
    #[command(subcommand)]
    pub(crate) what: ResidentWhat,
}

/// What to do with a resident.
#[derive(Debug, Subcommand)]
pub(crate) enum ResidentWhat {
    /// Somebody new lives here from now on
    Add(AddArgs),
    /// A resident, or a visitor, leaves for good; what they remember stays in the file
    Remove(RemoveArgs),
    /// A resident is put elsewhere; a visitor walks there
    Move(MoveArgs),
}

/// Who comes.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// A resident's file, as in a town's `residents` folder
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) when: ActsAt,
}

/// Who leaves.
#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// Full name, first name, or the beginning of either
    pub(crate) resident: String,
    #[command(flatten)]
    pub(crate) when: ActsAt,
}

/// Who moves, and where to.
#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// Full name, first name, or the beginning of either
    pub(crate) resident: String,
    /// A place's address, or a tile: column and row from the top left, from 0, such as 12,40
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) when: ActsAt,
}

/// Whisper a whole history file (Name,Whisper) to residents: all of it, or nothing
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk history ville.run static_dirs/assets/the_ville/agent_history_init_n3.csv\n",
))]
pub(crate) struct HistoryArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// A history file of the 2023 code; several whispers in one column are parted by ;
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) when: ActsAt,
}

/// When it acts.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ActsAt {
    /// A moment to come: a tick, a time, or "day 2 18:00" [default: the run's next tick]
    #[arg(long = "at", value_name = "WHEN", allow_hyphen_values = true)]
    pub(crate) at: Option<When>,
}

/// Ask residents questions, at any moment of a run
///
/// The answer comes with the memories it rests on. Nothing of it stays with the resident, unless --leave-memory is given. With a name and no question it is a talk at the prompt: type questions, /memories for what the last answer rests on, /quit or Ctrl-D to leave.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk interview osier_quay.run agnes \"What happened yesterday?\"\n",
    "  townsfolk interview osier_quay.run agnes --at \"day 1 18:00\"\n",
    "  townsfolk interview osier_quay.run --questions paper --ablation all --format csv --out answers.csv\n",
    "  townsfolk interview osier_quay.run agnes --questions mine.toml --format jsonl\n",
))]
pub(crate) struct InterviewArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// Full name, first name, or the beginning of either [default: everybody, with --questions]
    pub(crate) resident: Option<String>,
    /// One question [default: ask at the prompt]
    #[arg(conflicts_with = "questions")]
    pub(crate) question: Option<String>,
    /// The moment: a tick, a time ("2024-06-04 18:00"), or "day 2 18:00" [default: the last]
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    pub(crate) at: Option<When>,
    /// A file of questions, or `paper`: five areas with five questions each
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: Option<PathBuf>,
    /// Kinds of memory that may not come to mind
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub(crate) ablation: Conditions,
    /// Let everything in the file come to mind also where a resident lives without memory
    #[arg(long)]
    pub(crate) all_memories: bool,
    /// How many memories come to mind at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) count: usize,
    /// How many of them to show with an answer
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) show: usize,
    /// How answers are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// Write the answers into a file, which must not exist, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Let the resident remember question and answer, when the run goes on
    #[arg(long, requires = "question", conflicts_with = "at")]
    pub(crate) leave_memory: bool,
    #[command(flatten)]
    pub(crate) models: ModelArgs,
}

/// Which conditions to ask under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Conditions {
    /// Everything may come to mind
    None,
    /// No reflections
    NoReflections,
    /// Neither reflections nor plans
    NoReflectionsOrPlans,
    /// Nothing but who they are
    Nothing,
    /// Each of these in turn
    All,
}

impl Conditions {
    /// The conditions, one after the other.
    pub(crate) fn each(self) -> Vec<Ablation> {
        match self {
            Self::None => vec![Ablation::None],
            Self::NoReflections => vec![Ablation::NoReflections],
            Self::NoReflectionsOrPlans => vec![Ablation::NoReflectionsOrPlans],
            Self::Nothing => vec![Ablation::Nothing],
            Self::All => Ablation::ALL.to_vec(),
        }
    }
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Jsonl,
    /// A table with a header
    Csv,
}

/// A part of the mind that a run can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Nobody reflects
    Reflection,
    /// Days follow habit: nothing is looked up for them, plans are not remembered, news change nothing
    Planning,
    /// Nothing ever comes to mind
    Memory,
}
