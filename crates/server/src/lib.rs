//! The viewer: pages, REST and WebSocket over a run.
