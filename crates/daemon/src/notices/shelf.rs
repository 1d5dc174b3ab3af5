//! All notices, in memory and in their folder.
//!
//! For: the routes, which add, list and cancel; and the sender, which looks at the jobs and sends what is due.
//!
//! A change is kept before it counts, except for what was sent: should that be lost, a message is sent again, with the same key.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queuecast_api::notification::{Destination, NotificationResponse};
use queuecast_notify::{Message, NotDelivered, NotTaken, Seen};
use tracing::{info, warn};

use super::folder::Folder;
use super::notice::{Notice, Owner};

/// Notices of one user at most.
pub(super) const MOST_OF_ONE: usize = 100;
/// Notices at most.
const MOST: usize = 10_000;
/// So long a message is tried.
const GIVE_UP: Duration = Duration::from_hours(1);
/// Messages to one place, or by one way, on their way at once: whoever does not answer holds up nobody else.
const MOST_TO_ONE_PLACE: usize = 2;
/// Messages on their way at once.
const MOST_AT_ONCE: usize = 8;

/// Why a notice is not taken.
#[derive(Debug)]
pub(crate) enum ShelfError {
    /// None are, here.
    NotOffered,
    /// This user has so many.
    TooManyOfOne(usize),
    /// There are too many.
    Full,
    /// It cannot be kept.
    NotKept(io::Error),
}

/// Something to send.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub id: String,
    pub message: Message,
    pub to: Destination,
    pub user: String,
}

#[derive(Debug)]
struct Entry {
    notice: Notice,
    /// Whether a message of it is on its way.
    is_sending: bool,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: Option<Folder>,
    entries: Mutex<BTreeMap<String, Entry>>,
}

