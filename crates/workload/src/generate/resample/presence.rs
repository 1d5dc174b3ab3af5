//! Who comes, week by week.
//!
//! For: long-term users, who take turns in seats so that their number stays the same, and temporary ones, who come as
//! they please.
//!
//! Not for: what they submit.

use rand::RngExt;
use rand_distr::{Distribution, Poisson};
use rand_pcg::Pcg64;

use super::Population;
use super::deck::Deck;
use super::users::{LogUser, LogUsers};

/// Somebody comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) user: LogUser,
    /// How much of the stay lies behind them already: nothing, but for those met at the very beginning.
    pub(super) weeks_passed: i64,
}

/// Who is there and who comes next.
#[derive(Clone, Debug)]
pub(super) struct Presence {
    /// For each seat, the first week for which it has not been given.
    seats: Vec<i64>,
    /// How much of the time the last seat is taken; the others always are.
    last_seat_share: f64,
    /// Those met at the beginning.
    met: Vec<Arrival>,
    long_term: Deck,
    temporary: Deck,
    temporary_a_week: Option<Poisson<f64>>,
}

impl Presence {
    pub(super) fn new(log: &LogUsers, population: &Population, first_week: i64, generator: &mut Pcg64) -> Self {
        let long_term = Deck::new(log.long_term.len(), generator);
        let seats = population.long_term_present.ceil();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a million")]
        let mut presence = Self {
            seats: vec![first_week; seats as usize],
            last_seat_share: population.long_term_present - (seats - 1.0),
            met: Vec::new(),
            long_term,
            temporary: Deck::new(log.temporary.len(), generator),
            // No rate, no arrivals.
            temporary_a_week: Poisson::new(population.temporary_a_week).ok(),
        };
        presence.meet(log, first_week, generator);
        presence
    }

    /// Who comes this week. Weeks are asked for one after the other.
    pub(super) fn arrivals(&mut self, log: &LogUsers, week: i64, generator: &mut Pcg64) -> Vec<Arrival> {
        let mut arrivals = std::mem::take(&mut self.met);
        for seat in 0..self.seats.len() {
            if self.seats[seat] > week {
                continue;
            }
            let Some(user) = self.long_term.draw(generator).map(|place| log.long_term[place]) else { continue };
            self.seats[seat] = week + user.weeks;
            if self.is_taken(seat, generator) {
                arrivals.push(Arrival { user, weeks_passed: 0 });
            }
        }
        let visitors = self.temporary_a_week.map_or(0.0, |count| count.sample(generator));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "about a million at most")]
        for _ in 0..visitors as u64 {
            let visitor = self.temporary.draw(generator).map(|place| log.temporary[place]);
            arrivals.extend(visitor.map(|user| Arrival { user, weeks_passed: 0 }));
        }
        arrivals
    }

    /// Gives the seats for the first time: all weeks of all stays in a row, in random order of the users, and from a
    /// random place on, equally far apart, as many of them as there are seats.
    fn meet(&mut self, log: &LogUsers, first_week: i64, generator: &mut Pcg64) {
        let weeks_of_stay: i64 = log.long_term.iter().map(|user| user.weeks).sum();
        let distance = weeks_of_stay as f64 / self.seats.len() as f64;
        let offset: f64 = generator.random();
        // An order of their own, or those who come first would be those who sit there already.
        let row = Deck::new(log.long_term.len(), generator);
        let mut stays = row.order().iter().map(|&place| log.long_term[place]);
        let (mut user, mut begins) = (stays.next(), 0);
        for seat in 0..self.seats.len() {
            #[expect(clippy::cast_possible_truncation, reason = "weeks of users in a log")]
            let week_in_row = ((seat as f64 + offset) * distance) as i64;
            while let Some(passed) = user.filter(|user| begins + user.weeks <= week_in_row) {
                begins += passed.weeks;
                user = stays.next();
            }
            let Some(user) = user else { return };
            let weeks_passed = week_in_row - begins;
            self.seats[seat] = first_week + user.weeks - weeks_passed;
            if self.is_taken(seat, generator) {
                self.met.push(Arrival { user, weeks_passed });
            }
        }
    }

    fn is_taken(&self, seat: usize, generator: &mut Pcg64) -> bool {
        seat + 1 < self.seats.len() || generator.random::<f64>() < self.last_seat_share
    }
}
