//! No command writes escape codes where nobody asked for a terminal's, whatever the environment says.

use crate::daemon_support::{Served, job, published};
use crate::support::{qcast, scratch, written};

const LOG: &str = "; MaxProcs: 4\n\
    1 0 -1 100 3 -1 -1 3 100 -1 1 1 -1 -1 -1 -1 -1 -1\n\
    2 1 -1 10 2 -1 -1 2 10 -1 1 2 -1 -1 -1 -1 -1 -1\n\
    3 2 -1 500 1 -1 -1 1 500 -1 1 1 -1 -1 -1 -1 -1 -1\n";

#[test]
fn tables_and_help_have_no_escape_codes_when_standard_output_is_not_a_terminal() {
    let served = Served::new(published(vec![job(7)]));
    let folder = scratch();
    let log = written(folder.path(), "tiny.swf", LOG).display().to_string();
    let socket = served.path.display().to_string();
    let commands: Vec<Vec<&str>> = vec![
        vec!["when", "7", "--socket", &socket],
        vec!["queue", "--socket", &socket],
        vec!["top", "--socket", &socket],
        vec!["score", "--socket", &socket],
        vec!["trace", "info", &log],
        vec!["simulate", &log],
        vec!["compare", &log, "--shake", "2"],
        vec!["predict", &log],
        vec!["wait", &log],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["--help"],
        vec!["queue", "--help"],
        vec!["queue", "--frobnicate"],
        vec!["when", "8", "--socket", &socket],
    ];
    for arguments in commands {
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            let output = qcast().args(&arguments).env_remove("NO_COLOR").env(name, value).output().expect("it runs");
            let (said, aside) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(!said.contains('\u{1b}') && !aside.contains('\u{1b}'), "{arguments:?}: {said}{aside}");
            assert!(!said.is_empty() || !aside.is_empty(), "{arguments:?}");
        }
    }
}
