//! How many jobs waited and ran over the last looks, in one line.
//!
//! Source: Tufte's sparklines; eight heights, as Unicode's block elements have.

use std::collections::VecDeque;

use super::super::snapshot::Load;

/// Five minutes at the usual interval.
const WIDEST: usize = 60;
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The line; the last snapshot is on the right of each half, and the most of those shown is as high as it gets.
pub fn line(load: &VecDeque<Load>, columns: usize) -> String {
    let half = columns.saturating_sub(2) / 2;
    let part = |name: &str, of: fn(&Load) -> u64| {
        let last = load.back().map_or(0, of);
        let words = format!("{name} {last} ");
        let room = half.saturating_sub(words.len()).min(WIDEST);
        let kept = load.len().saturating_sub(room);
        let bars: Vec<u64> = load.iter().skip(kept).map(of).collect();
        let most = bars.iter().copied().max().unwrap_or(0);
        words + &bars.iter().map(|&bar| height(bar, most)).collect::<String>()
    };
    format!("{}  {}", part("waiting", |load| load.waiting), part("running", |load| load.running))
}

/// Zero is as low as it gets; the most is as high.
fn height(jobs: u64, most: u64) -> char {
    let step = jobs.saturating_mul(7).div_ceil(most.max(1));
    HEIGHTS[usize::try_from(step).unwrap_or(7).min(7)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_looks_are_bars_beside_the_number() {
        let load = [(0, 7), (4, 7), (8, 7)].map(|(waiting, running)| Load { waiting, running });
        assert_eq!(line(&VecDeque::from(load), 80), "waiting 8 ▁▅█  running 7 ███");
        assert_eq!(line(&VecDeque::new(), 80), "waiting 0   running 0 ");
        assert_eq!(height(u64::MAX, u64::MAX), '▂', "saturates instead of failing");
    }
}
