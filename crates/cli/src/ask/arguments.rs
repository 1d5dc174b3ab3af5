//! Where a command line's own options end: at a job script, behind which everything is the script's.
//!
//! For: `qcast when -N 4 job.sh --nodes 9`, where `--nodes 9` is for `job.sh`, as it is for sbatch. Behind a job's number, which has no
//! arguments, options go on.
//!
//! Not for: what the options mean.
//!
//! Source: sbatch(1); `getopt_long`(3), which sbatch has stop at the first word that is no option.

use std::ffi::{OsStr, OsString};

use clap::{ArgAction, Command};
use queuecast_records::WrittenJobId;

/// The commands that take a job script.
const TAKE_SCRIPTS: [&str; 4] = ["when", "limit", "where", "size"];

/// The words with `--` behind the script, and the first word behind it that looks like an option of the command's.
pub fn separated(words: Vec<OsString>, commands: &Command) -> (Vec<OsString>, Option<String>) {
    let name = words.get(1).and_then(|word| word.to_str()).filter(|name| TAKE_SCRIPTS.contains(name));
    let Some(command) = name.and_then(|name| commands.find_subcommand(name)) else { return (words, None) };
    let Some(script) = script_place(&words, command) else { return (words, None) };
    let is_number = words[script].to_str().is_some_and(|word| WrittenJobId::parse(word.as_bytes()).is_some());
    if is_number || script + 1 == words.len() {
        return (words, None);
    }
    let behind = words[script + 1..].iter().filter_map(|word| word.to_str());
    let mistaken =
        behind.take_while(|word| *word != "--").find(|word| takes_value(word, command).is_some()).map(str::to_owned);
    let mut separated = words;
    if separated[script + 1] != "--" {
        separated.insert(script + 1, OsString::from("--"));
    }
    (separated, mistaken)
}

/// Where the first word is that is neither an option nor its value.
fn script_place(words: &[OsString], command: &Command) -> Option<usize> {
    let mut place = 2;
    while let Some(word) = words.get(place) {
        let Some(text) = word.to_str().filter(|text| is_option(text)) else {
            return (word != OsStr::new("--")).then_some(place);
        };
        // A value of an option that is not known is clap's to refuse.
        place += 1 + usize::from(takes_value(text, command).unwrap_or(false));
    }
    None
}

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-') && text != "--"
}

/// Whether an option's value is the next word; `None` if the command has no such option.
fn takes_value(text: &str, command: &Command) -> Option<bool> {
    let next_is_value = |argument: &clap::Arg| {
        let takes = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
        takes && !argument.is_require_equals_set()
    };
    if let Some(long) = text.strip_prefix("--") {
        let (name, attached) = long.split_once('=').map_or((long, false), |(name, _)| (name, true));
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(name))?;
        return Some(!attached && next_is_value(argument));
    }
    let mut letters = text.strip_prefix('-')?.chars();
    let mut last = None;
    while let Some(letter) = letters.next() {
        let argument = command.get_arguments().find(|argument| argument.get_short() == Some(letter))?;
        last = Some(next_is_value(argument) && letters.as_str().is_empty());
        if next_is_value(argument) {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn split(line: &str) -> (String, Option<String>) {
        let words = line.split(' ').map(OsString::from).collect();
        let (words, mistaken) = separated(words, &crate::Cli::command());
        let words: Vec<String> = words.into_iter().map(|word| word.into_string().expect("text")).collect();
        (words.join(" "), mistaken)
    }

    #[test]
    fn what_stands_behind_a_script_is_the_scripts_and_behind_a_number_it_is_ours() {
        for (line, expected) in [
            ("qcast when -N 4 job.sh --nodes 9", "qcast when -N 4 job.sh -- --nodes 9"),
            ("qcast when -N4 --format json job.sh in.dat", "qcast when -N4 --format json job.sh -- in.dat"),
            ("qcast when --exclusive job.sh x", "qcast when --exclusive job.sh -- x"),
            ("qcast when -H -b now job.sh x", "qcast when -H -b now job.sh -- x"),
            ("qcast when job.sh -- x", "qcast when job.sh -- x"),
            ("qcast when job.sh", "qcast when job.sh"),
            ("qcast when 1234 --format json", "qcast when 1234 --format json"),
            ("qcast when 123_4 --format json", "qcast when 123_4 --format json"),
            ("qcast when --frobnicate job.sh x", "qcast when --frobnicate job.sh -- x"),
            ("qcast queue -t R x", "qcast queue -t R x"),
            ("qcast when", "qcast when"),
            ("qcast", "qcast"),
        ] {
            assert_eq!(split(line).0, expected);
        }
        assert_eq!(split("qcast limit job.sh in --format json").1.as_deref(), Some("--format"));
        assert_eq!(split("qcast limit job.sh -x").1.as_deref(), Some("-x"));
        assert_eq!(split("qcast limit job.sh --steps 4").1, None);
    }
}
