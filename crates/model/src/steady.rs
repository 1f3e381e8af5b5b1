//! What keeps calls steady: limits, a timeout, retries, and noticing that a provider is down.
//!
//! The life of a call: it waits until the provider's own wish to be left alone has passed, until
//! one of the places is free and until the limits of a minute allow it; then it may take so long.
//! If it fails with a fault that passes, it waits and tries again; a fault that does not pass is
//! handed on at once. Calls that failed for good are counted, and any answer, even a refusal,
//! starts the count again. From so many on, the provider counts as down: a call is tried once
//! and its failure has [`Fault::Down`], which stops a run. Once people ask it to stop, whatever waits
//! ends at once and nothing is sent any more; what was sent is waited for.

use std::future::Future;
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use futures_util::future::{Either, select};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::site::Site;
use crate::{Fault, ModelError, Stop};

/// The numbers of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) timeout: Duration,
    pub(crate) concurrency: u32,
    pub(crate) requests_per_minute: Option<NonZeroU32>,
    pub(crate) tokens_per_minute: Option<NonZeroU32>,
    pub(crate) retries: u32,
    pub(crate) first_wait: Duration,
    pub(crate) longest_wait: Duration,
    pub(crate) longest_retry_after: Duration,
    pub(crate) failures_until_down: u32,
}

/// What all calls to one model share.
pub(crate) struct Steady {
    limits: Limits,
    places: Arc<Semaphore>,
    requests: Option<DefaultDirectRateLimiter>,
    tokens: Option<(NonZeroU32, DefaultDirectRateLimiter)>,
    quiet_until: Mutex<Option<Instant>>,
    failures: AtomicU32,
    stop: Stop,
}

/// What came back, in its place among the calls that go out together.
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) _place: Option<OwnedSemaphorePermit>,
}

/// What is known of a call before it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// About how many tokens it takes, prompt and answer together.
    pub(crate) tokens: u32,
    /// Decides the random part of its waits.
    pub(crate) seed: u64,
}

