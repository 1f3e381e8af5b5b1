//! The command line as it is typed, with its help. Every text of help stands once, beside its field.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use townsfolk_store::MemoryKind;
use townsfolk_time::GameTime;

use crate::args_steering::{
    HistoryArgs, InterviewArgs, ObjectArgs, Part, ResidentArgs, SayArgs, WhisperArgs,
};
use crate::when::When;

/// A town whose residents remember, reflect and plan.
///
/// Townsfolk simulates a small town of generative agents. Everything that happens goes into one file, the run, which can be resumed, forked and looked into at any moment.
///
/// Without a command it runs the town that comes with it for two days. What residents think is decided by rules from what they remember (the routine mind): that is no language model, and needs no key and no network.
#[derive(Debug, Parser)]
#[command(name = "townsfolk", version, max_term_width = 100)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk                                   two days of the town that comes with Townsfolk\n",
    "  townsfolk run --days 1 --seed 7             one day of it, with other chances\n",
    "  townsfolk inspect osier_quay.run            what came of it\n",
    "  townsfolk resume osier_quay.run --days 1    another day\n",
    "\n",
    "Exit codes:\n",
    "  0    all went well\n",
    "  1    a run failed, or a file could not be read or written\n",
    "  2    the command line, a town or a name was wrong; nothing was done\n",
    "  3    paused: a model cannot be used, or the budget does not hold the next call; `resume` goes on\n",
    "  4    the run is done, but the routine mind answered more often than --max-fallback allows\n",
    "  130  stopped by Ctrl-C; everything up to the last tick is saved",
))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Resume(ResumeArgs),
    Serve(ServeArgs),
    Fork(ForkArgs),
    ReEmbed(ReEmbedArgs),
    Models(ModelsArgs),
    Inspect(InspectArgs),
    Interview(InterviewArgs),
    Whisper(WhisperArgs),
    Say(SayArgs),
    Object(ObjectArgs),
    Resident(ResidentArgs),
    History(HistoryArgs),
    Towns(TownsArgs),
    Check(CheckArgs),
}

/// Run a town and write what happens into a new file
///
/// Without a length it runs two days. A summary of them follows at the end. Ctrl-C finishes the tick at hand and saves; a second Ctrl-C stops at once, and the file is whole all the same.
#[derive(Debug, Default, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk run                                   the town that comes with Townsfolk, two days\n",
    "  townsfolk run my_town --until \"2024-06-04 18:00\"\n",
    "  townsfolk run storage/base_the_ville_isabella_maria_klaus --assets static_dirs/assets \\\n",
    "      --history static_dirs/assets/the_ville/agent_history_init_n3.csv\n",
    "  townsfolk run --json --out monday.run --ticks 3600\n",
))]
pub(crate) struct RunArgs {
    /// A town that comes with Townsfolk, a town's folder, or a base of the 2023 code
    ///
    /// A name without a slash is first looked for among the towns that come with Townsfolk (see `townsfolk towns`). A base is known by its `reverie/meta.json`. A .run file is resumed. Default: osier_quay.
    pub(crate) town: Option<String>,
    #[command(flatten)]
    pub(crate) length: Length,
    /// When the story starts, instead of when the town says: "2024-06-03 06:15"
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) start: Option<GameTime>,
    /// Where all chance comes from: the same town and seed give the same run [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// The file to write; must not exist [default: TOWN.run in this folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// For a base of the 2023 code: the folder of its maps
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
    /// A history file of the 2023 code (Name,Whisper): what residents know from the start
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    /// The language of prompts and of what residents say, instead of the town's: en, zh or ja
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// Say what the run would take, by task: calls, tokens and price; nothing is asked or written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Compute another run again out of its recorded replies, without any model: same town, seed and length
    #[arg(long, value_name = "RUN", conflicts_with_all = ["town", "days", "ticks", "until", "start", "seed", "assets", "history", "language", "dry_run"])]
    pub(crate) replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) models: ModelArgs,
    /// A file of what is done from outside, and when (TOML, or JSON lines as .jsonl)
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Option<PathBuf>,
    /// Parts of the mind that nobody in town has
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub(crate) without: Vec<Part>,
    #[command(flatten)]
    pub(crate) pace: Pace,
    #[command(flatten)]
    pub(crate) serving: Serving,
}

