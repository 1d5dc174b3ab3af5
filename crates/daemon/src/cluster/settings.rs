//! Slurm's settings, as far as they are played.

use queuecast_schedule::slurm::{Lumps, SlurmSettings};
use queuecast_slurm::record::ClusterConfiguration;

use super::reach::Reach;

/// As they are configured and as far as backfill gets; Slurm's own defaults where that is not known. With a limit on the reservations
/// of a partition (`bf_job_part_count_reserve`) there are as many for all partitions together.
pub fn settings(configuration: Option<&ClusterConfiguration>, partitions: usize, reach: &Reach) -> SlurmSettings {
    let configured = configured(configuration, partitions);
    SlurmSettings {
        backfill_interval: configured.backfill_interval + reach.pass(),
        jobs_tested: configured.jobs_tested.min(reach.jobs().unwrap_or(usize::MAX)),
        ..configured
    }
}

fn configured(configuration: Option<&ClusterConfiguration>, partitions: usize) -> SlurmSettings {
    let Some(configuration) = configuration else { return SlurmSettings::default() };
    let backfill = &configuration.backfill;
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    SlurmSettings {
        backfill_interval: backfill.interval,
        window: backfill.window,
        resolution: backfill.resolution,
        lumps: Lumps { longer_by: backfill.window_linear, ..Lumps::default() },
        jobs_tested: count(backfill.jobs_tested_max),
        main_depth: count(configuration.main_depth).max(1),
        reservations: backfill
            .reservations_per_partition
            .map_or(usize::MAX, |each| (each as usize).saturating_mul(partitions.max(1))),
        backfills: backfill.is_on,
    }
}
