//! `qcast completions` and `qcast man`: what a shell and `man` need to know of the command line, made from its own definition.
//!
//! For: packages, and people who install by hand. Nothing of this is stored in the repository, so nothing can be out of date.
//!
//! Not for: the pages in `docs/`, which say what outputs mean.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::{Shell, generate};

use crate::Cli;
use crate::failure::{Failure, OnSide};

/// The arguments of `qcast completions`.
#[derive(Debug, Args)]
#[command(after_help = "For example: qcast completions bash > ~/.local/share/bash-completion/completions/qcast")]
pub struct CompletionsArgs {
    /// Shell to write the script for.
    shell: KnownShell,
}

/// Shells people on clusters use.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KnownShell {
    Bash,
    Zsh,
    Fish,
}

/// The arguments of `qcast man`.
#[derive(Debug, Args)]
#[command(after_help = "For example: qcast man ~/.local/share/man/man1; qcast man | man -l -")]
pub struct ManArgs {
    /// Folder to write one page per command to, created if missing [default: print the main page].
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs `qcast completions`.
pub fn complete(arguments: &CompletionsArgs) -> Result<(), Failure> {
    let shell = match arguments.shell {
        KnownShell::Bash => Shell::Bash,
        KnownShell::Zsh => Shell::Zsh,
        KnownShell::Fish => Shell::Fish,
    };
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "qcast", &mut script);
    io::stdout().lock().write_all(&script).context("standard output").writing()
}

/// Runs `qcast man`.
pub fn man(arguments: &ManArgs) -> Result<(), Failure> {
    let Some(folder) = &arguments.folder else {
        let page = clap_mangen::Man::new(Cli::command());
        return page.render(&mut io::stdout().lock()).context("standard output").writing();
    };
    let pages = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    let told = || folder.display().to_string();
    pages.with_context(told).writing().map_err(|failure| failure.with_hint("choose a folder with write permission"))
}
