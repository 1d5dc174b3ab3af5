//! A template: which jobs count as similar, what is remembered of them and how an estimate is made of it (R-S1).

use std::num::{NonZeroU32, NonZeroUsize};

use queuecast_workload::Submission;

use super::{Characteristic, Characteristics};

/// One definition of similarity, with the way a category of similar jobs is turned into an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template {
    /// What similar jobs have in common. A job of which one of these is unknown is similar to none.
    pub characteristics: Characteristics,
    /// Processors need only fall into the same range: with 4, 1 to 4, 5 to 8 and so on. `None`: any number.
    pub processors_range: Option<NonZeroU32>,
    /// How many of the last similar jobs count. `None`: all.
    pub maximum_history: Option<NonZeroUsize>,
    /// What is remembered of a job.
    pub data: Data,
    /// How remembered jobs become an estimate.
    pub estimator: Estimator,
}

/// What is remembered of an ended job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Data {
    /// `act`: its run time.
    #[default]
    Actual,
    /// `rel`: its run time as a share of its limit; nothing, for a job without one.
    Relative,
}

/// How the remembered jobs of a category become an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Estimator {
    /// `mean`: their mean.
    #[default]
    Mean,
    /// `lr`: a line over the processors.
    Linear,
    /// `inv`: a line over one by the processors.
    Inverse,
    /// `log`: a line over the logarithm of the processors.
    Logarithmic,
    /// `med`: their median. Not the paper's: errors are judged by their size and not by their square, and the median is
    /// what makes those smallest. It remembers its last 65,536 jobs where nothing else is said.
    Median,
}

/// Which of a template's categories a job falls into. Keys of different templates are not comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// In the order of [`Characteristic::ALL`]; zero for those the template does not ask for.
    labels: [u64; Characteristic::ALL.len()],
    processors_range: u64,
}

impl Template {
    /// The category of this job; `None` where one of the template's characteristics is unknown, or the limit that
    /// relative data needs.
    pub fn category_key(&self, job: &Submission) -> Option<Key> {
        if self.data == Data::Relative && job.limit.is_none() {
            return None;
        }
        let mut labels = [0; Characteristic::ALL.len()];
        for (label, characteristic) in labels.iter_mut().zip(Characteristic::ALL) {
            if self.characteristics.contains(characteristic) {
                *label = characteristic.of(job)?;
            }
        }
        // Ranges begin at one processor; a job of none, should one come, is put with the smallest.
        let range = |size| job.request.processors.saturating_sub(1) / size;
        Some(Key { labels, processors_range: self.processors_range.map_or(0, range).into() })
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{QueueId, Request, Seconds, UserId};

    use super::*;
    use crate::submissions::job_of;

    fn job(processors: u32, user: Option<u32>, limit: Option<i64>) -> Submission {
        Submission {
            request: Request { processors },
            limit: limit.map(Seconds),
            user: user.map(UserId),
            queue: Some(QueueId(3)),
            ..job_of(0)
        }
    }

    fn key(template: &str, job: &Submission) -> Option<Key> {
        template.parse::<Template>().expect(template).category_key(job)
    }

    #[test]
    fn processors_share_a_category_by_ranges_that_begin_at_one() {
        let of = |processors| key("(u,n=4)", &job(processors, Some(1), None));
        assert_eq!(of(1), of(4));
        assert_ne!(of(4), of(5));
        assert_eq!(of(5), of(8));
        assert_eq!(of(0), of(1));
        let any = |processors| key("(u)", &job(processors, Some(1), None));
        assert_eq!(any(1), any(u32::MAX));
    }

    #[test]
    fn a_job_that_lacks_a_characteristic_is_in_no_category() {
        assert_eq!(key("(u)", &job(1, None, None)), None);
        assert_eq!(key("(q,g)", &job(1, Some(1), None)), None);
        assert!(key("(q)", &job(1, None, None)).is_some());
        assert!(key("()", &job(1, None, None)).is_some());
    }

    #[test]
    fn relative_data_needs_a_limit_as_the_limit_itself_does() {
        assert_eq!(key("(u,rel)", &job(1, Some(1), None)), None);
        assert_eq!(key("(u,l)", &job(1, Some(1), None)), None);
        assert_eq!(key("(u,rel)", &job(1, Some(1), Some(60))), key("(u,rel)", &job(1, Some(1), Some(90))));
        assert_ne!(key("(u,l)", &job(1, Some(1), Some(60))), key("(u,l)", &job(1, Some(1), Some(90))));
    }

    #[test]
    fn a_label_of_zero_is_a_label_like_any_other() {
        assert_ne!(key("(u)", &job(1, Some(0), None)), key("(u)", &job(1, Some(1), None)));
        assert_eq!(key("(q)", &job(1, Some(0), None)), key("(q)", &job(1, Some(1), None)));
    }
}
