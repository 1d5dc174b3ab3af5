//! `qcast store`, the built binary, on a store that a daemon has open.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{qcast, scratch};
use queuecast_daemon::store::Store;

fn told(folder: &Path, words: &[&str], code: i32) -> String {
    let mut command = qcast();
    command.arg("store").args(words).arg("--store").arg(folder.join("store.sqlite")).env_remove("QCAST_CONFIG");
    let output = command.assert().code(code).get_output().clone();
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

#[test]
fn a_store_is_backed_up_checked_and_exported_while_it_is_open_and_compacted_when_it_is_not() {
    let folder = scratch();
    let open = Store::open(&folder.path().join("store.sqlite")).expect("a store");
    let copy = folder.path().join("copy.sqlite");
    let copy = copy.to_str().expect("a name");
    assert!(told(folder.path(), &["backup", copy], 0).contains("is a verified copy"));
    assert_eq!(fs::metadata(copy).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert!(told(folder.path(), &["backup", copy], 3).contains("copy.sqlite"), "nothing is written over");
    assert!(told(folder.path(), &["check"], 0).contains("is intact: 0 jobs"));
    assert!(
        told(folder.path(), &["export", "jobs"], 0).lines().next().is_some_and(|columns| columns.contains("job_id"))
    );
    assert!(told(folder.path(), &["compact"], 3).contains("another daemon"), "it is open");
    drop(open);
    assert!(told(folder.path(), &["compact"], 0).contains("bytes"));
}

#[test]
fn a_store_that_is_not_there_is_not_made_and_one_that_is_damaged_is_told() {
    let folder = scratch();
    for words in [&["check"][..], &["compact"], &["export", "jobs"], &["backup", "/nowhere/copy"]] {
        told(folder.path(), words, 3);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("ours").count(), 0);
    let path = folder.path().join("store.sqlite");
    drop(Store::open(&path).expect("a store"));
    let other = rusqlite::Connection::open(&path).expect("a database");
    other.execute("INSERT INTO meta VALUES ('cluster', 'x', 0)", []).expect("a row with a checksum that is wrong");
    drop(other);
    assert!(told(folder.path(), &["check"], 1).contains("is damaged"));
}

#[test]
fn a_store_of_a_newer_qcast_is_refused_with_the_way_back() {
    let folder = scratch();
    let path = folder.path().join("store.sqlite");
    drop(Store::open(&path).expect("a store"));
    let store = rusqlite::Connection::open(&path).expect("a database");
    let newest: i64 = store.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
    // A newer qcast was here.
    store.pragma_update(None, "user_version", newest + 1).expect("a version");
    drop(store);
    let refused = told(folder.path(), &["check"], 3);
    assert!(refused.contains(&format!("store.sqlite.version-{newest}, the copy made before the update")), "{refused}");
}