/// Go on with a run
///
/// Without a length it goes on to the end it was last asked for. A run that was killed goes on from its last checkpoint, at most a game hour back; the same comes out as if it had never been interrupted.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk resume osier_quay.run              to the end that was asked for\n",
    "  townsfolk resume osier_quay.run --days 1     a day more than there is\n",
    "  townsfolk resume osier_quay.run --until \"2024-06-06 09:00\"\n",
))]
pub(crate) struct ResumeArgs {
    /// The run
    pub(crate) run: PathBuf,
    #[command(flatten)]
    pub(crate) length: Length,
    #[command(flatten)]
    pub(crate) models: ModelArgs,
    #[command(flatten)]
    pub(crate) pace: Pace,
    #[command(flatten)]
    pub(crate) serving: Serving,
}

/// Show a run in the browser: watch it again, look into every head, take part
///
/// The page shows any moment of the run. It can also take the run on, whisper, or ask residents questions; the run is only written to once somebody does. A run that another process is writing is followed live. Ctrl-C ends it.
///
/// The page is for this machine alone unless --host says otherwise; then everybody needs the token, which is in the link.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk serve osier_quay.run --open\n",
    "  townsfolk serve osier_quay.run --read-only --host 0.0.0.0\n",
))]
pub(crate) struct ServeArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// Only show it: nothing can be done to it from the page
    #[arg(long)]
    pub(crate) read_only: bool,
    #[command(flatten)]
    pub(crate) models: ModelArgs,
    #[command(flatten)]
    pub(crate) door: Door,
}

/// Start a new run from a moment of another
///
/// The new run shares the other's past up to that moment and then goes its own way. The other run is only read. Without a length the fork is made and not run.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk fork osier_quay.run --at \"day 2 12:00\" --out noon.run\n",
    "  townsfolk fork osier_quay.run --at 2160 --out other.run --days 1\n",
))]
pub(crate) struct ForkArgs {
    /// The run to fork
    pub(crate) parent: PathBuf,
    /// The last moment both share: a tick, a time, or "day 2 12:00"
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    pub(crate) at: When,
    /// The file to write; must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) length: Length,
    #[command(flatten)]
    pub(crate) models: ModelArgs,
    #[command(flatten)]
    pub(crate) pace: Pace,
    #[command(flatten)]
    pub(crate) serving: Serving,
}

/// Make a copy of a run with other vectors, so that it can go on with another embedder
///
/// The run itself is only read. What happened stays; what comes to residents' minds from there on may differ.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk re-embed osier_quay.run --embedder ollama:nomic-embed-text --out other.run\n",
    "  townsfolk re-embed osier_quay.run --models models.toml --out other.run\n",
    "  townsfolk resume other.run --days 1\n",
))]
pub(crate) struct ReEmbedArgs {
    /// The run
    pub(crate) run: PathBuf,
    /// The file to write; must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// What turns memories into vectors: builtin, words, or a model such as ollama:nomic-embed-text
    #[arg(long, value_name = "EMBEDDER", required_unless_present = "models")]
    pub(crate) embedder: Option<String>,
    /// A models.toml whose `[embedding]` table says it, with address, key and price; who thinks stays as it is
    #[arg(long, value_name = "FILE", conflicts_with = "embedder")]
    pub(crate) models: Option<PathBuf>,
}

/// Try language models out
#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) what: ModelsWhat,
}

/// What to try.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsWhat {
    /// Make one tiny call for each role, and say what works and what to mend
    ///
    /// Nothing is tried again, so that what is broken is told at once.
    Check(ModelsCheckArgs),
}

