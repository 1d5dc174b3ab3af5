//! Reservations: nodes that jobs outside cannot have for a while.

use std::collections::HashMap;

use queuecast_records::{NodeList, ReservationRecord};
use queuecast_schedule::slurm::Blocked;
use queuecast_workload::Time;

use super::pools::PoolTable;

/// What the reservations take from each pool. One whose nodes cannot be read takes nothing, and is told of.
pub fn blocked(reservations: &[ReservationRecord], table: &PoolTable, problems: &mut Vec<String>) -> Vec<Blocked> {
    let mut all = Vec::new();
    for reservation in reservations {
        let nodes = match NodeList::parse(&reservation.nodes) {
            Ok(nodes) => nodes,
            Err(error) => {
                problems.push(format!("reservation {}: {error}", reservation.name));
                continue;
            }
        };
        let mut counts: HashMap<u8, u32> = HashMap::new();
        for pool in nodes.names().filter_map(|name| table.of_node(&name)) {
            *counts.entry(pool).or_default() += 1;
        }
        let (from, until) = (reservation.starts.unwrap_or(Time(0)), reservation.ends.unwrap_or(Time::MAX));
        all.extend(counts.into_iter().map(|(pool, count)| {
            let amount = table.pools[usize::from(pool)].node.times(count);
            Blocked { pool, amount, from, until }
        }));
    }
    all.sort_by_key(|blocked| (blocked.from, blocked.pool, blocked.until));
    all
}

#[cfg(test)]
mod tests {
    use queuecast_schedule::slurm::Amount;

    use super::*;
    use crate::cluster::test_cluster::node;

    #[test]
    fn a_reservation_takes_its_nodes_and_one_that_cannot_be_read_is_told_of() {
        let table = PoolTable::of(&[node("a1", 4, &["batch"]), node("a2", 4, &["batch"]), node("a3", 4, &["batch"])]);
        let maintenance = ReservationRecord {
            name: "maintenance".to_owned(),
            starts: Some(Time(100)),
            ends: Some(Time(200)),
            nodes: "a[2-9]".to_owned(),
            ..ReservationRecord::default()
        };
        let broken = ReservationRecord { nodes: "a[".to_owned(), ..maintenance.clone() };
        let mut problems = Vec::new();
        let found = blocked(&[maintenance, broken], &table, &mut problems);
        let taken = Blocked { pool: 0, amount: Amount::processors(8), from: Time(100), until: Time(200) };
        assert_eq!(found, [taken]);
        assert_eq!(problems.len(), 1);
    }
}
