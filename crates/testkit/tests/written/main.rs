//! What is written in the repository, held to itself: citations and links resolve, words have one meaning, what is named exists.

mod book;
mod glossary;
mod markdown;
mod messages;
mod named;
mod rules;
mod style;
mod texts;
