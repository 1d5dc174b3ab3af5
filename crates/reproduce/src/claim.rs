//! One claim of a paper beside what was measured, and whether it holds.

use queuecast_evaluate::{Replicates, Spread};
use serde::{Serialize, Serializer};

/// The claims of one table, or of one paragraph.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Table {
    /// What it is about.
    #[serde(skip)]
    pub title: String,
    /// Its lines.
    pub claims: Vec<Claim>,
}

/// What a paper says, and what was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// Where it stands in the paper.
    pub table: String,
    /// What is claimed, in words.
    pub claim: String,
    /// The unit of the figures: `%`, `min`, `jobs`.
    pub unit: &'static str,
    /// The figure the paper gives, where it gives one.
    pub published: Option<f64>,
    /// Over replicates, in the paper's unit.
    #[serde(flatten)]
    pub measured: Measured,
    /// Whether it holds.
    #[serde(serialize_with = "verdict_word")]
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// The same figure on each trace.
    pub traces: Vec<OnTrace>,
}

/// A measured figure with the interval of its mean over replicates; both ends are the figure itself where it is counted
/// or follows from the log alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The mean over replicates.
    pub measured: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low95: Option<f64>,
    /// Upper end.
    pub high95: Option<f64>,
}

/// A figure on one trace.
#[derive(Clone, Debug, Serialize)]
pub struct OnTrace {
    /// Which.
    pub trace: String,
    /// The figure there.
    #[serde(flatten)]
    pub measured: Measured,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not reproduce.
    Fails,
    /// It cannot be tested with the logs there are.
    NotTestable,
}

impl Verdict {
    /// As it stands in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::NotTestable => "not testable",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn verdict_word<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}

impl Measured {
    /// Nothing.
    pub const NOTHING: Self = Self { measured: None, low95: None, high95: None };

    /// A figure without noise.
    pub fn exactly(value: f64) -> Self {
        Self { measured: Some(value), low95: Some(value), high95: Some(value) }
    }

    /// Whether the interval has zero outside.
    fn is_beyond_zero(&self) -> bool {
        matches!((self.low95, self.high95), (Some(low), Some(high)) if low > 0.0 || high < 0.0)
    }

    /// Over replicates.
    pub fn over(replicates: &Replicates) -> Self {
        let Spread { mean, low95, high95, .. } = replicates.spread();
        let finite = |value: f64| value.is_finite().then_some(value);
        Self { measured: finite(mean), low95: finite(low95), high95: finite(high95) }
    }
}

impl Claim {
    /// A published figure: it holds if the measured one goes the same way beyond its interval, and is as large give or
    /// take a tenth of the published one or five of its units, whichever is more. The tolerance is for what no paper says
    /// of its simulator (cleaning, machine size, ties); the interval only covers the noise of the schedule.
    pub fn of_figure(
        table: &str,
        claim: String,
        unit: &'static str,
        published: f64,
        measured: Measured,
        traces: Vec<OnTrace>,
    ) -> Self {
        let tolerance = (published.abs() / 10.0).max(5.0);
        let (verdict, reason) = match measured.measured {
            None => (Verdict::NotTestable, "nothing was measured".to_owned()),
            Some(_) if published != 0.0 && !measured.is_beyond_zero() => {
                (Verdict::Fails, "no difference beyond the interval".to_owned())
            }
            Some(value) if published != 0.0 && value.signum() != published.signum() => {
                (Verdict::Fails, format!("the other way round, {:+.1} from the published figure", value - published))
            }
            Some(value) if (value - published).abs() <= tolerance => {
                (Verdict::Holds, format!("within {tolerance:.1} of the published figure"))
            }
            Some(value) => {
                let how = if value.abs() < published.abs() { "smaller" } else { "larger" };
                (
                    Verdict::Fails,
                    format!("the same way, but {how}: {:+.1} from the published figure", value - published),
                )
            }
        };
        Self { table: table.to_owned(), claim, unit, published: Some(published), measured, verdict, reason, traces }
    }

