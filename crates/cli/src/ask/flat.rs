//! An answer as CSV: one line of columns and one row, or a row for each of what the answer lists.
//!
//! For: spreadsheets and `cut`. A column is named by the way to its value in the JSON: `start.p50.utc`.
//!
//! Not for: lists inside of what is listed; those are joined by semicolons, and whoever needs more asks for JSON.

use serde_json::{Map, Value};

use super::inert::inert;
use crate::failure::{Failure, OnSide};
use crate::output::not_a_formula;

/// The answer's JSON as CSV. With a list's name there is a row for each of its members, under columns of their own and of the rest.
pub fn csv(json: &str, list: Option<&str>) -> Result<String, Failure> {
    let mut answer: Map<String, Value> = serde_json::from_str(json).reading()?;
    let members = match list.and_then(|name| answer.remove(name)) {
        Some(Value::Array(members)) => members,
        Some(Value::Null) | None => vec![Value::Null],
        Some(other) => vec![other],
    };
    let mut shared = Vec::new();
    flatten("", &Value::Object(answer), &mut shared);
    let rows: Vec<Vec<(String, String)>> = members
        .iter()
        .map(|member| {
            let mut row = Vec::new();
            flatten("", member, &mut row);
            // What only tells of the whole stands behind, under names that nothing of its own has.
            row.extend(
                shared
                    .iter()
                    .map(|(name, value)| {
                        let is_taken = row.iter().any(|(own, _)| own == name);
                        (if is_taken { format!("answer.{name}") } else { name.clone() }, value.clone())
                    })
                    .collect::<Vec<_>>(),
            );
            row
        })
        .collect();
    let mut columns: Vec<&String> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns).writing()?;
    for row in &rows {
        let value = |column: &&&String| row.iter().find(|(name, _)| name == **column).map_or("", |(_, value)| value);
        writer.write_record(columns.iter().map(|column| value(&column))).writing()?;
    }
    let bytes = writer.into_inner().map_err(|error| anyhow::anyhow!("{error}")).writing()?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn flatten(name: &str, value: &Value, row: &mut Vec<(String, String)>) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                flatten(&below(key), value, row);
            }
        }
        Value::Null if name.is_empty() => {}
        value => row.push((name.to_owned(), written(value))),
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => not_a_formula(&inert(text)),
        Value::Array(values) => values.iter().map(written).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_row_and_a_list_is_a_row_each() {
        let answer = r#"{"cluster": "alpha", "start": {"p50": {"unix": 7}}, "left_out": ["a", "b"], "end": null}"#;
        assert_eq!(csv(answer, None).expect("JSON"), "cluster,start.p50.unix,left_out,end\nalpha,7,a;b,");
        let answer = r#"{"cluster": "alpha", "places": [{"partition": "batch", "x": 1}, {"partition": "gpu, big", "cluster": "b"}]}"#;
        let text = csv(answer, Some("places")).expect("JSON");
        assert_eq!(text, "partition,x,cluster,answer.cluster\nbatch,1,alpha,\n\"gpu, big\",,b,alpha");
        assert_eq!(csv(r#"{"cluster": "a", "places": null}"#, Some("places")).expect("JSON"), "cluster\na");
    }
}
