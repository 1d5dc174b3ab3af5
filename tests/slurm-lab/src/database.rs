//! The lab's `MariaDB`, which slurmdbd keeps its records in.

use std::fs::File;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::folder::Folder;
use crate::process::Processes;
use crate::wait::wait_until;

/// What slurmdbd needs to be there.
const SLURM_DATABASE: &str = "CREATE DATABASE IF NOT EXISTS slurm_acct_db;
    GRANT ALL ON slurm_acct_db.* TO 'slurm'@'127.0.0.1' IDENTIFIED BY 'slurm';
    GRANT ALL ON slurm_acct_db.* TO 'slurm'@'localhost' IDENTIFIED BY 'slurm'";

/// Makes an empty database and starts it. It never waits for the disk: nobody needs a lab's records after a crash.
pub fn start(folder: &Folder, processes: &mut Processes, port: u16) -> Result<()> {
    let data = format!("--datadir={}", folder.database().display());
    // A server that starts clears the temporary tables in its folder away: in a common one also those of another lab that
    // is just being made.
    let temporary = format!("--tmpdir={}", folder.running("").display());
    let said = File::create(folder.log("mariadb-install-db.out"))?;
    let made = Command::new("mariadb-install-db")
        .args([
            "--no-defaults",
            &data,
            &temporary,
            "--user=root",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        ])
        .args(["--innodb-flush-method=nosync", "--innodb-log-file-size=8M"])
        .stdout(said.try_clone()?)
        .stderr(said)
        .status()?;
    ensure!(made.success(), "mariadb-install-db failed; see {}", folder.log("mariadb-install-db.out").display());
    let mut command = Command::new("mariadbd");
    command
        .args([
            "--no-defaults",
            &data,
            &temporary,
            "--user=root",
            "--bind-address=127.0.0.1",
            &format!("--port={port}"),
        ])
        .arg(format!("--socket={}", folder.running("mariadb.sock").display()))
        .arg(format!("--pid-file={}", folder.running("mariadbd.own").display()))
        .args(["--innodb-flush-method=nosync", "--innodb-flush-log-at-trx-commit=0", "--innodb-log-file-size=8M"])
        .args(["--skip-log-bin", "--performance-schema=off", "--max-allowed-packet=64M"]);
    processes.start("mariadbd", &mut command)?;
    wait_until("MariaDB", Duration::from_mins(1), || {
        let output = client(folder).args(["-e", SLURM_DATABASE]).output()?;
        Ok(output.status.success())
    })
}

/// The client, as the database's root.
pub fn client(folder: &Folder) -> Command {
    let mut command = Command::new("mariadb");
    command.args(["--no-defaults", "-uroot"]).arg(format!("--socket={}", folder.running("mariadb.sock").display()));
    command
}
