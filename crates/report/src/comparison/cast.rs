//! The configurations of a section as all of its plots show them.

use queuecast_evaluate::{Compared, Comparison};

use crate::markup::{Element, element};
use crate::plot::look::{Look, legend};

/// The configurations of a section as all of its plots show them.
pub struct Cast<'a> {
    /// What is shown.
    pub comparison: &'a Comparison,
    /// How each looks, in their order.
    pub looks: Vec<Look>,
}

impl<'a> Cast<'a> {
    /// Gives every configuration its look.
    pub fn new(comparison: &'a Comparison) -> Self {
        Self { comparison, looks: Look::of_all(comparison) }
    }

    /// The configurations with their places and looks.
    pub fn members(&self) -> impl Iterator<Item = (usize, &'a Compared, &Look)> {
        let members = self.comparison.compared().iter().zip(&self.looks).enumerate();
        members.map(|(index, (compared, look))| (index, compared, look))
    }

    /// A configuration's name in one line of text.
    pub fn name(compared: &Compared) -> String {
        format!("{} / {}", compared.configuration.policy, compared.configuration.predictor)
    }

    /// A configuration's name, and whether it is the baseline or the bound.
    pub fn label(&self, index: usize) -> Element {
        let compared = &self.comparison.compared()[index];
        let configuration = &compared.configuration;
        let policy = element("b").breakable(&configuration.policy);
        let mut label = element("span").class("name").child(policy).text(" / ").breakable(&configuration.predictor);
        if index == self.comparison.baseline() {
            label = label.text(" ").child(element("span").class("tag").text("baseline"));
        }
        if compared.is_bound() {
            label = label.text(" ").child(element("span").class("tag").text("bound"));
        }
        label
    }

    /// Line, marker and name of every configuration.
    pub fn legend(&self) -> Element {
        legend(self.members().map(|(index, _, look)| look.entry().child(self.label(index))))
    }
}
