//! What keys do, and what moves when the queue does.

use super::*;
use crate::queue::sample;
use proptest::prelude::*;

fn model(numbers: &[u64]) -> Model {
    let mut model = Model::new(String::new());
    model.saw(seen(numbers));
    model.fit(3);
    model
}

/// Job 5 is bob's; jobs start in the order of their numbers.
fn seen(numbers: &[u64]) -> Snapshot {
    let jobs = numbers.iter().map(|&number| {
        let mut job = sample::starting_in(number, 60 * number.cast_signed());
        if number == 5 {
            (job.job.user, job.job.own) = (Some("bob".to_owned()), true);
        }
        job
    });
    crate::top::sample::snapshot(jobs.collect())
}

fn key(model: &mut Model, code: KeyCode) -> Option<Wish> {
    model.press(KeyEvent::from(code))
}

fn shown(model: &Model) -> Vec<u64> {
    model.jobs().iter().filter_map(|job| job.job.job_id).collect()
}

#[test]
fn own_jobs_come_first_in_every_order() {
    let mut model = model(&[1, 2, 5, 7]);
    assert_eq!(shown(&model), [5, 1, 2, 7]);
    key(&mut model, KeyCode::Char('i'));
    assert_eq!(shown(&model), [5, 1, 2, 7]);
    key(&mut model, KeyCode::Char('i'));
    assert_eq!(shown(&model), [5, 7, 2, 1]);
}

#[test]
fn the_cursor_stays_on_its_job_while_the_queue_moves() {
    let mut model = model(&[1, 2, 3, 4, 6]);
    key(&mut model, KeyCode::Char('j'));
    key(&mut model, KeyCode::Down);
    assert_eq!(model.chosen().and_then(|job| job.job.job_id), Some(3));
    model.saw(seen(&[2, 3, 4, 5, 6]));
    assert_eq!(model.chosen().and_then(|job| job.job.job_id), Some(3));
    model.saw(seen(&[6]));
    assert_eq!(model.chosen().and_then(|job| job.job.job_id), Some(6));
    model.saw(seen(&[]));
    assert_eq!(model.chosen(), None);
    assert_eq!(key(&mut model, KeyCode::Enter), None);
    assert_eq!(model.pane, Pane::List, "there is nothing to open");
}

#[test]
fn a_cursor_that_was_not_moved_stays_on_the_first_row() {
    let mut model = model(&[1, 2]);
    model.saw(seen(&[1, 2, 5]));
    assert_eq!((model.cursor, model.chosen().and_then(|job| job.job.job_id)), (0, Some(5)));
}

#[test]
fn escape_goes_back_before_it_leaves() {
    let mut model = model(&[1, 2]);
    key(&mut model, KeyCode::Enter);
    assert_eq!(model.pane, Pane::Detail);
    key(&mut model, KeyCode::Char('?'));
    assert_eq!(model.pane, Pane::Help);
    assert_eq!(key(&mut model, KeyCode::Char('q')), None);
    assert_eq!(model.pane, Pane::Detail);
    assert_eq!(key(&mut model, KeyCode::Esc), None);
    assert_eq!(model.pane, Pane::List);
    assert_eq!(key(&mut model, KeyCode::Esc), Some(Wish::Leave));
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(model.press(interrupt), Some(Wish::Leave));
}

#[test]
fn a_job_that_left_the_queue_stays_in_view_and_is_said_to_have_left() {
    let mut model = model(&[1, 2]);
    key(&mut model, KeyCode::Enter);
    model.saw(seen(&[2]));
    assert_eq!(model.detail.as_ref().and_then(|job| job.job.job_id), Some(1));
    assert!(!model.is_detail_listed);
}

proptest! {
    #[test]
    fn whatever_is_pressed_the_cursor_is_on_the_screen(
        deeds in proptest::collection::vec((0_usize..14, 0_usize..12), 0..60),
    ) {
        let codes = [
            KeyCode::Up, KeyCode::Down, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Home, KeyCode::End,
            KeyCode::Enter, KeyCode::Esc, KeyCode::Char('?'), KeyCode::Char('w'), KeyCode::Char('i'),
        ];
        let mut model = model(&[1, 2, 3, 4, 5, 6, 7]);
        for (deed, amount) in deeds {
            match deed {
                11 => model.fit(amount),
                12 => model.saw(seen(&(1..amount as u64).collect::<Vec<_>>())),
                13 => model.missed("away".to_owned()),
                code => { key(&mut model, codes[code]); }
            }
            let jobs = model.jobs().len();
            prop_assert!(model.cursor < jobs.max(1));
            prop_assert!(model.first <= model.cursor && model.cursor < model.first + model.page);
            prop_assert!(model.first + model.page <= jobs || model.first == 0);
        }
    }
}