impl Shelf {
    /// Those in this folder. Without one, and where it cannot be used, none are taken.
    pub fn open(path: Option<&Path>) -> Self {
        let opened = path.map(|path| {
            let folder = Folder::open(path)?;
            let notices = folder.read()?;
            Ok::<_, io::Error>((folder, notices))
        });
        let (folder, notices) = match opened {
            Some(Ok((folder, notices))) => (Some(folder), notices),
            Some(Err(error)) => {
                warn!(folder = ?path, %error, "cannot use the notification directory; rejecting new notifications");
                (None, Vec::new())
            }
            None => (None, Vec::new()),
        };
        let entry = |notice: Notice| (notice.id.clone(), Entry { notice, is_sending: false });
        Self { folder, entries: Mutex::new(notices.into_iter().map(entry).collect()) }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Takes one.
    pub fn add(&self, notice: Notice) -> Result<NotificationResponse, ShelfError> {
        let folder = self.folder.as_ref().ok_or(ShelfError::NotOffered)?;
        let mut entries = self.entries();
        if let Some(there) = entries.get(&notice.id) {
            return Ok(there.notice.told());
        }
        let of_owner = entries.values().filter(|entry| entry.notice.owner == notice.owner).count();
        if of_owner >= MOST_OF_ONE {
            return Err(ShelfError::TooManyOfOne(of_owner));
        }
        if entries.len() >= MOST {
            return Err(ShelfError::Full);
        }
        folder.keep(&notice).map_err(ShelfError::NotKept)?;
        let told = notice.told();
        entries.insert(notice.id.clone(), Entry { notice, is_sending: false });
        Ok(told)
    }

    /// Those that are shown, in order of when they were asked for.
    pub fn list(&self, is_shown: impl Fn(&Owner) -> bool) -> Vec<NotificationResponse> {
        let entries = self.entries();
        let mut shown: Vec<&Notice> = entries.values().map(|entry| &entry.notice).collect();
        shown.retain(|notice| is_shown(&notice.owner));
        shown.sort_by(|one, other| (one.made, &one.id).cmp(&(other.made, &other.id)));
        shown.into_iter().map(Notice::told).collect()
    }

    /// Cancels one, if it is there and theirs. What is on its way arrives.
    pub fn cancel(&self, id: &str, is_theirs: impl Fn(&Owner) -> bool) -> Option<NotificationResponse> {
        let mut entries = self.entries();
        let told = entries.get(id).filter(|entry| is_theirs(&entry.notice.owner))?.notice.told();
        entries.remove(id);
        self.forget(id);
        Some(told)
    }

    /// Looks at every job that is not over.
    pub(super) fn look(&self, see: impl Fn(&Owner, &str) -> Seen) {
        let mut entries = self.entries();
        for entry in entries.values_mut() {
            let notice = &mut entry.notice;
            if notice.watch.is_over() {
                continue;
            }
            let message = notice.watch.see(&see(&notice.owner, &notice.job));
            // What was seen of a job that goes on waiting is seen again after a restart.
            if message.is_some() || notice.watch.is_over() {
                notice.outbox.add(message);
                self.keep(notice);
            }
        }
        self.sweep(&mut entries);
    }

    /// What is to be sent now. It is on its way until [`Self::sent`].
    pub(super) fn due(&self, now: i64) -> Vec<Due> {
        let mut entries = self.entries();
        let mut busy: HashMap<String, usize> = HashMap::new();
        let mut at_once = 0;
        for entry in entries.values().filter(|entry| entry.is_sending) {
            *busy.entry(place(&entry.notice)).or_default() += 1;
            at_once += 1;
        }
        let mut due = Vec::new();
        for entry in entries.values_mut().filter(|entry| !entry.is_sending) {
            let Some(message) = entry.notice.outbox.due(now) else { continue };
            let to_place = busy.entry(place(&entry.notice)).or_default();
            if at_once >= MOST_AT_ONCE || *to_place >= MOST_TO_ONE_PLACE {
                continue;
            }
            *to_place += 1;
            at_once += 1;
            due.push(Due {
                id: entry.notice.id.clone(),
                message: message.clone(),
                to: entry.notice.to.clone(),
                user: entry.notice.owner.user.clone(),
            });
            entry.is_sending = true;
        }
        due
    }

    /// What became of it.
    pub(super) fn sent(&self, due: &Due, outcome: &Result<(), NotDelivered>, now: i64) {
        let mut entries = self.entries();
        let Some(entry) = entries.get_mut(&due.id) else { return };
        entry.is_sending = false;
        let notice = &mut entry.notice;
        let (job, by, event) = (&notice.job, notice.to.by(), due.message.event.name());
        let host = notice.host();
        match outcome {
            Ok(()) => {
                info!(job, by, host, event, "message delivered");
                notice.outbox.taken();
                notice.taken += 1;
                notice.problem = None;
            }
            Err(NotDelivered { why, is_final }) => {
                notice.problem = Some(why.clone());
                let give_up = if *is_final { Duration::ZERO } else { GIVE_UP };
                match notice.outbox.not_taken(now, give_up) {
                    NotTaken::TryAgain(_) => {}
                    NotTaken::GivenUp(tried) => {
                        warn!(
                            job,
                            by,
                            host,
                            event,
                            why,
                            tried_seconds = tried.as_secs(),
                            "message not delivered; giving up"
                        );
                    }
                }
            }
        }
        self.keep(&entry.notice);
        self.sweep(&mut entries);
    }

    fn sweep(&self, entries: &mut BTreeMap<String, Entry>) {
        entries.retain(|id, entry| {
            let is_over = entry.notice.is_over() && !entry.is_sending;
            if is_over {
                self.forget(id);
            }
            !is_over
        });
    }

    fn keep(&self, notice: &Notice) {
        if let Some(Err(error)) = self.folder.as_ref().map(|folder| folder.keep(notice)) {
            warn!(job = notice.job, %error, "cannot save the state of a notification; a message may be sent twice after a restart");
        }
    }

    fn forget(&self, id: &str) {
        if let Some(Err(error)) = self.folder.as_ref().map(|folder| folder.remove(id)) {
            warn!(notice = id, %error, "cannot delete a finished notification; its messages may be sent again after a restart");
        }
    }
}

/// Where its messages go: a host, or whoever takes mail, or the program.
fn place(notice: &Notice) -> String {
    notice.host().unwrap_or_else(|| notice.to.by().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, job, published};
    use crate::board::Board;
    use queuecast_api::forecast::ForecastResponse;
    use queuecast_api::notification::Template;
    use queuecast_notify::{Kind, Outbox, Watch};
    use queuecast_site::published::PublishedJob;
    use queuecast_workload::Time;
    use std::fs;

    fn answer(started: Option<Time>) -> ForecastResponse {
        let board = Board::new(published(vec![PublishedJob { started, ..job(7) }]));
        crate::api::test_board::answer_to(&board, 1_000, "7")
    }

    fn notice(id: &str, user: u32, host: &str) -> Notice {
        let mut outbox = Outbox::default();
        outbox.add(Some(Message::of(Kind::Asked, &answer(None))));
        Notice {
            id: id.to_owned(),
            owner: Owner { user_id: Some(user), user: format!("user{user}") },
            job: "7".to_owned(),
            to: Destination::Webhook { url: format!("https://{host}/secret"), template: Template::Json },
            before_seconds: Some(600),
            made: NOW.0,
            watch: Watch::new(Some(Duration::from_mins(10))),
            outbox,
            taken: 0,
            problem: None,
        }
    }

    fn waits(_: &Owner, _: &str) -> Seen {
        Seen::There(Box::new(answer(None)))
    }

    fn runs(_: &Owner, _: &str) -> Seen {
        Seen::There(Box::new(answer(Some(Time(NOW.0 - 5)))))
    }

    fn refused(is_final: bool) -> Result<(), NotDelivered> {
        Err(NotDelivered { why: "it answered with status 404".to_owned(), is_final })
    }

    #[test]
    fn a_notice_outlives_the_daemon_is_told_to_the_end_and_is_then_gone_from_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notices");
        Shelf::open(Some(&path)).add(notice("a", 1_000, "x.org")).expect("it is kept");

        let shelf = Shelf::open(Some(&path));
        shelf.look(waits);
        let due = shelf.due(NOW.0);
        assert_eq!(due.iter().map(|due| due.message.event).collect::<Vec<_>>(), [Kind::Asked]);
        assert!(shelf.due(NOW.0).is_empty(), "it is on its way");
        shelf.sent(&due[0], &Ok(()), NOW.0);
        assert_eq!(shelf.list(|_| true)[0].delivered, 1);

        let shelf = Shelf::open(Some(&path));
        assert!(shelf.due(NOW.0).is_empty(), "what was taken is not sent again");
        shelf.look(runs);
        let shelf = Shelf::open(Some(&path));
        shelf.look(|_, _| Seen::Gone);
        let due = shelf.due(NOW.0);
        assert_eq!(due[0].message.event, Kind::Started, "that it started was seen before, and that alone is told");
        shelf.sent(&due[0], &Ok(()), NOW.0);
        assert_eq!((shelf.len(), fs::read_dir(&path).expect("it is there").count()), (0, 0));
    }

