//! Slurm's settings, as far as they are played.

use queuecast_records::ClusterConfiguration;
use queuecast_schedule::slurm::{Lumps, SlurmSettings};

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

#[cfg(test)]
mod tests {
    use queuecast_records::Diagnostics;
    use queuecast_workload::Seconds;

    use super::*;

    #[test]
    fn backfill_is_played_no_deeper_than_it_gets_and_as_much_later_as_a_pass_takes() {
        let played = |depth: u64, queue: u64| {
            let mut reach = Reach::default();
            reach.see(&Diagnostics {
                backfill_depth_last: Some(depth),
                backfill_queue: queue,
                backfill_cycle_mean_microseconds: 12_000_000,
                ..Diagnostics::default()
            });
            let settings = settings(None, 1, &reach);
            (settings.jobs_tested, settings.backfill_interval)
        };
        assert_eq!(played(40, 90), (40, Seconds(42)));
        assert_eq!(played(90, 90), (500, Seconds(42)), "to the end of the queue: as configured");
        assert_eq!(played(900, 950).0, 500, "never deeper than configured");
    }
}
