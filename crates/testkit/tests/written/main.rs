//! What is written in the repository, held to itself: citations resolve, words have one meaning.

mod glossary;
mod rules;
mod texts;
