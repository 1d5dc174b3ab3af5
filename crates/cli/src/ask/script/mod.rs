//! What a job script asks of Slurm: the `#SBATCH` lines, read as sbatch reads them.
//!
//! For: `qcast when job.sh`. What sbatch refuses is refused, with the line and what to do: an answer for half a job would be taken
//! for one about the whole.
//!
//! Not for: the environment (`SBATCH_...`), which sbatch also looks at; the script's own commands; directives of other managers.
//!
//! Source: sbatch(1); Slurm's `sbatch/opt.c` and `sbatch.c`: directives stand in front of the first line that is neither comment nor
//! blank, those behind are ignored; the words of all of them are one command line, so that a value may stand on the next; no space is
//! needed behind `#SBATCH` and none allowed before it; a `#` outside quotes begins a comment in the middle of a word too.

#[cfg(test)]
mod any_script;
mod asked;
mod begin;
pub mod known;
mod limit;
mod quantity;
mod words;

pub use self::asked::Asked;
pub use self::begin::Begin;
use self::known::{Bearing, Known, Takes};
pub use self::limit::Limit;

const DIRECTIVE: &str = "#SBATCH";

/// What a script asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What it asks for.
    pub asked: Asked,
    /// What may matter and has no part in the forecast, as it is written.
    pub left_out: Vec<String>,
}

/// Why sbatch would refuse a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// In which line.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// A word, and the line it stands in.
type Word = (usize, String);

impl Script {
    /// Reads a script.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let text = checked(bytes)?;
        let mut script = Self::default();
        script.take(directives(&text)?.into_iter())?;
        script.left_out.extend(second_part(&text));
        Ok(script)
    }

    /// Takes words as getopt does: options with their values, and nothing else.
    fn take(&mut self, mut words: impl Iterator<Item = Word>) -> Result<(), Refused> {
        while let Some((line, word)) = words.next() {
            let refused = |what: String| Refused { line, what, hint: OPTIONS.to_owned() };
            if let Some(long) = word.strip_prefix("--").filter(|long| !long.is_empty()) {
                let (name, attached) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                let known = known::long(name).map_err(refused)?;
                let value = match (known.takes, attached) {
                    (Takes::Nothing, Some(_)) => return Err(refused(format!("--{} takes no value", known.long))),
                    (Takes::Value, None) => {
                        Some(words.next().ok_or_else(|| refused(format!("--{} needs a value", known.long)))?.1)
                    }
                    (_, attached) => attached.map(str::to_owned),
                };
                self.set(known, value.as_deref(), line)?;
            } else if let Some(letters) =
                word.strip_prefix('-').filter(|letters| !letters.is_empty() && *letters != "-")
            {
                self.take_letters(letters, line, &mut words)?;
            } else {
                return Err(refused(format!("{word:?} is not an option")));
            }
        }
        Ok(())
    }

    /// Short options in one word: flags, and at the end one that may take the rest.
    fn take_letters(
        &mut self,
        letters: &str,
        line: usize,
        words: &mut impl Iterator<Item = Word>,
    ) -> Result<(), Refused> {
        let refused = |what: String| Refused { line, what, hint: OPTIONS.to_owned() };
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            let known = known::short(letter).ok_or_else(|| refused(format!("sbatch has no option -{letter}")))?;
            let attached = Some(rest.as_str()).filter(|attached| !attached.is_empty());
            let value = match known.takes {
                Takes::Nothing => {
                    self.set(known, None, line)?;
                    continue;
                }
                Takes::Maybe => attached.map(str::to_owned),
                Takes::Value => Some(match attached {
                    Some(attached) => attached.to_owned(),
                    None => words.next().ok_or_else(|| refused(format!("-{letter} needs a value")))?.1,
                }),
            };
            return self.set(known, value.as_deref(), line);
        }
        Ok(())
    }

    fn set(&mut self, known: &Known, value: Option<&str>, line: usize) -> Result<(), Refused> {
        match known.bearing {
            Bearing::None => {}
            Bearing::LeftOut => {
                let value = value.map(|value| format!("={value}")).unwrap_or_default();
                self.left_out.push(format!("--{}{value}", known.long));
            }
            Bearing::Asked => self.asked.set(known.long, value).map_err(|forms| Refused {
                line,
                what: format!("sbatch would refuse --{} {}", known.long, value.unwrap_or_default()),
                hint: format!("use {forms}"),
            })?,
        }
        Ok(())
    }
}