    #[test]
    fn what_is_not_taken_is_tried_again_and_what_never_will_be_is_given_up_with_the_reason_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::open(Some(folder.path()));
        shelf.add(notice("a", 1_000, "x.org")).expect("it is kept");
        let due = shelf.due(NOW.0);
        shelf.sent(&due[0], &refused(false), NOW.0);
        assert!(shelf.due(NOW.0).is_empty() && shelf.due(NOW.0 + 1).len() == 1);
        shelf.sent(&due[0], &refused(true), NOW.0 + 1);
        let told = &shelf.list(|_| true)[0];
        assert_eq!((told.waiting, told.problem.as_deref()), (0, Some("it answered with status 404")));
        assert_eq!(told.to.as_deref(), Some("x.org"), "and nothing of its path");
    }

    #[test]
    fn a_place_that_does_not_answer_holds_up_nobody_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::open(Some(folder.path()));
        for number in 0..20 {
            shelf.add(notice(&format!("dead{number}"), 1_000, "dead.org")).expect("it is kept");
        }
        shelf.add(notice("good", 1_001, "good.org")).expect("it is kept");
        let due = shelf.due(NOW.0);
        assert_eq!(due.len(), MOST_TO_ONE_PLACE + 1);
        assert!(due.iter().any(|due| due.id == "good"));
    }

    #[test]
    fn one_has_so_many_and_cancels_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::open(Some(folder.path()));
        for number in 0..MOST_OF_ONE {
            shelf.add(notice(&number.to_string(), 1_000, "x.org")).expect("it is kept");
        }
        assert!(matches!(shelf.add(notice("more", 1_000, "x.org")), Err(ShelfError::TooManyOfOne(_))));
        shelf.add(notice("0", 1_000, "x.org")).expect("the same again is the same");
        shelf.add(notice("other", 1_001, "x.org")).expect("others have theirs");
        let is_own = |user: u32| move |owner: &Owner| owner.user_id == Some(user);
        assert!(shelf.cancel("other", is_own(1_000)).is_none() && shelf.cancel("other", is_own(1_001)).is_some());
        assert_eq!(shelf.list(is_own(1_001)), []);
        assert!(!folder.path().join("other.json").exists());
    }

    #[test]
    fn a_disk_that_takes_nothing_refuses_a_new_notice_and_one_that_is_there_is_still_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notices");
        let shelf = Shelf::open(Some(&path));
        shelf.add(notice("a", 1_000, "x.org")).expect("it is kept");
        fs::remove_dir_all(&path).expect("it is ours");
        assert!(matches!(shelf.add(notice("b", 1_000, "x.org")), Err(ShelfError::NotKept(_))));
        let due = shelf.due(NOW.0);
        assert_eq!(due.iter().map(|due| due.id.as_str()).collect::<Vec<_>>(), ["a"]);
        shelf.sent(&due[0], &Ok(()), NOW.0);
        assert_eq!(shelf.list(|_| true)[0].delivered, 1);
    }

    #[test]
    fn files_that_are_no_notices_are_left_alone_and_without_a_folder_nothing_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        Shelf::open(Some(folder.path())).add(notice("a", 1_000, "x.org")).expect("it is kept");
        fs::write(folder.path().join("b.json"), b"{").expect("our folder");
        fs::copy(folder.path().join("a.json"), folder.path().join("c.json")).expect("our folder");
        fs::write(folder.path().join("note.txt"), b"hello").expect("our folder");
        fs::write(folder.path().join(".unfinished-x"), b"{").expect("our folder");
        assert_eq!(Shelf::open(Some(folder.path())).len(), 1);
        assert!(folder.path().join("b.json").exists() && folder.path().join("note.txt").exists());
        assert!(!folder.path().join(".unfinished-x").exists(), "what a killed daemon left is swept");
        assert!(matches!(Shelf::open(None).add(notice("a", 1_000, "x.org")), Err(ShelfError::NotOffered)));
        let nowhere = folder.path().join("no/such/folder");
        assert!(matches!(Shelf::open(Some(&nowhere)).add(notice("a", 1_000, "x.org")), Err(ShelfError::NotOffered)));
    }
}
