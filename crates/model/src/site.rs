//! Where a model lives, and errors about it: what happened, and what to do.

use crate::secret::Secrets;
use crate::{Fault, ModelError};

/// How much of a provider's words is worth passing on.
const DETAIL_LIMIT_CHARS: usize = 300;

/// Where a model lives, and what an error about it says.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The specification, such as `ollama:qwen3:4b`.
    pub(crate) name: String,
    /// The model as the provider calls it.
    pub(crate) model: String,
    /// The provider, for people.
    pub(crate) title: String,
    /// Where its API begins, without a slash at the end.
    pub(crate) base_url: String,
    /// The environment variable its key comes from, or would come from.
    pub(crate) key_variable: Option<String>,
    /// What to do where nothing listens.
    pub(crate) start_hint: Option<String>,
    /// What to do where the model is missing.
    pub(crate) model_hint: Option<String>,
    /// What must not be seen.
    pub(crate) secrets: Secrets,
}

impl Site {
    /// An error about a call, with secrets hidden and what to do about it.
    pub(crate) fn error(&self, fault: Fault, status: Option<u16>, detail: &str) -> ModelError {
        let detail = self.secrets.hide(detail);
        let mut detail: String = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = detail.char_indices().nth(DETAIL_LIMIT_CHARS) {
            detail.truncate(end);
            detail.push('…');
        }
        ModelError {
            model: self.name.clone(),
            status,
            fault,
            detail,
            remedy: self.remedy(fault),
            retry_after: None,
        }
    }

    /// What somebody can do about it.
    fn remedy(&self, fault: Fault) -> String {
        let Site {
            title,
            model,
            base_url,
            ..
        } = self;
        match fault {
            Fault::Key => match &self.key_variable {
                Some(variable) => format!("check the key of {title} in the environment variable {variable}"),
                None => format!("{base_url} wants a key: name its environment variable as `key_variable`"),
            },
            Fault::Quota => format!("add credit at {title} or choose another model, then resume"),
            Fault::NoSuchModel => match &self.model_hint {
                Some(hint) => hint.replace("NAME", model),
                None => format!("check the name `{model}`: {title} has no such model, or no longer"),
            },
            Fault::TooLong => "set `window_tokens` of this role to what the model really has".to_owned(),
            Fault::Request => {
                format!(
                    "check the name `{model}`, `base_url` ({base_url}) and the other settings of this role"
                )
            }
            Fault::Declined => "its content rules forbid this prompt; another model may answer it".to_owned(),
            Fault::Busy => "lower `requests_per_minute`, `tokens_per_minute` or `concurrency`".to_owned(),
            Fault::Server => format!("{title} has trouble; try again later"),
            Fault::Network => match &self.start_hint {
                Some(hint) => format!("nothing answers at {base_url}: {hint}"),
                None => format!("check the connection to {base_url}"),
            },
            Fault::Broken => {
                format!("if it comes again, see what {title} at {base_url} writes into its log")
            }
            Fault::Timeout => {
                "raise `timeout_seconds`, lower `concurrency`, or choose a faster model".to_owned()
            }
            Fault::Unreadable => {
                format!("if it comes again, check that `base_url` ({base_url}) is an API of the right kind")
            }
            Fault::Down => format!("{title} does not answer; try again later, then resume"),
            Fault::Stopped => "resume to ask again".to_owned(),
        }
    }
}
