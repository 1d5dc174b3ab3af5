//! One claim beside what was measured, and whether it holds.
//!
//! One rule for all papers, declared before anything is run, and printed with every report ([`RULES`]): a printed figure is held to a band
//! around it, a direction to its sign, a bound to the bound, each with the whole 95 % interval. What the interval leaves open is
//! inconclusive, and neither counts for a paper nor against it.

use queuecast_evaluate::{Replicates, Spread};
use serde::{Serialize, Serializer};

/// How verdicts come about, for reports.
pub const RULES: &str = "A figure that the paper prints **holds** if the whole 95 % interval is inside a band around it. It **differs** if the whole interval is outside \
    the band or, for a change in per cent, on the other side of zero. The band is 10 % of the figure. For figures in per cent, it is at least five points, but at \
    most half of the figure and at least one point; for numbers without a unit, it is at least 0.1. For numbers that follow from a log alone, without simulation and \
    chance, it is 2 % of the figure and at least 1. A direction is judged by its sign and a bound by the bound (with half of its last printed digit as rounding), each \
    with the whole interval. If a claim has several parts, all of them must hold, and one part that differs is enough for the claim to differ. A claim is \
    **inconclusive** if the interval allows both.";

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

/// Whose claim it is, and on what it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The paper's, on the paper's own logs or workload.
    Paper,
    /// The paper's, on another log, window or machine than the paper's.
    StandIn,
    /// Ours.
    Ours,
}

impl Kind {
    /// In the order in which they are counted.
    pub const ALL: [Self; 3] = [Self::Paper, Self::StandIn, Self::Ours];

    /// As it stands in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::StandIn => "stand-in",
            Self::Ours => "ours",
        }
    }
}

/// What is claimed, and what was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// Whose it is.
    pub kind: Kind,
    /// Where it stands in the paper.
    pub table: String,
    /// What is claimed, in words.
    pub claim: String,
    /// The unit of the figures: `%`, `min`, `jobs`.
    pub unit: &'static str,
    /// The figure the paper prints, where it prints one.
    pub published: Option<f64>,
    /// What we ask of ourselves; only of claims of ours.
    pub asked: Option<f64>,
    /// In the paper's unit.
    #[serde(flatten)]
    pub measured: Measured,
    /// What the figure would be with other weeks of the same logs.
    pub other_weeks: Option<Interval>,
    /// What it would be with other users of them.
    pub other_users: Option<Interval>,
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

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low95: f64,
    /// Upper end.
    pub high95: f64,
}

impl Interval {
    /// Between what 95 % of these lie.
    pub fn of_middle(replicates: &Replicates) -> Option<Self> {
        replicates.middle95().map(|(low95, high95)| Self { low95, high95 })
    }
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
    /// It does not: what was measured is something else.
    Differs,
    /// The interval leaves it open.
    Inconclusive,
    /// It cannot be tested with the logs there are.
    NotTestable,
}

impl Verdict {
    /// In the order in which they are counted.
    pub const ALL: [Self; 4] = [Self::Holds, Self::Differs, Self::Inconclusive, Self::NotTestable];

