//! The mean and the line as textbooks compute them: two passes over all points. Tests only.

use super::sums::{Fit, Point};

pub fn mean(points: &[Point]) -> Option<Fit> {
    if points.is_empty() {
        return None;
    }
    let count = points.len() as f64;
    let value = points.iter().map(|point| point.y as f64).sum::<f64>() / count;
    Some(Fit {
        value,
        residual_squares: points.iter().map(|point| (point.y as f64 - value).powi(2)).sum(),
        degrees_of_freedom: u32::try_from(points.len()).unwrap() - 1,
        leverage: 1.0 + 1.0 / count,
    })
}

pub fn line_at(points: &[Point], x: i64) -> Option<Fit> {
    if points.len() < 3 || points.iter().all(|point| point.x == points[0].x) {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.x as f64).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.y as f64).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|point| (point.x as f64 - mean_x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.x as f64 - mean_x) * (point.y as f64 - mean_y)).sum::<f64>() / spread;
    let line = |x: i64| mean_y + slope * (x as f64 - mean_x);
    Some(Fit {
        value: line(x),
        residual_squares: points.iter().map(|point| (point.y as f64 - line(point.x)).powi(2)).sum(),
        degrees_of_freedom: u32::try_from(points.len()).unwrap() - 2,
        leverage: 1.0 + 1.0 / count + (x as f64 - mean_x).powi(2) / spread,
    })
}
