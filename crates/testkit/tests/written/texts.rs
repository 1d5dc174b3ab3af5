//! What is written in the repository, found by walking it, so that a source archive will do.

use std::fs;
use std::path::Path;

use queuecast_testkit::repository;

/// A file of text.
pub struct Text {
    /// From the repository's folder, with slashes.
    pub path: String,
    /// All of it.
    pub content: String,
}

/// Every file of text in the repository, without what was built and what is hidden.
pub fn texts() -> Vec<Text> {
    let root = repository();
    let mut texts = Vec::new();
    collect(&root, &root, &mut texts);
    texts
}

fn collect(root: &Path, folder: &Path, texts: &mut Vec<Text>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && name != "target" && name != "node_modules" && !name.to_string_lossy().starts_with('.') {
            collect(root, &path, texts);
        } else if kind.is_file()
            && let Ok(content) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            texts.push(Text { path, content });
        }
    }
}

/// The cells of a line of a table.
pub fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}
