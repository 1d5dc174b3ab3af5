//! What resources are worth: `CPU=1000,Mem=0.25G,GRES/gpu=3000`.
//!
//! For: `PriorityWeightTRES` and a partition's `TRESBillingWeights`.
//!
//! Not for: amounts of resources ([`super::Tres`]).
//!
//! Source: slurm.conf(5) of 22.05; Slurm's `slurm_get_tres_weight_array`: a unit behind a weight divides it, so that
//! `Mem=0.25G` is a quarter for each gibibyte. Memory without a unit is weighed per mebibyte.

/// Weights by Slurm's names of resources in small letters (`cpu`, `mem`, `gres/gpu`), in the order written; of memory per
/// mebibyte.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TresWeights(pub Vec<(String, f64)>);

impl TresWeights {
    /// Reads the list; `None` if it is not one. Nothing and `(null)` are no weights.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text == "(null)" {
            return Some(Self::default());
        }
        let weight = |item: &str| {
            let (name, written) = item.split_once('=')?;
            let name = name.trim().to_ascii_lowercase();
            let weight = weight(written.trim(), base_power(&name))?;
            (!name.is_empty()).then_some((name, weight))
        };
        text.split(',').map(weight).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The weight of a resource; zero where none is said.
    pub fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|(known, _)| known == name).map_or(0.0, |(_, weight)| *weight)
    }
}

/// Memory and burst buffers are counted in mebibytes, all else one by one.
fn base_power(name: &str) -> i32 {
    if name == "mem" || name.starts_with("bb/") { 2 } else { 0 }
}

fn weight(text: &str, base_power: i32) -> Option<f64> {
    let (number, power) = match text.bytes().last()? {
        b'0'..=b'9' | b'.' => (text, base_power),
        unit => {
            let power = match unit.to_ascii_uppercase() {
                b'K' => 1,
                b'M' => 2,
                b'G' => 3,
                b'T' => 4,
                b'P' => 5,
                _ => return None,
            };
            (&text[..text.len() - 1], power)
        }
    };
    // No sign, infinity or name of a number; an exponent is what Slurm's strtod takes, too.
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'-' | b'+'));
    let weight: f64 = number.parse().ok().filter(|_| is_number)?;
    let weight = weight / 1024_f64.powi(power - base_power);
    weight.is_finite().then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_units_and_names_in_small_letters() {
        let weights = TresWeights::parse("CPU=1.0,Mem=0.25G,GRES/gpu:A100=2.5,bb/x=1024T").expect("weights");
        assert_eq!(weights.0[1], ("mem".to_owned(), 0.25 / 1024.0));
        assert_eq!(weights.0[2], ("gres/gpu:a100".to_owned(), 2.5));
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(near(weights.of("cpu"), 1.0) && near(weights.of("node"), 0.0));
        assert!(near(weights.of("bb/x"), 1024.0 / (1024.0 * 1024.0)));
        let plain = TresWeights::parse("CPU=1000,Mem=2000").expect("weights");
        assert!(near(plain.of("mem"), 2000.0));
        assert!(near(TresWeights::parse("mem=2048K").expect("weights").of("mem"), 2048.0 * 1024.0));
    }

    #[test]
    fn what_is_no_list_of_weights_is_none() {
        assert_eq!(TresWeights::parse("(null)"), Some(TresWeights::default()));
        for text in ["cpu", "cpu=", "cpu=x", "=1", "cpu=inf", "cpu=NaN", "cpu=1X", "cpu=1,,mem=2", "cpu=é", "cpu=1e999"]
        {
            assert_eq!(TresWeights::parse(text), None, "{text}");
        }
    }
}
