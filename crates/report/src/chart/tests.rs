//! Whole charts, as files.

use super::*;
use crate::plot::area::{Value, values};
use crate::plot::look::colour_class;

fn curves(series: Vec<Series>) -> Panel {
    Panel::Curves(CurvePanel {
        title: "KTH <SP2>".to_owned(),
        across: Axis::of_duration_factors(1.0, 100_000.0),
        up: Axis::linear(0.0, 1.0, 0.01, "%", 5),
        across_label: "wait & run".to_owned(),
        up_label: "share of jobs".to_owned(),
        series,
    })
}

fn series(name: &str, colour: usize, drawn: Drawn) -> Series {
    Series { name: name.to_owned(), colour, drawn }
}

fn rows(rows: Vec<Row>) -> Panel {
    Panel::Rows(RowPanel {
        title: "Slowdown".to_owned(),
        across: Axis::of_numbers(0.0, 100.0),
        across_label: "mean bounded slowdown".to_owned(),
        reference: Some(50.0),
        rows,
    })
}

fn row(name: &str, value: f64) -> Row {
    Row { name: name.to_owned(), colour: 1, value, low: value - 3.0, high: value + 3.0 }
}

fn chart(panels: Vec<Panel>) -> Chart {
    Chart { title: "Waits \"as they were\"".to_owned(), columns: 2, panels }
}

/// Every tag that is opened is closed, in order, every attribute is quoted, and every place is a number.
fn assert_well_formed(file: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in file.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("unclosed tag: {piece}"));
        assert!(!text.contains('>'), "a stray > after <{tag}>");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes something else");
        } else {
            assert!(tag.matches('"').count().is_multiple_of(2), "unbalanced quotes: <{tag}>");
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    assert!(!file.contains("NaN") && !file.contains("inf"), "a place that is no number");
}

#[test]
fn a_chart_is_well_formed_and_needs_nothing_from_elsewhere() {
    let hostile = "<script>alert(\"&\")</script>";
    let line = series(hostile, 0, Drawn::Line(vec![(1.0, 0.0), (1_000.0, 1.0)]));
    let file = chart(vec![curves(vec![line]), rows(vec![row(hostile, 20.0)])]).svg();
    assert_well_formed(&file);
    let without_name_space = file.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http", "<script", "url(", "@import", "href"] {
        assert!(!without_name_space.contains(foreign), "{foreign}");
    }
    assert!(file.contains("<title>Waits &quot;as they were&quot;</title>"), "{file}");
}

#[test]
fn the_legend_has_every_name_once_and_rows_have_theirs_beside_them() {
    let drawn = || {
        let names = [("estimate", 1), ("recent", 2), ("", 3)];
        curves(names.map(|(name, colour)| series(name, colour, Drawn::Steps(vec![(9.0, 0.5)]))).to_vec())
    };
    let file = chart(vec![drawn(), drawn(), rows(vec![row("perfect", 9.0)]), rows(vec![row("perfect", 9.0)])]).svg();
    assert_eq!([">estimate<", ">recent<", ">perfect<"].map(|name| file.matches(name).count()), [1, 1, 2]);
}

#[test]
fn dots_in_the_same_place_are_drawn_once_and_many_make_no_large_file() {
    let points = [(10.0, 0.5), (10.0, 0.5), (10.000_1, 0.5), (500.0, 0.5)];
    let file = chart(vec![curves(vec![series("jobs", 0, Drawn::Dots(points.to_vec()))])]).svg();
    assert_eq!(file.matches("h0\"").count(), 2, "{file}");
    let many = (0..5_000_u32).map(|index| (f64::from(index * 7_919 % 99_991), f64::from(index * 31 % 4_999) / 5e3));
    let file = chart(vec![curves(vec![series("jobs", 0, Drawn::Dots(many.collect()))])]).svg();
    assert!(file.len() < 300_000, "{}", file.len());
}

#[test]
fn what_is_empty_or_not_finite_is_left_out() {
    let strange = vec![(f64::NAN, 0.5), (10.0, f64::INFINITY), (10.0, f64::NAN)];
    let kinds = [Drawn::Line, Drawn::Dashed, Drawn::Steps, Drawn::Dots];
    let all = |points: &[(f64, f64)]| kinds.map(|kind| series("a", 0, kind(points.to_vec()))).to_vec();
    let nothing = chart(vec![curves(all(&[]))]).svg();
    assert_well_formed(&nothing);
    assert_eq!(chart(vec![curves(all(&strange))]).svg(), nothing);
    let without_value = row("killed", f64::NAN);
    let without_interval = Row { low: f64::NAN, ..row("perfect", 4.0) };
    let file = chart(vec![rows(Vec::new()), curves(Vec::new()), rows(vec![without_value, without_interval])]).svg();
    assert_well_formed(&file);
    assert_eq!((file.matches("<circle").count(), file.matches("\"interval\"").count()), (1, 0));
    assert!(file.contains(">killed<"), "a name without a value is still a name");
    for columns in [0, 1, 40] {
        assert_well_formed(&Chart { title: String::new(), columns, panels: Vec::new() }.svg());
        let panels = vec![curves(all(&[(5.0, 0.1)])), rows(vec![row("a long name that has no room", 4.0)])];
        assert_well_formed(&Chart { title: String::new(), columns, panels }.svg());
    }
}

#[test]
fn long_names_are_broken_and_not_cut() {
    let name = "conservative / session:depth=first,estimates=none,least=3,running=yes,cap=limit,correction=x10:600";
    let panel = rows(vec![row(name, 10.0), row("easy", 20.0)]);
    let file = Chart { title: String::new(), columns: 3, panels: vec![panel] }.svg();
    let lines = file.split("class=\"name\"").skip(1).filter_map(|text| text.split(['>', '<']).nth(1));
    let shown: String = lines.collect();
    assert_eq!(shown.replace(' ', ""), format!("{}easy", name.replace(' ', "")));
}

#[test]
fn values_at_an_axis_do_not_collide_however_narrow_it_is() {
    let axis = Axis::of_duration_factors(1.0, 1e8);
    for width in [30.0, 90.0, 200.0, 400.0, 850.0] {
        let area = Area { across: Across::Pixels { left: 0.0, right: width, outermost: 0.0 }, top: 0.0, bottom: 10.0 };
        let labels = values(&axis, |tick, text| (area.x(tick.position), LABEL.width(text)));
        let collide = |pair: &[Value<'_>]| {
            pair[1].middle - pair[0].middle < f64::midpoint(LABEL.width(&pair[0].text), LABEL.width(&pair[1].text))
        };
        assert!(!labels.is_empty() && !labels.windows(2).any(collide), "{width}: {labels:?}");
    }
}

#[test]
fn the_style_needs_no_escaping_and_has_the_colours_of_the_page() {
    let escaped = STYLE.find(['<', '>', '&', '"']);
    assert_eq!(escaped.map(|place| &STYLE[place.saturating_sub(40)..=place]), None);
    let light = crate::page::STYLE.split_once('}').expect("the light colours come first").0;
    let colours = light.split(';').filter_map(|setting| setting.trim().strip_prefix("--c")?.split_once(": "));
    let mut count = 0;
    for (name, value) in colours {
        let index = name.parse().unwrap_or(REFERENCE_COLOUR);
        assert!(STYLE.contains(&format!(".{} {{ color: {value}; }}", colour_class(index))), "{name}");
        count += 1;
    }
    assert_eq!(count, REFERENCE_COLOUR + 1);
}
