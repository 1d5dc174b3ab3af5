//! The figures of a back-test once more, the slow and obvious way, from the forecasts one by one.

use serde_json::Value;

use super::export::Job;

/// A line of the file of forecasts.
#[derive(Debug)]
pub struct Forecast {
    partition: String,
    limit: i64,
    processors: i64,
    made: i64,
    pub first: bool,
    said: Vec<i64>,
    plan: Option<i64>,
    last_waits: Option<i64>,
    started: i64,
    experts: Vec<i64>,
}

pub fn read(text: &str) -> Vec<Forecast> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let place = |name: &str| columns.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name}"));
    let forecast = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[place(name)].parse::<i64>().ok();
        Forecast {
            partition: cells[place("partition")].to_owned(),
            limit: number("limit_seconds").expect("all have one"),
            processors: number("processors").expect("a number"),
            made: number("made").expect("a time"),
            first: number("first") == Some(1),
            said: ["p025", "p05", "p10", "p25", "p50", "p75", "p90", "p95", "p975"]
                .map(|share| number(share).expect("a time"))
                .to_vec(),
            plan: number("plan"),
            last_waits: number("last_waits"),
            started: number("started").expect("a time"),
            experts: (0..columns.len())
                .filter(|place| columns[*place].starts_with("expert_"))
                .map(|place| cells[place].parse().expect("a time"))
                .collect(),
        }
    };
    lines.map(forecast).collect()
}

/// The class of a limit and a size, in words.
fn class(limit: i64, processors: i64) -> (&'static str, &'static str) {
    let of = |value: i64, bounds: &[(i64, &'static str)]| {
        bounds.iter().find(|(bound, _)| value <= *bound).map_or("more", |(_, name)| *name)
    };
    let limits = [(3_600, "up to 1 h"), (14_400, "up to 4 h"), (43_200, "up to 12 h")];
    let sizes = [(1, "1"), (8, "2 to 8"), (32, "9 to 32"), (128, "33 to 128")];
    (of(limit, &limits), of(processors, &sizes))
}

impl Forecast {
    pub fn is_in(&self, group: &Value) -> bool {
        let name = group["name"].as_str().expect("a name");
        let hours = (self.started - self.made) as f64 / 3_600.0;
        match group["kind"].as_str().expect("a kind") {
            "overall" => true,
            "partition" => self.partition == name,
            "class" => {
                let (limit, processors) = class(self.limit, self.processors);
                name == format!("limit {limit}, {processors} processors")
            }
            _ => {
                let bounds = [(1.0, "up to 1 h"), (3.0, "up to 3 h"), (6.0, "up to 6 h"), (12.0, "up to 12 h")];
                let bounds = bounds.into_iter().chain([(24.0, "up to 24 h"), (f64::MAX, "more than 24 h")]);
                bounds.into_iter().find(|(bound, _)| hours <= *bound).map(|(_, name)| name) == Some(name)
            }
        }
    }

    fn error(&self, said: i64) -> f64 {
        (said.max(self.made) - self.started).abs() as f64
    }

    fn is_within(&self, low: usize, high: usize) -> bool {
        self.said[low].max(self.made) <= self.started && self.started <= self.said[high].max(self.made)
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]))
}

fn share(flags: impl Iterator<Item = bool>) -> Option<f64> {
    mean(&flags.map(|flag| if flag { 1.0 } else { 0.0 }).collect::<Vec<_>>())
}

fn assert_same(printed: &Value, expected: Option<f64>, what: &str) {
    match (printed.as_f64(), expected) {
        (Some(printed), Some(expected)) => {
            assert!((printed - expected).abs() < 1e-9 * expected.abs().max(1.0), "{what}: {printed} {expected}");
        }
        (printed, expected) => assert_eq!(printed, expected, "{what}"),
    }
}

fn assert_errors(printed: &Value, errors: &[f64], what: &str) {
    assert_same(&printed["median_absolute_error_seconds"], median(errors), what);
    assert_same(&printed["mean_absolute_error_seconds"], mean(errors), what);
    assert_same(&printed["within_10_minutes"], share(errors.iter().map(|error| *error <= 600.0)), what);
}

/// Every figure of a group.
pub fn assert_group(group: &Value, forecasts: &[&Forecast]) {
    let what = format!("{} {}", group["kind"], group["name"]);
    assert_eq!(group["forecasts"].as_u64(), Some(forecasts.len() as u64), "{what}");
    for (range, low, high) in [("p50", 3, 5), ("p80", 2, 6), ("p90", 1, 7), ("p95", 0, 8)] {
        let held = share(forecasts.iter().map(|forecast| forecast.is_within(low, high)));
        assert_same(&group["coverage"][range], held, &format!("{what} {range}"));
    }
    let width =
        |forecast: &&Forecast| (forecast.said[6].max(forecast.made) - forecast.said[2].max(forecast.made)) as f64;
    let widths: Vec<f64> = forecasts.iter().map(width).collect();
    assert_same(&group["range80_median_width_seconds"], median(&widths), &what);
    let errors = |said: fn(&Forecast) -> Option<i64>| -> Vec<f64> {
        forecasts.iter().filter_map(|forecast| said(forecast).map(|said| forecast.error(said))).collect()
    };
    assert_errors(&group["ours"], &errors(|forecast| Some(forecast.said[4])), &format!("{what} ours"));
    assert_errors(&group["plan"], &errors(|forecast| forecast.plan), &format!("{what} plan"));
    assert_errors(&group["last_waits"], &errors(|forecast| forecast.last_waits), &format!("{what} last waits"));
    let missing = share(forecasts.iter().map(|forecast| forecast.plan.is_none()));
    assert_same(&group["plan"]["missing"], missing, &format!("{what} missing"));
    let plans = forecasts.iter().filter_map(|forecast| Some(forecast.plan? > forecast.started));
    assert_same(&group["plan"]["too_late"], share(plans), &format!("{what} too late"));
}

