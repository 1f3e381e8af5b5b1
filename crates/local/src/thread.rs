//! The thread that owns a model's memory and does what it is asked, one job or several at a time.
//!
//! It begins by making the memory and says whether it could; it ends when nobody can ask any more. An asker that has
//! gone is noticed by its closed answer.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use tokio::sync::oneshot;
use townsfolk_model::{Fault, ModelError};

use crate::backend::fault;

/// Where the answer to a job goes; closed when nobody waits any more.
pub(crate) type Answer<T> = oneshot::Sender<Result<T, String>>;

/// A thread that does jobs.
pub(crate) struct Thread<Job> {
    /// The model's name, for errors.
    name: String,
    /// Nothing any more while it is being dropped.
    jobs: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

/// A model, and the memory it is to have.
pub(crate) struct Memory {
    /// The model.
    pub(crate) model: Arc<LlamaModel>,
    pub(crate) backend: &'static LlamaBackend,
    /// How large it is, and how it is computed with.
    pub(crate) parameters: LlamaContextParams,
}

/// Making two memories of one model at once is unsound in llama.cpp, says its binding.
static MAKING: Mutex<()> = Mutex::new(());

impl<Job: Send + 'static> Thread<Job> {
    /// Makes the memory in a thread of its own, which then does jobs by `work` until none can come.
    ///
    /// # Errors
    /// Why there is no memory, or no thread.
    pub(crate) fn start(
        name: &str,
        memory: Memory,
        work: impl for<'m> FnOnce(&'m LlamaModel, LlamaContext<'m>, &Receiver<Job>) + Send + 'static,
    ) -> Result<Self, String> {
        let (jobs, incoming) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        let thread = Builder::new().name("local model".to_owned()).spawn(move || {
            let Memory {
                model,
                backend,
                parameters,
            } = memory;
            let made = {
                let _one_at_a_time = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
                model.new_context(backend, parameters)
            };
            match made {
                Ok(context) => {
                    let _ = ready.send(Ok(())); // gone: there are no jobs either
                    work(&model, context, &incoming);
                }
                Err(error) => {
                    let _ = ready.send(Err(error.to_string())); // gone: nothing to do
                }
            }
        });
        let handle = thread.map_err(|error| error.to_string())?;
        is_ready.recv().map_err(|_| "its thread ended".to_owned())??;
        Ok(Self {
            name: name.to_owned(),
            jobs: Some(jobs),
            handle: Some(handle),
        })
    }

    /// Has a job done.
    ///
    /// # Errors
    /// [`Fault::Server`] where it went wrong, [`Fault::Request`] where the thread has ended.
    pub(crate) async fn ask<T>(&self, job: impl FnOnce(Answer<T>) -> Job) -> Result<T, ModelError> {
        let (answer, answered) = oneshot::channel();
        let sent = self.jobs.as_ref().map(|jobs| jobs.send(job(answer)));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.gone());
        }
        let done = answered.await.map_err(|_| self.gone())?;
        done.map_err(|problem| {
            let remedy = "try again; if it happens again, use another file";
            fault(&self.name, Fault::Server, problem, remedy)
        })
    }

    fn gone(&self) -> ModelError {
        let detail = "the model's thread has ended".to_owned();
        let remedy = "start the program again; if it happens again, report it";
        fault(&self.name, Fault::Request, detail, remedy)
    }
}

impl<Job> Drop for Thread<Job> {
    fn drop(&mut self) {
        self.jobs = None;
        // A thread that panicked has nothing more to say.
        let _ = self.handle.take().map(JoinHandle::join);
    }
}
