//! Completions and manual pages: made from the command line's own definition, all of it.

use std::process::Command;

use crate::support::{qcast, scratch, written};
use queuecast_testkit::skip_outside_ci;

/// The names of all subcommands, as `qcast --help` lists them.
fn subcommands() -> Vec<String> {
    let help = qcast().arg("--help").assert().success().get_output().stdout.clone();
    let help = String::from_utf8(help).expect("text");
    let heading = |part: &&str| part.lines().next().unwrap_or_default().to_lowercase().contains("commands");
    let lines = help.split("\n\n").filter(heading).flat_map(|part| part.lines().skip(1));
    let names = lines.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    names.map(|line| line.split(' ').next().expect("a name").to_owned()).collect()
}

#[test]
fn every_subcommand_has_a_page() {
    let folder = scratch();
    let pages = folder.path().join("man").join("man1");
    qcast().arg("man").arg(&pages).assert().success();
    let names = subcommands();
    assert!(names.len() >= 18, "{names:?}");
    for name in names.iter().filter(|name| *name != "help").map(String::as_str).chain(["trace-info", "generate-lublin"])
    {
        let path = pages.join(format!("qcast-{name}.1"));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
    let first = qcast().arg("man").assert().success().get_output().stdout.clone();
    assert!(String::from_utf8(first).expect("text").contains(r"qcast\-when(1)"));
    qcast().args(["man", "/proc/no/such/folder"]).assert().code(4);
}

#[test]
fn shells_accept_their_completions() {
    let folder = scratch();
    for shell in ["bash", "zsh", "fish"] {
        let script = qcast().args(["completions", shell]).assert().success().get_output().stdout.clone();
        let script = String::from_utf8(script).expect("text");
        for name in subcommands() {
            assert!(script.contains(&name), "{shell} does not know {name}");
        }
        let path = written(folder.path(), shell, &script);
        match Command::new(shell).arg("-n").arg(&path).output() {
            Ok(output) => assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => {
                assert!(shell != "bash", "{error}");
                skip_outside_ci(&format!("{shell} is not installed"));
            }
        }
    }
}

#[test]
fn an_option_has_one_name_in_all_commands_and_the_name_it_had_is_still_taken() {
    let help = |command: &[&str]| {
        let printed = qcast().args(command).arg("--help").assert().success().get_output().stdout.clone();
        String::from_utf8(printed).expect("text")
    };
    for command in [&["simulate"][..], &["compare"], &["meta"], &["allocate"], &["reproduce"]] {
        let help = help(command);
        assert!(help.contains("--shake <COUNT>") && !help.contains("--replicates"), "{help}");
    }
    let cut = help(&["trace", "cut"]);
    assert!(cut.contains("--from-time <SECONDS>") && !cut.contains("--from <"), "{cut}");
    for (arguments, told) in [
        (&["meta", "a.swf", "--replicates", "1"][..], "2 replicates or more"),
        (&["allocate", "--replicates", "1"], "2 replicates or more"),
        (&["reproduce", "talby", "--replicates", "1"], "2 replicates or more"),
        (
            &["trace", "cut", "a.swf", "-o", "b.swf", "--from", "5", "--to", "5"],
            "the end of the part is before its beginning",
        ),
    ] {
        let refused = qcast().args(arguments).assert().code(2).get_output().stderr.clone();
        assert!(
            String::from_utf8_lossy(&refused).contains(told),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&refused)
        );
    }
}
