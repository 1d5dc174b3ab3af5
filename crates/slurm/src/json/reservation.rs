//! A reservation of REST `/reservations`.

use super::field::{Field, Problem};
use queuecast_records::ReservationRecord;

pub(super) fn decode(reservation: &Field<'_>) -> Result<ReservationRecord, Problem> {
    for name in ["name", "start_time", "end_time"] {
        reservation.required(name)?;
    }
    Ok(ReservationRecord {
        name: reservation.text("name")?,
        starts: reservation.time("start_time")?,
        ends: reservation.time("end_time")?,
        nodes: reservation.text("node_list")?,
        nodes_total: reservation.count("node_count")?,
        partition: reservation.text("partition")?,
        reserved: reservation.tres("tres")?,
        flags: reservation.names("flags")?,
        users: reservation.text("users")?,
        accounts: reservation.text("accounts")?,
    })
}
