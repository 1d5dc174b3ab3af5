//! What each template says about each job: computed once a template, kept while it is in use.
//!
//! Memory: 16 bytes a job and template held, and 4 bytes a job and way of sorting jobs into categories.

use std::num::NonZeroU32;
use std::sync::Arc;

use queuecast_predict::templates::{
    Category, Characteristics, IntervalEstimate, Selection, StudentQuantiles, Template, TemplateLearner,
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Workload;
use crate::workload::Event;

/// In place of an estimate: whatever else there is, is surer.
const NONE: IntervalEstimate = IntervalEstimate { run_seconds: f64::NAN, half_width_seconds: f64::INFINITY };
/// The category of jobs that fall into none.
const NO_CATEGORY: u32 = u32::MAX;

/// What one template says about each job at the moment when the job is predicted.
#[derive(Clone, Debug)]
pub struct Column(Vec<IntervalEstimate>);

impl Column {
    /// The surest of several estimates for a job; of equally sure ones, the first.
    pub fn surest(columns: &[&Self], job: usize) -> Option<IntervalEstimate> {
        let mut surest = NONE;
        for column in columns {
            let estimate = column.0[job];
            if estimate.half_width_seconds < surest.half_width_seconds {
                surest = estimate;
            }
        }
        (surest.half_width_seconds < f64::INFINITY).then_some(surest)
    }
}

/// What decides which jobs share a category, whatever is made of it.
type Sorting = (Characteristics, Option<NonZeroU32>);

fn sorting(template: &Template) -> Sorting {
    (template.characteristics, template.processors_range)
}

/// The columns of the templates in use, over one workload and under one rule of selection.
#[derive(Debug)]
pub struct Columns<'w> {
    workload: &'w Workload,
    selection: Selection,
    quantiles: Arc<StudentQuantiles>,
    /// The number of each job's category.
    categories: FxHashMap<Sorting, Vec<u32>>,
    held: FxHashMap<Template, Column>,
}

impl<'w> Columns<'w> {
    /// None yet.
    pub fn new(workload: &'w Workload, selection: Selection) -> Self {
        Self {
            workload,
            selection,
            quantiles: Arc::default(),
            categories: FxHashMap::default(),
            held: FxHashMap::default(),
        }
    }

    /// Holds the columns of these templates and no others, computing those it does not hold yet.
    pub fn hold(&mut self, templates: &FxHashSet<Template>) {
        let sortings: FxHashSet<Sorting> = templates.iter().map(sorting).collect();
        self.categories.retain(|sorting, _| sortings.contains(sorting));
        self.held.retain(|template, _| templates.contains(template));

        let missing: Vec<Sorting> =
            sortings.into_iter().filter(|sorting| !self.categories.contains_key(sorting)).collect();
        let numbers: Vec<Vec<u32>> = missing.par_iter().map(|sorting| self.number_categories(*sorting)).collect();
        self.categories.extend(missing.into_iter().zip(numbers));

        let missing: Vec<Template> =
            templates.iter().filter(|template| !self.held.contains_key(template)).copied().collect();
        let columns: Vec<Column> = missing.par_iter().map(|template| self.live_through(template)).collect();
        self.held.extend(missing.into_iter().zip(columns));
    }

    /// The columns of a set whose templates are held.
    pub fn of<'t>(&self, set: impl IntoIterator<Item = &'t Template>) -> Vec<&Column> {
        set.into_iter().map(|template| &self.held[template]).collect()
    }

    fn number_categories(&self, (characteristics, processors_range): Sorting) -> Vec<u32> {
        let template = Template { characteristics, processors_range, ..Template::default() };
        let mut numbers = FxHashMap::default();
        let mut number = |key| {
            let next = u32::try_from(numbers.len()).expect("there are no more categories than jobs");
            *numbers.entry(key).or_insert(next)
        };
        let keys = self.workload.jobs.iter().map(|job| template.category_key(&job.submission));
        keys.map(|key| key.map_or(NO_CATEGORY, &mut number)).collect()
    }

    fn live_through(&self, template: &Template) -> Column {
        let numbers = &self.categories[&sorting(template)];
        let last = numbers.iter().filter(|number| **number != NO_CATEGORY).max();
        let mut categories = vec![Category::default(); last.map_or(0, |last| *last as usize + 1)];
        let mut learner = TemplateLearner::new(*template, self.selection, Arc::clone(&self.quantiles));
        let mut column = vec![NONE; self.workload.jobs.len()];
        for event in &self.workload.events {
            let (Event::Ended(index) | Event::Predicted(index)) = *event;
            let index = index as usize;
            let Some(category) = categories.get_mut(numbers[index] as usize) else { continue };
            let job = &self.workload.jobs[index];
            match event {
                Event::Ended(_) => learner.learn(category, &job.submission, job.run),
                Event::Predicted(_) => column[index] = learner.estimate(category, &job.submission).unwrap_or(NONE),
            }
        }
        Column(column)
    }
}

#[cfg(test)]
mod tests {
    use queuecast_predict::RuntimeModel;
    use queuecast_predict::templates::{TemplateSet, Templates};

    use super::*;
    use crate::{AskedAt, test_jobs};

    fn templates(set: &TemplateSet) -> FxHashSet<Template> {
        set.templates.iter().copied().collect()
    }

    #[test]
    fn a_set_says_of_every_job_what_the_live_model_says() {
        let sets = [
            "()",
            "(u)/(q,u,n=4)/(u,lr)",
            "(u,mh=2)/(g,mh=8,lr)/(q,p,rel,inv)/(l,n=2,log)/(e,u,mh=4)/(mean,rel)",
            "shrunk/(u,mh=2)/(g,mh=8,lr)/(q,p,rel,inv)/(l,n=2,log)/(e,u,mh=4)/(mean,rel)",
        ];
        for seed in 0..20 {
            for asked_at in [AskedAt::Submission, AskedAt::Start] {
                let workload = Workload::new(&test_jobs::random(300, seed), asked_at);
                for set in sets {
                    let set: TemplateSet = set.parse().unwrap();
                    let mut columns = Columns::new(&workload, set.selection);
                    columns.hold(&templates(&set));
                    let columns = columns.of(&set.templates);
                    let mut live = Templates::new(&set);
                    for event in &workload.events {
                        match *event {
                            Event::Ended(index) => {
                                let job = &workload.jobs[index as usize];
                                live.learn(&job.submission, job.run);
                            }
                            Event::Predicted(index) => {
                                let said = live.estimate(&workload.jobs[index as usize].submission);
                                assert_eq!(Column::surest(&columns, index as usize), said, "job {index} by {set}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn columns_that_are_no_longer_in_use_are_dropped() {
        let workload = Workload::new(&test_jobs::random(100, 1), AskedAt::Start);
        let mut columns = Columns::new(&workload, Selection::Smallest);
        columns.hold(&templates(&"(u)/(u,lr)/(q)".parse().unwrap()));
        assert_eq!((columns.held.len(), columns.categories.len()), (3, 2));
        columns.hold(&templates(&"(u,lr)/(mh=2)".parse().unwrap()));
        assert_eq!((columns.held.len(), columns.categories.len()), (2, 2));
    }
}
