//! The numbers of a job line, from bytes: no allocation, no UTF-8 check, no panic on any input.
//!
//! Not for: what a field means. Written by hand because this is where a reader's time goes; the standard
//! library's parser takes the few decimals that the exact short path cannot.

use crate::Seconds;

use super::bad_line::Reason;
use super::record::{Field, SwfRecord};

/// No field may be larger in magnitude, so that times can be added up without overflow; see [`Seconds::MAX`].
const MAGNITUDE_MAX: u64 = Seconds::MAX.0.unsigned_abs();
const MAGNITUDE_MAX_F64: f64 = 1e12;

/// So many digits always fit 64 bits.
const DIGITS_WITHOUT_OVERFLOW: usize = 18;

/// What is wrong with a line and which bytes of it show it.
#[derive(Debug, PartialEq)]
pub(super) struct Defect<'line> {
    pub(super) field: Option<Field>,
    pub(super) reason: Reason,
    pub(super) shown: &'line [u8],
}

/// Whether the byte only separates fields. A carriage return does, so that line ends of any system pass.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Reads the 18 fields of a job line.
pub(super) fn parse_record(line: &[u8]) -> Result<SwfRecord, Defect<'_>> {
    let mut fields = Fields::new(line);
    let record = SwfRecord {
        job_number: fields.integer(Field::JobNumber)?,
        submit_time: fields.integer(Field::SubmitTime)?,
        wait_time: fields.integer(Field::WaitTime)?,
        run_time: fields.integer(Field::RunTime)?,
        allocated_processors: fields.integer(Field::AllocatedProcessors)?,
        average_cpu_time: fields.decimal(Field::AverageCpuTime)?,
        used_memory: fields.integer(Field::UsedMemory)?,
        requested_processors: fields.integer(Field::RequestedProcessors)?,
        requested_time: fields.integer(Field::RequestedTime)?,
        requested_memory: fields.integer(Field::RequestedMemory)?,
        status: fields.integer(Field::Status)?,
        user: fields.integer(Field::User)?,
        group: fields.integer(Field::Group)?,
        executable: fields.integer(Field::Executable)?,
        queue: fields.integer(Field::Queue)?,
        partition: fields.integer(Field::Partition)?,
        preceding_job: fields.integer(Field::PrecedingJob)?,
        think_time: fields.integer(Field::ThinkTime)?,
    };
    fields.end()?;
    Ok(record)
}

/// A line and what of it has not been read yet.
struct Fields<'line> {
    line: &'line [u8],
    rest: &'line [u8],
}

impl<'line> Fields<'line> {
    fn new(line: &'line [u8]) -> Self {
        Self { line, rest: line }
    }

    /// A whole number. The short way takes what nearly every field is, a sign and a few digits; anything else goes
    /// the long way, which knows all the rules.
    fn integer(&mut self, field: Field) -> Result<i64, Defect<'line>> {
        self.skip_blanks();
        let (negative, digits) = split_sign(self.rest);
        let (magnitude, after) = read_digits(digits);
        let digit_count = digits.len() - after.len();
        let is_plain = (1..=DIGITS_WITHOUT_OVERFLOW).contains(&digit_count) && ends_field(after);
        if !is_plain || magnitude > MAGNITUDE_MAX {
            return self.unusual_integer(field);
        }
        self.rest = after;
        let magnitude = magnitude.cast_signed();
        Ok(if negative { -magnitude } else { magnitude })
    }

    /// A whole number with many leading zeros or a fraction of zeros behind it, or what is wrong with it.
    #[cold]
    fn unusual_integer(&mut self, field: Field) -> Result<i64, Defect<'line>> {
        let token = self.take_token();
        let (negative, digits) = split_sign(token);
        let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
        let (magnitude, after) = read_digits(&digits[zeros..]);
        let has_digits = after.len() < digits.len();
        let fraction_is_zero = match after {
            [] => true,
            [b'.', fraction @ ..] => !fraction.is_empty() && fraction.iter().all(|&byte| byte == b'0'),
            _ => false,
        };
        if !has_digits || !fraction_is_zero {
            return Err(self.defect(field, Reason::NotAnInteger, token));
        }
        let digit_count = digits.len() - zeros - after.len();
        if digit_count > DIGITS_WITHOUT_OVERFLOW || magnitude > MAGNITUDE_MAX {
            return Err(self.defect(field, Reason::TooLarge, token));
        }
        let magnitude = magnitude.cast_signed();
        Ok(if negative { -magnitude } else { magnitude })
    }

    fn decimal(&mut self, field: Field) -> Result<f64, Defect<'line>> {
        self.skip_blanks();
        let token = self.take_token();
        match decimal(token) {
            Some(value) if value.abs() <= MAGNITUDE_MAX_F64 => Ok(value),
            Some(_) => Err(self.defect(field, Reason::TooLarge, token)),
            None => Err(self.defect(field, Reason::NotANumber, token)),
        }
    }

    fn end(&mut self) -> Result<(), Defect<'line>> {
        self.skip_blanks();
        if self.rest.is_empty() {
            return Ok(());
        }
        let shown = self.take_token();
        Err(Defect { field: None, reason: Reason::ExtraField { found: self.count() }, shown })
    }

    fn skip_blanks(&mut self) {
        while let [first, rest @ ..] = self.rest
            && is_blank(*first)
        {
            self.rest = rest;
        }
    }

    fn take_token(&mut self) -> &'line [u8] {
        let length = self.rest.iter().position(|&byte| is_blank(byte)).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        token
    }

    /// An empty token means the line ended early, whatever was looked for.
    #[cold]
    fn defect(&self, field: Field, reason: Reason, shown: &'line [u8]) -> Defect<'line> {
        let reason = if shown.is_empty() { Reason::MissingField { found: self.count() } } else { reason };
        Defect { field: Some(field), reason, shown }
    }

    fn count(&self) -> usize {
        self.line.split(|&byte| is_blank(byte)).filter(|token| !token.is_empty()).count()
    }
}

