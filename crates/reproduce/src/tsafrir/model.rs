//! The models that are compared (R-E11), and ours.

use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{
    Deal, EstimateDistribution, EstimateError, EstimateOptions, EstimateShare, EstimateStock, Repetition,
    assign_in_sessions, by_accuracy, by_factor, doubled,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::workload::Workload;

/// Where the phi-model cuts estimates (section 1.2).
const FEITELSON_MAXIMUM: Seconds = Seconds(24 * 3600);

/// A way to come by estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Model {
    /// The log's own.
    Original,
    /// Twice the log's own.
    Doubled,
    /// Up to that many times the run time more.
    Factor(u16),
    /// The phi-model, with the log's own share of exact estimates.
    Feitelson,
    /// The log's own, shuffled.
    Shuffled,
    /// The paper's, told how popular the longest is.
    Vanilla,
    /// The paper's, told up to three more.
    Improved,
    /// The log's own, dealt to users who repeat themselves.
    SessionsShuffled,
    /// The same, but they never return to what they had before their last.
    SessionsForgetful,
    /// The log's own, dealt to users who repeat themselves as often as those of the other logs on average.
    SessionsTransferred,
    /// The paper's, dealt to users who repeat themselves.
    SessionsVanilla,
    /// The same, told more.
    SessionsImproved,
}

impl Model {
    /// All.
    pub const ALL: [Self; 17] = [
        Self::Original,
        Self::Doubled,
        Self::Shuffled,
        Self::Factor(0),
        Self::Factor(1),
        Self::Factor(3),
        Self::Factor(10),
        Self::Factor(100),
        Self::Factor(300),
        Self::Feitelson,
        Self::Vanilla,
        Self::Improved,
        Self::SessionsShuffled,
        Self::SessionsForgetful,
        Self::SessionsTransferred,
        Self::SessionsVanilla,
        Self::SessionsImproved,
    ];

    /// The models that make estimates from run times alone, which the paper's competes with.
    pub const RIVALS: [Self; 7] = [
        Self::Factor(0),
        Self::Factor(1),
        Self::Factor(3),
        Self::Factor(10),
        Self::Factor(100),
        Self::Factor(300),
        Self::Feitelson,
    ];

    /// As reports call it.
    pub fn name(self) -> String {
        let name = match self {
            Self::Original => "original",
            Self::Doubled => "X2",
            Self::Factor(factor) => return format!("f{factor}"),
            Self::Feitelson => "feit",
            Self::Shuffled => "shfl",
            Self::Vanilla => "vanl",
            Self::Improved => "impr",
            Self::SessionsShuffled => "shfl in sessions",
            Self::SessionsForgetful => "shfl in sessions, no vocabulary",
            Self::SessionsTransferred => "shfl in sessions, rates of other logs",
            Self::SessionsVanilla => "vanl in sessions",
            Self::SessionsImproved => "impr in sessions",
        };
        name.to_owned()
    }

    /// Whether the seed makes no difference.
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Original | Self::Doubled | Self::Factor(0))
    }

    /// An estimate for every job. `elsewhere` is how often users of other logs repeat themselves.
    pub fn estimates(
        self,
        workload: &Workload,
        elsewhere: Repetition,
        seed: u64,
    ) -> Result<Vec<Seconds>, EstimateError> {
        let mut generator = Pcg64::seed_from_u64(seed);
        let own = EstimateStock::of(&workload.estimates.iter().copied().collect());
        let runs = workload.users_jobs.iter().map(|job| job.run_time);
        Ok(match self {
            Self::Original => workload.estimates.clone(),
            Self::Doubled => runs.zip(&workload.estimates).map(|(run, &estimate)| doubled(run, estimate)).collect(),
            Self::Factor(factor) => runs.map(|run| by_factor(run, f64::from(factor), &mut generator)).collect(),
            Self::Feitelson => {
                let share = workload.exact_share;
                runs.map(|run| by_accuracy(run, share, FEITELSON_MAXIMUM, &mut generator)).collect()
            }
            Self::Shuffled => dealt(workload, own, &mut generator),
            Self::Vanilla | Self::Improved => {
                let stock = self.drawn(workload, &mut generator)?;
                dealt(workload, stock, &mut generator)
            }
            Self::SessionsShuffled => in_sessions(workload, &own, workload.repetition, &mut generator),
            Self::SessionsForgetful => {
                let forgetful = Repetition { recalled: 0.0, ..workload.repetition };
                in_sessions(workload, &own, forgetful, &mut generator)
            }
            Self::SessionsTransferred => in_sessions(workload, &own, elsewhere, &mut generator),
            Self::SessionsVanilla | Self::SessionsImproved => {
                let stock = self.drawn(workload, &mut generator)?;
                in_sessions(workload, &stock, workload.repetition, &mut generator)
            }
        })
    }

    fn drawn(self, workload: &Workload, generator: &mut Pcg64) -> Result<EstimateStock, EstimateError> {
        let told = match self {
            Self::Vanilla | Self::SessionsVanilla => &workload.vanilla,
            _ => &workload.improved,
        };
        let distribution = modelled(workload, told, generator)?;
        Ok(EstimateStock::draw(&workload.run_times, &distribution, generator))
    }
}

/// The paper's distribution for a log of which so much is told.
pub fn modelled(
    workload: &Workload,
    told: &[EstimateShare],
    generator: &mut Pcg64,
) -> Result<EstimateDistribution, EstimateError> {
    let mut options = EstimateOptions::new(workload.maximum, workload.jobs.len());
    options.supplied.extend(told);
    EstimateDistribution::generate(&options, generator)
}

fn dealt(workload: &Workload, stock: EstimateStock, generator: &mut Pcg64) -> Vec<Seconds> {
    const WHY: &str = "every run time has an estimate in the pool";
    let mut deal = Deal::new(&workload.run_times, stock, generator).expect(WHY);
    workload.users_jobs.iter().map(|job| deal.fetch(job.run_time, generator).expect(WHY)).collect()
}

fn in_sessions(
    workload: &Workload,
    stock: &EstimateStock,
    repetition: Repetition,
    generator: &mut Pcg64,
) -> Vec<Seconds> {
    assign_in_sessions(&workload.users_jobs, stock, &repetition, generator)
        .expect("every run time has an estimate in the pool")
}
