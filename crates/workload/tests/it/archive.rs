//! The archive's logs: every line is understood, and the recipe for the golden inputs gives the golden counts.

use std::path::Path;

use queuecast_testkit::shared_dir;
use queuecast_workload::Machine;
use queuecast_workload::clean::{CleanOptions, clean};
use queuecast_workload::describe::{Describer, Distinct};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfHeader, SwfReader, SwfRecord};

fn read(path: &Path) -> (SwfHeader, Vec<SwfRecord>) {
    let input = Input::open(path).expect("the log opens");
    let name = input.name().to_owned();
    let reader = SwfReader::new(input).expect("the header reads");
    let header = reader.header().clone();
    let records = reader.filter_map(|line| match line.expect("the log reads") {
        Line::Job(record) => Some(record),
        Line::Comment(_) => None,
        Line::Bad(bad) => panic!("{}", bad.in_source(&name)),
    });
    let records = records.collect();
    (header, records)
}

/// Rows `| file | system | processors | jobs | …` of the folder's README, for logs in this format.
fn stated_in(readme: &str) -> Vec<(String, u32, usize)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, file, _, processors, jobs, ..] = cells[..] else { return None };
        let processors = processors.split(' ').next()?.parse().ok()?;
        let jobs = jobs.replace(',', "").parse().ok()?;
        file.ends_with(".swf.gz").then(|| (file.to_owned(), processors, jobs))
    };
    readme.lines().filter_map(row).collect()
}

#[test]
fn every_log_reads_without_a_bad_line_and_has_the_jobs_its_readme_states() {
    let Some(shared) = shared_dir() else { return };
    let traces = shared.join("traces");
    let readme = std::fs::read_to_string(traces.join("README.md")).expect("the README reads");
    let stated = stated_in(&readme);
    assert_eq!(stated.len(), 24, "rows of the README understood");
    for (file, processors, jobs) in stated {
        let (header, records) = read(&traces.join(&file));
        assert_eq!(records.len(), jobs, "{file}");
        assert_eq!(header.max_procs(), Some(processors), "{file}");
    }
}

#[test]
fn golden_recipe_gives_the_golden_counts() {
    let Some(shared) = shared_dir() else { return };
    // R-P1: the first two are as many jobs as the stored schedules have; of the other two a few jobs are not in these logs.
    for (file, jobs) in [
        ("KTH-SP2-1996-2.swf.gz", 28_481),
        ("CTC-SP2-1996-3.1-cln.swf.gz", 77_199),
        ("SDSC-SP2-1998-4.2-cln.swf.gz", 53_999),
        ("SDSC-BLUE-2000-4.2-cln.swf.gz", 232_536),
    ] {
        let (header, records) = read(&shared.join("traces").join(file));
        let machine = Machine { processors: header.max_procs().expect("MaxProcs is in the header") };
        let (kept, report) = clean(records, CleanOptions::for_replay(machine));
        assert_eq!(kept.len(), jobs, "{file}: {report:?}");
        assert!(kept.iter().all(|record| record.to_traced().is_ok()), "{file}");
    }
}

#[test]
fn logs_are_described_as_their_readme_does() {
    let Some(shared) = shared_dir() else { return };
    // Distinct values, share of jobs with a CPU time and share of jobs over their estimate, in per cent with one place.
    let distinct = |[users, groups, executables, queues, partitions]: [usize; 5]| Distinct {
        users,
        groups,
        executables,
        queues,
        partitions,
    };
    for (file, expected, cpu_percent, over_estimate_percent) in [
        ("CTC-SP2-1996-3.1-cln.swf.gz", distinct([679, 0, 12_303, 4, 0]), 97.8, 9.3),
        ("HPC2N-2002-2.2-cln.swf.gz", distinct([257, 3, 0, 0, 2]), 80.2, 7.3),
        ("LANL-CM5-1994-4.1-cln.swf.gz", distinct([213, 150, 3_958, 16, 0]), 79.6, 36.3),
        ("Sandia-Ross-2001-1.1-cln.swf.gz", distinct([203, 208, 10_441, 2, 11]), 93.9, 6.4),
    ] {
        let mut describer = Describer::new();
        for record in read(&shared.join("traces").join(file)).1 {
            describer.add(&record);
        }
        let description = describer.describe(None);
        assert_eq!(description.distinct, expected, "{file}");
        let agrees = |share: f64, percent: f64| (100.0 * share - percent).abs() <= 0.05;
        assert!(agrees(description.fields[5].known_share, cpu_percent), "{file}: {:?}", description.fields[5]);
        let over_estimate = description.over_estimate_share.expect("the log has estimates");
        assert!(agrees(over_estimate, over_estimate_percent), "{file}: {over_estimate}");
    }
}
