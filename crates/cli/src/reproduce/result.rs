//! What `qcast reproduce` prints. `docs/output-reproduce.md` defines every name.

use queuecast_reproduce::{Table, figure};
use serde::Serialize;

use crate::output::{Report, Sheet, or_dash};

/// Every table of a paper.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Reproduction {
    pub tables: Vec<Table>,
}

impl Report for Reproduction {
    fn tables(&self) -> Vec<Sheet> {
        let sheets = self.tables.iter().map(|table| {
            let mut sheet = Sheet::new([table.title.as_str(), "published", "measured", "low 95 %", "high 95 %", ""]);
            for claim in &table.claims {
                let shown = |value: Option<f64>| or_dash(value.map(|value| figure(value, claim.unit)));
                let measured = &claim.measured;
                let figures = [claim.published, measured.measured, measured.low95, measured.high95].map(shown);
                let verdict = format!("{}: {}", claim.verdict.word(), claim.reason);
                sheet.add(std::iter::once(claim.claim.clone()).chain(figures).chain([verdict]));
            }
            sheet
        });
        sheets.collect()
    }

    fn csv(&self) -> Sheet {
        let columns = ["table", "claim", "trace", "unit", "published", "measured", "low95", "high95", "verdict"];
        let mut sheet = Sheet::new(columns);
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        for claim in self.tables.iter().flat_map(|table| &table.claims) {
            let own = (String::new(), claim.published, claim.measured, claim.verdict.word());
            let traces = claim.traces.iter().map(|trace| (trace.trace.clone(), None, trace.measured, ""));
            for (trace, published, measured, verdict) in std::iter::once(own).chain(traces) {
                let figures = [published, measured.measured, measured.low95, measured.high95].map(number);
                let words = [claim.table.clone(), claim.claim.clone(), trace, claim.unit.to_owned()];
                sheet.add(words.into_iter().chain(figures).chain([verdict.to_owned()]));
            }
        }
        sheet
    }
}
