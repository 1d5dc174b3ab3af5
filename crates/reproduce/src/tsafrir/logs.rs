//! The four logs, what the paper prints of them, and what it tells its model of them.

use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::EstimateShare;

use crate::LogSpecification;

/// How a log is cut, what models are told of its estimates, and what is printed of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimates {
    /// The longest estimate: jobs with longer ones are not part of it. For KTH that makes the four-hour part.
    pub maximum: Seconds,
    /// Whether estimates that only the most inventive user has are left out where distributions are compared: user 106
    /// of the paper's SDSC, 111 in the archive's present version (E-S4.4).
    pub without_sole_owner: bool,
    /// What the vanilla model is told: how popular the longest estimate is, and for BLUE what serves as the longest.
    pub vanilla: &'static [(i64, f64)],
    /// What the improved one is told on top (section 11.1); for SDSC and CTC the three next most popular of Table 5.
    pub improved: &'static [(i64, f64)],
    /// What is printed of it.
    pub published: Published,
}

/// What Tables 1, 2, 4 and 5 print of a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Jobs.
    pub jobs: f64,
    /// Different estimates.
    pub estimates: f64,
    /// How many of them cover 10, 50, 75, 90, 95, 98 and 99 % of the jobs.
    pub bins: [f64; 7],
    /// What the twenty most popular cover, in per cent.
    pub top_twenty: f64,
    /// The bend of the curve of times.
    pub bend: f64,
    /// The most popular estimate, in minutes, and its share in per cent.
    pub most_popular: (i64, f64),
}

/// The shares of jobs in Table 2, in per cent.
pub const COVERED_PER_CENT: [f64; 7] = [10.0, 50.0, 75.0, 90.0, 95.0, 98.0, 99.0];

const HOUR: i64 = 60;

/// The four logs, on the machines of Table 1.
pub const LOGS: [LogSpecification<Estimates>; 4] = [
    LogSpecification::new("SDSC-SP2", "SDSC-SP2", 128).with(Estimates {
        maximum: Seconds(18 * 3600),
        without_sole_owner: true,
        vanilla: &[(18 * HOUR, 9.8)],
        improved: &[(5, 11.3), (HOUR, 10.5), (10, 7.9)],
        published: Published {
            jobs: 53_673.0,
            estimates: 339.0,
            bins: [1.0, 6.0, 12.0, 22.0, 39.0, 77.0, 116.0],
            top_twenty: 86.4,
            bend: 1.50,
            most_popular: (5, 11.3),
        },
    }),
    LogSpecification::new("CTC-SP2", "CTC-SP2", 512).with(Estimates {
        maximum: Seconds(18 * 3600),
        without_sole_owner: false,
        vanilla: &[(18 * HOUR, 23.8)],
        improved: &[(15, 10.6), (5, 8.8), (10, 6.4)],
        published: Published {
            jobs: 77_222.0,
            estimates: 265.0,
            bins: [1.0, 4.0, 10.0, 22.0, 36.0, 62.0, 89.0],
            top_twenty: 88.9,
            bend: 1.57,
            most_popular: (18 * HOUR, 23.8),
        },
    }),
    LogSpecification::new("KTH-SP2 (4 h)", "KTH-SP2", 100).with(Estimates {
        maximum: Seconds(4 * 3600),
        without_sole_owner: false,
        vanilla: &[(4 * HOUR, 12.5)],
        improved: &[(5, 25.0)],
        published: Published {
            jobs: 23_070.0,
            estimates: 106.0,
            bins: [1.0, 6.0, 12.0, 21.0, 28.0, 36.0, 43.0],
            top_twenty: 89.3,
            bend: 1.91,
            most_popular: (4 * HOUR, 12.5),
        },
    }),
    LogSpecification::new("SDSC-BLUE", "SDSC-BLUE", 1_152).with(Estimates {
        maximum: Seconds(36 * 3600),
        without_sole_owner: false,
        vanilla: &[(2 * HOUR, 27.0), (36 * HOUR, 1.0)],
        improved: &[(15, 16.0), (30, 18.0)],
        published: Published {
            jobs: 223_407.0,
            estimates: 525.0,
            bins: [1.0, 3.0, 8.0, 23.0, 42.0, 76.0, 116.0],
            top_twenty: 88.7,
            bend: 1.24,
            most_popular: (2 * HOUR, 21.3),
        },
    }),
];

/// Pairs of minutes and per cent as the model takes them.
pub fn shares(pairs: &[(i64, f64)]) -> impl Iterator<Item = EstimateShare> + '_ {
    pairs.iter().map(|&(minutes, per_cent)| EstimateShare { time: Seconds(60 * minutes), per_cent })
}
