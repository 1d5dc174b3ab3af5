//! Whose job it would be: its association and its quality of service, or why sbatch refuses it.
//!
//! Not for: limits (`job_limits.rs`).
//!
//! Source: `assoc_mgr_fill_in_assoc`, `assoc_mgr_get_default_qos_info`, `_determine_and_validate_qos` of 22.05, read for what they do.

use queuecast_forecast::estimate::NoForecast;
use queuecast_records::{ClusterConfiguration, Hidden};

use super::super::limits::{Associations, Limits};
use super::Request;
use super::refusal::{self, refused};

/// Who a job is charged to, and with what quality of service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charged {
    /// Empty where it is not known.
    pub account: String,
    pub qos: String,
    /// By place among the associations.
    pub association: Option<usize>,
}

/// Who this request is charged to. `partition` is the first it names.
pub fn charged(
    request: &Request,
    partition: &str,
    limits: &Limits,
    configuration: Option<&ClusterConfiguration>,
) -> Result<Charged, NoForecast> {
    let associations = limits.associations();
    let user = request.user.as_str();
    // Slurm knows accounts in small letters.
    let named = request.account.as_deref().map(str::to_ascii_lowercase);
    let account = named.or_else(|| default_account(associations, user).map(str::to_owned)).unwrap_or_default();
    let association = associations.find(&account, user, partition).filter(|_| !user.is_empty());
    let enforced = configuration.map(|all| all.enforcement).unwrap_or_default();
    // Where others are hidden from whoever asked Slurm, somebody without an association may have one.
    let is_hidden = configuration.is_some_and(|all| all.private_data.hides(Hidden::Users))
        && !associations.records().iter().any(|record| record.user == user);
    let is_known = !user.is_empty() && limits.knows_associations() && !is_hidden;
    if enforced.associations && is_known && association.is_none() {
        let why = if account.is_empty() {
            format!("User {user} has no account.")
        } else {
            format!("User {user} has no association with account {account}.")
        };
        return Err(refused(refusal::INVALID_ACCOUNT, &why));
    }
    let qos = quality(request, association, associations);
    if enforced.associations && limits.knows_any_qos() && !limits.knows_qos(&qos) {
        return Err(refused(refusal::INVALID_QOS, &format!("There is no QOS {qos}.")));
    }
    let may_use = association.map(|place| usable(associations, place)).filter(|usable| !usable.is_empty());
    if enforced.qos && may_use.is_some_and(|usable| !usable.contains(&qos)) {
        return Err(refused(refusal::INVALID_QOS, &format!("User {user} in account {account} may not use QOS {qos}.")));
    }
    let needs_reservation =
        |flag: &String| flag.eq_ignore_ascii_case("RequiresReservation") || flag == "REQUIRED_RESERVATION";
    if limits.qos(&qos).is_some_and(|qos| qos.flags.iter().any(needs_reservation)) && request.reservation.is_none() {
        return Err(refused(refusal::INVALID_QOS, &format!("QOS {qos} accepts only jobs in a reservation.")));
    }
    Ok(Charged { account, qos, association })
}

/// The account a user's jobs are charged to if they name none: the first, as far as is known.
fn default_account<'a>(associations: &'a Associations, user: &str) -> Option<&'a str> {
    let own = associations.records().iter().find(|record| record.user == user && !user.is_empty())?;
    Some(own.account.as_str())
}

/// The quality of service it names, or has: the association's default, the only one, the root's, or `normal`.
fn quality(request: &Request, association: Option<usize>, associations: &Associations) -> String {
    let records = associations.records();
    let default = |place: usize| Some(records[place].qos_default.clone()).filter(|name| !name.is_empty());
    let only = |place: usize| match usable(associations, place).as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    };
    let of_root = || associations.find("root", "", "").and_then(default);
    let named = request.qos.clone().filter(|name| !name.is_empty());
    let own = || association.and_then(|place| default(place).or_else(|| only(place)));
    named.or_else(own).or_else(of_root).unwrap_or_else(|| "normal".to_owned())
}

/// What an association may use: its own list, or that of the next above it which has one.
fn usable(associations: &Associations, place: usize) -> Vec<String> {
    let records = associations.records();
    let listed = associations.up_from(place).map(|place| &records[place].qos).find(|list| !list.is_empty());
    listed.cloned().unwrap_or_default()
}
