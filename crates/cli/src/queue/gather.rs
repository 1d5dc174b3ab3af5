//! The jobs of the queue that are meant, gathered from the daemon page by page.
//!
//! For: asking for as little as will do: named jobs one by one, one user's or one partition's jobs by themselves, and never more
//! than somebody wants to see.
//!
//! Not for: asking Slurm; nothing here does.

use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::queue::{LARGEST_PAGE, ListedState, QueueRequest, QueueResponse};
use queuecast_api::time::Moment;
use queuecast_api::{Client, route};
use serde::Serialize;

use super::selection::Selection;
use crate::ask::inert::inert;
use crate::failure::{Cause, Failure};

/// The jobs, and when they were so.
#[derive(Clone, Debug, Serialize)]
pub struct Gathered {
    /// The cluster's name.
    pub cluster: String,
    /// The cluster's time at the first answer.
    pub now: Moment,
    /// When the forecasts were made.
    pub made: Option<Moment>,
    /// How long before that the queue was last read.
    pub data_age_seconds: Option<i64>,
    /// The jobs, in order of Slurm's number.
    pub jobs: Vec<ForecastResponse>,
    /// Jobs that were named and neither wait nor run.
    pub missing: Vec<String>,
    /// Whether there are more that were not asked for.
    pub is_cut: bool,
}

/// Gathers the jobs, of at most so many pages.
pub fn gather(service: &Client, selection: &Selection, state: ListedState, pages: usize) -> Result<Gathered, Failure> {
    let mut gathered =
        if selection.jobs.is_empty() { listed(service, selection, state, pages)? } else { named(service, selection)? };
    gathered.jobs.retain(|job| selection.takes(job) && is_listed(state, job));
    Ok(gathered)
}

fn is_listed(state: ListedState, job: &ForecastResponse) -> bool {
    match state {
        ListedState::Waiting => job.state == StateResponse::Waiting,
        ListedState::Running => job.state == StateResponse::Running,
        ListedState::All => job.state != StateResponse::Finished,
    }
}

fn named(service: &Client, selection: &Selection) -> Result<Gathered, Failure> {
    let (mut jobs, mut missing) = (Vec::<ForecastResponse>::new(), Vec::new());
    for asked in &selection.jobs {
        // An array's remainder is written with brackets, which are found by the array's number.
        let id = asked.split_once("_[").map_or(asked.as_str(), |(array, _)| array);
        match service.find(&route::of_job(route::JOB_FORECAST, id))? {
            Some(answer) => {
                let found: ForecastResponse = answer.read()?;
                if found.state == StateResponse::Finished {
                    missing.push(format!("{asked} (ended)"));
                } else if jobs.iter().all(|job| job.job.job_id != found.job.job_id) {
                    jobs.push(found);
                }
            }
            None => missing.push(asked.clone()),
        }
    }
    jobs.sort_by_key(|job| job.job.job_id);
    let Some(first) = jobs.first() else {
        let told =
            anyhow::anyhow!("jobs not pending or running, or not visible to you: {}", inert(&missing.join(", ")));
        return Err(Failure::new(Cause::Input, told)
            .with_hint("check the job IDs with `squeue`, or with `sacct` for ended jobs"));
    };
    Ok(Gathered {
        cluster: first.cluster.clone(),
        now: first.now.clone(),
        made: first.made.clone(),
        data_age_seconds: first.data_age_seconds,
        jobs,
        missing,
        is_cut: false,
    })
}

fn listed(service: &Client, selection: &Selection, state: ListedState, pages: usize) -> Result<Gathered, Failure> {
    let mut gathered: Option<Gathered> = None;
    let mut after = None;
    for _ in 0..pages.max(1) {
        let page: QueueResponse = service.get(&question(selection, state, after).path())?.read()?;
        // Of a daemon that gives the same page for ever, one is enough.
        after = page.next_after.filter(|next| after.is_none_or(|after| *next > after));
        let so_far = gathered.get_or_insert_with(|| Gathered {
            cluster: page.cluster,
            now: page.now,
            made: page.made,
            data_age_seconds: page.data_age_seconds,
            jobs: Vec::new(),
            missing: Vec::new(),
            is_cut: false,
        });
        so_far.jobs.extend(page.jobs);
        so_far.is_cut = after.is_some();
        if after.is_none() {
            break;
        }
    }
    Ok(gathered.expect("at least one page was asked for"))
}

/// A page. The daemon knows one user and one partition; the rest is left out here.
fn question(selection: &Selection, state: ListedState, after: Option<u64>) -> QueueRequest {
    let only = |names: &[String]| if let [name] = names { Some(name.clone()) } else { None };
    QueueRequest {
        partition: only(&selection.partitions),
        user: only(&selection.users),
        me: selection.me,
        state,
        limit: Some(LARGEST_PAGE),
        after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_user_and_one_partition_are_the_daemons_to_find_and_names_cannot_ask_for_more() {
        let mut hostile = Selection::default();
        hostile.users.push("a&user=b #%".to_owned());
        assert_eq!(
            question(&hostile, ListedState::All, Some(7)).path(),
            "/v1/queue?state=all&limit=1000&user=a%26user%3Db+%23%25&after=7"
        );
        assert_eq!(
            question(&Selection::default().own(), ListedState::Waiting, None).path(),
            "/v1/queue?state=waiting&me=true&limit=1000"
        );
        let mut two = hostile.clone();
        two.users.push("b".to_owned());
        assert_eq!(question(&two, ListedState::Waiting, None).path(), "/v1/queue?state=waiting&limit=1000");
    }
}
