//! The header line: which column stands where, and what separates them.
//!
//! For: telling an export of sacct from other files, and refusing one that lacks what a job cannot be read without.
//!
//! Not for: records.

use super::bad_record::HeaderError;
use super::column::{Column, Form};

/// More columns than any sacct has (123 in 26.05).
const COLUMNS_MAX: usize = 512;

/// Whether a file that begins with this line is an export of sacct: the first word is one of its columns.
pub fn is_header(line: &[u8]) -> bool {
    let word = first_word(strip_mark(line));
    word.len() < line.len() && Column::named(word).is_some()
}

/// The columns of an export.
#[derive(Clone, Debug)]
pub struct Header {
    pub(super) line: Vec<u8>,
    pub(super) delimiter: u8,
    pub(super) places: Vec<Place>,
    /// Columns in front of the first text, by which a line is known to start a record; 0 if they begin with no job
    /// number.
    pub(super) leading: usize,
    /// Whether lines end in a carriage return.
    pub(super) has_carriage_returns: bool,
}

/// A column at its place in a record.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub name: String,
    /// None if its values are passed over.
    pub column: Option<Column>,
    pub form: Form,
}

impl Header {
    /// Reads the header line, without its line end.
    pub fn parse(line: &[u8]) -> Result<Self, HeaderError> {
        let line = strip_mark(line);
        let (line, has_carriage_returns) = match line.strip_suffix(b"\r") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        if !is_header(line) {
            return Err(HeaderError::NotAHeader);
        }
        let delimiter = line[first_word(line).len()];
        let names: Vec<&[u8]> = line.split(|&byte| byte == delimiter).collect();
        if names.len() > COLUMNS_MAX {
            return Err(HeaderError::NotAHeader);
        }
        let mut places = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            places.push(Place::of(name, index + 1 == names.len())?);
        }
        let header = Self { line: line.to_vec(), delimiter, leading: leading(&places), places, has_carriage_returns };
        header.check()?;
        Ok(header)
    }

    /// Whether the export has this column.
    pub fn has(&self, column: Column) -> bool {
        self.places.iter().any(|place| place.column == Some(column))
    }

    /// The byte between columns.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The columns without which these records do not make a history: none of them has a run time or a size.
    pub fn missing_for_history(&self) -> Option<String> {
        use Column as C;
        let groups: [&[C]; 3] = [
            &[C::Start],
            &[C::ElapsedRaw, C::Elapsed, C::End],
            &[C::AllocCpus, C::Ncpus, C::AllocTres, C::ReqCpus, C::ReqTres],
        ];
        self.missing_of(&groups)
    }

    fn check(&self) -> Result<(), HeaderError> {
        use Column as C;
        for (index, place) in self.places.iter().enumerate() {
            if place.column.is_some() && self.places[..index].iter().any(|earlier| earlier.column == place.column) {
                return Err(HeaderError::Twice(place.name.clone()));
            }
        }
        let groups: [&[C]; 3] = [&[C::JobIdRaw, C::JobId], &[C::State], &[C::Submit]];
        self.missing_of(&groups).map_or(Ok(()), |missing| Err(HeaderError::Missing(missing)))
    }

    fn missing_of(&self, groups: &[&[Column]]) -> Option<String> {
        let is_missing = |group: &&&[Column]| !group.iter().any(|&column| self.has(column));
        let names = |group: &&[Column]| group.iter().map(|column| column.name()).collect::<Vec<_>>().join(" or ");
        let missing: Vec<String> = groups.iter().filter(is_missing).map(names).collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }
}

impl Place {
    fn of(name: &[u8], is_last: bool) -> Result<Self, HeaderError> {
        if name.is_empty() && is_last {
            return Ok(Self { name: "the end of the line".to_owned(), column: None, form: Form::Nothing });
        }
        let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric);
        let text = std::str::from_utf8(name).ok().filter(|_| is_name).ok_or(HeaderError::NotAHeader)?;
        let column = Column::named(name);
        Ok(Self { name: text.to_owned(), column, form: column.map_or(Form::Text, Column::form) })
    }
}

fn leading(places: &[Place]) -> usize {
    if places.first().is_none_or(|place| place.form != Form::JobId) {
        return 0;
    }
    places.iter().take_while(|place| !place.form.is_text()).count()
}

fn first_word(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(line.len());
    &line[..end]
}

fn strip_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_known_by_name_in_any_order_and_case() {
        let header = Header::parse(b"jobidraw\x1fState\x1fSomethingNew\x1fSubmit").expect("a header");
        assert_eq!(header.delimiter(), 0x1f);
        assert!(header.has(Column::JobIdRaw) && header.has(Column::Submit) && !header.has(Column::JobId));
        assert_eq!(
            header.missing_for_history().as_deref(),
            Some("Start, ElapsedRaw or Elapsed or End, AllocCPUS or NCPUS or AllocTRES or ReqCPUS or ReqTRES")
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = Header::parse(b"JobID|JobName").expect_err("incomplete").to_string();
        assert_eq!(error, "1: the export lacks State, Submit; add it to sacct's --format");
        assert!(Header::parse(b"JobID|State|Submit|State").expect_err("twice").to_string().starts_with("1:State:"));
        for line in [&b""[..], b"; MaxProcs: 8", b"1|2|3", b"JobID", b"JobID|State|Sub mit", b"JobID||State|Submit"] {
            assert!(Header::parse(line).is_err(), "{}", line.escape_ascii());
        }
    }
}
