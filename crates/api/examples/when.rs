//! Prints when a job starts, from the daemon on this machine: `cargo run -p queuecast-api --example when -- 1234`.

use queuecast_api::forecast::ForecastResponse;
use queuecast_api::{AskError, Client, DEADLINE, USUAL_SOCKET, route};

fn main() -> std::process::ExitCode {
    let Some(id) = std::env::args().nth(1) else {
        eprintln!("when JOB [SOCKET]");
        return 2.into();
    };
    let socket = std::env::args().nth(2).unwrap_or_else(|| USUAL_SOCKET.to_owned());
    match ask(&socket, &id) {
        Ok(ForecastResponse { start: Some(start), .. }) => {
            println!("80 % range: {} to {}", start.range80.from.utc, start.range80.to.utc);
            0.into()
        }
        Ok(answer) => {
            println!("no forecast: {}", answer.no_forecast.map_or_else(String::new, |none| none.message));
            5.into()
        }
        Err(error) => {
            eprintln!("{error}; {}", error.hint().unwrap_or("check the daemon"));
            3.into()
        }
    }
}

fn ask(socket: &str, id: &str) -> Result<ForecastResponse, AskError> {
    Client::at_socket(socket.as_ref(), DEADLINE)?.get(&route::of_job(route::JOB_FORECAST, id))?.read()
}
