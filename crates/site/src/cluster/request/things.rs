//! What else a request names, and whether there is such a thing: features, generic resources, licences, a reservation.
//!
//! Source: `build_feature_list`, `gres_job_state_validate`, `license_validate`, `validate_job_resv` of 22.05, read for what they do.

use queuecast_forecast::estimate::NoForecast;
use queuecast_records::{GresPer, ReservationRecord};

use super::super::licenses::licenses;
use super::super::limits::Limits;
use super::accounting::Charged;
use super::refusal::{self, refused};
use super::{Admission, Request};

/// Refuses licences and generic resources that are not there: before limits are looked at.
pub fn check_before_limits(request: &Request, admission: &Admission) -> Result<(), NoForecast> {
    check_licenses(request, admission)?;
    check_gres(request, admission)
}

/// Refuses features that no node has and reservations that are not there or for others: after limits.
pub fn check_after_limits(
    request: &Request,
    admission: &Admission,
    charged: &Charged,
    limits: &Limits,
) -> Result<(), NoForecast> {
    let is_unknown = |name: &&str| !admission.nodes.iter().any(|node| node.has_feature(name));
    if let Some(name) = feature_names(&request.features).find(is_unknown) {
        return Err(refused(refusal::INVALID_FEATURE, &format!("No node has the feature {name}.")));
    }
    for name in request.reservation.iter().flat_map(|names| names.split(',')).map(str::trim) {
        let Some(known) = admission.reservations.iter().find(|known| known.name == name) else {
            return Err(refused(refusal::INVALID_RESERVATION, &format!("There is no reservation {name}.")));
        };
        if !request.user.is_empty() && !may_use(known, &request.user, charged, limits) {
            return Err(refused(
                refusal::RESERVATION_ACCESS,
                &format!("The reservation {name} is for other users or accounts."),
            ));
        }
    }
    Ok(())
}

/// The names in `a100&(fast|new)*2`.
fn feature_names(features: &str) -> impl Iterator<Item = &str> {
    let pieces = features.split(['&', ',', '|', '(', ')', '[', ']']);
    let names = pieces.map(|piece| piece.split('*').next().unwrap_or_default().trim().trim_start_matches('!'));
    names.filter(|name| !name.is_empty())
}

/// Of licences of other clusters (`name@server`) nothing is known.
fn check_licenses(request: &Request, admission: &Admission) -> Result<(), NoForecast> {
    let Some(configuration) = &admission.configuration else { return Ok(()) };
    let known = licenses(&configuration.licenses);
    for (name, count) in licenses(&request.licenses).into_iter().filter(|(name, _)| !name.contains('@')) {
        let all = known.iter().find(|(other, _)| *other == name).map_or(0, |(_, all)| *all);
        if count > all {
            let why = format!("This cluster has {all} licences {name}, and the job requests {count}.");
            return Err(refused(refusal::INVALID_LICENCES, &why));
        }
    }
    Ok(())
}

fn check_gres(request: &Request, admission: &Admission) -> Result<(), NoForecast> {
    let asked = &request.layout.gres;
    let refuse = |why: &str| Err(refused(refusal::INVALID_GRES, why));
    if let Some(unknown) = asked.iter().find(|gres| !admission.nodes.iter().any(|node| node.has_gres(&gres.name)))
        // Where no node has GPUs they may still be known by name.
        && unknown.name != "gpu"
    {
        return refuse(&format!("No node has the resource {}.", unknown.name));
    }
    let layout = &request.layout;
    let of = |per: GresPer| {
        let gpus = asked.iter().filter(move |gres| gres.name == "gpu" && gres.per == per && gres.count > 0);
        gpus.map(|gres| gres.count).reduce(u64::saturating_add)
    };
    let (in_all, per_node, per_task) = (of(GresPer::Job), of(GresPer::Node), of(GresPer::Task));
    // Fewer tasks than nodes: sbatch takes as many nodes as tasks.
    let nodes = layout.nodes_min.map(|nodes| u64::from(layout.tasks.map_or(nodes, |tasks| tasks.min(nodes))));
    let is_range = layout.nodes_min.is_some() && layout.nodes_max != layout.nodes_min;
    let of_nodes = || match layout.tasks_per_node {
        Some(tasks) => Some(nodes.unwrap_or(1) * u64::from(tasks)),
        None => nodes.filter(|_| layout.cpus_per_task.is_none()),
    };
    let tasks = layout.tasks.map(u64::from).or_else(|| if is_range { None } else { of_nodes() });
    if request.memory_per_gpu_mebibytes.is_some() && in_all.or(per_node).or(per_task).or(of(GresPer::Socket)).is_none()
    {
        return refuse("The job requests memory per GPU, but no GPUs.");
    }
    if of(GresPer::Socket).is_some() && layout.sockets_per_node.is_none() {
        return refuse("GPUs per socket require a number of sockets (--sockets-per-node).");
    }
    if let Some(in_all) = in_all {
        if nodes.is_some_and(|nodes| in_all < nodes) {
            return refuse("The job requests fewer GPUs than nodes.");
        }
        if per_node
            .is_some_and(|each| each > in_all || in_all % each != 0 || nodes.is_some_and(|nodes| in_all / each < nodes))
        {
            return refuse("The total number of GPUs does not match the GPUs per node.");
        }
        if per_task.is_some_and(|each| {
            each > in_all || in_all % each != 0 || tasks.is_some_and(|tasks| in_all / each != tasks)
        }) {
            return refuse("The total number of GPUs does not match the GPUs per task.");
        }
    } else if per_task.is_some() && tasks.is_none() {
        return refuse("GPUs per task require a number of tasks (-n) or of GPUs (-G).");
    }
    if per_node.zip(per_task).is_some_and(|(node, task)| task > node || node % task != 0) {
        return refuse("The GPUs per node are not a multiple of the GPUs per task.");
    }
    Ok(())
}

/// Whether a reservation is for this user. An account's is for all below it.
fn may_use(reservation: &ReservationRecord, user: &str, charged: &Charged, limits: &Limits) -> bool {
    let associations = limits.associations();
    let own = charged.association.into_iter().flat_map(|place| associations.up_from(place));
    let accounts: Vec<&str> = own.map(|place| associations.records()[place].account.as_str()).collect();
    let list = |text: &'_ str| -> Vec<String> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "(null)");
        names.map(str::to_owned).collect()
    };
    let (users, named) = (list(&reservation.users), list(&reservation.accounts));
    if users.is_empty() && named.is_empty() {
        return true;
    }
    let is_user = |name: &str| name == user;
    let is_account = |name: &str| accounts.contains(&name) || charged.account == name;
    let without = |names: &[String], is_one: &dyn Fn(&str) -> bool| {
        names.iter().filter_map(|name| name.strip_prefix('-')).any(is_one)
    };
    if without(&users, &is_user) || without(&named, &is_account) {
        return false;
    }
    let with = |names: &[String]| names.iter().filter(|name| !name.starts_with('-')).cloned().collect::<Vec<_>>();
    let (users, named) = (with(&users), with(&named));
    (users.is_empty() && named.is_empty())
        || users.iter().any(|name| is_user(name))
        || named.iter().any(|name| is_account(name))
}
