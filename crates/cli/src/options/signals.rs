//! Ending what we have started when we are ended.
//!
//! For: Slurm's commands and others' programs. They have groups of processes of their own, which a terminal's signals do not reach: whoever
//! ends us ends them too.
//!
//! Not for: whoever has changed the terminal and gives it back first ([`take_signals`]).

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use queuecast_processes::end_commands;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Whether somebody else here ends us on a signal.
static SIGNALS_ARE_TAKEN: AtomicBool = AtomicBool::new(false);
/// Once is enough, however many programs are named.
static LISTENING: Once = Once::new();

/// From now on whoever calls this ends us on a signal, in their own time: who has changed the terminal gives it back first.
pub fn take_signals() {
    SIGNALS_ARE_TAKEN.store(true, Ordering::Relaxed);
}

/// From now on a signal that ends us ends all that we have started.
pub fn end_programs_with_us() {
    LISTENING.call_once(|| {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        thread::spawn(move || {
            for signal in &mut signals {
                if !SIGNALS_ARE_TAKEN.load(Ordering::Relaxed) || signal == SIGHUP {
                    end_commands();
                    let _ = emulate_default_handler(signal);
                }
            }
        });
    });
}
