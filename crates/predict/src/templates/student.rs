//! Quantiles of Student's t, made once and then looked up: an estimate must cost nanoseconds.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The 95 % quantile of the normal distribution: nine tenths lie between it and its negative.
const NORMAL_95: f64 = 1.644_853_626_951_472_2;
/// From here on the expansion below is exact to ten digits.
const TABLE_LENGTH: u32 = 200;

/// The 95 % quantiles of Student's t: the half-widths of 90 % intervals in standard errors.
#[derive(Clone, Debug)]
pub struct StudentQuantiles {
    /// By degrees of freedom, from one.
    table: Vec<f64>,
}

impl StudentQuantiles {
    /// Makes the table.
    pub fn new() -> Self {
        let quantile = |degrees| {
            let student = StudentsT::new(0.0, 1.0, f64::from(degrees)).expect("at least one degree of freedom");
            student.inverse_cdf(0.95)
        };
        Self { table: (1..=TABLE_LENGTH).map(quantile).collect() }
    }

    /// The quantile for this many degrees of freedom, at least one.
    pub fn quantile_95(&self, degrees_of_freedom: u32) -> f64 {
        let index = degrees_of_freedom.saturating_sub(1) as usize;
        self.table.get(index).copied().unwrap_or_else(|| beyond_the_table(degrees_of_freedom))
    }
}

impl Default for StudentQuantiles {
    fn default() -> Self {
        Self::new()
    }
}

/// Fisher's expansion about the normal quantile, in powers of one by the degrees of freedom.
fn beyond_the_table(degrees_of_freedom: u32) -> f64 {
    let (z, degrees) = (NORMAL_95, f64::from(degrees_of_freedom));
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + (first + (second + third / degrees) / degrees) / degrees
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed tables of Student's t, one-sided 5 %.
    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        let quantiles = StudentQuantiles::new();
        for (degrees, printed) in
            [(1, 6.314), (2, 2.920), (3, 2.353), (10, 1.812), (30, 1.697), (100, 1.660), (1_000, 1.646)]
        {
            let quantile = quantiles.quantile_95(degrees);
            assert!((quantile - printed).abs() < 0.0005, "{degrees}: {quantile}");
        }
    }

    #[test]
    fn the_expansion_takes_over_where_the_table_ends() {
        let quantiles = StudentQuantiles::new();
        let last = quantiles.quantile_95(TABLE_LENGTH);
        assert!((beyond_the_table(TABLE_LENGTH) - last).abs() < 1e-9, "{last}");
        assert!((quantiles.quantile_95(u32::MAX) - NORMAL_95).abs() < 1e-9);
    }
}
