//! What is on the screen, in several sizes, compared with stored screens; `QCAST_BLESS=1` stores them anew.

use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use queuecast_api::forecast::StateResponse;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::*;
use crate::queue::sample;
use crate::top::sample::snapshot;

/// A queue with one of everything: own and others', running, held, tomorrow, wide names, hostile names.
fn model() -> Model {
    let mut jobs: Vec<_> =
        (1_234..1_264).map(|number| sample::starting_in(number, 97 * (number.cast_signed() - 1_230))).collect();
    (jobs[3].job.user, jobs[3].job.own) = (Some("bob".to_owned()), true);
    (jobs[4].job.user, jobs[4].job.own) = (Some("bob".to_owned()), true);
    jobs[4].state = StateResponse::Running;
    jobs[4].started = Some(queuecast_workload::Time(sample::NOW - 1_800).into());
    jobs[4].job.id = Some("1200_[5-9%2]".to_owned());
    jobs[6] = sample::held(1_240);
    jobs[7] = sample::starting_in(1_241, 86_400 + 1_800);
    jobs[8].job.name = Some("汉字汉字汉字汉字汉字汉字".to_owned());
    jobs[8].job.user = Some("Müller-Lüdenscheidt".to_owned());
    jobs[9].job.name = Some("\u{1b}]52;c;AAAA\u{7}\u{202e}".to_owned());
    jobs[9].job.partitions = vec!["\u{9b}2J".to_owned(), "batch".to_owned()];
    jobs[9].job.limit_seconds = Some(86_400 * 30);
    let mut model = Model::new(String::new());
    for waiting in 0..30 {
        model.saw(snapshot(jobs[..waiting].to_vec()));
    }
    model.saw(snapshot(jobs));
    model
}

fn drawn(model: &mut Model, columns: u16, rows: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a terminal in memory");
    model.fit(page(Rect::new(0, 0, columns, rows)));
    let settings = Settings { zone: &Zone::UTC, has_colours: true };
    terminal.draw(|frame| draw(model, &settings, frame.area(), frame.buffer_mut())).expect("memory does not fail");
    terminal.backend().buffer().clone()
}

fn screen(model: &mut Model, columns: u16, rows: u16) -> String {
    text(&drawn(model, columns, rows))
}

fn press(model: &mut Model, keys: &[KeyCode]) {
    for key in keys {
        model.press(KeyEvent::from(*key));
    }
}

fn assert_stored(name: &str, shown: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/top/view/screens").join(name).with_extension("txt");
    if std::env::var_os("QCAST_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the repository can be written");
        std::fs::write(&path, shown).expect("the repository can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == shown, "{name} is stored as\n{stored}\nand shown as\n{shown}\nif that is meant: QCAST_BLESS=1");
}

#[test]
fn the_list_fits_terminals_of_any_size() {
    for (columns, rows) in [(80, 24), (20, 5), (200, 60), (40, 3), (132, 12)] {
        assert_stored(&format!("list-{columns}x{rows}"), &screen(&mut model(), columns, rows));
    }
}

#[test]
fn a_job_is_shown_with_its_fan() {
    for (columns, rows) in [(80, 24), (20, 5), (200, 60)] {
        let mut model = model();
        press(&mut model, &[KeyCode::Enter]);
        assert_stored(&format!("detail-{columns}x{rows}"), &screen(&mut model, columns, rows));
    }
    let mut model = model();
    press(&mut model, &[KeyCode::Down, KeyCode::Enter]);
    assert_stored("detail-running-80x24", &screen(&mut model, 80, 24));
    press(&mut model, &[KeyCode::End]);
    assert_stored("detail-held-80x24", &screen(&mut model, 80, 24));
}

#[test]
fn help_fits_the_smallest_usual_terminal() {
    let mut model = model();
    press(&mut model, &[KeyCode::Char('?')]);
    assert_stored("help-80x24", &screen(&mut model, 80, 24));
}

#[test]
fn a_daemon_that_is_away_is_said_with_the_age_of_what_is_shown() {
    let mut model = model();
    model.missed("no daemon at /run/queuecast/api.sock: Connection refused".to_owned());
    model.age = Duration::from_secs(130);
    let shown = screen(&mut model, 80, 24);
    assert!(shown.contains("! NO ANSWER, data is 2 min old; retrying: no daemon at /run"), "{shown}");
    assert!(shown.contains("alpha  12:22 UTC") && shown.contains("1234"), "the clock goes on, the jobs stay: {shown}");
    let mut never = Model::new(String::new());
    never.missed("no daemon".to_owned());
    assert!(screen(&mut never, 80, 24).contains("! NO ANSWER, no data yet"));
}

#[test]
fn what_is_wrong_with_the_daemon_is_said() {
    let mut model = model();
    let complaint = Some(("stale", "The queue was last read 20 minutes ago.".to_owned()));
    model.saw(crate::top::snapshot::Snapshot { complaint, ..snapshot(Vec::new()) });
    let shown = screen(&mut model, 80, 24);
    assert!(shown.contains("STALE") && shown.contains("! stale: The queue was last read 20 minutes ago."), "{shown}");
    assert!(shown.contains("no pending jobs"), "{shown}");
}

#[test]
fn without_colours_there_are_none() {
    let mut model = model();
    let area = Rect::new(0, 0, 80, 24);
    model.fit(page(area));
    let mut buffer = Buffer::empty(area);
    draw(&model, &Settings { zone: &Zone::UTC, has_colours: false }, area, &mut buffer);
    assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(drawn(&mut model, 80, 24).content.iter().any(|cell| cell.fg != Color::Reset));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_size_breaks_it_and_nothing_on_it_is_obeyed(columns in 0_u16..220, rows in 0_u16..70, keys in 0_usize..4) {
        let mut model = model();
        press(&mut model, &[KeyCode::PageDown, KeyCode::Enter, KeyCode::Char('?')][..keys.min(3)]);
        let shown = screen(&mut model, columns, rows);
        let is_obeyed = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        prop_assert!(!shown.contains(is_obeyed), "{shown:?}");
        prop_assert_eq!(shown.lines().count(), usize::from(rows));
        prop_assert!(shown.lines().all(|line| width(line) <= usize::from(columns)), "{}", shown);
    }
}