    /// As it stands in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Differs => "differs",
            Self::Inconclusive => "inconclusive",
            Self::NotTestable => "not testable",
        }
    }

    /// Of what is counted, and so or not.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Differs }
    }

    /// Of several that are claimed at once.
    pub fn of_all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let verdicts: Vec<Self> = verdicts.into_iter().collect();
        let has = |verdict| verdicts.contains(&verdict);
        match () {
            () if verdicts.is_empty() || has(Self::NotTestable) => Self::NotTestable,
            () if has(Self::Differs) => Self::Differs,
            () if has(Self::Inconclusive) => Self::Inconclusive,
            () => Self::Holds,
        }
    }

    /// Of several of which three in four are claimed, or which are claimed usually: one in four may be otherwise.
    pub fn of_three_in_four(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let verdicts: Vec<Self> = verdicts.into_iter().collect();
        let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        match () {
            () if verdicts.is_empty() => Self::NotTestable,
            () if count(Self::Holds) * 4 >= verdicts.len() * 3 => Self::Holds,
            () if count(Self::Differs) * 4 > verdicts.len() => Self::Differs,
            () => Self::Inconclusive,
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

    /// Over replicates.
    pub fn over(replicates: &Replicates) -> Self {
        replicates.spread().into()
    }

    /// Whether it is within so much of a figure.
    pub fn near(&self, figure: f64, band: f64) -> Verdict {
        self.decide(
            |low, high| (low - figure).abs() <= band && (high - figure).abs() <= band,
            |low, high| low > figure + band || high < figure - band,
        )
    }

    /// Whether it is more than this.
    pub fn above(&self, bound: f64) -> Verdict {
        self.decide(|low, _| low > bound, |_, high| high <= bound)
    }

    /// Whether it is less than this.
    pub fn below(&self, bound: f64) -> Verdict {
        self.decide(|_, high| high < bound, |low, _| low >= bound)
    }

    /// Whether it is this or more.
    pub fn at_least(&self, bound: f64) -> Verdict {
        self.decide(|low, _| low >= bound, |_, high| high < bound)
    }

    /// Whether it is this or less.
    pub fn at_most(&self, bound: f64) -> Verdict {
        self.decide(|_, high| high <= bound, |low, _| low > bound)
    }

    /// By the whole interval; a figure without one is its own.
    fn decide(&self, holds: impl Fn(f64, f64) -> bool, differs: impl Fn(f64, f64) -> bool) -> Verdict {
        let Some(figure) = self.measured else { return Verdict::NotTestable };
        let (low, high) = (self.low95.unwrap_or(figure), self.high95.unwrap_or(figure));
        match () {
            () if holds(low, high) => Verdict::Holds,
            () if differs(low, high) => Verdict::Differs,
            () => Verdict::Inconclusive,
        }
    }
}

impl From<Spread> for Measured {
    fn from(Spread { mean, low95, high95, .. }: Spread) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        Self { measured: finite(mean), low95: finite(low95), high95: finite(high95) }
    }
}

/// How far from a printed figure is still the same ([`RULES`]).
fn band(published: f64, unit: &str) -> f64 {
    let tenth = published.abs() / 10.0;
    match unit {
        "%" => tenth.max((published.abs() / 2.0).min(5.0)).max(1.0),
        "" => tenth.max(0.1),
        _ => tenth,
    }
}

impl Claim {
    /// A published figure that a simulation, a prediction or chance comes into.
    pub fn of_figure(
        table: &str,
        claim: impl Into<String>,
        unit: &'static str,
        published: f64,
        measured: Measured,
        traces: Vec<OnTrace>,
    ) -> Self {
        let band = band(published, unit);
        let is_change = unit == "%" && published != 0.0;
        let side = if published > 0.0 { measured.above(0.0) } else { measured.below(0.0) };
        let near = measured.near(published, band);
        let off = measured.measured.map_or(0.0, |value| value - published);
        let (verdict, reason) = match (near, side) {
            (Verdict::NotTestable, _) => (Verdict::NotTestable, "nothing was measured".to_owned()),
            (_, Verdict::Differs) if is_change => {
                (Verdict::Differs, format!("opposite sign, {off:+.1} from the published figure"))
            }
            (Verdict::Holds, Verdict::Inconclusive) if is_change => {
                (Verdict::Inconclusive, "within the band, but the interval includes zero".to_owned())
            }
            (Verdict::Holds, _) => (Verdict::Holds, format!("within {band:.2} of the published figure")),
            (Verdict::Differs, _) => {
                (Verdict::Differs, format!("{off:+.2} from the published figure, {band:.2} allowed"))
            }
            _ => (
                Verdict::Inconclusive,
                format!("{off:+.2} from the published figure, {band:.2} allowed; the interval is partly inside"),
            ),
        };
        Self::of_statement(table, claim, unit, Some(published), measured, (verdict, reason), traces)
    }