    /// A published figure of a random workload: it holds if the measured mean is within the tolerance.
    pub fn of_band(
        table: &str,
        claim: &str,
        unit: &'static str,
        published: f64,
        tolerance: f64,
        measured: Measured,
    ) -> Self {
        let (verdict, reason) = match measured.measured {
            None => (Verdict::NotTestable, "nothing was measured".to_owned()),
            Some(value) if (value - published).abs() <= tolerance => {
                (Verdict::Holds, format!("within {tolerance:.2} of the published figure"))
            }
            Some(value) => {
                (Verdict::Fails, format!("{:+.2} from the published figure, {tolerance:.2} allowed", value - published))
            }
        };
        let (table, claim) = (table.to_owned(), claim.to_owned());
        Self { table, claim, unit, published: Some(published), measured, verdict, reason, traces: Vec::new() }
    }

    /// A claim that is true or not; `holds` says which, and `reason` by what rule.
    pub fn of_statement(
        table: &str,
        claim: &str,
        unit: &'static str,
        published: Option<f64>,
        measured: Measured,
        (holds, reason): (bool, String),
        traces: Vec<OnTrace>,
    ) -> Self {
        let verdict = if holds { Verdict::Holds } else { Verdict::Fails };
        Self { table: table.to_owned(), claim: claim.to_owned(), unit, published, measured, verdict, reason, traces }
    }

    /// A claim these logs cannot test.
    pub fn not_testable(table: &str, claim: &str, unit: &'static str, published: Option<f64>, reason: &str) -> Self {
        Self {
            table: table.to_owned(),
            claim: claim.to_owned(),
            unit,
            published,
            measured: Measured::NOTHING,
            verdict: Verdict::NotTestable,
            reason: reason.to_owned(),
            traces: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(published: f64, measured: f64) -> Verdict {
        let measured = Measured::exactly(measured);
        Claim::of_figure("T", "c".to_owned(), "%", published, measured, Vec::new()).verdict
    }

    #[test]
    fn a_figure_holds_within_a_tenth_or_five() {
        assert_eq!(verdict(22.0, 17.0), Verdict::Holds);
        assert_eq!(verdict(22.0, 16.9), Verdict::Fails);
        assert_eq!(verdict(176.0, 193.0), Verdict::Holds);
        assert_eq!(verdict(176.0, 194.0), Verdict::Fails);
        assert_eq!(verdict(8.0, -4.0), Verdict::Fails);
        assert_eq!(verdict(0.0, 3.0), Verdict::Holds);
    }

    #[test]
    fn a_small_figure_does_not_hold_by_being_near_zero() {
        let noise = Measured { measured: Some(0.4), low95: Some(-0.3), high95: Some(1.1) };
        let claim = Claim::of_figure("T", "c".to_owned(), "%", 5.0, noise, Vec::new());
        assert_eq!(claim.verdict, Verdict::Fails);
        assert!(claim.reason.contains("beyond the interval"));
    }

    #[test]
    fn a_band_is_as_wide_as_it_says() {
        let verdict = |measured| Claim::of_band("T", "c", "min", 13.8, 1.4, Measured::exactly(measured)).verdict;
        assert_eq!([12.5, 15.1].map(verdict), [Verdict::Holds; 2]);
        assert_eq!([12.3, 15.3].map(verdict), [Verdict::Fails; 2]);
    }

    #[test]
    fn json_has_the_names_of_the_contract() {
        let claim = Claim::of_figure("T", "c".to_owned(), "%", 5.0, Measured::exactly(6.0), Vec::new());
        let json = serde_json::to_value(&claim).unwrap();
        for name in ["claim", "published", "measured", "low95", "high95", "verdict", "reason"] {
            assert!(json.get(name).is_some(), "{name} in {json}");
        }
        assert_eq!(json["verdict"], "holds");
    }
}