/// Which models.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk models check --model ollama:qwen3:4b\n",
    "  townsfolk models check --models models.toml\n",
    "  townsfolk models check --model ollama:qwen3:4b --adherence\n",
))]
pub(crate) struct ModelsCheckArgs {
    /// A models.toml [default: models.toml in this folder]
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) models: Option<PathBuf>,
    /// One model for everything
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Also play a scene of five short calls: does somebody who is not nice stay so?
    #[arg(long)]
    pub(crate) adherence: bool,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// How long to run.
#[derive(Clone, Copy, Debug, Default, Args)]
#[group(multiple = false)]
pub(crate) struct Length {
    /// So many days of 24 game hours: from the start, or from where a run stands
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) days: Option<u32>,
    /// So many ticks: from the start, or from where a run stands
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ticks: Option<u32>,
    /// Up to this game time: "2024-06-04 18:00"
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) until: Option<GameTime>,
}

/// Who answers the residents' questions. A run keeps what was said here, except keys and budgets.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct ModelArgs {
    /// The language model that answers, such as ollama:qwen3:4b, openai:NAME or gguf:FILE; or routine
    ///
    /// Keys come from the environment variable of the provider, such as OPENAI_API_KEY. See docs/models.md for the providers.
    #[arg(long, value_name = "MODEL", conflicts_with = "models")]
    pub(crate) model: Option<String>,
    /// A models.toml: which model thinks, talks, rates and embeds, with prices and limits
    #[arg(long, value_name = "FILE")]
    pub(crate) models: Option<PathBuf>,
    /// A folder of prompts that take the place of those in the program, by file name
    #[arg(long, value_name = "DIR")]
    pub(crate) prompts: Option<PathBuf>,
    /// What turns memories into vectors: builtin, words, or a model such as ollama:nomic-embed-text
    #[arg(long, value_name = "EMBEDDER")]
    pub(crate) embedder: Option<String>,
    /// Pause before the run's calls have cost more US dollars than this in all
    #[arg(long, value_name = "USD", value_parser = parse_usd, allow_hyphen_values = true)]
    pub(crate) budget_usd: Option<f64>,
    /// Pause before the run's calls have taken more tokens than this in all, sent and received
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) budget_tokens: Option<u64>,
    /// Ask only what the tick at hand needs, instead of fetching replies ahead while it waits
    #[arg(long)]
    pub(crate) lock_step: bool,
    /// Fail (exit code 4) if the routine mind had to answer for a model in more than this share of questions, such as 5%
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_hyphen_values = true)]
    pub(crate) max_fallback: Option<f64>,
}

fn parse_usd(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_start_matches('$').parse::<f64>().ok();
    number
        .filter(|usd| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "write an amount above 0, such as 0.50".to_owned())
}

/// A share from 0 to 1 out of `5%`. Without the sign nobody can tell whether 0.05 means five in a hundred or
/// in ten thousand.
fn parse_percent(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let number = |text: &str| {
        let number = text.trim_end().parse::<f64>().ok();
        number.filter(|percent| (0.0..=100.0).contains(percent))
    };
    if let Some(bare) = number(text) {
        // Rounded, since 0.07 is not quite seven hundredths.
        let share = (bare * 1e6).round() / 1e4;
        return Err(match bare > 0.0 && bare <= 1.0 {
            true => format!("write {share}% for a share of {bare}, or {bare}% if so little is meant"),
            false => format!("write {bare}%"),
        });
    }
    let percent = text.strip_suffix('%').and_then(number);
    percent
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "write a percentage from 0% to 100%, such as 5%".to_owned())
}

/// Whether the run is shown in the browser while it goes on.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Serving {
    /// Do not show the run in the browser while it goes on
    #[arg(long, conflicts_with_all = ["port", "host", "token", "open", "speed"])]
    pub(crate) no_serve: bool,
    #[command(flatten)]
    pub(crate) door: Door,
}

