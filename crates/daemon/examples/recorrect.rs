//! What today's correction would have made of the raw forecasts in a store: `recorrect STORE`.
//!
//! Every kept forecast is corrected anew by what had been learnt from those whose jobs had started when it was made, and counted
//! with the start that came. For trying corrections on what a daemon has kept; reads a copy of the store, not one in use.

use std::path::Path;

use queuecast_daemon::store::Store;
use queuecast_site::forecasting::RangeCorrection;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("recorrect STORE")?;
    let mut forecasts: Vec<_> =
        Store::open(Path::new(&path))?.scored(None, usize::MAX)?.into_iter().map(|(_, forecast)| forecast).collect();
    forecasts.sort_by_key(|forecast| forecast.made);
    let mut settled: Vec<usize> = (0..forecasts.len()).collect();
    settled.sort_by_key(|place| forecasts[*place].started);
    let mut correction = RangeCorrection::new();
    let mut learnt = 0;
    let (mut covered, mut first_covered, mut firsts) = ([0_u32; 4], 0_u32, 0_u32);
    let mut widths = Vec::new();
    for forecast in &forecasts {
        while let Some(known) =
            settled.get(learnt).map(|place| &forecasts[*place]).filter(|one| one.started < forecast.made)
        {
            correction.learn(&known.raw, known.submitted, known.made, known.started);
            learnt += 1;
        }
        let said = correction.correct(&forecast.raw, forecast.submitted, forecast.made);
        for (range, covered) in covered.iter_mut().enumerate() {
            *covered += u32::from((said[range]..=said[8 - range]).contains(&forecast.started));
        }
        firsts += u32::from(forecast.first);
        first_covered += u32::from(forecast.first && (said[2]..=said[6]).contains(&forecast.started));
        widths.push((said[6] - said[2]).0);
    }
    widths.sort_unstable();
    let share = |count: u32, of: usize| 100.0 * f64::from(count) / of.max(1) as f64;
    println!(
        "{} forecasts: 95 % range {:.1} %, 90 % {:.1} %, 80 % {:.1} % (first ones {:.1} %), 50 % {:.1} %; 80 % range {} s wide in the middle",
        forecasts.len(),
        share(covered[0], forecasts.len()),
        share(covered[1], forecasts.len()),
        share(covered[2], forecasts.len()),
        share(first_covered, firsts as usize),
        share(covered[3], forecasts.len()),
        widths.get(widths.len() / 2).copied().unwrap_or(0)
    );
    Ok(())
}
