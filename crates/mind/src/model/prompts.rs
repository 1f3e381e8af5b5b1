//! Prompts are files: one template for each task and language, compiled in, each of which a user may
//! replace.
//!
//! `prompts/LANGUAGE/TASK.md.j2` (MiniJinja) has two blocks: `system`, which stays the same from call to
//! call so that providers' prompt caches hit, and `user`, the moment. Files whose names begin with `_`
//! are parts that templates include. A set is tried on a sample of every task before it is used: variables
//! that do not exist, other blocks, and words outside of the blocks are errors before a run starts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::ask::generous_tokens;
use super::blocks;
use super::budget::{self, Cut, Limits, TooLong};
use super::fit::Fit;
use super::reader::{Marks, Shown};
use super::samples;
use crate::{Phrases, Task, TaskKind};

/// What a prompt consists of.
const BLOCKS: [&str; 2] = ["system", "user"];
/// How template files end.
const ENDING: &str = ".md.j2";

/// The files of one language: name without ending, content.
type Files = &'static [(&'static str, &'static str)];

macro_rules! files {
    ($folder:literal: $($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../prompts/", $folder, "/", $name, ".md.j2"))),)*]
    };
}

macro_rules! languages {
    ($($language:literal),*) => {
        /// The languages there are prompts for, the first for towns in any other.
        pub(crate) const LANGUAGES: &[(&str, Files)] = &[$((
            $language,
            files!($language:
                "_answer", "_identity", "_identity_brief", "_lines", "_memories", "_retry",
                "wake_up", "day_plan", "hourly_schedule", "decompose", "choose_place", "action_details",
                "importance", "reaction", "revise_schedule", "next_line", "relationship",
                "conversation_summary", "after_talk", "focal_questions", "insights", "revise_identity",
                "resident_summary", "interview", "object_state", "inner_thought", "commitment",
            ),
        )),*];
    };
}

// A language is a folder: copy `en`, translate, add its name here.
languages!("en", "zh", "ja");

/// Why a prompt set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// The folder of a user's own prompts cannot be read.
    #[error("{}: cannot be read: {error}; give a folder of files such as wake_up{ENDING}", path.display())]
    Unreadable {
        /// Folder or file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file in that folder replaces nothing.
    #[error(
        "{}: there is no prompt of this name to replace, the nearest is {nearest}{ENDING}; only a README and hidden files \
         may lie beside prompts",
        path.display()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The prompt whose name is most like it.
        nearest: &'static str,
    },
    /// A template is wrong.
    #[error("{file}: line {line}: {what}")]
    Template {
        /// The file.
        file: String,
        /// The line in it, from 1.
        line: usize,
        /// What is wrong, with the variable.
        what: String,
    },
}

/// A prompt, ready to be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// What stays the same from call to call.
    pub system: String,
    /// The moment.
    pub user: String,
}

impl Prompt {
    /// About how many tokens it takes, rather too many than too few.
    pub fn tokens(&self) -> u32 {
        generous_tokens(&self.system) + generous_tokens(&self.user)
    }
}

/// A prompt that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The prompt.
    pub prompt: Prompt,
    /// What it was fitted to; an answer is read with the same.
    pub limits: Limits,
    /// What was left out.
    pub cut: Cut,
}

