//! `qcast doctor`: tries everything that an installation needs, and says of each what is there and what to do.
//!
//! For: an administrator before the first start, and whoever wonders why there is no answer. Best run as the daemon's user, whose permissions count. Slurm is
//! asked each question once, by the code that the daemon asks with.
//!
//! Not for: repairing anything. Nothing is written and nothing is restarted.

mod daemon;
mod files;
mod finding;
mod interface;
mod machine;
mod notices;
mod slurm;

use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use self::finding::{Finding, Verdict};
use crate::failure::Failure;
use crate::options::signals::end_programs_with_us;
use crate::output::{FormatArgs, Report, Sheet, print_answer};
use crate::serve::ServeArgs;

/// The arguments of `qcast doctor`.
#[derive(Debug, Args)]
#[command(
    after_help = "Run the checks as the daemon's user: runuser -u queuecast -- qcast doctor. All options except --format are those of \
                  `qcast serve`.\n\
                  Exit status: 0 if no check failed (warnings are possible), 1 if a check failed."
)]
pub struct DoctorArgs {
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    serve: ServeArgs,
}

/// Everything that was found.
#[derive(Debug, Serialize)]
struct Diagnosis {
    findings: Vec<Finding>,
}

impl Report for Diagnosis {
    fn tables(&self) -> Vec<Sheet> {
        let mut sheet = Sheet::new(["check", "", ""]);
        for Finding { check, verdict, found, remedy } in &self.findings {
            let remedy = remedy.as_ref().map(|remedy| format!("\n-> {remedy}")).unwrap_or_default();
            sheet.add([(*check).to_owned(), verdict.word().to_owned(), format!("{found}{remedy}")]);
        }
        vec![sheet]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["check", "verdict", "found", "remedy"]);
        for Finding { check, verdict, found, remedy } in &self.findings {
            let remedy = remedy.clone().unwrap_or_default();
            sheet.add([(*check).to_owned(), verdict.word().to_owned(), found.clone(), remedy]);
        }
        sheet
    }
}

/// Runs `qcast doctor`.
pub fn run(arguments: &DoctorArgs) -> Result<ExitCode, Failure> {
    end_programs_with_us();
    let findings = diagnosed(&arguments.serve);
    let is_bad = findings.iter().any(|finding| finding.verdict == Verdict::Bad);
    print_answer(&Diagnosis { findings }, arguments.format.format)?;
    Ok(if is_bad { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn diagnosed(serve: &ServeArgs) -> Vec<Finding> {
    const CHECK: &str = "configuration";
    let configuration = match serve.configuration() {
        Ok(configuration) => configuration,
        Err(failure) => return vec![Finding::bad(CHECK, failure.told(), remedy_of(&failure))],
    };
    let mut findings = files::of_configuration(&configuration);
    let settings = configuration.options().and_then(|options| options.settings());
    let settings = match settings {
        Ok(settings) => {
            findings.push(Finding::good(CHECK, "valid"));
            settings
        }
        Err(failure) => {
            findings.push(Finding::bad(CHECK, failure.told(), remedy_of(&failure)));
            return findings;
        }
    };
    findings.extend(machine::checked());
    let running = daemon::asked(&settings);
    findings.extend(files::of_store(&settings, running.is_some()));
    findings.extend(interface::checked(&settings, running.is_some()));
    findings.extend(notices::checked(&settings));
    findings.extend(slurm::asked(&settings));
    findings.extend(running.unwrap_or_else(daemon::not_there));
    findings
}

fn remedy_of(failure: &Failure) -> String {
    failure.hint().unwrap_or("correct the named file; `qcast config show` shows the origin of each value").to_owned()
}
