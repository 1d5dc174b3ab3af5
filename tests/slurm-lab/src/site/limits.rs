//! The limits of the site: of qualities of service, of partitions, of accounts and of users; each such that it binds
//! now and then, and none such that a job of the stretch could never start.
//!
//! Source: sacctmgr(1), `resource_limits` of Slurm's documentation. A partition's quality of service goes before the job's, and
//! that before the association: were there a number of jobs for each user in `normal`, the one of an association would
//! never count (tried).

use super::accounts::USERS;
use crate::users;

/// The widest job the site takes: half of its CPU nodes.
const WIDEST_CPUS: u32 = 704;
/// `GrpTRES=cpu` of `astro`.
const CPUS_OF_ASTRO: u32 = 640;
/// `GrpTRES=cpu` of the institute `engineering`.
const CPUS_OF_ENGINEERING: u32 = 512;
/// `GrpTRESRunMins=cpu` of `cells`: a job as wide as is allowed there for 18 hours fits, a second one does not.
const CPU_MINUTES_OF_CELLS: u32 = 450_000;
/// `MaxTRESPU=cpu` of the quality of service `high`.
pub const CPUS_PER_USER_IN_HIGH: u32 = 256;
/// `MaxTRESPU=cpu` of the partition `debug`.
pub const CPUS_PER_USER_IN_DEBUG: u32 = 64;
/// `GrpTRES=cpu` of the partition `long`.
const CPUS_OF_LONG: u32 = 512;
/// `MaxTRESPU=gres/gpu` of the partition `gpu`.
pub const GPUS_PER_USER: u32 = 16;

/// `MaxJobs` of every eighth user.
const JOBS_OF_FEW: u32 = 8;

/// The widest job of an account.
pub fn widest_cpus(account: &str) -> u32 {
    match account {
        "astro" => CPUS_OF_ASTRO,
        "flow" | "structures" => CPUS_OF_ENGINEERING,
        // Times 18 hours it must stay below the account's CPU minutes.
        "cells" => 256,
        _ => WIDEST_CPUS,
    }
}

/// The widest job of the partition `long`: its limit, which may be as long as three days, counts too.
pub fn widest_cpus_in_long(account: &str) -> u32 {
    widest_cpus(account).min(CPUS_OF_LONG / 2)
}

/// The qualities of service, but for what counts GPUs. `history` is for the jobs before the stretch: it makes a minute of theirs count
/// as hours.
pub fn qualities_of_service() -> String {
    format!(
        "modify qos normal set MaxTRESPU=cpu={WIDEST_CPUS}
add qos high Priority=100 MaxJobsPU=4 MaxTRESPU=cpu={CPUS_PER_USER_IN_HIGH}
add qos history UsageFactor=200
add qos part_debug MaxJobsPU=2 MaxTRESPU=cpu={CPUS_PER_USER_IN_DEBUG}
add qos part_long MaxJobsPU=8 GrpTRES=cpu={CPUS_OF_LONG}
add qos part_gpu
"
    )
}

/// The limits that are set once the site is up.
pub fn orders() -> String {
    let few: Vec<String> = (1..=USERS).filter(|user| has_few_jobs(*user)).map(users::name).collect();
    format!(
        "modify qos part_gpu set MaxTRESPU=gres/gpu={GPUS_PER_USER}
modify account astro set GrpTRES=cpu={CPUS_OF_ASTRO}
modify account engineering set GrpTRES=cpu={CPUS_OF_ENGINEERING}
modify account cells set GrpTRESRunMins=cpu={CPU_MINUTES_OF_CELLS}
modify account genome set GrpJobs=16
modify user where name={} set MaxJobs={JOBS_OF_FEW}
",
        few.join(",")
    )
}

/// Whether the associations of a user, counted from one, let run few jobs only.
fn has_few_jobs(user: u32) -> bool {
    user.is_multiple_of(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_job_of_an_account_can_start_there() {
        assert!(widest_cpus("cells") * 18 * 60 <= CPU_MINUTES_OF_CELLS);
        assert_eq!(widest_cpus("astro"), CPUS_OF_ASTRO);
        assert!(widest_cpus_in_long("genome") <= CPUS_OF_LONG);
    }

    #[test]
    fn every_eighth_user_may_run_eight_jobs() {
        let few = "name=user08,user16,user24,user32,user40,user48,user56 set MaxJobs=8";
        assert!(orders().contains(few));
    }
}