impl Steady {
    pub(crate) fn new(limits: Limits, stop: &Stop) -> Steady {
        let places = usize::try_from(limits.concurrency.max(1)).unwrap_or(usize::MAX);
        let per_minute = |count| RateLimiter::direct(Quota::per_minute(count));
        Steady {
            places: Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))),
            requests: limits.requests_per_minute.map(per_minute),
            tokens: limits.tokens_per_minute.map(|count| (count, per_minute(count))),
            quiet_until: Mutex::new(None),
            failures: AtomicU32::new(0),
            limits,
            stop: stop.clone(),
        }
    }

    /// Makes a call by `attempt`, again if need be. What comes back keeps its place among the calls
    /// that go out together until it is dropped: whoever takes replies slowly gets them slowly.
    pub(crate) async fn run<T, Attempt>(
        &self,
        site: &Site,
        call: Call,
        attempt: impl Fn() -> Attempt,
    ) -> Result<Placed<T>, ModelError>
    where
        Attempt: Future<Output = Result<T, ModelError>>,
    {
        let is_down = self.failures.load(Ordering::SeqCst) >= self.limits.failures_until_down;
        let retries = if is_down { 0 } else { self.limits.retries };
        let waits = ExponentialBuilder::default()
            .with_min_delay(self.limits.first_wait)
            .with_max_delay(self.limits.longest_wait)
            .with_max_times(usize::try_from(retries).unwrap_or(usize::MAX))
            .with_jitter()
            .with_jitter_seed(call.seed);
        let stop = self.stop.clone();
        let result = (|| self.once(site, call, &attempt))
            .retry(waits)
            .sleep(move |wait| {
                let stop = stop.clone();
                // The next try says that it was stopped.
                async move {
                    unless_stopped(&stop, tokio::time::sleep(wait)).await;
                }
            })
            .when(|error| error.fault.passes())
            .adjust(|error, wait| match error.retry_after {
                Some(asked) if asked > self.limits.longest_retry_after => None,
                // The provider knows better than any backoff.
                Some(asked) => wait.map(|_| asked),
                None => wait,
            })
            .await;
        self.count(site, result)
    }

    /// One try.
    async fn once<T, Attempt>(
        &self,
        site: &Site,
        call: Call,
        attempt: &impl Fn() -> Attempt,
    ) -> Result<Placed<T>, ModelError>
    where
        Attempt: Future<Output = Result<T, ModelError>>,
    {
        let Some(place) = unless_stopped(&self.stop, self.turn(call)).await else {
            return Err(site.error(
                Fault::Stopped,
                None,
                "it was stopped while the call waited to be sent",
            ));
        };
        let result = match tokio::time::timeout(self.limits.timeout, attempt()).await {
            Ok(result) => result,
            Err(_) => {
                let detail = format!("no answer within {:.1} s", self.limits.timeout.as_secs_f64());
                Err(site.error(Fault::Timeout, None, &detail))
            }
        };
        if let Err(ModelError {
            fault: Fault::Busy,
            retry_after: Some(wait),
            ..
        }) = &result
            && *wait <= self.limits.longest_retry_after
        {
            // Other calls had better not run into the same wall.
            let until = Instant::now() + *wait;
            let mut quiet = self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner);
            *quiet = Some(quiet.map_or(until, |earlier| earlier.max(until)));
        }
        result.map(|value| Placed { value, _place: place })
    }

    /// Ends when a call may be sent, with its place among those that go out together.
    async fn turn(&self, call: Call) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed, so a permit always comes.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        self.wait_for_quiet().await;
        if let Some(requests) = &self.requests {
            wait_for(requests, NonZeroU32::MIN).await;
        }
        if let Some((most, tokens)) = &self.tokens {
            // A call of more than a minute's tokens has to wait for a whole minute's worth.
            let wanted = NonZeroU32::new(call.tokens).unwrap_or(NonZeroU32::MIN);
            wait_for(tokens, wanted.min(*most)).await;
        }
        place
    }

    async fn wait_for_quiet(&self) {
        let asked = || *self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner);
        // While it waits, the provider may ask again for longer.
        while let Some(until) = asked().filter(|until| *until > Instant::now()) {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Counts a failure, and says so if there are too many in a row.
    fn count<T>(&self, site: &Site, result: Result<T, ModelError>) -> Result<T, ModelError> {
        let Err(error) = &result else {
            self.failures.store(0, Ordering::SeqCst);
            return result;
        };
        let asked = error
            .retry_after
            .filter(|asked| *asked > self.limits.longest_retry_after);
        if let Some(asked) = asked.filter(|_| error.fault.passes()) {
            // Every other call would be answered alike: what may be asked for now is used up.
            let minutes = asked.as_secs().div_ceil(60);
            return Err(ModelError {
                fault: Fault::Quota,
                detail: format!("{} (it asks to wait {minutes} minutes)", error.detail),
                remedy: "go on when they are over, or take another model".to_owned(),
                ..error.clone()
            });
        }
        if !error.fault.passes() {
            self.failures.store(0, Ordering::SeqCst);
            return result;
        }
        let failures = self.failures.fetch_add(1, Ordering::SeqCst).saturating_add(1);
        if failures < self.limits.failures_until_down {
            return result;
        }
        let detail = format!(
            "{failures} calls in a row failed, the last with: {}",
            error.detail
        );
        let mut down = site.error(Fault::Down, error.status, &detail);
        down.retry_after = error.retry_after;
        Err(down)
    }
}

/// Waits for something; nothing comes of it once people have asked to stop.
async fn unless_stopped<T>(stop: &Stop, wanted: impl Future<Output = T>) -> Option<T> {
    // First, so that nothing is begun after that.
    match select(pin!(stop.when_asked()), pin!(wanted)).await {
        Either::Left(_) => None,
        Either::Right((wanted, _)) => Some(wanted),
    }
}

async fn wait_for(limiter: &DefaultDirectRateLimiter, count: NonZeroU32) {
    // A count above the burst would never be let through; callers pass none.
    while let Ok(Err(not_until)) = limiter.check_n(count) {
        tokio::time::sleep(not_until.wait_time_from(DefaultClock::default().now())).await;
    }
}

/// A number for the random part of a call's waits, from the call's own text: the same call waits
/// the same, different calls don't wait in step (FNV-1a).
pub(crate) fn seed_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let bytes = texts.into_iter().flat_map(str::bytes);
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
