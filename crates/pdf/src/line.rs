//! Runs of text to lines in reading order.
//!
//! Columns are found by the strip of a page that few runs cross, with running text on both sides. Runs that cross it,
//! such as a title, come before the columns below them.

use crate::content::Glyphs;
use crate::segment::{Segment, is_gap, segments};

/// In how many strips a page is cut to find columns, and how many columns are cut again.
const STRIPS: usize = 400;
const DEPTH: usize = 3;

/// How wide a run of running text is at least, in parts of its size, and how many such runs a column has.
const RUNNING: f64 = 8.0;
const RUNNING_LINES: usize = 4;

/// How much further apart two blocks are than two lines.
const BLOCK_GAP: f64 = 1.25;

/// How far apart the lines of a block may be, in parts of their size.
const MOST_GAP: f64 = 3.0;

/// A line of a page.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// How often the page is turned by a right angle so that the line is read from left to right.
    pub(crate) turns: u8,
    /// Where it is on the turned page.
    pub(crate) base: f64,
    /// How large its letters are.
    pub(crate) size: f64,
    /// Whether it begins a paragraph, a heading or the like.
    pub(crate) is_first: bool,
}

/// Returns the lines of a page in reading order.
pub(crate) fn in_reading_order(page: &Glyphs) -> Vec<Line> {
    let mut by_turns: [Vec<Segment>; 4] = Default::default();
    for segment in segments(page) {
        by_turns[usize::from(segment.turns)].push(segment);
    }
    let mut lines = Vec::new();
    for mut segments in by_turns {
        segments.sort_by(|a, b| a.base.total_cmp(&b.base));
        columns(segments, 0, &mut lines);
    }
    lines
}

/// Appends the lines of runs that are sorted by their places down the page.
fn columns(segments: Vec<Segment>, depth: usize, lines: &mut Vec<Line>) {
    let Some(gutter) = (depth < DEPTH).then(|| gutter(&segments)).flatten() else {
        rows(segments, lines);
        return;
    };
    let (mut across, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for segment in segments {
        if segment.from < gutter && segment.to > gutter {
            columns(std::mem::take(&mut left), depth + 1, lines);
            columns(std::mem::take(&mut right), depth + 1, lines);
            across.push(segment);
            continue;
        }
        rows(std::mem::take(&mut across), lines);
        if segment.to <= gutter {
            left.push(segment);
        } else {
            right.push(segment);
        }
    }
    rows(across, lines);
    columns(left, depth + 1, lines);
    columns(right, depth + 1, lines);
}

/// Returns the middle of the strip between two columns.
fn gutter(segments: &[Segment]) -> Option<f64> {
    let from = segments
        .iter()
        .map(|segment| segment.from)
        .reduce(f64::min)?;
    let to = segments.iter().map(|segment| segment.to).reduce(f64::max)?;
    let width = (to - from) / STRIPS as f64;
    if width.is_nan() || width <= 0.0 {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to STRIPS"
    )]
    let strip = |at: f64| (((at - from) / width) as usize).min(STRIPS - 1);
    let (mut begun, mut ended) = (vec![0_usize; STRIPS], vec![0_usize; STRIPS]);
    let (mut runs_begun, mut runs_ended) = (begun.clone(), begun.clone());
    for segment in segments {
        let (first, last) = (strip(segment.from), strip(segment.to));
        begun[first] += 1;
        ended[last] += 1;
        if is_running(segment) {
            runs_begun[first] += 1;
            runs_ended[last] += 1;
        }
    }
    let all_runs: usize = runs_begun.iter().sum();
    let (mut across, mut left, mut begun_before) = (0, 0, 0);
    // The best strips so far, from the first to the last.
    let mut best: Option<(usize, usize, usize)> = None;
    for at in 0..STRIPS {
        across += begun[at];
        begun_before += runs_begun[at];
        let columns = left.min(all_runs - begun_before);
        if columns >= RUNNING_LINES && columns >= across {
            let gain = columns - across;
            best = match best {
                Some((most, first, last)) if most == gain && last + 1 == at => {
                    Some((most, first, at))
                }
                Some(best) if best.0 >= gain => Some(best),
                _ => Some((gain, at, at)),
            };
        }
        across -= ended[at];
        left += runs_ended[at];
    }
    let (_, first, last) = best?;
    Some(from + width * ((first + last + 1) as f64 / 2.0))
}

fn is_running(segment: &Segment) -> bool {
    let letters = segment.text.chars().filter(|c| c.is_alphabetic()).count();
    segment.to - segment.from >= RUNNING * segment.size
        && letters * 2 >= segment.text.chars().count()
}

/// Appends the lines of a column, from top to bottom.
fn rows(segments: Vec<Segment>, lines: &mut Vec<Line>) {
    let mut rows: Vec<Vec<Segment>> = Vec::new();
    // The place and the size of the largest run of the row.
    let mut largest = (0.0, 0.0);
    for segment in segments {
        let is_near = {
            let (base, size): (f64, f64) = largest;
            let (more, less) = (size.max(segment.size), size.min(segment.size));
            (segment.base - base).abs() < (0.45 * more).min(0.75 * less)
        };
        match rows.last_mut() {
            Some(row) if is_near => {
                if segment.size > largest.1 {
                    largest = (segment.base, segment.size);
                }
                row.push(segment);
            }
            _ => {
                largest = (segment.base, segment.size);
                rows.push(vec![segment]);
            }
        }
    }
    let rows: Vec<Segment> = rows.into_iter().filter_map(row).collect();
    let mut apart: Vec<f64> = rows
        .windows(2)
        .map(|two| two[1].base - two[0].base)
        .collect();
    apart.sort_by(f64::total_cmp);
    let usual = apart
        .get(apart.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(0.0);
    let mut before: Option<(f64, f64, f64)> = None;
    for row in rows {
        let is_first = before.is_none_or(|(base, from, size)| {
            let indent = row.from - from;
            row.base - base > (usual * BLOCK_GAP).min(MOST_GAP * size)
                || (0.9 * size..3.0 * size).contains(&indent)
                || (row.size - size).abs() > 0.15 * size
        });
        before = Some((row.base, row.from, row.size));
        lines.push(Line {
            text: row.text,
            turns: row.turns,
            base: row.base,
            size: row.size,
            is_first,
        });
    }
}

/// Returns the runs of a line as one.
fn row(mut segments: Vec<Segment>) -> Option<Segment> {
    segments.sort_by(|a, b| a.from.total_cmp(&b.from));
    let mut segments = segments.into_iter();
    let mut line = segments.next()?;
    let mut last = (line.from, line.text.len());
    let mut largest = (line.base, line.size);
    for segment in segments {
        // Drawn once more to look bold.
        let is_twice = (segment.from - last.0).abs() < 0.2 * segment.size
            && line.text[line.text.len() - last.1..] == segment.text;
        if is_twice {
            continue;
        }
        let size = line.size.min(segment.size);
        let is_space = is_gap(&line.text, &segment.text, segment.from - line.to, size);
        last = (segment.from, segment.text.len());
        if segment.size > largest.1 {
            largest = (segment.base, segment.size);
        }
        line.add(&segment.text, is_space, segment.to, segment.size);
    }
    line.base = largest.0;
    Some(line)
}
