//! Reservations: nodes that jobs outside cannot have for a while, and jobs inside can.

use queuecast_records::{NodeList, ReservationRecord};
use queuecast_schedule::slurm::Blocked;
use queuecast_workload::Time;

use super::pools::PoolTable;

/// What the reservations take; each is known by its place in the list. One whose nodes cannot be read takes nothing, and is told of.
pub fn blocked(reservations: &[ReservationRecord], table: &PoolTable, problems: &mut Vec<String>) -> Vec<Blocked> {
    let mut all: Vec<Blocked> = Vec::new();
    for (number, reservation) in (0_u32..).zip(reservations) {
        let nodes = match NodeList::parse(&reservation.nodes) {
            Ok(nodes) => nodes,
            Err(error) => {
                problems.push(format!("reservation {}: {error}", reservation.name));
                continue;
            }
        };
        let (from, until) = (reservation.starts.unwrap_or(Time(0)), reservation.ends.unwrap_or(Time::MAX));
        let first = all.len();
        for place in nodes.names().filter_map(|name| table.place_of_node(&name)) {
            let amount = table.node_at(place);
            match all[first..].iter_mut().find(|blocked| blocked.place == place) {
                Some(blocked) => blocked.amount += amount,
                None => all.push(Blocked { place, amount, reservation: number, from, until }),
            }
        }
    }
    all.sort_by_key(|blocked| (blocked.from, blocked.place, blocked.until));
    all
}

/// The number of the reservation of a name.
pub fn number_of(name: &str, reservations: &[ReservationRecord]) -> Option<u32> {
    let place = reservations.iter().position(|reservation| reservation.name == name)?;
    u32::try_from(place).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::node;
    use queuecast_schedule::slurm::Amount;

    #[test]
    fn a_reservation_takes_its_nodes_and_one_that_cannot_be_read_is_told_of() {
        let table =
            PoolTable::for_queue(&[node("a1", 4, &["batch"]), node("a2", 4, &["batch"]), node("a3", 4, &["batch"])], 0);
        let maintenance = ReservationRecord {
            name: "maintenance".to_owned(),
            starts: Some(Time(100)),
            ends: Some(Time(200)),
            nodes: "a[2-9]".to_owned(),
            ..ReservationRecord::default()
        };
        let broken = ReservationRecord { nodes: "a[".to_owned(), ..maintenance.clone() };
        let mut problems = Vec::new();
        let found = blocked(&[broken, maintenance], &table, &mut problems);
        let taken =
            |place| Blocked { place, amount: Amount::processors(4), reservation: 1, from: Time(100), until: Time(200) };
        assert_eq!(found, [taken(1), taken(2)]);
        assert_eq!(problems.len(), 1);
    }
}
