//! What became of a job that has ended, made an answer.

use queuecast_api::forecast::FinishedResponse;
use queuecast_api::time::Moment;
use queuecast_records::JobRecord;

use crate::store::state_words;

/// When it ended and how.
pub(crate) fn finished(record: &JobRecord) -> FinishedResponse {
    let words = state_words(record.state);
    let lasted = record.started.zip(record.ended).map(|(started, ended)| ended - started);
    FinishedResponse {
        ended: record.ended.map(Moment::from),
        state: words.split(',').next().unwrap_or_default().to_owned(),
        exit_code: record.exit_code.map(|exit| exit.return_code),
        signal: record.exit_code.map(|exit| exit.signal).filter(|signal| *signal > 0),
        run_seconds: record.started.and(record.elapsed.or(lasted)).map(|run| run.0.max(0)),
    }
}
