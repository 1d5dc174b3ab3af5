//! Places on several clusters in one order, and whether the first is clearly the best.
//!
//! Not for: what each cluster says of itself.

use queuecast_advise::choice::{CLEAR, probability_before};
use queuecast_api::advice::ForecastTimesResponse;
use queuecast_api::places::PartitionsResponse;
use queuecast_api::time::Moment;
use serde::Serialize;

/// Places, the best first.
#[derive(Debug, Serialize)]
pub struct Ranking {
    /// The places, by the median of the end; those of which nothing is said last.
    pub partitions: Vec<RankedPlace>,
    /// Whether the first ends before every other with at least two in three.
    pub is_clear: bool,
    /// What of the question may not be taken into account.
    pub not_considered: Vec<String>,
    /// What of it has no part in what is said, because it is not played.
    pub not_modelled: Vec<String>,
}

/// A place among others.
#[derive(Debug, Serialize)]
pub struct RankedPlace {
    /// The cluster.
    pub cluster: String,
    /// The partition.
    pub partition: String,
    /// The cluster's time when this was answered.
    pub now: Moment,
    /// What would be said of the job there.
    pub forecast: ForecastTimesResponse,
    /// How likely the first place of all ends before this one; `null` of the first, and where nothing is said.
    pub first_is_before: Option<f64>,
}

impl Ranking {
    /// Of what the clusters answered; only this partition, if one was asked for. A cluster's name is the one it was asked by.
    pub fn new(answers: Vec<(Option<String>, PartitionsResponse)>, partition: Option<&str>) -> Self {
        let (mut not_considered, mut not_modelled) = (Vec::new(), Vec::new());
        let mut places = Vec::new();
        for (name, answer) in answers {
            let (said, cluster) = (answer.said.now, name.unwrap_or(answer.said.cluster));
            not_considered.extend(answer.not_considered);
            not_modelled.extend(answer.said.not_modelled);
            let is_wanted =
                |name: &str| partition.is_none_or(|names| names.split(',').any(|wanted| wanted.trim() == name));
            let wanted = answer.partitions.into_iter().filter(|place| is_wanted(&place.partition));
            places.extend(wanted.map(|place| RankedPlace {
                cluster: cluster.clone(),
                partition: place.partition,
                now: said.clone(),
                forecast: place.forecast,
                first_is_before: None,
            }));
        }
        for fields in [&mut not_considered, &mut not_modelled] {
            fields.sort_unstable();
            fields.dedup();
        }
        places.sort_by_key(|place| place.forecast.completion.as_ref().map_or(i64::MAX, |times| times.seconds_from_now));
        let first = places.first().and_then(from_now);
        for place in places.iter_mut().skip(1) {
            place.first_is_before =
                first.as_ref().zip(from_now(place)).map(|(first, other)| probability_before(first, &other));
        }
        let is_clear = places.iter().filter_map(|place| place.first_is_before).all(|before| before >= CLEAR);
        Self { partitions: places, is_clear, not_considered, not_modelled }
    }

    /// Whether anything is said of any place.
    pub fn has_place(&self) -> bool {
        self.partitions.iter().any(|place| place.forecast.completion.is_some())
    }
}

/// When the job ends there, from that cluster's own now: clocks of two clusters may differ.
fn from_now(place: &RankedPlace) -> Option<Vec<(f64, f64)>> {
    let shares = place.forecast.completion_shares()?;
    Some(shares.into_iter().map(|(share, at)| (share, at - place.now.unix as f64)).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn moment(unix: i64) -> Value {
        json!({ "unix": unix, "utc": "" })
    }

    /// A cluster whose clock shows `now`, where the job ends in so many minutes, give or take as many.
    fn cluster(name: &str, now: i64, places: &[(&str, i64, i64)]) -> (Option<String>, PartitionsResponse) {
        let times = |minutes: i64, width: i64| {
            let at = |minutes: i64| moment(now + 60 * minutes);
            let range =
                |share: i64| json!({ "from": at(minutes - width * share / 4), "to": at(minutes + width * share / 4) });
            json!({ "median": at(minutes), "seconds_from_now": 60 * minutes,
                    "range50": range(1), "range80": range(2), "range95": range(4) })
        };
        let places: Vec<Value> = places
            .iter()
            .map(|(partition, minutes, width)| {
                let forecast =
                    json!({ "completion": times(*minutes, *width), "start": null, "run": null, "no_forecast": null });
                json!({ "partition": partition, "forecast": forecast })
            })
            .collect();
        let answer = json!({ "cluster": "x", "now": moment(now), "made": null, "data_age_seconds": 1,
                             "job": { "partitions": [] }, "partitions": places });
        (Some(name.to_owned()), serde_json::from_value(answer).expect("an answer"))
    }

    fn order(ranking: &Ranking) -> Vec<String> {
        ranking.partitions.iter().map(|place| format!("{}/{}", place.cluster, place.partition)).collect()
    }

    #[test]
    fn places_are_ranked_over_clusters_by_each_ones_own_clock() {
        let answers = vec![
            cluster("alpha", 1_000_000, &[("batch", 300, 10), ("long", 600, 10)]),
            cluster("beta", 9_000_000, &[("batch", 120, 10)]),
        ];
        let ranking = Ranking::new(answers, None);
        assert_eq!(order(&ranking), ["beta/batch", "alpha/batch", "alpha/long"]);
        assert!(ranking.is_clear && ranking.has_place());
    }

    #[test]
    fn ranges_that_overlap_too_much_are_not_chosen_between() {
        let answers = vec![cluster("alpha", 0, &[("batch", 100, 80), ("long", 110, 80), ("far", 900, 80)])];
        let ranking = Ranking::new(answers, None);
        assert!(!ranking.is_clear);
        let before: Vec<bool> =
            ranking.partitions.iter().filter_map(|place| place.first_is_before).map(|before| before >= CLEAR).collect();
        assert_eq!(before, [false, true]);
        let one = Ranking::new(vec![cluster("alpha", 0, &[("batch", 100, 80), ("long", 110, 80)])], Some("long"));
        assert_eq!(order(&one), ["alpha/long"]);
        let two = [("batch", 100, 80), ("long", 110, 80), ("far", 900, 80)];
        let two = Ranking::new(vec![cluster("alpha", 0, &two)], Some("long,far"));
        assert_eq!(order(&two), ["alpha/long", "alpha/far"]);
    }
}