fn ends_field(after: &[u8]) -> bool {
    after.first().is_none_or(|&byte| is_blank(byte))
}

/// Whether there is a minus sign, and what follows the sign.
fn split_sign(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    }
}

/// The number the leading digits make, and what follows them. Right up to [`DIGITS_WITHOUT_OVERFLOW`] digits; with
/// more it is some number, and the caller looks at their count.
fn read_digits(mut bytes: &[u8]) -> (u64, &[u8]) {
    let mut number: u64 = 0;
    while let [byte, rest @ ..] = bytes
        && byte.is_ascii_digit()
    {
        number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        bytes = rest;
    }
    (number, bytes)
}

/// A decimal number, or `None` if it is none. Not a number and infinity are none.
fn decimal(token: &[u8]) -> Option<f64> {
    short_decimal(token).or_else(|| long_decimal(token))
}

/// Exact for up to 15 digits: mantissa and power of ten are then both represented without error, and one
/// division rounds correctly.
fn short_decimal(token: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = split_sign(token);
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut mantissa: u64 = 0;
    let mut digit_count = 0;
    let mut point = None;
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                digit_count += 1;
            }
            b'.' if point.is_none() => point = Some(digit_count),
            _ => return None,
        }
    }
    if digit_count == 0 || digit_count > 15 {
        return None;
    }
    let magnitude = mantissa as f64 / POWERS[digit_count - point.unwrap_or(digit_count)];
    Some(if negative { -magnitude } else { magnitude })
}

/// The rest: many digits, or the exponents that awk writes. The alphabet keeps out `nan` and `inf`.
fn long_decimal(token: &[u8]) -> Option<f64> {
    if !token.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
        return None;
    }
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// Whether the reader would take the value back: the writer refuses what it would not.
pub(super) fn is_readable(record: &SwfRecord, field: Field) -> bool {
    match record.integer(field) {
        Some(value) => value.unsigned_abs() <= MAGNITUDE_MAX,
        // A comparison with not-a-number is false.
        None => record.average_cpu_time.abs() <= MAGNITUDE_MAX_F64,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn integer(text: &str) -> Result<i64, Reason> {
        let mut fields = Fields::new(text.as_bytes());
        fields.integer(Field::User).map_err(|defect| defect.reason)
    }

    #[test]
    fn whole_numbers_in_all_the_ways_logs_write_them() {
        assert_eq!(integer("142"), Ok(142));
        assert_eq!(integer(" \t-1"), Ok(-1));
        assert_eq!(integer("+7"), Ok(7));
        assert_eq!(integer("142.00"), Ok(142));
        assert_eq!(integer("0000000000000000000000042"), Ok(42));
        assert_eq!(integer("-000000000000000000000.000"), Ok(0));
        assert_eq!(integer("-1000000000000"), Ok(-1_000_000_000_000));
    }

    #[test]
    fn what_is_not_a_whole_number_is_refused() {
        for text in ["x", "-", "+", "1.", "1.5", "1.0x", "1.000001", ".0", "--1", "1e3", "0x10", "nan", "1,024"] {
            assert_eq!(integer(text), Err(Reason::NotAnInteger), "{text}");
        }
        assert_eq!(integer("1000000000001"), Err(Reason::TooLarge));
        assert_eq!(integer("99999999999999999999999999"), Err(Reason::TooLarge));
        // Two to the power of 64, plus one, which 64 bits would take for one.
        assert_eq!(integer("18446744073709551617"), Err(Reason::TooLarge));
        assert_eq!(integer("-0018446744073709551617.0"), Err(Reason::TooLarge));
        assert_eq!(integer("  "), Err(Reason::MissingField { found: 0 }));
    }

    #[test]
    fn decimals_refuse_what_is_not_finite() {
        for text in ["nan", "NaN", "inf", "-infinity", "", ".", "-", "1.2.3", "e", "1e", "0x1p3"] {
            assert_eq!(decimal(text.as_bytes()), None, "{text}");
        }
        assert_eq!(decimal(b"142.00"), Some(142.0));
        assert_eq!(decimal(b"-1"), Some(-1.0));
        assert_eq!(decimal(b"1.5e+06"), Some(1_500_000.0));
        // Parses to infinity, which the limit on the magnitude then refuses.
        assert_eq!(decimal(b"1e999"), Some(f64::INFINITY));
    }

    proptest! {
        #[test]
        fn short_decimals_are_exactly_those_of_the_standard_library(text in "[+-]?[0-9]{0,12}[.]?[0-9]{0,12}") {
            if let Some(value) = short_decimal(text.as_bytes()) {
                prop_assert_eq!(Ok(value), text.parse::<f64>());
            }
        }
    }
}
