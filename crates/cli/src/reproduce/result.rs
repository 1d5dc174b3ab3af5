//! What `qcast reproduce` prints. `docs/reference/output/reproduce.md` defines every name.

use queuecast_reproduce::{Interval, Measured, Table, figure};
use serde::Serialize;

use crate::output::{Report, Sheet, or_dash};

/// Every table of a paper.
#[derive(Serialize)]
pub struct Reproduction {
    pub tables: Vec<Table>,
}

impl Report for Reproduction {
    fn tables(&self) -> Vec<Sheet> {
        let sheets = self.tables.iter().map(|table| {
            let columns =
                [table.title.as_str(), "source", "published", "target", "measured", "low 95 %", "high 95 %", ""];
            let mut sheet = Sheet::new(columns);
            for claim in &table.claims {
                let shown = |value: Option<f64>| or_dash(value.map(|value| figure(value, claim.unit)));
                let measured = &claim.measured;
                let figures =
                    [claim.published, claim.asked, measured.measured, measured.low95, measured.high95].map(shown);
                let verdict = format!("{}: {}", claim.verdict.word(), claim.reason);
                let words = [claim.claim.clone(), claim.kind.word().to_owned()];
                sheet.add(words.into_iter().chain(figures).chain([verdict]));
            }
            sheet
        });
        sheets.collect()
    }

    fn csv(&self) -> Sheet {
        let columns = [
            "table",
            "kind",
            "claim",
            "trace",
            "unit",
            "published",
            "asked",
            "measured",
            "low95",
            "high95",
            "other_weeks_low95",
            "other_weeks_high95",
            "other_users_low95",
            "other_users_high95",
            "verdict",
        ];
        let mut sheet = Sheet::new(columns);
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let ends = |other: Option<Interval>| [other.map(|other| other.low95), other.map(|other| other.high95)];
        for claim in self.tables.iter().flat_map(|table| &table.claims) {
            let words = |trace: &str| {
                let kind = claim.kind.word();
                [&claim.table, kind, &claim.claim, trace, claim.unit].map(str::to_owned)
            };
            let figures = |Measured { measured, low95, high95 }: Measured| [measured, low95, high95];
            let own = [claim.published, claim.asked].into_iter().chain(figures(claim.measured));
            let own = own.chain(ends(claim.other_weeks)).chain(ends(claim.other_users)).map(number);
            sheet.add(words("").into_iter().chain(own).chain([claim.verdict.word().to_owned()]));
            for trace in &claim.traces {
                let its = [None; 2].into_iter().chain(figures(trace.measured)).chain([None; 4]).map(number);
                sheet.add(words(&trace.trace).into_iter().chain(its).chain([String::new()]));
            }
        }
        sheet
    }
}