/// Ours and the experts: the median within 2 %, and our distance, by shares cut into ten thousand.
pub fn assert_contest(contest: &Value, forecasts: &[&Forecast]) {
    const SHARES: [f64; 9] = [0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975];
    assert_eq!(contest["forecasts"].as_u64(), Some(forecasts.len() as u64));
    let answers = contest["members"].as_array().expect("members");
    assert_eq!(answers.len(), 8);
    // The second is the pool before it is stretched, which is not among the details.
    for (place, answer) in answers.iter().enumerate().filter(|(place, _)| *place != 1) {
        let said =
            |forecast: &Forecast| place.checked_sub(2).map_or(forecast.said[4], |expert| forecast.experts[expert]);
        let mut errors: Vec<f64> = forecasts.iter().map(|forecast| forecast.error(said(forecast))).collect();
        errors.sort_by(f64::total_cmp);
        let exact = errors[(errors.len() - 1) / 2];
        let told = answer["median_absolute_error_seconds"].as_f64().expect("a number");
        assert!((told - exact).abs() <= 0.02 * exact + 1.0, "{answer} {exact}");
    }
    let nearest = |share: f64| {
        (0..9).min_by(|one, other| (SHARES[*one] - share).abs().total_cmp(&(SHARES[*other] - share).abs()))
    };
    let loss = |forecast: &Forecast, step: u32| {
        let place = nearest((f64::from(step) + 0.5) / 10_000.0).expect("nine");
        let late = (forecast.started - forecast.said[place].max(forecast.made)) as f64;
        2.0 * if late >= 0.0 { SHARES[place] * late } else { (SHARES[place] - 1.0) * late } / 10_000.0
    };
    let distance = |forecast: &&Forecast| (0..10_000).map(|step| loss(forecast, step)).sum::<f64>();
    let mean = mean(&forecasts.iter().map(distance).collect::<Vec<_>>()).expect("some");
    let told = answers[0]["crps_seconds"].as_f64().expect("a number");
    assert!((told / mean - 1.0).abs() < 0.01, "{told} {mean}");
}

/// The worst are those with the largest errors, in order.
pub fn assert_worst(worst: &Value, first: &[&Forecast]) {
    let mut errors: Vec<f64> = first.iter().map(|forecast| forecast.error(forecast.said[4])).collect();
    errors.sort_by(|one, other| other.total_cmp(one));
    let told = worst.as_array().expect("a list").iter().map(|one| {
        (one["forecast_p50_seconds"].as_f64().expect("a number") - one["actual_seconds"].as_f64().expect("a number"))
            .abs()
    });
    errors.truncate(10);
    assert_eq!(told.collect::<Vec<_>>(), errors);
}

/// How many had started by each time that was said.
pub fn assert_reliability(printed: &Value, table: &str, forecasts: &[&Forecast]) {
    for place in 0..9 {
        let had = share(forecasts.iter().map(|forecast| forecast.started <= forecast.said[place].max(forecast.made)));
        assert_same(&printed[table][place], had, &format!("{table} {}", printed["shares"][place]));
    }
}

/// The waits by class, and what is known of limits, from the jobs themselves.
pub fn assert_waits(result: &Value, jobs: &[Job]) {
    let from = result["from"].as_i64().expect("a time");
    let counted: Vec<&Job> = jobs.iter().filter(|job| job.submitted >= from).collect();
    assert_eq!(result["jobs"].as_u64(), Some(counted.len() as u64));
    let started: Vec<&Job> = counted.into_iter().filter(|job| job.started.is_some()).collect();
    let mut seen = 0;
    for printed in result["waits"].as_array().expect("classes") {
        let is_in = |job: &&&Job| {
            let (limit, processors) = class(60 * job.limit_minutes, job.processors());
            printed["limit"] == limit && printed["processors"] == processors
        };
        let waits: Vec<f64> =
            started.iter().filter(is_in).map(|job| (job.started.unwrap_or(0) - job.submitted) as f64).collect();
        assert_eq!(printed["jobs"].as_u64(), Some(waits.len() as u64));
        assert_same(&printed["mean_seconds"], mean(&waits), "mean wait");
        assert_same(&printed["median_seconds"], median(&waits), "median wait");
        seen += waits.len();
    }
    assert_eq!(seen, started.len());
    let asked =
        result["limits"].as_array().expect("limits").iter().find(|line| line["method"] == "asked for").expect("a line");
    let mut limits: Vec<f64> = started.iter().map(|job| 60.0 * job.limit_minutes as f64).collect();
    limits.sort_by(f64::total_cmp);
    assert_eq!(asked["jobs"].as_u64(), Some(limits.len() as u64));
    assert_same(&asked["median_limit_seconds"], Some(limits[limits.len() / 2]), "limits asked for");
}
