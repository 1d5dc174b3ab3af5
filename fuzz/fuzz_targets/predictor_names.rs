//! Any text as a predictor's name and as a file of templates: no panic, and what is taken for good reads back as itself.

#![no_main]

use queuecast_predict::{PredictorSpecification, TemplateSet};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(predictor) = text.parse::<PredictorSpecification>() {
        assert_eq!(predictor.to_string().parse(), Ok(predictor));
    }
    if let Ok(set) = TemplateSet::from_lines(text) {
        assert_eq!(TemplateSet::from_lines(&set.to_lines()), Ok(set));
    }
});
