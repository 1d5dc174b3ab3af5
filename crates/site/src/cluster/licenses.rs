//! Licences of a cluster, as Slurm writes them: `matlab:2,x`.
//!
//! Without `bf_licenses` Slurm keeps no licence for anybody: whoever comes first and finds enough of them takes them. So they are played
//! as a limit that a job counts against as often as it needs licences ([`Limits`](super::limits::Limits)).
//!
//! Not for: licences of other clusters (`name@server`), of which only the database knows how many are left, and one of several (`a|b`): a job
//! that needs these has no estimate. Licences that a reservation keeps, or backfill under `bf_licenses`, are played as free.
//!
//! Source: `license_job_test` and `bf_licenses` of 22.05, read for what they do; slurm.conf(5).

use queuecast_forecast::estimate::NoForecast;

/// Names and numbers. A number that cannot be read is more than there can be.
pub fn licenses(text: &str) -> Vec<(String, u64)> {
    let items = text.split([',', ';', '|']).map(str::trim).filter(|item| !item.is_empty());
    let counted = items.map(|item| match item.split_once([':', '=']) {
        Some((name, count)) => (name.to_owned(), count.parse().unwrap_or(u64::MAX)),
        None => (item.to_owned(), 1),
    });
    counted.collect()
}

/// Why nothing is said of a job that needs these.
pub fn not_modelled(needed: &str) -> NoForecast {
    let why = format!(
        "The job needs licences ({needed}) that this cluster does not count, or one licence of several; these are not simulated."
    );
    NoForecast { code: "licenses", why }
}

/// Whether any of them would do.
pub fn any_will_do(text: &str) -> bool {
    text.contains('|')
}
