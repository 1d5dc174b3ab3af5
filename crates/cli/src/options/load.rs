//! The option `--load` of whatever makes jobs up.

/// A load: any number above zero. More than 1 is more than the machine can do, and may be wanted.
pub fn parse_load(text: &str) -> Result<f64, String> {
    let load: Option<f64> = text.parse().ok();
    let sound = load.filter(|load| load.is_finite() && *load > 0.0);
    sound.ok_or_else(|| "expected a load above 0, such as 0.8".to_owned())
}
