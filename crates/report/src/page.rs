//! What every page has in common: the document around it, and the footer that says how it was made.

use crate::markup::{Element, element};

/// Nothing in it may need escaping; see [`crate::markup`].
pub const STYLE: &str = include_str!("style.css");

/// A whole document around what is to be read.
pub fn document(title: &str, content: Element) -> String {
    let head = element("head")
        .child(element("meta").with("charset", "utf-8"))
        .child(element("meta").with("name", "viewport").with("content", "width=device-width, initial-scale=1"))
        .child(element("meta").with("name", "color-scheme").with("content", "light dark"))
        .child(element("title").text(title))
        .child(element("style").text(STYLE));
    let page = element("html").with("lang", "en").child(head).child(element("body").child(content));
    format!("<!DOCTYPE html>\n{page}\n")
}

/// The beginning of a page.
pub fn opening(kicker: &str, title: &str, lede: &str) -> Element {
    element("header")
        .child(element("p").class("kicker").text(kicker))
        .child(element("h1").text(title))
        .child(element("p").class("lede").text(lede))
}

/// A figure with its title and how to read it.
pub fn framed(title: &str, how_to_read: &str) -> Element {
    let caption = element("figcaption").child(element("h3").text(title));
    element("figure").child(caption.child(element("p").class("reading").text(how_to_read)))
}

/// A table in a box of its own, which scrolls where the table is wider than the page, by keys too.
pub fn table(classes: &str, header: Element, rows: impl IntoIterator<Item = Element>) -> Element {
    let table = element("table").class(classes).child(element("thead").child(header));
    element("div").class("scroll").with("tabindex", 0).child(table.child(element("tbody").children(rows)))
}

/// The end of a page: the command that makes its figures again, in parts that should not be torn apart, what was set, and
/// what else should be known.
pub fn how_made(command: &[String], facts: Vec<(&str, String)>, note: &str) -> Element {
    let code = command.iter().enumerate().fold(element("code"), |code, (index, part)| {
        let code = if index > 0 { code.text(" ") } else { code };
        code.child(element("span").text(part))
    });
    let rows = facts.into_iter().map(|(name, value)| {
        let name = element("th").with("scope", "row").text(name);
        element("tr").child(name).child(element("td").text(value))
    });
    element("footer")
        .child(element("h2").text("How this was made"))
        .child(element("pre").child(code))
        .child(element("table").class("made").child(element("tbody").children(rows)))
        .child(element("p").class("reading").text(note))
}

/// A file's name without its folder.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_needs_no_escaping() {
        let escaped = STYLE.find(['<', '>', '&', '"']);
        assert_eq!(escaped.map(|place| &STYLE[place.saturating_sub(40)..=place]), None);
    }

    #[test]
    fn the_style_brings_nothing_from_elsewhere() {
        for foreign in ["url(", "@import", "http"] {
            assert!(!STYLE.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn a_wide_table_scrolls_in_its_own_box_by_keys_too_and_no_name_covers_it() {
        let page = table("figures", element("tr"), [element("tr")]).to_string();
        assert!(page.starts_with(r#"<div class="scroll" tabindex="0"><table class="figures">"#), "{page}");
        let names = STYLE.lines().filter(|rule| rule.starts_with(".figures") && rule.contains("tbody th"));
        assert!(names.clone().any(|rule| rule.contains("max-width") && rule.contains("overflow-wrap: anywhere")));
        assert!(names.clone().all(|rule| !rule.contains("nowrap")), "a name that stays in view must break");
    }
}
