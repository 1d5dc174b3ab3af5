//! How fast the text decoder is: makes up an export of 32 columns in memory and reads it.
//!
//! `cargo run --release -p queuecast-slurm --example text_speed -- [RECORDS] [HOSTILE_PERCENT]`; hostile records have
//! delimiters and a line break in their name and command line.

use std::io::Write;
use std::time::Instant;

use queuecast_records::history::History;
use queuecast_slurm::text::{Entry, SacctReader};

const HEADER: &str = "JobIDRaw|JobID|JobName|User|UID|Account|Cluster|Partition|QOS|State|ExitCode|Submit|Eligible|Start|End|\
ElapsedRaw|TimelimitRaw|Suspended|ReqCPUS|ReqNodes|ReqMem|ReqTRES|AllocCPUS|AllocNodes|AllocTRES|NodeList|Priority|Reason|\
Flags|AdminComment|Comment|SubmitLine";

fn export(records: u64, hostile_percent: u64) -> Vec<u8> {
    let mut text = Vec::new();
    writeln!(text, "{HEADER}").expect("memory writes");
    for id in 1..=records {
        let submit = 1_700_000_000 + id * 7;
        let (start, run, cpus) = (submit + id % 3600, id % 86_400, 1 << (id % 8));
        let user = id % 500;
        let name = if id % 100 < hostile_percent { "a|b\nc|d" } else { "train-resnet" };
        writeln!(
            text,
            "{id}|{id}|{name}|user{user}|{}|proj{}|alpha|batch|normal|COMPLETED|0:0|{submit}|{submit}|{start}|{}|{run}|1440|\
             00:00:00|{cpus}|1|{cpus}00M|billing={cpus},cpu={cpus},mem={cpus}00M,node=1|{cpus}|1|\
             billing={cpus},cpu={cpus},mem={cpus}00M,node=1|node[1-2]|1|None|SchedBackfill,StartReceived|||\
             /usr/bin/sbatch --parsable -o /home/lab/%j.out -D /home/lab -J {name} -n{cpus} -t1440 --wrap sleep {run}",
            20_000 + user,
            user % 40,
            start + run,
        )
        .expect("memory writes");
    }
    text
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let records = arguments.next().unwrap_or(1_000_000);
    let text = export(records, arguments.next().unwrap_or(0));
    let begun = Instant::now();
    let mut history = History::new();
    let (mut jobs, mut bad, mut runs) = (0_u64, 0_u64, 0_i64);
    for entry in SacctReader::new(&text[..], None).expect("a header") {
        match entry.expect("memory reads") {
            Entry::Job(job) => {
                jobs += 1;
                runs += history.attempt(&job).and_then(|attempt| attempt.run).map_or(0, |run| run.0);
            }
            Entry::Step | Entry::Bad(_) => bad += 1,
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{jobs} jobs, {bad} others, {} MB, {runs} s of run time: {seconds:.2} s, {:.0} records/s, {:.0} MB/s",
        text.len() / 1_000_000,
        jobs as f64 / seconds,
        text.len() as f64 / seconds / 1e6
    );
}
