//! Ctrl-C: the first asks for an end after the tick at hand, the second ends at once.
//!
//! Where models are asked, no further call begins after the first; replies on their way have some
//! seconds to arrive, and are written down if they do.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use townsfolk_engine::ledger::Stop;

use crate::failure::INTERRUPTED;
use crate::output;

/// How long replies that are on their way are waited for.
const GRACE: Duration = Duration::from_secs(10);

static ASKED: AtomicBool = AtomicBool::new(false);

/// How the runs of this process are stopped.
pub(crate) fn stop() -> &'static Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(Stop::default)
}

/// Listens from now on. Where the system does not allow it, Ctrl-C ends the program as it would any.
pub(super) fn listen() {
    let heard = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            // Ticks are committed whole, so the file needs nothing more.
            std::process::exit(i32::from(INTERRUPTED));
        }
        stop().ask();
        output::remark("\nFinishing this tick; press Ctrl-C again to stop at once.\n");
        std::thread::spawn(|| {
            std::thread::sleep(GRACE);
            stop().give_up();
        });
    });
    if let Err(error) = heard {
        output::remark(&format!("Ctrl-C will stop at once: {error}\n"));
    }
}

/// Whether an end was asked for.
pub(super) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
