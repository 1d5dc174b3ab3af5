//! How long jobs waited lately, made an answer: of groups of five users or more, unless whoever asks may see everything.

use queuecast_api::time::Moment;
use queuecast_api::waits::{WaitResponse, WaitsResponse};
use queuecast_site::observed::JobSize;
use queuecast_site::past_waits::{Group, PastWaits, Spread};

use super::small_groups::LEAST_USERS_OF_A_GROUP;

/// How much of it may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Everything.
    Everything,
    /// Of five users or more.
    OfMany,
    /// Of five users or more, and not which partition they used.
    OfManyWithoutPartitions,
    /// Nothing.
    Nothing,
}

/// The answer. A partition that may not be told of is as one that there is not.
pub(crate) fn waits_answer(cluster: &str, past: &PastWaits, group: &Group, told: Told) -> WaitsResponse {
    let tells = |spread: &Spread| told == Told::Everything || spread.users >= LEAST_USERS_OF_A_GROUP;
    let is_told_of = |group: &Group| match told {
        Told::Nothing => false,
        Told::OfManyWithoutPartitions => group.partition.is_none(),
        Told::Everything | Told::OfMany => true,
    };
    let answer = |spread: &Option<Spread>| {
        spread
            .filter(tells)
            .map(|spread| WaitResponse { median_seconds: spread.median.0, p90_seconds: spread.nine_of_ten.0 })
    };
    let has_figures = |group: &Group| {
        is_told_of(group) && past.groups.get(group).is_some_and(|waits| waits.all.as_ref().is_some_and(tells))
    };
    let partitions = past.groups.keys().filter(|group| group.size.is_none() && has_figures(group));
    let is_size_known = |size: &JobSize| has_figures(&Group { partition: None, size: Some(*size) });
    let waits = past.groups.get(group).filter(|_| is_told_of(group)).cloned().unwrap_or_default();
    let period = past.period.filter(|_| told != Told::Nothing);
    WaitsResponse {
        cluster: cluster.to_owned(),
        from: period.map(|(from, _)| Moment::from(from)),
        to: period.map(|(_, to)| Moment::from(to)),
        partitions: partitions.filter_map(|group| group.partition.clone()).collect(),
        sizes: JobSize::ALL.iter().filter(|size| is_size_known(size)).map(ToString::to_string).collect(),
        all: answer(&waits.all),
        by_hour: waits.by_hour.iter().map(answer).collect(),
        by_weekday: waits.by_weekday.iter().map(answer).collect(),
        by_weekday_and_hour: waits.by_weekday_and_hour.iter().map(|hours| hours.iter().map(answer).collect()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_site::past_waits::Waits;
    use queuecast_workload::{Seconds, Time};

    fn past() -> PastWaits {
        let spread = |users| Some(Spread { median: Seconds(60), nine_of_ten: Seconds(600), users });
        let mut many = Waits { all: spread(5), ..Waits::default() };
        (many.by_hour[3], many.by_hour[4]) = (spread(5), spread(4));
        let few = Waits { all: spread(4), ..Waits::default() };
        let group = |partition: Option<&str>, size| Group { partition: partition.map(str::to_owned), size };
        let groups = vec![
            (group(None, None), many.clone()),
            (group(None, Some(JobSize::OneNode)), many.clone()),
            (group(Some("batch"), None), many),
            (group(Some("secret"), None), few),
        ];
        PastWaits { period: Some((Time(0), Time(9))), groups: groups.into_iter().collect() }
    }

    #[test]
    fn a_few_users_are_told_to_administrators_only_and_hidden_partitions_to_nobody_else() {
        let all = Group::default();
        let of = |partition: &str| Group { partition: Some(partition.to_owned()), size: None };
        let answer = |group: &Group, told| waits_answer("alpha", &past(), group, told);
        let many = answer(&all, Told::OfMany);
        assert_eq!(
            (many.partitions.as_slice(), many.sizes.as_slice()),
            (&["batch".to_owned()][..], &["1 node".to_owned()][..])
        );
        assert!(many.by_hour[3].is_some() && many.by_hour[4].is_none() && many.all.is_some());
        assert_eq!((many.by_hour.len(), many.by_weekday.len(), many.by_weekday_and_hour[6].len()), (24, 7, 24));
        assert!(answer(&all, Told::Everything).by_hour[4].is_some());
        assert!(answer(&of("secret"), Told::Everything).all.is_some());
        assert_eq!(answer(&of("secret"), Told::OfMany), answer(&of("nowhere"), Told::OfMany));
        let without = answer(&of("batch"), Told::OfManyWithoutPartitions);
        assert!(without.all.is_none() && without.partitions.is_empty());
        assert!(answer(&all, Told::OfManyWithoutPartitions).all.is_some());
        let nothing = answer(&all, Told::Nothing);
        assert!(nothing.all.is_none() && nothing.from.is_none() && nothing.sizes.is_empty());
    }
}
