//! On real logs: what a search says of a set is what the live model does, and what the paper found holds.

use std::path::Path;

use queuecast_predict::RuntimeModel;
use queuecast_predict::templates::{TemplateSet, Templates};
use queuecast_search::{AskedAt, EstimatorChoice, GeneticOptions, SearchSpace, Workload, genetic, score};
use queuecast_workload::TracedJob;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// The jobs that ran, in order of submission.
fn jobs_of(log: &str) -> Option<Vec<TracedJob>> {
    let path = queuecast_testkit::shared_dir()?.join("traces").join(log);
    Some(read(&path))
}

fn read(path: &Path) -> Vec<TracedJob> {
    let mut reader = SwfReader::new(Input::open(path).unwrap()).unwrap();
    let mut jobs = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        if let Line::Job(record) = line
            && let Ok(job) = record.to_traced()
        {
            jobs.push(job);
        }
    }
    jobs.retain(|job| job.recorded.run.0 > 0);
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    jobs
}

/// KTH's jobs all have limits and waits, so the live side needs nothing but the model.
#[test]
fn a_set_scores_on_a_log_what_the_live_model_does() {
    let Some(jobs) = jobs_of("KTH-SP2-1996-2.1-cln.swf.gz") else { return };
    let workload = Workload::new(&jobs, AskedAt::Submission);
    let mut events: Vec<(i64, u8, &TracedJob)> = Vec::new();
    for job in &jobs {
        let submitted = job.submission.submitted.0;
        events.push((submitted, 1, job));
        events.push((submitted + job.recorded.wait.unwrap().0 + job.recorded.run.0, 0, job));
    }
    events.sort_by_key(|(time, kind, _)| (*time, *kind));
    for set in
        ["(u,mh=2)/(u,n=4,lr,rel)/(g,rel,mh=8)/(l,inv)/()", "shrunk/(u,mh=2)/(u,n=4,lr,rel)/(g,rel,mh=8)/(l,inv)"]
    {
        let set: TemplateSet = set.parse().unwrap();
        let mut live = Templates::new(&set);
        let mut error_sum_seconds = 0;
        for (_, kind, job) in &events {
            if *kind == 0 {
                live.learn(&job.submission, job.recorded.run);
            } else {
                let limit = job.submission.limit.unwrap();
                let planned = live.predict(&job.submission).unwrap_or(limit).min(limit);
                error_sum_seconds += (planned.0 - job.recorded.run.0).abs();
            }
        }
        let scored = score(&workload, 0..workload.len(), &set);
        assert_eq!((scored.jobs, scored.error_sum_seconds), (jobs.len() as u64, error_sum_seconds), "{set}");
    }
}

/// R-S9: the set of the paper's Table 7 for this machine and year, and R-S12: histories should be short. A search of 400
/// sets is enough to see it.
#[test]
fn searching_histories_beats_the_papers_set_by_a_quarter_on_the_paragon() {
    let Some(jobs) = jobs_of("SDSC-Par-1996-3.1-cln.swf.gz") else { return };
    let workload = Workload::new(&jobs, AskedAt::Start);
    let papers = "(u,n=1,mean)/(q,n=4,lr)/(q,u,n=4,lr)/(q,u,n=128,mean)/(q,u,n=16,mean)/(q,u,n=2,mean)/(q,u,n=4,mean)";
    let of_paper = score(&workload, 0..workload.len(), &papers.parse().unwrap()).relative_error();
    let estimators = EstimatorChoice::Journal;
    let space = SearchSpace { estimators, maximum_history: true, ..SearchSpace::of(&workload) };
    let options = GeneticOptions::journal(20, 22);
    let found = genetic(&workload, &space, &options, &mut Pcg64::seed_from_u64(1), &|_| ());
    assert!((0.48..0.54).contains(&of_paper), "{of_paper}");
    assert!(found.score.relative_error() < 0.75 * of_paper, "{} with {}", found.score.relative_error(), found.set);
}
