//! Waiting jobs and utilisation over time: one line a configuration.

use queuecast_evaluate::Portrait;

use super::cast::Cast;
use crate::markup::{Element, element};
use crate::page::framed;
use crate::plot::area::{Area, SIDE, canvas, stretched_line};
use crate::plot::axis::Axis;
use crate::quantity::{TimeUnit, number, share, whole_duration};

const TOP: f64 = 18.0;
const BOTTOM: f64 = 208.0;
const HEIGHT: f64 = 232.0;
const TIME_TICKS_MAX: usize = 7;

/// The queue and the machine over the whole trace; `None` if there are no configurations.
pub fn timeline_plots(cast: &Cast<'_>, portraits: &[Portrait]) -> Option<Element> {
    let bins = portraits.first()?.timeline.bins();
    let machine = cast.comparison.compared().first()?.configuration.machine;
    let waiting: Vec<_> = portraits.iter().map(|portrait| portrait.timeline.waiting()).collect();
    let utilisation: Vec<_> = portraits.iter().map(|portrait| portrait.timeline.utilisation(machine)).collect();
    let most = waiting.iter().flatten().copied().fold(0.0, f64::max);
    let span = bins.width.as_f64() * bins.count as f64;
    let unit = TimeUnit::for_durations_up_to(span);
    let time = Axis::linear(0.0, span, unit.seconds, unit.name, TIME_TICKS_MAX);
    let how_to_read = format!(
        "The log without shaking, from the first submission to the end of the last job. Each point is the mean over \
         {}. A lower line of the queue means fewer waiting jobs. The lines of the machine differ less, because every \
         configuration does the same work.",
        whole_duration(bins.width)
    );
    let queue = Lines { cast, time: &time, upright: Axis::linear(0.0, most * 1.02, 1.0, "jobs waiting", 5) };
    let machine = Lines { cast, time: &time, upright: Axis::linear(0.0, 1.0, 0.01, "% of processors busy", 4) };
    let jobs = |value: f64| format!("{} jobs", number(value));
    Some(
        framed("The queue and the machine over time", &how_to_read)
            .child(cast.legend())
            .child(queue.draw(&waiting, &jobs))
            .child(machine.draw(&utilisation, &share)),
    )
}

struct Lines<'a> {
    cast: &'a Cast<'a>,
    time: &'a Axis,
    upright: Axis,
}

impl Lines<'_> {
    fn draw(&self, series: &[Vec<f64>], in_words: &dyn Fn(f64) -> String) -> Element {
        // The baseline last and so on top, the bounds first.
        let mut order: Vec<_> = self.cast.members().collect();
        let baseline = self.cast.comparison.baseline();
        order.sort_by_key(|(index, compared, _)| (*index == baseline, !compared.is_bound()));
        let curves = order.into_iter().map(|(index, compared, look)| {
            let values = &series[index];
            let mean = values.iter().sum::<f64>() / (values.len() as f64).max(1.0);
            let most = values.iter().copied().fold(0.0, f64::max);
            let name = Cast::name(compared);
            let tooltip = format!("{name}: {} on average, {} at most", in_words(mean), in_words(most));
            let curve = element("polyline").class(format_args!("curve {}", look.colour));
            curve.with("stroke-dasharray", look.dash).with("points", self.points(values)).tooltip(tooltip)
        });
        let area = Area::on_page(TOP, BOTTOM);
        canvas(HEIGHT)
            .children(area.grid_across(self.time))
            .child(area.floor())
            .children(area.grid_up(&self.upright))
            .child(area.stretched(curves))
            .children(area.values_up(&self.upright))
            .children(area.values_below(self.time, 16.0))
    }

    fn points(&self, values: &[f64]) -> String {
        let count = values.len() as f64;
        let point = |(bin, value): (usize, &f64)| {
            let x = (bin as f64 + 0.5) / count * SIDE;
            let y = SIDE - self.upright.position(*value) / 100.0 * SIDE;
            (x, y)
        };
        stretched_line(values.iter().enumerate().map(point))
    }
}