/// Where the page is, and for whom.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "The page in the browser")]
pub(crate) struct Door {
    /// The port of the page; 0 for any [default: 7878, or the next that is free]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Let other machines see the page, at this address of yours (0.0.0.0 for all) [default: this machine only]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<String>,
    /// What everybody must know to see the page; better set as TOWNSFOLK_TOKEN [default: with --host, a new one]
    #[arg(long, value_name = "TOKEN", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) token: Option<String>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// How many game seconds pass in a second, such as 60, or max; the page can change it [default: max]
    ///
    /// A stretch in which nobody has anything to think about takes two seconds at most (or one tick, where that is longer). What happens is the same at any speed.
    #[arg(long, value_name = "SPEED", value_parser = parse_speed, allow_hyphen_values = true)]
    pub(crate) speed: Option<f64>,
}

impl Door {
    /// The speed asked for; none for as fast as possible.
    pub(crate) fn speed(&self) -> Option<f64> {
        self.speed.filter(|speed| speed.is_finite())
    }
}

/// Game seconds per second; without an end for `max`.
fn parse_speed(text: &str) -> Result<f64, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("max") {
        return Ok(f64::INFINITY);
    }
    let number = text.trim_end_matches(['x', '×']).parse::<f64>().ok();
    number
        .filter(|speed| speed.is_finite() && *speed > 0.0)
        .ok_or_else(|| "write a number above 0, such as 60, or max".to_owned())
}

/// How it is computed and shown; nothing here changes what happens.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Pace {
    /// How many threads think at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) workers: Option<u16>,
    /// Report as JSON lines on standard output, and nothing else there
    #[arg(long)]
    pub(crate) json: bool,
    /// Show neither progress nor the summary
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Look into a run, at any moment of it
///
/// A run may be looked into while it is being written. Residents are named by full name, first name or the beginning of either.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk inspect osier_quay.run\n",
    "  townsfolk inspect osier_quay.run schedule agnes --at \"day 2 12:00\"\n",
    "  townsfolk inspect osier_quay.run memories agnes --kind reflection --newest 10\n",
    "  townsfolk inspect osier_quay.run news \"lantern supper\"\n",
    "  townsfolk inspect osier_quay.run chats --at 2160 --json\n",
))]
#[command(disable_help_subcommand = true)]
pub(crate) struct InspectArgs {
    /// The run
    pub(crate) run: PathBuf,
    #[command(subcommand)]
    pub(crate) what: Option<What>,
    /// The moment: a tick, a time ("2024-06-04 18:00"), or "day 2 18:00" [default: the last]
    #[arg(long, value_name = "WHEN", global = true, allow_hyphen_values = true)]
    pub(crate) at: Option<When>,
    /// Print JSON instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What to look at.
#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "WHAT", subcommand_help_heading = "What to look at")]
pub(crate) enum What {
    /// What happened in the days so far; the page that ends a run
    Summary,
    /// A resident's day, hour by hour, with the steps worked out so far
    Schedule(OneResident),
    /// What a resident remembers
    Memories(MemoriesArgs),
    /// Conversations, line by line
    Chats(SomeResident),
    /// What a resident concluded, down to the memories it rests on
    Reflections(OneResident),
    /// A resident's plans in broad strokes, appointments, and what changed them
    Plan(OneResident),
    /// Where residents are, and where one of them has spent the time
    Places(SomeResident),
    /// Who has talked with whom, and what a resident makes of the others
    Relationships(SomeResident),
    /// What and who is on a tile of the map
    Tile(TileArgs),
    /// How often the mind was asked what, and how often it fell back
    Tasks,
    /// What calls to models took and cost: by task, resident, hour and model
    Cost,
    /// Calls to models: what was sent, what came back, what was made of it
    ///
    /// With --json each call is one line of JSON: the export of a run's calls.
    Calls(CallsArgs),
    /// Who knows something, and from whom
    News(NewsArgs),
    /// What residents say of themselves day by day, against who they are
    Drift,
    /// A fingerprint: equal for two runs in which the same happened
    Digest,
}

/// One resident.
#[derive(Debug, Args)]
pub(crate) struct OneResident {
    /// Full name, first name, or the beginning of either
    pub(crate) resident: String,
}

/// One resident, or all.
#[derive(Debug, Args)]
pub(crate) struct SomeResident {
    /// Full name, first name, or the beginning of either [default: everybody]
    pub(crate) resident: Option<String>,
}

/// Which memories.
#[derive(Debug, Args)]
pub(crate) struct MemoriesArgs {
    /// Full name, first name, or the beginning of either
    pub(crate) resident: String,
    /// Only of this kind
    #[arg(long)]
    pub(crate) kind: Option<Kind>,
    /// Only with this text in them, in any case
    #[arg(long, value_name = "TEXT")]
    pub(crate) find: Option<String>,
    /// Only so many, the newest
    #[arg(long, value_name = "N")]
    pub(crate) newest: Option<usize>,
}

/// The kinds of memory.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Kind {
    Observation,
    Reflection,
    Plan,
    Conversation,
}

