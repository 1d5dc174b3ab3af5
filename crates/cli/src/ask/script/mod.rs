//! What a job script asks of Slurm: the `#SBATCH` lines, read as sbatch reads them.
//!
//! For: `qcast when job.sh`. What is not understood is told and never fatal: a forecast for most of a job is worth more than
//! none.
//!
//! Not for: the environment (`SBATCH_...`), which sbatch also looks at; the script's own commands.
//!
//! Source: sbatch(1) of 22.05: directives stand in front of the first line that is neither comment nor blank. What `sbatch -v`
//! of 22.05 said it had understood: no space is needed behind `#SBATCH` and none allowed before it, a `#` outside quotes begins
//! a comment in the middle of a word too. It refuses scripts with words that are no options; we tell them.

mod begin;
mod limit;
mod options;
mod quantity;
mod words;

pub use self::begin::Begin;
pub use self::limit::Limit;
pub use self::options::Asked;

const DIRECTIVE: &str = "#SBATCH";

/// What a script asks for, and what of it was not understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What it asks for.
    pub asked: Asked,
    /// Options that have no part in the forecast, as they are written, and why.
    pub not_understood: Vec<String>,
}

impl Script {
    /// Reads a script.
    pub fn read(text: &str) -> Self {
        let mut script = Self::default();
        let mut is_over = false;
        for (place, line) in text.lines().enumerate() {
            let directive = line.strip_prefix(DIRECTIVE);
            match directive {
                Some(rest) if is_over => {
                    let told =
                        format!("{} (line {}: sbatch reads none after the first command)", rest.trim(), place + 1);
                    script.not_understood.push(told);
                }
                Some(rest) if words::split(rest).first().is_some_and(|word| word == "hetjob" || word == "packjob") => {
                    script.not_understood.push(format!("{} (only the first part is forecast)", rest.trim()));
                    break;
                }
                Some(rest) => script.take(words::split(rest)),
                None => is_over |= !line.trim_start().is_empty() && !line.trim_start().starts_with('#'),
            }
        }
        script
    }

    fn take(&mut self, words: Vec<String>) {
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            if let Err(told) = self.asked.take(&word, &mut words) {
                self.not_understood.push(told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_script_is_read_as_sbatch_reads_it() {
        let script = Script::read(
            "#!/bin/bash\n\
             #SBATCH -N 4 --time=2:00:00   # four nodes\n\
             \n\
             # a comment\n\
             #SBATCH --partition \"big batch\" -J'my job'\n\
             ##SBATCH --nodes=99\n\
             \x20#SBATCH --nodes=98\n\
             \t\n\
             #SBATCH-c 2 --comment=ab#cd --mem=2G\n\
             #SBATCH --exclusive --mail-type=ALL -o out.txt\n\
             srun ./a.out\n\
             #SBATCH --mem=4G\n",
        );
        assert_eq!((script.asked.nodes, script.asked.limit), (Some(4), Some(Limit::Minutes(120))));
        assert_eq!(script.asked.partition.as_deref(), Some("big batch"));
        assert_eq!(script.asked.name.as_deref(), Some("my job"));
        assert_eq!((script.asked.exclusive, script.asked.cpus_per_task), (true, Some(2)));
        assert_eq!(script.asked.memory_per_node_mebibytes, None);
        assert_eq!(script.not_understood.len(), 1, "{:?}", script.not_understood);
        assert!(script.not_understood[0].starts_with("--mem=4G (line 12"), "{:?}", script.not_understood);
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_value_and_the_rest_is_taken() {
        let script = Script::read(
            "#!/bin/sh\n#SBATCH -L matlab -A physics -N2 --constraint=ib --dependency afterok:7 --time=soon stray --frobnicate -n 8\n",
        );
        assert_eq!((script.asked.nodes, script.asked.tasks), (Some(2), Some(8)));
        assert_eq!(script.asked.account.as_deref(), Some("physics"));
        let told = ["-L matlab", "--constraint=ib", "--dependency afterok:7", "--time=soon", "stray", "--frobnicate"];
        assert_eq!(script.not_understood, told);
    }

    #[test]
    fn a_heterogeneous_job_is_read_up_to_its_second_part() {
        let script = Script::read("#!/bin/sh\n#SBATCH -N1\n#SBATCH hetjob\n#SBATCH -N9\n");
        assert_eq!(script.asked.nodes, Some(1));
        assert!(script.not_understood[0].contains("first part"));
    }

    proptest! {
        #[test]
        fn no_script_panics(text in "(?s).{0,200}") {
            let _ = Script::read(&text);
        }

        #[test]
        fn no_directive_panics(lines in proptest::collection::vec("#SBATCH [-a-zA-Z0-9=:,.+#'\"\\\\ ]{0,40}", 0..6)) {
            let _ = Script::read(&lines.join("\n"));
        }

        #[test]
        fn no_option_is_lost(number in 1_u32..1_000_000, short: bool) {
            let option = if short { format!("-N{number}") } else { format!("--nodes={number}") };
            let script = Script::read(&format!("#!/bin/sh\n#SBATCH {option}\n"));
            prop_assert_eq!(script.asked.nodes, Some(number));
        }
    }
}
