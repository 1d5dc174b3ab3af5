//! A Slurm that does not exist: commands that print a queue which is made up, for queues that no real cluster here can hold, and for people whom none has.
//!
//! For: attacks and loads on a real `qcast serve`, the built binary. One partition of 64 nodes with 16 CPUs each, all of them taken for another half hour.
//!
//! Not for: what Slurm really prints (`tests/golden`), and how it behaves (`tests/slurm-lab`).

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use queuecast_api::Client;
use queuecast_api::health::HealthResponse;
use serde_json::{Value, json};

const NODES: usize = 64;
const CPUS: usize = 16;

/// What each command does.
const COMMAND: &str = include_str!("../../../../../tests/made-up-slurm/command");
/// What sacct prints first.
const SACCT_HEADER: &str =
    "JobIDRaw|JobID|JobName|User|UID|Account|Partition|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|ExitCode";

/// The commands, and what they print.
pub struct MadeUpSlurm {
    folder: tempfile::TempDir,
    now: i64,
    jobs: Vec<Value>,
    sacct: String,
}

impl MadeUpSlurm {
    /// A full machine, and nobody who waits.
    pub fn full() -> Self {
        let now = jiff::Timestamp::now().as_second();
        let mut made =
            Self { folder: crate::support::scratch(), now, jobs: Vec::new(), sacct: SACCT_HEADER.to_owned() + "\n" };
        for node in 0..NODES {
            let asked = format!("cpu={CPUS},mem=4G,node=1,billing={CPUS}");
            let mut job = made.job(1_000, "RUNNING", CPUS, 120);
            job["nodes"] = json!(format!("n{node:03}"));
            job["start_time"] = json!(now - 5_400);
            job["end_time"] = json!(now + 1_800);
            job["tres_alloc_str"] = json!(asked);
            made.jobs.push(job);
        }
        made
    }

    fn job(&self, user: u32, state: &str, cpus: usize, limit_minutes: i64) -> Value {
        let number = self.jobs.len() as i64 + 1;
        json!({
            "job_id": number, "job_state": state, "submit_time": self.now - 3_600, "eligible_time": self.now - 3_600,
            "cluster": "made", "name": "solve", "user_name": format!("user{user}"), "user_id": user, "account": "science",
            "partition": "batch", "qos": "normal", "time_limit": limit_minutes, "nodes": "", "start_time": 0, "end_time": 0,
            "tres_req_str": format!("cpu={cpus},mem=4G,node=1,billing={cpus}"), "cpus": cpus, "node_count": 1,
            "priority": (1_000_000 - number).max(1), "state_reason": "Priority", "shared": null, "array_job_id": 0,
            "array_task_id": null, "array_task_string": "", "dependency": "", "features": "", "flags": [], "nice": null
        })
    }

    /// So many arrays wait, of so many tasks each, of several sizes, limits and users.
    pub fn with_arrays(mut self, arrays: usize, tasks: usize) -> Self {
        for place in 0..arrays {
            let mut job = self.job(
                1_000 + u32::try_from(place % 50).expect("small"),
                "PENDING",
                1 << (place % 5),
                15 << (place % 5),
            );
            if tasks > 1 {
                job["array_job_id"] = job["job_id"].clone();
                job["array_task_string"] = json!(format!("0-{}", tasks - 1));
            }
            self.jobs.push(job);
        }
        self
    }

    /// So many jobs wait.
    pub fn with_jobs(self, jobs: usize) -> Self {
        self.with_arrays(jobs, 1)
    }

    /// A job that has ended, as long ago as it ran and this.
    pub fn with_ended(&mut self, user: u32, cpus: u32, limit_minutes: i64, run_seconds: i64, ended_ago: i64) {
        let number = 500_000 + self.sacct.len();
        let (ended, started) = (self.now - ended_ago, self.now - ended_ago - run_seconds);
        let submitted = started - 60;
        let ended = [
            number.to_string(),
            number.to_string(),
            "solve".to_owned(),
            format!("user{user}"),
            user.to_string(),
            "science".to_owned(),
            "batch".to_owned(),
            "COMPLETED".to_owned(),
            submitted.to_string(),
            started.to_string(),
            ended.to_string(),
            run_seconds.to_string(),
            limit_minutes.to_string(),
            cpus.to_string(),
            "0:0".to_owned(),
        ];
        self.sacct.push_str(&ended.join("|"));
        self.sacct.push('\n');
    }

