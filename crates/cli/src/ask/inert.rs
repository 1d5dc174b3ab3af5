//! Foreign text made harmless for a terminal.
//!
//! For: names of jobs, users and partitions, and whatever else a daemon sends: a job may be called so that printing its name
//! clears the screen, changes the title, or writes to the clipboard.
//!
//! Not for: files and HTML.
//!
//! Source: ECMA-48 control functions, which begin with ESC or with one of the characters from U+0080 to U+009F; Unicode's
//! marks that reverse or hide text (UTS #55).

use std::fmt::Write as _;

/// With every character that a terminal might obey written as an escape.
pub fn inert(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_active(character) {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// The same for JSON, which stays the same value: such characters can only be inside its strings, and line breaks and tabs
/// only outside.
pub fn inert_json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_active(character) && !matches!(character, '\n' | '\r' | '\t') {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string does not fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
    }
    safe
}

fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(character, '\u{61c}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_are_shown_and_not_obeyed() {
        assert_eq!(inert("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(inert("\u{1b}]52;c;AAAA\u{7}"), "\\u{1b}]52;c;AAAA\\u{7}");
        assert_eq!(inert("\u{9b}31m\u{202e}\r\n"), "\\u{9b}31m\\u{202e}\\u{d}\\u{a}");
        assert_eq!(inert("Größe 80 %, 汉字"), "Größe 80 %, 汉字");
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_is_left(text: String) {
            prop_assert!(!inert(&text).chars().any(is_active));
        }

        #[test]
        fn json_stays_the_same_value(text: String) {
            let json = serde_json::to_string_pretty(&[&text]).unwrap();
            let safe = inert_json(&json);
            prop_assert!(!safe.chars().any(|character| is_active(character) && character != '\n'));
            prop_assert_eq!(serde_json::from_str::<Vec<String>>(&safe).unwrap(), vec![text]);
        }
    }
}
