//! How many processors a job asks for.
//!
//! For: the model's three sorts of sizes: one processor, powers of two, and anything else.
//!
//! Not for: run times, though they depend on the size.
//!
//! Source: Lublin and Feitelson 2003, as in the authors' program (`calc_number_of_nodes`). A power of two that the machine does not have
//! becomes the largest it has; the paper's machines are powers of two themselves.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::SizeParameters;
use crate::Machine;

/// The sizes of one kind of jobs.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    parameters: SizeParameters,
    machine: Machine,
}

impl Sizes {
    /// Sizes on a machine with at least one processor.
    pub(super) fn new(parameters: SizeParameters, machine: Machine) -> Self {
        Self { parameters, machine }
    }

    /// A size, between one and the machine's.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "logarithms are between 0 and 32")]
    pub(super) fn draw(&self, generator: &mut Pcg64) -> u32 {
        let SizeParameters { serial, power_of_two, .. } = self.parameters;
        let sort: f64 = generator.random();
        if sort < serial {
            return 1;
        }
        let log2 = self.log2(generator);
        if sort < serial + power_of_two {
            1 << (log2.round() as u32).min(self.machine.processors.ilog2())
        } else {
            (log2.exp2().round() as u32).clamp(1, self.machine.processors)
        }
    }

    /// The two-stage uniform distribution.
    fn log2(&self, generator: &mut Pcg64) -> f64 {
        let SizeParameters { log2_low, log2_middle, log2_high, lower_stage, .. } = self.parameters;
        let (from, to) =
            if generator.random::<f64>() < lower_stage { (log2_low, log2_middle) } else { (log2_middle, log2_high) };
        from + (to - from) * generator.random::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::{KindParameters, Kinds};
    use super::*;

    const DRAWS: u32 = 1_000_000;

    /// How probable it is that the logarithm of a parallel size lies between two numbers: the area under a density
    /// of two steps.
    fn probability(sizes: SizeParameters, from: f64, to: f64) -> f64 {
        let step = |low: f64, high: f64, share: f64| share * (to.min(high) - from.max(low)).max(0.0) / (high - low);
        step(sizes.log2_low, sizes.log2_middle, sizes.lower_stage)
            + step(sizes.log2_middle, sizes.log2_high, 1.0 - sizes.lower_stage)
    }

    /// The share of jobs with 2^`exponent` processors: those made a power of two whose logarithm rounds to it, and
    /// the others whose size does.
    fn share_of_power(sizes: SizeParameters, exponent: i32) -> f64 {
        let (log2, size) = (f64::from(exponent), 2_f64.powi(exponent));
        sizes.power_of_two * probability(sizes, log2 - 0.5, log2 + 0.5)
            + (1.0 - sizes.serial - sizes.power_of_two) * probability(sizes, (size - 0.5).log2(), (size + 0.5).log2())
    }

    fn kinds_on(processors: u32) -> impl Iterator<Item = (SizeParameters, Vec<u32>)> {
        let machine = Machine { processors };
        [Kinds::Batch, Kinds::Interactive, Kinds::Undivided].into_iter().map(move |kinds| {
            let parameters = KindParameters::published(machine, kinds)[0].sizes;
            let sizes = Sizes::new(parameters, machine);
            let mut generator = Pcg64::seed_from_u64(11);
            (parameters, (0..DRAWS).map(|_| sizes.draw(&mut generator)).collect())
        })
    }

    fn share(drawn: &[u32], belongs: impl Fn(u32) -> bool) -> f64 {
        drawn.iter().filter(|&&size| belongs(size)).count() as f64 / drawn.len() as f64
    }

    fn assert_near(measured: f64, implied: f64, tolerance: f64, what: &str) {
        assert!((measured / implied - 1.0).abs() < tolerance, "{what}: {measured} measured, {implied} implied");
    }

    #[test]
    fn serial_jobs_are_as_many_as_the_parameters_say() {
        for (parameters, drawn) in kinds_on(128) {
            assert_near(share(&drawn, |size| size == 1), parameters.serial, 0.02, "serial");
        }
    }

    #[test]
    fn powers_of_two_are_as_many_as_the_parameters_imply_together_and_one_by_one() {
        for (parameters, drawn) in kinds_on(128) {
            let implied = (1..=7).map(|exponent| share_of_power(parameters, exponent)).sum();
            assert_near(share(&drawn, |size| size > 1 && size.is_power_of_two()), implied, 0.02, "powers of two");
            for exponent in 1..=7 {
                let implied = share_of_power(parameters, exponent);
                if implied > 0.0 {
                    assert_near(share(&drawn, |size| size == 1 << exponent), implied, 0.03, &format!("2^{exponent}"));
                } else {
                    assert!(!drawn.contains(&(1 << exponent)));
                }
            }
        }
    }

    #[test]
    fn both_stages_get_their_share_of_the_jobs_that_are_no_powers_of_two() {
        for (parameters, drawn) in kinds_on(128) {
            let others = 1.0 - parameters.serial - parameters.power_of_two;
            // From 34 processors on; the bounds of the rounding are no power of two.
            let wide = (33.5_f64.log2(), 127.5_f64.log2());
            let by_chance = probability(parameters, 63.5_f64.log2(), 64.5_f64.log2());
            let implied = others * (probability(parameters, wide.0, wide.1) - by_chance);
            let measured = share(&drawn, |size| (34..128).contains(&size) && !size.is_power_of_two());
            assert_near(measured, implied, 0.03, "wide");
        }
    }

    #[test]
    fn on_a_machine_that_is_no_power_of_two_the_largest_power_it_has_takes_what_would_not_fit() {
        for (parameters, drawn) in kinds_on(100) {
            assert!(drawn.iter().all(|&size| (1..=100).contains(&size)));
            assert_near(share(&drawn, |size| size == 1), parameters.serial, 0.02, "serial");
            let made = parameters.power_of_two * probability(parameters, 5.5, 7.5);
            let chance = (1.0 - parameters.serial - parameters.power_of_two)
                * probability(parameters, 63.5_f64.log2(), 64.5_f64.log2());
            if made > 0.0 {
                assert_near(share(&drawn, |size| size == 64), made + chance, 0.03, "64");
            }
        }
    }
}
