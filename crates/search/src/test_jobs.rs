//! Small random workloads. Tests only.

use queuecast_workload::{
    GroupId, JobId, PartitionId, ProgramId, QueueId, Recorded, Request, Seconds, Status, Submission, Time, TracedJob,
    UserId,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Jobs of few users in few queues, crowded in time, with labels, limits and waits that are sometimes unknown.
pub fn random(count: u64, seed: u64) -> Vec<TracedJob> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut submitted = 0;
    let mut job = |number: u64| {
        submitted += generator.random_range(0..20_i64);
        let mut label = |values: u32| {
            let value = generator.random_range(0..=values);
            (value < values).then_some(value)
        };
        let (user, group, program, queue, partition) = (label(5), label(3), label(9), label(4), label(2));
        // A user's run times have something in common.
        let usual = 10 + 40 * i64::from(user.unwrap_or(7));
        let run = usual + generator.random_range(0..usual);
        TracedJob {
            number: number.cast_signed(),
            submission: Submission {
                job: JobId(number),
                submitted: Time(submitted),
                request: Request { processors: generator.random_range(1..17) },
                limit: generator.random_bool(0.8).then(|| Seconds(run + 100 * generator.random_range(0..5))),
                user: user.map(UserId),
                group: group.map(GroupId),
                program: program.map(ProgramId),
                queue: queue.map(QueueId),
                partition: partition.map(PartitionId),
            },
            recorded: Recorded {
                wait: generator.random_bool(0.9).then(|| Seconds(generator.random_range(0..100))),
                run: Seconds(run),
                status: Status::Completed,
            },
        }
    };
    (0..count).map(&mut job).collect()
}
