//! What a back-test found about limits, as tables: on the whole, and whether each promise held for each kind of job.

use queuecast_evaluate::limit::{LimitConditions, WorstUser};
use queuecast_forecast::score::Covered;

use super::result::BacktestResult;
use crate::output::{Sheet, grouped, or_dash, percent, whole_duration};

/// Two digits behind the point: what is promised is one in a hundred.
fn fine_percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// The source of a row's limits, for tables; JSON and CSV keep its name.
fn in_words(who: &str) -> &str {
    match who {
        "advised" => "suggested",
        "asked for" => "requested",
        "longest of last ten and a fifth" => "longest of last 10 runs + 20 %",
        "run time itself" => "run time",
        other => other,
    }
}

fn interval(share: Covered) -> String {
    format!("{:.2} to {:.2} %", 100.0 * share.low, 100.0 * share.high)
}

impl BacktestResult {
    /// The limits.
    pub fn limit_table(&self) -> Sheet {
        let mut limits = Sheet::new([
            "limits",
            "maximum risk",
            "killed",
            "95 % interval",
            "median limit",
            "of requested",
            "sum of requested",
            "unchanged",
            "killed, user p90",
        ]);
        for line in &self.limits {
            limits.add([
                in_words(&line.method).to_owned(),
                or_dash(line.max_risk.map(fine_percent)),
                or_dash(line.killed.map(|killed| fine_percent(killed.share))),
                or_dash(line.killed.map(interval)),
                whole_duration(line.median_limit_seconds),
                percent(line.median_of_requested),
                percent(line.sum_share_of_requested),
                percent(line.unchanged),
                or_dash(line.ninetieth_user_killed.map(fine_percent)),
            ]);
        }
        limits
    }

    /// Whether each promise held for those told a shorter limit, and for the worst of them.
    pub fn promise_table(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "maximum risk",
            "shortened jobs",
            "of all jobs",
            "of these killed",
            "median of requested",
            "worst tenth by risk",
            "worst user, 200+ jobs",
            "worst user, 200+ shortened",
        ]);
        for line in &self.limit_conditions {
            let jobs: u64 = line.by_class.iter().map(|class| class.jobs).sum();
            let killed = line.by_risk.iter().filter_map(|decile| decile.killed.map(|killed| killed.share));
            let user = |user: Option<WorstUser>| {
                or_dash(user.map(|user| format!("{} of {}", fine_percent(user.share), grouped(user.jobs))))
            };
            sheet.add([
                fine_percent(line.max_risk),
                grouped(line.advised),
                percent(line.advised as f64 / jobs.max(1) as f64),
                or_dash(line.killed.map(|killed| fine_percent(killed.share))),
                or_dash(line.median_share_of_requested.map(percent)),
                or_dash(killed.max_by(f64::total_cmp).map(fine_percent)),
                user(line.worst_user),
                user(line.worst_user_advised),
            ]);
        }
        sheet
    }

    /// What came, by the risk told.
    pub fn risk_table(&self) -> Sheet {
        let mut sheet = Sheet::new(["maximum risk", "estimated risk", "mean", "jobs", "killed", "95 % interval"]);
        for line in &self.limit_conditions {
            for decile in &line.by_risk {
                sheet.add([
                    fine_percent(line.max_risk),
                    format!("{:.2} to {:.2} %", 100.0 * decile.from, 100.0 * decile.to),
                    fine_percent(decile.mean_risk),
                    grouped(decile.jobs),
                    or_dash(decile.killed.map(|killed| fine_percent(killed.share))),
                    or_dash(decile.killed.map(interval)),
                ]);
            }
        }
        sheet
    }

    /// What came, by class.
    pub fn limit_class_table(&self) -> Sheet {
        let mut sheet =
            Sheet::new(["maximum risk", "class", "jobs", "shortened jobs", "of these killed", "95 % interval"]);
        for line in &self.limit_conditions {
            for class in &line.by_class {
                sheet.add([
                    fine_percent(line.max_risk),
                    class.class.clone(),
                    grouped(class.jobs),
                    grouped(class.advised),
                    or_dash(class.killed.map(|killed| fine_percent(killed.share))),
                    or_dash(class.killed.map(interval)),
                ]);
            }
        }
        sheet
    }
}

/// Figures of one promise, with the place of a decile or the name of a class in the name.
pub fn condition_figures(line: &LimitConditions) -> Vec<(String, Option<f64>)> {
    let share = |killed: Option<Covered>| killed.map(|killed| killed.share);
    let mut figures = vec![
        ("advised".to_owned(), Some(line.advised as f64)),
        ("killed".to_owned(), share(line.killed)),
        ("median_share_of_requested".to_owned(), line.median_share_of_requested),
        ("worst_user".to_owned(), line.worst_user.map(|user| user.share)),
        ("worst_user_advised".to_owned(), line.worst_user_advised.map(|user| user.share)),
    ];
    for (place, decile) in (1..).zip(&line.by_risk) {
        figures.extend([
            (format!("by_risk.{place}.to"), Some(decile.to)),
            (format!("by_risk.{place}.said"), Some(decile.mean_risk)),
            (format!("by_risk.{place}.jobs"), Some(decile.jobs as f64)),
            (format!("by_risk.{place}.killed"), share(decile.killed)),
        ]);
    }
    for class in &line.by_class {
        figures.extend([
            (format!("by_class.{}.advised", class.class), Some(class.advised as f64)),
            (format!("by_class.{}.killed", class.class), share(class.killed)),
        ]);
    }
    figures
}
