//! How a configuration looks in every plot of its section: colour, marker and dash.
//!
//! Where several predictors are compared the colour tells the predictor, otherwise the policy; the marker and the dash
//! tell the policy. The bound is hollow. Colours are Okabe and Ito's, which the colour-blind can tell apart; nothing is
//! told by colour alone.

use queuecast_evaluate::Comparison;

use crate::markup::{Element, element, hundredths};

/// How many colours there are, beside that of the bound.
const COLOURS: usize = 7;
/// The colour of what is no result but helps to read one, such as the identity; the colours before it are for results.
pub const REFERENCE_COLOUR: usize = COLOURS;
const DASHES: [&str; 5] = ["none", "7 3", "2 3", "9 3 2 3", "4 6"];
/// Outlines around the origin, of about the same area: circle, square, diamond, triangles.
const MARKERS: [&str; 5] = [
    "M0-5A5 5 0 1 1 0 5A5 5 0 1 1 0-5Z",
    "M-4.4-4.4H4.4V4.4H-4.4Z",
    "M0-6.2L6.2 0L0 6.2L-6.2 0Z",
    "M0-5.8L6 4.6H-6Z",
    "M0 5.8L6-4.6H-6Z",
];

/// How one configuration looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The class that sets its colour.
    pub colour: String,
    /// The pattern of its line.
    pub dash: &'static str,
    marker: &'static str,
    hollow: bool,
}

impl Look {
    /// One for each configuration.
    pub fn of_all(comparison: &Comparison) -> Vec<Self> {
        let mut policies = Places::default();
        let mut predictors = Places::default();
        let places: Vec<_> = comparison
            .compared()
            .iter()
            .map(|compared| {
                let policy = policies.of(compared.configuration.policy.to_string());
                let bound = compared.is_bound();
                let predictor = (!bound).then(|| predictors.of(compared.configuration.predictor.to_string()));
                (policy, predictor)
            })
            .collect();
        let by_predictor = predictors.0.len() > 1;
        let look = |(policy, predictor): (usize, Option<usize>)| {
            let colour = match predictor {
                Some(predictor) if by_predictor => format!("c{}", predictor % COLOURS),
                None if by_predictor => "cb".to_owned(),
                _ => format!("c{}", policy % COLOURS),
            };
            let line = if by_predictor { policy } else { usize::from(predictor.is_none()) };
            Self {
                colour,
                dash: DASHES[line % DASHES.len()],
                marker: MARKERS[policy % MARKERS.len()],
                hollow: predictor.is_none(),
            }
        };
        places.into_iter().map(look).collect()
    }

    /// That of the `place`-th of several methods, or of one that knows what nobody can.
    pub fn of_method(place: usize, is_bound: bool) -> Self {
        Self {
            colour: if is_bound { "cb".to_owned() } else { format!("c{}", place % COLOURS) },
            dash: if is_bound { DASHES[1] } else { DASHES[place / COLOURS % DASHES.len()] },
            marker: MARKERS[place % MARKERS.len()],
            hollow: is_bound,
        }
    }

    /// Its marker, with the centre at these hundredths of the width and so many pixels from the top.
    pub fn marker(&self, position: f64, top: f64) -> Element {
        let fill = if self.hollow { "marker hollow" } else { "marker" };
        let outline = element("path").class(fill).with("d", self.marker);
        element("svg").class(&self.colour).with("x", hundredths(position)).with("y", top).child(outline)
    }

    /// The beginning of its entry in a legend; its name is to follow.
    pub fn entry(&self) -> Element {
        element("li").child(self.swatch()).text(" ")
    }

    /// A piece of its line with its marker, for a legend.
    pub fn swatch(&self) -> Element {
        let line = element("line").class("curve").with("stroke-dasharray", self.dash);
        element("svg")
            .class(format_args!("swatch {}", self.colour))
            .with("width", 34)
            .with("height", 14)
            .with("aria-hidden", "true")
            .child(line.between((0, 7), (34, 7)))
            .child(self.marker(50.0, 7.0))
    }
}

/// The legend of a page's plot.
pub fn legend(entries: impl IntoIterator<Item = Element>) -> Element {
    element("ul").class("legend").children(entries)
}

/// The class that sets a colour of a file.
pub fn colour_class(colour: usize) -> String {
    format!("c{}", colour % (REFERENCE_COLOUR + 1))
}

/// Names in the order they were first met.
#[derive(Default)]
struct Places(Vec<String>);

impl Places {
    fn of(&mut self, name: String) -> usize {
        self.0.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Machine, Seconds};

    use super::*;
    use queuecast_evaluate::{Configuration, Shaking};

    fn looks(names: &[(&str, &str)]) -> Vec<Look> {
        let configurations = names.iter().map(|(policy, predictor)| {
            let (policy, predictor) = (policy.parse().expect("a policy"), predictor.parse().expect("a predictor"));
            Configuration::new(Machine { processors: 4 }, policy, predictor)
        });
        let shaking = Shaking { replicates: 2, jitter: Seconds(1), seed: 1 };
        Look::of_all(&Comparison::run(&[], configurations.collect(), 0, shaking, &|| {}))
    }

    #[test]
    fn no_two_configurations_look_alike() {
        let policies = ["fcfs", "easy", "easy-sjbf", "conservative"];
        let predictors = ["estimate", "constant:1", "constant:2", "constant:3", "recent", "perfect"];
        let many: Vec<_> =
            policies.iter().flat_map(|policy| predictors.map(|predictor| (*policy, predictor))).collect();
        for compared in [many, vec![("easy", "estimate"), ("easy", "perfect"), ("spf", "estimate"), ("spf", "perfect")]]
        {
            let looks = looks(&compared);
            for (index, look) in looks.iter().enumerate() {
                assert!(!looks[..index].contains(look), "{:?} looks like one before it", compared[index]);
            }
        }
    }

    #[test]
    fn the_colour_tells_the_predictor_where_there_are_several_and_the_policy_where_not() {
        let several = looks(&[("easy", "estimate"), ("easy", "recent"), ("fcfs", "recent")]);
        assert_ne!(several[0].colour, several[1].colour);
        assert_eq!(several[1].colour, several[2].colour);
        assert_ne!(several[1].dash, several[2].dash);
        let one = looks(&[("easy", "estimate"), ("easy", "perfect"), ("fcfs", "estimate")]);
        assert_eq!(one[0].colour, one[1].colour);
        assert_ne!(one[0].colour, one[2].colour);
        assert_ne!(one[0].dash, one[1].dash);
    }
}
