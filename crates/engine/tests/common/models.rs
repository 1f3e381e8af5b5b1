//! Models for tests: a real server on this machine, spoken to over HTTP, whose answers are the routine
//! mind's, or whatever a test lets it play.

#![allow(dead_code, reason = "each test uses some of these")]

use std::path::Path;
use std::sync::Arc;

use townsfolk_embed::HashedWords;
use townsfolk_engine::{Minds, ModelPlan, Terms};
use townsfolk_mind::model::{Calls, PromptSet, Rehearsal, Roles};
use townsfolk_model::scripted::{Play, Request, Server};
use townsfolk_model::{Models, ModelsConfig, Stop};

/// The key that must never be seen anywhere.
pub(crate) const KEY: &str = "sk-a-very-secret-key-0123456789";

/// A server, and what it would say as the routine mind.
pub(crate) struct Echo {
    pub(crate) server: Server,
    pub(crate) answers: Arc<Rehearsal>,
}

impl Echo {
    /// A server that answers as the routine mind would, unless `play` has something else.
    pub(crate) fn start(play: impl Fn(&Request) -> Option<Play> + Send + Sync + 'static) -> Self {
        let answers = Arc::new(Rehearsal::default());
        let known = answers.clone();
        let server = Server::start(move |request| {
            let echo = known.answer(&request.system(), &request.prompt());
            play(request).unwrap_or_else(|| Play::Reply(echo.unwrap_or_else(|| "{}".to_owned())))
        });
        Self { server, answers }
    }

    /// Minds that ask this server.
    pub(crate) fn minds(&self) -> Minds {
        minds(&self.server.base_url(), Some(self.answers.clone()))
    }

    /// The same without running ahead, which may ask one question twice: what is paid does not depend on time.
    pub(crate) fn lock_step(&self) -> Minds {
        let mut minds = self.minds();
        plan(&mut minds).calls = Calls::Together;
        minds
    }
}

/// Minds whose one model is served at an address.
pub(crate) fn minds(base_url: &str, crib: Option<Arc<Rehearsal>>) -> Minds {
    let config = format!(
        "[thinking]\nmodel = \"server:echo\"\nbase_url = \"{base_url}\"\nkey_variable = \"ECHO_KEY\"\n\
         window_tokens = 32000\ntimeout_seconds = 5.0\nretries = 1\nconcurrency = 64\n\
         price_usd_per_million = {{ input = 1.0, output = 2.0 }}\n"
    );
    let config = ModelsConfig::read(&config, "models.toml").expect("the configuration is right");
    let stop = Stop::default();
    let models = Models::open(&config, &|_| Some(KEY.to_owned()), None, &stop).expect("the models open");
    Minds {
        embedder: Arc::new(HashedWords),
        models: Some(ModelPlan {
            roles: Roles::from(&models),
            prompts: Arc::new(PromptSet::of("en").expect("the prompts are right")),
            calls: Calls::Ahead,
            crib: crib.map(|crib| crib as _),
        }),
        remote: None,
        terms: Terms {
            prices: config.prices(),
            stop,
            ..Terms::default()
        },
        config: Some(config.to_toml()),
    }
}

/// The plan inside, to be changed.
pub(crate) fn plan(minds: &mut Minds) -> &mut ModelPlan {
    minds.models.as_mut().expect("there are models")
}

/// Whether any file of a run holds some bytes.
pub(crate) fn holds(run: &Path, text: &str) -> bool {
    let folder = run.parent().expect("a file lies in a folder");
    let name = run
        .file_name()
        .expect("a file has a name")
        .to_string_lossy()
        .into_owned();
    let files = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .flatten();
    files
        .filter(|file| file.file_name().to_string_lossy().starts_with(&name))
        .any(|file| {
            let bytes = std::fs::read(file.path()).expect("the file can be read");
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
}