const OPTIONS: &str = "see sbatch(1) for the options and their values";

/// What sbatch looks at before it reads a line.
fn checked(bytes: &[u8]) -> Result<String, Refused> {
    let refused =
        |line: usize, what: &str, hint: &str| Err(Refused { line, what: what.to_owned(), hint: hint.to_owned() });
    if bytes.trim_ascii().is_empty() {
        return refused(1, "the script is empty", "pass a job script");
    }
    if !bytes.starts_with(b"#!") {
        let hint = "start the first line with #! and the path of an interpreter, such as #!/bin/sh";
        return refused(1, "this does not look like a batch script", hint);
    }
    let line_of = |place: usize| bytes[..place].split(|byte| *byte == b'\n').count();
    if let Some(place) = bytes.iter().position(|byte| *byte == 0) {
        return refused(
            line_of(place),
            "the script contains a zero byte, which Slurm rejects",
            "pass a job script, not a program",
        );
    }
    if let Some(place) = bytes.windows(2).position(|pair| pair == b"\r\n") {
        return refused(
            line_of(place),
            "the script has DOS line breaks, which Slurm rejects",
            "convert the script, for example with dos2unix",
        );
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// The words of the directives of the first part of a job.
fn directives(text: &str) -> Result<Vec<Word>, Refused> {
    let mut all = Vec::new();
    for (line, rest) in in_front_of_commands(text) {
        if begins_part(rest) {
            break;
        }
        let words = words::split(rest).map_err(|quote| Refused {
            line,
            what: format!("the quote {quote} is not closed"),
            hint: "close the quote; otherwise sbatch refuses the script".to_owned(),
        })?;
        all.extend(words.into_iter().map(|word| (line, word)));
    }
    Ok(all)
}

/// That there is a second part, if there is.
fn second_part(text: &str) -> Option<String> {
    let (line, _) = in_front_of_commands(text).find(|(_, rest)| begins_part(rest))?;
    Some(format!("the components of the heterogeneous job after the first (hetjob, line {line})"))
}

fn begins_part(rest: &str) -> bool {
    let word = rest.split_whitespace().next().unwrap_or_default();
    word.eq_ignore_ascii_case("hetjob") || word.eq_ignore_ascii_case("packjob")
}

/// The directives in front of the first command, with the numbers of their lines.
fn in_front_of_commands(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.split('\n').enumerate().map(|(place, line)| (place + 1, line));
    let is_command = |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
    let lines = lines.take_while(move |(_, line)| !is_command(line));
    lines.filter_map(|(number, line)| Some((number, line.strip_prefix(DIRECTIVE)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Script {
        Script::read(text.as_bytes()).expect("sbatch would take it")
    }

    fn refused(text: &str) -> Refused {
        Script::read(text.as_bytes()).expect_err("sbatch would refuse it")
    }

    #[test]
    fn a_script_is_read_as_sbatch_reads_it() {
        let script = read(
            "#!/bin/bash\n\
             #SBATCH -N 4 --time=2:00:00   # four nodes\n\
             \n\
             # a comment\n\
             #SBATCH --partition \"big batch\" -J'my job'\n\
             ##SBATCH --nodes=99\n\
             \x20#SBATCH --nodes=98\n\
             \t\n\
             #SBATCH-c 2 --comment=ab#cd --mem=2G\n\
             #SBATCH --exclusive --mail-type=ALL -o out.txt -Qn\n\
             #SBATCH 8\n\
             srun ./a.out\n\
             #SBATCH --mem=4G --time=banana\n",
        );
        assert_eq!((script.asked.nodes, script.asked.limit), (Some((4, 4)), Some(Limit::Minutes(120))));
        assert_eq!(script.asked.partition.as_deref(), Some("big batch"));
        assert_eq!(script.asked.name.as_deref(), Some("my job"));
        assert_eq!((script.asked.exclusive.is_some(), script.asked.cpus_per_task), (true, Some(2)));
        assert_eq!(script.asked.memory_per_node_mebibytes, None, "the rest of that line is a comment");
        assert_eq!(script.asked.tasks, Some(8), "a value may stand on the next line");
        assert!(script.left_out.is_empty(), "what stands behind a command is no directive: {:?}", script.left_out);
    }

    #[test]
    fn an_impossible_line_is_refused_with_its_number_and_what_to_write() {
        let bad = refused("#!/bin/sh\n#SBATCH -N2\n#SBATCH -t banana\n");
        assert_eq!((bad.line, bad.what.as_str()), (3, "sbatch would refuse --time banana"));
        assert!(bad.hint.contains("hh:mm:ss"), "{bad:?}");
        for (line, what) in [
            ("--patition=x", "did you mean --partition?"),
            ("-Z", "no option -Z"),
            ("stray", "\"stray\" is not an option"),
            ("-N", "-N needs a value"),
            ("--nodes", "--nodes needs a value"),
            ("--hold=1", "--hold takes no value"),
            ("-J 'open", "is not closed"),
            ("--begin=later", "--begin later"),
            ("-a 5-1", "--array 5-1"),
            ("-w node[", "--nodelist node["),
            ("--mem=much", "--mem much"),
            ("--exclusive=perhaps", "--exclusive perhaps"),
            ("-- -N 2", "\"--\" is not an option"),
        ] {
            let bad = refused(&format!("#!/bin/sh\n\n#SBATCH {line}\n"));
            assert!(bad.what.contains(what) && bad.line == 3, "{line}: {bad:?}");
        }
    }

    #[test]
    fn what_is_no_batch_script_is_refused() {
        assert!(refused("#SBATCH -N1\n").hint.contains("#!/bin/sh"));
        assert!(refused(" \n\t").what.contains("empty"));
        assert_eq!(refused("#!/bin/sh\n\0").line, 2);
        assert_eq!(refused("#!/bin/sh\n#SBATCH -N1\r\n").line, 2);
        assert!(Script::read(b"\x7fELF\x02\x01").is_err());
        assert!(
            Script::read(b"#!/bin/sh\n\xff\xfe\n#SBATCH -N1\n").is_ok(),
            "bytes that are no text may be in a script"
        );
    }

    #[test]
    fn what_may_matter_and_is_not_played_is_told_with_its_value_and_the_rest_is_taken() {
        let script = read("#!/bin/sh\n#SBATCH --nice=100 -A physics -N2 --switches 1 -H -n 8\n");
        assert_eq!((script.asked.nodes, script.asked.tasks), (Some((2, 2)), Some(8)));
        assert_eq!(script.left_out, ["--nice=100", "--switches=1", "--hold"]);
    }

    #[test]
    fn every_script_of_the_fuzzers_corpus_is_read_or_refused_with_its_line() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/sbatch_script");
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        let read: Vec<bool> = entries
            .map(|entry| std::fs::read(entry.expect("the folder can be listed").path()).expect("the file can be read"))
            .map(|bytes| any_script::read_any_script(&bytes))
            .collect();
        assert!(read.contains(&true) && read.contains(&false) && read.len() >= 5, "{read:?}");
    }

    #[test]
    fn a_heterogeneous_job_is_read_up_to_its_second_part() {
        let script = read("#!/bin/sh\n#SBATCH -N1\n#SBATCH hetjob\n#SBATCH -N9\n");
        assert_eq!(script.asked.nodes, Some((1, 1)));
        assert!(script.left_out[0].contains("after the first"));
    }

    proptest! {
        #[test]
        fn no_script_panics(text in "(?s).{0,200}") {
            let _ = Script::read(text.as_bytes());
            let _ = Script::read(format!("#!{text}").as_bytes());
        }

        #[test]
        fn no_directive_panics(lines in proptest::collection::vec("#SBATCH [-a-zA-Z0-9=:,.+#'\"\\\\ ]{0,40}", 0..6)) {
            let _ = Script::read(format!("#!/bin/sh\n{}", lines.join("\n")).as_bytes());
        }

        #[test]
        fn no_option_is_lost(number in 1_u32..1_000_000, short: bool) {
            let option = if short { format!("-N{number}") } else { format!("--nodes={number}") };
            let script = read(&format!("#!/bin/sh\n#SBATCH {option}\n"));
            prop_assert_eq!(script.asked.nodes, Some((number, number)));
        }
    }
}