    /// Writes what the commands print. Everybody may read it.
    pub fn write(&self, private_data: &str) {
        let folder = self.folder.path();
        for part in ["bin", "answers"] {
            fs::create_dir_all(folder.join(part)).expect("our folder");
        }
        for command in ["squeue", "sinfo", "scontrol", "sacct", "sacctmgr", "sdiag", "sshare"] {
            let path = folder.join("bin").join(command);
            fs::write(&path, COMMAND).expect("our folder");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        let nodes: Vec<Value> = (0..NODES)
            .map(|node| {
                json!({"name": format!("n{node:03}"), "hostname": format!("n{node:03}"), "state": "allocated", "state_flags": [],
                    "cpus": CPUS, "real_memory": 64_000, "features": "", "gres": "", "partitions": ["batch"], "weight": 1,
                    "tres": format!("cpu={CPUS},mem=64000M,billing={CPUS}")})
            })
            .collect();
        let config = fs::read_to_string(golden("scontrol-config.txt")).expect("the recording");
        let config =
            config.replace("PrivateData             = none", &format!("PrivateData             = {private_data}"));
        let partition = "PartitionName=batch AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL Default=YES QoS=N/A DefaultTime=NONE \
            MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 Nodes=n[000-063] PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO \
            OverSubscribe=NO OverTimeLimit=NONE PreemptMode=OFF State=UP TotalCPUs=1024 TotalNodes=64 SelectTypeParameters=NONE\n";
        let write = |name: &str, text: String| fs::write(folder.join("answers").join(name), text).expect("our folder");
        write("config", config.replace("alpha", "made"));
        write("partition", partition.to_owned());
        write("sacct", self.sacct.replace('|', "\u{1f}"));
        write("squeue.json", json!({"meta": {}, "errors": [], "jobs": self.jobs}).to_string());
        write("sinfo.json", json!({"meta": {}, "errors": [], "nodes": nodes}).to_string());
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    /// Where the commands are.
    pub fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// It says that it is of another version.
    pub fn version(&self, version: &str) {
        let path = self.folder.path().join("answers/config");
        let config = fs::read_to_string(&path).expect("it was written").replace("22.05.8", version);
        fs::write(path, config).expect("our folder");
    }

    /// `qcast` as another user of this machine, who can reach this folder and nothing of ours beside it. Only root can be somebody else.
    pub fn qcast_as(&self, user: u32) -> Command {
        let binary = self.folder.path().join("qcast");
        if !binary.exists() {
            fs::copy(assert_cmd::cargo::cargo_bin("qcast"), &binary).expect("the binary can be copied");
        }
        let mut command = Command::new(binary);
        command
            .uid(user)
            .gid(user)
            .current_dir("/")
            .env("HOME", "/")
            .env("QCAST_SOCKET", self.folder.path().join("api.sock"));
        command.env_remove("XDG_RUNTIME_DIR").env_remove("QCAST_DIRECT");
        command
    }

    /// `qcast serve` on these commands.
    pub fn serve(&self) -> Served {
        let folder = self.folder.path();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("qcast"));
        command.args(["serve", "--store"]).arg(folder.join("store.sqlite"));
        command.arg("--socket").arg(folder.join("api.sock")).env_remove("QCAST_LOG_LEVEL");
        command.env("PATH", format!("{}:/usr/bin:/bin", folder.join("bin").display()));
        let log = folder.join("log");
        let daemon = command.stderr(File::create(&log).expect("a log")).spawn().expect("the binary runs");
        Served { daemon, socket: folder.join("api.sock"), log }
    }
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05-text").join(name)
}

/// A daemon that runs. It is killed if a test ends without it.
pub struct Served {
    daemon: Child,
    pub socket: PathBuf,
    log: PathBuf,
}

impl Served {
    /// Waits until this is so of its health, and gives how long that took.
    pub fn wait_for(&mut self, most: Duration, is_so: impl Fn(&HealthResponse) -> bool) -> (HealthResponse, Duration) {
        let begun = Instant::now();
        loop {
            let health = Client::at_socket(&self.socket, Duration::from_secs(5)).and_then(|client| client.health());
            if let Some(health) = health.ok().filter(|health| is_so(health)) {
                return (health, begun.elapsed());
            }
            let log = || fs::read_to_string(&self.log).unwrap_or_default();
            assert!(self.daemon.try_wait().expect("it is ours").is_none(), "it has ended:\n{}", log());
            assert!(begun.elapsed() < most, "not within {most:?}:\n{}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for the first forecast.
    pub fn forecast(&mut self, most: Duration) -> (HealthResponse, Duration) {
        self.wait_for(most, |health| health.made.is_some())
    }

    /// Tells it to end, and says how long that took.
    pub fn terminate(mut self) -> Duration {
        let begun = Instant::now();
        let told = Command::new("kill").args(["-TERM", &self.daemon.id().to_string()]).status().expect("kill runs");
        assert!(told.success());
        while self.daemon.try_wait().expect("it is ours").is_none() {
            assert!(begun.elapsed() < Duration::from_mins(1), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        begun.elapsed()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is as well.
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
