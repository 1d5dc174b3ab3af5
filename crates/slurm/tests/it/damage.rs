//! One line in a hundred damaged at random: every other record is kept, and what is left of the damaged is counted.
//!
//! The last column is not a text, as the documentation recommends: of a text in that place nobody can say where it ends.

use std::collections::HashMap;

use queuecast_slurm::text::{Entry, SacctReader};

const HEADER: &str = "JobIDRaw|JobID|JobName|User|UID|Account|Partition|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|AllocTRES|SubmitLine|ExitCode";
const RECORDS: u64 = 200_000;

/// A generator of numbers that does not change between runs or versions (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn line(id: u64) -> String {
    let submit = 1_700_000_000 + id;
    format!(
        "{id}|{id}|job{id}|user{}|{}|proj|batch|COMPLETED|{submit}|{submit}|{}|60|90|4|cpu=4,mem=400M,node=1|sbatch -n4 --wrap sleep|0:0",
        id % 50,
        20_000 + id % 50,
        submit + 60
    )
}

fn damage(line: &str, numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    let place = usize::try_from(numbers.below(bytes.len() as u64)).expect("below a length");
    match numbers.below(4) {
        0 => bytes.truncate(place),
        1 => drop(bytes.remove(place)),
        2 => bytes.insert(place, b"|\n\r\0\xff7"[usize::try_from(numbers.below(6)).expect("below six")]),
        _ => bytes[place] = u8::try_from(numbers.below(256)).expect("a byte"),
    }
    bytes
}

#[test]
fn undamaged_records_are_all_kept() {
    let mut numbers = Numbers(1);
    let mut text = format!("{HEADER}\n").into_bytes();
    let mut nothing_left = 0;
    let mut is_damaged = vec![false; usize::try_from(RECORDS).expect("fits") + 1];
    for id in 1..=RECORDS {
        let line = line(id);
        if numbers.below(100) == 0 {
            is_damaged[usize::try_from(id).expect("fits")] = true;
            let rest = damage(&line, &mut numbers);
            nothing_left += u64::from(rest.is_empty());
            text.extend(rest);
        } else {
            text.extend(line.into_bytes());
        }
        text.push(b'\n');
    }
    let damaged = is_damaged.iter().filter(|&&damaged| damaged).count() as u64;
    // A damaged number may be that of another job, so all that is told of a number is kept.
    let mut kept: HashMap<u64, Vec<String>> = HashMap::new();
    let (mut bad, mut changed, mut jobs) = (0_u64, 0_u64, 0_u64);
    for entry in SacctReader::new(&text[..], None).expect("a header") {
        match entry.expect("memory reads") {
            Entry::Job(job) => {
                jobs += 1;
                let told = format!("{}|{}|{}", job.name, job.user, job.key.submitted.0);
                kept.entry(job.key.job_id).or_default().push(told);
            }
            Entry::Step => {}
            Entry::Bad(_) => bad += 1,
        }
    }
    let mut missing = 0_u64;
    for id in (1..=RECORDS).filter(|&id| !is_damaged[usize::try_from(id).expect("fits")]) {
        match kept.get(&id) {
            Some(told) if told.contains(&format!("job{id}|user{}|{}", id % 50, 1_700_000_000 + id)) => {}
            Some(_) => changed += 1,
            None => missing += 1,
        }
    }
    eprintln!("{damaged} of {RECORDS} damaged, {bad} reported; of the others {missing} missing, {changed} changed");
    let vanished = (RECORDS - nothing_left).saturating_sub(jobs + bad);
    assert_eq!(vanished, 0, "records that are neither read nor reported");
    assert_eq!((missing, changed), (0, 0), "undamaged records that are missing, or changed");
}
