//! Times and spans as a person reads them.
//!
//! Not for: programs; they have seconds.

use jiff::civil::Date;
use queuecast_api::ranges::{TimeRangeResponse, TimesResponse};
use queuecast_api::time::Moment;

use super::zone::{WallTime, Zone};

/// The clock on the asker's wall, on one day.
pub struct Wall<'a> {
    zone: &'a Zone,
    today: Date,
}

impl<'a> Wall<'a> {
    /// On the day of this moment.
    pub fn new(zone: &'a Zone, now: &Moment) -> Self {
        Self { zone, today: zone.wall(now.unix).date }
    }

    /// `14:57` today, `tomorrow 16:50`, and any other day with its date.
    pub fn time(&self, moment: &Moment) -> String {
        let shown = self.zone.wall(moment.unix);
        let clock = self.clock(shown);
        if shown.date == self.today {
            clock
        } else if self.is_tomorrow(shown) {
            format!("tomorrow {clock}")
        } else {
            format!("{} {clock}", shown.date)
        }
    }

    /// The same within a sentence: `at 14:57`, `tomorrow at 16:50`, `on 2026-11-21 at 16:50`.
    pub fn at(&self, moment: &Moment) -> String {
        self.with_preposition("at", moment)
    }

    /// The same for a median: `at about 14:57`.
    pub fn at_about(&self, moment: &Moment) -> String {
        self.with_preposition("at about", moment)
    }

    fn with_preposition(&self, preposition: &str, moment: &Moment) -> String {
        let shown = self.zone.wall(moment.unix);
        let clock = self.clock(shown);
        if shown.date == self.today {
            format!("{preposition} {clock}")
        } else if self.is_tomorrow(shown) {
            format!("tomorrow {preposition} {clock}")
        } else {
            format!("on {} {preposition} {clock}", shown.date)
        }
    }

    fn clock(&self, shown: WallTime) -> String {
        format!("{:02}:{:02}{}", shown.hour, shown.minute, self.zone.label())
    }

    fn is_tomorrow(&self, shown: WallTime) -> bool {
        self.today.tomorrow().is_ok_and(|tomorrow| tomorrow == shown.date)
    }

    /// For a cell of a table: today by the time alone, any other day of the year without the year. Where the zone is a
    /// guess, the heading says so.
    pub fn brief(&self, moment: &Moment) -> String {
        let shown = self.zone.wall(moment.unix);
        let time = format!("{:02}:{:02}", shown.hour, shown.minute);
        if shown.date == self.today {
            return time;
        }
        let day = format!("{:02}-{:02} {time}", shown.date.month(), shown.date.day());
        if shown.date.year() == self.today.year() { day } else { format!("{:04}-{day}", shown.date.year()) }
    }

    /// The two ends of a range in a cell of a table; the day of the second if it is another.
    pub fn brief_range(&self, range: &TimeRangeResponse) -> String {
        let (from, to) = (self.brief(&range.from), self.brief(&range.to));
        let same_day = self.zone.wall(range.from.unix).date == self.zone.wall(range.to.unix).date;
        let to = if same_day { to.rsplit(' ').next().unwrap_or(&to).to_owned() } else { to };
        format!("{from}..{to}")
    }

    /// A median and how far away it is: `at about 14:57 (in 5 h 20 min)`.
    pub fn about(&self, times: &TimesResponse) -> String {
        let away = match times.seconds_from_now {
            ..=59 => "now".to_owned(),
            seconds => format!("in {}", span(seconds)),
        };
        format!("{} ({away})", self.at_about(&times.median))
    }

    /// The two ends of a range: `10:15 to 19:29`; the day of the second if it is another.
    pub fn range(&self, range: &TimeRangeResponse) -> String {
        let end = self.zone.wall(range.to.unix);
        let same_day = self.zone.wall(range.from.unix).date == end.date;
        let to = if same_day { self.clock(end) } else { self.time(&range.to) };
        format!("{} to {to}", self.time(&range.from))
    }
}

/// A span in its two largest units.
pub fn span(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, 0) => format!("{hours} h"),
        (0, ..) => format!("{hours} h {minutes} min"),
        (_, 0, _) => format!("{days} d"),
        _ => format!("{days} d {hours} h"),
    }
}

