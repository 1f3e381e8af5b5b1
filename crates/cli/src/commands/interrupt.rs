//! Ctrl-C: the first asks for an end after the tick at hand, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::INTERRUPTED;
use crate::output;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Where the system does not allow it, Ctrl-C ends the program as it would any.
pub(super) fn listen() {
    let heard = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            // Ticks are committed whole, so the file needs nothing more.
            std::process::exit(i32::from(INTERRUPTED));
        }
        output::remark("\nFinishing this tick; press Ctrl-C again to stop at once.\n");
    });
    if let Err(error) = heard {
        output::remark(&format!("Ctrl-C will stop at once: {error}\n"));
    }
}

/// Whether an end was asked for.
pub(super) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
