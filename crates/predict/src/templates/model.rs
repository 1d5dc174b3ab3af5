//! A set of templates as a predictor's model: algorithm 2.2 of the paper (R-S2).

use std::sync::Arc;

use queuecast_workload::{Seconds, Submission};
use rustc_hash::FxHashMap;

use super::{Category, IntervalEstimate, Key, StudentQuantiles, TemplateLearner, TemplateSet};
use crate::RuntimeModel;

/// Predicts what the surest category says that a job falls into.
#[derive(Clone, Debug)]
pub struct Templates {
    templates: Vec<(TemplateLearner, FxHashMap<Key, Category>)>,
}

impl Templates {
    /// A model that has seen nothing yet.
    pub fn new(set: &TemplateSet) -> Self {
        let quantiles = Arc::new(StudentQuantiles::new());
        let learner = |template| TemplateLearner::new(template, set.selection, Arc::clone(&quantiles));
        let templates = set.templates.iter().map(|&template| (learner(template), FxHashMap::default()));
        Self { templates: templates.collect() }
    }

    /// The surest estimate for this job; of equally sure ones, that of the first template.
    pub fn estimate(&self, job: &Submission) -> Option<IntervalEstimate> {
        let estimates = self.templates.iter().filter_map(|(learner, categories)| {
            let category = categories.get(&learner.template().category_key(job)?)?;
            learner.estimate(category, job)
        });
        // `reduce`, and not `min_by`, says which of two equal ones stays.
        estimates
            .reduce(|surest, other| if other.half_width_seconds < surest.half_width_seconds { other } else { surest })
    }
}

impl RuntimeModel for Templates {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.estimate(job).map(|estimate| estimate.prediction())
    }

    fn learn(&mut self, job: &Submission, run: Seconds) {
        for (learner, categories) in &mut self.templates {
            if let Some(key) = learner.template().category_key(job) {
                learner.learn(categories.entry(key).or_default(), job, run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{QueueId, UserId};

    use super::*;
    use crate::submissions::job_of;

    fn job(user: Option<u32>, queue: u32) -> Submission {
        Submission { limit: None, user: user.map(UserId), queue: Some(QueueId(queue)), ..job_of(0) }
    }

    fn model(set: &str, past: &[(u32, u32, i64)]) -> Templates {
        let mut model = Templates::new(&set.parse().expect(set));
        for &(user, queue, run) in past {
            model.learn(&job(Some(user), queue), Seconds(run));
        }
        model
    }

    #[test]
    fn the_narrowest_interval_is_believed() {
        let past = [(1, 7, 100), (2, 7, 900), (1, 8, 110), (2, 8, 5_000)];
        let model = model("(q)/(u)", &past);
        assert_eq!(model.predict(&job(Some(1), 7)), Some(Seconds(105)));
        assert_eq!(model.predict(&job(Some(2), 7)), Some(Seconds(500)));
    }

    #[test]
    fn of_equally_sure_templates_the_first_is_believed() {
        let past = [(1, 7, 10), (1, 8, 10), (2, 7, 20), (2, 8, 20), (3, 9, 30), (3, 9, 30)];
        assert_eq!(model("(u)/(q,u)", &past).predict(&job(Some(3), 9)), Some(Seconds(30)));
        let past = [(1, 8, 10), (1, 8, 10), (2, 7, 20), (2, 7, 20)];
        assert_eq!(model("(u)/(q)", &past).predict(&job(Some(1), 7)), Some(Seconds(10)));
        assert_eq!(model("(q)/(u)", &past).predict(&job(Some(1), 7)), Some(Seconds(20)));
    }

    #[test]
    fn a_job_that_lacks_a_characteristic_is_neither_predicted_nor_learnt_from() {
        let mut model = model("(u)", &[(1, 7, 10), (1, 7, 20)]);
        assert_eq!(model.predict(&job(None, 7)), None);
        model.learn(&job(None, 7), Seconds(90));
        model.learn(&job(None, 7), Seconds(90));
        assert_eq!(model.predict(&job(None, 7)), None);
        assert_eq!(model.predict(&job(Some(1), 7)), Some(Seconds(15)));
    }

    #[test]
    fn nothing_is_predicted_before_anything_ended() {
        assert_eq!(model("()/(u)", &[]).predict(&job(Some(1), 7)), None);
        assert_eq!(model("()/(u)", &[(1, 7, 10)]).predict(&job(Some(1), 7)), None);
    }

    /// E-S2.8. User 1's jobs run for about 500 s; two in queue 7 happened to run for 5,000 s. Queues tell nothing here,
    /// which the template of queues has had occasion to find out.
    #[test]
    fn two_equal_run_times_win_by_the_papers_rule_and_not_by_the_shrunk_one() {
        let mut past: Vec<(u32, u32, i64)> =
            (0..40).map(|index| (1, 8 + index % 2, 490 + i64::from(index % 20))).collect();
        past.extend((0..40).map(|index| (2, 8 + index % 2, if index % 4 < 2 { 5 } else { 50_000 })));
        past.extend([(2, 7, 5_000), (2, 7, 5_000)]);
        let asked = job(Some(1), 7);
        assert_eq!(model("(q)/(u)", &past).predict(&asked), Some(Seconds(5_000)));
        assert_eq!(model("shrunk/(q)/(u)", &past).predict(&asked), Some(Seconds(500)));
    }
}