    /// A published range of a figure over logs, on one of them: within the range, or the bands of its ends.
    pub fn of_range(
        table: &str,
        claim: impl Into<String>,
        unit: &'static str,
        (low, high): (f64, f64),
        measured: Measured,
        traces: Vec<OnTrace>,
    ) -> Self {
        let (least, most) = (low - band(low, unit), high + band(high, unit));
        let verdict = measured.near(f64::midpoint(least, most), (most - least) / 2.0);
        let reason =
            format!("published range over the logs: {low:.0} to {high:.0}; with the bands: {least:.1} to {most:.1}");
        Self::of_statement(table, claim, unit, None, measured, (verdict, reason), traces)
    }

    /// A published number that follows from the log alone.
    pub fn of_count(table: &str, claim: impl Into<String>, unit: &'static str, published: f64, counted: f64) -> Self {
        let band = (published.abs() / 50.0).max(1.0);
        let measured = Measured::exactly(counted);
        let reason = format!("{:+.1} from the published figure, {band:.1} allowed", counted - published);
        Self::of_statement(
            table,
            claim,
            unit,
            Some(published),
            measured,
            (measured.near(published, band), reason),
            Vec::new(),
        )
    }

    /// Any other claim; the reason says by what rule.
    pub fn of_statement(
        table: &str,
        claim: impl Into<String>,
        unit: &'static str,
        published: Option<f64>,
        measured: Measured,
        (verdict, reason): (Verdict, String),
        traces: Vec<OnTrace>,
    ) -> Self {
        Self {
            kind: Kind::Paper,
            table: table.to_owned(),
            claim: claim.into(),
            unit,
            published,
            asked: None,
            measured,
            other_weeks: None,
            other_users: None,
            verdict,
            reason,
            traces,
        }
    }

    /// A claim these logs cannot test.
    pub fn not_testable(
        table: &str,
        claim: impl Into<String>,
        unit: &'static str,
        published: Option<f64>,
        reason: &str,
    ) -> Self {
        let verdict = (Verdict::NotTestable, reason.to_owned());
        Self::of_statement(table, claim, unit, published, Measured::NOTHING, verdict, Vec::new())
    }

    /// The paper's claim, tried on something else; this says on what.
    #[must_use]
    pub fn standing_in(mut self, on: &str) -> Self {
        self.kind = Kind::StandIn;
        self.reason = format!("{}; {on}", self.reason);
        self
    }

    /// A claim of ours, which no paper has published a figure of.
    #[must_use]
    pub fn ours(self) -> Self {
        Self { kind: Kind::Ours, table: "ours".to_owned(), published: None, ..self }
    }

