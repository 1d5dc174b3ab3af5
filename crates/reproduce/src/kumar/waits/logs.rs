//! The logs, what the paper published of each, and what we ask of ourselves where EASY decides.

use crate::LogSpecification;

/// What forecasts are held against on a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// What the paper gives; none for a log that is not the paper's.
    pub published: Option<Published>,
    /// What is asked of our forecaster on the log's own waits.
    pub asked_on_log: Option<AskedOnLog>,
    /// What is asked of forecasts of EASY's waits; none where they are not made.
    pub asked: Option<Asked>,
}

/// Per cent of jobs whose class is named by QBETS, by instance-based learning and by the paper's nearest neighbours (R-K9).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Table 4(b).
    pub all: [f64; 3],
    /// Table 4(a), non-quick starters.
    pub over_an_hour: [f64; 3],
}

/// What our forecaster should reach on the log's own waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskedOnLog {
    /// Per cent of classes named.
    pub single: f64,
    /// Per cent of classes among two named.
    pub two: f64,
}

/// What playing the policy forward should reach (R-P7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Per cent of classes named.
    pub single: f64,
    /// Per cent of classes among two named.
    pub two: f64,
    /// Mean absolute error over the mean wait, at most.
    pub error: f64,
    /// What our forecaster should reach, which is told the policy too: what playing it forward had reached when this was asked, or better.
    pub ours: AskedOfOurs,
}

/// What our forecaster should reach where EASY decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskedOfOurs {
    /// Per cent of classes named.
    pub single: f64,
    /// Mean absolute error over the mean wait, at most.
    pub error: f64,
}

/// ANL's Intrepid log is not to be had; the paper gives this of it.
pub const ANL: Published = Published { all: [18.0, 59.0, 73.0], over_an_hour: [19.0, 29.0, 30.0] };

const fn published(all: [f64; 3], over_an_hour: [f64; 3]) -> Published {
    Published { all, over_an_hour }
}

const fn asked(single: f64, two: f64, error: f64, ours: (f64, f64)) -> Asked {
    Asked { single, two, error, ours: AskedOfOurs { single: ours.0, error: ours.1 } }
}

/// Five of the paper's six logs, and KTH's, which the paper does not have. Machines are as the logs' headers have them.
pub const LOGS: [LogSpecification<Expected>; 6] = [
    LogSpecification::new("CTC", "CTC-SP2", 338).with(Expected {
        published: Some(published([4.0, 47.0, 59.0], [19.0, 28.0, 30.0])),
        asked_on_log: Some(AskedOnLog { single: 71.0, two: 86.0 }),
        asked: Some(asked(77.0, 91.0, 0.39, (78.1, 0.34))),
    }),
    LogSpecification::new("LANL-CM5", "LANL-CM5", 1_024).with(Expected {
        published: Some(published([58.0, 61.0, 76.0], [10.0, 26.0, 28.0])),
        asked_on_log: None,
        asked: None,
    }),
    LogSpecification::new("HPC2N", "HPC2N", 240).with(Expected {
        published: Some(published([16.0, 48.0, 64.0], [13.0, 22.0, 23.0])),
        asked_on_log: Some(AskedOnLog { single: 72.0, two: 85.0 }),
        asked: None,
    }),
    LogSpecification::new("SDSC-BLUE", "SDSC-BLUE", 1_152).with(Expected {
        published: Some(published([37.0, 57.0, 74.0], [15.0, 24.0, 28.0])),
        asked_on_log: Some(AskedOnLog { single: 82.5, two: 90.0 }),
        asked: Some(asked(87.0, 96.0, 0.36, (86.9, 0.35))),
    }),
    LogSpecification::new("SDSC-SP2", "SDSC-SP2", 128).with(Expected {
        published: Some(published([8.0, 48.0, 64.0], [30.0, 33.0, 35.0])),
        asked_on_log: Some(AskedOnLog { single: 75.0, two: 87.0 }),
        asked: Some(asked(78.0, 91.0, 0.33, (80.2, 0.30))),
    }),
    LogSpecification::new("KTH", "KTH-SP2", 100).with(Expected {
        published: None,
        asked_on_log: None,
        asked: Some(asked(86.0, 95.0, 0.33, (86.8, 0.30))),
    }),
];