/// A task's view, made within limits.
pub(crate) type View<'v> = &'v (dyn Fn(&Fit<'_>) -> Value + Sync);

/// The prompts of one language, perhaps with a user's own in their place.
pub struct PromptSet {
    language: &'static str,
    environment: Environment<'static>,
    /// Where each template comes from, for errors.
    origins: BTreeMap<String, String>,
    marks: Marks,
    hash: String,
}

impl PromptSet {
    /// The compiled-in prompts for a town's language; English where there are none of its own.
    ///
    /// # Errors
    /// If a compiled-in template is wrong, which a test rules out.
    pub fn of(language: &str) -> Result<Self, PromptError> {
        Self::build(language, BTreeMap::new())
    }

    /// The same with the files of `folder` in place of those with the same names.
    ///
    /// # Errors
    /// If the folder or a file cannot be read, replaces nothing (also by its ending; hidden files and a README
    /// may), or is not a template that can be filled with what its task has.
    pub fn with_overrides(language: &str, folder: &Path) -> Result<Self, PromptError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |error| PromptError::Unreadable { path, error }
        };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable(folder))? {
            paths.push(entry.map_err(unreadable(folder))?.path());
        }
        // So that of several wrong files the same is named everywhere.
        paths.sort();
        let mut own = BTreeMap::new();
        for path in paths {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let stem = name.split('.').next().unwrap_or_default();
            if stem.is_empty() || stem.eq_ignore_ascii_case("readme") {
                continue;
            }
            let files = files_of(language).1.iter().map(|(known, _)| *known);
            let is_known = |name: &str| files.clone().any(|known| known == name);
            let Some(name) = name.strip_suffix(ENDING).filter(|name| is_known(name)) else {
                let nearest = files.min_by_key(|known| strsim::damerau_levenshtein(known, stem));
                let nearest = nearest.unwrap_or_default();
                return Err(PromptError::Unknown { path, nearest });
            };
            let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
            own.insert(name.to_owned(), (path.display().to_string(), text));
        }
        Self::build(language, own)
    }

    fn build(language: &str, mut own: BTreeMap<String, (String, String)>) -> Result<Self, PromptError> {
        let (language, files) = files_of(language);
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_syntax(syntax());
        environment.set_debug(true);
        let mut origins = BTreeMap::new();
        let mut marks = Marks::default();
        let mut hasher = blake3::Hasher::new();
        let mut all = Vec::new();
        for (name, text) in files {
            let (origin, text) = own
                .remove(*name)
                .unwrap_or_else(|| (format!("prompts/{language}/{name}{ENDING}"), (*text).to_owned()));
            // Lengths keep two sets with the same bytes in other files apart.
            for part in [*name, text.as_str()] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
            origins.insert((*name).to_owned(), origin);
            marks.learn(&text);
            all.push((*name, text));
        }
        let mut set = Self {
            language,
            environment: Environment::empty(),
            origins,
            marks,
            hash: hasher.finalize().to_hex().to_string(),
        };
        for (name, text) in &all {
            environment
                .add_template_owned(*name, text.clone())
                .map_err(|e| set.wrong(name, &e))?;
            if !name.starts_with('_') {
                blocks::check(text, &BLOCKS).map_err(|(line, what)| set.wrong_at(name, line, what))?;
            }
        }
        set.environment = environment;
        let mut tried = Try {
            set: &set,
            views: vec![("_retry", Value::from(Serde(RetryView { wrong: "x" })))],
            wrong: None,
        };
        samples::each(&mut tried);
        let views = tried.views;
        tried.wrong.map_or(Ok(()), Err)?;
        set.render("_retry", &RetryView { wrong: "x" })?;
        all.iter()
            .try_for_each(|(name, text)| set.check_variables(name, text, &views))?;
        Ok(set)
    }

    /// The language.
    pub fn language(&self) -> &str {
        self.language
    }

    /// How cognition words things in that language.
    pub fn phrases(&self) -> &'static Phrases {
        Phrases::of(self.language)
    }

    /// BLAKE3 of all files, in hexadecimal: the set's version.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What must not come back in an answer to a prompt.
    pub fn shown<'p>(&'p self, prompt: &'p Prompt) -> Shown<'p> {
        Shown {
            marks: &self.marks,
            prompt,
        }
    }

    /// A task's prompt within limits, and what they left out of it.
    ///
    /// # Errors
    /// If the template fails on this input.
    pub fn prompt<T: Task>(&self, task: &T, limits: Limits) -> Result<(Prompt, Cut), PromptError> {
        self.prompt_view(T::KIND, &|fit| Value::from(Serde(task.view(fit))), limits)
    }

    /// A task's prompt that takes about `room` tokens at most.
    ///
    /// # Errors
    /// Inside, if nothing helps; outside, if the template fails on this input.
    pub fn fitted<T: Task>(&self, task: &T, room: u32) -> Result<Result<Fitted, TooLong>, PromptError> {
        self.fitted_view(T::KIND, &|fit| Value::from(Serde(task.view(fit))), room)
    }

    fn prompt_view(
        &self,
        kind: TaskKind,
        view: View<'_>,
        limits: Limits,
    ) -> Result<(Prompt, Cut), PromptError> {
        let fit = Fit::new(self.phrases(), limits);
        let [system, user] = self.blocks(kind.name(), view(&fit))?;
        Ok((Prompt { system, user }, fit.cut()))
    }

    pub(crate) fn fitted_view(
        &self,
        kind: TaskKind,
        view: View<'_>,
        room: u32,
    ) -> Result<Result<Fitted, TooLong>, PromptError> {
        let length = |limits| Ok(self.prompt_view(kind, view, limits)?.0.tokens());
        let limits = match budget::widest(room, length)? {
            Ok(limits) => limits,
            Err(too_long) => return Ok(Err(too_long)),
        };
        let (prompt, cut) = self.prompt_view(kind, view, limits)?;
        Ok(Ok(Fitted { prompt, limits, cut }))
    }

    /// What is said after an answer that cannot stand.
    ///
    /// # Errors
    /// If the template fails.
    pub fn retry(&self, wrong: &str) -> Result<String, PromptError> {
        self.render("_retry", &RetryView { wrong })
    }

    fn render(&self, name: &str, view: &impl serde::Serialize) -> Result<String, PromptError> {
        let template = self
            .environment
            .get_template(name)
            .map_err(|e| self.wrong(name, &e))?;
        let text = template
            .render(Value::from(Serde(view)))
            .map_err(|e| self.wrong(name, &e))?;
        Ok(text.trim().to_owned())
    }

    fn blocks(&self, name: &str, view: Value) -> Result<[String; 2], PromptError> {
        let template = self
            .environment
            .get_template(name)
            .map_err(|e| self.wrong(name, &e))?;
        let mut captured = template.render_captured(view).map_err(|e| self.wrong(name, &e))?;
        let mut blocks = BLOCKS.map(String::from);
        captured
            .with_state_mut(|state| {
                for block in &mut blocks {
                    let text = state.render_block(block)?;
                    *block = text.trim().to_owned();
                }
                Ok(())
            })
            .map_err(|e: minijinja::Error| self.wrong(name, &e))?;
        Ok(blocks)
    }

    /// Refuses variables that a template's task does not have, also where the sample does not come by. Parts
    /// are included by several tasks: what none of them has is refused.
    fn check_variables(
        &self,
        name: &str,
        text: &str,
        views: &[(&'static str, Value)],
    ) -> Result<(), PromptError> {
        let template = self
            .environment
            .get_template(name)
            .map_err(|e| self.wrong(name, &e))?;
        let own: Vec<&Value> = views
            .iter()
            .filter(|(of, _)| *of == name)
            .map(|(_, view)| view)
            .collect();
        let views = match own.is_empty() {
            true => views.iter().map(|(_, view)| view).collect(),
            false => own,
        };
        let globals: BTreeSet<&str> = self.environment.globals().map(|(name, _)| name).collect();
        let used: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
        let unknown = used.iter().find(|variable| {
            let first = variable.split('.').next().unwrap_or_default();
            !globals.contains(first) && !views.iter().any(|view| has(view, variable))
        });
        match unknown {
            None => Ok(()),
            Some(variable) => {
                let line = blocks::line_using(text, variable);
                Err(self.wrong_at(name, line, format!("there is no variable `{variable}` here")))
            }
        }
    }

    fn wrong_at(&self, name: &str, line: usize, what: String) -> PromptError {
        PromptError::Template {
            file: self.origins.get(name).cloned().unwrap_or_else(|| name.to_owned()),
            line,
            what,
        }
    }

    /// A template's error, with file, line and the words it is about.
    fn wrong(&self, name: &str, error: &minijinja::Error) -> PromptError {
        let mut innermost = error;
        // An error inside an included part is wrapped in one of the including template.
        while let Some(source) =
            std::error::Error::source(innermost).and_then(|source| source.downcast_ref::<minijinja::Error>())
        {
            innermost = source;
        }
        let name = innermost.name().unwrap_or(name);
        let mut what = innermost
            .detail()
            .map_or_else(|| innermost.kind().to_string(), str::to_owned);
        let words = innermost
            .range()
            .and_then(|range| innermost.template_source()?.get(range));
        if let Some(words) = words {
            what = format!("{what}: `{words}`");
        }
        self.wrong_at(name, innermost.line().unwrap_or(1), what)
    }
}

/// Whether a view has a variable such as `who.age`; what is inside of something that a sample has not cannot be
/// told and passes.
fn has(view: &Value, variable: &str) -> bool {
    let mut value = view.clone();
    for name in variable.split('.') {
        if value.kind() != ValueKind::Map {
            return true;
        }
        match value.get_attr(name) {
            Ok(inside) if !inside.is_undefined() => value = inside,
            _ => return false,
        }
    }
    true
}

#[derive(serde::Serialize)]
struct RetryView<'a> {
    wrong: &'a str,
}

/// Renders samples until one fails.
struct Try<'a> {
    set: &'a PromptSet,
    /// What each task has for its template.
    views: Vec<(&'static str, Value)>,
    wrong: Option<PromptError>,
}

impl samples::Visit for Try<'_> {
    fn visit<T: Task>(&mut self, task: &T) {
        let fit = Fit::new(self.set.phrases(), Limits::NONE);
        self.views
            .push((T::KIND.name(), Value::from(Serde(task.view(&fit)))));
        if self.wrong.is_none() {
            self.wrong = self.set.prompt(task, Limits::NONE).err();
        }
    }
}

/// Tags that stand alone in a line leave no line.
fn syntax() -> SyntaxConfig {
    let mut builder = SyntaxConfig::builder();
    builder.trim_blocks(true).lstrip_blocks(true);
    builder.build().expect("no delimiter is changed")
}

fn files_of(language: &str) -> (&'static str, Files) {
    let of = |wanted: &str| LANGUAGES.iter().copied().find(|(name, _)| *name == wanted);
    // "zh-CN" is served by "zh".
    let base = language.split(['-', '_']).next().unwrap_or(language);
    of(language).or_else(|| of(base)).unwrap_or(LANGUAGES[0])
}
