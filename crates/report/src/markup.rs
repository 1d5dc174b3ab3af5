//! HTML and SVG as a tree of elements: what is opened is closed, and what is text stays text.
//!
//! For: building the page. What comes out is well-formed XML as well as HTML, so that a test can check it.
//!
//! Not for: scripts. Text is always escaped, also within `style`, where nothing must need it.

use std::fmt::{self, Display, Write};

/// Elements that have no content and are closed in place. Any other is closed by an end tag, as HTML demands.
const CLOSED_IN_PLACE: [&str; 7] = ["meta", "wbr", "line", "rect", "circle", "path", "polyline"];

/// How much of its room a bar takes; the rest sets it apart from the next.
const BAR_SHARE: f64 = 0.86;

/// An element with its attributes and content.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    content: Vec<Content>,
}

#[derive(Clone, Debug)]
enum Content {
    Text(String),
    Element(Element),
}

/// An element without attributes and content.
pub fn element(name: &'static str) -> Element {
    Element { name, attributes: Vec::new(), content: Vec::new() }
}

impl Element {
    /// With this attribute.
    pub fn with(mut self, attribute: &'static str, value: impl Display) -> Self {
        self.attributes.push((attribute, value.to_string()));
        self
    }

    /// With these classes.
    pub fn class(self, classes: impl Display) -> Self {
        self.with("class", classes)
    }

    /// A line with its ends, each given from the left and from the top.
    pub fn between<X: Display, Y: Display>(self, (x1, y1): (X, Y), (x2, y2): (X, Y)) -> Self {
        self.with("x1", x1).with("x2", x2).with("y1", y1).with("y2", y2)
    }

    /// A bar on a floor so many pixels from the top, that begins at these hundredths of the width. What is `width` hundredths
    /// after it may be the beginning of another.
    pub fn standing(self, from: f64, width: f64, floor: f64, height: f64) -> Self {
        self.with("x", hundredths(from))
            .with("width", hundredths(width * BAR_SHARE))
            .with("y", format_args!("{:.2}", floor - height))
            .with("height", format_args!("{height:.2}"))
    }

    /// With this text after what is in it already.
    pub fn text(mut self, text: impl Display) -> Self {
        self.content.push(Content::Text(text.to_string()));
        self
    }

    /// With this element after what is in it already.
    pub fn child(mut self, child: Self) -> Self {
        self.content.push(Content::Element(child));
        self
    }

    /// With these elements after what is in it already.
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.content.extend(children.into_iter().map(Content::Element));
        self
    }

    /// With this name after what is in it already; it may be broken after every comma.
    pub fn breakable(self, name: impl Display) -> Self {
        let name = name.to_string();
        name.split_inclusive(',').enumerate().fold(self, |element, (index, part)| {
            let element = if index > 0 { element.child(self::element("wbr")) } else { element };
            element.text(part)
        })
    }

    /// What a pointer that rests on this element is told.
    pub fn tooltip(self, text: impl Display) -> Self {
        self.child(element("title").text(text))
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"")?;
            escape(value, f)?;
            f.write_char('"')?;
        }
        if self.content.is_empty() && CLOSED_IN_PLACE.contains(&self.name) {
            return f.write_str("/>");
        }
        f.write_char('>')?;
        for content in &self.content {
            match content {
                Content::Text(text) => escape(text, f)?,
                Content::Element(element) => element.fmt(f)?,
            }
        }
        write!(f, "</{}>", self.name)
    }
}

fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for character in text.chars() {
        match character {
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            // No page may hold them, however escaped; a file's name may.
            control if control.is_control() && control != '\n' && control != '\t' => f.write_char('\u{fffd}')?,
            other => f.write_char(other)?,
        }
    }
    Ok(())
}

/// A place along an axis, in hundredths of its length, as SVG takes it.
pub fn hundredths(position: f64) -> String {
    format!("{position:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_cannot_become_markup() {
        let hostile = "<script>alert(\"&\")</script>\u{0}'";
        let written = element("p").with("title", hostile).text(hostile).to_string();
        let escaped = "&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;\u{fffd}'";
        assert_eq!(written, format!("<p title=\"{escaped}\">{escaped}</p>"));
    }

    #[test]
    fn only_what_html_or_svg_leaves_empty_is_closed_in_place() {
        assert_eq!(element("td").to_string(), "<td></td>");
        assert_eq!(element("rect").with("x", 1).to_string(), "<rect x=\"1\"/>");
        assert_eq!(element("rect").tooltip("5 jobs").to_string(), "<rect><title>5 jobs</title></rect>");
    }
}
