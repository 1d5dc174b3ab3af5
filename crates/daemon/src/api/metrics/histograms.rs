//! Durations that were counted elsewhere, written as Prometheus reads histograms.
//!
//! `prometheus-client` has histograms of its own, which must be told each duration; these were counted by the core, which knows nothing of it.

use std::fmt;

use prometheus_client::encoding::{EncodeLabelSet, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use queuecast_site::observed::Histogram;

/// Histograms with their labels.
#[derive(Debug)]
pub(super) struct Histograms<L>(pub Vec<(L, Histogram)>);

impl<L: EncodeLabelSet + fmt::Debug> EncodeMetric for Histograms<L> {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        for (labels, histogram) in &self.0 {
            let buckets: Vec<_> = histogram.buckets().collect();
            encoder.encode_family(labels)?.encode_histogram::<NoLabelSet>(
                histogram.sum_seconds(),
                histogram.count(),
                &buckets,
                None,
            )?;
        }
        Ok(())
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Histogram
    }
}