    /// A claim of ours, with what we ask of ourselves.
    #[must_use]
    pub fn ours_asking(self, asked: f64) -> Self {
        Self { asked: Some(asked), ..self.ours() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low95: f64, high95: f64) -> Measured {
        Measured { measured: Some(f64::midpoint(low95, high95)), low95: Some(low95), high95: Some(high95) }
    }

    fn verdict(published: f64, measured: Measured) -> Verdict {
        Claim::of_figure("T", "c", "%", published, measured, Vec::new()).verdict
    }

    #[test]
    fn a_figure_holds_if_its_whole_interval_is_in_the_band_and_differs_if_all_of_it_is_outside() {
        assert_eq!(verdict(22.0, between(17.5, 26.5)), Verdict::Holds);
        assert_eq!(verdict(22.0, between(16.5, 20.0)), Verdict::Inconclusive);
        assert_eq!(verdict(22.0, between(5.0, 16.5)), Verdict::Differs);
        assert_eq!(verdict(176.0, between(160.0, 193.0)), Verdict::Holds, "a tenth");
        assert_eq!(verdict(176.0, Measured::exactly(194.0)), Verdict::Differs);
        assert_eq!(verdict(22.0, Measured::NOTHING), Verdict::NotTestable);
    }

    #[test]
    fn noise_earns_nothing() {
        assert_eq!(verdict(22.0, between(-100.0, 200.0)), Verdict::Inconclusive);
        assert_eq!(verdict(22.0, between(21.0, 23.0)), Verdict::Holds);
    }

    #[test]
    fn a_small_figure_is_not_near_everything_small() {
        assert_eq!(verdict(1.4, Measured::exactly(3.0)), Verdict::Differs, "twice as much is not the same");
        assert_eq!(verdict(6.0, Measured::exactly(1.3)), Verdict::Differs);
        assert_eq!(verdict(1.0, between(-0.1, 0.5)), Verdict::Inconclusive, "it may be nothing");
        assert_eq!(verdict(1.0, between(-0.9, -0.1)), Verdict::Differs, "the other way round");
        assert_eq!(verdict(0.0, between(-0.5, 0.5)), Verdict::Holds);
    }

    #[test]
    fn numbers_without_a_sign_may_be_on_either_side_of_zero() {
        let of = |measured| Claim::of_figure("T", "c", "", -0.01, measured, Vec::new()).verdict;
        assert_eq!([of(Measured::exactly(0.05)), of(Measured::exactly(0.2))], [Verdict::Holds, Verdict::Differs]);
    }

    #[test]
    fn what_is_counted_has_two_per_cent_or_one() {
        let of = |published, counted| Claim::of_count("T", "c", "", published, counted).verdict;
        assert_eq!([of(12.0, 13.0), of(12.0, 14.0)], [Verdict::Holds, Verdict::Differs]);
        assert_eq!([of(1_000.0, 1_019.0), of(1_000.0, 1_021.0)], [Verdict::Holds, Verdict::Differs]);
    }

    /// Both sides matter: what is significantly better is not merely "not shown to be worse".
    #[test]
    fn a_direction_differs_if_it_is_surely_the_other_one() {
        assert_eq!(between(-2.0, -1.0).below(0.0), Verdict::Holds);
        assert_eq!(between(-2.0, 1.0).below(0.0), Verdict::Inconclusive);
        assert_eq!(between(1.0, 2.0).below(0.0), Verdict::Differs);
        assert_eq!(between(1.0, 2.0).above(0.0), Verdict::Holds);
        assert_eq!(between(3.0, 4.0).at_most(3.5), Verdict::Inconclusive);
        assert_eq!(Measured::exactly(3.0).at_least(3.0), Verdict::Holds);
    }

    #[test]
    fn of_several_all_must_hold_and_one_that_differs_is_enough() {
        use Verdict::{Differs, Holds, Inconclusive, NotTestable};
        assert_eq!(Verdict::of_all([Holds, Holds]), Holds);
        assert_eq!(Verdict::of_all([Holds, Inconclusive]), Inconclusive);
        assert_eq!(Verdict::of_all([Inconclusive, Differs]), Differs);
        assert_eq!(Verdict::of_all([Holds, NotTestable]), NotTestable);
        assert_eq!(Verdict::of_all([]), NotTestable);
        assert_eq!(Verdict::of_three_in_four([Holds, Holds, Holds, Differs]), Holds);
        assert_eq!(Verdict::of_three_in_four([Holds, Holds, Inconclusive, Differs]), Inconclusive);
        assert_eq!(Verdict::of_three_in_four([Holds, Holds, Differs, Differs]), Differs);
    }

    #[test]
    fn goals_of_ours_are_never_published() {
        let claim = Claim::of_figure("Table 1", "c", "%", 5.0, Measured::exactly(6.0), Vec::new()).ours_asking(7.0);
        assert_eq!((claim.kind, claim.published, claim.asked), (Kind::Ours, None, Some(7.0)));
    }

    #[test]
    fn json_has_the_names_of_the_contract() {
        let claim = Claim::of_figure("T", "c", "%", 5.0, Measured::exactly(6.0), Vec::new());
        let json = serde_json::to_value(&claim).unwrap();
        let names = [
            "kind",
            "claim",
            "published",
            "asked",
            "measured",
            "low95",
            "high95",
            "other_weeks",
            "other_users",
            "verdict",
            "reason",
        ];
        for name in names {
            assert!(json.get(name).is_some(), "{name} in {json}");
        }
        assert_eq!((&json["verdict"], &json["kind"]), (&"holds".into(), &"paper".into()));
    }
}