/// What a change does to a start.
pub fn earlier(seconds: i64) -> String {
    match seconds {
        0 => "no earlier".to_owned(),
        1.. => format!("{} earlier", span(seconds)),
        _ => format!("{} later", span(-seconds)),
    }
}

/// A share of one in per cent, with as many places as it takes to see it.
pub fn percent_of_one(share: f64) -> String {
    let percent = 100.0 * share;
    let places = if percent.fract().abs() < 1e-9 {
        0
    } else if percent < 0.995 {
        2
    } else {
        1
    };
    format!("{percent:.places$} %")
}

/// A limit as sbatch takes it: `hh:mm:ss`, with days in front if there are any.
pub fn limit(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!("{:02}:{:02}:{:02}", rest / 3_600, rest / 60 % 60, rest % 60);
    if days == 0 { clock } else { format!("{days}-{clock}") }
}

/// A span as Slurm writes limits: `30:00`, `2:00:00`, `1-00:00:00`.
pub fn slurm_span(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (days, hours, minutes, rest) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{rest:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{rest:02}"),
        _ => format!("{days}-{hours:02}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_workload::Time;

    #[test]
    fn cells_leave_out_what_is_today_and_this_year() {
        // 2025-11-15T12:20:00Z
        let now = 1_763_209_200;
        let moment = |seconds: i64| Moment::from(Time(now + seconds));
        let zone = Zone::UTC;
        let wall = Wall::new(&zone, &moment(0));
        assert_eq!(wall.brief(&moment(2_100)), "12:55");
        assert_eq!(wall.brief(&moment(86_400)), "11-16 12:20");
        assert_eq!(wall.brief(&moment(60 * 86_400)), "2026-01-14 12:20");
        let about = |seconds: i64| {
            let range = TimeRangeResponse { from: moment(seconds), to: moment(seconds) };
            let (range50, range80, range95) = (range.clone(), range.clone(), range);
            wall.about(&TimesResponse { median: moment(seconds), seconds_from_now: seconds, range50, range80, range95 })
        };
        assert_eq!(
            [about(0), about(59), about(60), about(86_400), about(172_800)],
            [
                "at about 12:20 UTC (now)",
                "at about 12:20 UTC (now)",
                "at about 12:21 UTC (in 1 min)",
                "tomorrow at about 12:20 UTC (in 1 d)",
                "on 2025-11-17 at about 12:20 UTC (in 2 d)",
            ]
        );
        let range = |from, to| wall.brief_range(&TimeRangeResponse { from: moment(from), to: moment(to) });
        assert_eq!(range(0, 600), "12:20..12:30");
        assert_eq!(range(86_400, 87_000), "11-16 12:20..12:30");
        assert_eq!(range(0, 86_400), "12:20..11-16 12:20");
        let range = |from, to| wall.range(&TimeRangeResponse { from: moment(from), to: moment(to) });
        assert_eq!(range(0, 600), "12:20 UTC to 12:30 UTC");
        assert_eq!(range(86_400, 87_000), "tomorrow 12:20 UTC to 12:30 UTC");
        assert_eq!(range(0, 86_400), "12:20 UTC to tomorrow 12:20 UTC");
        assert_eq!(range(172_800, 173_400), "2025-11-17 12:20 UTC to 12:30 UTC");
    }

    #[test]
    fn limits_are_written_as_squeue_writes_them() {
        let seconds = [-1, 59, 1_800, 7_200, 86_400, 90_061];
        assert_eq!(seconds.map(slurm_span), ["0:00", "0:59", "30:00", "2:00:00", "1-00:00:00", "1-01:01:01"]);
    }

    #[test]
    fn spans_are_told_in_two_units_and_limits_as_sbatch_takes_them() {
        let seconds = [-5, 59, 60, 3_600, 3_725, 86_400, 97_265];
        assert_eq!(seconds.map(span), ["0 s", "59 s", "1 min", "1 h", "1 h 2 min", "1 d", "1 d 3 h"]);
        assert_eq!([0, 60, -3_600].map(earlier), ["no earlier", "1 min earlier", "1 h later"]);
        assert_eq!([0.005, 0.01, 0.0123, 0.5, 0.0].map(percent_of_one), ["0.50 %", "1 %", "1.2 %", "50 %", "0 %"]);
        assert_eq!([60, 3_725, 97_265].map(limit), ["00:01:00", "01:02:05", "1-03:01:05"]);
    }
}