impl From<Kind> for MemoryKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Observation => Self::Observation,
            Kind::Reflection => Self::Reflection,
            Kind::Plan => Self::Plan,
            Kind::Conversation => Self::Conversation,
        }
    }
}

/// Which calls.
#[derive(Debug, Args)]
pub(crate) struct CallsArgs {
    /// Full name, first name, or the beginning of either [default: everybody]
    pub(crate) resident: Option<String>,
    /// Only those of one tick: a tick, a time, or "day 2 18:00"
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    pub(crate) tick: Option<When>,
    /// Only for this kind of task, such as day_plan
    #[arg(long, value_name = "KIND")]
    pub(crate) task: Option<String>,
    /// Only those that failed, or whose answer is a fallback in the end
    #[arg(long)]
    pub(crate) failed: bool,
    /// Prompts, replies and answers in full
    #[arg(long)]
    pub(crate) full: bool,
}

/// Which tile.
#[derive(Debug, Args)]
pub(crate) struct TileArgs {
    /// Column and row from the top left, from 0, such as 12,40
    #[arg(value_name = "X,Y", value_parser = parse_tile, allow_hyphen_values = true)]
    pub(crate) tile: (u16, u16),
}

fn parse_tile(text: &str) -> Result<(u16, u16), String> {
    let parts = text
        .split_once(',')
        .map(|(x, y)| (x.trim().parse(), y.trim().parse()));
    match parts {
        Some((Ok(x), Ok(y))) => Ok((x, y)),
        _ => Err("write column and row from the top left, from 0, such as 12,40".to_owned()),
    }
}

/// Which news.
#[derive(Debug, Args)]
pub(crate) struct NewsArgs {
    /// Some of its words, in any case [default: whatever was passed on]
    pub(crate) text: Option<String>,
}

/// List the towns that come with Townsfolk, or write one into a folder to be edited
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk towns\n",
    "  townsfolk towns --export osier_quay my_town    a copy to make your own\n",
))]
pub(crate) struct TownsArgs {
    /// Write this town's files into a folder, which must be empty or not exist yet
    #[arg(long, num_args = 2, value_names = ["NAME", "FOLDER"])]
    pub(crate) export: Option<Vec<String>>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check that a town can be run and say what is in it, or that a run holds
///
/// Of a run everything is checked that must hold in any: that nobody knows news before somebody told them, that what is concluded rests on older memories, that plans are whole days, that each talk ends, and more. The exit code is 1 if anything does not hold.
#[derive(Debug, Args)]
#[command(after_long_help = concat!(
    "Examples:\n",
    "  townsfolk check my_town\n",
    "  townsfolk check osier_quay.run\n",
    "  townsfolk check storage/base_the_ville_n25 --assets static_dirs/assets\n",
))]
pub(crate) struct CheckArgs {
    /// A town that comes with Townsfolk, a town's folder, a base of the 2023 code, or a run
    pub(crate) town: String,
    /// For a base of the 2023 code: the folder of its maps
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
    /// A history file of the 2023 code (Name,Whisper)
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
