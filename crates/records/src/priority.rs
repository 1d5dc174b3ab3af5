//! How a cluster ranks its jobs: the settings of `priority/multifactor`.
//!
//! For: computing a priority as Slurm does, for jobs that exist and jobs that do not.
//!
//! Not for: computing it; the factors of one job; the shares and usage it comes from ([`super::ShareRecord`]).
//!
//! Source: slurm.conf(5) of 22.05, `Priority*`; `scontrol show config` of 22.05.8 in our lab. Defaults are Slurm's.

use queuecast_workload::Seconds;

use super::TresWeights;

/// How jobs are ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityConfiguration {
    /// Whether `priority/multifactor` is used; else the order of submission counts, and nothing of what follows.
    pub multifactor: bool,
    /// After how long usage counts half (`PriorityDecayHalfLife`); `None`: it never decays.
    pub decay_half_life: Option<Seconds>,
    /// How often usage is decayed and priorities are computed anew (`PriorityCalcPeriod`).
    pub calculation_period: Seconds,
    /// The age at which a job is as old as it gets (`PriorityMaxAge`).
    pub max_age: Seconds,
    /// Whether small jobs gain by their size and not large ones (`PriorityFavorSmall`).
    pub favors_small: bool,
    /// When usage is forgotten, in Slurm's word (`PriorityUsageResetPeriod`): `NONE`, `WEEKLY`.
    pub usage_reset_period: String,
    /// By how much overuse is softened (`FairShareDampeningFactor`); not with fair tree.
    pub fair_share_dampening: u32,
    /// What each factor is worth.
    pub weights: PriorityWeights,
    /// What is done otherwise.
    pub flags: PriorityFlags,
    /// The plug-in that adds a factor of the site's own; empty for none.
    pub site_factor_plugin: String,
}

impl Default for PriorityConfiguration {
    fn default() -> Self {
        const WEEK: Seconds = Seconds(7 * 86_400);
        Self {
            multifactor: false,
            decay_half_life: Some(WEEK),
            calculation_period: Seconds(300),
            max_age: WEEK,
            favors_small: false,
            usage_reset_period: "NONE".to_owned(),
            fair_share_dampening: 1,
            weights: PriorityWeights::default(),
            flags: PriorityFlags::default(),
            site_factor_plugin: String::new(),
        }
    }
}

/// What each factor, between 0 and 1, is multiplied by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriorityWeights {
    /// How long the job was eligible.
    pub age: u64,
    /// The association's priority.
    pub association: u64,
    /// How much less was used than is one's share.
    pub fair_share: u64,
    /// How large the job is.
    pub job_size: u64,
    /// The partition's `PriorityJobFactor`.
    pub partition: u64,
    /// The quality of service's priority.
    pub qos: u64,
    /// What the job asks of each resource.
    pub tres: TresWeights,
}

/// `PriorityFlags`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "Slurm's own flags, each by itself")]
pub struct PriorityFlags {
    /// `ACCRUE_ALWAYS`: age grows while a job is not eligible, too.
    pub accrue_always: bool,
    /// `CALCULATE_RUNNING`: running jobs are ranked, too.
    pub calculate_running: bool,
    /// `DEPTH_OBLIVIOUS`: classic fair share that does not punish depth.
    pub depth_oblivious: bool,
    /// `NO_FAIR_TREE`: classic fair share.
    pub no_fair_tree: bool,
    /// `INCR_ONLY`: priorities never fall.
    pub incremental_only: bool,
    /// `MAX_TRES`: what is billed of a node is its dearest resource, not the sum.
    pub max_tres: bool,
    /// `MAX_TRES_GRES`: the dearest, and generic resources on top; from 23.11.
    pub max_tres_gres: bool,
    /// `NO_NORMAL_ASSOC`: the association's priority counts as it is, not as a part of the highest.
    pub no_normal_association: bool,
    /// `NO_NORMAL_PART`: so does the partition's.
    pub no_normal_partition: bool,
    /// `NO_NORMAL_QOS`: so does the quality of service's.
    pub no_normal_qos: bool,
    /// `NO_NORMAL_TRES`: so do resources.
    pub no_normal_tres: bool,
    /// `SMALL_RELATIVE_TO_TIME`: a job's size is its CPUs by its limit.
    pub small_relative_to_time: bool,
}

impl PriorityFlags {
    /// The flags of Slurm's text, in any case. A word that is not known is passed over: `FAIR_TREE` is what there is anyway.
    pub fn of(text: &str) -> Self {
        let mut flags = Self::default();
        for word in text.split(',') {
            match word.trim().to_ascii_uppercase().as_str() {
                "ACCRUE_ALWAYS" => flags.accrue_always = true,
                "CALCULATE_RUNNING" => flags.calculate_running = true,
                // Depth-oblivious is a kind of classic fair share: Slurm leaves fair tree for it.
                "DEPTH_OBLIVIOUS" => (flags.depth_oblivious, flags.no_fair_tree) = (true, true),
                "NO_FAIR_TREE" => flags.no_fair_tree = true,
                "INCR_ONLY" => flags.incremental_only = true,
                "MAX_TRES" => flags.max_tres = true,
                "MAX_TRES_GRES" => flags.max_tres_gres = true,
                "NO_NORMAL_ASSOC" => flags.no_normal_association = true,
                "NO_NORMAL_PART" => flags.no_normal_partition = true,
                "NO_NORMAL_QOS" => flags.no_normal_qos = true,
                "NO_NORMAL_TRES" => flags.no_normal_tres = true,
                "NO_NORMAL_ALL" => {
                    (flags.no_normal_association, flags.no_normal_partition) = (true, true);
                    (flags.no_normal_qos, flags.no_normal_tres) = (true, true);
                }
                "SMALL_RELATIVE_TO_TIME" => flags.small_relative_to_time = true,
                _ => {}
            }
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fair_tree_is_what_there_is_unless_said_otherwise() {
        assert_eq!(PriorityFlags::of("FAIR_TREE"), PriorityFlags::default());
        assert_eq!(PriorityFlags::of(""), PriorityFlags::default());
        assert!(PriorityFlags::of("no_fair_tree").no_fair_tree);
        assert!(PriorityFlags::of("DEPTH_OBLIVIOUS").no_fair_tree);
        let flags = PriorityFlags::of("ACCRUE_ALWAYS,SMALL_RELATIVE_TO_TIME,NO_NORMAL_ALL,SOMETHING_NEW");
        assert!(flags.accrue_always && flags.small_relative_to_time && flags.no_normal_qos && flags.no_normal_tres);
        assert!(!flags.no_fair_tree && !flags.max_tres && !flags.calculate_running);
    }
}
