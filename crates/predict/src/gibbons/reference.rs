//! Gibbons' predictor from lists of jobs, with everything computed anew for every question and as textbooks write it.
//!
//! For: being right by inspection, so that the sums can be held against it.

use queuecast_workload::{Seconds, Submission};

use super::GibbonsData;

/// Processors and datum of the jobs of a template.
type Jobs = Vec<(u32, f64)>;

/// The first template's prediction in seconds, neither rounded nor cut.
pub fn predict(history: &[(Submission, i64)], asked: &Submission, data: GibbonsData) -> Option<f64> {
    let (variance_min, datum_max) = match data {
        GibbonsData::Actual => (1.0, f64::MAX),
        GibbonsData::Relative => (1e-6, 1_000.0),
    };
    let scale = |job: &Submission| match data {
        GibbonsData::Actual => Some(1.0),
        GibbonsData::Relative => job.limit.map(Seconds::as_f64),
    };
    let scale_of_asked = scale(asked)?;
    let same_user = |job: &Submission| job.user == asked.user;
    let same_program = |job: &Submission| job.program == asked.program;
    let templates: [&dyn Fn(&Submission) -> bool; 3] =
        [&|job| same_user(job) && same_program(job), &same_program, &|_| true];
    for template in templates {
        let mut alike = Jobs::new();
        for (job, run) in history.iter().filter(|(job, _)| template(job)) {
            if let Some(scale) = scale(job) {
                alike.push((job.request.processors, (*run as f64 / scale).min(datum_max)));
            }
        }
        let own_class = in_class(&alike, class(asked.request.processors));
        if own_class.len() >= 2 {
            return Some(scale_of_asked * mean_datum(&own_class));
        }
        if let Some((intercept, slope)) = line(&alike, variance_min) {
            return Some(scale_of_asked * (intercept + slope * f64::from(asked.request.processors)));
        }
    }
    None
}

/// How often processors can be halved until one is left.
fn class(processors: u32) -> u32 {
    if processors <= 1 { 0 } else { 1 + class(processors / 2) }
}

fn in_class(jobs: &Jobs, wanted: u32) -> Jobs {
    jobs.iter().filter(|job| class(job.0) == wanted).copied().collect()
}

fn mean_datum(jobs: &Jobs) -> f64 {
    jobs.iter().map(|job| job.1).sum::<f64>() / jobs.len() as f64
}

fn mean_processors(jobs: &Jobs) -> f64 {
    jobs.iter().map(|job| f64::from(job.0)).sum::<f64>() / jobs.len() as f64
}

fn squared_deviations(jobs: &Jobs) -> f64 {
    jobs.iter().map(|job| (job.1 - mean_datum(jobs)).powi(2)).sum()
}

/// Intercept and slope from the normal equations, uncentred.
fn line(jobs: &Jobs, variance_min: f64) -> Option<(f64, f64)> {
    let subcategories: Vec<Jobs> = (0..32).map(|class| in_class(jobs, class)).filter(|jobs| !jobs.is_empty()).collect();
    if subcategories.len() < 2 {
        return None;
    }
    let freedom: usize = subcategories.iter().map(|jobs| jobs.len() - 1).sum();
    let within: f64 = subcategories.iter().map(squared_deviations).sum();
    let (mut w, mut wx, mut wy, mut wxx, mut wxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for jobs in &subcategories {
        let variance = match jobs.len() {
            1 if freedom == 0 => variance_min,
            1 => within / freedom as f64,
            count => squared_deviations(jobs) / (count - 1) as f64,
        };
        let (x, y, weight) = (mean_processors(jobs), mean_datum(jobs), 1.0 / variance.max(variance_min));
        w += weight;
        wx += weight * x;
        wy += weight * y;
        wxx += weight * x * x;
        wxy += weight * x * y;
    }
    let slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
    Some(((wy - slope * wx) / w, slope))
}
